/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cgroup.c - limits of control groups on this process, versions 1 and 2: memory, processors, and
 * device traffic. A limit there looks exactly like a slow disk. In a container the mount may
 * already be the process's own group.
 *
 * Limits apply to all descendants, so the lowest one counts, but for throttling in version 1, which
 * is not inherited: only the own group's limits apply. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

struct cgroup { /* all 0 before the first one */
    enum { NO_GROUP, VERSION_2, VERSION_1 } version;
    bool own;                /* of this process, not an ancestor */
    char path[SYSFILE_PATH]; /* of its directory, without the root */
    size_t top;              /* length of the part that is the mount point */
};

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ',') && strchr(", ", at[length]))
            return true;
    return false;
}

/* Finds where the hierarchy of a controller is mounted (version 2: controller NULL), and which part
 * of the hierarchy is visible there. */
static bool find_hierarchy(const char *root, const char *controller, struct cgroup *group,
                           char *part, size_t part_size)
{
    struct sysfile file = sysfile_open(root, "/proc/self/mountinfo");
    struct sysfile_mount mount;
    bool found = false;

    while (sysfile_next_mount(&file, found, &mount)) {
        if (!mount.super || strcmp(mount.type, controller ? "cgroup" : "cgroup2") != 0 ||
            (controller && !has_word(mount.super, controller)))
            continue;
        found = true;
        text_copy(part, part_size, mount.root);
        text_copy(group->path, sizeof(group->path), mount.place);
        group->top = strlen(group->path);
    }
    return found;
}

/* The group of this process. Lines "4:memory,cpu:/path", version 2: "0::/path". */
static bool find_group(const char *root, const char *controller, struct cgroup *group)
{
    struct sysfile file;
    char part[512];
    bool found = false;

    if (!find_hierarchy(root, controller, group, part, sizeof(part)))
        return false;
    if (strcmp(part, "/") == 0)
        part[0] = '\0';
    file = sysfile_open(root, "/proc/self/cgroup");
    while (sysfile_next(&file, found)) {
        char *names = strchr(file.line, ':'), *own = names ? strchr(names + 1, ':') : NULL;

        if (!own)
            continue;
        *own++ = '\0';
        found = controller ? has_word(names + 1, controller) : names[1] == '\0';
        if (strncmp(own, part, strlen(part)) == 0)
            own += strlen(part);
        if (found && own[0] == '/' && own[1] != '\0')
            text_copy(group->path + group->top, sizeof(group->path) - group->top, own);
    }
    return found;
}

/* Moves on: to the version 2 group of this process, its ancestors, its group for a controller of
 * version 1, and the ancestors of that. False: there are no more that can be seen. */
static bool next_group(const char *root, const char *controller, struct cgroup *group)
{
    char *slash = strrchr(group->path, '/');

    group->own = false;
    if (slash && strlen(group->path) > group->top) {
        *slash = '\0';
        return true;
    }
    while (!group->own && group->version < VERSION_1) {
        group->version++;
        group->own = find_group(root, group->version == VERSION_1 ? controller : NULL, group);
    }
    return group->own;
}

/* ---- memory ---- */

static uint64_t memory_number(const char *root, const struct cgroup *group, const char *key)
{
    char text[64];
    uint64_t number = 0;

    if (sysfile_field(text, sizeof(text), key, root, "%s/memory.stat", group->path))
        (void)number_read(text, &number);
    return number;
}

uint64_t cgroup_memory_left(const char *root)
{
    static const struct { /* file names, and statistics that include child groups */
        const char *limit, *usage, *inactive, *active;
    } names[] = {
        [VERSION_2] = {"memory.max", "memory.current", "inactive_file ", "active_file "},
        [VERSION_1] = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
                       "total_active_file "},
    };
    struct cgroup group = {.version = NO_GROUP};
    uint64_t least = UINT64_MAX, limit_bytes, used_bytes;
    char limit[64], usage[64];

    while (next_group(root, "memory", &group)) {
        const char *const path = group.path;

        sysfile_line(limit, sizeof(limit), root, "%s/%s", path, names[group.version].limit);
        sysfile_line(usage, sizeof(usage), root, "%s/%s", path, names[group.version].usage);
        if (!number_read(limit, &limit_bytes) /* "max" */ || !number_read(usage, &used_bytes))
            continue;
        /* File cache is reclaimed on demand. */
        used_bytes =
            number_minus(used_bytes, memory_number(root, &group, names[group.version].inactive) +
                                         memory_number(root, &group, names[group.version].active));
        least = number_least(least, number_minus(limit_bytes, used_bytes));
    }
    return least;
}

/* ---- processors ---- */

/* Non-numbers mean no limit: "max", "-1". */
double hostinfo_read_cpu_quota(const char *root)
{
    struct cgroup group = {.version = NO_GROUP};
    uint64_t used_us, period_us;
    char quota[128], period[64];
    double least = 0;

    while (next_group(root, "cpu", &group)) {
        const char *used = quota, *of = period;

        if (group.version == VERSION_2) { /* both in one line */
            sysfile_line(quota, sizeof(quota), root, "%s/cpu.max", group.path);
            of = quota + strcspn(quota, " ");
        } else {
            sysfile_line(quota, sizeof(quota), root, "%s/cpu.cfs_quota_us", group.path);
            sysfile_line(period, sizeof(period), root, "%s/cpu.cfs_period_us", group.path);
        }
        if (number_take(&used, &used_us) && sysfile_take(&of, &period_us) && used_us > 0 &&
            period_us > 0 && (least <= 0 || (double)used_us / (double)period_us < least))
            least = (double)used_us / (double)period_us;
    }
    return least;
}

/* ---- devices ---- */

static bool is_device_of(const char *line, const dev_t *devices, unsigned count)
{
    dev_t device;

    if (!sysfile_device(line, &device))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (devices[i] == device)
            return true;
    return false;
}

void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size)
{
    static const struct {
        /* version 2: a word of a line "8:0 rbps=1048576 wbps=max", version 1: a file of lines
         * "8:0 1048576" */
        const char *key, *file, *action, *unit;
    } limits[] = {
        {" rbps=", "read_bps", "read", "bytes"},
        {" wbps=", "write_bps", "write", "bytes"},
        {" riops=", "read_iops", "read", "operations"},
        {" wiops=", "write_iops", "write", "operations"},
    };
    bool known = false;

    text[0] = '\0';
    for (size_t i = 0; count > 0 && i < COUNT_OF(limits); i++) {
        struct cgroup group = {.version = NO_GROUP};
        uint64_t least = 0, limit;

        while (next_group(root, "blkio", &group)) {
            const bool new = group.version == VERSION_2;
            const char *key = new ? limits[i].key : " ";
            struct sysfile file = {.file = NULL};

            if (new)
                file = sysfile_open(root, "%s/io.max", group.path);
            else if (group.own)
                file =
                    sysfile_open(root, "%s/blkio.throttle.%s_device", group.path, limits[i].file);
            known = known || new || file.file; /* the root group has no io.max: it has no limits */
            while (sysfile_next(&file, false)) {
                const char *at =
                    is_device_of(file.line, devices, count) ? strstr(file.line, key) : NULL;

                if (at && (at += strlen(key), number_take(&at, &limit)) && limit > 0)
                    least = least == 0 ? limit : number_least(least, limit);
            }
        }
        if (least > 0)
            text_add(text, size, ", ", "%s %" PRIu64 " %s/s", limits[i].action, least,
                     limits[i].unit);
    }
    if (known && text[0] == '\0')
        text_copy(text, size, "none");
}
