/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_sum.h - the results of a slice: of one thread, of all threads, or of the slices of a row so
 * far. Plain data without pointers, so that another process of the same build can read its bytes;
 * merged by one function. A new figure is a field here and a row in slice_sum.c. */
#ifndef RUN_SLICE_SUM_H
#define RUN_SLICE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"
#include "engine/engine.h"

/* What one thread counts during a slice; the hot loop writes it. */
struct tally {
    /* Complete operations: the whole size was moved, and open and close succeeded. With clocks (see
     * cycle.h), only those that these counted. */
    uint64_t operations;
    uint64_t outside;               /* complete operations that no clock counted */
    uint64_t failed;                /* operations with an error in any phase */
    uint64_t short_count;           /* operations that moved fewer bytes than requested */
    uint64_t sum_ns;                /* of the latencies of complete operations */
    uint64_t min_ns, max_ns;        /* UINT64_MAX and 0 if there are none */
    uint64_t phase_ns[PHASE_COUNT]; /* of complete operations */
    uint64_t excluded_ns;           /* spent between operations: dropping pages, verifying */
    /* spent on failed and short operations within the counted time */
    uint64_t failed_ns;
    uint64_t hung_ns, hung_max_ns; /* the same for all of them, whenever they ran; the longest */
    uint64_t submit_ns;            /* inside the submitting calls of an asynchronous engine */
    /* verified operations with wrong data; they count as complete */
    uint64_t wrong;
    uint64_t mixed; /* verified pages that contained several generations of the pattern */

    int first_errno;        /* of the first failed operation, positive; 0: none */
    enum phase first_phase; /* where */
    uint32_t first_object;
    uint64_t first_offset_bytes;

    uint32_t short_object; /* the first of the short ones */
    uint64_t short_offset_bytes, short_bytes;

    uint32_t wrong_object; /* the first of the wrong ones */
    struct target_mismatch wrong_first;

    uint64_t open_max_ns, close_max_ns; /* of these phases, if a cycle has them */

    /* The histograms come last, so that the small part before them can be sent alone. */
    struct hist latency;     /* of complete operations */
    struct hist open, close; /* of these phases */
};

#define TALLY_COUNTS_BYTES offsetof(struct tally, latency)

/* All complete operations, to which processor time and bytes moved refer. */
static inline uint64_t tally_done(const struct tally *tally)
{
    return tally->operations + tally->outside;
}

void tally_reset(struct tally *tally);

/* Drops all times measured so far; keeps failures and wrong data, which are facts. */
void tally_forget_times(struct tally *tally);

/* Adds `from` to `into`. */
void tally_merge(struct tally *into, const struct tally *from);

enum trouble { TROUBLE_FAILED, TROUBLE_SHORT, TROUBLE_WRONG, TROUBLE_KINDS };

#define TROUBLE_BYTES 400u

struct slice_sum {
    uint64_t cycles;       /* done, with any outcome */
    uint64_t slices;       /* consecutive slices */
    uint64_t fewest, most; /* cycles of the slowest and the fastest thread, summed over slices */
    /* A slot runs one operation at a time; each thread has depth slots. slot_ns is the sum of the
     * times in which the used slots counted operations, without the time between operations
     * (dropping pages, verifying), but including failed ones. */
    uint64_t slot_ns;
    uint32_t slots; /* maximum of the slices */
    /* The time for computing rates: slot_ns / slots of each slice, summed over slices. */
    uint64_t time_ns;
    uint64_t elapsed_ns; /* elapsed time until the last operation ended, counted or not */
    /* sum of the times of operations in flight within slot_ns, including failed ones */
    uint64_t flight_ns;
    uint64_t cpu_ns; /* of the threads, and of kernel and library threads that work for them */
    /* The kernel's accounting of the threads by mode, as in struct usage, without checking; unlike
     * cpu_ns, user_ns includes the generation of data. */
    uint64_t user_ns, system_ns, made_cpu_ns;
    uint64_t queued_ns;     /* threads were ready to run, but waited for a processor */
    uint64_t helper_cpu_ns; /* of those kernel threads only */
    /* of library threads (ENGINE_THREADS); included in user_ns, system_ns */
    uint64_t library_cpu_ns;
    uint64_t device_bytes; /* moved to or from storage */
    uint64_t wanted_ns;    /* --rate: planned time of the operations */
    uint64_t behind_ns;    /* --rate: how late the last operations of the slices began, summed */
    struct engine_requests requests;
    struct engine_found found; /* of all operations, whenever they ran */
    uint32_t threads;          /* that worked concurrently */
    /* device_bytes is valid on every thread and in every slice */
    bool io_known;
    bool helpers_asked;                             /* those kernel threads were requested */
    bool plain_buffers;                             /* buffers could not be registered */
    bool has_requests;                              /* the engine sends requests to a server: */
    bool gave_up;                                   /* --max-errors was reached */
    char protocol[16], connection[16], payload[32]; /* in the engine's words; "": none */
    /* The first operation of each kind in words, see row_word_troubles; first of the engine, where
     * it has some for a failure. "": none. */
    char first[TROUBLE_KINDS][TROUBLE_BYTES];
    struct tally tally; /* last, with its histograms at the end: see SLICE_SUM_HEAD_BYTES */
};

/* All but the histograms: a few KiB, which ranks send for each slice. */
#define SLICE_SUM_HEAD_BYTES (offsetof(struct slice_sum, tally) + TALLY_COUNTS_BYTES)

/* The results of one thread. */
struct slice_thread {
    uint64_t operations; /* complete ones, as in struct tally */
    uint64_t time_ns;    /* of its slots, like time_ns above */
};

enum slice_order {
    SLICE_BESIDE, /* other threads (processes, hosts) of the same slice */
    SLICE_AFTER,  /* another slice of the same cell, after those added so far */
};

/* Clears it: merging into it then yields a copy. */
void slice_sum_reset(struct slice_sum *sum);

/* Adds `from` to `into`. With SLICE_BESIDE slots add up, and time_ns is recomputed from them. Keeps
 * the first text of a failure, and the last of other texts. */
void slice_sum_merge(struct slice_sum *into, const struct slice_sum *from, enum slice_order order);

/* The same without the histograms, which `from` may lack. */
void slice_sum_merge_head(struct slice_sum *into, const struct slice_sum *from,
                          enum slice_order order);

/* Adds the counters of a structure of nothing but integers of 64 bits, as of engine_requests and
 * engine_found, or subtracts those of an earlier reading. */
void slice_counters_add(void *into, const void *from, size_t bytes);
void slice_counters_since(void *now, const void *before, size_t bytes);

#endif
