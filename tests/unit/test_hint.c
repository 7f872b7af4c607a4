/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hint.c - words that are spelled nearly so: how far they are apart, at any length. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "cli/hint.h"

static void near_words_are_known_by_their_distance(void **state)
{
    static const struct {
        const char *said, *meant;
        bool near;
        unsigned distance;
    } rows[] = {
        {"size", "size", true, 0},
        {"Size", "size", true, 0},
        {"siez", "size", true, 1},
        {"sze", "size", true, 1},
        {"ssize", "size", true, 1},
        {"site", "size", true, 1},
        {"sets", "size", false, 0},
        {"thraeds", "threads", true, 1},
        {"treads", "threads", true, 1},
        {"thred", "threads", false, 0},
        {"trheads", "threads", true, 1},
        {"htraeds", "threads", true, 2},
        {"s", "s", false, 0},
        {"ab", "abc", true, 1},
        {"", "", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        unsigned distance = 99;

        if (hint_is_near(rows[i].said, strlen(rows[i].said), rows[i].meant, &distance) !=
            rows[i].near)
            fail_msg("%s, %s: distance %u", rows[i].said, rows[i].meant, distance);
        if (rows[i].near)
            assert_int_equal(distance, rows[i].distance);
    }
}

/* Up to a length from which on nobody is told anything. */
static void long_words_are_near_themselves(void **state)
{
    char word[200];
    bool was_near = true;
    size_t longest = 0;

    (void)state;
    memset(word, 'a', sizeof(word));
    for (size_t length = 2; length < sizeof(word); length++) {
        unsigned distance = 99;
        bool near;

        word[length] = '\0';
        near = hint_is_near(word, length, word, &distance);
        assert_true(was_near || !near);
        assert_true(!near || distance == 0);
        longest = near ? length : longest;
        was_near = near;
        word[length] = 'a';
    }
    assert_in_range(longest, 20, 198);
}

/* Words before a target that is written in another way here. */
static void targets_are_told_as_they_are_written(void **state)
{
    static const struct {
        const char *said, *hint;
    } rows[] = {
        {"S3:b/p", "did you mean s3://b/p"},
        {"null", "did you mean null:"},
        {"null:x", "did you mean null:"},
        {"mem://x", "did you mean mem:"},
        {"memory", ""},
        {"4k", "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
               "the directory first"},
        {"2026-11", ""},
        {"10/files", ""},
        {"if=file", "name the file itself: iosweep -r FILE"},
    };
    char text[HINT_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(hint_target(rows[i].said, text), rows[i].hint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_words_are_known_by_their_distance),
        cmocka_unit_test(long_words_are_near_themselves),
        cmocka_unit_test(targets_are_told_as_they_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
