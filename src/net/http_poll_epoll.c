/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll_epoll.c - one thread's sockets (see http_poll.h) in a Linux epoll set. The kernel is
 * called only when what is wanted of a socket changes: a connection kept between requests stays
 * registered. */
#include "base/compat.h"

#include "net/http_poll.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

#define EVENTS_MAX 64
#define NS_PER_MS  UINT64_C(1000000)

struct http_poll {
    int epoll_fd;
    unsigned char *wanted; /* by descriptor: HTTP_POLL_ bits that the kernel knows */
    size_t room;
};

int http_poll_create(struct http_poll **poll)
{
    const int fd = epoll_create1(EPOLL_CLOEXEC);

    if (fd < 0)
        return -errno;
    *poll = mem_calloc(1, sizeof(**poll));
    (*poll)->epoll_fd = fd;
    return 0;
}

void http_poll_destroy(struct http_poll *poll)
{
    if (!poll)
        return;
    close(poll->epoll_fd);
    free(poll->wanted);
    free(poll);
}

bool http_poll_tells_end(void)
{
    return true;
}

/* Descriptors are small numbers, so a table up to the largest one is used. */
static unsigned char *wanted_of(struct http_poll *poll, int fd)
{
    const size_t before = poll->room;

    if ((size_t)fd >= before) {
        poll->wanted = mem_grow(poll->wanted, &poll->room, (size_t)fd + 1, 1);
        memset(poll->wanted + before, 0, poll->room - before);
    }
    return &poll->wanted[fd];
}

void http_poll_closed(struct http_poll *poll, int fd)
{
    *wanted_of(poll, fd) = 0; /* closing removes it from the set */
}

int http_poll_want(struct http_poll *poll, int fd, unsigned wanted)
{
    unsigned char *const known = wanted_of(poll, fd);
    struct epoll_event event = {.data.fd = fd};
    const int operation = !*known ? EPOLL_CTL_ADD : wanted ? EPOLL_CTL_MOD : EPOLL_CTL_DEL;

    if (wanted == *known)
        return 0;
    if (wanted & HTTP_POLL_READ)
        event.events |= EPOLLIN | EPOLLRDHUP;
    if (wanted & HTTP_POLL_WRITE)
        event.events |= EPOLLOUT;
    *known = (unsigned char)wanted;
    if (epoll_ctl(poll->epoll_fd, operation, fd, &event) == 0 ||
        operation == EPOLL_CTL_DEL) /* already closed, hence removed */
        return 0;
    *known = 0;
    return -errno;
}

/* epoll_wait counts milliseconds. Other wait times use ppoll, and the set is read afterwards. */
static int wait_set(struct http_poll *poll, uint64_t wait_ns, struct epoll_event *found, int max)
{
    int timeout_ms = -1;

    if (wait_ns != UINT64_MAX && (wait_ns % NS_PER_MS || wait_ns / NS_PER_MS > INT_MAX)) {
        const struct timespec time = {.tv_sec = (time_t)(wait_ns / NS_PER_S),
                                      .tv_nsec = (long)(wait_ns % NS_PER_S)};
        struct pollfd set = {.fd = poll->epoll_fd, .events = POLLIN};
        const int ready = ppoll(&set, 1, &time, NULL);

        if (ready <= 0)
            return ready;
        timeout_ms = 0;
    } else if (wait_ns != UINT64_MAX) {
        timeout_ms = (int)(wait_ns / NS_PER_MS);
    }
    return epoll_wait(poll->epoll_fd, found, max, timeout_ms);
}

int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max)
{
    struct epoll_event found[EVENTS_MAX];
    const int count = wait_set(poll, wait_ns, found, (int)(max < EVENTS_MAX ? max : EVENTS_MAX));

    if (count < 0)
        return -errno;
    for (int i = 0; i < count; i++) {
        const unsigned broken = found[i].events & (EPOLLERR | EPOLLHUP);
        unsigned ready = 0;

        if (broken || found[i].events & EPOLLIN)
            ready |= HTTP_POLL_READ;
        if (broken || found[i].events & EPOLLOUT)
            ready |= HTTP_POLL_WRITE;
        ready &= *wanted_of(poll, found[i].data.fd);
        if (broken || found[i].events & EPOLLRDHUP)
            ready |= HTTP_POLL_ENDED;
        event[i] = (struct http_poll_event){.fd = found[i].data.fd, .ready = ready};
    }
    return count;
}
