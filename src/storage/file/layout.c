/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* layout.c - the layout of a directory of test files, and what its manifest calls it.  Pure. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "storage/file/fileset.h"
#include "storage/storage.h"

uint64_t fileset_files(const struct fileset_layout *layout)
{
    uint64_t files = 1;

    if (layout->single_file)
        return 1;
    if (layout->width == 0 || layout->levels == 0 || layout->levels > LIFE_LEVELS_MAX)
        return 0;
    for (uint64_t level = 0; level < layout->levels; level++) {
        if (layout->width > LIFE_OBJECTS_MAX / files)
            return 0;
        files *= layout->width;
    }
    return files;
}

uint64_t fileset_directories(const struct fileset_layout *layout)
{
    uint64_t directories = 0, in_level = 1;

    if (layout->single_file || fileset_files(layout) == 0)
        return 0;
    for (uint64_t level = 1; level < layout->levels; level++) {
        in_level *= layout->width;
        directories += in_level;
    }
    return directories;
}

uint64_t fileset_total_bytes(const struct fileset_layout *layout)
{
    uint64_t files = fileset_files(layout);

    if (files == 0 || layout->file_bytes > (uint64_t)INT64_MAX / files)
        return 0;
    return files * layout->file_bytes;
}

char *fileset_name(const struct fileset_layout *layout, uint64_t index, char *text,
                   size_t text_size)
{
    unsigned digit[LIFE_LEVELS_MAX] = {0};
    unsigned levels = 1;
    size_t used = 0;

    if (text_size > 0)
        text[0] = '\0';

    if (!layout->single_file && layout->levels <= LIFE_LEVELS_MAX && layout->width > 0) {
        levels = (unsigned)layout->levels;
        for (unsigned level = levels; level-- > 0; index /= layout->width)
            digit[level] = (unsigned)(index % layout->width);
    }
    for (unsigned level = 0; level < levels && used < text_size; level++) {
        bool last = level + 1 == levels;
        int n = snprintf(text + used, text_size - used, last ? "f%u" : "d%u/", digit[level]);

        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

bool fileset_number(const struct fileset_layout *layout, const char *name, uint64_t *index)
{
    const uint64_t files = fileset_files(layout);
    const char *at = name;
    char again[FILESET_NAME_MAX];
    uint64_t number = 0;

    /* Each number is a digit of the index; what else stands there is compared in the end. */
    while (*at != '\0') {
        uint64_t digit = 0;

        for (at += strcspn(at, "0123456789"); *at >= '0' && *at <= '9'; at++)
            digit = digit * 10 + (uint64_t)(*at - '0');
        number = number * layout->width + digit;
    }
    if (layout->single_file)
        number = 0;
    *index = number;
    return number < files && strcmp(fileset_name(layout, number, again, sizeof(again)), name) == 0;
}

char *fileset_directory_name(const struct fileset_layout *layout, char *text, size_t text_size)
{
    snprintf(text, text_size, LIFE_PREFIX "%s", layout->run_name);
    return text;
}

bool fileset_valid(const struct fileset_layout *layout)
{
    return memchr(layout->run_name, '\0', sizeof(layout->run_name)) &&
           target_run_name_valid(layout->run_name) && fileset_total_bytes(layout) > 0 &&
           fileset_total_bytes(layout) <= INT64_MAX && layout->files_made <= fileset_files(layout);
}

void fileset_set_sizes(struct fileset_layout *layout, const uint64_t *size_bytes, size_t count)
{
    unsigned distinct = 0;

    layout->size_count = 0;
    if (count == 0 || count > LIFE_SIZES_MAX)
        return;
    memcpy(layout->size_bytes, size_bytes, count * sizeof(*size_bytes));
    qsort(layout->size_bytes, count, sizeof(*size_bytes), number_order);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || layout->size_bytes[i] != layout->size_bytes[i - 1])
            layout->size_bytes[distinct++] = layout->size_bytes[i];
    layout->size_count = distinct;
}

void fileset_describe(const struct fileset_layout *layout, struct life_manifest *manifest,
                      struct life_set *set)
{
    *set = (struct life_set){.kind = LIFE_TREE,
                             .size_bytes = layout->file_bytes,
                             .count = (uint32_t)fileset_files(layout),
                             .made = (uint32_t)layout->files_made,
                             .content = layout->content,
                             .levels = layout->single_file ? 0 : layout->levels,
                             .width = layout->single_file ? 0 : layout->width};
    *manifest = (struct life_manifest){.storage = LIFE_FILES,
                                       .state = layout->state,
                                       .threads = layout->threads,
                                       .size_count = layout->size_count,
                                       .seed = layout->seed,
                                       .set_count = 1,
                                       .set = set};
    memcpy(manifest->run_name, layout->run_name, sizeof(manifest->run_name));
    memcpy(manifest->sizes_bytes, layout->size_bytes, sizeof(manifest->sizes_bytes));
}

void fileset_understand(const struct life_manifest *manifest, struct fileset_layout *layout)
{
    const struct life_set *set = manifest->set;

    *layout = (struct fileset_layout){.single_file = set->levels == 0,
                                      .levels = set->levels > 0 ? set->levels : 1,
                                      .width = set->levels > 0 ? set->width : 1,
                                      .file_bytes = set->size_bytes,
                                      .seed = manifest->seed,
                                      .content = set->content,
                                      .files_made = set->made,
                                      .size_count = manifest->size_count,
                                      .threads = manifest->threads,
                                      .state = manifest->state};
    memcpy(layout->run_name, manifest->run_name, sizeof(layout->run_name));
    memcpy(layout->size_bytes, manifest->sizes_bytes, sizeof(layout->size_bytes));
}
