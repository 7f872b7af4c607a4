/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll.h - waits for the sockets of one thread's requests. A connection kept between requests
 * stays in the set. Events are bits of HTTP_POLL_READ, WRITE and ENDED. */
#ifndef NET_HTTP_POLL_H
#define NET_HTTP_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "os/socket.h"

#define HTTP_POLL_READ  1u
#define HTTP_POLL_WRITE 2u
#define HTTP_POLL_ENDED 4u /* of events only: the peer has finished sending */

struct http_poll { /* zeroed: no sockets */
    struct pollfd *set;
    size_t set_room;
    unsigned count;
    unsigned *place; /* by socket: position in the set, from 1; 0: absent */
    size_t place_room;
    unsigned next; /* checked first: all have their turn */
};

struct http_poll_event {
    int fd;
    unsigned ready; /* wanted bits; both after an error; possibly ENDED */
};

void http_poll_fini(struct http_poll *poll); /* closes no socket */

/* Sets the events wanted of a descriptor: READ, WRITE; 0: none, also just before it is closed. */
void http_poll_want(struct http_poll *poll, int fd, unsigned wanted);

/* Waits at most wait_ns (UINT64_MAX: for ever) for up to max events (0 < max <= 64); a system that
 * counts in milliseconds may wait one although wait_ns is less. Returns the number of events, 0
 * after the timeout or if only unwanted ones came, -EINTR after a signal, or -errno. */
int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max);

#endif
