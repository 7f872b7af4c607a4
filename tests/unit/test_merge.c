/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_merge.c - results of several runs added up, by what one run of all operations would show. */
#include "base/compat.h"

#include "unit/results_fixture.h"

#include "analysis/merge.h"
#include "base/mem.h"

static const struct merge_column columns[] = {
    {"size_bytes", true, 0, false},
    {"operations", false, 0, false},
    {"time_s", false, 9, true},
    {"throughput_bytes_per_s", false, 6, true},
    {"rate_per_s", false, 6, true},
    {"test", true, 0, false},
    {"target", true, 0, false},
    {"threads", true, 0, false},
    {"depth", true, 0, false},
    {"latency_ns_p50", false, 0, false},
    {"latency_ns_p90", false, 0, false},
    {"latency_ns_p99", false, 0, false},
    {"latency_ns_min", false, 0, false},
    {"latency_ns_max", false, 0, false},
    {"latency_ns_mean", false, 2, false},
    {"latency_ns_stddev", false, 2, false},
    {"cpu_ns_per_op", false, 2, false},
    {"in_flight_mean", false, 3, false},
    {"errors", false, 0, false},
    {"notes", false, 0, false},
    {"label", true, 0, false},
    {"rounds", false, 0, false},
    {"step", true, 0, false},
    {"align_bytes", false, 0, false},
    {"began_unix_s", false, 9, true},
    {"ended_unix_s", false, 9, true},
    {"elapsed_s", false, 9, true},
    {"first_byte_ns_mean", false, 2, false},
    {"requests", false, 0, false},
    {"ranks", true, 0, false},
    {"rank_rate_per_s_min", false, 6, false},
    {"rank_rate_per_s_max", false, 6, false},
    {"rank_skew_ns_p99", false, 0, false},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct results files[3];
static unsigned file_count;
static struct merge merge;
static struct error err;

#define AXES(size, threads, target) \
    "'size_bytes':" size ",'test':'read','target':'" target "','threads':" threads ",'depth':1"
#define ROW(size, threads) AXES(size, threads, "/a")

/* JSON with ' for ". */
static void add_file(const char *rows)
{
    char *text = mem_printf("{'rows':[%s]}", rows);
    FILE *stream;
    char line[1024];

    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
#ifndef HAVE_JANSSON
    skip_because("built without jansson");
#endif
    stream = fmemopen(text, strlen(text), "r");
    assert_non_null(stream);
    err = ERROR_INIT;
    if (reader_stream_whole(stream, "some/file", &files[file_count++], &err) != 0)
        fail_msg("refused: %s", error_format(&err, line, sizeof(line)));
    fclose(stream);
    free(text);
}

/* Of what the row is, and what all tests need. */
static char *row_of(const char *words, const char *figures)
{
    return mem_printf("{%s,%s}", words, figures);
}

static void add_one(const char *words, const char *figures)
{
    char *text = row_of(words, figures);

    add_file(text);
    free(text);
}

static int do_merge(void)
{
    err = ERROR_INIT;
    return merge_files(files, file_count, columns, COLUMNS, &merge, &err);
}

static void forget(void)
{
    if (merge.arena)
        merge_free(&merge);
    while (file_count > 0)
        results_free(&files[--file_count]);
}

static int tear_down(void **state)
{
    (void)state;
    forget();
    return 0;
}

static void expect_number(size_t row, const char *name, double expected)
{
    const double number = merge_number(&merge, &merge.rows[row], name);

    if (isnan(expected) ? !isnan(number) : !(fabs(number - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%s is %.17g, not %.17g", name, number, expected);
}

static void expect_text(size_t row, const char *name, const char *expected)
{
    assert_string_equal(merge_text(&merge, &merge.rows[row], name), expected);
}

/* 900 of 10 ns and 100 of 50 ns, and 100 of 10 ns and 900 of 90 ns: of all of them 1000 took 10 ns,
 * 100 took 50 ns and 900 took 90 ns.  A mean of the two medians would be 50 ns. */
static void test_sums(void **state)
{
    (void)state;
    add_one(AXES("4096", "2", "/a") ",'notes':'wide;drift','label':'one'",
            "'operations':1000,'time_s':2.0,'errors':3,'rounds':5,'latency_ns_min':10,"
            "'latency_ns_max':50,'latency_ns_mean':14,'cpu_ns_per_op':8,'in_flight_mean':2,"
            "'step':1,'align_bytes':4096,'latency_ns_p50':10,'requests':10,"
            "'first_byte_ns_mean':100,'latency_histogram':[[10,900],[50,100]]");
    add_one(AXES("4096", "2", "/b") ",'notes':'drift;short','label':'two'",
            "'operations':1000,'time_s':1.0,'errors':1,'rounds':7,'latency_ns_min':10,"
            "'latency_ns_max':90,'latency_ns_mean':82,'cpu_ns_per_op':16,'in_flight_mean':2,"
            "'step':1,'align_bytes':512,'latency_ns_p50':90,'requests':30,"
            "'first_byte_ns_mean':200,'latency_histogram':[[10,100],[90,900]]");
    assert_int_equal(do_merge(), 0);
    assert_int_equal(merge.count, 1);
    expect_number(0, "size_bytes", 4096);
    expect_number(0, "operations", 2000);
    expect_number(0, "threads", 4);
    expect_number(0, "depth", 1);
    expect_number(0, "time_s", 2);
    expect_number(0, "rate_per_s", 1000);
    expect_number(0, "throughput_bytes_per_s", 4096000);
    expect_number(0, "errors", 4);
    expect_number(0, "requests", 40);
    expect_number(0, "first_byte_ns_mean", 175);
    expect_number(0, "rounds", NAN);
    expect_number(0, "latency_ns_p50", 10);
    expect_number(0, "latency_ns_p90", 90);
    expect_number(0, "latency_ns_p99", 90);
    expect_number(0, "latency_ns_min", 10);
    expect_number(0, "latency_ns_max", 90);
    expect_number(0, "latency_ns_mean", 48);
    /* squares of the distances from 48: 1000 * 38^2 + 100 * 2^2 + 900 * 42^2 */
    expect_number(0, "latency_ns_stddev", sqrt(3032000.0 / 1999));
    expect_number(0, "cpu_ns_per_op", 12);
    expect_number(0, "in_flight_mean", 3); /* 2 all the time, 2 more in half of it */
    expect_number(0, "align_bytes", NAN);  /* not the same */
    expect_number(0, "step", 1);
    expect_text(0, "test", "read");
    expect_text(0, "target", "/a + /b");
    expect_text(0, "label", "one + two");
    expect_text(0, "notes", "wide;drift;short");
    assert_true(merge.rows[0].longest_s == 2 && merge.rows[0].shortest_s == 1);
    assert_true(isnan(merge.rows[0].overlap)); /* nobody says when it was */
}

/* Percentiles are nearest ranks, of however few operations. */
static void test_few(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        add_one(ROW("4096", "1"),
                "'operations':60,'time_s':1,'latency_ns_min':10,'latency_ns_max':20,"
                "'latency_histogram':[[10,59],[20,1]]");
    assert_int_equal(do_merge(), 0);
    expect_number(0, "latency_ns_p50", 10);
    expect_number(0, "latency_ns_p90", 10);
    expect_number(0, "latency_ns_p99", 20);
    expect_text(0, "label", "");
    expect_text(0, "target", "/a");
}

/* One that did nothing adds nothing, and hides nothing. */
static void test_idle(void **state)
{
    (void)state;
    add_one(ROW("4096", "1"), "'operations':20,'time_s':1,'latency_ns_min':10,'latency_ns_max':10,"
                              "'latency_ns_mean':10,'errors':0,'latency_histogram':[[10,20]]");
    add_one(ROW("4096", "1"), "'operations':0,'time_s':1,'errors':7");
    assert_int_equal(do_merge(), 0);
    expect_number(0, "operations", 20);
    expect_number(0, "errors", 7);
    expect_number(0, "latency_ns_p50", 10);
    expect_number(0, "latency_ns_mean", 10);
    expect_number(0, "latency_ns_max", 10);
    expect_number(0, "rate_per_s", 20);
}

#define DONE "'operations':1,'time_s':1,'latency_histogram':[[10,1]]"

/* Two teams of 4 ranks with 2 threads are 4 ranks with 4 threads. */
static void test_teams(void **state)
{
#define FIGURES DONE ",'ranks':"
#define FOUR                                                                          \
    FIGURES "4,'rank_rate_per_s_min':5,'rank_rate_per_s_max':9,'rank_skew_ns_p99':7," \
            "'rank_results':[{'rank':0,'operations':1}]"
    char *four = row_of(ROW("512", "1"), FOUR);
    char *one = row_of(ROW("512", "1"), FIGURES "1");
    char *both = mem_printf("%s,%s", four, one);
    (void)state;
    add_one(ROW("512", "2"), FOUR);
    add_one(ROW("512", "2"),
            FIGURES "4,'rank_rate_per_s_min':6,'rank_rate_per_s_max':10,'rank_skew_ns_p99':7");
    assert_int_equal(do_merge(), 0);
    assert_int_equal(merge.count, 1);
    expect_number(0, "ranks", 4);
    expect_number(0, "threads", 4);
    expect_number(0, "rank_rate_per_s_min", 5);
    expect_number(0, "rank_rate_per_s_max", 10);
    expect_number(0, "rank_skew_ns_p99", NAN);
    forget();
    add_file(both); /* numbers of ranks are an axis of these */
    add_file(both);
    assert_int_equal(do_merge(), 0);
    assert_int_equal(merge.count, 2);
    expect_number(0, "ranks", 4);
    expect_number(1, "ranks", 1);
    forget();
    add_file(four); /* here they are not */
    add_file(one);
    assert_int_equal(do_merge(), 0);
    expect_number(0, "ranks", NAN);
    expect_number(0, "threads", 5); /* all that were at work */
    forget();
    add_one(ROW("512", "1"), DONE); /* without a number of ranks */
    add_file(four);
    add_file(one);
    assert_int_equal(do_merge(), 0);
    expect_number(0, "threads", NAN);
    free(four);
    free(one);
    free(both);
#undef FIGURES
#undef FOUR
}

/* The share of the longest span in which all were under way. */
static void test_overlap(void **state)
{
    static const struct {
        const char *began, *ended;
        double overlap, measured;
    } rows[] = {
        {"100", "110", 1, 0.5},  {"105", "115", 0.5, 0.5},   {"110", "120", 0, 0.5},
        {"200", "300", 0, 0.05}, {"90", "130", 0.25, 0.125},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *lines = mem_printf(DONE ",'elapsed_s':5,'began_unix_s':%s,'ended_unix_s':%s",
                                 rows[i].began, rows[i].ended);
        add_one(ROW("512", "1"), DONE ",'elapsed_s':5,'began_unix_s':100,'ended_unix_s':110");
        add_one(ROW("512", "1"), lines);
        free(lines);
        assert_int_equal(do_merge(), 0);
        assert_true(fabs(merge.rows[0].overlap - rows[i].overlap) < 1e-9);
        assert_true(fabs(merge.rows[0].measured - rows[i].measured) < 1e-9);
        forget();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_sums, tear_down),
        cmocka_unit_test_teardown(test_few, tear_down),
        cmocka_unit_test_teardown(test_idle, tear_down),
        cmocka_unit_test_teardown(test_teams, tear_down),
        cmocka_unit_test_teardown(test_overlap, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
