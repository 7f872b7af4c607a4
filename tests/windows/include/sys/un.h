/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/un.h - see sys/socket.h. */
#ifndef TESTS_WINDOWS_SYS_UN_H
#define TESTS_WINDOWS_SYS_UN_H

struct sockaddr_un {
    unsigned short sun_family;
    char sun_path[108];
};

#endif
