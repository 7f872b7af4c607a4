/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* tally.h - what one thread counts during a slice.  No pointers, so that threads (and later
 * processes and hosts) merge by adding.  The hot loop writes it; no other thread
 * touches it while a slice runs. */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"
#include "engine/engine.h"

struct tally {
    /* Complete operations: the whole size was moved, and open and close succeeded.  Where slots
     * have clocks (see cycle.h), those that these counted. */
    uint64_t operations;
    uint64_t outside;               /* complete operations that no clock counted */
    uint64_t failed;                /* operations with an error in any phase */
    uint64_t short_count;           /* operations that moved fewer bytes than asked */
    uint64_t sum_ns;                /* of the latencies of complete operations */
    uint64_t min_ns, max_ns;        /* UINT64_MAX and 0 when there is none */
    uint64_t phase_ns[PHASE_COUNT]; /* of complete operations */
    uint64_t excluded_ns;           /* spent between operations: dropping pages, verifying */
    /* spent on failed and short operations, each counted by itself */
    uint64_t failed_ns;
    uint64_t hung_ns, hung_max_ns; /* the same, whole, whenever they ran; and the longest of them */
    uint64_t submit_ns;            /* inside the submitting calls of an asynchronous engine */
    /* verified operations that found wrong data; they count as complete */
    uint64_t wrong;
    uint64_t mixed; /* pages that were verified and held several generations of the pattern */

    int first_errno;        /* of the first failed operation, positive; 0: none */
    enum phase first_phase; /* where */
    uint32_t first_object;
    uint64_t first_offset_bytes;

    uint32_t short_object; /* the first of the short ones */
    uint64_t short_offset_bytes, short_bytes;

    uint32_t wrong_object; /* the first of the wrong ones */
    struct target_mismatch wrong_first;

    uint64_t open_max_ns, close_max_ns; /* of these phases, where a cycle has them */

    /* The histograms come last: what comes before them is little, and can be handed over alone. */
    struct hist latency;     /* of complete operations */
    struct hist open, close; /* the same of these phases */
};

#define TALLY_COUNTS_BYTES offsetof(struct tally, latency)

/* All complete operations, the ones that processor time and bytes moved are of. */
static inline uint64_t tally_done(const struct tally *tally)
{
    return tally->operations + tally->outside;
}

void tally_reset(struct tally *tally);

/* Drops all times measured so far; keeps failures and wrong data, which are facts. */
void tally_forget_times(struct tally *tally);

/* Adds `from` to `into`; the second function all but the histograms, which `from` need not have. */
void tally_merge(struct tally *into, const struct tally *from);
void tally_merge_counts(struct tally *into, const struct tally *from);

#endif
