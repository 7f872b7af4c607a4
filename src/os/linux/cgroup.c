/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cgroup.c - see facts_parts.h. In a container the mount may already be the process's own group. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ',') && strchr(", \n", at[length]))
            return true;
    return false;
}

/* Finds where the hierarchy of a controller is mounted (version 2: controller NULL), and which part
 * of the hierarchy is visible there. */
static bool find_hierarchy(const char *root, const char *controller, struct cgroup *group,
                           char *part, size_t part_size)
{
    FILE *file = sysfile_open(root, "/proc/self/mountinfo");
    struct sysfile_mount mount;
    char line[2048];
    bool found = false;

    while (sysfile_next(file, found, line, sizeof(line))) {
        if (!sysfile_mount(line, &mount) || !mount.super)
            continue;
        found = !controller
                    ? strcmp(mount.type, "cgroup2") == 0
                    : strcmp(mount.type, "cgroup") == 0 && has_word(mount.super, controller);
        if (!found)
            continue;
        text_copy(part, part_size, mount.root);
        text_copy(group->path, sizeof(group->path), mount.place);
        group->top = strlen(group->path);
    }
    return found;
}

/* Lines "4:memory,cpu:/path", version 2: "0::/path". */
bool cgroup_find(const char *root, const char *controller, struct cgroup *group)
{
    FILE *file;
    char part[512], line[1024], *own = NULL;
    size_t part_length;

    if (!find_hierarchy(root, controller, group, part, sizeof(part)))
        return false;
    file = sysfile_open(root, "/proc/self/cgroup");
    while (sysfile_next(file, own, line, sizeof(line))) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        if (!controller ? names[1] == '\0' : has_word(names + 1, controller))
            own = path;
    }
    if (!own)
        return false;
    own[strcspn(own, "\n")] = '\0';
    part_length = strcmp(part, "/") == 0 ? 0 : strlen(part);
    if (strncmp(own, part, part_length) == 0)
        own += part_length;
    if (own[0] == '/' && own[1] != '\0')
        snprintf(group->path + group->top, sizeof(group->path) - group->top, "%s", own);
    return true;
}

bool cgroup_up(struct cgroup *group)
{
    char *slash = strrchr(group->path, '/');

    if (strlen(group->path) <= group->top || !slash)
        return false;
    *slash = '\0';
    return true;
}

/* ---- memory ---- */

/* A line "NAME NUMBER" of memory.stat; 0: missing. */
static uint64_t read_statistic(const char *root, const char *path, const char *name)
{
    char line[128], file_name[SYSFILE_PATH + 16];
    uint64_t number = 0;
    FILE *file;

    snprintf(file_name, sizeof(file_name), "%s/memory.stat", path);
    file = sysfile_open(root, file_name);
    while (sysfile_next(file, false, line, sizeof(line)))
        sysfile_number(line, name, &number);
    return number;
}

/* File names of the two versions, and prefixes of the statistics that include child groups. */
struct memory_names {
    const char *limit, *usage, *inactive, *active;
};

static void take_group(const char *root, const char *path, const struct memory_names *names,
                       uint64_t *least)
{
    char limit[64], usage[64];
    uint64_t limit_bytes, used_bytes, cache_bytes, left_bytes;

    if (!sysfile_line(limit, sizeof(limit), root, "%s/%s", path, names->limit) ||
        !sysfile_line(usage, sizeof(usage), root, "%s/%s", path, names->usage) ||
        !number_read(limit, &limit_bytes) || /* "max" */
        !number_read(usage, &used_bytes))
        return;
    /* File cache is reclaimed on demand. */
    cache_bytes =
        read_statistic(root, path, names->inactive) + read_statistic(root, path, names->active);
    used_bytes -= cache_bytes < used_bytes ? cache_bytes : used_bytes;
    left_bytes = limit_bytes > used_bytes ? limit_bytes - used_bytes : 0;
    if (left_bytes < *least)
        *least = left_bytes;
}

uint64_t cgroup_memory_left(const char *root)
{
    static const struct memory_names version_2 = {"memory.max", "memory.current", "inactive_file ",
                                                  "active_file "};
    static const struct memory_names version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                                  "total_inactive_file ", "total_active_file "};
    struct cgroup group;
    uint64_t least = UINT64_MAX;

    if (cgroup_find(root, NULL, &group))
        do
            take_group(root, group.path, &version_2, &least);
        while (cgroup_up(&group));
    if (cgroup_find(root, "memory", &group))
        do
            take_group(root, group.path, &version_1, &least);
        while (cgroup_up(&group));
    return least;
}
