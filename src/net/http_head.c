/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_head.c - parses the header of an answer in place (see http_head.h), strictly by RFC 9112, 2
 * to 6, without the leniency it permits. Lines are untrusted and may contain anything. */
#include "base/compat.h"

#include "net/http_head.h"

#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "net/http_field.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void http_head_begin(struct http_head *head)
{
    memset(head, 0, sizeof(*head));
}

static long refuse(struct http_head *head, const char *wrong)
{
    head->wrong = wrong;
    return -1;
}

long http_head_line(struct http_head *head, const char *data, size_t bytes)
{
    const char *const end = memchr(data, '\n', bytes);
    size_t length;

    if (!end)
        return bytes >= HTTP_LINE_BYTES ? refuse(head, "its headers are too long") : 0;
    length = (size_t)(end - data) + 1;
    if (UNLIKELY(length > HTTP_LINE_BYTES))
        return refuse(head, "its headers are too long");
    if (UNLIKELY(length < 2 || end[-1] != '\r'))
        return refuse(head, "a header line ends without CR");
    if (UNLIKELY(memchr(data, '\r', length - 2) || memchr(data, '\0', length - 2)))
        return refuse(head, "a header line contains CR or NUL");
    return (long)length;
}

/* "HTTP/1.1 200 OK" without its end */
static bool is_status_line(const char *line, size_t bytes)
{
    return bytes >= 12 && memcmp(line, "HTTP/1.", 7) == 0 && http_is_digit(line[7]) &&
           line[8] == ' ' && line[9] >= '1' && line[9] <= '9' && http_is_digit(line[10]) &&
           http_is_digit(line[11]) && (bytes == 12 || line[12] == ' ');
}

/* Letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, 5.6.2). */
static const unsigned char in_names[256] = {
    ['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1, ['&'] = 1, ['\''] = 1, ['*'] = 1, ['+'] = 1,
    ['-'] = 1, ['.'] = 1, ['^'] = 1, ['_'] = 1, ['`'] = 1, ['|'] = 1,  ['~'] = 1, ['0'] = 1,
    ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1,  ['7'] = 1, ['8'] = 1,
    ['9'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1,  ['F'] = 1, ['G'] = 1,
    ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1,  ['N'] = 1, ['O'] = 1,
    ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1,  ['V'] = 1, ['W'] = 1,
    ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1,  ['d'] = 1, ['e'] = 1,
    ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1,  ['l'] = 1, ['m'] = 1,
    ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1,  ['t'] = 1, ['u'] = 1,
    ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1,
};

/* Length of the field name at the start of a line; 0: none. */
static size_t name_length(const char *line, size_t bytes)
{
    size_t at = 0;

    while (at < bytes && in_names[(unsigned char)line[at]])
        at++;
    return at < bytes && line[at] == ':' ? at : 0;
}

/* Repeating the same value is not ambiguous. */
static bool take_length(struct http_head *head, const char *value, const char *end)
{
    uint64_t length;

    if (!number_take_before(&value, end, &length) || value != end || length == UINT64_MAX)
        return false;
    if (head->has_length && head->length_bytes != length)
        return false;
    head->has_length = true;
    head->length_bytes = length;
    return true;
}

static void take_connection(struct http_head *head, const char *value, const char *end)
{
    while (value < end) {
        const char *comma = memchr(value, ',', (size_t)(end - value));
        const char *last = comma ? comma : end;

        while (value < last && (*value == ' ' || *value == '\t'))
            value++;
        while (last > value && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (last - value == 5 && strncasecmp(value, "close", 5) == 0)
            head->closes = true;
        if (last - value == 10 && strncasecmp(value, "keep-alive", 10) == 0)
            head->keeps = true;
        value = comma ? comma + 1 : end;
    }
}

#define IS(text) (name_bytes == sizeof(text) - 1 && strncasecmp(line, text, sizeof(text) - 1) == 0)

/* Parses the fields that determine where the answer ends. Returns what is wrong, or NULL. */
static const char *take_framing(struct http_head *head, const char *line, size_t name_bytes,
                                size_t bytes)
{
    const char *value = line + name_bytes + 1, *end = line + bytes;

    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (IS("content-length")) {
        if (!take_length(head, value, end))
            return head->has_length ? "it has two different Content-Length headers"
                                    : "its Content-Length is not a number";
    } else if (IS("transfer-encoding")) {
        if (head->chunked || end - value != 7 || strncasecmp(value, "chunked", 7) != 0)
            return "its Transfer-Encoding is not just chunked";
        head->chunked = true;
    } else if (IS("connection")) {
        take_connection(head, value, end);
    }
    return head->chunked && head->has_length ? "it has Transfer-Encoding and Content-Length" : NULL;
}

/* Parses a line without its end. */
static const char *take_field(struct http_head *head, const char *line, size_t bytes)
{
    const size_t name_bytes = name_length(line, bytes);

    if (UNLIKELY(name_bytes == 0))
        return line[0] == ' ' || line[0] == '\t' ? "a header line is folded"
                                                 : "a header line has no name";
    if (name_bytes == 14 || name_bytes == 17 || name_bytes == 10)
        return take_framing(head, line, name_bytes, bytes);
    return NULL;
}

enum http_head_result http_head_take(struct http_head *head, struct http_answer *answer,
                                     const char *data, size_t bytes, size_t *used_bytes)
{
    size_t used = 0;

    for (;;) {
        const char *const line = data + used;
        const long length = http_head_line(head, line, bytes - used);

        *used_bytes = used;
        if (length <= 0)
            return length < 0 ? HTTP_HEAD_BAD : HTTP_HEAD_MORE;
        if (UNLIKELY(!head->started)) {
            if (!is_status_line(line, (size_t)length - 2)) {
                head->wrong = "it does not begin with a status line";
                return HTTP_HEAD_BAD;
            }
            head->started = true;
        } else if (length > 2) {
            head->wrong = take_field(head, line, (size_t)length - 2);
            if (UNLIKELY(head->wrong != NULL))
                return HTTP_HEAD_BAD;
        }
        used += (size_t)length;
        *used_bytes = used;
        if (length == 2)
            return HTTP_HEAD_DONE;
        (void)http_field_take(answer, line, (size_t)length);
    }
}

enum http_head_result http_head_take_trailer(struct http_head *head, const char *data, size_t bytes,
                                             size_t *used_bytes)
{
    size_t used = 0;

    for (;;) {
        const long length = http_head_line(head, data + used, bytes - used);

        *used_bytes = used;
        if (length <= 0)
            return length < 0 ? HTTP_HEAD_BAD : HTTP_HEAD_MORE;
        if (length > 2 && name_length(data + used, (size_t)length - 2) == 0) {
            head->wrong = "a line after its last chunk has no name";
            return HTTP_HEAD_BAD;
        }
        used += (size_t)length;
        *used_bytes = used;
        if (length == 2)
            return HTTP_HEAD_DONE;
    }
}
