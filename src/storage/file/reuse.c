/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - --reuse: the files of a run that was kept are written over.  They are those that its
 * manifest names and that are there, complete, as its creator left them, or where it had none made,
 * those that its operations made; none is made, none becomes longer or shorter, and the manifest
 * goes on naming all of them. */
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
#include "base/text.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"
#include "storage/fresh.h"

struct finder {
    struct file_target *fs;
    struct own_marks marks;
    struct walk found;
    bool removes; /* they are to be removed, whatever their lengths */
};

/* With --verify a file that lacks something is to be found, not to be left out; but one that
 * somebody has put there is never written over. */
static void add_file(struct finder *finder, const char *name, uint64_t index, bool is_new)
{
    const struct target *target = &finder->fs->target;
    const struct fileset_layout *layout = &finder->fs->layout;
    const bool verifies = target->request->verify && !finder->removes;
    const int fd = beneath_open(target->dir_fd, name, OS_O_LOOK, 0); /* never through a link */
    struct walk *found = &finder->found;
    struct stat st;
    bool usable = fd == -ENOENT && verifies;

    if (fd >= 0 && fstat(fd, &st) == 0 && own_fits(&finder->marks, &st, os_born_s(fd, ""), is_new))
        usable = finder->removes ? is_new || !own_is_changed(layout, index, &st)
                 : is_new        ? st.st_size > 0
                                 : verifies || (uint64_t)st.st_size == layout->file_bytes;
    if (usable) {
        found->files =
            mem_grow(found->files, &found->room, found->count + 1, sizeof(*found->files));
        found->files[found->count++] =
            (struct walk_file){mem_strdup(name), is_new && !finder->removes ? (uint64_t)st.st_size
                                                                            : layout->file_bytes};
    }
    if (fd >= 0)
        close(fd);
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
            add_file(finder, name, 0, true);
            free(name);
        }
    closedir(dir);
}

int file_target_find_kept(struct file_target *fs, bool removes, struct error *err)
{
    const struct fileset_layout *layout = &fs->layout;
    const uint64_t files = removes ? fileset_files(layout) : layout->files_made;
    struct finder finder = {.fs = fs, .removes = removes};
    char name[FILESET_NAME_MAX];

    own_learn(&finder.marks, fs->target.dir_fd, layout);
    for (uint64_t i = 0; i < files; i++)
        add_file(&finder, fileset_name(layout, i, name, sizeof(name)), i, false);
    for (unsigned i = 0; (removes || layout->files_made == 0) && i < layout->threads; i++)
        add_fresh(&finder, i);
    walk_sort(&finder.found);
    file_target_set_objects(fs, (uint32_t)finder.found.count);
    file_target_set_names(fs);
    for (uint32_t i = 0; i < fs->target.object_count; i++) {
        fs->names[i] = finder.found.files[i].name;
        fs->lengths[i] = finder.found.files[i].length_bytes;
        fs->target.total_bytes += fs->lengths[i];
    }
    free(finder.found.files);
    if (fs->target.object_count > 0)
        return 0;
    return error_refuse(
        err, STATUS_TARGET, removes ? "no file is left in run" : "no complete file in run",
        layout->run_name, "iosweep clean --run-name %s removes the rest of it", layout->run_name);
}

void file_target_describe_kept(struct file_target *fs)
{
    struct target *target = &fs->target;
    const uint64_t files = fs->layout.files_made > 0 ? fileset_files(&fs->layout) : 0;

    target->description = mem_printf("%" PRIu32 " file%s of a kept run", target->object_count,
                                     target->object_count == 1 ? "" : "s");
    if (target->object_count >= files)
        return;
    text_add(target->notes, sizeof(target->notes), ";", "partial:%" PRIu32 "/%" PRIu64,
             target->object_count, files);
    if (!target->request->dry_run)
        log_warn("run %s is not complete: only %" PRIu32 " of its %" PRIu64
                 " files exist and are used",
                 fs->layout.run_name, target->object_count, files);
}

int file_target_know_found(struct file_target *fs, struct error *err)
{
    uint64_t *whole_bytes = mem_calloc(fs->target.object_count, sizeof(*whole_bytes));
    int code;

    for (uint32_t i = 0; i < fs->target.object_count; i++) {
        struct stat st;

        if (fstatat(fs->target.dir_fd, fs->names[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
            whole_bytes[i] = (uint64_t)st.st_size;
    }
    code = file_target_know_kept(fs, whole_bytes, true, err);
    free(whole_bytes);
    return code;
}

/* What is read must be known before anything is written. */
static int know_content(struct file_target *fs, struct error *err)
{
    if (file_target_take_over(fs, err) != 0)
        return -1;
    return fs->target.request->verify ? file_target_know_found(fs, err) : 0;
}

int file_target_enter_kept(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct target *target = &fs->target;
    int code;

    fs->parent_fd = open(request->target, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", request->target);
    code = fileset_enter(fs->parent_fd, fs->parent_path, request->run_name, &fs->layout,
                         &target->dir_fd, err);
    if (code != 0)
        return code > 0 ? file_target_refuse_missing(fs, err) : -1;
    target->place =
        mem_printf("%s/" LIFE_PREFIX "%s", strcmp(fs->parent_path, "/") == 0 ? "" : fs->parent_path,
                   fs->layout.run_name);
    fs->directory = mem_strdup(target->place);
    target->dir_path = fs->directory;
    target->writable = true;
    target->resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    return 0;
}

int file_target_open_kept(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;

    if (file_target_enter_kept(fs, err) != 0)
        return -1;
    target->ours = true;
    if (file_target_find_kept(fs, false, err) != 0)
        return -1;
    file_target_set_file_system(target, target->dir_fd);
    file_target_describe_kept(fs);
    if (file_target_know_objects(fs, err) != 0 || know_content(fs, err) != 0)
        return -1;
    fs->kept = true;
    return 0;
}
