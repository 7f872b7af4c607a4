/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reader.h - what only the readers of the formats share: a file line by line or
 * byte by byte with its place for messages, strings that are kept once, numbers in the C locale
 * whatever the locale is, and the table of the fields of a row by name. */
#ifndef ANALYSIS_RESULTS_READER_H
#define ANALYSIS_RESULTS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/results/results.h"
#include "base/error.h"

#define READER_LINE_MAX ((size_t)1 << 20)   /* bytes of a line, and of a quoted field's lines */
#define READER_FILE_MAX ((uint64_t)1 << 32) /* bytes of a file; streams may never end */
#define READER_PAGE_MAX ((size_t)256 << 20) /* bytes of a page, which is kept in memory */
#define READER_ROWS_MAX ((size_t)1000000)   /* of a file */
#define READER_BUFFER   ((size_t)64 << 10)

struct arena; /* strings and rounds of one file */
struct reader_field;
struct reader_whole;

struct reader {
    FILE *stream;
    const char *path; /* for messages */
    struct results *results;
    struct arena *arena;
    size_t row_room;
    char *line; /* the current line without its end, always terminated */
    size_t line_length, line_room;
    uint64_t line_number; /* of the last line that was read, from 1 */
    uint64_t total_bytes; /* taken from the stream */
    size_t at, end;       /* the part of the buffer that is still to be read */
    bool again;           /* return the current line once more */
    bool cut;             /* the last line has no newline */
    bool takes_series;    /* records of --series are rows, too */
    bool inside;          /* what is read now was embedded in a page */
    const char *label;    /* JSON: of the run, since rows may come without */
    size_t documents;     /* JSON: that have ended */
    unsigned facts_taken; /* JSON: bits of the keys beside the rows */
    unsigned run;         /* of a page with several runs, from 1 on; 0: it may have only one */
    double *rounds;       /* of the row that is being read */
    size_t round_count, round_room;
    struct reader_whole *whole; /* what else there is of it; NULL: it is not kept */
    double *references;         /* beside them */
    size_t reference_count, reference_room;
    unsigned char buffer[READER_BUFFER];
};

/* Reads a whole open stream into *results, as results_read does, which calls it; path is used for
 * messages only.  The stream stays open. */
int reader_stream(FILE *stream, const char *path, struct results *results, struct error *err);

/* The same, and all there is of each row is kept. */
int reader_stream_whole(FILE *stream, const char *path, struct results *results, struct error *err);

/* The same, also of records of --series, as results_read_any. */
int reader_stream_any(FILE *stream, const char *path, struct results *results, struct error *err);

/* The readers: 0, or -1 with err.  What they have read by then is freed by reader_stream. */
int reader_csv(struct reader *reader, struct error *err);
int reader_json(struct reader *reader, struct error *err); /* only with jansson */
int reader_classic(struct reader *reader, struct error *err);
/* A page of HTML (embedded.h): reads the run that it has. */
int reader_page(struct reader *reader, struct error *err);

/* The reader of the format that the stream has from here on. */
int reader_format(struct reader *reader, struct error *err);

/* True when the current line can be the header of a CSV: one of its fields is size_bytes. */
bool reader_csv_is_header(const struct reader *reader);

/* The next line, without a byte order mark, LF or CRLF: 1; 0 at the end; -1 with err.  With more it
 * is put behind the current one and a newline (quoted fields).  Bytes 0 are refused. */
int reader_line(struct reader *reader, bool more, struct error *err);

/* The next byte, EOF (-1) at the end or after a failure (*err is then set). */
int reader_byte(struct reader *reader, struct error *err);
void reader_unread(struct reader *reader); /* takes the last byte back, once */

/* All that is still to come, at most READER_PAGE_MAX bytes of it, with a byte 0 behind; NULL with
 * err.  To free. */
char *reader_rest(struct reader *reader, size_t *length, struct error *err);

/* Why a file of results cannot be opened or read.  Returns -1. */
int reader_refuse(const char *path, int errnum, struct error *err);
/* Sets err (STATUS_USAGE): "TEXT FILE:LINE" for the last line that was read.  Returns -1. */
int reader_fail(const struct reader *reader, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A text as an object that lives as long as the results; equal texts are the same object. */
const char *reader_keep(struct reader *reader, const char *text);

/* The same for the field of a row: a name gets back the bytes that error_printable replaced by
 * \xNN, so that it is the same name in every format, and is shown like any other. */
const char *reader_keep_field(struct reader *reader, const struct reader_field *field,
                              const char *text);

/* A new row at the end, nothing known in it; NULL with err when there are too many.  Valid until
 * the next one is added. */
struct results_row *reader_add_row(struct reader *reader, struct error *err);

void reader_add_round(struct reader *reader, double op_ns);
void reader_add_reference(struct reader *reader,
                          double ns); /* of the reference in a round, in order */

/* To be called once for each row when all of it is known: takes the rounds that were added, reads
 * the notes, and derives the rate from the throughput when the file has only that. */
void reader_end_row(struct reader *reader, struct results_row *row);

/* A number of at least 0 ("12", "1.5", "2e9") as a whole word.  *mark is the decimal mark; '\0' on
 * entry: the first number that has one decides between '.' and ','. */
bool reader_parse_real(const char *word, char *mark, double *value);
bool reader_parse_count(const char *word, char *mark, uint64_t *value);

/* --- reader_whole.c: a row for results_read_whole; nothing without reader->whole --- */

struct reader_whole *reader_whole_new(void);
void reader_whole_free(struct reader_whole *whole); /* NULL is fine */

/* A text, or with NULL a number. */
void reader_add_value(struct reader *reader, const char *name, const char *text, double number);
void reader_add_bucket(struct reader *reader, uint64_t lower_ns, uint64_t count);

/* Of thread number `index` from 0 on; NULL when that is out of reason, or nothing is kept. */
struct results_thread *reader_thread(struct reader *reader, uint64_t index);

void reader_whole_begin(struct reader *reader); /* a row */
void reader_whole_end(struct reader *reader, struct results_row *row);

enum reader_type {
    READER_TEXT,
    READER_NAME,  /* text with \xNN for what cannot be shown, as error_printable writes it */
    READER_LABEL, /* the same, but in JSON as it is */
    READER_COUNT,
    READER_REAL
};

struct reader_field {
    const char *name; /* of the column and of the member */
    enum reader_type type;
    size_t offset; /* in struct results_row */
};

extern const struct reader_field reader_fields[]; /* ended by name NULL; size_bytes is the first */

/* What must be there for a row to have figures; for messages. */
#define READER_NEEDED                                                                     \
    "needed are size_bytes and op_ns_median, rate_per_s, throughput_bytes_per_s or both " \
    "operations and time_s"

#endif
