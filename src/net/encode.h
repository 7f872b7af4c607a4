/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* encode.h - percent-encoding as required by S3 signatures and accepted in URLs (RFC 3986: letters,
 * digits and -._~ are kept), hexadecimal and base64. All results are terminated. */
#ifndef NET_ENCODE_H
#define NET_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Hot. Append to a text; slashes are kept if keep_slash. */
void encode_put_number(struct text_builder *out, uint64_t value);
void encode_put_percent(struct text_builder *out, const char *text, bool keep_slash);

/* Writes 2 * bytes + 1 characters, lower case. Returns text. */
char *encode_hex(const uint8_t *data, size_t bytes, char *text);

/* Writes (bytes + 2) / 3 * 4 + 1 characters. Returns text. */
char *encode_base64(const uint8_t *data, size_t bytes, char *text);

#endif
