/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cgroup.h - the control groups this process is in, versions 1 and 2, below a root directory (""
 * but for tests). */
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

/* The group of this process for a controller of version 1, or that of version 2 (controller NULL).
 * False: there is none to be seen. */
bool cgroup_find(const char *root, const char *controller, struct cgroup *group);

/* Goes to the group above; false at the top. */
bool cgroup_up(struct cgroup *group);

/* How much more memory the groups of this process may take, in bytes: the least of the own group
 * and of those above it, what is cached of files not counted as taken.  UINT64_MAX: no limit. */
uint64_t cgroup_memory_left(const char *root);

#endif
