/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - --reuse: the files of a run that was kept are written over.  They are those that its
 * manifest names and that are there, complete, as its creator left them; none is made, none becomes
 * longer or shorter, and the manifest goes on naming all of them. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"

/* With --verify a file that lacks something is to be found, not to be left out; but one that
 * somebody has put there is never written over. */
static bool is_usable(const struct file_target *fs, const struct own_marks *marks, const char *name)
{
    struct stat st;

    if (fstatat(fs->target.dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return fs->target.request->verify;
    return own_fits(marks, &st, os_born_s(fs->target.dir_fd, name), false) &&
           (fs->target.request->verify || (uint64_t)st.st_size == fs->layout.file_bytes);
}

void file_target_find_kept(struct file_target *fs)
{
    const uint64_t made = fs->layout.files_made;
    struct own_marks marks;
    char name[FILESET_NAME_MAX];
    uint32_t count = 0;

    own_learn(&marks, fs->target.dir_fd, &fs->layout);
    file_target_set_objects(fs, (uint32_t)(made > 0 ? made : 1));
    file_target_set_names(fs);
    for (uint64_t i = 0; i < made; i++) {
        fileset_name(&fs->layout, i, name, sizeof(name));
        if (!is_usable(fs, &marks, name))
            continue;
        fs->names[count] = mem_strdup(name);
        fs->lengths[count++] = fs->layout.file_bytes;
    }
    fs->target.object_count = count;
    fs->target.total_bytes = count * fs->layout.file_bytes;
}

static void describe(struct file_target *fs)
{
    struct target *target = &fs->target;
    const uint64_t files = fileset_files(&fs->layout);
    char size[UNITS_TEXT];

    target->description = mem_printf("%" PRIu32 " %s of %s of a kept run", target->object_count,
                                     target->object_count == 1 ? "file" : "files",
                                     units_format_size(fs->layout.file_bytes, size));
    if (target->object_count == files)
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
    file_target_find_kept(fs);
    if (target->object_count == 0)
        return error_refuse(err, STATUS_TARGET, "no complete file in run", fs->layout.run_name,
                            "it ended while creating them; iosweep clean --run-name %s removes it",
                            fs->layout.run_name);
    file_target_set_file_system(target, target->dir_fd);
    describe(fs);
    if (file_target_know_objects(fs, err) != 0 || know_content(fs, err) != 0)
        return -1;
    fs->kept = true;
    return 0;
}
