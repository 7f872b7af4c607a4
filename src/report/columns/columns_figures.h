/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_figures.h - functions that the table of columns names: in REAL a figure (negative: not
 * known), as divisor of MEAN a count, in GET what fills the value itself (or leaves it EMPTY). Only
 * for columns*.c. */
#ifndef REPORT_COLUMNS_COLUMNS_FIGURES_H
#define REPORT_COLUMNS_COLUMNS_FIGURES_H

#include "report/columns/columns.h"

static inline void columns_put_count(struct value *value, uint64_t count)
{
    value->kind = VALUE_COUNT;
    value->count = count;
}

static inline void columns_put_text(struct value *value, const char *text)
{
    value->kind = VALUE_TEXT;
    value->text = text;
}

bool columns_is_measured(const struct result *result);
bool columns_has_operations(const struct result *result);

/* For REAL; so are those of columns.h and run/judge.h. */
double columns_failed_s(const struct result *result);
double columns_latency_stddev(const struct result *result);
double columns_cpu_user_ns(const struct result *result); /* per operation */
double columns_thread_rate_min(const struct result *result);
double columns_thread_rate_max(const struct result *result);
double columns_rank_rate_min(const struct result *result);
double columns_rank_rate_max(const struct result *result);
double columns_rpc_round_trip_ns(const struct result *result);

/* For MEAN, what sums are divided by: processor time and bytes are of all operations, times of
 * those whose latencies are known, phases of a request of those that were answered as asked. */
uint64_t columns_done(const struct result *result);
uint64_t columns_sampled(const struct result *result);
uint64_t columns_answered(const struct result *result);

/* For PERCENTILE: as columns_percentile, of any histogram. */
bool columns_percentile_of(const struct result *result, const struct hist *hist, unsigned permille,
                           uint64_t *ns);

/* For GET. */
#define COLUMNS_GETTER(name)                                                               \
    void columns_get_##name(__attribute__((unused)) const struct columns_context *context, \
                            __attribute__((unused)) const struct result *result,           \
                            struct value *value)

COLUMNS_GETTER(test);
COLUMNS_GETTER(target);
COLUMNS_GETTER(engine);
COLUMNS_GETTER(cache);
COLUMNS_GETTER(access);
COLUMNS_GETTER(readahead);
COLUMNS_GETTER(filled_bytes);
COLUMNS_GETTER(operations);
COLUMNS_GETTER(notes);
COLUMNS_GETTER(label);
COLUMNS_GETTER(stop);
COLUMNS_GETTER(mix);
COLUMNS_GETTER(rpc_data_count);
COLUMNS_GETTER(connections);
COLUMNS_GETTER(stat_hits);
COLUMNS_GETTER(left_objects);
COLUMNS_GETTER(stat_misses);
COLUMNS_GETTER(list_names);
COLUMNS_GETTER(ranks);
COLUMNS_GETTER(rank_skew);

#endif
