/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_work.h - a sweep of several ranks. team_lead.c is rank 0, which runs the sweep like a single
 * process and sends each step to the others; team_follow.c is their loop; team_own.c is each rank's
 * own share of a slice, including rank 0's.
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

struct row_team {          /* of a row, in addition to its result */
    struct slice_sum *own; /* work of this rank in the slices kept, with histograms */
    /* Rank 0. */
    double *skew_ns; /* per slice */
    unsigned skews;
    uint64_t missing;           /* maximum of the ranks' missing cycles; valid if skews > 0 */
    double whole_ns, common_ns; /* see struct team_overlap, summed */
};

static inline size_t team_report_bytes(const struct row *row)
{
    return sizeof(struct team_report) + row_kinds(row) * SLICE_SUM_HEAD_BYTES;
}

/* --- team_own.c --- */

struct row_team *team_row_make(void);
void team_row_free(struct row_team *team);

/* Runs this rank's share of a slice, stores its results, and fills the report and the sums after
 * it. */
void team_own_slice(struct measure *m, struct row *row, struct slice *what,
                    struct team_report *report);

/* team_own_missing returns this rank's cycles that the slices kept so far lack; 0: unlimited.
 * team_own_share limits the cycles per rank of a slice to those. */
uint64_t team_own_missing(const struct row *row);
uint64_t team_own_share(const struct row *row, uint64_t cycles);

/* Fills the report of a slice without a share for this rank. */
void team_own_idle(const struct measure *m, const struct row *row, struct team_report *report);

/* Fills a report with the state of this rank only. */
void team_own_trouble(const struct measure *m, struct team_report *report);

/* Copies the histograms of a row to values that ranks add up, and back. */
#define TEAM_HIST_VALUES (3u * HIST_BUCKETS)
void team_hists_take(const struct slice_sum *sum, uint64_t *values);
void team_hists_put(struct slice_sum *sum, const uint64_t *values);

/* --- team_lead.c --- */

/* Needs m->team. Free with team_lead_end. */
void team_lead_begin(struct measure *m);

/* Adds up the sums of one kind of operations (1: the reads of --mix) over all ranks into *joint,
 * without histograms. */
struct team_overlap team_sum_join(const struct team_reports *reports, unsigned kind,
                                  struct slice_sum *joint);

struct team_first team_sum_first(const struct team_reports *reports, unsigned kind);

/* row_carry_out of rank 0 for all ranks; same results and return value. */
int team_lead_slice(struct measure *m, struct row *row, struct slice *what);

/* Adds the last slice to the row, like row_book. */
void team_lead_book(struct measure *m, struct row *row);

/* At the end of a row: adds the histograms of all ranks. False: they are unavailable. */
bool team_lead_row(struct measure *m, struct row *row);

/* team_lead_part is called before a part, or a round of it, is prepared here; team_lead_prepared
 * afterwards, to collect the outcome of all ranks. status: returned by the preparation; returns it,
 * or -1. */
void team_lead_part(struct run *run, const struct part *part, enum team_order_kind kind);
int team_lead_prepared(struct run *run, int status);
void team_lead_part_end(struct run *run);

/* The minimum length of a slice, so that its edges are a small share of it. */
uint64_t team_lead_slice_ns(const struct measure *m);

void team_lead_end(struct measure *m);

/* --- team_follow.c --- */

/* Reports the outcome of preparing a part on this rank. */
void team_prepared(const struct run *run, struct team_report *report);

/* Executes orders of rank 0 until ORDER_END, or until the team is lost: -1 and m->err. */
int team_follow(struct run *run);

/* --- team_agree.c --- */

/* Every rank reports whether it can continue (err not set). Returns 0 if all can. Otherwise returns
 * -1; err of rank 0 then contains the first reason of all ranks (it prints further ones), while the
 * others get the same status and team->told. */
int team_agree(struct team *team, struct error *err);

/* Stores in err which rank is lost after a collective failed with that code. Returns -1. */
int team_explain(struct team *team, int code, struct error *err);

#endif
