/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outfile.h - the files that a run writes its results to: opened early, so that a wrong name is
 * told at once; emptied late, when the run is sure to start.  All functions accept one that is not
 * in use (zeroed), and return 0 or -1 with err. */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "report/formats/formats.h"
#include "run/settings.h"
#include "target/target.h"

struct outfile {
    FILE *stream; /* NULL: not in use */
    char *buffer; /* of the stream */
    const char *name;
    enum format format;
    char *part;   /* what JSON is called while it grows; NULL: it is written under its name */
    bool created; /* what is written to, by us: removed again when nothing was written to it */
    /* what stood under the name, and under that of the part; st_nlink 0: nothing */
    struct stat old, old_part;
};

/* True when name (such as /dev/stdout) leads to what standard output writes to: opened anew, it
 * would be written over from its start. */
bool outfile_is_stdout(const char *name);

/* Results would go to standard output: refuses when nothing can be written there. */
int outfile_check_stdout(struct error *err);

/* Opens or makes the file `name` (NULL: nothing to do), or NAME.part beside it: JSON where the name
 * leads to a file of that one name or to nothing.  Refuses targets, block devices and files that
 * hold anything but what a run printed in that format (STATUS_USAGE). */
int outfile_open(const struct settings *settings, const char *name, enum format format,
                 struct outfile *out, struct error *err);

/* Refuses a file that is one of those to be measured (iosweep -r -o DIR/FILE DIR). */
int outfile_check(const struct outfile *out, const struct target *const *targets, unsigned count,
                  struct error *err);

/* Refuses, with that message, two outputs in one file. */
int outfile_check_distinct(const struct outfile *one, const struct outfile *two,
                           const char *message, struct error *err);

/* Keeps other runs from writing to the same file at the same time, until it is closed; refuses when
 * one is at it (STATUS_USAGE).  Where the file system knows no locks, there is none. */
int outfile_lock(struct outfile *out, struct error *err);

/* Empties what an earlier run wrote. */
int outfile_empty(const struct outfile *out, struct error *err);

/* Closes it (STATUS_PARTIAL where writing failed); removes what was made and not written to.  A
 * part that is a whole document gets its name, and any other one stays beside the file. */
void outfile_close(struct outfile *out, struct error *err);

#endif
