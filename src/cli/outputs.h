/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outputs.h - where the results of a sweep go: files, and the sinks that write to them. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/options.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"
#include "report/pairs/pairs.h"
#include "storage/storage.h"

#define OUTPUTS_SINKS_MAX 8

/* A file that results are written to; zeroed: not in use. */
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

struct outputs {
    struct outfile output, series;
    struct sink sinks[OUTPUTS_SINKS_MAX];
    unsigned sink_count;
    struct facts *facts;                 /* of the run, for sinks that show them */
    struct findings_list findings;       /* of the run, for the sink that keeps them */
    struct pairs pairs;                  /* likewise */
    const struct target *const *targets; /* for outputs_empty */
    unsigned target_count;
};

/* True when name (such as /dev/stdout) leads to what standard output writes to: opened anew, it
 * would be written over from its start. */
bool outfile_is_stdout(const char *name);

/* True when facts go to standard error: the other formats carry them, or have a head of their
 * own. */
bool outputs_have_header(const struct request *request);

/* Whether it is short: a person at a terminal wants the table, a log all that figures depend on. */
bool outputs_brief_header(const struct request *request);

/* Opens the files of the request, without touching what is in them, and makes the sinks; a dry run
 * has standard output only.  outputs: zeroed; to be closed in either case, facts outlive it.
 * Returns 0 or -1. */
int outputs_open(struct outputs *outputs, const struct request *request, struct facts *facts,
                 struct error *err);

/* Empties what an earlier run wrote, when nothing speaks against any of the files (none is one of
 * the targets'); called by the sweep when it is sure to begin.  outputs: the struct.  Returns 0 or
 * -1. */
int outputs_empty(void *outputs, struct error *err);
void outputs_close(struct outputs *outputs, struct error *err);

#endif
