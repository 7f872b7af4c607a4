/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_summaries.c - what loops and repeats come to together, in a JSON document. */
#include "base/compat.h"

#include "report/formats/json_write.h"

/* A number with all that a double has; null where it is not known. */
static void put_figure(struct json *json, const char *key, double value)
{
    put_key(json, key);
    if (isfinite(value) && value >= 0)
        fprintf(json->state.stream, "%.15g", value);
    else
        fputs("null", json->state.stream);
}

static void put_figures(struct json *json, const struct summary *summary, enum summary_what what)
{
    const struct summary_figure figure = summary_figure(summary, what);

    if (figure.count == 0) {
        put_key(json, summary_names[what]);
        fputs("null", json->state.stream);
        return;
    }
    open_group(json, summary_names[what], '{');
    put_figure(json, "mean", figure.mean);
    put_figure(json, "median", figure.median);
    put_figure(json, "stddev", figure.stddev);
    put_figure(json, "cv", figure.cv);
    put_figure(json, "min", figure.min);
    put_figure(json, "max", figure.max);
    close_group(json, '}');
}

/* The columns that name a row, but for loop and repeat, which are summed up. */
static void put_names(struct json *json, const struct cell *cell)
{
    const struct result result = {.cell = cell, .state = RESULT_SKIPPED};
    struct value value;

    for (const struct column *column = columns_table; column->name; column++) {
        char number[PRINT_NUMBER_TEXT];
        if (column->group != OF_ROW || strcmp(column->name, "loop") == 0 ||
            strcmp(column->name, "repeat") == 0)
            continue;
        columns_get(column, &json->context, &result, &value);
        if (value.kind == VALUE_EMPTY)
            continue;
        if (value.kind == VALUE_TEXT) {
            put_text(json, column->name, value.text);
            continue;
        }
        put_key(json, column->name);
        fputs(print_number(&value, '.', number), json->state.stream);
    }
}

void json_put_summaries(struct json *json)
{
    if (!json->summaries.count)
        return;
    open_group(json, "summaries", '[');
    for (size_t i = 0; i < json->summaries.count; i++) {
        const struct summary *summary = &json->summaries.all[i];
        if (!summary->rows && !summary->left_out)
            continue;
        put_key(json, NULL);
        fputs("\n{", json->state.stream);
        json->comma = false;
        put_names(json, summary->cell);
        if (summary->cell->fills)
            put_count(json, "filled_bytes",
                      (summary->cell->place_first + summary->cell->places) *
                          summary->cell->work.io_bytes);
        put_count(json, "rows", summary->rows);
        put_count(json, "rows_left_out", summary->left_out);
        put_count(json, "rows_cold", summary->cold);
        put_count(json, "operations", summary->operations);
        put_count(json, "bytes", summary->bytes);
        put_figure(json, "time_s_sum", (double)summary->time_ns / 1e9);
        put_figure(json, "rate_per_s_overall", summary_overall_rate(summary));
        put_figure(json, "throughput_bytes_per_s_overall", summary_overall_throughput(summary));
        for (int what = 0; what < SUMMARY_WHATS; what++)
            put_figures(json, summary, (enum summary_what)what);
        close_group(json, '}');
    }
    close_group(json, ']');
}
