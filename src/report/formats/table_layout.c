/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table_layout.c - the widths of the table, and its lines.
 *
 * If a line does not fit, the least useful figures leave it one by one, independently of the notes,
 * so that one note does not cost all rows a column: notes use the remaining room, most serious
 * first. If that is not enough, and with --columns, lines are wider than the terminal. A column
 * that left does not return in later parts. Colour is added after the layout. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/formats/table.h"

#define GAP 2u
/* room for any one note without its value; skipped:REASON is printed elsewhere */
#define NOTES_LEAST 15u

/* Of the first `to` columns. */
static unsigned line_width(const struct table *table, unsigned to)
{
    unsigned all = 0;

    for (unsigned c = 0; c < to; c++)
        if (table->column[c].width > 0)
            all += table->column[c].width + GAP;
    return all > GAP ? all - GAP : 0;
}

/* What a line of these columns has left for notes; in lines that are wider than the terminal, the
 * most serious one has room, or all with --columns. */
static unsigned notes_width(const struct table *table, unsigned to)
{
    const unsigned others = line_width(table, to) + GAP;

    if (others > table->width + GAP)
        return table->chosen ? TABLE_NOTES_TEXT : NOTES_LEAST;
    return table->width > others ? table->width - others : 0;
}

bool table_lay_out(struct table *table)
{
    for (bool more = true; more; table->level += more) {
        more = false; /* columns that can still leave */
        for (unsigned c = 0; c < table->column_count; c++) {
            struct table_column *column = &table->column[c];
            const unsigned heading = print_width(column->heading),
                           leaves =
                               table->together ? column->leaves_together : column->leaves_alone;

            column->width = column->needs;
            if (column->cut && column->needs > table->width / 5)
                column->width = table->width / 5;
            column->width = column->width > heading ? column->width : heading;
            if ((column->needs == 0 && !(table->chosen && c >= table->axis_count)) ||
                (leaves > 0 && leaves <= table->level))
                column->width = 0;
            more = more || leaves > table->level;
        }
        more = more && line_width(table, table->column_count) + GAP + NOTES_LEAST > table->width;
    }
    return line_width(table, table->column_count) <= table->width;
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

/* Prints one line of the first `to` columns, without trailing blanks. */
static void print_line(const struct table *table, unsigned to, const struct line *line)
{
    FILE *stream = table->state.stream;
    unsigned owed = 0; /* blanks not yet written */

    fputs(color_begin(table->color, line->look), stream);
    for (unsigned c = 0; c < to; c++) {
        const struct table_column *column = &table->column[c];
        char *text;
        unsigned pad;

        if (column->width == 0)
            continue;
        text = print_shorten_name(line->text[c] ? line->text[c] : "", column->width);
        pad = column->width - print_width(text);
        owed += column->left ? 0 : pad;
        if (text[0] != '\0') {
            fprintf(stream, "%*s%s", (int)owed, "", text);
            owed = 0;
        }
        owed += GAP + (column->left ? pad : 0);
        free(text);
    }
    fputs(color_end(table->color, line->look), stream);
    if (line->notes[0] != '\0')
        fprintf(stream, "%*s", (int)owed, "");
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

/* Notes replace figures that are skipped. */
static void print_row(const struct table *table, const struct rows *rows, struct table_row *row)
{
    const unsigned to = row->skipped ? table->axis_count : table->column_count;
    char notes[TABLE_NOTES_TEXT], own[TABLE_NOTES_TEXT] = "";
    struct line line = {.text = row->text, .notes = notes, .look = COLOR_PLAIN};
    const char *at = row->notes, *word;
    size_t length;

    if (row->bar)
        format_bar(row->speed > 0 ? row->speed / rows->best : 0, table->utf8, row->bar);
    while (text_word(&at, ";", &word, &length)) /* those not common to all */
        if (!has_note(rows->common, word, length))
            text_add(own, sizeof(own), ";", "%.*s", (int)length, word);
    print_shorten_words(own, notes_width(table, to), notes, sizeof(notes));
    if (rows->count > 1 && row->speed > 0 && row->speed >= rows->best && !table->chosen)
        line.look = COLOR_STRONG;
    else if (rows->quiet && row->noisy)
        line.look = COLOR_FAINT; /* beside others: if all are noisy, a finding reports it */
    print_line(table, to, &line);
}

static void print_headings(const struct table *table, const struct rows *rows)
{
    char **text = mem_calloc(table->column_count, sizeof(*text)),
         notes[TABLE_NOTES_TEXT + sizeof(COMMON)] = "";

    for (unsigned c = 0; c < table->column_count; c++)
        text[c] = (char *)(uintptr_t)table->column[c].heading;
    if (rows->common[0] != '\0')
        snprintf(notes, sizeof(notes), COMMON "%s", rows->common);
    else if (rows->noted && notes_width(table, table->column_count) >= strlen("notes"))
        text_copy(notes, sizeof(notes), "notes");
    print_line(table, table->column_count,
               &(struct line){.text = text, .notes = notes, .heading = true});
    free(text);
}

void table_print_rows(const struct table *table, struct table_row *row, size_t count)
{
    struct rows rows = {.row = row, .count = count};

    for (size_t r = 0; r < count; r++) {
        rows.noted = rows.noted || (row[r].notes[0] != '\0' && !row[r].skipped);
        rows.quiet = rows.quiet || (!row[r].skipped && !row[r].noisy);
        rows.best = row[r].speed > rows.best ? row[r].speed : rows.best;
    }
    find_common(&rows, notes_width(table, table->column_count));
    print_headings(table, &rows);
    for (size_t r = 0; r < count; r++)
        print_row(table, &rows, &row[r]);
}
