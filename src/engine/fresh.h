/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fresh.h - for engines that create names in their thread's directory (storage/fresh.h): the
 * directory itself, the next name, files that a slice will use up, and removal of the rest. */
#ifndef ENGINE_FRESH_H
#define ENGINE_FRESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/flag.h"
#include "engine/engine.h"
#include "storage/fresh.h"

struct fresh {
    const struct workload *work;
    struct target_fresh *own;
    int dir_fd;           /* `own` */
    uint32_t index;       /* of the thread */
    enum fresh_kind kind; /* of the names created */
    uint64_t first;       /* number of the first name made in this slice ... */
    bool stay;            /* ... all of which are left for the removal of the run */
    char failure[256];    /* description of the first; "": none */
};

/* Opens the thread's directory. Returns 0 or -1. */
int fresh_open(struct fresh *fresh, const struct workload *work, const struct engine_thread *thread,
               struct error *err);

/* Closes it, after removing what this slice made unless it is to be kept. */
void fresh_close(struct fresh *fresh);

/* Removes the files of these numbers that exist. */
void fresh_remove(const struct fresh *fresh, uint64_t first, uint64_t end);

/* Makes `count` files of the workload's size, with data, under the next numbers; stops early when
 * the run is ending. Returns 0 or -1. */
int fresh_make(struct fresh *fresh, uint64_t count, struct error *err);

/* Records the first failure of a slice: the action and the name (or, kind 0, the object of the
 * target). Returns -errnum. */
COLD int fresh_failed(struct fresh *fresh, const char *action, enum fresh_kind kind,
                      uint64_t number, int errnum);

/* Flushes the directory, as --sync end requires after names in it changed. 0 or -errno. */
COLD int fresh_sync_directory(struct fresh *fresh);

#endif
