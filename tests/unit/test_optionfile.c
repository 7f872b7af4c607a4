/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Option files are split into words: blanks, quotes and comments. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "cli/optionfile.h"

static struct option_file file;
static struct error err;

static int parse(const char *text)
{
    err = ERROR_INIT;
    return optionfile_parse("@f", text, &file, &err);
}

/* The words of a line separated by '|'. */
static const char *words(unsigned line)
{
    static char text[256];

    assert_true(line < file.count);
    assert_string_equal(file.line[line].argv[0], "iosweep");
    assert_null(file.line[line].argv[file.line[line].argc]);
    text[0] = '\0';
    for (int i = 1; i < file.line[line].argc; i++) {
        strcat(text, i > 1 ? "|" : "");
        strcat(text, file.line[line].argv[i]);
    }
    return text;
}

static void words_are_separated_by_blanks(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"-a", "-a"},
        {" \t-a  b\t", "-a|b"},
        {"-a b\r\n", "-a|b"},
        {"\xef\xbb\xbf-a", "-a"},
        {"-a 'b c' \"d 'e\"", "-a|b c|d 'e"},
        {"-a='b c'd", "-a=b cd"},
        {"'' -a", "|-a"},
        {"-a #b c", "-a"},
        {"-a b#c '#d'", "-a|b#c|#d"},
        {"-a \\ 'b\\'", "-a|\\|b\\"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_int_equal(parse(rows[i].text), 0);
        assert_int_equal(file.count, 1);
        assert_string_equal(words(0), rows[i].words);
        optionfile_free(&file);
    }
}

static void lines_keep_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(parse("# SPDX-"
                           "License-Identifier: none\n# Copyright (C) somebody\n"
                           "#  about it \n# more\n\n-a\n  \n-b\n"),
                     0);
    assert_string_equal(file.about, "about it");
    assert_int_equal(file.count, 2);
    assert_int_equal(file.line[0].number, 6);
    assert_int_equal(file.line[1].number, 8);
    optionfile_free(&file);
    assert_int_equal(parse("-a\n# not about it\n"), 0);
    assert_string_equal(file.about, "");
    optionfile_free(&file);
}

/* Parsing the text shown in results yields the same options. */
static void text_can_be_read_again(void **state)
{
    char before[256];
    (void)state;
    assert_int_equal(parse("-a 'b  c' '' \"it's\" 'x#y' '\"' z"), 0);
    strcpy(before, file.line[0].text);
    optionfile_free(&file);
    assert_int_equal(parse(before), 0);
    assert_string_equal(words(0), "-a|b  c||it's|x#y|\"|z");
    assert_string_equal(file.line[0].text, before);
    optionfile_free(&file);
}

static void mistakes_name_the_line(void **state)
{
    char text[4 * OPTIONFILE_LINES_MAX + 8] = "";
    (void)state;
    assert_int_equal(parse("-a\n\n-b 'c\n-d'"), -1);
    assert_string_equal(err.action, "@f:3: unterminated quote");
    assert_int_equal(err.status, STATUS_USAGE);
    assert_int_equal(parse(""), -1);
    assert_int_equal(parse("\n# nothing\n"), -1);
    for (unsigned i = 0; i < OPTIONFILE_LINES_MAX; i++)
        strcat(text, "-a\n");
    assert_int_equal(parse(text), 0);
    optionfile_free(&file);
    strcat(text, "-a\n");
    assert_int_equal(parse(text), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_separated_by_blanks),
        cmocka_unit_test(lines_keep_their_numbers),
        cmocka_unit_test(text_can_be_read_again),
        cmocka_unit_test(mistakes_name_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
