/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_record_print.c - what `fit` and `compare` print: tables whose columns stand below each
 * other, and records in which what is not known is no number. */
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

static char *print_within(unsigned width, bool color)
{
    static const char *const texts[][4] = {{"target", "size", "verdict", "notes"},
                                           {"/srv/data/of/a", "4 KiB", "slower", "rmw;wide;drift"},
                                           {"/srv/data/of/b", "64 KiB", "same", ""}};
    static const struct text_table_step steps[] = {{3, 8}, {0, 10}, {1, 0}, {3, 0}};
    struct text_table table = {.columns = 4,
                               .left = {true, false, true, true},
                               .look = {.color = color, .width = width},
                               .steps = steps,
                               .step_count = 4,
                               .words = 3,
                               .colored = 2};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    for (size_t r = 0; r < 3; r++) {
        char **row = text_table_add(&table);
        for (unsigned c = 0; c < 4; c++)
            row[c] = mem_strdup(texts[r][c]);
    }
    table.row_look[1] = COLOR_ALARM;
    text_table_print(stream, &table);
    fclose(stream);
    text_table_clear(&table);
    return text;
}

/* Columns are cut and go in the order of the steps; words take what is left, and are counted. */
static void lines_fit_the_terminal(void **state)
{
    static const struct {
        unsigned width;
        const char *text;
    } rows[] = {
        {0, "target            size  verdict  notes\n"
            "/srv/data/of/a   4 KiB  slower   rmw;wide;drift\n"
            "/srv/data/of/b  64 KiB  same\n"},
        {46, "target            size  verdict  notes\n"
             "/srv/data/of/a   4 KiB  slower   rmw;wide +1\n"
             "/srv/data/of/b  64 KiB  same\n"},
        {37, "target        size  verdict  notes\n"
             "..ata/of/a   4 KiB  slower   rmw +2\n"
             "..ata/of/b  64 KiB  same\n"},
        {34, "target      verdict  notes\n"
             "..ata/of/a  slower   rmw;wide +1\n"
             "..ata/of/b  same\n"},
        {20, "target      verdict\n"
             "..ata/of/a  slower\n"
             "..ata/of/b  same\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *text = print_within(rows[i].width, false);
        assert_string_equal(text, rows[i].text);
        free(text);
    }
}

static void verdicts_are_coloured(void **state)
{
    char *text = print_within(37, true);
    (void)state;
    assert_string_equal(text, "target        size  verdict  notes\n"
                              "..ata/of/a   4 KiB  \033[1;31mslower\033[0m   rmw +2\n"
                              "..ata/of/b  64 KiB  same\n");
    free(text);
}

static void sentences_end_at_words(void **state)
{
    struct text_look look = {.color = true, .width = 20};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    (void)state;
    record_sentence(stream, &look, "read: slower overall, and more of it", 12, COLOR_ALARM);
    look = (struct text_look){.width = 0};
    record_sentence(stream, &look, "read: the same overall, and more of it", 0, COLOR_PLAIN);
    fclose(stream);
    assert_string_equal(text, "\033[1;31mread: slower\033[0m\n  overall, and more\n  of it\n"
                              "read: the same overall, and more of it\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_fit_the_terminal),
        cmocka_unit_test(verdicts_are_coloured),
        cmocka_unit_test(sentences_end_at_words),
        cmocka_unit_test(columns_are_two_blanks_apart),
        cmocka_unit_test(empty_texts_at_the_end_are_left_out),
        cmocka_unit_test(what_is_not_known_is_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
