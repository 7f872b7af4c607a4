/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mountstats.h - counters of the kernel's NFS client for a mount, from /proc/self/mountstats: calls
 * by name, bytes, waiting. The parsers are pure, take one line at a time and allocate nothing, so
 * they accept text of any length. */
#ifndef OS_LINUX_MOUNTSTATS_H
#define OS_LINUX_MOUNTSTATS_H

#include <stdbool.h>
#include <stddef.h>

#include "os/os.h"
#include "os/traffic.h"

/* Parser state; all zero before the first line except `entry`. */
struct mountstats {
    const char *entry; /* start: "device SOURCE mounted on PLACE with fstype nfs" */
    bool here;         /* between its first and its last line */
    bool operations;   /* in its table of operations */
    bool past;         /* after its last line: further lines are ignored */
    bool known;        /* the statistics have a supported version */
    struct target_traffic traffic;
};

/* Parses the next line (no newline). Ignores what it does not recognise. */
void mountstats_take(struct mountstats *stats, const char *line);

/* Whether a whole table was parsed: version 1.0 or 1.1, with the operations of NFS 2, 3 or 4. */
static inline bool mountstats_complete(const struct mountstats *stats)
{
    return stats->known && stats->operations;
}

#endif
