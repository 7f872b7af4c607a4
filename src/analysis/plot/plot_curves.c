/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_curves.c - throughput, time per operation and latency by size: points with the interval of
 * their median, lines of the fit, a mark where 90 % of the best throughput is reached; of latency
 * the median with bands up to the 90th and 99th percentile.
 *
 * Curves that are too many for one panel are spread over several with the same axes. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/fit.h"
#include "base/mem.h"

#define RIGHT           16 /* pixels */
#define FIT_STEPS       32
#define FITS_MOST       4  /* curves; more lines would hide them */
#define SIZES_MOST      12 /* labels across a picture */
#define BANDS_MOST      2  /* of a panel; the curves of more have a line at p99 */
#define LETTERS_OF_SIZE 9  /* of a terminal, for the label of a size */

struct plot_series {
    const struct results_curve *curve;
    bool timed; /* moves no data: there is no throughput, and no line to fit */
    bool fitted;
    bool banded; /* some row has a 99th percentile of the latency */
    struct fit fit;
};

struct spot { /* what a panel shows */
    size_t facet;
    enum plot_panel panel;
};

struct picture {
    const struct plot_set *set;
    struct plot_series *series;
    struct plot_scheme scheme;
    struct plot_legend legend;
    bool bands; /* areas; else lines at p99 */
    struct spot *spots;
    unsigned spot_count;
    struct plot_grid grid;
    struct plot_range size, value[PANEL_COUNT];
};

/* --- data --- */

/* A row that has a place on logarithmic axes. */
static bool usable(const struct results_row *row)
{
    return row->size_bytes > 0 && !isnan(plot_panel_value(row, PANEL_TIME));
}

static bool has_band(const struct results_row *row)
{
    return row->latency_ns_p99 >= plot_panel_value(row, PANEL_LATENCY);
}

/* Fewer operations tell it. */
static bool has_inner_band(const struct results_row *row)
{
    return row->latency_ns_p90 >= plot_panel_value(row, PANEL_LATENCY) &&
           !(row->latency_ns_p90 > row->latency_ns_p99);
}

static void gather(struct picture *picture, struct plot_series *series)
{
    const struct plot_request *request = picture->set->request;
    const struct results_curve *curve = series->curve;
    struct plot_range *throughput = &picture->value[PANEL_THROUGHPUT],
                      *time = &picture->value[PANEL_TIME],
                      *latency = &picture->value[PANEL_LATENCY];
    struct fit_point *fit_points = mem_calloc(curve->count + 1, sizeof(*fit_points));
    size_t count = 0;

    for (size_t i = 0; i < curve->count; i++) {
        const struct results_row *row = curve->rows[i];
        const double size = (double)row->size_bytes, ns = results_op_ns(row);
        if (!usable(row))
            continue;
        fit_points[count++] = (struct fit_point){.size_bytes = size, .op_ns = ns};
        plot_range_add(&picture->size, size);
        plot_range_add(time, ns);
        plot_range_add(time, row->op_ns_low);
        plot_range_add(time, row->op_ns_high);
        plot_range_add(latency, plot_panel_value(row, PANEL_LATENCY));
        if ((has_band(row) || has_inner_band(row)) && request->device != PLOT_TEXT) {
            series->banded = true;
            plot_range_add(latency, row->latency_ns_p90);
            plot_range_add(latency, row->latency_ns_p99);
        }
        if (series->timed)
            continue;
        plot_range_add(throughput, results_throughput(row));
        plot_range_add(throughput, size * 1e9 / row->op_ns_low);
        plot_range_add(throughput, size * 1e9 / row->op_ns_high);
    }
    if (request->fit && picture->set->count <= FITS_MOST && !series->timed &&
        request->device != PLOT_TEXT && (request->throughput || request->time))
        series->fitted = fit_curve(fit_points, count, &series->fit);
    picture->set->summary->lines += series->fitted;
    free(fit_points);
}

/* $cN: size, throughput and its interval, time and its interval, and median latency if it is drawn.
 * Where no interval is known it is the point itself; where there is no throughput or no latency,
 * NaN is what gnuplot leaves out. */
static void put_data(const struct picture *picture, size_t index)
{
    const struct results_curve *curve = picture->series[index].curve;
    FILE *stream = picture->set->stream;

    fprintf(stream, "$c%zu << EOD\n", index);
    for (size_t i = 0; i < curve->count; i++) {
        const struct results_row *row = curve->rows[i];
        const double size = (double)row->size_bytes, ns = results_op_ns(row);
        const bool known =
            row->op_ns_low > 0 && row->op_ns_high >= row->op_ns_low && isfinite(row->op_ns_high);
        const double low = known ? row->op_ns_low : ns, high = known ? row->op_ns_high : ns;
        const double latency = plot_panel_value(row, PANEL_LATENCY);
        if (!usable(row))
            continue;
        if (picture->series[index].timed)
            fprintf(stream, "%.15g NaN NaN NaN %.9g %.9g %.9g", size, ns, low, high);
        else
            fprintf(stream, "%.15g %.9g %.9g %.9g %.9g %.9g %.9g", size, results_throughput(row),
                    size * 1e9 / high, size * 1e9 / low, ns, low, high);
        if (picture->set->request->latency && isnan(latency))
            fputs(" NaN", stream);
        else if (picture->set->request->latency)
            fprintf(stream, " %.9g", latency);
        fputc('\n', stream);
    }
    fputs("EOD\n", stream);
}

/* $nN: size, median and 90th percentile of the latency; $lN: size, 90th and 99th percentile, or
 * median and 99th where the other is not known.  With gaps where one is not known. */
static void put_bands(const struct picture *picture, size_t index)
{
    const struct results_curve *curve = picture->series[index].curve;
    FILE *stream = picture->set->stream;

    for (int inner = 0; inner < 2; inner++) {
        fprintf(stream, "$%c%zu << EOD\n", inner ? 'n' : 'l', index);
        for (size_t i = 0; i < curve->count; i++) {
            const struct results_row *row = curve->rows[i];
            const bool begins_higher = !inner && has_inner_band(row);
            if (usable(row) && (inner ? has_inner_band(row) : has_band(row)))
                fprintf(stream, "%.15g %.9g %.9g\n", (double)row->size_bytes,
                        begins_higher ? row->latency_ns_p90 : row->latency_ns_p50,
                        inner ? row->latency_ns_p90 : row->latency_ns_p99);
            else
                fputc('\n', stream);
        }
        fputs("EOD\n", stream);
    }
}

/* $fN: size, throughput, time along the lines of the fit, with gaps between segments; $kN: size and
 * throughput of the mark. */
static void put_fit(const struct picture *picture, size_t index)
{
    const struct plot_series *series = &picture->series[index];
    FILE *stream = picture->set->stream;

    fprintf(stream, "$f%zu << EOD\n", index);
    for (unsigned s = 0; s < series->fit.segment_count; s++) {
        const struct fit_line *line = &series->fit.segment[s];
        for (int k = 0; k <= FIT_STEPS; k++) {
            const double size =
                line->from_bytes * pow(line->to_bytes / line->from_bytes, (double)k / FIT_STEPS);
            const double ns = fit_line_ns(line, size);
            if (ns > 0)
                fprintf(stream, "%.9g %.9g %.9g\n", size, size * 1e9 / ns, ns);
        }
        fputc('\n', stream);
    }
    fprintf(stream, "EOD\n$k%zu << EOD\n", index);
    for (size_t i = 0; i < series->curve->count; i++) {
        const struct results_row *row = series->curve->rows[i];
        if (usable(row) && (double)row->size_bytes == series->fit.knee90_bytes) {
            fprintf(stream, "%.15g %.9g\n", series->fit.knee90_bytes, results_throughput(row));
            break;
        }
    }
    fputs("EOD\n", stream);
}

/* --- panels --- */

/* From the median to the 90th and 99th percentile: two shades and the upper edge, and a line for a
 * curve of one size; among many curves the edge alone, with dots. */
static void put_latency_band(const struct picture *picture, size_t index, const char *colour)
{
    FILE *stream = picture->set->stream;

    if (!picture->bands) {
        fprintf(stream, "$l%zu using 1:3 with lines lc rgb '%s' lw 1 dt 3 notitle, \\\n     ",
                index, colour);
        return;
    }
    fprintf(stream,
            "$l%zu using 1:2:3 with filledcurves fillstyle transparent solid 0.%02d noborder "
            "lc rgb '%s' notitle, \\\n     ",
            index, PLOT_SHADE_PALE, colour);
    fprintf(stream,
            "$n%zu using 1:2:3 with filledcurves fillstyle transparent solid 0.%02d noborder "
            "lc rgb '%s' notitle, \\\n     ",
            index, PLOT_SHADE_DARKER, colour);
    fprintf(stream, "$l%zu using 1:3 with lines lc rgb '%s' lw 0.6 notitle, \\\n     ", index,
            colour);
    if (picture->series[index].curve->count == 1)
        fprintf(
            stream,
            "$l%zu using 1:2:(0):($3-$2) with vectors nohead lc rgb '%s' lw 1.4 notitle, "
            "\\\n     $n%zu using 1:2:(0):($3-$2) with vectors nohead lc rgb '%s' lw 5 notitle, "
            "\\\n     ",
            index, colour, index, colour);
}

static void put_curve(const struct picture *picture, size_t index, enum plot_panel panel,
                      unsigned letter)
{
    static const int column[PANEL_COUNT] = {2, 5, 8}; /* of $cN */
    const struct plot_series *series = &picture->series[index];
    const struct plot_look *look = &picture->scheme.look[index];
    const bool fitted = series->fitted && panel != PANEL_LATENCY;
    FILE *stream = picture->set->stream;

    if (picture->set->request->device == PLOT_TEXT) {
        fprintf(stream, "$c%zu using 1:%d with linespoints pt %u notitle", index, column[panel],
                letter);
        return;
    }
    if (fitted)
        fprintf(stream, "$f%zu using 1:%d with lines lc rgb '%s' lw 1.2 dt 3 notitle, \\\n     ",
                index, panel == PANEL_TIME ? 3 : 2, look->colour);
    /* error bars of gnuplot leave a gap around the point */
    if (panel != PANEL_LATENCY)
        fprintf(stream,
                "$c%zu using 1:%s with vectors nohead lc rgb '%s' lw 1.4 notitle, \\\n     ", index,
                panel == PANEL_TIME ? "6:(0):($7-$6)" : "3:(0):($4-$3)", look->colour);
    else if (series->banded)
        put_latency_band(picture, index, look->colour);
    fprintf(stream,
            "$c%zu using 1:%d with linespoints lc rgb '%s' lw 1.4 dt %d pt %d ps %s notitle", index,
            column[panel], look->colour, look->dash, look->point, plot_point_size(picture->set));
    if (fitted && panel == PANEL_THROUGHPUT)
        fprintf(stream,
                ", \\\n     $k%zu using 1:2 with points lc rgb '%s' lw 1.5 pt 6 ps %s notitle",
                index, look->colour, plot_ring_size(picture->set));
}

static bool is_shown(const struct plot_series *series, enum plot_panel panel)
{
    if (panel == PANEL_THROUGHPUT)
        return !series->timed;
    for (size_t i = 0; panel == PANEL_LATENCY && i < series->curve->count; i++)
        if (!isnan(plot_panel_value(series->curve->rows[i], panel)))
            return true;
    return panel == PANEL_TIME;
}

static bool is_in(const struct picture *picture, size_t index, size_t facet, enum plot_panel panel)
{
    return picture->scheme.facet[index] == facet && is_shown(&picture->series[index], panel);
}

/* Returns whether there is anything to plot. */
static bool put_plot(const struct picture *picture, size_t facet, enum plot_panel panel)
{
    FILE *stream = picture->set->stream;
    unsigned shown = 0;

    plot_put_value_axis(picture->set, "y", &picture->value[panel], plot_panel_unit(panel), true);
    for (size_t i = 0; i < picture->set->count; i++) {
        if (!is_in(picture, i, facet, panel))
            continue;
        fputs(shown++ == 0 ? "plot " : ", \\\n     ", stream);
        put_curve(picture, i, panel, shown);
    }
    if (shown > 0)
        fputc('\n', stream);
    return shown > 0;
}

/* "read direct: throughput"; to free. */
static char *caption_of(const struct picture *picture, size_t facet, enum plot_panel panel)
{
    const struct plot_set *set = picture->set;
    char name[RESULTS_CURVE_TEXT];
    size_t first = 0;

    while (picture->scheme.facet[first] != facet)
        first++;
    results_curve_words(&set->curves[first], set->curves, set->count, picture->scheme.facet_words,
                        name);
    return mem_printf("%s%s%s", name, name[0] != '\0' ? ": " : "", plot_panel_title(panel));
}

/* Whether a panel would have curves. */
static bool shows(const struct picture *picture, size_t facet, enum plot_panel panel)
{
    for (size_t i = 0; i < picture->set->count; i++)
        if (is_in(picture, i, facet, panel))
            return true;
    return false;
}

/* Panels that have curves, one after the other: where a test has no throughput, the place beside
 * its latency is that of the next test. */
static void find_spots(struct picture *picture)
{
    const size_t facets = picture->scheme.facet_count;

    picture->spots = mem_calloc(facets * PANEL_COUNT, sizeof(*picture->spots));
    for (size_t facet = 0; facet < facets; facet++)
        for (int panel = 0; panel < PANEL_COUNT; panel++)
            if (plot_panel_wanted(picture->set->request, (enum plot_panel)panel) &&
                shows(picture, facet, (enum plot_panel)panel))
                picture->spots[picture->spot_count++] =
                    (struct spot){facet, (enum plot_panel)panel};
}

static void put_panel(const struct picture *picture, unsigned position)
{
    const struct plot_set *set = picture->set;
    const size_t facet = picture->spots[position].facet;
    const enum plot_panel panel = picture->spots[position].panel;
    const bool last = position + picture->grid.columns >= picture->spot_count;
    char *caption = caption_of(picture, facet, panel);

    plot_grid_put(set, &picture->grid, position, caption, RIGHT);
    plot_put_size_axis(set, &picture->size, SIZES_MOST / picture->grid.columns, last);
    fputs(last ? "set xlabel 'I/O size' offset 0,0.4\n" : "unset xlabel\n", set->stream);
    put_plot(picture, facet, panel);
    plot_forget(set);
    free(caption);
}

/* --- legend --- */

/* What is not a curve. */
static void explain(struct picture *picture)
{
    const struct plot_look dotted = {"#555555", 0, 3, 0}, ring = {"#555555", 6, 0, 0};
    bool fitted = false, banded = false, inner = false;

    for (size_t i = 0; i < picture->set->count; i++) {
        const struct plot_series *series = &picture->series[i];
        fitted = fitted || series->fitted;
        banded = banded || (series->banded && picture->set->request->latency);
        for (size_t k = 0; k < series->curve->count; k++)
            inner = inner || has_inner_band(series->curve->rows[k]);
    }
    if (banded && picture->bands) {
        if (inner)
            plot_legend_add(&picture->legend, PLOT_SAMPLE_DARKER, &dotted, "p50 to p90");
        plot_legend_add(&picture->legend, PLOT_SAMPLE_PALE, &dotted, "up to p99");
    } else if (banded) {
        plot_legend_add(&picture->legend, PLOT_SAMPLE_LINE, &dotted, "p99");
    }
    if (fitted && (picture->set->request->throughput || picture->set->request->time))
        plot_legend_add(&picture->legend, PLOT_SAMPLE_LINE, &dotted, "fit: t0 + size / bandwidth");
    if (fitted && picture->set->request->throughput)
        plot_legend_add(&picture->legend, PLOT_SAMPLE_LINE, &ring, "90 % of the best throughput");
}

static void add_curves(struct picture *picture, const size_t *facet, struct plot_legend *legend)
{
    const struct plot_set *set = picture->set;
    const bool text = set->request->device == PLOT_TEXT;

    for (size_t i = 0; i < set->count; i++) {
        struct plot_look look = picture->scheme.look[i];
        char name[RESULTS_CURVE_TEXT];
        if (facet && picture->scheme.facet[i] != *facet)
            continue;
        results_curve_words(&set->curves[i], set->curves, set->count, picture->scheme.name_words,
                            name);
        if (name[0] == '\0' && text)
            continue;
        if (text)
            look = (struct plot_look){.point = (int)legend->count + 1};
        plot_legend_add(legend, PLOT_SAMPLE_LINE, &look,
                        name[0] != '\0'                                  ? name
                        : set->request->throughput || set->request->time ? "median and its 95 % "
                                                                           "interval"
                                                                         : "median");
    }
}

/* --- a terminal --- */

static void put_letters(struct picture *picture, unsigned position)
{
    const size_t facet = picture->spots[position].facet;
    const enum plot_panel panel = picture->spots[position].panel;
    const struct plot_set *set = picture->set;
    const unsigned columns = set->request->columns;
    struct plot_legend legend = {.entries = NULL};
    char *caption;
    unsigned lines;

    caption = caption_of(picture, facet, panel);
    add_curves(picture, &facet, &legend);
    lines = plot_legend_lines(set, &legend);
    plot_title(set, 0, caption);
    fprintf(set->stream, "set bmargin %u\n", lines + 3 + (lines > 0));
    plot_put_size_axis(set, &picture->size, columns > 20 ? (columns - 12) / LETTERS_OF_SIZE : 2,
                       true);
    fputs("set xlabel 'I/O size'\nset ylabel\nunset key\nunset grid\n", set->stream);
    plot_legend_put_letters(set, &legend);
    put_plot(picture, facet, panel);
    plot_forget(set);
    plot_legend_free(&legend);
    free(caption);
}

/* --- picture --- */

static void prepare_series(struct picture *picture)
{
    const struct plot_set *set = picture->set;

    for (size_t i = 0; i < set->count; i++) {
        struct plot_series *series = &picture->series[i];
        series->curve = &set->curves[i];
        series->timed = !results_moves_data(series->curve->rows[0]->test);
        gather(picture, series);
    }
    plot_range_add(&picture->size, picture->size.high * 1.25);
    plot_range_add(&picture->size, picture->size.low / 1.25);
    for (int panel = 0; panel < PANEL_COUNT; panel++)
        plot_range_widen(&picture->value[panel]);
    plot_scheme_make(set, set->request->latency, &picture->scheme);
    picture->bands = picture->scheme.most <= BANDS_MOST;
    set->summary->curves = set->count;
    set->summary->repeats = picture->scheme.repeats;
}

/* Quantities side by side and facets one below the other, or the facets of one quantity. */
static void prepare_panels(struct picture *picture)
{
    const struct plot_request *request = picture->set->request;
    const unsigned quantities = (unsigned)request->throughput + request->time + request->latency;

    find_spots(picture);
    add_curves(picture, NULL, &picture->legend);
    explain(picture);
    plot_grid_make(&picture->grid, picture->spot_count,
                   picture->spot_count < quantities ? picture->spot_count
                   : quantities > 1                 ? quantities
                                                    : plot_grid_columns(picture->spot_count),
                   plot_legend_height(&picture->legend), false);
}

static void free_picture(struct picture *picture)
{
    plot_scheme_free(&picture->scheme);
    plot_legend_free(&picture->legend);
    free(picture->series);
    free(picture->spots);
}

void plot_curves(const struct plot_set *set)
{
    struct picture picture = {.set = set,
                              .series = mem_calloc(set->count, sizeof(struct plot_series)),
                              .size = PLOT_RANGE_EMPTY};
    const bool text = set->request->device == PLOT_TEXT;

    for (int panel = 0; panel < PANEL_COUNT; panel++)
        picture.value[panel] = PLOT_RANGE_EMPTY;
    prepare_series(&picture);
    prepare_panels(&picture);
    plot_begin(set, picture.grid.height);
    for (size_t i = 0; i < set->count; i++) {
        put_data(&picture, i);
        if (picture.series[i].fitted)
            put_fit(&picture, i);
        if (picture.series[i].banded && set->request->latency)
            put_bands(&picture, i);
    }
    if (!text) {
        fputs("set multiplot\nunset key\n", set->stream);
        plot_title(set, picture.grid.height, NULL);
        plot_legend_put(set, &picture.legend, picture.grid.height);
    }
    for (unsigned position = 0; position < picture.spot_count; position++)
        if (text)
            put_letters(&picture, position);
        else
            put_panel(&picture, position);
    if (!text)
        fputs("unset multiplot\n", set->stream);
    free_picture(&picture);
}
