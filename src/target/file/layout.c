/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* layout.c - the layout of a directory of test files, and its manifest.  Pure.
 *
 * The manifest decides what is unlinked after a crash, so it is believed only when it is, byte by
 * byte, what this program writes: the parser picks the values out in order, checks them, writes the
 * manifest anew and compares. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "target/file/fileset.h"
#include "target/fresh.h"
#include "target/target.h"

#define MANIFEST_FIRST_LINE "iosweep manifest 2\n"
#define MANIFEST_TEXT_MAX   2048u
#define MANIFEST_WORD_MAX   64u
#define MANIFEST_LIST_MAX   (FILESET_SIZES_MAX * 21u) /* 20 digits and what follows */

const char *const fileset_content_words[] = {[FILESET_PATTERN] = "pattern",
                                             [FILESET_FILLED] = "initial",
                                             [FILESET_PATCHES] = "patches",
                                             [FILESET_DIVIDED] = "divided",
                                             [FILESET_WRITTEN] = "written"};

uint64_t fileset_files(const struct fileset_layout *layout)
{
    uint64_t files = 1;

    if (layout->single_file)
        return 1;
    if (layout->width == 0 || layout->levels == 0 || layout->levels > FILESET_LEVELS_MAX)
        return 0;
    for (uint64_t level = 0; level < layout->levels; level++) {
        if (layout->width > FILESET_FILES_MAX / files)
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
    unsigned digit[FILESET_LEVELS_MAX] = {0};
    unsigned levels = 1;
    size_t used = 0;

    if (text_size > 0)
        text[0] = '\0';

    if (!layout->single_file && layout->levels <= FILESET_LEVELS_MAX && layout->width > 0) {
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
    snprintf(text, text_size, FILESET_PREFIX "%s", layout->run_name);
    return text;
}

bool fileset_valid(const struct fileset_layout *layout)
{
    return memchr(layout->run_name, '\0', sizeof(layout->run_name)) &&
           target_run_name_valid(layout->run_name) && fileset_total_bytes(layout) > 0 &&
           layout->files_made <= fileset_files(layout);
}

void fileset_set_sizes(struct fileset_layout *layout, const uint64_t *size_bytes, size_t count)
{
    unsigned distinct = 0;

    layout->size_count = 0;
    if (count == 0 || count > FILESET_SIZES_MAX)
        return;
    memcpy(layout->size_bytes, size_bytes, count * sizeof(*size_bytes));
    qsort(layout->size_bytes, count, sizeof(*size_bytes), number_order);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || layout->size_bytes[i] != layout->size_bytes[i - 1])
            layout->size_bytes[distinct++] = layout->size_bytes[i];
    layout->size_count = distinct;
}

/* The line "sizes", or "". */
static char *format_sizes(const struct fileset_layout *layout, char text[MANIFEST_LIST_MAX + 8])
{
    text[0] = '\0';
    for (unsigned i = 0; i < layout->size_count; i++)
        text_add(text, MANIFEST_LIST_MAX + 8, ",", "%s%" PRIu64, i == 0 ? "sizes=" : "",
                 layout->size_bytes[i]);
    if (text[0] != '\0')
        text_add(text, MANIFEST_LIST_MAX + 8, "", "\n");
    return text;
}

char *fileset_manifest_format(const struct fileset_layout *layout)
{
    char threads[48] = "", sizes[MANIFEST_LIST_MAX + 8];

    if (layout->threads > 0)
        snprintf(threads, sizeof(threads), "threads=%" PRIu64 "\n", layout->threads);
    return mem_printf(MANIFEST_FIRST_LINE "run=%s\n"
                                          "layout=%s\n"
                                          "levels=%" PRIu64 "\n"
                                          "width=%" PRIu64 "\n"
                                          "file_bytes=%" PRIu64 "\n"
                                          "seed=%" PRIu64 "\n"
                                          "%s%s"
                                          "content=%s\n"
                                          "files_made=%0*" PRIu64 "\n",
                      layout->run_name, layout->single_file ? "single" : "tree",
                      layout->single_file ? UINT64_C(1) : layout->levels,
                      layout->single_file ? UINT64_C(1) : layout->width, layout->file_bytes,
                      layout->seed, format_sizes(layout, sizes), threads,
                      fileset_content_words[layout->content], FILESET_MADE_DIGITS,
                      layout->files_made);
}

/* Takes "KEY=VALUE\n" off the front of *at; false when something else stands there. */
static bool take_word(const char **at, const char *key, char *value, size_t value_size)
{
    size_t key_length = strlen(key), length;

    if (strncmp(*at, key, key_length) != 0 || (*at)[key_length] != '=')
        return false;
    *at += key_length + 1;
    length = strcspn(*at, "\n");
    if ((*at)[length] != '\n' || length == 0 || length >= value_size)
        return false;
    memcpy(value, *at, length);
    value[length] = '\0';
    *at += length + 1;
    return true;
}

static bool take_number(const char **at, const char *key, uint64_t *number)
{
    char word[MANIFEST_WORD_MAX];

    return take_word(at, key, word, sizeof(word)) && number_read(word, number);
}

static bool take_content(const char **at, enum fileset_content *content)
{
    char word[MANIFEST_WORD_MAX];

    if (!take_word(at, "content", word, sizeof(word)))
        return false;
    *content = FILESET_WRITTEN; /* whether it was one of them: see the comparison */
    while (*content > 0 && strcmp(word, fileset_content_words[*content]) != 0)
        --*content;
    return true;
}

static bool take_sizes(const char **at, struct fileset_layout *layout)
{
    char list[MANIFEST_LIST_MAX], *rest = NULL;

    if (!take_word(at, "sizes", list, sizeof(list)))
        return false;
    for (const char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (layout->size_count == FILESET_SIZES_MAX ||
            !number_read(word, &layout->size_bytes[layout->size_count]) ||
            layout->size_bytes[layout->size_count] == 0)
            return false;
        layout->size_count++;
        if (layout->size_count > 1 && layout->size_bytes[layout->size_count - 2] >=
                                          layout->size_bytes[layout->size_count - 1])
            return false;
    }
    return true;
}

/* Returns NULL or the name of what is wrong. */
static const char *parse_fields(const char *at, struct fileset_layout *layout)
{
    static const size_t first_length = sizeof(MANIFEST_FIRST_LINE) - 1;
    char kind[MANIFEST_WORD_MAX];

    if (strncmp(at, MANIFEST_FIRST_LINE, first_length) != 0)
        return "first line";
    at += first_length;
    if (!take_word(&at, "run", layout->run_name, sizeof(layout->run_name)) ||
        !target_run_name_valid(layout->run_name))
        return "run";
    if (!take_word(&at, "layout", kind, sizeof(kind)) ||
        (strcmp(kind, "single") != 0 && strcmp(kind, "tree") != 0))
        return "layout";
    layout->single_file = strcmp(kind, "single") == 0;
    if (!take_number(&at, "levels", &layout->levels))
        return "levels";
    if (!take_number(&at, "width", &layout->width))
        return "width";
    if (!take_number(&at, "file_bytes", &layout->file_bytes))
        return "file_bytes";
    if (!take_number(&at, "seed", &layout->seed))
        return "seed";
    if (strncmp(at, "sizes=", 6) == 0 && !take_sizes(&at, layout))
        return "sizes";
    if (strncmp(at, "threads=", 8) == 0 &&
        (!take_number(&at, "threads", &layout->threads) || layout->threads == 0 ||
         layout->threads > FRESH_THREADS_MAX))
        return "threads";
    if (!take_content(&at, &layout->content))
        return "content";
    if (!take_number(&at, "files_made", &layout->files_made))
        return "files_made";
    if (*at != '\0')
        return "end";
    if (!fileset_valid(layout))
        return "number or size of files";
    return NULL;
}

int fileset_manifest_parse(const char *text, size_t length, struct fileset_layout *layout,
                           struct error *err)
{
    static const char action[] = "invalid manifest of test files, wrong:";
    struct fileset_layout found = {0};
    char copy[MANIFEST_TEXT_MAX];
    const char *fault;
    char *again;
    bool same;

    if (length >= sizeof(copy) || memchr(text, '\0', length))
        return error_set(err, STATUS_TARGET, 0, action, "length");
    memcpy(copy, text, length);
    copy[length] = '\0';
    fault = parse_fields(copy, &found);
    if (fault)
        return error_set(err, STATUS_TARGET, 0, action, fault);
    again = fileset_manifest_format(&found);
    same = strcmp(copy, again) == 0;
    free(again);
    if (!same)
        return error_set(err, STATUS_TARGET, 0, action, "spelling");
    *layout = found;
    return 0;
}
