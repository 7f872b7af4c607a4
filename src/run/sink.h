/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sink.h - consumers of results. Declared here and implemented in report/, so that the sweep knows
 * no format. */
#ifndef RUN_SINK_H
#define RUN_SINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/cell.h"
#include "run/settings.h"
#include "run/use.h"

struct team;

/* Facts of the run that every sink may print; const. */
struct run_info {
    const struct settings *settings;
    const struct target *const *targets; /* settings->target_count of them */
    const struct team *team;             /* of several ranks; NULL: alone */
    const struct cell *cells;
    unsigned cell_count;
    struct clock_quality clock;
    /* Passed to the sinks so far, in order of index: *row_count results, valid until the end of the
     * run. */
    const struct result *const *rows;
    const unsigned *row_count;
    double reference_ns;       /* time of a reference cycle at the start; negative: none */
    const struct run_use *use; /* valid when `end` is called */
    double loop_ns;            /* cost of one cycle of the null engine on this machine */
};

struct progress {
    const struct result *row;          /* of the part: the one measured last, as far as it is */
    unsigned rounds_done, rounds_most; /* of this part; most 0: --time, unknown */
    unsigned rows_done, rows_all;      /* of the whole run, without those that are skipped */
    uint64_t elapsed_ns, left_ns;      /* of the whole run; left UINT64_MAX: not known yet */
};

struct series_record; /* run/series.h */

/* A slice of a row. Usually a slice is a round; a slice without complete operations is part of the
 * next round and has its number. */
struct slice_record {
    const struct cell *cell;
    unsigned round; /* of the row, from 1 on */
    unsigned
        part_round; /* of the part; equal for slices of several rows that were measured together */
    uint64_t began_ns;   /* since the start of the run */
    uint64_t elapsed_ns; /* including the time between operations */
    uint64_t time_ns;    /* without */
    uint64_t queued_ns;  /* see slice_sum, of all threads */
    uint64_t operations; /* complete ones */
    double op_ns;        /* time per operation of the round if it ends here, else 0 */
    double reference_ns; /* of the reference cycle measured with it; 0: unknown */
    uint64_t failed;     /* and short operations */
    uint64_t latency_ns_sum, latency_ns_min, latency_ns_max; /* min UINT64_MAX: of none */
};

struct sink {
    /* All MAY be NULL. int hooks return 0, or -1 with err filled (output failed): the sweep then
     * ends cleanly and does not call this sink again. */
    int (*begin)(void *arg, const struct run_info *info, struct error *err);
    int (*row)(void *arg, const struct result *result, struct error *err); /* in order of index */
    /* Between slices, before the row; also for slices that were dropped. */
    int (*slice)(void *arg, const struct slice_record *record, struct error *err);
    /* A row is finished, but earlier rows may not be: `row` follows when all of them are. */
    void (*finished)(void *arg, const struct result *result);
    /* after the last row of a part */
    int (*part_end)(void *arg, struct error *err);
    void (*progress)(void *arg, const struct progress *progress); /* between slices */
    /* --interval: one record. Called on a separate thread while rows are measured and other hooks
     * are called, but never together with `begin` and `end`. */
    int (*interval)(void *arg, const struct series_record *record, struct error *err);
    int (*end)(void *arg,
               struct error *err); /* once, also after an interruption, unless it failed */
    void *arg;
};

/* The sinks of a run. A sink that failed is not called again: its stream may block, and the test
 * files must still be removed. */
struct sinks {
    const struct sink *sink; /* count of them */
    unsigned count;
    atomic_bool *dead; /* whether each failed; also read by the thread of --interval */
};

/* Calls a void hook of all sinks that have it and have not failed. */
#define SINKS_TELL(sinks, hook, ...)                                        \
    do {                                                                    \
        for (unsigned i_ = 0; i_ < (sinks)->count; i_++)                    \
            if (!(sinks)->dead[i_] && (sinks)->sink[i_].hook)               \
                (sinks)->sink[i_].hook((sinks)->sink[i_].arg, __VA_ARGS__); \
    } while (0)

/* Calls an int hook of all of them, even if one fails: then `failed` becomes true. */
#define SINKS_CALL(sinks, failed, hook, ...)                                    \
    do {                                                                        \
        for (unsigned i_ = 0; i_ < (sinks)->count; i_++)                        \
            if (!(sinks)->dead[i_] && (sinks)->sink[i_].hook &&                 \
                (sinks)->sink[i_].hook((sinks)->sink[i_].arg, __VA_ARGS__) < 0) \
                (sinks)->dead[i_] = (failed) = true;                            \
    } while (0)

#endif
