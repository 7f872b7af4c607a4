/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - a kept run that this process takes over; or that of another rank of the same team.
 *
 * --reuse: overwrites its files.  They are those that its manifest names and that exist, complete,
 * as its creator left them, or if it made none, those that its operations made; none is created, no
 * length changes, and the manifest continues to name all of them.
 *
 * -r --run-name NAME --tests delete: the test removes its files, each of them once.  Files that are
 * left when the rows have ended are counted, and can be removed later; after the last file the run
 * is removed, with its manifest.
 *
 * A rank that joins uses the files of the rank that made and owns the run, and makes, removes or
 * marks nothing of it. */
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

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/own.h"

/* ---- renewing a run of this process (life/heartbeat.h), and ending it ---- */

int file_target_go_on(struct file_target *fs, struct error *err)
{
    struct life_heart *heart = &fs->heart;

    heart->place = fileset_place(&fs->run, fs->target.dir_fd, fs->target.place, false);
    heart->shown = fs->target.place;
    heart->stop = fs->target.request->stop;
    heart->renew_ns = LIFE_FILES_S * NS_PER_S;
    return life_heart_start(heart, err);
}

/* Takes over an existing run first of all, and records the content of its files, which is less
 * certain from then on: without --verify it is lost, and files made by operations of the run are
 * known only if it ran with --verify.  Returns 0 or -1. */
static int take_over(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const bool divided = fs->manifest.set->content == LIFE_INITIAL && fs->manifest.threads > 0;
    const enum life_content content = !request->verify ? LIFE_WRITTEN
                                      : divided        ? LIFE_DIVIDED
                                                       : LIFE_PIECES;

    if (request->dry_run)
        return 0;
    if (request->writes && fs->manifest.set->content < content)
        fs->manifest.set->content = content;
    if (life_take_over(fileset_place(&fs->run, fs->target.dir_fd, fs->target.place, false),
                       &fs->manifest, fs->target.place, err) != 0)
        return -1;
    if (file_target_go_on(fs, err) == 0)
        return 0;
    file_target_give_back(fs);
    return -1;
}

/* Test fill empties the files first, and may end before all are complete again. */
static uint32_t count_whole(const struct file_target *fs)
{
    char name[FILESET_NAME_MAX];
    struct beneath_id id;
    uint32_t whole = 0;

    while (whole < fs->manifest.set->made &&
           beneath_look(fs->target.dir_fd,
                        fileset_name(fs->manifest.set, whole, name, sizeof(name)), &id) == 0 &&
           id.bytes == fs->manifest.set->size_bytes)
        whole++;
    return whole;
}

void file_target_give_back(struct file_target *fs)
{
    struct error own = ERROR_INIT;
    char text[1024];

    if (fs->target.request->tests & 1u << TEST_FILL)
        fs->manifest.set->made = count_whole(fs);
    fs->manifest.state.running = false;
    if (fileset_go_on(fs->target.dir_fd, fs->target.place, &fs->manifest, &own) != 0)
        log_warn("the manifest does not record the end of the run: %s",
                 error_format(&own, text, sizeof(text)));
}

/* ---- using its files ---- */

struct kept {
    const struct file_target *fs;
    bool removes;
    struct life_objects found;
};

/* Files of other programs are never overwritten.  With --verify an incomplete file is kept, so that
 * the check reports it. */
static void visit_kept(void *arg, const char *name, const struct stat *st, uint64_t index)
{
    struct kept *kept = arg;
    const struct life_manifest *manifest = &kept->fs->manifest;
    const struct life_set *set = manifest->set;
    const bool is_new = index == UINT64_MAX;
    bool used;

    if (kept->removes)
        used = is_new || !own_is_changed(manifest, index, st);
    else if (is_new)
        used = set->made == 0 && st->st_size > 0;
    else
        used = index < set->made &&
               (kept->fs->target.request->verify || (uint64_t)st->st_size == set->size_bytes);
    if (used)
        life_objects_add(&kept->found, mem_strdup(name), (uint64_t)st->st_size);
}

int file_target_find_files(struct file_target *fs, bool removes, struct error *err)
{
    const struct life_manifest *manifest = &fs->manifest;
    struct target *target = &fs->target;
    const bool reads = !target->writable;
    struct kept kept = {.fs = fs, .removes = removes};
    int away;
    const int code =
        fileset_visit_files(manifest, target->dir_fd, target->place, reads ? FILESET_UNMARKED : 0,
                            visit_kept, &kept, target->request->stop, &away, err);

    life_objects_sort(&kept.found);
    file_target_take_found(fs, &kept.found);
    for (uint32_t i = 0; removes && i < target->object_count; i++)
        fs->lengths[i] = manifest->set->size_bytes; /* removal needs no size, but a row has one */
    if (code != 0)
        return -1;
    if (!reads && (away == ELOOP || away == EXDEV)) {
        error_set(err, STATUS_TARGET, away, "cannot use files of the run in", target->place);
        return error_advise(err, "nothing else may change the directory of a run");
    }
    if (target->object_count > 0)
        return 0;
    return life_refuse_empty(target_file.noun, manifest->run_name,
                             file_target_clean_command(fs, manifest->run_name), err);
}

/* Opens and examines the directory of the run that the request names.  As by its creator, its files
 * are reached without links and mounts.  Returns 0 or -1, or with err as fileset_look. */
static int enter_run(struct file_target *fs, unsigned how, struct life_run *run, struct error *err,
                     struct error *why)
{
    const struct target_request *request = fs->target.request;
    struct target *target = &fs->target;

    /* listing a directory shows files that other hosts have made in it */
    fs->files.parent_fd = open(request->target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fs->files.parent_fd < 0 && errno == EACCES)
        fs->files.parent_fd = open(request->target, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->files.parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", request->target);
    file_target_place_run(fs, request->run_name);
    (void)fileset_look(fs->files.parent_fd, fs->files.parent_path, request->run_name, how,
                       &target->dir_fd, run, why);
    if (target->dir_fd >= 0)
        fileset_hold(&fs->files, target->dir_fd);
    target->resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    return 0;
}

/* Accepts it as ours under the conditions on which `iosweep clean` would remove it, and locks it as
 * its creator does. */
static int enter_kept(struct file_target *fs, struct error *err)
{
    struct error why = ERROR_INIT;
    struct life_run run;

    fs->target.writable = true;
    if (enter_run(fs, FILESET_NAMED | FILESET_LOCK, &run, err, &why) != 0)
        return -1;
    return file_target_expect(fs, &run, fs->target.place, &why, err);
}

bool file_target_retires(const struct target_request *request)
{
    return request->existing && request->named && (request->tests & 1u << TEST_DELETE) != 0;
}

int file_target_open_kept(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const bool removes = file_target_retires(target->request);

    if (enter_kept(fs, err) != 0)
        return -1;
    target->ours = !removes;
    if (file_target_find_files(fs, removes, err) != 0)
        return -1;
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " file%s of a kept run", target->object_count,
                                     target->object_count == 1 ? "" : "s");
    file_target_note_partial(fs, target->object_count, "used");
    if (removes) {
        target_retired_begin(&fs->retired, target->object_count);
        target->retired = &fs->retired;
        return take_over(fs, err);
    }
    /* content to be read must be known before any write */
    if (file_target_know_objects(fs, err) != 0 || take_over(fs, err) != 0 ||
        (target->request->verify && file_target_know_kept(fs, true, err) != 0))
        return -1;
    fs->kept = true;
    return 0;
}

/* ---- the run of another rank ---- */

static int refuse_absent(const struct file_target *fs, struct error *err)
{
    return error_refuse(err, STATUS_TARGET,
                        "the files of another rank are missing:", fs->target.place,
                        "all ranks must see the same directory, except with --share none");
}

struct joined {
    uint64_t made, *length_bytes; /* of each file: its length + 1; 0: it is missing, or not ours */
};

static void visit_joined(void *arg, const char *name, const struct stat *st, uint64_t index)
{
    const struct joined *joined = arg;

    (void)name;
    if (index < joined->made)
        joined->length_bytes[index] = (uint64_t)st->st_size + 1;
}

/* Takes the files as their maker counts them: each has its number, and all exist that were made.
 * They are written, so each must have the marks of the run.  Test fill has yet to write them. */
static int take_joined(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const struct life_set *set = fs->manifest.set;
    const bool unwritten = request->tests & 1u << TEST_FILL;
    struct joined joined = {set->made, mem_calloc((size_t)set->made + 1, sizeof(uint64_t))};
    struct life_objects found = {.count = 0};
    char name[FILESET_NAME_MAX];
    int away, code = fileset_visit_files(&fs->manifest, fs->target.dir_fd, fs->target.place, 0,
                                         visit_joined, &joined, request->stop, &away, err);

    while (code == 0 && found.count < set->made && joined.length_bytes[found.count] > !unwritten)
        life_objects_add(&found, mem_strdup(fileset_name(set, found.count, name, sizeof(name))),
                         unwritten ? target_request_length(request)
                                   : joined.length_bytes[found.count] - 1);
    if (code == 0 && found.count < set->made) {
        char *path = mem_printf("%s/%s", fs->target.place,
                                fileset_name(set, found.count, name, sizeof(name)));
        code = error_refuse(err, STATUS_TARGET,
                            "changed since another rank of this team created it:", path,
                            "nothing else may change the directory of a run");
        free(path);
    }
    free(joined.length_bytes);
    file_target_take_found(fs, &found);
    return code != 0 ? -1 : fs->target.object_count > 0 ? 0 : refuse_absent(fs, err);
}

int file_target_open_joined(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    struct life_run run;
    char size[UNITS_TEXT];

    if (enter_run(fs, FILESET_NAMED, &run, err, err) != 0)
        return -1;
    fs->manifest = run.manifest;
    if (run.found == LIFE_ABSENT || run.found == LIFE_TORN)
        return refuse_absent(fs, err);
    target->writable = request->shared;
    if (run.found != LIFE_READ ||
        (request->reuse ? file_target_find_files(fs, false, err) : take_joined(fs, err)) != 0)
        return -1;
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " %s of %s of another rank", target->object_count,
                                     target->object_count == 1 ? "file" : "files",
                                     units_format_size(target->length_bytes[0], size));
    if (request->verify && request->reuse)
        return file_target_know_kept(fs, true, err);
    target->content_known = request->verify;
    return request->verify ? file_target_know_run(fs, err) : 0;
}

/* ---- removing its files as a test ---- */

uint64_t file_target_left(const struct target *target, enum io_test test, uint64_t size_bytes)
{
    (void)size_bytes;
    if (!target->retired || test != TEST_DELETE)
        return UINT64_MAX;
    return target_retired_left(target->retired);
}

int file_target_end_retired(struct file_target *fs, struct error *err)
{
    struct life_tally left = {0};
    struct error ignored = ERROR_INIT; /* whatever prevents counting also prevents removal */
    int code = 0;

    fs->manifest.state.running = false; /* and the files left have their length */
    (void)fileset_go_over(&fs->files, LIFE_COUNT, &left, &ignored);
    if (left.objects == 0) {
        code = fileset_go_over(&fs->files, LIFE_REMOVE, &left, err);
        if (code == 0)
            return 0;
    }
    file_target_give_back(fs);
    if (left.objects > 0)
        life_tell_left(target_file.noun, left.objects, fs->target.place,
                       file_target_clean_command(fs, fs->manifest.run_name));
    return code;
}
