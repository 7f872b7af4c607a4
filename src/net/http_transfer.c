/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_transfer.c - data of one request and its answer (see http_transfer.h). */
#include "base/compat.h"

#include "net/http_transfer.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/http_head.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A request that trickles, a few bytes at a time, may take LASTING_TIMEOUTS timeouts plus a second
 * per SLOWEST_PER_S bytes. */
#define LASTING_TIMEOUTS 4
#define SLOWEST_PER_S    4096

static void reset_answer(struct http_answer *answer)
{
    http_head_reset(answer);
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

bool http_transfer_take(struct http_transfer *transfer, const char *data, size_t bytes)
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
