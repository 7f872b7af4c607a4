/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_page.c - results from a report: the reader goes on inside the page. */
#include "base/compat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/results/arena.h"
#include "analysis/results/embedded.h"
#include "analysis/results/reader.h"
#include "base/mem.h"
#include "base/text.h"

#define NAMES_SHOWN 4

/* Which one is meant nobody can know. */
static int refuse_several(const struct reader *reader, const struct embedded_list *list,
                          size_t count, struct error *err)
{
    char names[256] = "", shown[80];
    unsigned number = 0;

    for (size_t i = 0; i < list->count; i++)
        if (embedded_is_run(&list->item[i]) && number++ < NAMES_SHOWN)
            text_add(names, sizeof(names), ", ", "#%u %s", number,
                     error_printable(list->item[i].name, shown, sizeof(shown)));
    error_set(err, STATUS_USAGE, 0, "several runs are in this report:", reader->path);
    return error_advise(err, "add #1 to #%zu to its name: %s%s", count, names,
                        count > NAMES_SHOWN ? " ..." : "");
}

static int choose(const struct reader *reader, const struct embedded_list *list,
                  const struct embedded **chosen, struct error *err)
{
    size_t count = 0;

    *chosen = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (embedded_is_run(&list->item[i]) && (++count == reader->run || !*chosen))
            *chosen = &list->item[i];
    if (count == 0)
        return error_refuse(err, STATUS_USAGE, "no results of a run in this report:", reader->path,
                            "they were left out when it was written");
    if (reader->run > count)
        return error_refuse(err, STATUS_USAGE, "no such run in this report:", reader->path,
                            "it has %zu", count);
    return reader->run == 0 && count > 1 ? refuse_several(reader, list, count, err) : 0;
}

/* What was embedded is read like a file: "report.html (curve.csv)". */
static int read_item(struct reader *reader, const struct embedded *item, struct error *err)
{
    char *path;

    if (item->length == 0)
        return error_set(err, STATUS_USAGE, 0, "nothing to read in", reader->path);
    path = item->name[0] != '\0' ? mem_printf("%s (%s)", reader->path, item->name)
                                 : mem_strdup(reader->path);
    reader->path = arena_keep(reader->arena, path);
    free(path);
    reader->stream = fmemopen(item->text, item->length, "r");
    if (!reader->stream)
        return error_set(err, STATUS_INTERNAL, errno, "no memory for", reader->path);
    reader->at = reader->end = 0;
    reader->line_number = 0;
    reader->total_bytes = 0;
    reader->inside = true;
    return reader_format(reader, err);
}

int reader_page(struct reader *reader, struct error *err)
{
    FILE *const page_stream = reader->stream;
    struct embedded_list list;
    const struct embedded *item;
    size_t length;
    char *page;
    int result = -1;

    page = reader_rest(reader, &length, err);

    if (page && embedded_read(page, length, reader->path, &list, err) == 0) {
        free(page);
        page = NULL;
        if (choose(reader, &list, &item, err) == 0)
            result = read_item(reader, item, err);
        if (reader->stream && reader->stream != page_stream)
            fclose(reader->stream);
        reader->stream = page_stream;
        embedded_free(&list);
    }
    free(page);
    return result;
}

/* What is no page begins with another byte. */
static bool begins_page(FILE *stream)
{
    int byte;

    do
        byte = fgetc(stream);
    while (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == 0xef ||
           byte == 0xbb || byte == 0xbf);
    return byte == '<';
}

unsigned results_count_runs(const char *path)
{
    struct reader *reader = mem_calloc(1, sizeof(*reader));
    struct embedded_list list = {.count = 0};
    struct error err = ERROR_INIT; /* who reads it will tell */
    struct stat st;
    unsigned count = 0;
    size_t length;
    char *page = NULL;

    reader->path = path;
    /* a pipe could not be read again */
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        reader->stream = fopen(path, "re");
    if (reader->stream && begins_page(reader->stream))
        page = reader_rest(reader, &length, &err);
    if (page && embedded_read(page, length, path, &list, &err) == 0)
        for (size_t i = 0; i < list.count; i++)
            count += embedded_is_run(&list.item[i]);
    embedded_free(&list);
    free(page);
    if (reader->stream)
        fclose(reader->stream);
    free(reader);
    return count;
}
