/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table_layout.c - the widths of the table, and its lines.
 *
 * If a line does not fit, the least useful figures leave it first, one at each level, independently
 * of the notes, so that one note does not cost all rows a column: notes use the remaining room,
 * most serious first. On terminals too narrow for that, headings and names are cut. A column that
 * left does not return in later parts. Colour is added after the layout. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/formats/table.h"

#define LEVEL_NOTES 7 /* from here on notes have no minimum */
#define LEVEL_TIGHT 8 /* small gaps, cut headings and names */
#define LEVEL_LAST  9

#define HEADING_LEAST 3u
#define NOTES_LEAST \
    15u /* room for any one note without its value; skipped:REASON is printed elsewhere */
#define CHOSEN_WIDTH 10u /* that of usual figures, so that blocks seldom change as rows finish */
#define CHOSEN_LEAST 24u /* of the chosen figures together, regardless of the width of the axes */

static unsigned larger_of(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned gap_width(const struct table *table)
{
    return table->level >= LEVEL_TIGHT ? 1 : 2;
}

struct block { /* figures [from, to) beside the axes */
    unsigned from, to;
    bool ends; /* with notes */
};

static unsigned line_width(const struct table *table, const struct block *block)
{
    const unsigned gap = gap_width(table);
    unsigned all = 0;

    for (unsigned c = 0; c < block->to; c++)
        if ((c < table->axis_count || c >= block->from) && table->column[c].width > 0)
            all += table->column[c].width + gap;
    return all > gap ? all - gap : 0;
}

/* What a line has left for notes. */
static unsigned notes_width(const struct table *table, const struct block *block)
{
    const unsigned others = line_width(table, block) + gap_width(table);

    return block->ends && table->width > others ? table->width - others : 0;
}

/* Measures the columns of a block. Returns whether `others` columns of the terminal are left. */
static bool fit_columns(struct table *table, const struct block *block, unsigned others)
{
    const bool tight = table->level >= LEVEL_TIGHT;
    const unsigned name_most = table->width / (tight ? 10 : 5);

    for (unsigned c = 0; c < block->to; c++) {
        struct table_column *column = &table->column[c];
        const unsigned heading = print_width(column->heading),
                       leaves = table->together ? column->leaves_together : column->leaves_alone;

        column->width = column->needs;
        if ((column->cut == CUT_BEGINNING || (tight && column->left)) && column->needs > name_most)
            column->width = name_most;
        column->width =
            larger_of(column->width, tight && heading > HEADING_LEAST ? HEADING_LEAST : heading);
        if (column->needs == 0 || (leaves > 0 && leaves <= table->level))
            column->width = 0;
    }
    return line_width(table, block) + others <= table->width;
}

static unsigned block_end(const struct table *table, unsigned from)
{
    struct block longer = {.from = from, .to = from + 1};

    while (table->chosen && longer.to < table->column_count) {
        longer.to++;
        if (line_width(table, &longer) > table->width)
            return longer.to - 1;
    }
    return table->column_count;
}

/* Gives each chosen figure the width of its name, its texts, or usual figures. */
static void fit_chosen(struct table *table)
{
    const unsigned axes = line_width(table, &(struct block){.to = table->axis_count}),
                   others = axes + gap_width(table) + CHOSEN_LEAST,
                   room = CHOSEN_LEAST + (table->width > others ? table->width - others : 0);

    for (unsigned c = table->axis_count; c < table->column_count; c++) {
        struct table_column *column = &table->column[c];

        column->width =
            larger_of(larger_of(column->needs, print_width(column->heading)), CHOSEN_WIDTH);
        if (column->width > room)
            column->width = room;
    }
}

unsigned table_lay_out(struct table *table)
{
    const unsigned last = table->chosen ? LEVEL_TIGHT : LEVEL_LAST;
    struct block all = {.to = table->chosen ? table->axis_count : table->column_count};
    unsigned blocks = 0, others;
    bool fits;

    for (;; table->level = table->chosen ? LEVEL_TIGHT : table->level + 1) {
        others = table->chosen ? CHOSEN_LEAST : table->level < LEVEL_NOTES ? NOTES_LEAST : 0;
        others += others > 0 ? gap_width(table) : 0;
        fits = fit_columns(table, &all, others);
        if (fits || table->level >= last)
            break;
    }
    if (table->chosen)
        fit_chosen(table);
    for (unsigned c = table->axis_count; c < table->column_count; c = block_end(table, c))
        blocks++;
    return fits ? blocks : 0;
}

/* --- lines --- */

/* A bar of that share of its width, in eighths if the terminal supports UTF-8. */
static void format_bar(double share, bool utf8, char *text)
{
    unsigned eighths = (unsigned)(share * 8 * TABLE_BAR_WIDTH + 0.5), full = eighths / 8,
             rest = eighths % 8;
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

/* To be freed. */
static char *cut_text(const struct table_column *column, const char *text, bool heading)
{
    char words[COLUMNS_NOTES_TEXT];

    if (column->cut == CUT_BEGINNING && !heading)
        return print_shorten_name(text, column->width);
    if (column->cut == CUT_WORDS)
        return mem_strdup(print_shorten_words(text, column->width, words, sizeof(words)));
    if (print_width(text) <= column->width)
        return mem_strdup(text);
    return mem_printf("%.*s", (int)column->width, text); /* names and headings: ASCII */
}

/* Prints each note in the colour of its weight. */
static void print_notes(FILE *stream, const char *notes, bool colored)
{
    const char *note;
    size_t length;

    for (const char *at = notes; text_word(&at, ";", &note, &length);) {
        static const enum color looks[] = {[NOTE_ALARMS] = COLOR_ALARM,
                                           [NOTE_QUALIFIES] = COLOR_CAUTION,
                                           [NOTE_REMARKS] = COLOR_FAINT};
        const enum color look = looks[columns_note_weight(note, length)];

        fprintf(stream, "%s%s%.*s%s", note > notes ? ";" : "", color_begin(colored, look),
                (int)length, note, color_end(colored, look));
    }
}

struct line {
    char *const *text; /* of each column; NULL: empty */
    const char *notes;
    enum color look; /* of all but the notes, which have their own colours */
    bool heading;
};

/* Prints one line without trailing blanks. */
static void print_line(const struct table *table, const struct block *block,
                       const struct line *line)
{
    FILE *stream = table->state.stream;
    unsigned owed = 0, shown = 0; /* blanks not yet written; columns */

    fputs(color_begin(table->color, line->look), stream);
    for (unsigned c = 0; c < block->to; c++) {
        const struct table_column *column = &table->column[c];
        char *text;
        unsigned pad;

        if ((c >= table->axis_count && c < block->from) || column->width == 0)
            continue;
        text = cut_text(column, line->text[c] ? line->text[c] : "", line->heading);
        pad = column->width - print_width(text);
        owed += (shown++ > 0 ? gap_width(table) : 0) + (column->left ? 0 : pad);
        if (text[0] != '\0') {
            fprintf(stream, "%*s%s", (int)owed, "", text);
            owed = 0;
        }
        owed += column->left ? pad : 0;
        free(text);
    }
    fputs(color_end(table->color, line->look), stream);
    if (line->notes[0] != '\0')
        fprintf(stream, "%*s", (int)(owed + gap_width(table)), "");
    if (line->heading)
        fputs(line->notes, stream);
    else
        print_notes(stream, line->notes, table->color && line->notes[0] != '\0');
    fputc('\n', stream);
}

/* --- rows --- */

struct rows {
    struct table_row *row;
    size_t count;
    char common[TABLE_NOTES_TEXT]; /* notes of all measured rows, which the heading contains */
    bool noted, quiet;             /* some row has notes; some is not noisy */
    double best;                   /* the speed of the longest bar */
};

static bool has_note(const char *notes, const char *word, size_t length)
{
    const char *own;
    size_t own_length;

    while (text_word(&notes, ";", &own, &own_length))
        if (own_length == length && strncmp(own, word, length) == 0)
            return true;
    return false;
}

#define COMMON "all: "

/* Finds the notes that all measured rows have, if there are several, and that have room. */
static void find_common(struct rows *rows, unsigned room)
{
    const struct table_row *first = NULL;
    const char *notes, *word;
    size_t measured = 0, length;

    for (size_t r = 0; r < rows->count; r++)
        if (!rows->row[r].skipped && measured++ == 0)
            first = &rows->row[r];
    notes = measured > 1 ? first->notes : NULL;
    while (text_word(&notes, ";", &word, &length)) {
        bool all = length > 0 && strlen(COMMON) + strlen(rows->common) + 1 + length <= room;

        for (size_t r = 0; r < rows->count && all; r++)
            all = rows->row[r].skipped || has_note(rows->row[r].notes, word, length);
        if (all)
            text_add(rows->common, sizeof(rows->common), ";", "%.*s", (int)length, word);
    }
}

/* The block of a row: notes replace figures that are skipped. */
static void print_row(const struct table *table, const struct block *whole, const struct rows *rows,
                      struct table_row *row)
{
    const struct block skipped = {.to = table->axis_count, .ends = whole->ends},
                       *block = row->skipped ? &skipped : whole;
    char notes[TABLE_NOTES_TEXT], own[TABLE_NOTES_TEXT] = "";
    struct line line = {.text = row->text, .notes = notes, .look = COLOR_PLAIN};
    const char *at = row->notes, *word;
    size_t length;

    if (row->bar)
        format_bar(row->speed > 0 ? row->speed / rows->best : 0, table->utf8, row->bar);
    while (text_word(&at, ";", &word, &length)) /* those not common to all */
        if (!has_note(rows->common, word, length))
            text_add(own, sizeof(own), ";", "%.*s", (int)length, word);
    print_shorten_words(own, notes_width(table, block), notes, sizeof(notes));
    if (rows->count > 1 && row->speed > 0 && row->speed >= rows->best && !table->chosen)
        line.look = COLOR_STRONG;
    else if (rows->quiet && row->noisy)
        line.look = COLOR_FAINT; /* beside others: if all are noisy, a finding reports it */
    print_line(table, block, &line);
}

static void print_headings(const struct table *table, const struct block *block,
                           const struct rows *rows)
{
    char **text = mem_calloc(table->column_count, sizeof(*text)),
         notes[TABLE_NOTES_TEXT + sizeof(COMMON)] = "";

    for (unsigned c = 0; c < table->column_count; c++)
        text[c] = (char *)(uintptr_t)table->column[c].heading;
    if (block->ends && rows->common[0] != '\0')
        snprintf(notes, sizeof(notes), COMMON "%s", rows->common);
    else if (rows->noted && notes_width(table, block) >= strlen("notes"))
        text_copy(notes, sizeof(notes), "notes");
    print_line(table, block, &(struct line){.text = text, .notes = notes, .heading = true});
    free(text);
}

unsigned table_print_rows(const struct table *table, struct table_row *row, size_t count)
{
    struct block block = {.from = table->axis_count};
    struct rows rows = {.row = row, .count = count};
    unsigned lines = 0;

    for (size_t r = 0; r < count; r++) {
        rows.noted = rows.noted || (row[r].notes[0] != '\0' && !row[r].skipped);
        rows.quiet = rows.quiet || (!row[r].skipped && !row[r].noisy);
        rows.best = row[r].speed > rows.best ? row[r].speed : rows.best;
    }
    for (; block.from < table->column_count; block.from = block.to) {
        block.to = block_end(table, block.from);
        block.ends = block.to == table->column_count;
        if (block.ends)
            find_common(&rows, notes_width(table, &block));
        if (lines > 0)
            fputc('\n', table->state.stream);
        lines += (lines > 0 ? 2 : 1) + (unsigned)count;
        print_headings(table, &block, &rows);
        for (size_t r = 0; r < count; r++)
            print_row(table, &block, &rows, &row[r]);
    }
    return lines;
}
