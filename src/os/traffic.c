/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* traffic.c - sums of a network file system's counters. */
#include "base/compat.h"

#include "os/traffic.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"

#define NAME_OTHERS "OTHERS" /* row for calls that do not fit into the table */

static void add_numbers(struct target_rpc *sum, const struct target_rpc *rpc)
{
    for (size_t k = 0; k < COUNT_OF(sum->number); k++)
        sum->number[k] += rpc->number[k];
}

void target_traffic_add_rpc(struct target_traffic *traffic, const struct target_rpc *rpc)
{
    uint32_t i = 0;

    while (i < traffic->rpc_count && strcmp(traffic->rpc[i].name, rpc->name) != 0)
        i++;
    if (i == traffic->rpc_count && i < TARGET_RPC_MOST) {
        traffic->rpc[traffic->rpc_count++] = *rpc;
        return;
    }
    if (i == TARGET_RPC_MOST) {
        i = TARGET_RPC_MOST - 1;
        memcpy(traffic->rpc[i].name, NAME_OTHERS, sizeof(NAME_OTHERS));
    }
    add_numbers(&traffic->rpc[i], rpc);
}

/* Counters only grow; a remount in between resets them, which makes the difference meaningless but
 * harmless. */
void target_traffic_add(struct target_traffic *sum, const struct target_traffic *before,
                        const struct target_traffic *after)
{
    static const struct target_rpc none = {.count = 0};

    for (uint32_t i = 0; i < after->rpc_count; i++) {
        struct target_rpc rpc = after->rpc[i];
        const struct target_rpc *old = target_traffic_find(before, rpc.name);

        for (size_t k = 0; k < COUNT_OF(rpc.number); k++)
            rpc.number[k] = number_minus(rpc.number[k], (old ? old : &none)->number[k]);
        if (rpc.count > 0)
            target_traffic_add_rpc(sum, &rpc);
    }
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
    struct target_rpc sum = {.count = 0};

    for (uint32_t i = 0; i < traffic->rpc_count; i++) {
        bool wanted = !data_only;

        for (size_t k = 0; k < COUNT_OF(data); k++)
            wanted = wanted || strcmp(traffic->rpc[i].name, data[k]) == 0;
        if (wanted)
            add_numbers(&sum, &traffic->rpc[i]);
    }
    return sum;
}
