/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_exchange.c - a request and its answer without libcurl (see http_exchange.h). All times are
 * read here, except those of connecting, which libcurl reports. */
#include "base/compat.h"

#include "net/http_exchange.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define TURNS 16 /* per connection before others are served */
#define AGENT "User-Agent: iosweep/" PACKAGE_VERSION "\r\n"

/* A reused connection was closed before the first byte of an answer. */
#define NOT_TWICE "a kept connection; the request is not sent twice"

/* ---- the request as bytes ---- */

static void add(struct http_writer *writer, const char *text, size_t bytes)
{
    if (UNLIKELY(writer->front_bytes + bytes > writer->front_room))
        writer->front =
            mem_grow(writer->front, &writer->front_room, writer->front_bytes + bytes, 1);
    memcpy(writer->front + writer->front_bytes, text, bytes);
    writer->front_bytes += bytes;
}

static void add_text(struct http_writer *writer, const char *text)
{
    add(writer, text, strlen(text));
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
    char digits[NUMBER_BYTES];

    writer->front_bytes = 0;
    writer->at = 0;
    add_text(writer, request->method);
    add(writer, " ", 1);
    add_text(writer, target);
    add(writer, " HTTP/1.1\r\nHost: ", 17); /* the first line, as RFC 9110, 7.2 recommends */
    add_text(writer, host);
    add(writer, "\r\n", 2);
    for (unsigned i = 0; i < request->header_count; i++) {
        add_text(writer, request->header[i]);
        add(writer, "\r\n", 2);
    }
    add(writer, AGENT, sizeof(AGENT) - 1);
    if (request->has_body) {
        add(writer, "Content-Length: ", 16);
        add_text(writer, number_text(request->body_bytes, digits));
        add(writer, "\r\n", 2);
    }
    add(writer, "\r\n", 2);
    writer->head_bytes = writer->front_bytes;
    writer->end = writer->head_bytes + (request->has_body ? request->body_bytes : 0);
    if (joins && writer->end > writer->head_bytes)
        join_body(writer, request);
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

/* ---- life ---- */

void http_exchange_fini(struct http_exchange *exchange)
{
    http_exchange_drop(exchange);
    free(exchange->writer.front);
    exchange->writer = (struct http_writer){.front = NULL};
    http_transfer_fini(&exchange->transfer);
}

void http_exchange_drop(struct http_exchange *exchange)
{
    if (exchange->connection)
        http_pool_close(exchange->connection);
    exchange->connection = NULL;
}

/* ---- times ---- */

static inline uint64_t since_begin(const struct http_transfer *transfer)
{
    return clock_monotonic_ns() - transfer->begun_ns;
}

/* For a connection that was made for this request. */
static COLD void read_connecting(struct http_exchange *exchange)
{
    http_multi_tell_connecting(exchange->connection->easy, &exchange->transfer.answer,
                               since_begin(&exchange->transfer));
}

/* ---- the end ---- */

static void note_end(struct http_exchange *exchange)
{
    struct http_transfer *transfer = &exchange->transfer;

    transfer->answer.sent_bytes = http_writer_body_at(&exchange->writer);
    transfer->answer.times.total_ns = since_begin(transfer);
}

static COLD struct http_exchange *end_broken(struct http_exchange *exchange)
{
    note_end(exchange);
    http_exchange_drop(exchange);
    return exchange;
}

static COLD struct http_exchange *fail(struct http_exchange *exchange, int errnum, const char *what,
                                       const char *words)
{
    http_transfer_fail(&exchange->transfer.answer, errnum, what, words);
    return end_broken(exchange);
}

/* left_bytes: received after the answer, without a request. */
static struct http_exchange *complete(struct http_exchange *exchange, size_t left_bytes)
{
    struct http_connection *connection = exchange->connection;
    struct http_transfer *transfer = &exchange->transfer;

    note_end(exchange);
    exchange->connection = NULL;
    if (left_bytes == 0 && !connection->ended && exchange->writer.at == exchange->writer.end &&
        !exchange->pool->config->reconnect && http_reader_keeps(&exchange->reader, transfer)) {
        http_connection_want(connection, HTTP_POLL_READ);
        http_pool_keep(connection, transfer->begun_ns + transfer->answer.times.total_ns);
    } else {
        http_pool_close(connection);
    }
    return exchange;
}

/* The server closed a kept connection before it received this request, or without notice. */
static COLD struct http_exchange *closed_unseen(struct http_exchange *exchange)
{
    exchange->connection->host->unasked = true;
    return fail(exchange, ECONNRESET, HTTP_NO_ANSWER, NOT_TWICE);
}

/* A success does not count before the request is sent: the server cannot have stored what it has
 * not received. */
static bool is_too_early(const struct http_exchange *exchange)
{
    return exchange->writer.at < exchange->writer.end && !exchange->gave_up;
}

static COLD struct http_exchange *refuse_early(struct http_exchange *exchange)
{
    return fail(exchange, EPROTO, "not a reply to this request",
                "it precedes the end of the request");
}

/* The connection was closed (0) or failed (-errno) before the answer was complete. */
static COLD struct http_exchange *lost(struct http_exchange *exchange, int code)
{
    const char *said = exchange->connection->said;

    if (code == 0 && http_reader_end(&exchange->reader)) /* this was the end of the body */
        return is_too_early(exchange) ? refuse_early(exchange) : complete(exchange, 1);
    if (!exchange->heard && exchange->kept)
        return closed_unseen(exchange);
    if (code < 0)
        return fail(exchange, -code, "connection lost", said);
    if (!exchange->heard)
        return fail(exchange, ECONNRESET, HTTP_NO_ANSWER, "empty reply from the server");
    if (exchange->reader.phase == HTTP_READ_HEAD)
        return fail(exchange, ECONNRESET, "connection lost", "closed within the headers");
    return fail(exchange, EPIPE, "body cut off", "closed before its end");
}

/* ---- receiving ---- */

static COLD void keep_rest(struct http_connection *connection, const char *rest, size_t bytes)
{
    if (bytes > connection->carry_room)
        connection->carry =
            mem_grow(connection->carry, &connection->carry_room, bytes, sizeof(char));
    memcpy(connection->carry, rest, bytes);
    connection->carry_bytes = bytes;
}

/* An answer to an incomplete request ends the sending of its body, unless it is a success. */
static COLD void see_early_answer(struct http_exchange *exchange)
{
    if (exchange->transfer.answer.status < 300)
        return;
    exchange->gave_up = true;
    http_connection_want(exchange->connection, HTTP_POLL_READ);
}

/* Checks for the end after bytes were parsed. rest: those not consumed. */
static struct http_exchange *judge(struct http_exchange *exchange, enum http_reader_result result,
                                   const char *rest, size_t bytes)
{
    if (UNLIKELY(exchange->writer.at < exchange->writer.end &&
                 exchange->reader.phase != HTTP_READ_HEAD))
        see_early_answer(exchange);
    switch (result) {
    case HTTP_READER_DONE:
        if (UNLIKELY(is_too_early(exchange)))
            return refuse_early(exchange);
        if (UNLIKELY(bytes > 0))
            exchange->connection->host->unasked = true;
        return complete(exchange, bytes);
    case HTTP_READER_CUT:
        return end_broken(exchange);
    case HTTP_READER_BAD:
        return fail(exchange, EPROTO, "not an HTTP reply", exchange->reader.head.wrong);
    default:
        if (UNLIKELY(bytes > 0))
            keep_rest(exchange->connection, rest, bytes);
        return NULL;
    }
}

/* Reads once. *more: more data may be available immediately. */
static struct http_exchange *receive_once(struct http_exchange *exchange, bool *more)
{
    struct http_connection *connection = exchange->connection;
    struct http_transfer *transfer = &exchange->transfer;
    char *const buffer = exchange->pool->buffer;
    void *into = NULL;
    size_t carried = connection->carry_bytes, used;
    size_t room = carried ? 0 : http_reader_room(&exchange->reader, transfer, &into);
    const bool direct = room > 0;
    ssize_t got;
    enum http_reader_result result;

    *more = false;
    if (!direct) {
        room = exchange->pool->buffer_bytes;
        into = buffer + carried;
    }
    got = http_connection_receive(connection, into, room);
    if (got <= 0)
        return got == -EAGAIN ? NULL : lost(exchange, (int)got);
    exchange->heard = true;
    *more = !connection->plain || (size_t)got == room;
    connection->drained = (size_t)got < room; /* with TLS: no incomplete record is buffered */
    if (direct) {
        result = http_reader_put(&exchange->reader, transfer, (size_t)got);
        return judge(exchange, result, NULL, 0);
    }
    if (!exchange->reader.head.started && !carried)
        transfer->answer.times.first_byte_ns = since_begin(transfer);
    if (UNLIKELY(carried)) {
        memcpy(buffer, connection->carry, carried);
        connection->carry_bytes = 0;
    }
    transfer->steps++;
    result = http_reader_take(&exchange->reader, transfer, buffer, carried + (size_t)got, &used);
    return judge(exchange, result, buffer + used, carried + (size_t)got - used);
}

static struct http_exchange *receive(struct http_exchange *exchange)
{
    struct http_connection *connection = exchange->connection;
    bool more = true;

    for (unsigned turn = 0; more; turn++) {
        struct http_exchange *over;

        if (UNLIKELY(turn == TURNS)) {
            /* Polling reports it again, but not what libcurl has buffered. */
            if (!connection->plain && !connection->again) {
                connection->again = true;
                connection->pool->again_count++;
            }
            return NULL;
        }
        over = receive_once(exchange, &more);
        if (over)
            return over;
    }
    return NULL;
}

/* ---- sending ---- */

/* Sends as much as the connection accepts. Returns 0 or -errno. */
static int send_on(struct http_exchange *exchange)
{
    struct http_writer *writer = &exchange->writer;
    struct http_connection *connection = exchange->connection;

    for (unsigned turn = 0; turn < TURNS && writer->at < writer->end; turn++) {
        struct iovec piece[HTTP_WRITER_PIECES];
        const int count = http_writer_pieces(writer, &exchange->transfer.request, piece);
        const ssize_t sent = http_connection_send(connection, piece, count);

        if (sent == -EAGAIN)
            break;
        if (sent < 0)
            return (int)sent;
        writer->at += (uint64_t)sent;
        exchange->transfer.steps++;
    }
    http_connection_want(connection, writer->at < writer->end ? HTTP_POLL_READ | HTTP_POLL_WRITE
                                                              : HTTP_POLL_READ);
    return 0;
}

/* The server no longer reads the request. It may have answered before it closed. */
static COLD struct http_exchange *stopped(struct http_exchange *exchange, int code)
{
    struct http_exchange *over = receive(exchange);

    if (over)
        return over;
    if (!exchange->heard && exchange->kept)
        return closed_unseen(exchange);
    return fail(exchange, -code, "connection lost while sending", exchange->connection->said);
}

/* ---- beginning ---- */

static int start(struct http_exchange *exchange, struct http_connection *connection)
{
    struct http_times *times = &exchange->transfer.answer.times;

    exchange->connection = connection;
    exchange->kept = connection->answers > 0;
    connection->exchange = exchange;
    connection->carry_bytes = 0;
    times->send_ns = since_begin(&exchange->transfer);
    if (times->send_ns == 0)
        times->send_ns = 1;
    return send_on(exchange);
}

bool http_exchange_begin(struct http_exchange *exchange, struct http_host *host, const char *target)
{
    struct http_transfer *transfer = &exchange->transfer;
    struct http_pool *pool = exchange->pool;
    struct http_connection *connection;

    exchange->heard = exchange->gave_up = false;
    http_reader_begin(&exchange->reader, transfer);
    http_writer_begin(&exchange->writer, &transfer->request, host->host, target, host->tls);
    while ((connection = http_pool_take(host, transfer->begun_ns)) != NULL) {
        const int result = start(exchange, connection);

        if (result == 0)
            return false;
        if (exchange->writer.at > 0)
            return stopped(exchange, result) != NULL;
        http_exchange_drop(exchange); /* it was closed just now: nothing was sent */
    }
    transfer->answer.times.send_ns = 0;
    exchange->kept = false;
    connection = http_pool_connect(pool, host, &transfer->steps);
    if (!connection) {
        http_transfer_fail(&transfer->answer, ENOMEM, "no connection", "out of memory");
        note_end(exchange);
        return true;
    }
    exchange->connection = connection;
    connection->exchange = exchange;
    return false;
}

struct http_exchange *http_exchange_connected(struct http_connection *connection, CURLcode result)
{
    struct http_exchange *exchange = connection->exchange;
    int code;

    if (!exchange || connection->open)
        return NULL;
    read_connecting(exchange);
    if (result != CURLE_OK) {
        http_multi_tell_failure(connection->easy, &exchange->transfer.answer, result,
                                connection->said, connection->socket_errno);
        return end_broken(exchange);
    }
    code = http_pool_made(connection);
    if (code < 0)
        return fail(exchange, -code, "no connection", strerror(-code));
    code = start(exchange, connection);
    return code == 0 ? NULL : stopped(exchange, code);
}

/* ---- readiness ---- */

struct http_exchange *http_exchange_ready(struct http_connection *connection, unsigned ready)
{
    struct http_exchange *exchange = connection->exchange;
    struct http_exchange *over = NULL;
    int code = 0;

    connection->ended = (ready & HTTP_POLL_ENDED) != 0;
    if (connection->again) {
        connection->again = false;
        connection->pool->again_count--;
    }
    if (UNLIKELY(!exchange)) {
        http_pool_look(connection);
        return NULL;
    }
    if (ready & HTTP_POLL_READ)
        over = receive(exchange);
    if (over || !(ready & HTTP_POLL_WRITE) || exchange->gave_up)
        return over;
    if (exchange->writer.at < exchange->writer.end)
        code = send_on(exchange);
    if (UNLIKELY(code < 0))
        return stopped(exchange, code);
    return NULL;
}

void http_exchange_time_out(struct http_exchange *exchange, uint64_t still_ns)
{
    struct http_transfer *transfer = &exchange->transfer;
    struct http_answer *answer = &transfer->answer;
    const uint64_t passed_ns = still_ns ? still_ns : transfer->lasted_ns;
    const char *what = "no progress";

    if (exchange->connection && !exchange->connection->open)
        read_connecting(exchange);
    note_end(exchange);
    if (still_ns == 0)
        what = "not complete";
    else if (answer->times.send_ns == 0)
        what = "no connection";
    else if (answer->status == 0)
        what = "no reply";
    answer->failure = -ETIMEDOUT;
    snprintf(answer->reason, sizeof(answer->reason),
             "timed out: %s for %.1f s, %" PRIu64 " bytes sent, %" PRIu64 " received", what,
             (double)passed_ns / 1e9, answer->sent_bytes, answer->received_bytes);
    http_exchange_drop(exchange);
}
