/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.c - from rounds to a verdict.  Every limit here is documented in iosweep-csv(5). */
#include "base/compat.h"

#include "run/judge.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/stats.h"

#define TIMER_SHARE    0.05 /* of an operation that one clock reading may cost */
#define DEVICE_SHARE   0.95 /* of the bytes that direct and uncached operations must really move */
#define CACHED_SHARE   0.05 /* of the bytes that cached reads may fetch from storage */
#define PAGE_BYTES     4096.0 /* the least that one fetch from storage moves */
#define RESIDENT_SHARE 0.5    /* in the page cache: decides where the accounting sees nothing */
#define UNFAIR_RATIO   2
#define HELPER_SHARE   0.05 /* of the CPU time that kernel worker threads may use */
#define SUBMIT_SHARE   0.6  /* of the time that an asynchronous engine may spend submitting */
#define BEHIND_SHARE   0.05 /* of the planned time that operations may begin late */

static struct stats_summary summarize(const struct result *result)
{
    double *scratch = mem_calloc(2 * (size_t)result->rounds, sizeof *scratch);
    struct stats_summary summary = stats_summarize(result->round_ns, result->rounds, scratch);
    free(scratch);
    return summary;
}

static bool narrow(const struct stats_summary *summary, double precision)
{
    return summary->interval_known &&
           (summary->high - summary->low) / 2 <= precision * summary->median;
}

bool judge_precise(const struct result *result, double precision)
{
    struct stats_summary summary;

    if (!result->rounds)
        return false;
    summary = summarize(result);
    return narrow(&summary, precision);
}

/* Was the cache state what the row claims?  By accounting where the kernel counts, else by what is
 * resident; never by the open flag. */
static unsigned cache_notes(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    const bool bypass = work->cache == CACHE_DIRECT || work->cache == CACHE_UNCACHED;
    const double moved = (double)result->tally.moved_bytes;
    const double device = (double)result->device_bytes;
    const double pages = (double)result->tally.operations * PAGE_BYTES;

    if (!result->tally.operations || (result->cell->engine->capabilities & ENGINE_VIRTUAL))
        return 0;
    if (bypass && work->store->in_memory)
        return NOTE_CACHE_HITS;
    if (!result->device_known && result->resident_fraction >= 0) {
        if (bypass && result->resident_fraction > RESIDENT_SHARE)
            return NOTE_CACHE_HITS;
        if (work->cache == CACHE_CACHED && work->test == TEST_READ &&
            result->resident_fraction < RESIDENT_SHARE)
            return NOTE_NOT_CACHED;
    }
    if (!result->device_known)
        return 0;
    if (bypass && work->test == TEST_READ && device < DEVICE_SHARE * moved)
        return NOTE_CACHE_HITS;
    if (work->cache == CACHE_DIRECT && work->test == TEST_WRITE && device < DEVICE_SHARE * moved)
        return NOTE_CACHE_HITS;
    /* What is not cached comes in pages: a page of metadata is no reason to doubt 1000 small reads.
     */
    if (work->cache == CACHE_CACHED && work->test == TEST_READ &&
        device > CACHED_SHARE * (moved > pages ? moved : pages))
        return NOTE_NOT_CACHED;
    return 0;
}

static unsigned work_notes(const struct result *result, const struct judge_load *load)
{
    const struct workload *work = &result->cell->work;
    unsigned notes = 0;

    if (work->io_bytes != work->size_bytes)
        notes |= work->rmw ? NOTE_RMW : NOTE_COVERED;
    if (result->cell->threads > 1 && load->most > UNFAIR_RATIO * load->fewest)
        notes |= NOTE_UNFAIR;
    if (result->tally.short_count)
        notes |= NOTE_SHORT;
    return notes;
}

double judge_submit_share(const struct result *result)
{
    const struct tally *tally = &result->tally;
    const double threads_ns = (double)result->time_ns * result->cell->threads -
                              (double)tally->phase_ns[PHASE_OPEN] -
                              (double)tally->phase_ns[PHASE_CLOSE];

    if (!result->submit_known || threads_ns <= 0)
        return -1;
    return (double)tally->submit_ns / threads_ns;
}

/* How the engine did it. */
static unsigned engine_notes(const struct result *result)
{
    unsigned notes = 0;

    if (!result->helpers_asked &&
        (double)result->helper_cpu_ns > HELPER_SHARE * (double)result->cpu_ns)
        notes |= NOTE_PUNTED;
    if (judge_submit_share(result) > SUBMIT_SHARE)
        notes |= NOTE_SUBMIT_BLOCKS;
    if (result->plain_buffers)
        notes |= NOTE_PLAIN_BUFFERS;
    if ((double)result->behind_ns > BEHIND_SHARE * (double)result->wanted_ns)
        notes |= NOTE_RATE_MISSED;
    if (result->tally.wrong)
        notes |= NOTE_WRONG_DATA;
    return notes;
}

void judge_row(struct result *result, const struct judge_load *load,
               const struct judge_facts *facts)
{
    struct stats_summary summary;

    if (result->state == RESULT_INCOMPLETE)
        result->notes |= NOTE_INCOMPLETE;
    result->notes |= work_notes(result, load) | cache_notes(result) | engine_notes(result);
    if (!result->rounds)
        return;
    summary = summarize(result);
    result->op_ns_median = summary.median;
    result->op_ns_low = summary.low;
    result->op_ns_high = summary.high;
    result->op_ns_best = summary.best;
    result->op_ns_stddev = summary.stddev;
    result->interval_known = summary.interval_known;
    result->outlier_rounds = (unsigned)summary.outliers;
    if (!narrow(&summary, facts->precision))
        result->notes |= NOTE_WIDE;
    if (summary.drift)
        result->notes |= NOTE_DRIFT;
    if (summary.correlated)
        result->notes |= NOTE_CORRELATED;
    if (summary.outliers)
        result->notes |= NOTE_OUTLIERS;
    if (facts->clock_cost_ns > TIMER_SHARE * summary.median * result->cell->threads)
        result->notes |= NOTE_TIMER;
}
