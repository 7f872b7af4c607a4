/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* encode.c - percent-encoding, hexadecimal and base64.
 *
 * A signature covers the encoded path and query byte by byte, so only one form is correct:
 * unreserved characters of RFC 3986 unchanged, every other byte as %XX in upper case. */
#include "base/compat.h"

#include "net/encode.h"

#include <string.h>

#include "base/number.h"

static const char hex_capital[] = "0123456789ABCDEF";
static const char hex_small[] = "0123456789abcdef";
static const char base64_digit[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* One bit for each of the 128 ASCII characters: 1 if unreserved. */
static const uint32_t unreserved[4] = {
    0, 0x03ff6000, /* - . 0-9 */
    0x87fffffe,    /* A-Z _ */
    0x47fffffe,    /* a-z ~ */
};

static bool stays(unsigned char c, bool keep_slash)
{
    return (c < 128 && (unreserved[c >> 5] >> (c & 31) & 1) != 0) || (c == '/' && keep_slash);
}

void encode_put_number(struct text_builder *out, uint64_t value)
{
    char digits[NUMBER_BYTES];

    text_put(out, number_text(value, digits));
}

void encode_put_percent(struct text_builder *out, const char *text, bool keep_slash)
{
    char *const to = out->text;
    const size_t room = out->room;
    size_t used = out->used;

    if (out->full || used >= room) {
        out->full = true;
        return;
    }
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool same = stays(c, keep_slash);

        if (room - used < (same ? 2u : 4u)) {
            out->full = true;
            to[out->used] = '\0';
            return;
        }
        if (same) {
            to[used++] = *text;
            continue;
        }
        to[used++] = '%';
        to[used++] = hex_capital[c >> 4];
        to[used++] = hex_capital[c & 15];
    }
    to[used] = '\0';
    out->used = used;
}

char *encode_hex(const uint8_t *data, size_t bytes, char *text)
{
    for (size_t i = 0; i < bytes; i++) {
        text[2 * i] = hex_small[data[i] >> 4];
        text[2 * i + 1] = hex_small[data[i] & 15];
    }
    text[2 * bytes] = '\0';
    return text;
}

char *encode_base64(const uint8_t *data, size_t bytes, char *text)
{
    char *at = text;

    for (; bytes >= 3; bytes -= 3, data += 3) {
        *at++ = base64_digit[data[0] >> 2];
        *at++ = base64_digit[(data[0] & 3) << 4 | data[1] >> 4];
        *at++ = base64_digit[(data[1] & 15) << 2 | data[2] >> 6];
        *at++ = base64_digit[data[2] & 63];
    }
    if (bytes > 0) {
        const unsigned second = bytes > 1 ? data[1] : 0;
        *at++ = base64_digit[data[0] >> 2];
        *at++ = base64_digit[(data[0] & 3u) << 4 | second >> 4];
        *at++ = bytes > 1 ? base64_digit[(second & 15) << 2] : '=';
        *at++ = '=';
    }
    *at = '\0';
    return text;
}
