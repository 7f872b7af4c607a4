/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/socket.h - address families; sockets themselves are behind os/socket.h. */
#include <winsock2.h>
