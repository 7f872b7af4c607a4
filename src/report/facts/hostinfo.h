/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostinfo.h - facts about the machine and the targets that belong to a result.  Only reads /proc,
 * /sys, uname and statvfs; what cannot be found out is an empty string, 0 or negative, as said.
 * `root` is put before the paths of /proc and /sys: "" but for tests. */
#ifndef REPORT_FACTS_HOSTINFO_H
#define REPORT_FACTS_HOSTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hostinfo {
    char host[128], kernel[160], machine[64], cpu[128], clock_source[64],
        date[64];       /* ISO 8601, UTC */
    char governor[128]; /* of frequencies: "performance", or "performance (2), powersave (6)" */
    char virtualization[96]; /* "none", "kvm", "vm" (which is not known), "docker container in kvm"
                              */
    unsigned cpus;           /* online; 0 unknown */
    unsigned cpus_allowed;   /* that this process may run on (sched_getaffinity); 0 unknown */
    double cpus_quota;       /* so many at most, by cgroups (cpu.max, cfs_quota_us); 0: no limit */
    uint64_t page_bytes, memory_bytes; /* 0 unknown */
    uint64_t swap_bytes, swap_used_bytes;
    double load1; /* mean number of tasks that run or wait over a minute; negative unknown */
};

void hostinfo_read(const char *root, struct hostinfo *info);

/* "glibc 2.36, liburing 2.3, libaio": the C library, and those of engines (see engine.h). */
#define HOSTINFO_LIBRARIES 256
void hostinfo_list_libraries(char *text, size_t size);

/* virt.c: what systemd-detect-virt(1) looks at: containers by /proc/1 and marker files, machines by
 * /sys/hypervisor, DMI and the processors' own word.  Empty when nothing can be known. */
void hostinfo_read_virtualization(const char *root, char *text, size_t size);

/* cgroup.c: limits of the own cgroup and, where they are inherited, of those above it. */
double hostinfo_read_cpu_quota(const char *root);
/* "read 5242880 bytes/s, write 50 operations/s": the least for any of these devices; "none"; ""
 * when no cgroup can be read. */
void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size);

struct targetinfo {
    char *path;        /* of the target or the nearest directory above it that exists; or NULL */
    dev_t path_device; /* st_dev of it, st_rdev of a device */
    bool is_device;
    bool present;        /* the device below is known to the kernel */
    char filesystem[64]; /* "ext4", "fuse.sshfs" */
    char mount_point[256];
    char mount_options[4096]; /* of mount and superblock; what may be secret is "***" */
    char device[256];         /* as mounted: "/dev/vda1", "server:/export" */
    char
        below[512]; /* "partition of sda", "loop of FILE", "dm root of sda2", "btrfs on sda, sdb" */
    char model[192]; /* of the disk or disks at the bottom */
    char scheduler[64], write_cache[32];
    char io_limits[192];                                /* see above */
    int rotational;                                     /* 0, 1; -1 unknown */
    unsigned queue_depth;                               /* nr_requests; 0 unknown */
    uint64_t logical_block_bytes, physical_block_bytes; /* of the device; 0 unknown */
    uint64_t block_bytes, free_bytes;                   /* of the file system; block 0: unknown */
};

/* Finds the target (which is asked, and may block like any look at it) and reads all about it.
 * place may be NULL.  Free with targetinfo_free. */
void targetinfo_read(const char *root, const char *place, struct targetinfo *info);

/* Reads again what can change, from /proc and /sys only: never asks the target itself. */
void targetinfo_read_again(const char *root, const struct targetinfo *before,
                           struct targetinfo *after);
void targetinfo_free(struct targetinfo *info);

/* device.c: what /sys/dev/block tells of a device and those below it. */
void targetinfo_read_device(const char *root, dev_t device, struct targetinfo *info);

#endif
