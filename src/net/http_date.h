/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_date.h - dates in HTTP headers. */
#ifndef NET_HTTP_DATE_H
#define NET_HTTP_DATE_H

#include <stdbool.h>
#include <stdint.h>

/* Parses "Fri, 24 May 2013 00:00:00 GMT" (RFC 9110, 5.6.7) into seconds since 1970. */
bool http_date_read(const char *text, int64_t *seconds);

#endif
