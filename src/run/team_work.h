/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_work.h - a sweep of several ranks.  team_lead.c is rank 0, which goes through the sweep as
 * if it were alone and hands each step to the others; team_follow.c is the loop of these;
 * team_own.c is what each of them does of a slice itself, rank 0 too.
 *
 *     rank 0                               the others
 *     team_lead_part    order PART    -->  prepare_part; reports
 *     team_lead_slice   order SLICE   -->  row_carry_out at one moment; reports and sums
 *     team_lead_row     order ROW     -->  histograms are added up
 *     team_lead_end     order END     -->  leave the loop
 *
 * When a rank is lost, no more orders are sent and open rows stay incomplete. */
#ifndef RUN_TEAM_WORK_H
#define RUN_TEAM_WORK_H

#include "run/row.h"
#include "run/sweep_run.h"
#include "run/team.h"
#include "run/team_order.h"

struct row_team {          /* of a row, beside its result */
    struct slice_sum *own; /* what this rank did in the slices kept, with its histograms */
    /* Rank 0. */
    double *skew_ns; /* of each slice */
    unsigned skews;
    uint64_t missing; /* the most that any rank lacks of its cycles, once there are skews */
    double whole_ns, common_ns; /* see struct team_overlap, summed */
};

static inline size_t team_report_bytes(const struct row *row)
{
    return sizeof(struct team_report) + row_kinds(row) * SLICE_SUM_HEAD_BYTES;
}

/* --- team_own.c --- */

struct row_team *team_row_make(void);
void team_row_free(struct row_team *team);

/* Runs this rank's share of a slice, keeps what it did, and fills the report and the sums behind
 * it. */
void team_own_slice(struct measure *m, struct row *row, struct slice *what,
                    struct team_report *report);

/* The cycles of this rank that the slices kept so far lack; 0: unlimited. And of that many cycles
 * for each rank the number that this one has left to do. */
uint64_t team_own_missing(const struct row *row);
uint64_t team_own_share(const struct row *row, uint64_t cycles);

/* The report of a slice of which none is for this rank. */
void team_own_idle(const struct measure *m, const struct row *row, struct team_report *report);

/* Fills a report with the state of this rank only. */
void team_own_trouble(const struct measure *m, struct team_report *report);

/* The histograms of a row as values that ranks add up, and back. */
#define TEAM_HIST_VALUES (3u * HIST_BUCKETS)
void team_hists_take(const struct slice_sum *sum, uint64_t *values);
void team_hists_put(struct slice_sum *sum, const uint64_t *values);

/* --- team_lead.c --- */

/* m->team is set. Freed by team_lead_end. */
void team_lead_begin(struct measure *m);

/* Adds up the sums of one kind of operations (1: the reads of --mix) over all ranks into *joint,
 * without histograms. */
struct team_overlap team_sum_join(const struct team_reports *reports, unsigned kind,
                                  struct slice_sum *joint);

struct team_first team_sum_first(const struct team_reports *reports, unsigned kind);

/* For row_carry_out of rank 0, with all ranks; the same is true of what it returns and leaves. */
int team_lead_slice(struct measure *m, struct row *row, struct slice *what);

/* The slice that came last is part of the row, as row_book has it. */
void team_lead_book(struct measure *m, struct row *row);

/* The row is over: its histograms are those of all ranks. False: they cannot be had. */
bool team_lead_row(struct measure *m, struct row *row);

/* Before the part is made ready here, or a round of it; and after it: what it came to on all ranks.
 * status, as returned by that; returns it, or -1. */
void team_lead_part(struct run *run, const struct part *part, enum team_order_kind kind);
int team_lead_prepared(struct run *run, int status);
void team_lead_part_end(struct run *run);

/* No slice is to be shorter: its edges would be more than little of it. */
uint64_t team_lead_slice_ns(const struct measure *m);

void team_lead_end(struct measure *m);

/* --- team_follow.c --- */

/* What making a part ready has come to here. */
void team_prepared(const struct run *run, struct team_report *report);

/* Carries out what rank 0 orders, until it orders the end or the team is lost: -1 and m->err. */
int team_follow(struct run *run);

/* --- team_agree.c --- */

/* Every rank says whether it can go on (err not set). Returns 0 when all can. Else -1, and rank 0
 * has in err what is wrong with all of them (more than one reason: the others are printed), while
 * the others have the same status and team->told. */
int team_agree(struct team *team, struct error *err);

/* A collective step has failed with that code: who is lost, into err. Returns -1. */
int team_explain(struct team *team, int code, struct error *err);

#endif
