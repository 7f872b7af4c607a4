/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* optionfile.c - see said.h. */
#include "base/compat.h"

#include "cli/said.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/words.h"

#ifndef PRESETS_DIRECTORY
#define PRESETS_DIRECTORY "/usr/share/iosweep/presets"
#endif
#define BLANKS          " \t\r"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define DIRECTORY_ENV   "IOSWEEP_PRESETS"
#define NAME_SHOWN      80 /* of a file name, in messages */

int optionfile_name_line(const struct option_file_line *line, struct error *err)
{
    return error_prefix(err, "%.*s:%u: ", NAME_SHOWN, line->file, line->number);
}

static int refuse_file(const char *name, struct error *err, const char *what, const char *advice)
{
    error_refuse(err, STATUS_USAGE, what, NULL, "%s", advice);
    return error_prefix(err, "%.*s: ", NAME_SHOWN, name);
}

/* --- words --- */

static void add_word(struct option_file_line *line, char *word)
{
    line->argv = mem_realloc_array(line->argv, (size_t)line->argc + 2, sizeof(*line->argv));
    line->argv[line->argc++] = word;
    line->argv[line->argc] = NULL;
}

/* Splits a line into words, in a copy of it; false: unterminated quote. */
static bool split_words(struct option_file_line *line, const char *begin, const char *end)
{
    char *from = mem_printf("%.*s", (int)(end - begin), begin), *to = from, quote = '\0';
    size_t length = 0;

    line->words = from;
    add_word(line, from); /* the place of a program's name */
    for (from += strspn(from, BLANKS); *from && *from != '#'; from += strspn(from, BLANKS)) {
        add_word(line, to);
        for (; *from && (quote || !strchr(BLANKS, *from)); from++) {
            if (quote ? *from == quote : *from == '\'' || *from == '"')
                quote = quote ? '\0' : *from;
            else
                *to++ = *from;
        }
        length = (size_t)(from - line->words);
        from += *from != '\0'; /* the end of the word may take its place */
        *to++ = '\0';
    }
    line->text = mem_printf("%.*s", (int)length, begin);
    return !quote;
}

static void free_line(struct option_file_line *line)
{
    free(line->argv);
    free(line->words);
    free(line->text);
}

/* --- lines --- */

/* Takes the description of the file: its first comment other than those below, unless words come
 * first. */
static void take_about(struct option_file *file, const char *at, const char *end)
{
    if (*file->about || file->count)
        return;
    while (at < end && (strchr(BLANKS, *at) || *at == '#'))
        at++;
    while (end > at && strchr(BLANKS, end[-1]))
        end--;
    /* copyright and licence are not part of the description */
    if (strncmp(at, "SPDX-", 5) == 0 || strncmp(at, "Copyright ", 10) == 0)
        return;
    free(file->about);
    file->about = mem_printf("%.*s", (int)(end - at), at);
}

static int take_line(struct option_file *file, unsigned number, const char *at, const char *end,
                     struct error *err)
{
    struct option_file_line line = {.file = file->name, .number = number};

    while (at < end && strchr(BLANKS, *at))
        at++;
    if (at < end && *at == '#')
        take_about(file, at, end);
    if (!split_words(&line, at, end)) {
        free_line(&line);
        error_refuse(err, STATUS_USAGE, "unterminated quote", NULL,
                     "quote words with blanks with '...' or \"...\", on one line");
        return optionfile_name_line(&line, err);
    }
    if (line.argc == 1) {
        free_line(&line);
        return 0;
    }
    file->line = mem_realloc_array(file->line, file->count + 1, sizeof(*file->line));
    file->line[file->count++] = line;
    if (file->count <= OPTIONFILE_LINES_MAX)
        return 0;
    error_refuse(err, STATUS_USAGE, "too many lines", NULL, "a run can have at most 255 parts");
    return optionfile_name_line(&line, err);
}

int optionfile_parse(const char *name, const char *text, struct option_file *file,
                     struct error *err)
{
    unsigned number = 1;

    *file = (struct option_file){.name = mem_strdup(name), .about = mem_strdup("")};
    if (strncmp(text, BYTE_ORDER_MARK, 3) == 0)
        text += 3;
    for (const char *at = text; *at; number++) {
        const char *end = at + strcspn(at, "\n");
        if (take_line(file, number, at, end, err) < 0)
            break;
        at = end + (*end == '\n');
    }
    if (!error_is_set(err) && !file->count)
        refuse_file(name, err, "there is no option in this file",
                    "its first line holds common options, each further line a part of the run");
    if (!error_is_set(err))
        return 0;
    optionfile_free(file);
    return -1;
}

void optionfile_free(struct option_file *file)
{
    for (unsigned i = 0; i < file->count; i++)
        free_line(&file->line[i]);
    free(file->line);
    free(file->name);
    free(file->about);
    *file = (struct option_file){.name = NULL};
}

/* --- files --- */

/* The directory of the shipped files; caller frees. */
static char *presets_directory(const char *program)
{
    const char *given = getenv(DIRECTORY_ENV);
    char *path;

    if (given && *given)
        return mem_strdup(given);
    path = command_beside(program, "contrib/presets", "share/iosweep/presets");
    if (path && access(path, X_OK) == 0)
        return path;
    free(path);
    return mem_strdup(PRESETS_DIRECTORY);
}

/* Reads one byte more than allowed to detect a longer file. */
static int read_file(const char *name, const char *path, struct option_file *file,
                     struct error *err)
{
    FILE *stream = fopen(path, "r");
    char *text = mem_calloc(OPTIONFILE_BYTES_MAX + 2, 1);
    const size_t used = stream ? fread(text, 1, OPTIONFILE_BYTES_MAX + 1, stream) : 0;
    int result;

    if (!stream || ferror(stream))
        result = error_set(err, STATUS_USAGE, errno, "cannot read options from", name);
    else if (used > OPTIONFILE_BYTES_MAX)
        result = refuse_file(name, err, "too long for an option file", "at most 64 KiB");
    else if (strlen(text) != used)
        result = refuse_file(name, err, "not text", "an option file has lines of words");
    else
        result = optionfile_parse(name, text, file, err);
    if (stream)
        fclose(stream);
    free(text);
    return result;
}

/* --- shipped files --- */

/* The names of the readable regular files in a directory, except backups of editors ("name~",
 * "#name#"), sorted and ended by NULL; caller frees them. NULL with errno: it cannot be read. */
static char **take_names(const char *directory)
{
    DIR *dir = opendir(directory);
    char **names = dir ? mem_calloc(1, sizeof(*names)) : NULL;
    size_t count = 0;
    struct stat st;

    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        char *path = mem_printf("%s/%s", directory, name);
        const bool is_file = stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
        free(path);
        if (!is_file || name[0] == '.' || name[0] == '#' || name[strlen(name) - 1] == '~')
            continue;
        names = mem_realloc_array(names, count + 2, sizeof(*names));
        names[count++] = mem_strdup(name);
        names[count] = NULL;
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof(*names), text_order);
    return names;
}

static void free_names(char **names)
{
    for (char **name = names; name && *name; name++)
        free(*name);
    free(names);
}

int optionfile_list(FILE *stream, const char *program, struct error *err)
{
    char *directory = presets_directory(program), **names = take_names(directory);

    if (!names) {
        error_set(err, STATUS_USAGE, errno, "cannot read the presets in", directory);
        error_advise(err, DIRECTORY_ENV " can name another directory");
    }
    for (char **name = names; name && *name && !error_is_set(err); name++) {
        char *path = mem_printf("%s/%s", directory, *name), *shown = mem_printf("@%s", *name);
        struct option_file file;
        char about[1024];
        if (read_file(shown, path, &file, err) == 0) {
            fprintf(stream, "%-20s %s\n", shown, error_printable(file.about, about, sizeof(about)));
            optionfile_free(&file);
        }
        free(path);
        free(shown);
    }
    free_names(names);
    free(directory);
    return error_is_set(err) ? -1 : 0;
}

static void advise_preset(const char *name, const char *directory, struct error *err)
{
    char **names = take_names(directory);
    struct words_near near = words_near(name, strlen(name));

    for (char **offered = names; offered && *offered; offered++)
        words_offer(&near, *offered);
    if (!names && !strchr(name, '/'))
        error_advise(err,
                     "the presets should be in %.150s, which cannot be read; " DIRECTORY_ENV
                     " can name another directory",
                     directory);
    if (near.name[0])
        error_advise(err, "did you mean @%s; iosweep help presets lists what is installed",
                     near.name);
    error_advise(err, "iosweep help presets lists what is installed; a directory whose name begins "
                      "with @ is ./@...");
    free_names(names);
}

int optionfile_read(const char *name, bool shipped, const char *program, struct option_file *file,
                    struct error *err)
{
    const char *bare = name + 1; /* without the '@' */
    char *directory = presets_directory(program), *path;
    struct stat st;
    int result;

    if (!shipped && (strchr(bare, '/') || bare[0] == '.' || !*bare ||
                     (stat(bare, &st) == 0 && !S_ISDIR(st.st_mode))))
        path = mem_strdup(bare);
    else
        path = mem_printf("%s/%s", directory, bare);
    result = read_file(name, path, file, err);
    if (result < 0 && err->errnum)
        advise_preset(bare, directory, err);
    free(path);
    free(directory);
    return result;
}
