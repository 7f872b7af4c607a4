/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_text.h - text and numbers in reports.  What comes from files is not trusted: it must never
 * become markup, and what it shows must be what is there. */
#ifndef ANALYSIS_REPORT_REPORT_TEXT_H
#define ANALYSIS_REPORT_REPORT_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* A text in which what a terminal would obey, what XML does not allow, and bytes that are no
 * character, are \xNN.  Names of curves have that already, so backslashes stay as they are.  To
 * free. */
char *report_printable(const char *text);

/* That for text or an attribute of XML and HTML: & < > " ' become references. */
void report_put_text(FILE *stream, const char *text);

/* printf of that. */
void report_put_format(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of a file, to be read back: tabs and ends of lines stay, and & < > become references;
 * what XML cannot hold becomes U+FFFD. */
void report_put_data(FILE *stream, const char *text, size_t length);

/* Four significant digits, or all before the point, without an exponent: what a spreadsheet takes
 * for a number.  "" for NAN.  Returns text, REPORT_NUMBER_TEXT bytes. */
#define REPORT_NUMBER_TEXT 352
char *report_number(double value, char *text);

/* One unit for a column, so that its cells are plain numbers. */
struct report_unit {
    const char *name; /* "MB/s" */
    double factor;    /* a value in base units / factor is one in this unit */
};

/* The largest in which the number is at least 1; of throughputs MB/s at most, since those of one
 * report are far apart. */
struct report_unit report_unit_of_time(double ns);
struct report_unit report_unit_of_throughput(double bytes_per_s);
struct report_unit report_unit_of_rate(double per_s);

#endif
