/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cell.h - one point of the sweep, what was measured there, and the length of its slices. */
#ifndef RUN_CELL_H
#define RUN_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/slice_sum.h"

/* The limits that end a row, from its step or the run; the first one reached ends it. 0: no
 * limit. */
struct cell_stop {
    uint64_t cycles;  /* of all threads of this rank */
    bool idle;        /* fewer cycles than ranks: this rank has none, whatever cycles says */
    bool per_thread;  /* all threads do the same number */
    uint64_t time_ns; /* measuring time */
    uint64_t errors;  /* failed operations of all rows of the part */
};

/* Const once planned, except the target and the places of a `created` cell, which are set when its
 * part begins. */
struct cell {
    unsigned index; /* row number: rows appear in this order */
    /* cells of one part (cache mode, loop, step, repeat) are measured in the same rounds */
    unsigned part;
    uint32_t step, loop, repeat; /* of --tests, --loops and --repeat, each from 1 on */
    unsigned target;             /* index of the target */
    const struct engine *engine;
    struct workload work;
    uint32_t threads;
    uint32_t peers; /* other ranks of the team, which measure it at the same time */
    /* --mix: reads are read_percent of the operations of a slice. Writes and reads have a cell
     * each, the writes' first. mate: index of the other cell relative to this one; 0: none;
     * negative: this is the cell of the reads, which are measured in the slices of the writes. */
    bool mixed;
    uint32_t read_percent;
    int mate;
    bool verified;        /* --verify, and the expected data are known */
    uint64_t align_bytes; /* offsets are multiples of it; a power of two */
    struct cell_stop stop;
    /* The number of operations available, at most stop.cycles, for --access once and for tests that
     * use up objects; 0: unlimited. */
    uint64_t places;
    unsigned places_stop; /* enum result_stop: the reason to report when they run out */
    /* Test fill: consecutive rows of one file, which are writes to engines and drivers. goes_on:
     * continues where the previous row ended; place_first: first place of this row. */
    bool fills, goes_on;
    uint64_t place_first;
    bool created;     /* uses the objects of test create of this run */
    const char *skip; /* not NULL: not measured; the reason ("beyond_file") */
};

/* Whether the row is measured until it is precise, because it has neither limit. */
static inline bool cell_adaptive(const struct cell *cell)
{
    return !cell->stop.cycles && !cell->stop.time_ns;
}

/* The nominal number of operations in flight, over all ranks. */
static inline uint64_t cell_slots(const struct cell *cell)
{
    return (uint64_t)cell->threads * cell->work.depth * (1 + (uint64_t)cell->peers);
}

/* The test as reported: rows of test fill are writes to engines. */
static inline enum io_test cell_test(const struct cell *cell)
{
    return cell->fills ? TEST_FILL : cell->work.test;
}

/* Whether it is measured in the slices of another cell. */
static inline bool cell_follows(const struct cell *cell)
{
    return cell->mate < 0;
}

/* The operations of a test that the objects of the cell still allow; UINT64_MAX: any number. */
static inline uint64_t cell_left(const struct cell *cell, enum io_test test)
{
    const struct target *target = cell->work.target;

    return target->driver->left ? target->driver->left(target, test, cell->work.size_bytes)
                                : UINT64_MAX;
}

/* The axes that distinguish rows, apart from their position in the run: a bit and a field of struct
 * cell each. Engines are compared by name. */
#define CELL_AXES(AXIS)            \
    AXIS(TARGET, 0, target)        \
    AXIS(CACHE, 1, work.cache)     \
    AXIS(ACCESS, 2, work.access)   \
    AXIS(THREADS, 3, threads)      \
    AXIS(DEPTH, 4, work.depth)     \
    AXIS(SIZE, 5, work.size_bytes) \
    AXIS(TEST, 6, work.test)       \
    AXIS(MIXED, 7, mixed)          \
    AXIS(MIX, 8, read_percent)     \
    AXIS(PLACE, 9, place_first)

/* clang-format off */
#define AXIS(name, bit, field) AXIS_##name = 1u << bit,
enum cell_axis { CELL_AXES(AXIS) AXIS_ENGINE = 1u << 10 };
#undef AXIS
/* clang-format on */

/* The axes along which rows are compared round by round. */
#define CELL_PAIRED (AXIS_TARGET | AXIS_ENGINE | AXIS_ACCESS | AXIS_THREADS | AXIS_DEPTH)

/* The axes in which two cells differ. */
static inline unsigned cell_unlike(const struct cell *a, const struct cell *b)
{
#define AXIS(name, bit, field) unlike |= a->field == b->field ? 0u : AXIS_##name;
    unsigned unlike = engine_same(a->engine, b->engine) ? 0u : AXIS_ENGINE;

    CELL_AXES(AXIS)
#undef AXIS
    return unlike;
}

/* Whether two cells differ only in loop, repeat and the axes `beside`. */
static inline bool cell_alike(const struct cell *a, const struct cell *b, unsigned beside)
{
    return a->step == b->step && cell_test(a) == cell_test(b) && !(cell_unlike(a, b) & ~beside);
}

enum result_state {
    RESULT_OPEN,       /* being measured */
    RESULT_CLOSED,     /* measured as requested */
    RESULT_INCOMPLETE, /* ended early: signal, errors, time */
    RESULT_SKIPPED,    /* cell->skip is the reason */
};

/* Bits of struct result.notes; names in report/columns, meanings in iosweep-measuring(7). */
enum result_note {
    NOTE_WIDE = 1u << 0,       /* the interval of the mean is wider than requested */
    NOTE_DRIFT = 1u << 1,      /* the rounds show a trend */
    NOTE_CORRELATED = 1u << 2, /* neighbouring rounds are correlated */
    NOTE_OUTLIERS = 1u << 3,   /* rounds far from the median */
    NOTE_TIMER = 1u << 4,      /* reading the clock costs > 5 % of an operation */
    NOTE_COVERED = 1u << 5,    /* size below the O_DIRECT block: covering blocks were moved */
    NOTE_RMW = 1u << 6,        /* writes read, modified and wrote covering blocks */
    NOTE_CACHE_HITS = 1u << 7, /* direct or uncached, yet served from memory */
    NOTE_NOT_CACHED = 1u << 8, /* cached, yet > 5 % came from storage */
    NOTE_UNFAIR = 1u << 9,     /* slowest and fastest thread differ more than 2x */
    NOTE_SHORT = 1u << 10,     /* short transfers */
    NOTE_INCOMPLETE = 1u << 11,
    NOTE_PUNTED = 1u << 12,        /* kernel worker threads did the I/O, not the ring itself */
    NOTE_SUBMIT_BLOCKS = 1u << 13, /* synchronous in disguise: most time is spent submitting */
    NOTE_PLAIN_BUFFERS = 1u << 14, /* too little lockable memory to register the buffers */
    NOTE_RATE_MISSED = 1u << 15,   /* the requested rate was not reached */
    NOTE_WRONG_DATA = 1u << 16,    /* verification failed */
    NOTE_DRAINED = 1u << 17,       /* fewer than 0.9 of threads * depth were in flight */
    NOTE_UNSTEADY = 1u << 18,      /* operations took longer than the time of all slots: a fault */
    NOTE_FAILED_TIME = 1u << 19,   /* failed operations took much of the time */
    NOTE_COLD = 1u << 20,          /* the first of several repeats */
    NOTE_READAHEAD = 1u << 21,     /* storage delivered more than requested */
    NOTE_CREATED = 1u << 22,       /* uses the objects of test create of this run */
    NOTE_RANKS_APART = 1u << 23,   /* all ranks worked at once in less than 95 % of the time */
    NOTE_NOCACHE = 1u << 24,       /* direct, which this system does not guarantee */
    NOTE_FEW_ROUNDS = 1u << 25,    /* slices were too short for the duration of operations */
    NOTE_FEW_SLOW = 1u << 26,      /* the number of slow operations is due to chance */
    NOTE_CACHE_BELOW = 1u << 27,   /* page cache bypassed, but storage below may have a cache */
    NOTE_COUNT = 28
};

/* Why a row ended; names in report/columns. */
enum result_stop {
    STOP_UNKNOWN,   /* the row did not begin */
    STOP_COUNT,     /* -n operations were done */
    STOP_TIME,      /* --time or --max-time is over */
    STOP_PRECISION, /* the mean has the requested precision */
    /* places or requests ran out before any limit was reached */
    STOP_EXHAUSTED,
    /* too many operations failed, or the target became unusable */
    STOP_ERRORS,
    STOP_SIGNAL,
    STOP_ROUNDS, /* the maximum of rounds was reached without the precision */
    STOP_KINDS
};

/* The work of one rank of a team in the slices of a row. */
struct result_rank {
    uint64_t operations; /* complete ones, as in struct tally */
    uint64_t failed;     /* failed and short ones */
    uint64_t time_ns;    /* its part of the common time; its rate is operations / time_ns */
    uint64_t latency_ns_sum, latency_ns_max;
    uint64_t cpu_ns;      /* as in slice_sum */
    uint64_t late_ns_sum; /* summed delays of its slices after the agreed moment */
};

struct result { /* owned by the sweep; sinks only read it */
    const struct cell *cell;
    enum result_state state;
    enum result_stop stop;
    unsigned notes;

    struct slice_sum sum;         /* all threads, all measured slices */
    uint64_t mate_flight_ns;      /* --mix: sum.flight_ns of the other row of the same slices */
    struct slice_thread *threads; /* cell->threads of them, of the same slices; NULL: unknown */
    /* The share of each rank of a team, rank_count entries (the sum above covers all ranks); NULL
     * and 0 without a team. */
    struct result_rank *ranks;
    uint32_t rank_count;
    /* between the first and the last rank to begin a slice: 99th percentile */
    uint64_t rank_skew_ns_p99;
    /* share of the time of the slices in which all ranks were at work */
    double rank_common_fraction;
    bool submit_known;          /* sum.tally.submit_ns was measured */
    bool device_known;          /* sum.device_bytes was; final when the row is closed */
    struct target_traffic *rpc; /* network traffic during slices; NULL: unknown */
    uint64_t least_bytes;       /* minimum that an uncached operation moves; 0: nothing */
    /* Share of the objects in the page cache before and after the slices, means; negative:
     * unknown. */
    double resident_fraction_before, resident_fraction;

    /* Wall clock times of the start of the first slice and the end of the last one; 0: none was
     * measured. For reports only, never for measuring. */
    uint64_t began_ns, ended_ns;
    /* Deletion of a kept run: objects of this size that remained at the end. */
    uint64_t left_objects;
    bool left_known;

    unsigned rounds;            /* measured rounds */
    double *round_ns;           /* of each round: slice time per operation */
    double *round_operations;   /* operations of each round */
    double *reference_round_ns; /* reference cycle measured with each round; NULL: none */
    double reference_ns;        /* their median; 0: unknown */
    /* Time per operation over all rounds with its 95 % interval (see stats.h), the fastest round,
     * and the standard deviation of the rounds. */
    double op_ns_mean, op_ns_low, op_ns_high, op_ns_min, op_ns_stddev;
    bool interval_known;
};

/* --- the length of slices. A slice is the part of one cell measured in one round.
 *
 * If slots have clocks (cycle.h), each slice has an overhead of warm-up and of keeping up the load,
 * so it must be long in comparison. Slow operations determine its length, even if they are few: if
 * 5 % take 400 ms and the others 20 ms, the 5 % take half of the time. --- */

#define SLICE_NS         UINT64_C(20000000)
#define SLICE_LONG       3  /* factor for targets with TARGET_LONG_SLICES */
#define SLICE_DEPTH      32 /* one more slice length per 32 operations in flight */
#define SLICE_OVERRUN    4  /* a slice is cut at this multiple of its expected length */
#define SLICE_CYCLES_MIN 4  /* per slot of each thread */
#define SLICE_CYCLES_ALL 64 /* the same if filling and draining the queue are timed: with -n */

/* Whether several operations are in flight, in this process or its team. */
static inline bool slice_concurrent(const struct cell *cell)
{
    return cell_slots(cell) > 1;
}

/* The desired length of a slice if latencies allow; grows with the queue depth. */
static inline uint64_t slice_wanted_ns(const struct cell *cell)
{
    const uint64_t ns = SLICE_NS + SLICE_NS * (cell->work.depth - 1) / SLICE_DEPTH;

    return target_can(cell->work.target, TARGET_LONG_SLICES) ? SLICE_LONG * ns : ns;
}

/* The minimum of cycles; fewer would never have the whole depth in flight. */
static inline uint64_t slice_least_cycles(const struct cell *cell)
{
    return (uint64_t)SLICE_CYCLES_MIN * cell->threads * cell->work.depth;
}

#define SLICE_REACH_SHARE 0.01 /* share of all time that longer operations may take */
#define SLICE_REACHES     10   /* minimum in a slice */
#define SLICE_MEANS       20   /* minimum of mean latencies in a slice */
#define SLICE_EASY_MEANS  50   /* ... if that leaves enough rounds */
#define SLICE_MOST_NS     UINT64_C(10000000000) /* maximum, unless operations are longer */
/* a slice is extended if a counted operation outlasts it by this number of mean latencies */
#define SLICE_LATE_MEANS 10
/* a schedule is kept when the last operation is late by at most 1/20 */
#define SLICE_KEPT_SHARE 20
#define SLICES_LEAST     4 /* minimum number of slices of a time, for any latency */

/* The latency, in ns, below which operations took all but SLICE_REACH_SHARE of the time; 0 for an
 * empty histogram. */
uint64_t slice_reach_ns(const struct hist *latency);

/* The minimum length of a slice with clocks for latencies of that reach and mean; at least
 * base_ns. */
uint64_t slice_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns);

#endif
