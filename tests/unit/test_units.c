/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_units.c - sizes, counts, durations, shares and lists: what is accepted and refused, and that
 * a refusal names the offending word and leaves the result unchanged. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define UNTOUCHED UINT64_C(0xdeadbeef)
#define KI        UINT64_C(1024)
#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))

struct number_row {
    const char *word;
    uint64_t expected; /* 0: refused */
    const char *remark;
};

static void check_number(const struct number_row *row, int answer, uint64_t value,
                         const struct error *err)
{
    if (row->expected != 0) {
        if (answer != 0 || value != row->expected || error_is_set(err))
            fail_msg("\"%s\" (%s): answer %d, value %ju, wanted %ju", row->word, row->remark,
                     answer, (uintmax_t)value, (uintmax_t)row->expected);
        return;
    }
    if (answer != -1 || value != UNTOUCHED || err->status != STATUS_USAGE)
        fail_msg("\"%s\" (%s) was not refused: answer %d, value %ju", row->word, row->remark,
                 answer, (uintmax_t)value);
    if (strcmp(err->object, row->word) != 0 || err->action[0] == '\0' || err->advice[0] == '\0')
        fail_msg("\"%s\" (%s): error \"%s\" names \"%s\"", row->word, row->remark, err->action,
                 err->object);
}

static void check_numbers(const struct number_row *rows, size_t count,
                          int (*parse)(const char *word, uint64_t *value, struct error *err))
{
    for (size_t i = 0; i < count; i++) {
        struct error err = ERROR_INIT;
        uint64_t value = UNTOUCHED;
        const int answer = parse(rows[i].word, &value, &err);

        check_number(&rows[i], answer, value, &err);
    }
}

static int parse_size(const char *word, uint64_t *size_bytes, struct error *err)
{
    return units_parse_size(word, 1, UINT64_MAX, size_bytes, err);
}

static int parse_any_count(const char *word, uint64_t *count, struct error *err)
{
    return units_parse_count(word, 1, UINT64_MAX, count, err);
}

static int parse_few(const char *word, uint64_t *count, struct error *err)
{
    return units_parse_count(word, 2, 64, count, err);
}

static const struct number_row size_rows[] = {
    {"1", 1, "least"},
    {"2", 2, "plain bytes"},
    {"4096", 4096, "plain bytes"},
    {"007", 7, "leading zeros are decimal"},
    {"100B", 100, "bytes said"},
    {"4k", 4 * KI, "k is binary"},
    {"4K", 4 * KI, "either case"},
    {"4Ki", 4 * KI, "IEC"},
    {"4ki", 4 * KI, "IEC, small k"},
    {"4KiB", 4 * KI, "IEC with B"},
    {"4kB", 4000, "SI"},
    {"4KB", 4000, "SI, large K"},
    {"3M", 3 * KI *KI, ""},
    {"3MB", 3000000, ""},
    {"2Gi", 2 * KI *KI *KI, ""},
    {"2GB", 2000000000, ""},
    {"5T", 5 * KI *KI *KI *KI, ""},
    {"5TB", UINT64_C(5000000000000), ""},
    {"1PiB", KI *KI *KI *KI *KI, ""},
    {"1PB", UINT64_C(1000000000000000), ""},
    {"16383P", 16383 * KI *KI *KI *KI *KI, "last whole P"},
    {"18446744073709551615", UINT64_MAX, "largest"},
    {"18446744073709551615B", UINT64_MAX, "largest, said as bytes"},
    {"18446744073709551616", 0, "2^64"},
    {"18446744073709551620", 0, "overflow by the last digit"},
    {"99999999999999999999999999", 0, "many digits"},
    {"16384P", 0, "2^64 by the factor"},
    {"16777216P", 0, "overflow by the factor"},
    {"18447PB", 0, "overflow by the decimal factor"},
    {"0", 0, "zero"},
    {"0k", 0, "zero with unit"},
    {"-1", 0, "sign"},
    {"+1", 0, "sign"},
    {" 4k", 0, "blank before"},
    {"4k ", 0, "blank behind"},
    {"4 k", 0, "blank inside"},
    {"4k\n", 0, "newline"},
    {"4kk", 0, "unit twice"},
    {"4kiBB", 0, "junk behind the unit"},
    {"4iB", 0, "no prefix"},
    {"4b", 0, "b is not B"},
    {"4m", 0, "m is a time unit"},
    {"4E", 0, "E is not offered"},
    {"", 0, "empty"},
    {"k", 0, "unit alone"},
    {"B", 0, "unit alone"},
    {"1e3", 0, "exponent"},
    {"0x10", 0, "hexadecimal"},
    {"1.5k", 0, "fraction"},
    {"1,5", 0, "list where one is wanted"},
    {"4..8", 0, "range where one is wanted"},
    {"\xd9\xa4", 0, "digit four in Arabic-Indic"},
};

static void test_sizes(void **state)
{
    check_numbers(size_rows, COUNT(size_rows), parse_size);
}

static void test_counts_with_units(void **state)
{
    static const struct number_row rows[] = {
        {"10k", 10000, ""},
        {"10K", 10000, ""},
        {"3M", 3000000, ""},
        {"18G", UINT64_C(18000000000), ""},
        {"0k", 0, ""},
        {"1.5k", 0, "fraction"},
        {"1kk", 0, "two units"},
        {"1kB", 0, "a unit of sizes"},
        {"18446744074G", 0, "above 2^64"},
        {"18446744073G", UINT64_C(18446744073000000000), "below 2^64"},
    };
    struct units_list list = {0};
    struct error err = ERROR_INIT;
    check_numbers(rows, COUNT(rows), parse_any_count);
    assert_int_equal(units_parse_list(UNITS_COUNT, "500..2k,1M", 1, UINT64_MAX, &list, &err), 0);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.value[2], 2000);
    assert_int_equal(list.value[3], 1000000);
    units_list_free(&list);
}

static void test_counts(void **state)
{
    static const struct number_row rows[] = {
        {"2", 2, "lower bound"},
        {"64", 64, "upper bound"},
        {"033", 33, "leading zero"},
        {"1", 0, "below"},
        {"65", 0, "above"},
        {"0", 0, "zero"},
        {"", 0, "empty"},
        {"1k", 0, "above, by its unit"},
        {"3Ki", 0, "a unit of sizes"},
        {"3B", 0, "a unit of sizes"},
        {"3m", 0, "a unit of times"},
        {"k", 0, "unit alone"},
        {"-3", 0, "sign"},
        {"+3", 0, "sign"},
        {"3 ", 0, "blank"},
        {"3.0", 0, "fraction"},
        {"18446744073709551616", 0, "2^64"},
        {"1e1", 0, "exponent"},
    };
    uint64_t value = UNTOUCHED;
    struct error err = ERROR_INIT;
    check_numbers(rows, COUNT(rows), parse_few);
    assert_int_equal(units_parse_count("18446744073709551615", 0, UINT64_MAX, &value, &err), 0);
    assert_true(value == UINT64_MAX);
    assert_int_equal(units_parse_count("0", 0, 1, &value, &err), 0);
    assert_true(value == 0);
    assert_int_equal(units_parse_count("65", 2, 64, &value, &err), -1);
    assert_string_equal(err.advice, "give a whole number from 2 to 64");
}

static void test_durations(void **state)
{
    static const struct number_row rows[] = {
        {"10", UINT64_C(10000000000), "seconds by default"},
        {"10s", UINT64_C(10000000000), ""},
        {"1.5s", 1500000000, "fraction"},
        {"0.1", 100000000, "0.1 is exact"},
        {"0.123456789", 123456789, "nine decimals are exact"},
        {"0.1234567899", 123456789, "below a nanosecond is cut"},
        {"1.00000000000000000000000000001", 1000000000, "many decimals"},
        {"20ms", 20000000, ""},
        {"61us", 61000, ""},
        {"500ns", 500, ""},
        {"1ns", 1, "shortest"},
        {"1.5us", 1500, ""},
        {"2m", UINT64_C(120000000000), "minutes"},
        {"2min", UINT64_C(120000000000), ""},
        {"0.5h", UINT64_C(1800000000000), ""},
        {"18446744073s", UINT64_C(18446744073000000000), "nearly all"},
        {"18446744073.709551615", UINT64_MAX, "all"},
        {"18446744073.709551616", 0, "overflow by the fraction"},
        {"18446744074s", 0, "overflow by the unit"},
        {"18446744073709551616ns", 0, "overflow by the digits"},
        {"5124096h", 0, "overflow by hours"},
        {"0", 0, "zero"},
        {"0.0s", 0, "zero"},
        {"0.9ns", 0, "less than a nanosecond"},
        {"", 0, "empty"},
        {"s", 0, "unit alone"},
        {".5", 0, "no digit before the point"},
        {"5.", 0, "no digit behind the point"},
        {"1.5.5", 0, "two points"},
        {"1,5", 0, "comma"},
        {"-1", 0, "sign"},
        {"+1", 0, "sign"},
        {"1 s", 0, "blank"},
        {"5sec", 0, "no unit"},
        {"1hour", 0, "no unit"},
        {"1d", UINT64_C(86400000000000), "days"},
        {"1h30m", UINT64_C(5400000000000), "parts"},
        {"1h 30m", 0, "parts and a blank"},
        {"1m30.5s", UINT64_C(90500000000), "a fraction in the last part"},
        {"2s500ms", UINT64_C(2500000000), ""},
        {"5124095h2012s", UINT64_C(18446744012000000000), "nearly all"},
        {"5124095h2200s", 0, "overflow by the sum"},
        {"30m1h", 0, "a larger unit behind a smaller one"},
        {"1m1m", 0, "a unit twice"},
        {"1h30", 0, "a part without a unit"},
        {"10s5", 0, "a part without a unit"},
        {"0h0s", 0, "zero"},
        {"10s ", 0, "blank at the end"},
        {"10 ", 0, "blank at the end"},
        {" 10", 0, "blank at the beginning"},
        {"1\ts", 0, "tab"},
        {"1e3", 0, "exponent"},
        {"10S", 0, "case"},
        {"10sek", 0, "no unit"},
        {"10secx", 0, "junk behind the unit"},
    };
    check_numbers(rows, COUNT(rows), units_parse_duration);
}

/* expected: 0: refused */
static void check_percent(const char *word, double expected)
{
    struct error err = ERROR_INIT;
    double share = -7.0;
    const int answer = units_parse_percent(word, &share, &err);
    const double wanted = expected > 0 ? expected : -7.0;

    /* Exact: the parser promises the nearest double. */
    if (answer != (expected > 0 ? 0 : -1) || memcmp(&share, &wanted, sizeof(share)) != 0)
        fail_msg("\"%s\": answer %d, share %.17g", word, answer, share);
    if (answer != 0) {
        assert_string_equal(err.object, word);
        assert_string_equal(err.advice, "give a number from 0.001 to 100, such as 2.5%");
    }
}

static void test_percents(void **state)
{
    static const struct {
        const char *word;
        double expected; /* 0: refused */
    } rows[] = {
        {"2.5%", 0.025}, {"2.5", 0.025}, {"100", 1.0},    {"100%", 1.0},    {"100.000", 1.0},
        {"0.1%", 0.001}, {"1", 0.01},    {"33.3", 0.333}, {"0.001%", 1e-5}, {"0.00099", 0},
        {"0", 0},        {"0%", 0},      {"0.0", 0},      {"100.1", 0},     {"101", 0},
        {"", 0},         {"%", 0},       {"-1%", 0},      {"+1", 0},        {"2.5%%", 0},
        {"2.5 %", 0},    {"2,5%", 0},    {",5%", 0},      {"1e1", 0},       {"nan", 0},
        {"inf", 0},      {".5", 0.005},  {"5.", 0.05},    {".", 0},         {"1.5.5", 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_percent(rows[i].word, rows[i].expected);
    check_percent("18446744073709551617", 0);
    check_percent("0.000000000000000000000000000000000000001", 0);
}

struct list_row {
    const char *words;
    size_t count; /* 0: refused */
    uint64_t first[12];
    const char *offending;
};

static void check_list(const struct list_row *row, int answer, const struct units_list *list,
                       const struct error *err)
{
    if (row->count == 0) {
        if (answer != -1 || list->count != 1 || list->value[0] != UNTOUCHED)
            fail_msg("\"%s\" was not refused, or the old list changed", row->words);
        if (err->status != STATUS_USAGE || strcmp(err->object, row->offending) != 0)
            fail_msg("\"%s\": the error names \"%s\"", row->words, err->object);
        return;
    }
    if (answer != 0 || list->count != row->count)
        fail_msg("\"%s\": answer %d, %zu values, wanted %zu", row->words, answer, list->count,
                 row->count);
    for (size_t i = 0; i < row->count && i < COUNT(row->first); i++) {
        if (list->value[i] != row->first[i])
            fail_msg("\"%s\": value %zu is %ju", row->words, i, (uintmax_t)list->value[i]);
    }
}

static void check_lists(enum units_kind kind, const struct list_row *rows, size_t count,
                        uint64_t most)
{
    for (size_t i = 0; i < count; i++) {
        struct error err = ERROR_INIT;
        struct units_list list = {.value = malloc(sizeof(uint64_t)), .count = 1};
        int answer;

        assert_non_null(list.value);
        list.value[0] = UNTOUCHED;
        answer = units_parse_list(kind, rows[i].words, 1, most, &list, &err);
        check_list(&rows[i], answer, &list, &err);
        units_list_free(&list);
    }
}

static void test_count_lists(void **state)
{
    static const struct list_row rows[] = {
        {"1", 1, {1}, ""},
        {"1,2,8", 3, {1, 2, 8}, ""},
        {"8,1,2", 3, {8, 1, 2}, ""}, /* order is kept */
        {"1..64", 7, {1, 2, 4, 8, 16, 32, 64}, ""},
        {"3..20", 4, {3, 6, 12, 20}, ""}, /* always includes the end */
        {"5..5", 1, {5}, ""},
        {"5..9", 2, {5, 9}, ""},
        {"5..10", 2, {5, 10}, ""},
        {"1..4,3,8", 5, {1, 2, 4, 3, 8}, ""},
        {"1..4,3,2..8", 0, {0}, "2..8"}, /* no duplicates */
        {"2,2,2", 0, {0}, "2"},
        {"1..1000", 11, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000}, ""},
        {"", 0, {0}, ""},
        {",", 0, {0}, ","},
        {"1,,2", 0, {0}, "1,,2"},
        {"1,", 0, {0}, "1,"},
        {",1", 0, {0}, ",1"},
        {"8..2", 0, {0}, "8..2"},
        {"1,8..2,x", 0, {0}, "8..2"}, /* only the first error */
        {"..", 0, {0}, ""},
        {"1..", 0, {0}, ""},
        {"..8", 0, {0}, ""},
        {"1...8", 0, {0}, ".8"},
        {"1..2..4", 0, {0}, "2..4"},
        {"1.8", 0, {0}, "1.8"},
        {"1..x", 0, {0}, "x"},
        {"1,2k", 0, {0}, "2k"},
        {"1, 2", 0, {0}, " 2"},
        {"1..1001", 0, {0}, "1001"}, /* bounds apply inside ranges */
        {"0,1", 0, {0}, "0"},
        {"-1..4", 0, {0}, "-1..4"},
    };
    check_lists(UNITS_COUNT, rows, COUNT(rows), 1000);
}

static void test_size_lists(void **state)
{
    static const struct list_row rows[] = {
        {"4k", 1, {4096}, ""},
        {"2,512,4k", 3, {2, 512, 4096}, ""},
        {"4k..32k", 4, {4096, 8192, 16384, 32768}, ""},
        {"1000..4kB", 3, {1000, 2000, 4000}, ""},
        {"64Ki,65536,64KiB", 0, {0}, "65536"},
        {"4k..1k", 0, {0}, "4k..1k"},
        {"0..4k", 0, {0}, "0"},
        {"4k,16384P", 0, {0}, "16384P"},
        {"4k..4kk", 0, {0}, "4kk"},
    };
    struct units_list list = {.value = NULL, .count = 0};
    struct error err = ERROR_INIT;
    check_lists(UNITS_SIZE, rows, COUNT(rows), UINT64_MAX);
    assert_int_equal(units_parse_list(UNITS_SIZE, "4k..1M", 1, UINT64_MAX, &list, &err), 0);
    assert_int_equal(list.count, 9);
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.value[i] == UINT64_C(4096) << i);
    units_list_free(&list);
    assert_null(list.value);
    assert_int_equal(list.count, 0);
    units_list_free(&list); /* repeating it is harmless */
}

static void test_huge_lists(void **state)
{
    struct units_list list = {.value = NULL, .count = 0};
    struct error err = ERROR_INIT;
    size_t used = 0, text_size = (UNITS_LIST_MAX + 1) * 8;
    char *words = malloc(text_size);
    assert_non_null(words);

    /* Up to the type's limit: 2^0 .. 2^63, then the end; doubling must not overflow. */
    assert_int_equal(
        units_parse_list(UNITS_SIZE, "1..18446744073709551615", 1, UINT64_MAX, &list, &err), 0);
    assert_int_equal(list.count, 65);
    assert_true(list.value[63] == UINT64_C(1) << 63);
    assert_true(list.value[64] == UINT64_MAX);
    assert_int_equal(units_parse_list(UNITS_COUNT, "9223372036854775808..18446744073709551615", 1,
                                      UINT64_MAX, &list, &err),
                     0);
    assert_int_equal(list.count, 2);

    /* A range cannot start at 0, since that never doubles, but 0 alone is a value. */
    assert_int_equal(units_parse_list(UNITS_COUNT, "0..0,1..4", 0, 9, &list, &err), 0);
    assert_int_equal(list.count, 4);
    assert_int_equal(units_parse_list(UNITS_COUNT, "0..4", 0, 9, &list, &err), -1);
    assert_string_equal(err.object, "0..4");

    /* As many values as permitted, then one more. */
    for (unsigned i = 1; i <= UNITS_LIST_MAX; i++)
        used += (size_t)snprintf(words + used, text_size - used, "%s%u", i > 1 ? "," : "", i);
    err = ERROR_INIT;
    assert_int_equal(units_parse_list(UNITS_COUNT, words, 1, UINT64_MAX, &list, &err), 0);
    assert_int_equal(list.count, UNITS_LIST_MAX);
    assert_true(list.value[UNITS_LIST_MAX - 1] == UNITS_LIST_MAX);
    snprintf(words + used, text_size - used, ",9999");
    assert_int_equal(units_parse_list(UNITS_COUNT, words, 1, UINT64_MAX, &list, &err), -1);
    assert_string_equal(err.object, "9999");
    assert_int_equal(list.count, UNITS_LIST_MAX);

    /* A word longer than the error can hold is cut, not overrun. */
    memset(words, '7', 2000);
    words[2000] = '\0';
    err = ERROR_INIT;
    assert_int_equal(units_parse_list(UNITS_SIZE, words, 1, UINT64_MAX, &list, &err), -1);
    assert_int_equal(strlen(err.object), sizeof(err.object) - 1);
    units_list_free(&list);
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_counts_with_units),
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_percents),
        cmocka_unit_test(test_count_lists),
        cmocka_unit_test(test_size_lists),
        cmocka_unit_test(test_huge_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
