/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.h - what FreeBSD, NetBSD, OpenBSD and macOS know alike, but tell each in its own way. */
#ifndef OS_BSD_SYSTEM_H
#define OS_BSD_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum bsd_text { BSD_CPU_NAME, BSD_CLOCK_SOURCE, BSD_VIRTUALIZATION };

/* By os/SYSTEM/system.c, and os/bsd/ticks.c of the BSDs.  "" when it is not known. */
void bsd_read_text(enum bsd_text which, char *text, size_t size);

struct bsd_memory { /* all 0 when unknown */
    uint64_t all_bytes;
    uint64_t available_bytes; /* free, or held by what nobody has used for long */
};
struct bsd_memory bsd_memory(void);

/* What the processor of that number (they begin at 0) has spent so far, in ticks.  False: there is
 * no such processor. */
struct bsd_ticks {
    uint64_t busy, interrupts, idle;
    bool online;
};
bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks);
uint64_t bsd_tick_ns(void); /* how long each is; 0: not known */

/* By os/bsd/mount.c: a mounted file system. */
struct bsd_mount {
    char type[32], point[1024], source[1024];
    char options[128]; /* "rw,noatime" */
    bool local;
};
bool bsd_mount_of(int fd, struct bsd_mount *mount);

/* The one that a path, which is absolute and without links, lies on; device: st_dev there.  Asks no
 * server. */
bool bsd_mount_at(const char *path, dev_t device, struct bsd_mount *mount);

#endif
