/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_chart_parts.h - the frame that charts share; for src/analysis/report_chart*.c only. */
#ifndef ANALYSIS_REPORT_REPORT_CHART_PARTS_H
#define ANALYSIS_REPORT_REPORT_CHART_PARTS_H

#include "analysis/report/report_chart.h"

/* Small, so that its letters can be read on a telephone, where it is as wide as the screen. */
enum {
    CHART_WIDTH = 460,
    CHART_HEIGHT = 290,
    CHART_LEFT = 68,
    CHART_RIGHT = 448,
    CHART_TOP = 10,
    CHART_BOTTOM = 246
};
#define CHART_NAMES   38.0 /* room for names at the ends of lines */
#define CHART_LETTERS 13.0

struct chart {
    FILE *stream;
    struct svg_scale x, y;
    enum svg_unit x_unit, unit;
};

void chart_open(const struct chart *chart, const char *title, const char *subtitle);
void chart_axes(const struct chart *chart, const char *x_title); /* and the grid */
void chart_close(const struct chart *chart);

/* An element of a key: colour, dashes and shape of a line, and its name. */
void chart_key_item(FILE *stream, char letter, unsigned colour, unsigned shape, bool dashed,
                    const char *name);

#endif
