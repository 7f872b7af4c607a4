/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sink.h - consumers of rows.  Declared here, implemented in report/: the sweep knows no format. */
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
    unsigned cell_count, part_count;
    struct clock_quality clock;
    double reference_ns;       /* time of a reference cycle at the start; negative: there is none */
    const struct run_use *use; /* when `end` is called; until then nothing is known of it */
    double loop_ns;            /* cost of one cycle of the null engine on this machine, now */
};

struct progress {
    unsigned part, part_count;         /* part is 0-based */
    const struct result *row;          /* of the part: the one measured last, as far as it is */
    unsigned rounds_done, rounds_most; /* of this part; most 0: --time, not known */
    unsigned cells_open, cells_all;    /* of this part */
    unsigned rows_done, rows_all;      /* of the whole run, without those that are skipped */
    uint64_t elapsed_ns, left_ns;      /* of the whole run; left UINT64_MAX: not known yet */
};

struct series_record; /* run/series.h */

/* A slice of a row.  Usually that is a round; where nothing was complete in it, it is part of the
 * next round, and has that one's number. */
struct slice_record {
    const struct cell *cell;
    unsigned round;      /* of the row, from 1 on */
    unsigned part_round; /* of the part: slices of several rows that have the same are neighbours */
    bool counted;        /* in the figures of the row: it was not dropped later */
    uint64_t began_ns;   /* since the start of the run */
    uint64_t elapsed_ns; /* with the time between operations */
    uint64_t time_ns;    /* without */
    uint64_t queued_ns;  /* see slice_sum, of all threads */
    uint64_t operations; /* complete ones */
    double op_ns;        /* time per operation of the round, when it ends here; 0: it does not */
    double reference_ns; /* of the reference cycle beside it; 0: not known */
    uint64_t failed;     /* and short operations */
    uint64_t latency_ns_sum, latency_ns_min, latency_ns_max; /* min UINT64_MAX: of none */
};

struct sink {
    /* All MAY be NULL.  int hooks return 0 or -1 with err filled (output cannot be written): the
     * sweep then stops in good order and does not call this sink again. */
    int (*begin)(void *arg, const struct run_info *info, struct error *err);
    int (*row)(void *arg, const struct result *result, struct error *err); /* in order of index */
    /* Between slices, before the row; those that a row has dropped, too. */
    int (*slice)(void *arg, const struct slice_record *record, struct error *err);
    /* A row is done, but rows before it may not be: it comes again, as `row`,
     * when all of them are. */
    void (*finished)(void *arg, const struct result *result);
    /* after the last row of a part */
    int (*part_end)(void *arg, struct error *err);
    /* Before a target is brought into the cache state that a part needs, and before the part is
     * measured. */
    void (*prepare)(void *arg, const struct target *target);
    void (*part_begin)(void *arg, const struct progress *progress);
    void (*progress)(void *arg, const struct progress *progress); /* between slices */
    /* --interval: one record.  Called on a thread of its own while rows are measured and other
     * hooks are called, but never together with `begin` and `end`. */
    int (*interval)(void *arg, const struct series_record *record, struct error *err);
    int (*end)(void *arg,
               struct error *err); /* once, also after an interruption, unless it failed */
    void *arg;
};

/* The sinks of a run.  One that failed once is not called again: its stream may block, and the
 * files must be removed. */
struct sinks {
    const struct sink *sink; /* count of them */
    unsigned count;
    atomic_bool *dead; /* of each: it failed; the thread of --interval looks at it, too */
};

/* Calls the hook, which returns nothing, of all sinks that have it and have not failed. */
#define SINKS_TELL(sinks, hook, ...)                                        \
    do {                                                                    \
        for (unsigned i_ = 0; i_ < (sinks)->count; i_++)                    \
            if (!(sinks)->dead[i_] && (sinks)->sink[i_].hook)               \
                (sinks)->sink[i_].hook((sinks)->sink[i_].arg, __VA_ARGS__); \
    } while (0)

/* The functions below call the hook of all of these, and return 0, or -1 when one of them fails
 * now.  All are begun, even when one fails: rows follow in any case. */
void sinks_make(struct sinks *sinks, const struct sink *sink, unsigned count);
void sinks_free(struct sinks *sinks);
int sinks_begin(struct sinks *sinks, const struct run_info *info, struct error *err);
int sinks_row(struct sinks *sinks, const struct result *result, bool ends_part, struct error *err);
int sinks_slice(struct sinks *sinks, const struct slice_record *record, struct error *err);
int sinks_interval(void *sinks, const struct series_record *record, struct error *err);
int sinks_end(struct sinks *sinks, struct error *err);

#endif
