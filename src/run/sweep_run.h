/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_run.h - what sweep*.c share: a run and its parts, how long they may take, and what makes
 * their targets ready. */
#ifndef RUN_SWEEP_RUN_H
#define RUN_SWEEP_RUN_H

#include "base/rng.h"
#include "run/outlook.h"
#include "run/row.h"
#include "run/sweep.h"
#include "run/use.h"

struct run {              /* one sweep_run */
    struct error unready; /* why the first part that could not be prepared was not; or none */
    bool unready_said;    /* all ranks of a team have told theirs */
    bool part_unready;    /* nor can the one under way */
    bool part_late;       /* because there was no time for that */
    const struct sweep *sweep;
    struct measure m;
    struct row *rows;
    unsigned next_row; /* first row not given to the sinks */
    unsigned *order;   /* of the open cells of a round */
    unsigned *group;   /* of each cell: those that have the same follow each other in a round */
    struct rng shuffle;
    uint64_t start_ns, end_ns; /* of the run; end UINT64_MAX: no limit */
    uint64_t progress_ns;      /* of the last progress call */
    uint64_t measuring_ns;     /* of the parts before, without preparing them */
    struct outlook outlook;
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

/* Measuring begins: when it ends at the latest. */
void limits_begin(struct run *run);

/* So much was spent on what the time that rows have does not count; --max-time does. */
void limits_extend(struct run *run, uint64_t spent_ns);

/* What of that a part has that begins now, into run->m. */
void limits_share(struct run *run, const struct part *part);

/* A part has ended, which had its own limits: the others have as much time as before. */
void limits_leave(struct run *run, const struct part *part);

/* Makes the targets of a part ready for it; limits of time but --max-time do not run meanwhile:
 * they are for measuring.  -1: run->m.err says why, unless the rest of the run can go on
 * (part_unready). */
int prepare_part(struct run *run, struct part *part);

/* The second half of it, which prepare_part of rank 0 orders once all ranks have done the first:
 * what other ranks have made. */
int prepare_joined(struct run *run, const struct part *part);

/* The same before each round, with the state of the cache. */
int prepare_round(struct run *run, const struct part *part);

/* An earlier step has used up what the part needs: better said once and before than operation by
 * operation.  Then the run is broken, and run->m.err names both. */
bool prepare_lacks_data(struct run *run, const struct part *part);

/* The run ends because an earlier step, `before`, used up the data of this one.  Returns -1. */
int refuse_used_up(struct run *run, const struct cell *cell, const struct cell *before);

/* sweep_created.c.  Of a part that goes over what test create has made: looks for that, and gives
 * its cells places there; of others nothing.  Rows of a size that there is nothing of have no
 * objects. -1: run->m.err says why, or the run ends.  And forgets it again, after the rows are
 * closed. */
int created_open(struct run *run, struct part *part);
void created_close(struct run *run, const struct part *part);

/* At the end: a part that could not be made ready is an error of the run if nothing was measured,
 * and else a remark in its outcome. */
void prepare_tell(struct run *run);

#endif
