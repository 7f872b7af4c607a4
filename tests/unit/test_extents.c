/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_extents.c - data, holes and unwritten space of test files. Features that the current
 * directory's file system lacks are not tested: the sums show what it supports. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <string.h>
#include <sys/stat.h>

#include "os/os.h"
#include "unit/scratch.h"

#define MI       (UINT64_C(1) << 20)
#define NO_LIMIT ((struct extents_limits){.count = UINT64_MAX, .until_ns = UINT64_MAX})

static char path[PATH_MAX];
static int dir_fd, fd; /* the directory, and a file in it */

static int set_up(void **state)
{
    dir_fd = scratch_make("extents", path);
    fd = openat(dir_fd, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    close(fd);
    close(dir_fd);
    scratch_remove(path);
    return 0;
}

static void fill(uint64_t at, uint64_t size_bytes)
{
    static char data[65536];

    memset(data, 'x', sizeof(data));
    while (size_bytes > 0) {
        const size_t part = size_bytes < sizeof(data) ? (size_t)size_bytes : sizeof(data);

        assert_int_equal(pwrite(fd, data, part, (off_t)at), part);
        at += part;
        size_bytes -= part;
    }
}

/* Examines a file; the parts must add up on any file system. */
static struct extents look(uint64_t length_bytes)
{
    const struct extents_limits limits = NO_LIMIT;
    struct extents sum = {.files = 0};

    os_extents_add(&sum, fd, length_bytes, &limits);
    assert_int_equal(sum.files, 1);
    assert_int_equal(sum.bytes, length_bytes);
    assert_int_equal(sum.data_bytes + sum.hole_bytes + sum.unwritten_bytes, length_bytes);
    assert_false(sum.cut);
    assert_false(sum.unknown_holes);
    return sum;
}

/* Some file systems have no holes and store zeros. */
static bool has_holes(void)
{
    bool found;

    assert_int_equal(ftruncate(fd, 1 << 20), 0);
    found = lseek(fd, 0, SEEK_HOLE) == 0;
    assert_int_equal(ftruncate(fd, 0), 0);
    return found;
}

static void test_written(void **state)
{
    struct extents sum;

    fill(0, 3 * MI + 100);
    for (int synced = 0; synced < 2; synced++) { /* first with data only in memory */
        sum = look(3 * MI + 100);
        assert_int_equal(sum.data_bytes, 3 * MI + 100);
        assert_int_equal(fsync(fd), 0);
    }
}

static void test_holes(void **state)
{
    struct extents sum;

    if (!has_holes())
        skip_because("files have no holes here");
    assert_int_equal(ftruncate(fd, 4 * MI), 0);
    assert_int_equal(look(4 * MI).hole_bytes, 4 * MI);
    fill(MI, MI);
    assert_int_equal(look(4 * MI).hole_bytes, 3 * MI);
    assert_int_equal(fsync(fd), 0);
    sum = look(4 * MI);
    assert_int_equal(sum.hole_bytes, 3 * MI);
    assert_int_equal(sum.data_bytes, MI);
    /* only the bytes within the length count */
    sum = look(MI + 4096);
    assert_int_equal(sum.hole_bytes, MI);
    assert_int_equal(sum.data_bytes, 4096);
    /* a hole at the very end */
    fill(0, 2 * MI);
    assert_int_equal(fsync(fd), 0);
    assert_int_equal(look(4 * MI).hole_bytes, 2 * MI);
}

static void test_unwritten(void **state)
{
    struct extents sum;
    char page[4096];

    if (fallocate(fd, 0, 0, 4 << 20) != 0)
        skip_because("space cannot be allocated here");
    sum = look(4 * MI);
    if (sum.hole_bytes > 0) { /* the file system does not distinguish them */
        assert_int_equal(sum.hole_bytes, 4 * MI);
        skip_because("the file system does not tell allocated space from holes");
    }
    assert_int_equal(sum.unwritten_bytes, 4 * MI);
    /* written, though nothing has reached the storage yet */
    fill(MI, MI);
    for (int synced = 0; synced < 2; synced++) {
        sum = look(4 * MI);
        assert_int_equal(sum.unwritten_bytes, 3 * MI);
        assert_int_equal(sum.data_bytes, MI);
        assert_int_equal(fsync(fd), 0);
    }
    /* read: zeros in the page cache are not data */
    for (uint64_t at = 2 * MI; at < 3 * MI; at += sizeof(page))
        assert_int_equal(pread(fd, page, sizeof(page), (off_t)at), sizeof(page));
    assert_int_equal(look(4 * MI).unwritten_bytes, 3 * MI);
    /* unwritten space and a hole in one file */
    assert_int_equal(ftruncate(fd, 8 << 20), 0);
    assert_int_equal(look(8 * MI).hole_bytes, 4 * MI);
}

/* Many extents, none written: only the file system's records show them. */
static void test_many(void **state)
{
    enum { COUNT = 20000, PIECE = 4096 };
    struct extents_limits limits = NO_LIMIT;
    struct extents sum;
    struct stat st;
    volatile int stop = 1;

    assert_int_equal(fstat(fd, &st), 0);
    if (st.st_blksize > PIECE || !has_holes())
        skip_because("files have no holes as small as this here");
    if (fallocate(fd, 0, 0, (off_t)COUNT * 2 * PIECE) != 0)
        skip_because("space cannot be allocated here");
    for (int i = 0; i < COUNT; i++)
        if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)i * 2 * PIECE,
                      PIECE) != 0)
            skip_because("holes cannot be punched here");
    sum = look((uint64_t)COUNT * 2 * PIECE);
    if (sum.unknown_extents)
        skip_because("where a file has data is not known here");
    assert_int_equal(sum.unwritten_bytes, (uint64_t)COUNT * PIECE);
    assert_int_equal(sum.hole_bytes, (uint64_t)COUNT * PIECE);

    limits.count = 1000;
    sum = (struct extents){.files = 0};
    os_extents_add(&sum, fd, (uint64_t)COUNT * 2 * PIECE, &limits);
    assert_true(sum.cut);
    assert_within(sum.unwritten_bytes, 1, 1000 * PIECE);
    assert_within(sum.hole_bytes + sum.unwritten_bytes, 1, (uint64_t)COUNT * 2 * PIECE);
    assert_int_equal(sum.bytes, (uint64_t)COUNT * 2 * PIECE);

    limits = (struct extents_limits){.count = UINT64_MAX, .until_ns = 0};
    sum = (struct extents){.files = 0};
    os_extents_add(&sum, fd, (uint64_t)COUNT * 2 * PIECE, &limits);
    assert_true(sum.cut);
    assert_int_equal(sum.hole_bytes + sum.data_bytes, 0);
    limits = NO_LIMIT;
    limits.stop = &stop;
    sum = (struct extents){.files = 0};
    os_extents_add(&sum, fd, (uint64_t)COUNT * 2 * PIECE, &limits);
    assert_true(sum.cut);
    assert_int_equal(sum.hole_bytes + sum.data_bytes, 0);
}

static void test_sum(void **state)
{
    const struct extents_limits limits = NO_LIMIT;
    struct extents sum;
    struct stat before, after;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    fill(0, MI);
    assert_int_equal(fstat(fd, &before), 0);
    sum = (struct extents){.files = 0};
    os_extents_add(&sum, fd, MI, &limits);
    os_extents_add(&sum, fd, MI / 2, &limits);
    os_extents_add(&sum, fd, 0, &limits);    /* an empty range */
    os_extents_add(&sum, null, MI, &limits); /* not a regular file */
    os_extents_add(&sum, -1, MI, &limits);
    assert_int_equal(sum.files, 2);
    assert_int_equal(sum.bytes, MI + MI / 2);
    assert_int_equal(sum.data_bytes, MI + MI / 2);
    assert_int_equal(fstat(fd, &after), 0);
    assert_memory_equal(&before.st_atim, &after.st_atim, sizeof(before.st_atim));
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
    close(null);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_holes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sum, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
