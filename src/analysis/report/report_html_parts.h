/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_html_parts.h - the chapters of the page; for src/analysis/report_html*.c only. */
#ifndef ANALYSIS_REPORT_REPORT_HTML_PARTS_H
#define ANALYSIS_REPORT_REPORT_HTML_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/report/report.h"

/* report_style.c: the style sheet. */
extern const char *const report_style;

void html_begin_chapter(FILE *stream, const char *id, const char *title, const char *sentence);
void html_end_chapter(FILE *stream);

/* report_html_tables.c; those of which there is nothing write nothing. */
bool html_has_summary(const struct report *report);
void html_put_summary(FILE *stream, const struct report *report);
void html_put_rows(FILE *stream, const struct report *report);
void html_put_maps(FILE *stream, const struct report *report);
bool html_has_evidence(const struct report *report);
void html_put_evidence(FILE *stream, const struct report *report);
void html_put_notes(FILE *stream, const struct report *report);
void html_put_comparison(FILE *stream, const struct report_comparison *comparison, unsigned test);

/* report_html_facts.c */
void html_put_facts(FILE *stream, const struct report *report);
void html_put_files(FILE *stream, const struct report *report);

#endif
