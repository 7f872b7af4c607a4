/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_rpc.c - columns about NFS: how many calls the operations of a row needed, what they moved
 * and how long the server took.  Sums over the names of calls, and one text with all of them. */
#include "base/compat.h"

#include "report/columns/columns_rpc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_DECIMALS 2

static const struct target_traffic *traffic_of(const struct result *result)
{
    return result->state == RESULT_SKIPPED ? NULL : result->rpc;
}

/* The sum that a column is about; all 0 where nothing is known. */
static struct target_rpc sum(const struct result *result, bool data_only)
{
    const struct target_traffic *traffic = traffic_of(result);
    const struct target_rpc none = {.count = 0};
    return traffic != NULL ? target_traffic_total(traffic, data_only) : none;
}

static void put_count(struct value *value, const struct result *result, uint64_t count)
{
    value->kind = traffic_of(result) != NULL ? VALUE_COUNT : VALUE_EMPTY;
    value->count = count;
}

static double round_trip_ns(const struct target_rpc *rpc)
{
    return rpc->count > 0 ? (double)rpc->round_trip_ms * 1e6 / (double)rpc->count : 0;
}

void columns_rpc_count(const struct columns_context *context, const struct result *result,
                       struct value *value)
{
    (void)context;
    put_count(value, result, sum(result, false).count);
}

void columns_rpc_data_count(const struct columns_context *context, const struct result *result,
                            struct value *value)
{
    (void)context;
    put_count(value, result, sum(result, true).count);
}

void columns_rpc_sent_bytes(const struct columns_context *context, const struct result *result,
                            struct value *value)
{
    (void)context;
    put_count(value, result, sum(result, false).sent_bytes);
}

void columns_rpc_received_bytes(const struct columns_context *context, const struct result *result,
                                struct value *value)
{
    (void)context;
    put_count(value, result, sum(result, false).received_bytes);
}

void columns_rpc_rtt_ns_mean(const struct columns_context *context, const struct result *result,
                             struct value *value)
{
    const struct target_rpc all = sum(result, false);
    (void)context;
    value->kind = all.count > 0 ? VALUE_REAL : VALUE_EMPTY;
    value->real = round_trip_ns(&all);
    value->decimals = NS_DECIMALS;
}

void columns_rpc_retransmissions(const struct columns_context *context, const struct result *result,
                                 struct value *value)
{
    (void)context;
    put_count(value, result, sum(result, false).retransmissions);
}

/* Those that took no time by number. */
static int compare(const void *a, const void *b)
{
    const struct target_rpc *x = a, *y = b;
    if (x->round_trip_ms != y->round_trip_ms)
        return x->round_trip_ms < y->round_trip_ms ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->name, y->name);
}

void columns_rpc_operations(const struct columns_context *context, const struct result *result,
                            struct value *value)
{
    struct target_rpc sorted[TARGET_RPC_MOST];
    const struct target_traffic *traffic = traffic_of(result);
    size_t used = 0;
    (void)context;
    value->kind = traffic != NULL ? VALUE_TEXT : VALUE_EMPTY;
    value->text = value->buffer;
    value->buffer[0] = '\0';
    if (traffic == NULL)
        return;
    memcpy(sorted, traffic->rpc, traffic->rpc_count * sizeof(sorted[0]));
    qsort(sorted, traffic->rpc_count, sizeof(sorted[0]), compare);
    for (uint32_t i = 0; i < traffic->rpc_count && used < sizeof(value->buffer); i++)
        used += (size_t)snprintf(value->buffer + used, sizeof(value->buffer) - used,
                                 "%s%s=%" PRIu64 "/%.0f", used > 0 ? ";" : "", sorted[i].name,
                                 sorted[i].count, round_trip_ns(&sorted[i]));
}
