/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pairs_line.c - formats each pair as a sentence; the sink prints these on standard error after the
 * last row. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/formats/print.h"
#include "report/pairs/pairs.h"

#define NAMED_MOST 3 /* sizes named in a sentence */
#define LINES_MOST 8 /* on standard error */

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

/* The decimals that show half of the interval with one or two digits. */
static int decimals_of(double half)
{
    int decimals = 1;

    for (double limit = 0.2; half < limit && decimals < 9; limit /= 10)
        decimals++;
    return decimals;
}

static double shown_ratio(const struct pair *pair, double ratio)
{
    return is_of_rate(pair) ? 1 / ratio : ratio;
}

/* "1.21 times at 4 KiB", or if rows of a size differ in other axes, too, "at 4 KiB, 8 threads". */
static void add_size(const struct run_info *info, const struct pair *pair,
                     const struct pair_size *size, const char *between, const char *word,
                     char *line)
{
    unsigned unlike = 0;
    char text[UNITS_TEXT];

    text_add(line, PAIR_LINE_TEXT, between, "%s%.2f%s at %s", word,
             shown_ratio(pair, exp(size->typical)), word[0] ? "" : " times",
             units_format_size(size->base->work.size_bytes, text));
    for (size_t i = 1; i < pair->size_count; i++)
        unlike |= cell_unlike(pair->size[0].base, pair->size[i].base) & CELL_PAIRED & ~pair->axes;
    columns_add_axes(info, size->base, unlike, line, PAIR_LINE_TEXT);
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
    struct settings once = *info->settings; /* loops and repeats are merged */
    char text[COLUMNS_PLACE_TEXT];
    unsigned differ = 0, within = 0;

    for (unsigned i = 0; i < info->cell_count; i++)
        if (cell_test(&info->cells[i]) == cell_test(base))
            differ |= cell_unlike(&info->cells[i], base);
    for (size_t i = 1; i < pair->size_count; i++)
        within |= cell_unlike(pair->size[i].base, base);
    differ &= ~(within | pair->axes);
    text_add(line, PAIR_LINE_TEXT, "", "%s", test_table[cell_test(base)].plural);
    columns_add_axes(info, base, differ, line, PAIR_LINE_TEXT);
    once.loops = once.repeats = 1;
    if (columns_place(&once, base, ", ", text)[0] != '\0')
        text_add(line, PAIR_LINE_TEXT, ", ", "%s", text);
}

void pair_line(const struct run_info *info, const struct pair *pair, char *line)
{
    const bool rate = is_of_rate(pair);
    const bool same = pair->low <= 1 && pair->high >= 1 && !pair->varied;
    double low = shown_ratio(pair, pair->low), high = shown_ratio(pair, pair->high);
    char text[2][PAIR_VALUE_TEXT];
    int decimals;

    if (rate) {
        low = shown_ratio(pair, pair->high);
        high = shown_ratio(pair, pair->low);
    }
    decimals = decimals_of((high - low) / 2);
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

struct pairs_sink {
    struct print_state state; /* stream NULL */
    struct pairs_rounds gathered;
    struct pairs *pairs;
};

static int sink_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct pairs_sink *sink = arg;
    (void)err;
    pairs_begin(&sink->gathered, info);
    return 0;
}

static int sink_slice(void *arg, const struct slice_record *record, struct error *err)
{
    struct pairs_sink *sink = arg;
    (void)err;
    pairs_add_slice(&sink->gathered, record);
    return 0;
}

/* Whether to print the pair at index `at` after `shown` others: the first pairs are printed, and
 * those of the smallest and the largest ratio. */
static bool is_shown(const struct pairs *pairs, size_t at, size_t shown)
{
    size_t least = 0, most = 0;

    for (size_t i = 1; i < pairs->count; i++) {
        least = pairs->all[i].ratio < pairs->all[least].ratio ? i : least;
        most = pairs->all[i].ratio > pairs->all[most].ratio ? i : most;
    }
    return at == least || at == most ||
           shown + (least > at) + (most > at && most != least) < LINES_MOST;
}

static int sink_end(void *arg, struct error *err)
{
    struct pairs_sink *sink = arg;
    const struct run_info *info = sink->gathered.info;
    char line[PAIR_LINE_TEXT];
    (void)err;
    pairs_end(&sink->gathered, sink->pairs);
    for (size_t i = 0, shown = 0; i < sink->pairs->count; i++) {
        if (!is_shown(sink->pairs, i, shown))
            continue;
        pair_line(info, &sink->pairs->all[i], line);
        log_named("compared", "%s", line);
        shown++;
    }
    if (sink->pairs->count > LINES_MOST)
        log_named("compared",
                  "%zu more pair%s: -o NAME.json, then iosweep compare NAME.json lists all",
                  sink->pairs->count - LINES_MOST, sink->pairs->count - LINES_MOST == 1 ? "" : "s");
    return 0;
}

static void sink_release(void *state)
{
    struct pairs_sink *sink = state;
    struct pairs none = {0};

    if (sink->gathered.rows)
        pairs_end(&sink->gathered, &none);
    pairs_free(&none);
    free(sink);
}

void format_make_pairs(struct pairs *pairs, struct sink *sink)
{
    struct pairs_sink *state = mem_calloc(1, sizeof(*state));

    state->state.release = sink_release;
    state->pairs = pairs;
    *sink = (struct sink){.begin = sink_begin, .slice = sink_slice, .end = sink_end, .arg = state};
}
