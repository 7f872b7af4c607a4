/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint_target.c - targets that do not exist, and what was meant by them. */
#include "base/compat.h"

#include "cli/hint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "cli/words.h"
#include "os/os.h"

#define ENTRIES_MOST      10000 /* of a directory that are looked at */
#define MOUNT_IT          "mount it, then name the directory where it is mounted"
#define ASSIGNMENT_LETTER "abcdefghijklmnopqrstuvwxyz_-"

static const char *const foreign_shares[] = {"//", "\\\\"};

/* What names of results end with. */
static const char *const result_suffixes[] = {".csv", ".json"};

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

/* "depth=4", "bs=4k": an option without its dashes. */
static bool hint_assignment(const char *target, char text[HINT_TEXT])
{
    const size_t length = strspn(target, ASSIGNMENT_LETTER);
    const char *value = target + length + 1, *meant = NULL;

    if (!length || target[length] != '=' || !is_printable(target))
        return false;
    if (length == 2 && (strncmp(target, "if", length) == 0 || strncmp(target, "of", length) == 0)) {
        snprintf(text, HINT_TEXT, "name the file or directory without an option: iosweep %s%.100s",
                 target[0] == 'i' ? "-r " : "", *value ? value : "FILE");
        return true;
    }
    meant = hint_foreign_option(target, length);
    if (meant && hint_takes_value(meant) && *value && !strpbrk(value, "/ "))
        snprintf(text, HINT_TEXT, "use %s %.60s", meant, value);
    else if (meant)
        snprintf(text, HINT_TEXT, "%s%s", hint_verb(meant), meant);
    else if (hint_is_option(target, length))
        snprintf(text, HINT_TEXT, "did you mean --%.100s", target);
    return text[0];
}

/* The same target of a driver; rest: what follows the scheme, maybe with ':' and '/' before it. */
static bool hint_driver(const struct storage_driver *driver, const char *rest, char text[HINT_TEXT])
{
    rest += strspn(rest, ":/");
    if (strcmp(driver->form, driver->scheme) == 0 || !is_printable(rest))
        rest = ""; /* nothing follows there */
    snprintf(text, HINT_TEXT, "did you mean %s%.100s", *rest ? driver->scheme : driver->form, rest);
    return true;
}

/* "FAR://x", "far:x", "far//x" and "far": the words before a target that is no file; near:
 * "fra://x", where `letters` stand before the colon. */
static bool hint_scheme(const char *target, size_t letters, bool near, char text[HINT_TEXT])
{
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const size_t length = strcspn((*d)->scheme, ":");
        const char *rest = target + (near ? letters : length);
        char scheme[32];

        snprintf(scheme, sizeof(scheme), "%.*s", (int)length, (*d)->scheme);
        if (length &&
            (near ? hint_distance(target, letters, scheme) != HINT_FAR
                  : strncasecmp(target, scheme, length) == 0 &&
                        (rest[0] == ':' || rest[0] == '\0' || strncmp(rest, "//", 2) == 0)))
            return hint_driver(*d, rest, text);
    }
    return false;
}

/* A driver whose targets are paths, named before one as if it were a scheme. */
static bool hint_path_url(const char *target, size_t letters, char text[HINT_TEXT])
{
    const char *path = target + letters + 3;

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if (!(*d)->scheme[0] && strlen((*d)->name) == letters && is_printable(target) &&
            strncasecmp(target, (*d)->name, letters) == 0) {
            if (strncmp(path, "localhost/", 10) == 0)
                path += 9;
            snprintf(text, HINT_TEXT, "did you mean %.150s", path);
            return true;
        }
    return false;
}

/* Puts part of a target in the place of a word that stands for it, where both are there. */
static void put_part(char text[HINT_TEXT], const char *word, const char *part, size_t length)
{
    char *at = strstr(text, word), rest[HINT_TEXT];

    if (!at || !length || strlen(text) + length >= HINT_TEXT)
        return;
    snprintf(rest, sizeof(rest), "%s", at + strlen(word));
    snprintf(at, HINT_TEXT - (size_t)(at - text), "%.*s%s", (int)length, part, rest);
}

/* HOST and BUCKET become those of the target: of "far://host/bucket/x", or "far://bucket/x". */
static void hint_parts(const char *target, const char *meant, char text[HINT_TEXT])
{
    const char *rest = strstr(target, "://"), *path;
    const bool hosted = strstr(meant, "HOST") != NULL;

    snprintf(text, HINT_TEXT, "%s", meant);
    if (!rest || !is_printable(target) ||
        strchr(target, '@')) /* no password is to be shown again */
        return;
    rest += 3;
    path = rest + (hosted ? strcspn(rest, "/") : 0);
    path += hosted && *path;
    put_part(text, "BUCKET", path, strlen(path));
    if (hosted)
        put_part(text, "HOST", rest, strcspn(rest, "/"));
}

/* "far://BUCKET.word": the bucket is the first part of the name of the host,
 * whose next begins so. */
static void hint_hosted(const char *target, const struct target_foreign *foreign,
                        char text[HINT_TEXT])
{
    const char *stands = strstr(foreign->said, "BUCKET"), *host, *rest;
    size_t before, length;

    if (!stands || !is_printable(target) || strchr(target, '@'))
        return;
    before = (size_t)(stands - foreign->said);
    if (strncasecmp(target, foreign->said, before) != 0)
        return;
    length = strcspn(target + before, "./:");
    rest = stands + strlen("BUCKET");
    host = target + before + length;
    if (strncasecmp(host, rest, strlen(rest)) != 0 ||
        (host[strlen(rest)] != '.' && host[strlen(rest)] != '-'))
        return;
    snprintf(text, HINT_TEXT, "%s", foreign->meant);
    put_part(text, "BUCKET", target + before, length);
    put_part(text, "HOST", host + 1, strcspn(host + 1, "/"));
}

static bool hint_foreign_scheme(const char *target, char text[HINT_TEXT])
{
    const char *rest = strstr(target, "://"), *colon = strchr(target, ':'), *mount = NULL;

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        for (const struct target_foreign *f = (*d)->foreign; f && f->said; f++) {
            if (strncasecmp(target, f->said, strlen(f->said)) == 0)
                hint_parts(target, f->meant, text);
            hint_hosted(target, f, text);
        }
    if (rest)
        mount = words_foreign("target", target, (size_t)(rest + 3 - target));
    if (mount)
        snprintf(text, HINT_TEXT, "%s", mount);
    for (size_t i = 0; !OS_HOSTS_IN_PATHS && i < COUNT_OF(foreign_shares); i++)
        if (strncmp(target, foreign_shares[i], 2) == 0)
            snprintf(text, HINT_TEXT, MOUNT_IT);
    if (text[0])
        return true;
    if (rest && hint_path_url(target, (size_t)(rest - target), text)) {
        return true;
    } else if (rest && rest > target && hint_scheme(target, (size_t)(rest - target), true, text)) {
        return true;
    } else if (rest && rest > target) {
        char forms[TARGETS_FORMS];
        snprintf(text, HINT_TEXT, "targets are directories, files, devices%s",
                 targets_forms(false, forms));
    } else if (colon && colon > target + 1 && colon[1] == '/' &&
               !memchr(target, '/', (size_t)(colon - target))) { /* "host:/export", not "C:/" */
        snprintf(text, HINT_TEXT, MOUNT_IT);
    }
    return text[0];
}

/* A word alone: a command, or a size. */
static bool hint_word(const char *target, char text[HINT_TEXT])
{
    const size_t digits = strspn(target, "0123456789"), length = strlen(target);
    const char *meant = words_foreign("command", target, length);
    struct hint_near near = hint_near(target, length);

    if (digits > 0 && target[digits + strspn(target + digits, "kKmMgGtTiIbB")] == '\0') /* "4k" */
        snprintf(text, HINT_TEXT,
                 "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
                 "the directory first");
    if (meant) {
        snprintf(text, HINT_TEXT, "%s", meant);
        return true;
    }
    for (unsigned i = 0; command_table[i]; i++)
        hint_offer(&near, command_table[i]->name);
    if (near.name[0])
        snprintf(text, HINT_TEXT, "did you mean iosweep %s ...; else create the directory first",
                 near.name);
    return text[0];
}

/* --- names of files --- */

bool hint_is_backup(const char *name)
{
    const size_t length = strlen(name);

    return name[0] == '#' || (length > 0 && name[length - 1] == '~');
}

void hint_offer_entries(struct hint_near *near, const char *directory)
{
    /* who may look without a trace in the directory does so */
    const int quiet = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | OS_O_NOATIME);
    const int fd =
        quiet < 0 && errno == EPERM ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : quiet;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    unsigned seen = 0;

    for (const struct dirent *entry; dir && seen < ENTRIES_MOST && (entry = readdir(dir)); seen++)
        if (is_printable(entry->d_name) && !hint_is_backup(entry->d_name) &&
            (entry->d_name[0] != '.' || near->word[0] == '.'))
            hint_offer(near, entry->d_name);
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
}

/* The first part of the path that is not there decides: what stands beside it has a name much
 * alike, or that part is to be told. */
static bool hint_path(const char *target, char text[HINT_TEXT])
{
    struct hint_near near;
    char *path, *end, *first;
    size_t part;
    struct stat st;

    if (strncmp(target, "~/", 2) == 0 && is_printable(target) && stat("~", &st) < 0) {
        snprintf(text, HINT_TEXT, "the shell replaces ~ only outside quotes: \"$HOME%.150s\"",
                 target + 1);
        return true;
    }
    path = mem_strdup(target);
    for (end = path + strlen(path); end > path && stat(path, &st) < 0;) { /* up to what is there */
        while (end > path && end[-1] == '/')
            *--end = '\0';
        while (end > path && end[-1] != '/')
            *--end = '\0';
    }
    part = strcspn(target + (end - path), "/");
    near = hint_near(target + (end - path), part);
    hint_offer_entries(&near, end > path ? path : ".");
    first = mem_printf("%.*s", (int)(end - path + (ptrdiff_t)part), target);
    if (part > 0 && stat(first, &st) == 0) /* not all systems tell it by ENOTDIR */
        snprintf(text, HINT_TEXT, "a part of its path is a file");
    else if (near.name[0] && is_printable(target))
        snprintf(text, HINT_TEXT, "did you mean %.100s%s%.60s", path, near.name,
                 target + (end - path) + part);
    else if (part > 0 && target[end - path + (ptrdiff_t)part +
                                (ptrdiff_t)strspn(target + (end - path) + part, "/")])
        snprintf(text, HINT_TEXT, "there is no %.*s either: create the directory first",
                 (int)(end - path + (ptrdiff_t)part), target);
    free(first);
    free(path);
    return text[0];
}

bool hint_is_results(const char *path)
{
    static const char *const beginnings[] = {"size_bytes,", "size_bytes;", "size_bytes\t",
                                             "[\n{\"record\":\"head\","};
    char text[1024] = "";
    struct stat st;
    ssize_t n;
    int fd;

    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    /* it may be what is to be measured: its times stay as they are */
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | OS_O_NOATIME);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (size_t i = 0; i < COUNT_OF(beginnings); i++)
        if (strncmp(text, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return strstr(text, "name=\"generator\" content=\"iosweep\"") != NULL;
}

static bool hint_results(const char *target, char text[HINT_TEXT])
{
    const size_t length = strlen(target);

    for (size_t i = 0; i < COUNT_OF(result_suffixes); i++) {
        const size_t suffix = strlen(result_suffixes[i]);
        if (length > suffix && strcmp(target + length - suffix, result_suffixes[i]) == 0)
            snprintf(text, HINT_TEXT, "iosweep -o %.100s writes results to it",
                     is_printable(target) ? target : "FILE");
    }
    return text[0];
}

const char *hint_file(const char *path, char text[HINT_TEXT])
{
    text[0] = '\0';
    hint_path(path, text);
    return text;
}

const char *hint_target(const char *target, char text[HINT_TEXT])
{
    text[0] = '\0';
    if (target[0] == '-' && target[1]) {
        snprintf(text, HINT_TEXT, "options stand before --, and what follows it are targets");
        return text;
    }
    if (hint_assignment(target, text) || hint_scheme(target, 0, false, text) ||
        hint_foreign_scheme(target, text) || (!strchr(target, '/') && hint_word(target, text)) ||
        hint_path(target, text) || hint_results(target, text))
        return text;
    return text;
}
