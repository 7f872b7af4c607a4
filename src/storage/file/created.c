/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* created.c - what test create has made so far in a run of our own, as a target of its own: for
 * steps that go over that and not over the files made for all rows.  The files are looked for where
 * they are, so those that could not be made, or are removed again, are none of it. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"
#include "storage/fresh.h"

#define DIRECTORY_TEXT (sizeof(FRESH_DIRECTORY) + 16)

struct created_files {
    struct file_target fs;        /* first */
    struct storage_driver driver; /* that of files, but for what the run itself has to do */
};

struct numbers { /* of the files of one thread; owned */
    uint64_t *number;
    size_t count, room;
};

struct seeker {
    const struct target *run;
    uint64_t size_bytes; /* of the files that are looked for */
    uint64_t number_end; /* those of the thread are below it */
    struct own_marks marks;
};

/* The files stay: they are the run's. */
static int close_created(struct target *target, struct error *err)
{
    (void)err;
    if (target)
        file_target_free((struct file_target *)target);
    return 0;
}

/* A file that the run has made: it bears the marks of the run, and its number was given out. */
static bool is_created(const struct seeker *seeker, int dir_fd, const char *name, uint64_t *number)
{
    struct stat st;

    return name[0] == FRESH_NAME && fresh_is_name(name) && number_read(name + 1, number) &&
           *number < seeker->number_end && own_is(&seeker->marks, dir_fd, name, true, &st) &&
           st.st_nlink == 1 && (uint64_t)st.st_size == seeker->size_bytes;
}

static int find(const struct seeker *seeker, const char *directory, struct numbers *found)
{
    const int fd = beneath_open(seeker->run->dir_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    uint64_t number;

    found->count = 0;
    if (!dir) {
        const int code = fd < 0 ? fd : -errno;

        if (fd >= 0)
            close(fd);
        return code;
    }
    while (errno = 0, (entry = readdir(dir)) != NULL)
        if (is_created(seeker, fd, entry->d_name, &number)) {
            found->number =
                mem_grow(found->number, &found->room, found->count + 1, sizeof(*found->number));
            found->number[found->count++] = number;
        }
    number = (uint64_t)errno;
    closedir(dir);
    return -(int)number;
}

static void add(struct file_target *fs, size_t *room, const char *directory,
                const struct numbers *found)
{
    struct target *target = &fs->target;
    char name[FRESH_NAME_MAX];

    if (found->count == 0)
        return;
    qsort(found->number, found->count, sizeof(*found->number), number_order);
    fs->names = mem_grow(fs->names, room, target->object_count + found->count, sizeof(*fs->names));
    for (size_t i = 0; i < found->count; i++)
        fs->names[target->object_count++] =
            mem_printf("%s/%s", directory, fresh_name(FRESH_NAME, found->number[i], name));
}

static int take_files(struct file_target *fs, const struct target *run, uint64_t size_bytes,
                      struct error *err)
{
    struct target *target = &fs->target;
    struct seeker seeker = {.run = run, .size_bytes = size_bytes};
    struct numbers found = {0};
    char directory[DIRECTORY_TEXT];
    size_t room = 0;
    int code = 0;

    own_learn(&seeker.marks, run->dir_fd, &((const struct file_target *)run)->layout);
    for (uint32_t i = 0; code == 0 && i < run->fresh_count; i++) {
        snprintf(directory, sizeof(directory), FRESH_DIRECTORY "/t%u", (unsigned)i);
        seeker.number_end = run->fresh[i].next;
        code = find(&seeker, directory, &found);
        add(fs, &room, directory, &found);
    }
    free(found.number);
    if (code != 0)
        return error_set(err, STATUS_TARGET, -code, "cannot list what test create has made in",
                         run->place);
    fs->lengths = mem_calloc(target->object_count + (size_t)1, sizeof(*fs->lengths));
    for (uint32_t i = 0; i < target->object_count; i++)
        fs->lengths[i] = size_bytes;
    target->length_bytes = fs->lengths;
    target->name = (const char *const *)fs->names;
    target->total_bytes = target->object_count * size_bytes;
    if (target->object_count == 0)
        return 0;
    if (run->request->verify && file_target_know_kept(fs, fs->lengths, false, err) != 0)
        return -1;
    return file_target_know_objects(fs, err);
}

/* It lies where the run lies. */
static int settle(struct file_target *fs, const struct target *run, struct error *err)
{
    struct target *target = &fs->target;

    target->request = run->request;
    target->label = mem_strdup(run->label);
    target->place = mem_strdup(run->place);
    target->description = mem_strdup("files that test create has made");
    fs->directory = mem_strdup(run->dir_path);
    target->dir_path = fs->directory;
    target->resolve = run->resolve;
    target->writable = true;
    target->accounted = run->accounted;
    target->in_memory = run->in_memory;
    target->close_flushes = run->close_flushes;
    target->nowait = run->nowait;
    target->direct_align_bytes = run->direct_align_bytes;
    target->memory_align_bytes = run->memory_align_bytes;
    fs->parent_fd = fs->hold_fd = -1;
    target->dir_fd = fcntl(run->dir_fd, F_DUPFD_CLOEXEC, 0);
    if (target->dir_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", run->place);
    return 0;
}

int file_target_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             uint64_t operations, struct target **out, struct error *err)
{
    struct created_files *created = mem_calloc(1, sizeof(*created));
    struct file_target *fs = &created->fs;

    (void)operations;
    *out = NULL;
    life_heart_init(&fs->heart, &fs->manifest, &fs->target.lost);
    created->driver = *run->driver;
    created->driver.close = close_created;
    fs->target.driver = &created->driver;
    if (settle(fs, run, err) != 0 || take_files(fs, run, size_bytes, err) != 0) {
        file_target_free(fs);
        return -1;
    }
    fs->target.ours = true; /* from here on: nobody else may change them */
    if (test_consumes(test)) {
        target_retired_begin(&fs->retired, fs->target.object_count);
        fs->target.retired = &fs->retired;
    }
    file_target_find_mount(fs);
    *out = &fs->target;
    return 0;
}
