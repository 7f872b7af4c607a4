/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll_epoll.c - one thread's sockets (see http_poll.h) in a Linux epoll set that is changed
 * as rarely as possible. The events registered with the kernel (HAVE) and those wanted (WANT) may
 * differ: an unwanted EPOLLIN stays registered, which saves two system calls per request; if it
 * fires nevertheless (the server closes an idle connection), it is removed then. Sockets to be
 * written are tried before they are registered, since they nearly always have room. */
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

/* Flags of a descriptor; the lowest two are HTTP_POLL_READ and HTTP_POLL_WRITE: wanted. */
#define WANT       (HTTP_POLL_READ | HTTP_POLL_WRITE)
#define HAVE_SHIFT 2 /* the same two: registered */
#define OURS       16u
#define EAGER      32u /* in the list */

struct http_poll {
    int epoll_fd;
    unsigned char *state; /* by descriptor: the bits above */
    unsigned state_count;
    int *eager; /* descriptors to be tried for writing, or just tried */
    unsigned eager_count, eager_given;
    size_t eager_room;
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
    free(poll->state);
    free(poll->eager);
    free(poll);
}

bool http_poll_tells_end(void)
{
    return true;
}

/* Descriptors are small numbers, so a table up to the largest one is used. */
static unsigned char *state_of(struct http_poll *poll, int fd)
{
    const unsigned index = (unsigned)fd;

    if (index >= poll->state_count) {
        unsigned count = poll->state_count ? poll->state_count : 64;
        while (count <= index)
            count *= 2;
        poll->state = mem_realloc_array(poll->state, count, 1);
        memset(poll->state + poll->state_count, 0, count - poll->state_count);
        poll->state_count = count;
    }
    return &poll->state[index];
}

void http_poll_opened(struct http_poll *poll, int fd)
{
    *state_of(poll, fd) = OURS;
}

void http_poll_closed(struct http_poll *poll, int fd)
{
    *state_of(poll, fd) = 0; /* closing removes it from the set */
}

static int tell_kernel(struct http_poll *poll, int fd, unsigned char *state, unsigned bits)
{
    const unsigned have = (unsigned)*state >> HAVE_SHIFT & WANT;
    struct epoll_event event = {.data.fd = fd};
    int operation = EPOLL_CTL_MOD;

    if (bits == have)
        return 0;
    if (bits == 0)
        operation = EPOLL_CTL_DEL;
    else if (have == 0)
        operation = EPOLL_CTL_ADD;
    if (bits & HTTP_POLL_READ)
        event.events |= EPOLLIN | EPOLLRDHUP;
    if (bits & HTTP_POLL_WRITE)
        event.events |= EPOLLOUT;
    *state = (unsigned char)((*state & ~(WANT << HAVE_SHIFT)) | bits << HAVE_SHIFT);
    if (epoll_ctl(poll->epoll_fd, operation, fd, &event) == 0)
        return 0;
    if (operation == EPOLL_CTL_DEL) /* already closed, hence removed */
        return 0;
    *state &= (unsigned char)~(WANT << HAVE_SHIFT);
    return -errno;
}

static void try_writing(struct http_poll *poll, int fd, unsigned char *state)
{
    if (*state & EAGER)
        return;
    poll->eager =
        mem_grow(poll->eager, &poll->eager_room, poll->eager_count + 1, sizeof(*poll->eager));
    poll->eager[poll->eager_count++] = fd;
    *state |= EAGER;
}

int http_poll_want(struct http_poll *poll, int fd, unsigned wanted)
{
    unsigned char *state = state_of(poll, fd);
    const unsigned have = (unsigned)*state >> HAVE_SHIFT & WANT;

    *state = (unsigned char)((*state & ~WANT) | (wanted & WANT));
    if (!(*state & OURS))
        return tell_kernel(poll, fd, state, wanted);
    if (wanted & HTTP_POLL_WRITE) {
        /* A socket not registered yet is still connecting: do not try it. */
        if (have == 0 || have & HTTP_POLL_WRITE)
            return tell_kernel(poll, fd, state, wanted | have);
        try_writing(poll, fd, state);
    }
    /* An unwanted EPOLLOUT must be removed, since it would fire for ever. */
    return tell_kernel(poll, fd, state,
                       (have & HTTP_POLL_READ) | (wanted & (HTTP_POLL_READ | have)));
}

/* Registers the sockets that were tried and still have data to write. */
static int settle_tried(struct http_poll *poll)
{
    unsigned kept = 0;
    int status = 0;

    for (unsigned i = 0; i < poll->eager_count; i++) {
        const int fd = poll->eager[i];
        unsigned char *state = state_of(poll, fd);
        int result;

        if (!(*state & EAGER))
            continue; /* closed meanwhile */
        if (i >= poll->eager_given) {
            poll->eager[kept++] = fd; /* added while others were tried */
            continue;
        }
        *state &= (unsigned char)~EAGER;
        result =
            tell_kernel(poll, fd, state, ((unsigned)*state >> HAVE_SHIFT & WANT) | (*state & WANT));
        if (result < 0)
            status = result;
    }
    poll->eager_count = kept;
    poll->eager_given = 0;
    return status;
}

static unsigned give_eager(struct http_poll *poll, struct http_poll_event *event, unsigned max)
{
    unsigned given = 0;

    while (poll->eager_given < poll->eager_count && given < max) {
        const int fd = poll->eager[poll->eager_given++];
        if (*state_of(poll, fd) & HTTP_POLL_WRITE && *state_of(poll, fd) & EAGER)
            event[given++] = (struct http_poll_event){.fd = fd, .ready = HTTP_POLL_WRITE};
    }
    return given;
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
    unsigned count = 0;
    int result;

    if (poll->eager_count > 0) {
        result = settle_tried(poll);
        if (result < 0)
            return result;
        count = give_eager(poll, event, max);
        if (count > 0)
            return (int)count;
    }
    result = wait_set(poll, wait_ns, found, (int)(max < EVENTS_MAX ? max : EVENTS_MAX));
    if (result < 0)
        return -errno;
    for (int i = 0; i < result; i++) {
        const int fd = found[i].data.fd;
        unsigned char *state = state_of(poll, fd);
        unsigned ready = 0;

        if (found[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP))
            ready |= HTTP_POLL_READ;
        if (found[i].events & (EPOLLOUT | EPOLLERR | EPOLLHUP))
            ready |= HTTP_POLL_WRITE;
        ready &= *state & WANT;
        if (ready && found[i].events & (EPOLLRDHUP | EPOLLERR | EPOLLHUP))
            ready |= HTTP_POLL_ENDED;
        if (ready)
            event[count++] = (struct http_poll_event){.fd = fd, .ready = ready};
        else
            /* unwanted: prevent it from firing again and again */
            (void)tell_kernel(poll, fd, state, (unsigned)*state >> HAVE_SHIFT & *state & WANT);
    }
    return (int)count;
}
