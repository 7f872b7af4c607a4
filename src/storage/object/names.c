/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* names.c - see the header. Entries are aligned in the text buffer. */
#include "base/compat.h"

#include "storage/object/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void object_names_clear(struct object_names *names)
{
    names->used = names->sorted = 0;
    names->entries = 0;
    names->more = false;
    names->token[0] = '\0';
}

void object_names_free(struct object_names *names)
{
    free(names->text);
    free(names->order);
    *names = (struct object_names){.text = NULL};
}

static size_t bytes_of(size_t length)
{
    const size_t unit = _Alignof(struct object_entry);

    return (sizeof(struct object_entry) + length + 1 + unit - 1) / unit * unit;
}

struct object_entry *object_names_add(struct object_names *names, const char *key, size_t length)
{
    const size_t bytes = bytes_of(length);
    struct object_entry *entry;
    char *text;

    names->text = mem_grow(names->text, &names->room, names->used + bytes, 1);
    entry = (struct object_entry *)(void *)(names->text + names->used);
    *entry = (struct object_entry){.size_bytes = 0};
    text = (char *)(entry + 1);
    memcpy(text, key, length);
    text[length] = '\0';
    names->used += bytes;
    names->entries++;
    return entry;
}

static const char *key_at(const struct object_names *names, size_t at)
{
    return names->text + at + sizeof(struct object_entry);
}

void object_names_add_rolled_up(struct object_names *names, const char *key, size_t length)
{
    size_t low = 0, high = names->sorted;
    const size_t at = names->used;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *other = key_at(names, names->order[middle]);
        int than = strncmp(key, other, length);

        if (than == 0)
            than = other[length] == '\0' ? 0 : -1;
        if (than == 0)
            return;
        if (than > 0)
            low = middle + 1;
        else
            high = middle;
    }
    object_names_add(names, key, length)->rolled_up = true;
    names->order =
        mem_grow(names->order, &names->sorted_room, names->sorted + 1, sizeof(*names->order));
    memmove(names->order + low + 1, names->order + low,
            (names->sorted - low) * sizeof(*names->order));
    names->order[low] = at;
    names->sorted++;
}

struct object_entry *object_names_next(struct object_names *names, size_t *at, const char **key)
{
    struct object_entry *entry;

    if (*at >= names->used)
        return NULL;
    entry = (struct object_entry *)(void *)(names->text + *at);
    *key = key_at(names, *at);
    *at += bytes_of(strlen(*key));
    return entry;
}

int object_names_list(struct object_names *names, struct object_page *page, object_visit visit,
                      void *arg, struct error *err)
{
    struct error own = ERROR_INIT;
    const struct object_entry *entry;
    const char *key;

    page->keys = names->entries;
    page->first = names->used > 0 ? text_hash(key_at(names, 0)) : 0;
    page->more = names->more;
    (void)snprintf(page->token, sizeof(page->token), "%s", names->more ? names->token : "");
    for (size_t at = 0; visit && (entry = object_names_next(names, &at, &key)) != NULL;) {
        const struct object_listed listed = {key, entry->size_bytes, entry->rolled_up};
        const int result = entry->gone ? 0 : visit(arg, &listed, err ? err : &own);

        if (result != 0)
            return result;
    }
    return 0;
}
