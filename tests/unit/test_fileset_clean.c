/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_fileset_clean.c - which runs the command `clean` removes on a real file system, and which it
 * leaves. */
#include "base/compat.h"

#include "unit/fileset_place.h"

#define MANIFEST_OF_X                                                                     \
    "storage=file\nrun=x\nowner=0123456789abcdef\nbegun=1\nstate=ended\nseed=1\nsets=1\n" \
    "set=tree 1 1 1 pattern 0 0\n"

static void test_clean_refuses_what_is_not_ours(void **state)
{
    static const char manifest[] = "iosweep manifest 3\n" MANIFEST_OF_X;
    static const struct {
        const char *name, *text, *advice;
    } rows[] = {
        {"iosweep-none", NULL, "no iosweep manifest"},
        {"iosweep-empty", "", "no iosweep manifest"},
        {"iosweep-junk", "hello\n", "not valid"},
        {"iosweep-other", manifest, "that of run x"},
        {"iosweep-x", "iosweep manifest 2\n" MANIFEST_OF_X, "not valid"},
        {"iosweep-link", "LINK", "symbolic link"},
        {"iosweep-fifo", "FIFO", "not a regular file"},
    };

    write_file("manifest of x", manifest);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char name[64];

        assert_int_equal(mkdirat(place.fd, rows[i].name, 0700), 0);
        snprintf(name, sizeof(name), "%s/f0", rows[i].name);
        write_file(name, "mine");
        snprintf(name, sizeof(name), "%s/MANIFEST-1", rows[i].name);
        if (rows[i].text && strcmp(rows[i].text, "LINK") == 0)
            assert_int_equal(symlinkat("../manifest of x", place.fd, name), 0);
        else if (rows[i].text && strcmp(rows[i].text, "FIFO") == 0)
            assert_int_equal(mkfifoat(place.fd, name, 0600), 0);
        else if (rows[i].text)
            write_file(name, rows[i].text);

        expect_clean(NULL, -1, 0);
        assert_int_equal(place.err.status, STATUS_TARGET);
        assert_non_null(strstr(place.err.object, rows[i].name));
        if (!strstr(place.err.advice, rows[i].advice))
            fail_msg("%s: %s", rows[i].name, place.err.advice);
        snprintf(name, sizeof(name), "%s/f0", rows[i].name);
        assert_true(exists(name));
        assert_int_equal(unlinkat(place.fd, name, 0), 0);
        snprintf(name, sizeof(name), "%s/MANIFEST-1", rows[i].name);
        unlinkat(place.fd, name, 0);
        assert_int_equal(unlinkat(place.fd, rows[i].name, AT_REMOVEDIR), 0);
    }
}

/* A creator killed during its first steps; names that only look like runs. */
static void test_clean_empty_and_lookalikes(void **state)
{
    assert_int_equal(mkdirat(place.fd, "iosweep-0123abcd", FILESET_MODE), 0);
    assert_int_equal(mkdirat(place.fd, "iosweep-group", 0700), 0); /* inherited from above */
    assert_int_equal(fchmodat(place.fd, "iosweep-group", 02000 | FILESET_MODE, 0), 0);
    assert_int_equal(mkdirat(place.fd, "iosweep-0123abcd-2.3", 0700), 0);
    write_file("iosweep-0123abcd-2.3/MANIFEST-1", "");
    assert_int_equal(mkdirat(place.fd, "iosweep-monday", 0700), 0);
    write_file("iosweep-monday/MANIFEST-1", "");
    write_file("iosweep-results.csv", "1,2,3");
    assert_int_equal(mkdirat(place.fd, "iosweep-results", 0700), 0); /* a user's, empty */
    assert_int_equal(mkdirat(place.fd, "iosweep-0123abce", 0700), 0);
    assert_int_equal(mkdirat(place.fd, "real", 0700), 0);
    assert_int_equal(symlinkat("real", place.fd, "iosweep-link"), 0);
    assert_int_equal(mkdirat(place.fd, "my-iosweep-c", 0700), 0);
    expect_clean(NULL, 0, 4);
    assert_int_equal(entries(), 6);
    assert_true(exists("iosweep-results"));
    assert_true(exists("iosweep-0123abce"));
    expect_clean(NULL, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_clean_refuses_what_is_not_ours),
        TEST(test_clean_empty_and_lookalikes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
