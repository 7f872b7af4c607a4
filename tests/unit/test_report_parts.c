/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_report_parts.c - what the formats of a report are made of: scales and ticks of its charts,
 * numbers, and that no text becomes markup. */
#include "base/compat.h"

#include "results_fixture.h"

#include "analysis/report/report_svg.h"
#include "analysis/report/report_text.h"

/* --- text ----------------------------------------------------------------------------------- */

static void expect_text(const char *text, const char *expected)
{
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);

    report_put_text(stream, text);
    fclose(stream);
    assert_string_equal(got, expected);
    free(got);
}

static void names_are_no_markup(void **state)
{
    (void)state;
    expect_text("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;");
    expect_text("\033[31m\xff\n", "\\x1b[31m\\xff\\x0a");
    expect_text("\xe2\x80\xae", "\\xe2\\x80\\xae"); /* turns the direction of writing */
    expect_text("caf\xc3\xa9", "caf\xc3\xa9");
    expect_text("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", /* XML has the last of these only */
                "\\xef\\xbf\\xbe\\xef\\xbf\\xbf\xef\xbf\xbd");
}

static void data_stay_as_they_are(void **state)
{
    static const char data[] = "a\t\"<&>'\r\n\xc3\xa9";
    static const char odd[] = "a\001b\xff\0c\xef\xbf\xbe";
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);

    (void)state;
    report_put_data(stream, data, sizeof(data) - 1);
    fputc('|', stream);
    report_put_data(stream, odd, sizeof(odd) - 1);
    fclose(stream);
#define LOST "\xef\xbf\xbd"
    assert_string_equal(got, "a\t\"&lt;&amp;&gt;'&#13;\n\xc3\xa9|a" LOST "b" LOST LOST "c" LOST);
    free(got);
}

static void numbers_are_for_spreadsheets(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {NAN, ""},
        {INFINITY, ""},
        {0, "0"},
        {11, "11"},
        {1.23456, "1.235"},
        {12.3456, "12.35"},
        {123.456, "123.5"},
        {1234.56, "1235"},
        {9.9996, "10.00"},
        {1234567.8, "1234568"},
        {0.45678, "0.4568"},
        {0.00012345, "0.000123"},
        {-1.5, "-1.500"},
    };
    char text[REPORT_NUMBER_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(report_number(cases[i].value, text), cases[i].text);
}

/* --- scales --------------------------------------------------------------------------------- */

static void scales_place_values(void **state)
{
    struct svg_scale log_scale = {1, 1000, 0, 300, false}, scale = {0, 10, 100, 0, true};
    struct svg_scale empty = SVG_SCALE_EMPTY(0, 1);

    (void)state;
    assert_near(svg_at(&log_scale, 10), 100);
    assert_near(svg_at(&log_scale, 1000), 300);
    assert_near(svg_at(&scale, 2.5), 75);
    assert_true(svg_is_empty(&empty));
    svg_widen(&empty, 4);
    assert_true(svg_is_empty(&empty));
    svg_add(&empty, -1);
    svg_add(&empty, 0);
    svg_add(&empty, NAN);
    svg_add(&empty, INFINITY);
    assert_true(svg_is_empty(&empty));
    svg_add(&empty, 4096);
    svg_widen(&empty, 4);
    assert_true(empty.high / empty.low >= 4);
    assert_true(fabs(svg_at(&empty, 4096) - 0.5) < 1e-9);
}

static void ticks_are_round(void **state)
{
    struct svg_scale sizes = {512, 4 << 20, 0, 1, false}, two = {0.9, 110, 0, 1, false},
                     many = {0.9, 2e6, 0, 1, false}, line = {0.93, 1.21, 0, 1, true};
    struct svg_tick ticks[SVG_TICKS_MAX];
    size_t count, labels = 0;

    (void)state;
    count = svg_size_ticks(&sizes, 7, ticks);
    assert_int_equal(count, 14);
    assert_near(ticks[0].value, 512);
    for (size_t i = 0; i < count; i++)
        labels += ticks[i].labelled;
    assert_int_equal(labels, 7);
    assert_true(ticks[1].labelled && !ticks[0].labelled); /* 1 KiB, 4 KiB ... */

    count = svg_value_ticks(&two, 6, ticks);
    assert_int_equal(count, 7); /* 1 2 5 10 20 50 100 */
    assert_near(ticks[2].value, 5);
    count = svg_value_ticks(&many, 6, ticks);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(log10(ticks[i].value) - round(log10(ticks[i].value))) < 1e-9);
    count = svg_value_ticks(&line, 6, ticks);
    assert_within(count, 3, 6);
    assert_near(ticks[0].value, 0.95);
}

static void labels_have_units(void **state)
{
    char text[32];

    (void)state;
    assert_string_equal(svg_label(4096, SVG_BYTES, text), "4 KiB");
    assert_string_equal(svg_label(2e9, SVG_BYTES_PER_S, text), "2 GB/s");
    assert_string_equal(svg_label(50e3, SVG_NS, text), "50 us");
    assert_string_equal(svg_label(1.1, SVG_CHANGE, text), "+10 %");
    assert_string_equal(svg_label(1 - 1e-15, SVG_CHANGE, text), "0 %");
    assert_string_equal(svg_label(5, SVG_FACTOR, text), "\303\2275");
}

static char *drawn(void (*draw)(FILE *stream))
{
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);

    draw(stream);
    fclose(stream);
    return got;
}

static void draw_broken(FILE *stream)
{
    const struct svg_point points[] = {{1, 2}, {3, 4}, {5, NAN}, {7, 8}},
                           high[] = {{1, 1}, {3, 3}, {5, NAN}, {7, 7}};

    svg_line(stream, points, 4, "l");
    svg_band(stream, points, high, 4, "b");
    svg_line(stream, points + 2, 1, "none");
}

static void lines_end_where_nothing_is_known(void **state)
{
    char *got = drawn(draw_broken);

    (void)state;
    assert_string_equal(got, "<path class=\"l\" d=\"M1.0 2.0L3.0 4.0M7.0 8.0\"/>\n"
                             "<path class=\"b\" d=\"M1.0 2.0L3.0 4.0L3.0 3.0L1.0 1.0Z\"/>\n"
                             "<path class=\"b one\" d=\"M7.0 8.0L7.0 7.0Z\"/>\n");
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_no_markup),
        cmocka_unit_test(data_stay_as_they_are),
        cmocka_unit_test(numbers_are_for_spreadsheets),
        cmocka_unit_test(scales_place_values),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(labels_have_units),
        cmocka_unit_test(lines_end_where_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
