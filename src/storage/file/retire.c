/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.c - removing the files of a kept run is what is measured (-r --run-name NAME --tests
 * delete): each of them once.  What is left when the rows have ended is counted, and can be removed
 * later; with the last file the run is gone, with its manifest. */
#include "base/compat.h"

#include <inttypes.h>

#include "storage/file/driver.h"

bool file_target_retires(const struct target_request *request)
{
    return request->existing && request->named && (request->tests & 1u << TEST_DELETE) != 0;
}

int file_target_open_retired(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;

    if (file_target_enter_kept(fs, err) != 0)
        return -1;
    if (file_target_find_kept(fs, true, err) != 0)
        return -1;
    file_target_set_file_system(target, target->dir_fd);
    file_target_describe_kept(fs);
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
    struct error ignored = ERROR_INIT; /* what is in the way of counting is in that of removing */
    int code = 0;

    fs->manifest.state.running = false; /* and what is left has its length */
    (void)fileset_count(fs->parent_fd, fs->parent_path, &fs->manifest, &left, &ignored);
    if (left.files == 0) {
        code = fileset_remove_known(fs->parent_fd, fs->parent_path, &fs->manifest,
                                    fs->target.dir_fd, &left, err);
        if (code == 0)
            return 0;
    }
    file_target_give_back(fs);
    if (left.files > 0)
        life_tell_left(target_file.noun, left.files, fs->target.place,
                       file_target_clean_command(fs, fs->manifest.run_name));
    return code;
}
