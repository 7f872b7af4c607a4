/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_csv.c - CSV as bytes: header, quoting and separators. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "out_fixture.h"
#include "report/formats/print.h"

static void print_rows(const struct format_options *options, unsigned from, unsigned to)
{
    assert_int_equal(fixture_print(FORMAT_CSV, options, from, to), 0);
}

/* The order of all columns, which begin with the default ones. tests/data/columns.txt has one name
 * per line, after a comment. */
static void test_order(void **state)
{
    const struct format_options options = {.columns = "all"}, usual = {.columns = NULL};
    const char *source = getenv("top_srcdir");
    char path[4096], name[128], header[4096] = "", *end;
    size_t used = 0;
    FILE *golden;

    if (!source)
        skip_because("top_srcdir is not set");
    snprintf(path, sizeof(path), "%s/tests/data/columns.txt", source);
    golden = fopen(path, "r");
    assert_non_null(golden);
    while (fgets(name, sizeof(name), golden))
        if (name[0] != '#')
            used += (size_t)snprintf(header + used, sizeof(header) - used, "%s%.*s",
                                     used ? "," : "", (int)strcspn(name, "\n"), name);
    fclose(golden);
    print_rows(&options, 0, 0);
    assert_int_equal(strlen(f.text), used + 1);
    assert_memory_equal(f.text, header, used);
    rewind(f.stream);
    print_rows(&usual, 0, 0);
    end = strchr(f.text, '\n');
    assert_non_null(end);
    assert_memory_equal(f.text, header, (size_t)(end - f.text));
    assert_memory_equal(end - strlen(",notes,label"), ",notes,label", strlen(",notes,label"));
}

/* Compares both rows in these columns. */
static void expect_record(const char *columns, const char *const *fields)
{
    const struct format_options options = {.columns = columns, .label = "run 1"};
    const char *line;

    rewind(f.stream);
    print_rows(&options, 0, 2);
    line = strchr(f.text, '\n') + 1;
    for (unsigned row = 0; row < 2; row++, line = strchr(line, '\n') + 1)
        assert_memory_equal(line, fields[row], strlen(fields[row]));
}

static void test_records(void **state)
{
    fixture_measure(&f, 1, 983, 1037000000);
    f.results[0].state = RESULT_SKIPPED;
    f.cells[0].skip = "beyond_file";
    expect_record(
        "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s",
        (const char *const[]){"2,0,,,\n", "65536,983,1.037000000,62123324.975892,947.926712\n"});
    expect_record("test,target,engine,cache,access,threads,depth,loop,step,repeat,ranks",
                  (const char *const[]){"write,/data,posix,cached,random,1,1,1,1,1,1\n",
                                        "write,/data,posix,cached,random,1,1,1,1,1,1\n"});
    expect_record("rounds,latency_ns_p50,latency_ns_p99,latency_ns_p999,latency_ns_max",
                  (const char *const[]){",,,,\n", "0,1054933,1054933,1054933,1054933\n"});
    expect_record("phases", (const char *const[]){",,,,,,,,,\n", "0.00,,,,0.00,0.00,0.00,,,\n"});
    expect_record("errors,errors_short,notes,label",
                  (const char *const[]){",,skipped:beyond_file,run 1\n", "0,0,,run 1\n"});
}

static void test_quoting(void **state)
{
    static const struct {
        const char *label, *expected, *remark;
    } rows[] = {
        {"plain", "plain", "nothing special"},
        {"", "", "empty"},
        {"a,b", "\"a,b\"", "separator"},
        {"say \"x\"", "\"say \"\"x\"\"\"", "quotes are doubled"},
        {"two\nlines", "two\\x0alines", "newline"},
        {"cr\r", "cr\\x0d", "carriage return"},
        {"\t=1+1", "\\x09=1+1", "tab before a formula"},
        {"\x1b[2J", "\\x1b[2J", "escape sequence"},
        {"a\xe2\x80\xae"
         "b",
         "a\\xe2\\x80\\xaeb", "change of direction"},
        {" a ", "\" a \"", "blanks"},
        {"a;b", "a;b", "not the separator here"},
        {"=1+1", "\"'=1+1\"", "formula"},
        {"+1", "\"'+1\"", "formula"},
        {"@x", "\"'@x\"", "formula"},
        {"-1", "\"'-1\"", "formula"},
        {"-", "\"-\"", "nothing to compute"},
        {"'=1", "\"''=1\"", "an apostrophe of its own"},
        {"it's", "it's", "an apostrophe inside"},
        {"a=b", "a=b", "not at the beginning"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[128];
        const struct format_options options = {.columns = "size_bytes,label",
                                               .label = rows[i].label};
        rewind(f.stream);
        print_rows(&options, 0, 1);
        snprintf(expected, sizeof(expected), "size_bytes,label\n2,%s\n", rows[i].expected);
        assert_memory_equal(f.text, expected, strlen(expected));
    }
}

static void test_german(void **state)
{
    const struct format_options options = {.columns = "size_bytes,time_s,rate_per_s,notes,label",
                                           .separator = ';',
                                           .decimal = ',',
                                           .label = "a,b"};
    fixture_measure(&f, 1, 983, 1037000000);
    f.results[1].notes = NOTE_WIDE | NOTE_DRIFT;
    print_rows(&options, 1, 2);
    assert_string_equal(f.text, "size_bytes;time_s;rate_per_s;notes;label\n"
                                "65536;1,037000000;947,926712;\"drift;wide\";a,b\n");
}

static void test_decimal_is_separator(void **state)
{
    const struct format_options options = {
        .columns = "size_bytes,time_s", .separator = ',', .decimal = ','};
    fixture_measure(&f, 1, 983, 1037000000);
    print_rows(&options, 1, 2);
    assert_string_equal(f.text, "size_bytes,time_s\n65536,\"1,037000000\"\n");
}

/* Each row is written before the next begins. */
static void test_flushed_by_row(void **state)
{
    const struct format_options options = {.columns = "size_bytes"};
    struct error err = ERROR_INIT;
    struct sink sink;
    assert_int_equal(format_make(FORMAT_CSV, f.stream, &options, &sink, &err), 0);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    assert_string_equal(f.text, "size_bytes\n");
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    assert_string_equal(f.text, "size_bytes\n2\n");
    format_free(&sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_records, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_quoting, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_german, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_decimal_is_separator, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_flushed_by_row, set_up_fixture, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
