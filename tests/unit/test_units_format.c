/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_units_format.c - formatting of sizes, rates, times and spans. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/units.h"

#define KI       UINT64_C(1024)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_format_size(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {
        {0, "0 B"},
        {2, "2 B"},
        {1000, "1000 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1025, "1025 B"},
        {1536, "1536 B"},
        {4096, "4 KiB"},
        {65536, "64 KiB"},
        {KI * KI, "1 MiB"},
        {KI * KI + KI, "1025 KiB"},
        {3 * KI * KI * KI, "3 GiB"},
        {KI * KI * KI * KI, "1 TiB"},
        {UINT64_C(1) << 60, "1024 PiB"},
        {UINT64_MAX, "18446744073709551615 B"},
    };
    char text[UNITS_TEXT];
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_ptr_equal(units_format_size(rows[i].bytes, text), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void test_format_rounded(void **state)
{
    static const struct {
        char *(*format)(double value, char *text);
        double value;
        const char *text;
    } rows[] = {
        {units_format_bytes, 0, "0 B"},
        {units_format_bytes, 1000, "1000 B"},
        {units_format_bytes, 1024, "1 KiB"},
        {units_format_bytes, 1536, "1.5 KiB"},
        {units_format_bytes, 268435456, "256 MiB"},
        {units_format_bytes, 1.3 * 1073741824, "1.3 GiB"},
        {units_format_bytes, 9.96 * 1048576, "10 MiB"},
        {units_format_bytes, 1048575, "1 MiB"}, /* not 1024 KiB */
        {units_format_bytes, 1e30, "8.88e+14 PiB"},
        {units_format_throughput, 62123324.975892, "62.1 MB/s"}, /* 983 x 64 KiB in 1.037 s */
        {units_format_throughput, 1310000, "1.31 MB/s"},
        {units_format_throughput, 999.4, "999 B/s"},
        {units_format_throughput, 999.6, "1.00 kB/s"},
        {units_format_throughput, 9.996e6, "10.0 MB/s"},
        {units_format_throughput, 99.96e9, "100 GB/s"},
        {units_format_throughput, 5e15, "5.00 PB/s"},
        {units_format_throughput, 0.5, "0.5 B/s"},
        {units_format_throughput, 0, "0 B/s"},
        {units_format_rate, 947.926712, "948 /s"}, /* 983 in 1.037 s */
        {units_format_rate, 657000, "657 k/s"},
        {units_format_rate, 47.744, "47.7 /s"}, /* 491 in 10.284 s */
        {units_format_rate, 0.0625, "0.0625 /s"},
        {units_format_time, 1520, "1.52 us"},
        {units_format_time, 61, "61.0 ns"},
        {units_format_time, 20e6, "20.0 ms"},
        {units_format_time, 3e9, "3.00 s"},
        {units_format_time, 999.5, "1.00 us"}, /* not 1000 ns */
        {units_format_time, 7200e9, "7200 s"},
        {units_format_time, -1520, "-1.52 us"},
    };
    char text[UNITS_TEXT];
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_ptr_equal(rows[i].format(rows[i].value, text), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void test_format_span(void **state)
{
    static const struct {
        uint64_t ms;
        const char *text;
    } rows[] = {
        {0, "0 s"},
        {100, "100 ms"},
        {1500, "1.50 s"},
        {8000, "8 s"},
        {59000, "59 s"},
        {60000, "1 min"},
        {150000, "2 min 30 s"},
        {300000, "5 min"},
        {3569000, "59 min 29 s"},
        {3599000, "1 h"}, /* to the nearest minute */
        {3600000, "1 h"},
        {3629000, "1 h"},
        {3630000, "1 h 1 min"},
        {9600000, "2 h 40 min"},
        {86399000, "1 d"}, /* not 24 h */
        {86400000, "1 d"},
        {273600000, "3 d 4 h"},
    };
    char text[UNITS_TEXT];
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_ptr_equal(units_format_span(rows[i].ms * 1000000, text), text);
        assert_string_equal(text, rows[i].text);
    }
    units_format_span(UINT64_MAX, text);
    assert_string_equal(text, "213504 d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_size),
        cmocka_unit_test(test_format_rounded),
        cmocka_unit_test(test_format_span),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
