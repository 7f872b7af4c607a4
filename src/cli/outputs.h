/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outputs.h - destinations of the results of a sweep: files, and the sinks that write to them. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/options.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"
#include "report/pairs/pairs.h"
#include "storage/storage.h"

#define OUTPUTS_SINKS_MAX 10

/* A file for results; zeroed: not in use. */
struct outfile {
    FILE *stream; /* NULL: not in use */
    char *buffer; /* of the stream */
    const char *name;
    enum format format;
    char *part; /* temporary name of JSON while it is written; NULL: written under its final name */
    bool created; /* this run created the file that it writes to: removed if it stays empty */
};

struct outputs {
    struct outfile output, series;
    struct sink sinks[OUTPUTS_SINKS_MAX];
    unsigned sink_count;
    struct facts *facts;                 /* of the run, for sinks that print them */
    struct findings_list findings;       /* of the run, for the sink that stores them */
    struct pairs pairs;                  /* also of the run */
    const struct target *const *targets; /* for outputs_empty */
    unsigned target_count;
};

/* True if name (such as /dev/stdout) refers to the file that standard output writes to: opening it
 * again would overwrite it from its start. */
bool outfile_is_stdout(const char *name);
/* Whether a regular file begins like results of iosweep: CSV or JSON. */
bool outfile_is_results(const char *name);

/* True if facts are printed to standard error: the other formats contain them or have their own
 * head. */
bool outputs_have_header(const struct request *request);

/* Whether that header is short: a user at a terminal wants the table, a log needs everything that
 * affects the figures. */
bool outputs_brief_header(const struct request *request);

/* Opens the files of the request without changing their contents, and creates the sinks; a dry run
 * uses standard output only, and tries no file. outputs: zeroed; close it in either case. facts
 * must outlive it. Returns 0 or -1. */
int outputs_open(struct outputs *outputs, const struct request *request, struct facts *facts,
                 struct error *err);

/* Truncates results of an earlier run, after checking that every file may be overwritten (none
 * belongs to a target). The sweep calls it once it is certain to begin. outputs: the struct.
 * Returns 0 or -1. */
int outputs_empty(void *outputs, struct error *err);
void outputs_close(struct outputs *outputs, struct error *err);

#endif
