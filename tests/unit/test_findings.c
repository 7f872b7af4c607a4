/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_findings.c - which sentences come, in which order, and that there are five at most.  They go
 * to stderr, which is caught in a temporary file. */
#include "base/compat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "out_fixture.h"

static struct fixture f;
static char said[8192];

static int set_up(void **state)
{
    (void)state;
    fixture_init(&f);
    fixture_measure(&f, 0, 1000, 1000000);  /* 2 MB/s */
    fixture_measure(&f, 1, 1000, 10000000); /* 6.55 GB/s */
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_fini(&f);
    return 0;
}

/* What `print` leaves on stderr goes to `said`. */
static void catch_begin(FILE **file, int *saved)
{
    *file = tmpfile();
    assert_non_null(*file);
    fflush(stderr);
    *saved = dup(STDERR_FILENO);
    assert_true(*saved >= 0);
    assert_true(dup2(fileno(*file), STDERR_FILENO) >= 0);
}

static void catch_end(FILE *file, int saved)
{
    size_t n;
    fflush(stderr);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    rewind(file);
    n = fread(said, 1, sizeof(said) - 1, file);
    said[n] = '\0';
    fclose(file);
}

static void find(unsigned rows)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    FILE *file;
    int saved, failed;
    assert_int_equal(format_make_findings(&sink), 0);
    catch_begin(&file, &saved);
    failed = fixture_run(&f, &sink, 0, rows, &err);
    catch_end(file, saved);
    assert_int_equal(failed, 0);
    format_free(&sink);
}

static void test_cached(void **state)
{
    (void)state;
    find(2);
    assert_string_equal(
        said,
        "# finding: rows with cache=cached are page cache speeds; use -b (--cache direct) for "
        "the device\n"
        "# finding: 90 % of the best throughput is reached by writes of 64 KiB (best 6.55 "
        "GB/s); still growing: try --max-size 1048576\n");
}

static void test_no_rows(void **state)
{
    (void)state;
    find(0);
    assert_string_equal(said, "");
}

/* One condition at a time. */
static void test_each(void **state)
{
    static const struct {
        enum cache_mode cache;
        unsigned notes;
        const char *part, *flag;
    } rows[] = {
        {CACHE_DIRECT, NOTE_CACHE_HITS, "1 row meant for the device was served", "--cache direct"},
        {CACHE_CACHED, NOTE_NOT_CACHED, "1 cached row came partly", "--file-size"},
        {CACHE_DIRECT, NOTE_DRIFT, "1 of 2 rows are not steady", "--time"},
        {CACHE_DIRECT, NOTE_COVERED, "1 row smaller than O_DIRECT allows moved whole blocks;",
         "--small skip"},
        {CACHE_DIRECT, NOTE_RMW, "writes read and wrote them back;", "--small skip"},
        {CACHE_DIRECT, NOTE_TIMER, "reading the clock (24.5 ns)", "--engine null"},
        {CACHE_DIRECT, NOTE_UNFAIR, "in 1 row one thread", "--threads"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        f.cells[0].work.cache = f.cells[1].work.cache = rows[i].cache;
        f.results[0].notes = rows[i].notes;
        find(2);
        if (strstr(said, rows[i].part) == NULL || strstr(said, rows[i].flag) == NULL)
            fail_msg("no \"%s\" in %s", rows[i].part, said);
        f.results[0].notes = 0;
        find(2);
        assert_null(strstr(said, rows[i].part));
    }
}

static void test_worst_row(void **state)
{
    (void)state;
    fixture_rounds(&f, 0, 1000, 50);
    fixture_rounds(&f, 1, 10000, 1230);
    f.results[0].notes = f.results[1].notes = NOTE_WIDE;
    find(2);
    assert_non_null(strstr(said, "2 of 2 rows are not steady (worst: write of 64 KiB +-12.3 %); "));
}

static void test_knee(void **state)
{
    (void)state;
    /* 4 KiB already has 95 % of what 64 KiB has. */
    f.cells[0].work.size_bytes = 4096;
    fixture_measure(&f, 0, 1000, 657895);
    fixture_measure(&f, 1, 1000, 10000000);
    find(2);
    assert_non_null(strstr(said, "reached by writes of 4 KiB (best 6.55 GB/s); --factor"));
}

static void test_errors_and_skipped(void **state)
{
    (void)state;
    f.results[0].tally.failed = 3;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    find(2);
    assert_non_null(strstr(said, "# finding: 3 operations failed in 1 row and are in no figure; "
                                 "--max-errors 1"));
    assert_non_null(strstr(said, "1 row was skipped (beyond_file); raise --file-size"));
}

static void test_in_memory(void **state)
{
    (void)state;
    f.store.in_memory = true;
    find(2);
    assert_non_null(strstr(said, "the target lives in memory"));
    assert_null(strstr(said, "--cache direct"));
}

static void test_five_at_most(void **state)
{
    unsigned lines = 0;
    (void)state;
    f.results[0].notes = (1u << NOTE_COUNT) - 1;
    f.results[0].tally.failed = 1;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    find(4);
    for (const char *c = said; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 5);
    assert_memory_equal(said, "# finding: 1 operation failed", 29);
}

/* The header names target and settings; facts of this machine are only checked to be there. */
static void test_header(void **state)
{
    static const char *const parts[] = {
        "# iosweep " PACKAGE_VERSION ", 2",
        "\n# host: ",
        "\n# machine: ",
        " a reading takes 24.5 ns, step 1.00 ns; the loop itself takes 40.0 ns per operation\n",
        "\n# target: /data/x, 64 files of 4 MiB, unwritten\n",
        "\n#   O_DIRECT needs multiples of 512 B\n",
        "\n# tests: write,read, cache cached, engine posix, threads 1,8\n",
        "\n# work: 4 rows of 2 to 65536 B, offsets aligned to min(size, 4 KiB), sync none, open "
        "and "
        "close in each operation, seed 7\n",
        "\n# stop: 1000 operations per row, at most 60.0 s in all\n",
    };
    uint64_t threads[] = {1, 8};
    FILE *file;
    int saved;
    (void)state;
    strcpy(f.store.notes, "unwritten");
    f.store.direct_align_bytes = 512;
    f.settings.max_time_ns = UINT64_C(60000000000);
    f.settings.threads.value = threads;
    f.settings.threads.count = 2;
    catch_begin(&file, &saved);
    format_print_header(&f.info);
    catch_end(file, saved);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strstr(said, parts[i]) == NULL)
            fail_msg("no \"%s\" in\n%s", parts[i], said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cached, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_worst_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_knee, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors_and_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_in_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_five_at_most, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_header, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
