/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* netinet/in.h - internet addresses. */
#include <winsock2.h>
