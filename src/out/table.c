/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - what a person reads on a terminal.
 *
 * Rows are kept until their part ends, because the widths and the bars (throughput relative to the
 * best of the part) depend on all of them.  The axes that do not vary stand in the heading, the
 * others become columns.  When a line would not fit, the least useful columns go first. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "out/print.h"

#define WIDTH_MOST  100
#define WIDTH_LEAST 40
#define BAR_WIDTH   10
#define BAR_NARROW  5

enum table_column {
    T_SIZE,
    T_TARGET,
    T_ENGINE,
    T_THREADS,
    T_OPERATIONS,
    T_TIME,
    T_HALF_WIDTH,
    T_THROUGHPUT,
    T_RATE,
    T_P50,
    T_P99,
    T_BAR,
    T_NOTES,
    T_COUNT
};

static const struct {
    const char *heading;
    bool left; /* aligned */
} table_columns[T_COUNT] = {
    [T_SIZE] = {"size", false},
    [T_TARGET] = {"target", true},
    [T_ENGINE] = {"engine", true},
    [T_THREADS] = {"threads", false},
    [T_OPERATIONS] = {"operations", false},
    [T_TIME] = {"time/op", false},
    [T_HALF_WIDTH] = {"", false},
    [T_THROUGHPUT] = {"throughput", false},
    [T_RATE] = {"rate", false},
    [T_P50] = {"p50", false},
    [T_P99] = {"p99", false},
    [T_BAR] = {"", true},
    [T_NOTES] = {"notes", true},
};

struct table_row {
    char *text[T_COUNT]; /* NULL: nothing to say */
    double throughput;   /* negative: not known */
};

struct table {
    struct print_state state;
    const struct run_info *info;
    bool utf8, several_parts;
    bool varies[T_COUNT]; /* T_TARGET, T_ENGINE, T_THREADS */
    unsigned width;
    struct table_row *rows;
    size_t count, capacity;
    const struct cell *first; /* of the part */
};

static int table_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct table *table = arg;
    (void)err;
    table->info = info;
    for (unsigned i = 1; i < info->cell_count; i++) {
        const struct cell *a = &info->cells[0], *b = &info->cells[i];
        if (a->target != b->target)
            table->varies[T_TARGET] = true;
        if (a->engine != b->engine)
            table->varies[T_ENGINE] = true;
        if (a->threads != b->threads)
            table->varies[T_THREADS] = true;
    }
    return 0;
}

static char *target_text(const struct table *table, const struct cell *cell)
{
    const char *label = table->info->stores[cell->target]->label;
    size_t size = 4 * strlen(label) + 1;
    return error_printable(label, mem_calloc(size, 1), size);
}

static char *count_text(uint64_t count)
{
    return mem_printf("%" PRIu64, count);
}

static char *percentile_text(const struct result *result, unsigned permille)
{
    char text[UNITS_TEXT];
    uint64_t ns;
    if (!columns_percentile(result, permille, &ns))
        return mem_strdup("-");
    return mem_strdup(units_format_time((double)ns, text));
}

static void fill_axes(const struct table *table, const struct cell *cell, struct table_row *row)
{
    char text[UNITS_TEXT];
    row->text[T_SIZE] = mem_strdup(units_format_size(cell->work.size_bytes, text));
    if (table->varies[T_TARGET])
        row->text[T_TARGET] = target_text(table, cell);
    if (table->varies[T_ENGINE])
        row->text[T_ENGINE] = mem_strdup(cell->engine->name);
    if (table->varies[T_THREADS])
        row->text[T_THREADS] = count_text(cell->threads);
}

static void fill_measured(const struct table *table, const struct result *result,
                          struct table_row *row)
{
    char text[UNITS_TEXT];
    row->text[T_OPERATIONS] = count_text(result->tally.operations);
    if (result->rounds > 0)
        row->text[T_TIME] = mem_strdup(units_format_time(result->op_ns_median, text));
    if (result->rounds > 0 && result->interval_known && result->op_ns_median > 0)
        row->text[T_HALF_WIDTH] =
            mem_printf("%s%.1f%%", table->utf8 ? "\xc2\xb1" : "+-",
                       (result->op_ns_high - result->op_ns_low) / 2 / result->op_ns_median * 100);
    if (row->throughput >= 0) {
        double rate = row->throughput / (double)result->cell->work.size_bytes;
        row->text[T_THROUGHPUT] = mem_strdup(units_format_throughput(row->throughput, text));
        row->text[T_RATE] = mem_strdup(units_format_rate(rate, text));
    }
    row->text[T_P50] = percentile_text(result, 500);
    row->text[T_P99] = percentile_text(result, 990);
}

static int table_row(void *arg, const struct result *result, struct error *err)
{
    struct table *table = arg;
    char notes[COLUMNS_NOTES_TEXT];
    struct table_row *row;
    (void)err;
    if (table->count == table->capacity) {
        table->capacity = table->capacity > 0 ? table->capacity * 2 : 64;
        table->rows = mem_realloc_array(table->rows, table->capacity, sizeof(*table->rows));
    }
    row = &table->rows[table->count++];
    *row = (struct table_row){.throughput = columns_throughput(result)};
    if (table->count == 1)
        table->first = result->cell;
    fill_axes(table, result->cell, row);
    if (result->state != RESULT_SKIPPED)
        fill_measured(table, result, row);
    for (int c = T_OPERATIONS; c < T_BAR; c++) {
        if (row->text[c] == NULL && c != T_HALF_WIDTH)
            row->text[c] = mem_strdup("-");
    }
    if (columns_notes(result, table->info, notes)[0] != '\0')
        row->text[T_NOTES] = mem_strdup(notes);
    return 0;
}

static void print_heading(const struct table *table)
{
    const char *dot = table->utf8 ? " \xc2\xb7 " : " - ";
    const struct cell *cell = table->first;
    FILE *stream = table->state.stream;
    char *target = target_text(table, cell);
    if (table->several_parts)
        fputc('\n', stream);
    fprintf(stream, "%s%s%s", columns_test_name(cell->work.test), dot,
            columns_cache_name(cell->work.cache));
    if (!table->varies[T_ENGINE])
        fprintf(stream, "%s%s", dot, cell->engine->name);
    if (!table->varies[T_THREADS] && cell->threads > 1)
        fprintf(stream, "%s%" PRIu32 " threads", dot, cell->threads);
    if (!table->varies[T_TARGET])
        fprintf(stream, "%s%s", dot, target);
    fputc('\n', stream);
    free(target);
}

/* Width of each column, 0: not shown. */
static void measure_columns(const struct table *table, unsigned *width)
{
    for (int c = 0; c < T_COUNT; c++) {
        unsigned most = 0;
        for (size_t r = 0; r < table->count; r++) {
            unsigned w = table->rows[r].text[c] != NULL ? print_width(table->rows[r].text[c]) : 0;
            most = w > most ? w : most;
        }
        width[c] = most;
        if (most > 0 && print_width(table_columns[c].heading) > most)
            width[c] = print_width(table_columns[c].heading);
    }
    width[T_BAR] = BAR_WIDTH;
}

static unsigned line_width(const unsigned *width)
{
    unsigned all = 0;
    for (int c = 0; c < T_COUNT; c++)
        all += width[c] > 0 ? width[c] + 2 : 0;
    return all > 0 ? all - 2 : 0;
}

static void fit_columns(const struct table *table, unsigned *width)
{
    static const struct {
        enum table_column column;
        unsigned width;
    } steps[] = {
        {T_BAR, BAR_NARROW}, {T_OPERATIONS, 0}, {T_BAR, 0}, {T_P50, 0},
        {T_RATE, 0},         {T_HALF_WIDTH, 0}, {T_P99, 0},
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (line_width(width) <= table->width)
            return;
        width[steps[i].column] = steps[i].width;
    }
}

/* share of width character cells, in eighths where the terminal can show them. */
static void format_bar(double share, unsigned width, bool utf8, char *text)
{
    unsigned eighths = (unsigned)(share * 8 * width + 0.5), full = eighths / 8, rest = eighths % 8;
    text[0] = '\0';
    if (!utf8) {
        full += rest >= 4;
        memset(text, '#', full);
        text[full] = '\0';
        return;
    }
    for (unsigned i = 0; i < full; i++)
        strcat(text, "\xe2\x96\x88"); /* full block; U+2588 + 8 - n is n eighths of it */
    if (rest > 0) {
        const char part[] = {'\xe2', '\x96', (char)(0x90 - rest), '\0'};
        strcat(text, part);
    }
}

/* One line; blanks at its end are left away. */
static void print_line(FILE *stream, const char *const *text, const unsigned *width)
{
    unsigned owed = 0; /* blanks not yet written */
    for (int c = 0, shown = 0; c < T_COUNT; c++) {
        const char *word = text[c] != NULL ? text[c] : "";
        unsigned length = print_width(word), pad;
        if (width[c] == 0)
            continue;
        pad = width[c] > length ? width[c] - length : 0;
        owed += shown++ > 0 ? 2 : 0;
        if (word[0] == '\0') {
            owed += width[c];
            continue;
        }
        if (!table_columns[c].left)
            owed += pad;
        fprintf(stream, "%*s%s", (int)owed, "", word);
        owed = table_columns[c].left ? pad : 0;
    }
    fputc('\n', stream);
}

static void print_rows(const struct table *table)
{
    unsigned width[T_COUNT];
    const char *text[T_COUNT];
    char bar[3 * BAR_WIDTH + 1];
    double best = 0;
    measure_columns(table, width);
    fit_columns(table, width);
    for (int c = 0; c < T_COUNT; c++)
        text[c] = table_columns[c].heading;
    print_line(table->state.stream, text, width);
    for (size_t r = 0; r < table->count; r++)
        best = table->rows[r].throughput > best ? table->rows[r].throughput : best;
    for (size_t r = 0; r < table->count; r++) {
        const struct table_row *row = &table->rows[r];
        for (int c = 0; c < T_COUNT; c++)
            text[c] = row->text[c];
        if (width[T_BAR] > 0 && row->throughput > 0) {
            format_bar(row->throughput / best, width[T_BAR], table->utf8, bar);
            text[T_BAR] = bar;
        }
        print_line(table->state.stream, text, width);
    }
}

static void drop_rows(struct table *table)
{
    for (size_t r = 0; r < table->count; r++) {
        for (int c = 0; c < T_COUNT; c++)
            free(table->rows[r].text[c]);
    }
    table->count = 0;
}

static int table_part_end(void *arg, struct error *err)
{
    struct table *table = arg;
    if (table->count > 0) {
        log_progress_clear();
        print_heading(table);
        print_rows(table);
        table->several_parts = true;
        drop_rows(table);
    }
    return print_flush(&table->state, err);
}

static void table_release(void *state)
{
    struct table *table = state;
    drop_rows(table);
    free(table->rows);
    free(table);
}

int print_make_table(FILE *stream, const struct format_options *options, struct sink *sink,
                     struct error *err)
{
    struct table *table = mem_calloc(1, sizeof(*table));
    (void)err;
    table->state.release = table_release;
    table->state.stream = stream;
    table->state.name = print_stream_name(stream, options->name);
    table->utf8 = options->utf8;
    table->width = options->width;
    if (table->width == 0 || table->width > WIDTH_MOST)
        table->width = WIDTH_MOST;
    if (table->width < WIDTH_LEAST)
        table->width = WIDTH_LEAST;
    *sink = (struct sink){.begin = table_begin,
                          .row = table_row,
                          .part_end = table_part_end,
                          .end = table_part_end, /* what an interruption left */
                          .arg = table};
    return 0;
}
