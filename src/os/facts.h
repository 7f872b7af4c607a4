/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.h - facts about the machine and the targets that accompany a result. Only reads; unknown
 * facts are empty strings, 0 or negative, as stated. os/facts.c has what any system reports, a port
 * adds the rest. `root` is prepended to the paths of kernel files (/proc, /sys): "" except in
 * tests. */
#ifndef OS_FACTS_H
#define OS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hostinfo {
    char host[128], kernel[160], machine[64], cpu[128], clock_source[64],
        date[64];       /* ISO 8601, UTC */
    char governor[128]; /* of CPU frequency: "performance"; "mixed": processors differ */
    /* "none", "kvm", "vm" (unknown kind), "docker container in kvm" */
    char virtualization[96];
    unsigned cpus;                     /* online; 0 unknown */
    unsigned cpus_allowed;             /* usable by this process; 0 unknown */
    double cpus_quota;                 /* processors granted by control groups; 0: no limit */
    uint64_t page_bytes, memory_bytes; /* 0 unknown */
};

void hostinfo_read(const char *root, struct hostinfo *info);

struct targetinfo {    /* without pointers: one process hands the bytes to another */
    char path[4096];   /* of the target or its nearest existing ancestor; "": there is none */
    dev_t path_device; /* its st_dev, or the st_rdev of a device */
    bool is_device;
    char filesystem[64]; /* "ext4", "fuse.sshfs" */
    char mount_point[256];
    char mount_options[4096]; /* of mount and superblock; secrets are replaced by "***" */
    char device[256];         /* as mounted: "/dev/vda1", "server:/export" */
    /* "partition of sda", "loop of FILE", "dm root of sda2", "daemon sshfs, process 12" */
    char below[512];
    char daemon[32]; /* the process that serves a FUSE file system; "": unknown */
    char model[192]; /* of the disk or disks at the bottom */
    char scheduler[64], write_cache[32];
    /* "read 5242880 bytes/s, write 50 operations/s": the lowest for any of these devices; "none";
     * "": unknown */
    char io_limits[192];
    int rotational; /* 0, 1; -1 unknown */
};

/* What is between this machine and the storage, for display: "NFS", "FUSE bindfs", "loop device",
 * and who there may answer from a cache that O_DIRECT does not bypass ("server"). Both "": local
 * block storage, a file system in memory, or unknown. */
struct medium {
    char name[64], keeper[24];
};
void targetinfo_medium(const struct targetinfo *info, struct medium *medium);

/* For the ports. Length of a mount point if it is a prefix of an absolute path; 0: it is not. */
size_t targetinfo_leads(const char *mount_point, const char *path);

/* Finds the target (accessing it, so this may block) and reads all facts about it. place may be
 * NULL. */
void targetinfo_read(const char *root, const char *place, struct targetinfo *info);

#endif
