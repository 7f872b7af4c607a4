/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - what a person reads on a terminal.
 *
 * Rows are kept until their part ends, because the widths and the bars (throughput relative to the
 * best of the part; the rate where a test moves no data) depend on all of them.  The axes that do
 * not vary stand in the heading, the others become columns.  When a line would not fit, the least
 * useful columns go first; which ones does not depend on the notes, so that one remark does not
 * cost everybody a column: notes take the room that is left, and those that find none are counted
 * ("+2").  Later parts keep the columns and widths of earlier ones as long as they fit.  No line is
 * longer than the terminal is wide. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/formats/print.h"
#include "report/summaries/summaries.h"

#define WIDTH_MOST  100
#define WIDTH_LEAST 40
#define BAR_WIDTH   10
#define NOTES_LEAST 13 /* room for any one word with " +1"; skipped:REASON stands elsewhere */

enum table_column {
    T_SIZE,
    T_TARGET,
    T_FILLED,
    T_ENGINE,
    T_ACCESS,
    T_THREADS,
    T_DEPTH,
    T_MIX,
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
    const char *brief; /* heading where there is no room for it; NULL: the same */
    bool left;         /* aligned */
} table_columns[T_COUNT] = {
    [T_SIZE] = {"size", NULL, false},
    [T_TARGET] = {"target", "target", true},
    [T_FILLED] = {"written", NULL, false},
    [T_ENGINE] = {"engine", "eng.", true},
    [T_ACCESS] = {"access", "acc.", true},
    [T_THREADS] = {"threads", "thr", false},
    [T_DEPTH] = {"depth", "dep", false},
    [T_MIX] = {"mix", NULL, true},
    [T_OPERATIONS] = {"operations", NULL, false},
    [T_TIME] = {"time/op", NULL, false},
    [T_HALF_WIDTH] = {"", NULL, false},
    [T_THROUGHPUT] = {"throughput", "bytes/s", false},
    [T_RATE] = {"rate", NULL, false},
    [T_P50] = {"p50", NULL, false},
    [T_P99] = {"p99", NULL, false},
    [T_BAR] = {"", NULL, true},
    [T_NOTES] = {"notes", NULL, true},
};

/* What is given up, in this order, until a line fits: a column becomes no wider than that; 0: it
 * goes.  From TIGHT_STEP on, headings are brief and the gaps narrow.  What identifies a row and
 * throughput always stay; time goes only when the narrowest of terminals has to show all axes.
 * Where operations are in flight together, time/op is 1 / rate and says what the throughput says:
 * then it goes, and the latency of the operations stays. */
struct table_step {
    enum table_column column;
    unsigned most;
};
static const struct table_step steps_alone[] = {
    {T_TARGET, 24}, {T_BAR, 7},        {T_BAR, 5},    {T_OPERATIONS, 0}, {T_P50, 0},
    {T_BAR, 0},     {T_TARGET, 16},    {T_RATE, 0},   {T_P99, 0},        {T_TARGET, 10},
    {T_NOTES, 10},  {T_HALF_WIDTH, 0}, {T_NOTES, 3},  {T_TARGET, 6},     {T_NOTES, 0},
    {T_ENGINE, 4},  {T_ACCESS, 3},     {T_TARGET, 3}, {T_ENGINE, 2},     {T_TARGET, 2},
    {T_ACCESS, 1},  {T_TIME, 0},
};
static const struct table_step steps_together[] = {
    {T_TARGET, 24}, {T_BAR, 7},    {T_BAR, 5},     {T_OPERATIONS, 0}, {T_HALF_WIDTH, 0},
    {T_TIME, 0},    {T_BAR, 0},    {T_TARGET, 16}, {T_RATE, 0},       {T_P99, 0},
    {T_TARGET, 10}, {T_NOTES, 10}, {T_NOTES, 3},   {T_TARGET, 6},     {T_NOTES, 0},
    {T_ENGINE, 4},  {T_ACCESS, 3}, {T_TARGET, 3},  {T_ENGINE, 2},     {T_TARGET, 2},
    {T_ACCESS, 1},  {T_P50, 0},
};
_Static_assert(sizeof(steps_alone) == sizeof(steps_together), "STEP_COUNT is that of both");

#define STEP_COUNT (sizeof(steps_alone) / sizeof(steps_alone[0]))
#define TIGHT_STEP 14

struct layout {
    unsigned steps;          /* taken */
    unsigned width[T_COUNT]; /* 0: not shown */
};

struct table_row {
    char *text[T_COUNT]; /* NULL: nothing to say */
    double speed;        /* what its bar shows; negative: not known */
    bool skipped;        /* there are no figures, the notes stand in their place */
};

struct table {
    struct print_state state;
    const struct run_info *info;
    bool utf8, several_parts;
    bool varies[T_COUNT]; /* T_TARGET to T_DEPTH */
    const struct table_step *steps;
    unsigned width;
    struct table_row *rows;
    size_t count, capacity;
    const struct cell *first; /* of the part */
    /* rows that a page cache stands before, and others, are in the part */
    bool cached, uncached;
    enum cache_mode cache; /* of those others */
    struct layout layout;  /* of this part and, until it is chosen, of the one before */
    struct summaries summaries;
};

static int table_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct table *table = arg;
    (void)err;
    table->info = info;
    summaries_begin(&table->summaries, info);
    table->steps = steps_alone;
    for (unsigned i = 0; i < info->cell_count; i++)
        if (info->cells[i].threads > 1 || info->cells[i].work.depth > 1)
            table->steps = steps_together;
    for (unsigned i = 1; i < info->cell_count; i++) {
        const struct cell *a = &info->cells[0], *b = &info->cells[i];
        if (a->target != b->target)
            table->varies[T_TARGET] = true;
        if (!engine_same(a->engine, b->engine))
            table->varies[T_ENGINE] = true;
        if (a->work.access != b->work.access)
            table->varies[T_ACCESS] = true;
        if (a->threads != b->threads)
            table->varies[T_THREADS] = true;
        if (a->work.depth != b->work.depth)
            table->varies[T_DEPTH] = true;
    }
    return 0;
}

static char *target_text(const struct table *table, const struct cell *cell)
{
    const char *label = table->info->targets[cell->target]->label;
    size_t size = 4 * strlen(label) + 1;
    return error_printable(label, mem_calloc(size, 1), size);
}

static char *count_text(uint64_t count)
{
    return mem_printf("%" PRIu64, count);
}

static char *percentile_text(const struct table *table, const struct result *result,
                             unsigned permille)
{
    char text[UNITS_TEXT];
    uint64_t ns;
    if (!columns_percentile(table->info, result, permille, &ns))
        return mem_strdup("-");
    return mem_strdup(units_format_time((double)ns, text));
}

static void fill_axes(const struct table *table, const struct cell *cell, struct table_row *row)
{
    char text[UNITS_TEXT];
    row->text[T_SIZE] = mem_strdup(units_format_size(cell->work.size_bytes, text));
    if (table->varies[T_TARGET])
        row->text[T_TARGET] = target_text(table, cell);
    if (cell->fills)
        row->text[T_FILLED] = mem_strdup(units_format_bytes(
            (double)((cell->place_first + cell->places) * cell->work.io_bytes), text));
    if (table->varies[T_ENGINE])
        row->text[T_ENGINE] = mem_strdup(cell->engine->name);
    if (table->varies[T_ACCESS] && test_ordered(cell->work.test))
        row->text[T_ACCESS] = mem_strdup(access_names[cell->work.access]);
    if (table->varies[T_THREADS])
        row->text[T_THREADS] = count_text(cell->threads);
    if (table->varies[T_DEPTH])
        row->text[T_DEPTH] = count_text(cell->work.depth);
    if (cell->mixed)
        row->text[T_MIX] = mem_printf("%s %" PRIu32 "%%", test_names[cell->work.test],
                                      cell->work.test == TEST_READ ? cell->read_percent
                                                                   : 100 - cell->read_percent);
}

static void fill_measured(const struct table *table, const struct result *result,
                          struct table_row *row)
{
    const double throughput = columns_throughput(result), rate = columns_rate(result);
    char text[UNITS_TEXT];
    row->text[T_OPERATIONS] = count_text(result->sum.tally.operations);
    if (result->rounds > 0)
        row->text[T_TIME] = mem_strdup(units_format_time(result->op_ns_median, text));
    if (result->rounds > 0 && result->interval_known && result->op_ns_median > 0)
        row->text[T_HALF_WIDTH] =
            mem_printf("%s%.1f%%", table->utf8 ? "\xc2\xb1" : "+-",
                       (result->op_ns_high - result->op_ns_low) / 2 / result->op_ns_median * 100);
    if (throughput >= 0)
        row->text[T_THROUGHPUT] = mem_strdup(units_format_throughput(throughput, text));
    if (rate >= 0)
        row->text[T_RATE] = mem_strdup(units_format_rate(rate, text));
    row->speed = throughput >= 0 ? throughput : rate;
    row->text[T_P50] = percentile_text(table, result, 500);
    row->text[T_P99] = percentile_text(table, result, 990);
}

static int table_row(void *arg, const struct result *result, struct error *err)
{
    struct table *table = arg;
    char notes[COLUMNS_NOTES_TEXT];
    struct table_row *row;
    (void)err;
    table->rows = mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
    summaries_add(&table->summaries, result);
    row = &table->rows[table->count++];
    *row = (struct table_row){.speed = -1};
    if (table->count == 1)
        table->first = result->cell;
    if (target_can(table->info->targets[result->cell->target], TARGET_CACHED)) {
        table->cached = true;
        table->cache = result->cell->work.cache;
    } else {
        table->uncached = true;
    }
    fill_axes(table, result->cell, row);
    row->skipped = result->state == RESULT_SKIPPED;
    if (!row->skipped)
        fill_measured(table, result, row);
    for (int c = T_OPERATIONS; c < T_BAR && !row->skipped; c++) {
        if (!row->text[c] && c != T_HALF_WIDTH)
            row->text[c] = mem_strdup("-");
    }
    if (columns_notes(result, table->info, notes)[0] != '\0')
        row->text[T_NOTES] = mem_strdup(notes);
    return 0;
}

/* The end of a name, which says more than its beginning, in at most `width` columns. */
static char *shorten_name(const char *name, unsigned width)
{
    unsigned all = print_width(name), dots = all > width && width > 4 ? 2 : 0;
    for (unsigned skip = all > width ? all - width + dots : 0; skip > 0; skip--)
        do
            name++;
        while (((unsigned char)*name & 0xc0) == 0x80);
    return mem_printf("%s%s", dots > 0 ? ".." : "", name);
}

static void print_heading(const struct table *table)
{
    const char *dot = table->utf8 ? " \xc2\xb7 " : " - ";
    const struct cell *cell = table->first;
    FILE *stream = table->state.stream;
    char facts[192], place[COLUMNS_PLACE_TEXT];
    size_t used;
    text_copy(facts, sizeof(facts), cell->mixed ? "write and read" : test_names[cell_test(cell)]);
    if (columns_place(table->info->settings, cell, dot, place)[0] != '\0')
        text_add(facts, sizeof(facts), dot, "%s", place);
    /* Object stores have no known cache: beside files, only the files' rows show one. */
    if (table->cached)
        text_add(facts, sizeof(facts), dot, "%s%s", cache_names[table->cache],
                 table->uncached ? " (files)" : "");
    if (table->several_parts)
        fputc('\n', stream);
    if (!table->varies[T_ENGINE])
        text_add(facts, sizeof(facts), dot, "%s", cell->engine->name);
    if (!table->varies[T_ACCESS] && cell->work.access != ACCESS_RANDOM)
        text_add(facts, sizeof(facts), dot, "%s", access_names[cell->work.access]);
    if (!table->varies[T_THREADS] && cell->threads > 1)
        text_add(facts, sizeof(facts), dot, "%" PRIu32 " threads", cell->threads);
    if (!table->varies[T_DEPTH] && cell->work.depth > 1)
        text_add(facts, sizeof(facts), dot, "depth %" PRIu32, cell->work.depth);
    fputs(facts, stream);
    used = print_width(facts) + 3;
    if (!table->varies[T_TARGET] && used < table->width) {
        char *target = target_text(table, cell);
        char *name = shorten_name(target, table->width - (unsigned)used);
        fprintf(stream, "%s%s", dot, name);
        free(name);
        free(target);
    }
    fputc('\n', stream);
}

static const char *heading(enum table_column column, unsigned steps)
{
    const char *brief = table_columns[column].brief;
    return steps >= TIGHT_STEP && brief ? brief : table_columns[column].heading;
}

/* The columns as the rows want them, after `steps` steps. */
static void measure_columns(const struct table *table, unsigned steps, struct layout *layout)
{
    unsigned *width = layout->width;
    layout->steps = steps;
    for (int c = 0; c < T_BAR; c++) {
        unsigned least = print_width(heading((enum table_column)c, steps));
        width[c] = 0;
        for (size_t r = 0; r < table->count; r++) {
            unsigned w = table->rows[r].text[c] ? print_width(table->rows[r].text[c]) : 0;
            width[c] = w > width[c] ? w : width[c];
        }
        if (width[c] > 0 && width[c] < least)
            width[c] = least;
    }
    width[T_BAR] = BAR_WIDTH;
    width[T_NOTES] = NOTES_LEAST;
    for (unsigned i = 0; i < steps; i++)
        if (width[table->steps[i].column] > table->steps[i].most)
            width[table->steps[i].column] = table->steps[i].most;
}

static unsigned gap_width(const struct layout *layout)
{
    return layout->steps >= TIGHT_STEP ? 1 : 2;
}

static unsigned line_width(const struct layout *layout)
{
    unsigned all = 0, gap = gap_width(layout);
    for (int c = 0; c < T_COUNT; c++)
        all += layout->width[c] > 0 ? layout->width[c] + gap : 0;
    return all > 0 ? all - gap : 0;
}

static void choose_layout(struct table *table)
{
    struct layout own, common;
    measure_columns(table, table->layout.steps, &own);
    common = own;
    for (int c = 0; c < T_COUNT; c++)
        if (table->layout.width[c] > common.width[c])
            common.width[c] = table->layout.width[c];
    if (line_width(&common) <= table->width)
        own = common;
    while (line_width(&own) > table->width && own.steps < STEP_COUNT)
        measure_columns(table, own.steps + 1, &own);
    table->layout = own;
}

/* Gives the notes what is left of the line. */
static void widen_notes(const struct table *table, struct layout *layout)
{
    unsigned others;
    layout->width[T_NOTES] = 0;
    others = line_width(layout) + gap_width(layout);
    layout->width[T_NOTES] = table->width > others ? table->width - others : 0;
}

/* As many words as fit; the rest is counted. */
static char *shorten_notes(const char *notes, unsigned width, char *text)
{
    unsigned words = 1;
    for (const char *c = notes; *c != '\0'; c++)
        words += *c == ';';
    snprintf(text, COLUMNS_NOTES_TEXT, "%s", notes);
    for (unsigned dropped = 1; strlen(text) > width && dropped <= words; dropped++) {
        size_t kept = 0; /* bytes of the words that stay */
        for (unsigned i = 0; i < words - dropped; i++)
            kept += strcspn(notes + kept + (i > 0), ";") + (i > 0);
        snprintf(text, COLUMNS_NOTES_TEXT, "%.*s%s+%u", (int)kept, notes, kept > 0 ? " " : "",
                 dropped);
    }
    if (strlen(text) > width)
        text[0] = '\0';
    return text;
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
static void print_line(FILE *stream, const char *const *text, const struct layout *layout)
{
    unsigned owed = 0; /* blanks not yet written */
    for (int c = 0, shown = 0; c < T_COUNT; c++) {
        const char *word = text[c] ? text[c] : "";
        unsigned width = layout->width[c], length = print_width(word), pad;
        if (width == 0)
            continue;
        owed += shown++ > 0 ? gap_width(layout) : 0;
        if (word[0] == '\0') {
            owed += width;
            continue;
        }
        pad = width > length ? width - length : 0;
        if (!table_columns[c].left)
            owed += pad;
        fprintf(stream, "%*s", (int)owed, "");
        if (length > width) /* a heading or the name of an engine: ASCII */
            fprintf(stream, "%.*s", (int)width, word);
        else
            fputs(word, stream);
        owed = table_columns[c].left ? pad : 0;
    }
    fputc('\n', stream);
}

static void print_row(const struct table *table, const struct table_row *row, double best,
                      const struct layout *common)
{
    const char *text[T_COUNT];
    char bar[3 * BAR_WIDTH + 1], notes[COLUMNS_NOTES_TEXT], *target = NULL;
    struct layout layout = *common;
    for (int c = 0; c < T_COUNT; c++)
        text[c] = row->text[c];
    for (int c = T_OPERATIONS; c < T_NOTES && row->skipped; c++)
        layout.width[c] = 0;
    widen_notes(table, &layout);
    if (layout.width[T_TARGET] > 0)
        text[T_TARGET] = target = shorten_name(row->text[T_TARGET], layout.width[T_TARGET]);
    if (layout.width[T_BAR] > 0 && row->speed > 0) {
        format_bar(row->speed / best, layout.width[T_BAR], table->utf8, bar);
        text[T_BAR] = bar;
    }
    if (row->text[T_NOTES])
        text[T_NOTES] = shorten_notes(row->text[T_NOTES], layout.width[T_NOTES], notes);
    print_line(table->state.stream, text, &layout);
    free(target);
}

static void print_rows(struct table *table)
{
    struct layout layout;
    const char *text[T_COUNT];
    bool noted = false;
    double best = 0;
    choose_layout(table);
    layout = table->layout;
    widen_notes(table, &layout);
    for (size_t r = 0; r < table->count; r++) {
        noted = noted || (table->rows[r].text[T_NOTES] && !table->rows[r].skipped);
        best = table->rows[r].speed > best ? table->rows[r].speed : best;
    }
    for (int c = 0; c < T_COUNT; c++)
        text[c] = heading((enum table_column)c, layout.steps);
    if (!noted || layout.width[T_NOTES] < print_width(text[T_NOTES]))
        text[T_NOTES] = NULL;
    print_line(table->state.stream, text, &layout);
    for (size_t r = 0; r < table->count; r++)
        print_row(table, &table->rows[r], best, &layout);
}

static void drop_rows(struct table *table)
{
    for (size_t r = 0; r < table->count; r++) {
        for (int c = 0; c < T_COUNT; c++)
            free(table->rows[r].text[c]);
    }
    table->count = 0;
    table->cached = table->uncached = false;
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

static void put_line(void *arg, const char *line)
{
    const struct table *table = arg;

    if (line[0] == 's') /* a heading: "summary" */
        fputc('\n', table->state.stream);
    fprintf(table->state.stream, "%s\n", line);
}

/* Also of what an interruption left. */
static int table_end(void *arg, struct error *err)
{
    struct table *table = arg;

    if (table_part_end(arg, err) < 0)
        return -1;
    summaries_print(&table->summaries, table->utf8, put_line, table);
    return print_flush(&table->state, err);
}

static void table_release(void *state)
{
    struct table *table = state;
    drop_rows(table);
    summaries_free(&table->summaries);
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
                          .end = table_end,
                          .arg = table};
    return 0;
}
