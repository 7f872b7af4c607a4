/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - the directory of a run: as a place of life.h, where manifests are regular files of this
 * user, never reached through a link; examined from outside; and cleaned by `iosweep clean`, which
 * finds the runs in a directory, or the run that it is itself (hooks of life/clean.h).
 *
 * To allow changes or removal, a manifest must be a regular file of this user (or root), contain
 * what this program would have written, and name its own directory. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/life/clean.h"

/* ---- lists ---- */

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

/* Error for a result of fileset_list_next.  Returns -1. */
static int fail_listing(int code, const char *path, struct error *err)
{
    file_target_unreadable(-code, "cannot list", path, err);
    return code == -EOVERFLOW ? error_explain(err, "it lists too many names") : -1;
}

/* ---- manifests ---- */

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

    if (fstat(fd, &st) != 0)
        return failed(run, errno, "cannot stat", name, err);
    if (!S_ISREG(st.st_mode))
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
    return code == 0 ? 0 : fail_listing(code, run->path, err);
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

/* ---- examining it ---- */

/* Whether it has the owner and mode that a run gives its directory, beside a group inherited from
 * the one above, or if it is named, the mode where marks are ignored: an empty one that happens to
 * begin with iosweep- is not ours. */
static bool looks_made_by_us(int dir_fd, bool named)
{
    struct stat st;
    unsigned mode;

    if (fstat(dir_fd, &st) != 0 || st.st_uid != geteuid())
        return false;
    mode = (unsigned)st.st_mode & 05777;
    return mode == FILESET_MODE || (named && mode == (FILESET_MODE & ~FILESET_MARK));
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

/* A directory without a complete manifest. */
static enum life_found look_without(int dir_fd, const char *path, bool named, struct error *err)
{
    const int other = holds_other(dir_fd);

    if (other == 0)
        return looks_made_by_us(dir_fd, named) ? LIFE_TORN : LIFE_ABSENT;
    *err = ERROR_INIT;
    if (other < 0)
        fail_listing(other, path, err);
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
    *dir_fd = beneath_open(parent_fd, name, O_RDONLY | O_DIRECTORY, 0);
    if (*dir_fd == -EXDEV) {
        run->found = LIFE_ERROR;
        error_refuse(err, STATUS_TARGET, "left in place because it is a mount point:", path,
                     "unmount it, then run iosweep clean on the target");
    } else if (*dir_fd < 0 && *dir_fd != -ENOTDIR && *dir_fd != -ELOOP && *dir_fd != -ENOENT) {
        run->found = LIFE_ERROR;
        file_target_unreadable(-*dir_fd, "cannot open", path, err);
    } else if (*dir_fd >= 0) {
        /* locked first: its creator may be at work until then */
        run->locked = how & FILESET_LOCK && os_lock(*dir_fd, true) == -EWOULDBLOCK;
        fileset_read(*dir_fd, path, run_name, run, err);
        if (run->found == LIFE_ABSENT || run->found == LIFE_TORN)
            run->found =
                look_without(*dir_fd, path, how & FILESET_NAMED || run->found == LIFE_TORN, err);
    }
    free(path);
    free(name);
    return run->found;
}

/* ---- cleaning ---- */

struct file_cleaner {
    int parent_fd;
    char *parent_path; /* absolute */
    char *only;        /* the target is the directory of this run in the parent; else NULL */
    int dir_fd;        /* of the run being examined, locked; or -1 */
    const struct clean_request *request;
};

static int list(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err)
{
    const struct file_cleaner *cleaner = arg;
    const volatile int *stop = cleaner->request->stop;
    const size_t word = strlen(LIFE_PREFIX);
    struct fileset_listing listing;
    const char *name;
    int code = 0, more = 0;

    fileset_list_begin(&listing, cleaner->parent_fd, FILESET_NAMES_MOST);
    while (code == 0 && flag_read(stop) == 0 && (more = fileset_list_next(&listing, &name)) > 0)
        if (strncmp(name, LIFE_PREFIX, word) == 0 &&
            strncmp(name + word, begin, strlen(begin)) == 0)
            code = visit(visit_arg, name + word, err);
    fileset_list_end(&listing);
    if (code == 0 && flag_read(stop) != 0)
        return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                         cleaner->parent_path);
    if (code == 0 && more < 0) /* an incomplete list would silently leave runs behind */
        return fail_listing(more, cleaner->parent_path, err);
    return code;
}

static void find(void *arg, struct clean_run *run)
{
    const struct file_cleaner *cleaner = arg;

    run->place = mem_printf("%s/" LIFE_PREFIX "%s", cleaner->parent_path, run->name);
}

static enum life_found look(void *arg, struct clean_run *run, bool named, struct error *err)
{
    struct file_cleaner *cleaner = arg;

    return fileset_look(cleaner->parent_fd, cleaner->parent_path, run->name,
                        FILESET_LOCK | (named ? FILESET_NAMED : 0), &cleaner->dir_fd, &run->seen,
                        err);
}

static void release(void *arg)
{
    struct file_cleaner *cleaner = arg;

    if (cleaner->dir_fd >= 0)
        close(cleaner->dir_fd);
    cleaner->dir_fd = -1;
}

/* Whatever prevents counting also prevents removal, which reports it. */
static int go_over(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err)
{
    const struct file_cleaner *cleaner = arg;
    struct fileset set = {.parent_fd = cleaner->parent_fd,
                          .parent_path = cleaner->parent_path,
                          .manifest = &run->seen.manifest};
    struct error ignored = ERROR_INIT;

    if (run->seen.found != LIFE_READ) { /* killed between mkdir and completing its first manifest */
        if (way == LIFE_REMOVE &&
            ((unlinkat(cleaner->dir_fd, LIFE_FIRST, 0) != 0 && errno != ENOENT) ||
             unlinkat(cleaner->parent_fd, strrchr(run->place, '/') + 1, AT_REMOVEDIR) != 0))
            return error_set(err, STATUS_TARGET, errno, "cannot remove", run->place);
        return 0;
    }
    if (way == LIFE_COUNT) {
        (void)fileset_go_over(&set, way, tally, &ignored);
        return 0;
    }
    if (way == LIFE_REMOVE)
        fileset_hold(&set, cleaner->dir_fd);
    return fileset_go_over(&set, way, tally, err);
}

static int open_target(const char *target, struct file_cleaner *cleaner, struct error *err)
{
    int fd = open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    char *name;

    cleaner->parent_path = fd < 0 ? NULL : realpath(target, NULL);
    cleaner->parent_fd = fd;
    if (fd < 0 || !cleaner->parent_path) {
        error_set(err, STATUS_TARGET, errno, "cannot clean", target);
        if (errno == ENOENT)
            error_explain(err, "it does not exist");
        return error_advise(err, "name the directory that was the target of the run");
    }
    /* it may be the directory of a run itself ("iosweep-..." with a manifest in it) */
    name = strrchr(cleaner->parent_path, '/');
    if (!name || strncmp(name + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) != 0 ||
        fstatat(fd, LIFE_FIRST, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return 0;
    close(fd);
    cleaner->only = mem_strdup(name + 1 + strlen(LIFE_PREFIX));
    name[name == cleaner->parent_path] = '\0';
    cleaner->parent_fd = open(cleaner->parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cleaner->parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", cleaner->parent_path);
    return 0;
}

int file_target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                      struct error *err)
{
    struct file_cleaner cleaner = {.parent_fd = -1, .dir_fd = -1, .request = request};
    struct clean_hooks hooks = {.arg = &cleaner,
                                .noun = target_file.noun,
                                .list = list,
                                .find = find,
                                .look = look,
                                .release = release,
                                .go_over = go_over};
    int code = open_target(request->target, &cleaner, err);

    hooks.only = cleaner.only;
    if (code == 0)
        code = clean_carry_out(request, &hooks, outcome, err);
    free(cleaner.parent_path);
    free(cleaner.only);
    if (cleaner.parent_fd >= 0)
        close(cleaner.parent_fd);
    return code;
}
