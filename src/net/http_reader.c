/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_reader.c - parses one HTTP/1.1 answer (see http_reader.h). Input is untrusted. */
#include "base/compat.h"

#include "net/http_reader.h"

#include <string.h>

#include "base/number.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define CHUNK_LINE_BYTES 4096 /* of a chunk's size with extensions */
#define AT_ONCE_BYTES    ((size_t)1 << 30)

void http_reader_begin(struct http_reader *reader, const struct http_transfer *transfer)
{
    reader->phase = HTTP_READ_HEAD;
    reader->left_bytes = 0;
    reader->no_body = strcmp(transfer->request.method, "HEAD") == 0;
    http_head_begin(&reader->head);
}

static enum http_reader_result refuse(struct http_reader *reader, const char *wrong)
{
    reader->head.wrong = wrong;
    return HTTP_READER_BAD;
}

/* ---- head ---- */

/* Determines what follows the header of a final answer. */
static enum http_reader_result choose_body(struct http_reader *reader, int status)
{
    const struct http_head *head = &reader->head;

    if (reader->no_body || status == 204 || status == 304) {
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

static enum http_reader_result end_head(struct http_reader *reader, int status)
{
    if (status == 101)
        return refuse(reader, "it is another protocol");
    if (status < 200) {
        http_head_begin(&reader->head);
        return HTTP_READER_MORE;
    }
    return choose_body(reader, status);
}

static enum http_reader_result take_head(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes)
{
    const enum http_head_result result =
        http_head_take(&reader->head, &transfer->answer, data, bytes, used_bytes);

    transfer->head_bytes += *used_bytes;
    if (UNLIKELY(transfer->head_bytes > HTTP_HEAD_BYTES))
        return refuse(reader, "its headers are too long");
    if (result == HTTP_HEAD_DONE)
        return end_head(reader, transfer->answer.status);
    return result == HTTP_HEAD_MORE ? HTTP_READER_MORE : HTTP_READER_BAD;
}

/* ---- body ---- */

static enum http_reader_result end_piece(struct http_reader *reader)
{
    if (reader->left_bytes == 0 && reader->phase == HTTP_READ_LENGTH)
        reader->phase = HTTP_READ_DONE;
    else if (reader->left_bytes == 0 && reader->phase == HTTP_READ_CHUNK)
        reader->phase = HTTP_READ_CHUNK_END;
    return reader->phase == HTTP_READ_DONE ? HTTP_READER_DONE : HTTP_READER_MORE;
}

static enum http_reader_result take_body(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes)
{
    const bool open = reader->phase == HTTP_READ_OPEN;
    const size_t now = !open && bytes > reader->left_bytes ? (size_t)reader->left_bytes : bytes;

    *used_bytes = now;
    if (UNLIKELY(!http_transfer_take(transfer, data, now)))
        return HTTP_READER_CUT;
    if (open)
        return HTTP_READER_MORE;
    reader->left_bytes -= now;
    return end_piece(reader);
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

/* The line before a chunk, or the empty one after it. */
static enum http_reader_result take_chunk_line(struct http_reader *reader, const char *data,
                                               size_t bytes, size_t *used_bytes)
{
    const long length = http_head_line(&reader->head, data, bytes);

    *used_bytes = 0;
    if (length < 0 || length > CHUNK_LINE_BYTES || (length == 0 && bytes > CHUNK_LINE_BYTES))
        return refuse(reader, "a chunk of its body is broken");
    if (length == 0)
        return HTTP_READER_MORE;
    *used_bytes = (size_t)length;
    if (reader->phase == HTTP_READ_CHUNK_END) {
        reader->phase = HTTP_READ_CHUNK_SIZE;
        return length == 2 ? HTTP_READER_MORE : refuse(reader, "a chunk of its body is broken");
    }
    if (!read_chunk_size(data, (size_t)length - 2, &reader->left_bytes))
        return refuse(reader, "a chunk of its body is broken");
    reader->phase = reader->left_bytes ? HTTP_READ_CHUNK : HTTP_READ_TRAILER;
    return HTTP_READER_MORE;
}

static enum http_reader_result take_trailer(struct http_reader *reader,
                                            struct http_transfer *transfer, const char *data,
                                            size_t bytes, size_t *used_bytes)
{
    const enum http_head_result result =
        http_head_take(&reader->head, NULL, data, bytes, used_bytes);

    transfer->head_bytes += *used_bytes;
    if (transfer->head_bytes > HTTP_HEAD_BYTES)
        return refuse(reader, "the lines after its last chunk are too long");
    if (result == HTTP_HEAD_BAD)
        return HTTP_READER_BAD;
    if (result == HTTP_HEAD_MORE)
        return HTTP_READER_MORE;
    reader->phase = HTTP_READ_DONE;
    return HTTP_READER_DONE;
}

/* ---- the whole answer ---- */

static enum http_reader_result take_next(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes)
{
    switch (reader->phase) {
    case HTTP_READ_HEAD:
        return take_head(reader, transfer, data, bytes, used_bytes);
    case HTTP_READ_LENGTH:
    case HTTP_READ_OPEN:
    case HTTP_READ_CHUNK:
        return take_body(reader, transfer, data, bytes, used_bytes);
    case HTTP_READ_CHUNK_SIZE:
    case HTTP_READ_CHUNK_END:
        return take_chunk_line(reader, data, bytes, used_bytes);
    case HTTP_READ_TRAILER:
        return take_trailer(reader, transfer, data, bytes, used_bytes);
    default:
        *used_bytes = 0;
        return HTTP_READER_DONE;
    }
}

enum http_reader_result http_reader_take(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes)
{
    enum http_reader_result result = HTTP_READER_MORE;
    size_t at = 0, used;

    do {
        result = take_next(reader, transfer, data + at, bytes - at, &used);
        at += used;
    } while (result == HTTP_READER_MORE && used > 0 && at < bytes);
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
    const int status = transfer->answer.status;

    if (reader->phase != HTTP_READ_DONE ||
        !http_head_keeps(&reader->head, transfer->answer.version))
        return false;
    /* without a body its length does not matter */
    return reader->no_body || status == 204 || status == 304 || !http_head_is_open(&reader->head);
}
