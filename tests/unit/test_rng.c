/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_rng.c - the generators against values computed elsewhere with big integers, so that a
 * printed seed means the same in every build; and uniformity of the results. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "base/rng.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_splitmix_known(void **state)
{
    static const struct {
        uint64_t seed, values[5];
    } rows[] = {
        {0,
         {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f),
          UINT64_C(0xf88bb8a8724c81ec), UINT64_C(0x1b39896a51a8749b)}},
        {1234567,
         {UINT64_C(0x599ed017fb08fc85), UINT64_C(0x2c73f08458540fa5), UINT64_C(0x883ebce5a3f27c77),
          UINT64_C(0x3fbef740e9177b3f), UINT64_C(0xe3b8346708cb5ecd)}},
        {UINT64_MAX,
         {UINT64_C(0xe4d971771b652c20), UINT64_C(0xe99ff867dbf682c9), UINT64_C(0x382ff84cb27281e9),
          UINT64_C(0x6d1db36ccba982d2), UINT64_C(0xb4a0472e578069ae)}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t seed = rows[i].seed;
        for (size_t k = 0; k < COUNT(rows[i].values); k++)
            assert_true(rng_splitmix(&seed) == rows[i].values[k]);
    }
}

static void test_xoshiro_known(void **state)
{
    static const uint64_t values[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct rng rng = {.s = {1, 2, 3, 4}};
    for (size_t i = 0; i < COUNT(values); i++)
        assert_true(rng_next(&rng) == values[i]);
}

static void test_seeding_known(void **state)
{
    static const struct {
        uint64_t seed, stream, values[3];
    } rows[] = {
        {0,
         0,
         {UINT64_C(0xfb5405f7bd79c540), UINT64_C(0x780c98e26cea5883),
          UINT64_C(0x2a146e0980febc66)}},
        {42,
         0,
         {UINT64_C(0x1ff785474f113b15), UINT64_C(0x4b7867ceff5d8325),
          UINT64_C(0x90ca7a95a9909966)}},
        {42,
         1,
         {UINT64_C(0x584870a53e6ddcdf), UINT64_C(0x24862b58ab088c44),
          UINT64_C(0xb77af7ea4c59709e)}},
        {43,
         0,
         {UINT64_C(0xf48fcb035a54d40e), UINT64_C(0x7b376dcf36dc4e97),
          UINT64_C(0xba66f8dc23b5c058)}},
    };
    struct rng rng;
    uint64_t last = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        rng_seed(&rng, rows[i].seed, rows[i].stream);
        for (size_t k = 0; k < COUNT(rows[i].values); k++)
            assert_true(rng_next(&rng) == rows[i].values[k]);
    }
    rng_seed(&rng, 42, 0);
    for (int i = 0; i < 1000; i++)
        last = rng_next(&rng);
    assert_true(last == UINT64_C(0x00eae160e0fafa6f));
}

/* Adjacent seeds and streams, and swapped ones, must be unrelated. */
static void test_streams_differ(void **state)
{
    enum { SEEDS = 8, STREAMS = 8, ALL = SEEDS * STREAMS };
    uint64_t first[ALL];
    for (unsigned i = 0; i < ALL; i++) {
        struct rng rng;
        rng_seed(&rng, i / STREAMS, i % STREAMS);
        first[i] = rng_next(&rng);
        for (unsigned k = 0; k < i; k++) {
            unsigned different = (unsigned)__builtin_popcountll(first[i] ^ first[k]);
            /* 32 +- 4 of 64 bits; beyond 12..52 would be 5 standard deviations. */
            if (different < 12 || different > 52)
                fail_msg("streams %u and %u differ in %u bits", i, k, different);
        }
    }
}

static void test_below_known_and_bounded(void **state)
{
    static const uint64_t values[] = {559, 68, 704, 254, 659, 804, 456, 710};
    static const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(1) << 40, UINT64_MAX};
    struct rng rng;
    rng_seed(&rng, 2024, 5);
    for (size_t i = 0; i < COUNT(values); i++)
        assert_int_equal(rng_below(&rng, 1000), values[i]);
    for (size_t b = 0; b < COUNT(bounds); b++) {
        for (int i = 0; i < 1000; i++)
            assert_true(rng_below(&rng, bounds[b]) < bounds[b]);
    }
}

/* Chi-square over all values of a bound.  Fixed seed, so it cannot fail by chance; the limits are
 * the 0.1 % and 99.9 % points (too even would be wrong as well). */
static void test_below_uniform(void **state)
{
    static const struct {
        unsigned bound;
        double low, high; /* of chi-square with bound - 1 degrees of freedom */
    } rows[] = {
        {2, 0.0, 10.83},
        {7, 0.38, 22.46},
        {64, 32.0, 103.5},
        {100, 60.7, 148.3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned seen[100] = {0}, draws = rows[i].bound * 2000;
        double chi_square = 0.0, expected = 2000.0;
        struct rng rng;
        rng_seed(&rng, 99, i);
        for (unsigned k = 0; k < draws; k++)
            seen[rng_below(&rng, rows[i].bound)]++;
        for (unsigned k = 0; k < rows[i].bound; k++)
            chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
        if (chi_square < rows[i].low || chi_square > rows[i].high)
            fail_msg("bound %u: chi-square %g", rows[i].bound, chi_square);
    }
}

/* Long multiplication in base 2^32, digit by digit. */
static uint64_t school_mulhi(uint64_t a, uint64_t b)
{
    uint64_t x[2] = {a & 0xffffffffu, a >> 32}, y[2] = {b & 0xffffffffu, b >> 32};
    uint64_t digits[4] = {0, 0, 0, 0};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; k < 2; k++) {
            uint64_t t = x[i] * y[k] + digits[i + k] + carry;
            digits[i + k] = t & 0xffffffffu;
            carry = t >> 32;
        }
        digits[i + 2] = carry;
    }
    return digits[3] << 32 | digits[2];
}

static void test_mulhi(void **state)
{
    static const uint64_t corners[] = {
        0,
        1,
        2,
        0xffffffffu,
        UINT64_C(0x100000000),
        UINT64_C(0x100000001),
        UINT64_C(1) << 63,
        UINT64_MAX - 1,
        UINT64_MAX,
    };
    struct rng rng;
    assert_true(rng_mulhi(UINT64_C(0xfedcba9876543210), UINT64_C(0x0123456789abcdef)) ==
                UINT64_C(0x0121fa00ad77d742));
    assert_true(rng_mulhi(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    for (size_t i = 0; i < COUNT(corners); i++) {
        for (size_t k = 0; k < COUNT(corners); k++)
            assert_true(rng_mulhi(corners[i], corners[k]) == school_mulhi(corners[i], corners[k]));
    }
    rng_seed(&rng, 5, 6);
    for (int i = 0; i < 10000; i++) {
        uint64_t a = rng_next(&rng) >> (i % 64), b = rng_next(&rng) >> (i / 64 % 64);
        assert_true(rng_mulhi(a, b) == school_mulhi(a, b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitmix_known),
        cmocka_unit_test(test_xoshiro_known),
        cmocka_unit_test(test_seeding_known),
        cmocka_unit_test(test_streams_differ),
        cmocka_unit_test(test_below_known_and_bounded),
        cmocka_unit_test(test_below_uniform),
        cmocka_unit_test(test_mulhi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
