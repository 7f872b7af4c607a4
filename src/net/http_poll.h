/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll.h - waits for the sockets of one thread's requests. A connection kept between requests
 * stays in the set. Events are bits of OS_SOCKET_READ, WRITE and ENDED. */
#ifndef NET_HTTP_POLL_H
#define NET_HTTP_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "os/socket.h"

struct http_poll;

struct http_poll_event {
    int fd;
    unsigned ready; /* wanted bits; both after an error; possibly ENDED */
};

/* Returns 0 or -errno.  Destroying closes no socket; NULL is fine. */
int http_poll_create(struct http_poll **poll);
void http_poll_destroy(struct http_poll *poll);

/* To be called just before the socket is closed. */
void http_poll_closed(struct http_poll *poll, int fd);

/* Sets the events wanted of a descriptor: READ, WRITE; 0: none. Returns 0 or -errno. */
int http_poll_want(struct http_poll *poll, int fd, unsigned wanted);

/* Waits at most wait_ns (UINT64_MAX: for ever) for up to max events (0 < max <= 64); a system that
 * counts in milliseconds may wait one although wait_ns is less. Returns the number of events, 0
 * after the timeout or if only unwanted ones came, -EINTR after a signal, or -errno. */
int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max);

#endif
