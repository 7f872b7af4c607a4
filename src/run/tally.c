/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.c - resetting and adding what threads counted. */
#include "base/compat.h"

#include "run/tally.h"

#include <string.h>

void tally_reset(struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    tally->min_ns = UINT64_MAX;
}

void tally_merge(struct tally *into, const struct tally *from)
{
    if (!into->first_errno && from->first_errno) {
        into->first_errno = from->first_errno;
        into->first_phase = from->first_phase;
        into->first_object = from->first_object;
        into->first_offset_bytes = from->first_offset_bytes;
    }
    if (!into->wrong && from->wrong) {
        into->wrong_object = from->wrong_object;
        into->wrong_first = from->wrong_first;
    }
    into->wrong += from->wrong;
    into->submit_ns += from->submit_ns;
    into->operations += from->operations;
    into->failed += from->failed;
    into->refused += from->refused;
    into->short_count += from->short_count;
    into->sum_ns += from->sum_ns;
    if (from->min_ns < into->min_ns)
        into->min_ns = from->min_ns;
    if (from->max_ns > into->max_ns)
        into->max_ns = from->max_ns;
    for (int p = 0; p < PHASE_COUNT; p++)
        into->phase_ns[p] += from->phase_ns[p];
    into->excluded_ns += from->excluded_ns;
    hist_merge(&into->latency, &from->latency);
}
