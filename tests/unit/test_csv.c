/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_csv.c - CSV as bytes: header, quoting, separators, lost output. */
#include "base/compat.h"

#include "unit/cmocka_all.h"
#include <errno.h>

#include "os/os.h"
#include "out_fixture.h"
#include "report/formats/print.h"

static void print_rows(const struct format_options *options, unsigned from, unsigned to)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    assert_int_equal(format_make(FORMAT_CSV, f.stream, options, &sink, &err), 0);
    assert_int_equal(fixture_run(&f, &sink, from, to, &err), 0);
    format_free(&sink);
    assert_null(sink.arg);
}

static void test_all_columns(void **state)
{
    const struct format_options options = {.separator = ',', .decimal = '.', .label = "run 1"};
    (void)state;
    fixture_measure(&f, 1, 983, 1037000000);
    f.results[0].state = RESULT_SKIPPED;
    f.cells[0].skip = "beyond_file";
    print_rows(&options, 0, 2);
    assert_string_equal(
        f.text,
        "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,"
        "threads,depth,rounds,op_ns_median,op_ns_low,op_ns_high,op_ns_min,latency_ns_p50,"
        "latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,open_ns_mean,"
        "transfer_ns_mean,close_ns_mean,cpu_ns_per_op,device_bytes,resident_fraction,errors,notes,"
        "label,seek_ns_mean,op_ns_stddev,errors_short,align_bytes,latency_ns_min,"
        "submit_fraction,cpu_helper_fraction,target_rate_per_s,errors_wrong,"
        "resident_fraction_before,cache_hit_fraction,amplification,"
        "rpc_count,rpc_data_count,rpc_sent_bytes,rpc_received_bytes,rpc_rtt_ns_mean,"
        "rpc_retransmissions,rpc_operations,requests,connections,lookup_ns_mean,"
        "connect_ns_mean,tls_ns_mean,first_byte_ns_mean,body_ns_mean,retries,slow_downs,"
        "errors_client,errors_server,errors_network,errors_protocol,http_version,connection,"
        "s3_signing,in_flight_mean,elapsed_s,errors_s,latency_ns_mean,latency_ns_stddev,"
        "open_ns_p50,open_ns_p99,open_ns_max,close_ns_p50,close_ns_p99,close_ns_max,stop,"
        "queued_ns_per_op,reference_ns,stat_hits,stat_misses,list_names,step,loop,repeat,buffer_bytes"
        ",bytes,cpu_user_ns_per_op,cpu_system_ns_per_op,cpu_percent,cpu_percent_per_100mib_s"
        ",thread_rate_per_s_min,thread_rate_per_s_max,thread_bytes_per_s_min"
        ",thread_bytes_per_s_max,began_unix_s,ended_unix_s,short_bytes,access,mix,readahead,filled_bytes"
        ",parallel_parts,left_objects,hosts,ranks,rank_rate_per_s_min,rank_rate_per_s_max"
        ",rank_skew_ns_p99\n"
        "2,0,,,,write,/data,posix,cached,1,1,,,,,,,,,,,,,,,,,,skipped:beyond_file,run 1,,,,,,,,,,,"
        ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,1,1,1,"
        ",,,,,,,,,,,,,random,,,,,,1,1,,,\n"
        "65536,983,1.037000000,62123324.975892,947.926712,write,/data,posix,cached,1,1,0,,,,,"
        "1054933,1054933,,,1054933,0.00,0.00,0.00,,,,0,,run 1,0.00,,0,2,1054933,,,,,"
        ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,1054933.00,0.00,,,,,,,,,,,,,1,1,1,"
        ",64421888,,,,,,,,,,,0,random,,,,,,1,1,947.926712,947.926712,\n");
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
    (void)state;
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
    (void)state;
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
    (void)state;
    fixture_measure(&f, 1, 983, 1037000000);
    print_rows(&options, 1, 2);
    assert_string_equal(f.text, "size_bytes,time_s\n65536,\"1,037000000\"\n");
}

static void test_unknown_column(void **state)
{
    const struct format_options options = {.columns = "size_bytes,speed"};
    struct error err = ERROR_INIT;
    struct sink sink;
    (void)state;
    assert_int_equal(format_make(FORMAT_CSV, f.stream, &options, &sink, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_string_equal(err.object, "speed");
    format_free(&sink); /* nothing to free, and allowed */
}

/* Each row is on its way before the next begins. */
static void test_flushed_by_row(void **state)
{
    const struct format_options options = {.columns = "size_bytes"};
    struct error err = ERROR_INIT;
    struct sink sink;
    (void)state;
    assert_int_equal(format_make(FORMAT_CSV, f.stream, &options, &sink, &err), 0);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    assert_string_equal(f.text, "size_bytes\n");
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    assert_string_equal(f.text, "size_bytes\n2\n");
    format_free(&sink);
}

/* Every format notices that a full disk takes nothing. */
static void test_full_disk(void **state)
{
    char libc[64];
    (void)state;
    os_libc_name(libc, sizeof(libc));
    if (strcmp(libc, "msvcrt") == 0)
        skip_because("this C library forgets why a device has refused what was printed");
    for (int format = 0; format < FORMAT_COUNT; format++) {
        const struct format_options options = {.name = "result.txt"};
        struct error err = ERROR_INIT;
        struct sink sink;
        FILE *full = fopen("/dev/full", "w");
        if (!full)
            skip_because("there is no /dev/full");
        assert_int_equal(format_make((enum format)format, full, &options, &sink, &err), 0);
        assert_int_equal(fixture_run(&f, &sink, 0, 1, &err), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
        assert_int_equal(err.errnum, ENOSPC);
        assert_string_equal(err.action, "cannot write the results to");
        assert_string_equal(err.object, "result.txt");
        format_free(&sink);
        fclose(full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_columns, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_quoting, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_german, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_decimal_is_separator, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_column, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_flushed_by_row, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up_fixture, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
