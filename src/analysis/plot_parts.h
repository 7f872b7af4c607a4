/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot_parts.h - what the plots share: the curves of all files, text that gnuplot takes for nothing
 * but text, and axes with ticks where people expect them.  For src/analysis/plot*.c only. */
#ifndef ANALYSIS_PLOT_PARTS_H
#define ANALYSIS_PLOT_PARTS_H

#include "analysis/plot.h"

#define PLOT_WIDTH  900 /* of the picture, in pixels */
#define PLOT_HEIGHT 600 /* at least */

/* --- plot.c --- */

struct plot_set { /* the curves of all files */
    const struct plot_request *request;
    FILE *stream;
    struct results_curve *curves; /* rows belong to the file's own list */
    size_t count;
    struct plot_summary *summary;
};

/* What a panel shows.  With threads or depth above 1, the time per operation (1 / rate) is not how
 * long an operation takes: that is its latency. */
enum plot_panel { PANEL_THROUGHPUT, PANEL_TIME, PANEL_LATENCY, PANEL_COUNT };
bool plot_panel_wanted(const struct plot_request *request, enum plot_panel panel);
const char *plot_panel_title(enum plot_panel panel); /* "time per operation (1 / rate)" */

/* What a row has to show there (of latency the median); NAN: nothing. */
double plot_panel_value(const struct results_row *row, enum plot_panel panel);

/* Two lines above a picture: target and host; what all curves have in common. */
void plot_title(const struct plot_set *set, unsigned height);

/* Terminal, encoding, and what else has to be known before anything is drawn. */
void plot_begin(const struct plot_set *set, unsigned height);

/* --- plot_curves.c, plot_map.c --- */
void plot_curves(const struct plot_set *set);
int plot_maps(const struct plot_set *set, struct error *err);

/* --- plot_text.c --- */

/* Writes a string of gnuplot.  Control characters become spaces, and bytes that are not a
 * character '?'; a text longer than `most` characters is cut. */
void plot_put_string(const struct plot_set *set, const char *text, unsigned most);

/* Characters it takes on the picture. */
unsigned plot_text_length(const char *text, unsigned most);

enum plot_unit { PLOT_BYTES_PER_S, PLOT_NS };
static inline enum plot_unit plot_panel_unit(enum plot_panel panel)
{
    return panel == PANEL_THROUGHPUT ? PLOT_BYTES_PER_S : PLOT_NS;
}

/* "1.31 GB/s", "20 us" with at most `digits` significant digits, or with exactly -digits of them
 * ("1.10 GB/s"); text: 32 bytes; returns it. */
char *plot_format(double value, enum plot_unit unit, int digits, char *text);
/* "512", "4Ki", "64Ki"; sizes that are no such number stay as they are. */
char *plot_format_size(double size_bytes, char *text);

struct plot_range { /* of positive numbers; low > high: empty */
    double low, high;
};
#define PLOT_RANGE_EMPTY ((struct plot_range){.low = 1e300, .high = 0})
void plot_range_add(struct plot_range *range, double value); /* unless it is not positive */
/* Room around the data, on a logarithmic axis; at least a factor of 4 in all. */
void plot_range_widen(struct plot_range *range);

/* "set xrange ...; set xtics (...)": powers of two, at most `most` of them with a label. */
void plot_put_size_axis(const struct plot_set *set, const struct plot_range *range, unsigned most);
/* The same at 1, 2, 5, 10 ..., in units; range should be widened. */
void plot_put_value_axis(const struct plot_set *set, const char *axis,
                         const struct plot_range *range, enum plot_unit unit);

#endif
