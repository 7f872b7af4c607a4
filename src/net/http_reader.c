/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_reader.c - parses an answer in place (see http_reader.h), strictly by RFC 9112, 2 to 7,
 * without the leniency it permits. Input is untrusted: lines may contain anything. */
#include "base/compat.h"

#include "net/http_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A request that trickles, a few bytes at a time, may take LASTING_TIMEOUTS timeouts plus a second
 * per SLOWEST_PER_S bytes. */
#define LASTING_TIMEOUTS 4
#define SLOWEST_PER_S    4096
#define CHUNK_LINE_BYTES 4096 /* of a chunk's size with extensions */
#define AT_ONCE_BYTES    ((size_t)1 << 30)

/* ---- the transfer ---- */

/* Fields of a header whose value is kept as it is. */
#define KEPT(name, field, whole)                                     \
    {                                                                \
        name, sizeof(name) - 1, offsetof(struct http_answer, field), \
            sizeof(((const struct http_answer *)0)->field), whole    \
    }
static const struct kept_field {
    const char *name;
    size_t name_bytes, offset, room;
    bool whole; /* nothing is kept of a value that does not fit */
} kept_fields[] = {
    KEPT("etag", etag, false),
    KEPT("content-range", content_range, false),
    KEPT("date", date, false),
    KEPT("last-modified", modified, false),
    KEPT("x-amz-bucket-region", region, false),
    KEPT("x-amz-request-id", request_id, false),
    KEPT("retry-after", retry_after, false),
    KEPT("location", location, true),
};

void http_transfer_reset(struct http_answer *answer)
{
    answer->status = 0;
    answer->version = 0;
    answer->content_length = UINT64_MAX;
    answer->checksum[0] = answer->cookie[0] = '\0';
    for (size_t i = 0; i < COUNT_OF(kept_fields); i++)
        ((char *)answer)[kept_fields[i].offset] = '\0';
}

void http_transfer_begin(struct http_transfer *transfer, const struct http_request *request)
{
    struct http_answer *answer = &transfer->answer;

    transfer->request = *request;
    http_transfer_reset(answer);
    answer->failure = 0;
    answer->reason[0] = '\0';
    answer->new_connections = 0;
    answer->received_bytes = answer->sent_bytes = 0;
    answer->too_long = false;
    answer->text = "";
    answer->text_bytes = 0;
    memset(&answer->times, 0, sizeof(answer->times));
    transfer->still_ns = transfer->seen_sent_bytes = 0;
    transfer->lasted_ns = transfer->head_bytes = 0;
    transfer->seen_steps = transfer->steps++; /* beginning counts as progress, too */
    transfer->begun_ns = clock_monotonic_ns();
}

void http_transfer_fini(struct http_transfer *transfer)
{
    free(transfer->text);
    transfer->text = NULL;
    transfer->text_room = 0;
}

void http_transfer_fail(struct http_answer *answer, int errnum, const char *what, const char *words)
{
    answer->failure = -errnum;
    snprintf(answer->reason, sizeof(answer->reason), "%s: %.200s", what, words);
}

uint64_t http_transfer_still(struct http_transfer *transfer, uint64_t sent_bytes,
                             uint64_t passed_ns)
{
    if (transfer->steps != transfer->seen_steps || sent_bytes != transfer->seen_sent_bytes)
        transfer->still_ns = 0;
    else
        transfer->still_ns += passed_ns;
    transfer->seen_steps = transfer->steps;
    transfer->seen_sent_bytes = sent_bytes;
    transfer->lasted_ns += passed_ns;
    return transfer->still_ns;
}

uint64_t http_transfer_most_ns(const struct http_transfer *transfer, uint64_t sent_bytes,
                               uint64_t timeout_ns)
{
    const uint64_t moved_s = (sent_bytes + transfer->answer.received_bytes) / SLOWEST_PER_S;

    if (timeout_ns > UINT64_MAX / 2 / LASTING_TIMEOUTS || moved_s > UINT64_MAX / 2 / NS_PER_S)
        return UINT64_MAX;
    return timeout_ns * LASTING_TIMEOUTS + moved_s * NS_PER_S;
}

/* ---- the lines of a header ---- */

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
    http_transfer_reset(answer);
    answer->version = 10 + (unsigned)(line[7] - '0');
    answer->status = 100 * (line[9] - '0') + 10 * (line[10] - '0') + (line[11] - '0');
    return true;
}

/* One bit for each of the 128 ASCII characters: letters, digits and !#$%&'*+-.^_`|~ (RFC 9110,
 * 5.6.2). */
static const uint32_t in_names[4] = {0, 0x03ff6cfa, 0xc7fffffe, 0x57ffffff};

/* Length of the field name at the start of a line; 0: none. */
static size_t name_length(const char *line, size_t bytes)
{
    size_t at = 0;

    for (unsigned char c; at < bytes; at++) {
        c = (unsigned char)line[at];
        if (c > 127 || !(in_names[c >> 5] >> (c & 31) & 1))
            return c == ':' ? at : 0;
    }
    return 0;
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

#define IS(text) (name_bytes == sizeof(text) - 1 && !strncasecmp(line, text, sizeof(text) - 1))

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
    }
    return head->chunked && head->has_length ? "it has Transfer-Encoding and Content-Length" : NULL;
}

static void take_kept(struct http_answer *answer, const char *line, size_t name_bytes,
                      const char *value, const char *end)
{
    for (size_t i = 0; i < COUNT_OF(kept_fields); i++) {
        const struct kept_field *field = &kept_fields[i];

        if (field->name_bytes == name_bytes && strncasecmp(line, field->name, name_bytes) == 0) {
            (field->whole ? keep_whole : keep)((char *)answer + field->offset, field->room, value,
                                               end);
            return;
        }
    }
}

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
    if (IS("set-cookie"))
        take_cookie(answer, value, end);
    else if (name_bytes >= CHECKSUM_BYTES && !strncasecmp(line, CHECKSUM, CHECKSUM_BYTES))
        take_checksum(answer, line + CHECKSUM_BYTES, name_bytes - CHECKSUM_BYTES, value, end);
    else
        take_kept(answer, line, name_bytes, value, end);
    return take_framing(head, answer, line, name_bytes, value, end);
}

static enum http_reader_result refuse(struct http_reader *reader, const char *wrong)
{
    reader->head.wrong = wrong;
    return HTTP_READER_BAD;
}

/* Determines what follows the header of an answer. */
static enum http_reader_result end_head(struct http_reader *reader, int status)
{
    const struct http_head *head = &reader->head;

    if (status == 101)
        return refuse(reader, "it is another protocol");
    if (status < 200) {
        reader->head = (struct http_head){.started = false};
    } else if (reader->no_body || status == 204 || status == 304) {
        reader->phase = HTTP_READ_DONE;
    } else if (head->chunked) {
        reader->phase = HTTP_READ_CHUNK_SIZE;
    } else if (head->has_length) {
        reader->left_bytes = head->length_bytes;
        reader->phase = reader->left_bytes ? HTTP_READ_LENGTH : HTTP_READ_DONE;
    } else {
        reader->phase = HTTP_READ_OPEN;
    }
    return reader->phase == HTTP_READ_DONE ? HTTP_READER_DONE : HTTP_READER_MORE;
}

/* ---- lines ---- */

static const char broken_chunk[] = "a chunk of its body is broken";
static const char long_head[] = "its headers are too long";

/* Length of the line at the start of data, including its end; 0 if it is incomplete; -1 with
 * head.wrong set if it is malformed. */
static long line_length(struct http_reader *reader, const char *data, size_t bytes)
{
    const bool of_chunk =
        reader->phase == HTTP_READ_CHUNK_SIZE || reader->phase == HTTP_READ_CHUNK_END;
    const size_t most_bytes = of_chunk ? CHUNK_LINE_BYTES : HTTP_LINE_BYTES;
    const char *const end = memchr(data, '\n', bytes), *wrong = NULL;
    const size_t length = end ? (size_t)(end - data) + 1 : 0;

    if (UNLIKELY(length > most_bytes || (!end && bytes >= most_bytes)))
        wrong = long_head;
    else if (end && UNLIKELY(length < 2 || end[-1] != '\r'))
        wrong = "a header line ends without CR";
    else if (end && UNLIKELY(memchr(data, '\r', length - 2) || memchr(data, '\0', length - 2)))
        wrong = "a header line contains CR or NUL";
    if (!wrong)
        return (long)length;
    (void)refuse(reader, of_chunk ? broken_chunk : wrong);
    return -1;
}

/* "1f4;name=value" without its end */
static bool read_chunk_size(const char *line, size_t bytes, uint64_t *size_bytes)
{
    const char *at = line, *const end = line + bytes;

    if (!number_take_hex(&at, end, size_bytes) || at - line > 15) /* more than 2^60 bytes */
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end || *at == ';';
}

/* Handles a line of `bytes` without its end. */
static enum http_reader_result take_line(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *line, size_t bytes)
{
    struct http_head *head = &reader->head;

    switch (reader->phase) {
    case HTTP_READ_CHUNK_END:
        reader->phase = HTTP_READ_CHUNK_SIZE;
        return bytes == 0 ? HTTP_READER_MORE : refuse(reader, broken_chunk);
    case HTTP_READ_CHUNK_SIZE:
        if (!read_chunk_size(line, bytes, &reader->left_bytes))
            return refuse(reader, broken_chunk);
        reader->phase = reader->left_bytes ? HTTP_READ_CHUNK : HTTP_READ_TRAILER;
        return HTTP_READER_MORE;
    default:
        transfer->head_bytes += bytes + 2;
        if (UNLIKELY(transfer->head_bytes > HTTP_HEAD_BYTES))
            return refuse(reader, long_head);
    }
    if (reader->phase == HTTP_READ_TRAILER) { /* of which nothing is stored */
        if (bytes > 0)
            return name_length(line, bytes) > 0
                       ? HTTP_READER_MORE
                       : refuse(reader, "a line after its last chunk has no name");
        reader->phase = HTTP_READ_DONE;
        return HTTP_READER_DONE;
    }
    if (bytes == 0 && head->started)
        return end_head(reader, transfer->answer.status);
    if (head->started) {
        head->wrong = take_field(head, &transfer->answer, line, bytes);
        return head->wrong ? HTTP_READER_BAD : HTTP_READER_MORE;
    }
    head->started = take_status(&transfer->answer, line, bytes);
    return head->started ? HTTP_READER_MORE
                         : refuse(reader, "it does not begin with a status line");
}

/* ---- the body ---- */

static bool keep_text(struct http_transfer *transfer, const char *data, size_t bytes,
                      size_t most_bytes)
{
    struct http_answer *answer = &transfer->answer;
    const size_t room = most_bytes - answer->text_bytes, kept = bytes < room ? bytes : room;

    transfer->text =
        mem_grow(transfer->text, &transfer->text_room, answer->text_bytes + kept + 1, 1);
    memcpy(transfer->text + answer->text_bytes, data, kept);
    answer->text_bytes += kept;
    transfer->text[answer->text_bytes] = '\0';
    answer->text = transfer->text;
    answer->too_long = bytes > room;
    return !answer->too_long;
}

/* Stores bytes of the body. False: it exceeds its limit, which ends the request. */
static bool store_body(struct http_transfer *transfer, const char *data, size_t bytes)
{
    struct http_answer *answer = &transfer->answer;
    const struct http_request *request = &transfer->request;
    const uint64_t at = answer->received_bytes;

    transfer->steps++;
    answer->received_bytes += bytes;
    if (UNLIKELY(answer->status < 200 || answer->status > 299))
        return keep_text(transfer, data, bytes, HTTP_TEXT_BYTES);
    if (request->sink == HTTP_TEXT)
        return keep_text(transfer, data, bytes,
                         request->most_bytes ? (size_t)request->most_bytes : HTTP_TEXT_BYTES);
    if (UNLIKELY(request->most_bytes > 0 && answer->received_bytes > request->most_bytes))
        answer->too_long = true;
    if (request->sink == HTTP_INTO) {
        const uint64_t room = at < request->into_bytes ? request->into_bytes - at : 0;
        if (bytes > room)
            answer->too_long = true;
        if (room > 0)
            memcpy((char *)request->into + at, data, bytes < room ? bytes : (size_t)room);
    }
    return !answer->too_long;
}

static enum http_reader_result end_piece(struct http_reader *reader)
{
    if (reader->left_bytes == 0 && reader->phase == HTTP_READ_LENGTH)
        reader->phase = HTTP_READ_DONE;
    else if (reader->left_bytes == 0 && reader->phase == HTTP_READ_CHUNK)
        reader->phase = HTTP_READ_CHUNK_END;
    return reader->phase == HTTP_READ_DONE ? HTTP_READER_DONE : HTTP_READER_MORE;
}

static enum http_reader_result take_body(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes)
{
    if (UNLIKELY(!store_body(transfer, data, bytes)))
        return HTTP_READER_CUT;
    if (reader->phase == HTTP_READ_OPEN)
        return HTTP_READER_MORE;
    reader->left_bytes -= bytes;
    return end_piece(reader);
}

/* ---- the whole answer ---- */

void http_reader_begin(struct http_reader *reader, const struct http_transfer *transfer)
{
    *reader = (struct http_reader){.no_body = strcmp(transfer->request.method, "HEAD") == 0};
}

enum http_reader_result http_reader_take(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes)
{
    enum http_reader_result result = HTTP_READER_MORE;
    size_t at = 0;

    while (result == HTTP_READER_MORE && at < bytes) {
        size_t now = bytes - at;

        if (reader->phase == HTTP_READ_LENGTH || reader->phase == HTTP_READ_CHUNK) {
            now = now > reader->left_bytes ? (size_t)reader->left_bytes : now;
            result = take_body(reader, transfer, data + at, now);
        } else if (reader->phase == HTTP_READ_OPEN) {
            result = take_body(reader, transfer, data + at, now);
        } else if (reader->phase == HTTP_READ_DONE) {
            result = HTTP_READER_DONE;
            break;
        } else {
            const long length = line_length(reader, data + at, now);

            if (length <= 0) {
                result = length < 0 ? HTTP_READER_BAD : HTTP_READER_MORE;
                break;
            }
            now = (size_t)length;
            result = take_line(reader, transfer, data + at, now - 2);
        }
        at += now;
    }
    *used_bytes = at;
    return result;
}

size_t http_reader_room(const struct http_reader *reader, const struct http_transfer *transfer,
                        void **into)
{
    const struct http_request *request = &transfer->request;
    const struct http_answer *answer = &transfer->answer;
    const uint64_t at = answer->received_bytes;
    uint64_t room = reader->left_bytes;

    if (request->sink != HTTP_INTO ||
        (reader->phase != HTTP_READ_LENGTH && reader->phase != HTTP_READ_CHUNK) ||
        answer->status > 299 || at >= request->into_bytes)
        return 0;
    if (room > request->into_bytes - at)
        room = request->into_bytes - at;
    if (request->most_bytes > 0) {
        if (at >= request->most_bytes)
            return 0;
        if (room > request->most_bytes - at)
            room = request->most_bytes - at;
    }
    *into = (char *)request->into + at;
    return room > AT_ONCE_BYTES ? AT_ONCE_BYTES : (size_t)room;
}

enum http_reader_result http_reader_put(struct http_reader *reader, struct http_transfer *transfer,
                                        size_t bytes)
{
    transfer->steps++;
    transfer->answer.received_bytes += bytes;
    reader->left_bytes -= bytes;
    return end_piece(reader);
}

bool http_reader_end(struct http_reader *reader)
{
    if (reader->phase == HTTP_READ_OPEN)
        reader->phase = HTTP_READ_DONE;
    return reader->phase == HTTP_READ_DONE;
}

bool http_reader_keeps(const struct http_reader *reader, const struct http_transfer *transfer)
{
    const struct http_head *head = &reader->head;
    const int status = transfer->answer.status;

    if (reader->phase != HTTP_READ_DONE || head->closes ||
        (transfer->answer.version < 11 && (!head->keeps || head->chunked)))
        return false;
    /* without a body its length does not matter */
    return reader->no_body || status == 204 || status == 304 || head->chunked || head->has_length;
}
