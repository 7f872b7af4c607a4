/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* layout.c - the files of a run and their names, derived from its set.  Pure. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "storage/file/fileset.h"
#include "storage/fresh.h"
#include "storage/storage.h"

void fileset_plan(struct life_manifest *manifest, const struct target_request *request)
{
    const bool tree = !request->single_file;
    struct life_set *set = mem_calloc(1, sizeof(*set));

    set->kind = LIFE_TREE;
    set->size_bytes = request->file_bytes;
    set->levels = tree ? request->levels : 0;
    set->width = tree ? request->width : 0;
    if (!tree || set->levels > 0)
        set->count = life_tree_files(set);
    *manifest = (struct life_manifest){.storage = LIFE_FILES, .set_count = 1, .set = set};
}

uint64_t fileset_directories(const struct life_set *set)
{
    uint64_t directories = 0, in_level = 1;

    for (uint64_t level = 1; set->count > 0 && level < set->levels; level++) {
        in_level *= set->width;
        directories += in_level;
    }
    return directories;
}

char *fileset_name(const struct life_set *set, uint64_t index, char *text, size_t text_size)
{
    unsigned digit[LIFE_LEVELS_MAX] = {0};
    unsigned levels = 1;
    size_t used = 0;

    if (text_size > 0)
        text[0] = '\0';

    if (set->levels > 0 && set->levels <= LIFE_LEVELS_MAX && set->width > 0) {
        levels = (unsigned)set->levels;
        for (unsigned level = levels; level-- > 0; index /= set->width)
            digit[level] = (unsigned)(index % set->width);
    }
    for (unsigned level = 0; level < levels && used < text_size; level++) {
        bool last = level + 1 == levels;
        int n = snprintf(text + used, text_size - used, last ? "f%u" : "d%u/", digit[level]);

        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

bool fileset_number(const struct life_set *set, const char *name, uint64_t *index)
{
    const char *at = name;
    char again[FILESET_NAME_MAX];
    uint64_t number = 0;

    /* Each number is a digit of the index; the rest of the name is compared at the end. */
    while (*at != '\0') {
        uint64_t digit = 0;

        for (at += strcspn(at, "0123456789"); *at >= '0' && *at <= '9'; at++)
            digit = digit * 10 + (uint64_t)(*at - '0');
        number = number * set->width + digit;
    }
    if (set->levels == 0)
        number = 0;
    *index = number;
    return number < set->count &&
           strcmp(fileset_name(set, number, again, sizeof(again)), name) == 0;
}

bool fileset_fresh_number(const char *name, uint64_t threads, uint64_t *thread, uint64_t *number)
{
    static const char within[] = FRESH_DIRECTORY "/t";
    const char *at = name + strlen(within);

    return strncmp(name, within, strlen(within)) == 0 && number_take(&at, thread) &&
           *thread < threads && *at == '/' && fresh_is_name(at + 1) && number_read(at + 2, number);
}

char *fileset_directory_name(const struct life_manifest *manifest, char *text)
{
    snprintf(text, FILESET_DIRECTORY_MAX, LIFE_PREFIX "%s", manifest->run_name);
    return text;
}

void fileset_set_sizes(struct life_manifest *manifest, const uint64_t *size_bytes, size_t count)
{
    manifest->size_count = 0;
    if (count == 0 || count > LIFE_SIZES_MAX)
        return;
    memcpy(manifest->sizes_bytes, size_bytes, count * sizeof(*size_bytes));
    manifest->size_count = (unsigned)number_distinct(manifest->sizes_bytes, count);
}
