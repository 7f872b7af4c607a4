/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_parts.h - what the plots share: the curves of all files, text that gnuplot takes for nothing
 * but text, and axes with ticks where people expect them.  For src/analysis/plot*.c only. */
#ifndef ANALYSIS_PLOT_PLOT_PARTS_H
#define ANALYSIS_PLOT_PLOT_PARTS_H

#include "analysis/plot/plot.h"

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

/* Two lines above a picture; one above a plot of letters. */
void plot_put_title(const struct plot_set *set, unsigned height, const char *first,
                    const char *second);
void plot_put_letters_title(const struct plot_set *set, const char *text);

/* The words that all curves have in common, without those of `omitted` (bits of enum results_word);
 * to free. */
char *plot_common_words(const struct plot_set *set, unsigned omitted);

/* Target and host; what all curves have in common.  On a terminal, with what is drawn there. */
void plot_title(const struct plot_set *set, unsigned height, const char *what);

/* Terminal, encoding, and what else has to be known before anything is drawn. */
void plot_begin(const struct plot_set *set, unsigned height);

/* --- plot_layout.c --- */

struct plot_grid { /* lines and columns of panels, which all are equally high */
    unsigned panels, columns, panel_high, gap, height;
};
/* numbered: axes have numbers between the lines of panels, too. */
void plot_grid_make(struct plot_grid *grid, unsigned panels, unsigned columns, unsigned legend,
                    bool numbered);
unsigned plot_grid_columns(size_t facets); /* where each is one panel */
/* Where the next plot stands, and what is above it; right: pixels that are left free there. */
void plot_grid_put(const struct plot_set *set, const struct plot_grid *grid, unsigned position,
                   const char *caption, unsigned right);

struct plot_place { /* of a panel without its axes, in pixels from the top left */
    double left, right, top, bottom;
};
void plot_put_place(const struct plot_set *set, const struct plot_place *place, unsigned height);

/* Forgets labels, arrows and boxes: of a picture of several panels each would draw them again. */
void plot_forget(const struct plot_set *set);

const char *plot_point_size(const struct plot_set *set); /* bitmaps draw points smaller */
const char *plot_ring_size(const struct plot_set *set);  /* around one */
const char *plot_dot_size(const struct plot_set *set);   /* smaller than one */

/* --- plot_scheme.c --- */

#define PLOT_VIRIDIS 9
extern const unsigned plot_viridis[PLOT_VIRIDIS]; /* 0xRRGGBB, from dark to light */
/* Its darker part, from 0 (dark) to 1, for lines on white. */
void plot_sequential(double share, char colour[8]);

struct plot_look {
    char colour[8]; /* "#RRGGBB" */
    int point, dash;
    size_t level; /* of numbers in their order, from 0 on */
};
struct plot_look plot_look_of(size_t index); /* of kinds without an order, from 0 on */
struct plot_look plot_look_of_level(size_t level, size_t count); /* of numbers, in their order */
bool plot_same_look(const struct plot_look *a, const struct plot_look *b);

struct plot_scheme {
    unsigned facet_words; /* bits of enum results_word: what the panels differ in */
    unsigned name_words;  /* what else the curves differ in */
    size_t facet_count;   /* panels for each quantity */
    size_t *facet;        /* of each curve */
    size_t most;          /* curves of a panel */
    struct plot_look *look;
    bool repeats; /* two curves of a panel look the same */
};
/* banded: areas are drawn, of which a panel has room for two. */
void plot_scheme_make(const struct plot_set *set, bool banded, struct plot_scheme *scheme);
void plot_scheme_free(struct plot_scheme *scheme);

/* Numbers curves by what they have in those words, in the order in which they come; their count. */
size_t plot_number_groups(const struct results_curve *curves, size_t count, unsigned words,
                          size_t *group);

/* Sorts sizes and leaves each once, of which there are *there, and of these evenly at most `most`,
 * the least and the largest among them; returns how many are left. */
size_t plot_choose_sizes(double *sizes, size_t count, size_t most, size_t *there);

/* --- plot_legend.c --- */

/* Areas, in percent of their colour. */
#define PLOT_SHADE_PALE   14
#define PLOT_SHADE_DARKER 32

enum plot_sample { PLOT_SAMPLE_LINE, PLOT_SAMPLE_DOT, PLOT_SAMPLE_PALE, PLOT_SAMPLE_DARKER };
struct plot_entry {
    enum plot_sample sample; /* line: what of point and dashes the look has; dot: a small point */
    struct plot_look look;
    char *text;
};
struct plot_legend { /* empty at first */
    struct plot_entry *entries;
    unsigned count, columns, lines;
};
void plot_legend_add(struct plot_legend *legend, enum plot_sample sample,
                     const struct plot_look *look, const char *text); /* unless it is there */
unsigned plot_legend_height(struct plot_legend *legend);              /* arranges it */
void plot_legend_put(const struct plot_set *set, const struct plot_legend *legend, unsigned height);
/* The same with letters, for a terminal: points are numbers of letters from 1 on. */
unsigned plot_legend_lines(const struct plot_set *set, struct plot_legend *legend);
void plot_legend_put_letters(const struct plot_set *set, const struct plot_legend *legend);
void plot_legend_free(struct plot_legend *legend);

/* --- plot_curves.c, plot_map.c --- */
void plot_curves(const struct plot_set *set);
int plot_maps(const struct plot_set *set, struct error *err);
int plot_distributions(const struct plot_set *set, struct error *err); /* plot_cdf.c */

/* --- plot_text.c --- */

/* Writes a string of gnuplot.  Control characters become spaces, and bytes that are not a
 * character '?'; a text longer than `most` characters is cut. */
void plot_put_string(const struct plot_set *set, const char *text, unsigned most);

/* Characters it takes on the picture. */
unsigned plot_text_length(const char *text, unsigned most);

enum plot_unit { PLOT_BYTES_PER_S, PLOT_NS, PLOT_PER_S };
static inline enum plot_unit plot_panel_unit(enum plot_panel panel)
{
    return panel == PANEL_THROUGHPUT ? PLOT_BYTES_PER_S : PLOT_NS;
}

/* "1.31 GB/s", "20 us" with at most `digits` significant digits, or with exactly -digits of them
 * ("1.10 GB/s"); text: 32 bytes; returns it. */
char *plot_format(double value, enum plot_unit unit, int digits, char *text);
/* "512 B", "4 KiB"; sizes that are no such number stay in bytes. */
char *plot_format_size(double size_bytes, char *text);

struct plot_range { /* of positive numbers; low > high: empty */
    double low, high;
};
#define PLOT_RANGE_EMPTY ((struct plot_range){.low = 1e300, .high = 0})
void plot_range_add(struct plot_range *range, double value); /* unless it is not positive */
/* Room around the data, on a logarithmic axis; at least a factor of 4 in all. */
void plot_range_widen(struct plot_range *range);

/* "set xrange ...; set xtics (...)": powers of two, at most `most` of them with a label, which is
 * left empty unless numbered. */
void plot_put_size_axis(const struct plot_set *set, const struct plot_range *range, unsigned most,
                        bool numbered);
/* The same at 1, 2, 5, 10 ..., in units; range should be widened. */
void plot_put_value_axis(const struct plot_set *set, const char *axis,
                         const struct plot_range *range, enum plot_unit unit, bool numbered);

/* The same without logarithms, at most `most` labels; unit NULL: plain numbers. */
void plot_put_linear_axis(const struct plot_set *set, const char *axis,
                          const struct plot_range *range, const enum plot_unit *unit, unsigned most,
                          bool numbered);

#endif
