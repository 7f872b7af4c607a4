/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sockets.h - sockets of servers in a test, on free ports of this host. */
#ifndef TESTS_UNIT_SOCKETS_H
#define TESTS_UNIT_SOCKETS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* family: AF_INET or AF_INET6. Returns a socket that has a port, but does not listen yet; -1 if
 * this host has none. */
static inline int bound_socket(int family, unsigned *port)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *address = family == AF_INET6 ? (void *)&six : (void *)&four;
    socklen_t bytes = family == AF_INET6 ? sizeof(six) : sizeof(four);
    const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind(fd, address, bytes) == 0 && getsockname(fd, address, &bytes) == 0) {
        *port = ntohs(family == AF_INET6 ? six.sin6_port : four.sin_port);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A port that refuses connections, whatever other tests run concurrently: it has no listener, and
 * stays reserved while the descriptor is open. */
static inline int closed_port(unsigned *port)
{
    const int fd = bound_socket(AF_INET, port);

    if (fd < 0)
        abort();
    return fd;
}

/* False: the other end has gone. */
static inline bool send_all(int fd, const void *data, size_t bytes)
{
    for (const char *from = data; bytes > 0;) {
        const ssize_t sent = send(fd, from, bytes, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        from += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

#endif
