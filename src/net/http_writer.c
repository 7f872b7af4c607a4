/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_writer.c - one HTTP/1.1 request as bytes (see http_writer.h). */
#include "base/compat.h"

#include "net/http_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

#define HEAD_LEAST ((size_t)2048)
#define AGENT      "User-Agent: iosweep/" PACKAGE_VERSION "\r\n"

/* Grows the front by the bytes to be added. */
static void make_room(struct http_writer *writer, size_t bytes)
{
    if (writer->front_bytes + bytes > writer->front_room) {
        size_t room = writer->front_room ? writer->front_room : HEAD_LEAST;

        while (room < writer->front_bytes + bytes)
            room *= 2;
        writer->front = mem_realloc_array(writer->front, room, 1);
        writer->front_room = room;
    }
}

static void add(struct http_writer *writer, const char *text, size_t bytes)
{
    make_room(writer, bytes);
    memcpy(writer->front + writer->front_bytes, text, bytes);
    writer->front_bytes += bytes;
}

static void add_text(struct http_writer *writer, const char *text)
{
    add(writer, text, strlen(text));
}

static void add_length(struct http_writer *writer, uint64_t bytes)
{
    char digits[NUMBER_BYTES];

    add(writer, "Content-Length: ", 16);
    add_text(writer, number_text(bytes, digits));
    add(writer, "\r\n", 2);
}

/* Copies as much of the body as fits into the header's TLS record. */
static void join_body(struct http_writer *writer, const struct http_request *request)
{
    size_t used = writer->front_bytes % HTTP_RECORD_BYTES, count;
    struct iovec piece[HTTP_WRITER_PIECES];

    writer->at = writer->head_bytes; /* as if the header had been sent: yields the body's pieces */
    count = (size_t)http_writer_pieces(writer, request, piece);
    for (size_t i = 0; i < count && used < HTTP_RECORD_BYTES; i++) {
        const size_t room = HTTP_RECORD_BYTES - used;
        const size_t now = piece[i].iov_len < room ? piece[i].iov_len : room;

        add(writer, piece[i].iov_base, now);
        used += now;
    }
    writer->at = 0;
}

void http_writer_begin(struct http_writer *writer, const struct http_request *request,
                       const char *host, const char *target, bool joins)
{
    writer->front_bytes = 0;
    writer->at = 0;
    add_text(writer, request->method);
    add(writer, " ", 1);
    add_text(writer, target);
    add(writer, " HTTP/1.1\r\n", 11);
    add(writer, "Host: ", 6); /* the first line, as RFC 9110, 7.2 recommends */
    add_text(writer, host);
    add(writer, "\r\n", 2);
    for (unsigned i = 0; i < request->header_count; i++) {
        add_text(writer, request->header[i]);
        add(writer, "\r\n", 2);
    }
    add(writer, AGENT, sizeof(AGENT) - 1);
    if (request->has_body)
        add_length(writer, request->body_bytes);
    add(writer, "\r\n", 2);
    writer->head_bytes = writer->front_bytes;
    writer->end = writer->head_bytes + (request->has_body ? request->body_bytes : 0);
    if (joins && writer->end > writer->head_bytes)
        join_body(writer, request);
}

void http_writer_fini(struct http_writer *writer)
{
    free(writer->front);
    memset(writer, 0, sizeof(*writer));
}

int http_writer_pieces(const struct http_writer *writer, const struct http_request *request,
                       struct iovec piece[HTTP_WRITER_PIECES])
{
    const struct {
        const void *data;
        uint64_t bytes;
    } part[HTTP_WRITER_PIECES] = {
        {writer->front, writer->head_bytes},
        {request->body_head, request->head_bytes},
        {request->body, request->body_bytes - request->head_bytes - request->tail_bytes},
        {request->body_tail, request->tail_bytes},
    };
    uint64_t before = writer->at;
    int count = 0;

    if (writer->at >= writer->end)
        return 0;
    if (writer->at < writer->front_bytes) { /* the part of the body in it is skipped below */
        piece[count++] =
            (struct iovec){writer->front + writer->at, (size_t)(writer->front_bytes - writer->at)};
        before = writer->front_bytes;
    }
    if (writer->end == writer->head_bytes)
        return count;
    for (int i = 0; i < HTTP_WRITER_PIECES; i++) {
        if (before >= part[i].bytes) {
            before -= part[i].bytes;
            continue;
        }
        piece[count++] = (struct iovec){(char *)(uintptr_t)part[i].data + before,
                                        (size_t)(part[i].bytes - before)};
        before = 0;
    }
    return count;
}
