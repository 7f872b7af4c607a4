/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_select.c - selects columns by name, and lists the engines of rows. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
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

/* Lists as many names as fit into the advice; the manual lists all. */
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

struct column_selection {
    unsigned *index, count;
    bool *named, *added; /* per column: selected by name; selected at all */
    bool team;
};

static void add_found(struct column_selection *selection, unsigned found)
{
    if (!selection->added[found])
        selection->index[selection->count++] = found;
    selection->added[found] = true;
}

static int add_column(struct column_selection *selection, const char *word, size_t length,
                      struct error *err)
{
    const unsigned found = find_column(word, length);

    if (found == columns_count())
        return refuse_column(err, length > 0 ? "unknown column" : "empty name in --columns", word,
                             length);
    if (selection->named[found])
        return error_refuse(err, STATUS_USAGE, "column named twice:", columns_table[found].name,
                            "give each name once");
    selection->named[found] = true;
    add_found(selection, found);
    return 0;
}

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

/* Adds the columns of a word; false if it is not such a word. */
static bool add_several(struct column_selection *selection, const char *word, size_t length)
{
    const bool all = is_word(COLUMNS_ALL_WORD, word, length);
    const bool by_default = is_word(COLUMNS_DEFAULT_WORD, word, length);
    bool several = all || by_default;

    for (unsigned i = 0; i < columns_count(); i++) {
        const struct column *column = &columns_table[i];
        const bool in_group = is_word(columns_group_names[column->group], word, length);
        const bool usual = column->by_default == BY_DEFAULT ||
                           (column->by_default == BY_DEFAULT_OF_TEAM && selection->team);
        if (all || (by_default && usual) || in_group)
            add_found(selection, i);
        several = several || in_group;
    }
    return several;
}

static int add_words(struct column_selection *selection, const char *list, struct error *err)
{
    const char *word;
    size_t length;

    while (text_word(&list, ",", &word, &length))
        if (!add_several(selection, word, length) && add_column(selection, word, length, err) < 0)
            return -1;
    return 0;
}

unsigned *columns_select(const char *list, bool team, unsigned *count, struct error *err)
{
    struct column_selection selection = {
        .index = mem_calloc(columns_count(), sizeof(*selection.index)),
        .named = mem_calloc(columns_count(), sizeof(*selection.named)),
        .added = mem_calloc(columns_count(), sizeof(*selection.added)),
        .team = team,
    };

    *count = 0;
    if (add_words(&selection, list ? list : COLUMNS_DEFAULT_WORD, err) < 0) {
        free(selection.index);
        selection.index = NULL;
    }
    free(selection.named);
    free(selection.added);
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
