/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.h - test delete on a kept run: removes the files of the target in sequence, each once.
 * Each thread takes files from ranges of names that few other threads use. Only the directory of a
 * name is opened, without following links on the way; it stays open while the next names are in
 * it. */
#ifndef ENGINE_RETIRE_H
#define ENGINE_RETIRE_H

#include "engine/engine.h"

struct retire {
    const struct target *target;
    const char *name;   /* of a file in the open directory */
    size_t name_length; /* length of the directory part */
    int dir_fd;
    unsigned range, ranges_left; /* the current range, and how many are left including it */
};

/* For a slice: `index` is the thread's number among `threads`. */
struct retire *retire_begin(const struct target *target, uint32_t index, uint32_t threads);
void retire_end(struct retire *retire);

/* Removes the next file, *number, and flushes its directory if sync. Returns 0 or -errno: -ENOENT
 * also if none is left; *number is then the number of all files. */
int retire_next(struct retire *retire, bool sync, uint64_t *number);

#endif
