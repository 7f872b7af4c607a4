/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* arpa/inet.h - addresses in numbers. */
#ifndef OS_WINDOWS_ARPA_INET_H
#define OS_WINDOWS_ARPA_INET_H

#include <ws2tcpip.h>

#endif
