/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* traffic.c - sums of a network file system's counters. */
#include "base/compat.h"

#include "os/traffic.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"

#define NAME_OTHERS "OTHERS" /* row for calls that do not fit into the table */

void target_traffic_add_rpc(struct target_traffic *traffic, const struct target_rpc *rpc)
{
    struct target_rpc *row;
    uint32_t i = 0;

    while (i < traffic->rpc_count && strcmp(traffic->rpc[i].name, rpc->name) != 0)
        i++;
    if (i == TARGET_RPC_MOST) {
        i = TARGET_RPC_MOST - 1;
        memcpy(traffic->rpc[i].name, NAME_OTHERS, sizeof(NAME_OTHERS));
    }
    row = &traffic->rpc[i];
    if (i == traffic->rpc_count) {
        *row = *rpc;
        traffic->rpc_count++;
        return;
    }
    row->count += rpc->count;
    row->retransmissions += rpc->retransmissions;
    row->timeouts += rpc->timeouts;
    row->sent_bytes += rpc->sent_bytes;
    row->received_bytes += rpc->received_bytes;
    row->queue_ms += rpc->queue_ms;
    row->round_trip_ms += rpc->round_trip_ms;
    row->execute_ms += rpc->execute_ms;
}

/* Counters only grow; a remount in between resets them, which makes the difference meaningless but
 * harmless. */
static void add_difference(struct target_traffic *sum, const struct target_rpc *before,
                           const struct target_rpc *after)
{
    struct target_rpc rpc = *after;

    rpc.count = number_minus(after->count, before->count);
    rpc.retransmissions = number_minus(after->retransmissions, before->retransmissions);
    rpc.timeouts = number_minus(after->timeouts, before->timeouts);
    rpc.sent_bytes = number_minus(after->sent_bytes, before->sent_bytes);
    rpc.received_bytes = number_minus(after->received_bytes, before->received_bytes);
    rpc.queue_ms = number_minus(after->queue_ms, before->queue_ms);
    rpc.round_trip_ms = number_minus(after->round_trip_ms, before->round_trip_ms);
    rpc.execute_ms = number_minus(after->execute_ms, before->execute_ms);
    if (rpc.count > 0)
        target_traffic_add_rpc(sum, &rpc);
}

void target_traffic_add(struct target_traffic *sum, const struct target_traffic *before,
                        const struct target_traffic *after)
{
    static const struct target_rpc none = {.count = 0};

    for (uint32_t i = 0; i < after->rpc_count; i++) {
        const struct target_rpc *old = target_traffic_find(before, after->rpc[i].name);
        add_difference(sum, old ? old : &none, &after->rpc[i]);
    }
    sum->normal_read_bytes += number_minus(after->normal_read_bytes, before->normal_read_bytes);
    sum->normal_write_bytes += number_minus(after->normal_write_bytes, before->normal_write_bytes);
    sum->direct_read_bytes += number_minus(after->direct_read_bytes, before->direct_read_bytes);
    sum->direct_write_bytes += number_minus(after->direct_write_bytes, before->direct_write_bytes);
    sum->server_read_bytes += number_minus(after->server_read_bytes, before->server_read_bytes);
    sum->server_write_bytes += number_minus(after->server_write_bytes, before->server_write_bytes);
}

const struct target_rpc *target_traffic_find(const struct target_traffic *traffic, const char *name)
{
    for (uint32_t i = 0; i < traffic->rpc_count; i++)
        if (strcmp(traffic->rpc[i].name, name) == 0)
            return &traffic->rpc[i];
    return NULL;
}

struct target_rpc target_traffic_total(const struct target_traffic *traffic, bool data_only)
{
    static const char *const data[] = {"READ", "READ_PLUS", "WRITE"};
    struct target_traffic sum = {.rpc_count = 0};
    struct target_rpc rpc;

    for (uint32_t i = 0; i < traffic->rpc_count; i++) {
        bool wanted = !data_only;
        for (size_t k = 0; k < sizeof(data) / sizeof(data[0]); k++)
            wanted = wanted || strcmp(traffic->rpc[i].name, data[k]) == 0;
        rpc = traffic->rpc[i];
        memset(rpc.name, 0, sizeof(rpc.name));
        if (wanted)
            target_traffic_add_rpc(&sum, &rpc);
    }
    return sum.rpc[0];
}
