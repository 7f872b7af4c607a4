/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.c - removing the files of a kept run is what is measured (-r --run-name NAME --tests
 * delete): each of them once.  What is left when the rows have ended is counted, and can be removed
 * later; with the last file the run is gone, with its manifest. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"
#include "storage/fresh.h"

bool file_target_retires(const struct target_request *request)
{
    return request->existing && request->named && (request->tests & 1u << TEST_DELETE) != 0;
}

struct finder {
    struct file_target *fs;
    struct own_marks marks;
    size_t room;
};

static void add_file(struct finder *finder, const char *name, bool is_new)
{
    struct file_target *fs = finder->fs;
    struct target *target = &fs->target;
    const int fd = beneath_open(target->dir_fd, name, OS_O_LOOK, 0); /* never through a link */
    struct stat st;
    const bool ours =
        fd >= 0 && fstat(fd, &st) == 0 && own_fits(&finder->marks, &st, os_born_s(fd, ""), is_new);

    if (fd >= 0)
        close(fd);
    if (!ours)
        return;
    fs->names = mem_grow(fs->names, &finder->room, target->object_count + 1, sizeof(*fs->names));
    fs->names[target->object_count++] = mem_strdup(name);
    target->total_bytes += (uint64_t)st.st_size;
}

/* What tests have made, in one of the directories for that. */
static void add_fresh(struct finder *finder, unsigned thread)
{
    char path[sizeof(FRESH_DIRECTORY) + 16], *name;
    const struct dirent *entry;
    DIR *dir;
    int fd;

    snprintf(path, sizeof(path), FRESH_DIRECTORY "/t%u", thread);
    fd = beneath_open(finder->fs->target.dir_fd, path, O_RDONLY | O_DIRECTORY, 0);
    dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) != NULL)
        if (fresh_is_name(entry->d_name)) {
            name = mem_printf("%s/%s", path, entry->d_name);
            add_file(finder, name, true);
            free(name);
        }
    closedir(dir);
}

static void find_files(struct file_target *fs)
{
    const uint64_t files = fileset_files(&fs->layout);
    struct finder finder = {.fs = fs};
    char name[FILESET_NAME_MAX];

    own_learn(&finder.marks, fs->target.dir_fd, &fs->layout);
    for (uint64_t i = 0; i < files; i++)
        add_file(&finder, fileset_name(&fs->layout, i, name, sizeof(name)), false);
    for (unsigned i = 0; i < fs->layout.threads; i++)
        add_fresh(&finder, i);
    fs->target.name = (const char *const *)fs->names;
}

/* Operations of a row have one size, though removing asks for none: that of the files. */
static void set_lengths(struct file_target *fs)
{
    struct target *target = &fs->target;

    fs->lengths = mem_calloc(target->object_count, sizeof(*fs->lengths));
    for (uint32_t i = 0; i < target->object_count; i++)
        fs->lengths[i] = fs->layout.file_bytes;
    target->length_bytes = fs->lengths;
}

int file_target_open_retired(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;

    if (file_target_enter_kept(fs, err) != 0)
        return -1;
    find_files(fs);
    if (target->object_count == 0)
        return error_refuse(err, STATUS_TARGET, "no file is left in run", fs->layout.run_name,
                            "iosweep clean --run-name %s removes the rest of it",
                            fs->layout.run_name);
    set_lengths(fs);
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " file%s of a kept run", target->object_count,
                                     target->object_count == 1 ? "" : "s");
    target_retired_begin(&fs->retired, target->object_count);
    target->retired = &fs->retired;
    return file_target_take_over(fs, err);
}

uint64_t file_target_left(const struct target *target, enum io_test test, uint64_t size_bytes)
{
    (void)size_bytes;
    if (!target->retired || test != TEST_DELETE)
        return UINT64_MAX;
    return target_retired_left(target->retired);
}

int file_target_end_retired(struct file_target *fs, struct error *err)
{
    struct fileset_tally left = {0};
    char place[1024], label[1024];

    if (fileset_count(fs->parent_fd, fs->parent_path, &fs->layout, &left, err) != 0)
        return -1;
    if (left.files == 0 && fileset_remove_known(fs->parent_fd, fs->parent_path, &fs->layout,
                                                fs->target.dir_fd, &left, err) == 0)
        return 0;
    file_target_give_back(fs);
    if (left.files == 0)
        return -1;
    log_info(
        "# %" PRIu64 " file%s of the run %s left in %s; to remove %s: iosweep clean --run-name "
        "%s %s",
        left.files, left.files == 1 ? "" : "s", left.files == 1 ? "is" : "are",
        error_printable(fs->target.place, place, sizeof(place)), left.files == 1 ? "it" : "them",
        fs->layout.run_name, error_printable(fs->target.request->target, label, sizeof(label)));
    return 0;
}
