/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_parts.h - between the readers of facts of os/linux/, and for their tests. */
#ifndef OS_LINUX_FACTS_PARTS_H
#define OS_LINUX_FACTS_PARTS_H

#include "os/facts.h"
#include "os/os.h"

/* virt.c: what systemd-detect-virt(1) looks at: containers by /proc/1 and marker files, machines by
 * /sys/hypervisor, DMI and the processors' own word.  Empty when nothing can be known. */
void hostinfo_read_virtualization(const char *root, char *text, size_t size);

/* cgroup_limits.c: limits of the own cgroup and, where they are inherited, of those above it. */
double hostinfo_read_cpu_quota(const char *root);
/* "read 5242880 bytes/s, write 50 operations/s": the least for any of these devices; "none"; ""
 * when no cgroup can be read. */
void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size);

/* device.c: what /sys/dev/block tells of a device and those below it. */
void targetinfo_read_device(const char *root, dev_t device, struct targetinfo *info);

#endif
