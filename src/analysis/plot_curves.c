/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot_curves.c - throughput, time per operation and latency by size: points with the interval of
 * their median, lines of the fit, a mark where 90 % of the best throughput is reached; of latency
 * the median and a band up to the 99th percentile.
 *
 * Colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), which people with any kind
 * of colour vision tell apart; shapes of points differ too, for prints in black and white.  The
 * legend is drawn below the panels, where no data can be. */
#include "base/compat.h"

#include "analysis/plot_parts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/fit.h"
#include "base/mem.h"

#define TOP          66 /* of the panels, pixels from the top of the picture */
#define BELOW        48 /* numbers and name of the axis below a panel */
#define LEFT         78 /* numbers beside a panel */
#define RIGHT        16
#define LEGEND_LINE  20
#define LEGEND_SPACE 14 /* above and below it */
#define LEGEND_MOST  100
#define LETTER       7 /* mean width, rather too much */
#define SAMPLE       52
#define FIT_STEPS    32
#define SIZES_MOST   16 /* labels below all panels */

static const char *const colours[PLOT_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#E69F00", "#56B4E9", "#000000", "#999999"};
static const int points[PLOT_COLOURS] = {7, 5, 9, 13, 11, 15, 6, 4};
static const int dashes[] = {1, 4, 3, 5}; /* of the first 8 curves, the next 8 ... */

struct plot_series {
    const struct results_curve *curve;
    bool timed; /* moves no data: there is no throughput, and no line to fit */
    char name[RESULTS_CURVE_TEXT];
    bool fitted;
    bool banded; /* some row has a 99th percentile of the latency */
    struct fit fit;
};

struct legend {
    unsigned entries, columns, lines;
    bool fits;
};

struct picture {
    const struct plot_set *set;
    struct plot_series *series;
    struct legend legend;
    unsigned height, panels;
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
        if (has_band(row) && request->device != PLOT_TEXT) {
            series->banded = true;
            plot_range_add(latency, row->latency_ns_p99);
        }
        if (series->timed)
            continue;
        plot_range_add(throughput, results_throughput(row));
        plot_range_add(throughput, size * 1e9 / row->op_ns_low);
        plot_range_add(throughput, size * 1e9 / row->op_ns_high);
    }
    if (request->fit && !series->timed && request->device != PLOT_TEXT &&
        (request->throughput || request->time))
        series->fitted = fit_curve(fit_points, count, &series->fit);
    picture->set->summary->lines += series->fitted;
    free(fit_points);
}

/* $cN: size, throughput and its interval, time and its interval, and median
 * latency if it is drawn.  Where no interval
 * is known it is the point itself; where there is no throughput or no latency, NaN is what gnuplot
 * leaves out. */
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

/* $lN: size, median and 99th percentile of the latency, with gaps where one is not known. */
static void put_band(const struct picture *picture, size_t index)
{
    const struct results_curve *curve = picture->series[index].curve;
    FILE *stream = picture->set->stream;

    fprintf(stream, "$l%zu << EOD\n", index);
    for (size_t i = 0; i < curve->count; i++) {
        const struct results_row *row = curve->rows[i];
        if (usable(row) && has_band(row))
            fprintf(stream, "%.15g %.9g %.9g\n", (double)row->size_bytes, row->latency_ns_p50,
                    row->latency_ns_p99);
        else
            fputc('\n', stream);
    }
    fputs("EOD\n", stream);
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

/* Bitmaps draw points smaller. */
static const char *point_size(const struct picture *picture)
{
    return picture->set->request->device == PLOT_SVG ? "0.65" : "0.9";
}

/* From the median to the 99th percentile: a band, its upper edge, and a line for each point, which
 * shows also where there is one size only. */
static void put_latency_band(const struct picture *picture, size_t index, const char *colour)
{
    FILE *stream = picture->set->stream;

    fprintf(stream,
            "$l%zu using 1:2:3 with filledcurves fillstyle transparent solid 0.15 noborder "
            "lc rgb '%s' notitle, \\\n     ",
            index, colour);
    fprintf(stream, "$l%zu using 1:3 with lines lc rgb '%s' lw 0.8 notitle, \\\n     ", index,
            colour);
    fprintf(stream,
            "$l%zu using 1:2:(0):($3-$2) with vectors nohead lc rgb '%s' lw 0.8 notitle, "
            "\\\n     ",
            index, colour);
}

static void put_curve(const struct picture *picture, size_t index, enum plot_panel panel)
{
    static const int column[PANEL_COUNT] = {2, 5, 8}; /* of $cN */
    const struct plot_series *series = &picture->series[index];
    const char *colour = colours[index % PLOT_COLOURS];
    const int point = points[index % PLOT_COLOURS];
    const size_t turn = index / PLOT_COLOURS;
    const int dash = dashes[turn < 4 ? turn : 3];
    const bool fitted = series->fitted && panel != PANEL_LATENCY;
    FILE *stream = picture->set->stream;

    if (picture->set->request->device == PLOT_TEXT) {
        fprintf(stream, "$c%zu using 1:%d with linespoints pt %zu title ", index, column[panel],
                index % 26 + 1);
        plot_put_string(picture->set, series->name, picture->set->request->columns * 3 / 4);
        return;
    }
    if (fitted)
        fprintf(stream, "$f%zu using 1:%d with lines lc rgb '%s' lw 1 dt 2 notitle, \\\n     ",
                index, panel == PANEL_TIME ? 3 : 2, colour);
    /* error bars of gnuplot leave a gap around the point */
    if (panel != PANEL_LATENCY)
        fprintf(stream,
                "$c%zu using 1:%s with vectors nohead lc rgb '%s' lw 1.4 notitle, \\\n     ", index,
                panel == PANEL_TIME ? "6:(0):($7-$6)" : "3:(0):($4-$3)", colour);
    else if (series->banded)
        put_latency_band(picture, index, colour);
    fprintf(stream,
            "$c%zu using 1:%d with linespoints lc rgb '%s' lw 1.4 dt %d pt %d ps %s notitle", index,
            column[panel], colour, dash, point, point_size(picture));
    if (fitted && panel == PANEL_THROUGHPUT)
        fprintf(stream,
                ", \\\n     $k%zu using 1:2 with points lc rgb '%s' lw 1.5 pt 6 ps 1.9 notitle",
                index, colour);
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

static void put_panel(const struct picture *picture, unsigned position, enum plot_panel panel)
{
    const struct plot_set *set = picture->set;
    const double width = 1.0 / picture->panels, left = position * width;
    const unsigned legend = picture->legend.lines * LEGEND_LINE + 2 * LEGEND_SPACE;
    FILE *stream = set->stream;
    size_t shown = 0;

    if (set->request->device == PLOT_TEXT) {
        plot_title(set, 0);
        plot_put_size_axis(set, &picture->size,
                           set->request->columns > 20 ? (set->request->columns - 12) / 7 : 2);
        fprintf(stream, "set ylabel '%s'\n",
                panel == PANEL_THROUGHPUT ? "throughput"
                : panel == PANEL_TIME     ? "time/op"
                                          : "latency p50");
        fputs("set key outside bottom center horizontal\nunset grid\n", stream);
    } else {
        fprintf(stream,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                left + (double)LEFT / PLOT_WIDTH, left + width - (double)RIGHT / PLOT_WIDTH,
                1 - (double)(TOP + 20) / picture->height,
                (double)(legend + BELOW) / picture->height);
        plot_put_size_axis(set, &picture->size, SIZES_MOST / picture->panels);
        fprintf(stream, "set title '%s' offset 0,-0.5\n", plot_panel_title(panel));
        fputs("set xlabel 'I/O size in bytes' offset 0,0.4\n", stream);
    }
    plot_put_value_axis(set, "y", &picture->value[panel], plot_panel_unit(panel));
    for (size_t i = 0; i < set->count; i++) {
        if (!is_shown(&picture->series[i], panel))
            continue;
        fputs(shown++ == 0 ? "plot " : ", \\\n     ", stream);
        put_curve(picture, i, panel);
    }
    fputc('\n', stream);
    /* a label of the screen would be drawn again with each panel */
    fputs("unset label\nunset arrow\n", stream);
}

/* --- legend --- */

static struct legend plan_legend(const struct picture *picture)
{
    struct legend legend = {.entries = (unsigned)picture->set->count, .columns = 1};
    unsigned longest = 0, fit;

    for (size_t i = 0; i < picture->set->count; i++) {
        const unsigned length = plot_text_length(picture->series[i].name, LEGEND_MOST);
        longest = length > longest ? length : longest;
        legend.fits = legend.fits || picture->series[i].fitted;
    }
    if (legend.fits) {
        legend.entries += 2;
        longest = longest < 28 ? 28 : longest;
    }
    fit = (PLOT_WIDTH - 40) / (longest * LETTER + SAMPLE + 20);
    legend.columns = fit < 1 ? 1 : fit > legend.entries ? legend.entries : fit;
    legend.lines = (legend.entries + legend.columns - 1) / legend.columns;
    legend.columns = (legend.entries + legend.lines - 1) / legend.lines;
    return legend;
}

/* A sample of line and point, and its text, as arrow and label at a place of the picture. */
static void put_entry(const struct picture *picture, unsigned entry, const char *text,
                      const char *colour, int point, int dash)
{
    const struct legend *legend = &picture->legend;
    const double column_width = (PLOT_WIDTH - 40.0) / legend->columns;
    /* down the columns */
    const double x = 28 + column_width * (entry / legend->lines);
    const double y = LEGEND_SPACE + LEGEND_LINE * (legend->lines - entry % legend->lines - 0.5);
    FILE *stream = picture->set->stream;

    if (dash > 0)
        fprintf(stream,
                "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lc rgb '%s' "
                "lw %s dt %d\n",
                x / PLOT_WIDTH, y / picture->height, (x + 36) / PLOT_WIDTH, y / picture->height,
                colour, point > 0 ? "1.4" : "1", dash);
    if (point > 0)
        fprintf(stream, "set label '' at screen %.5f,%.5f point lc rgb '%s' pt %d ps %s\n",
                (x + 18) / PLOT_WIDTH, y / picture->height, colour, point,
                dash > 0 ? point_size(picture) : "1.9 lw 1.5");
    fputs("set label ", stream);
    plot_put_string(picture->set, text, LEGEND_MOST);
    fprintf(stream, " at screen %.5f,%.5f left\n", (x + 46) / PLOT_WIDTH, y / picture->height);
}

static void put_legend(const struct picture *picture)
{
    unsigned entry = 0;

    for (size_t i = 0; i < picture->set->count; i++) {
        const size_t turn = i / PLOT_COLOURS;
        put_entry(picture, entry++, picture->series[i].name, colours[i % PLOT_COLOURS],
                  points[i % PLOT_COLOURS], dashes[turn < 4 ? turn : 3]);
    }
    if (picture->legend.fits) {
        put_entry(picture, entry++, "fit: t0 + size / bandwidth", "#555555", 0, 2);
        put_entry(picture, entry++, "90 % of the best throughput", "#555555", 6, 0);
    }
}

/* --- picture --- */

static void prepare(struct picture *picture)
{
    const struct plot_set *set = picture->set;

    for (size_t i = 0; i < set->count; i++) {
        struct plot_series *series = &picture->series[i];
        series->curve = &set->curves[i];
        series->timed = !results_moves_data(series->curve->rows[0]->test);
        results_curve_name(series->curve, set->curves, set->count, series->name);
        if (set->count == 1)
            snprintf(series->name, sizeof(series->name), "%s",
                     set->request->throughput || set->request->time
                         ? "median and its 95 % interval"
                         : "median latency and band to p99");
        gather(picture, series);
    }
    picture->legend = plan_legend(picture);
    picture->height = PLOT_HEIGHT;
    if (picture->legend.lines > 4)
        picture->height += (picture->legend.lines - 4) * LEGEND_LINE;
    plot_range_add(&picture->size, picture->size.high * 1.25);
    plot_range_add(&picture->size, picture->size.low / 1.25);
    for (int panel = 0; panel < PANEL_COUNT; panel++)
        plot_range_widen(&picture->value[panel]);
    set->summary->curves = set->count;
}

void plot_curves(const struct plot_set *set)
{
    const struct plot_request *request = set->request;
    struct picture picture = {.set = set,
                              .series = mem_calloc(set->count, sizeof(struct plot_series)),
                              .panels =
                                  (unsigned)request->throughput + request->time + request->latency,
                              .size = PLOT_RANGE_EMPTY};
    const bool text = request->device == PLOT_TEXT;
    unsigned position = 0;

    for (int panel = 0; panel < PANEL_COUNT; panel++)
        picture.value[panel] = PLOT_RANGE_EMPTY;
    prepare(&picture);
    plot_begin(set, picture.height);
    for (size_t i = 0; i < set->count; i++) {
        put_data(&picture, i);
        if (picture.series[i].fitted)
            put_fit(&picture, i);
        if (picture.series[i].banded && request->latency)
            put_band(&picture, i);
    }
    if (!text) {
        fputs("set multiplot\nunset key\n", set->stream);
        plot_title(set, picture.height);
        put_legend(&picture);
    }
    for (int panel = 0; panel < PANEL_COUNT; panel++)
        if (plot_panel_wanted(request, (enum plot_panel)panel))
            put_panel(&picture, position++, (enum plot_panel)panel);
    if (!text)
        fputs("unset multiplot\n", set->stream);
    free(picture.series);
}
