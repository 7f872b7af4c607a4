/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* arpa/inet.h - addresses in numbers. */
#include <ws2tcpip.h>
