/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_summaries.c - writes figures of several rows together to a JSON document. */
#include "base/compat.h"

#include "base/stats.h"
#include "report/formats/json_write.h"

/* Writes a number with the full precision of a double; null if unknown. */
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
        put_fact(json, summary_names[what], NULL);
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

static void put_summary(struct json *json, const struct summary *summary)
{
    json_put_names(json, summary->cell, false);
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
}

void json_put_summaries(struct json *json)
{
    for (size_t i = 0; i < json->summaries.count; i++) {
        const struct summary *summary = &json->summaries.all[i];
        if (!summary->rows && !summary->left_out)
            continue;
        open_record(json, "summary");
        put_summary(json, summary);
        close_record(json);
    }
}

static void put_pair_size(struct json *json, const struct pair_size *size)
{
    const double half = stats_t_975(size->freedom) * size->error;

    open_group(json, NULL, '{');
    put_count(json, "base_cell", size->base->index + UINT64_C(1));
    put_count(json, "cell", size->other->index + UINT64_C(1));
    put_count(json, "size_bytes", size->base->work.size_bytes);
    put_count(json, "rounds", size->rounds);
    put_figure(json, "time_ratio", exp(size->typical));
    put_figure(json, "time_ratio_low", exp(size->typical - half));
    put_figure(json, "time_ratio_high", exp(size->typical + half));
    put_figure(json, "mean_ratio", exp(size->mean));
    put_bool(json, "apart", size->apart);
    close_group(json, '}');
}

void json_put_pairs(struct json *json)
{
    const struct run_info *info = json->context.info;
    char text[PAIR_LINE_TEXT];

    for (size_t i = 0; json->pairs && i < json->pairs->count; i++) {
        const struct pair *pair = &json->pairs->all[i];
        open_record(json, "pair");
        put_text(json, "axis", pair_axis(pair));
        put_text(json, "base", pair_value(info, pair, pair->size[0].base, text));
        put_text(json, "value", pair_value(info, pair, pair->size[0].other, text));
        put_text(json, "test", test_names[cell_test(pair->size[0].base)]);
        put_text(json, "cache", cache_names[pair->size[0].base->work.cache]);
        put_figure(json, "time_ratio", pair->ratio);
        put_figure(json, "time_ratio_low", pair->low);
        put_figure(json, "time_ratio_high", pair->high);
        put_figure(json, "mean_ratio", pair->mean_ratio);
        put_bool(json, "mean_apart", pair->mean_apart);
        put_bool(json, "varied", pair->varied);
        pair_line(info, pair, text);
        put_text(json, "text", text);
        open_group(json, "sizes", '[');
        for (size_t k = 0; k < pair->size_count; k++)
            put_pair_size(json, &pair->size[k]);
        close_group(json, ']');
        close_record(json);
    }
}
