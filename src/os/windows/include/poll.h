/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* poll.h - for descriptors that are written to: these are always ready. */
#ifndef OS_WINDOWS_POLL_H
#define OS_WINDOWS_POLL_H

struct pollfd {
    int fd;
    short events, revents;
};
typedef unsigned long nfds_t;
#define POLLOUT 4

static inline int poll(struct pollfd *files, nfds_t count, int wait_ms)
{
    (void)wait_ms;
    for (nfds_t i = 0; i < count; i++)
        files[i].revents = files[i].events;
    return (int)count;
}

#endif
