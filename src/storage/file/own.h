/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* own.h - whether a file of a run is one that the run made.  Its name alone does not tell: somebody
 * may have put another one in its place.  But a run makes all its files alike, after its directory
 * and with the owner and the permissions of its MANIFEST, which may have got others since, and none
 * is longer than the manifest says.  What is unlike them is not iosweep's.  Allocates nothing. */
#ifndef STORAGE_FILE_OWN_H
#define STORAGE_FILE_OWN_H

#include <sys/stat.h>

#include "storage/file/fileset.h"

struct own_marks {
    bool has_manifest;           /* owner and permissions are known */
    uint32_t owner, permissions; /* of that file */
    int64_t born_s;              /* the directory of the run, since 1970; 0: not known */
    uint64_t file_bytes;         /* most of a file of the set ... */
    uint64_t new_bytes;          /* ... and of one that operations made */
};

/* Which marks the files of the run in the open directory bear. */
void own_learn(struct own_marks *marks, int dir_fd, const struct life_manifest *manifest);

/* Whether a file bears them.  born_s: when it was made, as above; is_new: its name is one of
 * fresh.h. */
bool own_fits(const struct own_marks *marks, const struct stat *st, int64_t born_s, bool is_new);

/* Whether a file of the set that bears them is shorter than its manifest says: of a run that has
 * ended, all that it counts as complete has its length, so another program has changed it since. */
bool own_is_changed(const struct life_manifest *manifest, uint64_t index, const struct stat *st);

#endif
