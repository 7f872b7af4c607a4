/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge.c - finds the rows of several files that are the same cell, adds up their histograms, and
 * judges how well they go together. */
#include "base/compat.h"

#include "analysis/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match.h"
#include "analysis/merge_rules.h"
#include "analysis/results/arena.h"
#include "base/mem.h"

/* --- which rows are the same cell --- */

/* What tells rows apart only where a file has several of it: hosts may mount a file system in
 * different places, or work with different numbers of threads or ranks. */
struct several {
    bool targets, threads, teams;
};

static bool is_apart(const char *name, const struct several *several)
{
    if (strcmp(name, "target") == 0)
        return several->targets;
    if (strcmp(name, "threads") == 0)
        return several->threads;
    if (strcmp(name, "ranks") == 0)
        return several->teams;
    return strcmp(name, "label") != 0;
}

static bool same_cell(const struct merge *merge, const struct results_row *a,
                      const struct results_row *b, const struct several *several)
{
    for (size_t i = 0; i < merge->column_count; i++) {
        const struct merge_column *column = &merge->columns[i];
        if (!column->identity || !is_apart(column->name, several))
            continue;
        if (!merge_same_value(merge_value_of(a, column->name), merge_value_of(b, column->name)))
            return false;
    }
    return true;
}

static void look(const struct results *file, struct several *several)
{
    for (size_t i = 1; i < file->count; i++) {
        several->targets =
            several->targets || strcmp(file->rows[i].target, file->rows[0].target) != 0;
        several->threads = several->threads || file->rows[i].threads != file->rows[0].threads;
        several->teams = several->teams || file->rows[i].ranks != file->rows[0].ranks;
    }
}

/* The row of a file that is the n-th of its cell. */
static const struct results_row *find(const struct merge *merge, const struct results *file,
                                      const struct results_row *row, size_t n,
                                      const struct several *several)
{
    for (size_t i = 0; i < file->count; i++)
        if (!file->rows[i].skipped && same_cell(merge, &file->rows[i], row, several) && n-- == 0)
            return &file->rows[i];
    return NULL;
}

static size_t rows_of(const struct results *file)
{
    size_t rows = 0;

    for (size_t i = 0; i < file->count; i++)
        rows += !file->rows[i].skipped;
    return rows;
}

static int refuse_missing(const struct results *has, const struct results_row *row,
                          const struct results *lacks, struct error *err)
{
    char action[320], *cell = results_printable(match_describe(row));

    snprintf(action, sizeof(action), "no row for %s, which %.80s has, in", cell, has->path);
    free(cell);
    error_set(err, STATUS_USAGE, 0, action, lacks->path);
    return error_advise(err,
                        "merge needs results with the same rows: use the same options in all runs");
}

/* --- how well the parts go together --- */

static void judge_overlap(const struct merge *merge, struct merge_row *row)
{
    double begin_s = -INFINITY, end_s = INFINITY, longest_s = 0;

    row->overlap = row->measured = NAN;
    for (unsigned i = 0; i < merge->file_count; i++) {
        const struct results_row *part = row->parts[i];
        const double began_s = merge_number_of(part, "began_unix_s");
        const double ended_s = merge_number_of(part, "ended_unix_s");
        const double share = merge_number_of(part, "elapsed_s") / (ended_s - began_s);

        if (isnan(began_s) || isnan(ended_s)) {
            row->overlap = row->measured = NAN;
            return;
        }
        begin_s = fmax(begin_s, began_s);
        end_s = fmin(end_s, ended_s);
        longest_s = fmax(longest_s, ended_s - began_s);
        if (isfinite(share))
            row->measured = isnan(row->measured) ? share : fmin(row->measured, share);
    }
    row->overlap = end_s > begin_s && longest_s > 0 ? (end_s - begin_s) / longest_s : 0;
}

static int add_histogram(const struct results *file, const struct results_row *part,
                         struct hist *hist, struct error *err)
{
    for (size_t i = 0; i < part->whole->bucket_count; i++) {
        const struct results_bucket *bucket = &part->whole->buckets[i];
        const size_t index = hist_index(bucket->lower_ns);
        if (hist_lower_ns((unsigned)index) != bucket->lower_ns)
            return error_refuse(err, STATUS_USAGE, "a histogram with other buckets in", file->path,
                                "merge only results of the same version of iosweep");
        hist->count[index] += bucket->count;
    }
    if (part->operations && !part->whole->bucket_count)
        return error_refuse(err, STATUS_USAGE, "no histogram of a row in", file->path,
                            "merge takes results of --format json");
    return 0;
}

static int merge_row(struct merge *merge, struct merge_row *row, struct error *err)
{
    row->values = arena_alloc(merge->arena, merge->column_count * sizeof(*row->values));
    memset(&row->latency, 0, sizeof(row->latency));
    row->shortest_s = INFINITY;
    row->longest_s = 0;
    for (unsigned i = 0; i < merge->file_count; i++) {
        const struct results_row *part = row->parts[i];
        const double time_s = merge_number_of(part, "time_s");
        if (add_histogram(&merge->files[i], part, &row->latency, err) < 0)
            return -1;
        if (isnan(merge_number_of(part, "operations")) || (part->operations && !(time_s > 0)))
            return error_refuse(err, STATUS_USAGE, "operations or time_s of a row are not in",
                                merge->files[i].path, "merge needs them: leave out --columns");
        row->shortest_s = fmin(row->shortest_s, time_s);
        row->longest_s = fmax(row->longest_s, time_s);
    }
    merge_fill(merge, row);
    judge_overlap(merge, row);
    return 0;
}

static int find_parts(struct merge *merge, const struct results_row *first, size_t n,
                      const struct several *several, struct merge_row *row, struct error *err)
{
    row->parts = arena_alloc(merge->arena, merge->file_count * sizeof(*row->parts));
    for (unsigned f = 0; f < merge->file_count; f++) {
        row->parts[f] = find(merge, &merge->files[f], first, n, several);
        if (!row->parts[f])
            return refuse_missing(&merge->files[0], first, &merge->files[f], err);
    }
    return 0;
}

/* A row of a file that the first file has not; there is one, because it has more rows. */
static int refuse_more(const struct merge *merge, const struct results *file,
                       const struct several *several, struct error *err)
{
    const struct results *first = &merge->files[0];

    for (size_t i = 0; i < file->count; i++) {
        size_t n = 0;
        if (file->rows[i].skipped)
            continue;
        for (size_t k = 0; k < i; k++)
            n +=
                !file->rows[k].skipped && same_cell(merge, &file->rows[k], &file->rows[i], several);
        if (!find(merge, first, &file->rows[i], n, several))
            return refuse_missing(file, &file->rows[i], first, err);
    }
    return 0;
}

static int merge_all(struct merge *merge, struct error *err)
{
    const struct results *first = &merge->files[0];
    struct several several = {false, false, false};

    for (unsigned f = 0; f < merge->file_count; f++) {
        look(&merge->files[f], &several);
        merge->skipped += merge->files[f].count - rows_of(&merge->files[f]);
    }
    merge->rows = mem_calloc(first->count, sizeof(*merge->rows));
    for (size_t i = 0; i < first->count; i++) {
        struct merge_row *row = &merge->rows[merge->count];
        size_t n = 0; /* rows of this cell before it */
        if (first->rows[i].skipped)
            continue;
        for (size_t k = 0; k < i; k++)
            n += !first->rows[k].skipped &&
                 same_cell(merge, &first->rows[k], &first->rows[i], &several);
        if (find_parts(merge, &first->rows[i], n, &several, row, err) < 0 ||
            merge_row(merge, row, err) < 0)
            return -1;
        merge->count++;
    }
    for (unsigned f = 1; f < merge->file_count; f++)
        if (rows_of(&merge->files[f]) > merge->count &&
            refuse_more(merge, &merge->files[f], &several, err) < 0)
            return -1;
    if (!merge->count)
        return error_set(err, STATUS_USAGE, 0, "no row with figures in", first->path);
    return 0;
}

int merge_files(const struct results *files, unsigned count, const struct merge_column *columns,
                size_t column_count, struct merge *merge, struct error *err)
{
    *merge = (struct merge){.files = files,
                            .file_count = count,
                            .columns = columns,
                            .column_count = column_count,
                            .arena = arena_new()};
    for (unsigned f = 0; f < count; f++)
        if (files[f].format != RESULTS_JSON) {
            error_set(err, STATUS_USAGE, 0, "no histograms in", files[f].path);
            merge_free(merge);
            return error_advise(err, "merge takes results of --format json");
        }
    if (merge_all(merge, err) == 0)
        return 0;
    merge_free(merge);
    return -1;
}

void merge_free(struct merge *merge)
{
    free(merge->rows);
    arena_free(merge->arena);
    *merge = (struct merge){.arena = NULL};
}

double merge_number(const struct merge *merge, const struct merge_row *row, const char *name)
{
    for (size_t i = 0; i < merge->column_count; i++)
        if (strcmp(merge->columns[i].name, name) == 0)
            return row->values[i].number;
    return NAN;
}

const char *merge_text(const struct merge *merge, const struct merge_row *row, const char *name)
{
    for (size_t i = 0; i < merge->column_count; i++)
        if (strcmp(merge->columns[i].name, name) == 0 && row->values[i].text)
            return row->values[i].text;
    return "";
}
