/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_time.c - what is said of the time of operations: stalls, opening and closing; and
 * of the share that memory answered.  The words when there is a reason,
 * silence when there is none. */
#include "base/compat.h"

#include "findings_fixture.h"

/* 990 operations of 100 us and 10 as long as asked. */
static void with_stalls(unsigned row, uint64_t stall_ns)
{
    struct tally *tally = &f.results[row].sum.tally;

    memset(tally, 0, sizeof(*tally));
    tally->operations = 1000;
    for (unsigned i = 0; i < 1000; i++) {
        const uint64_t ns = i % 100 == 0 ? stall_ns : 100000;
        hist_record(&tally->latency, ns);
        tally->sum_ns += ns;
        tally->max_ns = ns > tally->max_ns ? ns : tally->max_ns;
    }
    tally->min_ns = 100000;
}

static void test_stalls(void **state)
{
    (void)state;
    find(2);
    expect_not("stalls");
    with_stalls(0, 10000000); /* 100 of 199 ms */
    find(2);
    expect(
        "# finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 99.8 us)"
        "; --interval 100ms shows when\n");
    with_stalls(1, 30000000); /* 300 of 399 ms */
    find(2);
    expect(
        "stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 99.8 us), and "
        "more than a tenth in other rows; ");
    f.cells[1].work.test = TEST_COPY; /* not "copys" */
    find(2);
    expect("stalls took 75 % of the time of copies of 64 KiB");
    f.cells[1].work.test = TEST_WRITE;
    with_stalls(0, 900000); /* less than 10 times the median */
    with_stalls(1, 100000);
    find(2);
    expect_not("stalls");
    with_stalls(0, 1050000); /* 10.5 of 109.5 ms: too little */
    find(2);
    expect_not("stalls");
}

/* 1000 operations in 1.1 ms; the median of the rounds as asked. */
static void with_median(unsigned row, double op_ns_median)
{
    fixture_measure(&f, row, 1000, 1100000);
    f.results[row].op_ns_median = op_ns_median;
    f.results[row].rounds = 11;
}

/* Throughput and rate are made of all the time, time/op of the typical round. */
static void test_apart(void **state)
{
    (void)state;
    with_median(0, 1060); /* 1100 / 1060: 3.8 % */
    with_median(1, 1100);
    find(2);
    expect_not("typical round");
    with_median(0, 1000);
    find(2);
    expect("# finding: time/op is the typical round, throughput and rate include the slow rounds: "
           "1 / rate is 10 % above time/op in writes of 2 B; more --rounds ");
    with_median(1, 1300);
    find(2);
    expect(
        "1 / rate is 15 % below time/op in writes of 64 KiB, and more than 5 % away in other rows");
    f.results[0].sum.tally.failed = f.results[1].sum.tally.failed = 1; /* took time, too */
    find(2);
    expect_not("typical round");
}

static void test_p99_below_time(void **state)
{
    struct result *r = &f.results[0];
    (void)state;
    with_median(1, 1100);
    with_stalls(0, 900000); /* 9 times the median: no stall; 1 %, so that p99 is 100 us */
    r->sum.time_ns = 1000 * 90000;
    r->op_ns_median = 90000;
    r->rounds = 11;
    find(2);
    expect_not("p99 is below");
    r->sum.time_ns = 1000 * 108000;
    r->op_ns_median = 108000;
    find(2);
    expect("# finding: p99 is below time/op in 1 row: at most 1 % of the operations");
    f.cells[0].work.depth = 16; /* time/op is no latency there */
    find(2);
    expect_not("p99 is below");
}

/* One cause, one finding, and the first. */
static void test_busy(void **state)
{
    (void)state;
    others = 0.43;
    with_median(0, 1000);
    f.results[0].notes = NOTE_WIDE;
    with_stalls(1, 30000000);
    f.results[1].notes = NOTE_DRIFT;
    find(2);
    expect(
        "# finding: the machine was busy (other programs used 43 % of the processors during this "
        "run), so do not trust the figures: 2 of 2 rows are not steady (worst: write of 2 B; some "
        "drift), stalls took up "
        "to 75 % of the operations' time, rate and time/op are up to 10 % apart; repeat on an "
        "idle machine\n");
    assert_true(strncmp(said, "# finding: the machine", 22) == 0);
    expect_not("typical round");
    expect_not("--interval");
    expect_not("more --rounds");
    f.results[0].notes |= NOTE_UNSTEADY | NOTE_UNFAIR;
    f.results[1].speed_low_ns = 1000;
    f.results[1].speed_high_ns = 2000;
    f.results[1].sum.tally.wrong = 1;
    find(2);
    assert_true(strncmp(said, "# finding: the machine was busy", 31) == 0);
    expect("\n# finding: 1 operation in 1 row read back wrong data");
    expect_not("changed");
    expect_not("one thread");
    f.results[1].sum.tally.wrong = 0;
    others = 0;
    find(2);
    expect_not("busy");
    expect("speed of the machine changed");
    f.results[1].speed_low_ns = f.results[1].speed_high_ns = 0;
    f.results[0].notes = NOTE_WIDE;
    find(2);
    expect("stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 99.8 us): "
           "throughput and rate include them, time/op is the typical round; --interval");
    expect("2 of 2 rows are not steady");
    others = 0.43; /* which nothing was felt of */
    f.results[0].notes = f.results[1].notes = 0;
    with_median(0, 1100);
    with_median(1, 1100);
    find(2);
    expect_not("busy");
    others = 0;
}

static void test_few_operations_do_not_stall(void **state)
{
    (void)state;
    with_stalls(0, 30000000);
    assert_true(findings_stall_share(&f.results[0].sum.tally) > 0.7);
    f.results[0].sum.tally.operations = 99;
    assert_true(findings_stall_share(&f.results[0].sum.tally) == 0);
}

static void with_opening(unsigned row, uint64_t open_ns, uint64_t transfer_ns, uint64_t close_ns)
{
    struct tally *tally = &f.results[row].sum.tally;

    tally->phase_ns[PHASE_OPEN] = open_ns;
    tally->phase_ns[PHASE_SEEK] = 0;
    tally->phase_ns[PHASE_TRANSFER] = transfer_ns;
    tally->phase_ns[PHASE_CLOSE] = close_ns;
    tally->sum_ns = open_ns + transfer_ns + close_ns;
}

static void test_opening(void **state)
{
    (void)state;
    f.cells[0].work.cache = f.cells[1].work.cache = CACHE_DIRECT;
    with_opening(0, 400000, 400000, 200000);
    with_opening(1, 100000, 800000, 100000);
    find(2);
    expect("# finding: opening and closing the file takes 60 % of writes of 2 B with cache=direct; "
           "compare with --keep-open\n");
    f.cells[0].work.keep_open = true;
    find(2);
    expect_not("opening and closing");
    f.cells[0].work.keep_open = false;
    f.cells[0].work.sync = SYNC_END; /* the flush is part of closing */
    find(2);
    expect_not("opening and closing");
    f.cells[0].work.sync = SYNC_NONE;
    f.cells[0].work.cache = CACHE_CACHED; /* where a read takes as long as an open */
    find(2);
    expect_not("opening and closing");
    f.cells[0].work.cache = CACHE_DIRECT;
    f.results[0].notes = NOTE_CACHE_HITS; /* memory has answered */
    find(2);
    expect_not("opening and closing");
    f.results[0].notes = 0;
    find(2);
    expect("opening and closing");
    with_opening(0, 200000, 700000, 100000);
    find(2);
    expect_not("opening and closing");
}

static void test_share_of_hits(void **state)
{
    struct result *r = &f.results[1];

    (void)state;
    r->notes = NOTE_CACHE_HITS;
    f.cells[1].work.cache = CACHE_DIRECT;
    find(2);
    expect("1 row meant for the device was served from memory: ");
    r->device_known = true;
    r->least_bytes = 65536;
    r->sum.device_bytes = 1000 * UINT64_C(65536) / 4;
    find(2);
    expect("1 row meant for the device was served from memory (75 % of the operations): ");
    f.results[0].notes = NOTE_CACHE_HITS;
    f.cells[0].work.cache = CACHE_DIRECT;
    find(2);
    expect("2 rows meant for the device were served from memory (up to 75 % of the operations): ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stalls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_few_operations_do_not_stall, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_p99_below_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_busy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_opening, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_share_of_hits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
