/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* created.c - the files that test create has made so far in our own run, as a separate target: for
 * steps that use those instead of the files made for all rows.  The files are searched for on the
 * file system, so those that could not be made, or were removed again, are not included. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "storage/file/driver.h"
#include "storage/fresh.h"

struct created {
    const struct target *run;
    uint64_t size_bytes;
    struct life_objects found;
};

/* Takes files whose numbers were assigned, with one link each. */
static void visit_created(void *arg, const char *name, const struct stat *st, uint64_t index)
{
    struct created *created = arg;
    const struct target *run = created->run;
    uint64_t thread, number;

    (void)index;
    if (fileset_fresh_number(name, run->fresh_count, &thread, &number) &&
        strrchr(name, '/')[1] == FRESH_NAME && number < run->fresh[thread].next &&
        (uint64_t)st->st_size == created->size_bytes && st->st_nlink == 1)
        life_objects_add(&created->found, mem_strdup(name), created->size_bytes);
}

/* Orders by thread, then by number. */
static int by_number(const void *a, const void *b)
{
    uint64_t thread, number, other_thread, other;

    (void)fileset_fresh_number(((const struct life_object *)a)->name, UINT64_MAX, &thread, &number);
    (void)fileset_fresh_number(((const struct life_object *)b)->name, UINT64_MAX, &other_thread,
                               &other);
    return thread != other_thread ? (thread < other_thread ? -1 : 1)
                                  : (number > other) - (number < other);
}

static int take_files(struct file_target *fs, struct target *run, uint64_t size_bytes,
                      struct error *err)
{
    struct created made = {.run = run, .size_bytes = size_bytes};
    int away;
    const int code =
        fileset_visit_files(&((struct file_target *)run)->manifest, run->dir_fd, run->place,
                            FILESET_FRESH, visit_created, &made, run->request->stop, &away, err);

    if (made.found.count > 0)
        qsort(made.found.object, made.found.count, sizeof(*made.found.object), by_number);
    file_target_take_found(fs, &made.found);
    if (code != 0)
        return -1;
    if (away != 0)
        return error_set(err, STATUS_TARGET, away,
                         "cannot list the files created by test create in", run->place);
    if (fs->target.object_count == 0)
        return 0;
    if (run->request->verify && file_target_know_kept(fs, false, err) != 0)
        return -1;
    return file_target_know_objects(fs, err);
}

static int settle(struct file_target *fs, const struct target *run, struct error *err)
{
    struct target *target = &fs->target;

    target_lie_with(target, run, "files created by test create");
    fs->directory = mem_strdup(run->dir_path);
    target->dir_path = fs->directory;
    fs->files.parent_fd = fs->hold_fd = -1;
    target->dir_fd = fcntl(run->dir_fd, F_DUPFD_CLOEXEC, 0);
    if (target->dir_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", run->place);
    return 0;
}

int file_target_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             uint64_t operations, struct target **out, struct error *err)
{
    struct file_target *fs = mem_calloc(1, sizeof(*fs));

    (void)operations;
    *out = NULL;
    life_heart_init(&fs->heart, &fs->manifest, &fs->target.lost);
    if (settle(fs, run, err) != 0 || take_files(fs, run, size_bytes, err) != 0) {
        file_target_free(fs);
        return -1;
    }
    fs->target.ours = true; /* from here on no other process may change them */
    if (test_consumes(test)) {
        target_retired_begin(&fs->retired, fs->target.object_count);
        fs->target.retired = &fs->retired;
    }
    file_target_find_mount(fs);
    *out = &fs->target;
    return 0;
}
