/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* replace.h - a file that somebody may read at any moment: it is written without a name, in the
 * same directory, and takes its name when it is complete, so that a reader finds the old content or
 * the new one, never a part, and nothing is left behind by a program that is killed. */
#ifndef CLI_REPLACE_H
#define CLI_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct replace {
    char *name;      /* with links resolved; NULL: not in use */
    char *temporary; /* where files cannot be without a name; else NULL */
};

/* True when name (such as /dev/stdout) leads to what standard output writes to: opened anew, it
 * would be written over from its start. */
bool replace_is_stdout(const char *name);

/* True when name is a regular file of one name, or nothing yet, so that it can be replaced.  Pipes,
 * devices, files with several names and names in /dev and /proc can only be written to. */
bool replace_possible(const char *name);

/* Makes an empty file in the directory of `name`, with the mode of the file that stands there:
 * `old_fd`, which is closed in any case, or -1 when there is none.  Returns a descriptor to write
 * to, or -1 with err (STATUS_USAGE). */
int replace_open(const char *name, int old_fd, struct replace *replace, struct error *err);

/* Flushes the stream that writes to that descriptor, which stays open, and gives the file the name.
 * Refuses when meanwhile something else than a regular file has that name; the new file is removed
 * then.  Returns 0 or -1 with err (STATUS_PARTIAL). */
int replace_commit(struct replace *replace, FILE *stream, struct error *err);

/* Removes the new file and leaves the old one alone; does nothing when not in use. */
void replace_abandon(struct replace *replace);

#endif
