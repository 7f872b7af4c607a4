/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_search.c - help about a word that is the name of nothing: where it is mentioned, or what it
 * may have been meant to be. */
#include "base/compat.h"

#include "cli/help_asked.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "cli/hint.h"
#include "report/columns/columns.h"

static bool contains(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

static void found(struct asked *asked)
{
    if (!asked->answers++)
        fprintf(asked->stream, "Nothing is called %s; it is mentioned here:\n", asked->word);
}

static void search_row(void *arg, const struct option_row *row)
{
    struct asked *asked = arg;

    if (!contains(row->name, asked->name) && !contains(row->help, asked->name))
        return;
    found(asked);
    help_print_row(asked->stream, row);
}

void help_search(struct asked *asked)
{
    const struct help_word *note;

    if (strlen(asked->name) < HELP_LETTERS)
        return;
    help_each_row(search_row, asked);
    for (const struct column *column = columns_table; column->name; column++)
        if (contains(column->name, asked->name) || contains(column->meaning, asked->name)) {
            found(asked);
            help_print_column(asked->stream, column);
        }
    for (size_t i = 0; (note = words_note(i)); i++)
        if (contains(note->word, asked->name) || contains(note->meaning, asked->name)) {
            found(asked);
            fprintf(asked->stream, "  note %.*s\n", help_note_letters(note), note->word);
        }
}

struct near_name {
    const char *word;
    char name[64];
    unsigned distance;
};

static void compare_name(void *arg, const char *name)
{
    struct near_name *nearest = arg;
    unsigned distance;

    if (!hint_is_near(nearest->word, strlen(nearest->word), name, &distance) ||
        distance >= nearest->distance)
        return;
    nearest->distance = distance;
    snprintf(nearest->name, sizeof(nearest->name), "%s", name);
}

static void compare_row(void *arg, const struct option_row *row)
{
    compare_name(arg, row->name);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        compare_name(arg, row->choices[i]);
}

int help_refuse(const struct asked *asked)
{
    struct near_name nearest = {.word = asked->name, .distance = UINT_MAX};
    const struct help_word *note, *word;
    char name[WORDS_NAME];

    help_each_topic(compare_name, &nearest);
    help_each_row(compare_row, &nearest);
    for (const struct command *const *c = command_table; *c; c++)
        compare_name(&nearest, (*c)->name);
    for (const struct engine *const *e = engine_table; *e; e++)
        compare_name(&nearest, (*e)->name);
    for (const struct column *column = columns_table; column->name; column++)
        compare_name(&nearest, column->name);
    for (size_t i = 0; (note = words_note(i)); i++)
        compare_name(&nearest, note->word);
    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, name);
            compare_name(&nearest, name);
        }
    error_set(asked->err, STATUS_USAGE, 0, "there is no help on", asked->word);
    if (nearest.name[0])
        return error_advise(asked->err, "did you mean iosweep help %s", nearest.name);
    return error_advise(asked->err, "iosweep --help shows the topics");
}
