/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report.h - what a report shows, computed once from the files of results and written in several
 * formats: panels of curves, the figures of each row and what they rest on, what the curves come
 * to, notes with their meaning, runs compared, and the files themselves.
 *
 * report_read takes files, report_make computes; the formats at the end only write.  A format takes
 * everything from struct report, so all of them show the same figures.  Texts from files are as the
 * files have them: a format must escape them. */
#ifndef ANALYSIS_REPORT_REPORT_H
#define ANALYSIS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/compare_print.h"
#include "analysis/fit.h"
#include "analysis/results/arena.h"
#include "analysis/results/results.h"
#include "base/error.h"

#define REPORT_FILE_MAX   ((size_t)64 << 20) /* bytes of a file; all of it goes into the report */
#define REPORT_LINES_MAX  8                  /* of a panel; more are split into several */
#define REPORT_CURVES_MAX 300

/* --- files ---------------------------------------------------------------------------------- */

/* A name whose middle is left out where it is shown, so that it does not fill the page. */
struct report_long_name {
    const char *what; /* "target", "host" ... */
    const char *whole, *shown;
};

struct report_file {
    char *path; /* as given; of one of the runs in a report "report.html (curve.csv)" */
    char *text; /* all of it, as it was read, and a byte 0 behind it */
    size_t length;
    struct results results; /* read with results_read_whole; names in it as they are shown */
    struct report_long_name *long_names;
    size_t long_count;
    struct arena *names; /* of them; NULL: there are none */
};

struct report_files { /* zeroed: empty */
    struct report_file *file;
    size_t count;
};

/* Adds a file, or the runs of an earlier report (HTML): all of them, or of PATH#N the one.  "-" is
 * standard input.  Returns 0 or -1 with err (STATUS_USAGE).  report_free_files in either case. */
int report_read(const char *path, struct report_files *files, struct error *err);
void report_free_files(struct report_files *files);

/* As names of targets, hosts, files and so on are shown: those of more than REPORT_NAME_MAX bytes
 * with their ends and a number that tells them from others with the same ends.  text:
 * REPORT_NAME_TEXT bytes.  Returns name or text. */
#define REPORT_NAME_MAX  80
#define REPORT_NAME_TEXT 128
const char *report_short_name(const char *name, char *text);

/* Whether `shown` is how a report shows that name. */
bool report_is_name(const char *shown, const char *name);

/* report_read does it: names of rows, file and host become those that are shown. */
void report_shorten_names(struct report_file *file);
void report_free_names(struct report_file *file);

/* The last part of a path: reports are sent to people who need not know the rest. */
const char *report_base_name(const char *path);

/* --- rows and curves ------------------------------------------------------------------------ */

enum report_percentile { REPORT_P50, REPORT_P90, REPORT_P99, REPORT_P999, REPORT_PERCENTILES };

struct report_point { /* a row with figures; NAN: not known */
    const struct results_row *row;
    /* Per operation, of all threads together (1e9 / rate): median and its 95 % interval. */
    double op_ns, op_low_ns, op_high_ns;
    double half_width; /* of the interval / op_ns, as a share */
    double rate_per_s; /* 1e9 / op_ns, so that the figures of a row agree */
    /* Over all of its time, stalls included: the figures of the file,
     * as in the table of the run. */
    double total_rate_per_s, total_throughput_bytes_per_s;
    double throughput_bytes_per_s, throughput_low_bytes_per_s, throughput_high_bytes_per_s;
    double latency_ns[REPORT_PERCENTILES], latency_ns_max; /* of single operations */
    double rounds;
    /* What it rests on.  asked_bytes: size * operations; moved_bytes: to and from storage. */
    double asked_bytes, moved_bytes, amplification;
    double cache_share; /* of the operations that memory answered */
    double errors;
};

struct report_line {
    const struct results_curve *curve; /* of the rows that are shown */
    const char *name;                  /* what tells it from others of the panel; never empty */
    unsigned colour;                   /* from 0 on; the same for the same name in all panels */
    struct report_point *points;       /* by rising size; count of them */
    size_t count;
    bool has_latency; /* some median is known */
    bool has_fit;
    struct fit fit;
};

struct report_panel {  /* curves that are shown together: at most REPORT_LINES_MAX */
    const char *title; /* "read, direct" */
    struct report_line **lines;
    size_t count;
    bool moves_data; /* else there is no throughput */
    bool ordinal;    /* lines differ in depth or threads alone, and rise in it */
};

/* By size and depth (or threads), where a file has at least two of each. */
struct report_map {
    const char *title;
    bool threads; /* the other axis; else depth */
    uint64_t *levels, *sizes;
    size_t level_count, size_count;
    const struct report_point **points; /* [level * size_count + size]; NULL: not measured */
};

/* A word among the notes of rows, and what it means. */
struct report_note {
    const char *word;
    const char *meaning; /* sentences; "" for a word that is not known */
    const char *advice;  /* what to do; "" where there is nothing to do */
    size_t rows;         /* that have it */
    const char *sizes;   /* "512 B to 4 KiB": of the rows that have it */
};

/* What --series recorded of rows that differ in the size only. */
struct report_moment {      /* some intervals, one after the other; NAN: not known */
    double begin_s, end_s;  /* since the start of the run */
    double busy_s;          /* of it, in which its row was under way */
    double amount;          /* bytes/s, or operations/s, while it was */
    double mean_ns, p50_ns; /* of single operations */
    double p99_ns;          /* the highest of the intervals */
};

struct report_span { /* one size */
    uint64_t size_bytes;
    struct report_moment *moments; /* by rising time, count of them */
    size_t count, interval_count;
};

#define REPORT_SPANS_MAX 8 /* of a course; of more sizes some are shown, evenly */

struct report_course {
    const char *title;
    const char *what;           /* what of it is shown, "8 of 12 sizes"; "": all */
    struct results_curve curve; /* records by rising size, then time */
    bool moves_data;            /* else amounts are rates */
    bool has_p50;
    struct report_span spans[REPORT_SPANS_MAX];
    size_t span_count, size_count;
    size_t each; /* intervals of a moment, at most */
};

/* Whether a line is to be interrupted before that moment, since the row was not under way. */
bool report_gap_before(const struct report_span *span, size_t moment);

/* The median latency, or the mean of a course that has no medians. */
double report_middle_ns(const struct report_course *course, const struct report_moment *moment);

/* --- runs compared -------------------------------------------------------------------------- */

#define REPORT_TOLERANCE 0.02 /* as that of the command compare */

struct report_comparison {   /* the first file is the old one of each */
    struct results files[2]; /* as they are among the files of the report */
    const char *refused; /* a sentence, where the runs have nothing in common; else NULL, and: */
    struct match match;
    struct compare_overall *overall;
    struct comparison comparison;
    const char *left_out; /* which cells are not shown; "": all are */
    bool *hidden;         /* by cell; NULL: none is */
};

/* Whether a cell is not shown, since others changed more. */
bool report_hides(const struct report_comparison *pair, size_t cell);

/* What a target of a file comes to (analysis/verdict.h), in sentences. */
struct report_verdict {
    const struct results *file;
    const char *what, *trust;
    const char *next; /* a command to try */
};

/* --- all of it ------------------------------------------------------------------------------ */

/* Whether a page has the files in it: whole, or not at all. */
enum report_data {
    REPORT_DATA_AUTO, /* where they have REPORT_DATA_MAX bytes at most */
    REPORT_DATA_ALWAYS,
    REPORT_DATA_NEVER
};
/* together: larger pages are slow to open and to send */
#define REPORT_DATA_MAX ((size_t)16 << 20)

struct report {
    const struct report_file *files; /* the caller's */
    size_t file_count;
    const char *title;            /* "read and write on /data" */
    const char *about;            /* what was measured, in a sentence or two */
    struct results_curve *curves; /* of all files */
    struct results_curve *shown;  /* parallel to them, of the rows that are shown */
    struct report_line *lines;    /* parallel to them, too */
    size_t curve_count;
    struct report_verdict *verdicts;
    size_t verdict_count; /* 0: plain reads and writes of it are not known */
    struct report_panel *panels;
    size_t panel_count;
    struct report_map *maps;
    size_t map_count;
    struct report_course *courses;
    size_t course_count;
    struct report_note *notes; /* what changes the meaning of figures first */
    size_t note_count;
    /* notes of rows that are not among them, since there are so many words */
    size_t notes_left_out;
    struct report_comparison *comparisons;
    size_t comparison_count;
    size_t row_count, skipped_count, incomplete_count; /* of all files */
    size_t figure_count, shown_count;                  /* rows with figures; of them in lines */
    const char *left_out; /* why some of them are not shown, without a point; "": all are */
    bool has_data;        /* the files are in the page */
    struct arena *pool;   /* of all that has no other owner */
};

/* rows_max: so many rows with figures are shown at most; of a large number of curves two of each.
 * The files must outlive the report.  Errors (STATUS_USAGE): no row with figures, too many curves.
 * Returns 0 or -1; then nothing is to be freed. */
int report_make(const struct report_file *files, size_t count, size_t rows_max,
                enum report_data data, struct report *report, struct error *err);
void report_free(struct report *report);

/* Records of --series, which have no other part in a report than its courses. */
bool report_is_series(const struct results *results);

/* Then there is no curve. */
bool report_has_one_size(const struct report *report);

/* A number of a row that is among its columns but not among the fields of struct results_row; NAN:
 * the file does not have it. */
double report_column(const struct results_row *row, const char *name);

/* --- formats -------------------------------------------------------------------------------- */

struct report_format {
    const char *name; /* for --format, and the end of the name of a file: ".html" */
    size_t rows_max;  /* for report_make: what a browser, a site or a program shows at once */
    void (*write)(const struct report *report, FILE *stream); /* the stream keeps errors */
};

/* One page, with all it needs and no script.  The files are in it, the last chapter: each in a
 *     <pre id="iosweep-data-N" data-name="NAME" data-format="csv|json|classic">
 * with N from 1 on, a newline, and its text with &amp; &lt; &gt; for these characters.
 * Histograms are left out where the page would be too large. */
extern const struct report_format report_html;

/* Tables for an issue or a pull request, as GitHub reads Markdown; without the files. */
extern const struct report_format report_md;

#endif
