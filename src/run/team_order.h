/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_order.h - the messages between ranks during a sweep. Rank 0 broadcasts an order; all ranks
 * including rank 0 carry it out and, if the order requires it, send a report. Plain bytes between
 * identical programs. Moments are by the clock of rank 0. */
#ifndef RUN_TEAM_ORDER_H
#define RUN_TEAM_ORDER_H

#include <stdint.h>

#include "run/worker.h"

enum team_order_kind {
    ORDER_PART, /* prepare the targets for the cells [index, end). Report. */
    /* the same for what other ranks have created there: see prepare_joined. Report. */
    ORDER_JOINED,
    ORDER_ROUND,    /* the same before a round.  Report. */
    ORDER_SLICE,    /* run a slice of the cell `index`. Report, followed by the sums. */
    ORDER_ROW,      /* that row has ended: add its histograms */
    ORDER_PART_END, /* release the preparation of the part */
    ORDER_CLOCKS,   /* measure all clocks again */
    ORDER_AGREE,    /* report errors: see team_agree */
    ORDER_END,      /* measuring has ended */
};

struct team_order {
    uint32_t kind;           /* enum team_order_kind */
    uint32_t index, end;     /* cells of the plan */
    struct slice_plan slice; /* ORDER_SLICE */
    uint64_t part_end_ns;    /* UINT64_MAX: no limit */
};

/* Bits of struct team_report.flags. */
enum team_report_flag {
    REPORT_BROKEN = 1u << 0,    /* the run cannot continue */
    REPORT_UNREADY = 1u << 1,   /* the part cannot be prepared */
    REPORT_LATE = 1u << 2,      /* no time was left to prepare it */
    REPORT_EXHAUSTED = 1u << 3, /* a target accepts no more requests */
    REPORT_DRY = 1u << 4,       /* the objects of the row are used up */
    REPORT_MISSED = 1u << 5,    /* the agreed moment had passed when the rank received it */
    REPORT_IDLE = 1u << 6,      /* the rank had no share of the slice */
};

struct team_report {
    uint32_t flags;
    int32_t signum; /* signal received by the rank; 0: none */
    /* negative: unknown */
    double resident_before, resident_after; /* share of its objects in the page cache */
    /* Of a slice: when this rank began and ended, and its delay after the agreed moment. */
    uint64_t began_ns, ended_ns, late_ns;
    uint64_t missing; /* cycles of its share of the row not done yet; 0: no such limit */
    uint64_t left;    /* objects left to use up; UINT64_MAX: unlimited */
    /* Durations of its operations in all slices kept or, without any, in this one: slice_reach_ns,
     * 99th percentile, sum and number of latencies. */
    uint64_t reach_ns, p99_ns, latency_count;
    double latency_ns_sum;
};

/* A report of a slice is followed by one sum without histograms, with --mix by two. */
#define TEAM_REPORT_SUMS 2u

static inline const struct slice_sum *team_report_sum(const struct team_report *report,
                                                      unsigned kind)
{
    return (const struct slice_sum *)(const void *)((const char *)(report + 1) +
                                                    kind * SLICE_SUM_HEAD_BYTES);
}

/* The reports gathered by rank 0, in the order of ranks. */
struct team_reports {
    char *data;
    size_t stride_bytes; /* size of a report with its sums */
    uint32_t count;
};

static inline const struct team_report *team_report_at(const struct team_reports *reports,
                                                       uint32_t rank)
{
    return (const struct team_report *)(const void *)(reports->data + reports->stride_bytes * rank);
}

/* Times of a slice: from the first start to the last end; with all ranks working; between the first
 * and the last start. */
struct team_overlap {
    uint64_t whole_ns, common_ns, skew_ns;
};

/* The first ranks with operations that failed, moved too few bytes or found wrong data; 0: none. */
struct team_first {
    uint32_t failed, cut_short, wrong;
};

#endif
