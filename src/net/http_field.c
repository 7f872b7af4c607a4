/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_field.c - header fields (see http_field.h). A server sends about a dozen lines with each
 * answer, of which few are needed: the first letter and the length of the name exclude the rest.
 * Lines are untrusted and may contain anything. */
#include "base/compat.h"

#include "net/http_field.h"

#include <string.h>
#include <strings.h>

#include "base/number.h"

void http_field_reset(struct http_answer *answer)
{
    answer->status = 0;
    answer->version = 0;
    answer->content_length = UINT64_MAX;
    answer->etag[0] = answer->content_range[0] = answer->date[0] = '\0';
    answer->modified[0] = answer->region[0] = answer->request_id[0] = '\0';
    answer->checksum[0] = answer->retry_after[0] = '\0';
    answer->location[0] = answer->cookie[0] = '\0';
}

/* "HTTP/1.1 200 OK" */
static bool take_status(struct http_answer *answer, const char *line, size_t bytes)
{
    size_t at = 8;

    if (bytes < at || strncasecmp(line, "HTTP/", 5) != 0 || !http_is_digit(line[5]) ||
        line[6] != '.' || !http_is_digit(line[7]))
        return false;
    http_field_reset(answer);
    answer->version = 10 * (unsigned)(line[5] - '0') + (unsigned)(line[7] - '0');
    while (at < bytes && line[at] == ' ')
        at++;
    for (unsigned digits = 0; at < bytes && http_is_digit(line[at]) && digits < 3; digits++)
        answer->status = 10 * answer->status + (line[at++] - '0');
    return true;
}

static void copy_value(char *field, size_t room, const char *value, size_t bytes)
{
    const size_t kept = bytes < room ? bytes : room - 1;

    memcpy(field, value, kept);
    field[kept] = '\0';
}

/* Copies the whole value, or nothing if it does not fit. */
static void copy_whole(char *field, size_t room, const char *value, size_t bytes)
{
    copy_value(field, room, value, bytes < room ? bytes : 0);
}

/* "NAME=VALUE; Path=/; HttpOnly": up to the semicolon. */
static void take_cookie(struct http_answer *answer, const char *value, size_t bytes)
{
    const char *end = memchr(value, ';', bytes);

    if (answer->cookie[0] == '\0')
        copy_whole(answer->cookie, sizeof(answer->cookie), value,
                   end ? (size_t)(end - value) : bytes);
}

static uint64_t read_length(const char *value, size_t bytes)
{
    const char *const end = value + bytes;
    uint64_t length;

    return number_take_before(&value, end, &length) && value == end ? length : UINT64_MAX;
}

#define CHECKSUM "x-amz-checksum-"

/* "x-amz-checksum-crc32c: VALUE" becomes "crc32c=VALUE". The fields with the type of a multipart
 * checksum (-type: COMPOSITE) and with only the algorithm's name contain no value. */
static void take_checksum(struct http_answer *answer, const char *line, size_t name_bytes,
                          const char *value, size_t bytes)
{
    const size_t prefix = sizeof(CHECKSUM) - 1;
    const size_t kind_bytes = name_bytes - prefix;
    const char *kind = line + prefix;
    size_t at = 0;

    if (kind_bytes == 0 || kind_bytes > 32 || answer->checksum[0])
        return;
    if ((kind_bytes == 4 && strncasecmp(kind, "type", 4) == 0) ||
        (kind_bytes == 9 && strncasecmp(kind, "algorithm", 9) == 0))
        return;
    for (; at < kind_bytes; at++)
        answer->checksum[at] =
            (char)(kind[at] >= 'A' && kind[at] <= 'Z' ? kind[at] - 'A' + 'a' : kind[at]);
    answer->checksum[at++] = '=';
    copy_value(answer->checksum + at, sizeof(answer->checksum) - at, value, bytes);
}

#define IS(text)    (name_bytes == sizeof(text) - 1 && !strncasecmp(line, text, sizeof(text) - 1))
#define KEEP(field) copy_value(answer->field, sizeof(answer->field), value, value_bytes)

static void take_amazon(struct http_answer *answer, const char *line, size_t name_bytes,
                        const char *value, size_t value_bytes)
{
    if (IS("x-amz-request-id"))
        KEEP(request_id);
    else if (IS("x-amz-bucket-region"))
        KEEP(region);
    else if (name_bytes >= sizeof(CHECKSUM) - 1 &&
             !strncasecmp(line, CHECKSUM, sizeof(CHECKSUM) - 1))
        take_checksum(answer, line, name_bytes, value, value_bytes);
}

static void take_field(struct http_answer *answer, const char *line, size_t name_bytes,
                       const char *value, size_t value_bytes)
{
    switch (line[0] | 0x20) {
    case 'c':
        if (IS("content-length"))
            answer->content_length = read_length(value, value_bytes);
        else if (IS("content-range"))
            KEEP(content_range);
        break;
    case 'd':
        if (IS("date"))
            KEEP(date);
        break;
    case 'e':
        if (IS("etag"))
            KEEP(etag);
        break;
    case 'l':
        if (IS("last-modified"))
            KEEP(modified);
        else if (IS("location"))
            copy_whole(answer->location, sizeof(answer->location), value, value_bytes);
        break;
    case 'r':
        if (IS("retry-after"))
            KEEP(retry_after);
        break;
    case 's':
        if (IS("set-cookie"))
            take_cookie(answer, value, value_bytes);
        break;
    case 'x':
        take_amazon(answer, line, name_bytes, value, value_bytes);
        break;
    default:
        break;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool http_field_take(struct http_answer *answer, const char *line, size_t bytes)
{
    const char *colon, *value, *end;

    if (bytes == 0)
        return false;
    end = line + bytes;
    if ((line[0] | 0x20) == 'h' && take_status(answer, line, bytes))
        return true;
    switch (line[0] | 0x20) { /* first letters of fields that are kept */
    case 'c':
    case 'd':
    case 'e':
    case 'l':
    case 'r':
    case 's':
    case 'x':
        break;
    default:
        return false;
    }
    colon = memchr(line, ':', bytes);
    if (!colon)
        return false;
    value = colon + 1;
    while (value < end && is_blank(*value))
        value++;
    while (end > value && is_blank(end[-1]))
        end--;
    take_field(answer, line, (size_t)(colon - line), value, (size_t)(end - value));
    return false;
}
