/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.h - facts that FreeBSD, NetBSD, OpenBSD and macOS provide by different calls. */
#ifndef OS_BSD_SYSTEM_H
#define OS_BSD_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum bsd_text { BSD_CPU_NAME, BSD_CLOCK_SOURCE, BSD_VIRTUALIZATION };

/* Implemented by OpenBSD, and for all others in facts.c. "" if unknown. */
void bsd_read_text(enum bsd_text which, char *text, size_t size);

/* The others are implemented by each of them. */
struct bsd_memory { /* all 0 when unknown */
    uint64_t all_bytes;
    uint64_t available_bytes; /* free, or inactive */
};
struct bsd_memory bsd_memory(void);

/* Ticks that a processor (numbered from 0) has spent so far. False: no such processor. */
struct bsd_ticks {
    uint64_t busy, interrupts, idle;
    bool online;
};
bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks);

#endif
