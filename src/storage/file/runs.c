/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* runs.c - test files of earlier runs among those that -r finds.
 *
 * They are no data of the user, and not all of them need be there.  So files of the user come
 * first: where there are any, those of runs are left out.  Otherwise one run is read, by its
 * manifest: which files it has, how long they are, and how many of them were complete when it
 * ended.  Two runs are never read together. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/file.h"
#include "os/os.h"
#include "storage/clean.h"
#include "storage/file/driver.h"

#define RETIRED_BYTES (UINT64_C(64) << 20) /* the size of rows that remove longer files */
#define NAMES_SHOWN   8u                   /* of runs, where one must be chosen */

struct run_dir { /* a directory with the name of a run */
    char *root;  /* relative to the directory that is read; "": itself */
    bool is_run; /* its manifest can be believed */
    struct fileset_layout layout;
    uint64_t files; /* found below it */
};

struct sorter {
    struct file_target *fs;
    struct walk *walk;
    struct run_dir *runs;
    size_t count, room;
    int64_t *owner; /* of each file: index of its run, or -1: a file of the user */
};

static bool named_like_run(const char *name, size_t length)
{
    return length > strlen(LIFE_PREFIX) && strncmp(name, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
}

/* Which run has the directory that is the first `length` bytes of a name: -1:
 * it is that of none. */
static int64_t find_run(struct sorter *sorter, const char *name, size_t length)
{
    struct run_dir *run;
    char *path;

    for (size_t i = sorter->count; i-- > 0;) /* the last one is that of the neighbour */
        if (strlen(sorter->runs[i].root) == length &&
            strncmp(sorter->runs[i].root, name, length) == 0)
            return sorter->runs[i].is_run ? (int64_t)i : -1;
    sorter->runs = mem_grow(sorter->runs, &sorter->room, sorter->count + 1, sizeof(*sorter->runs));
    run = &sorter->runs[sorter->count];
    *run = (struct run_dir){.root = mem_printf("%.*s", (int)length, name)};
    path = mem_printf("%s/%s", sorter->fs->target.dir_path, run->root);
    run->is_run = file_target_find_manifest(path, &run->layout);
    free(path);
    sorter->count++;
    return run->is_run ? (int64_t)sorter->count - 1 : -1;
}

/* The run that a file lies in, the outermost one. */
static int64_t owner_of(struct sorter *sorter, const char *name)
{
    const char *path = sorter->fs->target.dir_path;
    const char *slash = strrchr(path, '/');
    int64_t owner = -1;

    if (slash && named_like_run(slash + 1, strlen(slash + 1)))
        owner = find_run(sorter, name, 0);
    for (const char *at = name, *end; owner < 0 && (end = strchr(at, '/')) != NULL; at = end + 1)
        if (named_like_run(at, (size_t)(end - at)))
            owner = find_run(sorter, name, (size_t)(end - name));
    return owner;
}

static void keep_files(struct sorter *sorter,
                       bool (*wanted)(const struct sorter *sorter, size_t file))
{
    struct walk *walk = sorter->walk;
    size_t kept = 0;

    for (size_t i = 0; i < walk->count; i++) {
        if (wanted(sorter, i)) {
            sorter->owner[kept] = sorter->owner[i];
            walk->files[kept++] = walk->files[i];
        } else {
            free(walk->files[i].name);
        }
    }
    walk->count = kept;
}

/* ---- the files of the user ---- */

static bool is_users(const struct sorter *sorter, size_t file)
{
    return sorter->owner[file] < 0;
}

/* They are right in the directory that is read: --run-name finds them. */
static bool all_direct(const struct sorter *sorter)
{
    bool direct = true;

    for (size_t i = 0; i < sorter->count; i++)
        direct = direct && (sorter->runs[i].files == 0 || (sorter->runs[i].root[0] != '\0' &&
                                                           !strchr(sorter->runs[i].root, '/')));
    return direct;
}

/* When targets are looked at before the run, nothing is said that will be said again. */
static bool is_told(const struct target_request *request)
{
    return !request->dry_run || request->plan;
}

static void leave_runs_out(struct sorter *sorter, unsigned runs)
{
    const bool direct = all_direct(sorter);
    char label[512];

    keep_files(sorter, is_users);
    if (!is_told(sorter->fs->target.request))
        return;
    log_info("# %s: the test files of %u run%s in it are left out%s",
             error_printable(sorter->fs->target.request->target, label, sizeof(label)), runs,
             runs == 1 ? "" : "s", direct ? "; --run-name reads those of one run" : "");
}

/* ---- one run ---- */

static const char *name_in_run(const struct sorter *sorter, size_t file)
{
    const size_t length = strlen(sorter->runs[sorter->owner[file]].root);

    return sorter->walk->files[file].name + length + (length > 0);
}

/* Made by the run, and complete. */
static bool is_complete(const struct sorter *sorter, size_t file)
{
    const struct fileset_layout *layout = &sorter->runs[sorter->owner[file]].layout;
    uint64_t number;

    return fileset_number(layout, name_in_run(sorter, file), &number) &&
           number < layout->files_made &&
           sorter->walk->files[file].length_bytes == layout->file_bytes;
}

/* Made by an operation of the run, such as those of test create, in the directory of a thread. */
static bool is_new(const struct sorter *sorter, size_t file)
{
    uint64_t thread, number;

    return file_target_fresh_number(name_in_run(sorter, file),
                                    sorter->runs[sorter->owner[file]].layout.threads, &thread,
                                    &number);
}

/* With --verify what is not as it should be is to be found, not to be left out; only what was never
 * complete holds nothing that could be known. */
static bool is_to_verify(const struct sorter *sorter, size_t file)
{
    const struct fileset_layout *layout = &sorter->runs[sorter->owner[file]].layout;
    uint64_t number;

    return fileset_number(layout, name_in_run(sorter, file), &number) &&
           number < layout->files_made;
}

static void note_partial(struct sorter *sorter, const struct run_dir *run)
{
    struct target *target = &sorter->fs->target;
    const uint64_t files = fileset_files(&run->layout);

    if (sorter->walk->count >= files)
        return;
    if (target->request->verify && sorter->walk->count < run->layout.files_made)
        return; /* it will be refused */
    text_add(target->notes, sizeof(target->notes), ";", "partial:%zu/%" PRIu64, sorter->walk->count,
             files);
    if (!is_told(target->request))
        return;
    log_warn("run %s is not complete: only %zu of its %" PRIu64 " files exist and are read",
             run->layout.run_name, sorter->walk->count, files);
}

/* Others may read it, too; nobody may remove it meanwhile. */
static int hold_run(struct sorter *sorter, const struct run_dir *run, struct error *err)
{
    struct file_target *fs = sorter->fs;
    char *path =
        mem_printf("%s%s%s", fs->target.dir_path, run->root[0] != '\0' ? "/" : "", run->root);
    struct fileset_found found = {.alive = false};
    int64_t wait_s;
    int code = 0;

    fs->hold_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fs->hold_fd >= 0) {
        found.alive = os_lock(fs->hold_fd, false) == -EWOULDBLOCK;
        file_target_read_manifest(fs->hold_fd, path, &found);
    }
    if (fileset_is_alive(&found, &wait_s))
        code = clean_refuse_alive(path, wait_s, err);
    free(path);
    return code;
}

/* All names of the manifest, there or not. */
static void name_all(struct walk *walk, const struct run_dir *run)
{
    const uint64_t files = fileset_files(&run->layout);
    char name[FILESET_NAME_MAX];

    while (walk->count > 0)
        free(walk->files[--walk->count].name);
    for (uint64_t i = 0; i < files; i++) {
        walk->files = mem_grow(walk->files, &walk->room, walk->count + 1, sizeof(*walk->files));
        fileset_name(&run->layout, i, name, sizeof(name));
        walk->files[walk->count++] = (struct walk_file){
            .name = mem_printf("%s%s%s", run->root, run->root[0] != '\0' ? "/" : "", name),
            .length_bytes = run->layout.file_bytes};
    }
}

/* A run that had no files made beforehand has nothing but what its operations made: no others are
 * missing.  Returns whether there is any. */
static bool read_new(struct sorter *sorter, const struct run_dir *run)
{
    size_t found = 0;

    if (run->layout.files_made > 0 || run->layout.threads == 0)
        return false;
    for (size_t i = 0; i < sorter->walk->count; i++)
        found += sorter->owner[i] >= 0 && is_new(sorter, i);
    if (found == 0)
        return false;
    keep_files(sorter, is_new);
    return true;
}

static int read_run(struct sorter *sorter, const struct run_dir *run, struct error *err)
{
    if (hold_run(sorter, run, err) != 0)
        return -1;
    sorter->fs->layout = run->layout;
    if (read_new(sorter, run))
        return 0;
    if (sorter->fs->target.request->tests == 1u << TEST_STAT) { /* which asks what is there */
        name_all(sorter->walk, run);
        return 0;
    }
    keep_files(sorter, sorter->fs->target.request->verify ? is_to_verify : is_complete);
    if (sorter->walk->count == 0)
        return error_refuse(err, STATUS_TARGET, "no complete file in run", run->layout.run_name,
                            "it ended while creating them; iosweep clean --run-name %s removes it",
                            run->layout.run_name);
    note_partial(sorter, run);
    return 0;
}

/* ---- several ---- */

static int by_root(const void *a, const void *b)
{
    return strcmp(((const struct run_dir *)a)->root, ((const struct run_dir *)b)->root);
}

/* Takes away the order of the runs. */
static int refuse_several(struct sorter *sorter, unsigned runs, struct error *err)
{
    const bool direct = all_direct(sorter);
    char names[200] = "";
    unsigned shown = 0;

    qsort(sorter->runs, sorter->count, sizeof(*sorter->runs), by_root);
    for (size_t i = 0; i < sorter->count && shown < NAMES_SHOWN; i++) {
        const char *name = sorter->runs[i].root + (direct ? strlen(LIFE_PREFIX) : 0);

        if (sorter->runs[i].files == 0 || strlen(names) + strlen(name) + 8 > sizeof(names))
            continue;
        text_add(names, sizeof(names), ", ", "%s", name);
        shown++;
    }
    return error_refuse(
        err, STATUS_USAGE, "several runs found, none is read:", sorter->fs->target.request->target,
        "%s: %s%s", direct ? "choose one with --run-name" : "name the directory of one", names,
        shown < runs ? " ..." : "");
}

static int choose(struct sorter *sorter, struct error *err)
{
    const struct run_dir *one = NULL;
    uint64_t users = sorter->walk->count;
    unsigned runs = 0;

    for (size_t i = 0; i < sorter->count; i++) {
        users -= sorter->runs[i].files;
        if (sorter->runs[i].files == 0)
            continue;
        runs++;
        one = &sorter->runs[i];
    }
    if (users > 0 && runs > 0)
        leave_runs_out(sorter, runs);
    else if (runs > 1)
        return refuse_several(sorter, runs, err);
    return users == 0 && runs == 1 ? read_run(sorter, one, err) : 0;
}

int file_target_choose_run(struct file_target *fs, struct walk *walk, struct error *err)
{
    struct sorter sorter = {.fs = fs, .walk = walk};
    int code;

    sorter.owner = mem_calloc(walk->count > 0 ? walk->count : 1, sizeof(*sorter.owner));
    for (size_t i = 0; i < walk->count; i++) {
        sorter.owner[i] = owner_of(&sorter, walk->files[i].name);
        if (sorter.owner[i] >= 0)
            sorter.runs[sorter.owner[i]].files++;
    }
    if (fs->target.request->named && find_run(&sorter, "", 0) == 0)
        code = read_run(&sorter, &sorter.runs[0], err);
    else
        code = choose(&sorter, err);
    for (size_t i = 0; i < sorter.count; i++)
        free(sorter.runs[i].root);
    free(sorter.runs);
    free(sorter.owner);
    return code;
}

/* ---- by name ---- */

/* The name of the run that is there, as its directory has it: some file systems take A for a. */
static char *name_there(const struct file_target *fs)
{
    uint64_t entries[1024];
    char directory[FILESET_DIRECTORY_MAX], *found = NULL;
    struct os_listing listing;
    enum os_entry kind;
    const char *entry;
    int fd = os_open_at(fs->parent_fd, ".", FILESET_DIRECTORY_FLAGS, 0);

    fileset_directory_name(&fs->layout, directory, sizeof(directory));
    if (fd >= 0) {
        os_list_begin(&listing, fd, entries, sizeof(entries));
        while (os_list_next(&listing, &entry, &kind) > 0) {
            if (strcasecmp(entry, directory) != 0 || (found && strcmp(entry, directory) != 0))
                continue;
            free(found);
            found = mem_strdup(entry + strlen(LIFE_PREFIX));
        }
        os_list_end(&listing);
    }
    return found ? found : mem_strdup(fs->layout.run_name);
}

int file_target_name_taken(const struct file_target *fs, struct error *err)
{
    const char *of_team = fs->target.request->team_name; /* the same on all ranks: said once */
    char *name = name_there(fs);
    char *path = mem_printf("%s/" LIFE_PREFIX "%s", fs->parent_path, name);

    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0,
              "a run of this name already exists:", of_team ? of_team : path);
    error_advise(err,
                 "choose another --run-name, read it with -r, or remove it: "
                 "iosweep clean --run-name %s %s",
                 of_team ? of_team : name, fs->target.request->target);
    free(path);
    free(name);
    return -1;
}

int file_target_check_run_name(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;

    if (!request->named)
        return 0;
    if (!target_run_name_valid(request->run_name))
        return error_refuse(err, STATUS_USAGE, "not a valid run name:", request->run_name,
                            "use 1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
    if (request->existing || request->replaces || request->joins)
        return 0;
    fileset_directory_name(&fs->layout, directory, sizeof(directory));
    return fstatat(fs->parent_fd, directory, &st, AT_SYMLINK_NOFOLLOW) == 0
               ? file_target_name_taken(fs, err)
               : 0;
}

static bool names_run(const char *path, const char *run_name)
{
    const char *name = strrchr(path, '/') + 1;

    return named_like_run(name, strlen(name)) && strcmp(name + strlen(LIFE_PREFIX), run_name) == 0;
}

int file_target_refuse_missing(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;

    error_set(err, STATUS_TARGET, 0, "no such run:", request->run_name);
    if (request->missing)
        return error_advise(err, "%s", request->missing);
    return error_advise(err, "iosweep clean --dry-run %s lists the runs there", request->target);
}

int file_target_enter_run(struct file_target *fs, struct error *err)
{
    const char *name = fs->target.request->run_name;
    struct fileset_layout layout;
    char *path;

    if (names_run(fs->target.place, name)) /* the target is the run itself */
        path = mem_strdup(fs->target.place);
    else
        path = mem_printf("%s%s" LIFE_PREFIX "%s", fs->target.place,
                          strcmp(fs->target.place, "/") == 0 ? "" : "/", name);
    free(fs->target.place);
    fs->target.place = path;
    fs->target.dir_fd = file_open_quietly(AT_FDCWD, path, O_DIRECTORY | O_NOFOLLOW);
    if (fs->target.dir_fd < 0) {
        const int code = -fs->target.dir_fd;

        fs->target.dir_fd = -1;
        if (code != ENOENT && code != ENOTDIR && code != ELOOP)
            return error_set(err, STATUS_TARGET, code, "cannot list", path);
        return file_target_refuse_missing(fs, err);
    }
    if (file_target_find_manifest(path, &layout))
        return 0;
    return error_refuse(err, STATUS_TARGET, "not a run of iosweep, or damaged:", path,
                        "without --run-name its files are read like any others");
}

/* ---- the sizes it was made for ---- */

static bool holds_one(const char *path, const volatile int *stop)
{
    struct error ignored = ERROR_INIT;
    const int fd = file_open_quietly(AT_FDCWD, path, O_DIRECTORY);
    char **names = NULL;
    size_t count = 0;

    if (fd < 0)
        return false;
    (void)fileset_list(fd, path, stop, &names, &count, &ignored);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    close(fd);
    return count == 1;
}

/* A run by its name, or that which is the target itself. */
static char *find_named(const struct target_request *request, const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    if (request->named && !names_run(path, request->run_name))
        return mem_printf("%s/" LIFE_PREFIX "%s", path, request->run_name);
    return named_like_run(name, strlen(name)) ? mem_strdup(path) : NULL;
}

/* Files of the user come first, so only a look at all of them tells whether it is read. */
static bool is_read(const struct target_request *request, struct fileset_layout *layout)
{
    struct target_request look = *request;
    struct error ignored = ERROR_INIT;
    struct target *target = NULL;
    bool read;

    look.dry_run = true;
    look.plan = false;
    look.verify = false;
    if (target_file.open(&look, &target, &ignored) != 0)
        return false; /* which will be said when it is opened to be read */
    *layout = ((const struct file_target *)target)->layout;
    read = layout->run_name[0] != '\0';
    (void)target_file.close(target, &ignored);
    return read;
}

int file_target_kept_sizes(const struct target_request *request, uint64_t **size_bytes,
                           size_t *count, struct error *err)
{
    char *path = realpath(request->target, NULL), *root = NULL;
    struct fileset_layout layout = {.size_count = 0};
    bool found = false;
    struct stat st;

    (void)err;
    *size_bytes = NULL;
    *count = 0;
    if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        root = find_named(request, path);
    if (root)
        found = file_target_find_manifest(root, &layout);
    if (path && !found && !request->named && holds_one(path, request->stop))
        found = is_read(request, &layout);
    if (found && file_target_retires(request) && request->tests == 1u << TEST_DELETE) {
        *count = 1; /* removing them asks for no size */
        *size_bytes = mem_calloc(1, sizeof(**size_bytes));
        **size_bytes = layout.file_bytes < RETIRED_BYTES ? layout.file_bytes : RETIRED_BYTES;
    } else if (found && layout.size_count > 0) {
        *count = layout.size_count;
        *size_bytes = mem_calloc(*count, sizeof(**size_bytes));
        memcpy(*size_bytes, layout.size_bytes, *count * sizeof(**size_bytes));
    }
    free(root);
    free(path);
    return 0;
}
