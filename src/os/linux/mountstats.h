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

#define MOUNTSTATS_LINE    8192 /* longest line of a mount parsed, with its end */
#define MOUNTSTATS_OPTIONS 1024

/* Parser state; all zero before the first line except `entry`. */
struct mountstats {
    const char *entry; /* start of the entry to find, see mountstats_entry */
    bool here;         /* between its first and its last line */
    bool operations;   /* in its table of operations */
    bool past;         /* after its last line: further lines are ignored */
    bool known;        /* the statistics have a supported version */
    struct target_traffic traffic;
    char options[MOUNTSTATS_OPTIONS]; /* of the mount, as reported by the kernel; "" if too long */
};

/* Parses the next line (no newline). Ignores what it does not recognise. */
void mountstats_take(struct mountstats *stats, const char *line);

/* Whether a whole table was parsed: version 1.0 or 1.1, with the operations of NFS 2, 3 or 4. */
static inline bool mountstats_complete(const struct mountstats *stats)
{
    return stats->known && stats->operations;
}

/* From a line of /proc/self/mountinfo for an NFS mount with this device number: writes how its
 * entry in mountstats begins ("device SOURCE mounted on PLACE with fstype nfs"). False for other
 * lines, and if it does not fit. */
bool mountstats_entry(const char *line, unsigned major_number, unsigned minor_number, char *entry,
                      size_t size);

/* Filters the options that affect speed, in their order, separated by ", ": version and transport,
 * transfer sizes, attribute cache, security, hard or soft, timeouts. Writes "" if there are none;
 * what does not fit is omitted. */
void mountstats_choose(const char *options, char *text, size_t size);

#endif
