/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* own.h - whether a run made a file.  The name alone is no proof: the file may have been replaced.
 * But all files of a run are younger than its directory, have the owner of its first manifest (or
 * of the directory) and its permissions or those it was made with, and are not longer than it says.
 * Files that differ are not iosweep's.  Allocates nothing. */
#ifndef STORAGE_FILE_OWN_H
#define STORAGE_FILE_OWN_H

#include <sys/stat.h>

#include "storage/file/fileset.h"

struct own_marks {
    bool has_manifest;   /* MANIFEST-1 exists: its permissions are known */
    bool is_owner_known; /* of MANIFEST-1, or without it of the directory */
    uint32_t owner, permissions;
    int64_t born_s;      /* creation of the run's directory, since 1970; 0: unknown */
    uint64_t file_bytes; /* maximum length of a file of the set ... */
    uint64_t new_bytes;  /* ... and of one that operations created */
};

/* Determines the marks of the files of the run in the open directory. */
void own_learn(struct own_marks *marks, int dir_fd, const struct life_manifest *manifest);

/* Whether a file has them.  born_s: its creation, as above; is_new: its name is one of fresh.h. */
bool own_fits(const struct own_marks *marks, const struct stat *st, int64_t born_s, bool is_new);

/* Whether a file of the set that has them is shorter than its manifest says: in a run that has
 * ended, all complete files have their length, so another program has changed it. */
bool own_is_changed(const struct life_manifest *manifest, uint64_t index, const struct stat *st);

#endif
