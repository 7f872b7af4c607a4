/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_option.c - one row per option type: the resulting field, and that each refusal names the
 * option as given, the offending word and what is allowed. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/option.h"
#include "base/units.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct block {
    bool flag, given;
    uint64_t count, size_bytes, duration_ns;
    double share;
    char letter;
    const char *string;
    unsigned choice;
    struct option_choices choices;
    struct units_list sizes, counts;
    char called_with[32];
};

static const char *const tests_choices[] = {"write", "read", "mixed", NULL};
static const char *const many_choices[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                           "j", "k", "l", "m", "n", "o", "p", "q", NULL};

static int call(void *block, const char *word, struct error *err)
{
    struct block *b = block;
    if (word && strcmp(word, "bad") == 0) {
        error_set(err, STATUS_TARGET, ENOENT, "cannot open", word);
        return error_advise(err, "take another");
    }
    if (word && strcmp(word, "silent") == 0)
        return -1;
    strcpy(b->called_with, word ? word : "(none)");
    return 0;
}

#define FIELD(name) offsetof(struct block, name)
#define ROW(option, wants, kind, field)                                      \
    .name = option, .argument = wants, .type = kind, .offset = FIELD(field), \
    .given_offset = OPTION_GIVEN(struct block, given)

static const struct option_row row_flag = {ROW("keep", NULL, OPTION_FLAG, flag)};
static const struct option_row row_count = {ROW("levels", "N", OPTION_COUNT, count), .min = 1,
                                            .max = 8};
static const struct option_row row_open_count = {ROW("seed", "N", OPTION_COUNT, count)};
static const struct option_row row_size = {ROW("max-size", "SIZE", OPTION_SIZE, size_bytes),
                                           .min = 2, .max = 1048576};
static const struct option_row row_open_size = {ROW("file-size", "SIZE", OPTION_SIZE, size_bytes),
                                                .min = 4096};
static const struct option_row row_duration = {ROW("time", "TIME", OPTION_DURATION, duration_ns)};
static const struct option_row row_percent = {ROW("precision", "P", OPTION_PERCENT, share)};
static const struct option_row row_char = {ROW("separator", "C", OPTION_CHAR, letter)};
static const struct option_row row_string = {ROW("label", "TEXT", OPTION_STRING, string)};
static const struct option_row row_choice = {ROW("small", "WHAT", OPTION_CHOICE, choice),
                                             .choices = tests_choices};
static const struct option_row row_choices = {ROW("tests", "LIST", OPTION_CHOICES, choices),
                                              .choices = tests_choices};
static const struct option_row row_many = {ROW("many", "LIST", OPTION_CHOICES, choices),
                                           .choices = many_choices};
static const struct option_row row_sizes = {ROW("sizes", "LIST", OPTION_SIZE_LIST, sizes)};
static const struct option_row row_counts = {ROW("threads", "LIST", OPTION_COUNT_LIST, counts),
                                             .min = 1, .max = 64};
static const struct option_row row_call = {ROW("columns", "LIST", OPTION_CALL, flag), .call = call};
static const struct option_row row_bare_call = {ROW("direct", NULL, OPTION_CALL, flag),
                                                .call = call};
static const struct option_row row_short = {.letter = 'm',
                                            .name = "min-size",
                                            .argument = "SIZE",
                                            .type = OPTION_SIZE,
                                            .offset = FIELD(size_bytes),
                                            .given_offset = 0};

static struct block apply(const struct option_row *row, const char *word)
{
    struct block block = {.given = false};
    struct error err = ERROR_INIT;
    if (option_apply(row, &block, word, &err) != 0) {
        char text[900];
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    }
    assert_false(error_is_set(&err));
    assert_int_equal(block.given, row->given_offset != 0);
    return block;
}

static void test_fields(void **state)
{
    static const double share = 0.025;
    struct block block;
    const char *label = "my label";
    assert_true(apply(&row_flag, NULL).flag);
    assert_int_equal(apply(&row_count, "8").count, 8);
    assert_true(apply(&row_open_count, "18446744073709551615").count == UINT64_MAX);
    assert_int_equal(apply(&row_open_count, "0").count, 0);
    assert_int_equal(apply(&row_size, "2").size_bytes, 2);
    assert_int_equal(apply(&row_size, "1M").size_bytes, 1048576);
    assert_true(apply(&row_open_size, "1P").size_bytes == UINT64_C(1) << 50);
    assert_int_equal(apply(&row_short, "64Ki").size_bytes, 65536);
    assert_int_equal(apply(&row_duration, "20ms").duration_ns, 20000000);
    block = apply(&row_percent, "2.5%");
    assert_memory_equal(&block.share, &share, sizeof(share));
    assert_int_equal(apply(&row_char, ";").letter, ';');
    assert_int_equal(apply(&row_char, " ").letter, ' ');
    assert_ptr_equal(apply(&row_string, label).string, label);
    assert_int_equal(apply(&row_choice, "mixed").choice, 2);
    assert_string_equal(apply(&row_call, "word").called_with, "word");
    assert_string_equal(apply(&row_bare_call, NULL).called_with, "(none)");
}

static void test_choice_lists(void **state)
{
    struct block block = apply(&row_choices, "read,write");
    assert_int_equal(block.choices.count, 2); /* in the order given */
    assert_int_equal(block.choices.index[0], 1);
    assert_int_equal(block.choices.index[1], 0);
    assert_true(option_chosen(&block.choices, 0));
    assert_true(option_chosen(&block.choices, 1));
    assert_false(option_chosen(&block.choices, 2));
    block = apply(&row_many, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p");
    assert_int_equal(block.choices.count, OPTION_CHOICES_MAX);
}

/* Given twice, the later list replaces the earlier one, which is freed. */
static void test_number_lists(void **state)
{
    struct block block = {.given = false};
    struct error err = ERROR_INIT;
    assert_int_equal(option_apply(&row_sizes, &block, "4k..16k", &err), 0);
    assert_int_equal(block.sizes.count, 3);
    assert_int_equal(option_apply(&row_sizes, &block, "1,2", &err), 0);
    assert_int_equal(block.sizes.count, 2);
    assert_int_equal(block.sizes.value[1], 2);
    assert_int_equal(option_apply(&row_counts, &block, "1..64", &err), 0);
    assert_int_equal(block.counts.count, 7);
    assert_int_equal(option_apply(&row_counts, &block, "65", &err), -1);
    assert_int_equal(block.counts.count, 7);
    units_list_free(&block.sizes);
    units_list_free(&block.counts);
}

static const struct {
    const struct option_row *row;
    const char *word, *line;
} refusals[] = {
    {&row_flag, "yes", "--keep: takes no argument: yes"},
    {&row_count, NULL, "--levels: needs an argument; give N"},
    {&row_count, "9", "--levels: number too large: 9; give a whole number from 1 to 8"},
    {&row_count, "0", "--levels: number too small: 0; give a whole number from 1 to 8"},
    {&row_count, "3x", "--levels: not a whole number: 3x; give a whole number from 1 to 8"},
    {&row_count, "", "--levels: is empty; give N"},
    {&row_open_count, "-1", "--seed: not a whole number: -1; give a whole number of at least 0"},
    {&row_size, "1", "--max-size: size too small: 1; give a size from 2 B to 1 MiB"},
    {&row_size, "2M", "--max-size: size too large: 2M; give a size from 2 B to 1 MiB"},
    {&row_open_size, "4095", "--file-size: size too small: 4095; give a size from 4 KiB to 64 PiB"},
    {&row_short, "4kk",
     "--min-size: not a size: 4kk; give bytes such as 4096, 64k = 64Ki "
     "(x 1024), 64kB (x 1000), up to P"},
    {&row_short, "1m",
     "--min-size: not a size: 1m; give bytes such as 4096, 64k = 64Ki "
     "(x 1024), 64kB (x 1000), up to P"},
    {&row_short, "0k",
     "--min-size: not a size: 0k; give bytes such as 4096, 64k = 64Ki "
     "(x 1024), 64kB (x 1000), up to P"},
    {&row_short, "64KIb",
     "--min-size: not a size: 64KIb; give bytes such as 4096, 64k = 64Ki "
     "(x 1024), 64kB (x 1000), up to P"},
    {&row_duration, "soon",
     "--time: not a duration: soon; "
     "give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m"},
    {&row_percent, "abc",
     "--precision: not a percentage: abc; give a number from 0.001 to 100, such as 2.5%"},
    {&row_percent, "120%",
     "--precision: percentage out of range: 120%; give a number from 0.001 to 100, such as 2.5%"},
    {&row_char, "ab",
     "--separator: not a single character: ab; give one printable ASCII character, or tab"},
    {&row_char, "\x7f",
     "--separator: not a single character: \\x7f; give one printable ASCII character, or tab"},
    {&row_char, "\t",
     "--separator: not a single character: \\x09; give one printable ASCII character, or tab"},
    {&row_char, "\xc3\xa4",
     "--separator: not a single character: \xc3\xa4; give one printable ASCII character, or tab"},
    {&row_choice, "skip", "--small: unknown choice: skip; choose from write, read, mixed"},
    {&row_choice, "writ", "--small: unknown choice: writ; choose from write, read, mixed"},
    {&row_choice, "Write", "--small: unknown choice: Write; choose from write, read, mixed"},
    {&row_choices, "read,wrte", "--tests: unknown choice: wrte; choose from write, read, mixed"},
    {&row_choices, "read,,write",
     "--tests: unknown choice: nothing; choose from write, read, mixed"},
    {&row_choices, "read,", "--tests: unknown choice: nothing; choose from write, read, mixed"},
    {&row_choices, "", "--tests: is empty; give LIST"},
    {&row_choices, "read,write,read",
     "--tests: given twice in the list: read; give each word once"},
    {&row_many, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q",
     "--many: too many choices: q; the limit is 16"},
    {&row_sizes, "4k,8x",
     "--sizes: not a size: 8x; give bytes such as 4096, 64k = 64Ki "
     "(x 1024), 64kB (x 1000), up to P"},
    {&row_sizes, "4k-1M",
     "--sizes: not a range: 4k-1M; give a list such as 1,2,8 or a range such as 1..64"},
    {&row_counts, "1-4",
     "--threads: not a range: 1-4; give a list such as 1,2,8 or a range such as 1..64"},
    {&row_counts, "8..2",
     "--threads: not a range from low to high: 8..2; "
     "give a list such as 1,2,8 or a range such as 1..64"},
    {&row_string, NULL, "--label: needs an argument; give TEXT"},
    {&row_string, "", "--label: is empty; give TEXT"},
    {&row_call, NULL, "--columns: needs an argument; give LIST"},
    {&row_call, "silent", "--columns: refused: silent"},
    {&row_bare_call, "word", "--direct: takes no argument: word"},
};

static void test_refusals(void **state)
{
    static const struct block untouched = {.given = false};
    for (size_t i = 0; i < COUNT(refusals); i++) {
        struct block block;
        struct error err = ERROR_INIT;
        char text[900];
        memset(&block, 0, sizeof(block));
        assert_int_equal(option_apply(refusals[i].row, &block, refusals[i].word, &err), -1);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_string_equal(error_format(&err, text, sizeof(text)), refusals[i].line);
        assert_memory_equal(&block, &untouched, sizeof(block));
    }
}

/* The error of a CALL is preserved completely. */
static void test_call_error_is_kept(void **state)
{
    struct block block = {.given = false};
    struct error err = ERROR_INIT;
    assert_int_equal(option_apply(&row_call, &block, "bad", &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_int_equal(err.errnum, ENOENT);
    assert_string_equal(err.action, "--columns: cannot open");
    assert_string_equal(err.object, "bad");
    assert_string_equal(err.advice, "take another");
    assert_false(block.given);
}

/* Defaults are parsed like given words but do not count as given; others are unchanged. */
static void test_defaults(void **state)
{
    static const struct option_row rows[] = {
        {ROW("levels", "N", OPTION_COUNT, count), .min = 1, .max = 8, .fallback = "3"},
        {ROW("max-size", "SIZE", OPTION_SIZE, size_bytes), .fallback = "64Ki"},
        {ROW("precision", "PERCENT", OPTION_PERCENT, share), .fallback = "2.5%"},
        {ROW("tests", "LIST", OPTION_CHOICES, choices), .choices = tests_choices,
         .fallback = "read,write"},
        {ROW("threads", "LIST", OPTION_COUNT_LIST, counts), .fallback = "1..4"},
        {ROW("columns", "LIST", OPTION_CALL, flag), .call = call, .fallback = "some"},
        {ROW("time", "TIME", OPTION_DURATION, duration_ns)},
        {.name = NULL},
    };
    struct block block = {.duration_ns = 7};
    option_defaults(rows, &block);
    assert_int_equal(block.count, 3);
    assert_int_equal(block.size_bytes, 65536);
    assert_true(block.share == 0.025);
    assert_int_equal(block.choices.count, 2);
    assert_int_equal(block.choices.index[0], 1);
    assert_int_equal(block.counts.count, 3);
    assert_string_equal(block.called_with, "some");
    assert_int_equal(block.duration_ns, 7);
    assert_false(block.given);
    units_list_free(&block.counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_choice_lists),
        cmocka_unit_test(test_number_lists),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_call_error_is_kept),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
