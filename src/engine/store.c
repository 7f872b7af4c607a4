/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - which driver handles a target, and what is done to targets without opening them as a
 * store: cleaning up after earlier runs, and leaving in an emergency. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/fileset.h"
#include "engine/store.h"

const char *const test_names[TEST_COUNT + 1] = {
    [TEST_WRITE] = "write",   [TEST_READ] = "read",     [TEST_MULTIPART] = "multipart",
    [TEST_APPEND] = "append", [TEST_HEAD] = "head",     [TEST_LIST] = "list",
    [TEST_RENAME] = "rename", [TEST_DELETE] = "delete", [TEST_DELETE_MANY] = "delete-many",
};

/* Asked in this order; the last one claims everything. */
static const struct store_driver *const driver_table[] = {&store_null, &store_s3, &store_file};

#define DRIVER_COUNT (sizeof(driver_table) / sizeof(driver_table[0]))

const struct store_driver *store_driver_for(const char *target)
{
    for (size_t i = 0; i + 1 < DRIVER_COUNT; i++)
        if (driver_table[i]->claims(target))
            return driver_table[i];
    return driver_table[DRIVER_COUNT - 1];
}

/* The target may be the directory of a run itself ("iosweep-..." with a manifest in it). */
static bool is_run_directory(const char *path, int fd)
{
    const char *name = strrchr(path, '/');
    struct stat st;

    return name != NULL && name != path &&
           strncmp(name + 1, FILESET_PREFIX, strlen(FILESET_PREFIX)) == 0 &&
           fstatat(fd, FILESET_MANIFEST, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

static int clean_run_directory(char *path, unsigned *removed, struct error *err)
{
    char *name = strrchr(path, '/');
    int parent_fd, code;

    *name++ = '\0';
    parent_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", path);
    code = fileset_clean_one(parent_fd, path, name, removed, err);
    close(parent_fd);
    return code;
}

int store_clean(const char *target, const struct object_options *options, unsigned *removed,
                struct error *err)
{
    const struct store_driver *driver = store_driver_for(target);
    char *path;
    int fd, code;

    *removed = 0;
    if (driver->clean)
        return driver->clean(target, options, removed, err);
    if (driver != &store_file)
        return 0; /* nothing is ever made there */
    fd = open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    path = fd < 0 ? NULL : realpath(target, NULL);
    if (fd < 0 || path == NULL) {
        error_set(err, STATUS_TARGET, errno, "cannot clean", target);
        error_advise(err, "name the directory that was the target of the run");
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (is_run_directory(path, fd))
        code = clean_run_directory(path, removed, err);
    else
        code = fileset_clean(fd, target, removed, err);
    free(path);
    close(fd);
    return code;
}

void store_abandon(void)
{
    fileset_abandon();
}
