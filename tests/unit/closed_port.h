/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* closed_port.h - a port that refuses connections, whatever other tests run concurrently. */
#ifndef TESTS_CLOSED_PORT_H
#define TESTS_CLOSED_PORT_H

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

/* Returns a port without a listener that stays reserved while the descriptor is open. */
static inline int closed_port(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, bytes) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &bytes) < 0)
        abort();
    *port = ntohs(address.sin_port);
    return fd;
}

#endif
