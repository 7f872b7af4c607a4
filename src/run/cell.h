/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cell.h - one point of the sweep, and what was measured there.  Types only. */
#ifndef RUN_CELL_H
#define RUN_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/slice_sum.h"

/* When a row ends by itself, as its step or the run asks for: what comes first.  0:
 * no such limit. */
struct cell_stop {
    uint64_t cycles;  /* of all threads of this rank */
    bool idle;        /* fewer than ranks: none of them is for this one, whatever cycles says */
    bool per_thread;  /* each does equally many of them */
    uint64_t time_ns; /* of measuring */
    uint64_t errors;  /* failed operations of all rows of the part */
};

/* const once planned, but for the target and the places of a cell that is `created`, which it gets
 * when its part begins */
struct cell {
    unsigned index; /* row number: rows appear in this order */
    /* cells of one part (cache mode, loop, step, repeat) are measured in the same rounds */
    unsigned part;
    uint32_t step, loop, repeat; /* of --tests, --loops and --repeat, each from 1 on */
    unsigned target;             /* index of the target */
    const struct engine *engine;
    struct workload work;
    uint32_t threads;
    uint32_t peers; /* other ranks of a team, that measure it at the same moments */
    /* --mix: reads are this percentage of the operations of a slice.  Reads and writes have a cell
     * each, the writes' before that of the reads; this is how far the other one is from here in the
     * plan, 0: there is none, and below 0 of the reads, which are measured in the slices of the
     * writes. */
    bool mixed;
    uint32_t read_percent;
    int mate;
    bool verified;        /* --verify, and the expected data are known */
    uint64_t align_bytes; /* offsets are multiples of it; a power of two */
    struct cell_stop stop;
    /* The operations that exist, at most stop.cycles: with --access once, or of objects that are
     * there to be used up; 0: any number. */
    uint64_t places;
    unsigned places_stop; /* enum result_stop: why the row ends with them */
    /* Test fill: rows of one file, one after the other.  To engines and drivers they are writes;
     * this one begins at that place, and goes on where the row before it has ended. */
    bool fills, goes_on;
    uint64_t place_first;
    bool created;     /* it goes over what test create has made in the run */
    const char *skip; /* not NULL: cannot be measured, and why ("beyond_file") */
};

/* Neither: it is measured until it is precise. */
static inline bool cell_adaptive(const struct cell *cell)
{
    return !cell->stop.cycles && !cell->stop.time_ns;
}

/* Operations that are to be in flight, of all ranks. */
static inline uint64_t cell_slots(const struct cell *cell)
{
    return (uint64_t)cell->threads * cell->work.depth * (1 + (uint64_t)cell->peers);
}

/* What its rows are called: to engines a row of test fill writes. */
static inline enum io_test cell_test(const struct cell *cell)
{
    return cell->fills ? TEST_FILL : cell->work.test;
}

/* It has no slices of its own. */
static inline bool cell_follows(const struct cell *cell)
{
    return cell->mate < 0;
}

/* What tells rows apart, beside where they are in the run: the axes, with a bit each, by their
 * field in struct cell; that of the engine is by its name. */
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

/* Those in which rows are compared round by round. */
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

enum result_state {
    RESULT_OPEN,       /* being measured */
    RESULT_CLOSED,     /* measured as asked */
    RESULT_INCOMPLETE, /* ended early: signal, errors, time */
    RESULT_SKIPPED,    /* cell->skip says why */
};

/* Bits of struct result.notes; names in report/columns, meanings in iosweep-measuring(7). */
enum result_note {
    NOTE_WIDE = 1u << 0,       /* the interval of the mean is wider than asked */
    NOTE_DRIFT = 1u << 1,      /* the rounds move in one direction */
    NOTE_CORRELATED = 1u << 2, /* neighbouring rounds resemble each other */
    NOTE_OUTLIERS = 1u << 3,   /* rounds far from the median */
    NOTE_TIMER = 1u << 4,      /* reading the clock costs > 5 % of an operation */
    NOTE_COVERED = 1u << 5,    /* smaller than O_DIRECT allows: covering blocks were moved */
    NOTE_RMW = 1u << 6,        /* writes read, modified and wrote covering blocks */
    NOTE_CACHE_HITS = 1u << 7, /* direct or uncached, yet served from memory */
    NOTE_NOT_CACHED = 1u << 8, /* cached, yet > 5 % came from storage */
    NOTE_UNFAIR = 1u << 9,     /* slowest and fastest thread differ more than 2x */
    NOTE_SHORT = 1u << 10,     /* short transfers */
    NOTE_INCOMPLETE = 1u << 11,
    NOTE_PUNTED = 1u << 12,        /* kernel worker threads did the I/O, not the ring itself */
    NOTE_SUBMIT_BLOCKS = 1u << 13, /* synchronous in disguise: most time is spent submitting */
    NOTE_PLAIN_BUFFERS = 1u << 14, /* too little lockable memory to register the buffers */
    NOTE_RATE_MISSED = 1u << 15,   /* the wanted rate could not be held */
    NOTE_WRONG_DATA = 1u << 16,    /* verification failed */
    NOTE_DRAINED = 1u << 17,       /* fewer than 0.9 of threads * depth were in flight */
    NOTE_UNSTEADY = 1u << 18,      /* operations took longer than all slots counted: a fault */
    NOTE_FAILED_TIME = 1u << 19,   /* much of the time went into failed operations */
    NOTE_COLD = 1u << 20,          /* the first of several repeats */
    NOTE_READAHEAD = 1u << 21,     /* more came from storage than was asked for */
    NOTE_CREATED = 1u << 22,       /* over what test create has made in the run */
    NOTE_RANKS_APART = 1u << 23,   /* all ranks were at work in less than 95 % of the time */
    NOTE_NOCACHE = 1u << 24,       /* direct, which this system only tries */
    NOTE_FEW_ROUNDS = 1u << 25,    /* slices were shorter than operations want them to be */
    NOTE_FEW_SLOW = 1u << 26,      /* chance decided how many operations are slow */
    NOTE_CACHE_BELOW = 1u << 27,   /* past the page cache, to what may have a cache of its own */
    NOTE_COUNT = 28
};

/* why a row ended; names in report/columns */
enum result_stop {
    STOP_UNKNOWN,   /* it did not begin */
    STOP_COUNT,     /* -n operations are done */
    STOP_TIME,      /* --time or --max-time is over */
    STOP_PRECISION, /* the mean is known as well as asked for */
    /* nothing was left to take before any limit was reached: places, requests */
    STOP_EXHAUSTED,
    /* too many operations failed, or the target cannot be used any more */
    STOP_ERRORS,
    STOP_SIGNAL,
    STOP_ROUNDS, /* all rounds are done, and it is not precise */
    STOP_KINDS
};

/* What one rank of a team did in the slices of a row. */
struct result_rank {
    uint64_t operations; /* complete ones, as struct tally has them */
    uint64_t failed;     /* failed and short ones */
    uint64_t time_ns;    /* its own part of the common time: its rate is operations / time_ns */
    uint64_t latency_ns_sum, latency_ns_max;
    uint64_t cpu_ns;      /* as slice_sum has it */
    uint64_t late_ns_sum; /* how long after the agreed moment its slices began, summed */
};

struct result { /* owned by the sweep; sinks only read it */
    const struct cell *cell;
    enum result_state state;
    enum result_stop stop;
    unsigned notes;

    struct slice_sum sum;         /* all threads, all measured slices */
    uint64_t mate_flight_ns;      /* --mix: sum.flight_ns of the other row of the same slices */
    struct slice_thread *threads; /* cell->threads of them, of the same slices; NULL: not known */
    /* A team of several: what each rank did, rank_count of them (the sum above is of all ranks);
     * NULL and 0: there is no team. */
    struct result_rank *ranks;
    uint32_t rank_count;
    /* between the first and the last rank to begin a slice: 99th percentile */
    uint64_t rank_skew_ns_p99;
    /* share of the time of the slices in which all ranks were at work */
    double rank_common_fraction;
    bool submit_known;          /* sum.tally.submit_ns was measured */
    bool device_known;          /* sum.device_bytes was; final when the row is closed */
    struct target_traffic *rpc; /* what crossed the network in slices; NULL: not known */
    uint64_t least_bytes;       /* the least an operation moves past the cache; 0: nothing */
    /* Share of the objects in the page cache before and after the slices, means; negative:
     * unknown. */
    double resident_fraction_before, resident_fraction;

    /* By the wall clock: the first slice began, the last one ended; 0: none was measured.  To be
     * told, never to be measured with. */
    uint64_t began_ns, ended_ns;
    /* A kept run is deleted: its objects of this size that no delete was begun of at the end. */
    uint64_t left_objects;
    bool left_known;

    unsigned rounds;            /* measured rounds */
    double *round_ns;           /* of each round: slice time per operation */
    double *round_operations;   /* and how many they were */
    double *reference_round_ns; /* beside each: time of a reference cycle; NULL: there is none */
    double reference_ns;        /* their median; 0: not known */
    /* Time by operations of all rounds, with its 95 % interval (see stats.h); the least of
     * round_ns, and how they spread. */
    double op_ns_mean, op_ns_low, op_ns_high, op_ns_min, op_ns_stddev;
    bool interval_known;
};

#endif
