/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_verdict.c - which rows of a run the verdict on a target is made of, and what is
 * taken of each: the words themselves are those of analysis/verdict.c. */
#include "base/compat.h"

#include "findings_fixture.h"

static struct seen seen[FIXTURE_ROWS];
static struct target other;
static const struct target *both[2];

/* Two targets, and of each cell a read of 4 KiB from the device: 90 us, of the first target. */
static int set_up_rows(void **state)
{
    (void)state;
    fixture_init(&f);
    memset(seen, 0, sizeof(seen));
    other = f.target;
    other.label = (char *)(uintptr_t) "/other";
    both[0] = &f.target;
    both[1] = &other;
    f.info.targets = both;
    f.settings.target_count = 2;
    for (unsigned i = 0; i < FIXTURE_ROWS; i++) {
        f.cells[i].work.test = TEST_READ;
        f.cells[i].work.cache = CACHE_DIRECT;
        f.cells[i].work.size_bytes = 4096;
        seen[i] = (struct seen){.cell = &f.cells[i],
                                .state = RESULT_CLOSED,
                                .operations = 1000,
                                .throughput = -1,
                                .rate = -1,
                                .op_ns_median = 95e3,
                                .latency_ns_p50 = 90e3};
    }
    return 0;
}

static void judge(size_t rows)
{
    const struct findings findings = {
        .info = &f.info,
        .rows = seen,
        .count = rows,
        .busy = {.cpus = 2, .threads = 1, .own = 0.3, .others = 0.02, .others_most = 0.02}};
    FILE *file;
    int saved;

    catch_begin(&file, &saved);
    findings_verdict(&findings);
    catch_end(file, saved);
}

static void a_row_is_judged(void **state)
{
    (void)state;
    judge(1);
    assert_string_equal(said, "# verdict: /data answers like an SSD: 4 KiB reads take 90.0 us "
                              "(p50). The machine was quiet and the figures are steady.\n"
                              "# next: iosweep /data   (the whole curve, within a minute)\n");
    judge(0);
    assert_string_equal(said, "");
    f.settings.existing = true;
    judge(1);
    expect("# next: iosweep -r /data");
}

static void rows_of_others_are_not(void **state)
{
    (void)state;
    f.cells[1].target = 1;
    seen[1].latency_ns_p50 = 8e6;
    judge(2);
    expect("/data answers like an SSD: 4 KiB reads take 90.0 us (p50). ");
    expect("/other answers like a hard disk: 4 KiB reads take 8.00 ms (p50). ");
    f.cells[0].target = 1;
    judge(1);
    expect_not("/data");
}

/* What is of another kind, or has no figures, says nothing of the storage. */
static void rows_without_an_answer_are_left_out(void **state)
{
    static const struct engine virtual_engine = {.name = "none", .capabilities = ENGINE_VIRTUAL};

    (void)state;
    f.cells[0].work.test = TEST_STAT;
    judge(1);
    assert_string_equal(said, "");
    f.cells[0].work.test = TEST_WRITE; /* beside the read */
    seen[0].latency_ns_p50 = 40e3;
    judge(2);
    expect("4 KiB reads take 90.0 us (p50), 4 KiB writes take 40.0 us (p50). ");
    f.cells[0].work.test = TEST_READ;
    seen[0].operations = 0;
    judge(1);
    assert_string_equal(said, "");
    seen[0].operations = 1;
    judge(1);
    expect("verdict");
    seen[0].state = RESULT_SKIPPED;
    judge(1);
    assert_string_equal(said, "");
    seen[0].state = RESULT_CLOSED;
    f.cells[0].mixed = true;
    judge(1);
    assert_string_equal(said, "");
    f.cells[0].mixed = false;
    f.cells[0].engine = &virtual_engine;
    judge(1);
    assert_string_equal(said, "");
}

/* A latency is that of one operation at a time; throughput is of all. */
static void only_single_operations_have_a_latency(void **state)
{
    (void)state;
    f.cells[1].work.size_bytes = 65536;
    seen[1].throughput = 1e9;
    f.cells[0].threads = 2;
    f.cells[1].threads = 2;
    judge(2);
    assert_string_equal(said, "");
    f.cells[0].threads = 1;
    f.cells[0].work.depth = 2;
    judge(2);
    assert_string_equal(said, "");
    f.cells[0].work.depth = 1;
    judge(2);
    expect("4 KiB reads take 90.0 us (p50), 64 KiB reads reach 1.00 GB/s. ");
}

static void figures_are_those_of_the_row(void **state)
{
    (void)state;
    seen[0].p99_known = true;
    seen[0].latency_ns_p99 = 300000;
    seen[0].rate = 97.1;
    judge(1);
    expect("4 KiB reads take 90.0 us (p50; p99 300 us) but only 97.1 /s go through (a limit?). ");
    seen[0].p99_known = false;
    seen[0].rate = -1;
    seen[0].latency_ns_p50 = 0;
    judge(1);
    expect("4 KiB reads take 95.0 us. "); /* a mean of each round */
    seen[0].half_width = 0.11;
    judge(1);
    expect("1 of 1 figures varies by more than 10 %");
    seen[0].half_width = 0.09;
    seen[0].notes = NOTE_WIDE;
    judge(1);
    expect("quiet and the figures are steady");
    seen[0].half_width = 0; /* too few rounds for an interval */
    judge(1);
    expect("1 of 1 figures varies by more than 10 %");
}

/* Read from memory, from the device, or from both. */
static void caches_decide_what_is_judged(void **state)
{
    static const struct {
        enum cache_mode cache;
        unsigned notes;
        const char *told; /* NULL: nothing */
    } rows[] = {
        {CACHE_DIRECT, 0, "answers like an SSD"},
        {CACHE_UNCACHED, 0, "answers like an SSD"},
        {CACHE_CACHED, 0, "the device was not measured, these are page cache speeds"},
        {CACHE_ASIS, 0, NULL},
        {CACHE_DIRECT, NOTE_CACHE_HITS, NULL},
        {CACHE_CACHED, NOTE_NOT_CACHED, NULL},
        {CACHE_DIRECT, NOTE_COVERED, NULL},
        {CACHE_DIRECT, NOTE_RMW, NULL},
        {CACHE_DIRECT, NOTE_DRIFT, "answers like an SSD"},
    };

    (void)state;
    seen[0].throughput = 1e9;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.cells[0].work.cache = rows[i].cache;
        seen[0].notes = rows[i].notes;
        judge(1);
        if (rows[i].told ? !strstr(said, rows[i].told) : said[0] != '\0')
            fail_msg("%zu: %s", i, said);
    }
    strcpy(f.target.notes, "unwritten");
    judge(1);
    assert_string_equal(said, "");
}

/* Writes that are to be evicted stay in memory until they are flushed. */
static void writes_are_judged_when_flushed(void **state)
{
    (void)state;
    f.cells[1].work.test = TEST_WRITE;
    f.cells[1].work.cache = CACHE_UNCACHED;
    judge(2);
    expect_not("writes");
    f.cells[1].work.sync = SYNC_END;
    judge(2);
    expect("4 KiB writes take 90.0 us");
    f.cells[1].work.cache = CACHE_ASIS;
    judge(2);
    expect_not("writes");
}

static void kinds_are_those_of_the_target(void **state)
{
    (void)state;
    f.target.network_options = (char *)(uintptr_t) "vers=4.2";
    judge(1);
    expect("/data answers like a file server nearby, from its memory");
    f.target.in_memory = true;
    judge(1);
    expect("/data is memory, with no device behind it: 4 KiB reads take 90.0 us (p50).");
    f.target.in_memory = false;
    f.target.driver = &far_driver;
    f.cells[0].work.cache = CACHE_CACHED; /* there is none */
    judge(1);
    expect("/data answers like an object store nearby");
}

/* Rows that lacked time are judged by three operations, and counted. */
static void rows_cut_short_are_counted(void **state)
{
    (void)state;
    seen[0].state = RESULT_INCOMPLETE;
    seen[0].stop = STOP_TIME;
    seen[0].operations = 2;
    seen[1].state = RESULT_SKIPPED;
    f.cells[2].target = 1;
    seen[2].state = RESULT_INCOMPLETE;
    seen[2].stop = STOP_TIME;
    seen[2].operations = 0;
    judge(3);
    assert_string_equal(said, "# verdict: there was too little time to judge /data; try "
                              "--time 5s\n"
                              "# verdict: there was too little time to judge /other; try "
                              "--time 5s\n");
    seen[0].operations = 3;
    judge(2);
    expect("/data answers like an SSD: ");
    expect("Cut short: 1 of 1 rows had too little time.");
    seen[1].state = RESULT_CLOSED;
    judge(3);
    expect("Cut short: 1 of 2 rows had too little time.");
    seen[0].stop = STOP_SIGNAL;
    judge(1);
    expect_not("answers");
    f.settings.max_time_ns = 1;
    judge(1);
    expect("too little time to judge /data; try --max-time 2min\n");
    f.cells[0].work.test = TEST_WRITE; /* reads are what is judged */
    judge(1);
    assert_string_equal(said, "");
}

/* So are files that are fewer than were asked for. */
static void few_files_lack_time(void **state)
{
    (void)state;
    strcpy(f.target.notes, "reduced:1048576/67108864");
    judge(1);
    expect("/data was measured on 1 MiB of test files only");
    f.cells[0].threads = 2;
    judge(1);
    expect("there was too little time to judge /data;");
    f.target.notes[0] = '\0';
    judge(1);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_row_is_judged, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_others_are_not, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(rows_without_an_answer_are_left_out, set_up_rows,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_single_operations_have_a_latency, set_up_rows,
                                        tear_down),
        cmocka_unit_test_setup_teardown(figures_are_those_of_the_row, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(caches_decide_what_is_judged, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(writes_are_judged_when_flushed, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(kinds_are_those_of_the_target, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(rows_cut_short_are_counted, set_up_rows, tear_down),
        cmocka_unit_test_setup_teardown(few_files_lack_time, set_up_rows, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
