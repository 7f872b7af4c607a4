/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* poll.h - for descriptors that are written to: these are always ready. The structure is that of
 * sockets, which os/socket.h waits for. */
#ifndef OS_WINDOWS_POLL_H
#define OS_WINDOWS_POLL_H

#include <winsock2.h>

static inline int poll(struct pollfd *files, unsigned count, int wait_ms)
{
    (void)wait_ms;
    for (unsigned i = 0; i < count; i++)
        files[i].revents = files[i].events;
    return (int)count;
}

#endif
