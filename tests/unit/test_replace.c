/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_replace.c - files of results that are replaced, where files can be without a name and where
 * they cannot: the content comes all at once, mode and links stay, nothing is left behind. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/replace.h"
#include "unit/scratch.h"

static bool all_have_names; /* a system that knows no files without */

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;

    if (flags & O_CREAT) {
        va_list arguments;

        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
#ifdef O_TMPFILE
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        if (all_have_names) {
            errno = EOPNOTSUPP;
            return -1;
        }
        mode = 0666;
    }
#endif
    return openat(AT_FDCWD, path, flags, mode);
}

static char place[PATH_MAX], name[PATH_MAX + 16], link_name[PATH_MAX + 16];

static int set_up(void **state)
{
    int fd = scratch_make("test_replace", place);

    (void)state;
    close(fd);
    (void)snprintf(name, sizeof(name), "%s/results", place);
    (void)snprintf(link_name, sizeof(link_name), "%s/link", place);
    umask(022);
    return fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(place);
    return 0;
}

static void write_old(mode_t mode)
{
    int fd = openat(AT_FDCWD, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_int_equal(write(fd, "old", 3), 3);
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
}

static void check(const char *text, mode_t mode)
{
    char got[16] = "";
    struct stat st;
    int fd = openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC);

    assert_int_equal(read(fd, got, sizeof(got) - 1), strlen(text));
    assert_string_equal(got, text);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 07777, mode);
    assert_int_equal(close(fd), 0);
}

/* Writes "new"; given: by this name, to the file that stands there, if any. */
static void replace(const char *given, bool commits)
{
    struct replace file = {0};
    struct error err = ERROR_INIT;
    int fd = replace_open(given, openat(AT_FDCWD, given, O_RDONLY | O_CLOEXEC), &file, &err);
    FILE *stream = fdopen(fd, "w");

    assert_non_null(stream);
    fputs("new", stream);
    if (commits)
        assert_int_equal(replace_commit(&file, stream, &err), 0);
    else
        replace_abandon(&file);
    assert_int_equal(fclose(stream), 0);
}

static void a_new_file_gets_the_usual_mode(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        all_have_names = i;
        replace(name, true);
        check("new", 0644);
        assert_int_equal(scratch_entries(place), 1);
        unlink(name);
    }
}

static void an_old_file_keeps_its_mode(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        all_have_names = i;
        write_old(0640);
        replace(name, false);
        check("old", 0640);
        replace(name, true);
        check("new", 0640);
        assert_int_equal(scratch_entries(place), 1);
        unlink(name);
    }
}

static void a_link_stays_a_link(void **state)
{
    char target[64] = "";

    (void)state;
    for (int i = 0; i < 2; i++) {
        all_have_names = i;
        write_old(0600);
        assert_int_equal(symlink("results", link_name), 0);
        replace(link_name, true);
        check("new", 0600);
        assert_int_equal(readlink(link_name, target, sizeof(target) - 1), 7);
        assert_int_equal(scratch_entries(place), 2);
        unlink(name);
        unlink(link_name);
    }
}

/* What somebody else has left under the name of our choice is not touched. */
static void names_that_are_taken_are_passed_over(void **state)
{
    char *taken = NULL;

    (void)state;
    all_have_names = true;
    for (int i = 0; i < 2; i++) {
        struct replace file = {0};
        struct error err = ERROR_INIT;
        int fd = replace_open(name, -1, &file, &err);

        assert_true(fd >= 0);
        close(fd);
        if (i == 0) { /* as if another program had made it */
            taken = mem_strdup(file.temporary);
            free(file.temporary);
            free(file.name);
        } else {
            assert_string_not_equal(file.temporary, taken);
            replace_abandon(&file);
        }
    }
    assert_int_equal(access(taken, F_OK), 0);
    assert_int_equal(scratch_entries(place), 1);
    free(taken);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_gets_the_usual_mode),
        TEST(an_old_file_keeps_its_mode),
        TEST(a_link_stays_a_link),
        TEST(names_that_are_taken_are_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
