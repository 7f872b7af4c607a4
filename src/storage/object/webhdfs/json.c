/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json.c - see the header. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

void json_begin(struct json_scan *json, const char *document, size_t bytes)
{
    memset(json, 0, sizeof(*json));
    json->at = document;
    json->end = document + bytes;
}

static void skip_blanks(struct json_scan *json)
{
    while (json->at < json->end &&
           (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r'))
        json->at++;
}

static bool take(struct json_scan *json, char c)
{
    skip_blanks(json);
    if (json->at == json->end || *json->at != c)
        return false;
    json->at++;
    return true;
}

/* Scans from after the opening quote past the closing one. Escapes are skipped, not decoded. */
static bool take_string(struct json_scan *json, const char **text, size_t *bytes)
{
    *text = json->at;
    for (; json->at < json->end && *json->at != '"'; json->at++) {
        if ((unsigned char)*json->at < ' ')
            return false;
        if (*json->at == '\\' && ++json->at == json->end)
            return false;
    }
    if (json->at == json->end)
        return false;
    *bytes = (size_t)(json->at++ - *text);
    return true;
}

/* Scans a number, true, false or null to its end. */
static bool take_word(struct json_scan *json)
{
    json->text = json->at;
    while (json->at < json->end &&
           ((*json->at >= '0' && *json->at <= '9') || (*json->at >= 'a' && *json->at <= 'z') ||
            *json->at == '-' || *json->at == '+' || *json->at == '.' || *json->at == 'E'))
        json->at++;
    json->text_bytes = (size_t)(json->at - json->text);
    json->string = false;
    return json->text_bytes > 0;
}

static enum json_event take_value(struct json_scan *json)
{
    if (json->at == json->end)
        return JSON_ERROR;
    if (*json->at == '{' || *json->at == '[') {
        if (json->depth == JSON_DEPTH_MAX)
            return JSON_ERROR;
        json->array[json->depth++] = *json->at++ == '[';
        json->name[json->depth] = (struct json_name){NULL, 0};
        json->more = false;
        return JSON_OPEN;
    }
    json->more = true;
    if (*json->at != '"')
        return take_word(json) ? JSON_VALUE : JSON_ERROR;
    json->at++;
    json->string = true;
    return take_string(json, &json->text, &json->text_bytes) ? JSON_VALUE : JSON_ERROR;
}

static enum json_event at_root(struct json_scan *json)
{
    skip_blanks(json);
    if (json->more) /* nothing may follow */
        return json->at == json->end ? JSON_END : JSON_ERROR;
    return take_value(json);
}

enum json_event json_next(struct json_scan *json)
{
    struct json_name *name = &json->name[json->depth];

    if (json->depth == 0)
        return at_root(json);
    if (take(json, json->array[json->depth - 1] ? ']' : '}')) {
        json->depth--;
        json->more = true;
        return JSON_CLOSE;
    }
    if (json->more && !take(json, ','))
        return JSON_ERROR;
    if (!json->array[json->depth - 1] &&
        (!take(json, '"') || !take_string(json, &name->text, &name->bytes) || !take(json, ':')))
        return JSON_ERROR;
    skip_blanks(json);
    return take_value(json);
}

bool json_is(const struct json_name *member, const char *name)
{
    return member->text && member->bytes == strlen(name) &&
           memcmp(member->text, name, member->bytes) == 0;
}

/* ---- values ---- */

/* The four digits of \uXXXX; -1: malformed. */
static int32_t hex4(const char *at, const char *end)
{
    const char *const digits = at;
    uint64_t value;

    return end - at >= 4 && number_take_hex(&at, digits + 4, &value) && at == digits + 4
               ? (int32_t)value
               : -1;
}

/* *at is after "\u". Returns the bytes of the character, 0: invalid. */
static size_t take_unicode(const char **at, const char *end, char out[4])
{
    int32_t first = hex4(*at, end), second;

    if (first <= 0) /* a NUL would truncate the text */
        return 0;
    *at += 4;
    if (first < 0xd800 || first > 0xdfff)
        return utf8_put((uint32_t)first, out);
    if (first > 0xdbff || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return 0;
    second = hex4(*at + 2, end);
    if (second < 0xdc00 || second > 0xdfff)
        return 0;
    *at += 6;
    return utf8_put(0x10000 + ((uint32_t)(first - 0xd800) << 10) + (uint32_t)(second - 0xdc00),
                    out);
}

static size_t take_escape(const char **at, const char *end, char out[4])
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char c = *(*at)++;
    const char *found = memchr(from, c, sizeof(from) - 1);

    if (c == 'u')
        return take_unicode(at, end, out);
    out[0] = found ? to[found - from] : 0;
    return found ? 1 : 0;
}

int json_text(const struct json_scan *json, char *out, size_t room)
{
    const char *at = json->text, *const end = at + json->text_bytes;
    size_t used = 0;

    if (!json->string || room == 0)
        return -1;
    while (at < end) {
        char piece[4];
        size_t bytes = 1;

        piece[0] = *at++;
        if (piece[0] == '\\') /* take_string has checked what follows */
            bytes = take_escape(&at, end, piece);
        if (bytes == 0 || piece[0] == '\0' || bytes >= room - used)
            return -1;
        memcpy(out + used, piece, bytes);
        used += bytes;
    }
    out[used] = '\0';
    for (const char *seen = out; *seen;) {
        const unsigned step = utf8_length(seen);
        if (step == 0)
            return -1;
        seen += step;
    }
    return (int)used;
}

bool json_number(const struct json_scan *json, uint64_t *value)
{
    const char *at = json->text, *const end = at + json->text_bytes;
    uint64_t number;

    if (json->string || !number_take_before(&at, end, &number) || at != end)
        return false;
    *value = number;
    return true;
}

bool json_bool(const struct json_scan *json, bool *value)
{
    if (json->string)
        return false;
    *value = json->text_bytes == 4 && memcmp(json->text, "true", 4) == 0;
    return *value || (json->text_bytes == 5 && memcmp(json->text, "false", 5) == 0);
}

int json_find(const char *document, size_t bytes, const char *of, const char *name, char *out,
              size_t room)
{
    enum json_event event;
    struct json_scan json;

    json_begin(&json, document, bytes);
    while ((event = json_next(&json)) != JSON_END && event != JSON_ERROR)
        if (event == JSON_VALUE && json.depth == 2 && json_is(&json.name[1], of) &&
            json_is(&json.name[2], name))
            return json_text(&json, out, room);
    return -1;
}
