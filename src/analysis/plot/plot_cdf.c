/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_cdf.c - distributions of latencies: which share of the operations took no longer, from the
 * histograms of JSON.  Latency is on a logarithmic axis, the share on that of a normal
 * distribution, on which p99 and p99.99 are as easy to read as p50 and a logarithmic normal
 * distribution is a straight line.
 *
 * A line for each I/O size, from light to dark, in a panel for each curve; of one size only, a line
 * for each curve.  A line ends where fewer than 10 operations took longer, as percentiles do. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/chance.h"
#include "base/mem.h"

#define SIZES_MOST  7 /* lines of a panel */
#define PANELS_MOST 12
#define LOWEST      0.01
#define TOP_LEAST   2.4 /* p99 */
#define HIGHEST     0.9999
#define BEYOND      10   /* operations that a percentile needs beyond it */
#define STEP        0.02 /* of the vertical axis, between two points of a line */
#define RIGHT       16   /* pixels */
#define LETTERS     8    /* on a line of a terminal */

struct share_line {
    const struct results_row *row;
    size_t panel, points;
    struct plot_look look;
};

struct distributions {
    const struct plot_set *set;
    double *sizes; /* those that are drawn */
    size_t size_count, sizes_there;
    struct share_line *lines;
    size_t count, panels;
    unsigned words; /* what the panels differ in */
    struct plot_scheme scheme;
    struct plot_grid grid;
    struct plot_range latency;
    double top; /* of the vertical axis */
};

/* The z below which a share of the standard normal distribution lies. */
static double normal_quantile(double share)
{
    const double tail = 2 * fmin(share, 1 - share);
    double low = 0, high = 10;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (chance_normal(middle) > tail)
            low = middle;
        else
            high = middle;
    }
    return share < 0.5 ? -low : low;
}

static double total_of(const struct results_row *row)
{
    double total = 0;

    for (size_t i = 0; row->whole && i < row->whole->bucket_count; i++)
        total += (double)row->whole->buckets[i].count;
    return total;
}

/* With operations enough for the median. */
static bool has_histogram(const struct results_row *row)
{
    return total_of(row) >= 2 * BEYOND;
}

/* --- which sizes --- */

static void choose_sizes(struct distributions *all)
{
    const struct plot_set *set = all->set;
    size_t count = 0;

    for (size_t c = 0; c < set->count; c++)
        for (size_t i = 0; i < set->curves[c].count; i++)
            if (has_histogram(set->curves[c].rows[i])) {
                all->sizes = mem_realloc_array(all->sizes, count + 1, sizeof(*all->sizes));
                all->sizes[count++] = (double)set->curves[c].rows[i]->size_bytes;
            }
    if (count == 0)
        return;
    all->size_count = plot_choose_sizes(all->sizes, count, SIZES_MOST, &all->sizes_there);
}

/* The place of a size among those that are drawn; size_count: it is not. */
static size_t place_of(const struct distributions *all, uint64_t size_bytes)
{
    size_t i = 0;
    while (i < all->size_count && all->sizes[i] != (double)size_bytes)
        i++;
    return i;
}

static void gather_lines(struct distributions *all)
{
    const struct plot_set *set = all->set;

    for (size_t c = 0; c < set->count; c++)
        for (size_t i = 0; i < set->curves[c].count; i++) {
            const struct results_row *row = set->curves[c].rows[i];
            const size_t place = place_of(all, row->size_bytes);
            struct share_line line = {.row = row, .panel = c};
            if (!has_histogram(row) || place == all->size_count)
                continue;
            if (all->size_count > 1) {
                line.look = plot_look_of_level(place, all->size_count);
            } else {
                line.look = all->scheme.look[c];
                line.panel = all->scheme.facet[c];
            }
            all->lines = mem_realloc_array(all->lines, all->count + 1, sizeof(*all->lines));
            all->lines[all->count++] = line;
        }
}

/* --- data --- */

/* Width of a bucket of base/hist.h that begins there. */
static double bucket_ns(uint64_t lower_ns)
{
    double width = 1;
    for (uint64_t v = lower_ns; v >= 128; v /= 2)
        width *= 2;
    return width;
}

static void put_point(struct distributions *all, double ns, double share)
{
    fprintf(all->set->stream, "%.9g %.5f\n", ns, normal_quantile(share));
    if (share <= HIGHEST)
        plot_range_add(&all->latency, ns);
    all->top = fmax(all->top, fmin(normal_quantile(share), normal_quantile(HIGHEST)));
}

/* $dN: latency and place on the vertical axis, from the lowest share to the last that is known.  A
 * line rises where a bucket is, and is flat where none is. */
static void put_line(struct distributions *all, size_t index)
{
    struct share_line *line = &all->lines[index];
    const struct results_whole *whole = line->row->whole;
    const double total = total_of(line->row), highest = (total - BEYOND) / total;
    double below = 0, last = 0;

    fprintf(all->set->stream, "$d%zu << EOD\n", index);
    for (size_t i = 0; i < whole->bucket_count && last < highest; i++) {
        const double lower = fmax((double)whole->buckets[i].lower_ns, 1),
                     upper =
                         (double)whole->buckets[i].lower_ns + bucket_ns(whole->buckets[i].lower_ns);
        const double before = below / total;
        double share;
        below += (double)whole->buckets[i].count;
        share = fmin(below / total, highest);
        if (share <= LOWEST ||
            (share < highest && last > 0 && normal_quantile(share) - normal_quantile(last) < STEP))
            continue;
        put_point(all, lower, fmax(before, LOWEST));
        put_point(all, upper, share);
        line->points++;
        last = share;
    }
    fputs("EOD\n", all->set->stream);
}

/* --- drawing --- */

static void put_share_axis(const struct distributions *all)
{
    static const struct {
        const char *name;
        double share;
    } ticks[] = {{"p1", 0.01}, {"p10", 0.1},  {"p25", 0.25},    {"p50", 0.5},      {"p75", 0.75},
                 {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};
    FILE *stream = all->set->stream;

    fprintf(stream, "unset logscale y\nset yrange [%.5f:%.5f]\nset ytics (",
            normal_quantile(LOWEST) - 0.1, all->top + 0.15);
    for (size_t i = 0; i < sizeof(ticks) / sizeof(*ticks); i++)
        fprintf(stream, "%s'%s' %.5f", i > 0 ? ", " : "", ticks[i].name,
                normal_quantile(ticks[i].share));
    fputs(")\n", stream);
}

static bool put_plot(const struct distributions *all, size_t panel)
{
    const struct plot_set *set = all->set;
    FILE *stream = set->stream;
    unsigned shown = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct share_line *line = &all->lines[i];
        if (line->panel != panel || line->points == 0)
            continue;
        fprintf(stream, "%s$d%zu using 1:2 with ", shown++ == 0 ? "plot " : ", \\\n     ", i);
        if (set->request->device == PLOT_TEXT)
            fprintf(stream, "linespoints pt %u pointinterval %zu notitle", shown,
                    line->points / LETTERS + 1);
        else
            fprintf(stream,
                    "linespoints lc rgb '%s' lw 1.6 dt %d pt %d ps %s pointinterval %zu "
                    "notitle",
                    line->look.colour, line->look.dash, line->look.point, plot_point_size(set),
                    line->points / LETTERS + 1);
    }
    if (shown > 0)
        fputc('\n', stream);
    return shown > 0;
}

/* "read direct: latency of operations"; to free. */
static char *caption_of(const struct distributions *all, size_t panel)
{
    const struct plot_set *set = all->set;
    char name[RESULTS_CURVE_TEXT];
    size_t first = panel;

    for (first = 0; all->size_count == 1 && all->scheme.facet[first] != panel;)
        first++;
    results_curve_words(&set->curves[all->size_count == 1 ? first : panel], set->curves, set->count,
                        all->words, name);
    return mem_printf("%s%slatency percentiles", name, name[0] != '\0' ? ": " : "");
}

static bool has_row(const struct results_curve *curve, const struct results_row *row)
{
    size_t i = 0;

    while (i < curve->count && curve->rows[i] != row)
        i++;
    return i < curve->count;
}

static void add_entries(const struct distributions *all, const size_t *panel,
                        struct plot_legend *legend)
{
    const struct plot_set *set = all->set;
    unsigned letters = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct share_line *line = &all->lines[i];
        struct plot_look look = line->look;
        char text[RESULTS_CURVE_TEXT];
        if (panel && (line->panel != *panel || line->points == 0))
            continue;
        plot_format_size((double)line->row->size_bytes, text);
        for (size_t c = 0; all->size_count == 1 && all->scheme.name_words && c < set->count; c++)
            if (has_row(&set->curves[c], line->row))
                results_curve_words(&set->curves[c], set->curves, set->count,
                                    all->scheme.name_words, text);
        if (panel)
            look = (struct plot_look){.point = (int)++letters};
        plot_legend_add(legend, PLOT_SAMPLE_LINE, &look, text);
    }
}

static void put_panel(const struct distributions *all, size_t panel)
{
    const struct plot_set *set = all->set;
    const bool last = panel + all->grid.columns >= all->grid.panels;
    char *caption = caption_of(all, panel);

    plot_grid_put(set, &all->grid, (unsigned)panel, caption, RIGHT);
    plot_put_value_axis(set, "x", &all->latency, PLOT_NS, last);
    fputs(last ? "set xlabel 'latency' offset 0,0.4\n" : "unset xlabel\n", set->stream);
    put_share_axis(all);
    if (put_plot(all, panel))
        plot_forget(set);
    free(caption);
}

static void put_letters(const struct distributions *all, size_t panel)
{
    const struct plot_set *set = all->set;
    struct plot_legend legend = {.entries = NULL};
    char *caption = caption_of(all, panel);

    add_entries(all, &panel, &legend);
    if (legend.count > 0) {
        fprintf(set->stream, "set bmargin %u\n", plot_legend_lines(set, &legend) + 4);
        plot_put_letters_title(set, caption);
        plot_put_value_axis(set, "x", &all->latency, PLOT_NS, true);
        fputs("set xlabel 'latency'\nunset key\nunset grid\n", set->stream);
        put_share_axis(all);
        plot_legend_put_letters(set, &legend);
        put_plot(all, panel);
        plot_forget(set);
    }
    plot_legend_free(&legend);
    free(caption);
}

static void draw(struct distributions *all)
{
    const struct plot_set *set = all->set;
    const bool text = set->request->device == PLOT_TEXT;
    struct plot_legend legend = {.entries = NULL};

    add_entries(all, NULL, &legend);
    plot_grid_make(&all->grid, (unsigned)all->panels, all->panels > 1 ? 2 : 1,
                   plot_legend_height(&legend), false);
    plot_begin(set, all->grid.height);
    for (size_t i = 0; i < all->count; i++)
        put_line(all, i);
    plot_range_widen(&all->latency);
    if (!text) {
        fputs("set multiplot\nunset key\n", set->stream);
        plot_title(set, all->grid.height, NULL);
        plot_legend_put(set, &legend, all->grid.height);
    }
    for (size_t p = 0; p < all->panels; p++)
        if (text)
            put_letters(all, p);
        else
            put_panel(all, p);
    if (!text)
        fputs("unset multiplot\n", set->stream);
    plot_legend_free(&legend);
}

static int refuse(const struct distributions *all, struct error *err)
{
    const char *path = all->set->curves[0].file->path;

    if (all->size_count == 0)
        return error_refuse(err, STATUS_USAGE, "no distribution of latencies is known in", path,
                            "repeat the run with --format json");
    if (all->panels <= PANELS_MOST)
        return 0;
    error_set(err, STATUS_USAGE, 0, "too many panels for one picture:", path);
    return error_advise(err, "%zu of them, and %d fit; plot files of fewer tests or depths",
                        all->panels, PANELS_MOST);
}

int plot_distributions(const struct plot_set *set, struct error *err)
{
    struct distributions all = {.set = set, .latency = PLOT_RANGE_EMPTY, .top = TOP_LEAST};
    int result;

    choose_sizes(&all);
    plot_scheme_make(set, false, &all.scheme);
    all.panels = all.size_count == 1 ? all.scheme.facet_count : set->count;
    all.words =
        all.size_count == 1 ? all.scheme.facet_words : results_words_apart(set->curves, set->count);
    result = refuse(&all, err);
    if (result == 0) {
        gather_lines(&all);
        draw(&all);
        set->summary->curves = all.count;
        set->summary->repeats = all.size_count == 1 && all.scheme.repeats;
        set->summary->sizes_left_out = all.sizes_there - all.size_count;
    }
    plot_scheme_free(&all.scheme);
    free(all.sizes);
    free(all.lines);
    return result;
}
