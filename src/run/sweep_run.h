/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_run.h - shared by sweep*.c: a run and its parts, their time limits, and the preparation of
 * their targets. */
#ifndef RUN_SWEEP_RUN_H
#define RUN_SWEEP_RUN_H

#include "base/rng.h"
#include "run/forecast.h"
#include "run/row.h"
#include "run/sweep.h"
#include "run/use.h"

struct run {              /* one sweep_run */
    struct error unready; /* of the first part that could not be prepared; or none */
    bool unready_said;    /* all ranks of a team have reported theirs */
    bool part_unready;    /* the current part cannot be prepared */
    bool part_late;       /* because its time is over */
    const struct sweep *sweep;
    struct measure m;
    struct row *rows;
    unsigned next_row;             /* first row not passed to the sinks */
    const struct result **results; /* of the rows */
    unsigned *order;               /* of the open cells of a round */
    unsigned *group;               /* of each cell: cells of a group are adjacent in a round */
    struct rng shuffle;
    uint64_t progress_ns;  /* of the last progress call */
    uint64_t measuring_ns; /* of earlier parts, without their preparation */
    struct forecast forecast;
    struct sinks sinks;
    struct use_watch watch;
    struct run_use use;
};

struct part {
    unsigned number, first, end; /* cells [first, end) */
    unsigned latest;             /* the cell that had the last slice */
    unsigned open;               /* rows not closed */
    unsigned measurable;
    unsigned round, rounds_most;
    uint64_t begin_ns;
};

static inline uint64_t run_now(const struct run *run)
{
    return clock_now(run->sweep->clock);
}

/* Measuring begins: sets the end of the run. */
void limits_begin(struct run *run);

/* Extends the time for rows by time spent otherwise, but not beyond --max-time. */
void limits_extend(struct run *run, uint64_t spent_ns);

/* Sets run->m's share of the remaining time for a part that begins now. */
void limits_share(struct run *run, const struct part *part);

/* After a part with its own limits: gives the time it took back to the others. */
void limits_leave(struct run *run, const struct part *part);

/* Steps of preparing targets, in this order: all ranks of a team complete one before any begins the
 * next. */
enum prepare_stage {
    STAGE_OWN,    /* before a part: objects created by this rank */
    STAGE_JOINED, /* before a part: objects of another rank, after it has filled them */
    STAGE_ROUND,  /* before each round */
};

/* One step on this rank. */
int prepare_own(struct run *run, struct part *part, enum prepare_stage stage);

/* Prepares the targets of a part; no time limit but --max-time includes this.  -1 with the error in
 * run->m.err, unless the rest of the run can continue (part_unready). */
int prepare_part(struct run *run, struct part *part);

/* The same before each round, with the state of the cache. */
int prepare_round(struct run *run, struct part *part);

/* Whether an earlier step used up the data of the part, which is reported once instead of for each
 * operation.  If so, ends the run, and run->m.err names both. */
bool prepare_lacks_data(struct run *run, const struct part *part);

#define NOT_FILLED "not_filled"

/* Skips rows of a part whose data are missing, since test fill did not write them, and counts the
 * others. */
void prepare_skip_unfilled(struct run *run, struct part *part);

/* After the rows of a part are closed: forgets the objects made by test create that it used. */
void created_close(struct run *run, const struct part *part);

/* At the end: a part that could not be prepared is an error of the run if nothing was measured,
 * else a remark in its outcome. */
void prepare_tell(struct run *run);

#endif
