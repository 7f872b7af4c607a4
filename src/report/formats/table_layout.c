/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table_layout.c - the columns of the table, and its lines.
 *
 * If a line does not fit, the least useful columns are dropped first, independently of the notes,
 * so that one note does not cost all rows a column: notes use the remaining room, most serious
 * first. Later parts keep the columns and widths of earlier ones while they fit. No line exceeds
 * the width of the terminal. Colour is added after the layout. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/formats/table.h"

#define BAR_WIDTH 10
#define NOTES_LEAST \
    15 /* room for any one note without its value; skipped:REASON is printed elsewhere */

static const struct {
    const char *heading;
    const char *brief; /* short heading if there is no room; NULL: the same */
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
    [T_INTERVAL] = {"", NULL, false},
    [T_THROUGHPUT] = {"throughput", "bytes/s", false},
    [T_RATE] = {"rate", NULL, false},
    [T_P50] = {"p50", NULL, false},
    [T_P99] = {"p99", NULL, false},
    [T_CHOSEN] = {"", NULL, false},
    [T_BAR] = {"", NULL, true},
    [T_NOTES] = {"notes", NULL, true},
};

/* Reductions, in this order, until a line fits: limits the width of a column; 0: drops it. From
 * TIGHT_STEP on, headings are brief and gaps narrow. Columns that identify a row and throughput
 * always stay; time is dropped only if the narrowest terminal must show all axes. With several
 * operations in flight, time/op is 1 / rate and thus redundant to throughput: it is dropped, and
 * the latency stays. */
static const struct table_step {
    enum table_column column;
    unsigned most;
} steps_alone[] = {
    {T_TARGET, 24}, {T_BAR, 7},    {T_BAR, 5},    {T_OPERATIONS, 0}, {T_P50, 0},    {T_BAR, 0},
    {T_TARGET, 16}, {T_RATE, 0},   {T_P99, 0},    {T_TARGET, 10},    {T_NOTES, 10}, {T_INTERVAL, 0},
    {T_NOTES, 3},   {T_TARGET, 6}, {T_NOTES, 0},  {T_ENGINE, 4},     {T_ACCESS, 3}, {T_TARGET, 3},
    {T_ENGINE, 2},  {T_TARGET, 2}, {T_ACCESS, 1}, {T_TIME, 0},
};
static const struct table_step steps_together[] = {
    {T_TARGET, 24}, {T_BAR, 7},    {T_BAR, 5},     {T_OPERATIONS, 0}, {T_INTERVAL, 0},
    {T_TIME, 0},    {T_BAR, 0},    {T_TARGET, 16}, {T_RATE, 0},       {T_P99, 0},
    {T_TARGET, 10}, {T_NOTES, 10}, {T_NOTES, 3},   {T_TARGET, 6},     {T_NOTES, 0},
    {T_ENGINE, 4},  {T_ACCESS, 3}, {T_TARGET, 3},  {T_ENGINE, 2},     {T_TARGET, 2},
    {T_ACCESS, 1},  {T_P50, 0},
};
_Static_assert(sizeof(steps_alone) == sizeof(steps_together), "STEP_COUNT is that of both");

#define STEP_COUNT (sizeof(steps_alone) / sizeof(steps_alone[0]))
#define TIGHT_STEP 14

static const char *heading(const struct table *table, enum table_column column, unsigned steps)
{
    const char *brief = table_columns[column].brief;
    if (column == T_CHOSEN && table->chosen_heading)
        return table->chosen_heading;
    return steps >= TIGHT_STEP && brief ? brief : table_columns[column].heading;
}

/* Measures the columns that the rows need, after `steps` steps. */
static void measure_columns(const struct table *table, unsigned steps, struct table_layout *layout)
{
    const struct table_step *step = table->together ? steps_together : steps_alone;
    unsigned *width = layout->width;
    layout->steps = steps;
    for (int c = 0; c < T_BAR; c++) {
        unsigned least = print_width(heading(table, (enum table_column)c, steps));
        width[c] = 0;
        for (size_t r = 0; r < table->count; r++) {
            unsigned w = table->rows[r].text[c] ? print_width(table->rows[r].text[c]) : 0;
            width[c] = w > width[c] ? w : width[c];
        }
        if (width[c] > 0 && width[c] < least)
            width[c] = least;
    }
    width[T_BAR] = table->chosen ? 0 : BAR_WIDTH;
    width[T_NOTES] = table->chosen ? 0 : NOTES_LEAST; /* notes get the remaining room */
    for (; steps > 0; steps--, step++)
        if (width[step->column] > step->most)
            width[step->column] = step->most;
}

static unsigned gap_width(const struct table_layout *layout)
{
    return layout->steps >= TIGHT_STEP ? 1 : 2;
}

static unsigned line_width(const struct table_layout *layout)
{
    unsigned all = 0, gap = gap_width(layout);
    for (int c = 0; c < T_COUNT; c++)
        all += layout->width[c] > 0 ? layout->width[c] + gap : 0;
    return all > 0 ? all - gap : 0;
}

unsigned table_room(const struct table *table)
{
    struct table_layout axes;
    unsigned used;

    measure_columns(table, 0, &axes);
    for (int c = T_OPERATIONS; c < T_COUNT; c++)
        axes.width[c] = 0;
    used = line_width(&axes) + gap_width(&axes);
    return table->width > used ? table->width - used : 0;
}

/* Chooses a layout for all rows, starting from the previous one. */
static void choose_layout(struct table *table)
{
    struct table_layout own, common;
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

/* Gives the notes the rest of the line. */
static void widen_notes(const struct table *table, struct table_layout *layout)
{
    unsigned others;
    layout->width[T_NOTES] = 0;
    others = line_width(layout) + gap_width(layout);
    if (!table->more)
        layout->width[T_NOTES] = table->width > others ? table->width - others : 0;
}

/* A bar of that share of `width` cells, in eighths if the terminal supports UTF-8. */
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

static enum color note_color(const char *word, size_t length)
{
    if (length > strlen(TABLE_ERRORS) && strncmp(word, TABLE_ERRORS, strlen(TABLE_ERRORS)) == 0)
        return COLOR_ALARM;
    switch (columns_note_weight(word, length)) {
    case NOTE_ALARMS:
        return COLOR_ALARM;
    case NOTE_QUALIFIES:
        return COLOR_CAUTION;
    default:
        return COLOR_FAINT;
    }
}

static bool has_note(const char *notes, const char *word, size_t length)
{
    const char *own;
    size_t own_length;

    while (text_word(&notes, ";", &own, &own_length))
        if (own_length == length && strncmp(own, word, length) == 0)
            return true;
    return false;
}

/* Whether all measured rows, at least two, have that note. */
static bool is_common(const struct table *table, const char *word, size_t length)
{
    size_t measured = 0;

    for (const struct table_row *row = table->rows; row < table->rows + table->count; row++) {
        if (row->skipped)
            continue;
        measured++;
        if (!row->text[T_NOTES] || !has_note(row->text[T_NOTES], word, length))
            return false;
    }
    return measured > 1;
}

#define COMMON "all: "

static void find_common(struct table *table)
{
    struct table_layout layout = table->layout;
    const char *notes = NULL;

    table->common[0] = '\0';
    widen_notes(table, &layout);
    for (size_t r = 0; r < table->count && !notes; r++)
        notes = table->rows[r].skipped ? NULL : table->rows[r].text[T_NOTES];
    for (const char *word = notes ? notes : ""; *word != '\0'; word += *word == ';') {
        const size_t length = strcspn(word, ";");
        if (is_common(table, word, length) &&
            strlen(COMMON) + strlen(table->common) + 1 + length <= layout.width[T_NOTES])
            text_add(table->common, sizeof(table->common), ";", "%.*s", (int)length, word);
        word += length;
    }
}

/* Prints each note in the colour of its weight. */
static void print_notes(FILE *stream, const char *notes, bool colored)
{
    while (*notes != '\0') {
        const size_t length = strcspn(notes, ";");
        const enum color look = note_color(notes, length);
        fprintf(stream, "%s%.*s%s", color_begin(colored, look), (int)length, notes,
                color_end(colored, look));
        notes += length;
        if (*notes != '\0')
            fputc(*notes++, stream);
    }
}

struct table_line {
    const char *text[T_COUNT]; /* NULL: empty */
    enum color look;           /* of all columns but the notes, which have their own colours */
    bool heading;
};

/* Prints one line without trailing blanks. */
static void print_line(const struct table *table, const struct table_line *line,
                       const struct table_layout *layout)
{
    FILE *stream = table->state.stream;
    const bool colored = table->color;
    unsigned owed = 0; /* blanks not yet written */

    fputs(color_begin(colored, line->look), stream);
    for (int c = 0, shown = 0; c < T_COUNT; c++) {
        const char *word = line->text[c] ? line->text[c] : "";
        unsigned width = layout->width[c], length = print_width(word), pad;
        if (c == T_NOTES)
            fputs(color_end(colored, line->look), stream);
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
        if (c == T_NOTES && !line->heading)
            print_notes(stream, word, colored);
        else if (length > width && table_columns[c].left)
            fprintf(stream, "%.*s", (int)width, word); /* names of engines and headings: ASCII */
        else
            fputs(word, stream);
        owed = table_columns[c].left ? pad : 0;
    }
    fputc('\n', stream);
}

/* best: the speed of the longest bar; faint: prints noisy rows faint. */
static void print_row(const struct table *table, const struct table_row *row, double best,
                      bool faint)
{
    struct table_line line = {.look = COLOR_PLAIN};
    char bar[3 * BAR_WIDTH + 1], notes[TABLE_NOTES_TEXT], own[TABLE_NOTES_TEXT] = "",
                                                          *target = NULL;
    struct table_layout layout = table->layout;

    for (int c = 0; c < T_COUNT; c++)
        line.text[c] = row->text[c];
    for (int c = T_OPERATIONS; c < T_NOTES && row->skipped; c++)
        layout.width[c] = 0;
    widen_notes(table, &layout);
    if (layout.width[T_TARGET] > 0)
        line.text[T_TARGET] = target =
            print_shorten_name(row->text[T_TARGET], layout.width[T_TARGET]);
    if (layout.width[T_BAR] > 0 && row->speed > 0) {
        format_bar(row->speed / best, layout.width[T_BAR], table->utf8, bar);
        line.text[T_BAR] = bar;
    }
    if (row->text[T_NOTES]) {
        const char *at = row->text[T_NOTES], *word;
        size_t length;
        while (text_word(&at, ";", &word, &length)) /* those not common to all */
            if (!has_note(table->common, word, length))
                text_add(own, sizeof(own), ";", "%.*s", (int)length, word);
        line.text[T_NOTES] = print_shorten_words(own, layout.width[T_NOTES], notes, sizeof(notes));
    }
    if (table->count > 1 && row->speed > 0 && row->speed >= best)
        line.look = COLOR_STRONG;
    else if (faint && row->noisy)
        line.look = COLOR_FAINT;
    print_line(table, &line, &layout);
    free(target);
}

/* noted: some row has notes, so their column gets a heading. */
static void print_headings(const struct table *table, bool noted)
{
    struct table_line line = {.heading = true};
    struct table_layout layout = table->layout;
    char common[TABLE_NOTES_TEXT + 8];

    widen_notes(table, &layout);
    for (int c = 0; c < T_COUNT; c++)
        line.text[c] = heading(table, (enum table_column)c, layout.steps);
    if (!noted || layout.width[T_NOTES] < print_width(line.text[T_NOTES]))
        line.text[T_NOTES] = NULL;
    if (table->common[0] != '\0') {
        snprintf(common, sizeof(common), COMMON "%s", table->common);
        line.text[T_NOTES] = common;
    }
    print_line(table, &line, &layout);
}

void table_print_block(struct table *table)
{
    bool noted = false, quiet = false;
    double best = 0;

    choose_layout(table);
    find_common(table);
    for (const struct table_row *row = table->rows; row < table->rows + table->count; row++) {
        noted = noted || (row->text[T_NOTES] && !row->skipped);
        quiet = quiet || (!row->skipped && !row->noisy);
        best = row->speed > best ? row->speed : best;
    }
    print_headings(table, noted);
    /* contrast marks noisy rows among others; if all are noisy, a finding reports it */
    for (const struct table_row *row = table->rows; row < table->rows + table->count; row++)
        print_row(table, row, best, quiet);
    table->lines += (unsigned)table->count + 1;
}
