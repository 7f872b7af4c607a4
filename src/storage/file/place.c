/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - the directory of a run as a place of life.h: manifests are regular files of this user
 * in it, never reached through a link. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/engine.h"
#include "engine/file.h"
#include "os/os.h"
#include "storage/file/fileset.h"

static int failed(const struct fileset_place *run, int errnum, const char *action, const char *name,
                  struct error *err)
{
    char *path = mem_printf("%s/%s", run->path, name);

    error_set(err, STATUS_TARGET, errnum, action, path);
    free(path);
    return -1;
}

static int64_t refuse(const char *name, const char *why, struct error *err)
{
    error_refuse(err, STATUS_TARGET, "not trusted:", name, "its %s %s", name, why);
    return LIFE_NONE_OF_OURS;
}

static int64_t read_open(const struct fileset_place *run, int fd, const char *name, char *text,
                         size_t room, int64_t *age_s, struct error *err)
{
    unsigned again = 0;
    struct stat st;
    ssize_t got;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return refuse(name, "is not a regular file", err);
    if (!run->reads && st.st_uid != geteuid() && st.st_uid != 0)
        return refuse(name, "belongs to another user", err);
    if (st.st_size > (off_t)room)
        return refuse(name, "is too long", err);
    do
        got = pread(fd, text, room, 0);
    while (got < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    if (got != st.st_size)
        return failed(run, got < 0 ? errno : EIO, "cannot read", name, err);
    *age_s = (int64_t)time(NULL) - (int64_t)st.st_mtime;
    if (*age_s < 0)
        *age_s = 0;
    return got;
}

static int64_t read_manifest(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                             struct error *err)
{
    const struct fileset_place *run = arg;
    const int fd = file_open_quietly(run->dir_fd, name, O_NOFOLLOW | O_NONBLOCK);
    int64_t length;

    if (fd == -ENOENT)
        return LIFE_MISSING;
    if (fd == -ELOOP)
        return refuse(name, "is a symbolic link", err);
    if (fd == -EACCES || fd == -EPERM || fd == -ENXIO)
        return refuse(name, "cannot be read", err);
    if (fd < 0) /* this does not show whether the manifest exists */
        return failed(run, -fd, "cannot read", name, err);
    length = read_open(run, fd, name, text, room, age_s, err);
    close(fd);
    return length;
}

static int list_manifests(void *arg, void (*visit)(void *arg, const char *name), void *visit_arg,
                          struct error *err)
{
    const struct fileset_place *run = arg;
    struct fileset_listing listing;
    const char *name;
    int code;

    fileset_list_begin(&listing, run->dir_fd, FILESET_RUN_MOST);
    while ((code = fileset_list_next(&listing, &name)) > 0)
        visit(visit_arg, name);
    fileset_list_end(&listing);
    if (code == -ENOENT) /* another process removed the open directory */
        return LIFE_MISSING;
    return code == 0 ? 0 : fileset_list_failed(code, run->path, err);
}

/* In one call, so that no manifest is half written. */
static int write_all(int fd, const char *text, size_t length)
{
    unsigned again = 0;
    ssize_t done;
    int code;

    do
        done = write(fd, text, length);
    while (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    if (done != (ssize_t)length)
        return done < 0 ? errno : ENOSPC;
    do
        code = os_sync_data(fd) != 0 ? errno : 0;
    while (code == EINTR && again++ < ENGINE_AGAIN_MOST);
    return code == EINVAL ? 0 : code;
}

static int put_manifest(void *arg, const char *name, const char *text, size_t length,
                        struct error *err)
{
    const struct fileset_place *run = arg;
    const int fd =
        os_open_at(run->dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int code = fd < 0 ? errno : write_all(fd, text, length);

    if (fd < 0 && code == EEXIST)
        return 1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && code == 0)
        code = errno;
    if (code == 0)
        return 0;
    if (fd >= 0)
        (void)unlinkat(run->dir_fd, name, 0); /* an incomplete manifest is useless */
    return failed(run, code, "cannot write", name, err);
}

static int remove_manifest(void *arg, const char *name, struct error *err)
{
    const struct fileset_place *run = arg;

    return unlinkat(run->dir_fd, name, 0) == 0 || errno == ENOENT
               ? 0
               : failed(run, errno, "cannot remove", name, err);
}

const struct life_place *fileset_place(struct fileset_place *run, int dir_fd, const char *path,
                                       bool reads)
{
    *run = (struct fileset_place){
        .dir_fd = dir_fd,
        .path = path,
        .reads = reads,
        .place = {run, read_manifest, list_manifests, put_manifest, remove_manifest}};
    return &run->place;
}

int fileset_go_on(int dir_fd, const char *path, struct life_manifest *manifest, struct error *err)
{
    struct fileset_place run;
    const int code = life_go_on(fileset_place(&run, dir_fd, path, false), manifest, err);

    return code <= 0 ? code
                     : error_refuse(err, STATUS_TARGET, "another process has written a manifest in",
                                    path, "nothing else may change the directory of a run");
}
