/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - what a report shows, computed once from the files of results and written in several
 * formats: panels of curves, the figures of each row and what they rest on, what the curves come to,
 * notes with their meaning, runs compared, and the files themselves.
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

struct report_file {
    char *path; /* as given; of one of the runs in a report "report.html (curve.csv)" */
    char *text; /* all of it, as it was read, and a byte 0 behind it */
    size_t length;
    struct results results; /* read with results_read_whole */
};

struct report_files { /* zeroed: empty */
    struct report_file *file;
    size_t count;
};

/* Adds a file, or the runs of an earlier report (HTML): all of them, or of PATH#N the one.  "-" is
 * standard input.  Returns 0 or -1 with err (STATUS_USAGE).  report_free_files in either case. */
int report_read(const char *path, struct report_files *files, struct error *err);
void report_free_files(struct report_files *files);

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
    /* Over all of its time, stalls included: the figures of the file, as in the table of the run. */
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
    const struct results_curve *curve;
    const char *name;            /* what tells it from others of the panel; never empty */
    unsigned colour;             /* from 0 on; the same for the same name in all panels */
    struct report_point *points; /* by rising size; count of them */
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
struct report_course {
    const char *title;
    struct results_curve curve; /* records by rising size, then time */
};

/* --- runs compared -------------------------------------------------------------------------- */

#define REPORT_TOLERANCE 0.02 /* as that of the command compare */

struct report_comparison {   /* the first file is the old one of each */
    struct results files[2]; /* as they are among the files of the report */
    const char *refused; /* a sentence, where the runs have nothing in common; else NULL, and: */
    struct match match;
    struct compare_overall *overall;
    struct comparison comparison;
};

/* What a target of a file comes to (analysis/verdict.h), in sentences. */
struct report_verdict {
    const struct results *file;
    const char *what, *trust;
    const char *next; /* a command to try */
};

/* --- all of it ------------------------------------------------------------------------------ */

struct report {
    const struct report_file *files; /* the caller's */
    size_t file_count;
    const char *title;            /* "read and write on /data" */
    const char *about;            /* what was measured, in a sentence or two */
    struct results_curve *curves; /* of all files */
    struct report_line *lines;    /* parallel to them */
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
    struct report_comparison *comparisons;
    size_t comparison_count;
    size_t row_count, skipped_count, incomplete_count; /* of all files */
    struct arena *pool;                                /* of all that has no other owner */
};

/* The files must outlive the report.  Errors (STATUS_USAGE): no row with figures, too many curves.
 * Returns 0 or -1; then nothing is to be freed. */
int report_make(const struct report_file *files, size_t count, struct report *report,
                struct error *err);
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
    void (*write)(const struct report *report, FILE *stream); /* the stream keeps errors */
};

/* One page, with all it needs and no script.  The files are in it, the last chapter: each in a
 *     <pre id="iosweep-data-N" data-name="NAME" data-format="csv|json|raw|classic">
 * with N from 1 on, a newline, and its text with &amp; &lt; &gt; for these characters.
 * Histograms are left out where the page would be too large. */
extern const struct report_format report_html;

/* Tables for an issue or a pull request, as GitHub reads Markdown; without the files. */
extern const struct report_format report_md;

/* A spreadsheet (OpenDocument, one file of XML) with charts that refer to its cells. */
extern const struct report_format report_fods;

#endif
