/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.c - see hint.h. */
#include "base/compat.h"

#include "cli/hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/words.h"
#include "report/columns/columns.h"

#define ADVICE_SHORT 100 /* advice up to this length is kept beside a hint */

/* --- options --- */

const char *hint_verb(const char *meant)
{
    return strncmp(meant, "not needed", strlen("not needed")) == 0 ? "" : "use ";
}

static bool has_row(const struct option_row *row, const char *name, size_t length)
{
    for (; row && row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return true;
    return false;
}

const char *hint_owner(const char *name, size_t length)
{
    static char text[40];

    if (has_row(options_table, name, length))
        return "iosweep [TARGET]";
    if (has_row(options_team_table, name, length))
        return "iosweep-mpi";
    for (const struct command *const *c = command_table; *c; c++)
        if (has_row((*c)->options, name, length)) {
            snprintf(text, sizeof(text), "iosweep %.20s", (*c)->name);
            return text;
        }
    return words_foreign("owner", name, length);
}

/* --- values --- */

/* Puts first what was meant by the object of an error: the equivalent of that word of other
 * programs, or the most similar name. Not if it is one of the names: the error is another one. */
static void put_meant(const char *kind, const struct words_near *near, struct error *err)
{
    const char *meant = words_foreign(kind, near->word, near->length);
    char advice[sizeof(err->advice)];

    if (near->name && strcmp(near->name, near->word) == 0)
        return;
    if (!meant)
        meant = near->name;
    if (!meant || (strcmp(kind, "engine") == 0 && !engine_find(meant))) /* a build may lack some */
        return;
    snprintf(advice, sizeof(advice), "%s", err->advice);
    if (strlen(advice) <= ADVICE_SHORT && advice[0])
        snprintf(err->advice, sizeof(err->advice), "did you mean %s; %.*s", meant, ADVICE_SHORT,
                 advice);
    else
        snprintf(err->advice, sizeof(err->advice), "did you mean %s", meant);
}

void hint_value(const struct option_row *row, struct error *err)
{
    struct words_near near = words_near(err->object, strlen(err->object));

    if (err->status != STATUS_USAGE || !err->object[0])
        return;
    if (strcmp(row->name, "engine") == 0)
        for (const struct engine *const *e = engine_table; *e; e++)
            words_offer(&near, (*e)->name);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        words_offer(&near, row->choices[i]);
    put_meant(row->name, &near, err);
}

void hint_column(struct error *err)
{
    struct words_near near = words_near(err->object, strlen(err->object));

    words_offer(&near, COLUMNS_DEFAULT_WORD);
    words_offer(&near, COLUMNS_ALL_WORD);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        words_offer(&near, columns_group_names[group]);
    for (const struct column *column = columns_table; column->name; column++)
        words_offer(&near, column->name);
    put_meant("columns", &near, err);
}

/* --- targets --- */

/* The form of the targets whose scheme the target begins with, mistyped ("fra://x"), or without
 * what must follow it ("FAR:x", "far//x", "far"); NULL: none. */
static const char *find_form(const char *target)
{
    const char *url = strstr(target, "://"), *form = NULL;
    const size_t letters = url ? (size_t)(url - target) : strcspn(target, ":/");
    struct words_near near = words_near(target, letters);

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const char *const name = (*d)->name, *const best = near.name;
        if (!(*d)->scheme[0])
            continue;
        if (url)
            words_offer(&near, name);
        else if (letters == strlen(name) && strncasecmp(target, name, letters) == 0 &&
                 (target[letters] != '/' || target[letters + 1] == '/'))
            near.name = name;
        if (near.name != best)
            form = (*d)->form;
    }
    return form;
}

/* A single word: a size, or a command in the wrong place, or mistyped, or of other programs. */
static void advise_word(const char *word, char text[HINT_TEXT])
{
    const size_t digits = strspn(word, "0123456789");
    const char *meant = words_foreign("command", word, strlen(word));
    struct words_near near = words_near(word, strlen(word));

    for (unsigned i = 0; command_table[i]; i++)
        words_offer(&near, command_table[i]->name);
    if (digits > 0 && !word[digits + strspn(word + digits, "kKmMgGtTiIbB")]) /* -b 4k */
        snprintf(text, HINT_TEXT,
                 "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
                 "the directory first");
    else if (meant)
        snprintf(text, HINT_TEXT, "%s", meant);
    else if (near.name && strcmp(near.name, word) == 0)
        snprintf(text, HINT_TEXT, "a command comes first: iosweep %s ...", word);
    else if (near.name)
        snprintf(text, HINT_TEXT, "did you mean iosweep %s ...; else create the directory first",
                 near.name);
}

const char *hint_target(const char *target, char text[HINT_TEXT])
{
    const size_t length = strcspn(target, "=");
    const char *form = find_form(target), *meant = NULL;

    text[0] = '\0';
    if (target[length]) /* "bs=4k": an option without its dashes */
        meant = words_foreign("option", target, length);
    if (form)
        snprintf(text, HINT_TEXT, "did you mean %s", form);
    else if (meant)
        snprintf(text, HINT_TEXT, "%s%s", hint_verb(meant), meant);
    else if (target[length] && has_row(options_table, target, length))
        snprintf(text, HINT_TEXT, "did you mean --%.*s", (int)length, target);
    else if (!words_target(target, text, HINT_TEXT) && !strchr(target, '/'))
        advise_word(target, text);
    return text;
}
