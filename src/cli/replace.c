/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* replace.c - writing beside a file and renaming.  Only for the moment before it is renamed, or
 * where the file system knows no files without a name, it has a temporary one.  That ends in
 * ".tmp" and is new: a file of somebody else is never written to. */
#include "base/compat.h"

#include "cli/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/os.h"

#define NAMES_MAX 100 /* left by runs that were killed and had the same number */

bool replace_is_stdout(const char *name)
{
    struct stat st, own;

    return stat(name, &st) == 0 && fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == st.st_dev &&
           own.st_ino == st.st_ino;
}

/* The name leads to a file that somebody has open, or that has other names:
 * it stays the one it is. */
static bool is_shared(const char *name, const struct stat *st)
{
    static const char *const streams[] = {OS_STREAM_PATHS};

    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
        if (strncmp(name, streams[i], strlen(streams[i])) == 0)
            return true;
    return st->st_nlink != 1;
}

bool replace_possible(const char *name)
{
    struct stat st;

    if (!name[0])
        return false;
    if (stat(name, &st) == 0)
        return S_ISREG(st.st_mode) && !is_shared(name, &st);
    return errno == ENOENT && lstat(name, &st) < 0; /* not a link to nothing */
}

static void forget(struct replace *replace)
{
    free(replace->name);
    free(replace->temporary);
    *replace = (struct replace){.name = NULL};
}

static char *temporary_name(const struct replace *replace, unsigned i)
{
    return mem_printf("%s.%ld-%u.tmp", replace->name, (long)getpid(), i);
}

static int make_unnamed(const char *name)
{
    char *directory = mem_strdup(name), *slash = strrchr(directory, '/');
    int fd;

    if (slash)
        slash[slash == directory] = '\0';
    fd = os_open_unnamed(slash ? directory : ".");
    free(directory);
    return fd;
}

static int make_named(struct replace *replace)
{
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < NAMES_MAX; i++) {
        free(replace->temporary);
        replace->temporary = temporary_name(replace, i);
        fd = open(replace->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

/* Like a file that is written in place: a link stays a link, and the mode stays the same. */
static int make_beside(const char *name, const struct stat *old, struct replace *replace)
{
    int fd;

    replace->name = old ? realpath(name, NULL) : mem_strdup(name);
    if (!replace->name)
        return -1;
    fd = make_unnamed(replace->name);
    if (fd < 0)
        fd = make_named(replace);
    if (fd >= 0 && old && fchown(fd, old->st_uid, old->st_gid) < 0 &&
        fchown(fd, (uid_t)-1, old->st_gid) < 0)
        errno = 0; /* not ours to give: it will be the caller's */
    if (fd >= 0 && old && fchmod(fd, old->st_mode & 0777) < 0) {
        const int code = errno;
        if (replace->temporary)
            unlink(replace->temporary);
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

int replace_open(const char *name, int old_fd, struct replace *replace, struct error *err)
{
    struct stat old;
    int fd = -1, code;

    if (old_fd < 0 || fstat(old_fd, &old) == 0)
        fd = make_beside(name, old_fd < 0 ? NULL : &old, replace);
    code = errno;
    if (old_fd >= 0)
        close(old_fd);
    if (fd >= 0)
        return fd;
    forget(replace);
    error_set(err, STATUS_USAGE, code, "cannot write the results to", name);
    if (code == ENOENT)
        return error_advise(err, "the directory for it does not exist");
    return error_advise(err,
                        "they are first written under another name beside it, so its directory "
                        "has to be writable");
}

/* Gives a file without a name a temporary one.  Returns 0 or -1. */
static int give_name(struct replace *replace, int fd)
{
    int result = replace->temporary ? 0 : -1;

    for (unsigned i = 0; result < 0 && i < NAMES_MAX; i++) {
        char *to = temporary_name(replace, i);
        result = os_name_file(fd, to);
        if (result == 0)
            replace->temporary = to;
        else
            free(to);
        errno = -result;
        if (result < 0 && result != -EEXIST)
            break;
    }
    return result;
}

int replace_commit(struct replace *replace, FILE *stream, struct error *err)
{
    struct stat st;
    int result = 0;

    if (lstat(replace->name, &st) == 0 && !S_ISREG(st.st_mode)) {
        result = error_set(
            err, STATUS_PARTIAL, 0,
            "the name of the results is now taken by something other than a file:", replace->name);
        error_advise(err, "name another file");
    } else if (fflush(stream) != 0 || os_sync(fileno(stream)) < 0 ||
               give_name(replace, fileno(stream)) < 0 ||
               rename(replace->temporary, replace->name) < 0) {
        result =
            error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", replace->name);
    }
    if (result < 0)
        replace_abandon(replace);
    else
        forget(replace);
    return result;
}

void replace_abandon(struct replace *replace)
{
    if (replace->temporary)
        unlink(replace->temporary);
    forget(replace);
}
