/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_parts.h - functions shared by the readers of facts in os/linux/ and their tests. */
#ifndef OS_LINUX_FACTS_PARTS_H
#define OS_LINUX_FACTS_PARTS_H

#include "os/facts.h"
#include "os/linux/sysfile.h"
#include "os/os.h"

/* virt.c: from marker files of containers, and from /sys/hypervisor, DMI and CPUID of machines.
 * Empty if nothing is known. */
void hostinfo_read_virtualization(const char *root, char *text, size_t size);

/* cgroup.c: what the control groups of this process leave it. Bytes of memory, with file cache
 * counted as free; UINT64_MAX: no limit. */
uint64_t cgroup_memory_left(const char *root);

/* Processors granted; 0: no limit. */
double hostinfo_read_cpu_quota(const char *root);
/* "read 5242880 bytes/s, write 50 operations/s": the lowest for any of these devices; "none"; "" if
 * no cgroup can be read. */
void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size);

/* device.c: what /sys/dev/block reports about a device and those below it. */
void targetinfo_read_device(const char *root, dev_t device, struct targetinfo *info);

#endif
