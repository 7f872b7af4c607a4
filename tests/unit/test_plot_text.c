/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_plot_text.c - what is written on pictures: names as strings of gnuplot, figures with units,
 * the room of a text, and the ends of axes. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot.h"
#include "analysis/plot/plot_parts.h"

static void test_strings(void **state)
{
    static const struct {
        const char *text, *expected;
        unsigned most;
        bool ascii;
    } rows[] = {
        {"plain", "'plain'", 20, false},
        {"it's", "\"it\\047s\"", 20, false},
        {"'x'", "\"\\047x\\047\"", 20, false},
        {"`'\"@$\\%", "\"\\140\\047\\042\\100\\044\\134\\045\"", 20, false},
        {"'\xc3\xa4", "\"\\047\xc3\xa4\"", 20, false},
        {"'2345678", "\"\\0472...\"", 5, false},
        {"a\xe2\x80\xae"
         "b\xc2\x9b",
         "'a?b?'", 20, false},
        {"a\nb\tc\x7f", "'a b c '", 20, false},
        {"\xc3\xa4", "'\xc3\xa4'", 20, false},
        {"\xc3\xa4", "'?'", 20, true},
        {"\xff", "'?'", 20, false},
        {"12345678", "'12345678'", 8, false},
        {"123456789", "'12345...'", 8, false},
        {"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", "'\xc3\xa4...'", 4, false},
        {"", "''", 8, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct plot_request request = {.device = rows[i].ascii ? PLOT_TEXT : PLOT_SVG};
        char *text = NULL;
        size_t size = 0;
        struct plot_set set = {.request = &request, .stream = open_memstream(&text, &size)};
        plot_put_string(&set, rows[i].text, rows[i].most);
        fclose(set.stream);
        assert_string_equal(text, rows[i].expected);
        free(text);
    }
}

static void test_units(void **state)
{
    static const struct {
        double value;
        enum plot_unit unit;
        const char *expected;
    } rows[] = {
        {1, PLOT_BYTES_PER_S, "1 B/s"},
        {999.4, PLOT_BYTES_PER_S, "999 B/s"},
        {999.6, PLOT_BYTES_PER_S, "1 kB/s"},
        {1.314e9, PLOT_BYTES_PER_S, "1.31 GB/s"},
        {5e15, PLOT_BYTES_PER_S, "5e+03 TB/s"},
        {20000, PLOT_NS, "20 us"},
        {0.5, PLOT_NS, "0.5 ns"},
        {3e9, PLOT_NS, "3 s"},
    };
    static const struct {
        double size;
        const char *expected;
    } sizes[] = {{1, "1 B"},         {512, "512 B"},        {1000, "1000 B"},
                 {1024, "1 KiB"},    {1536, "1536 B"},      {65536, "64 KiB"},
                 {1 << 20, "1 MiB"}, {1e9, "1000000000 B"}, {1099511627776.0, "1 TiB"}};
    static const struct {
        double value;
        const char *expected;
    } exact[] = {{1.1e9, "1.10 GB/s"}, {0.5, "0.50 B/s"},   {72.94e6, "72.9 MB/s"},
                 {99.96, "100 B/s"},   {9.996, "10.0 B/s"}, {999.6, "1.00 kB/s"},
                 {321e6, "321 MB/s"},  {5e15, "5000 TB/s"}};
    char text[32];
    (void)state;
    for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++)
        assert_string_equal(plot_format(exact[i].value, PLOT_BYTES_PER_S, -3, text),
                            exact[i].expected);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(plot_format(rows[i].value, rows[i].unit, 3, text), rows[i].expected);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        assert_string_equal(plot_format_size(sizes[i].size, text), sizes[i].expected);
}

static void test_ranges(void **state)
{
    struct plot_range range = PLOT_RANGE_EMPTY;
    (void)state;
    plot_range_add(&range, NAN);
    plot_range_add(&range, 0);
    plot_range_add(&range, -1);
    plot_range_add(&range, INFINITY);
    assert_true(range.low > range.high);
    plot_range_add(&range, 100);
    plot_range_widen(&range); /* one value: around it, a factor of 4 */
    assert_true(fabs(range.low - 50) < 1e-9 && fabs(range.high - 200) < 1e-9);
    range = (struct plot_range){.low = 1, .high = 1e6};
    plot_range_widen(&range);
    assert_true(range.low < 1 && range.low > 0.4 && range.high > 1e6 && range.high < 2.5e6);
}

/* Characters, not bytes; a byte that is none counts as one. */
static void text_is_as_long_as_it_looks(void **state)
{
    (void)state;
    assert_int_equal(plot_text_length("", 10), 0);
    assert_int_equal(plot_text_length("abc", 10), 3);
    assert_int_equal(plot_text_length("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 10), 3);
    assert_int_equal(plot_text_length("a\xff\xc3", 10), 3);
    assert_int_equal(plot_text_length("\xc3\xa4\xc3\xa4\xc3\xa4", 2), 2);
}

static void linear_axes_have_round_numbers(void **state)
{
    static const struct {
        double low, high;
        unsigned most;
        const char *expected;
    } rows[] = {
        {0, 10, 6, "set yrange [0:10]\nset ytics ('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10)\n"},
        {0, 1.1, 6, "('0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1' 1)"},
        {6.2, 12.4, 4, "('8' 8, '10' 10, '12' 12)"},
        {0, 90, 5, "('0' 0, '20' 20, '40' 40, '60' 60, '80' 80)"},
        {1e18, 1e18 + 200, 6, "set ytics ('1e+18' 1e+18"}, /* steps are lost in such numbers */
        {0, 4.4e9, 3, "('0' 0, '2e+09' 2000000000, '4e+09' 4000000000)"},
    };
    static const struct plot_request request = {.device = PLOT_SVG};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct plot_range range = {rows[i].low, rows[i].high};
        char *text = NULL;
        size_t size = 0;
        struct plot_set set = {.request = &request, .stream = open_memstream(&text, &size)};
        plot_put_linear_axis(&set, "y", &range, NULL, rows[i].most, true);
        fclose(set.stream);
        if (!strstr(text, rows[i].expected))
            fail_msg("%s", text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(text_is_as_long_as_it_looks),
        cmocka_unit_test(linear_axes_have_round_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
