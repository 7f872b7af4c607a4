/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - the `file` target driver: a directory (in which it makes our own test files), an
 * existing file or block device, or an existing tree for reading (existing.c).
 *
 * By default a user's data are never at risk.  Every refusal advises what to do instead.  Targets
 * are examined before they are opened, so that a FIFO does not block. */
#include "base/compat.h"

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
#include "base/units.h"
#include "os/beneath.h"
#include "os/memory.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/pattern.h"

#define RUN_SUFFIX_MAX 99u

/* ---- building and tearing down ---- */

void file_target_set_objects(struct file_target *fs, uint32_t count)
{
    fs->target.object_count = count;
    fs->lengths = mem_calloc(count, sizeof(*fs->lengths));
    fs->target.length_bytes = fs->lengths;
}

struct file_target *file_target_new(void)
{
    struct file_target *fs = mem_calloc(1, sizeof(*fs));

    life_heart_init(&fs->heart, &fs->manifest, &fs->target.lost, &file_target_life, fs);
    fs->files = (struct fileset){.parent_fd = -1, .manifest = &fs->manifest};
    fs->target.dir_fd = fs->hold_fd = -1;
    return fs;
}

void file_target_free(struct file_target *fs)
{
    life_heart_free(&fs->heart);
    file_target_forget_content(fs);
    life_manifest_free(&fs->manifest);
    os_mount_free(fs->counted);
    for (uint32_t i = 0; fs->names && i < fs->target.object_count; i++)
        free(fs->names[i]);
    free(fs->names);
    free(fs->numbers);
    free(fs->known);
    for (uint32_t i = 0; i < fs->target.fresh_count; i++)
        free(fs->target.fresh[i].movable);
    mem_buffer_free(fs->target.fresh);
    free(fs->lengths);
    free(fs->directory);
    free(fs->files.parent_path);
    free(fs->target.label);
    free(fs->target.place);
    free(fs->target.description);
    if (fs->target.dir_fd >= 0)
        close(fs->target.dir_fd);
    if (fs->files.parent_fd >= 0)
        close(fs->files.parent_fd);
    if (fs->hold_fd >= 0)
        close(fs->hold_fd);
    free(fs);
}

/* Facts about the file system that contains an open file, device or directory. */
void file_target_set_file_system(struct target *target, int fd)
{
    const unsigned traits = os_traits(fd);
    struct usage usage;

    usage_read(&usage);
    target->accounted = usage.io_known && (traits & OS_ACCOUNTED);
    target->in_memory = traits & OS_IN_MEMORY;
    target->close_flushes = traits & OS_CLOSE_FLUSHES;
}

/* Finds the mount once; its counters are read on demand.  They belong to the mount, and include the
 * traffic of all other processes on it. */
void file_target_find_mount(struct file_target *fs)
{
    const int dir_fd = fs->target.dir_fd >= 0 ? fs->target.dir_fd : fs->files.parent_fd;

    fs->counted = dir_fd >= 0 ? os_mount_find(dir_fd) : NULL;
}

/* ---- examining the target ---- */

static int target_missing(const struct target_request *request, int errnum, struct error *err)
{
    struct stat st;

    if (errnum == ENOENT && lstat(request->target, &st) == 0 && S_ISLNK(st.st_mode))
        return error_refuse(err, STATUS_TARGET, "dangling symbolic link:", request->target,
                            "name what it should point to");
    error_set(err, STATUS_TARGET, errnum, "cannot use", request->target);
    if (errnum == ENOENT)
        error_explain(err, "it does not exist");
    if (errnum == ENOENT && strstr(request->target, "://"))
        return error_advise(
            err, "if it is not a file, see iosweep help engines for what this build supports");
    if (errnum == ENOENT)
        return error_advise(err, request->existing
                                     ? "name an existing file, directory or block device"
                                     : "create the directory first, or name an existing one");
    return -1;
}

/* ---- our own files ---- */

/* The time did not suffice to fill all files: the existing part of the run is used. */
static void tell_reduced(struct file_target *fs)
{
    const uint64_t wanted_bytes = fs->manifest.set->count * fs->manifest.set->size_bytes;
    char made[UNITS_TEXT], wanted[UNITS_TEXT], label[1024];

    text_add(fs->target.notes, sizeof(fs->target.notes), ";", "reduced:%" PRIu64 "/%" PRIu64,
             fs->target.total_bytes, wanted_bytes);
    log_info("# %s: filling is slow here, so test files total %s instead of %s (--max-time)",
             error_printable(fs->target.request->target, label, sizeof(label)),
             units_format_bytes((double)fs->target.total_bytes, made),
             units_format_bytes((double)wanted_bytes, wanted));
}

static void describe_own(struct file_target *fs, const struct fileset_filled *filled)
{
    const uint64_t files = filled->files, directories = filled->directories;
    char size[UNITS_TEXT], below[48] = "";

    if (fs->files.unfilled) {
        fs->target.description = mem_strdup("files created by the operations");
        return;
    }
    if (directories > 0)
        snprintf(below, sizeof(below), " in %" PRIu64 " %s", directories,
                 directories == 1 ? "directory" : "directories");
    fs->target.description =
        mem_printf("%" PRIu64 " %s of %s%s", files, files == 1 ? "file" : "files",
                   units_format_size(filled->file_bytes, size), below);
}

/* The name given by the user is in use. */
static int refuse_taken(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const char *name = request->team_name ? request->team_name : fs->manifest.run_name;
    char *path = file_target_run_path(fs->files.parent_path, fs->manifest.run_name);
    const int code =
        life_name_taken(request, path, life_clean_command(name, request->target, ""), err);

    free(path);
    return code;
}

/* Checks a name chosen by the user: well formed, and not in use unless that run is replaced. */
static int check_run_name(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;

    if (!request->named)
        return 0;
    if (life_check_name(request, err) != 0)
        return -1;
    if (request->replaces || request->joins)
        return 0;
    fileset_directory_name(&fs->manifest, directory);
    return fstatat(fs->files.parent_fd, directory, &st, AT_SYMLINK_NOFOLLOW) == 0
               ? refuse_taken(fs, err)
               : 0;
}

/* Creates our directory.  A generated name that exists (the same target twice, or left by an
 * earlier run) gets a number. */
static int create_own(struct file_target *fs, struct fileset_filled *filled, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const unsigned suffix_max = request->named ? 1 : RUN_SUFFIX_MAX;
    int code = -1;

    file_target_plan_content(fs);
    for (unsigned suffix = 1; code != 0 && suffix <= suffix_max; suffix++) {
        if (suffix > 1)
            snprintf(fs->manifest.run_name, sizeof(fs->manifest.run_name), "%.52s.%u",
                     request->run_name, suffix);
        fs->manifest.seed = pattern_seed(request->seed + suffix, fs->files.parent_path);
        if (error_is_set(err))
            *err = ERROR_INIT;
        code = fileset_create(&fs->files, request, &fs->target.dir_fd, filled, err);
        if (code != 0 && err->errnum != EEXIST)
            break;
    }
    if (code != 0 && request->named && err->errnum == EEXIST && !fs->files.made)
        return refuse_taken(fs, err);
    fs->made = code == 0;
    return code;
}

/* Plans directories of threads if tests create names, and no other files if none are needed. */
static void plan_fresh(struct file_target *fs)
{
    const struct target_request *request = fs->target.request;
    bool makes = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        makes = makes || ((request->tests & 1u << test) && test_makes_names((enum io_test)test));
    fs->manifest.threads = !makes ? 0 : request->threads > 0 ? request->threads : 1;
    fs->files.empty = request->tests & 1u << TEST_FILL;
    fs->files.unfilled = target_request_makes_own(request);
}

/* The state of threads that create names. */
static int prepare_fresh(struct file_target *fs, struct error *err)
{
    const uint32_t count = (uint32_t)fs->manifest.threads;
    struct target_fresh *fresh;

    if (count == 0)
        return 0;
    fresh = mem_buffer(count * sizeof(*fresh), _Alignof(struct target_fresh), err);
    if (!fresh)
        return -1;
    memset(fresh, 0, count * sizeof(*fresh));
    for (uint32_t i = 0; i < count; i++)
        fresh[i].dir_fd = -1;
    fs->target.fresh = fresh;
    fs->target.fresh_count = count;
    return 0;
}

static int open_own(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct fileset_filled filled;

    /* A path descriptor suffices: the directory need not be readable. */
    fs->files.parent_fd = open(request->target, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->files.parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", request->target);
    fileset_plan(&fs->manifest, request);
    plan_fresh(fs);
    snprintf(fs->manifest.run_name, sizeof(fs->manifest.run_name), "%s", request->run_name);
    if (check_run_name(fs, err) != 0)
        return -1;
    /* a system call filter may allow only the older call */
    if (faccessat(fs->files.parent_fd, ".", W_OK | X_OK, AT_EACCESS) != 0 &&
        (errno != EPERM || access(fs->files.parent_path, W_OK | X_OK) != 0))
        return fileset_creation_failed(err, errno, "cannot create test files in",
                                       fs->files.parent_path);
    if (fileset_check(&fs->files, request->replaces, err) != 0 ||
        (!request->dry_run && create_own(fs, &filled, err) != 0))
        return -1;
    if (request->dry_run || fs->files.unfilled || fs->files.empty)
        filled = (struct fileset_filled){fs->manifest.set->count, target_request_length(request),
                                         fileset_directories(fs->manifest.set)};

    file_target_place_run(fs, fs->manifest.run_name);
    fs->target.ours = true;
    fs->target.writable = true;
    fs->target.resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    if (!request->dry_run && !fs->files.unfilled) {
        file_target_take_set(fs, filled.files, filled.file_bytes);
    } else {
        file_target_set_objects(fs, (uint32_t)filled.files);
        for (uint32_t i = 0; i < fs->target.object_count; i++)
            fs->lengths[i] = filled.file_bytes;
    }
    fs->target.total_bytes = fs->files.unfilled ? 0 : filled.files * filled.file_bytes;
    if (!fs->files.unfilled && (filled.files < fs->manifest.set->count ||
                                filled.file_bytes < fs->manifest.set->size_bytes))
        tell_reduced(fs);
    file_target_set_file_system(&fs->target, fs->files.parent_fd);
    describe_own(fs, &filled);
    if (!request->dry_run) {
        (void)file_target_run_place(fs);
        if (life_heart_start(&fs->heart, err) != 0 || prepare_fresh(fs, err) != 0)
            return -1;
    }
    fs->target.content_known = request->verify;
    return request->verify ? file_target_know_run(fs, err) : 0;
}

/* ---- hooks ---- */

static const char *file_lacks(const struct target *target, enum io_test test)
{
    if (test == TEST_LIST && (!target->dir_path || strcmp(target->dir_path, target->place) != 0))
        return "no_directory";
    if (target->retired && test == TEST_DELETE)
        return NULL;
    if (test_makes_names(test) && !target->fresh && !(target->ours && target->request->dry_run))
        return "no_directory";
    return NULL;
}

static uint64_t file_left(const struct target *target, enum io_test test, uint64_t size_bytes)
{
    (void)size_bytes;
    return target->retired && test == TEST_DELETE ? target_retired_left(target->retired)
                                                  : UINT64_MAX;
}

static bool file_traffic(const struct target *target, struct target_traffic *traffic)
{
    const struct file_target *fs = (const struct file_target *)target;

    return fs->counted && os_mount_traffic(fs->counted, traffic);
}

static int open_by_kind(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct stat st;
    char *path;

    if (stat(request->target, &st) != 0)
        return target_missing(request, errno, err);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
        return error_refuse(err, STATUS_TARGET,
                            S_ISCHR(st.st_mode) ? "a character device cannot be measured:"
                                                : "cannot be measured:",
                            request->target, "name a directory, a regular file or a block device");
    path = realpath(request->target, NULL);
    if (!path)
        return target_missing(request, errno, err);
    if (S_ISDIR(st.st_mode) && !request->existing) {
        fs->files.parent_path = path;
        if (request->joins && (!request->dry_run || request->reuse))
            return file_target_open_joined(fs, err);
        return request->reuse ? file_target_open_kept(fs, err) : open_own(fs, err);
    }
    if (S_ISDIR(st.st_mode) && file_target_retires(request)) {
        fs->files.parent_path = path;
        return file_target_open_kept(fs, err);
    }
    fs->target.place = path;
    if (file_target_refuse_alive(path, err) != 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return file_target_open_tree(fs, err);
    return S_ISREG(st.st_mode) ? file_target_open_file(fs, err) : file_target_open_device(fs, err);
}

static int file_open(const struct target_request *request, struct target **out, struct error *err)
{
    static const char *const aside[] = {LIFE_NAME, FRESH_DIRECTORY, NULL};
    struct file_target *fs = file_target_new();
    struct targetinfo info;
    const char *name;

    fs->target.driver = &target_file;
    fs->target.request = request;
    fs->target.label = mem_strdup(request->label ? request->label : request->target);
    *out = NULL;
    if (open_by_kind(fs, err) != 0 || (!fs->known && file_target_know_objects(fs, err) != 0)) {
        struct life_tally ignored = {0};
        struct error own = ERROR_INIT;
        const bool taken = fs->heart.beats;
        char text[1024];

        life_heart_stop(&fs->heart);
        if (fs->made && fileset_go_over(&fs->files, LIFE_REMOVE, &ignored, &own) != 0)
            log_error("%s", error_format(&own, text, sizeof(text)));
        fs->manifest.state.running = false;
        if (!fs->made && taken) /* else the run counts as dead: it is no longer locked */
            (void)life_heart_renew(&fs->heart, fs->heart.place, &own);
        file_target_free(fs);
        return -1;
    }
    file_target_find_mount(fs);
    targetinfo_read("", fs->target.place, &info);
    targetinfo_medium(&info, &fs->target.medium);
    name = fs->target.dir_path ? strrchr(fs->target.dir_path, '/') : NULL;
    if (name && strncmp(name + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0) /* that of a run */
        fs->target.aside = aside;
    *out = &fs->target;
    return 0;
}

static int file_close(struct target *target, struct error *err)
{
    struct file_target *fs = (struct file_target *)target;
    int code = 0;

    if (target && fs->heart.beats) {
        life_heart_stop(&fs->heart);
        code = life_end(&fs->heart, fs->heart.place,
                        target->retired         ? LIFE_IS_RETIRED
                        : target->request->keep ? LIFE_IS_KEPT
                                                : LIFE_IS_REMOVED,
                        err);
    }
    if (target)
        file_target_free(fs);
    return code;
}

const struct storage_driver target_file = {
    .name = "file",
    .kind = "directory",
    .noun = "file",
    .scheme = "",
    .capabilities = TARGET_FILES | TARGET_SHAPED | TARGET_CACHED | TARGET_OPENED,
    .clean = file_target_clean,
    .open = file_open,
    .open_created = file_target_open_created,
    .left = file_left,
    .kept_sizes = file_target_kept_sizes,
    .prepare = file_target_prepare,
    .before_round = file_target_before_round,
    .guard = file_target_guard,
    .lacks = file_lacks,
    .probe_direct = file_target_probe_direct,
    .resident = file_target_resident,
    .traffic = file_traffic,
    .make_content = file_target_make_content,
    .check_content = file_target_check_content,
    .read_back = file_target_read_back,
    .close = file_close,
};
