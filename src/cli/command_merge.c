/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_merge.c - `iosweep merge`: what several processes or hosts measured at the same time, as
 * one result.  Whether they were at work at the same time is seen from when their rows began and
 * ended; where they were not, the sum is of no use, and that is said. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match.h"
#include "analysis/merge_print.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "report/columns/columns.h"

#define OVERLAP_LEAST  0.9  /* of the longest part, in which all are under way */
#define MEASURED_LEAST 0.5  /* of its span, in which a row is measured and no other one is */
#define LENGTH_MOST    1.05 /* the longest part by the shortest */

struct merge_options {
    const char *output;
    unsigned format;
    bool format_given;
};

static const struct option_row merge_rows[] = {
    COMMAND_OUTPUT_ROWS(struct merge_options),
    {.long_name = NULL},
};

/* All columns of results; those of the group "row" and the number of ranks tell cells apart. */
static struct merge_column *make_columns(void)
{
    struct merge_column *columns = mem_calloc(columns_count(), sizeof(*columns));

    for (unsigned i = 0; i < columns_count(); i++) {
        const struct column *column = &columns_table[i];
        columns[i] = (struct merge_column){
            .name = column->name,
            .identity = column->group == OF_ROW || strcmp(column->name, "ranks") == 0,
            .decimals = (int)columns_unit_decimals[column->unit],
            .always = column->unit != UNIT_NUMBER && column->unit != UNIT_BYTES &&
                      column->unit != UNIT_NS,
        };
    }
    return columns;
}

/* --- what is said beside the results --- */

/* Rows of which something is to be said: how many, and the worst of them. */
struct worst {
    const struct merge_row *row;
    size_t count;
    double value;
};

static void note(struct worst *worst, const struct merge_row *row, double value)
{
    if (worst->count++ == 0 || value < worst->value) {
        worst->row = row;
        worst->value = value;
    }
}

static char *describe(const struct worst *worst)
{
    return results_printable(match_describe(worst->row->parts[0]));
}

static void say_overlap(const struct worst *apart, const struct worst *partly, size_t rows)
{
    char share[TEXT_SHARE], *cell;

    if (apart->count > 0) {
        cell = describe(apart);
        log_warn("%s %s not measured at the same time, such as %s: their sum is not a rate that "
                 "ever occurred",
                 text_share(apart->count, rows, "row", share), apart->count == 1 ? "was" : "were",
                 cell);
        free(cell);
    }
    if (partly->count > 0) {
        cell = describe(partly);
        log_warn("%s overlap%s only partly, %s for %.0f %% of the longest: start all runs at the "
                 "same moment, with the same --time",
                 text_share(partly->count, rows, "row", share), partly->count == 1 ? "s" : "", cell,
                 100 * partly->value);
        free(cell);
    }
}

static void say_rest(const struct worst *unknown, const struct worst *turns,
                     const struct worst *uneven, size_t rows)
{
    char share[TEXT_SHARE], *cell;

    if (unknown->count > 0)
        log_text("it is unknown when %s %s measured, or whether at the same time",
                 text_share(unknown->count, rows, "row", share),
                 unknown->count == 1 ? "was" : "were");
    if (turns->count > 0) {
        cell = describe(turns);
        log_warn("%s took turns with others, %s ran for %.0f %% of its time: whether its parts "
                 "coincide is chance; measure one row per run",
                 text_share(turns->count, rows, "row", share), cell, 100 * turns->value);
        free(cell);
    }
    if (uneven->count > 0) {
        cell = describe(uneven);
        log_warn(
            "%s took longer in some files than in others, such as %s, %.3g to %.3g s: their rate "
            "is over the longest, at the end of which some were idle",
            text_share(uneven->count, rows, "row", share), cell, uneven->row->shortest_s,
            uneven->row->longest_s);
        free(cell);
    }
}

static void say_all(const struct merge *merge)
{
    struct worst apart = {0}, partly = {0}, unknown = {0}, turns = {0}, uneven = {0};

    for (size_t r = 0; r < merge->count; r++) {
        const struct merge_row *row = &merge->rows[r];
        if (isnan(row->overlap))
            note(&unknown, row, 0);
        else if (row->overlap <= 0)
            note(&apart, row, 0);
        else if (row->overlap < OVERLAP_LEAST)
            note(&partly, row, row->overlap);
        if (row->measured < MEASURED_LEAST)
            note(&turns, row, row->measured);
        if (row->longest_s > LENGTH_MOST * row->shortest_s)
            note(&uneven, row, row->shortest_s / row->longest_s);
    }
    if (merge->skipped > 0)
        log_text("%zu skipped rows are left out", merge->skipped);
    say_overlap(&apart, &partly, merge->count);
    say_rest(&unknown, &turns, &uneven, merge->count);
}

/* --- */

/* The same figures twice would be twice what was done. */
static int check_names(const char *const *names, unsigned count, struct error *err)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0 || command_same_file(names[i], names[k]))
                return error_refuse(err, STATUS_USAGE, "the same results twice:", names[i],
                                    "name each file once");
    return 0;
}

static void merge_results(const struct merge_options *options, const char *const *arguments,
                          const struct results *files, unsigned count, struct error *err)
{
    struct merge_column *columns = make_columns();
    struct command_output output;
    struct merge merge;

    if (merge_files(files, count, columns, columns_count(), &merge, err) == 0) {
        if (command_output_open(options->output, arguments, count, &output, err) == 0) {
            const struct text_look look = command_look(&output);
            merge_print(output.stream, &merge,
                        (enum merge_format)command_format(options->output, options->format_given,
                                                          options->format),
                        &look);
            if (command_output_close(&output, true, err) == 0)
                say_all(&merge);
        }
        merge_free(&merge);
    }
    free(columns);
}

static enum status merge_run(const void *block, const char *const *arguments, unsigned count,
                             struct error *err)
{
    struct results *files;
    unsigned read = 0;

    if (check_names(arguments, count, err) < 0)
        return err->status;
    files = mem_calloc(count, sizeof(*files));
    while (read < count && results_read_whole(arguments[read], &files[read], err) == 0)
        command_say_incomplete(&files[read++]);
    if (read == count)
        merge_results(block, arguments, files, count, err);
    while (read-- > 0)
        results_free(&files[read]);
    free(files);
    return error_is_set(err) ? err->status : STATUS_OK;
}

const struct command command_merge = {
    .name = "merge",
    .arguments = "FILE FILE...",
    .summary = "add up runs that ran at the same time",
    .details = "The files are JSON results of processes or hosts that ran at the same\n"
               "time, all with the same rows.  Operations, bytes, errors, threads and histograms\n"
               "are added; percentiles are those of all operations.  Rates are all operations\n"
               "divided by the longest of their times.  JSON can be merged again; compare, plot\n"
               "and fit read what merge writes.\n\n"
               "Rows that did not overlap in time, or took turns with others, are reported.\n",
    .options = merge_rows,
    .block_bytes = sizeof(struct merge_options),
    .takes_runs = true,
    .needs = "two files of results or more",
    .arguments_min = 2,
    .run = merge_run,
};
