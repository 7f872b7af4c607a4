/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* netinet/in.h - internet addresses. */
#ifndef OS_WINDOWS_NETINET_IN_H
#define OS_WINDOWS_NETINET_IN_H

#include <winsock2.h>

#endif
