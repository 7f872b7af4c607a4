/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* members.c - the files of a run that are there, by the names that its manifest can have: those of
 * its layout, and what operations made beside them. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"
#include "storage/fresh.h"

struct finder {
    int dir_fd; /* of the run */
    const struct life_manifest *manifest;
    struct members *members;
    const struct target *target; /* for messages, and its stop */
    struct own_marks marks;
};

/* Never through a link, and a FIFO does not block. */
static int open_member(struct finder *finder, const char *name)
{
    const bool ours = finder->members->ours;
    const int flags = ours ? OS_O_LOOK : O_RDONLY | O_NONBLOCK;
    const int fd = beneath_open(finder->dir_fd, name, flags | (ours ? 0 : OS_O_NOATIME), 0);

    finder->members->noatime = finder->members->noatime && fd >= 0 && OS_O_NOATIME != 0;
    return fd == -EPERM ? beneath_open(finder->dir_fd, name, flags, 0) : fd;
}

/* index: of a file of the layout. */
static bool fits(const struct finder *finder, int fd, const struct stat *st, uint64_t index,
                 bool is_new)
{
    const struct members *members = finder->members;

    if (members->size_bytes > 0 && (uint64_t)st->st_size != members->size_bytes)
        return false;
    if (!members->ours)
        return S_ISREG(st->st_mode) && st->st_size > 0;
    if (members->removes ? !is_new && own_is_changed(finder->manifest, index, st)
                         : is_new && st->st_size == 0)
        return false;
    return own_fits(&finder->marks, st, os_born_s(fd, ""), is_new);
}

static bool is_stopped(const struct finder *finder)
{
    return flag_read(finder->target->request->stop) != 0;
}

static void note_away(struct members *members, int code)
{
    if (members->away == 0)
        members->away = -code;
}

/* Returns 0, or -errno where a link or a mount is in the way. */
static int add_file(struct finder *finder, const char *name, uint64_t index, bool is_new)
{
    struct members *members = finder->members;
    const bool noatime = members->noatime;
    const int fd = open_member(finder, name);
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && fits(finder, fd, &st, index, is_new) &&
        (!members->given_out || st.st_nlink == 1))
        life_objects_add(&members->found, mem_strdup(name), (uint64_t)st.st_size);
    else
        members->noatime = noatime;
    if (fd < 0 && fd != -ENOENT && members->errnum == 0)
        members->errnum = -fd;
    if (fd >= 0)
        close(fd);
    return fd == -ELOOP || fd == -EXDEV ? fd : 0;
}

/* In the order of their numbers. */
static int shorter_first(const void *a, const void *b)
{
    const char *one = ((const struct life_object *)a)->name;
    const char *other = ((const struct life_object *)b)->name;
    const size_t length = strlen(one), other_length = strlen(other);

    return length != other_length ? (length < other_length ? -1 : 1) : strcmp(one, other);
}

static bool was_given_out(const struct finder *finder, unsigned thread, const char *name)
{
    const struct target_fresh *given_out = finder->members->given_out;
    uint64_t number;

    return !given_out || (name[0] == FRESH_NAME && number_read(name + 1, &number) &&
                          number < given_out[thread].next);
}

/* What operations have made, in the directory of a thread.  Returns 0 or -errno. */
static int add_new(struct finder *finder, unsigned thread)
{
    struct life_objects *found = &finder->members->found;
    const size_t before = found->count;
    char path[sizeof(FRESH_DIRECTORY) + 16], name[sizeof(path) + NAME_MAX + 2];
    struct fileset_listing listing;
    const char *entry;
    int code = 0, fd;

    snprintf(path, sizeof(path), FRESH_DIRECTORY "/t%u", thread);
    fd = beneath_open(finder->dir_fd, path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return fd;
    fileset_list_begin(&listing, fd);
    while (!is_stopped(finder) && (code = fileset_list_next(&listing, &entry)) > 0)
        if (fresh_is_name(entry) && was_given_out(finder, thread, entry)) {
            snprintf(name, sizeof(name), "%s/%s", path, entry);
            (void)add_file(finder, name, 0, true);
        }
    fileset_list_end(&listing);
    close(fd);
    if (found->count > before)
        qsort(found->object + before, found->count - before, sizeof(*found->object), shorter_first);
    return code < 0 ? code : 0;
}

int file_target_find_members(const struct target *target, int dir_fd,
                             const struct life_manifest *manifest, struct members *members,
                             struct error *err)
{
    struct finder finder = {
        .dir_fd = dir_fd, .manifest = manifest, .members = members, .target = target};
    char name[FILESET_NAME_MAX];

    members->noatime = true;
    own_learn(&finder.marks, dir_fd, manifest);
    for (uint64_t i = 0; i < members->files && !is_stopped(&finder); i++)
        note_away(members,
                  add_file(&finder, fileset_name(manifest->set, i, name, sizeof(name)), i, false));
    for (unsigned i = 0; i < members->threads && !is_stopped(&finder); i++)
        note_away(members, add_new(&finder, i));
    return is_stopped(&finder)
               ? error_set(err, STATUS_PARTIAL, EINTR,
                           "interrupted while looking for files of the run in", target->place)
               : 0;
}
