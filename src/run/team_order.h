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
    ORDER_PART,     /* make the targets ready for the cells [index, end).  Report. */
    ORDER_JOINED,   /* the same of what other ranks have made there: see prepare_joined.  Report. */
    ORDER_ROUND,    /* the same before a round.  Report. */
    ORDER_SLICE,    /* run a slice of the cell `index`.  Report, with the sums behind it. */
    ORDER_ROW,      /* that row is over: add its histograms */
    ORDER_PART_END, /* forget what the part was made ready with */
    ORDER_CLOCKS,   /* ask all clocks again */
    ORDER_AGREE,    /* say what is wrong: see team_agree */
    ORDER_END,      /* nothing more is measured */
};

struct team_order {
    uint32_t kind;           /* enum team_order_kind */
    uint32_t index, end;     /* cells of the plan */
    struct slice_plan slice; /* ORDER_SLICE */
    uint64_t part_end_ns;    /* UINT64_MAX: no limit */
};

/* Bits of struct team_report.flags. */
enum team_report_flag {
    REPORT_BROKEN = 1u << 0,    /* the run cannot go on */
    REPORT_UNREADY = 1u << 1,   /* the part cannot be made ready */
    REPORT_LATE = 1u << 2,      /* there was no time for that */
    REPORT_EXHAUSTED = 1u << 3, /* no more may be asked of a target */
    REPORT_DRY = 1u << 4,       /* nothing is left for the row to use up */
    REPORT_MISSED = 1u << 5,    /* the moment of the slice was over when it came to know it */
    REPORT_IDLE = 1u << 6,      /* none of the slice was for it: it only kept step */
};

struct team_report {
    uint32_t flags;
    int32_t signum; /* it has got this signal; 0: none */
    /* negative: unknown */
    double resident_before, resident_after; /* share of its objects in the page cache */
    /* Of a slice: when this rank was at work, and how long after the agreed moment it began. */
    uint64_t began_ns, ended_ns, late_ns;
    uint64_t missing; /* of the cycles of the row that are for it; 0: it has no such limit */
    uint64_t left;    /* objects that can still be used up; UINT64_MAX: any number */
    /* How long its operations take, of all slices kept, or else of this one: see slice_reach_ns,
     * 99th percentile, and the sum and number of latencies. */
    uint64_t reach_ns, p99_ns, latency_count;
    double latency_ns_sum;
};

/* A report of a slice is followed by one sum without histograms, or with --mix by two. */
#define TEAM_REPORT_SUMS 2u

static inline const struct slice_sum *team_report_sum(const struct team_report *report,
                                                      unsigned kind)
{
    return (const struct slice_sum *)(const void *)((const char *)(report + 1) +
                                                    kind * SLICE_SUM_HEAD_BYTES);
}

/* The reports that rank 0 has gathered, in the order of ranks. */
struct team_reports {
    char *data;
    size_t stride_bytes; /* of a report with its sums */
    uint32_t count;
};

static inline const struct team_report *team_report_at(const struct team_reports *reports,
                                                       uint32_t rank)
{
    return (const struct team_report *)(const void *)(reports->data + reports->stride_bytes * rank);
}

/* Times of a slice: from the first start to the last end, with all ranks at work, and between the
 * first and the last start. */
struct team_overlap {
    uint64_t whole_ns, common_ns, skew_ns;
};

/* The first ranks with operations that failed, moved too few bytes or found wrong data; 0: none. */
struct team_first {
    uint32_t failed, cut_short, wrong;
};

#endif
