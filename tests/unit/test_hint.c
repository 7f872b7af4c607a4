/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_hint.c - misspelt words: their distance, at any length. */
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
        const unsigned distance = hint_distance(rows[i].said, strlen(rows[i].said), rows[i].meant);

        if (distance != (rows[i].near ? rows[i].distance : HINT_FAR))
            fail_msg("%s, %s: distance %u", rows[i].said, rows[i].meant, distance);
    }
}

/* Beyond some length no suggestions are made. */
static void long_words_are_near_themselves(void **state)
{
    char word[200];
    bool was_near = true;
    size_t longest = 0;

    (void)state;
    memset(word, 'a', sizeof(word));
    for (size_t length = 2; length < sizeof(word); length++) {
        bool near;

        word[length] = '\0';
        near = hint_distance(word, length, word) == 0;
        assert_true(was_near || !near);
        assert_true(near || hint_distance(word, length, word) == HINT_FAR);
        longest = near ? length : longest;
        was_near = near;
        word[length] = 'a';
    }
    assert_within(longest, 20, 198);
}

/* Words before a target in another notation than ours. */
static void targets_are_told_as_they_are_written(void **state)
{
    static const struct {
        const char *said, *hint;
    } rows[] = {
        {"S3:b/p", "did you mean s3://b/p"},
        {"null", "did you mean null:"},
        {"null:x", "did you mean null:"},
        {"s3//b/p", "did you mean s3://b/p"},
        {"s3:", "did you mean s3://BUCKET[/PREFIX]"},
        {"s4://b", "did you mean s3://b"},
        {"radso://pool", "did you mean rados://pool"},
        {"gs://b/p", "did you mean --endpoint https://storage.googleapis.com s3://b/p"},
        {"https://h:1/b/p", "did you mean --endpoint https://h:1 s3://b/p"},
        {"http://h/", "did you mean --endpoint http://h s3://BUCKET"},
        {"http://", "did you mean --endpoint http://HOST s3://BUCKET"},
        {"HTTP://u:pw@h/b", "did you mean --endpoint http://HOST s3://BUCKET"},
        {"https://b.s3.eu-west-1.amazonaws.com/k",
         "did you mean --endpoint https://s3.eu-west-1.amazonaws.com s3://b"},
        {"http://b.s3-x:9000", "did you mean --endpoint http://s3-x:9000 s3://b"},
        {"http://u:pw@b.s3.org", "did you mean --endpoint http://s3.HOST s3://BUCKET"},
        {"https://b.s3", "did you mean --endpoint https://b.s3 s3://BUCKET"},
        {"s3a://b/p", "did you mean s3://b/p"},
        {"~/a", "the shell replaces ~ only outside quotes: \"$HOME/a\""},
        {"nfs://host/export", "mount it, then name the directory where it is mounted"},
        {"SMB://host/share", "mount it, then name the directory where it is mounted"},
        {"host:/export", "mount it, then name the directory where it is mounted"},
        {"//host/share", "mount it, then name the directory where it is mounted"},
        {"no-such-a/host:", "there is no no-such-a either: create the directory first"},
        {"file:///a/b", "did you mean /a/b"},
        {"file://localhost/a", "did you mean /a"},
        {"bs=4k", "use --sizes 4k"},
        {"iodepth=8", "use --depth 8"},
        {"depth=8", "did you mean --depth=8"},
        {"count=10", "use --repetitions (-n)"},
        {"of=/dev/sdb", "name the file or directory without an option: iosweep /dev/sdb"},
        {"some=thing", ""},
        {"version", "did you mean iosweep --version"},
        {"run", "no command is needed to measure: iosweep [TARGET]"},
        {"fti", "did you mean iosweep fit ...; else create the directory first"},
        {"new.csv", "iosweep -o new.csv writes results to it"},
        {"mem://x", "did you mean mem:"},
        {"memory", ""},
        {"4k", "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
               "the directory first"},
        {"2026-11", ""},
        {"no-such-10/files", "there is no no-such-10 either: create the directory first"},
        {"if=file", "name the file or directory without an option: iosweep -r file"},
    };
    char text[HINT_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(hint_target(rows[i].said, text), rows[i].hint);
    assert_non_null(
        strstr(hint_target("xyzzy://a", text), "targets are directories, files, devices, "));
}

/* Options of other programs, whatever separator they use. */
static void options_of_others_are_known(void **state)
{
    static const struct {
        const char *said, *meant;
    } rows[] = {
        {"iodepth", "--depth"},
        {"IODEPTH", "--depth"},
        {"rate_iops", "--rate"},
        {"rate-iops", "--rate"},
        {"t", "--threads or --time"},
        {"T", "--threads"},
        {"endpoint-url", "--endpoint"},
        {"depth", NULL},
        {"iodept", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *meant = hint_foreign_option(rows[i].said, strlen(rows[i].said));
        if (!rows[i].meant)
            assert_null(meant);
        else
            assert_string_equal(meant, rows[i].meant);
    }
    assert_true(hint_takes_value("--depth"));
    assert_false(hint_takes_value("--tests write"));
    assert_false(hint_takes_value("the file itself"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_words_are_known_by_their_distance),
        cmocka_unit_test(long_words_are_near_themselves),
        cmocka_unit_test(targets_are_told_as_they_are_written),
        cmocka_unit_test(options_of_others_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
