/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* names.c - what a file target has for tests of names. */
#include "base/compat.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "os/memory.h"
#include "storage/file/driver.h"
#include "storage/fresh.h"

void file_target_plan_fresh(struct file_target *fs)
{
    const struct target_request *request = fs->target.request;
    bool makes = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        makes = makes || ((request->tests & 1u << test) && test_makes_names((enum io_test)test));
    fs->manifest.threads = !makes ? 0 : request->threads > 0 ? request->threads : 1;
    fs->empty = request->tests & 1u << TEST_FILL;
    fs->unfilled = target_request_makes_own(request);
}

int file_target_make_fresh(struct file_target *fs, struct error *err)
{
    const uint32_t count = (uint32_t)fs->manifest.threads;
    struct target_fresh *fresh;

    if (count == 0)
        return 0;
    fresh = mem_buffer(count * sizeof(*fresh), _Alignof(struct target_fresh), err);
    if (!fresh)
        return -1;
    memset(fresh, 0, count * sizeof(*fresh));
    for (uint32_t i = 0; i < count; i++)
        fresh[i].dir_fd = -1;
    fs->target.fresh = fresh;
    fs->target.fresh_count = count;
    return 0;
}

void file_target_forget_fresh(struct file_target *fs)
{
    for (uint32_t i = 0; i < fs->target.fresh_count; i++)
        free(fs->target.fresh[i].movable);
    mem_buffer_free(fs->target.fresh);
}

void file_target_set_aside(struct target *target)
{
    static const char *const aside[] = {LIFE_NAME, FRESH_DIRECTORY, NULL};
    const char *name = target->dir_path ? strrchr(target->dir_path, '/') : NULL;

    if (name && strncmp(name + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0)
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
    if (target->retired && test == TEST_DELETE)
        return NULL;
    if (test_makes_names(test) && !target->fresh && !(target->ours && target->request->dry_run))
        return "no_directory";
    return NULL;
}
