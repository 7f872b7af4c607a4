/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_fods.h - what the sheets of a report and their charts share. */
#ifndef ANALYSIS_REPORT_REPORT_FODS_H
#define ANALYSIS_REPORT_REPORT_FODS_H

#include <stdio.h>

#include "analysis/report/report.h"

#define FODS_NAME_BYTES 24 /* of a sheet, behind its number: 31 are allowed everywhere */
#define FODS_FIRST_ROW  5  /* of a sheet of curves: the first with a point, from 1 on */
#define FODS_CHART_ROW  "10.4cm"

#define FODS_NAMESPACES                                                         \
    "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" "        \
    "xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "          \
    "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" "            \
    "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "          \
    "xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" "         \
    "xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" " \
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\" "                             \
    "xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\" "     \
    "xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" "   \
    "xmlns:chart=\"urn:oasis:names:tc:opendocument:xmlns:chart:1.0\""

/* A cell with the charts of a panel, which stands in that sheet in the order of its lines: throughput,
 * where data are moved, and time per operation, both against the size. */
void fods_put_charts(FILE *stream, const struct report_panel *panel, const char *sheet);

/* The same of a course, in the order of its spans: throughput or rate, and latency, over time. */
void fods_put_course_charts(FILE *stream, const struct report_course *course, const char *sheet);

#endif
