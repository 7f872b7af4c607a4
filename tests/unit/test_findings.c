/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings.c - which sentences come, in which order, and that there are five at most.  They go
 * to stderr, which is caught in a temporary file. */
#include "base/compat.h"

#include "base/log.h"
#include "cli/options.h"
#include "findings_fixture.h"

static void test_cached(void **state)
{
    (void)state;
    find(2);
    assert_string_equal(
        said,
        "# finding: rows with cache=cached are page cache speeds; use -b (--cache direct) for "
        "the device\n");
}

static void test_no_rows(void **state)
{
    (void)state;
    find(0);
    assert_string_equal(said, "");
}

/* One condition at a time; what is said of a row is not said without its reason. */
static void test_each(void **state)
{
    static const struct {
        enum cache_mode cache;
        unsigned notes;
        const char *part, *flag;
    } rows[] = {
        {CACHE_DIRECT, NOTE_CACHE_HITS, "1 row meant for the device was served",
         "a --file-size larger than memory"},
        {CACHE_UNCACHED, NOTE_CACHE_HITS, "1 row meant for the device was served",
         "try --cache direct, or a larger --file-size"},
        {CACHE_CACHED, NOTE_NOT_CACHED, "1 cached row came partly", "--file-size"},
        {CACHE_DIRECT, NOTE_DRIFT, "1 of 2 rows is not steady (read of 2 B; it drifts); ", "; "},
        {CACHE_DIRECT, NOTE_COVERED, "1 row below the O_DIRECT block size moved whole blocks;",
         "--small skip"},
        {CACHE_DIRECT, NOTE_RMW, "(writes: read-modify-write);", "--small skip"},
        {CACHE_DIRECT, NOTE_TIMER, "reading the clock (24.5 ns)", "--engine null"},
        {CACHE_DIRECT, NOTE_UNFAIR, "in 1 row one thread", "--threads"},
    };
    (void)state;
    f.cells[0].work.test = f.cells[1].work.test = TEST_READ;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.cells[0].work.cache = f.cells[1].work.cache = rows[i].cache;
        f.results[0].notes = rows[i].notes;
        find(2);
        expect(rows[i].part);
        expect(rows[i].flag);
        f.results[0].notes = 0;
        find(2);
        expect_not(rows[i].part);
    }
}

/* Memory and storage: a write of 2 B and a read of 64 KiB. */
static void test_cache_state(void **state)
{
    static const struct {
        const char *remark;
        enum cache_mode write, read;
        enum sync_mode sync;
        unsigned notes; /* of the read */
        double resident;
        bool existing, in_memory;
        const char *part, *not_part;
    } rows[] = {
        {"plain", CACHE_CACHED, CACHE_CACHED, SYNC_NONE, 0, -1, false, false,
         ": rows with cache=cached are page cache speeds; use -b (--cache direct) for the device\n",
         NULL},
        {"flushed writes are a disk's", CACHE_CACHED, CACHE_CACHED, SYNC_END, 0, -1, false, false,
         ": reads with cache=cached are page cache speeds; use -b", "rows with"},
        {"so nothing is said of them alone", CACHE_CACHED, CACHE_DIRECT, SYNC_DATA, 0, -1, false,
         false, "", "page cache"},
        {"direct is there already", CACHE_CACHED, CACHE_DIRECT, SYNC_NONE, 0, -1, false, false,
         "speeds; compare with the rows with cache=direct\n", "-b"},
        {"direct that was not", CACHE_DIRECT, CACHE_DIRECT, SYNC_NONE, NOTE_CACHE_HITS, -1, false,
         false, "1 row meant for the device was served", "--cache direct"},
        {"the same of the user's file", CACHE_DIRECT, CACHE_DIRECT, SYNC_NONE, NOTE_CACHE_HITS, -1,
         true, false, "device's; name a TARGET on another file system", "--file-size"},
        {"uncached that was not", CACHE_DIRECT, CACHE_UNCACHED, SYNC_NONE, NOTE_CACHE_HITS, -1,
         false, false, "device's; compare with the rows with cache=direct\n", "--file-size"},
        {"the same of the user's file", CACHE_CACHED, CACHE_UNCACHED, SYNC_NONE, NOTE_CACHE_HITS,
         -1, true, false, "device's; use -b", "--file-size"},
        {"memory below direct", CACHE_DIRECT, CACHE_DIRECT, SYNC_NONE, NOTE_CACHE_HITS, -1, false,
         true, ": /data lives in memory, with no device below; name another TARGET", "direct"},
        {"memory below cached", CACHE_CACHED, CACHE_CACHED, SYNC_NONE, 0, -1, false, true,
         ": /data lives in memory", "page cache"},
        {"memory below uncached writes", CACHE_UNCACHED, CACHE_UNCACHED, SYNC_NONE, NOTE_CACHE_HITS,
         -1, false, true, ": /data lives in memory", "page cache"},
        {"not cached, own", CACHE_CACHED, CACHE_CACHED, SYNC_NONE, NOTE_NOT_CACHED, -1, false,
         false, "cannot hold the file; try a smaller --file-size\n", NULL},
        {"not cached, the user's", CACHE_CACHED, CACHE_CACHED, SYNC_NONE, NOTE_NOT_CACHED, -1, true,
         false, "cannot hold the file; use -b", "--file-size"},
        {"evicted writes", CACHE_UNCACHED, CACHE_UNCACHED, SYNC_NONE, 0, 0, false, false,
         ": uncached writes went to the page cache; use --sync end or -b", "meant for"},
        {"evicted writes beside direct", CACHE_UNCACHED, CACHE_DIRECT, SYNC_NONE, 0, 0, false,
         false, "page cache; use --sync end\n", "-b"},
        {"flushed and evicted writes", CACHE_UNCACHED, CACHE_UNCACHED, SYNC_END, 0, 0, false, false,
         "", "went to the page cache"},
        {"as found: in memory", CACHE_ASIS, CACHE_ASIS, SYNC_NONE, 0, 0.734, true, false,
         "1 row with cache=asis was served from memory (the page cache holds 73 %); use -b", NULL},
        {"as found: on the disk", CACHE_ASIS, CACHE_ASIS, SYNC_NONE, 0, 0.49, true, false, "",
         "asis"},
        {"as found: not known", CACHE_ASIS, CACHE_ASIS, SYNC_NONE, 0, -1, true, false, "", "asis"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.cells[0].work.cache = rows[i].write;
        f.cells[1].work.cache = rows[i].read;
        f.cells[1].work.test = TEST_READ;
        f.cells[0].work.sync = f.cells[1].work.sync = rows[i].sync;
        f.results[1].notes = rows[i].notes;
        f.results[0].resident_fraction = f.results[1].resident_fraction = rows[i].resident;
        f.settings.existing = rows[i].existing;
        f.target.in_memory = rows[i].in_memory;
        find(2);
        if (!strstr(said, rows[i].part) || (rows[i].not_part && strstr(said, rows[i].not_part)))
            fail_msg("%s: %s", rows[i].remark, said);
    }
}

/* An engine that moves no data says nothing about memory, clock or sizes. */
static void test_virtual(void **state)
{
    (void)state;
    f.engine.capabilities = ENGINE_VIRTUAL;
    f.results[0].notes = f.results[1].notes = NOTE_TIMER;
    for (unsigned i = 2; i < 4; i++) {
        f.cells[i].work.test = TEST_WRITE;
        f.cells[i].work.size_bytes = UINT64_C(65536) << i;
        fixture_measure(&f, i, 1000, 10000000);
    }
    find(4);
    assert_string_equal(said, "");
}

static void test_unwritten(void **state)
{
    (void)state;
    strcpy(f.target.notes, "unwritten");
    find(2);
    expect_not("holes");
    f.cells[1].work.test = TEST_READ;
    find(2);
    assert_memory_equal(said, "# finding: /data has holes or unwritten extents: reads there never ",
                        66);
    f.target.extents = (struct extents){
        .files = 1, .bytes = 1000, .hole_bytes = 370, .unwritten_bytes = 120, .data_bytes = 510};
    find(2);
    expect("/data has holes or unwritten extents (37 % holes, 12 % unwritten extents): reads");
}

static void test_steadiness(void **state)
{
    static const struct {
        const char *remark;
        double others;
        unsigned threads;
        const char *part;
    } rows[] = {
        {"idle", 0.05, 1, "; try a longer --time or more --rounds"},
        {"room is left", 0.29, 1, "; try a longer --time"},
        {"busy", 0.43, 1,
         "the machine was busy (other programs used 43 % of the processors during"},
        {"no room is left", 0.29, 2,
         "the machine was busy (other programs used 29 % of the processors during this run)"},
        {"our own threads", 0.05, 8, "; try a longer --time"},
        {"not known", -1, 1, "; try a longer --time"},
    };
    struct seen seen[] = {
        {.cell = &f.cells[0], .notes = NOTE_WIDE, .half_width = 0.05},
        {.cell = &f.cells[1], .notes = NOTE_WIDE, .half_width = 0.123},
        {.cell = &f.cells[2], .notes = NOTE_CORRELATED, .half_width = 0.5},
        {.cell = &f.cells[3], .state = RESULT_SKIPPED},
    };
    (void)state;
    setenv("LC_ALL", "C", 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct findings findings = {.info = &f.info,
                                          .rows = seen,
                                          .count = 4,
                                          .busy = {.cpus = 2,
                                                   .threads = rows[i].threads,
                                                   .others = rows[i].others,
                                                   .others_most = rows[i].others,
                                                   .load = -1}};
        assert_true(findings_busy(&findings, said) || findings_wide(&findings, said));
        assert_int_equal(findings_wide(&findings, (char[FINDING_TEXT]){0}),
                         strstr(rows[i].part, "busy") == NULL);
        expect("2 of 3 rows are not steady (worst: write of 64 KiB +-12.3 %)");
        setenv("LC_ALL", "C.UTF-8", 1);
        assert_true(findings_busy(&findings, said) || findings_wide(&findings, said));
        expect("2 of 3 rows are not steady (worst: write of 64 KiB \302\26112.3 %)");
        setenv("LC_ALL", "C", 1);
        if (!strstr(said, rows[i].part))
            fail_msg("%s: %s", rows[i].remark, said);
    }
    seen[0].notes = seen[1].notes = NOTE_CORRELATED | NOTE_OUTLIERS;
    assert_false(
        findings_wide(&(struct findings){.info = &f.info, .rows = seen, .count = 4}, said));
}

/* Four writes of a size and their throughput in bytes per microsecond. */
static void test_knee(void **state)
{
    static const struct {
        const char *remark;
        uint64_t size[4];
        unsigned speed[4];
        uint64_t length_bytes;
        bool existing;
        const char *part, *not_part;
    } rows[] = {
        {"4 KiB already has 95 %",
         {512, 4096, 8192, 65536},
         {100, 950, 980, 1000},
         4194304,
         false,
         "reached by writes of 4 KiB (best 1.00 GB/s); more --sizes around them show it closer\n",
         "growing"},
        {"growing",
         {512, 4096, 8192, 65536},
         {10, 100, 200, 1000},
         4194304,
         false,
         "writes of 64 KiB (best 1.00 GB/s, still growing); try --max-size 1Mi\n",
         "-l"},
        {"sizes in another order",
         {65536, 512, 8192, 4096},
         {1000, 10, 200, 100},
         4194304,
         false,
         "writes of 64 KiB (best 1.00 GB/s, still growing); try --max-size 1Mi\n",
         NULL},
        {"flat at the end",
         {512, 4096, 65536, 131072},
         {1, 100, 895, 920},
         4194304,
         false,
         "writes of 64 KiB (best 920 MB/s); more --sizes",
         "growing"},
        {"hardly growing",
         {512, 4096, 65536, 65540},
         {1, 100, 895, 1000},
         4194304,
         false,
         "of 65540 B (best 1.00 GB/s, still growing); try --max-size 1048640\n",
         NULL},
        {"beyond our files",
         {512, 4096, 8192, 524288},
         {10, 100, 200, 1000},
         4194304,
         false,
         "; try -M 8Mi -l 32Mi\n",
         "--max-size"},
        {"beyond the user's file",
         {512, 4096, 8192, 65536},
         {10, 100, 200, 1000},
         65536,
         true,
         "still growing)\n",
         "try"},
        {"within the user's file",
         {512, 4096, 8192, 65536},
         {10, 100, 200, 1000},
         1048576,
         true,
         "still growing); try --max-size 1Mi\n",
         "-l"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.length_bytes[0] = rows[i].length_bytes;
        f.settings.existing = rows[i].existing;
        for (unsigned c = 0; c < 4; c++) {
            f.cells[c].work.test = TEST_WRITE;
            f.cells[c].work.size_bytes = rows[i].size[c];
            fixture_measure(&f, c, rows[i].speed[c], rows[i].size[c] * 1000);
        }
        find(4);
        if (!strstr(said, rows[i].part) || (rows[i].not_part && strstr(said, rows[i].not_part)))
            fail_msg("%s: %s", rows[i].remark, said);
    }
}

/* No shape without three finished rows of one series. */
static void test_no_knee(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 4; c++) {
        f.cells[c].work.test = TEST_WRITE;
        f.cells[c].work.size_bytes = UINT64_C(512) << c;
        fixture_measure(&f, c, 100, 1000000);
    }
    find(4);
    expect("still growing); try");
    f.results[3].state = RESULT_INCOMPLETE;
    find(4);
    expect("writes of 2 KiB");
    expect_not("growing"); /* nobody knows */
    f.results[2].state = RESULT_INCOMPLETE;
    find(4);
    expect_not("90 %");
    f.results[2].state = f.results[3].state = RESULT_CLOSED;
    f.cells[3].threads = 2;
    find(4);
    expect_not("90 %");
    f.cells[3].threads = 1;
    f.cells[3].work.depth = 4;
    find(4);
    expect_not("90 %");
    f.cells[3].work.depth = 1;
    f.cells[3].work.cache = CACHE_DIRECT;
    find(4);
    expect_not("90 %");
    f.cells[3].work.cache = CACHE_CACHED;
    f.cells[3].work.access = ACCESS_SEQUENTIAL;
    find(4);
    expect_not("90 %");
    f.cells[3].work.access = f.cells[0].work.access;
    f.cells[3].fills = true; /* how full it is, no size */
    find(4);
    expect_not("90 %");
    f.cells[3].fills = false;
    find(4);
    expect("90 %");
    f.cells[3].work.access = ACCESS_SEQUENTIAL;
    f.cells[3].work.test = TEST_READ; /* another test is another curve */
    find(4);
    expect("90 %");
}

/* Advice in the words of --sizes when that is how sizes were given. */
static void test_knee_of_list(void **state)
{
    uint64_t sizes[] = {512, 1024, 2048};
    (void)state;
    f.settings.sizes = (struct units_list){.value = sizes, .count = 3};
    for (unsigned c = 0; c < 3; c++) {
        f.cells[c].work.test = TEST_WRITE;
        f.cells[c].work.size_bytes = sizes[c];
        fixture_measure(&f, c, 100, 1000000);
    }
    find(3);
    expect("; try --sizes with 32Ki\n");
}

static void test_option_sizes(void **state)
{
    static const struct {
        uint64_t size_bytes;
        const char *text;
    } rows[] = {
        {1, "1"},
        {1000, "1000"},
        {1024, "1Ki"},
        {1536, "1536"},
        {65536, "64Ki"},
        {1048576, "1Mi"},
        {1572864, "1536Ki"},
        {UINT64_C(1) << 33, "8Gi"},
        {0, "0"},
        {UINT64_MAX, "18446744073709551615"},
        {UINT64_C(1) << 63, "8192Pi"},
    };
    char text[UNITS_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(findings_format_option(rows[i].size_bytes, text), rows[i].text);
}

static void test_errors_and_skipped(void **state)
{
    (void)state;
    f.results[0].sum.tally.failed = 3;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    find(2);
    assert_non_null(strstr(
        said,
        "# finding: 3 operations failed in 1 row; only their time is counted; --max-errors 1"));
    assert_non_null(strstr(said, "1 row was skipped (beyond_file); raise --file-size"));
    f.target.driver = &far_driver;
    find(2);
    assert_non_null(strstr(said, "(beyond_file); raise --object-size or lower --max-size"));
}

/* Existing files are as long as they are. */
static void test_beyond_existing(void **state)
{
    (void)state;
    f.settings.existing = true;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    f.length_bytes[0] = 65536;
    find(2);
    expect("1 row was skipped (beyond_file); use --max-size 64Ki or less\n");
    f.length_bytes[0] = 70000; /* O_DIRECT moves whole blocks */
    f.target.direct_align_bytes = 4096;
    f.cells[1].work.cache = CACHE_DIRECT;
    find(2);
    expect("; use --max-size 68Ki or less\n");
    expect_not("--file-size");
    f.length_bytes[0] = 100;
    find(2);
    expect("; choose a larger TARGET\n");
}

static void test_five_at_most(void **state)
{
    unsigned lines = 0;
    (void)state;
    f.results[0].notes = (1u << NOTE_COUNT) - 1;
    f.results[0].sum.tally.failed = 1;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    f.results[0].sum.tally.wrong = 1;
    find(4);
    for (const char *c = said; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 5);
    assert_memory_equal(said, "# finding: 1 operation in 1 row read back wrong data", 52);
    expect("\n# finding: 1 operation failed");
}

static void test_progress(void **state)
{
    struct progress progress = {.cell = &f.cells[0],
                                .rounds_done = 12,
                                .rounds_most = 39,
                                .cells_open = 9,
                                .cells_all = 16,
                                .rows_done = 7,
                                .rows_all = 64,
                                .elapsed_ns = UINT64_C(8000000000),
                                .left_ns = UINT64_C(13600000000)};
    struct sink sink;
    FILE *file;
    int saved;
    (void)state;
    format_make_progress(&sink);
    catch_begin(&file, &saved);
    log_progress_enable(true);
    sink.progress(sink.arg, &progress);
    progress.rounds_most = 0;
    sink.progress(sink.arg, &progress);
    progress.left_ns = UINT64_MAX;
    sink.progress(sink.arg, &progress);
    progress.left_ns = UINT64_C(9599000000001);
    sink.progress(sink.arg, &progress);
    progress.elapsed_ns = UINT64_C(9601000000000);
    progress.rows_done = 8;
    sink.progress(sink.arg, &progress);
    log_progress_enable(false);
    catch_end(file, saved);
    format_free(&sink);
    expect("\r37 %, 14 s left, 7 of 64 rows done, write cached, round 12/39\033[K"
           "\r37 %, 14 s left, 7 of 64 rows done, write cached, round 12\033[K"
           /* what was said of it is not taken back */
           "\r37 %, time left not known yet, 7 of 64 rows done, write cached, round 12\033[K"
           "\r37 %, 2 h 40 min left, 7 of 64 rows done, write cached, round 12\033[K"
           "\r50 %, 2 h 40 min left, 8 of 64 rows done, write cached, round 12\033[K");
}

static void print_header(void)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    FILE *file;
    int saved;

    format_make_header(options_table, NULL, false, &sink);
    catch_begin(&file, &saved);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    catch_end(file, saved);
    format_free(&sink);
}

/* The header names target and settings; facts of this machine are only checked to be there. */
static void test_header(void **state)
{
    static const char *const parts[] = {
        "# iosweep " PACKAGE_VERSION ", 2",
        "\n# host: ",
        " one reading costs 24.5 ns, resolution 1.00 ns; overhead of iosweep: 40.0 ns per "
        "operation\n",
        "\n# target: /data/x, 64 files of 4 MiB, unwritten\n",
        "\n#   O_DIRECT needs multiples of 512 B\n",
        "\n# tests: write,read, cache cached, engine posix, threads 1,8, depth 1,16\n",
        "\n# work: 4 rows of 2 B to 64 KiB, offsets aligned to min(size, 4 KiB), sync none, open "
        "and "
        "close in each operation, seed 7\n",
        "\n# stop: 1000 operations per row, at most 1 min with setup\n",
    };
    uint64_t threads[] = {1, 8}, depths[] = {1, 16};
    (void)state;
    strcpy(f.target.notes, "unwritten");
    f.target.direct_align_bytes = 512;
    f.settings.max_time_ns = UINT64_C(60000000000);
    f.settings.threads.value = threads;
    f.settings.threads.count = 2;
    f.settings.depths = (struct units_list){.value = depths, .count = 2};
    print_header();
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!strstr(said, parts[i]))
            fail_msg("no \"%s\" in\n%s", parts[i], said);
    }
    f.settings.rate = 5000;
    f.settings.verify = f.settings.pin = true;
    print_header();
    expect(", threads 1,8, depth 1,16, rate 5000/s, verify, pin\n");
    f.settings.call_bytes = 65536;
    print_header();
    expect("64 KiB, in calls of at most 64 KiB, offsets aligned");
}

/* What ends a row is what its step says, where it says something. */
static void test_header_ends(void **state)
{
    (void)state;
    f.settings.tests.count = 2;
    f.settings.tests.step[0] = (struct step){.test = TEST_WRITE, .stops = true, .repetitions = 7};
    f.settings.tests.step[1] = (struct step){.test = TEST_READ};
    print_header();
    expect("\n# stop: 1000 operations per row, steps with their own limits\n");
    f.settings.tests.step[1].stops = true;
    print_header();
    expect("\n# stop: steps with their own limits\n");
    f.settings.tests.step[0] = (struct step){.test = TEST_FILL};
    f.settings.tests.step[1].stops = false;
    print_header();
    expect("\n# stop: 1000 operations per row, fill ends when all is written\n");
    expect("open and close in each operation");
    f.settings.tests.count = 1;
    print_header();
    expect("\n# stop: fill ends when all is written\n");
    expect(", file kept open, seed");
    expect_not("aligned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cached, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cache_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_virtual, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_steadiness, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_knee, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_knee, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_knee_of_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_option_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors_and_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_beyond_existing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_five_at_most, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_header, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_header_ends, set_up, tear_down),
    };

    setenv("TERM", "xterm", 1); /* which erases lines */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
