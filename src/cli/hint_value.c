/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint_value.c - values of options that were meant: near words, and words of other programs. */
#include "base/compat.h"

#include "cli/hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/words.h"
#include "engine/engine.h"
#include "report/columns/columns.h"

#define BEGINNING    3   /* letters of a word that make one think of it */
#define ADVICE_SHORT 100 /* an advice up to this length is worth to be read beside a hint */

/* As hint_offer; what begins with the word is the nearest. */
static bool offer_beginning(struct hint_near *near, const char *name)
{
    if (near->length < BEGINNING || strncasecmp(near->word, name, near->length) != 0)
        return hint_offer(near, name);
    if (near->distance == 0)
        return false;
    near->distance = 0;
    snprintf(near->name, sizeof(near->name), "%s", name);
    return true;
}

/* In front of what is advised already, when there is room for both. */
static void put_first(struct error *err, const char *meant)
{
    char advice[sizeof(err->advice)];

    snprintf(advice, sizeof(advice), "%s", err->advice);
    if (strlen(advice) <= ADVICE_SHORT && advice[0])
        snprintf(err->advice, sizeof(err->advice), "did you mean %s; %.*s", meant, ADVICE_SHORT,
                 advice);
    else
        snprintf(err->advice, sizeof(err->advice), "did you mean %s", meant);
}

static bool is_choice(const char *const *choices, const char *word, size_t length)
{
    for (unsigned i = 0; choices && choices[i]; i++)
        if (strlen(choices[i]) == length && strncmp(choices[i], word, length) == 0)
            return true;
    return false;
}

/* "write;read": the words of a list, but with other marks between them. */
static const char *joined_choices(const struct option_row *row, const char *word, char *text,
                                  size_t size)
{
    const char *const marks = ";+|/& ";
    bool all = row->type != OPTION_CHOICE && strlen(word) < size && strpbrk(word, marks);

    for (const char *part = word; all && *part; part += strspn(part, marks)) {
        const size_t length = strcspn(part, marks);
        all = is_choice(row->choices, part, length);
        part += length;
    }
    if (!all)
        return NULL;
    text_copy(text, size, word);
    for (char *mark = text; (mark = strpbrk(mark, marks));)
        *mark = ',';
    return text;
}

void hint_value(const struct option_row *row, struct error *err)
{
    const char *meant = words_foreign(row->name, err->object, strlen(err->object));
    struct hint_near near = hint_near(err->object, strlen(err->object));
    char text[80];

    if (err->status != STATUS_USAGE || !err->object[0])
        return;
    if (is_choice(row->choices, err->object, strlen(err->object)))
        return; /* it is one, and something else was wrong */
    if (!meant)
        meant = joined_choices(row, err->object, text, sizeof(text));
    for (unsigned i = 0; !meant && row->choices && row->choices[i]; i++)
        offer_beginning(&near, row->choices[i]);
    if (meant || near.name[0])
        put_first(err, meant ? meant : near.name);
}

/* The shortest name that has the word in it: "p99", "cpu". */
static const char *column_with(const char *word)
{
    const char *found = NULL;

    for (const struct column *column = columns_table; column->name; column++)
        if (strlen(word) >= BEGINNING && strstr(column->name, word) &&
            (!found || strlen(column->name) < strlen(found)))
            found = column->name;
    return found;
}

void hint_column(struct error *err)
{
    const char *meant = words_foreign("columns", err->object, strlen(err->object));
    struct hint_near near = hint_near(err->object, strlen(err->object));

    for (const struct column *column = columns_table; column->name; column++)
        if (strcmp(column->name, err->object) == 0)
            return; /* it is one, and was given twice */
    if (!meant) {
        offer_beginning(&near, COLUMNS_DEFAULT_WORD);
        offer_beginning(&near, COLUMNS_ALL_WORD);
        for (unsigned group = 0; group < GROUP_COUNT; group++)
            offer_beginning(&near, columns_group_names[group]);
        for (const struct column *column = columns_table; column->name; column++)
            offer_beginning(&near, column->name);
        meant = near.name[0] ? near.name : column_with(err->object);
    }
    if (meant)
        snprintf(err->advice, sizeof(err->advice),
                 "did you mean %s; iosweep help columns shows all of them", meant);
}

const char *hint_engine(const char *name)
{
    struct hint_near near = hint_near(name, strlen(name));
    const char *found = NULL;

    for (unsigned i = 0; engine_table[i]; i++) {
        const struct engine *engine = engine_table[i];
        for (const char *const *other = engine->called; other && *other; other++)
            if (strcasecmp(name, *other) == 0)
                return engine->name;
        if (strlen(name) >= BEGINNING && strstr(engine->name, name)) /* "uring", "aio" */
            return engine->name;
        if (offer_beginning(&near, engine->name))
            found = engine->name;
    }
    return found;
}
