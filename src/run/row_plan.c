/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_plan.c - the next slice of a row: how long or how many cycles, with or without clocks, and
 * within which limits; and when the row has what was requested, or ends without it. */
#include "base/compat.h"

#include "run/row.h"

#include "base/number.h"
#include "run/sweep.h"
#include "run/team_work.h"

#define RATE_LATENCIES 50 /* with a schedule a slice lasts this many latencies ... */
#define RATE_SLICE_NS  UINT64_C(200000000) /* ... but no longer */
#define CRUMB_RATIO    1.1
#define SPARE          1.3   /* factor of objects created for operations that use them up */
#define GRANT_SLICES   8     /* long slices for which each row is granted time */
#define TIME_SHARE     0.999 /* share of --time that completes a row: windows are rounded down */
#define WAIT_NS        UINT64_C(2000000000) /* a row waits this long for its first operation */
#define IDLE_MOST      3 /* consecutive slices in which no operation could begin */

uint64_t slice_reach_ns(const struct hist *latency)
{
    double all_ns = 0, longer_ns = 0;

    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        all_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
    for (unsigned i = HIST_BUCKETS - 1; i > 0; i--) {
        longer_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
        if (longer_ns > SLICE_REACH_SHARE * all_ns)
            return hist_lower_ns(i + 1 < HIST_BUCKETS ? i + 1 : i);
    }
    return 0;
}

uint64_t slice_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns)
{
    return number_most(number_most(base_ns, (uint64_t)(SLICE_MEANS * mean_ns)),
                       number_least(SLICE_REACHES * reach_ns, SLICE_MOST_NS));
}

/* All places are requested without a time limit. */
bool row_ends_by_itself(const struct measure *m, const struct cell *cell)
{
    return m->may_grant && cell->work.access == ACCESS_ONCE;
}

/* A schedule decides how many operations are in flight, not the depth. */
uint64_t row_least_cycles(const struct measure *m, const struct cell *cell)
{
    return m->settings->rate ? SLICE_CYCLES_MIN : slice_least_cycles(cell);
}

/* --time is spread over as many rounds as fit, within --rounds. */
unsigned row_time_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t fit = cell->stop.time_ns / slice_wanted_ns(cell);

    return (unsigned)number_most(settings->rounds_min, number_least(settings->rounds_max, fit));
}

static uint64_t rounds_left(uint64_t of, const struct row *row)
{
    return number_most(number_minus(of, row->result.rounds), 1);
}

static bool runs_out(const struct row *row)
{
    const struct workload *work = &row->result.cell->work;

    return test_consumes(work->test) || work->access == ACCESS_ONCE;
}

static bool is_empty(const struct slice_sum *sum)
{
    return !sum->tally.operations && !sum->tally.failed && !sum->tally.short_count;
}

uint64_t row_time_left(const struct row *row)
{
    return number_minus(row->result.cell->stop.time_ns, row->result.sum.elapsed_ns);
}

/* With a schedule, the delay at the end of a slice must be small compared with its length. */
static uint64_t schedule_slice_ns(const struct row *row)
{
    const struct tally *tally = &row_sum(row)->tally;

    return number_least(tally->operations ? tally->sum_ns / tally->operations * RATE_LATENCIES : 0,
                        RATE_SLICE_NS);
}

static uint64_t base_ns(const struct measure *m, const struct row *row)
{
    return number_most((uint64_t)((double)slice_wanted_ns(row->result.cell) * m->slice_scale),
                       team_lead_slice_ns(m));
}

/* The desired length of a slice, if latencies allow. */
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
    if (row->result.cell->stop.time_ns)
        least_ns = number_least(least_ns, left_ns / rounds_left(settings->rounds_min, row));
    return number_most(ns, least_ns);
}

static uint64_t missing_cycles(const struct row *row)
{
    const uint64_t all = row->result.cell->stop.cycles;

    if (row->team)
        return row->team->skews ? row->team->missing : all;
    return number_minus(all, row_sum(row)->cycles);
}

void row_size_slices(const struct measure *m, struct row *row, double per_cycle_all_ns)
{
    /* per rank: all ranks run cycles at the same time */
    const double per_cycle_ns = per_cycle_all_ns * (1 + (double)row->result.cell->peers);
    const uint64_t fill = (uint64_t)((double)wanted_slice_ns(m, row) / per_cycle_ns);

    row->slice_cycles = number_most(fill, row_least_cycles(m, row->result.cell));
    row->slice_expect_ns = (uint64_t)(per_cycle_ns * (double)row->slice_cycles);
}

/* With -n N/thread each round consists of whole cycles of each thread. */
static uint64_t unit_cycles(const struct cell *cell)
{
    return cell->stop.per_thread ? cell->threads : 1;
}

unsigned row_fixed_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t units = cell->stop.cycles / unit_cycles(cell);
    /* cycles of a slice that make filling and draining the queue a small share */
    const uint64_t whole = slice_concurrent(cell)
                               ? slice_least_cycles(cell) / SLICE_CYCLES_MIN * SLICE_CYCLES_ALL
                               : SLICE_CYCLES_MIN;
    const uint64_t most = number_least(cell->stop.cycles / whole, units);

    return most < 1 ? 1 : (unsigned)number_least(settings->rounds_min, most);
}

/* The number of cycles in a round, for a fixed total number. */
static uint64_t cycles_of_round(const struct measure *m, const struct row *row, unsigned round)
{
    const struct cell *cell = row->result.cell;
    const uint64_t unit = unit_cycles(cell), n = cell->stop.cycles / unit;
    const uint64_t rounds = row_fixed_rounds(m->settings, cell);
    /* Fewer places than requested: the remainder that is not a whole cycle of each thread comes
     * last. */
    const uint64_t rest = round == rounds ? cell->stop.cycles % unit : 0;

    return (n / rounds + (round - 1 < n % rounds ? 1 : 0)) * unit + rest;
}

/* The cycles in a time, for operations that need a number of objects created in advance. */
static uint64_t cycles_in(const struct row *row, uint64_t ns)
{
    const struct cell *cell = row->result.cell;
    const double slots = (double)cell->threads * cell->work.depth;
    const uint64_t least = slice_least_cycles(cell);

    if (!test_consumes(cell->work.test))
        return UINT64_MAX;
    if (row->mean_ns <= 0) /* unknown: all have failed */
        return least;
    return number_most((uint64_t)(SPARE * slots * (double)ns / row->mean_ns), least);
}

/* Grants extra time to rows with slices longer than usual, if there is no limit. */
static void grant(struct measure *m, struct row *row, uint64_t slice_ns)
{
    const uint64_t extra_ns = number_minus(GRANT_SLICES * slice_ns, SWEEP_ROW_TIME_NS);

    if (extra_ns <= row->granted_ns || !row_give_time(m, extra_ns - row->granted_ns))
        return;
    row->granted_ns = extra_ns;
}

/* --time: the desired number of slices of sufficient length; longer ones, with a smaller share of
 * warm-up and load, if the minimum of rounds still fits; and four shorter ones if not even four
 * fit. */
static uint64_t timed_slice_ns(const struct measure *m, const struct row *row, uint64_t least_ns)
{
    const uint64_t left_ns = row_time_left(row);
    const uint64_t wanted = rounds_left(row_time_rounds(m->settings, row->result.cell), row);
    const uint64_t fewest = rounds_left(SLICES_LEAST, row);
    const uint64_t few = rounds_left(m->settings->rounds_min, row);
    const uint64_t easy_ns = (uint64_t)(SLICE_EASY_MEANS * row->mean_ns);
    uint64_t fit = left_ns / least_ns;

    if (fit > few && easy_ns > least_ns)
        fit = number_most(left_ns / easy_ns, few);
    return left_ns / (fit > wanted ? wanted : fit < fewest ? fewest : fit) + 1;
}

/* Returns false if no time is left for one. */
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
    what->plan.clocks = true;
    what->plan.duration_ns = length_ns;
    what->plan.load_ns = row->team ? row->reach_ns : 0; /* ranks do not see each other's clocks */
    what->plan.p99_ns = row->p99_ns;
    what->plan.deadline_ns = UINT64_MAX;
    what->plan.cycles = UINT64_MAX;
    return true;
}

/* -n with a time: its rounds share the rest of the time, and no row takes time from others. 0: no
 * limit. */
static uint64_t fair_share_ns(const struct measure *m, const struct row *row)
{
    const uint64_t now_ns = clock_now(m->clock);
    const unsigned rounds = row_fixed_rounds(m->settings, row->result.cell);
    const uint64_t left = number_most(number_minus(rounds, row->slices), 1);
    const uint64_t own_ns = row->result.cell->stop.time_ns ? row_time_left(row) / left + 1 : 0;
    uint64_t most_ns;

    if (m->part_end_ns == UINT64_MAX || row_ends_by_itself(m, row->result.cell))
        return own_ns;
    most_ns = m->part_end_ns > now_ns ? (m->part_end_ns - now_ns) / m->open / left + 1 : 1;
    return own_ns && own_ns < most_ns ? own_ns : most_ns;
}

/* For one operation at a time, a schedule, or a fixed number of operations. */
static bool plan_plain(const struct measure *m, const struct row *row, unsigned round,
                       struct slice *what)
{
    const struct settings *settings = m->settings;
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t left_ns = row_time_left(row);

    what->plan.cycles = row->slice_cycles;
    if (stop->cycles) {
        what->plan.cycles = number_least(cycles_of_round(m, row, round), missing_cycles(row));
        what->plan.duration_ns = fair_share_ns(m, row);
    } else if (stop->time_ns && settings->rate) {
        const double due = (double)left_ns * settings_own_rate(settings) / 1e9 + 0.5;
        if (due <
            CRUMB_RATIO * (double)what->plan.cycles) /* avoids a round for a small remainder */
            what->plan.cycles = due < 1 ? 1 : (uint64_t)due;
    } else if (stop->time_ns) {
        what->plan.duration_ns = wanted_slice_ns(m, row);
        what->plan.cycles = cycles_in(row, what->plan.duration_ns);
    } else {
        what->plan.duration_ns = SLICE_OVERRUN * number_most(row->slice_expect_ns, SLICE_NS);
    }
    return true;
}

/* Without clocks every operation counts: if their number is given, on a schedule, if each place or
 * name exists once, and if operations are checked, because the time of checking can only be
 * separated when operations have ended. */
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

static bool precise(const struct settings *settings, const struct row *row)
{
    return row->result.rounds >= settings->rounds_min &&
           judge_precise(&row->result, settings->precision);
}

void row_cap(struct row *row, struct slice *what)
{
    const uint64_t left = cell_left(row->result.cell, row->result.cell->work.test);

    row->dry = left == 0 && what->plan.cycles > 0; /* otherwise no more are requested */
    what->plan.cycles = number_least(what->plan.cycles, left);
}

/* If operations do not run out, none completed because no thread got a processor, or because each
 * takes longer than the slices, which may be short. */
static bool is_idle(const struct row *row)
{
    return row->idle >= IDLE_MOST && (runs_out(row) || row->idle_ns >= WAIT_NS);
}

enum result_stop row_finished(const struct settings *settings, struct row *row, unsigned round)
{
    const struct cell *cell = row->result.cell;
    const uint64_t all_ns = cell->stop.time_ns;
    const unsigned rounds = row->result.rounds;

    if (cell->stop.cycles && !missing_cycles(row))
        return cell->stop.cycles == cell->places ? (enum result_stop)cell->places_stop : STOP_COUNT;
    if (row->dry)
        return STOP_EXHAUSTED;
    if (row->out_of_time ||
        (all_ns && (double)row_time_left(row) <= (1 - TIME_SHARE) * (double)all_ns))
        return STOP_TIME;
    if (is_idle(row))
        return all_ns && !runs_out(row) ? STOP_TIME : STOP_EXHAUSTED;
    if (!cell_adaptive(cell) || row_sum(row)->cycles == 0)
        return STOP_UNKNOWN;
    if (rounds >= row->look_at) {
        row->look_at = rounds + ROW_CHECK_EVERY;
        if (precise(settings, row) && (!row->mate || precise(settings, row->mate)))
            return STOP_PRECISION;
    }
    return rounds >= settings->rounds_max || round >= settings->rounds_max ? STOP_ROUNDS
                                                                           : STOP_UNKNOWN;
}

/* Each rank of a team fills a separate file, so no rank can compensate for another. */
static bool lacks_fill(const struct row *row)
{
    const struct cell *cell = row->result.cell;

    return cell->fills && (row->team ? missing_cycles(row) > 0
                                     : tally_done(&row->result.sum.tally) < cell->places);
}

bool row_lacks(const struct row *row)
{
    const struct cell_stop *stop = &row->result.cell->stop;

    return !row->result.rounds || lacks_fill(row) ||
           (!stop->cycles && (double)row_time_left(row) > (1 - TIME_SHARE) * (double)stop->time_ns);
}

enum result_state row_end_state(const struct row *row, enum result_stop stop)
{
    return is_idle(row) || (row->out_of_time && row_lacks(row)) ||
                   (stop == STOP_TIME && is_empty(&row->result.sum))
               ? RESULT_INCOMPLETE
               : RESULT_CLOSED;
}
