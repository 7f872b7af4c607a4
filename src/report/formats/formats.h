/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.h - the output formats of a run. Each maker returns a sink that writes to an open stream
 * (not closed by it) and flushes after each row; format_free releases it. */
#ifndef REPORT_FORMATS_FORMATS_H
#define REPORT_FORMATS_FORMATS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "run/sink.h"

enum format {
    FORMAT_TABLE,
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_CLASSIC,
    FORMAT_COUNT,
    FORMAT_SERIES = FORMAT_COUNT /* cannot be chosen by --format */
};

/* The version of the format of results: columns, JSON members, records. iosweep-csv(5),
 * COMPATIBILITY, states what each number promises; doc/iosweep.schema.json describes the documents.
 * A new column or member increments the second number, once per release; an incompatible change
 * increments the first. */
#define SCHEMA_VERSION "2.0-draft"
#define SCHEMA_RESULTS "iosweep results" /* the member "document" of the head of JSON */

extern const char *const format_names[]; /* as --format takes them; NULL after the last */

/* The findings of a run, in order: the sink of findings fills it, JSON stores it. */
#define FINDINGS_MOST 3
#define FINDING_TEXT  400
/* including verdicts */
#define FINDINGS_KEPT     32
#define FINDING_KEPT_TEXT 800
struct findings_list {
    unsigned count;
    char text[FINDINGS_KEPT][FINDING_KEPT_TEXT];
    bool warning[FINDINGS_KEPT]; /* it casts doubt on the figures: reports print it before them */
};

struct facts;      /* facts.h */
struct pairs;      /* pairs/pairs.h */
struct option_row; /* option.h */

struct format_options {  /* strings must outlive the sink */
    const char *columns; /* list of names and groups; NULL: the default (csv), all (json) */
    bool team;           /* several ranks: see columns_select */
    char separator;      /* csv: between fields; 0: ',' */
    char decimal;        /* csv: decimal mark; 0: '.' */
    const char *label;   /* last column; "" or NULL */
    bool utf8;           /* table: bars of block characters instead of '#' */
    bool color;          /* table: escape sequences, see base/color.h */
    unsigned width;      /* table: columns of the terminal, 0: unknown */
    /* table: returns the current columns (0: unknown) and lines of a terminal that supports escape
     * sequences: lines of a part that fits are redrawn as rows finish; NULL: each part when it
     * ends */
    unsigned (*screen)(unsigned *lines);
    /* json: rows of struct settings, by their member; NULL: none */
    const struct option_row *settings;
    struct facts *facts; /* json: of the run, must outlive the sink; NULL: read at begin */
    const char *command; /* json: command line without secrets; NULL: unknown */
    /* json: filled by a sink that ends before this one; NULL: none */
    const struct findings_list *findings;
    const struct pairs *pairs; /* json: also filled by an earlier sink */
    const char *name; /* of the stream in messages; NULL: standard output or "the output file" */
};

/* Returns 0, or -1 with err (unknown column: STATUS_USAGE). */
int format_make(enum format format, FILE *stream, const struct format_options *options,
                struct sink *sink, struct error *err);

/* True if a file that begins with this text contains results of a run in that format;
 * FORMAT_SERIES: a file of --series. */
bool format_owns(enum format format, const char *beginning);

/* --interval: writes its records as CSV to the stream, whose name is for messages and must outlive
 * the sink; or with stream NULL as lines on stderr, each with the time of day. At the end prints a
 * summary sentence on stderr. */
void format_make_series(FILE *stream, const char *name, char separator, char decimal,
                        struct sink *sink);

/* Summaries of loops and repeats as lines on a stream, after a table there, or on stderr (NULL). Of
 * the options only utf8 and name count. */
void format_make_summaries(FILE *stream, const struct format_options *options, struct sink *sink);

/* Progress line on stderr (through base/log). */
void format_make_progress(struct sink *sink);

/* Prints at most FINDINGS_MOST findings on stderr after the last row, each naming the next flag to
 * try. facts: as in format_options. brief: a verdict on each target, and findings only if figures
 * are misleading. list: receives everything reported, must outlive the sink; or NULL. */
int format_make_findings(struct facts *facts, bool brief, struct findings_list *list,
                         struct sink *sink);

/* After the last row prints a line on stderr for every two values of an axis that were measured in
 * the same rounds. pairs: receives the results, must outlive the sink; free with pairs_free. */
void format_make_pairs(struct pairs *pairs, struct sink *sink);

/* Prints facts of host, targets and settings on stderr, for the formats that do not contain them;
 * after the last row, processor usage. settings (not NULL), facts: see format_options. brief: only
 * the targets and the load. */
void format_make_header(const struct option_row *settings, struct facts *facts, bool brief,
                        struct sink *sink);

void format_free(struct sink *sink); /* of any maker above; a zeroed sink is fine */

#endif
