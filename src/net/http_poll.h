/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll.h - waiting for the sockets of one thread's requests.  A system has one of two ways,
 * which look the same from outside: epoll (http_poll_epoll.c), or poll and its like
 * (http_poll_poll.c).  A connection kept between requests stays in the set. */
#ifndef NET_HTTP_POLL_H
#define NET_HTTP_POLL_H

#include <stdbool.h>
#include <stdint.h>

#define HTTP_POLL_READ  1u
#define HTTP_POLL_WRITE 2u
#define HTTP_POLL_ENDED 4u /* of events only: the other end sends nothing any more */

struct http_poll;

struct http_poll_event {
    int fd;
    unsigned ready; /* HTTP_POLL_ bits that are wanted; both after an error; perhaps ENDED */
};

/* Returns 0 or -errno.  Destroying closes no socket; NULL is fine. */
int http_poll_create(struct http_poll **poll);
void http_poll_destroy(struct http_poll *poll);

/* Whether HTTP_POLL_ENDED is said as soon as it is so.  Otherwise who has to know must look. */
bool http_poll_tells_end(void);

/* A socket was opened, and http_poll_closed will be called for it: only such sockets stay in the
 * set while idle. */
void http_poll_opened(struct http_poll *poll, int fd);
/* Just before it is closed. */
void http_poll_closed(struct http_poll *poll, int fd);

/* What is wanted of a descriptor from now on: HTTP_POLL_ bits, 0: nothing.  Returns 0 or -errno. */
int http_poll_want(struct http_poll *poll, int fd, unsigned wanted);

/* Waits at most wait_ns (UINT64_MAX: for ever) for up to max events (0 < max <= 64); a system that
 * counts in milliseconds may take one where wait_ns is less.  Returns the number of events, 0 when
 * the time is over or only unwanted ones came, -EINTR after a signal, or -errno. */
int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max);

#endif
