/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.c - see hint.h. */
#include "base/compat.h"

#include "cli/hint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/words.h"

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Rows of the table of distances between prefixes of both words; a transposition also needs the
 * last row but one. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][HINT_LETTERS + 1], *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t k = 0; k <= b_length; k++)
        before[k] = last[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *const old = before;
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            const unsigned wrong = tolower((unsigned char)a[i - 1]) != b[k - 1];
            row[k] = least_of(last[k - 1] + wrong, least_of(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least_of(row[k], before[k - 2] + 1);
        }
        before = last;
        last = row;
        row = old;
    }
    return last[b_length];
}

unsigned hint_distance(const char *a, size_t a_length, const char *b)
{
    const size_t b_length = strlen(b);
    unsigned distance;

    if (a_length < 2 || a_length > HINT_LETTERS || b_length > HINT_LETTERS)
        return HINT_FAR;
    distance = distance_of(a, a_length, b, b_length);
    return distance <= (a_length + 2) / 4 ? distance : HINT_FAR;
}

struct hint_near hint_near(const char *word, size_t length)
{
    return (struct hint_near){.word = word, .length = length, .distance = HINT_FAR};
}

bool hint_offer(struct hint_near *near, const char *name)
{
    const unsigned distance = hint_distance(near->word, near->length, name);

    if (distance >= near->distance)
        return false;
    near->distance = distance;
    snprintf(near->name, sizeof(near->name), "%s", name);
    return true;
}

const char *hint_foreign_option(const char *name, size_t length)
{
    return words_foreign("option", name, length);
}

const char *hint_verb(const char *meant)
{
    return strncmp(meant, "not needed", strlen("not needed")) == 0 ? "" : "use ";
}

bool hint_takes_value(const char *meant)
{
    return strncmp(meant, "--", 2) == 0 && !strpbrk(meant, " ,");
}

static bool has_row(const struct option_row *row, const char *name, size_t length)
{
    for (; row && row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return true;
    return false;
}

bool hint_is_option(const char *name, size_t length)
{
    return has_row(options_table, name, length);
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
