/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_fit.c - the line through the rows of a run: told where there is one, with how far
 * the rows are from it, and not told where it would mean nothing. */
#include "base/compat.h"

#include <string.h>

#include "report/findings/findings.h"
#include "unit/cmocka_all.h"

#define ROWS 16

static const struct engine engine = {.name = "posix", .phases = 1u << PHASE_TRANSFER};
static const struct engine other = {.name = "pread", .phases = 1u << PHASE_TRANSFER};
static const struct engine virtual_engine = {.name = "none", .capabilities = ENGINE_VIRTUAL};
static struct cell cells[ROWS];
static struct seen rows[ROWS];
static struct findings found;
static char text[FINDING_TEXT];

/* Reads of 1 KiB, 2 KiB ...: 50 us and 1 ns for each byte. */
static int set_up(void **state)
{
    (void)state;
    memset(cells, 0, sizeof(cells));
    memset(rows, 0, sizeof(rows));
    for (unsigned i = 0; i < ROWS; i++) {
        cells[i].engine = &engine;
        cells[i].threads = cells[i].work.depth = 1;
        cells[i].work.test = TEST_READ;
        cells[i].work.size_bytes = UINT64_C(1024) << i;
        rows[i].cell = &cells[i];
        rows[i].state = RESULT_CLOSED;
        rows[i].op_ns_median = 50000 + (double)cells[i].work.size_bytes;
        rows[i].throughput = 1; /* stalls: only the median counts */
    }
    found = (struct findings){.rows = rows, .count = ROWS};
    text[0] = '\0';
    return 0;
}

static void expect(const char *words)
{
    assert_true(findings_fit(&found, text));
    assert_string_equal(text, words);
}

static void a_line_is_told(void **state)
{
    (void)state;
    expect("a read takes 50.0 us + size / 1.00 GB/s (half that bandwidth at 49 KiB; average error "
           "0 %); iosweep fit --residuals shows each");
}

static void without_rounds_the_throughput_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS; i++) {
        rows[i].throughput = 1e9 * (double)cells[i].work.size_bytes / rows[i].op_ns_median;
        rows[i].op_ns_median = 0;
    }
    expect("a read takes 50.0 us + size / 1.00 GB/s (half that bandwidth at 49 KiB; average error "
           "0 %); iosweep fit --residuals shows each");
}

static void a_row_far_from_it_is_named(void **state)
{
    (void)state;
    rows[7].op_ns_median *= 1.6;
    assert_true(findings_fit(&found, text));
    assert_non_null(strstr(text, "; it does not hold near 128 KiB (off by 60 %): iosweep fit"));
}

static void two_tests_have_two_lines(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS / 2; i++) {
        cells[i].work.test = TEST_WRITE;
        cells[i].work.size_bytes = UINT64_C(1024) << (2 * i);
        rows[i].op_ns_median = 20000 + (double)cells[i].work.size_bytes / 4;
    }
    expect("a write takes 20.0 us + size / 4.00 GB/s (half that bandwidth at 78 KiB; average error "
           "0 %), a read takes 50.0 us + size / 1.00 GB/s (half that bandwidth at 49 KiB; average "
           "error 0 %); iosweep fit --residuals shows each");
}

static void nothing_is_said_without_a_line(void **state)
{
    (void)state;
    found.count = 5; /* too few points */
    assert_false(findings_fit(&found, text));
    found.count = ROWS;
    for (unsigned i = 0; i < ROWS; i++)
        cells[i].engine = &virtual_engine;
    assert_false(findings_fit(&found, text));
    for (unsigned i = 0; i < ROWS; i++)
        cells[i].engine = i % 2 ? &engine : &other; /* two curves */
    assert_false(findings_fit(&found, text));
    for (unsigned i = 0; i < ROWS; i++) {
        cells[i].engine = &engine;
        rows[i].op_ns_median = 50000 + i; /* no line: the size does not matter */
    }
    assert_false(findings_fit(&found, text));
    for (unsigned i = 0; i < ROWS; i++)
        rows[i].state = RESULT_INCOMPLETE;
    assert_false(findings_fit(&found, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_line_is_told, set_up),
        cmocka_unit_test_setup(without_rounds_the_throughput_counts, set_up),
        cmocka_unit_test_setup(a_row_far_from_it_is_named, set_up),
        cmocka_unit_test_setup(two_tests_have_two_lines, set_up),
        cmocka_unit_test_setup(nothing_is_said_without_a_line, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
