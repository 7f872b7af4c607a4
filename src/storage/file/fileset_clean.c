/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_clean.c - finds what earlier runs left in a directory and removes exactly what their
 * manifests name.  A manifest is believed only when it is a regular file of this user (or root),
 * says what this program would have written, and names the directory it lies in. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/clean.h"
#include "storage/file/fileset.h"

/* Whether the directory holds nothing, or nothing but manifests: 1 or 0, or -1 with errno when that
 * cannot be told. */
static int holds_nothing_else(int dir_fd)
{
    int nothing = 1;
    int fd = os_open_at(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    uint64_t number;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    while (errno = 0, nothing == 1 && (entry = readdir(dir)) != NULL)
        nothing = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                  life_is_manifest(entry->d_name, &number);
    if (nothing == 1 && errno != 0)
        nothing = -1;
    closedir(dir);
    return nothing;
}

static int refuse(struct error *err, const char *path, const char *why)
{
    return error_refuse(err, STATUS_TARGET, "left in place:", path,
                        "%s; look into it and remove it by hand", why);
}

/* A name as runs get it by default, a mode and an owner as mkdir gave them: an empty directory that
 * only happens to begin with iosweep- is none of ours, unless it is named as a run to be removed,
 * or has an empty manifest. */
static bool looks_made_by_us(int dir_fd, const char *name, bool named)
{
    const char *run = name + strlen(LIFE_PREFIX);
    struct stat st;

    if (!named &&
        (strspn(run, "0123456789abcdef") != 8 || run[8 + strspn(run + 8, "-.0123456789")] != '\0'))
        return false;
    return fstat(dir_fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
}

/* The creator was killed between mkdir and the writing of its first manifest. */
static int remove_empty(int parent_fd, int dir_fd, const char *name, const char *path,
                        struct error *err)
{
    if ((unlinkat(dir_fd, LIFE_FIRST, 0) != 0 && errno != ENOENT) ||
        unlinkat(parent_fd, name, AT_REMOVEDIR) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot remove", path);
    return 0;
}

int fileset_look_inside(int dir_fd, const char *name, bool named, const char *path,
                        struct fileset_found *found, struct error *err)
{
    const char *run_name = name + strlen(LIFE_PREFIX);
    struct error why = ERROR_INIT;
    struct life_manifest manifest;
    struct fileset_place run;
    enum life_found state;
    struct stat st;
    int nothing;

    state = life_look(fileset_place(&run, dir_fd, path, false), LIFE_FILES, run_name, &manifest,
                      &found->age_s, &why);
    switch (state) {
    case LIFE_READ:
        fileset_understand(&manifest, &found->layout);
        found->begun_s = manifest.state.begun_s;
        life_manifest_free(&manifest);
        return 1;
    case LIFE_ABSENT:
    case LIFE_TORN:
        nothing = holds_nothing_else(dir_fd);
        if (nothing < 0)
            return error_set(err, STATUS_TARGET, errno, "cannot list", path);
        if (nothing == 0)
            return refuse(err, path, "it has no manifest of iosweep");
        found->empty = true;
        found->begun_s = fstat(dir_fd, &st) == 0 ? (int64_t)st.st_mtime : 0;
        return looks_made_by_us(dir_fd, name, named || state == LIFE_TORN);
    case LIFE_INVALID:
        return refuse(err, path, why.advice[0] != '\0' ? why.advice : "its manifest is not valid");
    case LIFE_ERROR:
        break;
    }
    *err = why;
    return -1;
}

bool fileset_is_alive(const struct fileset_found *found, int64_t *wait_s)
{
    struct life_manifest manifest = {.state = found->layout.state};

    *wait_s = 0;
    if (manifest.state.process.host == 0) /* where processes are not told apart, locks do it */
        return found->alive;
    return found->alive || (!found->empty && life_is_alive(&manifest, found->age_s, wait_s));
}

int fileset_open_candidate(int parent_fd, const char *name, const char *path, struct error *err)
{
    const int fd = beneath_open(parent_fd, name, O_RDONLY | O_DIRECTORY, 0);

    if (fd >= 0)
        return fd;
    if (fd == -ENOTDIR || fd == -ELOOP || fd == -ENOENT)
        return -1;
    if (fd == -EXDEV) {
        error_set(err, STATUS_TARGET, 0, "left in place, it is a mount point:", path);
        error_advise(err, "unmount it, then run iosweep clean on the target");
        return -2;
    }
    error_set(err, STATUS_TARGET, -fd, "cannot open", path);
    return -2;
}

int fileset_look(int parent_fd, const char *parent_path, const char *name, bool named,
                 struct fileset_found *found, struct error *err)
{
    char *path = mem_printf("%s/%s", parent_path, name);
    int code, fd = fileset_open_candidate(parent_fd, name, path, err);

    *found = (struct fileset_found){0};
    code = fd < 0 ? fd + 1 : fileset_look_inside(fd, name, named, path, found, err);
    if (code > 0) {
        found->alive = os_lock(fd, true) == -EWOULDBLOCK;
        found->alive = fileset_is_alive(found, &found->wait_s);
    }
    if (fd >= 0)
        close(fd);
    free(path);
    return code;
}

/* The directory is open, and locked if that was possible. */
static int clean_open(int parent_fd, const char *parent_path, int dir_fd, const char *name,
                      bool named, bool force, const char *path, struct fileset_tally *tally,
                      struct error *err)
{
    struct fileset_found found = {.alive = os_lock(dir_fd, true) == -EWOULDBLOCK};
    const int is_run = fileset_look_inside(dir_fd, name, named, path, &found, err);
    int64_t wait_s;

    if (is_run <= 0)
        return is_run;
    if (!force && fileset_is_alive(&found, &wait_s))
        return clean_refuse_alive(path, wait_s, err);
    if (found.empty)
        return remove_empty(parent_fd, dir_fd, name, path, err);
    return fileset_remove_known(parent_fd, parent_path, &found.layout, dir_fd, tally, err);
}

int fileset_clean(int parent_fd, const char *parent_path, const char *name, bool named, bool force,
                  struct fileset_tally *tally, struct error *err)
{
    char *path = mem_printf("%s/%s", parent_path, name);
    int code, fd = fileset_open_candidate(parent_fd, name, path, err);

    code = fd < 0 ? fd + 1
                  : clean_open(parent_fd, parent_path, fd, name, named, force, path, tally, err);
    if (fd >= 0)
        close(fd);
    free(path);
    return code;
}

/* Names first, removal afterwards: a directory is not changed while it is read. */
int fileset_list(int parent_fd, const char *parent_path, const volatile int *stop, char ***names,
                 size_t *count, struct error *err)
{
    int fd = file_open_quietly(parent_fd, ".", O_DIRECTORY); /* -r leaves access times alone */
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    size_t room = 0;
    int code = fd < 0 ? -fd : errno;

    *names = NULL;
    *count = 0;
    if (!dir) {
        error_set(err, STATUS_TARGET, code, "cannot list", parent_path);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    code = 0;
    while (flag_read(stop) == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, LIFE_PREFIX, strlen(LIFE_PREFIX)) != 0)
            continue;
        *names = mem_grow(*names, &room, *count + 1, sizeof(**names));
        (*names)[(*count)++] = mem_strdup(entry->d_name);
    }
    if (flag_read(stop) != 0)
        code = error_set(err, STATUS_PARTIAL, EINTR, "interrupted while listing", parent_path);
    else if (errno != 0) /* half a list would leave runs behind without a word */
        code = error_set(err, STATUS_TARGET, errno, "cannot list", parent_path);
    closedir(dir);
    if (*count > 0)
        qsort(*names, *count, sizeof(**names), text_order);
    return code;
}
