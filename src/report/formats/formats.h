/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.h - the formats a run can be printed in.  Each maker returns a sink that writes to an
 * open stream (not closed by it) and flushes after each row; format_free releases it. */
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
    FORMAT_SERIES = FORMAT_COUNT /* no choice of --format */
};

extern const char *const format_names[]; /* as --format takes them; NULL after the last */

/* The sentences of a run in their order: the sink of findings fills it, JSON keeps it. */
#define FINDINGS_MOST 3
#define FINDING_TEXT  400
/* with verdicts */
#define FINDINGS_KEPT     32
#define FINDING_KEPT_TEXT 800
struct findings_list {
    unsigned count;
    char text[FINDINGS_KEPT][FINDING_KEPT_TEXT];
    bool warning[FINDINGS_KEPT]; /* it makes the figures doubtful: reports show it before them */
};

struct facts;      /* facts.h */
struct pairs;      /* pairs/pairs.h */
struct option_row; /* option.h */

struct format_options {  /* strings must outlive the sink */
    const char *columns; /* list of names and groups; NULL: the default (csv), all (json) */
    bool team;           /* of several ranks: see columns_select */
    char separator;      /* csv: between fields; 0: ',' */
    char decimal;        /* csv: decimal mark; 0: '.' */
    const char *label;   /* last column; "" or NULL */
    bool utf8;           /* table: bars of block characters instead of '#' */
    bool color;          /* table: escape sequences, see base/color.h */
    unsigned width;      /* table: columns of the terminal, 0: unknown */
    /* table: the stream is a terminal of that many columns (0: not known) and lines as it is now,
     * and rows are shown as they finish; NULL: each part when it ends */
    unsigned (*screen)(unsigned *lines);
    bool redraw; /* with that: it obeys escape sequences, so that lines can be drawn again */
    /* json: rows of struct settings, by their member; NULL: none */
    const struct option_row *settings;
    struct facts *facts; /* json: those of the run, which outlive the sink; NULL: read at begin */
    const char *command; /* json: as typed, without secrets; NULL: not known */
    /* json: of a sink that ends before this one; NULL: there is none */
    const struct findings_list *findings;
    const struct pairs *pairs; /* json: likewise */
    const char *name; /* of the stream in messages; NULL: standard output or "the output file" */
};

/* 0, or -1 with err (unknown column: STATUS_USAGE). */
int format_make(enum format format, FILE *stream, const struct format_options *options,
                struct sink *sink, struct error *err);

/* True when a file that begins with this text is what a run printed in the format; FORMAT_SERIES:
 * the file of --series. */
bool format_owns(enum format format, const char *beginning);

/* --interval: its records as CSV to the stream, whose name is for messages and outlives the sink;
 * or with stream NULL as lines on stderr, each with the time of day.  In the end a
 * sentence on stderr. */
void format_make_series(FILE *stream, const char *name, char separator, char decimal,
                        struct sink *sink);

/* What loops and repeats come to together, as lines on stderr, for the formats that do not carry
 * it. */
void format_make_summaries(bool utf8, struct sink *sink);

/* Progress line on stderr (through base/log). */
void format_make_progress(struct sink *sink);

/* At most FINDINGS_MOST findings on stderr after the last row, each naming the next flag to try.
 * facts: as in format_options.  brief: a verdict on each target, and findings only where figures
 * are not what they seem.  list: gets all that is reported, and outlives the sink; or NULL. */
int format_make_findings(struct facts *facts, bool brief, struct findings_list *list,
                         struct sink *sink);

/* After the last row a line on stderr for each two values of an axis that were measured in the same
 * rounds.  pairs: gets what they come to, outlives the sink and is freed with pairs_free. */
void format_make_pairs(struct pairs *pairs, struct sink *sink);

/* Facts of host, targets and settings on stderr, for the formats that do not carry them; after the
 * last row who used the processors.  settings (not NULL), facts: see format_options.  brief: only
 * what the targets are, and the load. */
void format_make_header(const struct option_row *settings, struct facts *facts, bool brief,
                        struct sink *sink);

void format_free(struct sink *sink); /* of any maker above; a zeroed sink is fine */

#endif
