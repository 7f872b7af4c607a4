/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* What a report says of the ratios of a comparison. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/compare_print.h"
#include "analysis/report/report_facts.h"

static void words_of_comparisons(void **state)
{
    static const struct {
        double ratio, low, high;
        const char *text;
    } rows[] = {
        {1.042, 0.99, 1.1, "+4.2 %, -1.0 % to +10.0 %"},
        {1.3, 0.88, 3.4, "x1.30, x0.880 to x3.40"}, /* one unit in all of it */
        {0.6, 0.4, 0.9, "x0.600, x0.400 to x0.900"},
        {10, 9.9, 10.25, "x10.0, x9.90 to x10.2"},
        {5270, 977, 12345.6, "x5270, x977 to x12346"},
        {0.001, 0.0000123, 0.5, "x0.00100, x0.0000123 to x0.500"},
        {1.5, NAN, NAN, "+50.0 %, - to -"},
        {3, NAN, NAN, "x3.00, - to -"},
        {NAN, NAN, NAN, "-, - to -"},
    };
    char text[100];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct compare_judgement is = {
            .ratio = rows[i].ratio, .low = rows[i].low, .high = rows[i].high};
        char *ratio = compare_ratio_text(is.ratio, compare_in_factors(&is));
        char *low = compare_ratio_text(is.low, compare_in_factors(&is));
        char *high = compare_ratio_text(is.high, compare_in_factors(&is));
        snprintf(text, sizeof(text), "%s, %s to %s", ratio, low, high);
        assert_string_equal(text, rows[i].text);
        free(ratio);
        free(low);
        free(high);
    }
    assert_string_equal(report_outcome(&(struct compare_judgement){.verdict = COMPARE_SLOWER}),
                        "slower");
    assert_string_equal(report_outcome(&(struct compare_judgement){.verdict = COMPARE_UNKNOWN}),
                        "no verdict");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
