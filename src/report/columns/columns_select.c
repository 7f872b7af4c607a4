/* SPDX-License-Identifier: GPL-2.0-or-later */
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
    error_advise(err, "columns are %s ... (all: iosweep --list-columns)", names);
}

static int refuse_column(struct error *err, const char *action, const char *word, size_t length)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), word);
    error_set(err, STATUS_USAGE, 0, action, text);
    advise_columns(err);
    return -1;
}

static int add_column(const char *word, size_t length, unsigned *index, unsigned *count,
                      struct error *err)
{
    unsigned found = find_column(word, length);
    if (found == columns_count())
        return refuse_column(err, length > 0 ? "unknown column" : "empty name in --columns", word,
                             length);
    for (unsigned i = 0; i < *count; i++) {
        if (index[i] == found)
            return refuse_column(err, "column named twice:", word, length);
    }
    index[(*count)++] = found;
    return 0;
}

unsigned *columns_select(const char *list, unsigned *count, struct error *err)
{
    unsigned *index = mem_calloc(columns_count(), sizeof(*index));
    *count = 0;
    if (!list) {
        for (; *count < columns_count(); ++*count)
            index[*count] = *count;
        return index;
    }
    for (;;) {
        size_t length = strcspn(list, ",");
        if (add_column(list, length, index, count, err) < 0) {
            free(index);
            *count = 0;
            return NULL;
        }
        if (list[length] == '\0')
            return index;
        list += length + 1;
    }
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
