/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.c - slices of one row.  A slice is a number of cycles between two clock readings; its time
 * per operation is one value of the row's statistics. */
#include "base/compat.h"

#include "run/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "run/reference.h"
#include "run/sweep.h"
#include "run/window.h"

#define CALIBRATE_SHARE 10 /* calibration ends with a slice of 1/10 of the wanted time */
#define CALIBRATE_LIMIT 4  /* and takes 1/4 of the time that a limit leaves for the row */
#define RATE_LATENCIES  50 /* with a schedule a slice lasts so many latencies ... */
#define RATE_SLICE_NS   UINT64_C(200000000) /* ... but no longer */
#define CRUMB_RATIO     1.1
#define SPARE           1.3 /* objects made for operations that use them up: more than expected */
#define GRANT_SLICES    3   /* long slices that each row gets the time for */
#define WARM_UP_SHARE   0.2 /* so much two slices may differ when a server is warm ... */
#define WARM_UP_NS      UINT64_C(2000000000) /* ... and no longer that is waited for ... */
#define WARM_SLICE_NS   UINT64_C(200000000)  /* ... slice by slice, each no longer than this */
#define RESTART_RATIO   2                    /* the ramp ought to have been so many times as long */
#define RESTART_SLICES  2                    /* so much is dropped at most */
#define RESTARTS_MOST   3

/* Looks whether the objects are still what they were; if not, nothing more is measured. */
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

/* What one operation moves when memory has nothing of it: past the page cache what it asks for,
 * else whole pages, but no more than there is in a file. */
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
    result->resident_before_fraction = result->resident_fraction = -1;
    result->submit_known =
        engine_in_flight(cell->engine, cell->work.depth) && cell->engine->async->submit;
    if (cell->skip)
        return;
    row->streams = mem_calloc(cell->threads, sizeof(*row->streams));
    row->threads = mem_calloc(cell->threads, sizeof(*row->threads));
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

void row_forget_rounds(struct row *row)
{
    free(row->result.round_ns);
    free(row->result.reference_round_ns);
    row->result.round_ns = row->result.reference_round_ns = NULL;
}

void row_free(struct row *row)
{
    free(row->all);
    free(row->streams);
    free(row->threads);
    free(row->result.threads);
    free(row->order);
    row_forget_rounds(row);
    free(row->result.rpc);
}

/* Every place is asked for, and no time limit: it takes what it takes. */
static bool ends_by_itself(const struct measure *m, const struct cell *cell)
{
    return m->may_grant && cell->work.access == ACCESS_ONCE;
}

/* Runs a slice of a row into m->slice. */
static int take_slice(struct measure *m, struct row *row, struct slice *what)
{
    const struct tally *tally = &m->slice->tally;
    const struct cell *cell = row->result.cell;

    row->slice_began_ns = clock_wall_ns();
    what->cell = cell;
    what->streams = row->streams;
    what->threads = row->threads;
    what->order = row->order;
    if (row->mate) {
        what->mate = row->mate->result.cell;
        what->mate_threads = row->mate->threads;
        what->sums = m->kinds;
    }
    what->give_up_ns = m->give_up_ns;
    if (!what->deadline_ns)
        what->deadline_ns = ends_by_itself(m, cell) ? UINT64_MAX : m->part_end_ns;
    if (guard(m, cell) < 0)
        return -1;
    if (worker_run(m->pool, what, m->slice, m->err) < 0) {
        const struct error why = *m->err;
        if (measure_exhausted(m, cell->work.target))
            return -1;
        *m->err = ERROR_INIT; /* what took the place of an object is the better reason */
        if (guard(m, cell) < 0)
            return -1;
        *m->err = why;
        /* What was measured before is worth printing: not the target as a whole is unusable. */
        if (m->measured && m->err->status == STATUS_TARGET)
            m->err->status = STATUS_PARTIAL;
        m->broken = true;
        return -1;
    }
    m->measured = true;
    if ((test_changes(cell->work.test) || tally->failed || tally->short_count) &&
        guard(m, cell) < 0)
        return -1; /* what was measured may be that of another file */
    row_note_all(m, row);
    if (target_exhausted(cell->work.target, NULL, 0))
        m->exhausted = true;
    row->idle = m->slice->cycles ? 0 : row->idle + 1;
    return 0;
}

/* A schedule decides how many operations are in flight, not the depth. */
static uint64_t least_cycles(const struct measure *m, const struct cell *cell)
{
    return m->settings->rate ? SLICE_CYCLES_MIN : slice_least_cycles(cell);
}

/* --time is spread over as many rounds as fit, and as --rounds allows. */
unsigned row_time_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t fit = cell->stop.time_ns / slice_wanted_ns(cell);

    return (unsigned)(fit < settings->rounds_min   ? settings->rounds_min
                      : fit > settings->rounds_max ? settings->rounds_max
                                                   : fit);
}

static uint64_t rounds_left(uint64_t of, const struct row *row)
{
    const unsigned done = row->provisional ? 0 : row->result.rounds;

    return of > done ? of - done : 1;
}

uint64_t row_time_left(const struct row *row)
{
    const uint64_t all_ns = row->result.cell->stop.time_ns;
    const uint64_t done_ns = row->provisional ? 0 : row->result.sum.elapsed_ns;

    return all_ns > done_ns ? all_ns - done_ns : 0;
}

/* With a schedule, what is late at the end of a slice must be little against its length. */
static uint64_t schedule_slice_ns(const struct row *row)
{
    const struct tally *tally = &row_sum_seen(row)->tally;
    const uint64_t ns = tally->operations ? tally->sum_ns / tally->operations * RATE_LATENCIES : 0;

    return ns < RATE_SLICE_NS ? ns : RATE_SLICE_NS;
}

/* How long a slice is to be, if latencies allow. */
static uint64_t wanted_slice_ns(const struct measure *m, const struct row *row)
{
    const struct settings *settings = m->settings;
    const uint64_t left_ns = row_time_left(row);
    uint64_t ns = (uint64_t)((double)slice_wanted_ns(row->result.cell) * m->slice_scale), least_ns;

    if (row->result.cell->stop.time_ns)
        ns = left_ns / rounds_left(row_time_rounds(settings, row->result.cell), row);
    if (!settings->rate)
        return ns;
    least_ns = schedule_slice_ns(row);
    if (row->result.cell->stop.time_ns &&
        least_ns > left_ns / rounds_left(settings->rounds_min, row))
        least_ns = left_ns / rounds_left(settings->rounds_min, row);
    return ns > least_ns ? ns : least_ns;
}

/* How many cycles fill a slice when one takes so long.  Looked at anew after each round: a first
 * guess made in a bad moment does not stay. */
static void size_slices(const struct measure *m, struct row *row, double per_cycle_ns)
{
    const uint64_t fill = (uint64_t)((double)wanted_slice_ns(m, row) / per_cycle_ns);
    const uint64_t min = least_cycles(m, row->result.cell);

    row->slice_cycles = fill > min ? fill : min;
    row->slice_expect_ns = (uint64_t)(per_cycle_ns * (double)row->slice_cycles);
}

/* How long operations take, which decides how long windows are.  Those that fail after a long time
 * do so, too, where a time was asked for: short windows would be lost among the time in which they
 * are waited for. */
static void learn(struct row *row, const struct tally *tally)
{
    const uint64_t sampled = tally_sampled(tally), bad = tally->failed + tally->short_count;
    const bool hang =
        row->result.cell->stop.time_ns && bad &&
        (double)tally->hung_ns > WINDOW_REACH_SHARE * (double)(tally->hung_ns + tally->sum_ns);

    if (!sampled && !hang)
        return;
    row->reach_ns = window_reach_ns(&tally->latency);
    if (hang && tally->hung_max_ns > row->reach_ns)
        row->reach_ns = tally->hung_max_ns;
    row->mean_ns = (double)(tally->sum_ns + (hang ? tally->hung_ns : 0)) /
                   (double)(sampled + (hang ? bad : 0));
}

/* What one slice has to do so that filling and draining the queue are little of it. */
static uint64_t whole_cycles(const struct cell *cell)
{
    return slice_concurrent(cell) ? slice_least_cycles(cell) / SLICE_CYCLES_MIN * SLICE_CYCLES_ALL
                                  : SLICE_CYCLES_MIN;
}

/* With --per-thread all rounds are whole cycles of each thread. */
static uint64_t unit_cycles(const struct settings *settings, const struct cell *cell)
{
    return settings->per_thread ? cell->threads : 1;
}

unsigned row_fixed_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t units = cell->stop.cycles / unit_cycles(settings, cell);
    const uint64_t fit = cell->stop.cycles / whole_cycles(cell), most = fit < units ? fit : units;

    if (most < 1)
        return 1;
    return (unsigned)(settings->rounds_min < most ? settings->rounds_min : most);
}

/* A number of cycles: so many in each of a number of rounds. */
static uint64_t cycles_of_round(const struct measure *m, const struct row *row, unsigned round)
{
    const struct cell *cell = row->result.cell;
    const uint64_t unit = unit_cycles(m->settings, cell), n = cell->stop.cycles / unit;
    const uint64_t rounds = row_fixed_rounds(m->settings, cell);
    /* Fewer places than asked for: what is no whole cycle of each thread comes last. */
    const uint64_t rest = round == rounds ? cell->stop.cycles % unit : 0;

    return (n / rounds + (round - 1 < n % rounds ? 1 : 0)) * unit + rest;
}

/* Operations that need objects made for them must know their number before. */
static uint64_t cycles_in(const struct row *row, uint64_t ns)
{
    const struct cell *cell = row->result.cell;
    const double slots = (double)cell->threads * cell->work.depth;
    const uint64_t least = slice_least_cycles(cell);
    uint64_t cycles;

    if (!test_consumes(cell->work.test))
        return UINT64_MAX;
    if (row->mean_ns <= 0) /* nothing is known of them: all have failed */
        return least;
    cycles = (uint64_t)(SPARE * slots * (double)ns / row->mean_ns);
    return cycles > least ? cycles : least;
}

/* Time that nobody limited is given to rows with slices longer than usual. */
static void grant(struct measure *m, struct row *row, uint64_t slice_ns)
{
    const uint64_t wanted_ns = GRANT_SLICES * slice_ns;

    if (!m->may_grant || m->part_end_ns == UINT64_MAX ||
        wanted_ns <= SWEEP_ROW_TIME_NS + row->granted_ns)
        return;
    m->granted_ns += wanted_ns - SWEEP_ROW_TIME_NS - row->granted_ns;
    m->part_end_ns += wanted_ns - SWEEP_ROW_TIME_NS - row->granted_ns;
    row->granted_ns = wanted_ns - SWEEP_ROW_TIME_NS;
}

/* Returns false when there is no time left for one. */
static bool plan_window(struct measure *m, struct row *row, struct slice *what)
{
    const struct settings *settings = m->settings;
    const uint64_t now_ns = clock_now(m->clock), around_ns = (WINDOW_RAMP + 1) * row->reach_ns;
    const uint64_t base_ns = (uint64_t)((double)slice_wanted_ns(row->result.cell) * m->slice_scale);
    const uint64_t least_ns = window_least_ns(row->reach_ns, row->mean_ns, base_ns);
    uint64_t length_ns = least_ns, rounds;
    struct window window;

    if (row->result.cell->stop.time_ns) {
        const uint64_t left_ns = row_time_left(row);
        const uint64_t left = rounds_left(row_time_rounds(settings, row->result.cell), row);
        const uint64_t fit = left_ns / least_ns ? left_ns / least_ns : 1;
        const uint64_t slices = fit < left ? fit : left;
        length_ns = left_ns / slices;
        rounds = left / slices;
    } else {
        if (length_ns > WINDOW_MOST_NS) /* one very long operation is no reason to wait for ever */
            length_ns = base_ns > WINDOW_MOST_NS ? base_ns : WINDOW_MOST_NS;
        grant(m, row, length_ns + (around_ns < 2 * length_ns ? around_ns : 2 * length_ns));
        rounds = length_ns / base_ns < WINDOW_BATCHES ? length_ns / base_ns : WINDOW_BATCHES;
        if (rounds > rounds_left(settings->rounds_max, row))
            rounds = rounds_left(settings->rounds_max, row);
    }
    if (m->part_end_ns != UINT64_MAX && now_ns + around_ns + length_ns > m->part_end_ns) {
        const uint64_t room_ns = m->part_end_ns > now_ns ? m->part_end_ns - now_ns : 0;
        if (row->result.rounds && room_ns < around_ns + least_ns / 4)
            return false;
        length_ns = room_ns > 2 * around_ns ? room_ns - around_ns : room_ns / 2;
    }
    if (!length_ns)
        return false;
    window = window_make(row->reach_ns, length_ns, rounds);
    what->ramp_ns = window.ramp_ns;
    what->batch_ns = window.batch_ns;
    what->batches = window.batches;
    what->deadline_ns = UINT64_MAX;
    what->cycles = cycles_in(row, length_ns + around_ns);
    return true;
}

/* -n with a time: its rounds share what is left of it, and no row takes the time of the others.  0:
 * no limit. */
static uint64_t fair_share_ns(const struct measure *m, const struct row *row)
{
    const uint64_t now_ns = clock_now(m->clock);
    const unsigned rounds = row_fixed_rounds(m->settings, row->result.cell);
    const uint64_t left = row->slices < rounds ? rounds - row->slices : 1;
    const uint64_t own_ns = row->result.cell->stop.time_ns ? row_time_left(row) / left + 1 : 0;
    uint64_t most_ns;

    if (m->part_end_ns == UINT64_MAX || ends_by_itself(m, row->result.cell))
        return own_ns;
    most_ns = m->part_end_ns > now_ns ? (m->part_end_ns - now_ns) / m->open / left + 1 : 1;
    return own_ns && own_ns < most_ns ? own_ns : most_ns;
}

/* One operation at a time, a schedule, or a number of operations to be kept. */
static bool plan_plain(const struct measure *m, const struct row *row, unsigned round,
                       struct slice *what)
{
    const struct settings *settings = m->settings;
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t left_ns = row_time_left(row);

    what->cycles = row->slice_cycles;
    if (stop->cycles) {
        const uint64_t cycles = cycles_of_round(m, row, round);
        const uint64_t missing = stop->cycles - row_sum_seen(row)->cycles;
        what->cycles = cycles < missing ? cycles : missing;
        what->duration_ns = fair_share_ns(m, row);
    } else if (stop->time_ns && settings->rate) {
        const double due = (double)left_ns * (double)settings->rate / 1e9 + 0.5;
        if (due < CRUMB_RATIO * (double)what->cycles) /* no round for the few that would be left */
            what->cycles = due < 1 ? 1 : (uint64_t)due;
    } else if (stop->time_ns) {
        what->duration_ns = wanted_slice_ns(m, row);
        what->cycles = cycles_in(row, what->duration_ns);
    } else {
        what->duration_ns =
            SLICE_OVERRUN * (row->slice_expect_ns > SLICE_NS ? row->slice_expect_ns : SLICE_NS);
    }
    return true;
}

/* As if no slice had been run; failures are kept. */
static void drop_measured(struct row *row)
{
    struct result *out = &row->result;

    if (row->mate) {
        slice_sum_forget_times(row->all);
        drop_measured(row->mate);
    }
    slice_sum_forget_times(&out->sum);
    memset(out->threads, 0, out->cell->threads * sizeof(*out->threads));
    out->began_ns = out->ended_ns = 0;
    out->rounds = 0;
    row_forget_rounds(row);
    row->before = row->after = (struct row_resident){0};
    row->pending_ns = 0;
    row->pending_done = 0;
    row->slices = 0;
    row->provisional = false;
}

/* The first windows came after too short a ramp: slow operations showed up that round 0 had not
 * seen.  What they measured is dropped, as round 0 is. */
static bool restart(const struct measure *m, struct row *row, uint64_t reach_ns)
{
    const uint64_t now_ns = clock_now(m->clock);

    /* A time limit leaves no room for another: better this than none. */
    if (m->part_end_ns != UINT64_MAX && !m->may_grant &&
        now_ns + 2 * window_least_ns(row->reach_ns, row->mean_ns, SLICE_NS) * m->open >
            m->part_end_ns)
        return false;
    if (row->reach_ns <= RESTART_RATIO * reach_ns || row->slices > RESTART_SLICES ||
        row->restarts >= RESTARTS_MOST)
        return false;
    drop_measured(row);
    row->restarts++;
    return true;
}

/* Time limits: round 0 leaves most of it to the rounds that count.  0: no limit. */
static uint64_t calibrate_ns(const struct measure *m)
{
    const uint64_t now_ns = clock_now(m->clock);

    if (!m->settings->max_time_ns)
        return 0;
    return m->part_end_ns > now_ns ? (m->part_end_ns - now_ns) / m->open / CALIBRATE_LIMIT + 1 : 1;
}

/* To find out how slow a target is does not take the time to measure it. */
static void give_back(struct measure *m, uint64_t spent_ns)
{
    if (!m->may_grant || m->part_end_ns == UINT64_MAX)
        return;
    m->granted_ns += spent_ns;
    m->part_end_ns += spent_ns;
}

static void calibrate(struct measure *m, struct row *row)
{
    const struct slice_sum *slice = m->slice;
    uint64_t cycles = least_cycles(m, row->result.cell);

    for (;;) {
        struct slice what = {.cycles = cycles, .duration_ns = calibrate_ns(m)};
        if (measure_part_ended(m) || take_slice(m, row, &what) < 0)
            return;
        row_book_failures(m, row);
        learn(row, &slice->tally);
        if (!slice->time_ns || !slice->tally.operations) { /* all failed: keep the slices small */
            row->slice_cycles = cycles;
            row->slice_expect_ns = SLICE_NS;
            return;
        }
        if (slice->time_ns >= (uint64_t)(SLICE_NS * m->slice_scale) / CALIBRATE_SHARE ||
            slice->cycles < cycles || cycles > UINT64_MAX / 64) {
            size_slices(m, row, (double)slice->time_ns / (double)slice->tally.operations);
            if (m->settings->max_time_ns)
                row_keep_provisional(m, row);
            return;
        }
        cycles *= 4;
    }
}

/* Such as use up objects, or make them, would take or leave too many. */
static bool warms_up(const struct cell *cell)
{
    return target_can(cell->work.target, TARGET_WARMS_UP) && !cell->stop.cycles &&
           !test_consumes(cell->work.test) && cell->work.test != TEST_CREATE;
}

/* Round 0 once more, until two in a row take much the same time, or for long enough. */
static void warm_up(struct measure *m, struct row *row, uint64_t begin_ns)
{
    const struct slice_sum *slice = m->slice;
    double before_ns = 0;
    uint64_t spent_ns = 0;
    unsigned slices = 0;
    bool even = false;

    for (; !even && spent_ns < WARM_UP_NS && !measure_part_ended(m); slices++) {
        struct slice what = {.cycles = row->slice_cycles, .duration_ns = calibrate_ns(m)};
        double now_ns;

        if (!what.duration_ns || what.duration_ns > WARM_SLICE_NS)
            what.duration_ns = WARM_SLICE_NS;
        if (take_slice(m, row, &what) < 0)
            return;
        row_book_failures(m, row);
        learn(row, &slice->tally);
        if (!slice->time_ns || !slice->tally.operations)
            return;
        now_ns = (double)slice->time_ns / (double)slice->tally.operations;
        even = fabs(now_ns - before_ns) < WARM_UP_SHARE * (now_ns > before_ns ? now_ns : before_ns);
        before_ns = now_ns;
        size_slices(m, row, now_ns);
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

    calibrate(m, row);
    if (warms_up(row->result.cell))
        warm_up(m, row, begin_ns);
    give_back(m, clock_now(m->clock) - begin_ns);
}

/* Operations in flight that are neither counted (-n) nor on a schedule are timed in a window.  Nor
 * checked: what checking took can be told from the time of operations only where it is over.  Nor
 * by engines that wait for each, of objects made for them: these would run out inside. */
static bool has_window(const struct settings *settings, const struct cell *cell)
{
    const bool counted =
        test_consumes(cell->work.test) && !engine_in_flight(cell->engine, cell->work.depth);

    return slice_concurrent(cell) && !cell->stop.cycles && !settings->rate && !cell->verified &&
           !counted;
}

/* The reference is too short to see how others take turns on the processor; the threads of the
 * slice have seen it. */
static double stretch(const struct slice_sum *slice)
{
    return slice->cpu_ns ? 1 + (double)slice->queued_ns / (double)slice->cpu_ns : 1;
}

void row_measure(struct measure *m, struct row *row, unsigned round)
{
    const bool windowed = has_window(m->settings, row->result.cell);
    const uint64_t reach_ns = row->reach_ns;
    struct result *out = &row->result;
    struct slice what = {0};
    struct target_traffic before;
    uint64_t begin_ns, spent_ns;
    double reference_ns;
    bool counted;

    row->out_of_time = !(windowed ? plan_window(m, row, &what) : plan_plain(m, row, round, &what));
    row_cap(row, &what);
    if (row->out_of_time || row->dry)
        return;
    if (row->provisional)
        drop_measured(row);
    row_see_resident(m, out->cell, &row->before);
    reference_ns = row_see_reference(m, row, &what);
    begin_ns = clock_now(m->clock);
    counted = !row->mate && row_traffic_read(out, &before); /* it cannot be told apart */
    if (take_slice(m, row, &what) < 0)
        return;
    if (counted)
        row_traffic_end(out, &before);
    spent_ns = clock_now(m->clock) - begin_ns;
    row->spent_ns += spent_ns;
    if (ends_by_itself(m, out->cell))
        give_back(m, spent_ns);
    row_see_resident(m, out->cell, &row->after);
    row->slices++;
    row_book(m, row, reference_ns * stretch(m->slice));
    learn(row, &row_sum(row)->tally);
    if (windowed && restart(m, row, reach_ns)) {
        give_back(m, spent_ns);
        return;
    }
    if (!row_sum(row)->tally.operations)
        return;
    size_slices(m, row, (double)row_sum(row)->time_ns / (double)row_sum(row)->tally.operations);
}
