/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_read.c - files of results for a report, which keeps them as they are beside what was read
 * from them. */
#include "base/compat.h"

#include "analysis/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/embedded.h"
#include "analysis/results/reader.h"
#include "base/mem.h"

#define PIECE_BYTES ((size_t)64 << 10)

const char *report_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(path, "-") == 0)
        return "standard input";
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

static char *read_all(FILE *stream, const char *path, size_t *length, struct error *err)
{
    char *text = NULL;
    size_t room = 0, got;

    *length = 0;
    do {
        text = mem_grow(text, &room, *length + PIECE_BYTES + 1, 1);
        got = fread(text + *length, 1, PIECE_BYTES, stream);
        *length += got;
    } while (got > 0 && *length <= REPORT_FILE_MAX);
    text[*length] = '\0';
    if (ferror(stream))
        reader_refuse(path, errno, err);
    else if (*length > REPORT_FILE_MAX)
        error_refuse(err, STATUS_USAGE, "too large for a report:", path,
                     "a report contains its files, of at most %zu MiB", REPORT_FILE_MAX >> 20);
    else if (*length == 0)
        error_refuse(err, STATUS_USAGE, "nothing to read in", path,
                     "it holds no results; did its run fail?");
    if (!error_is_set(err))
        return text;
    free(text);
    return NULL;
}

/* Takes path and text.  What cannot be read is no file of the list. */
static int add_file(struct report_files *files, char *path, char *text, size_t length,
                    struct error *err)
{
    struct report_file file = {.path = path, .text = text, .length = length};
    FILE *stream = length > 0 ? fmemopen(text, length, "r") : NULL;
    int result = -1;

    if (stream) {
        result = reader_stream_any(stream, path, &file.results, err);
        fclose(stream);
    } else {
        error_set(err, STATUS_USAGE, length > 0 ? errno : 0, "nothing to read in", path);
    }
    if (result < 0) {
        free(path);
        free(text);
        return -1;
    }
    report_shorten_names(&file);
    files->file = mem_realloc_array(files->file, files->count + 1, sizeof(*files->file));
    files->file[files->count++] = file;
    return 0;
}

/* The runs of a page; run 0: all, and records of --series.  One that is alone has the name of the
 * page. */
static int add_runs(struct report_files *files, const char *path, unsigned run,
                    struct embedded_list *list, struct error *err)
{
    unsigned number = 0, count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += embedded_is_run(&list->item[i]);
    if (count == 0 || run > count)
        return error_refuse(err, STATUS_USAGE, "no such run in this report:", path, "it has %u",
                            count);
    for (size_t i = 0; i < list->count; i++) {
        struct embedded *item = &list->item[i];
        char *name;
        const bool series = strcmp(item->format, "series") == 0;
        if (series ? run != 0 : !embedded_is_run(item) || (++number != run && run != 0))
            continue;
        name = (count > 1 || series) && item->name[0] != '\0'
                   ? mem_printf("%s (%s)", path, item->name)
                   : mem_strdup(path);
        if (add_file(files, name, item->text, item->length, err) < 0) {
            item->text = NULL;
            return -1;
        }
        item->text = NULL;
    }
    return 0;
}

static bool is_page(const char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    return text[strspn(text, " \t\r\n")] == '<';
}

/* Takes the text. */
static int add_text(struct report_files *files, const char *path, unsigned run, char *text,
                    size_t length, struct error *err)
{
    struct embedded_list list;
    int result;

    if (!is_page(text) && run == 0)
        return add_file(files, mem_strdup(path), text, length, err);
    result = is_page(text) ? embedded_read(text, length, path, &list, err)
                           : error_refuse(err, STATUS_USAGE,
                                          "not a report, so it has no numbered runs:", path,
                                          "leave out #%u", run);
    free(text);
    if (result < 0)
        return -1;
    result = add_runs(files, path, run, &list, err);
    embedded_free(&list);
    return result;
}

int report_read(const char *path, struct report_files *files, struct error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    unsigned run = 0;
    char *name = standard ? mem_strdup(path) : results_file_name(path, &run), *text;
    FILE *stream = standard ? stdin : fopen(name, "re");
    size_t length;

    free(name);
    if (!stream)
        return reader_refuse(path, errno, err);
    text = read_all(stream, path, &length, err);
    if (!standard)
        fclose(stream);
    return text ? add_text(files, path, run, text, length, err) : -1;
}

void report_free_files(struct report_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        results_free(&files->file[i].results);
        report_free_names(&files->file[i]);
        free(files->file[i].path);
        free(files->file[i].text);
    }
    free(files->file);
    *files = (struct report_files){0};
}
