/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_results_csv.c - results read back from CSV: made by this program and by others, files put
 * together, what is damaged or absurd and where it is said to be. */
#include "base/compat.h"

#include "unit/results_fixture.h"

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
    assert_string_equal(r.path, "some/file");
    assert_string_equal(r.host, "");
    assert_string_equal(r.date, "");
    assert_string_equal(r.version, "");
    expect_rows(&r, "test write, target /a, engine posix, cache cached, notes wide;drift, label "
                    "run 1, size_bytes 512, threads 2, depth 4, operations 1000, time_s 0.5, "
                    "throughput_bytes_per_s 1024000, rate_per_s 2000, op_ns_median 499000.25, "
                    "op_ns_low 490000, op_ns_high 510000, latency_ns_p50 480000\n"
                    "test write, target /a, engine posix, cache cached, notes skipped:align, "
                    "label run 1, size_bytes 1024, threads 2, depth 4, skipped\n"
                    "test read, target /a, engine posix, cache direct, notes incomplete, "
                    "size_bytes 2048, operations 10, incomplete, time_s 0.5, "
                    "throughput_bytes_per_s 40960, rate_per_s 20, op_ns_median 50000000, "
                    "latency_ns_p50 1, latency_ns_p999 2\n");
    assert_near(results_op_ns(&r.rows[0]), 499000.25);
    assert_near(results_throughput(&r.rows[0]), 512e9 / 499000.25);
    assert_true(isnan(results_op_ns(&r.rows[1])));
    assert_true(isnan(results_throughput(&r.rows[1])));
    results_free(&r);
}

/* Files of before there were teams, and fields that are empty, are of one process. */
static void csv_of_a_team(void **state)
{
    (void)state;
    expect_read("size_bytes,rate_per_s,ranks,rank_rate_per_s_min\n"
                "512,6,4,1\n"
                "1024,6,,\n",
                "size_bytes 512, ranks 4, rate_per_s 6\n"
                "size_bytes 1024, rate_per_s 6\n");
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
        expect_rows(&r, "test read, size_bytes 4096, operations 3, time_s 1.5\n");
        assert_near(results_op_ns(&r.rows[0]), 0.5e9);
        results_free(&r);
    }
}

static void csv_quotes(void **state)
{
    (void)state;
    expect_read("size_bytes,rate_per_s,target,label\n"
                "1,2,\"a,\"\"b\"\"\",\"two\nlines,\"\"\r\nthree\"\n"
                "3,4,a\"b,\"\"\n",
                "target a,\"b\", label two\n"
                "lines,\"\n"
                "three, size_bytes 1, rate_per_s 2\n"
                "target a\"b, size_bytes 3, rate_per_s 4\n");
}

/* What was written so that neither terminals nor spreadsheets obey it is the same name again; what
 * nobody would have escaped stays. */
static void csv_guards(void **state)
{
    (void)state;
    expect_read(
        "size_bytes,rate_per_s,target,label,test\n"
        "1,2,a\\x5cx41\\x1b[2J\\xe2\\x80\\xae,\"'=1+1\",'-x\n"
        "3,4,a\\x41\\x00\\x1,\"''x'\",a\\x1b\n"
        "5,6,',''',read\n"
        "7,8,'x','',-\n",
        "test -x, target a\\x41\x1b[2J\xe2\x80\xae, label =1+1, size_bytes 1, rate_per_s 2\n"
        "test a\\x1b, target a\\x41\\x00\\x1, label 'x', size_bytes 3, rate_per_s 4\n"
        "test read, target ', label '', size_bytes 5, rate_per_s 6\n"
        "test -, target 'x', label ', size_bytes 7, rate_per_s 8\n");
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
    expect_rows(&r, "test read, size_bytes 1, rate_per_s 2.5\n"
                    "test write, size_bytes 64, operations 5, time_s 0.25\n"
                    "test read, size_bytes 9, rate_per_s 3.5\n");
    assert_near(results_op_ns(&r.rows[0]), 4e8);
    assert_near(results_op_ns(&r.rows[1]), 5e7);
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
    refuse_text("rate_per_s,test\n1,read\n", "not an iosweep result: some/file:1");
    refuse_text("size_bytes,rate_per_s\n", "no rows of results in some/file");
    refuse_text("size_bytes,rate_per_s\n# 1,2\n", "no rows of results in some/file");
}

static void csv_that_is_damaged(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"size_bytes,rate_per_s\n1,2\nx,2\n", "\"x\" in column size_bytes"},
        {"size_bytes,rate_per_s\n1,2\nx,2\n", "some/file:3"},
        {"size_bytes,rate_per_s\n0,2\n", "some/file:2"},
        {"size_bytes,rate_per_s\n,2\n", "size_bytes is not above 0"},
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
        {"size_bytes,rate_per_s,ranks\n1,2,0\n", "ranks of 0 in some/file:2"},
        {"size_bytes,rate_per_s,test\n1,2\n", "only 2 fields for 3 columns"},
        {"size_bytes,rate_per_s\n1,2,3\n", "3 fields, but 2 columns"},
        {"size_bytes,rate_per_s,size_bytes\n", "column size_bytes appears twice"},
        {"size_bytes,rate_per_s,test\n1,2,\"a\nb\n", "begins in line 2 is not closed in"},
        {"size_bytes,rate_per_s,test\n1,2,\"a\"b\n", "follows a closing quote"},
        {"hello\nworld\n", "some/file:1"},
        {"\n\n[1, 2]\n", "some/file:3"},
        {"", "nothing to read in some/file"},
        {"\n# only this\n", "nothing to read in some/file"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refuse_text(rows[i].text, rows[i].words);
    refuse_bytes("size_bytes,rate_per_s\n1,2\0\n", 26, "binary data");
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
    end += strlen(strcpy(text, head));
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
    end = text + strlen(strcpy(text, "size_bytes,rate_per_s\n"));
    for (size_t i = 0; i < rows; i++)
        end += strlen(strcpy(end, "1,2\n"));
    refuse_text(text, "more than 1000000 rows at some/file:1000002");
    end[-4] = '\0';
    read_text(text, &r);
    assert_int_equal(r.count, READER_ROWS_MAX);
    results_free(&r);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_a_team),       cmocka_unit_test(csv_of_a_sweep),
        cmocka_unit_test(csv_of_all_dialects), cmocka_unit_test(csv_quotes),
        cmocka_unit_test(csv_guards),          cmocka_unit_test(csv_of_several_files),
        cmocka_unit_test(what_a_row_needs),    cmocka_unit_test(csv_that_is_damaged),
        cmocka_unit_test(what_is_absurd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
