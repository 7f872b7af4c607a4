/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mountstats.h - what the NFS client of the kernel counts for a mount, as /proc/self/mountstats
 * shows it: calls by name, bytes, waiting.  The parsers are pure, take a line at a time and
 * allocate nothing, so that any text, however long, can be given to them. */
#ifndef OS_LINUX_MOUNTSTATS_H
#define OS_LINUX_MOUNTSTATS_H

#include <stdbool.h>
#include <stddef.h>

#include "os/os.h"
#include "os/traffic.h"

#define MOUNTSTATS_LINE    8192 /* longest line that is looked at, with its end */
#define MOUNTSTATS_OPTIONS 1024

/* An entry in the making; all zero before the first line but for `entry`. */
struct mountstats {
    const char *entry; /* how the entry that is looked for begins, see mountstats_entry */
    bool here;         /* between its first and its last line */
    bool operations;   /* in its table of operations */
    bool past;         /* behind its last line: nothing more will be taken */
    bool known;        /* the statistics are of a version that is understood */
    struct target_traffic traffic;
    char options[MOUNTSTATS_OPTIONS]; /* of the mount, as the kernel wrote them; "" if too long */
};

/* Takes the next line (no newline).  What is not understood is passed over. */
void mountstats_take(struct mountstats *stats, const char *line);

/* True when a whole table was seen: version 1.0 or 1.1, with the operations of NFS 2, 3 or 4. */
static inline bool mountstats_complete(const struct mountstats *stats)
{
    return stats->known && stats->operations;
}

/* From a line of /proc/self/mountinfo that is about an NFS mount with this device number: writes
 * how its entry in mountstats begins ("device SOURCE mounted on PLACE with fstype nfs").  False for
 * other lines, and when it does not fit. */
bool mountstats_entry(const char *line, unsigned major_number, unsigned minor_number, char *entry,
                      size_t size);

/* Keeps of the options those that matter for speed, in their order, separated by ", ": version and
 * transport, sizes of transfers, attribute cache, security, hard or soft, timeouts.  Writes "" when
 * there are none; what does not fit is left away. */
void mountstats_choose(const char *options, char *text, size_t size);

/* Feeds the lines of an open file, read from its beginning, to take() until that returns false.
 * Lines that are too long are left out.  Returns 0 or -errno. */
int mountstats_read(int fd, bool (*take)(void *arg, const char *line), void *arg);

#endif
