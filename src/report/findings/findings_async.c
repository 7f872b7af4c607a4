/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_async.c - findings about verification, wanted rates, and asynchronous engines: whether
 * they were asynchronous at all, and what keeping more operations in flight was worth.
 *
 * Depth is judged by series of rows that differ in nothing else; of several series of a test the
 * one that gains most speaks for it, so that "gains nothing" holds for all of them. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/findings/findings.h"

#define GROWTH      1.1 /* less than that from one depth to the best one is not worth waiting for */
#define NEXT_FACTOR 4   /* how far beyond the last depth to look */

bool findings_wrong(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    char advice[64];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->wrong > 0)
            findings_gather(f, &rows, row, (double)row->wrong);
    if (rows.count == 0)
        return false;
    if (!rows.own)
        snprintf(advice, sizeof(advice), "--seed %" PRIu64 " reads the same offsets again",
                 f->info->settings->seed);
    else
        snprintf(advice, sizeof(advice), "%s",
                 f->info->settings->keep ? "the files were kept for inspection"
                                         : "--keep keeps the files for inspection");
    snprintf(
        text, FINDING_TEXT,
        "%.0f operation%s in %zu row%s read back wrong data: not what was written; do not trust "
        "this storage; %s",
        rows.sum, findings_plural((size_t)rows.sum), rows.count, findings_plural(rows.count),
        advice);
    return true;
}

bool findings_rate(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    bool async = false;
    char size[UNITS_TEXT], rate[UNITS_TEXT];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if ((row->notes & NOTE_RATE_MISSED) && row->rate >= 0) {
            findings_gather(f, &rows, row, -row->rate);
            async = async || row->cell->engine->async;
        }
    if (rows.count == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%zu row%s could not keep up with --rate %" PRIu64
             " (%s%s of %s: %s); their latencies include queueing; try a lower --rate%s",
             rows.count, findings_plural(rows.count), f->info->settings->rate,
             rows.count > 1 ? "worst: " : "", test_names[cell_test(rows.worst->cell)],
             units_format_size(rows.worst->cell->work.size_bytes, size),
             units_format_rate(rows.worst->rate, rate),
             async ? ", more --depth or more --threads" : " or more --threads");
    return true;
}

bool findings_submit(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    bool direct = true; /* all of them */
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->notes & NOTE_SUBMIT_BLOCKS) {
            findings_gather(f, &rows, row, row->submit_fraction);
            direct = direct && row->cell->work.cache == CACHE_DIRECT;
        }
    if (rows.count == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "engine %s blocks in submission (%s%.0f %% of the time in %zu row%s): %s",
             rows.worst->cell->engine->name, rows.count > 1 ? "up to " : "", rows.most * 100,
             rows.count, findings_plural(rows.count),
             direct ? "even O_DIRECT is not asynchronous here; compare with another --engine"
             : findings_has_direct(f)
                 ? "only O_DIRECT is asynchronous; compare with the rows with cache=direct"
                 : "only O_DIRECT is asynchronous; use -b (--cache direct)");
    return true;
}

/* An engine of this run that waits for each transfer itself, NULL: none. */
static const char *synchronous_engine(const struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->rows[i].cell->engine->async && !findings_virtual(&f->rows[i]))
            return f->rows[i].cell->engine->name;
    return NULL;
}

bool findings_punted(const struct findings *f, char *text)
{
    const char *other = synchronous_engine(f);
    bool punted[TEST_COUNT] = {false};
    struct gathered rows = {.own = true};
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->notes & NOTE_PUNTED) {
            findings_gather(f, &rows, row, row->helper_fraction);
            punted[row->cell->work.test] = true;
        }
    if (rows.count == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "the kernel handed %s of %zu row%s to worker threads (%s%.0f %% of the CPU time): this "
        "file system cannot do them without blocking; %s%s",
        punted[TEST_READ] && punted[TEST_WRITE] ? "reads and writes"
        : punted[TEST_READ]                     ? "reads"
                                                : "writes",
        rows.count, findings_plural(rows.count), rows.count > 1 ? "up to " : "", rows.most * 100,
        other ? "compare with the rows with engine=" : "--engine posix shows the cost without them",
        other ? other : "");
    return true;
}

struct depths { /* rows that differ in depth only */
    const struct seen *one, *best, *last;
    const struct seen *enough; /* the least depth that the best one exceeds by less than GROWTH */
};

static uint32_t depth_of(const struct seen *row)
{
    return row->cell->work.depth;
}

static bool is_point(const struct seen *row)
{
    return row->state == RESULT_CLOSED && row->rate > 0 && !findings_virtual(row) &&
           !(row->notes & NOTE_DRAINED);
}

static bool same_series(const struct cell *a, const struct cell *b)
{
    return a->work.test == b->work.test && a->work.cache == b->work.cache &&
           a->target == b->target && a->engine == b->engine && a->threads == b->threads &&
           a->step == b->step && a->loop == b->loop && a->repeat == b->repeat &&
           a->mixed == b->mixed && a->read_percent == b->read_percent &&
           a->work.size_bytes == b->work.size_bytes;
}

static double gain_of(const struct depths *series)
{
    return series->best->rate / series->one->rate;
}

/* The series that begins with that row of depth 1; false when nothing deeper was finished. */
static bool find_series(const struct findings *f, const struct seen *one, struct depths *series)
{
    *series = (struct depths){.one = one, .best = one, .last = one};
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!is_point(row) || !same_series(row->cell, one->cell))
            continue;
        if (row->rate > series->best->rate)
            series->best = row;
        if (depth_of(row) > depth_of(series->last))
            series->last = row;
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (is_point(row) && same_series(row->cell, one->cell) &&
            row->rate * GROWTH > series->best->rate &&
            (!series->enough || depth_of(row) < depth_of(series->enough)))
            series->enough = row;
    }
    return series->last != one;
}

/* Of a test the series that gains most. */
static bool find_gain(const struct findings *f, enum io_test test, struct depths *most)
{
    *most = (struct depths){.one = NULL};
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        struct depths series;
        if (row->cell->work.test != test || depth_of(row) != 1 || !is_point(row) ||
            !row->cell->engine->async || !find_series(f, row, &series))
            continue;
        if (!most->one || gain_of(&series) > gain_of(most))
            *most = series;
    }
    return most->one;
}

static void describe_gain(const struct depths *series, char *text, size_t text_size)
{
    const struct cell *cell = series->one->cell;
    char size[UNITS_TEXT], best[UNITS_TEXT], one[UNITS_TEXT];
    int used = snprintf(text, text_size, "%s of %s by %s ", test_table[cell_test(cell)].plural,
                        units_format_size(cell->work.size_bytes, size), cell->engine->name);
    units_format_rate(series->best->rate, best);
    text += used;
    text_size -= (size_t)used;
    if (series->enough == series->one)
        snprintf(text, text_size, "gain nothing from depth (%s at depth 1, %s at best)",
                 units_format_rate(series->one->rate, one), best);
    else if (series->enough == series->last)
        snprintf(text, text_size,
                 "reach %.1f times the rate of depth 1 at depth %" PRIu32 " (%s, still growing)",
                 gain_of(series), depth_of(series->best), best);
    else
        snprintf(text, text_size,
                 "reach %.1f times the rate of depth 1 at depth %" PRIu32
                 " (%s), and gain less than 10 %% beyond depth %" PRIu32,
                 gain_of(series), depth_of(series->best), best, depth_of(series->enough));
}

/* What to try next, by the series that gains most of all. */
static void advise_depth(const struct findings *f, const struct depths *series, char *text,
                         size_t text_size)
{
    const struct seen *last = series->last;
    const uint32_t most = last->cell->engine->async->depth_max;
    const uint32_t next = depth_of(last) > most / NEXT_FACTOR ? most : depth_of(last) * NEXT_FACTOR;
    if (series->enough == series->one && !findings_has_direct(f) &&
        !findings_target(f, last)->in_memory)
        snprintf(text, text_size, "use -b (--cache direct), so that there is storage to wait for");
    else if (series->enough == last && next > depth_of(last))
        snprintf(text, text_size, "try --depth %" PRIu32 "..%" PRIu32, depth_of(last), next);
    else
        snprintf(text, text_size, "try --depth %" PRIu32 " with more --threads",
                 depth_of(series->enough));
}

/* At a wanted rate depth cannot raise it. */
bool findings_depth(const struct findings *f, char *text)
{
    struct depths series, most = {.one = NULL};
    char advice[96];
    size_t used = 0;
    text[0] = '\0';
    for (int test = 0; test < TEST_COUNT && f->info->settings->rate == 0; test++) {
        char words[160];
        if (!find_gain(f, (enum io_test)test, &series))
            continue;
        describe_gain(&series, words, sizeof(words));
        /* Of many tests the first ones are named; the advice goes by all. */
        if (used + strlen(words) + sizeof(advice) + 4 < FINDING_TEXT)
            used += (size_t)snprintf(text + used, FINDING_TEXT - used, "%s%s", used > 0 ? ", " : "",
                                     words);
        if (!most.one || gain_of(&series) > gain_of(&most))
            most = series;
    }
    if (!most.one)
        return false;
    advise_depth(f, &most, advice, sizeof(advice));
    snprintf(text + used, FINDING_TEXT - used, "; %s", advice);
    return true;
}
