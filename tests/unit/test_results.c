/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_results.c - results read back from io_profile and JSON, and what files are refused. */
#include "base/compat.h"

#include <errno.h>
#include <unistd.h>

#include "target/target.h"
#include "unit/results_fixture.h"

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
        assert_string_equal(r.host, "linus");
        assert_string_equal(r.date, "Sun Mar 7 17:12:11 2004");
        expect_rows(&r,
                    "test write, target /mnt/sda3, size_bytes 2, operations 1000, time_s 0.078, "
                    "throughput_bytes_per_s 25641.025641, rate_per_s 12820.512821\n"
                    "test write, target /mnt/sda3, size_bytes 4, operations 1000, time_s 0.176, "
                    "throughput_bytes_per_s 22727.272727, rate_per_s 5681.818182\n"
                    "test write, target /mnt/sda3, size_bytes 65536, operations 983, time_s "
                    "1.037, throughput_bytes_per_s 62123324.975892, rate_per_s 947.926712\n"
                    "test read, target /mnt/sda3, size_bytes 2, operations 1000, time_s 0.061, "
                    "throughput_bytes_per_s 32786.885246, rate_per_s 16393.442623\n"
                    "test read, target /mnt/sda3, size_bytes 8, operations 1000, time_s 0\n");
        assert_near(results_op_ns(&r.rows[2]), 1.037e9 / 983);
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
    (void)state;
    expect_read("IO profile test parameters\n"
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
                "test write, target /a, engine posix, cache direct, size_bytes 512, "
                "operations 10, time_s 1, throughput_bytes_per_s 5120, rate_per_s 10\n"
                "test write, target /b, (x), engine io_uring, cache uncached, size_bytes "
                "512, threads 4, depth 32, operations 20, time_s 1, throughput_bytes_per_s "
                "10240, rate_per_s 20\n"
                "test read, target /b, cache direct, size_bytes 512, operations 30, time_s "
                "1, throughput_bytes_per_s 15360, rate_per_s 30\n");
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
    assert_string_equal(r.version, "0.2.0");
    assert_string_equal(r.host, "vm");
    assert_string_equal(r.date, "2026-11-20T21:42:28Z");
    expect_rows(&r, "test write, target \xc3\xa4, notes drift, label own, size_bytes 512, "
                    "threads 2, operations 3, time_s 0.25, op_ns_median 1.5, "
                    "reference_ns 6.5, round_ns 3.5 1.5 1, reference_round_ns 5 6.5 7\n"
                    "notes skipped:x, label L, size_bytes 9007199254740993, skipped, "
                    "round_ns 4 2\n");
    results_free(&r);
    read_text("{\"run\":{\"team\":{\"ranks\":4,\"hosts\":[{\"name\":\"nas1\",\"ranks\":4}]}},"
              "\"rows\":[{\"size_bytes\":1,\"rate_per_s\":2,\"ranks\":4,"
              "\"rank_results\":[{\"rank\":0,\"host\":\"nas1\",\"operations\":1}]}]}",
              &r);
    expect_rows(&r, "size_bytes 1, ranks 4, rate_per_s 2\n");
    results_free(&r);
    read_text("{\"schema_version\":\"1.99\",\"document\":\"results\",\"later\":[{}],"
              "\"rows\":[{\"size_bytes\":1,\"rate_per_s\":2,\"later\":3}]}",
              &r);
    expect_rows(&r, "size_bytes 1, rate_per_s 2\n");
    results_free(&r);
    read_text("{\"rows\":[{\"size_bytes\":1,\"rate_per_s\":2}]}{\"rows\":[{\"size_bytes\":3}]}",
              &r);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.version, "");
    results_free(&r);
}

/* References are of use beside all rounds only. */
static void json_with_references(void **state)
{
    (void)state;
    expect_read("{\"rows\":[{\"size_bytes\":512,\"round_ns\":[7,9],\"reference_round_ns\":[5,4]},"
                "{\"size_bytes\":1024,\"round_ns\":[8,8],\"reference_round_ns\":[4]}]}",
                "size_bytes 512, round_ns 7 9, reference_round_ns 5 4\n"
                "size_bytes 1024, round_ns 8 8\n");
}

static void json_that_is_damaged(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"{", "(cut off?) at some/file:1"},
        {"{}", "no rows of results"},
        {"{\"rows\":[]}", "no rows of results"},
        {"{\"rows\":{}}", "expected one of ["},
        {JSON_HEAD, "(cut off?) at some/file:1"},
        {JSON_HEAD "\n{\"size_bytes\":512,\"op_ns_med", "(cut off?) at some/file:2"},
        {JSON_HEAD "\n{\"size_bytes\":512},", "cut off?"},
        {JSON_HEAD "\n{\"size_bytes\":512}]", "cut off?"},
        {JSON_HEAD "\n{\"size_bytes\":512}\n{\"size_bytes\":512}]}", "some/file:3"},
        {JSON_HEAD "\n{\"size_bytes\":}]}", "invalid JSON"},
        {JSON_HEAD "\n[1]]}", "a row is not an object before some/file:2"},
        {JSON_HEAD "\n{\"rate_per_s\":1}]}", "size_bytes, threads or depth is 0 or missing"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"depth\":0}]}", "size_bytes, threads or depth is 0"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"ranks\":0}]}", "ranks is 0"},
        {JSON_HEAD "\n{\"size_bytes\":-1}]}", "size_bytes has the wrong type"},
        {JSON_HEAD "\n{\"size_bytes\":1.5}]}", "size_bytes has the wrong type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"test\":7}]}", "test has the wrong type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"time_s\":\"x\"}]}", "time_s has the wrong type"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"round_ns\":7}]}", "round_ns is not an array"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"round_ns\":[-7]}]}", "round_ns holds no time"},
        {JSON_HEAD "\n{\"size_bytes\":1,\"reference_round_ns\":7}]}",
         "reference_round_ns is not an array"},
        {"{\"rows\":[{\"size_bytes\":1}]} x", "expected one of {"},
        {"{\"rows\" 7}", "expected one of :"},
        {"{7:8}", "expected a key"},
        {"{\"schema_version\":\"2.0\",\"rows\":[{\"size_bytes\":1}]}",
         "written for another iosweep (schema version 2.0) at some/file:1"},
        {"{\"rows\":[{\"size_bytes\":1}],\"schema_version\":\"10.1\"}", "schema version 10.1"},
        {"{\"schema_version\":1,\"rows\":[{\"size_bytes\":1}]}", "is not a version"},
        {"{\"schema_version\":\"1\",\"rows\":[{\"size_bytes\":1}]}", "is not a version"},
        {"{\"schema_version\":\"-1.0\",\"rows\":[{\"size_bytes\":1}]}", "is not a version"},
        {"{\"document\":\"fits\",\"rows\":[{\"size_bytes\":1}]}",
         "a document of another kind (fits), not results, at some/file:1"},
    };
    char *deep = malloc(100001);
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refuse_text(rows[i].text, rows[i].words);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    memcpy(deep, "{\"rows\":[", 9);
    deep[100000] = '\0';
    refuse_text(deep, "invalid JSON");
    free(deep);
}

#else

static void json_document(void **state)
{
    (void)state;
    refuse_text("{\"rows\":[]}", "this build cannot read JSON (built without jansson)");
}

static void json_with_references(void **state)
{
    (void)state;
    skip_because("built without jansson");
}

static void json_that_is_damaged(void **state)
{
    (void)state;
    skip_because("built without jansson");
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
        cmocka_unit_test(io_profile_itself),       cmocka_unit_test(classic_of_several_tables),
        cmocka_unit_test(json_document),           cmocka_unit_test(json_with_references),
        cmocka_unit_test(json_that_is_damaged),    cmocka_unit_test(files),
        cmocka_unit_test(test_tests_without_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
