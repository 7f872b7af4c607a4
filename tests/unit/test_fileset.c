/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_fileset.c - test files on a real file system: what is created, their content, and above all
 * what is removed and what is not. Each test uses a new directory below the current one. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "storage/pattern.h"
#include "storage/storage.h"
#include "unit/fileset_place.h"

/* ---- creation ---- */

static void expect_refused(enum status status, int errnum)
{
    assert_int_equal(create(), -1);
    assert_int_equal(place.err.status, status);
    assert_int_equal(place.err.errnum, errnum);
}

static void test_create_and_remove(void **state)
{
    static const struct {
        uint64_t levels, width, file_bytes;
    } rows[] = {{0, 0, 3000001}, {1, 3, 1}, {3, 2, 4096}, {32, 1, 10}, {2, 4, 1048577}, {0, 0, 1}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct stat st;
        char name[FILESET_NAME_MAX];
        struct life_tally tally;
        static const int stopped = 15;
        struct life_run found;
        int look_fd;
        int dir_fd;

        start_anew();
        place.set.levels = rows[i].levels;
        place.set.width = rows[i].width;
        place.set.size_bytes = rows[i].file_bytes;
        dir_fd = create();
        assert_true(dir_fd >= 0);
        assert_int_equal(entries(), 3 + place.set.count + fileset_directories(&place.set));
        assert_int_equal(fstat(dir_fd, &st), 0);
        /* systems may ignore the mark */
        assert_int_equal(st.st_mode & (07777 & ~FILESET_MARK), 0700);
        for (uint64_t f = 0; f < place.set.count; f++) {
            fileset_name(&place.set, f, name, sizeof(name));
            assert_int_equal(fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
            assert_true(S_ISREG(st.st_mode));
            assert_int_equal(st.st_size, rows[i].file_bytes);
        }
        assert_int_equal(
            fileset_look(place.fd, place.path, "run", FILESET_LOCK, &look_fd, &found, &place.err),
            LIFE_READ);
        assert_true(found.locked);
        assert_int_equal(found.manifest.set[0].made, place.set.count);
        life_manifest_free(&found.manifest);
        close(look_fd);
        tally = (struct life_tally){0};
        assert_int_equal(fileset_go_over(&place.files, LIFE_COUNT, &tally, &place.err), 0);
        assert_int_equal(tally.objects, place.set.count);
        assert_int_equal(tally.bytes, place.set.count * place.set.size_bytes);
        tally = (struct life_tally){.stop = &stopped};
        assert_int_equal(fileset_go_over(&place.files, LIFE_REMOVE, &tally, &place.err), -1);
        assert_int_equal(place.err.errnum, EINTR);
        assert_int_equal(entries(), 3 + place.set.count + fileset_directories(&place.set));
        assert_int_equal(remove_run(), 0);
        close(dir_fd); /* some systems keep the name until then */
        assert_int_equal(entries(), 0);
    }
    assert_true(place.reports > 0);
}

/* Data are generation 0 of the pattern, whose words and bytes test_pattern.c examines. */
static void test_data(void **state)
{
    struct target_mismatch mismatch;
    struct pattern pattern;
    const size_t size_bytes = (2u << 20) + 4096u;
    char *data = malloc(size_bytes), name[FILESET_NAME_MAX];
    const struct extents_limits limits = {.count = UINT64_MAX, .until_ns = UINT64_MAX};
    struct extents extents;
    int dir_fd;

    place.set.levels = 1;
    place.set.size_bytes = size_bytes;
    dir_fd = create();
    assert_true(dir_fd >= 0);
    assert_int_equal(pattern_start(&pattern, place.manifest.seed, &place.err), 0);
    assert_non_null(data);
    for (uint64_t f = 0; f < 2; f++) {
        int fd = openat(dir_fd, fileset_name(&place.set, f, name, sizeof(name)), O_RDONLY);

        assert_true(fd >= 0);
        assert_int_equal(read(fd, data, size_bytes), size_bytes);
        extents = (struct extents){.files = 0};
        os_extents_add(&extents, fd, size_bytes, &limits);
#ifdef SYSTEM_LINUX
        assert_int_equal(extents.data_bytes, size_bytes);
#endif
        close(fd);
        assert_true(pattern_agrees(&pattern, f, 0, size_bytes, 1, NULL, data, &mismatch));
    }
    free(data);
    pattern_end(&pattern);
    assert_int_equal(remove_run(), 0);
    close(dir_fd);
}

static void test_never_reused(void **state)
{
    assert_int_equal(mkdirat(place.fd, "iosweep-run", 0700), 0);
    write_file("iosweep-run/f0", "mine");
    expect_refused(STATUS_TARGET, EEXIST);
    assert_true(exists("iosweep-run/f0"));
    assert_int_equal(entries(), 2);
}

static void test_stop_leaves_nothing(void **state)
{
    place.set.size_bytes = 3u << 20;
    place.stop_at_report = 1; /* in the first file, after its first block */
    expect_refused(STATUS_PARTIAL, EINTR);
    assert_int_equal(place.reports, 1);
    assert_true(place.last_done_bytes < place.set.size_bytes);
    assert_int_equal(entries(), 0);

    /* stopped before it begins */
    expect_refused(STATUS_PARTIAL, EINTR);
    assert_int_equal(entries(), 0);
}

static void test_no_space(void **state)
{
    place.set.levels = place.set.width = 0;
    place.set.size_bytes = UINT64_C(1) << 62;
    expect_refused(STATUS_TARGET, ENOSPC);
    assert_non_null(strstr(place.err.advice, " are needed, "));
    assert_int_equal(entries(), 0);

    place.set.size_bytes = UINT64_C(1) << 63; /* not a valid length */
    expect_refused(STATUS_USAGE, 0);
    start_anew();
    place.set.width = 1000;
    expect_refused(STATUS_USAGE, 0);
    assert_int_equal(entries(), 0);
}

/* A block that cannot be written (here: a limit) removes everything created before. */
static void test_failed_write_leaves_nothing(void **state)
{
    int status, child;

    place.set.size_bytes = 3u << 20;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct target_request request = {.stop = &place.stop};
        int dir_fd, code, limited;

        signal(SIGXFSZ, SIG_IGN);
        limited = setrlimit(RLIMIT_FSIZE, &(struct rlimit){1536 << 10, 1536 << 10});
        code = fileset_create(&place.files, &request, &dir_fd, NULL, &place.err);
        _exit(limited == 0 && code == -1 && place.err.status == STATUS_TARGET &&
                      place.err.errnum == EFBIG && strstr(place.err.object, "/iosweep-run/d0/d0/f0")
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(entries(), 0);
}

/* ---- removal ---- */

static void test_remove_missing_is_fine(void **state)
{
    int dir_fd;

    assert_int_equal(remove_run(), 0);
    dir_fd = create();
    assert_int_equal(unlinkat(dir_fd, "d0/d0/f0", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1/f0", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1/f1", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(dir_fd, LIFE_FIRST, 0), 0);
    assert_int_equal(remove_run(), 0);
    close(dir_fd);
    assert_int_equal(entries(), 0);
}

static void test_foreign_file_stays(void **state)
{
    static const char *const foreign[] = {"iosweep-run/d1/notes.txt", "iosweep-run/thesis",
                                          "iosweep-run/d0/d1/f2"};

    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        int dir_fd = create_named("run");

        write_file(foreign[i], "dear to somebody");
        assert_int_equal(remove_run(), -1);
        assert_int_equal(place.err.status, STATUS_TARGET);
        assert_non_null(strstr(place.err.object, foreign[i]));
        assert_true(exists(foreign[i]));
        assert_false(exists("iosweep-run/d0/d0/f0"));
        assert_false(exists("iosweep-run/d1/d1"));
        /* The manifest stayed, so that removal can be completed once the file is gone. */
        assert_true(exists("iosweep-run/MANIFEST-1"));
        close(dir_fd);
        expect_clean(NULL, -1, 0);
        assert_int_equal(unlinkat(place.fd, foreign[i], 0), 0);
        expect_clean(NULL, 0, 1);
        assert_int_equal(entries(), 0);
    }
}

static void test_planted_link_is_not_followed(void **state)
{
    int dir_fd;

    scratch_needs_links(place.fd);
    dir_fd = create();
    assert_int_equal(renameat(dir_fd, "d1", place.fd, "outside"), 0);
    assert_int_equal(symlinkat("../outside", dir_fd, "d1"), 0);
    assert_int_equal(remove_run(), -1);
    assert_non_null(strstr(place.err.object, "iosweep-run/d1"));
    assert_true(exists("outside/d0/f0") && exists("outside/d1/f1"));
    assert_true(exists("iosweep-run/d1") && !exists("iosweep-run/d0"));
    close(dir_fd);
}

static void test_replaced_top_is_not_touched(void **state)
{
    int dir_fd;

    scratch_needs_links(place.fd);
    dir_fd = create();
    assert_int_equal(renameat(place.fd, "iosweep-run", place.fd, "moved"), 0);
    assert_int_equal(symlinkat("moved", place.fd, "iosweep-run"), 0);
    assert_int_equal(remove_run(), -1);
    assert_true(exists("moved/d0/d0/f0"));
    close(dir_fd);

    /* a directory of the same name, but not the one created */
    assert_int_equal(unlinkat(place.fd, "iosweep-run", 0), 0);
    dir_fd = create();
    assert_int_equal(renameat(place.fd, "iosweep-run", place.fd, "moved again"), 0);
    assert_int_equal(renameat(place.fd, "moved", place.fd, "iosweep-run"), 0);
    assert_int_equal(remove_run(), -1);
    assert_true(exists("iosweep-run/d0/d0/f0"));
    close(dir_fd);
}

static void test_directory_in_place_of_a_file(void **state)
{
    int dir_fd = create();

    assert_int_equal(unlinkat(dir_fd, "d0/d0/f1", 0), 0);
    assert_int_equal(mkdirat(dir_fd, "d0/d0/f1", 0700), 0);
    assert_int_equal(remove_run(), -1);
    assert_non_null(strstr(place.err.object, "iosweep-run/d0/d0/f1"));
    assert_true(exists("iosweep-run/d0/d0/f1"));
    assert_false(exists("iosweep-run/d0/d0/f0"));
    close(dir_fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_create_and_remove),
        TEST(test_data),
        TEST(test_never_reused),
        TEST(test_stop_leaves_nothing),
        TEST(test_no_space),
        TEST(test_failed_write_leaves_nothing),
        TEST(test_remove_missing_is_fine),
        TEST(test_foreign_file_stays),
        TEST(test_planted_link_is_not_followed),
        TEST(test_replaced_top_is_not_touched),
        TEST(test_directory_in_place_of_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
