/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row.c - slices of one row.  A slice is a number of cycles between two clock readings; its time
 * per operation is one value of the row's statistics. */
#include "base/compat.h"

#include "run/row.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "run/reference.h"
#include "run/sweep.h"
#include "run/team_work.h"

#define LOOK_SHARE      20  /* examining the page cache may take 1/20 of the time */
#define CALIBRATE_SHARE 10  /* calibration ends with a slice of 1/10 of the desired length */
#define CALIBRATE_LIMIT 4   /* and takes 1/4 of the time that a limit leaves for the row */
#define WARM_UP_SHARE   0.2 /* maximum difference of two slices of a warm server ... */
#define WARM_UP_NS      UINT64_C(2000000000) /* ... and the maximum time of waiting for it ... */
#define WARM_SLICE_NS   UINT64_C(200000000)  /* ... in slices of at most this length */

/* Checks that the objects are unchanged; otherwise ends measuring. */
static int guard(struct measure *m, const struct cell *cell)
{
    struct target *target = measure_target(m, cell);

    if (!target->driver->guard || (cell->engine->capabilities & ENGINE_VIRTUAL) ||
        target->driver->guard(target, cell->work.object_first, cell->work.object_count, m->err) ==
            0)
        return 0;
    m->broken = true;
    return -1;
}

/* The bytes that one operation moves from storage if none are in memory: the requested ones if the
 * page cache is bypassed, otherwise whole pages, but not beyond the end of a file. */
static uint64_t least_bytes(const struct cell *cell)
{
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE), io_bytes = cell->work.io_bytes;
    const uint64_t pages_bytes = (io_bytes + page_bytes - 1) / page_bytes * page_bytes;
    const uint32_t count = cell->work.object_count;

    if ((cell->engine->capabilities & ENGINE_VIRTUAL) ||
        !target_can(cell->work.target, TARGET_CACHED) || !test_in_place(cell->work.test))
        return 0;
    if (cell->work.cache == CACHE_DIRECT)
        return io_bytes;
    return !count || pages_bytes < cell->work.target->length_bytes[count - 1]
               ? pages_bytes
               : cell->work.target->length_bytes[count - 1];
}

void row_init(struct row *row, const struct settings *settings, const struct cell *cell)
{
    struct result *result = &row->result;
    uint64_t state = settings->seed ^ (uint64_t)cell->index << 32;
    const uint64_t seed = rng_splitmix(&state);

    *row = (struct row){.look_at = (unsigned)settings->rounds_min};
    slice_sum_reset(&result->sum);
    result->cell = cell;
    result->state = cell->skip ? RESULT_SKIPPED : RESULT_OPEN;
    result->resident_fraction_before = result->resident_fraction = -1;
    result->submit_known =
        engine_in_flight(cell->engine, cell->work.depth) && cell->engine->async->submit;
    if (cell->skip)
        return;
    if (cell->peers)
        row->team = team_row_make();
    row->streams = mem_calloc(cell->threads, sizeof(*row->streams));
    row->threads = mem_calloc(cell->threads, sizeof(*row->threads));
    if (!cell->peers) /* otherwise it would be those of one rank */
        result->threads = mem_calloc(cell->threads, sizeof(*result->threads));
    for (uint32_t i = 0; i < cell->threads; i++)
        rng_seed(&row->streams[i], seed, i);
    if (!cell->created)
        row_bind(row);
}

void row_bind(struct row *row)
{
    const struct cell *cell = row->result.cell;

    row->result.least_bytes = least_bytes(cell);
    row->order = order_make(cell);
}

void row_join(struct row *writes, struct row *reads)
{
    writes->mate = reads;
    writes->all = mem_calloc(1, sizeof(*writes->all));
    slice_sum_reset(writes->all);
}

void row_forget_rounds(struct row *row)
{
    free(row->result.round_ns);
    free(row->result.round_operations);
    free(row->result.reference_round_ns);
    row->result.round_ns = row->result.round_operations = row->result.reference_round_ns = NULL;
}

void row_free(struct row *row)
{
    team_row_free(row->team);
    free(row->result.ranks);
    free(row->all);
    free(row->streams);
    free(row->threads);
    free(row->result.threads);
    free(row->order);
    row_forget_rounds(row);
    free(row->result.rpc);
}

void measure_keep_results(struct measure *m)
{
    if (!m->measured || m->err->status != STATUS_TARGET)
        return;
    m->err->status = STATUS_PARTIAL;
    if (m->err->errnum == EPIPE)
        m->err->errnum = ECONNRESET;
}

int row_carry_out(struct measure *m, struct row *row, struct slice *what)
{
    const struct tally *tally = &m->slice->tally;
    const struct cell *cell = row->result.cell;

    row->slice_began_ns = clock_wall_ns();
    what->cell = cell;
    what->streams = row->streams;
    what->threads[0] = row->threads;
    what->order = row->order;
    if (row->mate) {
        what->mate = row->mate->result.cell;
        what->threads[1] = row->mate->threads;
        what->sums = m->kinds;
    }
    what->plan.give_up_ns = m->give_up_ns;
    if (!what->plan.deadline_ns)
        what->plan.deadline_ns = row_ends_by_itself(m, cell) ? UINT64_MAX : m->part_end_ns;
    if (guard(m, cell) < 0) {
        if (!what->team)
            return -1;
        what->unready = true; /* the other ranks wait for a reply */
    }
    if (worker_run(m->pool, what, m->slice, m->err) < 0 || what->unready) {
        const struct error why = *m->err;
        if (what->team && !error_is_set(&why)) /* another rank reports the reason */
            return -1;
        if (measure_exhausted(m, cell->work.target))
            return -1;
        *m->err = ERROR_INIT; /* a replaced object is the better explanation */
        if (guard(m, cell) < 0)
            return -1;
        *m->err = why;
        measure_keep_results(m);
        m->broken = true;
        return -1;
    }
    m->measured = true;
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        row_word_troubles(m, row_of(row, kind)->result.cell, row_slice_sum(m, row, kind));
    if ((test_changes(cell->work.test) || tally->failed || tally->short_count) &&
        guard(m, cell) < 0)
        return -1; /* the slice may have measured another file */
    return 0;
}

bool row_give_time(struct measure *m, uint64_t ns)
{
    if (!m->may_grant || m->part_end_ns == UINT64_MAX)
        return false;
    m->end_ns += ns;
    m->part_end_ns += ns;
    return true;
}

/* Runs a slice of a row, on all ranks, into m->slice. */
static int take_slice(struct measure *m, struct row *row, struct slice *what)
{
    const uint64_t begin_ns = clock_now(m->clock);
    struct slice_times times = {0};
    uint64_t slice_ns;

    what->times = &times;
    if ((m->lead ? team_lead_slice(m, row, what) : row_carry_out(m, row, what)) < 0)
        return -1;
    row->slice_start_ns = times.start_ns - m->begin_ns;
    slice_ns = m->slice->elapsed_ns;
    if (m->lead && clock_now(m->clock) - begin_ns > slice_ns) /* communication between ranks */
        (void)row_give_time(m, clock_now(m->clock) - begin_ns - slice_ns);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        row_note_troubles(m, row_of(row, kind)->result.cell, row_slice_sum(m, row, kind));
    if (target_exhausted(row->result.cell->work.target, NULL, 0))
        m->exhausted = true;
    row->idle = m->slice->cycles ? 0 : row->idle + 1;
    row->idle_ns = m->slice->cycles ? 0 : row->idle_ns + clock_now(m->clock) - begin_ns;
    return 0;
}

/* Operations that fail after a long time count if a time is set: otherwise waiting for them would
 * dominate short slices. */
bool row_pace(const struct tally *tally, bool timed, struct row_pace *pace)
{
    const uint64_t bad = tally->failed + tally->short_count;
    const bool hang =
        timed && bad &&
        (double)tally->hung_ns > SLICE_REACH_SHARE * (double)(tally->hung_ns + tally->sum_ns);

    if (!tally->operations && !hang)
        return false;
    pace->reach_ns = slice_reach_ns(&tally->latency);
    pace->p99_ns = hist_quantile_ns(&tally->latency, 0.99);
    if (hang && tally->hung_max_ns > pace->reach_ns)
        pace->reach_ns = tally->hung_max_ns;
    pace->sum_ns = (double)(tally->sum_ns + (hang ? tally->hung_ns : 0));
    pace->count = tally->operations + (hang ? bad : 0);
    return true;
}

/* Updates the duration of operations, which determines the length of slices. */
static void learn(const struct measure *m, struct row *row, const struct tally *tally)
{
    struct row_pace pace = m->pace;

    if (m->lead ? !pace.count : !row_pace(tally, row->result.cell->stop.time_ns > 0, &pace))
        return;
    row->reach_ns = pace.reach_ns;
    row->p99_ns = pace.p99_ns;
    row->mean_ns = pace.sum_ns / (double)pace.count;
}

/* ---- booking: adds the results of a slice to its row; with --mix to two, those of the writes and
 * of the reads. Both have the same time, so that their rates add up to that of all operations; all
 * other figures of a row cover its own operations. ---- */

static void keep_round(struct row *row, double ns, uint64_t operations, double reference_ns)
{
    struct result *result = &row->result;

    row_make_room(&result->round_ns, result->rounds);
    row_make_room(&result->round_operations, result->rounds);
    result->round_operations[result->rounds] = (double)operations;
    if (reference_ns > 0 && (result->reference_round_ns || result->rounds == 0)) {
        row_make_room(&result->reference_round_ns, result->rounds);
        result->reference_round_ns[result->rounds] = reference_ns;
    } else { /* for all rounds, or for none */
        free(result->reference_round_ns);
        result->reference_round_ns = NULL;
    }
    result->round_ns[result->rounds++] = ns;
}

static void end_round(struct measure *m, struct row *row, const struct slice_sum *slice,
                      double reference_ns)
{
    const struct tally *tally = &slice->tally;
    struct slice_record record = {.cell = row->result.cell,
                                  .round = row->result.rounds + 1,
                                  .part_round = row->part_round,
                                  .began_ns = row->slice_start_ns,
                                  .elapsed_ns = slice->elapsed_ns,
                                  .time_ns = slice->time_ns,
                                  .queued_ns = slice->queued_ns,
                                  .operations = tally->operations,
                                  .reference_ns = reference_ns,
                                  .failed = tally->failed + tally->short_count,
                                  .latency_ns_sum = tally->sum_ns,
                                  .latency_ns_min = tally->min_ns,
                                  .latency_ns_max = tally->max_ns};

    row->pending_ns += slice->time_ns;
    if (tally->operations) {
        record.op_ns = (double)row->pending_ns / (double)tally->operations;
        keep_round(row, record.op_ns, tally->operations, reference_ns);
        row->pending_ns = 0;
    }
    if (m->series)
        series_add_slice(m->series, &record);
    SINKS_CALL(m->sinks, m->broken, slice, &record, m->err);
}

static void book(struct measure *m, struct row *row, const struct slice_sum *slice,
                 double reference_ns)
{
    struct result *result = &row->result;
    const uint64_t left = row_left(result->cell);

    slice_sum_merge(&result->sum, slice, SLICE_AFTER);
    for (uint32_t i = 0; result->threads && i < result->cell->threads; i++) {
        result->threads[i].operations += row->threads[i].operations;
        result->threads[i].time_ns += row->threads[i].time_ns;
    }
    result->ended_ns = clock_wall_ns();
    if (!result->began_ns)
        result->began_ns = row->slice_began_ns;
    result->left_known = left != UINT64_MAX;
    result->left_objects = result->left_known ? left : 0;
    end_round(m, row, slice, reference_ns);
}

static void book_slice(struct measure *m, struct row *row, double reference_ns)
{
    if (row->mate) {
        slice_sum_merge(row->all, m->slice, SLICE_AFTER);
        row->mate->slice_began_ns = row->slice_began_ns;
        row->mate->slice_start_ns = row->slice_start_ns;
        row->mate->part_round = row->part_round;
    }
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        book(m, row_of(row, kind), row_slice_sum(m, row, kind), reference_ns);
    if (row->mate) {
        row->result.mate_flight_ns = row->mate->result.sum.flight_ns;
        row->mate->result.mate_flight_ns = row->result.sum.flight_ns;
        row->mate->before = row->before;
        row->mate->after = row->after;
    }
    if (m->lead)
        team_lead_book(m, row);
}

static void add_failures(struct tally *into, const struct tally *from)
{
    into->failed += from->failed;
    into->short_count += from->short_count;
    into->wrong += from->wrong;
    into->mixed += from->mixed;
}

/* Adds only the failures of round 0 ... */
static void book_failures(const struct measure *m, struct row *row)
{
    if (row->mate)
        add_failures(&row->all->tally, &m->slice->tally);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        add_failures(&row_of(row, kind)->result.sum.tally, &row_slice_sum(m, row, kind)->tally);
}

static void forget_failures(struct tally *tally)
{
    tally->failed = tally->short_count = tally->wrong = tally->mixed = 0;
}

/* Whether round 0 counts, too: --max-time leaves time for few operations, each longer than a slice
 * should be, so it is not a warm-up. */
static bool counts(const struct measure *m, const struct row *row)
{
    const struct slice_sum *slice = m->slice;

    return m->sweep->end_ns && !slice_concurrent(row->result.cell) && slice->tally.operations > 0 &&
           slice->time_ns / slice->tally.operations > SLICE_NS;
}

/* ... unless few operations fit into --max-time, so that the round counts: adds the rest of it.
 * before: the share of the target in the page cache before it. */
static void book_slow(struct measure *m, struct row *row, const struct row_resident *before)
{
    if (!counts(m, row))
        return;
    row->before = *before;
    forget_failures(&m->slice->tally); /* already added to the row */
    for (int i = 0; row->mate && i < 2; i++)
        forget_failures(&m->kinds[i].tally);
    book_slice(m, row, 0);
}

/* Determines the share of the target in the page cache. For large files in memory this takes time,
 * so not every slice is examined. */
void row_see_resident(struct measure *m, const struct cell *cell, struct row_resident *seen)
{
    const struct target *target = cell->work.target;
    const uint64_t begin_ns = clock_now(m->clock);
    double share;

    if (!target->driver->resident || (cell->engine->capabilities & ENGINE_VIRTUAL) ||
        (seen->count && m->looked_ns > (begin_ns - m->begin_ns) / LOOK_SHARE))
        return;
    share = target->driver->resident(measure_target(m, cell));
    m->looked_ns += clock_now(m->clock) - begin_ns;
    if (share < 0)
        return;
    seen->sum += share;
    seen->count++;
}

/* ---- measuring ---- */

/* The time limit of round 0, which leaves most of the time to the rounds that count. 0: no
 * limit. */
static uint64_t calibrate_ns(const struct measure *m)
{
    const uint64_t now_ns = clock_now(m->clock);

    if (!m->give_up_ns)
        return 0;
    return m->part_end_ns > now_ns ? (m->part_end_ns - now_ns) / m->open / CALIBRATE_LIMIT + 1 : 1;
}

static void calibrate(struct measure *m, struct row *row)
{
    const struct slice_sum *slice = m->slice;
    const uint64_t ranks = 1 + row->result.cell->peers;
    uint64_t cycles = row_least_cycles(m, row->result.cell);

    for (;;) {
        struct slice what = {.plan = {.cycles = cycles, .duration_ns = calibrate_ns(m)}};
        struct row_resident before = {0};

        if (m->give_up_ns)
            row_see_resident(m, row->result.cell, &before);
        if (measure_part_ended(m) || take_slice(m, row, &what) < 0)
            return;
        book_failures(m, row);
        learn(m, row, &slice->tally);
        if (!slice->time_ns || !slice->tally.operations) { /* all failed: keep the slices small */
            row->slice_cycles = cycles;
            row->slice_expect_ns = SLICE_NS;
            return;
        }
        if (slice->time_ns >= (uint64_t)(SLICE_NS * m->slice_scale) / CALIBRATE_SHARE ||
            slice->cycles < ranks * cycles || cycles > UINT64_MAX / 64) {
            row_size_slices(m, row, (double)slice->time_ns / (double)slice->tally.operations);
            book_slow(m, row, &before);
            return;
        }
        cycles *= 4;
    }
}

/* Repeats round 0 until two consecutive slices take similar time, or the maximum time has
 * passed. */
static void warm_up(struct measure *m, struct row *row, uint64_t begin_ns)
{
    const struct slice_sum *slice = m->slice;
    double before_ns = 0;
    uint64_t spent_ns = 0;
    unsigned slices = 0;
    bool even = false;

    for (; !even && spent_ns < WARM_UP_NS && !measure_part_ended(m); slices++) {
        struct slice what = {.plan = {.cycles = row->slice_cycles, .duration_ns = calibrate_ns(m)}};
        double now_ns;

        if (!what.plan.duration_ns || what.plan.duration_ns > WARM_SLICE_NS)
            what.plan.duration_ns = WARM_SLICE_NS;
        if (take_slice(m, row, &what) < 0)
            return;
        book_failures(m, row);
        learn(m, row, &slice->tally);
        if (!slice->time_ns || !slice->tally.operations)
            return;
        now_ns = (double)slice->time_ns / (double)slice->tally.operations;
        even = fabs(now_ns - before_ns) < WARM_UP_SHARE * (now_ns > before_ns ? now_ns : before_ns);
        before_ns = now_ns;
        row_size_slices(m, row, now_ns);
        spent_ns = clock_now(m->clock) - begin_ns;
    }
    if (slices > 2)
        log_info("# %s: %s warmed up for %.1f s%s", row->result.cell->work.target->label,
                 test_names[row->result.cell->work.test], (double)spent_ns / 1e9,
                 even ? "" : ", and is not steady yet");
}

void row_calibrate(struct measure *m, struct row *row)
{
    const uint64_t begin_ns = clock_now(m->clock);
    const struct cell *cell = row->result.cell;

    calibrate(m, row);
    /* tests that use up or create objects would use or leave too many */
    if (target_can(cell->work.target, TARGET_WARMS_UP) && !cell->stop.cycles &&
        !test_consumes(cell->work.test) && cell->work.test != TEST_CREATE)
        warm_up(m, row, begin_ns);
    (void)row_give_time(m, clock_now(m->clock) - begin_ns);
}

/* Time of a reference cycle right before a slice; negative: unknown. */
static double see_reference(const struct measure *m, const struct row *row,
                            const struct slice *what)
{
    const uint64_t slice_ns = what->plan.clocks        ? what->plan.duration_ns
                              : what->plan.duration_ns ? what->plan.duration_ns / SLICE_OVERRUN
                                                       : row->slice_expect_ns;
    const uint64_t share_ns = slice_ns / REFERENCE_SHARE;

    if (!m->sweep->reference)
        return -1;
    return reference_measure(m->sweep->reference, m->clock,
                             share_ns < REFERENCE_LEAST_NS  ? REFERENCE_LEAST_NS
                             : share_ns > REFERENCE_MOST_NS ? REFERENCE_MOST_NS
                                                            : share_ns);
}

/* Reads the network counters before a slice; false if there are none. end_traffic adds the
 * difference since then to result->rpc. */
static bool read_traffic(const struct result *result, struct target_traffic *traffic)
{
    const struct target *target = result->cell->work.target;

    return target && target->driver && target->driver->traffic &&
           target->driver->traffic(target, traffic);
}

static void end_traffic(struct result *result, const struct target_traffic *before)
{
    struct target_traffic after;

    if (!read_traffic(result, &after))
        return;
    if (!result->rpc)
        result->rpc = mem_calloc(1, sizeof(*result->rpc));
    target_traffic_add(result->rpc, before, &after);
}

void row_measure(struct measure *m, struct row *row, unsigned round)
{
    struct result *out = &row->result;
    struct slice what = {.plan.counts = true};
    struct target_traffic before;
    uint64_t begin_ns, spent_ns;
    double reference_ns;
    bool counted;

    row->part_round = round;
    row->out_of_time = !row_plan_slice(m, row, round, &what);
    if (!m->lead) /* in a team each rank does so */
        row_cap(row, &what);
    if (row->out_of_time || row->dry)
        return;
    row_see_resident(m, out->cell, &row->before);
    reference_ns = see_reference(m, row, &what);
    begin_ns = clock_now(m->clock);
    /* traffic of kinds, or of other hosts, cannot be separated */
    counted = !row->mate && !m->lead && read_traffic(out, &before);
    if (take_slice(m, row, &what) < 0)
        return;
    if (counted)
        end_traffic(out, &before);
    spent_ns = clock_now(m->clock) - begin_ns;
    if (row_ends_by_itself(m, out->cell))
        (void)row_give_time(m, spent_ns);
    row_see_resident(m, out->cell, &row->after);
    row->slices++;
    /* The reference is too short to include competition for the processor, which the threads of the
     * slice experienced. */
    if (m->slice->cpu_ns)
        reference_ns *= 1 + (double)m->slice->queued_ns / (double)m->slice->cpu_ns;
    book_slice(m, row, reference_ns);
    learn(m, row, &row_sum(row)->tally);
    if (!row_sum(row)->tally.operations)
        return;
    row_size_slices(m, row, (double)row_sum(row)->time_ns / (double)row_sum(row)->tally.operations);
}

void row_settle(struct row *row)
{
    struct result *result = &row->result;
    const unsigned last = result->rounds - 1;

    /* time without further complete operations is added to the last round, so that the mean covers
     * all time of the row */
    if (result->rounds && row->pending_ns)
        result->round_ns[last] += (double)row->pending_ns / result->round_operations[last];
    row->pending_ns = 0;
    if (row->before.count)
        result->resident_fraction_before = row->before.sum / row->before.count;
    if (row->after.count)
        result->resident_fraction = row->after.sum / row->after.count;
    result->device_known = result->device_known && result->sum.io_known && result->rounds;
    if (!result->rpc || result->device_known || !result->rounds)
        return;
    result->sum.device_bytes = result->rpc->server_read_bytes;
    if (result->cell->work.test == TEST_WRITE)
        result->sum.device_bytes += result->rpc->server_write_bytes;
    result->device_known = true;
}
