/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll.c - one thread's sockets (see http_poll.h): the whole set is passed to the system each
 * time, so changing it costs nothing, and it contains only sockets with wanted events. Up to 128
 * connections this costs no more than an epoll set, which needs a call for each change. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "net/http_poll.h"

void http_poll_fini(struct http_poll *poll)
{
    free(poll->set);
    free(poll->place);
    *poll = (struct http_poll){.count = 0};
}

static short events_of(unsigned wanted)
{
    return (short)((wanted & HTTP_POLL_READ ? POLLIN | POLLRDHUP : 0) |
                   (wanted & HTTP_POLL_WRITE ? POLLOUT : 0));
}

static unsigned bits_of(short events)
{
    const int broken = POLLERR | POLLHUP | POLLNVAL;

    return (events & (POLLIN | POLLRDHUP | broken) ? HTTP_POLL_READ : 0) |
           (events & (POLLOUT | broken) ? HTTP_POLL_WRITE : 0) |
           (events & (POLLRDHUP | broken) ? HTTP_POLL_ENDED : 0);
}

static unsigned *place_of(struct http_poll *poll, int fd)
{
    const size_t before = poll->place_room;

    if ((size_t)fd >= before) {
        poll->place =
            mem_grow(poll->place, &poll->place_room, (size_t)fd + 1, sizeof(*poll->place));
        memset(poll->place + before, 0, (poll->place_room - before) * sizeof(*poll->place));
    }
    return &poll->place[fd];
}

void http_poll_want(struct http_poll *poll, int fd, unsigned wanted)
{
    unsigned *place = place_of(poll, fd);

    if (wanted == 0 && *place > 0) {
        struct pollfd *const hole = &poll->set[*place - 1];

        *hole = poll->set[--poll->count];
        poll->place[hole->fd] = *place;
        *place = 0;
    }
    if (wanted == 0)
        return;
    if (*place == 0) {
        poll->set =
            mem_grow(poll->set, &poll->set_room, (size_t)poll->count + 1, sizeof(*poll->set));
        *place = ++poll->count;
    }
    poll->set[*place - 1] =
        (struct pollfd){.fd = (__typeof__(poll->set->fd))fd, .events = events_of(wanted)};
}

int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max)
{
    const int found = os_socket_wait(poll->set, poll->count, wait_ns);
    unsigned given = 0, looked = 0;

    if (found <= 0)
        return found;
    for (; looked < poll->count && given < max && given < (unsigned)found; looked++) {
        const struct pollfd *socket = &poll->set[(poll->next + looked) % poll->count];
        const unsigned seen = bits_of(socket->revents);
        const unsigned ready = seen & bits_of(socket->events) & (HTTP_POLL_READ | HTTP_POLL_WRITE);

        if (ready != 0)
            event[given++] = (struct http_poll_event){.fd = (int)socket->fd,
                                                      .ready = ready | (seen & HTTP_POLL_ENDED)};
    }
    poll->next = (poll->next + looked) % poll->count;
    return (int)given;
}
