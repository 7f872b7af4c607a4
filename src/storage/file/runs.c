/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* runs.c - the directory that -r reads: any files in it, or a run by its manifest, which tells
 * which files it has, how long they are, and how many of them were complete when it ended.  An
 * existing tree is never written.  And names of runs that are taken, or not there. */
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

/* Other processes may read it, too; none may remove it meanwhile. */
static int hold_run(struct file_target *fs, const char *path, struct error *err)
{
    struct life_run found = {.found = LIFE_ABSENT};
    struct error why = ERROR_INIT;

    fs->hold_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fs->hold_fd < 0 && errno != ENOENT)
        return error_set(err, STATUS_TARGET, errno, "cannot open", path);
    found.locked = fs->hold_fd >= 0 && os_lock(fs->hold_fd, false) == -EWOULDBLOCK;
    if (fs->hold_fd >= 0 && fileset_read(fs->hold_fd, path, NULL, &found, &why) == LIFE_ABSENT)
        found.found = LIFE_INVALID;
    return file_target_expect(fs, &found, path, &why, err);
}

/* All names of the manifest, there or not. */
static void name_all(const struct life_set *set, const char *root, struct life_objects *found)
{
    char name[FILESET_NAME_MAX];

    life_objects_free(found);
    for (uint64_t i = 0; i < set->count; i++)
        life_objects_add(found,
                         mem_printf("%s%s%s", root, root[0] != '\0' ? "/" : "",
                                    fileset_name(set, i, name, sizeof(name))),
                         set->size_bytes);
}

/* With --verify what is not as it should be is to be found, not to be left out; only what was never
 * complete holds nothing that could be known.  A run that had no files made beforehand has nothing
 * but what its operations made: no others are missing. */
static bool is_read(const struct file_target *fs, const char *name, uint64_t length_bytes)
{
    const struct life_manifest *manifest = &fs->manifest;
    const struct life_set *set = manifest->set;
    uint64_t thread, number;

    if (set->made == 0)
        return fileset_fresh_number(name, manifest->threads, &thread, &number);
    return fileset_number(set, name, &number) && number < set->made &&
           (fs->target.request->verify || length_bytes == set->size_bytes);
}

/* Of what is there those that are read. */
static int choose_files(struct file_target *fs, const char *root, struct walk *walk,
                        struct error *err)
{
    const size_t skipped = strlen(root) + (root[0] != '\0');
    const struct life_manifest *manifest = &fs->manifest;
    struct life_objects *found = &walk->files;
    size_t kept = 0;

    for (size_t i = 0; i < found->count; i++)
        if (is_read(fs, found->object[i].name + skipped, found->object[i].length_bytes))
            found->object[kept++] = found->object[i];
        else
            free(found->object[i].name);
    found->count = kept;
    if (fs->target.request->tests == 1u << TEST_STAT) /* which asks what is there */
        name_all(manifest->set, root, found);
    else if (kept == 0 && walk->first_errno != 0)
        return error_set(err, STATUS_TARGET, walk->first_errno, "cannot open the files of run",
                         manifest->run_name);
    else if (kept == 0)
        return life_refuse_empty(target_file.noun, manifest->run_name,
                                 file_target_clean_command(fs, manifest->run_name), err);
    else if (!fs->target.request->verify || kept >= manifest->set->made)
        file_target_note_partial(fs, kept, "read"); /* else it is refused */
    return 0;
}

/* Finds the files of the run in target.dir_path/root ("": itself, which was not walked yet) that
 * are read, and holds it against removal.  Refuses one that is alive. */
static int read_run(struct file_target *fs, const char *root, struct walk *walk, struct error *err)
{
    char *path = mem_printf("%s%s%s", fs->target.dir_path, root[0] != '\0' ? "/" : "", root);
    int code = hold_run(fs, path, err);

    if (code == 0 && root[0] == '\0')
        code = walk_files(fs->hold_fd, path, fs->target.request->stop, walk, err);
    free(path);
    return code == 0 ? choose_files(fs, root, walk, err) : -1;
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

static int know_found(struct file_target *fs, const struct life_objects *found, struct error *err)
{
    uint64_t *whole_bytes;
    int code;

    if (!fs->target.request->verify)
        return 0;
    whole_bytes = mem_calloc(found->count, sizeof(*whole_bytes));
    for (size_t i = 0; i < found->count; i++)
        whole_bytes[i] = found->object[i].length_bytes;
    code = file_target_know_kept(fs, whole_bytes, true, err);
    free(whole_bytes);
    return code;
}

static bool has_manifest(void *arg, const char *root)
{
    const struct file_target *fs = arg;
    char *path = mem_printf("%s/%s", fs->target.dir_path, root);
    const bool found = file_target_find_manifest(path, NULL);

    free(path);
    return found;
}

/* All that there is, unless that is a run. */
static int find_any(struct file_target *fs, struct walk *walk, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const struct life_choice choice = {.arg = fs,
                                       .request = request,
                                       .noun = target_file.noun,
                                       .place = target_file.kind,
                                       .above = "",
                                       .is_run = has_manifest};
    char *root = NULL;
    int code = walk_files(fs->target.dir_fd, fs->target.place, request->stop, walk, err);

    if (code == 0)
        code = check_walk(walk, request->target, life_choice_told(request), err);
    if (code == 0)
        code = life_choose(&choice, &walk->files, &root, err);
    if (code > 0)
        code = read_run(fs, root, walk, err);
    free(root);
    return code;
}

int file_target_open_tree(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const char *name = strrchr(fs->target.place, '/') + 1;
    char *parent_path = fs->target.place;
    struct walk walk = {0};
    bool itself = named_like_run(name); /* the target is the run that is read */
    int code;

    if (request->writes)
        return error_refuse(err, STATUS_TARGET, "existing trees are only read:", request->target,
                            "name one file with --overwrite, or leave out -r");
    if (request->named && life_check_name(request, err) != 0)
        return -1;
    itself = itself && (request->named ? strcmp(name + strlen(LIFE_PREFIX), request->run_name) == 0
                                       : file_target_find_manifest(parent_path, NULL));
    if (request->named && !itself) {
        fs->target.place = run_path(parent_path, request->run_name);
        free(parent_path);
    }
    fs->target.dir_fd = file_open_quietly(AT_FDCWD, fs->target.place,
                                          O_DIRECTORY | (request->named ? O_NOFOLLOW : 0));
    if (fs->target.dir_fd < 0) {
        code = -fs->target.dir_fd;
        fs->target.dir_fd = -1;
        if (request->named && (code == ENOENT || code == ENOTDIR || code == ELOOP))
            return life_refuse_missing(request->run_name, request->target, request->missing, err);
        return error_set(err, STATUS_TARGET, code, "cannot list",
                         request->named ? fs->target.place : request->target);
    }
    fs->directory = mem_strdup(fs->target.place);
    fs->target.dir_path = fs->directory;
    code = request->named || itself ? read_run(fs, "", &walk, err) : find_any(fs, &walk, err);
    if (code == 0) {
        fs->target.resolve = OS_NO_LINKS;
        fs->target.noatime = walk.noatime;
        file_target_take_found(fs, &walk.files);
        fs->target.description = life_describe_found(target_file.noun, &fs->target);
        file_target_set_file_system(&fs->target, fs->target.dir_fd);
        if (request->tests != 1u << TEST_STAT) /* of which not all need be there */
            file_target_look_at_extents(&fs->target);
        file_target_look_for_zeros(&fs->target);
        code = know_found(fs, &walk.files, err);
    }
    walk_free(&walk);
    return code;
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

/* Files of the user come first, so only a look at what is opened tells what is read; what is wrong
 * with it will be said when it is opened to be read. */
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
