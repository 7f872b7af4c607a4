/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.c - POSIX sockets (see os/socket.h), with extensions where they exist: a flag instead of a
 * separate call, and short waits. */
#include "base/compat.h"

#include "os/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

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
const bool os_keeps_certificates = false;

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

/* ---- send, receive, wait ---- */

static ssize_t moved(ssize_t bytes)
{
    return bytes >= 0 ? bytes : errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

ssize_t os_socket_send(int fd, const struct iovec *piece, int count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)piece};

    if (count == 1)
        return moved(send(fd, piece->iov_base, piece->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT));
    message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
    return moved(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

ssize_t os_socket_receive(int fd, void *into, size_t size_bytes)
{
    return moved(recv(fd, into, size_bytes, MSG_DONTWAIT));
}

ssize_t os_socket_peek(int fd)
{
    char byte;

    return moved(recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT));
}

/* poll counts milliseconds: without ppoll shorter waits take one. */
int os_socket_wait(struct pollfd *set, unsigned count, uint64_t wait_ns)
{
    int found;
#if defined(HAVE_PPOLL) && !defined(ONLY_POSIX)
    const struct timespec time = {.tv_sec = (time_t)(wait_ns / NS_PER_S),
                                  .tv_nsec = (long)(wait_ns % NS_PER_S)};

    found = ppoll(set, count, wait_ns == UINT64_MAX ? NULL : &time, NULL);
#else
    const uint64_t wait_ms = (wait_ns - (wait_ns > 0)) / NS_PER_MS + (wait_ns > 0);

    found = poll(set, count,
                 wait_ns == UINT64_MAX ? -1
                 : wait_ms < INT_MAX   ? (int)wait_ms
                                       : INT_MAX);
#endif
    return found < 0 ? -errno : found;
}
