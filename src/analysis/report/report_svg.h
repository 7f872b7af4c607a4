/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_svg.h - what charts are drawn with: scales, ticks, lines, bands and points.  Colours,
 * dashes and letters are classes of the style sheet of the page, so that a chart follows its colour
 * scheme.  Coordinates are those of the viewBox: x to the right, y down. */
#ifndef ANALYSIS_REPORT_REPORT_SVG_H
#define ANALYSIS_REPORT_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SVG_STYLES 8 /* colours, with a dash pattern and a shape each: .c0 .d0 ... */

/* --- scales --------------------------------------------------------------------------------- */

struct svg_scale {
    double low, high;  /* values at the ends; low > high: nothing was added yet */
    double begin, end; /* coordinates there */
    bool linear;       /* else logarithmic: values above 0 */
};
#define SVG_SCALE_EMPTY(from, to) \
    ((struct svg_scale){.low = 1e300, .high = -1e300, .begin = (from), .end = (to)})

/* What a logarithmic scale cannot show, and NAN, are not added. */
void svg_add(struct svg_scale *scale, double value);
bool svg_is_empty(const struct svg_scale *scale);

/* Room around the values; a logarithmic scale spans a factor of `least` at least. */
void svg_widen(struct svg_scale *scale, double least);
double svg_at(const struct svg_scale *scale, double value);
bool svg_shows(const struct svg_scale *scale, double value); /* false for NAN */

/* --- ticks ---------------------------------------------------------------------------------- */

#define SVG_TICKS_MAX 64
struct svg_tick {
    double value;
    bool labelled;
};

/* Powers of two within the scale, at most `most` of them with a label, evenly. */
size_t svg_size_ticks(const struct svg_scale *scale, unsigned most, struct svg_tick *ticks);
/* 1, 2, 5, 10 ... within the scale: all with a label over two decades and a half, then 1, 10, 100
 * ... only.  Of a linear scale about `most` round steps. */
size_t svg_value_ticks(const struct svg_scale *scale, unsigned most, struct svg_tick *ticks);

enum svg_unit { SVG_BYTES, SVG_BYTES_PER_S, SVG_PER_S, SVG_NS, SVG_S, SVG_CHANGE, SVG_FACTOR };

/* "4 KiB", "100 MB/s", "2 k/s", "20 us", "30 s"; a ratio: "+10 %" or "x2".  Returns text,
 * 32 bytes. */
char *svg_label(double value, enum svg_unit unit, char *text);

/* --- drawing -------------------------------------------------------------------------------- */

struct svg_point {
    double x, y; /* coordinates; NAN: not there, and a line ends before it */
};

/* <path class="CLASSES"> through the points. */
void svg_line(FILE *stream, const struct svg_point *points, size_t count, const char *classes);
/* The area between two lines over the same x; where it is one point wide, a stroke from one to the
 * other. */
void svg_band(FILE *stream, const struct svg_point *low, const struct svg_point *high, size_t count,
              const char *classes);
/* One of SVG_STYLES shapes; a text, if any, is shown when it is pointed at. */
void svg_mark(FILE *stream, struct svg_point at, unsigned style, const char *classes,
              const char *text);

#endif
