/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* judge.c - from rounds to a verdict.  Every limit here is documented in iosweep-measuring(7). */
#include "base/compat.h"

#include "run/judge.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/stats.h"

#define TIMER_SHARE    0.05 /* of an operation that one clock reading may cost */
#define HITS_SHARE     0.05 /* of direct and uncached operations that memory may serve */
#define MISSES_SHARE   0.05 /* of the cached reads that storage may serve */
#define AHEAD_SHARE    0.05 /* excess over the requested bytes that may come from storage */
#define RESIDENT_SHARE 0.5  /* in the page cache: decides if nothing else is known */
#define UNFAIR_RATIO   2
/* standard errors between threads that share few operations by chance */
#define UNFAIR_SPREAD 4
#define HELPER_SHARE  0.05 /* of the CPU time that kernel worker threads may use */
#define SUBMIT_SHARE  0.6  /* of the time that an asynchronous engine may spend submitting */
#define DRAINED_SHARE 0.9  /* of threads * depth that must be in flight */
#define STEADY_SHARE \
    0.001 /* tolerance for operations exceeding the time of slots, as sums are rounded */
#define SLOW_FACTOR  5    /* times the mean */
#define SLOW_LEAST   10   /* number of operations with little influence of chance */
#define SLOW_SHARE   0.1  /* of the time of all */
#define FAILED_SHARE 0.05 /* of the time that failed operations may take */
#define BEHIND_SHARE 0.05 /* of the planned time that operations may begin late */
#define COMMON_SHARE 0.95 /* of the time of the slices in which all ranks must be working */

static struct stats_summary summarize(const struct result *result)
{
    return stats_summarize(result->round_ns, result->round_operations, result->rounds);
}

static bool narrow(const struct stats_summary *summary, double precision)
{
    return summary->interval_known &&
           (summary->high - summary->low) / 2 <= precision * summary->mean;
}

/* Whether operations many times longer than the mean took much of the time, but were so few that
 * their number is due to chance: the rounds then do not show the precision of the mean. */
static bool saw_few_slow(const struct tally *tally)
{
    const double mean_ns = (double)tally->sum_ns / (double)tally->operations;
    uint64_t slow = 0;
    double slow_ns = 0;

    if (!tally->operations || (double)tally->max_ns <= SLOW_FACTOR * mean_ns)
        return false;
    for (size_t i = hist_index((uint64_t)(SLOW_FACTOR * mean_ns)) + 1; i < HIST_BUCKETS; i++) {
        slow += tally->latency.count[i];
        slow_ns += (double)tally->latency.count[i] * (double)hist_lower_ns((unsigned)i);
    }
    return slow > 0 && slow < SLOW_LEAST && slow_ns > SLOW_SHARE * (double)tally->sum_ns;
}

bool judge_precise(const struct result *result, double precision)
{
    struct stats_summary summary;

    if (!result->rounds || result->sum.tally.operations < JUDGE_OPERATIONS_LEAST)
        return false;
    summary = summarize(result);
    return narrow(&summary, precision) && !saw_few_slow(&result->sum.tally);
}

double judge_hit_share(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    const struct extents *extents;
    const double least = (double)tally_done(&result->sum.tally) * (double)result->least_bytes;

    if (least <= 0 || (work->test == TEST_WRITE && work->cache != CACHE_DIRECT))
        return -1; /* buffered writes are counted when they dirty a page */
    if (work->target->in_memory)
        return 1;
    extents = &work->target->extents;
    /* reads of these extents move fewer bytes than requested, or none, although memory contains
     * nothing */
    if (result->device_known && !extents->hole_bytes && !extents->unwritten_bytes &&
        !extents->encoded_bytes && !extents->inline_bytes)
        return (double)result->sum.device_bytes >= least
                   ? 0
                   : 1 - (double)result->sum.device_bytes / least;
    return work->cache == CACHE_DIRECT ? -1 : result->resident_fraction_before;
}

/* The excess that a read may need: it may begin inside a page. */
static bool reads_ahead(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t most_bytes = result->least_bytes;

    if (work->test != TEST_READ || work->cache == CACHE_DIRECT || !most_bytes ||
        work->readahead == READAHEAD_NONE || !result->device_known)
        return false;
    if (result->cell->align_bytes % page_bytes != 0 &&
        (most_bytes > page_bytes || work->io_bytes % page_bytes != 0))
        most_bytes += page_bytes;
    return (double)result->sum.device_bytes >
           (1 + AHEAD_SHARE) * (double)tally_done(&result->sum.tally) * (double)most_bytes;
}

/* Storage below the page cache may have answered from a cache that is invisible here. */
static unsigned below_note(const struct workload *work)
{
    return work->target->medium.name[0] && test_moves_data(work->test) &&
                   (work->cache == CACHE_DIRECT ||
                    (work->cache == CACHE_UNCACHED && work->test == TEST_READ))
               ? NOTE_CACHE_BELOW
               : 0;
}

/* Whether the cache state was that of the row's mode, judged by measurement and never by the open
 * flag. */
static unsigned cache_notes(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    const bool bypass = work->cache == CACHE_DIRECT || work->cache == CACHE_UNCACHED;
    const double hits = judge_hit_share(result);

    if (!result->sum.tally.operations || (result->cell->engine->capabilities & ENGINE_VIRTUAL))
        return 0;
    if (bypass && (hits > HITS_SHARE || work->target->in_memory))
        return NOTE_CACHE_HITS;
    if (bypass && hits < 0 && !result->device_known && result->resident_fraction > RESIDENT_SHARE)
        return NOTE_CACHE_HITS; /* the only evidence: everything is in the cache */
    if (work->cache == CACHE_CACHED && hits >= 0 && hits < 1 - MISSES_SHARE)
        return NOTE_NOT_CACHED;
    return below_note(work);
}

/* The fastest of a few threads that take one operation each is ahead by chance: by the square root
 * of its number of operations, in each slice. */
static bool is_unfair(const struct slice_sum *sum)
{
    const double ahead = (double)sum->most - (double)sum->fewest;

    return sum->most > UNFAIR_RATIO * sum->fewest &&
           ahead > UNFAIR_SPREAD * sqrt((double)sum->most * (double)sum->slices);
}

static unsigned note_if(bool applies, enum result_note note)
{
    return applies ? note : 0;
}

static unsigned work_notes(const struct result *result)
{
    const struct cell *cell = result->cell;
    const struct workload *work = &cell->work;

    return note_if(work->io_bytes != work->size_bytes, work->rmw ? NOTE_RMW : NOTE_COVERED) |
           note_if((cell->threads > 1 || cell->peers) && is_unfair(&result->sum), NOTE_UNFAIR) |
           note_if(result->sum.tally.short_count > 0, NOTE_SHORT) |
           note_if(result->rank_count > 1 && result->sum.slices > 0 &&
                       result->rank_common_fraction < COMMON_SHARE,
                   NOTE_RANKS_APART);
}

double judge_submit_share(const struct result *result)
{
    const struct tally *tally = &result->sum.tally;
    const double threads_ns =
        (double)result->sum.time_ns * result->cell->threads * (1 + result->cell->peers) -
        (double)(tally->phase_ns[PHASE_OPEN] + tally->phase_ns[PHASE_CLOSE]);
    double share;

    if (!result->submit_known || threads_ns <= 0)
        return -1;
    share = (double)tally->submit_ns / threads_ns;
    return share < 1 ? share : 1;
}

double judge_in_flight(const struct result *result)
{
    return result->sum.time_ns && result->sum.flight_ns
               ? (double)result->sum.flight_ns / (double)result->sum.time_ns
               : -1;
}

double judge_failed_share(const struct result *result)
{
    const double slots = (double)cell_slots(result->cell);

    return result->sum.elapsed_ns
               ? (double)result->sum.tally.failed_ns / slots / (double)result->sum.elapsed_ns
               : 0;
}

/* Whether the concurrency of the row was reached. */
static unsigned flight_notes(const struct result *result, const struct judge_facts *facts)
{
    const double slots = (double)cell_slots(result->cell);
    /* with --mix of both kinds */
    const double flight_ns = (double)(result->sum.flight_ns + result->mate_flight_ns);
    unsigned notes = note_if(judge_failed_share(result) > FAILED_SHARE, NOTE_FAILED_TIME);

    if (facts->paced || !result->sum.tally.operations)
        return notes;
    /* operations took longer than the time of all slots: the clocks are wrong */
    notes |= note_if(flight_ns > (1 + STEADY_SHARE) * (double)result->sum.slot_ns, NOTE_UNSTEADY);
    return notes | note_if(slots > 1 && judge_in_flight(result) >= 0 &&
                               flight_ns / (double)result->sum.time_ns < DRAINED_SHARE * slots,
                           NOTE_DRAINED);
}

/* Notes on how the engine ran the operations. */
static unsigned engine_notes(const struct result *result)
{
    const struct slice_sum *sum = &result->sum;

    return note_if(!sum->helpers_asked &&
                       (double)sum->helper_cpu_ns > HELPER_SHARE * (double)sum->cpu_ns,
                   NOTE_PUNTED) |
           note_if(judge_submit_share(result) > SUBMIT_SHARE, NOTE_SUBMIT_BLOCKS) |
           note_if(sum->plain_buffers, NOTE_PLAIN_BUFFERS) |
           note_if((double)sum->behind_ns > BEHIND_SHARE * (double)sum->wanted_ns,
                   NOTE_RATE_MISSED) |
           note_if(sum->tally.wrong > 0, NOTE_WRONG_DATA);
}

void judge_row(struct result *result, const struct judge_facts *facts)
{
    const struct tally *tally = &result->sum.tally;
    struct stats_summary summary;
    bool wide, few;

    result->notes |= note_if(result->state == RESULT_INCOMPLETE, NOTE_INCOMPLETE) |
                     note_if(reads_ahead(result), NOTE_READAHEAD) | work_notes(result) |
                     cache_notes(result) | engine_notes(result);
    if (!result->rounds)
        return;
    summary = summarize(result);
    result->op_ns_mean = summary.mean;
    result->op_ns_low = summary.low;
    result->op_ns_high = summary.high;
    result->op_ns_min = summary.best;
    result->op_ns_stddev = summary.stddev;
    result->interval_known = summary.interval_known;
    if (result->reference_round_ns)
        result->reference_ns = stats_median_of(result->reference_round_ns, result->rounds);
    wide = !narrow(&summary, facts->precision);
    few = tally->operations < JUDGE_OPERATIONS_LEAST; /* there may have been no slow ones */
    result->notes |=
        note_if(wide, NOTE_WIDE) | note_if((!wide && few) || saw_few_slow(tally), NOTE_FEW_SLOW) |
        note_if(summary.drift, NOTE_DRIFT) | note_if(summary.correlated, NOTE_CORRELATED) |
        note_if(summary.outliers, NOTE_OUTLIERS) | flight_notes(result, facts) |
        note_if(facts->clock_cost_ns > TIMER_SHARE * summary.mean * result->cell->threads *
                                           (1 + (double)result->cell->peers),
                NOTE_TIMER);
}
