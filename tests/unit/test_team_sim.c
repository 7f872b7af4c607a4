/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Whole sweeps of simulated ranks: whether rows of a team are true. Rates, starts, failing ranks,
 * and how often the interval of a joint row contains the true value. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "support/team_sim.h"

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define ROWS_MAX  16
#define RANKS_MAX 8 /* inspected individually */

/* What the sink received. */
static struct seen_row {
    struct result result; /* its pointers are no longer valid */
    struct result_rank rank[RANKS_MAX];
} seen[ROWS_MAX];
static unsigned rows;

static void see_row(void *arg, const struct result *result)
{
    struct seen_row *row = &seen[rows++];
    assert_true(rows <= ROWS_MAX);
    row->result = *result;
    for (uint32_t r = 0; r < result->rank_count && r < RANKS_MAX; r++)
        row->rank[r] = result->ranks[r];
}

static struct team_sim sim;

static void prepare(uint32_t size, const double *op_ns)
{
    rows = 0;
    team_sim_init(&sim, size, op_ns);
    sim.row = see_row;
}

static void close_to(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * expected))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* Over all ranks: each performs an operation every op_ns. */
static double joint_op_ns(const double *op_ns, uint32_t size)
{
    double rate = 0;

    for (uint32_t r = 0; r < size; r++)
        rate += 1 / op_ns[r];
    return 1 / rate;
}

static const double uneven_ns[] = {100000, 50000, 200000, 33333, 70000};

/* --- rates and starts ------------------------------------------------------------------------- */

/* Ranks' clocks begin and end with their own operations: their times differ by one of these. */
#define ONE_APART 0.01

static void rates_add_up(void **state)
{
    for (uint32_t size = 1; size <= COUNT(uneven_ns); size++) {
        const struct result *row = &seen[0].result;
        const double op_ns = joint_op_ns(uneven_ns, size);
        uint64_t operations = 0;
        prepare(size, uneven_ns);
        assert_int_equal(team_sim_run(&sim), 0);
        assert_int_equal(rows, 1);
        assert_int_equal(row->state, RESULT_CLOSED);
        assert_int_equal(row->rank_count, size > 1 ? size : 0);
        close_to(row->op_ns_mean, op_ns, ONE_APART);
        close_to((double)row->sum.time_ns / op_ns, (double)row->sum.tally.operations, ONE_APART);
        for (uint32_t r = 0; r < row->rank_count; r++) {
            const struct result_rank *rank = &seen[0].rank[r];
            operations += rank->operations;
            close_to((double)rank->time_ns, (double)row->sum.time_ns, 2 * ONE_APART);
            close_to((double)rank->time_ns, (double)rank->operations * uneven_ns[r], 1e-6);
            close_to((double)rank->latency_ns_sum, (double)rank->operations * uneven_ns[r], 1e-6);
            assert_int_equal(rank->late_ns_sum, 0);
        }
        if (size > 1) {
            assert_int_equal(operations, row->sum.tally.operations);
            assert_int_equal(row->rank_skew_ns_p99, 0);
            assert_false(row->notes & NOTE_RANKS_APART);
        }
        assert_true(hist_total(&row->sum.tally.latency) == row->sum.tally.operations);
    }
}

/* Clocks hours apart, with offsets known to some us, only affect the true time of the beginning. */
static void clocks_may_differ(void **state)
{
    static const struct team_scripted_rank ranks[] = {
        {.rtt_ns = 0},
        {.rtt_ns = 100000, .offset_ns = INT64_C(-990), .offset_wrong_ns = 40000},
        {.rtt_ns = 200000, .offset_ns = INT64_C(7200000000000), .offset_wrong_ns = -90000},
        {.rtt_ns = 100000, .offset_ns = INT64_C(5000000000), .drift_ppb = 20000},
    };
    prepare(4, uneven_ns);
    sim.script.ranks = ranks;
    assert_int_equal(team_sim_run(&sim), 0);
    close_to(seen[0].result.op_ns_mean, joint_op_ns(uneven_ns, 4), ONE_APART);
    assert_int_equal(seen[0].result.rank_skew_ns_p99, 0);
}

/* Clocks drift, and are exchanged again every 30 s. */
static void clocks_are_asked_again(void **state)
{
    prepare(3, uneven_ns);
    sim.settings.cell_time_ns = 70 * NS_PER_S;
    assert_int_equal(team_sim_run(&sim), 0);
    assert_within(seen[0].result.sum.elapsed_ns, 699 * NS_PER_S / 10, 701 * NS_PER_S / 10);
    assert_int_equal(sim.seen.calls[TEAM_CALL_SYNCHRONISE], 2);
}

/* A rank that begins late counts for a shorter time, in which none of its operations are lost. */
static void late_ranks_are_told(void **state)
{
    static const uint64_t late_ns[] = {0, 70000, 300000, 600000, 1500000, 9000000};
    for (size_t i = 0; i < COUNT(late_ns); i++) {
        const struct team_scripted_rank ranks[] = {
            {.rtt_ns = 0},
            {.rtt_ns = 100000, .late_ns = late_ns[i] / 2},
            {.rtt_ns = 100000, .late_ns = late_ns[i]},
        };
        const struct result *row = &seen[0].result;
        const double missed = (double)late_ns[i] / 20e6;
        prepare(3, uneven_ns);
        sim.script.ranks = ranks;
        assert_int_equal(team_sim_run(&sim), 0);
        assert_int_equal(row->rank_skew_ns_p99, late_ns[i]);
        assert_int_equal(seen[0].rank[0].late_ns_sum, 0);
        assert_int_equal(seen[0].rank[1].late_ns_sum, row->rounds * (late_ns[i] / 2));
        assert_int_equal(seen[0].rank[2].late_ns_sum, row->rounds * late_ns[i]);
        assert_within((uint64_t)(1e6 * row->rank_common_fraction),
                      (uint64_t)(1e6 * (1 - missed - 2 * ONE_APART)),
                      (uint64_t)(1e6 * (1 - missed)));
        assert_int_equal(!!(row->notes & NOTE_RANKS_APART), missed > 0.05);
        for (uint32_t r = 0; r < 3; r++)
            close_to((double)seen[0].rank[r].time_ns,
                     (double)seen[0].rank[r].operations * uneven_ns[r], 1e-6);
        close_to(row->op_ns_mean, joint_op_ns(uneven_ns, 3), ONE_APART + missed / 8);
    }
}

/* Distant ranks: slices last 50 round trips, and all know the time before it is reached. */
static void far_ranks_get_long_slices(void **state)
{
    const struct result *row = &seen[0].result;
    prepare(4, uneven_ns);
    sim.script.usual.rtt_ns = 50000000;
    sim.settings.cell_time_ns = 60 * NS_PER_S;
    assert_int_equal(team_sim_run(&sim), 0);
    assert_int_equal(row->state, RESULT_CLOSED);
    assert_true(row->sum.elapsed_ns >= row->sum.slices * 50 * UINT64_C(50000000));
    close_to(row->op_ns_mean, joint_op_ns(uneven_ns, 4), 1e-3);
    assert_int_equal(row->rank_skew_ns_p99, 0);
    /* without --time there are enough such slices */
    prepare(4, uneven_ns);
    sim.script.usual.rtt_ns = 50000000;
    assert_int_equal(team_sim_run(&sim), 0);
    assert_true(row->interval_known);
}

/* --- failures -------------------------------------------------------------------------------- */

/* Two rows are measured, then two more: each is calibrated in two slices and takes 11. Rows closed
 * before slice 44 are complete; the others have whole slices of all ranks. */
#define TROUBLE_SLICE 44

static void prepare_trouble(void)
{
    prepare(4, uneven_ns);
    sim.settings.max_bytes = 1024;
    sim.settings.repeats = 2;
}

static void rows_before_are_kept(bool lost)
{
    const double op_ns = joint_op_ns(uneven_ns, 4);

    assert_int_equal(rows, 4);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(seen[i].result.state, RESULT_CLOSED);
        close_to(seen[i].result.op_ns_mean, op_ns, ONE_APART);
        assert_true(hist_total(&seen[i].result.sum.tally.latency) > 0);
    }
    assert_int_equal(sim.outcome.rows_complete, 2);
    assert_int_equal(sim.outcome.rows_incomplete, 2);
    for (unsigned i = 2; i < 4; i++) {
        const struct result *row = &seen[i].result;
        uint64_t operations = 0;
        assert_int_equal(row->state, RESULT_INCOMPLETE);
        assert_within(row->rounds, 1, 10);
        close_to(row->op_ns_mean, op_ns, ONE_APART);
        for (uint32_t r = 0; r < 4; r++) { /* never a total of fewer ranks */
            close_to((double)seen[i].rank[r].time_ns, row->rounds * 20e6, 2 * ONE_APART);
            operations += seen[i].rank[r].operations;
        }
        assert_int_equal(operations, row->sum.tally.operations);
        /* one rank's alone would be mistaken for the total */
        assert_int_equal(hist_total(&row->sum.tally.latency), lost ? 0 : operations);
    }
}

static void lost_ranks_end_the_run(void **state)
{
    static const struct {
        enum team_call call;
        enum team_scripted_what what;
        const char *words, *why;
    } rows_of[] = {
        {TEAM_CALL_BROADCAST, TEAM_DIES, "cannot read d0/f1: Input/output error",
         "cannot read d0/f1: Input/output error"},
        {TEAM_CALL_START, TEAM_DIES, "is gone", "is gone"},
        {TEAM_CALL_GATHER, TEAM_DIES, "is gone", "is gone"},
        {TEAM_CALL_BROADCAST, TEAM_HANGS, NULL, "has not answered for 60 s"},
        {TEAM_CALL_START, TEAM_HANGS, NULL, "has not answered for 60 s"},
        {TEAM_CALL_GATHER, TEAM_HANGS, NULL, "has not answered for 60 s"},
    };
    unsigned calls[TEAM_CALLS];
    char text[600];
    prepare_trouble(); /* counts the calls until that slice */
    sim.trouble.slice = TROUBLE_SLICE;
    sim.trouble.unready = "nothing";
    sim.trouble.rank = 2;
    assert_int_equal(team_sim_run(&sim), -1);
    memcpy(calls, sim.seen.calls, sizeof(calls));
    for (size_t i = 0; i < COUNT(rows_of); i++) {
        const struct team_scripted_event event = {.call = rows_of[i].call,
                                                  .nth = calls[rows_of[i].call] - 4,
                                                  .what = rows_of[i].what,
                                                  .rank = 2,
                                                  .hangs_ns = UINT64_MAX,
                                                  .words = rows_of[i].words};
        prepare_trouble();
        sim.script.events = &event;
        sim.script.event_count = 1;
        assert_int_equal(team_sim_run(&sim), -1);
        rows_before_are_kept(true);
        assert_int_equal(sim.err.status, STATUS_PARTIAL);
        error_format(&sim.err, text, sizeof(text));
        assert_non_null(strstr(text, "rank 2 (host2)"));
        assert_non_null(strstr(text, rows_of[i].why));
        assert_int_equal(sim.seen.calls[rows_of[i].call], event.nth); /* no further calls */
        assert_true(sim.seen.left);
    }
}

/* If a rank cannot begin, none does, and all know why. */
static void unready_ranks_end_the_run(void **state)
{
    char text[600];
    prepare_trouble();
    sim.trouble = (struct team_sim_trouble){
        .rank = 2, .slice = TROUBLE_SLICE, .unready = "cannot open the device"};
    assert_int_equal(team_sim_run(&sim), -1);
    rows_before_are_kept(false);
    error_format(&sim.err, text, sizeof(text));
    assert_non_null(strstr(text, "rank 2 (host2)"));
    assert_non_null(strstr(text, "cannot open the device"));
    assert_int_equal(sim.err.status, STATUS_PARTIAL); /* the measured rows are worth printing */
}

static void failed_operations_are_counted(void **state)
{
    const struct result *row;
    uint64_t failed = 0;
    prepare_trouble();
    sim.trouble = (struct team_sim_trouble){.rank = 3, .slice = TROUBLE_SLICE, .failed = 7};
    assert_int_equal(team_sim_run(&sim), 0);
    assert_int_equal(sim.outcome.rows_complete, 4);
    assert_int_equal(sim.outcome.failed, 7);
    for (unsigned i = 0; i < 4; i++) {
        row = &seen[i].result;
        assert_int_equal(row->state, RESULT_CLOSED);
        close_to(row->op_ns_mean, joint_op_ns(uneven_ns, 4), ONE_APART);
        assert_int_equal(row->sum.tally.failed, seen[i].rank[3].failed);
        failed += row->sum.tally.failed;
    }
    assert_int_equal(failed, 7);
    assert_string_equal(sim.outcome.first[TROUBLE_FAILED], "rank 3 (host3): cannot read o: fault");
}

/* All failures that --max-errors allows are on one rank: open rows end. */
static void too_many_failures_end_the_run(void **state)
{
    prepare_trouble();
    sim.trouble = (struct team_sim_trouble){.rank = 3, .slice = TROUBLE_SLICE, .failed = 100};
    assert_int_equal(team_sim_run(&sim), 0);
    assert_true(sim.outcome.gave_up);
    assert_int_equal(sim.outcome.rows_complete, 2);
    assert_int_equal(sim.outcome.rows_incomplete, 2);
    assert_int_equal(seen[2].result.stop, STOP_ERRORS);
}

/* A signal; and a rank that does not even acknowledge it. */
static void signals_keep_what_there_is(void **state)
{
    struct team_scripted_event events[] = {
        {.call = TEAM_CALL_START, .nth = TROUBLE_SLICE, .what = TEAM_STOPS},
        {.call = TEAM_CALL_GATHER, .what = TEAM_HANGS, .rank = 1, .hangs_ns = UINT64_MAX},
    };
    for (unsigned hangs = 0; hangs < 2; hangs++) {
        prepare_trouble();
        events[1].nth = sim.seen.calls[TEAM_CALL_GATHER]; /* that of the slice */
        sim.script.events = events;
        sim.script.event_count = 1 + hangs;
        assert_int_equal(team_sim_run(&sim), 0);
        assert_false(error_is_set(&sim.err));
        assert_int_equal(sim.outcome.rows_complete, 2);
        assert_int_equal(sim.outcome.rows_incomplete, 2);
        assert_int_equal(seen[3].result.stop, STOP_SIGNAL);
    }
}

/* A signal that only one rank receives ends the run as one that all receive. */
static void a_signal_of_one_rank_ends_the_run(void **state)
{
    prepare_trouble();
    sim.trouble = (struct team_sim_trouble){.rank = 1, .slice = TROUBLE_SLICE, .signum = 15};
    assert_int_equal(team_sim_run(&sim), 0);
    rows_before_are_kept(false);
    assert_false(error_is_set(&sim.err));
    assert_int_equal(seen[3].result.stop, STOP_SIGNAL);
}

/* --- the interval ----------------------------------------------------------------------------- */

/* The slowdown of a slice relative to its rank's usual speed. */
struct noise {
    struct rng rng;
    double sigma;  /* of its logarithm */
    double shared; /* share of the variance common to all ranks */
    double tail;   /* probability of an additional Pareto-distributed factor, 5 at most ... */
    bool tail_all; /* ... common to all ranks */
    double common;
    double tail_common;
};

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(struct rng *rng) /* Box and Muller 1958 */
{
    const double r = sqrt(-2 * log(uniform(rng)));
    return r * cos(6.283185307179586 * uniform(rng));
}

static double tail_factor(struct noise *noise)
{
    return uniform(&noise->rng) < noise->tail ? fmin(5, pow(uniform(&noise->rng), -1 / 1.2)) : 1;
}

static double draw(void *arg, uint32_t rank)
{
    struct noise *noise = arg;
    double z;

    if (rank == 0) {
        noise->common = gauss(&noise->rng);
        noise->tail_common = tail_factor(noise);
    }
    z = sqrt(noise->shared) * noise->common + sqrt(1 - noise->shared) * gauss(&noise->rng);
    return exp(noise->sigma * z) * (noise->tail_all ? noise->tail_common : tail_factor(noise));
}

#define DRAWS 100000 /* gives the mean to 0.003 standard deviations */

/* The true time of operations in joint slices, which have equal length. */
static double true_op_ns(struct noise noise, const double *op_ns, uint32_t size)
{
    double rates = 0;

    rng_seed(&noise.rng, 77, 1);
    for (size_t i = 0; i < DRAWS; i++)
        for (uint32_t r = 0; r < size; r++)
            rates += 1 / (op_ns[r] * draw(&noise, r));
    return DRAWS / rates;
}

static double truth_ns;
static unsigned known, covered;

static void look(void *arg, const struct result *result)
{
    assert_int_equal(result->state, RESULT_CLOSED);
    known += result->interval_known;
    covered +=
        result->interval_known && result->op_ns_low <= truth_ns && truth_ns <= result->op_ns_high;
}

/* 1000 rows, each with as many rounds as its precision needs. With fixed seeds the counts are
 * always the same; for other seeds, if 95 % of the intervals contain the true value, fewer than 928
 * of 1000 or 180 of 200 do so only once in a thousand times (binomial). All rows must do better:
 * 950. */
#define SWEEPS  5
#define REPEATS 40

static void intervals_cover_the_truth(void **state)
{
    static const struct noise noises[] = {
        {.sigma = 0.02},
        {.sigma = 0.04},
        {.sigma = 0.05, .shared = 0.8},
        {.sigma = 0.03, .tail = 0.5},
        {.sigma = 0.03, .shared = 0.5, .tail = 0.5, .tail_all = true},
    };
    unsigned all = 0;
    for (size_t i = 0; i < COUNT(noises); i++) {
        struct noise noise = noises[i];
        truth_ns = true_op_ns(noise, uneven_ns, 4);
        rng_seed(&noise.rng, 5, i);
        known = covered = 0;
        for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
            prepare(4, uneven_ns);
            sim.row = look;
            sim.settings.repeats = REPEATS;
            sim.noise = draw;
            sim.noise_arg = &noise;
            assert_int_equal(team_sim_run(&sim), 0);
        }
        print_message("noise %zu: %u of %u\n", i, covered, known);
        assert_int_equal(known, SWEEPS * REPEATS);
        assert_within(covered, 180, known);
        all += covered;
    }
    assert_within(all, 950, 1000);
}

/* --- number of ranks ------------------------------------------------------------------------- */

#define RANKS_MOST 10000u

static void any_number_of_ranks(void **state)
{
    static const uint32_t sizes[] = {1, 2, 10, 100, 1000, RANKS_MOST};
    double *op_ns = mem_calloc(RANKS_MOST, sizeof(*op_ns));
    for (uint32_t r = 0; r < RANKS_MOST; r++)
        op_ns[r] = 100000 + r % 97 * 1000;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct result *row = &seen[0].result;
        prepare(sizes[i], op_ns);
        assert_int_equal(team_sim_run(&sim), 0);
        assert_int_equal(row->state, RESULT_CLOSED);
        close_to(row->op_ns_mean, joint_op_ns(op_ns, sizes[i]), ONE_APART);
        assert_int_equal(row->rank_count, sizes[i] > 1 ? sizes[i] : 0);
        assert_true(hist_total(&row->sum.tally.latency) == row->sum.tally.operations);
        /* data per call that rank 0 receives: no histograms */
        assert_within(sim.seen.bytes[TEAM_CALL_GATHER], 0,
                      UINT64_C(4096) * sim.seen.calls[TEAM_CALL_GATHER]);
    }
    free(op_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_add_up),
        cmocka_unit_test(clocks_may_differ),
        cmocka_unit_test(clocks_are_asked_again),
        cmocka_unit_test(late_ranks_are_told),
        cmocka_unit_test(far_ranks_get_long_slices),
        cmocka_unit_test(lost_ranks_end_the_run),
        cmocka_unit_test(unready_ranks_end_the_run),
        cmocka_unit_test(failed_operations_are_counted),
        cmocka_unit_test(too_many_failures_end_the_run),
        cmocka_unit_test(signals_keep_what_there_is),
        cmocka_unit_test(a_signal_of_one_rank_ends_the_run),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(any_number_of_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
