/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostinfo.h - facts about the machine and the targets that belong to a result.  Only reads /proc,
 * /sys, uname and statfs; what cannot be found out is an empty string. */
#ifndef OUT_HOSTINFO_H
#define OUT_HOSTINFO_H

#include <stdint.h>

#include "engine/store.h"

struct hostinfo {
    char host[128], kernel[160], machine[64], cpu[128], clock_source[64],
        date[64] /* ISO 8601, UTC */;
    unsigned cpus;
    uint64_t page_bytes, memory_bytes;
    double load1;
};

struct targetinfo {
    char filesystem[64], mount_point[256], mount_options[512], device[128], scheduler[64];
    int rotational; /* 0, 1; -1 unknown */
    uint64_t block_bytes, free_bytes;
};

void hostinfo_read(struct hostinfo *info);
void targetinfo_read(const struct store *store, struct targetinfo *info);

#endif
