/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_columns_figures.c - computed columns: identities, percentiles, times of processors and
 * phases, against known values, some of them printed by other tools. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "columns_shown.h"

static void test_identities(void **state)
{
    static const struct {
        uint64_t size_bytes, operations, time_ns;
        const char *time_s, *throughput, *rate, *remark;
    } rows[] = {
        {65536, 983, 1037000000, "1.037000000", "62123324.975892", "947.926712", "io_profile"},
        {2, 1000, 78000000, "0.078000000", "25641.025641", "12820.512821", "io_profile"},
        {65536, 985, 864000000, "0.864000000", "74714074.074074", "1140.046296", "io_profile"},
        {8388608, 491, 10284000000, "10.284000000", "400506274.601322", "47.744068",
         "rados bench: 381.953 MiB/s"},
        {10240, 2825, 5026690391, "5.026690391", "5754880.000526", "562.000000",
         "blobstore-bench: 5.49 MiB/s"},
        {1024000, 15, 925500000, "0.925500000", "16596434.359806", "16.207455",
         "fs_benchmark_tool: 15 writes of 3 threads, of which it divides the rate by 5"},
        {1, 1, 1, "0.000000001", "1000000000.000000", "1000000000.000000", "one nanosecond"},
        {2, 3000000000, 3, "0.000000003", "2000000000000000000.000000",
         "1000000000000000000.000000", "product beyond 64 bits"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.cells[0].work.size_bytes = rows[i].size_bytes;
        f.results[0].sum.tally.operations = rows[i].operations;
        f.results[0].sum.time_ns = rows[i].time_ns;
        assert_string_equal(shown(0, "time_s"), rows[i].time_s);
        assert_string_equal(shown(0, "throughput_bytes_per_s"), rows[i].throughput);
        assert_string_equal(shown(0, "rate_per_s"), rows[i].rate);
    }
}

/* Columns of some engines and options only: 0 if measured, else empty. */
static void test_sometimes_known(void **state)
{
    static const struct {
        const char *remark;
        bool submit_known, reports, verify;
        uint64_t time_ns, cpu_ns;
        const char *submit, *helper, *wrong;
    } rows[] = {
        {"nothing looked at", false, false, false, 1000, 1000, "", "", ""},
        {"all looked at", true, true, true, 1000, 1000, "0.0000", "0.0000", "0"},
        {"the system does not tell CPU time", true, true, true, 1000, 0, "0.0000", "", "0"},
        {"no time", true, true, true, 0, 1000, "", "0.0000", "0"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_measure(&f, 0, 10, rows[i].time_ns);
        f.results[0].submit_known = rows[i].submit_known;
        f.results[0].sum.cpu_ns = rows[i].cpu_ns;
        f.engine.report = rows[i].reports ? no_report : NULL;
        f.cells[0].verified = rows[i].verify;
        if (strcmp(shown(0, "submit_fraction"), rows[i].submit) != 0 ||
            strcmp(shown(0, "cpu_helper_fraction"), rows[i].helper) != 0 ||
            strcmp(shown(0, "errors_wrong"), rows[i].wrong) != 0)
            fail_msg("%s", rows[i].remark);
    }
    /* Requested but impossible: reads of data of unknown origin. */
    f.settings.verify = true;
    assert_string_equal(shown(2, "errors_wrong"), "");
}

/* Figures that older tools computed from the same sums. */
static void test_golden_rates(void **state)
{
    static const struct {
        uint64_t operations, size_bytes, time_ns;
        enum io_test test;
        const char *rate, *throughput, *remark;
    } rows[] = {
        {400, 2097152, 16373251000, TEST_READ, "24.430090", "51233612.677165",
         "io_adapter_benchmark, 400 reads of 2 MiB"},
        {40, 100, 2136603000, TEST_DELETE, "18.721307", "",
         "io_adapter_benchmark, nothing is moved"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_measure(&f, 0, rows[i].operations, rows[i].time_ns);
        f.cells[0].work.test = rows[i].test;
        f.cells[0].work.size_bytes = rows[i].size_bytes;
        assert_string_equal(shown(0, "rate_per_s"), rows[i].rate);
        assert_string_equal(shown(0, "throughput_bytes_per_s"), rows[i].throughput);
    }
}

/* Accounting by ticks cannot split short times. */
static void test_modes_of_short_times(void **state)
{
    static const struct {
        uint64_t user_ns, system_ns, made_ns;
        const char *user;
    } rows[] = {
        {0, 0, 0, ""},
        {60000000, 39999999, 0, ""},
        {60000000, 40000000, 0, "60.00"},
        {60000000, 40000000, 1, ""},
        {400000000, 100000000, 400000000, "0.00"},
        {400000000, 100000000, 500000000, "0.00"}, /* more than the account contains */
    };
    fixture_measure(&f, 0, 10, 1000);
    f.results[0].sum.cpu_ns = 1000;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.results[0].sum.user_ns = rows[i].user_ns;
        f.results[0].sum.system_ns = rows[i].system_ns;
        f.results[0].sum.made_cpu_ns = rows[i].made_ns;
        assert_string_equal(shown(0, "cpu_user_ns_per_op"), rows[i].user);
    }
}

static void test_percentiles(void **state)
{
    static const char *const names[] = {"latency_ns_p50", "latency_ns_p90", "latency_ns_p99",
                                        "latency_ns_p999"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        fixture_measure(&f, 0, 1, 1001);
        /* The middle of the bucket 1000..1007 is not 1001: the measured maximum limits it. */
        assert_string_equal(shown(0, names[i]), "1001");
    }
    fixture_measure(&f, 0, 0, 0);
    assert_string_equal(shown(0, "latency_ns_p50"), "");
    /* Nearest rank: 18 fast operations and 2 slow ones. */
    fixture_measure(&f, 0, 18, 18 * 50);
    hist_record(&f.results[0].sum.tally.latency, 100);
    hist_record(&f.results[0].sum.tally.latency, 100);
    f.results[0].sum.tally.operations = 20;
    f.results[0].sum.tally.max_ns = 100;
    assert_string_equal(shown(0, "latency_ns_p50"), "50");
}

static void test_phases(void **state)
{
    static const struct {
        bool keep_open;
        unsigned phases;
        enum sync_mode sync;
        uint64_t close_ns;
        const char *open, *seek, *transfer, *close, *remark;
    } rows[] = {
        {false, 15, SYNC_NONE, 400, "1.00", "2.00", "3.00", "4.00", "the whole cycle"},
        {false, 13, SYNC_NONE, 400, "1.00", "", "3.00", "4.00", "no seek in this engine"},
        {false, 4, SYNC_NONE, 400, "", "", "3.00", "", "never opens"},
        {true, 15, SYNC_NONE, 400, "", "2.00", "3.00", "", "kept open"},
        {true, 15, SYNC_END, 400, "", "2.00", "3.00", "4.00", "kept open, flush timed"},
        {true, 15, SYNC_END, 0, "", "2.00", "3.00", "", "kept open, flush not timed"},
    };
    fixture_measure(&f, 0, 100, 100000);
    f.results[0].sum.tally.phase_ns[PHASE_OPEN] = 100;
    f.results[0].sum.tally.phase_ns[PHASE_SEEK] = 200;
    f.results[0].sum.tally.phase_ns[PHASE_TRANSFER] = 300;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.engine.phases = rows[i].phases;
        f.cells[0].work.keep_open = rows[i].keep_open;
        f.cells[0].work.sync = rows[i].sync;
        f.results[0].sum.tally.phase_ns[PHASE_CLOSE] = rows[i].close_ns;
        assert_string_equal(shown(0, "open_ns_mean"), rows[i].open);
        assert_string_equal(shown(0, "seek_ns_mean"), rows[i].seek);
        assert_string_equal(shown(0, "transfer_ns_mean"), rows[i].transfer);
        assert_string_equal(shown(0, "close_ns_mean"), rows[i].close);
    }
}

/* Nearest ranks, known to a bucket, and the last one exactly: other tools use the previous rank. */
static void test_golden_ranks(void **state)
{
    static const struct {
        unsigned few, many;
        uint64_t few_ns, many_ns;
        const char *p50, *p90, *p99, *p999;
    } rows[] = {
        {5, 35, 3000000, 0, "0", "2998272", "3000000", "3000000"},
        {1, 39, 963000000, 754000000, "754000000", "754000000", "963000000", "963000000"},
        {1000, 9000, 3000000, 0, "0", "0", "2998272", "2998272"},
        {1001, 8999, 3000000, 0, "0", "2998272", "2998272", "2998272"},
        {10, 9990, 963000000, 754000000, "754000000", "754000000", "754000000", "754000000"},
        {11, 9989, 963000000, 754000000, "754000000", "754000000", "754000000", "960495616"},
    };
    struct tally *tally = &f.results[0].sum.tally;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_measure(&f, 0, rows[i].many, rows[i].many * rows[i].many_ns);
        for (unsigned k = 0; k < rows[i].few; k++)
            hist_record(&tally->latency, rows[i].few_ns);
        tally->operations += rows[i].few;
        tally->max_ns = rows[i].few_ns;
        assert_string_equal(shown(0, "latency_ns_p50"), rows[i].p50);
        assert_string_equal(shown(0, "latency_ns_p90"), rows[i].p90);
        assert_string_equal(shown(0, "latency_ns_p99"), rows[i].p99);
        assert_string_equal(shown(0, "latency_ns_p999"), rows[i].p999);
    }
}

/* Half of the operations and one more: the median is in that half. */
static void test_medians(void **state)
{
    struct tally *tally = &f.results[0].sum.tally;

    fixture_measure(&f, 0, 1000, 1000000);
    tally->open_max_ns = 2977;
    tally->close_max_ns = 2977;
    for (unsigned i = 0; i < 1000; i++) {
        hist_record(&tally->open, i < 500 ? 10 : 30);
        hist_record(&tally->close, i < 500 ? 11 : 31);
    }
    expect_columns(0, "open_ns_p50 10, close_ns_p50 11");
    hist_record(&tally->open, 31);
    hist_record(&tally->close, 32);
    expect_columns(0, "open_ns_p50 30, close_ns_p50 31");
    /* The middle of the last bucket is above all values. */
    for (unsigned i = 0; i < 100; i++) {
        hist_record(&tally->open, 2977);
        hist_record(&tally->close, 2977);
    }
    expect_columns(0, "open_ns_p99 2977, close_ns_p99 2977");
}

/* An NFS mount as counted by the kernel's client: 1000 reads, each with an open and a close. */
static void test_calls(void **state)
{
    static const char *const names[] = {"rpc_count",       "rpc_data_count",
                                        "rpc_sent_bytes",  "rpc_received_bytes",
                                        "rpc_rtt_ns_mean", "rpc_retransmissions"};
    static const char *const counted[] = {"3001", "1000", "200000", "65536000", "133288.90", "4"};
    struct target_traffic traffic = {
        .rpc_count = 4,
        .rpc = {{.name = "CLOSE", .count = 1000, .round_trip_ms = 50, .sent_bytes = 200000},
                {.name = "READ", .count = 1000, .round_trip_ms = 100, .received_bytes = 65536000},
                {.name = "OPEN", .count = 1000, .round_trip_ms = 250, .retransmissions = 4},
                {.name = "RENEW", .count = 1, .round_trip_ms = 0}}};

    f.results[1].rpc = &traffic;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_string_equal(shown(1, names[i]), counted[i]);
        assert_string_equal(shown(0, names[i]), "");
    }
    memset(&traffic, 0, sizeof(traffic)); /* counted: none */
    expect_columns(1, "rpc_count 0, rpc_rtt_ns_mean ");
    f.results[1].state = RESULT_SKIPPED;
    assert_string_equal(shown(1, "rpc_count"), "");
}

/* Rows of a table are positions in each rank's file. */
static void test_filled(void **state)
{
    f.cells[0].fills = true;
    f.cells[0].place_first = 16;
    f.cells[0].work.io_bytes = f.cells[0].align_bytes = 4096;
    f.results[0].sum.tally.operations = 8;
    assert_string_equal(shown(0, "filled_bytes"), "98304");
    f.settings.ranks = 2;
    assert_string_equal(shown(0, "filled_bytes"), "81920");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identities, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_sometimes_known, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_golden_rates, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_modes_of_short_times, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_percentiles, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_golden_ranks, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_medians, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_phases, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_calls, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_filled, set_up_fixture, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
