/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cgroup.h - the control groups of this process, versions 1 and 2, below a root directory (""
 * except in tests). */
#ifndef OS_CGROUP_H
#define OS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/linux/sysfile.h"

struct cgroup {
    char path[SYSFILE_PATH]; /* of its directory, without the root */
    size_t top;              /* length of the part that is the mount point */
};

/* The group of this process for a version 1 controller, or its version 2 group (controller NULL).
 * False: none is visible. */
bool cgroup_find(const char *root, const char *controller, struct cgroup *group);

/* Moves to the parent group; false at the top. */
bool cgroup_up(struct cgroup *group);

/* The memory in bytes that the groups of this process may still take: the least of its own group
 * and all ancestors, with file cache counted as free. UINT64_MAX: no limit. */
uint64_t cgroup_memory_left(const char *root);

#endif
