/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pairs.c - see pairs.h. The ratio of a size is the trimmed mean of its rounds' log ratios; the
 * ratio of all sizes weights these by their precision, and its uncertainty includes their
 * disagreement. */
#include "base/compat.h"

#include "report/pairs/pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/formats/print.h"

#define ROUNDS_LEAST 3
/* Measured difference between two identical files, caused by the location of their pages in caches
 * and memory. It does not shrink with the number of rounds, and is independent at each size. */
#define ERROR_LEAST   0.003
#define PRIOR_FREEDOM 4
#define APART_SHARE   4    /* at most every fourth size is an exception */
#define APART_MOST    16   /* and at most this number of sizes */
#define APART_CARE    5    /* limits false exceptions to 1 % of all runs */
#define CHANGE_LEAST  0.01 /* smaller differences are not reported separately */
#define NAMED_MOST    3    /* sizes named in a sentence */
#define LINES_MOST    8    /* on standard error */

struct pairs_sink {
    struct print_state state; /* stream NULL */
    const struct run_info *info;
    struct pairs *pairs;
    struct pairs_row { /* of each cell */
        /* by round of the part: time per operation with and without waits; 0: none */
        struct pairs_round {
            double op_ns, worked_ns;
        } * rounds;
        size_t count, capacity;
    } * rows;
};

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

/* The rows of one size of a pair; adds those that are missing. */
static struct pair_size *size_of(struct pairs *pairs, unsigned axes, const struct cell *base,
                                 const struct cell *other)
{
    const unsigned beside = AXIS_SIZE | (CELL_PAIRED ^ axes);
    struct pair *pair;
    size_t p = 0, i = 0;

    while (p < pairs->count &&
           !(pairs->all[p].axes == axes && cell_alike(pairs->all[p].size[0].base, base, beside) &&
             cell_alike(pairs->all[p].size[0].other, other, beside)))
        p++;
    if (p == pairs->count) {
        pairs->all = mem_realloc_array(pairs->all, ++pairs->count, sizeof(*pairs->all));
        pairs->all[p] = (struct pair){.axes = axes};
    }
    pair = &pairs->all[p];
    while (i < pair->size_count &&
           !(cell_alike(pair->size[i].base, base, 0) && cell_alike(pair->size[i].other, other, 0)))
        i++;
    if (i == pair->size_count) {
        pair->size = mem_realloc_array(pair->size, ++pair->size_count, sizeof(*pair->size));
        pair->size[i] = (struct pair_size){.base = base, .other = other};
    }
    return &pair->size[i];
}

static bool is_common(const struct pairs_row *base, const struct pairs_row *other, size_t round)
{
    return round < base->count && round < other->count && base->rounds[round].op_ns > 0 &&
           other->rounds[round].op_ns > 0;
}

/* Adds the common rounds of two rows to those of earlier loops and repeats. Waits are excluded for
 * both rows or neither: with several operations in flight they overlap with others, lie partly
 * outside the counted time, and may be waits for each other. */
static void add_rounds(const struct pairs_sink *sink, unsigned axes, const struct cell *base,
                       const struct cell *other)
{
    const struct pairs_row *a = &sink->rows[base->index], *b = &sink->rows[other->index];
    const bool worked = cell_slots(base) == 1 && cell_slots(other) == 1;
    struct pair_size *size;
    size_t common = 0;

    for (size_t i = 0; i < a->count; i++)
        common += is_common(a, b, i);
    if (common < ROUNDS_LEAST)
        return;
    size = size_of(sink->pairs, axes, base, other);
    size->ns = mem_realloc_array(size->ns, size->rounds + common, sizeof(*size->ns));
    for (size_t i = 0; i < a->count; i++)
        if (is_common(a, b, i)) {
            size->ns[size->rounds][0] = worked ? a->rounds[i].worked_ns : a->rounds[i].op_ns;
            size->ns[size->rounds++][1] = worked ? b->rounds[i].worked_ns : b->rounds[i].op_ns;
        }
}

/* first: the first row of the same rounds. For each set of axes, the first row that differs in
 * exactly these is the base: it has their first value. */
static void add_pairs(const struct pairs_sink *sink, const struct cell *first,
                      const struct cell *other)
{
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
        add_rounds(sink, axes, base[i], other);
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

static void judge_size(struct pair_size *size)
{
    const size_t n = size->rounds;
    double *base = mem_calloc(3 * n, sizeof(*base)), *other = base + n, *log_ratio = other + n;
    double base_ns, other_ns;

    for (size_t i = 0; i < n; i++) {
        base[i] = size->ns[i][0];
        other[i] = size->ns[i][1];
        log_ratio[i] = log(other[i] / base[i]);
    }
    free(size->ns);
    size->ns = NULL;
    base_ns = stats_mean(base, n);
    other_ns = stats_mean(other, n);
    size->typical = stats_trimmed(log_ratio, n, &size->error, &size->freedom);
    size->error = hypot(size->error, ERROR_LEAST);
    size->mean = log(other_ns / base_ns);
    size->mean_error = hypot(
        hypot(stats_stddev(base, n) / base_ns, stats_stddev(other, n) / other_ns) / sqrt((double)n),
        ERROR_LEAST);
    free(base);
}

static void judge_pair(struct pair *pair)
{
    size_t most = pair->size_count / APART_SHARE;
    struct pooled pooled, means;
    struct pair_size *apart;
    double half, off;

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
    means = pool_sizes(pair, NULL, true);
    half = stats_t_975(pooled.freedom < 1 ? 1 : (size_t)pooled.freedom) * pooled.error;
    pair->ratio = exp(pooled.mean);
    pair->low = exp(pooled.mean - half);
    pair->high = exp(pooled.mean + half);
    off = fabs(means.mean - pooled.mean);
    pair->mean_ratio = exp(means.mean);
    pair->mean_apart = off > CHANGE_LEAST &&
                       off > stats_z_975(APART_CARE) * hypot(sqrt(1 / means.weights), pooled.error);
}

/* --- sentences --- */

/* Pairs of threads or depth compare rates, all others times. */
static bool is_of_rate(const struct pair *pair)
{
    return pair->axes & (AXIS_THREADS | AXIS_DEPTH);
}

const char *pair_axis(const struct pair *pair)
{
    return pair->axes & AXIS_TARGET    ? "target"
           : pair->axes & AXIS_DEPTH   ? "depth"
           : pair->axes & AXIS_THREADS ? "threads"
           : pair->axes & AXIS_ACCESS  ? "access"
                                       : "engine";
}

char *pair_value(const struct run_info *info, const struct pair *pair, const struct cell *cell,
                 char *text)
{
    const unsigned plain =
        pair->axes & ~(unsigned)AXIS_ENGINE; /* another axis that implies the engine */

    text[0] = '\0';
    columns_add_axes(info, cell, plain ? plain : pair->axes, text, PAIR_VALUE_TEXT);
    return text;
}

static double shown_ratio(const struct pair *pair, double ratio)
{
    return is_of_rate(pair) ? 1 / ratio : ratio;
}

/* The axes in which the rows of a pair differ from each other. */
static unsigned axes_within(const struct pair *pair)
{
    unsigned unlike = 0;

    for (size_t i = 1; i < pair->size_count; i++)
        unlike |= cell_unlike(pair->size[0].base, pair->size[i].base);
    return unlike;
}

/* "1.21 times at 4 KiB", or if rows of a size differ in other axes, too, "at 4 KiB, 8 threads". */
static void add_size(const struct run_info *info, const struct pair *pair,
                     const struct pair_size *size, const char *between, const char *word,
                     char *line)
{
    char text[UNITS_TEXT];

    text_add(line, PAIR_LINE_TEXT, between, "%s%.2f%s at %s", word,
             shown_ratio(pair, exp(size->typical)), word[0] ? "" : " times",
             units_format_size(size->base->work.size_bytes, text));
    columns_add_axes(info, size->base, axes_within(pair) & CELL_PAIRED & ~pair->axes, line,
                     PAIR_LINE_TEXT);
}

/* "; 1.21 times at 4 KiB", or "; sizes differ, from 0.98 at 1 MiB to 1.43 at 512 B". */
static void add_sizes(const struct run_info *info, const struct pair *pair, bool same, char *line)
{
    const struct pair_size *least = pair->size, *most = pair->size;
    unsigned named = 0;

    for (const struct pair_size *size = pair->size; size < pair->size + pair->size_count; size++) {
        if (size->apart && named++ < NAMED_MOST)
            add_size(info, pair, size, named > 1 ? ", " : same ? "; but " : "; ", "", line);
        if (size->typical < least->typical)
            least = size;
        if (size->typical > most->typical)
            most = size;
    }
    if (named > NAMED_MOST)
        text_add(line, PAIR_LINE_TEXT, "", " and %u more sizes", named - NAMED_MOST);
    if (!pair->varied)
        return;
    add_size(info, pair, is_of_rate(pair) ? most : least, "; sizes differ, ", "from ", line);
    add_size(info, pair, is_of_rate(pair) ? least : most, " ", "to ", line);
}

/* Describes the rows of a pair by what distinguishes them within their test: "reads, direct, depth
 * 8". */
static void add_subject(const struct run_info *info, const struct pair *pair, char *line)
{
    const struct cell *base = pair->size[0].base;
    char text[COLUMNS_PLACE_TEXT];
    unsigned differ = 0;

    for (unsigned i = 0; i < info->cell_count; i++)
        if (cell_test(&info->cells[i]) == cell_test(base))
            differ |= cell_unlike(&info->cells[i], base);
    differ &= ~(axes_within(pair) | pair->axes);
    text_add(line, PAIR_LINE_TEXT, "", "%s", test_table[cell_test(base)].plural);
    columns_add_axes(info, base, differ, line, PAIR_LINE_TEXT);
    if (columns_place(info->settings, base, true, ", ", text)[0] != '\0')
        text_add(line, PAIR_LINE_TEXT, ", ", "%s", text);
}

void pair_line(const struct run_info *info, const struct pair *pair, char *line)
{
    const bool rate = is_of_rate(pair);
    const bool same = pair->low <= 1 && pair->high >= 1 && !pair->varied;
    const double ends[] = {shown_ratio(pair, pair->low), shown_ratio(pair, pair->high)};
    const double low = fmin(ends[0], ends[1]), high = fmax(ends[0], ends[1]);
    char text[2][PAIR_VALUE_TEXT];
    int decimals = 1;

    /* half of the interval has one or two digits */
    for (double limit = 0.2; (high - low) / 2 < limit && decimals < 9; limit /= 10)
        decimals++;
    /* an end that excludes 1 must not be rounded to 1 */
    while (!(low <= 1 && high >= 1) && decimals < 9 &&
           fabs((low > 1 ? low : high) - 1) < 0.5 * pow(10, -decimals))
        decimals++;
    line[0] = '\0';
    add_subject(info, pair, line);
    text_add(line, PAIR_LINE_TEXT, ": ",
             rate ? "%s: %.*f (%.*f .. %.*f) times the rate of %s"
                  : "%s takes %.*f (%.*f .. %.*f) times as long as %s",
             pair_value(info, pair, pair->size[0].other, text[0]), decimals,
             shown_ratio(pair, pair->ratio), decimals, low, decimals, high,
             pair_value(info, pair, pair->size[0].base, text[1]));
    if (same)
        text_add(line, PAIR_LINE_TEXT, ": ", "no difference is shown");
    add_sizes(info, pair, same, line);
    if (pair->mean_apart)
        text_add(line, PAIR_LINE_TEXT, "; ", "%.2f times by the mean, slow operations included",
                 shown_ratio(pair, pair->mean_ratio));
}

/* --- the sink --- */

static int sink_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct pairs_sink *sink = arg;

    (void)err;
    sink->info = info;
    sink->rows = mem_calloc(info->cell_count + 1, sizeof(*sink->rows));
    return 0;
}

static int sink_slice(void *arg, const struct slice_record *record, struct error *err)
{
    struct pairs_sink *sink = arg;
    struct pairs_row *row = &sink->rows[record->cell->index];
    double share = 1; /* of the time without waits, for one operation in flight */

    (void)err;
    if (record->op_ns <= 0)
        return 0;
    if (record->elapsed_ns > 0)
        share = fmax(1 - (double)record->queued_ns / (double)record->elapsed_ns, 0.01);
    row->rounds =
        mem_grow(row->rounds, &row->capacity, (size_t)record->part_round + 1, sizeof(*row->rounds));
    while (row->count <= record->part_round)
        row->rounds[row->count++] = (struct pairs_round){.op_ns = 0};
    row->rounds[record->part_round] = (struct pairs_round){record->op_ns, record->op_ns * share};
    return 0;
}

/* The first pairs are printed, and those of the smallest and the largest ratio. */
static int sink_end(void *arg, struct error *err)
{
    struct pairs_sink *sink = arg;
    struct pairs *pairs = sink->pairs;
    const struct cell *first = sink->info->cells;
    size_t least = 0, most = 0, shown = 0;
    char line[PAIR_LINE_TEXT];

    (void)err;
    for (unsigned i = 0; i < sink->info->cell_count; i++) {
        const struct cell *cell = &sink->info->cells[i];
        first = cell->part == first->part ? first : cell;
        add_pairs(sink, first, cell);
    }
    for (unsigned i = 0; i < sink->info->cell_count; i++)
        free(sink->rows[i].rounds);
    free(sink->rows);
    for (size_t i = 0; i < pairs->count; i++) {
        judge_pair(&pairs->all[i]);
        least = pairs->all[i].ratio < pairs->all[least].ratio ? i : least;
        most = pairs->all[i].ratio > pairs->all[most].ratio ? i : most;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        if (i != least && i != most &&
            shown + (least > i) + (most > i && most != least) >= LINES_MOST)
            continue;
        pair_line(sink->info, &pairs->all[i], line);
        log_named("compared", "%s", line);
        shown++;
    }
    if (pairs->count > LINES_MOST)
        log_named("compared",
                  "%zu more pair%s: -o NAME.json, then iosweep compare NAME.json lists all",
                  pairs->count - LINES_MOST, pairs->count - LINES_MOST == 1 ? "" : "s");
    return 0;
}

void format_make_pairs(struct pairs *pairs, struct sink *sink)
{
    struct pairs_sink *state = mem_calloc(1, sizeof(*state));

    state->state.release = free;
    state->pairs = pairs;
    *sink = (struct sink){.begin = sink_begin, .slice = sink_slice, .end = sink_end, .arg = state};
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        free(pairs->all[i].size);
    free(pairs->all);
    *pairs = (struct pairs){0};
}
