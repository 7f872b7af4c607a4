/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* kept.c - the files of a run that exists, which its manifest describes, as the objects of a
 * target; they are found on the file system, so those that are gone are not included.
 *
 * -r: reads them, beside other processes that do so.  --reuse: takes over the run and overwrites
 * them, those that are complete, as their creator left them, or if it made none, those that its
 * operations made; none is created, no length changes, and the manifest continues to name all.
 *
 * -r --run-name NAME --tests delete: the test removes them, each once.  Files that are left when
 * the rows have ended are counted, and can be removed later; after the last one the run is removed,
 * with its manifest.
 *
 * A rank that joins uses the files of the rank that made and owns the run, and makes, removes or
 * marks nothing of it.  Steps over what test create has made use the files of the run itself. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/file/driver.h"

/* ---- names ---- */

char *file_target_run_path(const char *parent_path, const char *run_name)
{
    return mem_printf("%s/" LIFE_PREFIX "%s", strcmp(parent_path, "/") == 0 ? "" : parent_path,
                      run_name);
}

void file_target_place_run(struct file_target *fs, const char *run_name)
{
    struct target *target = &fs->target;

    target->place = file_target_run_path(fs->files.parent_path, run_name);
    fs->directory = mem_strdup(target->place);
    target->dir_path = fs->directory;
}

/* ---- renewing a run of this process (life/heartbeat.h), and ending it ---- */

const struct life_place *file_target_run_place(struct file_target *fs)
{
    struct life_heart *heart = &fs->heart;

    heart->place = fileset_place(&fs->run, fs->target.dir_fd, fs->target.place, false);
    heart->shown = fs->target.place;
    heart->stop = fs->target.request->stop;
    heart->renew_ns = LIFE_FILES_S * NS_PER_S;
    return heart->place;
}

/* Test fill empties the files first, and may end before all are complete again. */
static void count_whole(void *arg)
{
    struct file_target *fs = arg;
    const struct life_set *set = fs->manifest.set;
    char name[FILESET_NAME_MAX];
    struct beneath_id id;
    uint32_t whole = 0;

    if (!(fs->target.request->tests & 1u << TEST_FILL))
        return;
    while (whole < set->made &&
           beneath_look(fs->target.dir_fd, fileset_name(set, whole, name, sizeof(name)), &id) ==
               0 &&
           id.bytes == set->size_bytes)
        whole++;
    fs->manifest.set->made = whole;
}

static int go_over(void *arg, enum life_way way, struct life_tally *tally, struct error *err)
{
    struct file_target *fs = arg;

    return fileset_go_over(&fs->files, way, tally, err);
}

static char *command(void *arg)
{
    const struct file_target *fs = arg;

    return life_clean_command(fs->manifest.run_name, fs->target.request->target, "");
}

const struct life_hooks file_target_life = {.noun = "file",
                                            .nouns = "test files",
                                            .go_over = go_over,
                                            .settle = count_whole,
                                            .command = command};

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
    return life_take_over(&fs->heart, file_target_run_place(fs), err);
}

/* ---- finding its files: those of its set, and those that operations have made ---- */

struct finder {
    const struct target *target;
    const struct life_manifest *manifest;
    struct fileset_marks marks;
    bool marked; /* leave out files that do not have the marks of the run */
    /* Whether a file is to be used; index: in the set, or UINT64_MAX. */
    bool (*uses)(const struct finder *finder, const char *name, const struct stat *st,
                 uint64_t index);
    bool removes;
    uint64_t size_bytes;   /* of files that test create has made */
    uint64_t length_bytes; /* of files yet to be written; 0: they have their length */
    struct life_objects found;
    int errnum; /* of the first file or directory that exists but cannot be opened; or 0 */
};

/* What leads away from the run outweighs what cannot be opened. */
static void note_unopened(struct finder *finder, int code)
{
    const bool away = code == -ENOTDIR || code == -ELOOP || code == -EXDEV;

    if (code != -ENOENT && (finder->errnum == 0 || away))
        finder->errnum = code == -ENOTDIR ? ELOOP : -code;
}

/* Looks at a file in a directory, which has this path within the run.  Examines before opening:
 * opening a FIFO or a device can block or have side effects.  Opens it: what cannot be opened
 * cannot be measured, and neither links nor mounts lead anywhere else. */
static void look_at_file(struct finder *finder, int dir_fd, const char *name, const char *path,
                         uint64_t index)
{
    static const int flags = O_RDONLY | O_NONBLOCK;
    struct beneath_id id;
    struct stat st;
    int fd = beneath_look(dir_fd, name, &id);

    if (fd == 0 && !S_ISREG(id.type))
        return; /* the file itself was replaced */
    if (fd == 0)
        fd = beneath_open(dir_fd, name, flags | OS_O_NOATIME, 0);
    if (fd == -EPERM)
        fd = beneath_open(dir_fd, name, flags, 0);
    if (fd < 0) {
        note_unopened(finder, fd);
        return;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        (!finder->marked ||
         fileset_has_marks(&finder->marks, &st, os_born_s(dir_fd, name), index == UINT64_MAX)) &&
        finder->uses(finder, path, &st, index)) {
        life_objects_add(&finder->found, mem_strdup(path),
                         finder->length_bytes > 0 ? finder->length_bytes : (uint64_t)st.st_size)
            ->number = index;
    }
    close(fd);
}

/* Looks at what operations of a thread have made. */
static void look_at_new(struct finder *finder, uint64_t thread)
{
    const volatile int *stop = finder->target->request->stop;
    char directory[48], *path;
    struct fileset_listing listing;
    const char *name;
    int fd, code = 0;

    snprintf(directory, sizeof(directory), FRESH_DIRECTORY "/t%" PRIu64, thread);
    fd = beneath_open(finder->target->dir_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) {
        note_unopened(finder, fd);
        return;
    }
    fileset_list_begin(&listing, fd, FILESET_NAMES_MOST);
    while (flag_read(stop) == 0 && (code = fileset_list_next(&listing, &name)) > 0)
        if (fresh_is_name(name)) {
            path = mem_printf("%s/%s", directory, name);
            look_at_file(finder, fd, name, path, UINT64_MAX);
            free(path);
        }
    fileset_list_end(&listing);
    if (code < 0)
        note_unopened(finder, code);
    close(fd);
}

/* Looks at the first `count` files of the set and, with `made`, at those that operations have made;
 * those that are used become the objects of fs.  Returns 0 or -1. */
static int find_objects(struct finder *finder, uint64_t count, bool made, struct file_target *fs,
                        struct error *err)
{
    const struct target *target = finder->target;
    const volatile int *stop = target->request->stop;
    char name[FILESET_NAME_MAX];
    const int code = fileset_learn_marks(&finder->marks, target->dir_fd, finder->manifest);

    if (code != 0 && finder->marked)
        return error_set(err, STATUS_TARGET, code, "cannot examine the manifest in", target->place);
    for (uint64_t i = 0; i < count && flag_read(stop) == 0; i++) {
        fileset_name(finder->manifest->set, i, name, sizeof(name));
        look_at_file(finder, target->dir_fd, name, name, i);
    }
    for (uint64_t i = 0; made && i < finder->manifest->threads && flag_read(stop) == 0; i++)
        look_at_new(finder, i);
    life_objects_sort(&finder->found);
    file_target_take_found(fs, &finder->found);
    return flag_read(stop) == 0
               ? 0
               : error_set(err, STATUS_PARTIAL, EINTR,
                           "interrupted while looking for files of the run in", target->place);
}

/* Files of other programs are never overwritten.  With --verify an incomplete file is kept, so that
 * the check reports it.  A rank that joins finds files as their maker counts them. */
static bool is_used(const struct finder *finder, const char *name, const struct stat *st,
                    uint64_t index)
{
    const struct target_request *request = finder->target->request;
    const struct life_set *set = finder->manifest->set;

    (void)name;
    if (finder->removes)
        return index == UINT64_MAX || !fileset_is_changed(finder->manifest, index, st);
    if (index == UINT64_MAX || (request->joins && !request->reuse))
        return st->st_size > 0 || finder->length_bytes > 0;
    return request->verify || (uint64_t)st->st_size == set->size_bytes;
}

/* The files of the run in target.dir_fd that are used become the objects, at least one, or all of
 * those that exist if the test removes them.  Those of a run without a set are what its operations
 * have made.  If they may be written, files that are not the run's are left out. */
static int find_files(struct file_target *fs, bool removes, struct error *err)
{
    const struct life_manifest *manifest = &fs->manifest;
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    const bool joins = request->joins && !request->reuse;
    struct finder finder = {.target = target,
                            .manifest = manifest,
                            .marked = target->writable || request->joins,
                            .uses = is_used,
                            .removes = removes};

    if (joins && request->tests & 1u << TEST_FILL) /* has yet to write them */
        finder.length_bytes = target_request_length(request);
    if (find_objects(&finder, removes ? manifest->set->count : manifest->set->made,
                     removes || (manifest->set->made == 0 && !joins), fs, err) != 0)
        return -1;
    if (target->writable && (finder.errnum == ELOOP || finder.errnum == EXDEV)) {
        error_set(err, STATUS_TARGET, finder.errnum, "cannot use files of the run in",
                  target->place);
        return error_advise(err, "nothing else may change the directory of a run");
    }
    if (target->object_count > 0 || request->joins)
        return 0;
    if (finder.errnum != 0)
        return error_set(err, STATUS_TARGET, finder.errnum, "cannot open the files of run",
                         manifest->run_name);
    return life_refuse_empty(target_file.noun, manifest->run_name, command(fs), err);
}

/* If only some of the run's files are there, adds "partial:N/M" to the notes and reports it; done:
 * what is done with them. */
static void note_partial(struct file_target *fs, const char *done)
{
    struct target *target = &fs->target;
    const struct life_set *set = fs->manifest.set;

    if (set->made == 0 || target->object_count >= set->count)
        return;
    text_add(target->notes, sizeof(target->notes), ";", "partial:%" PRIu32 "/%" PRIu32,
             target->object_count, set->count);
    if (life_choice_told(target->request))
        log_warn("run %s is not complete: only %" PRIu32 " of its %" PRIu32
                 " files exist and are %s",
                 fs->manifest.run_name, target->object_count, set->count, done);
}

/* Whether a run that was examined may be used; its manifest becomes the target's.  why: the error
 * of that examination. */
static int expect_run(struct file_target *fs, struct life_run *run, struct error *why,
                      struct error *err)
{
    fs->manifest = run->manifest;
    if (run->found == LIFE_INVALID && !error_is_set(why))
        error_refuse(why, STATUS_TARGET, "", "", "it has no iosweep manifest");
    return life_expect(run, fs->target.request, target_file.noun, fs->target.place, why, err);
}

/* ---- reading it ---- */

int file_target_read_run(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const struct target_request *request = target->request;
    struct life_run found = {.found = LIFE_ABSENT};
    struct error why = ERROR_INIT;

    if (file_target_open_directory(fs, err) != 0)
        return -1;
    found.locked = os_lock(target->dir_fd, false) == -EWOULDBLOCK;
    if (fileset_read(target->dir_fd, target->place, NULL, &found, &why) == LIFE_ABSENT)
        found.found = LIFE_INVALID;
    if (expect_run(fs, &found, &why, err) != 0)
        return -1;
    if (request->tests == 1u << TEST_STAT) { /* which tests whether files exist */
        file_target_take_set(fs, fs->manifest.set->count, fs->manifest.set->size_bytes);
        return 0;
    }
    if (find_files(fs, false, err) != 0)
        return -1;
    if (!request->verify || target->object_count >= fs->manifest.set->made)
        note_partial(fs, "read"); /* otherwise it is refused */
    return 0;
}

/* For directories and files below the directory of a run. */
int file_target_refuse_alive(const char *path, struct error *err)
{
    char *root = mem_strdup(path), *last;
    int code = 0;

    while (code == 0 && (last = strrchr(root, '/')) != NULL) {
        const bool named = strncmp(last + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
        const int fd = named ? file_open_quietly(AT_FDCWD, root, O_DIRECTORY | O_NOFOLLOW) : -1;
        struct life_run run = {.locked = fd >= 0 && os_lock(fd, false) == -EWOULDBLOCK};
        struct error ignored = ERROR_INIT;
        int64_t wait_s;

        if (fd >= 0 && fileset_read(fd, root, NULL, &run, &ignored) != LIFE_ABSENT &&
            life_is_alive(&run, &wait_s))
            code = life_refuse_alive(root, wait_s, err);
        if (fd >= 0)
            close(fd);
        life_manifest_free(&run.manifest);
        *last = '\0';
    }
    free(root);
    return code;
}

/* ---- taking it over ---- */

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

bool file_target_retires(const struct target_request *request)
{
    return request->existing && request->named && (request->tests & 1u << TEST_DELETE) != 0;
}

/* Objects that test delete removes, each once. */
static void begin_retiring(struct file_target *fs)
{
    target_retired_begin(&fs->retired, fs->target.object_count);
    fs->target.retired = &fs->retired;
}

/* The run is accepted as ours under the conditions on which `iosweep clean` would remove it, and
 * locked as by its creator. */
int file_target_open_kept(struct file_target *fs, struct error *err)
{
    struct target *target = &fs->target;
    const bool removes = file_target_retires(target->request);
    struct error why = ERROR_INIT;
    struct life_run run;

    target->writable = true;
    if (enter_run(fs, FILESET_NAMED | FILESET_LOCK, &run, err, &why) != 0 ||
        expect_run(fs, &run, &why, err) != 0)
        return -1;
    target->ours = !removes;
    if (find_files(fs, removes, err) != 0)
        return -1;
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " file%s of a kept run", target->object_count,
                                     target->object_count == 1 ? "" : "s");
    note_partial(fs, "used");
    if (removes) {
        /* removal needs no size, but a row has one */
        for (uint32_t i = 0; i < target->object_count; i++)
            fs->lengths[i] = fs->manifest.set->size_bytes;
        begin_retiring(fs);
        return take_over(fs, err);
    }
    /* content to be read must be known before any write */
    if (file_target_know_objects(fs, err) != 0 || take_over(fs, err) != 0)
        return -1;
    return target->request->verify ? file_target_know_kept(fs, true, err) : 0;
}

/* ---- the run of another rank ---- */

/* Checks that all files exist that were made, and as their maker counts them. */
static int check_joined(const struct file_target *fs, struct error *err)
{
    const struct target *target = &fs->target;
    const struct life_set *set = fs->manifest.set;
    char name[FILESET_NAME_MAX], *path;
    uint32_t same = 0;

    while (same < target->object_count &&
           strcmp(target->name[same], fileset_name(set, same, name, sizeof(name))) == 0)
        same++;
    if (same == set->made)
        return 0;
    path = mem_printf("%s/%s", target->place, fileset_name(set, same, name, sizeof(name)));
    error_refuse(err, STATUS_TARGET, "changed since another rank of this team created it:", path,
                 "nothing else may change the directory of a run");
    free(path);
    return -1;
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
    target->writable = request->shared;
    if (run.found == LIFE_READ &&
        (find_files(fs, false, err) != 0 || (!request->reuse && check_joined(fs, err) != 0)))
        return -1;
    if (run.found == LIFE_ABSENT || run.found == LIFE_TORN || target->object_count == 0)
        return error_is_set(err)
                   ? -1
                   : error_refuse(err, STATUS_TARGET,
                                  "the files of another rank are missing:", target->place,
                                  "all ranks must see the same directory, except "
                                  "with --share none");
    file_target_set_file_system(target, target->dir_fd);
    target->description = mem_printf("%" PRIu32 " %s of %s of another rank", target->object_count,
                                     target->object_count == 1 ? "file" : "files",
                                     units_format_size(target->length_bytes[0], size));
    if (request->verify && request->reuse)
        return file_target_know_kept(fs, true, err);
    target->content_known = request->verify;
    return request->verify ? file_target_know_run(fs, err) : 0;
}

/* ---- what test create has made so far in our own run ---- */

/* Files whose numbers were assigned, with one link each. */
static bool is_created(const struct finder *finder, const char *name, const struct stat *st,
                       uint64_t index)
{
    const struct target *run = finder->target;
    uint64_t thread, number;

    (void)index;
    return fileset_fresh_number(name, run->fresh_count, &thread, &number) &&
           strrchr(name, '/')[1] == FRESH_NAME && number < run->fresh[thread].next &&
           (uint64_t)st->st_size == finder->size_bytes && st->st_nlink == 1;
}

static int take_created(struct file_target *fs, struct target *run, uint64_t size_bytes,
                        struct error *err)
{
    struct target *target = &fs->target;
    struct finder finder = {.target = run,
                            .manifest = &((struct file_target *)run)->manifest,
                            .marked = true,
                            .uses = is_created,
                            .size_bytes = size_bytes};

    target_lie_with(target, run, "files created by test create");
    fs->directory = mem_strdup(run->dir_path);
    target->dir_path = fs->directory;
    target->dir_fd = fcntl(run->dir_fd, F_DUPFD_CLOEXEC, 0);
    if (target->dir_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", run->place);
    if (find_objects(&finder, 0, true, fs, err) != 0)
        return -1;
    if (finder.errnum != 0)
        return error_set(err, STATUS_TARGET, finder.errnum,
                         "cannot list the files created by test create in", run->place);
    if (target->object_count == 0)
        return 0;
    if (run->request->verify) {
        (void)file_target_find_manifest(run->dir_path, &fs->manifest);
        if (file_target_know_kept(fs, false, err) != 0)
            return -1;
    }
    return file_target_know_objects(fs, err);
}

int file_target_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             struct target **out, struct error *err)
{
    struct file_target *fs = file_target_new();

    *out = NULL;
    if (take_created(fs, run, size_bytes, err) != 0) {
        file_target_free(fs);
        return -1;
    }
    fs->target.ours = true; /* from here on no other process may change them */
    if (test_consumes(test))
        begin_retiring(fs);
    file_target_find_mount(fs);
    *out = &fs->target;
    return 0;
}
