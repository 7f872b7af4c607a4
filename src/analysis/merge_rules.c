/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge_rules.c - how each column of merged rows follows from its parts.  A column without a rule
 * is kept where it is the same in all parts. */
#include "base/compat.h"

#include "analysis/merge_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/results/arena.h"

#define TEXT_MOST 4096 /* of joined names and notes */

/* T is time_s of the merged row: the longest of the parts. */
enum rule {
    SAME, /* in all parts, else not known */
    NONE, /* belongs to one run, and has no sum */
    SUM,
    LEAST,
    MOST,
    PER_OPERATION, /* mean, weighted by operations */
    PER_SAMPLE,    /* the same by the operations in the histogram */
    PER_REQUEST,
    OVER_TIME, /* sum of value * time_s, / T */
    THREADS, /* sum; of each rank, or where files have different numbers of ranks, of all of them */
    MEAN,    /* over threads, of which each has as many */
    RATE,
    THROUGHPUT,
    STDDEV,
    P50, /* of the histogram, as the three below */
    P90,
    P99,
    P999,
    WORDS, /* all of them, joined by ';' */
    NAMES  /* all different ones, joined by " + " */
};

static const struct {
    const char *name;
    enum rule rule;
} rules[] = {
    {"operations", SUM},
    {"threads", THREADS},
    {"time_s", MOST},
    {"elapsed_s", MOST},
    {"rate_per_s", RATE},
    {"throughput_bytes_per_s", THROUGHPUT},
    {"target", NAMES},
    {"label", NAMES},
    {"notes", WORDS},
    {"rounds", NONE},
    {"op_ns_median", NONE},
    {"op_ns_low", NONE},
    {"op_ns_high", NONE},
    {"op_ns_min", NONE},
    {"op_ns_stddev", NONE},
    {"reference_ns", NONE},
    {"latency_ns_p50", P50},
    {"latency_ns_p90", P90},
    {"latency_ns_p99", P99},
    {"latency_ns_p999", P999},
    {"latency_ns_min", LEAST},
    {"latency_ns_max", MOST},
    {"latency_ns_mean", PER_SAMPLE},
    {"latency_ns_stddev", STDDEV},
    {"open_ns_mean", PER_SAMPLE},
    {"seek_ns_mean", PER_SAMPLE},
    {"transfer_ns_mean", PER_SAMPLE},
    {"close_ns_mean", PER_SAMPLE},
    {"open_ns_p50", NONE},
    {"open_ns_p99", NONE},
    {"open_ns_max", MOST},
    {"close_ns_p50", NONE},
    {"close_ns_p99", NONE},
    {"close_ns_max", MOST},
    {"in_flight_mean", OVER_TIME},
    {"cpu_ns_per_op", PER_OPERATION},
    {"cpu_user_ns_per_op", PER_OPERATION},
    {"queued_ns_per_op", PER_OPERATION},
    {"cpu_helper_fraction", NONE},
    {"submit_fraction", MEAN},
    {"errors_s", MEAN},
    {"device_bytes", SUM},
    {"cache_hit_fraction", PER_OPERATION},
    {"errors", SUM},
    {"errors_short", SUM},
    {"errors_wrong", SUM},
    {"stat_hits", SUM},
    {"stat_misses", SUM},
    {"left_objects", SUM},
    {"list_names", PER_OPERATION},
    {"requests", SUM},
    {"connections", SUM},
    {"retries", SUM},
    {"slow_downs", SUM},
    {"errors_client", SUM},
    {"errors_server", SUM},
    {"errors_network", SUM},
    {"errors_protocol", SUM},
    {"lookup_ns_mean", PER_REQUEST},
    {"connect_ns_mean", PER_REQUEST},
    {"tls_ns_mean", PER_REQUEST},
    {"first_byte_ns_mean", PER_REQUEST},
    {"body_ns_mean", PER_REQUEST},
    {"rpc_count", NONE}, /* of a mount, which several processes of a host share */
    {"rpc_data_count", NONE},
    {"rpc_sent_bytes", NONE},
    {"rpc_received_bytes", NONE},
    {"rpc_rtt_ns_mean", NONE},
    {"rpc_retransmissions", NONE},
    {"thread_rate_per_s_min", LEAST},
    {"thread_rate_per_s_max", MOST},
    {"rank_rate_per_s_min", LEAST},
    {"rank_rate_per_s_max", MOST},
    {"rank_skew_ns_p99", NONE},
    {"began_unix_s", LEAST},
    {"ended_unix_s", MOST},
};

static enum rule rule_of(const char *name)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (strcmp(rules[i].name, name) == 0)
            return rules[i].rule;
    return SAME;
}

/* --- what a part has --- */

const struct results_value *merge_value_of(const struct results_row *row, const char *name)
{
    for (size_t i = row->whole->value_count; i-- > 0;) /* the last one said counts */
        if (strcmp(row->whole->values[i].name, name) == 0)
            return &row->whole->values[i];
    return NULL;
}

double merge_number_of(const struct results_row *row, const char *name)
{
    const struct results_value *value = merge_value_of(row, name);

    return value && !value->text ? value->number : NAN;
}

static const char *text_of(const struct results_row *row, const char *name)
{
    const struct results_value *value = merge_value_of(row, name);

    return value && value->text ? value->text : "";
}

static uint64_t sampled(const struct results_row *row)
{
    uint64_t all = 0;

    for (size_t i = 0; i < row->whole->bucket_count; i++)
        all += row->whole->buckets[i].count;
    return all;
}

bool merge_same_value(const struct results_value *a, const struct results_value *b)
{
    if (!a || !b) /* with --columns a file has not all */
        return true;
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->number == b->number;
}

/* --- the rules --- */

struct merging {
    struct merge *merge;
    struct merge_row *row;
    double operations, time_s; /* of the row */
};

static double operations_of(const struct merge *merge, const struct merge_row *row)
{
    double operations = 0;

    for (unsigned i = 0; i < merge->file_count; i++)
        operations += (double)row->parts[i]->operations;
    return operations;
}

/* Sums of value * weight over the parts; false when one that did something lacks it. */
static bool weigh(const struct merging *m, const char *name, const char *weight, double *sum,
                  double *weights)
{
    *sum = *weights = 0;
    for (unsigned i = 0; i < m->merge->file_count; i++) {
        const struct results_row *part = m->row->parts[i];
        const double number = merge_number_of(part, name);
        const double heavy = !weight             ? 1
                             : weight[0] == '\0' ? (double)sampled(part)
                                                 : merge_number_of(part, weight);
        if (weight && isnan(heavy) && strcmp(weight, "ranks") == 0)
            return false; /* it has threads, but nobody knows of how many ranks */
        if (!(heavy > 0))
            continue;
        if (isnan(number))
            return false;
        *sum += number * heavy;
        *weights += heavy;
    }
    return true;
}

static double extreme(const struct merging *m, const char *name, bool most)
{
    double found = NAN;

    for (unsigned i = 0; i < m->merge->file_count; i++) {
        const double number = merge_number_of(m->row->parts[i], name);
        if (isnan(number) && m->row->parts[i]->operations)
            return NAN;
        if (!isnan(number) && (isnan(found) || (most ? number > found : number < found)))
            found = number;
    }
    return found;
}

/* Nearest rank of all operations. */
static double percentile(const struct merging *m, double q)
{
    const double least_ns = extreme(m, "latency_ns_min", false);
    const double most_ns = extreme(m, "latency_ns_max", true);

    if (!hist_total(&m->row->latency))
        return NAN;
    if (isnan(least_ns) || isnan(most_ns))
        return (double)hist_quantile_ns(&m->row->latency, q);
    return (double)hist_quantile_within_ns(&m->row->latency, q, (uint64_t)least_ns,
                                           (uint64_t)most_ns);
}

/* Those of a row are threads of each of its ranks: with other ranks beside them they weigh as many
 * times. */
static const char *weight_of_threads(const struct merging *m)
{
    double known = NAN;

    for (unsigned i = 0; i < m->merge->file_count; i++) {
        const double ranks = merge_number_of(m->row->parts[i], "ranks");
        if (ranks < known || ranks > known)
            return "ranks";
        if (!isnan(ranks))
            known = ranks;
    }
    return NULL;
}

static double compute(const struct merging *m, const char *name, enum rule rule)
{
    double sum, weights;

    switch (rule) {
    case SUM:
        return weigh(m, name, NULL, &sum, &weights) ? sum : NAN;
    case THREADS:
        return weigh(m, name, weight_of_threads(m), &sum, &weights) ? sum : NAN;
    case MEAN:
        return weigh(m, name, weight_of_threads(m), &sum, &weights) ? sum / weights : NAN;
    case LEAST:
    case MOST:
        return extreme(m, name, rule == MOST);
    case PER_OPERATION:
    case PER_SAMPLE:
    case PER_REQUEST:
        return weigh(m, name,
                     rule == PER_OPERATION ? "operations"
                     : rule == PER_SAMPLE  ? ""
                                           : "requests",
                     &sum, &weights) &&
                       weights > 0
                   ? sum / weights
                   : NAN;
    case OVER_TIME:
        return weigh(m, name, "time_s", &sum, &weights) && m->time_s > 0 ? sum / m->time_s : NAN;
    case RATE:
        return m->operations > 0 && m->time_s > 0 ? m->operations / m->time_s : NAN;
    case THROUGHPUT:
        return m->operations > 0 && m->time_s > 0 && results_moves_data(m->row->parts[0]->test)
                   ? (double)m->row->parts[0]->size_bytes * m->operations / m->time_s
                   : NAN;
    case STDDEV:
        return hist_total(&m->row->latency) > 1 ? hist_stddev_ns(&m->row->latency) : NAN;
    case P50:
        return percentile(m, 0.5);
    case P90:
        return percentile(m, 0.9);
    case P99:
        return percentile(m, 0.99);
    case P999:
        return percentile(m, 0.999);
    default:
        return NAN;
    }
}

/* Adds what is not in the text yet, between separators. */
static void join(char *text, const char *word, size_t length, const char *separator)
{
    const size_t used = strlen(text), gap = strlen(separator);

    if (length == 0 || used + gap + length >= TEXT_MOST)
        return;
    for (const char *at = text; *at != '\0';) {
        const char *end = strstr(at, separator);
        const size_t here = end ? (size_t)(end - at) : strlen(at);
        if (here == length && memcmp(at, word, length) == 0)
            return;
        at += here + (end ? gap : 0);
    }
    snprintf(text + used, TEXT_MOST - used, "%s%.*s", used > 0 ? separator : "", (int)length, word);
}

static const char *joined(const struct merging *m, const char *name, enum rule rule)
{
    char text[TEXT_MOST] = "";

    for (unsigned i = 0; i < m->merge->file_count; i++) {
        const char *part = text_of(m->row->parts[i], name);
        if (rule == NAMES) {
            join(text, part, strlen(part), " + ");
            continue;
        }
        for (; *part != '\0'; part += strcspn(part, ";"), part += *part == ';')
            join(text, part, strcspn(part, ";"), ";");
    }
    return arena_keep(m->merge->arena, text);
}

/* What all parts have alike; a part that does not know it is no part of that. */
static struct merge_value same(const struct merging *m, const char *name)
{
    const struct results_value *first = NULL;

    for (unsigned i = 0; i < m->merge->file_count; i++) {
        const struct results_value *value = merge_value_of(m->row->parts[i], name);
        if (first && value && !merge_same_value(first, value))
            return (struct merge_value){.number = NAN};
        first = first ? first : value;
    }
    return first ? (struct merge_value){first->text, first->number}
                 : (struct merge_value){.number = NAN};
}

void merge_fill(struct merge *merge, struct merge_row *row)
{
    const struct merging merging = {.merge = merge,
                                    .row = row,
                                    .operations = operations_of(merge, row),
                                    .time_s = row->longest_s};
    const struct merging *m = &merging;

    for (size_t i = 0; i < m->merge->column_count; i++) {
        const char *name = m->merge->columns[i].name;
        const enum rule rule = rule_of(name);
        struct merge_value *value = &m->row->values[i];

        *value = (struct merge_value){.number = NAN};
        if (rule == SAME)
            *value = same(m, name);
        else if (rule == WORDS || rule == NAMES)
            value->text = joined(m, name, rule);
        else
            value->number = compute(m, name, rule);
    }
}
