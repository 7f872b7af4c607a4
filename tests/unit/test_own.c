/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_own.c - which files bear the marks of a run. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/file/fileset.h"
#include "unit/cmocka_all.h"

#define BORN INT64_C(1700000000)

static void test_marks(void **state)
{
    static const struct fileset_marks marks = {.has_manifest = true,
                                               .modes_late = true,
                                               .owner = 7,
                                               .permissions = 0600,
                                               .born_s = BORN,
                                               .file_bytes = 4096,
                                               .new_bytes = 65536};
    static const struct {
        unsigned mode, owner;
        int64_t size_bytes, born_s;
        bool is_new, fits;
    } rows[] = {
        {S_IFREG | 0600, 7, 4096, BORN, false, true},
        {S_IFREG | 0600, 7, 0, BORN + 9, true, true}, /* killed while it was created */
        {S_IFREG, 7, 0, BORN, true, true},            /* likewise, on NFS 3 */
        {S_IFREG, 7, 1, BORN, true, false},
        {S_IFREG | 0600, 7, 4097, BORN, false, false},
        {S_IFREG | 0600, 7, 65536, BORN, true, true},
        {S_IFREG | 0600, 7, 65537, BORN, true, false},
        {S_IFREG | 0644, 7, 4096, BORN, true, false},
        {S_IFREG | 0400, 7, 4096, BORN, true, false},
        {S_IFREG | 04600, 7, 4096, BORN, true, false},
        {S_IFREG | 0600, 0, 4096, BORN, true, false},
        {S_IFDIR | 0600, 7, 4096, BORN, true, false},
        {S_IFLNK | 0600, 7, 4096, BORN, true, false},
        {S_IFIFO | 0600, 7, 0, BORN, true, false},
        {S_IFREG | 0600, 7, 4096, BORN - 10, true, true}, /* the clock was set back */
        {S_IFREG | 0600, 7, 4096, BORN - 3600, true, false},
        {S_IFREG | 0600, 7, 4096, 0, true, true}, /* not reported by the file system */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct stat st = {
            .st_mode = rows[i].mode, .st_uid = rows[i].owner, .st_size = rows[i].size_bytes};

        if (fileset_has_marks(&marks, &st, rows[i].born_s, rows[i].is_new) != rows[i].fits)
            fail_msg("row %zu", i);
        if ((rows[i].mode & 07777) == 0) { /* local file systems set permissions at once */
            struct fileset_marks local = marks;
            local.modes_late = false;
            assert_false(fileset_has_marks(&local, &st, rows[i].born_s, rows[i].is_new));
        }
    }
}

/* After a manifest was made readable for others, for example, or all of a live run: unmodified
 * files still belong to the run. */
static void test_changed_permissions(void **state)
{
    static const struct fileset_marks marks = {.has_manifest = true,
                                               .owner = 7,
                                               .permissions = 0644,
                                               .file_bytes = 4096,
                                               .new_bytes = 4096};
    struct stat st = {.st_mode = S_IFREG | 0600, .st_uid = 7, .st_size = 4096};

    assert_true(fileset_has_marks(&marks, &st, BORN, false));
    st.st_mode = S_IFREG | 0644;
    assert_true(fileset_has_marks(&marks, &st, BORN, true));
    st.st_mode = S_IFREG | 0640;
    assert_false(fileset_has_marks(&marks, &st, BORN, false));
}

/* Without the first manifest the current one decides.  Without both, files of a run of this process
 * have the owner of the directory, and those of another one cannot be told from others. */
static void test_lost_manifest(void **state)
{
    struct life_set set = {.size_bytes = 4096};
    struct life_manifest manifest = {
        .set_count = 1, .set = &set, .state = {.own = true, .number = 3}};
    struct stat st = {.st_mode = S_IFREG | 0644, .st_uid = geteuid(), .st_size = 4096};
    char path[] = "own.XXXXXX";
    struct fileset_marks marks;
    int fd, manifest_fd;

    assert_non_null(mkdtemp(path));
    fd = open(path, O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0);
    assert_int_equal(fileset_learn_marks(&marks, fd, &manifest), 0);
    assert_true(fileset_has_marks(&marks, &st, marks.born_s, false));
    st.st_uid++;
    assert_false(fileset_has_marks(&marks, &st, marks.born_s, false));
    st.st_uid--;

    manifest.state.own = false;
    assert_int_equal(fileset_learn_marks(&marks, fd, &manifest), ENOENT);
    manifest_fd = openat(fd, LIFE_NAME "3", O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(manifest_fd >= 0);
    close(manifest_fd);
    assert_int_equal(fileset_learn_marks(&marks, fd, &manifest), 0);
    assert_false(fileset_has_marks(&marks, &st, marks.born_s, false));
    st.st_mode = S_IFREG | 0600;
    assert_true(fileset_has_marks(&marks, &st, marks.born_s, false));

    assert_int_equal(unlinkat(fd, LIFE_NAME "3", 0), 0);
    close(fd);
    assert_int_equal(rmdir(path), 0);
    manifest.state.own = true;
    assert_int_equal(fileset_learn_marks(&marks, -1, &manifest), EBADF);
}

/* Without a manifest or its directory's creation time, fewer marks are checked; links and
 * directories are still foreign. */
static void test_few_marks(void **state)
{
    static const struct fileset_marks marks = {.file_bytes = 10, .new_bytes = UINT64_MAX};
    struct stat st = {.st_mode = S_IFREG | 0644, .st_size = 10};

    assert_true(fileset_has_marks(&marks, &st, BORN, false));
    st.st_size = 11;
    assert_false(fileset_has_marks(&marks, &st, BORN, false));
    assert_true(fileset_has_marks(&marks, &st, BORN, true));
    st.st_mode = S_IFLNK | 0777;
    assert_false(fileset_has_marks(&marks, &st, BORN, true));
}

/* Of a run that has ended, what it counts as complete has its length; empty ones are nobody's. */
static void test_changed(void **state)
{
    struct life_set set = {.size_bytes = 10, .made = 2};
    struct life_manifest manifest = {.set_count = 1, .set = &set};
    struct stat st = {.st_size = 9};

    assert_true(fileset_is_changed(&manifest, 1, &st));
    assert_false(fileset_is_changed(&manifest, 2, &st));
    manifest.state.running = true;
    assert_false(fileset_is_changed(&manifest, 1, &st));
    manifest.state.running = false;
    st.st_size = 10;
    assert_false(fileset_is_changed(&manifest, 1, &st));
    st.st_size = 0;
    assert_false(fileset_is_changed(&manifest, 1, &st));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),         cmocka_unit_test(test_changed_permissions),
        cmocka_unit_test(test_lost_manifest), cmocka_unit_test(test_few_marks),
        cmocka_unit_test(test_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
