/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* match.c - rows become entries with a key, entries are sorted, and what has equal keys is one
 * cell. An axis that is being compared is empty in all keys. */
#include "base/compat.h"

#include "analysis/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/reference.h"
#include "base/mem.h"
#include "base/stats.h"
#include "base/units.h"

#define KEY_TEXTS  6  /* test, then MATCH_TARGET to MATCH_LABEL */
#define KEY_COUNTS 10 /* size, threads to ranks, pass, loop, repeat, mix, filled bytes */

struct match_entry {
    const char *text[KEY_TEXTS];
    uint64_t number[KEY_COUNTS];
    const struct results_row *row;
    unsigned file;
    size_t index; /* in the file */
};

struct group { /* a run of entries with one key */
    const struct match_entry *entries;
    size_t count;
};

struct match_pool {
    struct match_entry *entries;
    size_t count;
    struct group *groups;
    size_t group_count;
    struct compare_sample *samples;
    double **pooled;
    size_t pooled_count;
};

const char *match_axis_name(enum match_axis axis)
{
    static const char *const names[MATCH_AXIS_COUNT] = {
        [MATCH_TARGET] = "target", [MATCH_ENGINE] = "engine", [MATCH_CACHE] = "cache",
        [MATCH_ACCESS] = "access", [MATCH_LABEL] = "label",   [MATCH_THREADS] = "threads",
        [MATCH_DEPTH] = "depth",   [MATCH_RANKS] = "ranks",
    };
    return names[axis];
}

/* Of an axis of numbers. */
static uint64_t axis_number(const struct results_row *row, enum match_axis axis)
{
    switch (axis) {
    case MATCH_THREADS:
        return row->threads;
    case MATCH_DEPTH:
        return row->depth;
    default:
        return row->ranks;
    }
}

const char *match_axis_value(const struct results_row *row, enum match_axis axis, char *text)
{
    switch (axis) {
    case MATCH_TARGET:
        return row->target;
    case MATCH_ENGINE:
        return row->engine;
    case MATCH_CACHE:
        return row->cache;
    case MATCH_ACCESS:
        return row->access[0] ? row->access : "random";
    case MATCH_LABEL:
        return row->label;
    default:
        snprintf(text, UNITS_TEXT, "%" PRIu64, axis_number(row, axis));
        return text;
    }
}

char *match_describe(const struct results_row *row)
{
    char size[UNITS_TEXT], place[RESULTS_PLACE_TEXT], *text, *longer;
    text = mem_printf("%s%s%s", row->test, row->test[0] != '\0' ? " " : "",
                      units_format_size(row->size_bytes, size));
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char number[UNITS_TEXT];
        const char *value = match_axis_value(row, (enum match_axis)axis, number);
        if (value[0] == '\0' || (axis == MATCH_ACCESS && strcmp(value, "random") == 0) ||
            (axis >= MATCH_THREADS && strcmp(value, "1") == 0))
            continue;
        longer = axis < MATCH_LABEL
                     ? mem_printf("%s %s", text, value)
                     : mem_printf("%s, %s %s", text, match_axis_name((enum match_axis)axis), value);
        free(text);
        text = longer;
    }
    longer = mem_printf("%s%s", text, results_place(row, place));
    free(text);
    return longer;
}

/* --- keys ----------------------------------------------------------------------------------- */

static bool same_axis(const struct results_row *a, const struct results_row *b,
                      enum match_axis axis)
{
    char text[2][UNITS_TEXT];
    return strcmp(match_axis_value(a, axis, text[0]), match_axis_value(b, axis, text[1])) == 0;
}

/* The row of one side (0 old, 1 new) whose value of the axis all of them have; NULL:
 * they differ. */
static const struct results_row *only_value(const struct results *files, unsigned pairs,
                                            unsigned side, enum match_axis axis)
{
    const struct results_row *first = &files[side].rows[0];
    for (unsigned f = side; f < 2 * pairs; f += 2) {
        for (size_t i = 0; i < files[f].count; i++) {
            if (!same_axis(first, &files[f].rows[i], axis))
                return NULL;
        }
    }
    return first;
}

static void find_compared_axes(const struct results *files, unsigned pairs, struct match *match)
{
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        const struct results_row *before = only_value(files, pairs, 0, (enum match_axis)axis);
        const struct results_row *after = only_value(files, pairs, 1, (enum match_axis)axis);
        if (before && after && !same_axis(before, after, (enum match_axis)axis)) {
            match->axis_before[axis] = before;
            match->axis_after[axis] = after;
        }
    }
}

/* The row whose value of the axis all rows of the file have, or NULL. */
static const struct results_row *own_value(const struct results *file, enum match_axis axis)
{
    for (size_t i = 1; i < file->count; i++)
        if (!same_axis(&file->rows[0], &file->rows[i], axis))
            return NULL;
    return &file->rows[0];
}

static bool labels_name_files(const struct results *files, unsigned pairs,
                              const struct match *match)
{
    bool differ = false;
    if (match->axis_before[MATCH_LABEL])
        return false;
    for (unsigned f = 0; f < 2 * pairs; f++) {
        if (!own_value(&files[f], MATCH_LABEL))
            return false;
        for (unsigned g = 0; g < f; g++) {
            const bool same = same_axis(&files[f].rows[0], &files[g].rows[0], MATCH_LABEL);
            if (same && f % 2 != g % 2) /* in another order than old and new in turns? */
                return false;
            differ = differ || !same;
        }
    }
    return differ;
}

static void fill_entry(struct match_entry *entry, const struct match *match)
{
    const struct results_row *row = entry->row;
    char number[UNITS_TEXT];
    entry->text[0] = row->test;
    for (int axis = MATCH_TARGET; axis <= MATCH_LABEL; axis++)
        entry->text[1 + axis] =
            match->axis_before[axis] != NULL || (axis == MATCH_LABEL && match->labels_name_files)
                ? ""
                : match_axis_value(row, (enum match_axis)axis, number);
    entry->number[0] = row->size_bytes;
    for (int axis = MATCH_THREADS; axis <= MATCH_RANKS; axis++)
        entry->number[1 + axis - MATCH_THREADS] =
            match->axis_before[axis] ? 0 : axis_number(row, (enum match_axis)axis);
    entry->number[5] = row->pass;
    entry->number[6] = row->loop;
    entry->number[7] = row->repeat;
    entry->number[8] = row->mix;
    entry->number[9] = row->filled_bytes;
}

static int compare_keys(const struct match_entry *a, const struct match_entry *b)
{
    int order = 0;
    for (int i = 0; i < KEY_TEXTS && order == 0; i++)
        order = strcmp(a->text[i], b->text[i]);
    for (int i = 0; i < KEY_COUNTS && order == 0; i++)
        order = (a->number[i] > b->number[i]) - (a->number[i] < b->number[i]);
    return order;
}

static int compare_entries(const void *left, const void *right)
{
    const struct match_entry *a = left, *b = right;
    int order = compare_keys(a, b);
    if (order == 0)
        order = (a->file > b->file) - (a->file < b->file);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* By the first file and the place in it. */
static int compare_groups(const void *left, const void *right)
{
    const struct match_entry *a = ((const struct group *)left)->entries;
    const struct match_entry *b = ((const struct group *)right)->entries;
    int order = (a->file > b->file) - (a->file < b->file);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void group_rows(const struct results *files, unsigned pairs, const struct match *match,
                       struct match_pool *pool)
{
    for (unsigned f = 0; f < 2 * pairs; f++)
        pool->count += files[f].count;
    pool->entries = mem_calloc(pool->count + 1, sizeof(*pool->entries));
    pool->groups = mem_calloc(pool->count + 1, sizeof(*pool->groups));
    pool->count = 0;
    for (unsigned f = 0; f < 2 * pairs; f++) {
        for (size_t i = 0; i < files[f].count; i++) {
            struct match_entry *entry = &pool->entries[pool->count++];
            *entry = (struct match_entry){.row = &files[f].rows[i], .file = f, .index = i};
            fill_entry(entry, match);
        }
    }
    qsort(pool->entries, pool->count, sizeof(*pool->entries), compare_entries);
    for (size_t i = 0; i < pool->count; i++) {
        if (i == 0 || compare_keys(&pool->entries[i - 1], &pool->entries[i]) != 0)
            pool->groups[pool->group_count++].entries = &pool->entries[i];
        pool->groups[pool->group_count - 1].count++;
    }
    qsort(pool->groups, pool->group_count, sizeof(*pool->groups), compare_groups);
}

/* The first file without a row in the group, or the number of files. */
static unsigned missing_file(const struct group *group, unsigned files)
{
    unsigned next = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (group->entries[i].file > next)
            break;
        next = group->entries[i].file + 1;
    }
    return next < files ? next : files;
}

/* --- cells ---------------------------------------------------------------------------------- */

static bool has_note(const char *notes, const char *word)
{
    const size_t length = strlen(word);
    while (*notes != '\0') {
        const size_t here = strcspn(notes, ";");
        if (here == length && strncmp(notes, word, length) == 0)
            return true;
        notes += here + (notes[here] != '\0');
    }
    return false;
}

static void append_remark(char **remarks, const char *word, const char *side)
{
    char *longer = mem_printf("%s%s%s%s", *remarks, **remarks != '\0' ? ";" : "", word, side);
    free(*remarks);
    *remarks = longer;
}

/* Only files that have notes at all can tell a difference. */
static void note_differences(struct match_cell *cell, const struct group *group,
                             const struct results *files)
{
    static const struct {
        const char *word;
        bool unlike;
    } words[] = {{"cache_hits", true}, {"not_cached", true}, {"nocache", true},
                 {"unwritten", true},  {"wide", false},      {"drift", false}};
    bool known = true;
    for (size_t i = 0; i < group->count; i++) {
        known = known && files[group->entries[i].file].has_notes;
    }
    cell->remarks = mem_strdup("");
    for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
        bool on[2] = {false, false};
        for (size_t i = 0; i < group->count; i++) {
            const struct match_entry *entry = &group->entries[i];
            on[entry->file % 2] = on[entry->file % 2] || has_note(entry->row->notes, words[w].word);
        }
        if (on[0] || on[1])
            append_remark(&cell->remarks, words[w].word,
                          on[0] && on[1] ? ""
                          : on[0]        ? ":old"
                                         : ":new");
        if (known && words[w].unlike && on[0] != on[1])
            cell->unlike = true;
    }
}

/* To be freed by the target. */
static double *pool_array(struct match_pool *pool, size_t count)
{
    double *array = mem_calloc(count + 1, sizeof(*array));
    pool->pooled = mem_realloc_array(pool->pooled, pool->pooled_count + 1, sizeof(double *));
    pool->pooled[pool->pooled_count++] = array;
    return array;
}

/* By the best round, or, where it is known how long threads waited for a processor, by all time. */
static bool is_bound(const struct results_row *row)
{
    const double threads = (double)row->threads * (double)row->ranks;
    return reference_bound(row->cpu_ns_per_op, fmin(row->op_ns_min, row->op_ns_median), threads) ||
           reference_bound(row->cpu_ns_per_op + row->queued_ns_per_op, 1e9 / row->rate_per_s,
                           threads);
}

/* All rounds of `count` rows of one file in one array, which the target keeps. */
static void pool_rounds(const struct match_entry *entries, size_t count,
                        struct compare_sample *sample, struct match_pool *pool)
{
    double *all, *references;
    size_t total = 0;
    bool known = true, bound = true;
    for (size_t i = 0; i < count; i++) {
        total += entries[i].row->round_count;
        known = known && entries[i].row->reference_round_ns;
        bound = bound && is_bound(entries[i].row);
    }
    all = pool_array(pool, total);
    references = known ? pool_array(pool, total) : NULL;
    total = 0;
    for (size_t i = 0; i < count; i++) {
        const struct results_row *row = entries[i].row;
        memcpy(all + total, row->round_ns, row->round_count * sizeof(*all));
        if (known)
            memcpy(references + total, row->reference_round_ns,
                   row->round_count * sizeof(*references));
        total += row->round_count;
    }
    *sample = (struct compare_sample){
        .round_ns = all,
        .round_count = total,
        .median_ns = stats_median_of(all, total),
        .low_ns = NAN,
        .high_ns = NAN,
        .reference_ns = known ? stats_median_of(references, total) : NAN,
        .reference_round_ns = references,
        .bound = bound,
    };
}

/* The rows of a cell in one file become one sample. */
static int make_sample(const struct match_entry *entries, size_t count, const struct results *file,
                       struct compare_sample *sample, struct match_pool *pool, struct error *err)
{
    const struct results_row *row = entries[0].row;
    *sample = (struct compare_sample){
        .round_ns = row->round_ns,
        .round_count = row->round_count,
        .median_ns = results_op_ns(row),
        .low_ns = row->op_ns_low,
        .high_ns = row->op_ns_high,
        .reference_ns = row->reference_ns,
        .reference_round_ns = row->reference_round_ns,
        .bound = is_bound(row),
    };
    if (count == 1)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].row->round_count == 0) {
            char *cell = match_describe(row);
            error_set(err, STATUS_USAGE, 0, "several rows for one cell, but no rounds to pool, in",
                      file->path);
            error_advise(err, "the cell is %s; use one file per sweep, or JSON files", cell);
            free(cell);
            return -1;
        }
    }
    pool_rounds(entries, count, sample, pool);
    return 0;
}

static const char *why_not(const struct group *group)
{
    const char *reason = NULL;
    for (size_t i = 0; i < group->count; i++) {
        if (group->entries[i].row->skipped)
            return "skipped";
        if (group->entries[i].row->incomplete)
            reason = "incomplete";
    }
    return reason;
}

/* What the old side measured and the new one did not: a sweep that broke off, or did less. */
static bool is_gone(const struct group *group, unsigned pairs)
{
    unsigned measured = 0; /* new files with figures of it */
    bool old = false;
    for (size_t i = 0; i < group->count;) {
        const unsigned file = group->entries[i].file;
        bool known = true;
        for (; i < group->count && group->entries[i].file == file; i++)
            known = known && !group->entries[i].row->skipped && !group->entries[i].row->incomplete;
        old = old || (known && file % 2 == 0);
        measured += known && file % 2 == 1;
    }
    return old && measured < pairs;
}

/* Ranks that share processors slow down the reference too: where their number differs, the
 * reference does not tell a slower machine from a faster one. */
static bool has_one_reference(const struct match *match)
{
    return !match->axis_before[MATCH_RANKS];
}

static int make_cell(const struct results *files, unsigned pairs, const struct group *group,
                     struct match *match, struct error *err)
{
    struct match_pool *pool = match->pool;
    struct match_cell *cell = &match->cells[match->count];
    struct compare_cell *compared = &match->compared[match->count];
    struct compare_sample *samples = pool->samples + match->count * 2 * pairs;
    size_t at = 0;

    match->count++;
    *cell = (struct match_cell){.before = group->entries[0].row, .reason = why_not(group)};
    cell->gone = is_gone(group, pairs);
    *compared = (struct compare_cell){.before = samples, .after = samples + pairs};
    note_differences(cell, group, files);
    while (compared->test < match->test_count &&
           strcmp(match->tests[compared->test], cell->before->test) != 0)
        compared->test++;
    if (compared->test == match->test_count)
        match->tests[match->test_count++] = cell->before->test;
    for (unsigned f = 0; f < 2 * pairs; f++) {
        struct compare_sample *sample = &samples[(f % 2) * pairs + f / 2];
        size_t count = 1;
        while (at + count < group->count && group->entries[at + count].file == f)
            count++;
        if (f == 1)
            cell->after = group->entries[at].row;
        if (cell->reason)
            *sample = (struct compare_sample){
                .median_ns = NAN, .low_ns = NAN, .high_ns = NAN, .reference_ns = NAN};
        else if (make_sample(&group->entries[at], count, &files[f], sample, pool, err) < 0)
            return -1;
        sample->bound = sample->bound && has_one_reference(match);
        at += count;
    }
    return 0;
}

/* The first axis in which two files have one value each, and not the same. */
static bool advise_axis(const struct results *files, unsigned pairs, const struct match *match,
                        struct error *err)
{
    for (int a = 0; a < MATCH_AXIS_COUNT; a++) {
        const enum match_axis axis = (enum match_axis)a;
        const struct results_row *first = NULL, *row;
        char text[2][UNITS_TEXT];
        unsigned from = 0;
        if (match->axis_before[a] || (axis == MATCH_LABEL && match->labels_name_files))
            continue;
        for (unsigned f = 0; f < 2 * pairs; f++) {
            row = own_value(&files[f], axis);
            if (row && first && !same_axis(first, row, axis)) {
                error_advise(
                    err,
                    "the %s is \"%s\" in %s, but \"%s\" in %s; all old files need the same, and "
                    "so do all new files",
                    match_axis_name(axis), match_axis_value(first, axis, text[0]), files[from].path,
                    match_axis_value(row, axis, text[1]), files[f].path);
                return true;
            }
            if (row && !first) {
                first = row;
                from = f;
            }
        }
    }
    return false;
}

static int nothing_in_common(const struct results *files, unsigned pairs, const struct match *match,
                             struct error *err)
{
    char *before = match_describe(&files[0].rows[0]), *after = match_describe(&files[1].rows[0]);
    error_set(err, STATUS_USAGE, 0, "nothing to compare: no cell is in all files", NULL);
    if (!advise_axis(files, pairs, match, err))
        error_advise(err, "the first of %s is %s, of %s %s", files[0].path, before, files[1].path,
                     after);
    free(before);
    free(after);
    return -1;
}

int match_files(const struct results *files, unsigned pairs, struct match *match, struct error *err)
{
    struct match_pool *pool = mem_calloc(1, sizeof(*pool));
    *match = (struct match){.pool = pool};
    find_compared_axes(files, pairs, match);
    match->labels_name_files = labels_name_files(files, pairs, match);
    group_rows(files, pairs, match, pool);
    match->cells = mem_calloc(pool->group_count + 1, sizeof(*match->cells));
    match->compared = mem_calloc(pool->group_count + 1, sizeof(*match->compared));
    match->lonely = mem_calloc(pool->group_count + 1, sizeof(*match->lonely));
    match->tests = mem_calloc(pool->group_count + 1, sizeof(*match->tests));
    pool->samples = mem_calloc(pool->group_count + 1, 2 * (size_t)pairs * sizeof(*pool->samples));
    for (size_t g = 0; g < pool->group_count; g++) {
        const struct group *group = &pool->groups[g];
        const unsigned missing = missing_file(group, 2 * pairs);
        if (missing < 2 * pairs) {
            match->lonely[match->lonely_count++] = (struct match_lonely){
                group->entries[0].row, &files[missing], is_gone(group, pairs)};
        } else if (make_cell(files, pairs, group, match, err) < 0) {
            match_free(match);
            return -1;
        }
    }
    if (match->count > 0)
        return 0;
    nothing_in_common(files, pairs, match, err);
    match_free(match);
    return -1;
}

void match_free(struct match *match)
{
    struct match_pool *pool = match->pool;
    for (size_t i = 0; i < match->count; i++)
        free(match->cells[i].remarks);
    for (size_t i = 0; i < pool->pooled_count; i++)
        free(pool->pooled[i]);
    free(pool->pooled);
    free(pool->samples);
    free(pool->groups);
    free(pool->entries);
    free(pool);
    free(match->cells);
    free(match->compared);
    free(match->lonely);
    free(match->tests);
}
