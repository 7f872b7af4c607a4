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
    table->info = info;
    table->context.info = info;
    for (unsigned i = 0; i < info->cell_count; i++) {
        const struct cell *cell = &info->cells[i];
        table->together = table->together || cell->threads > 1 || cell->work.depth > 1;
        table->unlike |= cell_unlike(&info->cells[0], cell);
    }
    return 0;
}

static const struct cell *first_of_part(const struct table *table, const struct cell *cell)
{
    while (cell > table->info->cells && (cell[-1].part == cell->part || cell->goes_on))
        cell--;
    return cell;
}

/* The number of cells of the part that begins with `first`. */
static size_t count_cells(const struct run_info *info, const struct cell *first)
{
    const struct cell *end = info->cells + info->cell_count;
    size_t count = 1;

    while (first + count < end &&
           (first[count].part == first[count - 1].part || first[count].goes_on))
        count++;
    return count;
}

/* --- the lines of a part --- */

static void print_heading(const struct table *table)
{
    const struct cell *first = first_of_part(table, table->rows[0].result->cell);
    char *heading = table_heading(table, first, count_cells(table->info, first));

    if (table->several_parts)
        fputc('\n', table->state.stream);
    fprintf(table->state.stream, "%s\n", heading);
    free(heading);
}

/* Chosen columns that do not fit into a line are printed in blocks, one below the other. */
static void print_part(struct table *table)
{
    unsigned next = 0;

    print_heading(table);
    table->lines = 1 + table->several_parts;
    do {
        if (next > 0) {
            fputc('\n', table->state.stream);
            table->lines++;
        }
        if (table->chosen)
            next = table_join_chosen(table, next);
        table->more = next < table->chosen_count;
        table->layout.width[T_CHOSEN] = 0; /* that of another block */
        table_print_block(table);
    } while (table->more);
}

/* --- rows as they finish --- */

#define LINES_BELOW 2 /* for the progress line, and one line above the part */

static unsigned count_blocks(struct table *table)
{
    unsigned blocks = 1;

    for (unsigned next = 0;
         table->chosen && (next = table_join_chosen(table, next)) < table->chosen_count;)
        blocks++;
    return blocks;
}

/* The number of rows that fit on the terminal, without wrapping. */
static size_t count_room(struct table *table)
{
    unsigned lines = 0;
    const unsigned columns = table->screen ? table->screen(&lines) : 0;
    const unsigned others = LINES_BELOW + table->several_parts, blocks = count_blocks(table);

    return columns >= table->width && lines > others + 2 * blocks ? (lines - others) / blocks - 2
                                                                  : 0;
}

/* Prints the rows that have room, up to the one that finished last; last: all of them. */
static void print_rows(struct table *table, bool last)
{
    struct table_row *const rows = table->rows;
    const size_t count = table->count, end = table->latest + 1;

    if (!last && count > table->room) {
        table->rows += end > table->room ? end - table->room : 0;
        table->count = table->room;
    }
    print_part(table);
    table->rows = rows;
    table->count = count;
}

/* last: prints the whole part again if there was other output in between, or if only some of its
 * rows had room. */
static void draw(struct table *table, bool last)
{
    FILE *stream = table->state.stream;
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
    if (!table->dirty || (!untouched && !last))
        return;
    log_progress_clear();
    fputc('\r', stream);
    if (table->drawn > 0 && untouched)
        fprintf(stream, "\033[%uA", table->drawn);
    fputs("\033[J", stream);
    print_rows(table, last);
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

    if (table->count == 0)
        table->room = count_room(table);
    while (at > 0 && table->rows[at - 1].result->cell > result->cell)
        at--;
    if (at > 0 && table->rows[at - 1].result == result) {
        table_clear_row(&table->rows[--at]);
    } else {
        table->rows =
            mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
        memmove(&table->rows[at + 1], &table->rows[at], (table->count - at) * sizeof(*table->rows));
        table->count++;
    }
    table_fill_row(table, result, &table->rows[at]);
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
        table_clear_row(&table->rows[--table->count]);
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
            print_part(table);
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
    free(table->chosen_heading);
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
        table->context.label = print_label(options->label);
    }
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
