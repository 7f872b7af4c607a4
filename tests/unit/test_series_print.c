/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_series_print.c - the records of --interval in CSV and JSON. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "run/series.h"
#include "unit/fake.h"
#include "unit/out_fixture.h"
#include "unit/said.h"

#define MS UINT64_C(1000000)

/* The target of a cell is not accessed: it may be closed when its record is written. */
static const struct cell row_cells[] = {
    {.index = 0,
     .part = 0,
     .step = 1,
     .loop = 2,
     .repeat = 3,
     .threads = 2,
     .engine = &engine_fake,
     .work = {.test = TEST_WRITE, .size_bytes = 4096, .depth = 1}},
    {.index = 1,
     .part = 1,
     .step = 2,
     .loop = 1,
     .repeat = 1,
     .threads = 1,
     .engine = &engine_fake,
     .work = {.test = TEST_READ, .cache = CACHE_DIRECT, .size_bytes = 4096, .depth = 8}},
};
static const struct series_record records[] = {
    {.time_ns = 250 * MS, .length_ns = 250 * MS, .preparing_ns = 250 * MS, .unix_ms = 1000250},
    {.time_ns = 500 * MS,
     .length_ns = 250 * MS,
     .busy_ns = 200 * MS,
     .preparing_ns = 50 * MS,
     .unix_ms = 1000500,
     .under_way = true,
     .cell = &row_cells[0],
     .test = TEST_WRITE,
     .cache = CACHE_CACHED,
     .operations = 500,
     .bytes = 2048000,
     .errors = 3,
     .in_flight = 2,
     .latency_sum_ns = 100250,
     .latency_min_ns = 100,
     .latency_max_ns = 999,
     .latency_last_ns = 150,
     .latency_p50_ns = 190,
     .latency_p99_ns = 990,
     .all = {500, 2048000, 3, 200 * MS, 100250}},
    {.time_ns = 750 * MS,
     .length_ns = 250 * MS,
     .busy_ns = 250 * MS,
     .unix_ms = 1000750,
     .under_way = true,
     .cell = &row_cells[1],
     .test = TEST_READ,
     .cache = CACHE_DIRECT,
     .in_flight = 1,
     .all = {.busy_ns = 250 * MS}},
    {.time_ns = 800 * MS,
     .length_ns = 50 * MS,
     .busy_ns = 50 * MS,
     .unix_ms = 1000800,
     .partial = true,
     .under_way = true,
     .cell = &row_cells[1],
     .test = TEST_READ,
     .cache = CACHE_DIRECT,
     .operations = 1,
     .bytes = 4096,
     .latency_sum_ns = 7,
     .latency_min_ns = 7,
     .latency_max_ns = 7,
     .latency_last_ns = 7,
     .all = {1, 4096, 0, 300 * MS, 7}},
};

static struct sink sink;

static void tell(size_t count)
{
    struct error err = ERROR_INIT;
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sink.interval(sink.arg, &records[i], &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    format_free(&sink);
}

/* Returns the output; to be followed by fixture_fini. */
static const char *print_csv(char separator, char decimal)
{
    fixture_init(&f);
    f.target.label = (char *)(uintptr_t) "d,1";
    format_make_series(f.stream, "x", separator, decimal, &sink);
    tell(sizeof(records) / sizeof(*records));
    return f.text;
}

static const char *print_json(uint64_t interval_ns, size_t count)
{
    static const struct format_options options = {.columns = "size_bytes"};
    struct error err = ERROR_INIT;

    fixture_init(&f);
    f.settings.interval_ns = interval_ns;
    assert_int_equal(format_make(FORMAT_JSON, f.stream, &options, &sink, &err), 0);
    tell(count);
    return f.text;
}

static void csv_has_a_line_per_record(void **state)
{
    assert_string_equal(
        print_csv(',', '.'),
        "ended_s,interval_s,test,cache,operations,bytes,rate_per_s,throughput_bytes_per_s,"
        "in_flight,errors,latency_ns_mean,latency_ns_max,busy_s,preparing_s,row,part,target,"
        "engine,size_bytes,threads,depth,operations_begun_total,operations_ended_total,"
        "rate_per_s_total,"
        "throughput_bytes_per_s_total,latency_ns_min,latency_ns_last,latency_ns_mean_total,"
        "ended_unix_s,step,loop,repeat,latency_ns_p99,latency_ns_p50\n"
        "0.250000000,0.250000000,,,0,0,,,0,0,,,0.000000000,0.250000000,,,,,,,,,,,,,,,"
        "1000.250,,,,,\n"
        "0.500000000,0.250000000,write,cached,500,2048000,2500.000000,10240000.000000,"
        "2,3,200.5,999,0.200000000,0.050000000,1,1,\"d,1\",fake,4096,2,1,505,503,2500.000000,"
        "10240000.000000,100,150,200.5,1000.500,1,2,3,990,190\n"
        "0.750000000,0.250000000,read,direct,0,0,0.000000,0.000000,1,0,,,0.250000000,0.000000000,"
        "2,2,\"d,1\",fake,4096,1,8,1,0,0.000000,0.000000,,,,1000.750,2,1,1,,\n"
        "0.800000000,0.050000000,read,direct,1,4096,20.000000,81920.000000,0,0,7.0,7,0.050000000,"
        "0.000000000,2,2,\"d,1\",fake,4096,1,8,1,1,3.333333,13653.333333,7,7,7.0,"
        "1000.800,2,1,1,,\n");
    fixture_fini(&f);
    assert_non_null(strstr(print_csv(';', ','),
                           "\n0,800000000;0,050000000;read;direct;1;4096;20,000000;"
                           "81920,000000;0;0;7,0;7;0,050000000;"));
    fixture_fini(&f);
    assert_non_null(
        strstr(print_csv(',', ','), "\n\"0,800000000\",\"0,050000000\",read,direct,1,4096,"));
    fixture_fini(&f);
}

static void json_has_a_record_of_each(void **state)
{
    const char *text = print_json(250 * MS, sizeof(records) / sizeof(*records));
    assert_non_null(strstr(
        text, "}\n,{\"record\":\"interval\",\"ended_s\":0.250000000,\"interval_s\":0.250000000,"
              "\"test\":null,\"cache\":null,\"operations\":0,\"bytes\":0,"
              "\"rate_per_s\":null,\"throughput_bytes_per_s\":null,\"in_flight\":0,"
              "\"errors\":0,\"latency_ns_mean\":null,\"latency_ns_max\":null,"
              "\"busy_s\":0.000000000,\"preparing_s\":0.250000000,\"row\":null,"));
    assert_non_null(strstr(text, "\"latency_ns_mean_total\":7.0,\"ended_unix_s\":1000.800,"
                                 "\"step\":2,\"loop\":1,\"repeat\":1,"
                                 "\"latency_ns_p99\":null,\"latency_ns_p50\":null}\n"));
    fixture_fini(&f);
    /* without --interval there is no such record */
    assert_null(strstr(print_json(0, 0), "\"record\":\"interval"));
    fixture_fini(&f);
}

static void add_record(const struct cell *cell, uint64_t busy_ns, uint64_t operations, bool partial)
{
    struct error err = ERROR_INIT;

    assert_int_equal(sink.interval(sink.arg,
                                   &(struct series_record){.length_ns = 1000 * MS,
                                                           .busy_ns = busy_ns,
                                                           .partial = partial,
                                                           .under_way = true,
                                                           .cell = cell,
                                                           .operations = operations,
                                                           .bytes = operations << 20},
                                   &err),
                     0);
}

static void begin_records(void)
{
    struct error err = ERROR_INIT;

    fixture_init(&f);
    for (unsigned i = 0; i < sizeof(row_cells) / sizeof(row_cells[0]); i++)
        f.cells[i] = row_cells[i];
    format_make_series(f.stream, "x", ',', '.', &sink);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
}

/* What is printed at the end. */
static void end_records(const char *expected)
{
    struct error err = ERROR_INIT;

    said_begin();
    assert_int_equal(sink.end(sink.arg, &err), 0);
    said_end();
    assert_string_equal(said, expected);
    format_free(&sink);
    fixture_fini(&f);
}

/* Rates per second of one row, as printed by rados bench: how even they were. */
static void golden_numbers_of_rados_bench(void **state)
{
    static const struct {
        unsigned count;
        uint64_t operations[10];
        const char *said;
    } rows[] = {
        /* MiB/s: mean 354.4, deviation 116.851 */
        {10,
         {32, 440, 352, 392, 416, 344, 400, 384, 408, 376},
         "# intervals: none of 11 was idle; 1 partial one is not counted\n"
         "#   rate 32.0 /s to 440 /s, mean 354 /s, spread 117 /s\n"
         "#   throughput 33.6 MB/s to 461 MB/s, mean 372 MB/s, spread 123 MB/s\n"},
        /* 1/s, writing: mean 44.3, deviation 14.6063 */
        {10,
         {4, 55, 44, 49, 52, 43, 50, 48, 51, 47},
         "# intervals: none of 11 was idle; 1 partial one is not counted\n"
         "#   rate 4.00 /s to 55.0 /s, mean 44.3 /s, spread 14.6 /s\n"
         "#   throughput 4.19 MB/s to 57.7 MB/s, mean 46.5 MB/s, spread 15.3 MB/s\n"},
        /* 1/s, reading in order: mean 81.4, deviation 16.6673 */
        {5,
         {54, 99, 82, 84, 88},
         "# intervals: none of 6 was idle; 1 partial one is not counted\n"
         "#   rate 54.0 /s to 99.0 /s, mean 81.4 /s, spread 16.7 /s\n"
         "#   throughput 56.6 MB/s to 104 MB/s, mean 85.4 MB/s, spread 17.5 MB/s\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_records();
        for (unsigned k = 0; k < rows[i].count; k++)
            add_record(&f.cells[0], 1000 * MS, rows[i].operations[k], false);
        add_record(&f.cells[0], 100 * MS, 1, true); /* left out */
        end_records(rows[i].said);
    }
}

/* Half the time is half the weight: two operations in 2 s and two in 1 s make 4 in 3 s; the spread
 * is the root of (2 s * (1/3)^2 + 1 s * (2/3)^2) / 3 s * 2. Another row, in between, was steadier.
 */
static void intervals_count_by_their_time(void **state)
{
    begin_records();
    for (unsigned k = 1; k <= 2; k++) {
        add_record(&f.cells[1], 1000 * MS, 2, false);
        add_record(&f.cells[0], 2000 * MS / k, 2, false);
    }
    end_records("# intervals of 2 rows, the least steady being row 1 (write 4 KiB): none of 2 was "
                "idle\n"
                "#   rate 1.00 /s to 2.00 /s, mean 1.33 /s, spread 0.667 /s\n"
                "#   throughput 1.05 MB/s to 2.10 MB/s, mean 1.40 MB/s, spread 699 kB/s\n");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_has_a_line_per_record),
        cmocka_unit_test(json_has_a_record_of_each),
        cmocka_unit_test(golden_numbers_of_rados_bench),
        cmocka_unit_test(intervals_count_by_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
