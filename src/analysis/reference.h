/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reference.h - times in units of a reference that was measured in the same rounds, so that a
 * machine whose speed has changed between two sweeps, or during one, is not taken for a difference
 * of what was measured.
 *
 * Only cells that are bound by the processor in all sweeps and have a reference in all of them are
 * judged so: what waits for a device does not wait longer because the processor is slower.  Each
 * round is divided by the reference of the same round where that makes the rounds of the sweeps
 * agree better among themselves (by the sum of their median absolute deviations, in logarithms);
 * else, and where only the medians are known, by the median of the reference over the row.
 * Multiplied by the geometric mean of the references of all sweeps they are times again.
 *
 * How much that helps: the medians of 14 sweeps of cached reads, on a virtual machine that others
 * kept busy, had a standard deviation of 21 to 24 %; in units of a read of 4 KiB from a file in
 * memory in the same rounds 5, 4, 3 and 7 % (512 B, 4 KiB, 32 KiB, 128 KiB).  In units of the
 * errors that their rounds let expect, 95 % of the 91 pairs differed by less than 14 without it,
 * and with it by less than 3.2, but for 128 KiB (7), which is bound by memory more than by the
 * processor. */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <stdbool.h>

#include "analysis/compare.h"

/* Share of the time of each thread that used a processor, in the best round, from which on a row is
 * bound by it. */
#define REFERENCE_BOUND 0.8

/* cpu_ns: of the processor per operation; op_ns: of the clock per operation, of all threads
 * together, in the best round, which others on the machine have disturbed least.  NAN: not
 * known. */
bool reference_bound(double cpu_ns, double op_ns, double threads);

/* Fills scaled[0 ... pairs - 1] from before, scaled[pairs ...] from after, and *ratio with that of
 * the references, new / old (geometric mean over the pairs).  False, and nothing done, where the
 * cell is not to be judged so.  reference_free frees the rounds of scaled. */
bool reference_scale(const struct compare_cell *cell, unsigned pairs, struct compare_sample *scaled,
                     double *ratio);
void reference_free(struct compare_sample *scaled, unsigned pairs);

#endif
