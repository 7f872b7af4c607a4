/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_number.c - integers and reals possibly followed by other text: what is accepted and refused,
 * and that a refusal changes nothing. */
#include "base/compat.h"

#include <string.h>

#include "unit/cmocka_all.h"

#include "base/number.h"

static void test_digits(void **state)
{
    static const struct {
        const char *text;
        bool takes; /* it begins with a number */
        uint64_t value;
        const char *rest;
    } rows[] = {
        {"0", true, 0, ""},
        {"007", true, 7, ""},
        {"18446744073709551615", true, UINT64_MAX, ""},
        {"18446744073709551616", false, 0, ""},
        {"28446744073709551615", false, 0, ""},
        {"8:1", true, 8, ":1"},
        {"12 ", true, 12, " "},
        {"1.5", true, 1, ".5"},
        {"", false, 0, ""},
        {"-1", false, 0, ""},
        {"+1", false, 0, ""},
        {" 1", false, 0, ""},
        {"max", false, 0, ""},
        {"0x1f", true, 0, "x1f"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *at = rows[i].text;
        uint64_t value = 4711, word = 4711;

        print_message("%s\n", rows[i].text);
        assert_int_equal(number_take(&at, &value), rows[i].takes);
        assert_true(value == (rows[i].takes ? rows[i].value : 4711));
        assert_string_equal(at, rows[i].takes ? rows[i].rest : rows[i].text);
        assert_int_equal(number_read(rows[i].text, &word), rows[i].takes && !rows[i].rest[0]);
        assert_true(word == (rows[i].takes && !rows[i].rest[0] ? rows[i].value : 4711));
    }
}

static void test_written(void **state)
{
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        {0, "0"}, {9, "9"}, {10, "10"}, {1000, "1000"}, {UINT64_MAX, "18446744073709551615"},
    };
    char room[NUMBER_BYTES];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        memset(room, 'x', sizeof(room));
        assert_string_equal(number_text(rows[i].value, room), rows[i].text);
    }
}

static void test_digits_within(void **state)
{
    static const char text[] = "123456";
    const char *at = text + 1;
    uint64_t value = 4711;

    assert_true(number_take_before(&at, text + 3, &value));
    assert_int_equal(value, 23);
    assert_ptr_equal(at, text + 3);
    assert_false(number_take_before(&at, text + 3, &value));
    assert_int_equal(value, 23);
}

static void test_reals(void **state)
{
    static const struct {
        const char *word;
        double value; /* -1: refused */
    } rows[] = {
        {"0", 0},      {"12", 12},    {"0.25", 0.25}, {".5", 0.5}, {"4e-7", 4e-7},
        {"4E+2", 400}, {"", -1},      {".", -1},      {"-1", -1},  {"+1", -1},
        {" 1", -1},    {"1 ", -1},    {"inf", -1},    {"nan", -1}, {"0x1", -1},
        {"1e999", -1}, {"1.2.3", -1}, {"1e", -1},     {"1,5", -1}, {"e5", -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        double value = 4711;

        print_message("%s\n", rows[i].word);
        assert_int_equal(number_read_real(rows[i].word, &value), rows[i].value >= 0);
        assert_true(value == (rows[i].value >= 0 ? rows[i].value : 4711));
    }
}

static void test_largest(void **state)
{
    const uint64_t most = UINT64_MAX, half = UINT64_C(1) << 63;

    assert_true(number_plus(most - 1, 1) == most && number_plus(most, 1) == most);
    assert_true(number_plus(half, half) == most && number_plus(half, half - 1) == most);
    assert_true(number_plus(half, half - 2) == most - 1);
    assert_true(number_times(half, 2) == most && number_times(half, 1) == half);
    assert_true(number_times(0, most) == 0 && number_times(most, 0) == 0);
    assert_true(number_times(UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1) == most - UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),  cmocka_unit_test(test_digits_within),
        cmocka_unit_test(test_written), cmocka_unit_test(test_reals),
        cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
