/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fileset_clean.c - finds what earlier runs left in a directory and removes exactly what their
 * manifests name.  A manifest is believed only when it is a regular file of this user (or root),
 * says what this program would have written, and names the directory it lies in. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "engine/fileset.h"

#define MANIFEST_FILE_MAX 65536
#define NOT_OURS          1 /* result of clean_locked: left alone, no fault */

enum manifest_state { MANIFEST_GOOD, MANIFEST_MISSING, MANIFEST_EMPTY, MANIFEST_BAD };

/* Reads the manifest; *why is set for MANIFEST_BAD. */
static enum manifest_state read_manifest(int dir_fd, struct fileset_layout *layout,
                                         const char **why)
{
    enum manifest_state state = MANIFEST_BAD;
    static const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct error fault = ERROR_INIT;
    char text[4096];
    struct stat st;
    ssize_t got;
    int fd;

    fd = openat(dir_fd, FILESET_MANIFEST, flags);
    if (fd < 0) {
        *why = errno == ELOOP ? "its MANIFEST is a symbolic link" : "its MANIFEST cannot be read";
        return errno == ENOENT ? MANIFEST_MISSING : MANIFEST_BAD;
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        *why = "its MANIFEST is not a regular file";
    } else if (st.st_uid != geteuid() && st.st_uid != 0) {
        *why = "its MANIFEST belongs to another user";
    } else if (st.st_size == 0) {
        state = MANIFEST_EMPTY;
    } else if (st.st_size > MANIFEST_FILE_MAX || (size_t)st.st_size > sizeof(text)) {
        *why = "its MANIFEST is too long";
    } else {
        got = pread(fd, text, sizeof(text), 0);
        if (got == st.st_size && fileset_manifest_parse(text, (size_t)got, layout, &fault) == 0)
            state = MANIFEST_GOOD;
        else
            *why = "its MANIFEST is not valid";
    }
    close(fd);
    return state;
}

/* True when the directory holds nothing, or nothing but the manifest. */
static bool holds_nothing_else(int dir_fd)
{
    bool nothing = true;
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (nothing && (entry = readdir(dir)) != NULL)
        nothing = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                  strcmp(entry->d_name, FILESET_MANIFEST) == 0;
    closedir(dir);
    return nothing;
}

static int refuse(struct error *err, const char *path, const char *why)
{
    error_set(err, STATUS_TARGET, 0, "left in place:", path);
    return error_advise(err, "%s; look into it and remove it by hand", why);
}

/* A name as runs get it by default, a mode and an owner as mkdir gave them: an empty directory that
 * only happens to begin with iosweep- is none of ours. */
static bool looks_made_by_us(int dir_fd, const char *name)
{
    const char *run = name + strlen(FILESET_PREFIX);
    struct stat st;

    return strspn(run, "0123456789abcdef") == 8 &&
           run[8 + strspn(run + 8, "-.0123456789")] == '\0' && fstat(dir_fd, &st) == 0 &&
           st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
}

/* The creator was killed between mkdir and the writing of its manifest. */
static int remove_empty(int parent_fd, int dir_fd, const char *name, const char *path,
                        struct error *err)
{
    if ((unlinkat(dir_fd, FILESET_MANIFEST, 0) != 0 && errno != ENOENT) ||
        unlinkat(parent_fd, name, AT_REMOVEDIR) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot remove", path);
    return 0;
}

static int clean_locked(int parent_fd, const char *parent_path, int dir_fd, const char *name,
                        const char *path, struct error *err)
{
    char directory[FILESET_DIRECTORY_MAX];
    struct fileset_layout layout;
    const char *why = "";

    switch (read_manifest(dir_fd, &layout, &why)) {
    case MANIFEST_GOOD:
        fileset_directory_name(&layout, directory, sizeof(directory));
        if (strcmp(directory, name) != 0)
            return refuse(err, path, "its MANIFEST is that of another run");
        return fileset_remove_known(parent_fd, parent_path, &layout, dir_fd, err);
    case MANIFEST_MISSING:
    case MANIFEST_EMPTY:
        if (holds_nothing_else(dir_fd))
            return looks_made_by_us(dir_fd, name) ? remove_empty(parent_fd, dir_fd, name, path, err)
                                                  : NOT_OURS;
        return refuse(err, path, "it has no MANIFEST of iosweep");
    case MANIFEST_BAD:
        break;
    }
    return refuse(err, path, why);
}

int fileset_clean_one(int parent_fd, const char *parent_path, const char *name, unsigned *removed,
                      struct error *err)
{
    char path[PATH_MAX + NAME_MAX + 2];
    int code;
    int dir_fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    snprintf(path, sizeof(path), "%s/%s", parent_path, name);
    if (dir_fd < 0) {
        if (errno == ENOTDIR || errno == ELOOP || errno == ENOENT)
            return 0; /* a file or a link of that name is none of ours */
        return error_set(err, STATUS_TARGET, errno, "cannot open", path);
    }
    if (flock(dir_fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            close(dir_fd);
            error_set(err, STATUS_TARGET, 0, "in use by a running iosweep:", path);
            return error_advise(err, "wait for its end, or stop it");
        }
        log_warn("%s: the file system has no locks; whether a run still uses it is not known",
                 path);
    }
    code = clean_locked(parent_fd, parent_path, dir_fd, name, path, err);
    close(dir_fd);
    if (code == 0)
        ++*removed;
    return code < 0 ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names first, removal afterwards: a directory is not changed while it is read. */
static int list_candidates(int parent_fd, const char *parent_path, char ***names, size_t *count,
                           struct error *err)
{
    int fd = openat(parent_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    size_t room = 0;

    if (dir == NULL) {
        error_set(err, STATUS_TARGET, errno, "cannot list", parent_path);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, FILESET_PREFIX, strlen(FILESET_PREFIX)) != 0)
            continue;
        if (*count == room) {
            room = room == 0 ? 16 : room * 2;
            *names = mem_realloc_array(*names, room, sizeof(**names));
        }
        (*names)[(*count)++] = mem_strdup(entry->d_name);
    }
    closedir(dir);
    if (*count > 0)
        qsort(*names, *count, sizeof(**names), by_name);
    return 0;
}

int fileset_clean(int parent_fd, const char *parent_path, unsigned *removed, struct error *err)
{
    char **names = NULL;
    size_t count = 0;
    int code;

    *removed = 0;
    code = list_candidates(parent_fd, parent_path, &names, &count, err);
    for (size_t i = 0; i < count; i++) {
        if (fileset_clean_one(parent_fd, parent_path, names[i], removed, err) != 0)
            code = -1;
        free(names[i]);
    }
    free(names);
    return code;
}
