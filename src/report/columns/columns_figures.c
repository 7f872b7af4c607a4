/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_figures.c - what columns show that is no field of a result: figures that are computed
 * from its sums, and texts. */
#include "base/compat.h"

#include "report/columns/columns_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/judge.h"
#include "run/order.h"

bool columns_is_measured(const struct result *result)
{
    return result->state != RESULT_SKIPPED;
}

bool columns_has_operations(const struct result *result)
{
    return columns_is_measured(result) && result->sum.tally.operations > 0;
}

/* --- figures that are computed --- */

/* long double keeps the product of two 64-bit integers as exact as this machine can. */
static double per_second(const struct result *result, uint64_t factor)
{
    const struct slice_sum *sum = &result->sum;
    if (!columns_has_operations(result) || sum->time_ns == 0)
        return -1;
    return (double)((long double)sum->tally.operations * (long double)factor * 1e9L /
                    (long double)sum->time_ns);
}

double columns_throughput(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    return test_moves_data(work->test) ? per_second(result, work->size_bytes) : -1;
}

double columns_rate(const struct result *result)
{
    return per_second(result, 1);
}

bool columns_bytes(const struct result *result, uint64_t operations, uint64_t *bytes)
{
    const struct workload *work = &result->cell->work;

    return test_moves_data(work->test) &&
           !__builtin_mul_overflow(operations, work->size_bytes, bytes);
}

double columns_submit_fraction(const struct result *result)
{
    return columns_is_measured(result) ? judge_submit_share(result) : -1;
}

double columns_helper_fraction(const struct result *result)
{
    if (!columns_is_measured(result) || !result->cell->engine->report || result->sum.cpu_ns == 0)
        return -1;
    return (double)result->sum.helper_cpu_ns / (double)result->sum.cpu_ns;
}

double columns_failed_s(const struct result *result)
{
    const double elapsed_ns = (double)result->sum.elapsed_ns;
    return elapsed_ns > 0 ? judge_failed_share(result) * elapsed_ns / 1e9 : -1;
}

double columns_latency_stddev(const struct result *result)
{
    const struct hist *latency = &result->sum.tally.latency;
    return hist_total(latency) > 1 ? hist_stddev_ns(latency) : -1;
}

/* --- the processor --- */

/* In such time even an account that is kept by a clock of 10 ms has seen both modes. */
#define MODES_LEAST_NS UINT64_C(100000000)

/* Per operation; of the time of our threads the part that the kernel's account says, the kernel's
 * own threads are all system time. */
double columns_cpu_user_ns(const struct result *result)
{
    const struct slice_sum *sum = &result->sum;
    const uint64_t done = columns_done(result), made_ns = sum->made_cpu_ns;
    const double user_ns = sum->user_ns > made_ns ? (double)(sum->user_ns - made_ns) : 0;
    const double all_ns = user_ns + (double)sum->system_ns;
    const double own_ns = (double)sum->cpu_ns - (double)sum->helper_cpu_ns;

    if (all_ns < (double)MODES_LEAST_NS || !sum->cpu_ns || !done)
        return -1;
    return own_ns * user_ns / all_ns / (double)done;
}

/* --- threads --- */

/* Of the slowest thread, or of the fastest. */
static double thread_rate(const struct result *result, bool fastest)
{
    const struct slice_thread *threads = result->threads;
    double found = -1;

    for (uint32_t i = 0; threads && i < result->cell->threads; i++) {
        const double rate = columns_thread_rate(&threads[i]);
        if (rate >= 0 && (found < 0 || (fastest ? rate > found : rate < found)))
            found = rate;
    }
    return found;
}

double columns_thread_rate(const struct slice_thread *thread)
{
    return thread->time_ns
               ? (double)((long double)thread->operations * 1e9L / (long double)thread->time_ns)
               : -1;
}

double columns_thread_rate_min(const struct result *result)
{
    return thread_rate(result, false);
}

double columns_thread_rate_max(const struct result *result)
{
    return thread_rate(result, true);
}

/* --- what sums are divided by --- */

uint64_t columns_done(const struct result *result)
{
    return tally_done(&result->sum.tally);
}

uint64_t columns_sampled(const struct result *result)
{
    return result->sum.tally.operations;
}

uint64_t columns_answered(const struct result *result)
{
    return result->sum.requests.complete;
}

/* --- percentiles --- */

/* Nearest rank, of however few. */
bool columns_percentile_of(const struct result *result, const struct hist *hist, unsigned permille,
                           uint64_t *ns)
{
    const struct tally *tally = &result->sum.tally;
    const uint64_t most_ns = hist == &tally->open    ? tally->open_max_ns
                             : hist == &tally->close ? tally->close_max_ns
                                                     : tally->max_ns;

    if (hist_total(hist) == 0)
        return false;
    *ns = hist_quantile_within_ns(hist, permille / 1000.0,
                                  hist == &tally->latency ? tally->min_ns : 0, most_ns);
    return true;
}

bool columns_percentile(const struct result *result, unsigned permille, uint64_t *ns)
{
    return columns_has_operations(result) && permille < 1000 &&
           columns_percentile_of(result, &result->sum.tally.latency, permille, ns);
}

/* --- calls to a server --- */

/* The kernel gives sums in whole milliseconds. */
double columns_rpc_round_trip_ns(const struct result *result)
{
    const struct target_rpc all = target_traffic_total(result->rpc, false);
    return all.count > 0 ? (double)all.round_trip_ms * 1e6 / (double)all.count : -1;
}

/* --- texts, and counts that are no field --- */

COLUMNS_GETTER(test)
{
    columns_put_text(value, test_names[cell_test(result->cell)]);
}

/* A name goes to terminals and log files: no control characters. */
COLUMNS_GETTER(target)
{
    const char *label = context->info->targets[result->cell->target]->label;
    columns_put_text(value,
                     error_printable(label ? label : "", value->buffer, sizeof(value->buffer)));
}

COLUMNS_GETTER(engine)
{
    columns_put_text(value, result->cell->engine->name);
}

COLUMNS_GETTER(cache)
{
    columns_put_text(value, cache_names[result->cell->work.cache]);
}

COLUMNS_GETTER(access)
{
    if (test_ordered(result->cell->work.test) && !result->cell->fills)
        columns_put_text(value, access_names[result->cell->work.access]);
}

COLUMNS_GETTER(readahead)
{
    const struct workload *work = &result->cell->work;

    if (work->test == TEST_READ && work->cache != CACHE_DIRECT &&
        target_can(work->target, TARGET_CACHED) &&
        !(result->cell->engine->capabilities & ENGINE_VIRTUAL))
        columns_put_text(value, readahead_names[work->readahead]);
}

COLUMNS_GETTER(filled_bytes)
{
    const struct cell *cell = result->cell;
    const uint64_t io_bytes = cell->work.io_bytes,
                   each = target_can(cell->work.target, TARGET_SHAPED)
                              ? order_step(io_bytes, cell->align_bytes)
                              : io_bytes, /* objects have no gaps */
        ranks = columns_ranks(context->info->settings);

    if (cell->fills)
        columns_put_count(value,
                          (cell->place_first + tally_done(&result->sum.tally) / ranks) * each);
}

COLUMNS_GETTER(operations)
{
    columns_put_count(value, columns_is_measured(result) ? result->sum.tally.operations : 0);
}

COLUMNS_GETTER(notes)
{
    columns_put_text(value, columns_notes(result, context->info, value->buffer));
}

COLUMNS_GETTER(label)
{
    columns_put_text(value, context->label);
}

COLUMNS_GETTER(mix)
{
    if (result->cell->mixed)
        columns_put_count(value, result->cell->read_percent);
}

COLUMNS_GETTER(stop)
{
    static const char *const names[STOP_KINDS] = {"",          "count",  "time",   "precision",
                                                  "exhausted", "errors", "signal", "rounds"};
    columns_put_text(value, columns_is_measured(result) ? names[result->stop] : "");
}

COLUMNS_GETTER(rpc_data_count)
{
    columns_put_count(value, target_traffic_total(result->rpc, true).count);
}

/* An engine whose library does not tell has none, and no complete request. */
COLUMNS_GETTER(connections)
{
    const struct engine_requests *requests = &result->sum.requests;
    if (requests->connections > 0 || requests->complete > 0)
        columns_put_count(value, requests->connections);
}

COLUMNS_GETTER(stat_hits)
{
    const struct engine_found *found = &result->sum.found;
    if (found->hits + found->misses > 0)
        columns_put_count(value, found->hits);
}

COLUMNS_GETTER(left_objects)
{
    if (result->left_known)
        columns_put_count(value, result->left_objects);
}

COLUMNS_GETTER(stat_misses)
{
    const struct engine_found *found = &result->sum.found;
    if (found->hits + found->misses > 0)
        columns_put_count(value, found->misses);
}

/* Of one listing: while nothing is added or removed all of them find the same. */
COLUMNS_GETTER(list_names)
{
    const struct engine_found *found = &result->sum.found;
    if (found->listings > 0)
        columns_put_count(value, (found->names + found->listings / 2) / found->listings);
}
