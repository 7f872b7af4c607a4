/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_walk.c - trees with more entries than iosweep measures. Creating a million files would take
 * minutes: here a directory with one file, and one with one directory, list it a million times. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "storage/storage.h"
#include "unit/scratch.h"

static const char *repeated; /* the repeated name */
static unsigned entries_left;

struct dirent *readdir(DIR *dir)
{
    static struct dirent entry;

    if (entries_left == 0)
        return NULL;
    entries_left--;
    (void)snprintf(entry.d_name, sizeof(entry.d_name), "%s", repeated);
    return &entry;
}

/* Reads a directory with this many entries of that name.  Returns how many files it finds; -1: err
 * says why it is refused. */
static int64_t read_many(const char *name, unsigned entries, struct error *err)
{
    static const volatile int go_on;
    char path[PATH_MAX];
    const int fd = scratch_make("test_walk", path);
    const struct target_request request = {
        .target = path, .existing = true, .stop = &go_on, .dry_run = true};
    struct target *target;
    int64_t found = -1;
    int file;

    assert_true(fd >= 0);
    assert_int_equal(mkdirat(fd, "directory", 0700), 0);
    file = openat(fd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, "x", 1), 1);
    close(file);
    repeated = name;
    entries_left = entries;
    if (target_file.open(&request, &target, err) == 0)
        found = target->object_count;
    assert_int_equal(target_file.close(target, err), 0);
    close(fd);
    scratch_remove(path);
    return found;
}

static void test_too_many_files(void **state)
{
    struct error err = ERROR_INIT;

    assert_int_equal(read_many("file", 1000001, &err), -1);
    assert_string_equal(err.action, "too many files in");
    assert_non_null(strstr(err.advice, "at most 1000000"));
    assert_int_equal(err.status, STATUS_TARGET);
}

/* The root counts as one. */
static void test_too_many_directories(void **state)
{
    struct error err = ERROR_INIT;

    assert_int_equal(read_many("directory", 1000000, &err), -1);
    assert_int_equal(entries_left, 0);
    assert_string_equal(err.action, "too many files in");
}

static void test_some(void **state)
{
    struct error err = ERROR_INIT;

    assert_int_equal(read_many("file", 3, &err), 3);
    assert_int_equal(read_many("directory", 3, &err), -1);
    assert_string_equal(err.action, "nothing to read: no files in");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_files),
        cmocka_unit_test(test_too_many_directories),
        cmocka_unit_test(test_some),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
