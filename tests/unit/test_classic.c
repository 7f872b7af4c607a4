/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_classic.c - the output of io_profile, compared as a whole text except date and host name,
 * whose form is checked. */
#include "base/compat.h"

#include "unit/cmocka_all.h"
#include <sys/utsname.h>
#include <time.h>

#include "base/log.h"
#include "out_fixture.h"

static int set_up(void **state)
{
    fixture_init(&f);
    log_set_level(LOG_QUIET); /* skipped sizes are reported on stderr */
    return 0;
}

static void print_rows(unsigned from, unsigned to)
{
    const struct format_options options = {.label = ""};
    assert_int_equal(fixture_print(FORMAT_CLASSIC, &options, from, to), 0);
}

/* Checks and skips title, underline and date; returns what follows. */
static const char *after_date(void)
{
    static const char head[] = "IO profile test parameters\n"
                               "--------------------------\n"
                               "Date: ";
    struct tm date;
    const char *end;
    char text[64];
    assert_memory_equal(f.text, head, strlen(head));
    memset(&date, 0, sizeof(date));
    end = strptime(f.text + strlen(head), "%a %b %e %H:%M:%S %Y", &date);
    assert_non_null(end);
    /* ctime(3) format: always 24 characters, the day padded with a blank. */
    assert_int_equal(end - (f.text + strlen(head)), 24);
    assert_non_null(asctime_r(&date, text));
    assert_memory_equal(f.text + strlen(head), text, 24);
    assert_int_equal(*end, '\n');
    return end + 1;
}

static void expect_after_host(const char *expected)
{
    const char *text = after_date();
    struct utsname names;
    char location[300];

    assert_true(uname(&names) >= 0);
    snprintf(location, sizeof(location), "Location: %s:", names.nodename);
    assert_memory_equal(text, location, strlen(location));
    assert_string_equal(text + strlen(location), expected);
}

static void expect_line(const char *line)
{
    const char *at = strstr(f.text, line);
    if (!at || at == f.text || at[-1] != '\n' || at[strlen(line)] != '\n')
        fail_msg("no line \"%s\" in\n%s", line, f.text);
}

static void test_whole_output(void **state)
{
    fixture_measure(&f, 0, 1000, 78000000);
    fixture_measure(&f, 1, 983, 1037000000);
    fixture_measure(&f, 2, 1000, 61000000);
    fixture_measure(&f, 3, 985, 864000000);
    print_rows(0, 4);
    expect_after_host(
        "/data\n"
        "File mode: Multi-file filesystem, 3 levels, 4 files per level\n"
        "Synch mode: Using libc with no buffering\n"
        "File size: 4194304 bytes\n"
        "Reads (Writes) from 2 to 65536 bytes\n"
        "Repetitions per read (write) size: 1000\n"
        "Conducting write test...\n"
        "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
        "2,1000,0.078000,25641.025641,12820.512821\n"
        "65536,983,1.037000,62123324.975892,947.926712\n"
        "Done with write test\n"
        "Conducting read test...\n"
        "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
        "2,1000,0.061000,32786.885246,16393.442623\n"
        "65536,985,0.864000,74714074.074074,1140.046296\n"
        "Done with read test\n");
}

/* An object store is not a tree of files, and requests that move no data have no throughput. */
static void test_object_store(void **state)
{
    f.target.driver = &far_driver;
    f.target.place = (char *)(uintptr_t) "s3://b/p/iosweep-x (http://localhost:9000)";
    for (unsigned i = 0; i < FIXTURE_ROWS; i++)
        f.cells[i].work.test = i < 2 ? TEST_STAT : TEST_DELETE;
    fixture_measure(&f, 0, 1000, 78000000);
    print_rows(0, 1);
    expect_after_host(
        "s3://b/p/iosweep-x (http://localhost:9000)\n"
        "File mode: Object store\n"
        "Synch mode: Using libc with no buffering\n"
        "Requests from 2 to 65536 bytes\n"
        "Repetitions per request size: 1000\n"
        "Conducting stat test...\n"
        "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n"
        "2,1000,0.078000,0.000000,12820.512821\n"
        "Done with stat test\n");
}

static void test_identity_after_rounding(void **state)
{
    static const struct {
        uint64_t operations, time_ns;
        const char *line, *remark;
    } rows[] = {
        {1000, 1234499, "2,1000,0.001234,1620745.542950,810372.771475", "rounded down"},
        {1000, 1234500, "2,1000,0.001235,1619433.198381,809716.599190", "rounded up"},
        {1, 400, "2,1,0.000001,2000000.000000,1000000.000000", "shorter than can be printed"},
        {7, 3000000000, "2,7,3.000000,4.666667,2.333333", "seconds"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_fini(&f);
        fixture_init(&f);
        fixture_measure(&f, 0, rows[i].operations, rows[i].time_ns);
        print_rows(0, 1);
        expect_line(rows[i].line);
    }
}

static void test_file_modes(void **state)
{
    static const struct {
        bool single, ours, named;
        uint32_t objects;
        const char *line;
    } rows[] = {
        {true, true, true, 1, "File mode: Single file"},
        {false, true, true, 64, "File mode: Multi-file filesystem, 3 levels, 4 files per level"},
        {false, false, true, 1, "File mode: Existing single file"},
        {false, false, true, 12, "File mode: Existing multi-file filesystem, 12 files"},
        {false, false, false, 1, "File mode: 64 files of 4 MiB"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_fini(&f);
        fixture_init(&f);
        f.settings.single_file = rows[i].single;
        f.target.ours = rows[i].ours;
        f.target.name = rows[i].named ? f.names : NULL;
        f.target.object_count = rows[i].objects;
        print_rows(0, 0);
        expect_line(rows[i].line);
    }
}

static void test_only_reading(void **state)
{
    f.info.cells = f.cells + 2;
    f.info.cell_count = 2;
    f.settings.repetitions = 0;
    f.settings.caches.index[0] = CACHE_DIRECT;
    print_rows(2, 2);
    expect_line("Reads from 2 to 65536 bytes");
    expect_line("Repetitions per read size: until precise");
    expect_line("Synch mode: Using libc with no buffering, bypassing the cache (O_DIRECT)");
    assert_null(strstr(f.text, "Conducting"));
}

static void test_only_writing(void **state)
{
    f.info.cell_count = 2;
    f.settings.sync = SYNC_DATA;
    print_rows(0, 0);
    expect_line("Writes from 2 to 65536 bytes");
    expect_line("Repetitions per write size: 1000");
    expect_line("Synch mode: Using libc with no buffering, synchronous data (O_DSYNC)");
}

/* Skipped cells have no row, but the test's header and end are printed. */
static void test_skipped(void **state)
{
    fixture_measure(&f, 0, 1000, 78000000);
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    print_rows(0, 3); /* row 2 has no operations */
    assert_non_null(strstr(f.text, "\n2,1000,0.078000,25641.025641,12820.512821\n"
                                   "Done with write test\n"
                                   "Conducting read test...\n"
                                   "I/O size [bytes], operations, time [s], throughput [bytes/s], "
                                   "I/O rate [1/s]\n"
                                   "Done with read test\n"));
}

static void test_several_tables(void **state)
{
    f.cells[1].threads = 8;
    f.cells[1].work.size_bytes = 2;
    fixture_measure(&f, 0, 1000, 78000000);
    fixture_measure(&f, 1, 1000, 39000000);
    print_rows(0, 2);
    expect_line("Conducting write test (cached, posix, 1 thread, depth 1, /data)...");
    expect_line("Conducting write test (cached, posix, 8 threads, depth 1, /data)...");
    assert_non_null(strstr(f.text, "12820.512821\nDone with write test\nConducting write test (c"));
}

/* A single table that is not synchronous with one thread states that. */
static void test_one_series(void **state)
{
    f.cells[0].threads = f.cells[1].threads = 4;
    f.cells[0].work.depth = f.cells[1].work.depth = 8;
    fixture_measure(&f, 0, 1000, 78000000);
    fixture_measure(&f, 1, 1000, 39000000);
    print_rows(0, 2);
    expect_line("Conducting write test (cached, posix, 4 threads, depth 8, /data)...");
}

/* Each depth is a table of its own. */
static void test_depths(void **state)
{
    f.cells[1].work.depth = 32;
    f.cells[1].work.size_bytes = 2;
    fixture_measure(&f, 0, 1000, 78000000);
    fixture_measure(&f, 1, 1000, 39000000);
    print_rows(0, 2);
    expect_line("Conducting write test (cached, posix, 1 thread, depth 1, /data)...");
    expect_line("Conducting write test (cached, posix, 1 thread, depth 32, /data)...");
    assert_non_null(strstr(f.text, "12820.512821\nDone with write test\nConducting write test (c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_object_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_identity_after_rounding, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_file_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_writing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_several_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_series, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
