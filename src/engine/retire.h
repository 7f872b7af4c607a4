/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.h - test delete on a run that was kept: the files of the target one after the other, each
 * once.  A thread takes them from ranges of names, each of which few others take from.  Only the
 * directory that holds a name is opened, without following links on the way, and stays open as long
 * as the next names are in it, too. */
#ifndef ENGINE_RETIRE_H
#define ENGINE_RETIRE_H

#include "engine/engine.h"

struct retire {
    const struct target *target;
    const char *name;   /* of a file in the directory that is open */
    size_t name_length; /* of the directory in it */
    int dir_fd;
    unsigned range, ranges_left; /* it takes from, that one included */
};

/* For a slice: `index` is that of the thread among so many. */
struct retire *retire_begin(const struct target *target, uint32_t index, uint32_t threads);
void retire_end(struct retire *retire);

/* Removes the next file, *number; with sync its directory is flushed.  Returns 0 or -errno: -ENOENT
 * also when there is none left, and *number is the number of all files then. */
int retire_next(struct retire *retire, bool sync, uint64_t *number);

#endif
