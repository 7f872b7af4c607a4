/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/socket.h - for a test that puts a socket among files: it is skipped. */
#ifndef TESTS_WINDOWS_SYS_SOCKET_H
#define TESTS_WINDOWS_SYS_SOCKET_H

#include <stddef.h>

#define AF_UNIX      1
#define SOCK_STREAM  1
#define SOCK_CLOEXEC 02000000
#define O_PATH       0

struct sockaddr {
    unsigned short sa_family;
};

int socket(int domain, int kind, int protocol); /* skips the test */
int bind(int fd, const struct sockaddr *address, size_t size);

#endif
