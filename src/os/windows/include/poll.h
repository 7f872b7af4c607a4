/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* poll.h - for pipes only: data to read, or the other end was closed. Write ends are always
 * ready. */
#ifndef OS_WINDOWS_POLL_H
#define OS_WINDOWS_POLL_H

struct pollfd {
    int fd;
    short events, revents;
};
typedef unsigned long nfds_t;
#define POLLIN  1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16

int poll(struct pollfd *files, nfds_t count, int wait_ms);

#endif
