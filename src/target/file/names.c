/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - what a file target has for tests of names. */
#include "base/compat.h"

#include <fcntl.h>
#include <string.h>

#include "target/file/driver.h"

void file_target_set_aside(struct target *target)
{
    static const char *const aside[] = {FILESET_MANIFEST, NULL};
    const char *name = target->dir_path ? strrchr(target->dir_path, '/') : NULL;

    if (name && strncmp(name + 1, FILESET_PREFIX, strlen(FILESET_PREFIX)) == 0)
        target->aside = aside;
}

/* Objects lie in a tree of directories below dir_fd. */
static bool is_tree(const struct target *target)
{
    return target->dir_path && strcmp(target->dir_path, target->place) == 0;
}

const char *file_target_lacks(const struct target *target, enum io_test test)
{
    if (test == TEST_LIST && !is_tree(target))
        return "no_directory";
    return NULL;
}
