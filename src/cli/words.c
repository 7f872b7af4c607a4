/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.c - see words.h. */
#include "base/compat.h"

#include "cli/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "report/columns/columns.h"
#include "src/cli/words.inc" /* words_of_... */

#define BEGINNING    3   /* letters of a word that suffice to recognise it */
#define ADVICE_SHORT 100 /* advice up to this length is kept beside a hint */

static bool is_same_letter(char a, char b, bool cased)
{
    const char *const between = " -_";

    if (a && b && strchr(between, a) && strchr(between, b))
        return true;
    return cased ? a == b : tolower((unsigned char)a) == tolower((unsigned char)b);
}

bool words_is_called(const char *names, const char *name, size_t length)
{
    const char *own;
    size_t letters;

    while (text_word(&names, "|", &own, &letters)) {
        size_t same = 0;
        while (letters == length && same < length &&
               is_same_letter(own[same], name[same], length == 1))
            same++;
        if (letters == length && same == length)
            return true;
    }
    return false;
}

/* The names of a row of foreign.txt, if it is of that kind, or NULL. */
static const char *names_of_kind(const struct help_word *row, const char *kind)
{
    const size_t length = strlen(kind);

    return strncmp(row->word, kind, length) == 0 && row->word[length] == ' '
               ? row->word + length + 1
               : NULL;
}

const char *words_foreign(const char *kind, const char *name, size_t length)
{
    for (const struct help_word *row = words_of_foreign; row->word; row++) {
        const char *names = names_of_kind(row, kind);
        if (names && words_is_called(names, name, length))
            return row->meaning;
    }
    return NULL;
}

const char *words_verb(const char *meant)
{
    return strncmp(meant, "not needed", strlen("not needed")) == 0 ? "" : "use ";
}

/* --- similar words --- */

/* The number of omitted, inserted, transposed or wrong letters.  Rows of the table are distances
 * between prefixes of both words; a transposition also needs the last row but one. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][WORDS_LETTERS + 1], *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t k = 0; k <= b_length; k++)
        before[k] = last[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *const old = before;
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            const unsigned wrong = tolower((unsigned char)a[i - 1]) != b[k - 1];
            row[k] =
                (unsigned)number_least(last[k - 1] + wrong, number_least(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = (unsigned)number_least(row[k], before[k - 2] + 1);
        }
        before = last;
        last = row;
        row = old;
    }
    return last[b_length];
}

struct words_near words_near(const char *word, size_t length)
{
    return (struct words_near){
        .word = word, .length = length, .distance = (unsigned)(length + 2) / 4 + 1};
}

void words_offer(struct words_near *near, const char *names)
{
    const char *name;
    size_t length;

    while (text_word(&names, "|", &name, &length)) {
        unsigned distance = 0;
        if (near->length < 2 || near->length > WORDS_LETTERS || length > WORDS_LETTERS)
            continue;
        if (near->length < BEGINNING || strncasecmp(near->word, name, near->length) != 0)
            distance = distance_of(near->word, near->length, name, length);
        if (distance >= near->distance)
            continue;
        near->distance = distance;
        snprintf(near->name, sizeof(near->name), "%.*s", (int)length, name);
    }
}

/* --- options and values --- */

static bool has_row(const struct option_row *row, const char *name, size_t length)
{
    for (; row && row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return true;
    return false;
}

const char *words_owner(const char *name, size_t length)
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

/* Puts first what was meant by the object of an error: the equivalent of that word of other
 * programs, or the most similar name. Not if it is one of the names: the error is another one. */
static void put_meant(const char *kind, const struct words_near *near, struct error *err)
{
    const char *meant = words_foreign(kind, near->word, near->length);
    char advice[sizeof(err->advice)];

    if (strcmp(near->name, near->word) == 0)
        return;
    if (!meant)
        meant = near->name;
    if (!*meant || (strcmp(kind, "engine") == 0 && !engine_find(meant))) /* a build may lack some */
        return;
    text_copy(advice, sizeof(advice), err->advice);
    snprintf(err->advice, sizeof(err->advice), ERROR_MEANT "%s", meant);
    if (*advice && strlen(advice) <= ADVICE_SHORT)
        text_add(err->advice, sizeof(err->advice), "; ", "%s", advice);
}

void words_hint_value(const struct option_row *row, struct error *err)
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

void words_hint_column(struct error *err)
{
    struct words_near near = words_near(err->object, strlen(err->object));

    words_offer(&near, COLUMNS_DEFAULT_WORD "|" COLUMNS_ALL_WORD);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        words_offer(&near, columns_group_names[group]);
    for (const struct column *column = columns_table; column->name; column++)
        words_offer(&near, column->name);
    put_meant("columns", &near, err);
}

/* --- targets --- */

/* The meaning of a target of other programs, or NULL. A name begins it; one with a point ends it,
 * and one with a colon follows two characters or more: C: is a drive. */
static const char *find_foreign_target(const char *target)
{
    const char *const end = target + strlen(target), *const colon = target + strcspn(target, ":");

    for (const struct help_word *row = words_of_foreign; row->word; row++) {
        const char *names = names_of_kind(row, "target"), *name;
        size_t length;
        while (text_word(&names, "|", &name, &length)) {
            const char *at = *name == ':' ? colon : target;
            if (*name == '.' && (size_t)(end - target) > length)
                at = end - length;
            if (strncasecmp(at, name, length) == 0 && (*name != ':' || at > target + 1))
                return row->meaning;
        }
    }
    return NULL;
}

/* The form of the targets whose scheme the target begins with, mistyped ("fra://x"), or without
 * what must follow it ("FAR:x", "far//x", "far"); NULL: none. */
static const char *find_form(const char *target)
{
    const char *url = strstr(target, "://"), *form = NULL;
    const size_t letters = url ? (size_t)(url - target) : strcspn(target, ":/");
    struct words_near near = words_near(target, letters);

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const unsigned best = near.distance;
        if (!(*d)->scheme[0])
            continue;
        if (url)
            words_offer(&near, (*d)->name);
        if (near.distance < best || (!url && words_is_called((*d)->name, target, letters) &&
                                     (target[letters] != '/' || target[letters + 1] == '/')))
            form = (*d)->form;
    }
    return form;
}

/* A single word: a size, or a command in the wrong place, or mistyped, or of other programs. */
static void put_command(const char *word, char text[WORDS_TEXT])
{
    const size_t digits = strspn(word, "0123456789");
    const char *meant = words_foreign("command", word, strlen(word));
    struct words_near near = words_near(word, strlen(word));

    for (unsigned i = 0; command_table[i]; i++)
        words_offer(&near, command_table[i]->name);
    if (digits > 0 && !word[digits + strspn(word + digits, "kKmMgGtTiIbB")]) /* -b 4k */
        meant = "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
                "the directory first";
    if (meant)
        snprintf(text, WORDS_TEXT, "%s", meant);
    else if (strcmp(near.name, word) == 0)
        snprintf(text, WORDS_TEXT, "a command comes first: iosweep %s ...", word);
    else if (near.name[0])
        snprintf(text, WORDS_TEXT, "did you mean iosweep %s ...; else create the directory first",
                 near.name);
}

const char *words_hint_target(const char *target, char text[WORDS_TEXT])
{
    const size_t length = strcspn(target, "=");
    const char *form = find_form(target), *foreign = find_foreign_target(target), *meant = NULL;

    text[0] = '\0';
    if (target[length]) /* "bs=4k": an option without its dashes */
        meant = words_foreign("option", target, length);
    if (form)
        snprintf(text, WORDS_TEXT, "did you mean %s", form);
    else if (meant)
        snprintf(text, WORDS_TEXT, "%s%s", words_verb(meant), meant);
    else if (target[length] && has_row(options_table, target, length))
        snprintf(text, WORDS_TEXT, "did you mean --%.*s", (int)length, target);
    else if (foreign)
        snprintf(text, WORDS_TEXT, "%s", foreign);
    else if (!strchr(target, '/'))
        put_command(target, text);
    return text;
}
