/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_search.c - help about a word that is the name of nothing: where it is mentioned, or what it
 * may have been meant to be. */
#include "base/compat.h"

#include "cli/help_asked.h"

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

void help_search(struct asked *asked)
{
    const struct help_word *note;

    if (strlen(asked->name) < HELP_LETTERS)
        return;
    for (const struct option_row *const *r = help_rows(); *r; r++)
        if (contains((*r)->name, asked->name) || contains((*r)->help, asked->name)) {
            found(asked);
            help_print_row(asked->stream, *r);
        }
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

int help_refuse(const struct asked *asked)
{
    struct hint_near near = hint_near(asked->name, strlen(asked->name));
    const struct help_word *note, *word;
    char name[WORDS_NAME], topics[HELP_TOPICS][HELP_TOPIC_NAME];
    const unsigned topic_count = help_topics(topics);

    for (unsigned i = 0; i < topic_count; i++)
        hint_offer(&near, topics[i]);
    for (const struct option_row *const *r = help_rows(); *r; r++) {
        hint_offer(&near, (*r)->name);
        for (unsigned i = 0; (*r)->choices && (*r)->choices[i]; i++)
            hint_offer(&near, (*r)->choices[i]);
    }
    for (const struct command *const *c = command_table; *c; c++)
        hint_offer(&near, (*c)->name);
    for (const struct engine *const *e = engine_table; *e; e++)
        hint_offer(&near, (*e)->name);
    for (const struct column *column = columns_table; column->name; column++)
        hint_offer(&near, column->name);
    for (size_t i = 0; (note = words_note(i)); i++)
        hint_offer(&near, note->word);
    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, name);
            hint_offer(&near, name);
        }
    error_set(asked->err, STATUS_USAGE, 0, "there is no help on", asked->word);
    if (near.name[0])
        return error_advise(asked->err, "did you mean iosweep help %s", near.name);
    return error_advise(asked->err, "iosweep --help shows the topics");
}
