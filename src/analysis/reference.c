/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reference.c - rounds, medians and intervals divided by those of the reference. */
#include "base/compat.h"

#include "analysis/reference.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/stats.h"

bool reference_bound(double cpu_ns, double op_ns, double threads)
{
    return op_ns > 0 && cpu_ns >= REFERENCE_BOUND * threads * op_ns;
}

static const struct compare_sample *sample_at(const struct compare_cell *cell, unsigned pairs,
                                              unsigned i)
{
    return i < pairs ? &cell->before[i] : &cell->after[i - pairs];
}

static bool has_reference(const struct compare_sample *sample)
{
    return sample->bound && sample->reference_ns > 0 && isfinite(sample->reference_ns);
}

static bool has_reference_rounds(const struct compare_sample *sample)
{
    for (size_t r = 0; sample->reference_round_ns && r < sample->round_count; r++) {
        const double ns = sample->reference_round_ns[r];
        if (!(ns > 0) || !isfinite(ns))
            return false;
    }
    return sample->round_ns && sample->round_count > 0 && sample->reference_round_ns;
}

/* The median absolute deviation of the logarithms of the rounds. */
static double deviation(const struct compare_sample *sample, bool by_round)
{
    const size_t count = sample->round_count;
    double *logs = mem_calloc(count, sizeof(*logs)), distance;
    for (size_t r = 0; r < count; r++)
        logs[r] = log(sample->round_ns[r]) - (by_round ? log(sample->reference_round_ns[r]) : 0.0);
    stats_sort(logs, count);
    distance = stats_distance(logs, count, logs);
    free(logs);
    return distance;
}

/* Whether all samples have a reference per round, and it takes more noise from them than it
 * adds. */
static bool is_better_by_round(const struct compare_cell *cell, unsigned pairs)
{
    double plain = 0.0, divided = 0.0;
    for (unsigned i = 0; i < 2 * pairs; i++) {
        const struct compare_sample *sample = sample_at(cell, pairs, i);
        if (!has_reference_rounds(sample))
            return false;
        plain += deviation(sample, false);
        divided += deviation(sample, true);
    }
    return divided < plain;
}

static void scale_sample(const struct compare_sample *sample, double level, bool by_round,
                         struct compare_sample *scaled)
{
    const double factor = level / sample->reference_ns;
    double *rounds = sample->round_ns ? mem_calloc(sample->round_count, sizeof(*rounds)) : NULL;
    *scaled = *sample;
    scaled->round_ns = rounds;
    scaled->median_ns = sample->median_ns * factor;
    scaled->low_ns = sample->low_ns * factor;
    scaled->high_ns = sample->high_ns * factor;
    for (size_t r = 0; rounds && r < sample->round_count; r++)
        rounds[r] =
            sample->round_ns[r] * (by_round ? level / sample->reference_round_ns[r] : factor);
    if (by_round) { /* the median of the quotients, not that of the rounds */
        scaled->median_ns = stats_median_of(rounds, sample->round_count);
        scaled->low_ns = scaled->high_ns = NAN; /* those of the rounds are asked for instead */
    }
}

bool reference_scale(const struct compare_cell *cell, unsigned pairs, struct compare_sample *scaled,
                     double *ratio)
{
    double level = 0.0;
    bool by_round;
    *ratio = 0.0;
    for (unsigned i = 0; i < 2 * pairs; i++) {
        const struct compare_sample *sample = sample_at(cell, pairs, i);
        if (!has_reference(sample))
            return false;
        level += log(sample->reference_ns) / (2 * pairs);
        *ratio += (i < pairs ? -1 : 1) * log(sample->reference_ns) / pairs;
    }
    *ratio = exp(*ratio);
    by_round = is_better_by_round(cell, pairs);
    for (unsigned i = 0; i < 2 * pairs; i++)
        scale_sample(sample_at(cell, pairs, i), exp(level), by_round, &scaled[i]);
    return true;
}

void reference_free(struct compare_sample *scaled, unsigned pairs)
{
    for (unsigned i = 0; i < 2 * pairs; i++)
        free((double *)(uintptr_t)scaled[i].round_ns);
}
