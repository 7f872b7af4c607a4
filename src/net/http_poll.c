/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_poll.c - one thread's sockets (see http_poll.h): the whole set is passed to the system each
 * time, so changing it costs nothing, and it contains only sockets with wanted events. Up to 128
 * connections this costs no more than an epoll set, which needs a call for each change. */
#include "base/compat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "net/http_poll.h"

struct http_poll {
    struct os_socket *set;
    size_t set_room;
    unsigned count;
    unsigned *place; /* by socket: position in the set, from 1; 0: absent */
    size_t place_room;
    unsigned next; /* checked first: all have their turn */
    struct os_socket_room room;
};

int http_poll_create(struct http_poll **poll)
{
    *poll = mem_calloc(1, sizeof(**poll));
    return 0;
}

void http_poll_destroy(struct http_poll *poll)
{
    if (!poll)
        return;
    os_socket_room_fini(&poll->room);
    free(poll->set);
    free(poll->place);
    free(poll);
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

static void take_out(struct http_poll *poll, int fd)
{
    unsigned *place = place_of(poll, fd);
    const unsigned at = *place;

    if (at == 0)
        return;
    poll->set[at - 1] = poll->set[--poll->count];
    *place_of(poll, poll->set[at - 1].fd) = at;
    *place = 0;
}

void http_poll_closed(struct http_poll *poll, int fd)
{
    take_out(poll, fd);
}

int http_poll_want(struct http_poll *poll, int fd, unsigned wanted)
{
    unsigned *place = place_of(poll, fd);

    if (wanted == 0) {
        take_out(poll, fd);
        return 0;
    }
    if (*place == 0) {
        poll->set =
            mem_grow(poll->set, &poll->set_room, (size_t)poll->count + 1, sizeof(*poll->set));
        *place = ++poll->count;
    }
    poll->set[*place - 1] = (struct os_socket){.fd = fd, .wanted = wanted};
    return 0;
}

int http_poll_wait(struct http_poll *poll, uint64_t wait_ns, struct http_poll_event *event,
                   unsigned max)
{
    const int found = os_socket_wait(poll->set, poll->count, wait_ns, &poll->room);
    unsigned given = 0, looked = 0;

    if (found <= 0)
        return found;
    for (; looked < poll->count && given < max && given < (unsigned)found; looked++) {
        const struct os_socket *socket = &poll->set[(poll->next + looked) % poll->count];
        unsigned ready = socket->ready & socket->wanted;

        if (ready == 0)
            continue;
        ready |= socket->ready & OS_SOCKET_ENDED;
        event[given++] = (struct http_poll_event){.fd = socket->fd, .ready = ready};
    }
    poll->next = (poll->next + looked) % poll->count;
    return (int)given;
}
