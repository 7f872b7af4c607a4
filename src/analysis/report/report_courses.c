/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_courses.c - the courses over time in files of --series: for each size what its intervals
 * did, several of them in one moment where there are more than a chart can show. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_parts.h"
#include "base/mem.h"

#define GAP          0.5 /* of a moment, after which a line is interrupted */
#define MOMENTS_MOST 400 /* of a size: a chart is about as many dots wide */

static void add_file(struct report *report, const struct results *file)
{
    size_t count;
    struct results_curve *curves = results_curves(file, &count);

    report->courses = mem_realloc_array(report->courses, report->course_count + count + 1,
                                        sizeof(*report->courses));
    for (size_t i = 0; i < count; i++)
        report->courses[report->course_count++] = (struct report_course){.curve = curves[i]};
    free(curves);
}

/* --- moments -------------------------------------------------------------------------------- */

struct mean {
    double sum, weight;
};

static void add(struct mean *mean, double value, double weight)
{
    if (isnan(value) || !(weight > 0))
        return;
    mean->sum += value * weight;
    mean->weight += weight;
}

static double result(const struct mean *mean)
{
    return mean->weight > 0 ? mean->sum / mean->weight : NAN;
}

/* Rates are per time in which the row was under way;
 * a file that does not tell it has the interval. */
static double weight_of(const struct results_row *row)
{
    const double busy_s = report_column(row, "busy_s");

    return isnan(busy_s) ? report_column(row, "interval_s") : busy_s;
}

static struct report_moment take_moment(const struct results_row *const *rows, size_t count,
                                        bool moves_data)
{
    struct mean amount = {.sum = 0}, mean = {.sum = 0}, p50 = {.sum = 0};
    struct report_moment moment = {.begin_s = INFINITY, .p99_ns = NAN};

    for (size_t i = 0; i < count; i++) {
        const struct results_row *row = rows[i];
        const double end_s = report_column(row, "ended_s");
        const double begin_s = end_s - report_column(row, "interval_s");
        const double operations = (double)row->operations;
        moment.begin_s = fmin(moment.begin_s, begin_s);
        moment.end_s = fmax(moment.end_s, end_s);
        add(&amount, moves_data ? row->throughput_bytes_per_s : row->rate_per_s, weight_of(row));
        add(&mean, report_column(row, "latency_ns_mean"), operations);
        add(&p50, row->latency_ns_p50, operations);
        moment.p99_ns = fmax(moment.p99_ns, row->latency_ns_p99);
    }
    moment.busy_s = amount.weight;
    moment.amount = result(&amount);
    moment.mean_ns = result(&mean);
    moment.p50_ns = result(&p50);
    return moment;
}

static void fill_span(struct report *report, struct report_course *course,
                      const struct results_row *const *rows, size_t count)
{
    struct report_span *span = &course->spans[course->span_count++];
    const size_t each = (count + MOMENTS_MOST - 1) / MOMENTS_MOST;

    *span = (struct report_span){.size_bytes = rows[0]->size_bytes, .interval_count = count};
    span->moments = arena_alloc(report->pool, (count / each + 1) * sizeof(*span->moments));
    for (size_t i = 0; i < count; i += each) {
        struct report_moment *moment = &span->moments[span->count++];
        *moment = take_moment(rows + i, count - i < each ? count - i : each, course->moves_data);
        course->has_p50 = course->has_p50 || !isnan(moment->p50_ns);
    }
    if (each > course->each)
        course->each = each;
}

/* At most REPORT_SPANS_MAX sizes, evenly. */
static void make_spans(struct report *report, struct report_course *course)
{
    const struct results_row *const *rows = course->curve.rows;
    const size_t most = REPORT_SPANS_MAX, count = course->curve.count;
    size_t number = 0;

    course->moves_data = results_moves_data(rows[0]->test);
    course->size_count = 1;
    for (size_t i = 1; i < count; i++)
        course->size_count += rows[i]->size_bytes != rows[i - 1]->size_bytes;
    for (size_t begin = 0, end; begin < count; begin = end, number++) {
        for (end = begin + 1; end < count && rows[end]->size_bytes == rows[begin]->size_bytes;)
            end++;
        if (course->size_count <= most ||
            number == (course->span_count * (course->size_count - 1) + (most - 1) / 2) / (most - 1))
            fill_span(report, course, rows + begin, end - begin);
    }
}

static void put_what(struct report *report, struct report_course *course)
{
    char *sizes = course->size_count > course->span_count
                      ? mem_printf("%zu of %zu sizes", course->span_count, course->size_count)
                      : mem_strdup("");
    char *each = course->each > 1 ? mem_printf("%seach point up to %zu intervals, their mean "
                                               "and highest p99",
                                               sizes[0] ? "; " : "", course->each)
                                  : mem_strdup("");
    char *both = mem_printf("%s%s", sizes, each);

    course->what = arena_keep(report->pool, both);
    free(both);
    free(each);
    free(sizes);
}

bool report_gap_before(const struct report_span *span, size_t moment)
{
    const struct report_moment *now = &span->moments[moment];

    return moment > 0 && now->begin_s > now[-1].end_s + GAP * (now->end_s - now->begin_s);
}

double report_middle_ns(const struct report_course *course, const struct report_moment *moment)
{
    return course->has_p50 ? moment->p50_ns : moment->mean_ns;
}

void report_make_courses(struct report *report)
{
    unsigned keys = 0;

    for (size_t f = 0; f < report->file_count; f++)
        if (report_is_series(&report->files[f].results))
            add_file(report, &report->files[f].results);
    for (size_t i = 1; i < report->course_count; i++)
        keys |= report_differences(&report->courses[0].curve, &report->courses[i].curve);
    for (size_t i = 0; i < report->course_count; i++) {
        struct report_course *course = &report->courses[i];
        course->title = report_words(report->pool, &course->curve, keys);
        make_spans(report, course);
        put_what(report, course);
    }
}

void report_free_courses(struct report *report)
{
    for (size_t i = 0; i < report->course_count; i++)
        free(report->courses[i].curve.rows);
    free(report->courses);
}
