/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_hist.c - the histogram: its buckets tile the numbers without gap or overlap, a value is
 * known to 1/128, percentiles are nearest-rank, and merging is adding. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/rng.h"

#define MS       UINT64_C(1000000)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct hist *new_hist(void)
{
    struct hist *hist = calloc(1, sizeof(*hist));
    assert_non_null(hist);
    return hist;
}

static void test_buckets_tile(void **state)
{
    assert_int_equal(hist_lower_ns(0), 0);
    assert_true(hist_lower_ns(HIST_BUCKETS) == UINT64_C(1) << HIST_VALUE_BITS);
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        uint64_t lower = hist_lower_ns(i), next = hist_lower_ns(i + 1);
        if (next <= lower || hist_index(lower) != i || hist_index(next - 1) != i)
            fail_msg("bucket %u: %ju .. %ju", i, (uintmax_t)lower, (uintmax_t)next);
        if (lower < 128 ? next != lower + 1 : (next - lower) * 64 > lower)
            fail_msg("bucket %u is too wide: %ju .. %ju", i, (uintmax_t)lower, (uintmax_t)next);
    }
}

static void test_index_examples(void **state)
{
    static const struct {
        uint64_t value;
        unsigned index;
    } rows[] = {
        {0, 0},     {1, 1},     {127, 127},  {128, 128},  {129, 128},  {130, 129},
        {255, 191}, {256, 192}, {1000, 317}, {1007, 317}, {1008, 318},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(hist_index(rows[i].value), rows[i].index);
    assert_int_equal(hist_index((UINT64_C(1) << 40) - 1), HIST_BUCKETS - 1);
    assert_int_equal(hist_index(UINT64_C(1) << 40), HIST_BUCKETS - 1);
    assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
    assert_int_equal(hist_lower_ns(317), 1000);
    assert_int_equal(hist_lower_ns(318), 1008);
}

static void test_one_value_is_known_to_1_in_128(void **state)
{
    struct rng rng;
    rng_seed(&rng, 1, 2);
    for (int i = 0; i < 300; i++) {
        struct hist *hist = new_hist();
        uint64_t value = rng_next(&rng) >> (24 + i % 40), answer, error;
        hist_record(hist, value);
        answer = hist_quantile_ns(hist, 0.5);
        error = answer > value ? answer - value : value - answer;
        if (value < 128 ? error != 0 : error * 128 > value)
            fail_msg("%ju was answered with %ju", (uintmax_t)value, (uintmax_t)answer);
        free(hist);
    }
}

struct group {
    unsigned count;
    uint64_t value_ns;
};

static void test_nearest_rank(void **state)
{
    static const struct {
        struct group groups[3];
        double q;
        uint64_t value_ns; /* the recorded value expected */
        const char *remark;
    } rows[] = {
        {{{35, 0}, {5, 3 * MS}}, 0.5, 0, "35 x 0 ms + 5 x 3 ms: p50 is 0, not 3"},
        {{{35, 0}, {5, 3 * MS}}, 0.875, 0, "rank 35 exactly"},
        {{{35, 0}, {5, 3 * MS}}, 0.876, 3 * MS, "just above rank 35"},
        {{{35, 0}, {5, 3 * MS}}, 0.9, 3 * MS, "35 x 0 ms + 5 x 3 ms: p90"},
        {{{39, 754 * MS}, {1, 963 * MS}}, 0.5, 754 * MS, "39 x 754 ms + 1 x 963 ms: p50"},
        {{{39, 754 * MS}, {1, 963 * MS}}, 0.975, 754 * MS, "rank 39 exactly"},
        {{{39, 754 * MS}, {1, 963 * MS}}, 0.99, 963 * MS, "39 x 754 ms + 1 x 963 ms: p99"},
        {{{39, 754 * MS}, {1, 963 * MS}}, 0.999, 963 * MS, "39 x 754 ms + 1 x 963 ms: p99.9"},
        {{{7, 10}, {93, 20}}, 0.07, 10, "0.07 * 100 is above 7 in binary: still rank 7"},
        {{{29, 10}, {71, 20}}, 0.29, 10, "0.29 * 100 is below 29 in binary"},
        {{{1, 10}, {1, 20}}, 0.5, 10, "rank 1 of 2"},
        {{{1, 10}, {1, 20}, {1, 30}}, 0.5, 20, "rank 2 of 3"},
        {{{1, 10}, {1, 20}, {1, 30}}, 1.0, 30, "the last"},
        {{{1, 10}, {1, 20}, {1, 30}}, 1e-9, 10, "never below rank 1"},
        {{{999, 10}, {1, 20}}, 0.999, 10, "rank 999 of 1000"},
        {{{998, 10}, {2, 20}}, 0.999, 20, "rank 999 of 1000"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct hist *hist = new_hist();
        uint64_t answer;
        for (size_t g = 0; g < COUNT(rows[i].groups); g++) {
            for (unsigned k = 0; k < rows[i].groups[g].count; k++)
                hist_record(hist, rows[i].groups[g].value_ns);
        }
        answer = hist_quantile_ns(hist, rows[i].q);
        if (hist_index(answer) != hist_index(rows[i].value_ns))
            fail_msg("%s: %ju instead of %ju", rows[i].remark, (uintmax_t)answer,
                     (uintmax_t)rows[i].value_ns);
        free(hist);
    }
}

/* Within the recorded range, and exact for the last rank. */
static void test_within(void **state)
{
    struct hist *hist = new_hist();
    assert_int_equal(hist_quantile_within_ns(hist, 0.5, 7, 9), 0);
    for (unsigned i = 0; i < 39; i++)
        hist_record(hist, 754 * MS);
    hist_record(hist, 963 * MS);
    assert_true(hist_quantile_ns(hist, 0.99) != 963 * MS);
    assert_int_equal(hist_quantile_within_ns(hist, 0.99, 754 * MS, 963 * MS), 963 * MS);
    assert_int_equal(hist_quantile_within_ns(hist, 0.999, 754 * MS, 963 * MS), 963 * MS);
    assert_int_equal(hist_quantile_within_ns(hist, 0.975, 754 * MS, 963 * MS), 754 * MS);
    assert_int_equal(hist_quantile_within_ns(hist, 0.5, 754 * MS, 963 * MS), 754 * MS);
    free(hist);
}

static void test_middle_empty_and_overflow(void **state)
{
    struct hist *hist = new_hist();
    assert_int_equal(hist_total(hist), 0);
    assert_int_equal(hist_quantile_ns(hist, 0.5), 0);
    hist_record(hist, 1001);
    assert_int_equal(hist_quantile_ns(hist, 0.5), 1004); /* middle of 1000..1007 */
    hist_record(hist, UINT64_MAX);
    assert_true(hist_quantile_ns(hist, 1.0) > hist_lower_ns(HIST_BUCKETS - 1));
    assert_true(hist_quantile_ns(hist, 1.0) < hist_lower_ns(HIST_BUCKETS));
    assert_int_equal(hist_total(hist), 2);
    free(hist);
}

/* The reference are sorted values: the histogram must return the bucket of the value at the rank,
 * also after distributing the values over parts and merging those. */
static int compare_values(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_merge_and_reference(void **state)
{
    enum { N = 4000, PARTS = 3 };
    static const unsigned per_mille[] = {1, 10, 250, 500, 750, 900, 990, 999, 1000};
    uint64_t *values = calloc(N, sizeof(*values));
    struct hist *parts[PARTS], *all = new_hist(), *merged = new_hist();
    struct rng rng;
    assert_non_null(values);
    for (unsigned p = 0; p < PARTS; p++)
        parts[p] = new_hist();
    rng_seed(&rng, 3, 4);
    for (unsigned i = 0; i < N; i++) {
        values[i] = rng_below(&rng, UINT64_C(1) << (8 + i % 24));
        hist_record(all, values[i]);
        hist_record(parts[i % PARTS], values[i]);
    }
    for (unsigned p = 0; p < PARTS; p++)
        hist_merge(merged, parts[p]);
    assert_int_equal(hist_total(merged), N);
    assert_memory_equal(merged, all, sizeof(*all));
    qsort(values, N, sizeof(*values), compare_values);
    for (size_t i = 0; i < COUNT(per_mille); i++) {
        size_t rank = (per_mille[i] * (size_t)N + 999) / 1000;
        uint64_t answer = hist_quantile_ns(merged, per_mille[i] / 1000.0);
        assert_int_equal(hist_index(answer), hist_index(values[rank - 1]));
    }
    for (unsigned p = 0; p < PARTS; p++)
        free(parts[p]);
    free(all);
    free(merged);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets_tile),
        cmocka_unit_test(test_index_examples),
        cmocka_unit_test(test_one_value_is_known_to_1_in_128),
        cmocka_unit_test(test_nearest_rank),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_middle_empty_and_overflow),
        cmocka_unit_test(test_merge_and_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
