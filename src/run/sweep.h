/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep.h - measures the cells of a plan: parts one after the other; in a part rounds of slices of
 * all open cells in fresh random order, until each row is precise; rows to the sinks in order. */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "base/clock.h"
#include "base/error.h"
#include "run/plan.h"
#include "run/settings.h"
#include "run/sink.h"

struct reference;
struct team;

#define SWEEP_ROW_TIME_NS UINT64_C(1100000000) /* mean time of a row without --max-time */

struct sweep {
    const struct settings *settings;
    const struct plan *plan;
    struct target *const *targets;
    struct team *team; /* see team.h; NULL: alone */
    const struct clock *clock;
    struct clock_quality clock_quality;
    double loop_ns;                    /* see reference_loop_ns */
    const struct reference *reference; /* measured with the rows; NULL: none */
    struct sink *sinks;                /* sink_count of them */
    unsigned sink_count;
    uint64_t end_ns; /* end of measuring and preparing by that clock; 0: no limit */
    const volatile int *stop;
    /* MAY be NULL. Called once, after everything that can be refused was tried and before the first
     * sink begins. Returns 0 or -1. */
    int (*ready)(void *arg, struct error *err);
    void *ready_arg;
};

/* The outcome of a sweep, for the exit status and final messages. */
struct sweep_outcome {
    unsigned rows_complete, rows_incomplete, rows_skipped;
    unsigned rows_empty;     /* incomplete rows for which no created files were left */
    const char *skip;        /* reason of the last skipped row; NULL: none */
    uint64_t requested;      /* operations of targets that count requests, in rows or not */
    uint64_t counted;        /* of these, the operations in rows */
    uint64_t failed;         /* operations */
    uint64_t short_count;    /* operations that moved too little, without --allow-short */
    bool gave_up;            /* max_errors was reached */
    unsigned steps_gave_up;  /* steps whose error budget was exceeded */
    uint64_t wrong;          /* operations whose data were wrong (--verify) */
    char first_unready[900]; /* why a part could not be prepared; its rows are incomplete; or "" */
    /* of each kind, or "": "cannot read d0/d1/f3 at offset 4096: Input/output error";
     * "d0/f1 at offset 0: 100 of 4096 bytes"; "d0/f1 at offset 4096: expected 01 ..., found 00 ..."
     */
    char first[TROUBLE_KINDS][TROUBLE_BYTES];
};

/* Returns 0 if the sweep ended, or was stopped by a signal or by max_errors (see the outcome), and
 * -1 if it could not run (err). In every case all rows go to the sinks, unfinished ones as
 * RESULT_INCOMPLETE, and `end` is called once. */
int sweep_run(const struct sweep *sweep, struct sweep_outcome *outcome, struct error *err);

#endif
