/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pairs.c - see pairs.h. The ratio of a size is the trimmed mean of its rounds' log ratios; the
 * ratio of all sizes weights these by their precision, and its uncertainty includes their
 * disagreement. */
#include "base/compat.h"

#include "report/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/stats.h"

#define ROUNDS_LEAST 3
/* Measured difference between two identical files, caused by the location of their pages in caches
 * and memory. It does not shrink with the number of rounds, and is independent at each size. */
#define ERROR_LEAST   0.003
#define PRIOR_FREEDOM 4
#define APART_SHARE   4    /* at most every fourth size is an exception */
#define APART_MOST    16   /* and at most this number of sizes */
#define APART_CARE    5    /* limits false exceptions to 1 % of all runs */
#define CHANGE_LEAST  0.01 /* smaller differences are not reported separately */

void pairs_begin(struct pairs_rounds *gathered, const struct run_info *info)
{
    gathered->info = info;
    gathered->rows = mem_calloc(info->cell_count + 1, sizeof(*gathered->rows));
}

/* Time per operation without waits, for one operation in flight. */
static double worked_ns(const struct slice_record *record)
{
    return record->elapsed_ns > 0
               ? record->op_ns *
                     fmax(1 - (double)record->queued_ns / (double)record->elapsed_ns, 0.01)
               : record->op_ns;
}

void pairs_add_slice(struct pairs_rounds *gathered, const struct slice_record *record)
{
    struct pairs_row *row = &gathered->rows[record->cell->index];

    if (record->op_ns <= 0)
        return;
    if ((row->count & (row->count - 1)) == 0) /* 0 or a power of two: double the room */
        row->rounds =
            mem_realloc_array(row->rounds, row->count ? 2 * row->count : 1, sizeof(*row->rounds));
    row->rounds[row->count++] =
        (struct pairs_round){record->part_round, record->op_ns, worked_ns(record)};
}

/* --- selection of pairs --- */

/* Single axes first; axis and engine together only if each value of the axis implies a different
 * engine, which then is not an axis. */
static const unsigned axes_of_pairs[] = {AXIS_TARGET,
                                         AXIS_ENGINE,
                                         AXIS_ACCESS,
                                         AXIS_THREADS,
                                         AXIS_DEPTH,
                                         AXIS_TARGET | AXIS_ENGINE,
                                         AXIS_DEPTH | AXIS_ENGINE};
#define AXES COUNT_OF(axes_of_pairs)

/* Whether rows differ only in loop, repeat and the axes `beside`. */
static bool are_alike(const struct cell *a, const struct cell *b, unsigned beside)
{
    return a->step == b->step && cell_test(a) == cell_test(b) && !(cell_unlike(a, b) & ~beside);
}

static struct pair *pair_of(struct pairs *pairs, unsigned axes, const struct cell *base,
                            const struct cell *other)
{
    const unsigned beside = AXIS_SIZE | (CELL_PAIRED ^ axes);
    struct pair *pair;

    for (size_t i = 0; i < pairs->count; i++) {
        pair = &pairs->all[i];
        if (pair->axes == axes && are_alike(pair->size[0].base, base, beside) &&
            are_alike(pair->size[0].other, other, beside))
            return pair;
    }
    pairs->all = mem_realloc_array(pairs->all, pairs->count + 1, sizeof(*pairs->all));
    pair = &pairs->all[pairs->count++];
    *pair = (struct pair){.axes = axes};
    return pair;
}

static struct pair_size *size_of(struct pair *pair, const struct cell *base,
                                 const struct cell *other)
{
    struct pair_size *size;

    for (size_t i = 0; i < pair->size_count; i++)
        if (are_alike(pair->size[i].base, base, 0) && are_alike(pair->size[i].other, other, 0))
            return &pair->size[i];
    pair->size = mem_realloc_array(pair->size, pair->size_count + 1, sizeof(*pair->size));
    size = &pair->size[pair->size_count++];
    *size = (struct pair_size){.base = base, .other = other};
    return size;
}

static size_t count_common(const struct pairs_row *base, const struct pairs_row *other)
{
    size_t common = 0;

    for (size_t i = 0, k = 0; i < base->count && k < other->count;) {
        const unsigned a = base->rounds[i].round, b = other->rounds[k].round;
        common += a == b;
        i += a <= b;
        k += b <= a;
    }
    return common;
}

/* Appends the common rounds of both rows to those of earlier loops and repeats. Waits are excluded
 * for both rows or neither: with several operations in flight they overlap with others, lie partly
 * outside the counted time, and may be waits for each other. */
static void add_rounds(struct pair_size *size, const struct pairs_row *base,
                       const struct pairs_row *other)
{
    const bool worked = cell_slots(size->base) == 1 && cell_slots(size->other) == 1;
    const size_t most = size->rounds + (base->count < other->count ? base->count : other->count);

    size->base_ns = mem_realloc_array(size->base_ns, most, sizeof(*size->base_ns));
    size->other_ns = mem_realloc_array(size->other_ns, most, sizeof(*size->other_ns));
    for (size_t i = 0, k = 0; i < base->count && k < other->count;) {
        const struct pairs_round a = base->rounds[i], b = other->rounds[k];
        if (a.round == b.round) {
            size->base_ns[size->rounds] = worked ? a.worked_ns : a.op_ns;
            size->other_ns[size->rounds++] = worked ? b.worked_ns : b.op_ns;
        }
        i += a.round <= b.round;
        k += b.round <= a.round;
    }
}

/* first: the first row of the same rounds. For each set of axes, the first row that differs in
 * exactly these is the base: it has their first value. */
static void add_pairs(const struct pairs_rounds *gathered, const struct cell *first,
                      const struct cell *other, struct pairs *pairs)
{
    const struct pairs_row *rows = gathered->rows;
    const struct cell *base[AXES] = {NULL};
    unsigned plain = 0; /* axes in which it has a base */

    for (; first < other; first++) {
        const unsigned unlike = cell_unlike(first, other);
        for (size_t i = 0; i < AXES && !(unlike & ~(unsigned)CELL_PAIRED); i++)
            if (!base[i] && unlike == axes_of_pairs[i])
                base[i] = first;
    }
    for (size_t i = 0; i < AXES; i++) {
        const unsigned axes = axes_of_pairs[i];
        const bool together = axes & (axes - 1);

        if (!base[i] || (together && (axes & plain)))
            continue;
        plain |= together ? 0 : axes;
        if (count_common(&rows[base[i]->index], &rows[other->index]) >= ROUNDS_LEAST)
            add_rounds(size_of(pair_of(pairs, axes, base[i], other), base[i], other),
                       &rows[base[i]->index], &rows[other->index]);
    }
}

/* --- results --- */

struct pooled {
    double mean, weights, error, freedom;
    double disagreement; /* mean square deviation of sizes in units of their errors; about 1 */
};

/* With few rounds the error itself is uncertain: a size that seems exact by chance would outweigh
 * all others. So the errors are shrunk towards their geometric mean, which counts like some degrees
 * of freedom (as the variances of Smyth 2004, Statistical Applications in Genetics 3, article
 * 3). */
static void smooth_errors(struct pair *pair)
{
    double sum = 0;

    for (size_t i = 0; i < pair->size_count; i++)
        sum += log(pair->size[i].error);
    for (size_t i = 0; i < pair->size_count && pair->size_count > 1; i++) {
        struct pair_size *size = &pair->size[i];
        const double typical = exp(sum / (double)pair->size_count), own = (double)size->freedom;

        size->error = sqrt((own * size->error * size->error + PRIOR_FREEDOM * typical * typical) /
                           (own + PRIOR_FREEDOM));
        size->freedom += PRIOR_FREEDOM;
    }
}

/* The weighted mean of typical values, or of log ratios of means, over the sizes that are not
 * apart, except one of them (NULL: none excepted). */
static struct pooled pool_sizes(const struct pair *pair, const struct pair_size *without,
                                bool of_means)
{
    struct pooled pooled = {0};
    double worth = 0, squares = 0;
    size_t count = 0;

    for (const struct pair_size *size = pair->size; size < pair->size + pair->size_count; size++)
        if (!size->apart && size != without) {
            const double error = of_means ? size->mean_error : size->error,
                         value = of_means ? size->mean : size->typical,
                         weight = 1 / (error * error), off = value - pooled.mean;
            count++;
            pooled.weights += weight;
            worth += weight * weight / (double)size->freedom;
            pooled.mean += off * weight / pooled.weights;
            squares += weight * off * (value - pooled.mean);
        }
    pooled.freedom = floor(pooled.weights * pooled.weights / worth);
    pooled.disagreement = count > 1 ? squares / (double)(count - 1) : 1;
    pooled.error = sqrt(fmax(pooled.disagreement, 1) / pooled.weights);
    return pooled;
}

/* The size without which the others agree best, if it differs from them by more than chance
 * explains for that number of sizes; NULL: none. */
static struct pair_size *find_apart(const struct pair *pair)
{
    struct pair_size *found = NULL;
    struct pooled others = {0};
    double off;

    for (size_t i = 0; i < pair->size_count && pair->size_count > 1; i++) {
        const struct pooled pooled = pool_sizes(pair, &pair->size[i], false);
        if (pair->size[i].apart || (found && pooled.disagreement >= others.disagreement))
            continue;
        found = &pair->size[i];
        others = pooled;
    }
    if (!found)
        return NULL;
    off = fabs(found->typical - others.mean);
    return off > CHANGE_LEAST && off > stats_t_975(found->freedom) / stats_z_975(1) *
                                           stats_z_975(APART_CARE * pair->size_count) *
                                           hypot(found->error, others.error)
               ? found
               : NULL;
}

static void judge_means(struct pair *pair, const struct pooled *typical)
{
    const struct pooled means = pool_sizes(pair, NULL, true);
    const double off = fabs(means.mean - typical->mean);

    pair->mean_ratio = exp(means.mean);
    pair->mean_apart =
        off > CHANGE_LEAST &&
        off > stats_z_975(APART_CARE) * hypot(sqrt(1 / means.weights), typical->error);
}

/* Standard error of the mean of these values, relative to it. */
static double error_share(const double *values, size_t n)
{
    return stats_stddev(values, n) / sqrt((double)n) / stats_mean(values, n);
}

static void judge_size(struct pair_size *size)
{
    const size_t n = size->rounds;
    double *log_ratio = mem_calloc(n, sizeof(*log_ratio));

    for (size_t i = 0; i < n; i++)
        log_ratio[i] = log(size->other_ns[i] / size->base_ns[i]);
    size->typical = stats_trimmed(log_ratio, n, &size->error, &size->freedom);
    free(log_ratio);
    size->mean = log(stats_mean(size->other_ns, n) / stats_mean(size->base_ns, n));
    size->mean_error = hypot(error_share(size->base_ns, n), error_share(size->other_ns, n));
    size->error = hypot(size->error, ERROR_LEAST);
    size->mean_error = hypot(size->mean_error, ERROR_LEAST);
}

static void judge_pair(struct pair *pair)
{
    size_t most = pair->size_count / APART_SHARE;
    struct pooled pooled;
    struct pair_size *apart;
    double half;

    for (size_t i = 0; i < pair->size_count; i++)
        judge_size(&pair->size[i]);
    smooth_errors(pair);
    if (most > APART_MOST)
        most = APART_MOST;
    for (; most > 0 && (apart = find_apart(pair)) != NULL; most--)
        apart->apart = true;
    pair->varied = find_apart(pair) != NULL;
    for (size_t i = 0; pair->varied && i < pair->size_count; i++)
        pair->size[i].apart = false;
    pooled = pool_sizes(pair, NULL, false);
    half = stats_t_975(pooled.freedom < 1 ? 1 : (size_t)pooled.freedom) * pooled.error;
    pair->ratio = exp(pooled.mean);
    pair->low = exp(pooled.mean - half);
    pair->high = exp(pooled.mean + half);
    judge_means(pair, &pooled);
}

void pairs_end(struct pairs_rounds *gathered, struct pairs *pairs)
{
    const struct cell *first = gathered->info->cells;

    for (unsigned i = 0; i < gathered->info->cell_count; i++) {
        const struct cell *cell = &gathered->info->cells[i];
        first = cell->part == first->part ? first : cell;
        add_pairs(gathered, first, cell, pairs);
    }
    for (size_t i = 0; i < pairs->count; i++)
        judge_pair(&pairs->all[i]);
    for (unsigned i = 0; i < gathered->info->cell_count; i++)
        free(gathered->rows[i].rounds);
    free(gathered->rows);
    *gathered = (struct pairs_rounds){0};
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        for (size_t k = 0; k < pairs->all[i].size_count; k++) {
            free(pairs->all[i].size[k].base_ns);
            free(pairs->all[i].size[k].other_ns);
        }
        free(pairs->all[i].size);
    }
    free(pairs->all);
    *pairs = (struct pairs){0};
}
