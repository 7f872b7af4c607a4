/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fresh.h - what engines need that make names in the directory of their thread (storage/fresh.h):
 * the directory itself, the next name, files that a slice will use up, and what they leave. */
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
    int dir_fd;           /* of `own` */
    uint32_t index;       /* of the thread */
    enum fresh_kind kind; /* of the names that are made */
    uint64_t first;       /* names from here on were made in this slice ... */
    bool stay;            /* ... and are left to the removal of the run */
    char failure[256];    /* the first, in words; "": none */
};

/* Opens the directory of the thread.  Returns 0 or -1. */
int fresh_open(struct fresh *fresh, const struct workload *work, const struct engine_thread *thread,
               struct error *err);

/* Closes it; what was made in this slice is removed first, unless it is to be kept. */
void fresh_close(struct fresh *fresh);

/* Removes files of these numbers, as far as they are there. */
void fresh_remove(const struct fresh *fresh, uint64_t first, uint64_t end);

/* Makes `count` files of the size of the workload, with data, under the next numbers; ends early
 * when the run is to end.  Returns 0 or -1. */
int fresh_make(struct fresh *fresh, uint64_t count, struct error *err);

/* Notes the first failure of a slice: what could not be done with which name (or, kind 0, with
 * which object of the target).  Returns -errnum. */
COLD int fresh_failed(struct fresh *fresh, const char *action, enum fresh_kind kind,
                      uint64_t number, int errnum);

/* What --sync end asks of the directory, after names in it were made or changed.  0 or -errno. */
COLD int fresh_sync_directory(struct fresh *fresh);

#endif
