/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* join.c - the run of another rank of the same team, which has made it and holds it: its files are
 * used, and nothing of it is made, removed or marked here. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/units.h"
#include "os/os.h"
#include "storage/file/driver.h"

static int refuse_absent(const struct file_target *fs, struct error *err)
{
    return error_refuse(
        err, STATUS_TARGET, "the files of another rank are not there:", fs->target.place,
        "all ranks must see the same directory; --share none needs no other's files");
}

struct joined {
    uint64_t made;
    uint64_t *length_bytes; /* of each file, and 1 more; 0: it is not there */
};

static void visit_joined(void *arg, const char *name, const struct stat *st, uint64_t index)
{
    const struct joined *joined = arg;

    (void)name;
    if (index < joined->made)
        joined->length_bytes[index] = (uint64_t)st->st_size + 1;
}

/* As its maker counts them: each file has its number, and all that were made are there.  Test fill
 * has yet to write them. */
static int take_files(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const struct life_set *set = fs->manifest.set;
    const bool unwritten = request->tests & 1u << TEST_FILL;
    struct joined joined = {set->made, mem_calloc((size_t)set->made + 1, sizeof(uint64_t))};
    struct life_objects found = {.count = 0};
    char name[FILESET_NAME_MAX];
    int away, code = fileset_visit_files(&fs->files, false, visit_joined, &joined, request->stop,
                                         &away, err);

    while (code == 0 && found.count < set->made && joined.length_bytes[found.count] > !unwritten)
        life_objects_add(&found, mem_strdup(fileset_name(set, found.count, name, sizeof(name))),
                         unwritten ? target_request_length(request)
                                   : joined.length_bytes[found.count] - 1);
    if (code == 0 && found.count < set->made) {
        char *path = mem_printf("%s/%s", fs->target.place,
                                fileset_name(set, found.count, name, sizeof(name)));
        code =
            error_refuse(err, STATUS_TARGET, "not as another rank of this team has made it:", path,
                         "nothing else may change the directory of a run");
        free(path);
    }
    free(joined.length_bytes);
    file_target_take_found(fs, &found);
    life_objects_free(&found);
    return code != 0 ? -1 : fs->target.object_count > 0 ? 0 : refuse_absent(fs, err);
}

int file_target_open_joined(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    struct life_run run;
    char size[UNITS_TEXT];

    /* a directory that was listed shows what other hosts have made in it */
    fs->files.parent_fd = open(request->target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fs->files.parent_fd < 0 && errno == EACCES)
        fs->files.parent_fd = open(request->target, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->files.parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", request->target);
    file_target_place_run(fs);
    (void)fileset_look(fs->files.parent_fd, fs->files.parent_path, request->run_name, FILESET_NAMED,
                       &target->dir_fd, &run, err);
    fs->manifest = run.manifest;
    if (run.found == LIFE_ABSENT || run.found == LIFE_TORN)
        return refuse_absent(fs, err);
    if (run.found != LIFE_READ ||
        (request->reuse ? file_target_find_kept(fs, false, err) : take_files(fs, err)) != 0)
        return -1;
    target->writable = request->shared;
    target->resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " %s of %s of another rank", target->object_count,
                                     target->object_count == 1 ? "file" : "files",
                                     units_format_size(target->length_bytes[0], size));
    if (request->verify && request->reuse)
        return file_target_know_kept(fs, fs->lengths, true, err);
    target->content_known = request->verify;
    return request->verify ? file_target_know_run(fs, err) : 0;
}
