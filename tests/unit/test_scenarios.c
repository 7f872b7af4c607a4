/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_scenarios.c - properties of time-dependent figures that users of older tools rely on: whole
 * sweeps on a scripted engine and a clock that only it advances, up to the text of columns, so that
 * upper bounds are exact on any machine. (The same with the program, and lower bounds:
 * tests/cli/seeds-*.sh.) */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/formats/formats.h"
#include "run/series.h"
#include "run/sweep.h"
#include "unit/plan_fixture.h"
#include "unit/said.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

static struct target *targets[1] = {&target};
static struct settings settings;
static struct error err;
static char *text; /* of the last run */
static size_t text_bytes;

/* Prepares one row of one size. */
static void prepare(const struct fake_step *steps, unsigned count, enum io_test test,
                    uint64_t size_bytes)
{
    fake_reset(steps, count);
    settings = defaults();
    settings.scan_given = false;
    err = ERROR_INIT;
    settings.min_bytes = settings.max_bytes = size_bytes;
    settings.tests = (struct steps){.count = 1, .step = {{.test = test}}};
    settings.rounds_min = settings.rounds_max = 1;
    settings.precision = 0.025;
    settings.seed = 1;
}

/* The rows of the run with these columns, without the header. */
static const char *rows(const char *columns)
{
    const struct format_options options = {.columns = columns, .separator = ',', .decimal = '.'};
    struct sweep_outcome outcome;
    struct plan plan;
    struct sink sink;
    struct sweep sweep = {.settings = &settings,
                          .plan = &plan,
                          .targets = targets,
                          .clock = &fake_clock,
                          .sinks = &sink,
                          .sink_count = 1,
                          .stop = &fake_script.stop};
    FILE *stream;

    free(text);
    stream = open_memstream(&text, &text_bytes);
    assert_non_null(stream);
    assert_int_equal(format_make(FORMAT_CSV, stream, &options, &sink, &err), 0);
    assert_int_equal(plan_make(&settings, NULL, targets, &plan, &err), 0);
    assert_int_equal(sweep_run(&sweep, &outcome, &err), 0);
    format_free(&sink);
    plan_free(&plan);
    fclose(stream);
    assert_non_null(strchr(text, '\n'));
    return strchr(text, '\n') + 1;
}

#define PERCENTILES                                                                           \
    "operations,latency_ns_min,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999," \
    "latency_ns_max"

/* Nearest ranks of 40 operations; an older tool uses the previous rank. */
static void percentiles_of_forty(void **state)
{
    struct fake_step steps[40] = {{.transfer_ns = 0}};
    for (unsigned i = 0; i < 40; i += 8)
        steps[i].transfer_ns = 3 * MS; /* 5 of 40 */
    prepare(steps, 40, TEST_READ, 4096);
    settings.repetitions = 40;
    /* p90 is known to a bucket, 1.6 % */
    assert_string_equal(rows(PERCENTILES), "40,0,0,2998272,3000000,3000000,3000000\n");

    for (unsigned i = 0; i < 40; i++)
        steps[i].transfer_ns = i == 17 ? 963 * MS : 754 * MS;
    prepare(steps, 40, TEST_WRITE, 4096);
    settings.repetitions = 40;
    assert_string_equal(rows(PERCENTILES),
                        "40,754000000,754000000,754000000,963000000,963000000,963000000\n");
}

/* A clock with microseconds: 1000 operations of 61 us are 0.061 s, and all 1000 even if there is
 * room for a single one. */
static void sixty_one_microseconds(void **state)
{
    static const struct fake_step steps[] = {
        {.open_ns = 20 * US, .seek_ns = 1 * US, .transfer_ns = 30 * US, .close_ns = 10 * US}};
    prepare(steps, 1, TEST_READ, 512);
    settings.repetitions = 1000;
    assert_string_equal(
        rows("size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,open_ns_mean,"
             "seek_ns_mean,transfer_ns_mean,close_ns_mean,op_ns_stddev"),
        "512,1000,0.061000000,8393442.622951,16393.442623,20000.00,1000.00,30000.00,10000.00,\n");
    prepare(steps, 1, TEST_READ, UINT64_C(4) << 20);
    settings.repetitions = 1000;
    settings.rounds_min = settings.rounds_max = 11;
    assert_string_equal(rows("operations,time_s,op_ns_stddev"), "1000,0.061000000,0.00\n");
    assert_int_equal(fake_script.lowest_offset, 0);
    assert_int_equal(fake_script.highest_end, UINT64_C(4) << 20);
}

/* Operations of 50 ms, three times 15 of them: neither latency nor rate is divided by the number of
 * repeats. */
static void repeats_are_not_divided(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 45 * MS, .close_ns = 5 * MS}};
    prepare(steps, 1, TEST_WRITE, 1024000);
    settings.repetitions = 15;
    settings.repeats = 3;
    assert_string_equal(rows("repeat,operations,latency_ns_mean,time_s,"
                             "throughput_bytes_per_s,in_flight_mean"),
                        "1,15,50000000.00,0.750000000,20480000.000000,1.000\n"
                        "2,15,50000000.00,0.750000000,20480000.000000,1.000\n"
                        "3,15,50000000.00,0.750000000,20480000.000000,1.000\n");
}

/* Count or time, whichever is reached first: ends immediately, or within one operation. */
static void first_limit_ends(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 300 * MS}};
    prepare(steps, 1, TEST_WRITE, 100);
    settings.repetitions = 10;
    settings.cell_time_ns = 100000 * MS;
    assert_string_equal(rows("operations,stop,elapsed_s"), "10,count,3.000000000\n");
    assert_true(fake_now_ns < 5000 * MS);
    prepare(steps, 1, TEST_WRITE, 100);
    settings.repetitions = 1000000000;
    settings.cell_time_ns = 2000 * MS;
    assert_string_equal(rows("operations,stop,elapsed_s"), "7,time,2.100000000\n");
    assert_true(fake_now_ns < 2500 * MS);
}

/* A store's constant delay is the latency, of the first operation as well as the last. */
static void constant_latency(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 100 * MS}};
    prepare(steps, 1, TEST_WRITE, 4096);
    settings.cell_time_ns = 1000 * MS;
    assert_string_equal(rows(PERCENTILES ",latency_ns_stddev"),
                        "10,100000000,100000000,100000000,100000000,100000000,100000000,0.00\n");
}

/* No operation is lost between records and at the end: an older tool printed 4626891 and 1309567 of
 * the 10025255 operations that it finally counted. */
static void records_have_all_operations(void **state)
{
    static const uint64_t done[] = {4626891, 1309567, 4088797};
    static const volatile int never;
    struct series *series;
    struct series_record record;
    uint64_t told = 0, at_ns = 1000;
    unsigned records = 0;
    fake_reset(NULL, 0);
    series = series_create(1, 1000 * MS, &fake_clock, &never);
    series_start(series);
    for (unsigned i = 0; i < 3; i++) {
        fake_now_ns = i < 2 ? at_ns + (i + 1) * 1000 * MS : fake_now_ns + 870 * MS;
        series_publish(series_live(series, 0), SERIES_COUNTED,
                       &(struct series_batch){.operations = done[i],
                                              .sum_ns = done[i],
                                              .min_ns = 1,
                                              .max_ns = 1,
                                              .last_ns = 1,
                                              .end_ns = fake_now_ns},
                       0);
        assert_true(series_take(series, fake_now_ns, &record));
        assert_int_equal(record.operations, done[i]);
        told += record.operations;
    }
    assert_int_equal(record.length_ns, 870 * MS); /* the last one with its real length */
    assert_int_equal(told, 10025255);
    assert_int_equal(record.all.operations, told);
    series_free(series);

    /* intervals of 0.25 s are four per second, on time */
    for (uint64_t next_ns = at_ns; next_ns < at_ns + 1000 * MS; records++)
        next_ns = series_next_ns(at_ns, 250 * MS, next_ns);
    assert_int_equal(records, 4);
}

/* The same with a server that may be slow at first. Captures stderr in `said`. */
static const char *warm_rows(const char *columns, struct storage_driver *driver)
{
    const char *shown;

    *driver = *target.driver;
    driver->capabilities |= TARGET_WARMS_UP;
    target.driver = driver;
    said_begin();
    shown = rows(columns);
    said_end();
    return shown;
}

/* A server that gets faster is warmed up until two slices are similar: none of the slow ones
 * counts. One that never becomes stable is waited for at most 2 s, which is reported. */
static void servers_warm_up(void **state)
{
    static struct fake_step steps[4096];
    struct storage_driver driver;
    double ns = 20e6;

    for (unsigned i = 0; i < 4096; i++, ns *= 0.9)
        steps[i].transfer_ns = ns > 1e6 ? (uint64_t)ns : MS; /* 0.2 s in total */
    prepare(steps, 4096, TEST_READ, 4096);
    assert_string_not_equal(rows("latency_ns_max"), "1000000\n");
    prepare(steps, 4096, TEST_READ, 4096);
    assert_string_equal(warm_rows("latency_ns_min,latency_ns_max", &driver), "1000000,1000000\n");
    assert_non_null(strstr(said, ": read warmed up for 0."));
    assert_null(strstr(said, "not steady"));

    ns = 1e6;
    for (unsigned i = 0; i < 4096; i++, ns *= 1.3)
        steps[i].transfer_ns = ns < 1e9 ? (uint64_t)ns : 1000 * MS;
    prepare(steps, 4096, TEST_READ, 4096);
    (void)warm_rows("latency_ns_max", &driver);
    assert_non_null(strstr(said, ": read warmed up for 2."));
    assert_non_null(strstr(said, ", and is not steady yet"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_of_forty),    cmocka_unit_test(sixty_one_microseconds),
        cmocka_unit_test(repeats_are_not_divided), cmocka_unit_test(first_limit_ends),
        cmocka_unit_test(constant_latency),        cmocka_unit_test(records_have_all_operations),
        cmocka_unit_test(servers_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
