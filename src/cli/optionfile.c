/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* optionfile.c - see optionfile.h. */
#include "base/compat.h"

#include "cli/optionfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/hint.h"

#ifndef PRESETS_DIRECTORY
#define PRESETS_DIRECTORY "/usr/share/iosweep/presets"
#endif
#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define DIRECTORY_ENV   "IOSWEEP_PRESETS"
#define NAME_SHOWN      80 /* of a file name, in messages */

/* --- errors: file and line come first --- */

static int refuse_line(const char *name, unsigned line, struct error *err, const char *what,
                       const char *advice)
{
    char action[sizeof(err->action)];

    if (line)
        snprintf(action, sizeof(action), "%.*s:%u: %s", NAME_SHOWN, name, line, what);
    else
        snprintf(action, sizeof(action), "%.*s: %s", NAME_SHOWN, name, what);
    return error_refuse(err, STATUS_USAGE, action, NULL, "%s", advice);
}

/* --- words --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void add_word(struct option_file_line *line, char *word)
{
    line->argv = mem_realloc_array(line->argv, (size_t)line->argc + 2, sizeof(*line->argv));
    line->argv[line->argc++] = word;
    line->argv[line->argc] = NULL;
}

/* Takes the word at *at, which is not a blank; NULL: unterminated quote. */
static char *take_word(const char **at, const char *end)
{
    char *word = mem_calloc((size_t)(end - *at) + 1, 1);
    size_t used = 0;
    char quote = '\0';

    for (; *at < end && (quote || !is_blank(**at)); ++*at) {
        if (quote ? **at == quote : **at == '\'' || **at == '"')
            quote = quote ? '\0' : **at;
        else
            word[used++] = **at;
    }
    if (!quote)
        return word;
    free(word);
    return NULL;
}

/* Takes the words of a line, without argv[0], and its text; false: unterminated quote. */
static bool take_words(const char *at, const char *end, struct option_file_line *line)
{
    const char *const begin = at;

    for (const char *last = at;; last = at) {
        char *word;
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#') {
            line->text = mem_printf("%.*s", (int)(last - begin), begin);
            return true;
        }
        word = take_word(&at, end);
        if (!word)
            return false;
        add_word(line, word);
    }
}

static void free_line(struct option_file_line *line)
{
    for (int i = 0; i < line->argc; i++)
        free(line->argv[i]);
    free(line->argv);
    free(line->text);
}

/* --- lines --- */

/* Takes the description of the file: its first comment other than those below, unless words come
 * first. */
static void take_about(struct option_file *file, const char *at, const char *end)
{
    if (*file->about || file->count)
        return;
    while (at < end && (is_blank(*at) || *at == '#'))
        at++;
    while (end > at && is_blank(end[-1]))
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
    struct option_file_line line = {.number = number};

    while (at < end && is_blank(*at))
        at++;
    if (at < end && *at == '#')
        take_about(file, at, end);
    add_word(&line, mem_strdup("iosweep"));
    if (!take_words(at, end, &line)) {
        free_line(&line);
        return refuse_line(file->name, number, err, "unterminated quote",
                           "quote words with blanks with '...' or \"...\", on one line");
    }
    if (line.argc == 1) {
        free_line(&line);
        return 0;
    }
    file->line = mem_realloc_array(file->line, file->count + 1, sizeof(*file->line));
    file->line[file->count++] = line;
    if (file->count > OPTIONFILE_LINES_MAX)
        return refuse_line(file->name, number, err, "too many lines",
                           "a run can have at most 255 parts");
    return 0;
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
        refuse_line(name, 0, err, "there is no option in this file",
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

/* Opens a file that is not a directory. Returns -1 with errno on failure. */
static int open_text(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
        (void)fcntl(fd, F_SETFL, 0); /* reads block on a pipe: <(...) of a shell */
        return fd;
    }
    close(fd);
    errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    return -1;
}

/* Reads one byte more than allowed to detect a longer file. */
static int read_text(const char *name, int fd, char text[OPTIONFILE_BYTES_MAX + 2],
                     struct error *err)
{
    size_t used = 0;
    ssize_t got;

    do {
        got = read(fd, text + used, OPTIONFILE_BYTES_MAX + 1 - used);
        used += got > 0 ? (size_t)got : 0;
    } while (used <= OPTIONFILE_BYTES_MAX && (got > 0 || (got < 0 && errno == EINTR)));
    if (got < 0)
        return error_set(err, STATUS_USAGE, errno, "cannot read", name);
    text[used] = '\0';
    if (used > OPTIONFILE_BYTES_MAX)
        return refuse_line(name, 0, err, "too long for an option file", "at most 64 KiB");
    if (strlen(text) != used)
        return refuse_line(name, 0, err, "not text", "an option file has lines of words");
    return 0;
}

static int read_file(const char *name, int fd, struct option_file *file, struct error *err)
{
    char *text = mem_calloc(OPTIONFILE_BYTES_MAX + 2, 1);
    int result = read_text(name, fd, text, err);

    if (result == 0)
        result = optionfile_parse(name, text, file, err);
    free(text);
    return result;
}

/* Reports that neither a local nor a shipped file exists. */
static int not_there(const char *name, const char *program, int errnum, struct error *err)
{
    char *directory = presets_directory(program);
    struct hint_near near = hint_near(name + 1, strlen(name + 1));

    if (errnum == ENOENT || errnum == EISDIR)
        hint_offer_entries(&near, directory);
    error_set(err, STATUS_USAGE, errnum, "cannot read options from", name);
    if (!strchr(name, '/') && access(directory, R_OK) < 0)
        error_advise(err,
                     "the presets should be in %.150s, which cannot be read; " DIRECTORY_ENV
                     " can name another directory",
                     directory);
    error_advise(err,
                 "%s%s%siosweep help presets lists what is installed; a directory whose name "
                 "begins with @ is ./@...",
                 near.name[0] ? "did you mean @" : "", near.name, near.name[0] ? "; " : "");
    free(directory);
    return -1;
}

/* --- shipped files --- */

static int list_one(FILE *stream, const char *directory, const char *entry, struct error *err)
{
    char *path = mem_printf("%s/%s", directory, entry), *name = mem_printf("@%s", entry);
    const int fd = open_text(path);
    struct option_file file;

    if (fd >= 0 && read_file(name, fd, &file, err) == 0) {
        char about[1024];
        fprintf(stream, "%-20s %s\n", name, error_printable(file.about, about, sizeof(about)));
        optionfile_free(&file);
    }
    if (fd >= 0)
        close(fd);
    free(path);
    free(name);
    return error_is_set(err) ? -1 : 0;
}

int optionfile_list(FILE *stream, const char *program, struct error *err)
{
    char *directory = presets_directory(program), **names = NULL;
    DIR *dir = opendir(directory);
    size_t count = 0;
    int result = 0;

    if (!dir) {
        error_set(err, STATUS_USAGE, errno, "cannot read the presets in", directory);
        free(directory);
        return error_advise(err, DIRECTORY_ENV " can name another directory");
    }
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && !hint_is_backup(entry->d_name)) {
            names = mem_realloc_array(names, count + 1, sizeof(*names));
            names[count++] = mem_strdup(entry->d_name);
        }
    closedir(dir);
    if (count)
        qsort(names, count, sizeof(*names), text_order);
    for (size_t i = 0; i < count; i++) {
        if (result == 0)
            result = list_one(stream, directory, names[i], err);
        free(names[i]);
    }
    free(names);
    free(directory);
    return result;
}

static int open_preset(const char *name, const char *program)
{
    char *directory = presets_directory(program), *path = mem_printf("%s/%s", directory, name);
    const int fd = open_text(path), code = errno;

    free(path);
    free(directory);
    errno = code;
    return fd;
}

static int read_opened(const char *name, const char *program, int fd, struct option_file *file,
                       struct error *err)
{
    int result;

    if (fd < 0)
        return not_there(name, program, errno, err);
    result = read_file(name, fd, file, err);
    close(fd);
    return result;
}

int optionfile_quick(const char *program, struct option_file *file, struct error *err)
{
    return read_opened("@quick", program, open_preset("quick", program), file, err);
}

int optionfile_read(const char *name, const char *program, struct option_file *file,
                    struct error *err)
{
    const char *path = name + 1;
    int fd = *path ? open_text(path) : -1;

    if (!*path)
        return error_refuse(
            err, STATUS_USAGE, "no name after the @", NULL,
            "@FILE reads options from FILE; iosweep help presets lists what is installed");
    if (fd < 0 && !strchr(path, '/') && path[0] != '.' && (errno == ENOENT || errno == EISDIR))
        fd = open_preset(path, program);
    return read_opened(name, program, fd, file, err);
}
