/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_work.h - a sweep of several ranks. team_lead.c is rank 0, which runs the sweep like a single
 * process and broadcasts each step as an order; team_rank.c is each rank's own share of a slice,
 * including rank 0's, and the loop of the others.
 *
 *     rank 0                               the others
 *     team_lead_prepare order PREPARE -->  prepare_own; reports
 *     team_lead_slice   order SLICE   -->  row_carry_out at one moment; reports and sums
 *     team_lead_row     order ROW     -->  histograms are added up
 *     team_lead_end     order END     -->  leave the loop
 *
 * When a rank is lost, no more orders are sent and open rows stay incomplete. Messages are plain
 * bytes between identical programs; moments are by the clock of rank 0. */
#ifndef RUN_TEAM_WORK_H
#define RUN_TEAM_WORK_H

#include "run/row.h"
#include "run/sweep_run.h"
#include "run/team.h"
#include "run/worker.h"

enum team_order_kind {
    /* prepare the targets for the cells [index, end), at first releasing the preparation of the
     * part before.  Report. */
    ORDER_PREPARE,
    ORDER_SLICE,  /* run a slice of the cell `index`. Report, followed by the sums. */
    ORDER_ROW,    /* that row has ended: add its histograms */
    ORDER_CLOCKS, /* measure all clocks again */
    ORDER_AGREE,  /* report errors: see team_agree */
    ORDER_END,    /* measuring has ended */
};

struct team_order {
    uint32_t kind;           /* enum team_order_kind */
    uint32_t index, end;     /* cells of the plan */
    uint32_t stage;          /* ORDER_PREPARE: enum prepare_stage */
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
    /* Of a slice; but for rank 0, the share of its objects in the page cache before and after: */
    struct row_resident before, after;
    /* when this rank began and ended, and its delay after the agreed moment; */
    uint64_t began_ns, ended_ns, late_ns;
    uint64_t missing; /* cycles of its share of the row not done yet; 0: no such limit */
    uint64_t left;    /* objects left to use up; UINT64_MAX: unlimited */
    /* durations of its operations in all slices kept or, without any, in this one. */
    struct row_pace pace;
};

/* A report of a slice is followed by one sum without histograms, with --mix by two. */
struct team_slice_report {
    struct team_report report;
    _Alignas(struct slice_sum) char sums[2 * SLICE_SUM_HEAD_BYTES];
};

static inline const struct slice_sum *team_report_sum(const struct team_report *report,
                                                      unsigned kind)
{
    return (const struct slice_sum *)(const void *)((const char *)(report + 1) +
                                                    kind * SLICE_SUM_HEAD_BYTES);
}

static inline size_t team_report_bytes(const struct row *row)
{
    return sizeof(struct team_report) + row_kinds(row) * SLICE_SUM_HEAD_BYTES;
}

struct row_team {         /* of a row, in addition to its result */
    struct slice_sum own; /* work of this rank in the slices kept, with histograms */
    /* Rank 0. */
    double *skew_ns; /* per slice */
    unsigned skews;
    uint64_t missing; /* maximum of the ranks' missing cycles; valid if skews > 0 */
    /* sums: from the first start to the last end of a slice; with all ranks working */
    double whole_ns, common_ns;
};

/* The histograms, which ranks add up at the end of a row: the last members of its tally. */
#define TEAM_HIST_VALUES (3u * HIST_BUCKETS)
static inline uint64_t *team_hists(struct slice_sum *sum)
{
    return (uint64_t *)(void *)((char *)sum + SLICE_SUM_HEAD_BYTES);
}

/* --- team_rank.c --- */

struct row_team *team_row_make(void);
void team_row_free(struct row_team *team);

/* Runs this rank's share of a slice, stores its results, and fills the report and the sums. */
void team_own_slice(struct measure *m, struct row *row, struct slice *what,
                    struct team_slice_report *out);

/* Adds durations of operations. */
void team_add_pace(struct row_pace *into, const struct row_pace *from);

/* Reports the outcome of preparing a part on this rank. */
void team_prepared(const struct run *run, struct team_report *report);

/* Executes orders of rank 0 until ORDER_END, or until the team is lost: -1 and m->err. */
int team_follow(struct run *run);

/* --- team_lead.c --- */

/* Needs m->team. Free with team_lead_end. */
void team_lead_begin(struct measure *m);

/* row_carry_out of rank 0 for all ranks; same results and return value. */
int team_lead_slice(struct measure *m, struct row *row, struct slice *what);

/* Adds the last slice to the row, as alone. */
void team_lead_book(struct measure *m, struct row *row);

/* At the end of a row: adds the histograms of all ranks. False: they are unavailable. */
bool team_lead_row(struct measure *m, struct row *row);

/* prepare_own on all ranks; -1 if it failed on one. */
int team_lead_prepare(struct run *run, struct part *part, enum prepare_stage stage);

/* The minimum length of a slice, so that its edges are a small share of it. */
uint64_t team_lead_slice_ns(const struct measure *m);

void team_lead_end(struct measure *m);

#endif
