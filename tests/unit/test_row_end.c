/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_row_end.c - how a row begins and why it ends, and whether it then has what was requested:
 * each reason at its limit, and just before it. */
#include "base/compat.h"

#include <errno.h>

#include "unit/cmocka_all.h"

#include "run/plan.h"
#include "run/row.h"
#include "run/team_work.h"

#define ROUNDS 60

static struct settings settings;
static struct row row;
static struct cell cell;
static double rounds[ROUNDS], alike[ROUNDS];

/* A row of 20 steady rounds; rows are closed from 11 rounds on, at 2.5 %, and end with 50. */
static void set_up_row(void)
{
    settings = (struct settings){.rounds_min = 11, .rounds_max = 50, .precision = 0.025};
    cell = (struct cell){.places = 0};
    row = (struct row){.look_at = 11};
    row.result.cell = &cell;
    row.result.round_ns = rounds;
    row.result.round_operations = alike;
    row.result.rounds = 20;
    row.result.sum.cycles = row.result.sum.tally.operations = 2000;
    for (unsigned i = 0; i < ROUNDS; i++)
        rounds[i] = 1000, alike[i] = 1;
}

static enum result_stop finished(unsigned round)
{
    return row_finished(&settings, &row, round);
}

/* The streams are the same in each run with that seed. */
static void threads_draw_from_streams_of_their_own(void **state)
{
    static const struct engine engine = {.name = "none", .capabilities = ENGINE_VIRTUAL};
    static struct target target;
    const struct cell four = {
        .index = 3, .engine = &engine, .threads = 4, .work = {.target = &target, .depth = 1}};
    uint64_t drawn[2][4];

    settings = (struct settings){.seed = 9, .rounds_min = 11};
    for (int again = 0; again < 2; again++) {
        struct row begun;

        row_init(&begun, &settings, &four);
        assert_int_equal(begun.look_at, 11);
        for (unsigned i = 0; i < 4; i++) {
            drawn[again][i] = rng_next(&begun.streams[i]);
            for (unsigned k = 0; k < i; k++)
                assert_true(drawn[again][i] != drawn[again][k]);
        }
        row_free(&begun);
    }
    assert_memory_equal(drawn[0], drawn[1], sizeof(drawn[0]));
}

static void a_number_of_repetitions_ends_a_row(void **state)
{
    set_up_row();
    cell.stop.cycles = 2001;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    cell.stop.cycles = 2000;
    assert_int_equal(finished(20), STOP_COUNT);
}

/* --access once: all places were visited, regardless of precision and time. */
static void a_row_of_places_ends_with_the_last_one(void **state)
{
    set_up_row();
    cell.places_stop = STOP_EXHAUSTED;
    cell.places = cell.stop.cycles = 2001;
    assert_int_equal(finished(50), STOP_UNKNOWN);
    cell.places = cell.stop.cycles = 2000;
    assert_int_equal(finished(20), STOP_EXHAUSTED);
    cell.stop.cycles = 1000; /* the first limit reached */
    assert_int_equal(finished(20), STOP_COUNT);
    cell.stop.cycles = 2000;
    assert_int_equal(row_end_state(&row, STOP_EXHAUSTED), RESULT_CLOSED);
}

/* A row ends when places run out, but if the requested count is reached, none are missing. */
static void what_comes_first_is_why_a_row_ends(void **state)
{
    static const uint64_t length_bytes[] = {100, 100, 55};
    static const struct storage_driver driver = {.name = "none"};
    static const struct target target = {.driver = &driver, .length_bytes = length_bytes};
    static const struct {
        uint64_t asked, ends;
        enum result_stop stop;
    } known[] = {{0, 25, STOP_EXHAUSTED},
                 {24, 24, STOP_COUNT},
                 {25, 25, STOP_COUNT},
                 {26, 25, STOP_EXHAUSTED}};

    for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
        set_up_row();
        cell.align_bytes = 1;
        cell.work = (struct workload){.target = &target,
                                      .test = TEST_READ,
                                      .access = ACCESS_ONCE,
                                      .size_bytes = 10,
                                      .io_bytes = 10,
                                      .object_count = 3};
        cell.stop.cycles = known[i].asked;
        plan_bound(&cell);
        row.result.sum.cycles = known[i].ends - 1;
        assert_int_equal(finished(20), STOP_UNKNOWN);
        row.result.sum.cycles = known[i].ends;
        assert_int_equal(finished(20), known[i].stop);
    }
}

static void rows_without_anything_to_do_end(void **state)
{
    set_up_row();
    cell.stop.cycles = 1000000;
    cell.work.test = TEST_DELETE;
    row.idle = 2;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    row.idle = 3;
    assert_int_equal(finished(20), STOP_EXHAUSTED);
    assert_int_equal(row_end_state(&row, STOP_EXHAUSTED), RESULT_INCOMPLETE);
    row.out_of_time = true;
    assert_int_equal(finished(20), STOP_TIME);
    row.out_of_time = false;
    cell.work.test = TEST_READ; /* reads cannot run out: no thread got a processor */
    row.idle = 1000;
    row.idle_ns = 1999999999;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    row.idle_ns = 2000000000;
    assert_int_equal(finished(20), STOP_EXHAUSTED);
    row.idle = 3; /* in long slices */
    assert_int_equal(finished(20), STOP_EXHAUSTED);
    row.idle = 2;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    row.idle_ns = 0;
    cell.work.access = ACCESS_ONCE;
    row.idle = 3;
    assert_int_equal(finished(20), STOP_EXHAUSTED);
}

/* No thread got a processor during the time. */
static void a_time_without_an_operation(void **state)
{
    set_up_row();
    cell.work.test = TEST_READ;
    cell.stop.time_ns = 1000000;
    row.result.rounds = 0;
    row.idle = 3;
    row.idle_ns = 1999999999;
    assert_int_equal(finished(2000), STOP_UNKNOWN);
    row.idle_ns = 2000000000;
    assert_int_equal(finished(2000), STOP_TIME);
    assert_int_equal(row_end_state(&row, STOP_TIME), RESULT_INCOMPLETE);
    row.idle = 0;
    row.result.sum.elapsed_ns = 1000000;
    row.result.sum.tally.failed = 1;
    assert_int_equal(finished(1), STOP_TIME);
    assert_int_equal(row_end_state(&row, STOP_TIME), RESULT_CLOSED);
}

/* Narrow enough; checked every few rounds only. */
static void steady_rows_end_when_they_are_precise(void **state)
{
    set_up_row();
    assert_int_equal(finished(20), STOP_PRECISION);
    assert_int_equal(row.look_at, 20 + ROW_CHECK_EVERY);
    assert_int_equal(finished(20), STOP_UNKNOWN);
    row.result.rounds = row.look_at - 1;
    assert_int_equal(finished(23), STOP_UNKNOWN);
    row.result.rounds = row.look_at;
    assert_int_equal(finished(24), STOP_PRECISION);
    set_up_row();
    row.result.sum.cycles = 0;
    assert_int_equal(finished(20), STOP_UNKNOWN);
}

static void rows_that_are_never_precise_end_with_the_last_round(void **state)
{
    set_up_row();
    for (unsigned i = 0; i < ROUNDS; i++)
        rounds[i] = i % 2 ? 1000 : 2000;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    row.result.rounds = 49;
    assert_int_equal(finished(49), STOP_UNKNOWN);
    assert_int_equal(finished(50), STOP_ROUNDS); /* others had a slice in each */
    row.result.rounds = 50;
    row.look_at = 11;
    assert_int_equal(finished(49), STOP_ROUNDS);
}

static void a_time_is_over_within_a_thousandth(void **state)
{
    set_up_row();
    cell.stop.time_ns = 1000000;
    row.result.sum.elapsed_ns = 998000;
    assert_int_equal(finished(20), STOP_UNKNOWN);
    assert_true(row_lacks(&row));
    row.result.sum.elapsed_ns = 999500;
    assert_int_equal(finished(20), STOP_TIME);
    assert_false(row_lacks(&row));
    row.result.rounds = 0;
    assert_true(row_lacks(&row));
}

/* Applies per rank: what another one has written beyond its own file fills no gap. */
static void a_row_of_a_fill_lacks_what_any_rank_does(void **state)
{
    struct row_team team = {.skews = 1, .missing = 1};

    set_up_row();
    cell.fills = true;
    cell.places = cell.stop.cycles = 1000;
    row.result.sum.tally.operations = 999;
    assert_true(row_lacks(&row));
    row.result.sum.tally.operations = 1000;
    assert_false(row_lacks(&row));
    row.team = &team;
    row.result.sum.tally.operations = 1999;
    assert_true(row_lacks(&row));
    team.missing = 0;
    assert_false(row_lacks(&row));
}

/* EPIPE with STATUS_PARTIAL would be a reader of results that has gone. */
static void a_lost_connection_ends_a_row_with_an_error(void **state)
{
    struct error err = {.status = STATUS_TARGET, .errnum = EPIPE};
    struct measure m = {.err = &err};

    measure_keep_results(&m);
    assert_int_equal(err.status, STATUS_TARGET);
    m.measured = true;
    measure_keep_results(&m);
    assert_int_equal(err.status, STATUS_PARTIAL);
    assert_int_equal(err.errnum, ECONNRESET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_connection_ends_a_row_with_an_error),
        cmocka_unit_test(threads_draw_from_streams_of_their_own),
        cmocka_unit_test(a_number_of_repetitions_ends_a_row),
        cmocka_unit_test(a_row_of_places_ends_with_the_last_one),
        cmocka_unit_test(what_comes_first_is_why_a_row_ends),
        cmocka_unit_test(rows_without_anything_to_do_end),
        cmocka_unit_test(steady_rows_end_when_they_are_precise),
        cmocka_unit_test(rows_that_are_never_precise_end_with_the_last_round),
        cmocka_unit_test(a_time_is_over_within_a_thousandth),
        cmocka_unit_test(a_row_of_a_fill_lacks_what_any_rank_does),
        cmocka_unit_test(a_time_without_an_operation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
