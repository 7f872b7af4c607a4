/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report.c - the figures of a report: a point for each row, a line for each curve. */
#include "base/compat.h"

#include "analysis/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_parts.h"
#include "base/mem.h"

double report_column(const struct results_row *row, const char *name)
{
    const struct results_whole *whole = row->whole;

    for (size_t i = 0; whole && i < whole->value_count; i++)
        if (strcmp(whole->values[i].name, name) == 0)
            return whole->values[i].text ? NAN : whole->values[i].number;
    return NAN;
}

bool report_is_series(const struct results *results)
{
    return results->format == RESULTS_SERIES;
}

bool report_has_one_size(const struct report *report)
{
    const uint64_t size_bytes = report->curves[0].rows[0]->size_bytes;

    for (size_t i = 0; i < report->curve_count; i++)
        for (size_t k = 0; k < report->curves[i].count; k++)
            if (report->curves[i].rows[k]->size_bytes != size_bytes)
                return false;
    return true;
}

/* --- points --------------------------------------------------------------------------------- */

/* size / time in bytes/s; NAN when not known, and of tests that move no data. */
static double throughput(const struct results_row *row, double op_ns)
{
    return results_moves_data(row->test) ? (double)row->size_bytes * 1e9 / op_ns : NAN;
}

/* Over all of the time of the row; typical: that of its median round,
 * where the file has no other. */
static double total_rate(const struct results_row *row, double typical)
{
    if (row->rate_per_s > 0)
        return row->rate_per_s;
    return row->operations > 0 && row->time_s > 0 ? (double)row->operations / row->time_s : typical;
}

static void take_evidence(struct report_point *point)
{
    const struct results_row *row = point->row;

    point->rounds = report_column(row, "rounds");
    if (isnan(point->rounds) && row->round_count > 0)
        point->rounds = (double)row->round_count;
    point->asked_bytes = point->moved_bytes = point->amplification = NAN;
    if (results_moves_data(row->test) && row->operations > 0)
        point->asked_bytes = (double)row->size_bytes * (double)row->operations;
    point->moved_bytes = report_column(row, "device_bytes");
    if (point->asked_bytes > 0)
        point->amplification = point->moved_bytes / point->asked_bytes;
    point->cache_share = report_column(row, "cache_hit_fraction");
    point->errors = report_column(row, "errors");
}

struct report_point report_take_point(const struct results_row *row)
{
    struct report_point point = {
        .row = row,
        .op_ns = results_op_ns(row),
        .op_low_ns = row->op_ns_low,
        .op_high_ns = row->op_ns_high,
        .latency_ns = {row->latency_ns_p50, row->latency_ns_p90, row->latency_ns_p99,
                       row->latency_ns_p999},
        .latency_ns_max = row->latency_ns_max,
    };

    if (!(point.op_low_ns > 0 && point.op_high_ns >= point.op_low_ns))
        point.op_low_ns = point.op_high_ns = NAN;
    point.half_width = (point.op_high_ns - point.op_low_ns) / 2 / point.op_ns;
    point.rate_per_s = 1e9 / point.op_ns;
    point.throughput_bytes_per_s = throughput(row, point.op_ns);
    point.throughput_low_bytes_per_s = throughput(row, point.op_high_ns);
    point.throughput_high_bytes_per_s = throughput(row, point.op_low_ns);
    point.total_rate_per_s = total_rate(row, point.rate_per_s);
    point.total_throughput_bytes_per_s = row->throughput_bytes_per_s > 0
                                             ? row->throughput_bytes_per_s
                                             : throughput(row, 1e9 / point.total_rate_per_s);
    take_evidence(&point);
    return point;
}

/* --- lines ---------------------------------------------------------------------------------- */

static void fit_points(struct report_line *line)
{
    struct fit_point *points = mem_calloc(line->count, sizeof(*points));

    for (size_t i = 0; i < line->count; i++)
        points[i] =
            (struct fit_point){(double)line->points[i].row->size_bytes, line->points[i].op_ns};
    line->has_fit = results_moves_data(line->curve->rows[0]->test) &&
                    fit_curve(points, line->count, &line->fit);
    free(points);
}

static void make_line(struct report *report, size_t index)
{
    struct report_line *line = &report->lines[index];
    const struct results_curve *curve = &report->shown[index];

    *line = (struct report_line){.curve = curve, .name = "", .count = curve->count};
    line->points = arena_alloc(report->pool, curve->count * sizeof(*line->points));
    for (size_t i = 0; i < curve->count; i++) {
        line->points[i] = report_take_point(curve->rows[i]);
        line->has_latency = line->has_latency || line->points[i].latency_ns[REPORT_P50] > 0;
    }
    fit_points(line);
}

static int gather_curves(struct report *report, struct error *err)
{
    size_t room = 0;

    for (size_t f = 0; f < report->file_count; f++) {
        size_t count;
        struct results_curve *curves;
        if (report_is_series(&report->files[f].results))
            continue;
        curves = results_curves(&report->files[f].results, &count);
        report->curves =
            mem_grow(report->curves, &room, report->curve_count + count + 1, sizeof(*curves));
        memcpy(report->curves + report->curve_count, curves, count * sizeof(*curves));
        report->curve_count += count;
        free(curves);
    }
    if (report->curve_count == 0 && report_is_series(&report->files[0].results))
        return error_refuse(err, STATUS_USAGE, "records of --series alone are no report:",
                            report->files[0].results.path,
                            "give the results of that run, too; or iosweep plot draws them");
    if (report->curve_count == 0)
        return error_set(err, STATUS_USAGE, 0, "nothing was measured in",
                         report->files[0].results.path);
    if (report->curve_count > REPORT_CURVES_MAX)
        return error_refuse(err, STATUS_USAGE,
                            "too many curves for a report:", report->files[0].results.path,
                            "%zu of them, but %d fit; use files with fewer tests, depths or loops",
                            report->curve_count, REPORT_CURVES_MAX);
    return 0;
}

static void count_rows(struct report *report)
{
    for (size_t f = 0; f < report->file_count; f++) {
        const struct results *results = &report->files[f].results;
        if (report_is_series(results))
            continue;
        report->row_count += results->count;
        for (size_t i = 0; i < results->count; i++) {
            report->skipped_count += isnan(results_op_ns(&results->rows[i])) ? 1 : 0;
            report->incomplete_count += results->rows[i].incomplete;
        }
    }
}

static bool wants_data(const struct report *report, enum report_data data)
{
    size_t bytes = 0;

    for (size_t i = 0; i < report->file_count; i++)
        bytes += report->files[i].length;
    return data == REPORT_DATA_ALWAYS || (data == REPORT_DATA_AUTO && bytes <= REPORT_DATA_MAX);
}

int report_make(const struct report_file *files, size_t count, size_t rows_max,
                enum report_data data, struct report *report, struct error *err)
{
    *report = (struct report){.files = files, .file_count = count, .pool = arena_new()};
    if (gather_curves(report, err) < 0) {
        report_free(report);
        return -1;
    }
    report->has_data = wants_data(report, data);
    report_choose_rows(report, rows_max);
    report->lines = mem_calloc(report->curve_count, sizeof(*report->lines));
    for (size_t i = 0; i < report->curve_count; i++)
        make_line(report, i);
    count_rows(report);
    report_make_panels(report);
    report_make_maps(report);
    report_make_courses(report);
    report_make_notes(report);
    report_make_words(report);
    report_make_verdicts(report);
    report_make_comparisons(report);
    report_choose_cells(report, rows_max);
    return 0;
}

void report_free(struct report *report)
{
    report_free_comparisons(report);
    report_free_courses(report);
    if (report->curves)
        results_free_curves(report->curves, report->curve_count);
    free(report->lines);
    free(report->shown);
    arena_free(report->pool);
    *report = (struct report){0};
}
