/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_select.c - columns by their names, and the engines that rows are about. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/columns/columns.h"

static unsigned find_column(const char *word, size_t length)
{
    unsigned i = 0;
    while (columns_table[i].name && (strlen(columns_table[i].name) != length ||
                                     memcmp(columns_table[i].name, word, length) != 0))
        i++;
    return i;
}

bool columns_has(const char *name, size_t length)
{
    return find_column(name, length) < columns_count();
}

/* As many names as the advice holds; the manual has them all. */
static void advise_columns(struct error *err)
{
    char names[sizeof(err->advice)] = "";
    size_t used = 0, room = sizeof(names) - 64;
    for (unsigned i = 0; i < columns_count(); i++) {
        size_t length = strlen(columns_table[i].name);
        if (used + length + 1 > room)
            break;
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used > 0 ? " " : "",
                                 columns_table[i].name);
    }
    error_advise(err, "columns are %s ... (all: iosweep help columns)", names);
}

static int refuse_column(struct error *err, const char *action, const char *word, size_t length)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), word);
    error_set(err, STATUS_USAGE, 0, action, text);
    advise_columns(err);
    return -1;
}

static int refuse_twice(struct error *err, const char *word)
{
    return error_refuse(err, STATUS_USAGE, "column named twice:", word, "give each name once");
}

struct column_selection {
    unsigned *index, count;
    bool *named; /* of each column: by itself, and not by a word for several */
};

static bool is_in(const struct column_selection *selection, unsigned found)
{
    for (unsigned i = 0; i < selection->count; i++)
        if (selection->index[i] == found)
            return true;
    return false;
}

static int add_column(struct column_selection *selection, const char *word, size_t length,
                      struct error *err)
{
    const unsigned found = find_column(word, length);

    if (found == columns_count())
        return refuse_column(err, length > 0 ? "unknown column" : "empty name in --columns", word,
                             length);
    if (selection->named[found])
        return refuse_twice(err, columns_table[found].name);
    selection->named[found] = true;
    if (!is_in(selection, found))
        selection->index[selection->count++] = found;
    return 0;
}

/* Those that are not there yet. */
static void add_short(struct column_selection *selection)
{
    for (const char *name = COLUMNS_SHORT; *name; name += strspn(name, ", ")) {
        const size_t length = strcspn(name, ",");
        const unsigned found = find_column(name, length);
        if (!is_in(selection, found))
            selection->index[selection->count++] = found;
        name += length;
    }
}

static int add_words(struct column_selection *selection, const char *list, struct error *err)
{
    bool is_short = false;

    for (;; list++) {
        const size_t length = strcspn(list, ",");
        const bool this =
            length == strlen(COLUMNS_SHORT_WORD) && memcmp(list, COLUMNS_SHORT_WORD, length) == 0;
        if (this && is_short)
            return refuse_twice(err, COLUMNS_SHORT_WORD);
        is_short = is_short || this;
        if (this)
            add_short(selection);
        else if (add_column(selection, list, length, err) < 0)
            return -1;
        list += length;
        if (*list == '\0')
            return 0;
    }
}

unsigned *columns_select(const char *list, unsigned *count, struct error *err)
{
    struct column_selection selection = {
        .index = mem_calloc(columns_count(), sizeof(*selection.index)),
        .named = mem_calloc(columns_count(), sizeof(*selection.named)),
    };

    *count = 0;
    for (; !list && selection.count < columns_count(); selection.count++)
        selection.index[selection.count] = selection.count;
    if (list && add_words(&selection, list, err) < 0) {
        free(selection.index);
        selection.index = NULL;
    }
    free(selection.named);
    if (selection.index)
        *count = selection.count;
    return selection.index;
}

unsigned columns_engines(const struct run_info *info, const struct cell **cells)
{
    unsigned count = 0;

    for (unsigned i = 0; i < info->cell_count && count < SETTINGS_ENGINES_MAX; i++) {
        unsigned k = 0;
        while (k < count && !engine_same(cells[k]->engine, info->cells[i].engine))
            k++;
        if (k == count)
            cells[count++] = &info->cells[i];
    }
    return count;
}
