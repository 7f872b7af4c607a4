/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_plan.c - what the next slice of a row is to be: how long or how many cycles, with or without
 * clocks, and within which limits. */
#include "base/compat.h"

#include "run/row.h"

#include "base/number.h"
#include "run/slice_length.h"
#include "run/sweep.h"
#include "run/team_work.h"

#define RATE_LATENCIES 50 /* with a schedule a slice lasts this many latencies ... */
#define RATE_SLICE_NS  UINT64_C(200000000) /* ... but no longer */
#define CRUMB_RATIO    1.1
#define SPARE          1.3 /* objects made for operations that use them up: more than expected */
#define GRANT_SLICES   8   /* long slices that each row gets the time for */

/* Every place is asked for, and no time limit: it takes what it takes. */
bool row_ends_by_itself(const struct measure *m, const struct cell *cell)
{
    return m->may_grant && cell->work.access == ACCESS_ONCE;
}

/* A schedule decides how many operations are in flight, not the depth. */
uint64_t row_least_cycles(const struct measure *m, const struct cell *cell)
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

bool row_runs_out(const struct row *row)
{
    const struct workload *work = &row->result.cell->work;

    return test_consumes(work->test) || work->access == ACCESS_ONCE;
}

bool row_empty(const struct slice_sum *sum)
{
    return !sum->tally.operations && !sum->tally.failed && !sum->tally.short_count;
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

static uint64_t base_ns(const struct measure *m, const struct row *row)
{
    const uint64_t ns = (uint64_t)((double)slice_wanted_ns(row->result.cell) * m->slice_scale);
    const uint64_t team_ns = team_lead_slice_ns(m);

    return ns > team_ns ? ns : team_ns;
}

/* How long a slice is to be, if latencies allow. */
static uint64_t wanted_slice_ns(const struct measure *m, const struct row *row)
{
    const struct settings *settings = m->settings;
    const uint64_t left_ns = row_time_left(row);
    uint64_t ns = base_ns(m, row), least_ns;

    if (row->result.cell->stop.time_ns)
        ns = left_ns / rounds_left(row_time_rounds(settings, row->result.cell), row);
    if (!ns)
        ns = 1; /* 0 would be no limit */
    if (!settings->rate)
        return ns;
    least_ns = schedule_slice_ns(row);
    if (row->result.cell->stop.time_ns &&
        least_ns > left_ns / rounds_left(settings->rounds_min, row))
        least_ns = left_ns / rounds_left(settings->rounds_min, row);
    return ns > least_ns ? ns : least_ns;
}

uint64_t row_missing(const struct row *row)
{
    const uint64_t all = row->result.cell->stop.cycles, done = row_sum_seen(row)->cycles;

    if (row->team)
        return row->team->skews ? row->team->missing : all;
    return all > done ? all - done : 0;
}

void row_size_slices(const struct measure *m, struct row *row, double per_cycle_all_ns)
{
    /* of this rank: this many take it at the same time */
    const double per_cycle_ns = per_cycle_all_ns * (1 + (double)row->result.cell->peers);
    const uint64_t fill = (uint64_t)((double)wanted_slice_ns(m, row) / per_cycle_ns);
    const uint64_t min = row_least_cycles(m, row->result.cell);

    row->slice_cycles = fill > min ? fill : min;
    row->slice_expect_ns = (uint64_t)(per_cycle_ns * (double)row->slice_cycles);
}

/* With -n N/thread all rounds are whole cycles of each thread. */
static uint64_t unit_cycles(const struct cell *cell)
{
    return cell->stop.per_thread ? cell->threads : 1;
}

unsigned row_fixed_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t units = cell->stop.cycles / unit_cycles(cell);
    /* what one slice has to do so that filling and draining the queue are little of it */
    const uint64_t whole = slice_concurrent(cell)
                               ? slice_least_cycles(cell) / SLICE_CYCLES_MIN * SLICE_CYCLES_ALL
                               : SLICE_CYCLES_MIN;
    const uint64_t fit = cell->stop.cycles / whole, most = fit < units ? fit : units;

    if (most < 1)
        return 1;
    return (unsigned)(settings->rounds_min < most ? settings->rounds_min : most);
}

/* A number of cycles: so many in each of a number of rounds. */
static uint64_t cycles_of_round(const struct measure *m, const struct row *row, unsigned round)
{
    const struct cell *cell = row->result.cell;
    const uint64_t unit = unit_cycles(cell), n = cell->stop.cycles / unit;
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

/* Time without a limit is given to rows with slices longer than usual. */
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

/* --time: as many slices as are wanted and long enough; where there is room for the least of rounds
 * longer ones, of which less warms up and keeps the load on; and where there is none for four of
 * those, four shorter ones. */
static uint64_t timed_slice_ns(const struct measure *m, const struct row *row, uint64_t least_ns)
{
    const uint64_t left_ns = row_time_left(row);
    const uint64_t wanted = rounds_left(row_time_rounds(m->settings, row->result.cell), row);
    const uint64_t fewest = rounds_left(SLICES_LEAST, row);
    const uint64_t few = rounds_left(m->settings->rounds_min, row);
    const uint64_t easy_ns = (uint64_t)(SLICE_EASY_MEANS * row->mean_ns);
    uint64_t fit = left_ns / least_ns;

    if (fit > few && easy_ns > least_ns)
        fit = left_ns / easy_ns > few ? left_ns / easy_ns : few;
    return left_ns / (fit > wanted ? wanted : fit < fewest ? fewest : fit) + 1;
}

/* Returns false when there is no time left for one. */
static bool plan_clocks(struct measure *m, struct row *row, struct slice *what)
{
    const uint64_t now_ns = clock_now(m->clock);
    const uint64_t least_ns = slice_least_ns(row->reach_ns, row->mean_ns, base_ns(m, row));
    uint64_t length_ns = least_ns;

    if (row->result.cell->stop.time_ns)
        length_ns = timed_slice_ns(m, row, least_ns);
    else
        grant(m, row, length_ns);
    if (m->part_end_ns != UINT64_MAX && now_ns + length_ns > m->part_end_ns) {
        const uint64_t room_ns = number_minus(m->part_end_ns, now_ns);
        if (row->result.rounds && room_ns < least_ns / SLICES_LEAST)
            return false;
        length_ns = room_ns;
    }
    if (!length_ns)
        return false;
    row->hurried = row->hurried || length_ns < least_ns;
    what->clocks = true;
    what->duration_ns = length_ns;
    what->load_ns = row->team ? row->reach_ns : 0; /* ranks do not know of each other's clocks */
    what->p99_ns = row->p99_ns;
    what->deadline_ns = UINT64_MAX;
    what->cycles = UINT64_MAX;
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

    if (m->part_end_ns == UINT64_MAX || row_ends_by_itself(m, row->result.cell))
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
        const uint64_t missing = row_missing(row);
        what->cycles = cycles < missing ? cycles : missing;
        what->duration_ns = fair_share_ns(m, row);
    } else if (stop->time_ns && settings->rate) {
        const double due = (double)left_ns * settings_own_rate(settings) / 1e9 + 0.5;
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

/* Every operation counts where their number is given, on a schedule, where each place or name is
 * there once, and where operations are checked: what that took can be told from the time of
 * operations only where these are over. */
static bool has_clocks(const struct settings *settings, const struct cell *cell)
{
    const enum io_test test = cell->work.test;

    return slice_concurrent(cell) && !cell->stop.cycles && !settings->rate && !cell->verified &&
           cell->work.access != ACCESS_ONCE && !test_consumes(test) && !test_makes_names(test) &&
           test != TEST_APPEND && test != TEST_RENAME;
}

bool row_plan_slice(struct measure *m, struct row *row, unsigned round, struct slice *what)
{
    return has_clocks(m->settings, row->result.cell) ? plan_clocks(m, row, what)
                                                     : plan_plain(m, row, round, what);
}
