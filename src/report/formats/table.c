/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.c - the table for users at a terminal. Widths and bars (throughput relative to the best of
 * the part; the rate if a test moves no data) depend on all rows of a part, so rows are kept until
 * it ends.
 *
 * On a terminal, its lines are redrawn whenever rows finish, in any order; where they do not fit,
 * those that end with the row that finished last. The heading contains the axes that do not vary,
 * the others become columns. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "report/formats/table.h"
#include "run/stop.h"

#define WIDTH_MOST  100
#define WIDTH_LEAST 40

static int table_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct table *table = arg;
    (void)err;
    table->context.info = info;
    for (unsigned i = 0; i < info->cell_count; i++) {
        const struct cell *cell = &info->cells[i];
        table->together = table->together || cell->threads > 1 || cell->work.depth > 1;
        table->unlike |= cell_unlike(&info->cells[0], cell);
    }
    table_make_columns(table);
    return 0;
}

/* --- the lines of a part --- */

static bool continues(const struct cell *cell)
{
    return cell[-1].part == cell->part || cell->goes_on;
}

static void print_part(struct table *table, struct table_row *rows, size_t count)
{
    const struct run_info *info = table->context.info;
    const struct cell *first = rows[0].result->cell, *end = first + 1;
    char *heading;

    while (first > info->cells && continues(first))
        first--;
    while (end < info->cells + info->cell_count && continues(end))
        end++;
    heading = table_heading(table, first, (size_t)(end - first));
    fprintf(table->state.stream, "%s%s\n", table->several_parts ? "\n" : "", heading);
    free(heading);
    table_lay_out(table);
    table_print_rows(table, rows, count);
    table->lines = 2 + table->several_parts + (unsigned)count;
}

/* --- rows as they finish --- */

#define LINES_BELOW 2 /* for the progress line, and one line above the part */

/* The number of rows that fit on the terminal, without wrapping. */
static size_t count_room(struct table *table)
{
    unsigned lines = 0;
    const unsigned columns = table->screen ? table->screen(&lines) : 0;
    const unsigned others = LINES_BELOW + table->several_parts + 2;

    return table_lay_out(table) && columns >= table->width && lines > others ? lines - others : 0;
}

/* Prints the rows that have room, up to the one that finished last. last: prints all of them, also
 * again if there was other output in between. */
static void draw(struct table *table, bool last)
{
    FILE *stream = table->state.stream;
    const bool all = last || table->count <= table->room;
    const size_t end = table->latest + 1, from = all || end <= table->room ? 0 : end - table->room;
    unsigned lines = 0;
    bool untouched;

    if (stop_continued() != table->continued) {
        /* the cursor is below the output of the shell: the part is printed again from there */
        table->continued = stop_continued();
        table->dirty = table->dirty || table->drawn > 0;
        table->drawn = 0;
    }
    /* no other output followed the part, and all its lines are on the screen */
    untouched = table->screen(&lines) >= table->width &&
                (table->drawn == 0 || (table->drawn < lines && log_count() == table->said));
    table->dirty = table->dirty || (last && table->count > table->room);
    /* lines that wrap are more than were counted: a later row may have made them wider */
    if (!table->dirty || (!last && (!untouched || !table_lay_out(table))))
        return;
    log_progress_clear();
    fputc('\r', stream);
    if (table->drawn > 0 && untouched)
        fprintf(stream, "\033[%uA", table->drawn);
    fputs("\033[J", stream);
    print_part(table, table->rows + from, all ? table->count : table->room);
    fflush(stream);
    table->drawn = table->lines;
    table->said = log_count();
    table->dirty = false;
}

/* Whether a signal ended the run before the row had figures. */
static bool is_left_out(const struct result *result)
{
    return result->state == RESULT_INCOMPLETE && result->stop == STOP_SIGNAL &&
           result->sum.tally.operations == 0 && result->sum.tally.failed == 0;
}

/* Called with each row when it is finished, in any order, and again in order of rows. */
static void take(struct table *table, const struct result *result)
{
    size_t at = table->count;

    while (at > 0 && table->rows[at - 1].result->cell > result->cell)
        at--;
    if (at > 0 && table->rows[at - 1].result == result) {
        table_clear_row(table, &table->rows[--at]);
    } else {
        table->rows =
            mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
        memmove(&table->rows[at + 1], &table->rows[at], (table->count - at) * sizeof(*table->rows));
        table->count++;
    }
    table_fill_row(table, result, &table->rows[at]);
    if (table->count == 1)
        table->room = count_room(table);
    table->latest = at;
    table->dirty = true;
}

static void table_finished(void *arg, const struct result *result)
{
    struct table *table = arg;

    if (!is_left_out(result) && (table->count == 0 || table->room > 0))
        take(table, result);
}

static int table_row(void *arg, const struct result *result, struct error *err)
{
    struct table *table = arg;
    (void)err;
    if (is_left_out(result)) {
        table->left_out++;
        return 0;
    }
    take(table, result);
    return 0;
}

static void table_progress(void *arg, const struct progress *progress)
{
    struct table *table = arg;
    (void)progress;
    if (table->room > 0 && table->count > 0)
        draw(table, false);
}

static void drop_rows(struct table *table)
{
    while (table->count > 0)
        table_clear_row(table, &table->rows[--table->count]);
    for (unsigned c = 0; c < table->column_count; c++)
        table->column[c].needs = 0;
    table->drawn = 0;
}

static int table_part_end(void *arg, struct error *err)
{
    struct table *table = arg;

    if (table->count > 0) {
        log_progress_clear();
        if (table->room > 0)
            draw(table, true);
        else
            print_part(table, table->rows, table->count);
        table->several_parts = true;
        drop_rows(table);
    }
    return print_flush(&table->state, err);
}

/* Also prints rows left by an interruption. */
static int table_end(void *arg, struct error *err)
{
    struct table *table = arg;

    if (table_part_end(arg, err) < 0)
        return -1;
    if (table->left_out)
        fprintf(table->state.stream, "%s%u row%s not measured: interrupted\n",
                table->several_parts ? "\n" : "", table->left_out, table->left_out == 1 ? "" : "s");
    return print_flush(&table->state, err);
}

static void table_release(void *state)
{
    struct table *table = state;
    drop_rows(table);
    free(table->rows);
    free(table->chosen);
    free(table->column);
    free((char *)(uintptr_t)table->context.label);
    free(table);
}

int print_make_table(const struct format_options *options, struct sink *sink, struct error *err)
{
    struct table *table = mem_calloc(1, sizeof(*table));

    if (options->columns) {
        table->chosen = columns_select(options->columns, options->team, &table->chosen_count, err);
        if (!table->chosen) {
            free(table);
            return -1;
        }
    }
    table->context.label = print_label(options->label);
    table->state.release = table_release;
    table->utf8 = options->utf8;
    table->color = options->color;
    table->width = options->width;
    if (table->width == 0 || table->width > WIDTH_MOST)
        table->width = WIDTH_MOST;
    if (table->width < WIDTH_LEAST)
        table->width = WIDTH_LEAST;
    table->screen = options->screen;
    *sink = (struct sink){.begin = table_begin,
                          .row = table_row,
                          .finished = table_finished,
                          .progress = table_progress,
                          .part_end = table_part_end,
                          .end = table_end,
                          .arg = table};
    return 0;
}
