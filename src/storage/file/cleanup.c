/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cleanup.c - `iosweep clean` on a directory: the runs in it, or the one it is itself. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "storage/clean.h"
#include "storage/file/driver.h"

struct fileset_cleaner {
    int parent_fd;
    char *parent_path; /* absolute */
    /* the target is this directory in the parent; NULL: the target is the parent */
    char *only;
    const struct clean_request *request;
};

/* The user said that it is a run: by its name. */
static bool is_named(const struct fileset_cleaner *cleaner, const char *run_name)
{
    return clean_names(cleaner->request, run_name);
}

static char *directory_of(const struct clean_run *run)
{
    return mem_printf(LIFE_PREFIX "%s", run->name);
}

static int look(void *arg, struct clean_run *run, struct error *err)
{
    const struct fileset_cleaner *cleaner = arg;
    const struct fileset_found *found = run->data;
    struct fileset_tally tally = {.stop = cleaner->request->stop};

    /* What lies in the way of counting lies in the way of removing, which will name it. */
    struct error ignored = ERROR_INIT;
    (void)err;
    if (!found->empty)
        (void)fileset_count(cleaner->parent_fd, cleaner->parent_path, &found->layout, &tally,
                            &ignored);
    run->objects = tally.files;
    run->bytes = tally.bytes;
    return 0;
}

static int check_run(void *arg, const struct clean_run *run, struct error *err)
{
    const struct fileset_cleaner *cleaner = arg;
    const struct fileset_found *found = run->data;

    if (cleaner->only) /* the target itself would go, and then be missing */
        return error_refuse(err, STATUS_TARGET,
                            "the run to replace is the target itself:", run->place,
                            "name the directory that it is in");
    return found->empty ? 0
                        : fileset_check_removal(cleaner->parent_fd, cleaner->parent_path,
                                                &found->layout, err);
}

static int remove_run(void *arg, struct clean_run *run, bool force, struct clean_outcome *outcome,
                      struct error *err)
{
    const struct fileset_cleaner *cleaner = arg;
    struct fileset_tally tally = {.stop = cleaner->request->stop, .force = force};
    char *directory = directory_of(run);
    const int code = fileset_clean(cleaner->parent_fd, cleaner->parent_path, directory,
                                   is_named(cleaner, run->name), force, &tally, err);

    outcome->objects += tally.files;
    outcome->bytes += tally.bytes;
    free(directory);
    return code;
}

static void add_candidate(const struct fileset_cleaner *cleaner, const char *directory,
                          struct clean_runs *runs)
{
    struct fileset_found *found = mem_calloc(1, sizeof(*found));
    struct error why = ERROR_INIT;
    struct clean_run *run;
    const char *run_name = directory + strlen(LIFE_PREFIX);
    const int is_run = fileset_look(cleaner->parent_fd, cleaner->parent_path, directory,
                                    is_named(cleaner, run_name), found, &why);

    if (is_run == 0) {
        free(found);
        return;
    }
    run =
        clean_add(runs, mem_strdup(run_name), mem_printf("%s/%s", cleaner->parent_path, directory));
    run->begun_s = found->begun_s;
    run->alive = found->alive;
    run->wait_s = found->wait_s;
    run->why = why;
    run->data = found;
}

/* Where one run is asked for, others are left alone: to look whether one is in use takes its lock
 * for a moment, in which whoever it belongs to, such as another rank of a team, would find it in
 * use. */
static bool is_asked_for(const struct fileset_cleaner *cleaner, const char *directory)
{
    return !cleaner->request->run_name || is_named(cleaner, directory + strlen(LIFE_PREFIX));
}

static int find_runs(const struct fileset_cleaner *cleaner, struct clean_runs *runs,
                     struct error *err)
{
    char **names;
    size_t count;
    int code;

    if (cleaner->only) {
        add_candidate(cleaner, cleaner->only, runs);
        return 0;
    }
    code = fileset_list(cleaner->parent_fd, cleaner->parent_path, cleaner->request->stop, &names,
                        &count, err);
    for (size_t i = 0; i < count; i++) {
        if (code == 0 && is_asked_for(cleaner, names[i]))
            add_candidate(cleaner, names[i], runs);
        free(names[i]);
    }
    free(names);
    return code;
}

/* The target may be the directory of a run itself ("iosweep-..." with a manifest in it). */
static bool is_run_directory(const char *path, int fd)
{
    const char *name = strrchr(path, '/');
    struct stat st;

    return name && name != path && strncmp(name + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0 &&
           fstatat(fd, LIFE_FIRST, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

static int open_target(const char *target, struct fileset_cleaner *cleaner, struct error *err)
{
    int fd = open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    char *name;

    cleaner->parent_path = fd < 0 ? NULL : realpath(target, NULL);
    cleaner->parent_fd = fd;
    if (fd < 0 || !cleaner->parent_path) {
        error_set(err, STATUS_TARGET, errno, "cannot clean", target);
        if (errno == ENOENT)
            error_explain(err, "it does not exist");
        return error_advise(err, "name the directory that was the target of the run");
    }
    if (!is_run_directory(cleaner->parent_path, fd))
        return 0;
    close(fd);
    name = strrchr(cleaner->parent_path, '/');
    cleaner->only = mem_strdup(name + 1);
    name[name == cleaner->parent_path] = '\0';
    cleaner->parent_fd = open(cleaner->parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cleaner->parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", cleaner->parent_path);
    return 0;
}

int file_target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                      struct error *err)
{
    struct fileset_cleaner cleaner = {.parent_fd = -1, .request = request};
    const struct clean_hooks hooks = {.arg = &cleaner,
                                      .noun = target_file.noun,
                                      .look = look,
                                      .check = check_run,
                                      .remove = remove_run};
    struct clean_runs runs = {0};
    int code = open_target(request->target, &cleaner, err);

    if (code == 0)
        code = find_runs(&cleaner, &runs, err);
    if (code == 0)
        code = clean_carry_out(request, &hooks, &runs, outcome, err);
    clean_free(&runs);
    free(cleaner.parent_path);
    free(cleaner.only);
    if (cleaner.parent_fd >= 0)
        close(cleaner.parent_fd);
    return code;
}
