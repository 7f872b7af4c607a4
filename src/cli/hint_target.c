/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint_target.c - suggestions for targets that do not exist. */
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
#include "base/text.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "cli/words.h"
#include "os/os.h"

#define ENTRIES_MOST      10000 /* maximum examined in a directory */
#define ASSIGNMENT_LETTER "abcdefghijklmnopqrstuvwxyz_-"

/* "depth=4", "bs=4k": an option without its dashes. */
static bool hint_assignment(const char *target, char text[HINT_TEXT])
{
    const size_t length = strspn(target, ASSIGNMENT_LETTER);
    const char *value = target + length + 1, *meant = NULL;

    if (!length || target[length] != '=' || !text_is_ascii(target))
        return false;
    meant = hint_foreign_option(target, length);
    if (meant && hint_takes_value(meant) && *value && !strpbrk(value, "/ "))
        snprintf(text, HINT_TEXT, "use %s %.60s", meant, value);
    else if (meant)
        snprintf(text, HINT_TEXT, "%s%s", hint_verb(meant), meant);
    else if (hint_is_option(target, length))
        snprintf(text, HINT_TEXT, "did you mean --%.100s", target);
    return text[0];
}

/* The scheme of a target that is not a file, mistyped: "FAR://x", "far:x", "far//x", "far",
 * "fra://x". */
static bool hint_scheme(const char *target, char text[HINT_TEXT])
{
    const char *url = strstr(target, "://");
    const size_t letters = url ? (size_t)(url - target) : strcspn(target, ":/");
    const char *rest = target + letters;

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const size_t length = strcspn((*d)->scheme, ":");
        char scheme[32];

        snprintf(scheme, sizeof(scheme), "%.*s", (int)length, (*d)->scheme);
        if (!length || !(url ? hint_distance(target, letters, scheme) != HINT_FAR
                             : letters == length && strncasecmp(target, scheme, length) == 0 &&
                                   (rest[0] != '/' || rest[1] == '/')))
            continue;
        rest += strspn(rest, ":/");
        if (strcmp((*d)->form, (*d)->scheme) == 0 || !text_is_ascii(rest))
            rest = ""; /* nothing follows there */
        snprintf(text, HINT_TEXT, "did you mean %s%.100s", *rest ? (*d)->scheme : (*d)->form, rest);
        return true;
    }
    return false;
}

/* Addresses of a file system that must be mounted first, or of an unknown kind. */
static bool hint_address(const char *target, char text[HINT_TEXT])
{
    const char *colon = strchr(target, ':');
    char forms[TARGETS_FORMS];

    if ((!OS_HOSTS_IN_PATHS &&
         (strncmp(target, "//", 2) == 0 || strncmp(target, "\\\\", 2) == 0)) ||
        (colon && colon > target + 1 && colon[1] == '/' && colon[2] != '/' &&
         !memchr(target, '/', (size_t)(colon - target)))) /* "host:/export", not "C:/" */
        snprintf(text, HINT_TEXT, "mount it, then name the directory where it is mounted");
    else if (colon && colon > target && strncmp(colon, "://", 3) == 0)
        snprintf(text, HINT_TEXT, "targets are directories, files, devices%s",
                 targets_forms(false, forms));
    return text[0];
}

/* A single word: a command, or a size. */
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
    /* leaves the access time of the directory unchanged where permitted */
    const int quiet = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | OS_O_NOATIME);
    const int fd =
        quiet < 0 && errno == EPERM ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : quiet;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    unsigned seen = 0;

    for (const struct dirent *entry; dir && seen < ENTRIES_MOST && (entry = readdir(dir)); seen++)
        if (text_is_ascii(entry->d_name) && !hint_is_backup(entry->d_name) &&
            (entry->d_name[0] != '.' || near->word[0] == '.'))
            hint_offer(near, entry->d_name);
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
}

/* Finds the first missing component of the path: suggests a similar name in its directory, or else
 * reports that component. */
static bool hint_path(const char *target, char text[HINT_TEXT])
{
    struct hint_near near;
    char *path, *end, *first;
    size_t part;
    struct stat st;

    if (strncmp(target, "~/", 2) == 0 && text_is_ascii(target) && stat("~", &st) < 0) {
        snprintf(text, HINT_TEXT, "the shell replaces ~ only outside quotes: \"$HOME%.150s\"",
                 target + 1);
        return true;
    }
    path = mem_strdup(target);
    /* shortens the path to its existing part */
    for (end = path + strlen(path); end > path && stat(path, &st) < 0;) {
        while (end > path && end[-1] == '/')
            *--end = '\0';
        while (end > path && end[-1] != '/')
            *--end = '\0';
    }
    part = strcspn(target + (end - path), "/");
    near = hint_near(target + (end - path), part);
    hint_offer_entries(&near, end > path ? path : ".");
    first = mem_printf("%.*s", (int)(end - path + (ptrdiff_t)part), target);
    if (part > 0 && stat(first, &st) == 0) /* not all systems return ENOTDIR */
        snprintf(text, HINT_TEXT, "a part of its path is a file");
    else if (near.name[0] && text_is_ascii(target))
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
    /* it may be an object to measure: leaves its access time unchanged */
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
    const char *ending = options_ending(target);

    if (strcmp(ending, ".csv") == 0 || strcmp(ending, ".json") == 0)
        snprintf(text, HINT_TEXT, "iosweep -o %.100s writes results to it",
                 text_is_ascii(target) ? target : "FILE");
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
    if (target[0] == '-' && target[1])
        snprintf(text, HINT_TEXT, "options stand before --, and what follows it are targets");
    else if (!words_target(target, text, HINT_TEXT) && !hint_assignment(target, text) &&
             !hint_scheme(target, text) && !hint_address(target, text) &&
             (strchr(target, '/') || !hint_word(target, text)) && !hint_path(target, text))
        hint_results(target, text);
    return text;
}
