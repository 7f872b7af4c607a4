/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* runs.c - the directory that -r reads: any files in it, or a run by its manifest, which describes
 * its files, their length, and how many of them were complete at its end.  An existing tree is
 * never written.  Also names of runs that are in use, or missing. */
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
#include "engine/file.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/file/walk.h"

static bool named_like_run(const char *name)
{
    return strlen(name) > strlen(LIFE_PREFIX) &&
           strncmp(name, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
}

void file_target_note_partial(struct file_target *fs, uint64_t found, const char *done)
{
    struct target *target = &fs->target;
    const struct life_set *set = fs->manifest.set;

    if (set->made == 0 || found >= set->count)
        return;
    text_add(target->notes, sizeof(target->notes), ";", "partial:%" PRIu64 "/%" PRIu32, found,
             set->count);
    if (life_choice_told(target->request))
        log_warn("run %s is not complete: only %" PRIu64 " of its %" PRIu32
                 " files exist and are %s",
                 fs->manifest.run_name, found, set->count, done);
}

static char *run_path(const char *parent_path, const char *run_name)
{
    return mem_printf("%s/" LIFE_PREFIX "%s", strcmp(parent_path, "/") == 0 ? "" : parent_path,
                      run_name);
}

void file_target_place_run(struct file_target *fs, const char *run_name)
{
    struct target *target = &fs->target;

    target->place = run_path(fs->files.parent_path, run_name);
    fs->directory = mem_strdup(target->place);
    target->dir_path = fs->directory;
}

int file_target_expect(struct file_target *fs, struct life_run *run, const char *path,
                       struct error *why, struct error *err)
{
    int code;

    if (run->found == LIFE_INVALID && !error_is_set(why))
        error_refuse(why, STATUS_TARGET, "", "", "it has no iosweep manifest");
    code = life_expect(run, fs->target.request, target_file.noun, path, why, err);
    fs->manifest = run->manifest;
    return code;
}

/* Opens target.place for reading. */
static int open_directory(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const int fd = file_open_quietly(AT_FDCWD, fs->target.place, O_DIRECTORY | O_NOFOLLOW);

    if (fd < 0) {
        if (request->named && (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP))
            return life_refuse_missing(request->run_name, request->target, request->missing, err);
        return error_set(err, STATUS_TARGET, -fd, "cannot list",
                         request->named ? fs->target.place : request->target);
    }
    fs->target.dir_fd = fd;
    fs->directory = mem_strdup(fs->target.place);
    fs->target.dir_path = fs->directory;
    return 0;
}

/* Checks that files of the run, which are alike, can be read. */
static int try_first(struct file_target *fs, struct error *err)
{
    const int fd = walk_open(fs->target.dir_fd, fs->target.name[0], &fs->target.noatime);

    if (fd < 0)
        return error_set(err, STATUS_TARGET, -fd, "cannot open the files of run",
                         fs->manifest.run_name);
    close(fd);
    return 0;
}

/* Reads the run in target.place, by its manifest.  Other processes may read it, too, but not remove
 * it meanwhile.  Refuses a run that is alive. */
static int read_run(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    struct life_run found = {.found = LIFE_ABSENT};
    struct error why = ERROR_INIT;

    if (open_directory(fs, err) != 0)
        return -1;
    found.locked = os_lock(target->dir_fd, false) == -EWOULDBLOCK;
    if (fileset_read(target->dir_fd, target->place, NULL, &found, &why) == LIFE_ABSENT)
        found.found = LIFE_INVALID;
    if (file_target_expect(fs, &found, target->place, &why, err) != 0)
        return -1;
    if (request->tests == 1u << TEST_STAT) { /* which tests whether files exist */
        file_target_take_set(fs, fs->manifest.set->count, fs->manifest.set->size_bytes);
        return 0;
    }
    if (file_target_find_files(fs, false, err) != 0 || try_first(fs, err) != 0)
        return -1;
    if (!request->verify || target->object_count >= fs->manifest.set->made)
        file_target_note_partial(fs, target->object_count, "read"); /* otherwise it is refused */
    return 0;
}

/* ---- by name ---- */

char *file_target_clean_command(const struct file_target *fs, const char *run_name)
{
    return life_clean_command(run_name, fs->target.request->target, "");
}

int file_target_name_taken(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const char *name = request->team_name ? request->team_name : fs->manifest.run_name;
    char *path = run_path(fs->files.parent_path, fs->manifest.run_name);
    const int code = life_name_taken(request, path, file_target_clean_command(fs, name), err);

    free(path);
    return code;
}

int file_target_check_run_name(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;

    if (!request->named)
        return 0;
    if (life_check_name(request, err) != 0)
        return -1;
    if (request->existing || request->replaces || request->joins)
        return 0;
    fileset_directory_name(&fs->manifest, directory);
    return fstatat(fs->files.parent_fd, directory, &st, AT_SYMLINK_NOFOLLOW) == 0
               ? file_target_name_taken(fs, err)
               : 0;
}

/* ---- an existing tree ---- */

static int check_walk(const struct walk *walk, const char *target, bool tell, struct error *err)
{
    char *path, first[200];

    if (walk->files.count == 0 && walk->unreadable > 0) {
        path = mem_printf("%s/%s", target, walk->first_unreadable);
        error_set(err, STATUS_TARGET, walk->first_errno, "nothing can be read, not even", path);
        free(path);
        if (walk->first_errno == ENAMETOOLONG)
            return error_advise(err, "name a directory further down");
        if (walk->first_errno == EACCES)
            return error_advise(err, "ask its owner, or run as a user who can read it");
        return -1;
    }
    if (walk->files.count == 0)
        return life_refuse_nothing(target_file.noun, target, walk->empty > 0, err);
    if (walk->unreadable > 0 && tell)
        log_warn("%s: %" PRIu64
                 " files or directories cannot be read and are left out; the first: %s: %s",
                 target, walk->unreadable,
                 error_printable(walk->first_unreadable, first, sizeof(first)),
                 strerror(walk->first_errno));
    return 0;
}

static bool has_manifest(void *arg, const char *root)
{
    const struct file_target *fs = arg;
    char *path = mem_printf("%s/%s", fs->target.dir_path, root);
    const bool found = file_target_find_manifest(path, NULL);

    free(path);
    return found;
}

/* Reads all files, unless they are a run: then only that. */
static int read_any(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    const struct life_choice choice = {.arg = fs,
                                       .request = request,
                                       .noun = target_file.noun,
                                       .place = target_file.kind,
                                       .is_run = has_manifest};
    struct walk walk = {0};
    char *root = NULL, *path;
    int code = open_directory(fs, err);

    if (code == 0)
        code = walk_files(target->dir_fd, target->place, request->stop, &walk, err);
    if (code == 0)
        code = check_walk(&walk, request->target, life_choice_told(request), err);
    if (code == 0)
        code = life_choose(&choice, &walk.files, &root, err);
    if (code == 0) {
        target->noatime = walk.noatime;
        file_target_take_found(fs, &walk.files);
    } else if (code > 0) {
        path = mem_printf("%s/%s", target->place, root);
        free(target->place);
        target->place = path;
        close(target->dir_fd);
        target->dir_fd = -1;
        free(fs->directory);
        fs->directory = NULL;
        code = read_run(fs, err);
    }
    free(root);
    walk_free(&walk);
    return code;
}

int file_target_open_tree(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    char *path = target->place;
    const char *name = strrchr(path, '/') + 1;
    bool itself = named_like_run(name); /* the target is the run to read */

    if (request->writes)
        return error_refuse(err, STATUS_TARGET, "existing trees are only read:", request->target,
                            "name one file with --overwrite, or leave out -r");
    if (request->named && life_check_name(request, err) != 0)
        return -1;
    itself = itself && (request->named ? strcmp(name + strlen(LIFE_PREFIX), request->run_name) == 0
                                       : file_target_find_manifest(path, NULL));
    if (request->named && !itself) {
        target->place = run_path(path, request->run_name);
        free(path);
    }
    if ((request->named || itself ? read_run(fs, err) : read_any(fs, err)) != 0)
        return -1;
    target->resolve = OS_NO_LINKS;
    target->description = life_describe_found(target_file.noun, target);
    file_target_set_file_system(target, target->dir_fd);
    if (request->tests != 1u << TEST_STAT) /* stat allows missing files */
        file_target_look_at_extents(target);
    file_target_look_for_zeros(target);
    return request->verify ? file_target_know_kept(fs, true, err) : 0;
}

/* ---- the sizes it was made for ---- */

static bool holds_one(const char *path)
{
    const int fd = file_open_quietly(AT_FDCWD, path, O_DIRECTORY);
    struct fileset_listing listing;
    const char *name;
    unsigned count = 0;

    if (fd < 0)
        return false;
    fileset_list_begin(&listing, fd, FILESET_NAMES_MOST);
    while (count < 2 && fileset_list_next(&listing, &name) > 0)
        count += named_like_run(name);
    fileset_list_end(&listing);
    close(fd);
    return count == 1;
}

/* The user's files take precedence, so only opening the target shows what will be read; errors are
 * reported when it is opened for the run. */
int file_target_kept_sizes(const struct target_request *request, uint64_t **size_bytes,
                           size_t *count, struct error *err)
{
    char *path = realpath(request->target, NULL);
    struct target_request look = *request;
    struct error ignored = ERROR_INIT;
    struct target *target = NULL;

    (void)err;
    *count = 0;
    look.dry_run = true;
    look.plan = look.verify = false;
    if (path && (request->named || named_like_run(strrchr(path, '/') + 1) || holds_one(path)) &&
        target_file.open(&look, &target, &ignored) == 0)
        *count = life_sizes(&((const struct file_target *)target)->manifest,
                            request->tests == 1u << TEST_DELETE && file_target_retires(request),
                            size_bytes);
    (void)target_file.close(target, &ignored);
    free(path);
    return 0;
}
