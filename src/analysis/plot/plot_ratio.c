/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_ratio.c - a comparison: by how much each size takes longer in the new files, with the
 * interval of that as a band, beside a grey strip of what counts as no difference.  Verdicts have
 * points of their own, and words; above the strip is slower, below it faster. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "base/mem.h"
#include "base/units.h"

#define RIGHT           70 /* pixels for the words beside a panel */
#define SIZES_MOST      12 /* labels across a picture */
#define PANELS_MOST     12
#define LABELS_MOST     9 /* of the axis, on either side */
#define BEYOND          2 /* an interval is shown up to so many times the ratios, in logarithms */
#define OTHER_SIDE      3 /* this part of the axis at least is for either side */
#define BAND            "#56B4E9"
#define LINE            "#555555"
#define LETTERS_OF_SIZE 9 /* of a terminal */

/* All but the file: what is compared differs in all cells of a side alike. */
#define WORDS (((1u << RESULTS_WORD_COUNT) - 1) & ~(1u << RESULTS_WORD_FILE))

static const struct {
    struct plot_look look;
    const char *text;
    int letter; /* of a terminal, as a number */
} verdicts[] = {
    [COMPARE_SLOWER] = {{"#D55E00", 9, 0, 0}, "slower", 'S' - 'A' + 1},
    [COMPARE_FASTER] = {{"#0072B2", 11, 0, 0}, "faster", 'F' - 'A' + 1},
    [COMPARE_SAME] = {{"#000000", 7, 0, 0}, "same, within the tolerance", 'O' - 'A' + 1},
    [COMPARE_UNCLEAR] = {{"#777777", 6, 0, 0}, "unclear", 'U' - 'A' + 1},
    [COMPARE_UNKNOWN] = {{"#777777", 1, 0, 0}, "no interval to judge by", 'N' - 'A' + 1},
};
#define VERDICTS (sizeof(verdicts) / sizeof(*verdicts))

struct ratio_picture {
    const struct plot_set *set; /* curves: of the old file, one for each panel */
    const struct comparison *comparison;
    size_t **cell; /* by panel and row of its curve: index into the cells */
    unsigned facet_words;
    struct plot_grid grid;
    struct plot_range size, ratio;
    bool banded;
};

static const struct compare_judgement *judgement(const struct ratio_picture *ratios, size_t panel,
                                                 size_t row)
{
    return &ratios->comparison->match->compared[ratios->cell[panel][row]].is;
}

static bool has_interval(const struct compare_judgement *is)
{
    return is->low > 0 && isfinite(is->high) && is->high >= is->low;
}

/* --- cells in panels --- */

/* Takes a cell into the panel of those that differ from it in the size only. */
static void place_cell(struct plot_set *set, struct ratio_picture *ratios, size_t index)
{
    const struct match_cell *cell = &ratios->comparison->match->cells[index];
    const struct results_row *row = cell->before;
    struct results_curve single = {.file = ratios->comparison->files, .rows = &row, .count = 1};
    struct results_curve *curve;
    size_t panel = 0, at;

    while (panel < set->count && !results_same_words(&set->curves[panel], &single, WORDS))
        panel++;
    if (panel == set->count) {
        set->curves = mem_realloc_array(set->curves, set->count + 1, sizeof(*set->curves));
        ratios->cell = mem_realloc_array(ratios->cell, set->count + 1, sizeof(*ratios->cell));
        set->curves[set->count] = (struct results_curve){.file = single.file};
        ratios->cell[set->count++] = NULL;
    }
    curve = &set->curves[panel];
    curve->rows = mem_realloc_array(curve->rows, curve->count + 1, sizeof(*curve->rows));
    ratios->cell[panel] =
        mem_realloc_array(ratios->cell[panel], curve->count + 1, sizeof(**ratios->cell));
    for (at = curve->count++; at > 0 && curve->rows[at - 1]->size_bytes > row->size_bytes; at--) {
        curve->rows[at] = curve->rows[at - 1];
        ratios->cell[panel][at] = ratios->cell[panel][at - 1];
    }
    curve->rows[at] = row;
    ratios->cell[panel][at] = index;
}

static void free_panels(struct plot_set *set, struct ratio_picture *ratios)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->curves[i].rows);
        free(ratios->cell[i]);
    }
    free(set->curves);
    free(ratios->cell);
}

/* Ratios decide how far the axis reaches: an interval can be as wide as it likes. */
static void find_ranges(struct ratio_picture *ratios)
{
    const struct plot_set *set = ratios->set;
    const double least = 3 * log1p(ratios->comparison->tolerance);
    double up = least, down = least, wide_up = 0, wide_down = 0;

    ratios->size = PLOT_RANGE_EMPTY;
    for (size_t p = 0; p < set->count; p++)
        for (size_t i = 0; i < set->curves[p].count; i++) {
            const struct compare_judgement *is = judgement(ratios, p, i);
            plot_range_add(&ratios->size, (double)set->curves[p].rows[i]->size_bytes);
            up = fmax(up, log(is->ratio) * 1.25);
            down = fmax(down, -log(is->ratio) * 1.25);
            if (has_interval(is)) {
                wide_up = fmax(wide_up, log(is->high) * 1.1);
                wide_down = fmax(wide_down, -log(is->low) * 1.1);
            }
        }
    up = fmax(up, fmin(wide_up, BEYOND * fmax(up, down)));
    down = fmax(down, fmin(wide_down, BEYOND * fmax(up, down)));
    up = fmax(up, down / OTHER_SIDE);
    down = fmax(down, up / OTHER_SIDE);
    ratios->ratio = (struct plot_range){.low = exp(-down), .high = exp(up)};
    plot_range_add(&ratios->size, ratios->size.high * 1.25);
    plot_range_add(&ratios->size, ratios->size.low / 1.25);
}

/* --- drawing --- */

/* $bN: size and interval, with gaps; $rN: size and ratio; $pN_V: size, ratio and interval of those
 * with verdict V, the ratio itself where there is none.  Returns bits of the verdicts there are. */
static unsigned put_data(struct ratio_picture *ratios, size_t panel)
{
    const struct results_curve *curve = &ratios->set->curves[panel];
    FILE *stream = ratios->set->stream;
    unsigned found = 0;

    fprintf(stream, "$b%zu << EOD\n", panel);
    for (size_t i = 0; i < curve->count; i++) {
        const struct compare_judgement *is = judgement(ratios, panel, i);
        if (isfinite(is->ratio) && has_interval(is)) {
            ratios->banded = true;
            fprintf(stream, "%.15g %.9g %.9g\n", (double)curve->rows[i]->size_bytes, is->low,
                    is->high);
        } else {
            fputc('\n', stream);
        }
    }
    fprintf(stream, "EOD\n$r%zu << EOD\n", panel);
    for (size_t i = 0; i < curve->count; i++)
        if (isfinite(judgement(ratios, panel, i)->ratio))
            fprintf(stream, "%.15g %.9g\n", (double)curve->rows[i]->size_bytes,
                    judgement(ratios, panel, i)->ratio);
    fputs("EOD\n", stream);
    for (unsigned v = 0; v < VERDICTS; v++) {
        bool any = false;
        for (size_t i = 0; i < curve->count; i++) {
            const struct compare_judgement *is = judgement(ratios, panel, i);
            const bool known = has_interval(is);
            if (is->verdict != v || !isfinite(is->ratio))
                continue;
            if (!any)
                fprintf(stream, "$p%zu_%u << EOD\n", panel, v);
            any = true;
            fprintf(stream, "%.15g %.9g %.9g %.9g\n", (double)curve->rows[i]->size_bytes, is->ratio,
                    known ? is->low : is->ratio, known ? is->high : is->ratio);
        }
        if (any) {
            fputs("EOD\n", stream);
            found |= 1u << v;
        }
    }
    return found;
}

/* "set yrange ...; set ytics (...)": how much longer it takes, in percent, from 3 times on in
 * times.  The strip has the tick "same". */
static void put_ratio_axis(const struct ratio_picture *ratios)
{
    static const double steps[] = {1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000};
    static const double falls[] = {0.99, 0.98, 0.95, 0.9,  0.8,  0.65, 0.5,
                                   0.33, 0.2,  0.1,  0.03, 0.01, 0.001};
    const size_t count = sizeof(steps) / sizeof(*steps);
    const double least = log(ratios->ratio.high / ratios->ratio.low) / LABELS_MOST;
    FILE *stream = ratios->set->stream;

    fprintf(stream, "set logscale y\nset yrange [%.9g:%.9g]\nset ytics ('same' 1",
            ratios->ratio.low, ratios->ratio.high);
    for (int side = 0; side < 2; side++) {
        double last = 0;
        for (size_t i = 0; i < count; i++) {
            const double at = side ? falls[i] : steps[i], far = fabs(log(at));
            char label[32];
            if (far - last < least || at < ratios->ratio.low || at > ratios->ratio.high)
                continue;
            if (at >= 3)
                snprintf(label, sizeof(label), "%.0f times", at);
            else
                snprintf(label, sizeof(label), at > 0.01 ? "%+.0f %%%%" : "%+.1f %%%%",
                         (at - 1) * 100);
            fprintf(stream, ", '%s' %.9g", label, at);
            last = far;
        }
    }
    fputs(")\n", stream);
}

/* Across the panel: what counts as no difference. */
static void put_strip(const struct ratio_picture *ratios)
{
    const double tolerance = ratios->comparison->tolerance;

    fprintf(ratios->set->stream,
            "set object rectangle from graph 0,first %.9g to graph 1,first %.9g behind "
            "fillcolor rgb '#b8b8b8' fillstyle solid 0.6 noborder\n",
            1 / (1 + tolerance), 1 + tolerance);
}

static void put_plot(const struct ratio_picture *ratios, size_t panel, unsigned found)
{
    const struct plot_set *set = ratios->set;
    const bool text = set->request->device == PLOT_TEXT;
    FILE *stream = set->stream;

    if (text)
        fputs("plot 1 with lines notitle", stream);
    else
        fprintf(
            stream,
            "plot $b%zu using 1:2:3 with filledcurves fillstyle transparent solid 0.30 noborder "
            "lc rgb '%s' notitle, \\\n     1 with lines lc rgb '%s' lw 0.8 notitle, \\\n"
            "     $r%zu using 1:2 with lines lc rgb '%s' lw 1.2 notitle",
            panel, BAND, LINE, panel, LINE);
    for (unsigned v = 0; v < VERDICTS; v++) {
        if (!(found & 1u << v))
            continue;
        if (text)
            fprintf(stream, ", \\\n     $p%zu_%u using 1:2 with points pt %d notitle", panel, v,
                    verdicts[v].letter);
        else
            fprintf(stream,
                    ", \\\n     $p%zu_%u using 1:3:(0):($4-$3) with vectors nohead lc rgb '%s' lw "
                    "1.2 notitle, \\\n     $p%zu_%u using 1:2 with points lc rgb '%s' pt %d ps %s "
                    "notitle",
                    panel, v, verdicts[v].look.colour, panel, v, verdicts[v].look.colour,
                    verdicts[v].look.point, set->request->device == PLOT_PNG ? "1.3" : "0.9");
    }
    fputc('\n', stream);
}

/* To free. */
static char *caption_of(const struct ratio_picture *ratios, size_t panel)
{
    const struct plot_set *set = ratios->set;
    char name[RESULTS_CURVE_TEXT];

    results_curve_words(&set->curves[panel], set->curves, set->count, ratios->facet_words, name);
    return mem_printf("%s%stime per operation, new against old", name, name[0] != '\0' ? ": " : "");
}

static void put_panel(struct ratio_picture *ratios, size_t panel, unsigned found)
{
    const struct plot_set *set = ratios->set;
    const bool last = panel + ratios->grid.columns >= ratios->grid.panels;
    char *caption = caption_of(ratios, panel);

    plot_grid_put(set, &ratios->grid, (unsigned)panel, caption, RIGHT);
    plot_put_size_axis(set, &ratios->size, SIZES_MOST / ratios->grid.columns, last);
    fputs(last ? "set xlabel 'I/O size' offset 0,0.4\n" : "unset xlabel\n", set->stream);
    put_ratio_axis(ratios);
    put_strip(ratios);
    fputs("set label 'slower' at graph 1.01,0.93 left textcolor rgb '#A04000'\n"
          "set label 'faster' at graph 1.01,0.07 left textcolor rgb '#005A8C'\n",
          set->stream);
    put_plot(ratios, panel, found);
    plot_forget(set);
    free(caption);
}

static void put_letters(struct ratio_picture *ratios, size_t panel, unsigned found)
{
    const struct plot_set *set = ratios->set;
    const unsigned columns = set->request->columns;
    struct plot_legend legend = {.entries = NULL};
    char *caption = caption_of(ratios, panel);
    unsigned lines;

    for (unsigned v = VERDICTS; v-- > 0;) {
        const struct plot_look look = {.point = verdicts[v].letter};
        if (found & 1u << v)
            plot_legend_add(&legend, PLOT_SAMPLE_LINE, &look, verdicts[v].text);
    }
    lines = plot_legend_lines(set, &legend);
    fprintf(set->stream, "set bmargin %u\n", lines + 4);
    plot_put_letters_title(set, caption);
    plot_put_size_axis(set, &ratios->size, columns > 20 ? (columns - 12) / LETTERS_OF_SIZE : 2,
                       true);
    fputs("set xlabel 'I/O size'\nunset key\nunset grid\n", set->stream);
    put_ratio_axis(ratios);
    plot_legend_put_letters(set, &legend);
    put_plot(ratios, panel, found);
    plot_forget(set);
    plot_legend_free(&legend);
    free(caption);
}

/* --- picture --- */

static void make_legend(const struct ratio_picture *ratios, unsigned found,
                        struct plot_legend *legend)
{
    const struct plot_look band = {BAND, 0, 0, 0}, strip = {"#888888", 0, 0, 0};
    const struct match *match = ratios->comparison->match;
    bool conservative = false;
    char *text = mem_printf("no difference: within %.3g %%", ratios->comparison->tolerance * 100);

    for (size_t i = 0; i < match->count; i++)
        conservative = conservative || match->compared[i].is.evidence == COMPARE_INTERVALS;
    for (unsigned v = VERDICTS; v-- > 0;)
        if (found & 1u << v)
            plot_legend_add(legend, PLOT_SAMPLE_LINE, &verdicts[v].look, verdicts[v].text);
    if (ratios->banded)
        plot_legend_add(legend, PLOT_SAMPLE_DARKER, &band,
                        conservative ? "interval (conservative)" : "95 % interval");
    plot_legend_add(legend, PLOT_SAMPLE_DARKER, &strip, text);
    free(text);
}

static void put_titles(const struct ratio_picture *ratios)
{
    const struct comparison *comparison = ratios->comparison;
    const struct match *match = comparison->match;
    char *first = mem_printf("%s -> %s", results_base_name(comparison->files[0].path),
                             results_base_name(comparison->files[1].path));
    static const enum results_word word_of[MATCH_AXIS_COUNT] = {
        [MATCH_TARGET] = RESULTS_WORD_TARGET, [MATCH_ENGINE] = RESULTS_WORD_ENGINE,
        [MATCH_CACHE] = RESULTS_WORD_CACHE,   [MATCH_ACCESS] = RESULTS_WORD_ACCESS,
        [MATCH_LABEL] = RESULTS_WORD_LABEL,   [MATCH_THREADS] = RESULTS_WORD_THREADS,
        [MATCH_DEPTH] = RESULTS_WORD_DEPTH,   [MATCH_RANKS] = RESULTS_WORD_RANKS};
    unsigned omitted = match->labels_name_files ? 1u << RESULTS_WORD_LABEL : 0;
    char *second;

    if (comparison->pairs > 1) {
        char *longer = mem_printf("%s, %u pairs", first, comparison->pairs);
        free(first);
        first = longer;
    }
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        omitted |= match->axis_before[axis] ? 1u << word_of[axis] : 0;
    second = plot_common_words(ratios->set, omitted);
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char old[UNITS_TEXT], new[UNITS_TEXT], *longer;
        if (!match->axis_before[axis])
            continue;
        longer = mem_printf("%s%s%s: %s -> %s", second, second[0] != '\0' ? ", " : "",
                            match_axis_name((enum match_axis)axis),
                            match_axis_value(match->axis_before[axis], (enum match_axis)axis, old),
                            match_axis_value(match->axis_after[axis], (enum match_axis)axis, new));
        free(second);
        second = longer;
    }
    plot_put_title(ratios->set, ratios->grid.height, first, second);
    free(first);
    free(second);
}

static void draw(struct ratio_picture *ratios)
{
    const struct plot_set *set = ratios->set;
    struct plot_legend legend = {.entries = NULL};
    unsigned *found = mem_calloc(set->count, sizeof(*found)), all = 0;
    const bool text = set->request->device == PLOT_TEXT;

    ratios->facet_words = results_words_apart(set->curves, set->count);
    find_ranges(ratios);
    for (size_t p = 0; p < set->count; p++)
        for (size_t i = 0; i < set->curves[p].count; i++) {
            const struct compare_judgement *is = judgement(ratios, p, i);
            all |= isfinite(is->ratio) ? 1u << is->verdict : 0;
            ratios->banded = ratios->banded || has_interval(is);
        }
    make_legend(ratios, all, &legend);
    plot_grid_make(&ratios->grid, (unsigned)set->count, set->count > 1 ? 2 : 1,
                   plot_legend_height(&legend), false);
    plot_begin(set, ratios->grid.height);
    for (size_t p = 0; p < set->count; p++)
        found[p] = put_data(ratios, p);
    if (!text) {
        fputs("set multiplot\nunset key\n", set->stream);
        put_titles(ratios);
        plot_legend_put(set, &legend, ratios->grid.height);
    }
    for (size_t p = 0; p < set->count; p++)
        if (text)
            put_letters(ratios, p, found[p]);
        else
            put_panel(ratios, p, found[p]);
    if (!text)
        fputs("unset multiplot\n", set->stream);
    plot_legend_free(&legend);
    free(found);
}

int plot_comparison(const struct comparison *comparison, const struct plot_request *request,
                    FILE *stream, struct plot_summary *summary, struct error *err)
{
    struct plot_set set = {.request = request, .stream = stream, .summary = summary};
    struct ratio_picture ratios = {.set = &set, .comparison = comparison};
    const char *path = comparison->files[0].path;

    *summary = (struct plot_summary){.curves = 0};
    for (size_t i = 0; i < comparison->match->count; i++)
        if (comparison->match->compared[i].is.ratio > 0)
            place_cell(&set, &ratios, i);
    summary->curves = set.count;
    if (set.count == 0) {
        error_set(err, STATUS_USAGE, 0, "nothing that could be compared in", path);
        error_advise(err, "all rows were skipped or are incomplete in some file");
    } else if (set.count > PANELS_MOST) {
        error_set(err, STATUS_USAGE, 0, "too many panels for one picture:", path);
        error_advise(err, "%zu of them, and %d fit; compare files of fewer tests or depths",
                     set.count, PANELS_MOST);
    } else {
        draw(&ratios);
    }
    free_panels(&set, &ratios);
    return error_is_set(err) ? -1 : 0;
}
