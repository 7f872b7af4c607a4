/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_head.c - parses the header of an answer in place (see http_head.h), strictly by RFC 9112, 2
 * to 6, without the leniency it permits. Lines are untrusted and may contain anything. */
#include "base/compat.h"

#include "net/http_head.h"

#include <string.h>
#include <strings.h>

#include "base/number.h"

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

void http_head_reset(struct http_answer *answer)
{
    answer->status = 0;
    answer->version = 0;
    answer->content_length = UINT64_MAX;
    answer->etag[0] = answer->content_range[0] = answer->date[0] = '\0';
    answer->modified[0] = answer->region[0] = answer->request_id[0] = '\0';
    answer->checksum[0] = answer->retry_after[0] = '\0';
    answer->location[0] = answer->cookie[0] = '\0';
}

/* ---- one line, without its end ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "HTTP/1.1 200 OK" */
static bool take_status(struct http_answer *answer, const char *line, size_t bytes)
{
    if (bytes < 12 || memcmp(line, "HTTP/1.", 7) != 0 || !is_digit(line[7]) || line[8] != ' ' ||
        line[9] < '1' || line[9] > '9' || !is_digit(line[10]) || !is_digit(line[11]) ||
        (bytes > 12 && line[12] != ' '))
        return false;
    http_head_reset(answer);
    answer->version = 10 + (unsigned)(line[7] - '0');
    answer->status = 100 * (line[9] - '0') + 10 * (line[10] - '0') + (line[11] - '0');
    return true;
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

/* Copies as much of the value as fits. */
static void keep(char *field, size_t room, const char *value, const char *end)
{
    const size_t bytes = (size_t)(end - value), kept = bytes < room ? bytes : room - 1;

    memcpy(field, value, kept);
    field[kept] = '\0';
}

/* Copies the whole value, or nothing if it does not fit. */
static void keep_whole(char *field, size_t room, const char *value, const char *end)
{
    keep(field, room, value, (size_t)(end - value) < room ? end : value);
}

/* "NAME=VALUE; Path=/; HttpOnly": up to the semicolon. */
static void take_cookie(struct http_answer *answer, const char *value, const char *end)
{
    const char *last = memchr(value, ';', (size_t)(end - value));

    if (answer->cookie[0] == '\0')
        keep_whole(answer->cookie, sizeof(answer->cookie), value, last ? last : end);
}

#define CHECKSUM       "x-amz-checksum-"
#define CHECKSUM_BYTES (sizeof(CHECKSUM) - 1)

/* "x-amz-checksum-crc32c: VALUE" becomes "crc32c=VALUE". The fields with the type of a multipart
 * checksum (-type: COMPOSITE) and with only the algorithm's name contain no value. */
static void take_checksum(struct http_answer *answer, const char *kind, size_t kind_bytes,
                          const char *value, const char *end)
{
    size_t at = 0;

    if (kind_bytes == 0 || kind_bytes > 32 || answer->checksum[0] ||
        (kind_bytes == 4 && strncasecmp(kind, "type", 4) == 0) ||
        (kind_bytes == 9 && strncasecmp(kind, "algorithm", 9) == 0))
        return;
    for (; at < kind_bytes; at++)
        answer->checksum[at] =
            (char)(kind[at] >= 'A' && kind[at] <= 'Z' ? kind[at] - 'A' + 'a' : kind[at]);
    answer->checksum[at++] = '=';
    keep(answer->checksum + at, sizeof(answer->checksum) - at, value, end);
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

#define IS(text)    (name_bytes == sizeof(text) - 1 && !strncasecmp(line, text, sizeof(text) - 1))
#define KEEP(field) keep(answer->field, sizeof(answer->field), value, end)

/* Parses the fields that determine where the answer ends. Returns what is wrong, or NULL. */
static const char *take_framing(struct http_head *head, struct http_answer *answer,
                                const char *line, size_t name_bytes, const char *value,
                                const char *end)
{
    if (IS("content-length")) {
        if (!take_length(head, value, end))
            return head->has_length ? "it has two different Content-Length headers"
                                    : "its Content-Length is not a number";
        answer->content_length = head->length_bytes;
    } else if (IS("transfer-encoding")) {
        if (head->chunked || end - value != 7 || strncasecmp(value, "chunked", 7) != 0)
            return "its Transfer-Encoding is not just chunked";
        head->chunked = true;
    } else if (IS("connection")) {
        take_connection(head, value, end);
    } else if (IS("content-range")) {
        KEEP(content_range);
    }
    return head->chunked && head->has_length ? "it has Transfer-Encoding and Content-Length" : NULL;
}

static void take_amazon(struct http_answer *answer, const char *line, size_t name_bytes,
                        const char *value, const char *end)
{
    if (IS("x-amz-request-id"))
        KEEP(request_id);
    else if (IS("x-amz-bucket-region"))
        KEEP(region);
    else if (name_bytes >= CHECKSUM_BYTES && !strncasecmp(line, CHECKSUM, CHECKSUM_BYTES))
        take_checksum(answer, line + CHECKSUM_BYTES, name_bytes - CHECKSUM_BYTES, value, end);
}

/* A server sends about a dozen lines with each answer, of which few are needed: the first letter
 * excludes most others. */
static const char *take_field(struct http_head *head, struct http_answer *answer, const char *line,
                              size_t bytes)
{
    const size_t name_bytes = name_length(line, bytes);
    const char *value = line + name_bytes + 1, *end = line + bytes;

    if (UNLIKELY(name_bytes == 0))
        return bytes > 0 && (line[0] == ' ' || line[0] == '\t') ? "a header line is folded"
                                                                : "a header line has no name";
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    switch (line[0] | 0x20) {
    case 'c':
    case 't':
        return take_framing(head, answer, line, name_bytes, value, end);
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
            keep_whole(answer->location, sizeof(answer->location), value, end);
        break;
    case 'r':
        if (IS("retry-after"))
            KEEP(retry_after);
        break;
    case 's':
        if (IS("set-cookie"))
            take_cookie(answer, value, end);
        break;
    case 'x':
        take_amazon(answer, line, name_bytes, value, end);
        break;
    default:
        break;
    }
    return NULL;
}

bool http_head_field(struct http_head *head, struct http_answer *answer, const char *line,
                     size_t bytes)
{
    if (head->started) {
        head->wrong = take_field(head, answer, line, bytes);
        return !head->wrong;
    }
    head->started = take_status(answer, line, bytes);
    if (!head->started)
        head->wrong = "it does not begin with a status line";
    return head->started;
}

/* ---- all lines ---- */

/* A line of the trailer, of which nothing is stored. */
static bool take_trailing(struct http_head *head, const char *line, size_t bytes)
{
    if (name_length(line, bytes) == 0)
        head->wrong = "a line after its last chunk has no name";
    return !head->wrong;
}

enum http_head_result http_head_take(struct http_head *head, struct http_answer *answer,
                                     const char *data, size_t bytes, size_t *used_bytes)
{
    *used_bytes = 0;
    for (;;) {
        const char *const line = data + *used_bytes;
        const long length = http_head_line(head, line, bytes - *used_bytes);
        const size_t line_bytes = (size_t)length - 2;

        if (length <= 0)
            return length < 0 ? HTTP_HEAD_BAD : HTTP_HEAD_MORE;
        if ((length > 2 || !head->started) &&
            UNLIKELY(answer ? !http_head_field(head, answer, line, line_bytes)
                            : !take_trailing(head, line, line_bytes)))
            return HTTP_HEAD_BAD;
        *used_bytes += (size_t)length;
        if (length == 2)
            return HTTP_HEAD_DONE;
    }
}
