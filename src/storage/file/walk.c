/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* walk.c - lists an existing tree.  Iterative, with a list of directories still to be read instead
 * of a stack of open ones, so that depth costs no descriptors.  Directories are reached from the
 * root without following links, so that replacing one meanwhile cannot lead outside. */
#include "base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "storage/file/fileset.h"
#include "storage/file/walk.h"

struct walker {
    int root_fd;
    const char *path; /* of the root */
    const volatile int *stop;
    dev_t device;
    struct walk *walk;
    char **todo; /* directories still to be read, relative to the root; "" is the root */
    size_t todo_count, todo_room;
    uint64_t directories;
    struct error *err;
};

/* DIRECTORY/NAME, without the slash for the root.  To be freed. */
static char *join(const char *directory, const char *name)
{
    return directory[0] == '\0' ? mem_strdup(name) : mem_printf("%s/%s", directory, name);
}

static int too_many(const struct walker *walker)
{
    return error_refuse(walker->err, STATUS_TARGET, "too many files in", walker->path,
                        "name a directory with at most %u", LIFE_OBJECTS_MAX);
}

static int push_directory(struct walker *walker, char *name)
{
    if (walker->directories >= LIFE_OBJECTS_MAX) {
        free(name);
        return too_many(walker);
    }
    walker->todo =
        mem_grow(walker->todo, &walker->todo_room, walker->todo_count + 1, sizeof(*walker->todo));
    walker->todo[walker->todo_count++] = name;
    walker->directories++;
    return 0;
}

/* Takes ownership of the name. */
static void note_unreadable(struct walk *walk, int code, char *name)
{
    if (walk->unreadable++ == 0) {
        walk->first_errno = code;
        walk->first_unreadable = name;
    } else {
        free(name);
    }
}

int walk_open(int dir_fd, const char *name, bool *noatime)
{
    static const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
    int fd = os_open_at(dir_fd, name, flags | OS_O_NOATIME, 0);

    *noatime = fd >= 0 && OS_O_NOATIME != 0;
    if (fd < 0 && errno == EPERM)
        fd = os_open_at(dir_fd, name, flags, 0);
    return fd < 0 ? -errno : fd;
}

/* Opens a file once to see whether it can be read. */
static int try_file(int dir_fd, const char *name, struct stat *st, bool *noatime)
{
    const int fd = walk_open(dir_fd, name, noatime);
    int code = 0;

    if (fd < 0)
        return fd;
    if (fstat(fd, st) != 0)
        code = -errno;
    else if (!S_ISREG(st->st_mode))
        code = -ENOENT; /* changed since it was examined: treated as missing */
    close(fd);
    return code;
}

static int visit_file(struct walker *walker, int dir_fd, const char *directory, const char *name)
{
    struct walk *walk = walker->walk;
    struct stat st;
    bool noatime;
    char *path;
    int code = try_file(dir_fd, name, &st, &noatime);

    if (code == -ENOENT || code == -ELOOP)
        return 0;
    if (code != 0) {
        note_unreadable(walk, -code, join(directory, name));
        return 0;
    }
    if (st.st_size == 0) {
        walk->empty++;
        return 0;
    }
    path = join(directory, name);
    if (strlen(path) >= PATH_MAX) { /* too long to be opened by name */
        note_unreadable(walk, ENAMETOOLONG, path);
        return 0;
    }
    if (walk->files.count >= LIFE_OBJECTS_MAX) {
        free(path);
        return too_many(walker);
    }
    walk->noatime = walk->noatime && noatime;
    life_objects_add(&walk->files, path, (uint64_t)st.st_size);
    return 0;
}

/* Examines before opening: opening a FIFO or a device can block or have side effects. */
static int visit_entry(struct walker *walker, int dir_fd, const char *directory, const char *name,
                       bool in_run)
{
    struct stat st;
    uint64_t number;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
        (in_run && life_is_manifest(name, &number)))
        return 0;
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT)
            note_unreadable(walker->walk, errno, join(directory, name));
        return 0;
    }
    if (st.st_dev != walker->device)
        return 0;
    if (S_ISDIR(st.st_mode))
        return push_directory(walker, join(directory, name));
    return S_ISREG(st.st_mode) ? visit_file(walker, dir_fd, directory, name) : 0;
}

/* Opens a directory below the root for reading; returns a descriptor or -errno. */
static int open_below(const struct walker *walker, const char *name)
{
    const int fd = name[0] == '\0'
                       ? walker->root_fd
                       : beneath_open(walker->root_fd, name, OS_O_LOOK | O_DIRECTORY, 0);
    const int readable = fd < 0 ? fd : file_open_quietly(fd, ".", O_DIRECTORY | O_NOFOLLOW);

    if (fd >= 0 && fd != walker->root_fd)
        close(fd);
    return readable;
}

static int visit_directory(struct walker *walker, const char *directory)
{
    /* the directory of a run, by its own name (for the root: by that of the target) */
    const char *path = directory[0] == '\0' ? walker->path : directory;
    const char *slash = strrchr(path, '/');
    const bool in_run = strncmp(!slash ? path : slash + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
    const int fd = open_below(walker, directory);
    const struct dirent *entry = NULL;
    struct stat st;
    DIR *dir = NULL;
    int code = 0;

    errno = fd < 0 ? -fd : 0;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == walker->device)
        dir = fdopendir(fd);
    while (dir && code == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
        if (flag_read(walker->stop) != 0)
            code = error_set(walker->err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                             walker->path);
        else
            code = visit_entry(walker, fd, directory, entry->d_name, in_run);
    }
    if (!entry && errno != 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP &&
        errno != EXDEV) /* the rest of it is unknown */
        note_unreadable(walker->walk, errno, mem_strdup(directory[0] == '\0' ? "." : directory));
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return code;
}

int walk_files(int root_fd, const char *path, const volatile int *stop, struct walk *walk,
               struct error *err)
{
    struct walker walker = {
        .root_fd = root_fd, .path = path, .stop = stop, .walk = walk, .err = err};
    struct stat st;
    int code;

    *walk = (struct walk){.noatime = true};
    if (fstat(root_fd, &st) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot stat", path);
    walker.device = st.st_dev;
    code = push_directory(&walker, mem_strdup(""));
    while (code == 0 && walker.todo_count > 0) {
        char *directory = walker.todo[--walker.todo_count];

        code = visit_directory(&walker, directory);
        free(directory);
    }
    while (walker.todo_count > 0)
        free(walker.todo[--walker.todo_count]);
    free(walker.todo);
    if (code == 0)
        life_objects_sort(&walk->files);
    return code;
}

void walk_free(struct walk *walk)
{
    life_objects_free(&walk->files);
    free(walk->first_unreadable);
    *walk = (struct walk){0};
}
