/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_remove.c - removes the directory of test files, and knows what this process has made.
 *
 * What is made is noted in a fixed table (`live`), so that it can be removed even when no memory is
 * left.  Removal needs nothing but the layout: it goes down through descriptors of real directories
 * and unlinks the names the layout yields.  Whatever else lies there is left and reported, and then
 * the manifest stays too, so that `iosweep clean` can finish later. */
#include "base/compat.h"

#include "storage/file/fileset.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/number.h"
#include "base/pace.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/own.h"
#include "storage/fresh.h"

#define LIVE_MAX   64u
#define LISTED_MAX 4096 /* bytes of a manifest that can be put again */

/* ---- what this process made and has not removed yet ---- */

static struct live {
    bool used;
    int parent_fd;
    dev_t device; /* of the directory itself: nothing else of that name is touched */
    ino_t inode;
    struct life_manifest manifest; /* with the set that follows */
    struct life_set set;
    const struct file_known *known; /* what each file is, or NULL */
} live_table[LIVE_MAX];

static bool same_directory(int fd, int other_fd)
{
    struct stat a, b;

    return fstat(fd, &a) == 0 && fstat(other_fd, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static struct live *live_find(int parent_fd, const struct life_manifest *manifest)
{
    for (struct live *live = live_table; live < live_table + LIVE_MAX; live++)
        if (live->used && strcmp(live->manifest.run_name, manifest->run_name) == 0 &&
            same_directory(live->parent_fd, parent_fd))
            return live;
    return NULL;
}

void fileset_live_add(int parent_fd, int dir_fd, const struct life_manifest *manifest)
{
    struct stat st;

    for (struct live *live = live_table; live < live_table + LIVE_MAX; live++) {
        if (live->used)
            continue;
        if (fstat(dir_fd, &st) != 0)
            return;
        live->parent_fd = fcntl(parent_fd, F_DUPFD_CLOEXEC, 0);
        if (live->parent_fd < 0)
            return;
        live->device = st.st_dev;
        live->inode = st.st_ino;
        live->manifest = *manifest;
        live->set = *manifest->set;
        live->manifest.set = &live->set;
        live->known = NULL;
        live->used = true;
        return;
    }
}

static void live_drop(struct live *live)
{
    if (!live)
        return;
    close(live->parent_fd);
    live->used = false;
}

void fileset_know(int parent_fd, const struct life_manifest *manifest,
                  const struct file_known *known)
{
    struct live *live = live_find(parent_fd, manifest);

    if (live)
        live->known = known;
}

void fileset_keep(int parent_fd, const struct life_manifest *manifest)
{
    live_drop(live_find(parent_fd, manifest));
}

/* ---- removal ---- */

struct remover {
    const struct life_manifest *manifest;
    unsigned levels, width;
    dev_t device;
    bool look_only;                 /* count, remove nothing */
    bool strict;                    /* look_only: what removing would leave fails */
    bool abandons;                  /* nothing may be allocated */
    bool made;                      /* this process has made the run */
    const struct file_known *known; /* what each file is, or NULL */
    struct own_marks marks;
    struct fileset_tally *tally;
    uint64_t gone; /* files, for progress */
    struct pace pace;
    bool failed;
    struct error *err;
    char path[PATH_MAX]; /* of the directory being emptied, for messages */
};

static void removal_failed(struct remover *remover, int errnum, const char *name)
{
    char object[PATH_MAX + NAME_MAX + 2];

    remover->failed = true;
    snprintf(object, sizeof(object), "%s%s%s", remover->path, name[0] == '\0' ? "" : "/", name);
    error_set(remover->err, STATUS_TARGET, errnum, "cannot remove", object);
    error_advise(remover->err, "iosweep clean removes what is left");
}

static void leave_in_place(struct remover *remover, const char *name, const char *why,
                           const char *advice)
{
    char object[PATH_MAX + NAME_MAX + 2];
    char action[64];

    if (!remover->failed) {
        snprintf(object, sizeof(object), "%s/%s", remover->path, name);
        snprintf(action, sizeof(action), "left in place, %s:", why);
        error_set(remover->err, STATUS_TARGET, 0, action, object);
        error_advise(remover->err, "%s", advice);
    }
    remover->failed = true;
}

/* The user does not want to wait for the rest; `clean` finds it again. */
static bool is_stopped(struct remover *remover)
{
    if (!remover->tally->stop || flag_read(remover->tally->stop) == 0)
        return false;
    if (!remover->failed)
        error_set(remover->err, STATUS_PARTIAL, EINTR, "interrupted in", remover->path);
    remover->failed = true;
    return true;
}

static void removal_refused(struct remover *remover, const char *name)
{
    leave_in_place(remover, name, "not made by iosweep",
                   "move it away, then run iosweep clean on the target");
}

static void removal_blocked(struct remover *remover, const char *name)
{
    leave_in_place(remover, name, "it is a mount point",
                   "unmount it, then run iosweep clean on the target");
}

static bool is_mount_point(int dir_fd, const char *name)
{
    struct beneath_id above, id;

    return beneath_look(dir_fd, "", &above) == 0 && beneath_look(dir_fd, name, &id) == 0 &&
           !beneath_same_mount(&above, &id);
}

/* Unlinks one file; a name that is gone is fine, a directory in its place is not ours.  True when
 * it was there and is gone. */
static bool remove_file(struct remover *remover, int dir_fd, const char *name)
{
    struct stat st;
    int code;

    if (unlinkat(dir_fd, name, 0) == 0) {
        remover->gone++;
        if (pace_due(&remover->pace))
            log_progress("removing: %" PRIu64 " files so far", remover->gone);
        return true;
    }
    if (errno == ENOENT)
        return false;
    code = errno;
    if (is_mount_point(dir_fd, name))
        removal_blocked(remover, name);
    else if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
        removal_refused(remover, name);
    else
        removal_failed(remover, code, name);
    return false;
}

/* This process has made another file of that name. */
static bool is_another(const struct remover *remover, const struct stat *st, uint64_t index)
{
    const uint64_t known = !remover->known ? 0 : remover->known[index].inode;

    return known != 0 && known != st->st_ino;
}

/* One file of the layout: counts it, and removes it unless there is only to be looked.  False: it
 * is not there. */
static bool take_file(struct remover *remover, int dir_fd, const char *name, uint64_t index)
{
    struct stat st;
    const bool there = fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    const bool fits = there && own_fits(&remover->marks, &st, os_born_s(dir_fd, name), false);
    const bool changed = fits && !remover->made && !remover->tally->force &&
                         own_is_changed(remover->manifest, index, &st);

    if (changed) {
        leave_in_place(remover, name, "shorter than the run made it",
                       "check it, remove it by hand and clean again; iosweep clean --force "
                       "removes what is merely shorter than the run made it");
    } else if (there && (!fits || is_another(remover, &st, index))) {
        if (is_mount_point(dir_fd, name))
            removal_blocked(remover, name);
        else if (!fits)
            removal_refused(remover, name);
        else /* `clean` takes it for ours */
            leave_in_place(remover, name, "not made by iosweep",
                           "move it away first: iosweep clean removes whatever has that name");
    } else if (there && (remover->look_only || remove_file(remover, dir_fd, name))) {
        remover->tally->files++;
        remover->tally->bytes += (uint64_t)st.st_size;
    }
    return there;
}

/* Nothing may be left in the directory being emptied; in the top one, but for manifests. */
static void expect_nothing(struct remover *remover, int dir_fd, bool is_top)
{
    char name[NAME_MAX + 1];
    const int found = fileset_first_entry(dir_fd, !is_top, name);

    if (found > 0)
        removal_refused(remover, name);
    else if (found < 0 && found != -ENOENT) /* somebody else has removed it meanwhile */
        removal_failed(remover, -found, "");
}

/* "f7", of 8 or more. */
static bool is_numbered(const char *name, char letter, uint64_t count)
{
    char digits[NUMBER_BYTES];
    uint64_t number;

    if (name[0] != letter || !number_read(name + 1, &number) || number >= count)
        return false;
    return strcmp(name + 1, number_text(number, digits)) == 0;
}

/* Where removing expects nothing afterwards, only names of the layout may be,
 * and no mount point. */
static void expect_numbered(struct remover *remover, int dir_fd, char letter, uint64_t count,
                            bool is_top)
{
    struct fileset_listing listing;
    const char *name;
    uint64_t number;
    int code = 0;

    fileset_list_begin(&listing, dir_fd);
    while (!is_stopped(remover) && (code = fileset_list_next(&listing, &name)) > 0) {
        if (!is_numbered(name, letter, count) &&
            !(is_top && (life_is_manifest(name, &number) ||
                         (remover->manifest->threads > 0 && strcmp(name, FRESH_DIRECTORY) == 0))))
            removal_refused(remover, name);
        else if (is_mount_point(dir_fd, name))
            removal_blocked(remover, name);
    }
    fileset_list_end(&listing);
    if (code < 0)
        removal_failed(remover, -code, "");
}

/* Goes through what operations have made in an open directory: regular files with names of
 * fresh.h that bear the marks of the run.  Whatever else is there stays.  Returns how many were
 * removed. */
static uint64_t take_fresh(struct remover *remover, int dir_fd)
{
    struct fileset_listing listing;
    uint64_t removed = 0;
    const char *name;
    int code = 0;

    fileset_list_begin(&listing, dir_fd);
    while (!is_stopped(remover) && (code = fileset_list_next(&listing, &name)) > 0) {
        struct stat st;

        if (!fresh_is_name(name) || !own_is(&remover->marks, dir_fd, name, true, &st)) {
            if (remover->strict)
                removal_refused(remover, name);
            continue;
        }
        if (!remover->look_only && !remove_file(remover, dir_fd, name))
            continue;
        removed += !remover->look_only;
        remover->tally->files++;
        remover->tally->bytes += (uint64_t)st.st_size;
    }
    fileset_list_end(&listing);
    if (code < 0)
        removal_failed(remover, -code, "");
    return removed;
}

/* Opens a directory of the tree; -1 when there is nothing to do in it. */
static int remover_enter(struct remover *remover, int dir_fd, const char *name)
{
    struct stat st;
    int fd = beneath_open(dir_fd, name, FILESET_DIRECTORY_FLAGS, 0);

    if (fd < 0) {
        const int code = -fd;

        if (code == EXDEV)
            removal_blocked(remover, name);
        else if (code == ENOTDIR || code == ELOOP)
            removal_refused(remover, name);
        else if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
            removal_failed(remover, code, name); /* there, or not known to be gone */
        return -1;
    }
    if (fstat(fd, &st) != 0 || st.st_dev != remover->device) {
        removal_refused(remover, name); /* a file system within ours, such as a subvolume */
        close(fd);
        return -1;
    }
    return fd;
}

static void remove_directory(struct remover *remover, int dir_fd, const char *name)
{
    if (unlinkat(dir_fd, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        removal_failed(remover, errno, name);
}

/* Where a name is missing, all others may be: a set of files that was begun is not gone through to
 * the end of what it might have become. */
static bool is_emptied(const struct remover *remover, int dir_fd, unsigned level)
{
    char name[NAME_MAX + 1];

    return !remover->look_only && fileset_first_entry(dir_fd, level > 1, name) == 0;
}

static char letter_of(const struct remover *remover, unsigned level)
{
    return level == remover->levels ? 'f' : 'd';
}

/* Empties one directory of level `level` (the top is 1); before: how many directories or files of
 * the level stand before its own.  Bounded by LIFE_LEVELS_MAX. */
static void remove_level(struct remover *remover, int dir_fd, unsigned level, uint64_t before)
{
    size_t path_length = strlen(remover->path);
    char name[NAME_MAX + 1];
    bool gap = false;

    for (unsigned i = 0; i < remover->width && !is_stopped(remover); i++) {
        int fd = -1;

        snprintf(name, sizeof(name), "%c%u", letter_of(remover, level), i);
        if (level == remover->levels ? !take_file(remover, dir_fd, name, before + i)
                                     : (fd = remover_enter(remover, dir_fd, name)) < 0) {
            if (!gap && is_emptied(remover, dir_fd, level))
                return;
            gap = true;
        }
        if (fd < 0)
            continue;
        remover->tally->directories++;
        snprintf(remover->path + path_length, sizeof(remover->path) - path_length, "/%s", name);
        remove_level(remover, fd, level + 1, (before + i) * remover->width);
        if (remover->strict)
            expect_numbered(remover, fd, letter_of(remover, level + 1), remover->width, false);
        if (!remover->look_only)
            expect_nothing(remover, fd, false);
        remover->path[path_length] = '\0';
        close(fd);
        if (remover->look_only)
            continue;
        snprintf(name, sizeof(name), "d%u", i);
        if (!remover->failed)
            remove_directory(remover, dir_fd, name);
        else
            (void)unlinkat(dir_fd, name, AT_REMOVEDIR); /* may hold what is left; said already */
    }
}

/* Empties a directory and removes it: that of a thread (level 1), or the one that holds those. */
static void remove_fresh(struct remover *remover, int dir_fd, const char *name, unsigned level)
{
    const size_t path_length = strlen(remover->path);
    const int fd = remover_enter(remover, dir_fd, name);
    char below[24];

    if (fd < 0)
        return;
    snprintf(remover->path + path_length, sizeof(remover->path) - path_length, "/%s", name);
    for (uint64_t i = 0; level == 0 && i < remover->manifest->threads && !is_stopped(remover);
         i++) {
        snprintf(below, sizeof(below), "t%u", (unsigned)i);
        remove_fresh(remover, fd, below, 1);
    }
    while (level == 1 && take_fresh(remover, fd) > 0)
        ; /* a directory that is changed while it is read may leave out some */
    if (remover->strict && level == 0)
        expect_numbered(remover, fd, 't', remover->manifest->threads, false);
    if (!remover->look_only)
        expect_nothing(remover, fd, false);
    remover->path[path_length] = '\0';
    close(fd);
    if (!remover->look_only && !remover->failed)
        remove_directory(remover, dir_fd, name);
    else if (!remover->look_only)
        (void)unlinkat(dir_fd, name, AT_REMOVEDIR);
}

static ssize_t read_first(int dir_fd, char *text, size_t size)
{
    const int fd =
        os_open_at(dir_fd, LIFE_FIRST, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    const ssize_t got = fd < 0 ? -1 : pread(fd, text, size, 0);

    if (fd >= 0)
        close(fd);
    return got;
}

/* Of a run that this process has made: all manifests in its directory are its own. */
static void abandon_manifests(struct remover *remover, int dir_fd)
{
    struct fileset_listing listing;
    const char *name;
    uint64_t number;

    fileset_list_begin(&listing, dir_fd);
    while (fileset_list_next(&listing, &name) > 0)
        if (life_is_manifest(name, &number))
            (void)remove_file(remover, dir_fd, name);
    fileset_list_end(&listing);
}

static void remove_manifests(struct remover *remover, int dir_fd)
{
    struct error own = ERROR_INIT;
    struct fileset_place run;
    const int code =
        life_remove(fileset_place(&run, dir_fd, remover->path, false), remover->manifest, &own);

    if (code > 0)
        removal_refused(remover, LIFE_NAME "*");
    else if (code < 0 && remover->made) /* what cannot be read can be removed */
        abandon_manifests(remover, dir_fd);
    else if (code < 0)
        removal_failed(remover, own.errnum, LIFE_FIRST);
}

/* Manifests go last and only when nothing else is left, and one comes back when the directory
 * cannot be removed: or `clean` could not finish later. */
static void remove_top(struct remover *remover, int parent_fd, int dir_fd, const char *parent_path,
                       const char *directory)
{
    char text[LISTED_MAX];
    ssize_t length;

    expect_nothing(remover, dir_fd, true);
    if (remover->failed)
        return;
    length = read_first(dir_fd, text, sizeof(text));
    if (remover->abandons)
        abandon_manifests(remover, dir_fd);
    else
        remove_manifests(remover, dir_fd);
    if (remover->failed)
        return;
    snprintf(remover->path, sizeof(remover->path), "%s", parent_path);
    remove_directory(remover, parent_fd, directory);
    if (remover->failed && length > 0 && length < (ssize_t)sizeof(text)) {
        struct error ignored = ERROR_INIT;
        struct fileset_place run;
        const struct life_place *place = fileset_place(&run, dir_fd, remover->path, false);

        (void)place->put(place->arg, LIFE_FIRST, text, (size_t)length, &ignored);
    }
}

/* Carries out what the remover is for; known_fd: the directory must be this one; -1: any, but if
 * this process made it, that one. */
static int go_through(struct remover *remover, int parent_fd, const char *parent_path, int known_fd)
{
    const struct life_manifest *manifest = remover->manifest;
    struct live *live = live_find(parent_fd, manifest);
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;
    int dir_fd, code;

    fileset_directory_name(manifest, directory);
    snprintf(remover->path, sizeof(remover->path), "%s", parent_path);
    dir_fd = beneath_open(parent_fd, directory, FILESET_DIRECTORY_FLAGS, 0);
    code = dir_fd < 0 ? -dir_fd : fstat(dir_fd, &st) != 0 ? errno : 0;
    if (code != 0) {
        if (code == EXDEV)
            removal_blocked(remover, directory);
        else if (code == ENOTDIR || code == ELOOP)
            removal_refused(remover, directory);
        else if (code != ENOENT)
            removal_failed(remover, code, directory);
    } else if ((live && (live->device != st.st_dev || live->inode != st.st_ino)) ||
               (known_fd >= 0 && !same_directory(dir_fd, known_fd))) {
        removal_refused(remover, directory);
    } else {
        remover->device = st.st_dev;
        remover->made = live != NULL;
        remover->known = !live ? NULL : live->known;
        own_learn(&remover->marks, dir_fd, manifest);
        remover->levels = manifest->set->levels > 0 ? (unsigned)manifest->set->levels : 1;
        remover->width = manifest->set->levels > 0 ? (unsigned)manifest->set->width : 1;
        remover->pace.last_ns = clock_now(&clock_monotonic); /* not of a short one */
        snprintf(remover->path, sizeof(remover->path), "%s/%s", parent_path, directory);
        if (manifest->threads > 0)
            remove_fresh(remover, dir_fd, FRESH_DIRECTORY, 0);
        if (manifest->set->count > 0)
            remove_level(remover, dir_fd, 1, 0);
        if (remover->strict)
            expect_numbered(remover, dir_fd, letter_of(remover, 1),
                            manifest->set->count > 0 ? remover->width : 0, true);
        if (!remover->look_only)
            remove_top(remover, parent_fd, dir_fd, parent_path, directory);
    }
    if (dir_fd >= 0)
        close(dir_fd);
    if (!remover->look_only)
        live_drop(live);
    return remover->failed ? -1 : 0;
}

int fileset_remove_known(int parent_fd, const char *parent_path,
                         const struct life_manifest *manifest, int known_fd,
                         struct fileset_tally *tally, struct error *err)
{
    struct remover remover = {.manifest = manifest, .tally = tally, .err = err};

    return go_through(&remover, parent_fd, parent_path, known_fd);
}

int fileset_remove(int parent_fd, const char *parent_path, const struct life_manifest *manifest,
                   struct error *err)
{
    struct fileset_tally ignored = {0};

    return fileset_remove_known(parent_fd, parent_path, manifest, -1, &ignored, err);
}

void fileset_abandon(void)
{
    for (struct live *live = live_table; live < live_table + LIVE_MAX; live++) {
        struct fileset_tally ignored = {0};
        struct error unsaid = ERROR_INIT;
        struct remover remover = {
            .manifest = &live->manifest, .abandons = true, .tally = &ignored, .err = &unsaid};

        if (live->used)
            (void)go_through(&remover, live->parent_fd, ".", -1);
    }
}

int fileset_count(int parent_fd, const char *parent_path, const struct life_manifest *manifest,
                  struct fileset_tally *tally, struct error *err)
{
    struct remover remover = {.manifest = manifest, .look_only = true, .tally = tally, .err = err};

    return go_through(&remover, parent_fd, parent_path, -1);
}

int fileset_check_removal(int parent_fd, const char *parent_path,
                          const struct life_manifest *manifest, struct error *err)
{
    struct fileset_tally ignored = {0};
    struct remover remover = {
        .manifest = manifest, .look_only = true, .strict = true, .tally = &ignored, .err = err};

    return go_through(&remover, parent_fd, parent_path, -1);
}
