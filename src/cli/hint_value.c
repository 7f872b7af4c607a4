/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint_value.c - suggestions for option values: similar words, and words of other programs. */
#include "base/compat.h"

#include "cli/hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/words.h"
#include "engine/engine.h"
#include "report/columns/columns.h"
#include "run/settings.h"

#define BEGINNING    3   /* letters of a word that suffice to recognise it */
#define NAMES_MOST   160 /* of columns and their groups */
#define ADVICE_SHORT 100 /* advice up to this length is kept beside a hint */

/* Suggests a replacement for a word that is none of the names (ended by NULL): the equivalent of a
 * word of other programs, the most similar name (preferring one that begins with the word), or the
 * shortest one that contains it. NULL: it is one of the names, or there is no suggestion. */
static const char *find_meant(const char *kind, const char *word, const char *const *names)
{
    const char *meant = words_foreign(kind, word, strlen(word)), *inside = NULL, *nearest = NULL;
    struct hint_near near = hint_near(word, strlen(word));

    for (; names && *names; names++) {
        const bool long_enough = near.length >= BEGINNING;
        const bool begins = long_enough && strncasecmp(word, *names, near.length) == 0;

        if (strcmp(*names, word) == 0)
            return NULL; /* the error is another one */
        if (begins ? near.distance > 0 : hint_offer(&near, *names))
            nearest = *names;
        if (begins)
            near.distance = 0;
        if (long_enough && strstr(*names, word) && (!inside || strlen(*names) < strlen(inside)))
            inside = *names;
    }
    return meant ? meant : nearest ? nearest : inside;
}

/* Prefixes existing advice, if there is room for both. */
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

/* "write;read": the words of a list with wrong separators. */
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
    const bool engines = strcmp(row->name, "engine") == 0;
    const char *names[SETTINGS_ENGINES_MAX + 1] = {NULL}, *meant;
    char text[80];

    if (err->status != STATUS_USAGE || !err->object[0])
        return;
    for (unsigned i = 0; engines && engine_table[i]; i++)
        names[i] = engine_table[i]->name;
    meant = find_meant(row->name, err->object, engines ? names : row->choices);
    if (engines && meant && !engine_find(meant)) /* a build may lack some engines */
        meant = NULL;
    if (!meant)
        meant = joined_choices(row, err->object, text, sizeof(text));
    if (meant)
        put_first(err, meant);
}

void hint_column(struct error *err)
{
    const char *names[NAMES_MOST + 1] = {COLUMNS_DEFAULT_WORD, COLUMNS_ALL_WORD};
    const char *meant;
    size_t count = 2;

    for (unsigned group = 0; group < GROUP_COUNT; group++)
        names[count++] = columns_group_names[group];
    for (const struct column *column = columns_table; column->name && count < NAMES_MOST; column++)
        names[count++] = column->name;
    meant = find_meant("columns", err->object, names);
    if (meant)
        snprintf(err->advice, sizeof(err->advice),
                 "did you mean %s; iosweep help columns shows all of them", meant);
}
