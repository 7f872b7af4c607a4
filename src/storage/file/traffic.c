/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* traffic.c - what crosses the network for a file target: its mount is found once, then its
 * counters are read whenever they are asked for.  They belong to the mount: whatever other
 * processes do there at the same time is in them. */
#include "base/compat.h"

#include <stdlib.h>

#include "os/os.h"
#include "storage/file/driver.h"

void file_target_find_mount(struct file_target *fs)
{
    const int dir_fd = fs->target.dir_fd >= 0 ? fs->target.dir_fd : fs->parent_fd;

    fs->counted = dir_fd >= 0 ? os_mount_find(dir_fd, &fs->target.network_options) : NULL;
}

void file_target_forget_mount(struct file_target *fs)
{
    os_mount_free(fs->counted);
    free(fs->target.network_options);
}

bool file_target_traffic(const struct target *target, struct target_traffic *traffic)
{
    const struct file_target *fs = (const struct file_target *)target;

    return fs->counted && os_mount_traffic(fs->counted, traffic);
}
