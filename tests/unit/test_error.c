/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_error.c - errors become one safe line, and the first one is kept; messages on stderr: what
 * each level shows, and that a progress line is erased before anything else is written. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "unit/said.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_first_error_wins(void **state)
{
    struct error e = ERROR_INIT;
    assert_false(error_is_set(&e));
    assert_int_equal(error_advise(&e, "nothing"), -1); /* there is nothing to advise on */
    assert_string_equal(e.advice, "");

    assert_int_equal(error_set(&e, STATUS_TARGET, ENOENT, "cannot open", "a/b"), -1);
    assert_true(error_is_set(&e));
    assert_int_equal(error_set(&e, STATUS_USAGE, EIO, "second", "other"), -1);
    assert_int_equal(e.status, STATUS_TARGET);
    assert_int_equal(e.errnum, ENOENT);
    assert_string_equal(e.action, "cannot open");
    assert_string_equal(e.object, "a/b");

    assert_int_equal(error_advise(&e, "try %s, %d times", "this", 3), -1);
    assert_int_equal(error_advise(&e, "or that"), -1);
    assert_string_equal(e.advice, "try this, 3 times");
    assert_int_equal(error_at(&e, 4096), -1);
    assert_string_equal(e.object, "a/b at offset 4096");

    e = ERROR_INIT;
    error_set(&e, STATUS_OK, 0, "fault", NULL); /* success is no status of an error */
    assert_int_equal(e.status, STATUS_INTERNAL);
    assert_string_equal(e.object, "");
}

static void test_format(void **state)
{
    char enoent[128], text[512];
    struct error all = {.status = STATUS_TARGET,
                        .errnum = ENOENT,
                        .action = "cannot read",
                        .object = "d0/f1",
                        .advice = "check the path"};
    struct error bare = {.status = STATUS_USAGE, .action = "nothing to do"};
    struct error forged = {.status = STATUS_TARGET,
                           .action = "cannot open",
                           .object = "a\nb\\\x1b[2J",
                           .advice = "two\nlines \\ kept"};
    error_at(&all, UINT64_MAX);
    snprintf(enoent, sizeof(enoent),
             "cannot read d0/f1 at offset 18446744073709551615: %s; check the path",
             strerror(ENOENT));
    assert_ptr_equal(error_format(&all, text, sizeof(text)), text);
    assert_string_equal(text, enoent);
    assert_string_equal(error_format(&bare, text, sizeof(text)), "nothing to do");
    assert_string_equal(error_format(&forged, text, sizeof(text)),
                        "cannot open a\\x0ab\\x5c\\x1b[2J; two\\x0alines \\ kept");
}

static void test_printable(void **state)
{
    static const struct {
        const char *name, *shown, *remark;
    } rows[] = {
        {"plain name", "plain name", "blanks stay"},
        {"", "", "empty"},
        {"a\tb", "a\\x09b", "control"},
        {"a\x7f"
         "b",
         "a\\x7fb", "delete"},
        {"a\\x41", "a\\x5cx41", "a name that looks like an escape"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "UTF-8"},
        {"\xc2\x9b"
         "2J",
         "\\xc2\\x9b2J", "C1 control in UTF-8"},
        {"\x9b"
         "2J",
         "\\x9b2J", "C1 control, bare"},
        {"\xe4"
         "bc",
         "\\xe4bc", "Latin-1"},
        {"a\xe2\x80\xae"
         "b\xd8\x9c\xe2\x81\xa6",
         "a\\xe2\\x80\\xaeb\\xd8\\x9c\\xe2\\x81\\xa6", "marks of direction"},
        {"\xe2\x80\xa8", "\\xe2\\x80\\xa8", "end of a line"},
        {"\xe2\x80\x9c\xd8\x9b\xc2\xa0", "\xe2\x80\x9c\xd8\x9b\xc2\xa0", "their neighbours"},
        {"\xc3", "\\xc3", "cut short by the end"},
        {"\xe2\x82", "\\xe2\\x82", "cut short by the end"},
        {"\xc0\xaf", "\\xc0\\xaf", "overlong"},
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf", "overlong"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80", "surrogate"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "beyond Unicode"},
        {"\xf0\x80\x80\x80", "\\xf0\\x80\\x80\\x80", "overlong"},
        {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80", "beyond Unicode"},
        {"\xff", "\\xff", "no byte of UTF-8"},
    };
    char text[128];
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_ptr_equal(error_printable(rows[i].name, text, sizeof(text)), text);
        if (strcmp(text, rows[i].shown) != 0)
            fail_msg("%s: shown as \"%s\"", rows[i].remark, text);
    }
}

/* For any size, the text is terminated, within bounds, and never ends in half an escape. */
static void test_cut(void **state)
{
    static const char name[] = "ab\n\xc3\xa4z";
    static const char *const shown[] = {
        "",
        "a",
        "ab",
        "ab",
        "ab",
        "ab",
        "ab\\x0a",
        "ab\\x0a",
        "ab\\x0a\xc3\xa4",
        "ab\\x0a\xc3\xa4z",
    };
    char text[32], longest[1000];
    struct error e = ERROR_INIT;
    for (size_t size = 1; size <= COUNT(shown); size++) {
        memset(text, '#', sizeof(text));
        error_printable(name, text, size);
        assert_string_equal(text, shown[size - 1]);
        assert_int_equal(text[size], '#');
    }
    text[0] = '#';
    assert_ptr_equal(error_printable(name, text, 0), text);
    assert_int_equal(text[0], '#');

    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    error_set(&e, STATUS_TARGET, 0, longest, longest);
    error_advise(&e, "%s", longest);
    assert_int_equal(strlen(e.action), sizeof(e.action) - 1);
    assert_int_equal(strlen(e.object), sizeof(e.object) - 1);
    error_at(&e, UINT64_MAX);
    assert_non_null(strstr(e.object, "xx at offset 18446744073709551615"));
    assert_int_equal(strlen(e.advice), sizeof(e.advice) - 1);
}

static void say_all(void)
{
    log_error("e%d", 1);
    log_warn("w%d", 2);
    log_info("i%d", 3);
    log_step("s%d", 4);
}

static void test_log_levels(void **state)
{
    static const struct {
        enum log_level level;
        const char *text;
    } rows[] = {
        {LOG_QUIET, "iosweep: e1\n"},
        {LOG_NORMAL, "iosweep: e1\niosweep: w2\ni3\n"},
        {LOG_VERBOSE, "iosweep: e1\niosweep: w2\ni3\ns4\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        log_set_level(rows[i].level);
        said_begin();
        say_all();
        assert_string_equal(said_end(), rows[i].text);
    }
    log_set_level(LOG_NORMAL);
}

static void test_log_progress(void **state)
{
    said_begin();
    log_progress("off at start");
    assert_string_equal(said_end(), "");

    log_progress_enable(true);
    said_begin();
    log_progress("%d of 9", 1);
    log_progress("%d of 9", 2);
    log_info("fact");
    log_info("another");
    log_progress("3 of 9");
    log_progress_clear();
    log_progress_clear(); /* nothing left to erase */
    log_progress("4 of 9");
    log_progress_enable(false);
    log_progress("5 of 9");
    assert_string_equal(said_end(), "\r1 of 9\r2 of 9\r      \rfact\nanother\n"
                                    "\r3 of 9\r      \r\r4 of 9\r      \r");
}

static void test_log_long_texts(void **state)
{
    char text[8192], longest[5000], expected[8192];
    memset(longest, 'y', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';

    said_begin();
    log_error("%s", longest);
    strcpy(text, said_end());
    snprintf(expected, sizeof(expected), "iosweep: %.4095s\n", longest);
    assert_string_equal(text, expected);

    log_progress_enable(true);
    said_begin();
    log_progress("%s", longest);
    log_progress("%.78s\xc3\xa4", longest); /* the 79th column would split a character */
    log_progress_enable(false);
    strcpy(text, said_end());
    snprintf(expected, sizeof(expected), "\r%.79s\r%.78s \r%78s\r", longest, longest, "");
    assert_string_equal(text, expected); /* not a terminal, so 79 columns */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_error_wins), cmocka_unit_test(test_format),
        cmocka_unit_test(test_printable),        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_log_levels),       cmocka_unit_test(test_log_progress),
        cmocka_unit_test(test_log_long_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
