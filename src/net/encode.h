/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* encode.h - percent-encoding as signatures of S3 want it and URLs take it (RFC 3986: letters,
 * digits and -._~ stay), and hexadecimal and base64 text.  All results are terminated. */
#ifndef NET_ENCODE_H
#define NET_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends text, percent-encoded, at text_out[used]; slashes stay when keep_slash.  Returns the new
 * length, or 0 when it does not fit into room bytes with its end. */
size_t encode_percent(const char *text, bool keep_slash, char *text_out, size_t used, size_t room);

/* 2 * bytes + 1 characters, lower case.  Returns text. */
char *encode_hex(const uint8_t *data, size_t bytes, char *text);

/* (bytes + 2) / 3 * 4 + 1 characters.  Returns text. */
char *encode_base64(const uint8_t *data, size_t bytes, char *text);

#endif
