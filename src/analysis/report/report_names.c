/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_names.c - long names of targets, runs, hosts and files, which would fill headings and
 * tables: their middle is left out wherever they are shown, and the facts have them whole. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/text.h"

#define NAMES_MOST 1000 /* of a file; a report has far less curves than that */
#define HEAD_BYTES 40
#define TAIL_BYTES 28
#define HASH_MASK  UINT64_C(0xffffff)

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80; /* the character that began before it */
}

const char *report_short_name(const char *name, char *text)
{
    const size_t length = strlen(name);
    size_t head = HEAD_BYTES, tail = length - TAIL_BYTES;

    if (length <= REPORT_NAME_MAX)
        return name;
    while (head > HEAD_BYTES - 4 && continues(name[head]))
        head--;
    while (tail < length - TAIL_BYTES + 4 && continues(name[tail]))
        tail++;
    /* two names that differ in the middle only must not become one */
    snprintf(text, REPORT_NAME_TEXT, "%.*s\342\200\246%06" PRIx64 "\342\200\246%s", (int)head, name,
             text_hash(name) & HASH_MASK, name + tail);
    return text;
}

bool report_is_name(const char *shown, const char *name)
{
    char text[REPORT_NAME_TEXT];

    return strcmp(shown, report_short_name(name, text)) == 0;
}

static void keep(struct report_file *file, const char *what, const char *whole, const char *shown)
{
    if (!file->names)
        file->names = arena_new();
    file->long_names =
        mem_realloc_array(file->long_names, file->long_count + 1, sizeof(*file->long_names));
    file->long_names[file->long_count++] =
        (struct report_long_name){.what = what,
                                  .whole = arena_keep(file->names, whole),
                                  .shown = arena_keep(file->names, shown)};
}

/* As it is to be shown. */
static const char *shorten(struct report_file *file, const char *what, const char *name)
{
    char text[REPORT_NAME_TEXT];

    if (strlen(name) <= REPORT_NAME_MAX)
        return name;
    for (size_t i = file->long_count; i > 0; i--)
        if (strcmp(file->long_names[i - 1].whole, name) == 0)
            return file->long_names[i - 1].shown;
    if (file->long_count == NAMES_MOST)
        return name;
    keep(file, what, name, report_short_name(name, text));
    return file->long_names[file->long_count - 1].shown;
}

/* Results own their path and host. */
static void shorten_own(struct report_file *file, const char *what, char **name, const char *part)
{
    const char *shown = shorten(file, what, part);

    if (shown == part)
        return;
    free(*name);
    *name = mem_strdup(shown);
}

void report_shorten_names(struct report_file *file)
{
    struct results *results = &file->results;

    shorten_own(file, "file", &results->path, report_base_name(results->path));
    shorten_own(file, "host", &results->host, results->host);
    for (size_t i = 0; i < results->count; i++) {
        struct results_row *row = &results->rows[i];
        row->test = shorten(file, "test", row->test);
        row->target = shorten(file, "target", row->target);
        row->engine = shorten(file, "engine", row->engine);
        row->cache = shorten(file, "cache", row->cache);
        row->label = shorten(file, "label", row->label);
    }
}

void report_free_names(struct report_file *file)
{
    free(file->long_names);
    arena_free(file->names);
}
