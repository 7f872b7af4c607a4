/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fit_print.c - fits as a table for people, and as CSV and JSON for programs.
 *
 * In the table sizes and times have units that fit them; elsewhere they are bytes, nanoseconds and
 * percent, as the names of the columns say, and what is not known is empty or null. */
#include "base/compat.h"

#include "analysis/fit_print.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/record_print.h"
#include "base/mem.h"
#include "base/units.h"
#include "report/formats/print.h"

/* --- numbers for people --- */

static char *share_text(double percent, char *text)
{
    snprintf(text, UNITS_TEXT, "%.1f %%", percent);
    return text;
}

static char *difference_text(double percent, char *text)
{
    snprintf(text, UNITS_TEXT, "%+.1f %%", percent);
    return text;
}

static char *count_text(double count, char *text)
{
    snprintf(text, UNITS_TEXT, "%.0f", count);
    return text;
}

/* --- records, for CSV and JSON, in the order of the CSV --- */

enum { F_FILE, F_TEST, F_TARGET, F_ENGINE, F_CACHE, F_THREADS, F_DEPTH, F_LABEL, F_KIND };
enum { F_POINTS = F_KIND + 1, F_FROM, F_TO, F_T0, F_BANDWIDTH, F_HALF, F_KNEE90, F_BEST };
enum { F_BEST_AT = F_BEST + 1, F_MEAN, F_WORST, F_WORST_AT, F_SIZE, F_MEASURED, F_LINE };
enum { F_RESIDUAL = F_LINE + 1, F_STEP, F_LOOP, F_REPEAT, F_ACCESS, F_RANKS, F_COUNT };

static const struct record_field fields[F_COUNT] = {
    [F_FILE] = {.name = "file"},
    [F_TEST] = {.name = "test"},
    [F_TARGET] = {.name = "target"},
    [F_ENGINE] = {.name = "engine"},
    [F_CACHE] = {.name = "cache"},
    [F_THREADS] = {.name = "threads"},
    [F_DEPTH] = {.name = "depth"},
    [F_LABEL] = {.name = "label"},
    [F_KIND] = {.name = "kind"},
    [F_POINTS] = {"points", 0, "points", count_text},
    [F_FROM] = {.name = "from_bytes"},
    [F_TO] = {.name = "to_bytes"},
    [F_T0] = {"t0_ns", 3, "t0", units_format_time},
    [F_BANDWIDTH] = {"bandwidth_bytes_per_s", 3, "bandwidth", units_format_throughput},
    [F_HALF] = {"half_bytes", 3, "n1/2", units_format_bytes},
    [F_KNEE90] = {"knee90_bytes", 0, "knee90", units_format_bytes},
    [F_BEST] = {"best_bytes_per_s", 3, "best", units_format_throughput},
    [F_BEST_AT] = {"best_bytes", 0, "at", units_format_bytes},
    [F_MEAN] = {"mean_error_percent", 3, "mean error", share_text},
    [F_WORST] = {"worst_error_percent", 3, "worst error", share_text},
    [F_WORST_AT] = {"worst_bytes", 0, "at", units_format_bytes},
    [F_SIZE] = {"point_bytes", 0, "size", units_format_bytes},
    [F_MEASURED] = {"measured_ns", 3, "measured", units_format_time},
    [F_LINE] = {"line_ns", 3, "on the line", units_format_time},
    [F_RESIDUAL] = {"residual_percent", 3, "residual", difference_text},
    [F_STEP] = {.name = "step"},
    [F_LOOP] = {.name = "loop"},
    [F_REPEAT] = {.name = "repeat"},
    [F_ACCESS] = {.name = "access"},
    [F_RANKS] = {.name = "ranks"},
};

static void take_key(const struct fitted *fitted, const char *kind, struct record_value *values)
{
    const struct results_row *row = fitted->curve->rows[0];
    record_clear(values, F_COUNT);
    values[F_FILE] = record_text(fitted->curve->file->path);
    values[F_TEST] = record_text(row->test);
    values[F_TARGET] = record_text(row->target);
    values[F_ENGINE] = record_text(row->engine);
    values[F_CACHE] = record_text(row->cache);
    values[F_THREADS] = record_count(row->threads);
    values[F_DEPTH] = record_count(row->depth);
    values[F_LABEL] = record_text(row->label);
    values[F_KIND] = record_text(kind);
    values[F_STEP] = record_count(row->step);
    values[F_LOOP] = record_count(row->loop);
    values[F_REPEAT] = record_count(row->repeat);
    values[F_ACCESS] = record_text(row->access);
    values[F_RANKS] = record_count(row->ranks);
}

static void take_line(const struct fit_line *line, struct record_value *values)
{
    const double shape[] = {
        (double)line->count,         line->from_bytes, line->to_bytes, line->t0_ns,
        line->bandwidth_bytes_per_s, line->half_bytes};
    const double errors[] = {100 * line->mean_error, 100 * line->worst_error, line->worst_bytes};
    record_numbers(&values[F_POINTS], shape, 6);
    record_numbers(&values[F_MEAN], errors, 3);
}

static void take_curve(const struct fitted *fitted, struct record_value *values)
{
    const struct fit *fit = &fitted->fit;
    take_key(fitted, "curve", values);
    if (fitted->known) {
        const double best[] = {fit->knee90_bytes, fit->best_bytes_per_s, fit->best_bytes};
        take_line(&fit->whole, values);
        record_numbers(&values[F_KNEE90], best, 3);
    } else {
        const double range[] = {(double)fitted->count, fitted->points[0].size_bytes,
                                fitted->points[fitted->count - 1].size_bytes};
        record_numbers(&values[F_POINTS], range, 3);
    }
}

static void take_segment(const struct fitted *fitted, unsigned i, struct record_value *values)
{
    take_key(fitted, "segment", values);
    take_line(&fitted->fit.segment[i], values);
}

static void take_point(const struct fitted *fitted, size_t i, struct record_value *values)
{
    const struct fit_point *point = &fitted->points[i];
    take_key(fitted, "point", values);
    record_numbers(&values[F_SIZE],
                   (double[]){point->size_bytes, point->op_ns,
                              fit_line_ns(&fitted->fit.whole, point->size_bytes),
                              100 * fit_residual(&fitted->fit.whole, point)},
                   4);
}

static size_t count_points(const struct fitted *fitted, bool residuals)
{
    return residuals && fitted->known ? fitted->count : 0;
}

/* --- CSV --- */

static void csv_curve(FILE *stream, const struct fitted *fitted, bool residuals)
{
    struct record_value values[F_COUNT] = {{0}};

    take_curve(fitted, values);
    record_csv(stream, fields, values, F_COUNT);
    for (unsigned i = 0; i < fitted->segments; i++) {
        take_segment(fitted, i, values);
        record_csv(stream, fields, values, F_COUNT);
    }
    for (size_t i = 0; i < count_points(fitted, residuals); i++) {
        take_point(fitted, i, values);
        record_csv(stream, fields, values, F_COUNT);
    }
    record_clear(values, F_COUNT);
}

/* --- JSON --- */

static void json_curve(FILE *stream, const struct fitted *fitted, bool residuals)
{
    static const struct record_range curve[] = {{F_FILE, F_THREADS},  {F_LABEL, F_KIND},
                                                {F_THREADS, F_LABEL}, {F_POINTS, F_SIZE},
                                                {F_STEP, F_COUNT},    {0, 0}};
    static const struct record_range line[] = {{F_POINTS, F_SIZE}, {0, 0}};
    static const struct record_range point[] = {{F_SIZE, F_STEP}, {0, 0}};
    struct record_value values[F_COUNT] = {{0}};

    fputs("\n{", stream);
    take_curve(fitted, values);
    record_json(stream, fields, values, curve);
    fputs(",\"segments\":[", stream);
    for (unsigned i = 0; i < fitted->segments; i++) {
        take_segment(fitted, i, values);
        fputs(i > 0 ? ",{" : "{", stream);
        record_json(stream, fields, values, line);
        fputc('}', stream);
    }
    fputs(residuals ? "],\"residuals\":[" : "", stream);
    for (size_t i = 0; i < count_points(fitted, residuals); i++) {
        take_point(fitted, i, values);
        fputs(i > 0 ? ",{" : "{", stream);
        record_json(stream, fields, values, point);
        fputc('}', stream);
    }
    fputs("]}", stream);
    record_clear(values, F_COUNT);
}

static void print_json(FILE *stream, const struct fitted *fitted, size_t count, bool residuals)
{
    print_json_head(stream, SCHEMA_FITS);
    fputs(",\"fits\":[", stream);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', stream);
        json_curve(stream, &fitted[i], residuals);
    }
    fputs("]}\n", stream);
}

/* --- table: the name of the curve, and the fields from `first` on that have a heading --- */

static void begin_table(struct text_table *table, int first, int end)
{
    char **cell = text_table_add(table);

    table->columns = 0;
    table->left[0] = true;
    cell[table->columns++] = mem_strdup("curve");
    for (int i = first; i < end; i++)
        if (fields[i].heading)
            cell[table->columns++] = mem_strdup(fields[i].heading);
}

static void put_line(struct text_table *table, char *name, int first,
                     const struct record_value *values)
{
    char **cell = text_table_add(table);

    cell[0] = name;
    for (unsigned c = 1; c < table->columns; first++)
        if (fields[first].heading)
            cell[c++] = record_unit_text(fields[first].format, values[first].number);
}

static void put_curve(struct text_table *table, const struct fitted *fitted)
{
    struct record_value values[F_COUNT] = {{0}};

    take_curve(fitted, values);
    put_line(table, mem_strdup(fitted->name), F_POINTS, values);
    for (unsigned i = 0; i < fitted->segments; i++) {
        const struct fit_line *line = &fitted->fit.segment[i];
        char from[UNITS_TEXT], to[UNITS_TEXT];
        take_segment(fitted, i, values);
        put_line(table,
                 mem_printf("  %s to %s", units_format_bytes(line->from_bytes, from),
                            units_format_bytes(line->to_bytes, to)),
                 F_POINTS, values);
    }
    record_clear(values, F_COUNT);
}

static void put_points(struct text_table *table, const struct fitted *fitted)
{
    struct record_value values[F_COUNT] = {{0}};

    for (size_t i = 0; i < count_points(fitted, true); i++) {
        take_point(fitted, i, values);
        put_line(table, mem_strdup(fitted->name), F_SIZE, values);
    }
    record_clear(values, F_COUNT);
}

/* Columns of the table of curves, in the order of their fields. */
enum { C_CURVE, C_POINTS, C_T0, C_BANDWIDTH, C_HALF, C_KNEE90, C_BEST, C_BEST_AT, C_MEAN };
enum { C_WORST = C_MEAN + 1, C_WORST_AT };

static const struct text_table_step steps[] = {
    {C_WORST_AT, 0}, {C_POINTS, 0}, {C_CURVE, 32}, {C_WORST, 0}, {C_CURVE, 24}, {C_BEST_AT, 0},
    {C_CURVE, 16},   {C_HALF, 0},   {C_BEST, 0},   {C_MEAN, 0},  {C_CURVE, 8},
};

static void print_table(FILE *stream, const struct fitted *fitted, size_t count, bool residuals,
                        const struct text_look *look)
{
    struct text_table table = {
        .look = *look, .steps = steps, .step_count = sizeof(steps) / sizeof(steps[0])};

    begin_table(&table, F_POINTS, F_SIZE);
    for (size_t i = 0; i < count; i++)
        put_curve(&table, &fitted[i]);
    text_table_print(stream, &table);
    text_table_clear(&table);
    if (!residuals)
        return;
    fputc('\n', stream);
    table.look.width = 0; /* they are few, and narrow */
    begin_table(&table, F_SIZE, F_COUNT);
    for (size_t i = 0; i < count; i++)
        put_points(&table, &fitted[i]);
    text_table_print(stream, &table);
    text_table_clear(&table);
}

void fit_print(FILE *stream, enum fit_format format, const struct fitted *fitted, size_t count,
               bool residuals, const struct text_look *look)
{
    switch (format) {
    case FIT_TABLE:
        print_table(stream, fitted, count, residuals, look);
        break;
    case FIT_CSV:
        record_csv_header(stream, fields, F_COUNT);
        for (size_t i = 0; i < count; i++)
            csv_curve(stream, &fitted[i], residuals);
        break;
    case FIT_JSON:
        print_json(stream, fitted, count, residuals);
        break;
    }
}
