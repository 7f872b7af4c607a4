/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.h - what one thread counts during a slice.  No pointers, so that threads (and later
 * processes and hosts) merge by adding.  The hot loop writes it; nobody else while a slice runs. */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include <stdint.h>

#include "base/hist.h"
#include "engine/engine.h"

struct tally {
    uint64_t
        operations;  /* complete operations: the whole size was moved, open and close went well */
    uint64_t failed; /* operations with an error in any phase */
    uint64_t refused; /* operations that a limit of requests did not allow: no failures */
    uint64_t short_count;           /* operations that moved fewer bytes than asked */
    uint64_t sum_ns;                /* of the latencies of complete operations */
    uint64_t min_ns, max_ns;        /* UINT64_MAX and 0 when there is none */
    uint64_t phase_ns[PHASE_COUNT]; /* of complete operations */
    uint64_t excluded_ns; /* spent on failed and short operations and between operations (forget) */
    uint64_t submit_ns;   /* inside the submitting calls of an asynchronous engine */
    uint64_t wrong;       /* verified operations that found wrong data; they count as complete */

    int first_errno;        /* of the first failed operation, positive; 0: none */
    enum phase first_phase; /* where */
    uint32_t first_object;
    uint64_t first_offset_bytes;

    uint32_t wrong_object; /* the first of the wrong ones */
    struct store_mismatch wrong_first;

    struct hist latency; /* of complete operations */
};

void tally_reset(struct tally *tally);
void tally_merge(struct tally *into, const struct tally *from);

#endif
