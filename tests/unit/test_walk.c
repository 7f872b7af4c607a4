/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_walk.c - trees with more entries than iosweep measures. Creating a million files would take
 * minutes: here a directory with one file, and one with one directory, list it a million times. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "storage/file/fileset.h"
#include "storage/file/walk.h"
#include "unit/scratch.h"

static const char *repeated; /* the repeated name */
static unsigned entries_left;

struct dirent *readdir(DIR *dir)
{
    static struct dirent entry;

    (void)dir;
    if (entries_left == 0)
        return NULL;
    entries_left--;
    (void)snprintf(entry.d_name, sizeof(entry.d_name), "%s", repeated);
    return &entry;
}

/* Returns the result of walk_files for a directory with this many entries of that name. */
static int walk_many(const char *name, unsigned entries, struct walk *walk, struct error *err)
{
    static const volatile int go_on;
    char path[PATH_MAX];
    int fd = scratch_make("test_walk", path), file, code;

    assert_true(fd >= 0);
    assert_int_equal(mkdirat(fd, "directory", 0700), 0);
    file = openat(fd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, "x", 1), 1);
    close(file);
    repeated = name;
    entries_left = entries;
    code = walk_files(fd, path, &go_on, walk, err);
    close(fd);
    scratch_remove(path);
    return code;
}

static void test_too_many_files(void **state)
{
    struct error err = ERROR_INIT;
    struct walk walk;
    (void)state;

    assert_int_equal(walk_many("file", LIFE_OBJECTS_MAX + 1, &walk, &err), -1);
    assert_int_equal(walk.files.count, LIFE_OBJECTS_MAX);
    assert_string_equal(err.action, "too many files in");
    assert_non_null(strstr(err.advice, "at most 1000000"));
    assert_int_equal(err.status, STATUS_TARGET);
    walk_free(&walk);
}

/* The root counts as one. */
static void test_too_many_directories(void **state)
{
    struct error err = ERROR_INIT;
    struct walk walk;
    (void)state;

    assert_int_equal(walk_many("directory", LIFE_OBJECTS_MAX, &walk, &err), -1);
    assert_int_equal(entries_left, 0);
    assert_string_equal(err.action, "too many files in");
    walk_free(&walk);
}

static void test_no_directory(void **state)
{
    static const volatile int go_on;
    struct error err = ERROR_INIT;
    struct walk walk;
    (void)state;

    assert_int_equal(walk_files(-1, "nowhere", &go_on, &walk, &err), -1);
    assert_int_equal(err.errnum, EBADF);
    assert_string_equal(err.object, "nowhere");
    walk_free(&walk);
}

static void test_some(void **state)
{
    struct error err = ERROR_INIT;
    struct walk walk;
    (void)state;

    assert_int_equal(walk_many("file", 3, &walk, &err), 0);
    assert_int_equal(walk.files.count, 3);
    walk_free(&walk);
    assert_int_equal(walk_many("directory", 3, &walk, &err), 0);
    assert_int_equal(walk.files.count, 0);
    walk_free(&walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_files),
        cmocka_unit_test(test_too_many_directories),
        cmocka_unit_test(test_no_directory),
        cmocka_unit_test(test_some),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
