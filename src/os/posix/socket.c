/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.c - POSIX sockets (see os/socket.h), with extensions where they exist: a flag instead of a
 * separate call, and short waits. */
#include "base/compat.h"

#include "os/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

#define NS_PER_MS UINT64_C(1000000)

#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0
#endif
#ifndef MSG_DONTWAIT
#define MSG_DONTWAIT 0 /* sockets are created non-blocking */
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* see quieten() */
#endif
#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

const bool os_keeps_certificates = false;
const bool os_socket_tells_end = POLLRDHUP != 0;

int os_socket_errno(long code)
{
    return (int)code;
}

/* ---- open, close ---- */

static void quieten(int fd)
{
#ifdef SO_NOSIGPIPE
    const int yes = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#endif
    if (SOCK_CLOEXEC == 0)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

int os_socket_open(int family, int type, int protocol)
{
    const int fd = socket(family, type | SOCK_CLOEXEC, protocol);

    if (fd >= 0)
        quieten(fd);
    return fd;
}

int os_socket_close(int fd)
{
    return close(fd);
}

/* ---- send, receive ---- */

ssize_t os_socket_send(int fd, const struct iovec *piece, int count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)piece};
    ssize_t sent;

    if (count == 1) {
        sent = send(fd, piece->iov_base, piece->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else {
        message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    return sent >= 0 ? sent : errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

ssize_t os_socket_receive(int fd, void *into, size_t size_bytes)
{
    const ssize_t got = recv(fd, into, size_bytes, MSG_DONTWAIT);

    return got >= 0 ? got : errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

ssize_t os_socket_peek(int fd)
{
    char byte;
    const ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    return got >= 0 ? got : errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

/* ---- waiting ---- */

void os_socket_room_fini(struct os_socket_room *room)
{
    free(room->memory);
    *room = (struct os_socket_room){.bytes = 0};
}

/* poll counts milliseconds: without ppoll shorter waits take one. */
static int wait_for(struct pollfd *file, unsigned count, uint64_t wait_ns)
{
#if defined(HAVE_PPOLL) && !defined(ONLY_POSIX)
    const struct timespec time = {.tv_sec = (time_t)(wait_ns / NS_PER_S),
                                  .tv_nsec = (long)(wait_ns % NS_PER_S)};

    return ppoll(file, count, wait_ns == UINT64_MAX ? NULL : &time, NULL);
#else
    const uint64_t wait_ms = (wait_ns - (wait_ns > 0)) / NS_PER_MS + (wait_ns > 0);

    return poll(file, count,
                wait_ns == UINT64_MAX ? -1
                : wait_ms < INT_MAX   ? (int)wait_ms
                                      : INT_MAX);
#endif
}

static short events_of(unsigned wanted)
{
    return (short)((wanted & OS_SOCKET_READ ? POLLIN | POLLRDHUP : 0) |
                   (wanted & OS_SOCKET_WRITE ? POLLOUT : 0));
}

static unsigned ready_of(unsigned events)
{
    const unsigned broken = POLLERR | POLLHUP | POLLNVAL;

    return (events & (POLLIN | POLLRDHUP | broken) ? OS_SOCKET_READ : 0) |
           (events & (POLLOUT | broken) ? OS_SOCKET_WRITE : 0) |
           (events & (POLLRDHUP | broken) ? OS_SOCKET_ENDED : 0);
}

int os_socket_wait(struct os_socket *set, unsigned count, uint64_t wait_ns,
                   struct os_socket_room *room)
{
    struct pollfd *file;
    int found;

    room->memory = mem_grow(room->memory, &room->bytes, (count + 1) * sizeof(*file), 1);
    file = room->memory;
    for (unsigned i = 0; i < count; i++)
        file[i] = (struct pollfd){.fd = set[i].fd, .events = events_of(set[i].wanted)};
    found = wait_for(file, count, wait_ns);
    if (found < 0)
        return -errno;
    for (unsigned i = 0; i < count; i++)
        set[i].ready = file[i].revents ? ready_of((unsigned short)file[i].revents) : 0;
    return found;
}
