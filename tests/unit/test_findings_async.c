/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_async.c - what is said of verification, of rates and of depth: the words when there
 * is a reason, and silence when there is none. */
#include "base/compat.h"

#include "findings_fixture.h"

static const struct engine_async async_hooks = {.depth_max = 256};

static void no_report(void *ctx, struct engine_report *report)
{
    (void)ctx;
    (void)report;
}

static void test_wrong_data(void **state)
{
    (void)state;
    find(2);
    expect_not("wrong data");
    f.results[0].sum.tally.wrong = 1;
    find(2);
    expect("# finding: 1 operation in 1 row read back wrong data: not what was written; do not "
           "trust this storage; --keep keeps the files for inspection\n");
    f.results[1].sum.tally.wrong = 11;
    f.settings.keep = true;
    find(2);
    expect(": 12 operations in 2 rows read back wrong data");
    expect("; the files were kept for inspection\n");
    f.settings.existing = true; /* no files of ours */
    find(2);
    expect("; --seed 7 reads the same offsets again\n");
    f.results[0].state = f.results[1].state = RESULT_SKIPPED;
    find(2);
    expect_not("wrong data");
}

static void test_rate(void **state)
{
    (void)state;
    f.settings.rate = 5000000;
    find(2);
    expect_not("--rate");
    f.results[0].notes = NOTE_RATE_MISSED; /* of 1000000 per second */
    find(2);
    expect("# finding: 1 row could not keep up with --rate 5000000 (write of 2 B: 1.00 M/s); their "
           "latencies include queueing; try a lower --rate or more --threads\n");
    f.results[1].notes = NOTE_RATE_MISSED; /* of 100000 per second */
    f.engine.async = &async_hooks;
    find(2);
    expect(": 2 rows could not keep up with --rate 5000000 (worst: write of 64 KiB: 100 k/s); ");
    expect("; try a lower --rate, more --depth or more --threads\n");
    fixture_measure(&f, 0, 0, 0);
    fixture_measure(&f, 1, 0, 0); /* errors say why there is nothing */
    find(2);
    expect_not("--rate");
}

/* libaio without O_DIRECT, and with it. */
static void test_submit_blocks(void **state)
{
    (void)state;
    f.engine.name = "libaio";
    f.engine.async = &async_hooks;
    f.results[0].submit_known = f.results[1].submit_known = true;
    f.results[0].sum.tally.submit_ns = 910000;  /* of 1 ms */
    f.results[1].sum.tally.submit_ns = 7000000; /* of 10 ms */
    find(2);
    expect_not("submits");
    f.results[0].notes = NOTE_SUBMIT_BLOCKS;
    find(2);
    expect(": engine libaio blocks in submission (91 % of the time in 1 row): only O_DIRECT is "
           "asynchronous; use -b (--cache direct)\n");
    f.cells[1].work.cache = CACHE_DIRECT;
    f.results[1].notes = NOTE_SUBMIT_BLOCKS;
    find(2);
    expect("submission (up to 91 % of the time in 2 rows): only O_DIRECT is asynchronous; compare "
           "with the rows with cache=direct\n");
    f.results[0].notes = 0;
    find(2);
    expect("submission (70 % of the time in 1 row): even O_DIRECT is not asynchronous here; "
           "compare with another --engine\n");
}

static void test_punted(void **state)
{
    static const struct engine other = {.name = "pread"};
    (void)state;
    f.engine.async = &async_hooks;
    f.engine.report = no_report;
    f.results[0].sum.cpu_ns = f.results[1].sum.cpu_ns = 1000000;
    f.results[0].sum.helper_cpu_ns = 610000;
    f.results[1].sum.helper_cpu_ns = 250000;
    find(2);
    expect_not("worker threads");
    f.results[1].notes = NOTE_PUNTED;
    find(2);
    expect(": the kernel handed writes of 1 row to worker threads (25 % of the CPU time): this "
           "file system cannot do them without blocking; --engine posix shows the cost without "
           "them\n");
    f.results[0].notes = NOTE_PUNTED;
    f.cells[1].work.test = TEST_READ;
    find(2);
    expect(" handed reads and writes of 2 rows to worker threads (up to 61 % of the CPU time)");
    f.cells[2].engine = &other; /* was asked for already */
    find(3);
    expect("blocking; compare with the rows with engine=pread\n");
    expect_not("--engine");
}

/* Reads of 4 KiB in four depths, and their rate in thousands per second. */
static void test_depth(void **state)
{
    static const struct {
        const char *remark;
        uint32_t depth[4];
        unsigned rate[4];
        enum cache_mode cache;
        bool in_memory;
        const char *part;
    } rows[] = {
        {"a knee",
         {1, 4, 16, 64},
         {12, 40, 85, 87},
         CACHE_DIRECT,
         false,
         ": reads of 4 KiB by posix reach 7.2 times the rate of depth 1 at depth 64 (87.0 k/s), "
         "and gain less than 10 % beyond depth 16; try --depth 16 with more --threads\n"},
        {"the best is not the last, and the order another",
         {64, 1, 16, 4},
         {80, 10, 90, 85},
         CACHE_DIRECT,
         false,
         " reach 9.0 times the rate of depth 1 at depth 16 (90.0 k/s), and gain less than 10 % "
         "beyond depth 4; try --depth 4 with"},
        {"growing",
         {1, 4, 16, 32},
         {10, 20, 30, 40},
         CACHE_DIRECT,
         false,
         " reach 4.0 times the rate of depth 1 at depth 32 (40.0 k/s, still growing); try "
         "--depth 32..128\n"},
        {"growing near the end of what the engine can do",
         {1, 4, 16, 128},
         {10, 20, 30, 40},
         CACHE_DIRECT,
         false,
         "still growing); try --depth 128..256\n"},
        {"growing at the very end",
         {1, 4, 16, 256},
         {10, 20, 30, 40},
         CACHE_DIRECT,
         false,
         "still growing); try --depth 256 with more --threads\n"},
        {"nothing gained from the cache",
         {1, 4, 16, 64},
         {300, 310, 305, 290},
         CACHE_CACHED,
         false,
         ": reads of 4 KiB by posix gain nothing from depth (300 k/s at depth 1, 310 k/s at "
         "best); use -b (--cache direct), so that there is a device to wait for\n"},
        {"nothing gained from the device",
         {1, 4, 16, 64},
         {300, 310, 305, 290},
         CACHE_DIRECT,
         false,
         "310 k/s at best); try --depth 1 with more --threads\n"},
        {"nothing gained from memory, which -b does not change",
         {1, 4, 16, 64},
         {300, 310, 305, 290},
         CACHE_CACHED,
         true,
         "310 k/s at best); try --depth 1 with more --threads\n"},
    };
    (void)state;
    f.engine.async = &async_hooks;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.target.in_memory = rows[i].in_memory;
        for (unsigned c = 0; c < 4; c++) {
            f.cells[c].work.test = TEST_READ;
            f.cells[c].work.size_bytes = 4096;
            f.cells[c].work.cache = rows[i].cache;
            f.cells[c].work.depth = rows[i].depth[c];
            fixture_measure(&f, c, rows[i].rate[c], 1000000);
        }
        find(4);
        if (!strstr(said, rows[i].part))
            fail_msg("%s: %s", rows[i].remark, said);
    }
}

/* Of each test the size that gains most. */
static void test_depth_series(void **state)
{
    static const struct {
        enum io_test test;
        uint64_t size_bytes;
        uint32_t depth;
        unsigned rate; /* thousands per second */
    } rows[FIXTURE_ROWS] = {
        {TEST_WRITE, 512, 1, 10},
        {TEST_WRITE, 512, 8, 20},
        {TEST_READ, 512, 1, 10},
        {TEST_READ, 512, 8, 50},
    };
    (void)state;
    f.engine.async = &async_hooks;
    for (unsigned c = 0; c < FIXTURE_ROWS; c++) {
        f.cells[c].work.test = rows[c].test;
        f.cells[c].work.size_bytes = rows[c].size_bytes;
        f.cells[c].work.depth = rows[c].depth;
        fixture_measure(&f, c, rows[c].rate, 1000000);
    }
    find(4);
    expect(": writes of 512 B by posix reach 2.0 times the rate of depth 1 at depth 8 (20.0 k/s, "
           "still growing), reads of 512 B by posix reach 5.0 times the rate of depth 1 at depth 8 "
           "(50.0 k/s, still growing); try --depth 8..32\n");
    f.cells[2].work.test = f.cells[3].work.test = TEST_WRITE;
    f.cells[2].work.size_bytes = f.cells[3].work.size_bytes = 65536;
    find(4);
    expect(": writes of 64 KiB by posix reach 5.0 times");
    expect_not("512 B by");
}

/* Nothing is said of depth where it cannot be judged. */
static void test_no_depth(void **state)
{
    (void)state;
    f.engine.async = &async_hooks;
    f.cells[1].work.size_bytes = 2;
    f.cells[1].work.depth = 8;
    find(2);
    expect("writes of 2 B by posix");
    f.results[1].state = RESULT_INCOMPLETE;
    find(2);
    expect_not("by posix");
    f.results[1].state = RESULT_CLOSED;
    f.settings.rate = 100; /* is the same at every depth */
    find(2);
    expect_not("by posix");
    f.settings.rate = 0;
    f.cells[1].threads = 2;
    find(2);
    expect_not("by posix");
    f.cells[1].threads = 1;
    f.cells[1].work.size_bytes = 4;
    find(2);
    expect_not("by posix");
    f.cells[1].work.size_bytes = 2;
    f.cells[0].work.depth = 2; /* to be compared with what? */
    find(2);
    expect_not("by posix");
    f.cells[0].work.depth = 1;
    f.engine.capabilities = ENGINE_VIRTUAL;
    find(2);
    expect_not("by posix");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_submit_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_punted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth_series, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_depth, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
