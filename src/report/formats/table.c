/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.c - the table for users at a terminal. Widths and bars (throughput relative to the best of
 * the part; the rate if a test moves no data) depend on all rows of a part, so rows are kept until
 * it ends.
 *
 * On a terminal large enough for the part, its lines are redrawn whenever rows finish, in any
 * order; on a smaller one each row is written once. The heading contains the axes that do not vary,
 * the others become columns. */
#include "base/compat.h"

#include <math.h>
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
    summaries_begin(&table->summaries, info);
    table_see_axes(table);
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

static double best_speed(const struct table *table)
{
    double best = 0;

    for (size_t r = 0; r < table->count; r++)
        best = table->rows[r].speed > best ? table->rows[r].speed : best;
    return best;
}

static void print_heading(const struct table *table)
{
    const struct cell *first = first_of_part(table, table->rows[0].cell);
    char *heading = table_heading(table, first, count_cells(table->info, first));

    if (table->several_parts)
        fputc('\n', table->state.stream);
    fprintf(table->state.stream, "%s\n", heading);
    free(heading);
}

/* Prints the rows with the columns that fit into a line. */
static void print_block(struct table *table)
{
    const double best = best_speed(table);
    bool noted = false, quiet = false;

    table_choose_layout(table);
    table_find_common(table);
    for (size_t r = 0; r < table->count; r++) {
        const struct table_row *row = &table->rows[r];
        noted = noted || (row->text[T_NOTES] && !row->skipped);
        quiet = quiet || (!row->skipped && !row->noisy);
    }
    table_print_headings(table, noted);
    /* contrast marks noisy rows among others; if all are noisy, a finding reports it */
    for (size_t r = 0; r < table->count; r++)
        table_print_row(table, &table->rows[r], best, quiet);
    table->lines += (unsigned)table->count + 1;
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
        print_block(table);
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

static enum table_way choose_way(struct table *table, const struct cell *first)
{
    unsigned lines = 0;
    const unsigned columns = table->screen ? table->screen(&lines) : 0;
    const size_t wanted =
        count_blocks(table) * (count_cells(table->info, first) + 2) + table->several_parts;

    if (columns < table->width || lines == 0)
        return WAY_AT_END; /* its lines would wrap, or the width is unknown */
    if (table->redraw && wanted + LINES_BELOW <= lines)
        return WAY_REDRAW;
    return table->chosen ? WAY_AT_END : WAY_APPEND; /* a row may need several lines */
}

/* After a stop the cursor is below the output of the shell: the part is printed again from
 * there. */
static void see_stops(struct table *table)
{
    const unsigned continued = stop_continued();

    if (continued == table->continued)
        return;
    table->continued = continued;
    table->dirty = table->dirty || table->drawn > 0;
    table->drawn = 0;
}

/* last: prints the whole part again if there was other output in between. */
static void draw(struct table *table, bool last)
{
    FILE *stream = table->state.stream;
    unsigned lines = 0;
    bool untouched;

    see_stops(table);
    /* no other output followed the part, and all its lines are on the screen */
    untouched = table->screen(&lines) >= table->width &&
                (table->drawn == 0 || (table->drawn < lines && log_count() == table->said));
    if (!table->dirty || (!untouched && !last))
        return;
    log_progress_clear();
    fputc('\r', stream);
    if (table->drawn > 0 && untouched)
        fprintf(stream, "\033[%uA", table->drawn);
    fputs("\033[J", stream);
    print_part(table);
    fflush(stream);
    table->drawn = table->lines;
    table->said = log_count();
    table->dirty = false;
}

/* Prints no bars and no bold text: the best row may follow. */
static void append(struct table *table, const struct table_row *row)
{
    log_progress_clear();
    if (table->count == 1) {
        table_choose_early(table, row->cell, count_cells(table->info, row->cell));
        print_heading(table);
        table_print_headings(table, true);
    }
    table_print_row(table, row, INFINITY, true);
}

/* The position of a cell's row among those of the part, which may be occupied already. */
static struct table_row *find_place(struct table *table, const struct cell *cell)
{
    size_t at = table->count;

    while (at > 0 && table->rows[at - 1].cell > cell)
        at--;
    if (at > 0 && table->rows[at - 1].cell == cell) {
        table_clear_row(table, &table->rows[at - 1]);
        return &table->rows[at - 1];
    }
    table->rows = mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
    memmove(&table->rows[at + 1], &table->rows[at], (table->count - at) * sizeof(*table->rows));
    table->count++;
    return &table->rows[at];
}

static struct table_row *take(struct table *table, const struct result *result)
{
    struct table_row *row = find_place(table, result->cell);

    table_fill_row(table, result, row);
    table->dirty = true;
    return row;
}

/* Whether a signal ended the run before the row had figures. */
static bool is_left_out(const struct result *result)
{
    return result->state == RESULT_INCOMPLETE && result->stop == STOP_SIGNAL &&
           result->sum.tally.operations == 0 && result->sum.tally.failed == 0;
}

static void table_finished(void *arg, const struct result *result)
{
    struct table *table = arg;

    if (is_left_out(result))
        return;
    if (table->count == 0)
        table->way = choose_way(table, first_of_part(table, result->cell));
    if (table->way == WAY_REDRAW)
        take(table, result);
}

static int table_row(void *arg, const struct result *result, struct error *err)
{
    struct table *table = arg;
    struct table_row *row;

    if (is_left_out(result)) {
        table->left_out++;
        return 0;
    }
    if (table->count == 0)
        table->way = choose_way(table, result->cell);
    summaries_add(&table->summaries, result);
    row = take(table, result);
    if (table->way != WAY_APPEND)
        return 0;
    append(table, row);
    return print_flush(&table->state, err);
}

static void table_progress(void *arg, const struct progress *progress)
{
    struct table *table = arg;
    (void)progress;
    if (table->way == WAY_REDRAW && table->count > 0)
        draw(table, false);
}

static void drop_rows(struct table *table)
{
    while (table->count > 0)
        table_clear_row(table, &table->rows[--table->count]);
    table->drawn = 0;
    table->way = WAY_AT_END;
}

static int table_part_end(void *arg, struct error *err)
{
    struct table *table = arg;

    if (table->count > 0) {
        log_progress_clear();
        if (table->way == WAY_REDRAW)
            draw(table, true);
        else if (table->way == WAY_AT_END)
            print_part(table);
        table->several_parts = true;
        drop_rows(table);
    }
    return print_flush(&table->state, err);
}

static void put_line(void *arg, const char *line)
{
    const struct table *table = arg;

    if (line[0] == 's') /* heading "summary" */
        fputc('\n', table->state.stream);
    fprintf(table->state.stream, "%s\n", line);
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
    summaries_print(
        &table->summaries,
        &(struct summaries_lines){
            .utf8 = table->utf8,
            .columns = table->width < SUMMARIES_COLUMNS ? table->width : SUMMARIES_COLUMNS,
            .put = put_line,
            .arg = table,
        });
    return print_flush(&table->state, err);
}

static void table_release(void *state)
{
    struct table *table = state;
    drop_rows(table);
    summaries_free(&table->summaries);
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
        table->context.label = print_csv_label(options->label);
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
    table->redraw = options->redraw;
    *sink = (struct sink){.begin = table_begin,
                          .row = table_row,
                          .finished = table_finished,
                          .progress = table_progress,
                          .part_end = table_part_end,
                          .end = table_end,
                          .arg = table};
    return 0;
}
