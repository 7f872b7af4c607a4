/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* look.c - examines the directory of a run.  To allow changes or removal, a manifest must be a
 * regular file of this user (or root), contain what this program would have written, and name its
 * own directory. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/fileset.h"

/* Whether it has a default run name, and the mode and owner that mkdir gives: an empty directory
 * that only happens to begin with iosweep- is not ours, unless named as a run, or with an empty
 * manifest. */
static bool looks_made_by_us(int dir_fd, const char *run, bool named)
{
    struct stat st;

    if (!named &&
        (strspn(run, "0123456789abcdef") != 8 || run[8 + strspn(run + 8, "-.0123456789")] != '\0'))
        return false;
    return fstat(dir_fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
}

void fileset_list_begin(struct fileset_listing *listing, int dir_fd, uint64_t most)
{
    listing->left = most;
    listing->fd = file_open_quietly(dir_fd, ".", O_DIRECTORY | O_NOFOLLOW);
    if (listing->fd >= 0)
        os_list_begin(&listing->list, listing->fd, listing->entries, sizeof(listing->entries));
}

int fileset_list_next(struct fileset_listing *listing, const char **name)
{
    enum os_entry kind;

    if (listing->fd < 0)
        return listing->fd;
    return listing->left-- > 0 ? os_list_next(&listing->list, name, &kind) : -EOVERFLOW;
}

void fileset_list_end(struct fileset_listing *listing)
{
    if (listing->fd >= 0)
        os_list_end(&listing->list);
}

int fileset_list_failed(int code, const char *path, struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot list", path);
    return code == -EOVERFLOW ? error_explain(err, "it lists too many names") : -1;
}

/* Whether an open directory contains anything but manifests: 1, 0 or -errno. */
static int holds_other(int dir_fd)
{
    struct fileset_listing listing;
    const char *entry;
    uint64_t number;
    int code;

    fileset_list_begin(&listing, dir_fd, FILESET_RUN_MOST);
    do
        code = fileset_list_next(&listing, &entry);
    while (code > 0 && life_is_manifest(entry, &number));
    fileset_list_end(&listing);
    return code;
}

enum life_found fileset_read(int dir_fd, const char *path, const char *run_name,
                             struct life_run *run, struct error *err)
{
    struct fileset_place place;
    struct stat st;

    run->found = life_look(fileset_place(&place, dir_fd, path, !run_name), LIFE_FILES, run_name,
                           &run->manifest, &run->age_s, err);
    if (run->found == LIFE_READ)
        run->begun_s = run->manifest.state.begun_s;
    else
        run->begun_s = fstat(dir_fd, &st) == 0 ? (int64_t)st.st_mtime : 0;
    /* a live maker would hold the lock; likewise if processes cannot be identified */
    if (run->found != LIFE_READ || run->manifest.state.process.host == 0)
        run->age_s = LIFE_DEAD_S;
    return run->found;
}

static int open_place(int parent_fd, const char *name, const char *path, struct error *err)
{
    const int fd = beneath_open(parent_fd, name, O_RDONLY | O_DIRECTORY, 0);

    if (fd >= 0 || fd == -ENOTDIR || fd == -ELOOP || fd == -ENOENT)
        return fd;
    if (fd == -EXDEV) {
        error_set(err, STATUS_TARGET, 0, "left in place because it is a mount point:", path);
        error_advise(err, "unmount it, then run iosweep clean on the target");
        return fd;
    }
    error_set(err, STATUS_TARGET, -fd, "cannot open", path);
    return fd;
}

/* A directory without a complete manifest. */
static enum life_found look_without(int dir_fd, const char *path, const char *run_name, bool named,
                                    struct error *err)
{
    const int other = holds_other(dir_fd);

    if (other == 0)
        return looks_made_by_us(dir_fd, run_name, named) ? LIFE_TORN : LIFE_ABSENT;
    *err = ERROR_INIT;
    if (other < 0)
        fileset_list_failed(other, path, err);
    else
        error_refuse(err, STATUS_TARGET, "not trusted:", path, "it has no iosweep manifest");
    return other < 0 ? LIFE_ERROR : LIFE_INVALID;
}

enum life_found fileset_look(int parent_fd, const char *parent_path, const char *run_name,
                             unsigned how, int *dir_fd, struct life_run *run, struct error *err)
{
    char *name = mem_printf(LIFE_PREFIX "%s", run_name);
    char *path = mem_printf("%s/%s", parent_path, name);

    *run = (struct life_run){.found = LIFE_ABSENT};
    *dir_fd = open_place(parent_fd, name, path, err);
    if (*dir_fd < 0) {
        run->found = error_is_set(err) ? LIFE_ERROR : LIFE_ABSENT;
    } else {
        /* locked first: its creator may be at work until then */
        run->locked = how & FILESET_LOCK && os_lock(*dir_fd, true) == -EWOULDBLOCK;
        fileset_read(*dir_fd, path, run_name, run, err);
        if (run->found == LIFE_ABSENT || run->found == LIFE_TORN)
            run->found = look_without(*dir_fd, path, run_name,
                                      how & FILESET_NAMED || run->found == LIFE_TORN, err);
    }
    free(path);
    free(name);
    return run->found;
}
