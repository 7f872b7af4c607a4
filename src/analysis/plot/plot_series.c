/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_series.c - what --series recorded, over time: throughput, or the rate of tests that move no
 * data, and below it the latency, its mean and its 99th percentile.
 *
 * A line is a row of the run.  Rows of one size differ in test, cache mode and so on, which have
 * colours; sizes have colours from light to dark, and a pair of panels for each test. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/stats.h"

#define LINES_MOST    8   /* sizes of a panel */
#define PAIRS_MOST    6   /* of panels */
#define POINTS_MOST   80  /* of a line, before they hide it */
#define POINTS_FEW    20  /* that are drawn then */
#define FACTOR_MOST   10  /* between lines, before the axis is logarithmic */
#define RIGHT         16  /* pixels */
#define GAP           0.5 /* of an interval, after which the line is interrupted */
#define ALL_WORDS     ((1u << RESULTS_WORD_COUNT) - 1)
#define TIME_LABELS   12 /* across a picture */
#define AMOUNT_LABELS 6

struct moment { /* NAN: not known */
    double begin_s, end_s, amount, mean_ns, p99_ns, max_ns;
};

struct recorded { /* of one row of the run */
    struct plot_look look;
    struct moment *moments;
    size_t count, room, pair;
    bool left_out;
};

struct courses {
    const struct plot_set *set; /* its curves: one for each course, with its first record */
    struct recorded *course;
    unsigned words; /* that the pairs of panels differ in */
    size_t pairs;
    bool several;            /* sizes, which have the colours then */
    bool amounts, latencies; /* which panels are drawn */
    bool rates;              /* else throughputs */
    bool one;                /* a single line, which has room for a band */
    bool logarithmic;
    struct plot_range amount, latency, *time; /* time: of each pair */
    struct plot_grid grid;
};

/* --- records --- */

static double field_of(const struct results_row *row, const char *name)
{
    double value;

    for (size_t i = 0; i < row->field_count; i++)
        if (strcmp(row->fields[i].name, name) == 0)
            return number_read_real(row->fields[i].text, &value) ? value : NAN;
    return NAN;
}

/* The course of that record, a new one if it is the first of its row. */
static size_t course_of(struct plot_set *set, struct courses *courses, const struct results *file,
                        const struct results_row *row)
{
    struct results_curve single = {.file = file, .rows = &row, .count = 1};
    size_t i = 0;

    while (i < set->count && (set->curves[i].rows[0]->size_bytes != row->size_bytes ||
                              !results_same_words(&set->curves[i], &single, ALL_WORDS)))
        i++;
    if (i < set->count || set->count == PLOT_CURVES_MAX)
        return i;
    set->curves = mem_realloc_array(set->curves, i + 1, sizeof(*set->curves));
    courses->course = mem_realloc_array(courses->course, i + 1, sizeof(*courses->course));
    single.rows = mem_realloc_array(NULL, 1, sizeof(*single.rows));
    single.rows[0] = row;
    set->curves[i] = single;
    courses->course[i] = (struct recorded){.count = 0};
    set->count++;
    return i;
}

static void take_record(struct plot_set *set, struct courses *courses, const struct results *file,
                        const struct results_row *row)
{
    const double ended_s = field_of(row, "ended_s"), interval_s = field_of(row, "interval_s");
    const size_t index = course_of(set, courses, file, row);
    struct recorded *course;

    if (index == set->count || !(ended_s >= 0) || !(interval_s > 0))
        return;
    course = &courses->course[index];
    course->moments =
        mem_grow(course->moments, &course->room, course->count + 1, sizeof(*course->moments));
    course->moments[course->count++] = (struct moment){
        .begin_s = ended_s - interval_s,
        .end_s = ended_s,
        .amount = courses->rates ? row->rate_per_s : row->throughput_bytes_per_s,
        .mean_ns = field_of(row, "latency_ns_mean"),
        .p99_ns = row->latency_ns_p99,
        .max_ns = row->latency_ns_max,
    };
}

static double median_of(const struct recorded *course)
{
    double *values = mem_calloc(course->count + 1, sizeof(*values)), median;
    size_t count = 0;

    for (size_t i = 0; i < course->count; i++)
        if (course->moments[i].amount > 0)
            values[count++] = course->moments[i].amount;
    median = count > 0 ? stats_median_of(values, count) : NAN;
    free(values);
    return median;
}

/* --- what is drawn where --- */

/* Pairs of panels and colours; of sizes that are too many for a panel some are left out. */
static void arrange(struct courses *courses)
{
    const struct plot_set *set = courses->set;
    double *sizes = mem_calloc(set->count, sizeof(*sizes));
    size_t *pair = mem_calloc(set->count, sizeof(*pair)), there, kept;
    struct plot_scheme scheme;

    for (size_t i = 0; i < set->count; i++)
        sizes[i] = (double)set->curves[i].rows[0]->size_bytes;
    kept = plot_choose_sizes(sizes, set->count, LINES_MOST, &there);
    set->summary->sizes_left_out = there - kept;
    courses->several = there > 1;
    courses->words = results_words_apart(set->curves, set->count);
    courses->pairs =
        plot_number_groups(set->curves, set->count, courses->several ? courses->words : 0, pair);
    plot_scheme_make(set, false, &scheme);
    set->summary->curves = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct recorded *course = &courses->course[i];
        size_t place = 0;
        while (place < kept && sizes[place] != (double)set->curves[i].rows[0]->size_bytes)
            place++;
        course->left_out = place == kept;
        course->look = courses->several ? plot_look_of_level(place, kept) : plot_look_of(i);
        course->pair = pair[i];
        set->summary->curves += !course->left_out;
    }
    set->summary->repeats = !courses->several && scheme.repeats;
    courses->one = set->count == 1;
    plot_scheme_free(&scheme);
    free(pair);
    free(sizes);
}

static void find_ranges(struct courses *courses)
{
    double least = INFINITY, most = 0;

    courses->amount = courses->latency = PLOT_RANGE_EMPTY;
    courses->time = mem_calloc(courses->pairs, sizeof(*courses->time));
    for (size_t i = 0; i < courses->pairs; i++)
        courses->time[i] = PLOT_RANGE_EMPTY;
    for (size_t i = 0; i < courses->set->count; i++) {
        const struct recorded *course = &courses->course[i];
        struct plot_range *time = &courses->time[course->pair];
        const double median = median_of(course);
        for (size_t k = 0; !course->left_out && k < course->count; k++) {
            const struct moment *moment = &course->moments[k];
            time->low = fmin(time->low, fmax(moment->begin_s, 0));
            time->high = fmax(time->high, moment->end_s);
            plot_range_add(&courses->amount, moment->amount);
            plot_range_add(&courses->latency, moment->mean_ns);
            plot_range_add(&courses->latency, moment->p99_ns);
            if (courses->one)
                plot_range_add(&courses->latency, moment->max_ns);
        }
        if (!course->left_out && median > 0) {
            least = fmin(least, median);
            most = fmax(most, median);
        }
    }
    courses->logarithmic = most > FACTOR_MOST * least;
    courses->latencies = courses->latencies && courses->latency.high > 0;
    plot_range_widen(&courses->latency);
    if (courses->amount.high <= 0) /* nothing was done at any time */
        courses->amount = (struct plot_range){.low = 0, .high = 1};
    else if (courses->logarithmic)
        plot_range_widen(&courses->amount);
    else
        courses->amount = (struct plot_range){.low = 0, .high = courses->amount.high * 1.08};
}

/* --- data --- */

static void put_number(FILE *stream, double number)
{
    if (isfinite(number))
        fprintf(stream, " %.9g", number);
    else
        fputs(" NaN", stream);
}

/* $tN: time, amount, mean latency, 99th percentile and longest; a gap where the row was not under
 * way.  Nothing done has no place on a logarithmic axis. */
static void put_data(const struct courses *courses, size_t index)
{
    const struct recorded *course = &courses->course[index];
    FILE *stream = courses->set->stream;

    fprintf(stream, "$t%zu << EOD\n", index);
    for (size_t i = 0; i < course->count; i++) {
        const struct moment *moment = &course->moments[i];
        const double length = moment->end_s - moment->begin_s;
        if (i > 0 && moment->begin_s > course->moments[i - 1].end_s + GAP * length)
            fputc('\n', stream);
        fprintf(stream, "%.9g", (moment->begin_s + moment->end_s) / 2);
        put_number(stream, courses->logarithmic && !(moment->amount > 0) ? NAN : moment->amount);
        put_number(stream, moment->mean_ns);
        put_number(stream, moment->p99_ns);
        put_number(stream, moment->max_ns);
        fputc('\n', stream);
    }
    fputs("EOD\n", stream);
}

/* --- panels --- */

static void put_line(const struct courses *courses, size_t index, bool latency, unsigned letter)
{
    const struct recorded *course = &courses->course[index];
    const char *colour = course->look.colour;
    FILE *stream = courses->set->stream;

    if (courses->set->request->device == PLOT_TEXT) {
        fprintf(stream, "$t%zu using 1:%d with linespoints pt %u notitle", index, latency ? 3 : 2,
                letter);
        return;
    }
    if (latency && courses->one)
        fprintf(stream,
                "$t%zu using 1:5 with points lc rgb '#555555' pt 7 ps %s notitle, \\\n     ", index,
                plot_dot_size(courses->set));
    if (latency)
        fprintf(stream, "$t%zu using 1:4 with lines lc rgb '%s' lw %s dt %d notitle, \\\n     ",
                index, colour, courses->one ? "1.4" : "1", courses->one ? 2 : 3);
    fprintf(stream, "$t%zu using 1:%d with ", index, latency ? 3 : 2);
    if (course->count > POINTS_MOST)
        fprintf(stream,
                "linespoints lc rgb '%s' lw 1.4 dt %d pt %d ps %s pointinterval %zu notitle",
                colour, course->look.dash, course->look.point, plot_point_size(courses->set),
                course->count / POINTS_FEW);
    else
        fprintf(stream, "linespoints lc rgb '%s' lw 1.4 dt %d pt %d ps %s notitle", colour,
                course->look.dash, course->look.point, plot_point_size(courses->set));
}

static void put_plot(const struct courses *courses, size_t pair, bool latency)
{
    const struct plot_set *set = courses->set;
    unsigned shown = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (courses->course[i].pair != pair || courses->course[i].left_out)
            continue;
        fputs(shown++ == 0 ? "plot " : ", \\\n     ", set->stream);
        put_line(courses, i, latency, shown);
    }
    fputc('\n', set->stream);
}

/* "read direct: throughput"; to free. */
static char *caption_of(const struct courses *courses, size_t pair, bool latency)
{
    const struct plot_set *set = courses->set;
    char name[RESULTS_CURVE_TEXT] = "";
    size_t first = 0;

    while (courses->course[first].pair != pair)
        first++;
    if (courses->several)
        results_curve_words(&set->curves[first], set->curves, set->count, courses->words, name);
    return mem_printf("%s%s%s", name, name[0] != '\0' ? ": " : "",
                      latency          ? "latency (mean)"
                      : courses->rates ? "rate"
                                       : "throughput");
}

static void put_axes(const struct courses *courses, size_t pair, bool latency, unsigned labels,
                     bool numbered)
{
    static const enum plot_unit units[] = {PLOT_BYTES_PER_S, PLOT_PER_S};
    const struct plot_set *set = courses->set;

    plot_put_linear_axis(set, "x", &courses->time[pair], NULL, labels, numbered);
    if (latency)
        plot_put_value_axis(set, "y", &courses->latency, PLOT_NS, true);
    else if (courses->logarithmic)
        plot_put_value_axis(set, "y", &courses->amount, units[courses->rates], true);
    else
        plot_put_linear_axis(set, "y", &courses->amount, &units[courses->rates], AMOUNT_LABELS,
                             true);
    fputs(numbered ? "set xlabel 'time since the start (s)' offset 0,0.4\n" : "unset xlabel\n",
          set->stream);
}

static void put_panel(const struct courses *courses, size_t pair, bool latency, unsigned position)
{
    const unsigned columns = courses->grid.columns;
    const bool last = latency || !courses->latencies;
    char *caption = caption_of(courses, pair, latency);

    plot_grid_put(courses->set, &courses->grid, position, caption, RIGHT);
    put_axes(courses, pair, latency, TIME_LABELS / columns, last);
    put_plot(courses, pair, latency);
    plot_forget(courses->set);
    free(caption);
}

static void add_entries(const struct courses *courses, const size_t *pair,
                        struct plot_legend *legend)
{
    const struct plot_set *set = courses->set;
    unsigned letters = 0;

    for (size_t i = 0; i < set->count; i++) {
        struct plot_look look = courses->course[i].look;
        char text[RESULTS_CURVE_TEXT];
        if (courses->course[i].left_out || (pair && courses->course[i].pair != *pair))
            continue;
        plot_format_size((double)set->curves[i].rows[0]->size_bytes, text);
        if (!courses->several && courses->words)
            results_curve_words(&set->curves[i], set->curves, set->count, courses->words, text);
        if (pair)
            look = (struct plot_look){.point = (int)++letters};
        plot_legend_add(legend, PLOT_SAMPLE_LINE, &look, text);
    }
}

static void explain(const struct courses *courses, struct plot_legend *legend)
{
    struct plot_look p99 = {"#555555", 0, 3, 0}, dot = {"#555555", 7, 0, 0};

    if (!courses->latencies)
        return;
    if (courses->one) {
        p99 = courses->course[0].look;
        p99.point = 0;
        p99.dash = 2;
    }
    plot_legend_add(legend, PLOT_SAMPLE_LINE, &p99, "p99 of each interval");
    if (courses->one)
        plot_legend_add(legend, PLOT_SAMPLE_DOT, &dot, "its longest operation");
}

static void put_letters(const struct courses *courses, size_t pair, bool latency)
{
    const struct plot_set *set = courses->set;
    struct plot_legend legend = {.entries = NULL};
    char *caption = caption_of(courses, pair, latency);

    add_entries(courses, &pair, &legend);
    fprintf(set->stream, "set bmargin %u\nunset key\nunset grid\n",
            plot_legend_lines(set, &legend) + 4);
    plot_title(set, 0, caption);
    put_axes(courses, pair, latency, TIME_LABELS, true);
    plot_legend_put_letters(set, &legend);
    put_plot(courses, pair, latency);
    plot_forget(set);
    plot_legend_free(&legend);
    free(caption);
}

/* --- picture --- */

static void put_picture(const struct courses *courses)
{
    const unsigned columns = courses->grid.columns, each = 1u + courses->latencies;

    for (size_t pair = 0; pair < courses->pairs; pair++)
        for (unsigned part = courses->amounts ? 0 : 1; part <= courses->latencies; part++) {
            const unsigned line = (unsigned)pair / columns * (each - !courses->amounts) +
                                  (courses->amounts ? part : 0);
            if (courses->set->request->device == PLOT_TEXT)
                put_letters(courses, pair, part == 1);
            else
                put_panel(courses, pair, part == 1, line * columns + (unsigned)pair % columns);
        }
}

static void draw(struct courses *courses)
{
    const struct plot_set *set = courses->set;
    const bool text = set->request->device == PLOT_TEXT;
    const unsigned columns = courses->pairs > 1 ? 2 : 1,
                   lines = ((unsigned)courses->pairs + columns - 1) / columns;
    struct plot_legend legend = {.entries = NULL};

    add_entries(courses, NULL, &legend);
    explain(courses, &legend);
    plot_grid_make(&courses->grid,
                   lines * columns * ((unsigned)courses->amounts + courses->latencies), columns,
                   plot_legend_height(&legend), courses->pairs > 2);
    plot_begin(set, courses->grid.height);
    for (size_t i = 0; i < set->count; i++)
        if (!courses->course[i].left_out)
            put_data(courses, i);
    if (!text) {
        fputs("set multiplot\nunset key\n", set->stream);
        plot_title(set, courses->grid.height, NULL);
        plot_legend_put(set, &legend, courses->grid.height);
    }
    put_picture(courses);
    if (!text)
        fputs("unset multiplot\n", set->stream);
    plot_legend_free(&legend);
}

/* Data are moved by all, or rates are what all have. */
static bool wants_rates(const struct results *files, size_t count)
{
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].count; i++)
            if (!results_moves_data(files[f].rows[i].test))
                return true;
    return false;
}

static int check(struct courses *courses, struct error *err)
{
    const struct plot_set *set = courses->set;

    if (set->count == PLOT_CURVES_MAX || courses->pairs > PAIRS_MOST) {
        error_set(err, STATUS_USAGE, 0,
                  "too many rows for a picture over time:", set->curves[0].file->path);
        return error_advise(err,
                            "%zu sizes can be drawn of %d tests, engines, depths and so on: "
                            "repeat the run with fewer",
                            (size_t)LINES_MOST, PAIRS_MOST);
    }
    find_ranges(courses);
    if (!courses->amounts && !courses->latencies)
        return error_refuse(err, STATUS_USAGE, "no latency of operations is known in",
                            set->curves[0].file->path, "--what throughput draws what is known");
    return 0;
}

int plot_series(const struct results *files, size_t count, const struct plot_request *request,
                FILE *stream, struct plot_summary *summary, struct error *err)
{
    struct plot_set set = {.request = request, .stream = stream, .summary = summary};
    struct courses courses = {.set = &set,
                              .rates = wants_rates(files, count),
                              .amounts = request->throughput || request->time,
                              .latencies = request->latency || request->latency_or_time};
    int result = 0;

    *summary = (struct plot_summary){.curves = 0};
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].count; i++)
            take_record(&set, &courses, &files[f], &files[f].rows[i]);
    if (set.count == 0)
        return error_refuse(err, STATUS_USAGE, "nothing was measured in", files[0].path,
                            "no record has a row and a time");
    arrange(&courses);
    result = check(&courses, err);
    if (result == 0)
        draw(&courses);
    for (size_t i = 0; i < set.count; i++) {
        free(set.curves[i].rows);
        free(courses.course[i].moments);
    }
    free(set.curves);
    free(courses.course);
    free(courses.time);
    return result;
}
