/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_prometheus.c - the exposition format as bytes: samples of a metric together, base units,
 * escaped labels, and nothing for what is not known. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/utf8.h"
#include "out_fixture.h"
#include "report/formats/print.h"

static const char *print_rows(const char *label, unsigned from, unsigned to)
{
    const struct format_options options = {.label = label};
    struct error err = ERROR_INIT;
    struct sink sink;
    assert_int_equal(format_make(FORMAT_PROMETHEUS, f.stream, &options, &sink, &err), 0);
    assert_int_equal(fixture_run(&f, &sink, from, to, &err), 0);
    format_free(&sink);
    assert_null(sink.arg);
    return f.text;
}

/* Everything from the first line of the metrics of rows on: before it stand version and time. */
static const char *body(void)
{
    const char *rows = strstr(f.text, "# HELP iosweep_rows ");
    assert_non_null(rows);
    return rows;
}

#define AXES(test, size)                                                                  \
    "test=\"" test "\",target=\"/data\",engine=\"posix\",cache=\"cached\",threads=\"1\"," \
    "depth=\"1\",size_bytes=\"" size "\""

static void test_all(void **state)
{
    (void)state;
    fixture_measure(&f, 1, 20, 20 * 50000);
    fixture_rounds(&f, 1, 50000, 250);
    fixture_measure(&f, 3, 4, 4 * 1000);
    f.results[1].notes = NOTE_WIDE | NOTE_DRIFT;
    f.results[1].device_known = true;
    f.results[1].sum.device_bytes = 4096;
    f.results[1].resident_fraction = 0.25;
    f.results[1].sum.tally.failed = 3;
    f.cells[3].verified = true;
    f.results[3].state = RESULT_INCOMPLETE;
    f.results[0].state = RESULT_SKIPPED;
    f.cells[0].skip = "beyond_file";
    print_rows("", 0, 2);
    assert_memory_equal(f.text, "# HELP iosweep_info ", 20);
    assert_non_null(strstr(f.text, "\n# TYPE iosweep_info gauge\niosweep_info{version=\""));
    assert_non_null(strstr(f.text, "\niosweep_end_timestamp_seconds "));
    /* clang-format off */
    assert_string_equal(body(),
                        "# HELP iosweep_rows Rows of the run by what came of them.\n"
                        "# TYPE iosweep_rows gauge\n"
                        "iosweep_rows{state=\"complete\"} 1\n"
                        "iosweep_rows{state=\"incomplete\"} 0\n"
                        "iosweep_rows{state=\"skipped\"} 1\n"
                        "# HELP iosweep_throughput_bytes_per_second Bytes moved by complete operations per second.\n"
                        "# TYPE iosweep_throughput_bytes_per_second gauge\n"
                        "iosweep_throughput_bytes_per_second{" AXES("write", "65536") "} 1310720000\n"
                        "# HELP iosweep_operations_per_second Complete operations per second.\n"
                        "# TYPE iosweep_operations_per_second gauge\n"
                        "iosweep_operations_per_second{" AXES("write", "65536") "} 20000\n"
                        "# HELP iosweep_operation_median_seconds Median over the rounds of the time per operation, of all threads together.\n"
                        "# TYPE iosweep_operation_median_seconds gauge\n"
                        "iosweep_operation_median_seconds{" AXES("write", "65536") "} 5e-05\n"
                        "# HELP iosweep_operation_low_seconds Lower end of the 95 % interval of that median.\n"
                        "# TYPE iosweep_operation_low_seconds gauge\n"
                        "iosweep_operation_low_seconds{" AXES("write", "65536") "} 4.975e-05\n"
                        "# HELP iosweep_operation_high_seconds Upper end of the 95 % interval of that median.\n"
                        "# TYPE iosweep_operation_high_seconds gauge\n"
                        "iosweep_operation_high_seconds{" AXES("write", "65536") "} 5.025e-05\n"
                        "# HELP iosweep_latency_seconds Time that a complete operation took, as its thread saw it.\n"
                        "# TYPE iosweep_latency_seconds summary\n"
                        "iosweep_latency_seconds{" AXES("write", "65536") ",quantile=\"0.5\"} 5e-05\n"
                        "iosweep_latency_seconds_sum{" AXES("write", "65536") "} 0.001\n"
                        "iosweep_latency_seconds_count{" AXES("write", "65536") "} 20\n"
                        "# HELP iosweep_latency_min_seconds Shortest operation.\n"
                        "# TYPE iosweep_latency_min_seconds gauge\n"
                        "iosweep_latency_min_seconds{" AXES("write", "65536") "} 5e-05\n"
                        "# HELP iosweep_latency_max_seconds Longest operation.\n"
                        "# TYPE iosweep_latency_max_seconds gauge\n"
                        "iosweep_latency_max_seconds{" AXES("write", "65536") "} 5e-05\n"
                        "# HELP iosweep_measured_seconds Time that the operations took in all.\n"
                        "# TYPE iosweep_measured_seconds gauge\n"
                        "iosweep_measured_seconds{" AXES("write", "65536") "} 0.001\n"
                        "# HELP iosweep_operations Complete operations.\n"
                        "# TYPE iosweep_operations gauge\n"
                        "iosweep_operations{" AXES("write", "65536") "} 20\n"
                        "# HELP iosweep_errors Failed operations, not in any other figure.\n"
                        "# TYPE iosweep_errors gauge\n"
                        "iosweep_errors{" AXES("write", "65536") "} 3\n"
                        "# HELP iosweep_short_operations Operations that moved less than asked, not in any other figure.\n"
                        "# TYPE iosweep_short_operations gauge\n"
                        "iosweep_short_operations{" AXES("write", "65536") "} 0\n"
                        "# HELP iosweep_device_bytes Bytes moved to or from storage.\n"
                        "# TYPE iosweep_device_bytes gauge\n"
                        "iosweep_device_bytes{" AXES("write", "65536") "} 4096\n"
                        "# HELP iosweep_resident_ratio Share of the objects in the page cache.\n"
                        "# TYPE iosweep_resident_ratio gauge\n"
                        "iosweep_resident_ratio{" AXES("write", "65536") "} 0.25\n"
                        "# HELP iosweep_amplification_ratio Bytes moved to or from storage for each byte asked for.\n"
                        "# TYPE iosweep_amplification_ratio gauge\n"
                        "iosweep_amplification_ratio{" AXES("write", "65536") "} 0.003125\n"
                        "# HELP iosweep_note 1 for each note that qualifies the row.\n"
                        "# TYPE iosweep_note gauge\n"
                        "iosweep_note{" AXES("write", "2") ",note=\"skipped:beyond_file\"} 1\n"
                        "iosweep_note{" AXES("write", "65536") ",note=\"drift\"} 1\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        /* clang-format on */
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "iosweep_note{" AXES(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "write",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "65536") ",note=\"wide\"} 1\n");
    rewind(f.stream);
    print_rows("", 3, 4);
    assert_non_null(strstr(body(), "\niosweep_rows{state=\"incomplete\"} 1\n"));
    assert_non_null(strstr(body(), "\niosweep_wrong_operations{" AXES("read", "65536") "} 0\n"));
    assert_non_null(
        strstr(body(), "\niosweep_note{" AXES("read", "65536") ",note=\"incomplete\"} 1\n"));
}

/* Rows of object stores have their requests, and failures by class; others have none of these. */
static void test_requests(void **state)
{
    (void)state;
    fixture_measure(&f, 0, 100, 100000);
    print_rows(NULL, 0, 1);
    assert_null(strstr(f.text, "iosweep_request"));
    rewind(f.stream);
    f.results[0].sum.has_requests = true;
    f.results[0].sum.requests = (struct engine_requests){.count = 104,
                                                         .complete = 100,
                                                         .connections = 3,
                                                         .first_byte_ns = 100 * 250000,
                                                         .body_ns = 100 * 500,
                                                         .retries = 4,
                                                         .slow_downs = 2,
                                                         .server_errors = 1,
                                                         .network_errors = 5};
    print_rows(NULL, 0, 1);
#define SAMPLE(name, more, value) "\niosweep_" name "{" AXES("write", "2") more "} " value "\n"
    assert_non_null(strstr(f.text, SAMPLE("requests", "", "104")));
    assert_non_null(strstr(f.text, SAMPLE("connections", "", "3")));
    assert_non_null(strstr(f.text, SAMPLE("first_byte_seconds", "", "0.00025")));
    assert_non_null(strstr(f.text, SAMPLE("body_seconds", "", "5e-07")));
    assert_non_null(strstr(f.text, SAMPLE("retries", "", "4")));
    assert_non_null(strstr(f.text, SAMPLE("slow_downs", "", "2")));
    assert_non_null(strstr(f.text, SAMPLE("request_errors", ",class=\"client\"", "0")));
    assert_non_null(strstr(f.text, SAMPLE("request_errors", ",class=\"server\"", "1")));
    assert_non_null(strstr(f.text, SAMPLE("request_errors", ",class=\"network\"", "5")));
    assert_non_null(strstr(f.text, SAMPLE("request_errors", ",class=\"protocol\"", "0")));
#undef SAMPLE
}

/* Lines of a metric are neighbours, however many rows and tests there are. */
static void test_together(void **state)
{
    const char *line;
    char name[128], seen[64][128];
    unsigned count = 0;
    (void)state;
    for (unsigned i = 0; i < FIXTURE_ROWS; i++) {
        fixture_measure(&f, i, 100, 100000);
        fixture_rounds(&f, i, 1000, 1);
    }
    print_rows(NULL, 0, FIXTURE_ROWS);
    for (line = f.text; *line != '\0'; line = strchr(line, '\n') + 1) {
        const bool comment = *line == '#';
        const size_t length = comment ? strcspn(line + 7, " ") : strcspn(line, "{ ");
        size_t base;
        snprintf(name, sizeof(name), "%.*s", (int)length, comment ? line + 7 : line);
        base = strlen(name);
        for (unsigned k = 0; k < 2 && strstr(name, "iosweep_latency_seconds_") == name; k++)
            base = strlen("iosweep_latency_seconds"); /* _sum and _count belong to the summary */
        name[base] = '\0';
        if (count > 0 && strcmp(seen[count - 1], name) == 0)
            continue;
        for (unsigned i = 0; i < count; i++)
            assert_string_not_equal(seen[i], name);
        assert_true(comment && count < 64);
        memcpy(seen[count++], name, sizeof(name));
    }
    assert_within(count, 10, 20);
}

static void test_labels(void **state)
{
    static const struct {
        const char *label, *expected, *remark;
    } rows[] = {
        {"plain", ",label=\"plain\"}", "nothing special"},
        {"", ",size_bytes=\"2\"}", "no label when there is no text"},
        {"say \"x\"", ",label=\"say \\\"x\\\"\"}", "quotes"},
        {"a\\b", ",label=\"a\\\\b\"}", "backslash"},
        {"two\nlines", ",label=\"two\\nlines\"}", "newline"},
        {"{x=\"1\"} 5", ",label=\"{x=\\\"1\\\"} 5\"}", "looks like a sample"},
        {"\xc3\xa4\xe2\x82\xac", ",label=\"\xc3\xa4\xe2\x82\xac\"}", "UTF-8 stays"},
        {"a\xff\xc3", ",label=\"a\\\\xff\\\\xc3\"}", "bytes that are no character"},
    };
    (void)state;
    fixture_measure(&f, 0, 1, 1000);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *sample;
        char expected[128];
        rewind(f.stream);
        sample = strstr(print_rows(rows[i].label, 0, 1), "\niosweep_operations{");
        assert_non_null(sample);
        snprintf(expected, sizeof(expected), "%s 1\n", rows[i].expected);
        sample = strstr(sample + 1, rows[i].expected);
        assert_non_null(sample);
        assert_memory_equal(sample, expected, strlen(expected));
    }
}

/* A run that ended before it began says nothing: what is in the file stays. */
static void test_not_begun(void **state)
{
    const struct format_options options = {.label = ""};
    struct error err = ERROR_INIT;
    struct sink sink;
    (void)state;
    assert_int_equal(format_make(FORMAT_PROMETHEUS, f.stream, &options, &sink, &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    format_free(&sink);
    fflush(f.stream);
    assert_int_equal(f.text_size, 0);
}

static void test_utf8(void **state)
{
    static const struct {
        const char *text;
        unsigned length;
    } rows[] = {
        {"a", 1},
        {"", 1},
        {"\xc3\xa4", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\x80", 0},
        {"\xc0\x80", 0},         /* overlong */
        {"\xe0\x80\x80", 0},     /* overlong */
        {"\xf0\x80\x80\x80", 0}, /* overlong */
        {"\xed\xa0\x80", 0},     /* surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\xc3", 0}, /* cut */
        {"\xe2\x82", 0},
        {"\xff", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_int_equal(utf8_length(rows[i].text), rows[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_requests, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_together, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_labels, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_not_begun, set_up_fixture, tear_down),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
