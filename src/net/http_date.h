/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_date.h - dates in heads of HTTP. */
#ifndef NET_HTTP_DATE_H
#define NET_HTTP_DATE_H

#include <stdbool.h>
#include <stdint.h>

/* "Fri, 24 May 2013 00:00:00 GMT" (RFC 9110, 5.6.7) in seconds since 1970.  False: it is none. */
bool http_date_read(const char *text, int64_t *seconds);

#endif
