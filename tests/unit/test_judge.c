/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The notes of a row: each at its limit, and just before it. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "run/judge.h"

#define OPERATIONS 1000

static const struct engine engine = {.name = "posix"}, nothing = {.capabilities = ENGINE_VIRTUAL};
static struct target target;
static struct cell cell;
static struct result result;
static double rounds[39], alike[39];
static struct judge_facts facts;

/* A row of 1000 reads of 64 KiB in 11 steady rounds of 10 us each. */
static void set_up_row(void)
{
    memset(&target, 0, sizeof(target));
    memset(&cell, 0, sizeof(cell));
    memset(&result, 0, sizeof(result));
    cell.engine = &engine;
    cell.threads = 1;
    cell.work.target = &target;
    cell.work.test = TEST_READ;
    cell.work.size_bytes = cell.work.io_bytes = 65536;
    result.cell = &cell;
    result.state = RESULT_CLOSED;
    result.sum.tally.operations = OPERATIONS;
    result.least_bytes = 65536;
    result.resident_fraction_before = result.resident_fraction = -1;
    result.round_ns = rounds;
    result.round_operations = alike;
    result.rounds = 11;
    for (unsigned i = 0; i < 39; i++)
        rounds[i] = 10000, alike[i] = 1;
    result.sum.cycles = OPERATIONS;
    result.sum.fewest = result.sum.most = 500;
    facts = (struct judge_facts){.clock_cost_ns = 20, .precision = 0.025};
}

static unsigned judge(void)
{
    result.notes = 0;
    judge_row(&result, &facts);
    return result.notes;
}

static void a_steady_row_has_no_notes(void **state)
{
    set_up_row();
    assert_int_equal(judge(), 0);
    assert_true(result.op_ns_mean == 10000 && result.op_ns_low == 10000);
    assert_true(result.interval_known);
    assert_true(judge_precise(&result, 0.001));
}

static void the_cache_state_is_checked(void **state)
{
    static const struct {
        const char *remark;
        enum cache_mode cache;
        enum io_test test;
        bool known;
        double device_share; /* relative to the bytes moved */
        double resident;
        bool in_memory;
        unsigned notes;
    } rows[] = {
        {"direct, all from the device", CACHE_DIRECT, TEST_READ, true, 1.0, 0, false, 0},
        {"direct, just enough", CACHE_DIRECT, TEST_READ, true, 0.951, 0, false, 0},
        {"direct, too little", CACHE_DIRECT, TEST_READ, true, 0.949, 0, false, NOTE_CACHE_HITS},
        {"direct write, too little", CACHE_DIRECT, TEST_WRITE, true, 0.5, 0, false,
         NOTE_CACHE_HITS},
        {"uncached, too little", CACHE_UNCACHED, TEST_READ, true, 0.5, 0, false, NOTE_CACHE_HITS},
        {"uncached writes go to the cache", CACHE_UNCACHED, TEST_WRITE, true, 0, 1, false, 0},
        {"cached, nothing from the device", CACHE_CACHED, TEST_READ, true, 0, 1, false, 0},
        {"cached, a little", CACHE_CACHED, TEST_READ, true, 0.049, 1, false, 0},
        {"cached, too much", CACHE_CACHED, TEST_READ, true, 0.051, 1, false, NOTE_NOT_CACHED},
        {"cached writes write back", CACHE_CACHED, TEST_WRITE, true, 1, 1, false, 0},
        {"as it is: nothing was claimed", CACHE_ASIS, TEST_READ, true, 1, 0, false, 0},
        {"in memory: nothing to bypass", CACHE_DIRECT, TEST_READ, false, 0, 1, true,
         NOTE_CACHE_HITS},
        {"no accounts, resident", CACHE_DIRECT, TEST_READ, false, 0, 0.9, false, NOTE_CACHE_HITS},
        {"no accounts, not resident", CACHE_DIRECT, TEST_READ, false, 0, 0.1, false, 0},
        {"no accounts, was resident", CACHE_UNCACHED, TEST_READ, false, 0, 0.1, false,
         NOTE_CACHE_HITS},
        {"no accounts, was not resident", CACHE_UNCACHED, TEST_READ, false, 0, 0.01, false, 0},
        {"no accounts, cached", CACHE_CACHED, TEST_READ, false, 0, 0.96, false, 0},
        {"no accounts, not cached", CACHE_CACHED, TEST_READ, false, 0, 0.1, false, NOTE_NOT_CACHED},
        {"nothing is known", CACHE_CACHED, TEST_READ, false, 0, -1, false, 0},
        {"nothing is known, direct", CACHE_DIRECT, TEST_READ, false, 0, -1, false, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        set_up_row();
        print_message("%s\n", rows[i].remark);
        cell.work.cache = rows[i].cache;
        cell.work.test = rows[i].test;
        target.in_memory = rows[i].in_memory;
        result.device_known = rows[i].known;
        result.sum.device_bytes = (uint64_t)(rows[i].device_share * OPERATIONS * 65536);
        result.resident_fraction_before = result.resident_fraction = rows[i].resident;
        assert_int_equal(judge(), rows[i].notes);
        cell.engine = &nothing; /* an engine that moves no data claims nothing */
        assert_int_equal(judge(), 0);
    }
}

static void hits_are_a_share_of_whole_pages(void **state)
{
    set_up_row();
    cell.work.size_bytes = cell.work.io_bytes = 2;
    cell.work.cache = CACHE_UNCACHED;
    result.least_bytes = 4096;
    result.device_known = true;
    result.sum.device_bytes = OPERATIONS / 4 * UINT64_C(4096);
    assert_true(judge_hit_share(&result) == 0.75);
    result.sum.device_bytes = OPERATIONS * UINT64_C(5000); /* metadata too */
    assert_true(judge_hit_share(&result) == 0);
    target.in_memory = true;
    assert_true(judge_hit_share(&result) == 1);
    target.in_memory = false;
    cell.work.test = TEST_WRITE; /* counted when a page becomes dirty, hence meaningless */
    assert_true(judge_hit_share(&result) < 0);
    cell.work.cache = CACHE_DIRECT;
    assert_true(judge_hit_share(&result) == 0);
    result.sum.tally.operations = 0;
    assert_true(judge_hit_share(&result) < 0);
}

static void a_page_of_metadata_is_no_miss(void **state)
{
    set_up_row();
    result.least_bytes = 4096;
    cell.work.size_bytes = cell.work.io_bytes = 2;
    result.device_known = true;
    result.sum.device_bytes = 4096;
    assert_int_equal(judge(), 0);
    result.sum.device_bytes = (uint64_t)(0.06 * OPERATIONS * 4096);
    assert_int_equal(judge(), NOTE_NOT_CACHED);
}

static void the_work_is_told(void **state)
{
    set_up_row();
    cell.work.size_bytes = 2;
    assert_int_equal(judge(), NOTE_COVERED);
    cell.work.rmw = true;
    assert_int_equal(judge(), NOTE_RMW);

    set_up_row();
    result.sum.tally.short_count = 1;
    assert_int_equal(judge(), NOTE_SHORT);

    set_up_row();
    cell.threads = 4;
    result.sum.most = 1000;
    assert_int_equal(judge(), 0);
    result.sum.most = 1001;
    assert_int_equal(judge(), NOTE_UNFAIR);
    result.sum.slices = 15; /* 4 * sqrt(1001 * 15) = 490 */
    assert_int_equal(judge(), NOTE_UNFAIR);
    result.sum.slices = 16; /* 506: too few operations in each to tell */
    assert_int_equal(judge(), 0);
    cell.threads = 1;
    assert_int_equal(judge(), 0);
}

/* The cost of the clock is relative to an operation, which with n threads takes n times the time
 * per operation. */
static void a_slow_clock_is_told(void **state)
{
    set_up_row();
    facts.clock_cost_ns = 499;
    assert_int_equal(judge(), 0);
    facts.clock_cost_ns = 501;
    assert_int_equal(judge(), NOTE_TIMER);
    cell.threads = 2;
    assert_int_equal(judge(), 0);
}

static void rounds_that_differ_are_told(void **state)
{
    set_up_row();
    for (unsigned i = 0; i < 11; i++) /* 9.1 ... 10.9 us in a mixed order */
        rounds[i] = 10000 + ((i * 7) % 11 - 5.0) * 170;
    assert_int_equal(judge(), NOTE_WIDE);
    assert_false(judge_precise(&result, 0.025));
    assert_true(judge_precise(&result, 0.05));

    set_up_row();
    result.sum.tally.operations = 999; /* fewer than ten of the slowest 1 % */
    assert_int_equal(judge(), NOTE_FEW_SLOW);
    assert_false(judge_precise(&result, 0.025));

    set_up_row();
    result.rounds = 2; /* too few for an interval */
    assert_int_equal(judge(), NOTE_WIDE);
    assert_false(result.interval_known);

    set_up_row();
    for (unsigned i = 0; i < 11; i++)
        rounds[i] = 10000 + 150.0 * i;
    assert_true(judge() & NOTE_DRIFT);

    set_up_row();
    for (unsigned i = 0; i < 11; i++)
        rounds[i] = 10000 + (i % 3) * 10.0;
    rounds[5] = 50000;
    assert_int_equal(judge(), NOTE_OUTLIERS | NOTE_WIDE);
}

static void a_row_without_rounds_is_only_incomplete(void **state)
{
    set_up_row();
    result.rounds = 0;
    result.sum.tally.operations = 0;
    result.state = RESULT_INCOMPLETE;
    assert_int_equal(judge(), NOTE_INCOMPLETE);
    assert_false(judge_precise(&result, 1));
}

static void notes_tell_how_the_engine_did_it(void **state)
{
    set_up_row();
    result.sum.time_ns = 10000000;
    result.sum.cpu_ns = 1000000;
    result.sum.helper_cpu_ns = 50000;
    assert_int_equal(judge(), 0);
    result.sum.helper_cpu_ns = 50001;
    assert_int_equal(judge(), NOTE_PUNTED);

    set_up_row();
    result.sum.time_ns = 10000000;
    result.sum.tally.submit_ns = 9000000;
    assert_int_equal(judge(), 0); /* not measured */
    result.submit_known = true;
    assert_int_equal(judge(), NOTE_SUBMIT_BLOCKS);
    result.sum.tally.submit_ns = 6000000;
    assert_int_equal(judge(), 0);
    cell.threads = 2; /* twice the time available */
    result.sum.fewest = result.sum.most;
    result.sum.tally.submit_ns = 12000001;
    assert_int_equal(judge(), NOTE_SUBMIT_BLOCKS);
    result.sum.tally.submit_ns = 12000000;
    assert_int_equal(judge(), 0);

    set_up_row();
    result.sum.plain_buffers = true;
    assert_int_equal(judge(), NOTE_PLAIN_BUFFERS);

    set_up_row();
    result.sum.wanted_ns = 1000000;
    result.sum.behind_ns = 50000;
    assert_int_equal(judge(), 0);
    result.sum.behind_ns = 50001;
    assert_int_equal(judge(), NOTE_RATE_MISSED);

    set_up_row();
    result.sum.tally.wrong = 1;
    assert_int_equal(judge(), NOTE_WRONG_DATA);
}

/* All operations together take no longer than the sum of the slots' clocks. */
static void clocks_that_are_wrong_are_told(void **state)
{
    set_up_row();
    cell.work.depth = 4;
    result.sum.slot_ns = 4000000;
    result.sum.flight_ns = 4003000;
    assert_int_equal(judge() & NOTE_UNSTEADY, 0);
    result.sum.flight_ns = 4005000;
    assert_int_equal(judge() & NOTE_UNSTEADY, NOTE_UNSTEADY);
    result.sum.flight_ns = 2005000;
    result.mate_flight_ns = 2000000; /* --mix: the sum of both kinds */
    assert_int_equal(judge() & NOTE_UNSTEADY, NOTE_UNSTEADY);
}

static struct result_rank ranks[4];

static void set_team(uint32_t count, double common)
{
    result.ranks = count ? ranks : NULL;
    result.rank_count = count;
    cell.peers = count ? count - 1 : 0;
    result.rank_common_fraction = common;
    result.sum.slices = 11;
}

static void all_ranks_are_at_work(void **state)
{
    set_up_row();
    set_team(4, 0.95);
    assert_int_equal(judge(), 0);
    set_team(4, 0.949);
    assert_int_equal(judge(), NOTE_RANKS_APART);
    set_team(1, 0.5);
    assert_int_equal(judge(), 0);
    set_team(0, 0);
    assert_int_equal(judge(), 0);
    set_team(4, 0); /* nothing was measured */
    result.sum.slices = 0;
    assert_int_equal(judge(), 0);
}

/* Four ranks of one thread have four operations in flight, four times the time to submit, and each
 * reads the clock. */
static void threads_are_those_of_all_ranks(void **state)
{
    set_up_row();
    set_team(4, 1);
    cell.work.depth = 1;
    result.sum.time_ns = result.sum.elapsed_ns = 1000000;
    result.sum.tally.sum_ns = 4000000;
    hist_record(&result.sum.tally.latency, 4000);
    result.sum.flight_ns = 3700000;
    assert_int_equal(judge() & NOTE_DRAINED, 0);
    result.sum.flight_ns = 3500000;
    assert_int_equal(judge() & NOTE_DRAINED, NOTE_DRAINED);
    result.sum.tally.failed_ns = 400000;
    assert_true(judge_failed_share(&result) == 0.1);
    result.submit_known = true;
    result.sum.tally.submit_ns = 1000000;
    assert_true(judge_submit_share(&result) == 0.25);
    facts.clock_cost_ns = 2000; /* 5 % of four times 10 us */
    assert_int_equal(judge() & NOTE_TIMER, 0);
    facts.clock_cost_ns = 2001;
    assert_int_equal(judge() & NOTE_TIMER, NOTE_TIMER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_row_has_no_notes),
        cmocka_unit_test(notes_tell_how_the_engine_did_it),
        cmocka_unit_test(the_cache_state_is_checked),
        cmocka_unit_test(hits_are_a_share_of_whole_pages),
        cmocka_unit_test(a_page_of_metadata_is_no_miss),
        cmocka_unit_test(the_work_is_told),
        cmocka_unit_test(a_slow_clock_is_told),
        cmocka_unit_test(rounds_that_differ_are_told),
        cmocka_unit_test(a_row_without_rounds_is_only_incomplete),
        cmocka_unit_test(clocks_that_are_wrong_are_told),
        cmocka_unit_test(all_ranks_are_at_work),
        cmocka_unit_test(threads_are_those_of_all_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
