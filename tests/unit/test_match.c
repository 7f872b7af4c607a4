/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_match.c - which rows are one cell: equal axes, an axis that is what is compared, rows of
 * several runs in one file, rows without figures, rows that stand alone, and notes that show that
 * two sides did not do the same. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match.h"

static double rounds[] = {100, 101, 102, 103, 104, 105, 106, 107};

static struct results_row row(const char *target, const char *engine, uint64_t size_bytes)
{
    return (struct results_row){.test = "read",
                                .target = target,
                                .engine = engine,
                                .cache = "cached",
                                .access = "",
                                .notes = "",
                                .label = "",
                                .size_bytes = size_bytes,
                                .threads = 1,
                                .depth = 1,
                                .ranks = 1,
                                .op_ns_median = 100,
                                .op_ns_low = 98,
                                .op_ns_high = 102,
                                .time_s = NAN,
                                .rate_per_s = NAN};
}

static struct results file(const char *path, struct results_row *rows, size_t count)
{
    return (struct results){
        .path = (char *)(uintptr_t)path, .has_notes = true, .rows = rows, .count = count};
}

static void test_equal_axes(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096), row("/b", "posix", 4096),
                                row("/a", "posix", 512), row("/a", "posix", 8)};
    struct results_row new[] = {row("/b", "posix", 4096), row("/a", "posix", 512),
                                row("/a", "posix", 4096), row("/c", "posix", 4096)};
    const struct results files[] = {file("old", old, 4), file("new", new, 4)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    old[0].op_ns_median = 7;
    new[2].op_ns_median = 8;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 3);
    /* the order of the first file, whatever that of the second */
    assert_ptr_equal(match.cells[0].before, &old[0]);
    assert_ptr_equal(match.cells[0].after, &new[2]);
    assert_ptr_equal(match.cells[1].after, &new[0]);
    assert_ptr_equal(match.cells[2].after, &new[1]);
    assert_true(match.compared[0].before[0].median_ns < 7.5);
    assert_true(match.compared[0].after[0].median_ns > 7.5);
    assert_int_equal(match.lonely_count, 2);
    assert_ptr_equal(match.lonely[0].row, &old[3]);
    assert_ptr_equal(match.lonely[0].missing, &files[1]);
    assert_ptr_equal(match.lonely[1].row, &new[3]);
    assert_ptr_equal(match.lonely[1].missing, &files[0]);
    assert_int_equal(match.test_count, 1);
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        assert_null(match.axis_before[axis]);
    match_free(&match);
}

/* One value each: that is what is compared.  Two on one side: rows must be equal. */
static void test_compared_axes(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096), row("/a", "posix", 512)};
    struct results_row new[] = {row("/b", "io_uring", 4096), row("/b", "io_uring", 512)};
    const struct results files[] = {file("old", old, 2), file("new", new, 2)};
    struct error err = ERROR_INIT;
    struct match match;
    char text[UINT8_MAX];
    (void)state;
    new[0].threads = new[1].threads = 8;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 2);
    assert_int_equal(match.lonely_count, 0);
    assert_non_null(match.axis_before[MATCH_TARGET]);
    assert_string_equal(match_axis_value(match.axis_before[MATCH_TARGET], MATCH_TARGET, text),
                        "/a");
    assert_string_equal(match_axis_value(match.axis_after[MATCH_TARGET], MATCH_TARGET, text), "/b");
    assert_string_equal(match_axis_value(match.axis_after[MATCH_THREADS], MATCH_THREADS, text),
                        "8");
    assert_non_null(match.axis_after[MATCH_ENGINE]);
    assert_null(match.axis_after[MATCH_CACHE]);
    match_free(&match);
    new[1].target = "/c";
    assert_int_equal(match_files(files, 1, &match, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
}

/* One process and a team are no silent pair: the difference is what is compared.  Where a file has
 * both, each has its like. */
static void test_ranks(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096), row("/a", "posix", 4096)};
    struct results_row new[] = {row("/a", "posix", 4096), row("/a", "posix", 4096)};
    struct results files[] = {file("old", old, 1), file("new", new, 1)};
    struct error err = ERROR_INIT;
    struct match match;
    char text[UINT8_MAX], *cell;
    (void)state;
    new[0].ranks = 4;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 1);
    assert_string_equal(match_axis_value(match.axis_before[MATCH_RANKS], MATCH_RANKS, text), "1");
    assert_string_equal(match_axis_value(match.axis_after[MATCH_RANKS], MATCH_RANKS, text), "4");
    assert_null(match.axis_before[MATCH_DEPTH]);
    match_free(&match);
    cell = match_describe(&new[0]);
    assert_string_equal(cell, "read 4 KiB /a posix cached, ranks 4, mix 0");
    free(cell);
    files[0].count = files[1].count = 2;
    old[0].ranks = 4;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 2);
    assert_ptr_equal(match.cells[0].after, &new[0]);
    assert_ptr_equal(match.cells[1].after, &new[1]);
    assert_null(match.axis_before[MATCH_RANKS]);
    match_free(&match);
    old[0].ranks = 8; /* another cell */
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 1);
    assert_int_equal(match.lonely_count, 2);
    match_free(&match);
}

/* A team is bound by the processors when the threads of all of its ranks are. */
static void test_bound(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096)}, new[] = {row("/a", "posix", 4096)};
    const struct results files[] = {file("old", old, 1), file("new", new, 1)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    old[0].cpu_ns_per_op = new[0].cpu_ns_per_op = 350; /* of 4 x 100 */
    old[0].op_ns_min = new[0].op_ns_min = 100;
    old[0].ranks = new[0].ranks = 4;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_true(match.compared[0].before[0].bound);
    match_free(&match);
    old[0].ranks = new[0].ranks = 5;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_false(match.compared[0].before[0].bound);
    match_free(&match);
    old[0].ranks = 2; /* of which each finds another reference */
    new[0].ranks = 4;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_false(match.compared[0].before[0].bound || match.compared[0].after[0].bound);
    match_free(&match);
}

/* Test and size are never what is compared. */
static void test_size_and_test(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096)}, new[] = {row("/a", "posix", 512)};
    const struct results files[] = {file("old", old, 1), file("new", new, 1)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    assert_int_equal(match_files(files, 1, &match, &err), -1);
    new[0].size_bytes = 4096;
    new[0].test = "write";
    assert_int_equal(match_files(files, 1, &match, &err), -1);
    new[0].test = "read";
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    match_free(&match);
}

static void test_pooled(void **state)
{
    struct results_row old[] = {row("/a", "posix", 4096), row("/a", "posix", 4096)};
    struct results_row new[] = {row("/a", "posix", 4096)};
    const struct results files[] = {file("old.csv", old, 2), file("new", new, 1)};
    const struct compare_sample *sample;
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    assert_int_equal(match_files(files, 1, &match, &err), -1);
    assert_string_equal(err.object, "old.csv");
    old[0].round_ns = rounds;
    old[0].round_count = 3;
    old[1].round_ns = rounds + 3;
    old[1].round_count = 4;
    err = ERROR_INIT;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    sample = &match.compared[0].before[0];
    assert_int_equal(sample->round_count, 7);
    assert_true(fabs(sample->median_ns - 103) < 1e-9 && isnan(sample->low_ns));
    assert_memory_equal(sample->round_ns, rounds, 7 * sizeof(*rounds));
    match_free(&match);
}

static void test_reasons_and_remarks(void **state)
{
    struct results_row old[] = {row("/a", "posix", 1), row("/a", "posix", 2), row("/a", "posix", 3),
                                row("/a", "posix", 4)};
    struct results_row new[] = {row("/a", "posix", 1), row("/a", "posix", 2), row("/a", "posix", 3),
                                row("/a", "posix", 4)};
    struct results files[] = {file("old", old, 4), file("new", new, 4)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    old[0].skipped = true;
    new[1].incomplete = true;
    old[2].notes = "wide;cache_hits";
    new[2].notes = "outliers;wide";
    old[3].notes = "cache_hits_of_another_kind";
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.count, 4);
    assert_string_equal(match.cells[0].reason, "skipped");
    assert_true(isnan(match.compared[0].after[0].median_ns));
    assert_string_equal(match.cells[1].reason, "incomplete");
    assert_null(match.cells[2].reason);
    assert_string_equal(match.cells[2].remarks, "cache_hits:old;wide");
    assert_true(match.cells[2].unlike);
    assert_string_equal(match.cells[3].remarks, "");
    assert_false(match.cells[3].unlike);
    assert_false(match.cells[0].gone); /* the old file has no figures */
    assert_true(match.cells[1].gone);
    assert_false(match.cells[2].gone);
    match_free(&match);
    /* a file without notes: nothing can be said about a difference */
    files[1].has_notes = false;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_false(match.cells[2].unlike);
    match_free(&match);
}

/* A cell must be in all files of all pairs. */
static void test_pairs(void **state)
{
    struct results_row a[] = {row("/a", "posix", 1), row("/a", "posix", 2)};
    struct results_row b[] = {row("/a", "posix", 1), row("/a", "posix", 2)};
    const struct results files[] = {file("a1", a, 2), file("b1", b, 2), file("a2", a, 1),
                                    file("b2", b, 2)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    a[0].op_ns_median = 10;
    b[0].op_ns_median = 11;
    assert_int_equal(match_files(files, 2, &match, &err), 0);
    assert_int_equal(match.count, 1);
    for (int i = 0; i < 2; i++) {
        assert_true(match.compared[0].before[i].median_ns < 10.5);
        assert_true(match.compared[0].after[i].median_ns > 10.5);
    }
    assert_int_equal(match.lonely_count, 1);
    assert_ptr_equal(match.lonely[0].missing, &files[2]);
    assert_false(match.lonely[0].gone); /* all new files have it */
    match_free(&match);
}

/* Files in which each row has the label; of one row each. */
static void label_files(struct results_row rows[4], struct results files[4],
                        const char *const *labels)
{
    static const char *const names[] = {"w", "x", "y", "z"};
    for (int i = 0; i < 4; i++) {
        rows[i] = row("/a", "posix", 1);
        rows[i].label = labels[i];
        files[i] = file(names[i], &rows[i], 1);
    }
}

/* A label per sweep is a name of the sweep, but not where it says that the order is wrong. */
static void test_labels(void **state)
{
    static const char *const each[] = {"a1", "b1", "a2", "b2"},
                             *const sides[] = {"a", "b", "a", "b"},
                             *const wrong[] = {"a", "a", "b", "b"};
    struct results_row rows[4], two[2];
    struct results files[4];
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    label_files(rows, files, each);
    assert_int_equal(match_files(files, 2, &match, &err), 0);
    assert_int_equal(match.count, 1);
    assert_true(match.labels_name_files);
    match_free(&match);
    label_files(rows, files, sides);
    assert_int_equal(match_files(files, 2, &match, &err), 0);
    assert_false(match.labels_name_files);
    assert_non_null(match.axis_before[MATCH_LABEL]);
    match_free(&match);
    label_files(rows, files, wrong);
    assert_int_equal(match_files(files, 2, &match, &err), -1);
    assert_non_null(strstr(err.advice, "the label is \"a\" in w, but \"b\" in y"));
    /* two labels in one file are two cells */
    err = ERROR_INIT;
    label_files(rows, files, each);
    two[0] = two[1] = rows[0];
    two[1].label = "other";
    files[0] = file("w", two, 2);
    assert_int_equal(match_files(files, 2, &match, &err), -1);
    assert_non_null(strstr(err.advice, "the label is \"b1\" in x, but \"a2\" in y"));
}

/* What a new file lacks and an old one has, wherever; not what is only in new ones. */
static void test_gone(void **state)
{
    struct results_row a[] = {row("/a", "posix", 1), row("/a", "posix", 2)};
    struct results_row b[] = {row("/a", "posix", 1), row("/a", "posix", 3)};
    const struct results files[] = {file("a", a, 2), file("b", b, 2)};
    struct error err = ERROR_INIT;
    struct match match;
    (void)state;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_int_equal(match.lonely_count, 2);
    assert_true(match.lonely[0].gone);
    assert_false(match.lonely[1].gone);
    match_free(&match);
    a[1].incomplete = true;
    assert_int_equal(match_files(files, 1, &match, &err), 0);
    assert_false(match.lonely[0].gone);
    match_free(&match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_axes),
        cmocka_unit_test(test_compared_axes),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_size_and_test),
        cmocka_unit_test(test_pooled),
        cmocka_unit_test(test_reasons_and_remarks),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
