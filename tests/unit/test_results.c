/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_results.c - results read back: every format that is written, tables made by hand, files put
 * together, what is damaged or absurd and where it is said to be; rows sorted into curves, and the
 * names of curves. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/reader.h"
#include "analysis/results.h"
#include "target/target.h"

static int read_bytes(const char *bytes, size_t length, struct results *results, struct error *err)
{
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, length > 0 ? length : 1, "r");
    int result;

    assert_non_null(stream);
    if (length == 0)
        fgetc(stream);
    *err = ERROR_INIT;
    result = reader_stream(stream, "some/file", results, err);
    fclose(stream);
    return result;
}

static void read_text(const char *text, struct results *results)
{
    struct error err;
    char line[1024];

    if (read_bytes(text, strlen(text), results, &err) != 0)
        fail_msg("refused: %s\n%s", error_format(&err, line, sizeof(line)), text);
    assert_false(error_is_set(&err));
}

/* Refused, with these words in the message. */
static void refuse_bytes(const char *bytes, size_t length, const char *words)
{
    struct results results;
    struct error err;
    char line[1024];

    assert_int_equal(read_bytes(bytes, length, &results, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    error_format(&err, line, sizeof(line));
    if (!strstr(line, words))
        fail_msg("\"%s\" is not in: %s", words, line);
}

static void refuse_text(const char *text, const char *words)
{
    refuse_bytes(text, strlen(text), words);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

/* --- CSV --- */

static void csv_of_a_sweep(void **state)
{
    struct results r;
    (void)state;
    read_text("size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,"
              "cache,threads,depth,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,"
              "latency_ns_p999,notes,label,later_column\n"
              "512,1000,0.500000000,1024000.000000,2000.000000,write,/a,posix,cached,2,4,11,"
              "499000.25,490000.00,510000.00,480000,,wide;drift,run 1,7\n"
              "1024,,,,,write,/a,posix,cached,2,4,,,,,,,skipped:align,run 1,\n"
              "2048,10,0.5,40960,20,read,/a,posix,direct,1,1,3,50000000.00,,,1,2,incomplete,,\n",
              &r);
    assert_int_equal(r.format, RESULTS_CSV);
    assert_int_equal(r.count, 3);
    assert_string_equal(r.path, "some/file");
    assert_string_equal(r.host, "");
    assert_string_equal(r.date, "");
    assert_string_equal(r.version, "");
    assert_int_equal(r.rows[0].size_bytes, 512);
    assert_int_equal(r.rows[0].operations, 1000);
    assert_int_equal(r.rows[0].threads, 2);
    assert_int_equal(r.rows[0].depth, 4);
    assert_near(r.rows[0].time_s, 0.5);
    assert_near(r.rows[0].throughput_bytes_per_s, 1024000);
    assert_near(r.rows[0].rate_per_s, 2000);
    assert_near(r.rows[0].op_ns_median, 499000.25);
    assert_near(r.rows[0].op_ns_low, 490000);
    assert_near(r.rows[0].op_ns_high, 510000);
    assert_near(r.rows[0].latency_ns_p50, 480000);
    assert_true(isnan(r.rows[0].latency_ns_p999));
    assert_true(isnan(r.rows[0].latency_ns_max)); /* no such column */
    assert_string_equal(r.rows[0].test, "write");
    assert_string_equal(r.rows[0].target, "/a");
    assert_string_equal(r.rows[0].engine, "posix");
    assert_string_equal(r.rows[0].cache, "cached");
    assert_string_equal(r.rows[0].notes, "wide;drift");
    assert_string_equal(r.rows[0].label, "run 1");
    assert_false(r.rows[0].skipped || r.rows[0].incomplete);
    assert_null(r.rows[0].round_ns);
    assert_int_equal(r.rows[0].round_count, 0);
    assert_near(results_op_ns(&r.rows[0]), 499000.25);
    assert_near(results_throughput(&r.rows[0]), 512e9 / 499000.25);
    assert_true(r.rows[1].skipped);
    assert_int_equal(r.rows[1].operations, 0);
    assert_true(isnan(results_op_ns(&r.rows[1])));
    assert_true(isnan(results_throughput(&r.rows[1])));
    assert_true(r.rows[2].incomplete);
    results_free(&r);
}

/* German spreadsheets, tabs, other separators, quoted numbers, CRLF, a byte order mark, blanks. */
static void csv_of_all_dialects(void **state)
{
    static const char *const texts[] = {
        "size_bytes,time_s,operations,test\n4096,1.5,3,read\n",
        "size_bytes;time_s;operations;test\n4096;1,5;3;read\n",
        "size_bytes;time_s;operations;test\n4096;1.5;3;read\n",
        "size_bytes\ttime_s\toperations\ttest\n4096\t1.5\t3\tread",
        "size_bytes|time_s|operations|test\n4096|1,5|3|read\n",
        "size_bytes time_s operations test\n4096 1.5 3 read\n",
        "size_bytes,time_s,operations,test\n4096,\"1,5\",3,read\n",
        "\"size_bytes\",\"time_s\",\"operations\",\"test\"\n\"4096\",\"1.5\",\"3\",\"read\"\n",
        "\xef\xbb\xbfsize_bytes,time_s,operations,test\r\n4096,1.5,3,read\r\n",
        "# a comment\n\n#another\nsize_bytes,time_s,operations,test\n# more\n\n4096,1.5,3,read\n\n",
        "  size_bytes ,  time_s,operations , test \n 4096 ,1.5,  3,\tread\n",
        "test,other name (us),operations,size_bytes,time_s\nread,x y,3,4096,1.5,,\n,,,,\n",
        "size_bytes,time_s,operations,test\n4096.0,15e-1,3.0,\"read\"  \n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct results r;
        read_text(texts[i], &r);
        assert_int_equal(r.count, 1);
        assert_int_equal(r.rows[0].size_bytes, 4096);
        assert_near(r.rows[0].time_s, 1.5);
        assert_int_equal(r.rows[0].operations, 3);
        assert_string_equal(r.rows[0].test, "read");
        assert_near(results_op_ns(&r.rows[0]), 0.5e9);
        results_free(&r);
    }
}

static void csv_quotes(void **state)
{
    struct results r;
    (void)state;
    read_text("size_bytes,rate_per_s,target,label\n"
              "1,2,\"a,\"\"b\"\"\",\"two\nlines,\"\"\r\nthree\"\n"
              "3,4,a\"b,\"\"\n",
              &r);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.rows[0].target, "a,\"b\"");
    assert_string_equal(r.rows[0].label, "two\nlines,\"\nthree");
    assert_string_equal(r.rows[1].target, "a\"b");
    assert_string_equal(r.rows[1].label, "");
    results_free(&r);
}

/* What was written so that neither terminals nor spreadsheets obey it is the same name again. */
static void csv_guards(void **state)
{
    struct results r;
    (void)state;
    read_text("size_bytes,rate_per_s,target,label,test\n"
              "1,2,a\\x5cx41\\x1b[2J\\xe2\\x80\\xae,\"'=1+1\",'-x\n"
              "3,4,a\\x41\\x00\\x1,\"''x'\",a\\x1b\n"
              "5,6,',''',read\n"
              "7,8,'x','',-\n",
              &r);
    assert_string_equal(r.rows[0].target, "a\\x41\x1b[2J\xe2\x80\xae");
    assert_string_equal(r.rows[0].label, "=1+1");
    assert_string_equal(r.rows[0].test, "-x");
    assert_string_equal(r.rows[1].target, "a\\x41\\x00\\x1"); /* nobody would have escaped that */
    assert_string_equal(r.rows[1].label, "'x'");
    assert_string_equal(r.rows[1].test, "a\\x1b"); /* no name */
    assert_string_equal(r.rows[2].target, "'");
    assert_string_equal(r.rows[2].label, "''");
    assert_string_equal(r.rows[3].target, "'x'");
    assert_string_equal(r.rows[3].label, "'");
    results_free(&r);
}

/* Files put together: other columns, another dialect, a mark inside. */
static void csv_of_several_files(void **state)
{
    struct results r;
    (void)state;
    read_text("size_bytes,rate_per_s,test\n1,2.5,read\n"
              "\xef\xbb\xbftest;size_bytes;time_s;operations\nwrite;64;0,25;5\n"
              "size_bytes,rate_per_s,test\n9,3.5,read\n",
              &r);
    assert_int_equal(r.count, 3);
    assert_near(results_op_ns(&r.rows[0]), 4e8);
    assert_int_equal(r.rows[1].size_bytes, 64);
    assert_string_equal(r.rows[1].test, "write");
    assert_near(results_op_ns(&r.rows[1]), 5e7);
    assert_int_equal(r.rows[2].size_bytes, 9);
    assert_ptr_equal(r.rows[0].test, r.rows[2].test); /* kept once */
    results_free(&r);
}

static void what_a_row_needs(void **state)
{
    struct results r;
    (void)state;
    read_text("size_bytes,throughput_bytes_per_s\n1000,2000\n500,\n", &r);
    assert_near(r.rows[0].rate_per_s, 2);
    assert_near(results_op_ns(&r.rows[0]), 5e8);
    assert_near(results_throughput(&r.rows[0]), 2000);
    assert_true(isnan(results_op_ns(&r.rows[1])));
    results_free(&r);
    read_text("size_bytes,op_ns_median\n1000,0\n18446744073709551615,3\n", &r);
    assert_true(isnan(results_op_ns(&r.rows[0]))); /* nothing takes no time */
    assert_true(r.rows[1].size_bytes == UINT64_MAX);
    results_free(&r);
    refuse_text("size_bytes,time_s\n1,2\n", "file:1; needed are size_bytes and");
    refuse_text("# x\nsize_bytes\n1\n", "file:2; needed are size_bytes and");
    refuse_text("rate_per_s,test\n1,read\n", "not a result of iosweep: some/file:1");
    refuse_text("size_bytes,rate_per_s\n", "no row of results in some/file");
    refuse_text("size_bytes,rate_per_s\n# 1,2\n", "no row of results in some/file");
}

static void csv_that_is_damaged(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"size_bytes,rate_per_s\n1,2\nx,2\n", "\"x\" in column size_bytes"},
        {"size_bytes,rate_per_s\n1,2\nx,2\n", "some/file:3"},
        {"size_bytes,rate_per_s\n0,2\n", "some/file:2"},
        {"size_bytes,rate_per_s\n,2\n", "no size above 0"},
        {"size_bytes,rate_per_s\n-1,2\n", "\"-1\" in column size_bytes"},
        {"size_bytes,rate_per_s\n1.5,2\n", "\"1.5\" in column size_bytes"},
        {"size_bytes,rate_per_s\n18446744073709551616,2\n", "column size_bytes"},
        {"size_bytes,rate_per_s\n4k,2\n", "\"4k\" in column size_bytes"},
        {"size_bytes,rate_per_s\n1,-2\n", "\"-2\" in column rate_per_s"},
        {"size_bytes,rate_per_s\n1,nan\n", "\"nan\" in column rate_per_s"},
        {"size_bytes,rate_per_s\n1,1e999\n", "\"1e999\" in column rate_per_s"},
        {"size_bytes,rate_per_s\n1,0x10\n", "\"0x10\" in column rate_per_s"},
        {"size_bytes,rate_per_s\n1,2.\n", "column rate_per_s"},
        {"size_bytes,rate_per_s\n1,2e\n", "column rate_per_s"},
        {"size_bytes,rate_per_s\n1,\"1,234,567\"\n", "column rate_per_s"},
        {"size_bytes;rate_per_s\n1;1,5\n2;1.5\n", "some/file:3"}, /* two decimal marks */
        {"size_bytes,rate_per_s,threads\n1,2,0\n", "threads or depth of 0 in some/file:2"},
        {"size_bytes,rate_per_s,test\n1,2\n", "only 2 fields for 3 columns"},
        {"size_bytes,rate_per_s\n1,2,3\n", "3 fields, but 2 columns"},
        {"size_bytes,rate_per_s,size_bytes\n", "column size_bytes stands twice"},
        {"size_bytes,rate_per_s,test\n1,2,\"a\nb\n", "begins in line 2 does not end in"},
        {"size_bytes,rate_per_s,test\n1,2,\"a\"b\n", "follows a closing quote"},
        {"hello\nworld\n", "some/file:1"},
        {"\n\n[1, 2]\n", "some/file:3"},
        {"", "nothing to read in some/file"},
        {"\n# only this\n", "nothing to read in some/file"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refuse_text(rows[i].text, rows[i].words);
    refuse_bytes("size_bytes,rate_per_s\n1,2\0\n", 26, "byte 0");
    refuse_bytes("\xff\xfes\0i\0z\0e\0", 10, "UTF-8"); /* what Excel calls Unicode */
}

static void what_is_absurd(void **state)
{
    const size_t most = READER_LINE_MAX, rows = READER_ROWS_MAX + 1;
    const char *head = "size_bytes,rate_per_s,label\n1,2,";
    char *text = malloc(strlen(head) + most + 4 * rows + 1);
    char *end = text;
    struct results r;

    (void)state;
    assert_non_null(text);
    end = stpcpy(text, head);
    memset(end, 'x', most);
    end[most] = '\0';
    refuse_text(text, "a line of more than 1024 KiB at some/file:2");
    end[most - 100] = '\0';
    read_text(text, &r);
    assert_int_equal(strlen(r.rows[0].label), most - 100);
    results_free(&r);
    for (size_t i = 0; i < most; i++) /* a quoted field of very many lines */
        end[i] = i == 0 ? '"' : '\n';
    refuse_bytes(text, strlen(head) + most, "a line of more than 1024 KiB");
    end = stpcpy(text, "size_bytes,rate_per_s\n");
    for (size_t i = 0; i < rows; i++)
        end = stpcpy(end, "1,2\n");
    refuse_text(text, "more than 1000000 rows at some/file:1000002");
    end[-4] = '\0';
    read_text(text, &r);
    assert_int_equal(r.count, READER_ROWS_MAX);
    results_free(&r);
    free(text);
}

/* --- --raw --- */

static void raw_records(void **state)
{
    static const double wanted[] = {7, 5, 6, 1, 2, 3, 4};
    struct results r;
    (void)state;
    read_text("row,size_bytes,test,target,engine,cache,threads,depth,kind,key,value\n"
              "1,512,write,/a,posix,cached,1,2,round,1,7.000\n"
              "1,512,write,/a,posix,cached,1,2,round,2,5.000\n"
              "1,512,write,/a,posix,cached,1,2,round,3,6.000\n"
              "1,512,write,/a,posix,cached,1,2,round,4,1.000\n"
              "1,512,write,/a,posix,cached,1,2,round,5,2.000\n"
              "1,512,write,/a,posix,cached,1,2,round,6,3.000\n"
              "1,512,write,/a,posix,cached,1,2,round,7,4.000\n"
              "1,512,write,/a,posix,cached,1,2,latency,4,12\n"
              "3,1024,write,/a,posix,cached,1,2,round,1,9.500\n"
              "4,1024,read,/a,posix,cached,1,2,latency,20,1\n"
              "row,size_bytes,test,target,engine,cache,threads,depth,kind,key,value\n"
              "4,1024,read,/a,posix,cached,1,2,round,1,8.000\n",
              &r);
    assert_int_equal(r.format, RESULTS_RAW);
    assert_int_equal(r.count, 4);
    assert_int_equal(r.rows[0].round_count, 7);
    for (size_t i = 0; i < 7; i++) /* in the order of measurement */
        assert_near(r.rows[0].round_ns[i], wanted[i]);
    assert_near(r.rows[0].op_ns_median, 4);
    assert_near(r.rows[0].op_ns_low, 1); /* n = 7: the interval of ranks [1, 7] */
    assert_near(r.rows[0].op_ns_high, 7);
    assert_int_equal(r.rows[0].depth, 2);
    assert_near(r.rows[1].op_ns_median, 9.5);
    assert_true(isnan(r.rows[1].op_ns_low));
    assert_int_equal(r.rows[1].size_bytes, 1024);
    assert_string_equal(r.rows[2].test, "read");
    assert_true(isnan(results_op_ns(&r.rows[2])));
    assert_near(results_op_ns(&r.rows[3]), 8); /* another file: not the same row */
    assert_false(r.has_notes);                 /* of older versions */
    results_free(&r);
    read_text("row,size_bytes,test,threads,depth,notes,label,kind,key,value\n"
              "1,512,write,1,1,wide;incomplete,a b,round,1,7.000\n"
              "2,1024,write,1,1,,a b,round,1,8.000\n",
              &r);
    assert_true(r.has_notes);
    assert_true(r.rows[0].incomplete);
    assert_string_equal(r.rows[0].notes, "wide;incomplete");
    assert_string_equal(r.rows[1].label, "a b");
    assert_false(r.rows[1].incomplete);
    results_free(&r);
    read_text("row,size_bytes,test,cpu_ns_per_op,kind,key,value\n"
              "1,512,read,6.5,round,1,7.000\n"
              "1,512,read,6.5,round,2,9.000\n"
              "1,512,read,6.5,reference,1,5.000\n"
              "1,512,read,6.5,reference,2,4.000\n"
              "1,512,read,6.5,latency,7,1\n"
              "2,1024,read,6.5,round,1,8.000\n"
              "2,1024,read,6.5,round,2,8.000\n"
              "2,1024,read,6.5,reference,2,4.000\n",
              &r);
    assert_int_equal(r.rows[0].round_count, 2);
    assert_near(r.rows[0].reference_round_ns[0], 5);
    assert_near(r.rows[0].reference_round_ns[1], 4);
    assert_near(r.rows[0].reference_ns, 4.5);
    assert_near(r.rows[0].op_ns_best, 7);
    assert_near(r.rows[0].cpu_ns_per_op, 6.5);
    assert_null(r.rows[1].reference_round_ns); /* not of each round */
    assert_true(isnan(r.rows[1].reference_ns));
    results_free(&r);
    read_text("row,size_bytes,threads,kind,key,value\n"
              "1,512,1,column,operations,5\n"
              "1,512,1,column,cpu_ns_per_op,6.25\n"
              "1,512,1,column,op_ns_median,7.5\n"
              "1,512,1,column,threads,9\n" /* those of the row stand */
              "1,512,1,column,of_tomorrow,x\n"
              "1,512,1,round,1,7.000\n"
              "2,1024,1,round,1,8.000\n"
              "2,1024,1,column,time_s,2\n",
              &r);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.rows[0].operations, 5);
    assert_int_equal(r.rows[0].threads, 1);
    assert_near(r.rows[0].cpu_ns_per_op, 6.25);
    assert_near(r.rows[0].op_ns_median, 7.5);
    assert_int_equal(r.rows[0].round_count, 1);
    assert_near(r.rows[1].op_ns_median, 8);
    assert_near(r.rows[1].time_s, 2);
    assert_true(isnan(r.rows[1].cpu_ns_per_op));
    results_free(&r);
    refuse_text("row,size_bytes,kind,key,value\n1,2,column,time_s,x\n", "\"x\" in column time_s");
    refuse_text("row,size_bytes,kind,key,value\n1,2,round,1,x\n", "\"x\" in column value");
    refuse_text("row,size_bytes,kind,key,value\n1,2,reference,1,x\n", "\"x\" in column value");
    refuse_text("row,size_bytes,kind,key,value\nx,2,round,1,1\n", "\"x\" in column row");
}

/* --- io_profile --- */

#define IO_PROFILE                                                                   \
    "IO profile test parameters\n"                                                   \
    "--------------------------Date: Sun Mar 7 17:12:11 2004\n"                      \
    "Location: linus:/mnt/sda3\n"                                                    \
    "File mode: Multi-file filesystem, 3 levels, 4 files per level\n"                \
    "Synch mode: Using libc with no buffering\n"                                     \
    "File size: 4194304 bytes\n"                                                     \
    "Reads (Writes) from 2 to 65536 bytes\n"                                         \
    "Repetitions per read (write) size: 1000\n"                                      \
    "...\n"                                                                          \
    "Conducting write test...\n"                                                     \
    "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n" \
    "2,1000,0.078000,25641.025641,12820.512821\n"                                    \
    "4,1000,0.176000,22727.272727,5681.818182\n"                                     \
    "...\n"                                                                          \
    "65536,983,1.037000,62123324.975892,947.926712\n"                                \
    "Done with write test\n"                                                         \
    "Conducting read test...\n"                                                      \
    "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n" \
    "2,1000,0.061000,32786.885246,16393.442623\n"                                    \
    "8,1000,0.000000,inf,inf\n"                                                      \
    "Done with read test\n"

static void io_profile_itself(void **state)
{
    static const char *const before[] = {"", "[bill@linus sda3]$ io_profile\n", "\r\n# kept\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct results r;
        char text[2000];
        snprintf(text, sizeof(text), "%s%s", before[i], IO_PROFILE);
        read_text(text, &r);
        assert_int_equal(r.format, RESULTS_CLASSIC);
        assert_int_equal(r.count, 5);
        assert_string_equal(r.host, "linus");
        assert_string_equal(r.date, "Sun Mar 7 17:12:11 2004");
        assert_string_equal(r.rows[0].test, "write");
        assert_string_equal(r.rows[0].target, "/mnt/sda3");
        assert_string_equal(r.rows[0].cache, "");
        assert_int_equal(r.rows[2].size_bytes, 65536);
        assert_int_equal(r.rows[2].operations, 983);
        assert_near(r.rows[2].time_s, 1.037);
        assert_near(r.rows[2].throughput_bytes_per_s, 62123324.975892);
        assert_near(r.rows[2].rate_per_s, 947.926712);
        assert_near(results_op_ns(&r.rows[2]), 1.037e9 / 983);
        assert_string_equal(r.rows[3].test, "read");
        assert_near(results_op_ns(&r.rows[3]), 61000);
        assert_true(isnan(results_op_ns(&r.rows[4])));
        results_free(&r);
    }
    refuse_text("Conducting write test...\n"
                "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
                "2,1000,0.07\n",
                "some/file:3");
}

static void classic_of_several_tables(void **state)
{
    struct results r;
    (void)state;
    read_text("IO profile test parameters\n"
              "Location: host:/a\n"
              "Location: host:/b\n"
              "Synch mode: Using open and pread, bypassing the cache (O_DIRECT)\n"
              "Conducting write test (direct, posix, 1 thread, depth 1, /a)...\n"
              "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
              "512,10,1.000000,5120.000000,10.000000\n"
              "Done with write test\n"
              "Conducting write test (uncached, io_uring, 4 threads, depth 32, /b, (x))...\n"
              "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
              "512,20,1.000000,10240.000000,20.000000\n"
              "Conducting read test...\n"
              "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
              "512,30,1.000000,15360.000000,30.000000\n",
              &r);
    assert_int_equal(r.count, 3);
    assert_string_equal(r.rows[0].cache, "direct");
    assert_string_equal(r.rows[0].target, "/a");
    assert_int_equal(r.rows[0].threads, 1);
    assert_string_equal(r.rows[1].cache, "uncached");
    assert_string_equal(r.rows[1].engine, "io_uring");
    assert_string_equal(r.rows[1].target, "/b, (x)");
    assert_int_equal(r.rows[1].threads, 4);
    assert_int_equal(r.rows[1].depth, 32);
    assert_string_equal(r.rows[2].cache, "direct");
    assert_int_equal(r.rows[2].depth, 1);
    results_free(&r);
}

/* --- JSON --- */

#ifdef HAVE_JANSSON

#define JSON_HEAD                                                                            \
    "{\"iosweep\":\"0.2.0\",\"run\":{\"host\":{\"name\":\"vm\",\"cpus\":2},"                 \
    "\"date\":\"2026-11-20T21:42:28Z\",\"label\":\"L\",\"targets\":[]},\"n\":12,\"t\":true," \
    "\"rows\":["

static void json_document(void **state)
{
    struct results r;
    (void)state;
    read_text("\n " JSON_HEAD "\n"
              "{\"size_bytes\":512,\"operations\":3,\"time_s\":0.25,\"test\":\"write\","
              "\"target\":\"\\u00e4\",\"threads\":2,\"op_ns_median\":1.5,\"op_ns_low\":null,"
              "\"notes\":\"drift\",\"label\":\"own\",\"round_ns\":[3.5,1.5,1],"
              "\"reference_round_ns\":[5,6.5,7],\"reference_ns\":6.5,"
              "\"latency_histogram\":[[20,7],[21,8]]},\n"
              "{\"size_bytes\":9007199254740993,\"round_ns\":[4,2],\"notes\":\"skipped:x\"} ] }\n",
              &r);
    assert_int_equal(r.format, RESULTS_JSON);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.version, "0.2.0");
    assert_string_equal(r.host, "vm");
    assert_string_equal(r.date, "2026-11-20T21:42:28Z");
    assert_int_equal(r.rows[0].operations, 3);
    assert_string_equal(r.rows[0].target, "\xc3\xa4");
    assert_string_equal(r.rows[0].label, "own");
    assert_int_equal(r.rows[0].threads, 2);
    assert_near(r.rows[0].op_ns_median, 1.5);
    assert_true(isnan(r.rows[0].op_ns_low));
    assert_int_equal(r.rows[0].round_count, 3);
    assert_near(r.rows[0].round_ns[0], 3.5);
    assert_near(r.rows[0].round_ns[2], 1);
    assert_near(r.rows[0].reference_round_ns[1], 6.5);
    assert_near(r.rows[0].reference_ns, 6.5);
    assert_near(r.rows[0].op_ns_best, 1);
    assert_true(r.rows[1].size_bytes == UINT64_C(9007199254740993)); /* not through a double */
    assert_near(r.rows[1].op_ns_median, 3);
    assert_string_equal(r.rows[1].label, "L");
    assert_true(r.rows[1].skipped);
    results_free(&r);
    read_text("{\"rows\":[{\"size_bytes\":1,\"rate_per_s\":2}]}{\"rows\":[{\"size_bytes\":3}]}",
              &r);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.version, "");
    results_free(&r);
}

static void json_that_is_damaged(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"{", "cut off? at some/file:1"},
        {"{}", "no row of results"},
        {"{\"rows\":[]}", "no row of results"},
        {"{\"rows\":{}}", "one of [ is expected"},
        {JSON_HEAD, "cut off? at some/file:1"},
        {JSON_HEAD "\n{\"size_bytes\":512,\"op_ns_med", "cut off? at some/file:2"},
        {JSON_HEAD "\n{\"size_bytes\":512},", "cut off?"},
        {JSON_HEAD "\n{\"size_bytes\":512}]", "cut off?"},
        {JSON_HEAD "\n{\"size_bytes\":512}\n{\"size_bytes\":512}]}", "some/file:3"},
        {JSON_HEAD "\n{\"size_bytes\":}]}", "no valid JSON"},
        {JSON_HEAD "\n[1]]}", "a row is no object before some/file:2"},
        {JSON_HEAD "\n{\"rate_per_s\":1}]}", "size_bytes, threads or depth is 0 or missing"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"depth\":0}]}", "size_bytes, threads or depth is 0"},
        {JSON_HEAD "\n{\"size_bytes\":-1}]}", "size_bytes is not of the type"},
        {JSON_HEAD "\n{\"size_bytes\":1.5}]}", "size_bytes is not of the type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"test\":7}]}", "test is not of the type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"time_s\":\"x\"}]}", "time_s is not of the type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"round_ns\":7}]}", "round_ns is not an array"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"round_ns\":[-7]}]}", "round_ns holds no time"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"reference_round_ns\":7}]}",
         "reference_round_ns is not an array"},
        {"{\"rows\":[{\"size_bytes\":1}]} x", "one of { is expected"},
        {"{\"rows\" 7}", "one of : is expected"},
        {"{7:8}", "a key is expected"},
    };
    char *deep = malloc(100001);
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refuse_text(rows[i].text, rows[i].words);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    memcpy(deep, "{\"rows\":[", 9);
    deep[100000] = '\0';
    refuse_text(deep, "no valid JSON");
    free(deep);
}

#else

static void json_document(void **state)
{
    (void)state;
    refuse_text("{\"rows\":[]}", "this build cannot read JSON (built without jansson)");
}

static void json_that_is_damaged(void **state)
{
    (void)state;
    print_message("built without jansson\n");
    skip();
}

#endif

/* --- files --- */

static void files(void **state)
{
    char name[] = "results.XXXXXX";
    const int fd = mkstemp(name);
    struct error err = ERROR_INIT;
    struct results r;
    (void)state;
    assert_true(fd >= 0);
    assert_true(write(fd, "size_bytes,rate_per_s\n7,8\n", 26) == 26);
    close(fd);
    assert_int_equal(results_read(name, &r, &err), 0);
    assert_string_equal(r.path, name);
    assert_int_equal(r.rows[0].size_bytes, 7);
    results_free(&r);
    results_free(&r); /* nothing is left in it */
    unlink(name);
    assert_int_equal(results_read(name, &r, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_int_equal(err.errnum, ENOENT);
    assert_string_equal(err.object, name);
    err = ERROR_INIT;
    assert_int_equal(results_read(".", &r, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_int_equal(err.errnum, EISDIR);
}

/* --- curves --- */

static void curves(void **state)
{
    char text[RESULTS_CURVE_TEXT];
    struct results r;
    struct results_curve *curves;
    size_t count;
    (void)state;
    read_text("size_bytes,rate_per_s,test,cache,depth,notes,target\n"
              "1024,1,write,direct,8,,t\n"
              "512,2,write,direct,8,,t\n"
              "512,3,read,direct,8,,t\n"
              "256,,write,direct,8,skipped:align,t\n"
              "512,4,read,direct,1,,t\n"
              "512,5,write,direct,8,,t\n"
              "512,,write,cached,8,,t\n" /* a curve without figures */
              "256,6,read,direct,8,,t\n",
              &r);
    curves = results_curves(&r, &count);
    assert_int_equal(count, 3);
    assert_int_equal(curves[0].count, 3);
    assert_ptr_equal(curves[0].file, &r);
    assert_ptr_equal(curves[0].rows[0], &r.rows[1]); /* by size, equal ones as they stood */
    assert_ptr_equal(curves[0].rows[1], &r.rows[5]);
    assert_ptr_equal(curves[0].rows[2], &r.rows[0]);
    assert_int_equal(curves[1].count, 2);
    assert_ptr_equal(curves[1].rows[0], &r.rows[7]);
    assert_int_equal(curves[2].count, 1);
    assert_string_equal(results_curve_name(&curves[0], curves, count, text), "write depth 8");
    assert_string_equal(results_curve_name(&curves[2], curves, count, text), "read depth 1");
    assert_string_equal(results_curve_name(&curves[0], curves, 1, text), "");
    results_free_curves(curves, count);
    results_free(&r);
    read_text("size_bytes,rate_per_s\n1,\n", &r);
    curves = results_curves(&r, &count);
    assert_non_null(curves);
    assert_int_equal(count, 0);
    results_free_curves(curves, count);
    results_free(&r);
}

/* What differs in one of them is said of all; nothing is longer than its room. */
static void curve_names(void **state)
{
    static const char *const differences[][3] = {
        {"read,t,e,c,1,1,l", "write,t,e,c,1,1,l", "read"},
        {"read,t,e,c,1,1,l", "read,u\x01,e,c,1,1,l", "t"},
        {"read,t,e,c,1,1,l", "read,t,f,c,1,1,l", "e"},
        {"read,t,e,c,1,1,l", "read,t,e,d,1,1,l", "c"},
        {"read,t,e,c,4,1,l", "read,t,e,c,1,1,l", "threads 4"},
        {"read,t,e,c,1,8,l", "read,t,e,c,1,1,l", "depth 8"},
        {"read,t,e,c,1,1,l", "read,t,e,c,1,1,m", "l"},
        {"read,t,e,c,2,4,l", "write,u,f,d,8,16,m", "read t e c threads 2 depth 4 l"},
        {"read,t,e,c,1,1,", "read,t,e,c,1,1,m", ""},
    };
    char text[RESULTS_CURVE_TEXT], rows[4000], longest[1200];
    struct results r, again;
    struct results_curve *curves, pair[2];
    size_t count;
    (void)state;
    for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
        snprintf(rows, sizeof(rows),
                 "size_bytes,rate_per_s,test,target,engine,cache,threads,depth,label\n"
                 "1,1,%s\n2,1,%s\n",
                 differences[i][0], differences[i][1]);
        read_text(rows, &r);
        curves = results_curves(&r, &count);
        assert_int_equal(count, 2);
        assert_string_equal(results_curve_name(&curves[0], curves, count, text), differences[i][2]);
        results_free_curves(curves, count);
        results_free(&r);
    }
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    snprintf(rows, sizeof(rows), "size_bytes,rate_per_s,label,target\n1,1,%s,\x01\n2,1,y,%s\n",
             longest, longest);
    read_text(rows, &r);
    curves = results_curves(&r, &count);
    assert_int_equal(strlen(results_curve_name(&curves[0], curves, count, text)), 511);
    assert_memory_equal(text, "\\x01 xxx", 8);
    results_free_curves(curves, count);
    results_free(&r);
    /* two files */
    read_text("size_bytes,rate_per_s\n1,1\n", &r);
    read_text("size_bytes,rate_per_s\n1,1\n", &again);
    free(again.path);
    again.path = strdup("other/place");
    curves = results_curves(&r, &count);
    pair[0] = curves[0];
    free(curves);
    curves = results_curves(&again, &count);
    pair[1] = curves[0];
    free(curves);
    assert_string_equal(results_curve_name(&pair[0], pair, 2, text), "file");
    assert_string_equal(results_curve_name(&pair[1], pair, 2, text), "place");
    free(again.path);
    again.path = strdup("other/file");
    assert_string_equal(results_curve_name(&pair[0], pair, 2, text), "some/file");
    free(pair[0].rows);
    free(pair[1].rows);
    results_free(&r);
    results_free(&again);
}

/* The names that are read back mean what they mean where they were measured. */
static void test_tests_without_data(void **state)
{
    struct results_row row = {.size_bytes = 1000, .op_ns_median = 1000};

    (void)state;
    for (int test = 0; test < TEST_COUNT; test++) {
        row.test = test_names[test];
        assert_int_equal(results_moves_data(row.test), test_moves_data((enum io_test)test));
        assert_int_equal(!isnan(results_throughput(&row)), test_moves_data((enum io_test)test));
    }
    row.test = "";
    assert_true(results_throughput(&row) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tests_without_data),
        cmocka_unit_test(csv_of_a_sweep),
        cmocka_unit_test(csv_of_all_dialects),
        cmocka_unit_test(csv_quotes),
        cmocka_unit_test(csv_guards),
        cmocka_unit_test(csv_of_several_files),
        cmocka_unit_test(what_a_row_needs),
        cmocka_unit_test(csv_that_is_damaged),
        cmocka_unit_test(what_is_absurd),
        cmocka_unit_test(raw_records),
        cmocka_unit_test(io_profile_itself),
        cmocka_unit_test(classic_of_several_tables),
        cmocka_unit_test(json_document),
        cmocka_unit_test(json_that_is_damaged),
        cmocka_unit_test(files),
        cmocka_unit_test(curves),
        cmocka_unit_test(curve_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
