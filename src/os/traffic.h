/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* traffic.h - counters of a network file system for a mount: calls by name, bytes, waiting. The
 * sums are the same on all systems (os/traffic.c); ports provide the counters. */
#ifndef OS_TRAFFIC_H
#define OS_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

/* Network traffic of a target since it was mounted, or during a row; times in milliseconds, as in
 * the kernel's NFS client. */
#define TARGET_RPC_MOST 64u
#define TARGET_RPC_NAME 24u
struct target_rpc {
    char name[TARGET_RPC_NAME]; /* as in the kernel: "READ", "OPEN" */
    union {
        struct {
            uint64_t count;                      /* calls that were answered or abandoned */
            uint64_t retransmissions;            /* retransmitted calls */
            uint64_t timeouts;                   /* major timeouts */
            uint64_t sent_bytes, received_bytes; /* whole messages, including headers */
            uint64_t queue_ms;                   /* before they were sent */
            uint64_t round_trip_ms;              /* between sending and the reply */
            /* everything: queue, round trip and the client's own work */
            uint64_t execute_ms;
        };
        uint64_t number[8]; /* all of them */
    };
};
struct target_traffic {
    uint32_t rpc_count;                             /* number of entries below */
    struct target_rpc rpc[TARGET_RPC_MOST];         /* the last one sums up what does not fit */
    uint64_t server_read_bytes, server_write_bytes; /* data moved by READ and WRITE */
};

/* Adds a row of counters to the entry of its name. */
void target_traffic_add_rpc(struct target_traffic *traffic, const struct target_rpc *rpc);

/* Adds the difference of two readings of one target to a sum (all zero at first). */
void target_traffic_add(struct target_traffic *sum, const struct target_traffic *before,
                        const struct target_traffic *after);

/* The counters of a name, or NULL. */
const struct target_rpc *target_traffic_find(const struct target_traffic *traffic,
                                             const char *name);

/* Sums over all names, or over those that move data (READ, READ_PLUS, WRITE). */
struct target_rpc target_traffic_total(const struct target_traffic *traffic, bool data_only);

#endif
