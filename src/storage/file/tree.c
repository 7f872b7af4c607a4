/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* tree.c - the directory that -r reads: any files below it, or a run (kept.c).  It is never
 * written.
 *
 * Lists the regular files that can be opened and hold data.  Follows no symbolic link, stays on one
 * mount.  Iterative, with a list of directories still to be read instead of a stack of open ones,
 * so that depth costs no descriptors.  Directories are reached from the root without following
 * links, so that replacing one meanwhile cannot lead outside. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "storage/file/driver.h"

/* Files or directories that are left out. */
struct left_out {
    uint64_t count;
    int errnum;  /* of the first one met */
    char *first; /* its name */
};

struct walk {
    int root_fd;
    const char *path; /* of the root */
    const struct target_request *request;
    dev_t device;
    struct life_objects files;             /* names relative to the root, sorted */
    struct left_out unreadable, elsewhere; /* cannot be opened; on other mounts */
    uint64_t empty;                        /* files without data; left out */
    bool noatime;                          /* every file could be opened with O_NOATIME */
    char **todo; /* directories still to be read, relative to the root; "" is the root */
    size_t todo_count, todo_room;
    uint64_t directories;
    struct error *err;
};

static const char *entries_noun(uint64_t count)
{
    return count == 1 ? "file or directory" : "files or directories";
}

static bool named_like_run(const char *name)
{
    return strlen(name) > strlen(LIFE_PREFIX) &&
           strncmp(name, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
}

/* DIRECTORY/NAME, without the slash for the root.  To be freed. */
static char *join(const char *directory, const char *name)
{
    return directory[0] == '\0' ? mem_strdup(name) : mem_printf("%s/%s", directory, name);
}

static int too_many(const struct walk *walk)
{
    return error_refuse(walk->err, STATUS_TARGET, "too many files in", walk->path,
                        "name a directory with at most %u", LIFE_OBJECTS_MAX);
}

/* Takes ownership of the name, like the next one. */
static int push_directory(struct walk *walk, char *name)
{
    if (walk->directories >= LIFE_OBJECTS_MAX) {
        free(name);
        return too_many(walk);
    }
    walk->todo = mem_grow(walk->todo, &walk->todo_room, walk->todo_count + 1, sizeof(*walk->todo));
    walk->todo[walk->todo_count++] = name;
    walk->directories++;
    return 0;
}

static void leave_out(struct left_out *left, int errnum, char *name)
{
    if (left->count++ > 0) {
        free(name);
        return;
    }
    left->errnum = errnum;
    left->first = name;
}

static int visit_file(struct walk *walk, int dir_fd, const char *directory, const char *name)
{
    const int fd = file_open_quietly(dir_fd, name, O_NOFOLLOW);
    const bool noatime = fd >= 0 && file_target_is_untouched(fd);
    struct stat st;
    /* not a file any more: treated as missing */
    const int code = fd < 0 ? -fd : fstat(fd, &st) != 0 ? errno : !S_ISREG(st.st_mode) ? ENOENT : 0;
    char *path;

    if (fd >= 0)
        close(fd);
    if (code == ENOENT || code == ELOOP)
        return 0;
    if (code != 0) {
        leave_out(&walk->unreadable, code, join(directory, name));
        return 0;
    }
    if (st.st_size == 0) {
        walk->empty++;
        return 0;
    }
    path = join(directory, name);
    if (strlen(path) >= PATH_MAX) { /* too long to be opened by name */
        leave_out(&walk->unreadable, ENAMETOOLONG, path);
        return 0;
    }
    if (walk->files.count >= LIFE_OBJECTS_MAX) {
        free(path);
        return too_many(walk);
    }
    walk->noatime = walk->noatime && noatime;
    life_objects_add(&walk->files, path, (uint64_t)st.st_size);
    return 0;
}

/* Examines before opening: opening a FIFO or a device can block or have side effects. */
static int visit_entry(struct walk *walk, int dir_fd, const char *directory, const char *name)
{
    struct stat st;
    uint64_t number;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
        (directory[0] == '\0' && named_like_run(strrchr(walk->path, '/') + 1) &&
         life_is_manifest(name, &number))) /* of the target; others: see life_choose */
        return 0;
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT)
            leave_out(&walk->unreadable, errno, join(directory, name));
        return 0;
    }
    if (st.st_dev != walk->device)
        leave_out(&walk->elsewhere, EXDEV, join(directory, name));
    else if (S_ISDIR(st.st_mode))
        return push_directory(walk, join(directory, name));
    else if (S_ISREG(st.st_mode))
        return visit_file(walk, dir_fd, directory, name);
    return 0;
}

/* Opens a directory below the root for reading; returns a descriptor or -errno. */
static int open_below(const struct walk *walk, const char *name)
{
    const int fd = name[0] == '\0' ? walk->root_fd
                                   : beneath_open(walk->root_fd, name, OS_O_LOOK | O_DIRECTORY, 0);
    const int readable = fd < 0 ? fd : file_open_quietly(fd, ".", O_DIRECTORY | O_NOFOLLOW);

    if (fd >= 0 && fd != walk->root_fd)
        close(fd);
    return readable;
}

static int visit_directory(struct walk *walk, const char *directory)
{
    const int fd = open_below(walk, directory);
    const struct dirent *entry = NULL;
    struct stat st;
    DIR *dir = NULL;
    int code = 0;

    errno = fd < 0 ? -fd : 0;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == walk->device)
        dir = fdopendir(fd);
    else if (fd >= 0)
        errno = EXDEV; /* mounted when it was opened */
    while (dir && code == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
        if (flag_read(walk->request->stop) != 0)
            code = error_set(walk->err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                             walk->path);
        else
            code = visit_entry(walk, fd, directory, entry->d_name);
    }
    if (!entry && errno == EXDEV)
        leave_out(&walk->elsewhere, EXDEV, mem_strdup(directory));
    else if (!entry && errno != 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
        leave_out(&walk->unreadable, errno, /* the rest of it is unknown */
                  mem_strdup(directory[0] == '\0' ? "." : directory));
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return code;
}

/* At most LIFE_OBJECTS_MAX files; manifests of iosweep are left out.  A file that cannot be read is
 * no error here.  Returns 0 or -1. */
static int walk_files(struct walk *walk)
{
    struct stat st;
    int code;

    if (fstat(walk->root_fd, &st) != 0)
        return error_set(walk->err, STATUS_TARGET, errno, "cannot stat", walk->path);
    walk->device = st.st_dev;
    code = push_directory(walk, mem_strdup(""));
    while (code == 0 && walk->todo_count > 0) {
        char *directory = walk->todo[--walk->todo_count];

        code = visit_directory(walk, directory);
        free(directory);
    }
    life_objects_sort(&walk->files);
    return code;
}

static void walk_free(struct walk *walk)
{
    while (walk->todo_count > 0)
        free(walk->todo[--walk->todo_count]);
    free(walk->todo);
    life_objects_free(&walk->files);
    free(walk->unreadable.first);
    free(walk->elsewhere.first);
}

/* ---- what was found ---- */

int file_target_unreadable(int errnum, const char *action, const char *path, struct error *err)
{
    error_set(err, STATUS_TARGET, errnum, action, path);
    if (errnum == EACCES)
        error_advise(err, "ask its owner, or run as a user who can read it");
    return -1;
}

static int check_walk(const struct walk *walk, struct error *err)
{
    const char *target = walk->request->target;
    const bool told = life_choice_told(walk->request);
    const int errnum = walk->unreadable.errnum;
    char *path, first[200];

    if (walk->files.count == 0 && walk->unreadable.count > 0) {
        path = mem_printf("%s/%s", target, walk->unreadable.first);
        file_target_unreadable(errnum, "nothing can be read, not even", path, err);
        free(path);
        if (errnum == ENAMETOOLONG)
            return error_advise(err, "name a directory further down");
        return -1;
    }
    if (walk->elsewhere.count > 0 && told)
        log_info("# %s: left out, on other mounts: %" PRIu64 " %s; the first: %s", target,
                 walk->elsewhere.count, entries_noun(walk->elsewhere.count),
                 error_printable(walk->elsewhere.first, first, sizeof(first)));
    if (walk->unreadable.count > 0 && told)
        log_warn("%s: left out, unreadable: %" PRIu64 " %s; the first: %s: %s", target,
                 walk->unreadable.count, entries_noun(walk->unreadable.count),
                 error_printable(walk->unreadable.first, first, sizeof(first)), strerror(errnum));
    return 0;
}

int file_target_open_directory(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const int fd = file_open_quietly(AT_FDCWD, fs->target.place, O_DIRECTORY | O_NOFOLLOW);

    if (fd < 0) {
        if (request->named && (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP))
            return life_refuse_missing(request->run_name, request->target, request->missing, err);
        return file_target_unreadable(-fd, "cannot list",
                                      request->named ? fs->target.place : request->target, err);
    }
    fs->target.dir_fd = fd;
    fs->directory = mem_strdup(fs->target.place);
    fs->target.dir_path = fs->directory;
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
    struct life_choice choice = {.arg = fs,
                                 .request = request,
                                 .noun = target_file.noun,
                                 .place = target_file.kind,
                                 .is_run = has_manifest};
    struct walk walk = {.path = target->place, .request = request, .noatime = true, .err = err};
    char *root = NULL, *path;
    int code = file_target_open_directory(fs, err);

    walk.root_fd = target->dir_fd;
    if (code == 0)
        code = walk_files(&walk);
    if (code == 0)
        code = check_walk(&walk, err);
    choice.empty = walk.empty > 0;
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
        code = file_target_read_run(fs, err);
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
        target->place = file_target_run_path(path, request->run_name);
        free(path);
    }
    if ((request->named || itself ? file_target_read_run(fs, err) : read_any(fs, err)) != 0)
        return -1;
    target->resolve = OS_NO_LINKS;
    target->description = life_describe_found(target_file.noun, target);
    file_target_set_file_system(target, target->dir_fd);
    file_target_look_at_data(target);
    return request->verify ? file_target_know_kept(fs, true, err) : 0;
}

/* ---- the sizes that a kept run was made for ---- */

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
