/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_plot_kinds.c - programs for gnuplot beside curves and maps: comparisons, distributions of
 * latencies, and courses over time.  Nothing is run. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare_print.h"
#include "analysis/plot/plot.h"
#include "analysis/plot/plot_parts.h"
#include "base/mem.h"

static const struct plot_request svg = {
    .device = PLOT_SVG, .throughput = true, .latency_or_time = true};

/* Results as they are read from a file of that text, which is removed again. */
static void read_text(const char *text, struct results *results)
{
    char name[] = "test_plot_kinds.XXXXXX";
    struct error err = ERROR_INIT;
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_int_equal(results_read_any(name, true, results, &err), 0);
    unlink(name);
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* What was written, or NULL when it was refused, and then nothing was.  Free it. */
static char *finish(FILE *stream, char **program, const size_t *size, int result)
{
    fclose(stream);
    if (result == 0)
        return *program;
    assert_int_equal(*size, 0);
    free(*program);
    return NULL;
}

/* --- comparisons --- */

static char *compare(const char *old, const char *new, const struct plot_request *request,
                     struct plot_summary *summary, struct error *err)
{
    struct results files[2];
    struct match match;
    struct comparison comparison = {.files = files, .pairs = 1, .match = &match, .tolerance = 0.02};
    struct compare_overall *overall;
    char *program = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&program, &size);

    read_text(old, &files[0]);
    read_text(new, &files[1]);
    assert_int_equal(match_files(files, 1, &match, err), 0);
    overall = mem_calloc(match.test_count, sizeof(*overall));
    comparison.overall = overall;
    compare_judge(match.compared, match.count, 1, comparison.tolerance, overall, match.test_count);
    program = finish(stream, &program, &size,
                     plot_comparison(&comparison, request, stream, summary, err));
    free(overall);
    match_free(&match);
    results_free(&files[0]);
    results_free(&files[1]);
    return program;
}

#define CELL "size_bytes,op_ns_median,op_ns_low,op_ns_high,test,cache\n"

/* A cell that is slower, one that is the same, one without an interval, and one that cannot be
 * compared: each with its verdict, the last one nowhere. */
static void ratios_have_verdicts(void **state)
{
    static const char *const old = CELL "512,1000,999,1001,read,direct\n"
                                        "1024,1000,999,1001,read,direct\n"
                                        "2048,1000,,,read,direct\n"
                                        "512,1000,999,1001,write,direct\n";
    static const char *const new = CELL "512,1500,1499,1501,read,direct\n"
                                        "1024,1000,999,1001,read,direct\n"
                                        "2048,1500,,,read,direct\n"
                                        "512,500,499,501,write,direct\n";
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = compare(old, new, &svg, &summary, &err);
    double low = 0, high = 0;
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 2);
    assert_int_equal(sscanf(strstr(program, "set yrange ["), "set yrange [%lf:%lf]", &low, &high),
                     2);
    assert_true(low < 0.49 && low > 0.3 && high > 1.6 && high < 3);
    assert_int_equal(count_of(program, "\nplot "), 2);
    assert_non_null(strstr(program, "$r0 << EOD\n512 1.5\n1024 1\n2048 1.5\nEOD\n"));
    assert_non_null(strstr(program, "$p0_0 << EOD\n2048 1.5 1.5 1.5\nEOD\n"));
    assert_non_null(strstr(program, "$p0_2 << EOD\n1024 1 0.99"));
    assert_non_null(strstr(program, "$p0_3 << EOD\n512 1.5 1.49"));
    assert_non_null(strstr(program, "$p1_4 << EOD\n512 0.5 0.49"));
    assert_non_null(strstr(program, "set title 'read: time per operation, new against old'"));
    assert_non_null(strstr(program, "first 0.980392157 to graph 1,first 1.02 behind"));
    assert_non_null(strstr(program, "set label 'slower' at graph 1.01,0.93"));
    assert_non_null(strstr(program, "set label 'faster' at graph 1.01,0.07"));
    assert_non_null(strstr(program, "'no difference: within 2 %'"));
    assert_non_null(strstr(program, "'interval (conservative)'"));
    assert_non_null(strstr(program, "'no interval to judge by'"));
    assert_null(strstr(program, "'unclear'"));
    assert_non_null(strstr(program, "'+50 %%' 1.5"));
    free(program);
}

/* In percent, and from 3 times on in times. */
static void large_ratios_are_times(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = compare(CELL "512,1000,999,1001,read,direct\n",
                            CELL "512,10000,9999,10001,read,direct\n", &svg, &summary, &err);
    (void)state;
    assert_non_null(strstr(program, ", '+100 %%' 2, "));
    assert_non_null(strstr(program, ", '10 times' 10"));
    free(program);
}

/* What is compared stands in the title, not among what is common. */
static void the_axis_compared_is_named(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = compare(CELL "512,1000,999,1001,read,direct\n",
                            CELL "512,100,99,101,read,cached\n", &svg, &summary, &err);
    (void)state;
    assert_non_null(strstr(program, "'read, 1 thread, depth 1, cache: direct -> cached'"));
    free(program);
}

/* An interval without end does not make the ratios invisible. */
static void intervals_do_not_decide_the_axis(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = compare(CELL "512,1000,10,900000,read,direct\n",
                            CELL "512,1100,10,900000,read,direct\n", &svg, &summary, &err);
    double low = 0, high = 0;
    (void)state;
    assert_int_equal(sscanf(strstr(program, "set yrange ["), "set yrange [%lf:%lf]", &low, &high),
                     2);
    assert_true(low > 0.5 && high < 2 && high > 1.1);
    assert_non_null(strstr(program, "'unclear'"));
    free(program);
}

static void comparisons_on_a_terminal_have_letters(void **state)
{
    const struct plot_request text = {.device = PLOT_TEXT, .columns = 80, .lines = 24};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = compare(CELL "512,1000,999,1001,read,direct\n",
                            CELL "512,1500,1499,1501,read,direct\n", &text, &summary, &err);
    (void)state;
    assert_non_null(strstr(program, "$p0_3 using 1:2 with points pt 19 notitle"));
    assert_non_null(strstr(program, "set label 'S  slower' at character 2,0 left"));
    assert_null(strstr(program, "multiplot"));
    free(program);
}

static void too_many_panels_are_refused(void **state)
{
    char *text = mem_strdup("size_bytes,op_ns_median,op_ns_low,op_ns_high,depth\n");
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    (void)state;
    for (int i = 1; i <= 13; i++) {
        char *longer = mem_printf("%s512,1000,999,1001,%d\n", text, i);
        free(text);
        text = longer;
    }
    assert_null(compare(text, text, &svg, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.action, "too many panels"));
    assert_non_null(strstr(err.advice, "13 of them, and 12 fit"));
    free(text);
}

/* --- distributions --- */

/* A row of JSON with ' for ", with the buckets of its histogram. */
#define BUCKETS(size, cache, buckets)                                                            \
    "{'size_bytes':" size ",'cache':'" cache "','rate_per_s':1000,'latency_histogram':[" buckets \
    "]}"
#define THEN(size, cache, buckets) "," BUCKETS(size, cache, buckets)

/* text: such rows with ',' between them, or CSV. */
static char *distributions(const char *text, enum plot_device device, struct plot_summary *summary,
                           struct error *err)
{
    const struct plot_request request = {
        .device = device, .distribution = true, .columns = 80, .lines = 24};
    struct results file;
    char *program = NULL, *json = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&program, &size);

    if (text[0] == '{')
        json = mem_printf("{'rows':[%s]}", text);
    for (char *at = json; at && (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    read_text(json ? json : text, &file);
    free(json);
    program = finish(stream, &program, &size, plot_write(&file, 1, &request, stream, summary, err));
    results_free(&file);
    return program;
}

/* 50 operations in one bucket, 40 in another, and 10, which are too few to go on with.  Nothing
 * took between 1008 and 2000 ns, and there the line is flat. */
static void shares_are_those_of_the_histogram(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = distributions(BUCKETS("512", "direct", "[1000,50],[2000,40],[4000,10]"),
                                  PLOT_SVG, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 1);
    assert_non_null(strstr(
        program, "$d0 << EOD\n1000 -2.32635\n1008 0.00000\n2000 0.00000\n2016 1.28155\nEOD\n"));
    /* all in one bucket: a vertical line, up to what is known of 1000 operations */
    free(program);
    program = distributions(BUCKETS("512", "direct", "[40,1000]"), PLOT_SVG, &summary, &err);
    assert_non_null(strstr(program, "$d0 << EOD\n40 -2.32635\n41 2.32635\nEOD\n"));
    /* too few for the median */
    assert_null(distributions(BUCKETS("512", "direct", "[40,19]"), PLOT_SVG, &summary, &err));
    err = ERROR_INIT;
    assert_non_null(strstr(program, "'p99.99' 3.71902"));
    assert_non_null(strstr(program, "'p50' 0.00000"));
    assert_non_null(strstr(program, "set logscale x"));
    assert_non_null(strstr(program, "set label '512 B' at screen"));
    free(program);
    assert_null(distributions("size_bytes,op_ns_median\n512,1000\n", PLOT_SVG, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.action, "no distribution of latencies"));
    assert_non_null(strstr(err.advice, "--format json"));
}

/* Nine sizes of two cache states: a panel for each of these, seven sizes from light to dark. */
static void sizes_are_lines_and_the_rest_are_panels(void **state)
{
    char *text = mem_strdup(""), *program;
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    (void)state;
    for (int i = 0; i < 18; i++) {
        char *longer =
            mem_printf("%s%s" BUCKETS("%d", "%s", "[%d,500],[%d,500]"), text, i > 0 ? "," : "",
                       512 << i % 9, i < 9 ? "cached" : "direct", 1000 << i % 9, 2000 << i % 9);
        free(text);
        text = longer;
    }
    program = distributions(text, PLOT_SVG, &summary, &err);
    assert_non_null(program);
    assert_int_equal(summary.curves, 14);
    assert_int_equal(summary.sizes_left_out, 2);
    assert_int_equal(count_of(program, "\nplot "), 2);
    assert_non_null(strstr(program, "set title 'cached: latency percentiles'"));
    assert_non_null(strstr(program, "set title 'direct: latency percentiles'"));
    assert_int_equal(count_of(program, "set label '512 B' at"), 1);
    assert_int_equal(count_of(program, "set label '128 KiB' at"), 1);
    assert_int_equal(count_of(program, "$d13 using 1:2 with linespoints lc rgb '#440154'"), 1);
    free(program);
    program = distributions(text, PLOT_TEXT, &summary, &err);
    assert_int_equal(count_of(program, "'G  128 KiB'"), 2);
    free(program);
    free(text);
}

/* Of one size the lines are what else differs, in one panel. */
static void one_size_has_one_panel(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = distributions(BUCKETS("512", "cached", "[1000,50],[2000,50]")
                                      THEN("512", "direct", "[10000,50],[20000,50]"),
                                  PLOT_SVG, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_int_equal(count_of(program, "\nplot "), 1);
    assert_non_null(strstr(program, "set label 'cached' at screen"));
    assert_non_null(strstr(program, "set label 'direct' at screen"));
    assert_non_null(strstr(program, "$d1 using 1:2 with linespoints lc rgb '#D55E00'"));
    free(program);
    /* also where rows of other sizes, without a distribution, stand before them */
    program = distributions(BUCKETS("256", "cached", "") THEN("512", "cached", "[1000,50]")
                                THEN("256", "direct", "") THEN("512", "direct", "[10000,50]"),
                            PLOT_SVG, &summary, &err);
    assert_non_null(program);
    assert_non_null(strstr(program, "set label 'cached' at screen"));
    assert_non_null(strstr(program, "set label 'direct' at screen"));
    free(program);
}

/* --- over time --- */

#define SERIES                                                                                  \
    "ended_s,interval_s,test,rate_per_s,throughput_bytes_per_s,latency_ns_mean,latency_ns_max," \
    "row,size_bytes,latency_ns_p99\n"

static char *course(const char *text, const struct plot_request *request,
                    struct plot_summary *summary, struct error *err)
{
    struct results file;
    char *program = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&program, &size);

    read_text(text, &file);
    assert_int_equal(file.format, RESULTS_SERIES);
    program = finish(stream, &program, &size, plot_series(&file, 1, request, stream, summary, err));
    results_free(&file);
    return program;
}

/* A point is in the middle of its interval; where the row was not under way the line has a gap;
 * an interval without any row is nowhere, one without operations is 0. */
static void records_are_drawn_over_time(void **state)
{
    static const char *const text = SERIES "1,1,read,100,51200,9000,20000,1,512,15000\n"
                                           "2,1,read,0,0,,,1,512,\n"
                                           "3,1,,,,,,,,\n"
                                           "4,1,read,200,102400,8000,20000,1,512,15000\n";
    struct plot_request latency = {.device = PLOT_SVG, .latency = true};
    const struct plot_request letters = {.device = PLOT_TEXT,
                                         .throughput = true,
                                         .latency_or_time = true,
                                         .columns = 80,
                                         .lines = 24};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = course(text, &svg, &summary, &err);
    const char *amount;
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 1);
    assert_non_null(strstr(program, "$t0 << EOD\n0.5 51200 9000 15000 20000\n1.5 0 NaN NaN NaN\n\n"
                                    "3.5 102400 8000 15000 20000\nEOD\n"));
    assert_int_equal(count_of(program, "\nplot "), 2);
    assert_non_null(strstr(program, "set title 'throughput'"));
    assert_non_null(strstr(program, "set title 'latency (mean)'"));
    assert_non_null(strstr(program, "unset logscale y\nset yrange [0:110592]\n"));
    assert_non_null(strstr(program, "set xlabel 'time since the start (s)'"));
    assert_non_null(strstr(program, "'40 kB/s' 40000"));
    assert_non_null(strstr(program, "'p99 of each interval'"));
    amount = strstr(program, "plot $t0 using 1:2 with linespoints lc");
    assert_true(amount && strstr(amount, "$t0 using 1:3 with linespoints lc"));
    free(program);
    program = course(text, &letters, &summary, &err);
    amount = strstr(program, "plot $t0 using 1:2 with linespoints pt 1");
    assert_true(amount && strstr(amount, "plot $t0 using 1:3 with linespoints pt 1"));
    free(program);
    program = course(text, &latency, &summary, &err);
    assert_null(strstr(program, "set title 'throughput'"));
    free(program);
}

/* Sizes that differ much are drawn with a logarithmic axis, on which 0 has no place. */
static void sizes_have_colours_in_their_order(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = course(SERIES "1,1,read,100,51200,9000,20000,1,512,\n"
                                  "1,1,read,100,6553600,9000,20000,2,65536,\n"
                                  "2,1,read,0,0,,,1,512,\n"
                                  "3,1,write,100,51200,9000,20000,3,512,\n"
                                  "3,1,write,100,6553600,9000,20000,4,65536,\n",
                           &svg, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 4);
    assert_int_equal(count_of(program, "\nplot "), 4);
    assert_non_null(strstr(program, "set title 'write: throughput'"));
    assert_non_null(strstr(program, "1.5 NaN NaN NaN NaN\n"));
    assert_non_null(strstr(program, "set logscale y "));
    assert_int_equal(count_of(program, "set label '64 KiB' at"), 1);
    assert_int_equal(count_of(program, "lc rgb '#440154' lw 1.4 dt 1 pt 5"), 4);
    free(program);
}

/* Sizes that a panel has no room for are in no legend either. */
static void sizes_left_out_are_not_named(void **state)
{
    const struct plot_request letters = {
        .device = PLOT_TEXT, .throughput = true, .columns = 80, .lines = 40};
    char *text = mem_strdup(SERIES), *program;
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    (void)state;
    for (int i = 0; i < 10; i++) {
        char *longer = mem_printf("%s1,1,read,100,51200,9000,20000,%d,%d,\n", text, i, 1 << i);
        free(text);
        text = longer;
    }
    program = course(text, &svg, &summary, &err);
    assert_int_equal(summary.sizes_left_out, 2);
    assert_int_equal(summary.curves, 8);
    assert_int_equal(count_of(program, " B' at screen"), 8);
    free(program);
    program = course(text, &letters, &summary, &err);
    assert_int_equal(count_of(program, " B' at character"), 8);
    free(program);
    free(text);
}

/* Nothing done at any time, and no latency: a picture of that, unless latency is asked for. */
static void idle_courses_are_drawn(void **state)
{
    static const char *const text = SERIES "1,1,read,0,0,,,1,512,\n"
                                           "2,1,read,,,,,1,512,\n";
    struct plot_request latency = {.device = PLOT_SVG, .latency = true};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = course(text, &svg, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_non_null(strstr(program, "0.5 0 NaN NaN NaN\n1.5 NaN NaN NaN NaN\n"));
    assert_int_equal(count_of(program, "\nplot "), 1);
    assert_non_null(strstr(program, "set yrange [0:1]\n"));
    free(program);
    assert_null(course(text, &latency, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.action, "no latency of operations"));
}

/* As spreadsheets want it. */
static void decimal_commas_are_read(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program =
        course("ended_s;interval_s;test;throughput_bytes_per_s;latency_ns_mean;size_bytes\n"
               "1,5;0,5;read;51200,5;9000,5;512\n",
               &svg, &summary, &err);
    (void)state;
    assert_non_null(strstr(program, "$t0 << EOD\n1.25 51200.5 9000.5 NaN NaN\nEOD\n"));
    free(program);
}

/* A test that moves no data has a rate; so has all that is drawn beside it. */
static void tests_without_data_have_rates(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = course(SERIES "1,1,stat,100,,9000,20000,1,1,\n"
                                  "2,1,stat,3000,,9000,20000,1,1,\n",
                           &svg, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_non_null(strstr(program, "0.5 100 9000 NaN 20000\n"));
    assert_non_null(strstr(program, "set title 'rate'"));
    assert_non_null(strstr(program, "'1 k/s' 1000"));
    free(program);
}

static void linear_axes_have_round_numbers(void **state)
{
    static const struct {
        double low, high;
        unsigned most;
        const char *expected;
    } rows[] = {
        {0, 10, 6, "set yrange [0:10]\nset ytics ('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10)\n"},
        {0, 1.1, 6, "('0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1' 1)"},
        {6.2, 12.4, 4, "('8' 8, '10' 10, '12' 12)"},
        {0, 90, 5, "('0' 0, '20' 20, '40' 40, '60' 60, '80' 80)"},
        {1e18, 1e18 + 200, 6, "set ytics ('1e+18' 1e+18"}, /* steps are lost in such numbers */
        {0, 4.4e9, 3, "('0' 0, '2e+09' 2000000000, '4e+09' 4000000000)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct plot_range range = {rows[i].low, rows[i].high};
        char *text = NULL;
        size_t size = 0;
        struct plot_set set = {.request = &svg, .stream = open_memstream(&text, &size)};
        plot_put_linear_axis(&set, "y", &range, NULL, rows[i].most, true);
        fclose(set.stream);
        if (!strstr(text, rows[i].expected))
            fail_msg("%s", text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_have_verdicts),
        cmocka_unit_test(large_ratios_are_times),
        cmocka_unit_test(the_axis_compared_is_named),
        cmocka_unit_test(intervals_do_not_decide_the_axis),
        cmocka_unit_test(comparisons_on_a_terminal_have_letters),
        cmocka_unit_test(too_many_panels_are_refused),
        cmocka_unit_test(shares_are_those_of_the_histogram),
        cmocka_unit_test(sizes_are_lines_and_the_rest_are_panels),
        cmocka_unit_test(one_size_has_one_panel),
        cmocka_unit_test(records_are_drawn_over_time),
        cmocka_unit_test(sizes_have_colours_in_their_order),
        cmocka_unit_test(sizes_left_out_are_not_named),
        cmocka_unit_test(idle_courses_are_drawn),
        cmocka_unit_test(decimal_commas_are_read),
        cmocka_unit_test(tests_without_data_have_rates),
        cmocka_unit_test(linear_axes_have_round_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
