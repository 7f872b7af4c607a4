/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* authority.h - HOST[:PORT] in URLs. Parsing is strict, since accepted text is copied into URLs and
 * Host headers unchanged. */
#ifndef NET_AUTHORITY_H
#define NET_AUTHORITY_H

#include <stdbool.h>
#include <stddef.h>

#define AUTHORITY_HOST_MOST 253

/* Length of the host at the start of text: up to ":", "/" or the end, with the brackets of IPv6. */
size_t authority_host_bytes(const char *text);

/* "[::1]", "127.0.0.1" or a name valid in DNS; the host in lower case, to be freed in any case.
 * *numeric: an address. False: none of these. */
bool authority_host(const char *text, size_t length, char **host, bool *numeric);

/* ":9000", or nothing, which means `usual`. */
bool authority_port(const char *text, size_t length, unsigned usual, unsigned *port);

#endif
