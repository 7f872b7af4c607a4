/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ini.c - see the header. */
#include "base/compat.h"

#include "storage/object/s3/ini.h"

#include <string.h>
#include <strings.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static bool is_comment(char c)
{
    return c == '#' || c == ';';
}

/* The text up to `end`, trimmed and without a trailing comment. */
static struct ini_span cut(const char *text, const char *end)
{
    while (text < end && is_blank(*text))
        text++;
    for (const char *at = text + 1; at < end; at++)
        if (is_comment(*at) && is_blank(at[-1]))
            end = at;
    while (end > text && is_blank(end[-1]))
        end--;
    return (struct ini_span){.text = text, .bytes = (size_t)(end - text)};
}

static bool take_pair(struct ini *ini, const char *text, const char *end)
{
    const char *at = text;

    while (at < end && *at != '=' && *at != ':')
        at++;
    if (at == end)
        return false;
    ini->name = cut(text, at);
    ini->value = cut(at + 1, end);
    return true;
}

static bool take_section(struct ini *ini, const char *text, const char *end)
{
    const char *const bracket = memchr(text, ']', (size_t)(end - text));

    if (!bracket)
        return false;
    ini->section = cut(text + 1, bracket);
    ini->above.text = NULL;
    return true;
}

enum ini_found ini_next(struct ini *ini)
{
    if (ini->line == 0 && strncmp(ini->at, BYTE_ORDER_MARK, 3) == 0)
        ini->at += 3;
    while (*ini->at != '\0') {
        const char *const start = ini->at, *const end = start + strcspn(start, "\n");
        const char *text = start;

        ini->at = end + (*end == '\n');
        ini->line++;
        while (text < end && is_blank(*text))
            text++;
        if (text == end || is_comment(*text))
            continue;
        if (*text == '[') {
            if (!take_section(ini, text, end))
                return INI_BROKEN;
            continue;
        }
        ini->parent = text > start ? ini->above : (struct ini_span){.text = NULL};
        if (take_pair(ini, text, end)) {
            if (!ini->parent.text)
                ini->above = ini->name;
            return INI_PAIR;
        }
        if (!ini->parent.text)
            return INI_BROKEN;
    }
    return INI_END;
}

bool ini_is(struct ini_span span, const char *word)
{
    return strlen(word) == span.bytes && strncasecmp(span.text, word, span.bytes) == 0;
}
