/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_record_print.c - what `fit` and `compare` print: tables whose columns stand below each other,
 * and records in which what is not known is no number. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/record_print.h"
#include "base/mem.h"

static void columns_are_two_blanks_apart(void **state)
{
    static const char *const texts[][4] = {
        {"size", "note", "x", "hidden"}, {"4 KiB", "", "10", "-"}, {"512", "w\xc3\xa4it", "", "-"}};
    struct text_table table = {.columns = 4, .left = {[1] = true}, .hidden = {[3] = true}};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    (void)state;

    for (size_t r = 0; r < 3; r++) {
        char **row = text_table_add(&table);

        for (unsigned c = 0; c < 4; c++)
            row[c] = mem_strdup(texts[r][c]);
    }
    text_table_print(stream, &table);
    fclose(stream);
    assert_string_equal(text, " size  note   x\n"
                              "4 KiB        10\n"
                              "  512  w\xc3\xa4it    \n");
    free(text);
    text_table_clear(&table);
    assert_int_equal(table.count, 0);
    assert_int_equal(table.columns, 4);
}

/* Nothing stands behind the last text of a row. */
static void empty_texts_at_the_end_are_left_out(void **state)
{
    struct text_table table = {.columns = 3, .left = {true, true, true}};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    static const char *const texts[][3] = {{"a", "", "ccc"}, {"aa", "", ""}, {"", "", "c"}};
    (void)state;

    for (size_t r = 0; r < 3; r++) {
        char **row = text_table_add(&table);

        for (unsigned c = 0; c < 3; c++)
            row[c] = mem_strdup(texts[r][c]);
    }
    text_table_print(stream, &table);
    fclose(stream);
    assert_string_equal(text, "a     ccc\naa\n      c\n");
    free(text);
    text_table_clear(&table);
}

static void what_is_not_known_is_no_number(void **state)
{
    static const struct record_field fields[] = {{.name = "a"},
                                                 {.name = "b_ns", .decimals = 1},
                                                 {.name = "c"},
                                                 {.name = "d", .decimals = 2}};
    static const struct record_range ranges[] = {{0, 2}, {2, 4}, {0, 0}};
    struct record_value values[4] = {0};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    (void)state;

    record_clear(values, 4);
    values[0] = record_text("x,\"y\"");
    values[2] = record_count(UINT64_MAX);
    record_numbers(&values[1], (double[]){12.345}, 1);
    record_csv_header(stream, fields, 4);
    record_csv(stream, fields, values, 4);
    record_json(stream, fields, values, ranges);
    fputc('\n', stream);
    record_clear(values, 4);
    record_csv(stream, fields, values, 4);
    record_json(stream, fields, values, ranges);
    fclose(stream);
    assert_string_equal(
        text, "a,b_ns,c,d\n"
              "\"x,\"\"y\"\"\",12.3,18446744073709551615,\n"
              "\"a\":\"x,\\\"y\\\"\",\"b_ns\":12.3,\"c\":18446744073709551615,\"d\":null\n"
              ",,,\n"
              "\"a\":null,\"b_ns\":null,\"c\":null,\"d\":null");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_two_blanks_apart),
        cmocka_unit_test(empty_texts_at_the_end_are_left_out),
        cmocka_unit_test(what_is_not_known_is_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
