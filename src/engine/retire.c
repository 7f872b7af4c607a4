/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.c - see retire.h. */
#include "base/compat.h"

#include "engine/retire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/beneath.h"
#include "os/os.h"

#define DIRECTORY_TEXT 256u /* longer than any directory a run makes */

struct retire *retire_begin(const struct target *target, uint32_t index, uint32_t threads)
{
    struct retire *retire = mem_calloc(1, sizeof(*retire));

    retire->target = target;
    retire->dir_fd = -1;
    retire->range = (unsigned)((uint64_t)index * TARGET_RETIRED_RANGES / threads);
    retire->ranges_left = TARGET_RETIRED_RANGES;
    return retire;
}

void retire_end(struct retire *retire)
{
    if (retire->dir_fd >= 0)
        close(retire->dir_fd);
    free(retire);
}

static COLD int enter(struct retire *retire, const char *name, size_t length)
{
    char directory[DIRECTORY_TEXT] = ".";

    if (length >= sizeof(directory))
        return -ENAMETOOLONG;
    if (length > 0)
        memcpy(directory, name, length);
    directory[length > 0 ? length : 1] = '\0';
    if (retire->dir_fd >= 0)
        close(retire->dir_fd);
    retire->dir_fd = beneath_open(retire->target->dir_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    if (retire->dir_fd < 0)
        return retire->dir_fd;
    retire->name = name;
    retire->name_length = length;
    return 0;
}

/* Takes a number exclusively: all threads that use a range advance its counter atomically. */
static bool take(struct retire *retire, uint64_t *number)
{
    for (; retire->ranges_left > 0; retire->ranges_left--) {
        struct target_retired_range *range = &retire->target->retired->range[retire->range];

        if (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            *number = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (*number < range->end)
                return true;
        }
        retire->range = (retire->range + 1) % TARGET_RETIRED_RANGES;
    }
    *number = retire->target->object_count;
    return false;
}

int retire_next(struct retire *retire, bool sync, uint64_t *number)
{
    const struct target *target = retire->target;
    const char *name, *slash;
    size_t length;
    int code;

    if (!take(retire, number))
        return -ENOENT;
    name = target->name[*number];
    slash = strrchr(name, '/');
    length = slash ? (size_t)(slash - name) : 0;
    if (retire->dir_fd < 0 || length != retire->name_length ||
        memcmp(name, retire->name, length) != 0) {
        code = enter(retire, name, length);
        if (code < 0)
            return code;
    }
    if (unlinkat(retire->dir_fd, slash ? slash + 1 : name, 0) < 0)
        return -errno;
    return sync && os_sync(retire->dir_fd) < 0 && errno != EINVAL ? -errno : 0;
}
