/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_map.c - throughput, time per operation or median latency as colour, by I/O size and by depth
 * or number of threads: one map for each group of curves that differ in nothing else.
 *
 * The colours are those of viridis (https://bids.github.io/colormap/), which grow lighter evenly,
 * so that the map can be read without seeing colours; the scale is logarithmic. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

#define TOP       66 /* pixels, as in plot_curves.c */
#define CAPTION   22
#define BELOW     60
#define LEFT      64
#define RIGHT     116 /* with the scale of colours */
#define SIZE_WIDE 56  /* room for "256 KiB" below */
#define CELL_WIDE 66  /* for "321 MB/s" */
#define HALF_WIDE 36  /* for either word of it */
#define CELL_HIGH 16
#define DARK      0.46 /* share of the scale below which white has more contrast than black */

struct map {
    const struct results_curve **curves; /* by rising depth or threads */
    size_t curve_count;
    uint64_t *sizes;
    size_t size_count;
};

struct atlas {
    const struct plot_set *set;
    bool threads; /* vertical axis; else depth */
    struct map *maps;
    size_t count;
    unsigned panels, columns, lines, height;
    struct plot_range value[PANEL_COUNT];
};

static uint64_t level_of(const struct results_curve *curve, bool threads)
{
    return threads ? curve->rows[0]->threads : curve->rows[0]->depth;
}

/* Curves that differ in the vertical axis at most. */
static bool same_map(const struct results_curve *a, const struct results_curve *b, bool threads)
{
    const struct results_row *x = a->rows[0], *y = b->rows[0];
    return a->file == b->file && strcmp(x->test, y->test) == 0 && x->pass == y->pass &&
           x->loop == y->loop && x->repeat == y->repeat && x->mix == y->mix &&
           strcmp(x->target, y->target) == 0 && strcmp(x->engine, y->engine) == 0 &&
           strcmp(x->cache, y->cache) == 0 && strcmp(x->access, y->access) == 0 &&
           strcmp(x->label, y->label) == 0 &&
           (threads ? x->depth == y->depth : x->threads == y->threads);
}

static void gather_sizes(struct map *map)
{
    size_t count = 0;

    for (size_t i = 0; i < map->curve_count; i++) {
        const struct results_curve *curve = map->curves[i];
        map->sizes = mem_realloc_array(map->sizes, count + curve->count, sizeof(*map->sizes));
        for (size_t k = 0; k < curve->count; k++)
            map->sizes[count++] = curve->rows[k]->size_bytes;
    }
    qsort(map->sizes, count, sizeof(*map->sizes), number_order);
    for (size_t i = 0; i < count; i++)
        if (map->size_count == 0 || map->sizes[map->size_count - 1] != map->sizes[i])
            map->sizes[map->size_count++] = map->sizes[i];
}

static void insert_curve(struct map *map, const struct results_curve *curve, bool threads)
{
    size_t at = map->curve_count++;

    map->curves =
        mem_realloc_array(map->curves, map->curve_count, sizeof(const struct results_curve *));
    for (; at > 0 && level_of(map->curves[at - 1], threads) > level_of(curve, threads); at--)
        map->curves[at] = map->curves[at - 1];
    map->curves[at] = curve;
}

static void free_map(struct map *map)
{
    free(map->curves);
    free(map->sizes);
}

/* The groups that have two levels and two sizes at least. */
static void gather(struct atlas *atlas, bool threads)
{
    const struct plot_set *set = atlas->set;

    atlas->threads = threads;
    atlas->maps = mem_calloc(set->count, sizeof(*atlas->maps));
    for (size_t i = 0; i < set->count; i++) {
        struct map map = {.curves = NULL};
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && !same_map(&set->curves[k], &set->curves[i], threads);
        for (size_t k = i; first && k < set->count; k++)
            if (same_map(&set->curves[k], &set->curves[i], threads))
                insert_curve(&map, &set->curves[k], threads);
        if (map.curve_count >= 2)
            gather_sizes(&map);
        if (map.size_count >= 2)
            atlas->maps[atlas->count++] = map;
        else
            free_map(&map);
    }
}

static void free_maps(struct atlas *atlas)
{
    for (size_t i = 0; i < atlas->count; i++)
        free_map(&atlas->maps[i]);
    free(atlas->maps);
    atlas->maps = NULL;
    atlas->count = 0;
}

/* --- drawing --- */

/* The last of equal sizes: a size that was measured twice. */
static double value_at(const struct results_curve *curve, uint64_t size_bytes,
                       enum plot_panel panel)
{
    double value = NAN;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->rows[i]->size_bytes == size_bytes)
            value = plot_panel_value(curve->rows[i], panel);
    return value;
}

static void find_range(struct atlas *atlas, enum plot_panel panel)
{
    struct plot_range *range = &atlas->value[panel];

    for (size_t m = 0; m < atlas->count; m++)
        for (size_t i = 0; i < atlas->maps[m].curve_count; i++)
            for (size_t k = 0; k < atlas->maps[m].size_count; k++)
                plot_range_add(range,
                               value_at(atlas->maps[m].curves[i], atlas->maps[m].sizes[k], panel));
    plot_range_widen(range);
}

/* $mN: column, line, value; $wN and $bN: column, line, number and its unit, in white or black. */
static void put_data(const struct atlas *atlas, unsigned position, const struct map *map,
                     enum plot_panel panel)
{
    const struct plot_range *range = &atlas->value[panel];
    FILE *stream = atlas->set->stream;

    for (unsigned block = 0; block < 3; block++) {
        fprintf(stream, "$%c%u << EOD\n", "mwb"[block], position);
        for (size_t i = 0; i < map->curve_count; i++)
            for (size_t k = 0; k < map->size_count; k++) {
                const double value = value_at(map->curves[i], map->sizes[k], panel);
                const double share = log(value / range->low) / log(range->high / range->low);
                char text[32];
                if (isnan(value))
                    continue;
                plot_format(value, plot_panel_unit(panel), -3, text);
                if (block == 0)
                    fprintf(stream, "%zu %zu %.9g\n", k, i, value);
                else if ((block == 1) == (share < DARK))
                    fprintf(stream, "%zu %zu %s\n", k, i, text);
            }
        fputs("EOD\n", stream);
    }
}

static void put_axes(const struct atlas *atlas, const struct map *map, double width_pixels,
                     double height_pixels)
{
    const double cell = width_pixels / (double)map->size_count,
                 line = height_pixels / (double)map->curve_count;
    const size_t every = (size_t)ceil(SIZE_WIDE / cell), each = (size_t)ceil(CELL_HIGH / line);
    FILE *stream = atlas->set->stream;
    char text[32];

    fprintf(stream, "set xrange [-0.5:%.1f]\nset yrange [-0.5:%.1f]\nset xtics (",
            (double)map->size_count - 0.5, (double)map->curve_count - 0.5);
    for (size_t k = 0; k < map->size_count; k += every)
        fprintf(stream, "%s'%s' %zu", k > 0 ? ", " : "",
                plot_format_size((double)map->sizes[k], text), k);
    fputs(")\nset ytics (", stream);
    for (size_t i = 0; i < map->curve_count; i += each)
        fprintf(stream, "%s'%" PRIu64 "' %zu", i > 0 ? ", " : "",
                level_of(map->curves[i], atlas->threads), i);
    fputs(")\nset xlabel 'I/O size' offset 0,0.4\n", stream);
}

/* The name of the vertical axis stands above its numbers, where it is in nobody's way. */
static void put_axis_name(const struct atlas *atlas, const struct plot_place *place)
{
    fprintf(atlas->set->stream, "set label '%s' at screen %.5f,%.5f right\n",
            atlas->threads ? "threads" : "depth", (place->left - 8) / PLOT_WIDTH,
            1 - (place->top - 9) / atlas->height);
}

/* Numbers with their units, in one line or two, where there is room. */
static void put_numbers(const struct atlas *atlas, unsigned position, double cell, double line)
{
    const int size = atlas->set->request->device == PLOT_SVG ? 11 : 9; /* pixels, points */
    const bool one = cell >= CELL_WIDE && line >= CELL_HIGH;
    FILE *stream = atlas->set->stream;

    if (!one && (cell < HALF_WIDE || line < 2 * CELL_HIGH))
        return;
    for (int dark = 0; dark < 2; dark++)
        for (int word = 0; word < (one ? 1 : 2); word++)
            fprintf(stream,
                    ", \\\n     $%c%u using 1:2:%s with labels font ',%d' tc rgb '%s'%s notitle",
                    dark ? 'b' : 'w', position,
                    one         ? "(stringcolumn(3).' '.stringcolumn(4))"
                    : word == 0 ? "3"
                                : "4",
                    size, dark ? "black" : "white",
                    one         ? ""
                    : word == 0 ? " offset 0,0.5"
                                : " offset 0,-0.5");
}

static void put_map(const struct atlas *atlas, unsigned position, const char *name,
                    enum plot_panel panel, const struct map *map)
{
    const double width = (double)PLOT_WIDTH / atlas->columns,
                 height = (double)(atlas->height - TOP) / atlas->lines;
    const double left = width * (position % atlas->columns),
                 top = TOP + height * (position / atlas->columns);
    const double inner_width = width - LEFT - RIGHT, inner_height = height - CAPTION - BELOW;
    const struct plot_place place = {left + LEFT, left + width - RIGHT, top + CAPTION,
                                     top + height - BELOW};
    char *caption = mem_printf("%s%s%s, lighter is %s", name, name[0] != '\0' ? ": " : "",
                               panel == PANEL_TIME ? "time per operation" : plot_panel_title(panel),
                               panel == PANEL_THROUGHPUT ? "faster" : "slower");
    FILE *stream = atlas->set->stream;

    put_data(atlas, position, map, panel);
    plot_put_place(atlas->set, &place, atlas->height);
    fputs("set title ", stream);
    plot_put_string(atlas->set, caption, (unsigned)(inner_width / 6));
    fputs(" offset 0,-0.5\n", stream);
    free(caption);
    put_axes(atlas, map, inner_width, inner_height);
    put_axis_name(atlas, &place);
    plot_put_value_axis(atlas->set, "cb", &atlas->value[panel], plot_panel_unit(panel), true);
    fprintf(stream, "set colorbox user origin screen %.5f,%.5f size screen %.5f,%.5f\n",
            (left + width - RIGHT + 14) / PLOT_WIDTH, 1 - (top + height - BELOW) / atlas->height,
            16.0 / PLOT_WIDTH, inner_height / atlas->height);
    fprintf(stream,
            "plot $m%u using 1:2:(0.49):(0.49):3 with boxxyerror fillstyle solid 1.0 "
            "noborder lc palette notitle",
            position);
    put_numbers(atlas, position, inner_width / (double)map->size_count,
                inner_height / (double)map->curve_count);
    fputc('\n', stream);
    plot_forget(atlas->set);
}

static bool has_panel(const struct atlas *atlas, const struct map *map, enum plot_panel panel)
{
    return plot_panel_wanted(atlas->set->request, panel) &&
           (panel != PANEL_THROUGHPUT || results_moves_data(map->curves[0]->rows[0]->test));
}

/* Two beside each other, unless only one has room for numbers. */
static void arrange(struct atlas *atlas)
{
    size_t sizes = 0, levels = 0;
    unsigned high;

    for (size_t m = 0; m < atlas->count; m++) {
        sizes = atlas->maps[m].size_count > sizes ? atlas->maps[m].size_count : sizes;
        levels = atlas->maps[m].curve_count > levels ? atlas->maps[m].curve_count : levels;
    }
    atlas->columns =
        atlas->panels > 1 && sizes * HALF_WIDE <= PLOT_WIDTH / 2 - LEFT - RIGHT ? 2 : 1;
    atlas->lines = (atlas->panels + atlas->columns - 1) / atlas->columns;
    high = (unsigned)(levels < 4 ? 4 : levels > 8 ? 8 : levels) * 34 + CAPTION + BELOW;
    atlas->height = atlas->lines > 1 ? TOP + high * atlas->lines : PLOT_HEIGHT;
}

static void draw(struct atlas *atlas)
{
    const struct plot_set *set = atlas->set;
    struct results_curve *firsts = mem_calloc(atlas->count, sizeof(*firsts));
    unsigned position = 0;

    for (size_t m = 0; m < atlas->count; m++)
        firsts[m] = *atlas->maps[m].curves[0];
    arrange(atlas);
    for (int panel = 0; panel < PANEL_COUNT; panel++)
        find_range(atlas, (enum plot_panel)panel);
    plot_begin(set, atlas->height);
    fputs("set multiplot\nunset key\nunset grid\nset tics out scale 0.5\nset border 0\n"
          "set palette defined (",
          set->stream);
    for (unsigned i = 0; i < PLOT_VIRIDIS; i++)
        fprintf(set->stream, "%s%u '#%06X'", i > 0 ? ", " : "", i, plot_viridis[i]);
    fputs(")\n", set->stream);
    plot_title(set, atlas->height, NULL);
    for (enum plot_panel panel = 0; panel < PANEL_COUNT; panel++)
        for (size_t m = 0; m < atlas->count; m++) {
            char name[RESULTS_CURVE_TEXT];
            if (!has_panel(atlas, &atlas->maps[m], panel))
                continue;
            results_curve_name(&firsts[m], firsts, atlas->count, name);
            put_map(atlas, position++, name, panel, &atlas->maps[m]);
        }
    fputs("unset multiplot\n", set->stream);
    set->summary->curves = atlas->count;
    free(firsts);
}

int plot_maps(const struct plot_set *set, struct error *err)
{
    struct atlas atlas = {.set = set};

    for (int panel = 0; panel < PANEL_COUNT; panel++)
        atlas.value[panel] = PLOT_RANGE_EMPTY;
    gather(&atlas, false);
    if (atlas.count == 0) {
        free_maps(&atlas);
        gather(&atlas, true);
    }
    for (enum plot_panel panel = 0; panel < PANEL_COUNT; panel++)
        for (size_t m = 0; m < atlas.count; m++)
            atlas.panels += has_panel(&atlas, &atlas.maps[m], panel);
    if (atlas.count == 0) {
        error_set(err, STATUS_USAGE, 0, "nothing to draw a map of in", set->curves[0].file->path);
        error_advise(err,
                     "a map needs a test with two depths, or numbers of threads, and two sizes: "
                     "iosweep --engine io_uring -b --depth 1..64");
    } else if (atlas.panels > PLOT_PANELS_MAX) {
        error_set(err, STATUS_USAGE, 0,
                  "too many maps for one picture:", set->curves[0].file->path);
        error_advise(err,
                     "%u of them, but %d fit; plot files with fewer tests, engines or cache modes",
                     atlas.panels, PLOT_PANELS_MAX);
    } else {
        draw(&atlas);
    }
    free_maps(&atlas);
    return error_is_set(err) ? -1 : 0;
}
