/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_log.c - messages on a terminal: line wrapping and colours. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/color.h"
#include "base/log.h"

static unsigned columns;
static int master = -1, slave = -1;

static unsigned window(int fd, unsigned *lines)
{
    return columns;
}

static int open_terminal(void **state)
{
    struct termios mode;
    columns = 40;
    log_set_columns(window);
    log_set_color(false);
    master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
        return 0;
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0 || tcgetattr(slave, &mode) < 0)
        return 0;
    mode.c_oflag &= ~(tcflag_t)OPOST; /* newlines are not translated */
    return tcsetattr(slave, TCSANOW, &mode);
}

static int close_terminal(void **state)
{
    close(slave);
    close(master);
    master = slave = -1;
    log_set_color(false);
    return 0;
}

static int saved;

static void divert(void)
{
    if (slave < 0)
        skip_because("no pseudo terminals here");
    fflush(stderr);
    saved = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
}

static const char *shown(void)
{
    static char text[4096];
    struct pollfd file = {.fd = master, .events = POLLIN};
    size_t used = 0;
    dup2(saved, STDERR_FILENO);
    close(saved);
    while (used + 1 < sizeof(text) && poll(&file, 1, 50) == 1) {
        const ssize_t n = read(master, text + used, sizeof(text) - 1 - used);
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    text[used] = '\0';
    return text;
}

static void test_lines_end_at_words(void **state)
{
    divert();
    log_text("# host: a machine with a rather long name and more");
    log_named("finding", "%s", "the same for sentences that take three lines in all, as here");
    log_text("#   NFS: a fact below another one goes on below it");
    log_warn("what is wrong, and what might be done about it");
    log_info("%s", "what is no sentence is not broken, however long it is");
    assert_string_equal(shown(), "# host: a machine with a rather long\n"
                                 "#   name and more\n"
                                 "# finding: the same for sentences that\n"
                                 "#   take three lines in all, as here\n"
                                 "#   NFS: a fact below another one goes\n"
                                 "#     on below it\n"
                                 "iosweep: what is wrong, and what might\n"
                                 "  be done about it\n"
                                 "what is no sentence is not broken, however long it is\n");
}

static void test_which_of_several(void **state)
{
    char name[2 * LOG_PREFIX_BYTES], expected[1024];
    divert();
    columns = 80;
    log_set_prefix("rank 3 (nas3)");
    log_error("cannot open %s", "data");
    log_warn("it is slow");
    log_info("# nothing else");
    log_named("finding", "one");
    columns = 30;
    log_error("an error that takes two lines");
    columns = 200;
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    log_set_prefix(name);
    log_error("cut");
    log_set_prefix("");
    log_error("nobody");
    log_set_prefix("rank 1");
    log_set_prefix(NULL);
    log_error("nobody");
    name[LOG_PREFIX_BYTES - 1] = '\0';
    snprintf(expected, sizeof(expected),
             "iosweep: rank 3 (nas3): cannot open data\n"
             "iosweep: rank 3 (nas3): it is slow\n"
             "rank 3 (nas3): # nothing else\n"
             "# finding: rank 3 (nas3): one\n"
             "iosweep: rank 3 (nas3): an\n"
             "  error that takes two lines\n"
             "iosweep: %s: cut\n"
             "iosweep: nobody\n"
             "iosweep: nobody\n",
             name);
    assert_string_equal(shown(), expected);
}

static void test_what_cannot_be_broken(void **state)
{
    divert();
    log_text("a /very/long/path/that/takes/more/than/one/line/of/it and so on");
    columns = 12;
    log_text("\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc x y z");
    columns = 13;
    log_text("a rise of 12 %% is one"); /* a number keeps its % */
    columns = 0;                        /* unknown: 80 */
    log_text("0123456789 123456789 123456789 123456789 123456789 123456789 123456789 12345678 a");
    assert_string_equal(
        shown(),
        "a /very/long/path/that/takes/more/than/one/line/of/it\n  and so on\n"
        "\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc\n  x y z\n"
        "a rise of\n  12 % is\n  one\n"
        "0123456789 123456789 123456789 123456789 123456789 123456789 123456789 12345678\n"
        "  a\n");
}

/* Longer than a single write. */
static void test_long_message(void **state)
{
    char longest[3500];
    const char *text;
    size_t words = 0;
    for (size_t i = 0; i < sizeof(longest); i++)
        longest[i] = i % 10 == 9 ? ' ' : 'x';
    longest[sizeof(longest) - 1] = '\0';
    divert();
    log_error("%s", longest);
    text = shown();
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") < columns);
        for (const char *c = line; *c != '\n'; c++)
            words += *c == 'x';
    }
    assert_int_equal(words, sizeof(longest) / 10 * 9);
}

/* Only the word before the sentence is coloured, without affecting the width. */
static void test_colour(void **state)
{
    log_set_color(true);
    divert();
    log_error("e");
    log_warn("w");
    log_named("finding", "that is of %d columns, %s of it", 40, "39 of them");
    log_info("i");
    assert_string_equal(shown(), "\033[1;31miosweep: \033[0me\n"
                                 "\033[1;33miosweep: \033[0mw\n"
                                 "\033[1;36m# finding: \033[0mthat is of 40 columns, 39 of\n"
                                 "#   them of it\n"
                                 "i\n");
}

static void test_when_there_is_colour(void **state)
{
    assert_true(color_decide(COLOR_AUTO, true, "xterm", NULL));
    assert_true(color_decide(COLOR_AUTO, true, "xterm", ""));
    assert_false(color_decide(COLOR_AUTO, true, "xterm", "1"));
    assert_false(color_decide(COLOR_AUTO, true, "xterm", "0"));
    assert_false(color_decide(COLOR_AUTO, true, "dumb", NULL));
    assert_false(color_decide(COLOR_AUTO, true, "", NULL));
    assert_false(color_decide(COLOR_AUTO, true, NULL, NULL));
    assert_false(color_decide(COLOR_AUTO, false, "xterm", NULL));
    assert_true(color_decide(COLOR_ALWAYS, false, "dumb", "1"));
    assert_false(color_decide(COLOR_NEVER, true, "xterm", NULL));
    assert_string_equal(color_begin(false, COLOR_ALARM), "");
    assert_string_equal(color_end(true, COLOR_PLAIN), "");
}

/* Progress lines are cut, never wrapped, and erased by blanks. */
static void test_progress(void **state)
{
    columns = 12;
    log_progress_enable(true);
    divert();
    log_progress("0123456789 abcdef");
    log_info("i");
    columns = 40;
    log_progress("1234567");
    log_progress("abc");
    log_info("i");
    log_progress("de");
    log_progress_clear();
    assert_string_equal(shown(), "\r0123456789 \r           \ri\n"
                                 "\r1234567\rabc    \r   \ri\n\rde\r  \r");
    log_progress_enable(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_end_at_words, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_which_of_several, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_broken, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_long_message, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_colour, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_progress, open_terminal, close_terminal),
        cmocka_unit_test(test_when_there_is_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
