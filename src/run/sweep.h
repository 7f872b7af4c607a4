/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.h - measures the cells of a plan: parts one after the other; in a part rounds of slices of
 * all open cells in fresh random order, until each row is precise; rows to the sinks in order. */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "base/clock.h"
#include "base/error.h"
#include "run/outcome.h"
#include "run/plan.h"
#include "run/settings.h"
#include "run/sink.h"

struct reference;

#define SWEEP_ROW_TIME_NS UINT64_C(1600000000) /* mean time of a row without --max-time */

struct sweep {
    const struct settings *settings;
    const struct plan *plan;
    struct target *const *targets;
    const struct clock *clock;
    struct clock_quality clock_quality;
    double loop_ns;     /* see sweep_loop_cost */
    const struct reference *reference; /* measured along with the rows; NULL: none */
    struct sink *sinks; /* sink_count of them */
    unsigned sink_count;
    const volatile int *stop;
    /* MAY be NULL.  Called once, when all that can be refused has been tried and before the first
     * sink begins.  Returns 0 or -1. */
    int (*ready)(void *arg, struct error *err);
    void *ready_arg;
};

/* Returns 0 when the sweep came to its end or was stopped by a signal or by max_errors (see the
 * outcome), -1 when it could not be run (err).  In every case all rows went to the sinks, the
 * unfinished ones as RESULT_INCOMPLETE, and `end` was called once. */
int sweep_run(const struct sweep *sweep, struct sweep_outcome *outcome, struct error *err);

/* Cost of one cycle that does no I/O, in ns: offset, clock reading, counting.  Takes some 2 ms. */
double sweep_loop_cost(const struct clock *clock);

#endif
