/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cleanup.c - `iosweep clean` on a directory: the runs in it, or the run that it is itself.  Hooks
 * of life/clean.h. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "storage/file/driver.h"
#include "storage/life/clean.h"

struct file_cleaner {
    int parent_fd;
    char *parent_path; /* absolute */
    char *only;        /* the target is the directory of this run in the parent; else NULL */
    int dir_fd;        /* of the run being examined, locked; or -1 */
    const struct clean_request *request;
};

static int list(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err)
{
    const struct file_cleaner *cleaner = arg;
    const volatile int *stop = cleaner->request->stop;
    const size_t word = strlen(LIFE_PREFIX);
    struct fileset_listing listing;
    const char *name;
    int code = 0, more = 0;

    fileset_list_begin(&listing, cleaner->parent_fd, FILESET_NAMES_MOST);
    while (code == 0 && flag_read(stop) == 0 && (more = fileset_list_next(&listing, &name)) > 0)
        if (strncmp(name, LIFE_PREFIX, word) == 0 &&
            strncmp(name + word, begin, strlen(begin)) == 0)
            code = visit(visit_arg, name + word, err);
    fileset_list_end(&listing);
    if (code == 0 && flag_read(stop) != 0)
        return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                         cleaner->parent_path);
    if (code == 0 && more < 0) /* an incomplete list would silently leave runs behind */
        return fileset_list_failed(more, cleaner->parent_path, err);
    return code;
}

static void find(void *arg, struct clean_run *run)
{
    const struct file_cleaner *cleaner = arg;

    run->place = mem_printf("%s/" LIFE_PREFIX "%s", cleaner->parent_path, run->name);
}

static enum life_found look(void *arg, struct clean_run *run, bool named, struct error *err)
{
    struct file_cleaner *cleaner = arg;

    return fileset_look(cleaner->parent_fd, cleaner->parent_path, run->name,
                        FILESET_LOCK | (named ? FILESET_NAMED : 0), &cleaner->dir_fd, &run->seen,
                        err);
}

static void release(void *arg)
{
    struct file_cleaner *cleaner = arg;

    if (cleaner->dir_fd >= 0)
        close(cleaner->dir_fd);
    cleaner->dir_fd = -1;
}

/* Whatever prevents counting also prevents removal, which reports it. */
static int go_over(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err)
{
    const struct file_cleaner *cleaner = arg;
    struct fileset set = {.parent_fd = cleaner->parent_fd,
                          .parent_path = cleaner->parent_path,
                          .manifest = &run->seen.manifest};
    struct error ignored = ERROR_INIT;

    if (run->seen.found != LIFE_READ) { /* killed between mkdir and completing its first manifest */
        if (way == LIFE_REMOVE &&
            ((unlinkat(cleaner->dir_fd, LIFE_FIRST, 0) != 0 && errno != ENOENT) ||
             unlinkat(cleaner->parent_fd, strrchr(run->place, '/') + 1, AT_REMOVEDIR) != 0))
            return error_set(err, STATUS_TARGET, errno, "cannot remove", run->place);
        return 0;
    }
    if (way == LIFE_COUNT) {
        (void)fileset_go_over(&set, way, tally, &ignored);
        return 0;
    }
    if (way == LIFE_REMOVE)
        fileset_hold(&set, cleaner->dir_fd);
    return fileset_go_over(&set, way, tally, err);
}

static int open_target(const char *target, struct file_cleaner *cleaner, struct error *err)
{
    int fd = open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    char *name;

    cleaner->parent_path = fd < 0 ? NULL : realpath(target, NULL);
    cleaner->parent_fd = fd;
    if (fd < 0 || !cleaner->parent_path) {
        error_set(err, STATUS_TARGET, errno, "cannot clean", target);
        if (errno == ENOENT)
            error_explain(err, "it does not exist");
        return error_advise(err, "name the directory that was the target of the run");
    }
    /* it may be the directory of a run itself ("iosweep-..." with a manifest in it) */
    name = strrchr(cleaner->parent_path, '/');
    if (!name || name == cleaner->parent_path ||
        strncmp(name + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) != 0 ||
        fstatat(fd, LIFE_FIRST, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return 0;
    close(fd);
    cleaner->only = mem_strdup(name + 1 + strlen(LIFE_PREFIX));
    name[name == cleaner->parent_path] = '\0';
    cleaner->parent_fd = open(cleaner->parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cleaner->parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", cleaner->parent_path);
    return 0;
}

int file_target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                      struct error *err)
{
    struct file_cleaner cleaner = {.parent_fd = -1, .dir_fd = -1, .request = request};
    struct clean_hooks hooks = {.arg = &cleaner,
                                .noun = target_file.noun,
                                .list = list,
                                .find = find,
                                .look = look,
                                .release = release,
                                .go_over = go_over};
    int code = open_target(request->target, &cleaner, err);

    hooks.only = cleaner.only;
    if (code == 0)
        code = clean_carry_out(request, &hooks, outcome, err);
    free(cleaner.parent_path);
    free(cleaner.only);
    if (cleaner.parent_fd >= 0)
        close(cleaner.parent_fd);
    return code;
}
