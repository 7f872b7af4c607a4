/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_transfer.c - data of one request and its answer (see http_transfer.h). */
#include "base/compat.h"

#include "net/http_transfer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/http_field.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TEXT_LEAST  ((size_t)4096)

/* A request that trickles, a few bytes at a time, may take LASTING_TIMEOUTS timeouts plus a second
 * per SLOWEST_PER_S bytes. */
#define LASTING_TIMEOUTS 4
#define SLOWEST_PER_S    4096

static void reset_answer(struct http_answer *answer)
{
    http_field_reset(answer);
    answer->failure = 0;
    answer->reason[0] = '\0';
    answer->new_connections = 0;
    answer->received_bytes = answer->sent_bytes = 0;
    answer->too_long = false;
    answer->text = "";
    answer->text_bytes = 0;
    memset(&answer->times, 0, sizeof(answer->times));
}

void http_transfer_begin(struct http_transfer *transfer, const struct http_request *request)
{
    transfer->request = *request;
    reset_answer(&transfer->answer);
    transfer->body_at = 0;
    transfer->first_byte_ns = 0;
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

unsigned http_transfer_lines(const struct http_request *request, const char *line[HTTP_LINES_MAX])
{
    bool accept = false, type = false, agent = false;
    unsigned count = 0;

    for (; count < request->header_count; count++) {
        line[count] = request->header[count];
        if ((line[count][0] | 0x20) == 'a')
            accept |= http_is_field(line[count], "accept:", 7);
        else if ((line[count][0] | 0x20) == 'c')
            type |= http_is_field(line[count], "content-type:", 13);
        else if ((line[count][0] | 0x20) == 'u')
            agent |= http_is_field(line[count], "user-agent:", 11);
    }
    if (!accept)
        line[count++] = "Accept:";
    if (!agent)
        line[count++] = "User-Agent: iosweep/" PACKAGE_VERSION;
    if (request->has_body) {
        line[count++] = "Expect:";
        if (!type)
            line[count++] = "Content-Type:";
    }
    return count;
}

static size_t keep_text(struct http_transfer *transfer, const char *data, size_t bytes,
                        size_t most_bytes)
{
    struct http_answer *answer = &transfer->answer;
    size_t room = most_bytes - answer->text_bytes;

    if (bytes > room)
        answer->too_long = true;
    if (bytes < room)
        room = bytes;
    if (answer->text_bytes + room + 1 > transfer->text_room) {
        size_t most = transfer->text_room ? transfer->text_room : TEXT_LEAST;
        while (most < answer->text_bytes + room + 1)
            most *= 2;
        transfer->text = mem_realloc_array(transfer->text, most, 1);
        transfer->text_room = most;
    }
    memcpy(transfer->text + answer->text_bytes, data, room);
    answer->text_bytes += room;
    transfer->text[answer->text_bytes] = '\0';
    answer->text = transfer->text;
    return room;
}

size_t http_transfer_take(char *data, size_t size, size_t count, void *arg)
{
    struct http_transfer *transfer = arg;
    struct http_answer *answer = &transfer->answer;
    const size_t bytes = size * count;
    const uint64_t at = answer->received_bytes;

    transfer->steps++;
    answer->received_bytes += bytes;
    if (UNLIKELY(answer->status < 200 || answer->status > 299))
        return keep_text(transfer, data, bytes, HTTP_TEXT_BYTES);
    if (transfer->request.sink == HTTP_TEXT)
        return keep_text(transfer, data, bytes,
                         transfer->request.most_bytes ? (size_t)transfer->request.most_bytes
                                                      : HTTP_TEXT_BYTES);
    if (UNLIKELY(transfer->request.most_bytes > 0 &&
                 answer->received_bytes > transfer->request.most_bytes))
        answer->too_long = true;
    if (transfer->request.sink == HTTP_INTO) {
        const uint64_t room =
            at < transfer->request.into_bytes ? transfer->request.into_bytes - at : 0;
        if (bytes > room)
            answer->too_long = true;
        if (room > 0)
            memcpy((char *)transfer->request.into + at, data, bytes < room ? bytes : (size_t)room);
    }
    return UNLIKELY(answer->too_long) ? 0 : bytes;
}

/* For a request with a body, libcurl before 8.7 reports the start of sending it as the time of the
 * answer's first byte, so the clock is read here. */
size_t http_transfer_header(char *line, size_t size, size_t count, void *arg)
{
    struct http_transfer *transfer = arg;

    transfer->steps++;
    transfer->head_bytes += size * count;
    if (UNLIKELY(transfer->head_bytes > HTTP_HEAD_BYTES))
        return 0;
    if (http_field_take(&transfer->answer, line, size * count) && transfer->request.has_body &&
        transfer->answer.status >= 200)
        transfer->first_byte_ns = clock_monotonic_ns() - transfer->begun_ns;
    return size * count;
}

/* Copies head, body and tail in sequence, as far as there is room. */
size_t http_transfer_fetch(char *buffer, size_t size, size_t count, void *arg)
{
    struct http_transfer *transfer = arg;
    const struct http_request *request = &transfer->request;
    const uint64_t tail_at = request->body_bytes - request->tail_bytes;
    const size_t room = size * count;
    size_t filled = 0;

    transfer->steps++;
    while (filled < room && transfer->body_at < request->body_bytes) {
        const uint64_t at = transfer->body_at;
        const char *from;
        uint64_t left;

        if (at < request->head_bytes) {
            from = (const char *)request->body_head + at;
            left = request->head_bytes - at;
        } else if (at < tail_at) {
            from = (const char *)request->body + (at - request->head_bytes);
            left = tail_at - at;
        } else {
            from = (const char *)request->body_tail + (at - tail_at);
            left = request->body_bytes - at;
        }
        if (left > room - filled)
            left = room - filled;
        memcpy(buffer + filled, from, (size_t)left);
        filled += (size_t)left;
        transfer->body_at += left;
    }
    return filled;
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
