/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* utf8.c - length of a character by the table of RFC 3629, section 4. Never reads past the end of a
 * terminated string, since NUL is not a continuation byte. */
#include "base/compat.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

unsigned utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Whether a valid three-byte sequence controls a terminal. */
static bool moves_text(const unsigned char *s)
{
    const unsigned code = (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);

    return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

unsigned utf8_printable_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const unsigned length = utf8_length(text);

    if ((length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
        (length == 2 && ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xd8 && s[1] == 0x9c))) ||
        (length == 3 && moves_text(s)))
        return 0;
    return length;
}

unsigned utf8_put(uint32_t code, char out[4])
{
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    const unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;

    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    out[0] = (char)(lead[more] | code >> 6 * more);
    for (unsigned i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    return more + 1;
}

bool utf8_wanted(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *value = getenv(names[i]);
        if (value && value[0] != '\0')
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}
