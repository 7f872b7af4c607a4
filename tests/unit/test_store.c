/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_store.c - the `file` target driver on a real file system: the targets it accepts, what it
 * refuses with which advice, and what it leaves behind. Each test uses a new directory below the
 * current one. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/file.h"
#include "storage/storage.h"
#include "unit/store_place.h"

/* ---- the run's own files ---- */

/* The same target twice in one run: two sets with different data. */
static void test_same_target_twice(void **state)
{
    struct target *first = open_good(), *second = open_good();
    char a[64], b[64];
    int fd;

    assert_string_equal(second->place, below("iosweep-run.2"));
    fd = openat(first->dir_fd, "d0/f0", O_RDONLY);
    assert_int_equal(read(fd, a, sizeof(a)), sizeof(a));
    close(fd);
    fd = openat(second->dir_fd, "d0/f0", O_RDONLY);
    assert_int_equal(read(fd, b, sizeof(b)), sizeof(b));
    close(fd);
    assert_memory_not_equal(a, b, sizeof(a));
    close_good(first);
    assert_int_equal(entries(), 9);
    close_good(second);
    assert_int_equal(entries(), 0);
}

/* Looking for the files of a run ends when the run is to stop. */
static void test_looking_for_files_stops(void **state)
{
    place.request.keep = true;
    close_good(open_good());
    place.stop = SIGINT;
    place.request.named = true;
    place.request.writes = false;
    for (unsigned way = 0; way < 3; way++) {
        struct error err = ERROR_INIT;
        struct target *target;

        place.request.existing = way > 0;
        place.request.reuse = way == 0;
        place.request.tests = 1u << (way == 2 ? TEST_DELETE : TEST_READ);
        assert_int_equal(target_file.open(&place.request, &target, &err), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
        assert_int_equal(err.errnum, EINTR);
        assert_int_equal(entries(), 9);
    }
}

static void test_dry_run_touches_nothing(void **state)
{
    struct stat before, after;
    struct error err = ERROR_INIT;
    struct target *target;

    place.request.dry_run = true;
    assert_int_equal(fstat(place.fd, &before), 0);
    target = open_good();
    assert_int_equal(target->object_count, 4);
    assert_int_equal(target->length_bytes[3], 10000);
    assert_null(target->name);
    assert_int_equal(target->dir_fd, -1);
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), 0);
    assert_int_equal(target_file.before_round(target, CACHE_UNCACHED, &err), 0);
    assert_int_equal(target_file.probe_direct(target, &err), 0);
    assert_int_equal(target->direct_align_bytes, sysconf(_SC_PAGESIZE));
    assert_true(target_file.resident(target) < 0);
    close_good(target);
    assert_int_equal(entries(), 0);
    assert_int_equal(fstat(place.fd, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    place.request.file_bytes = UINT64_C(1) << 60; /* it does check for space */
    open_bad(ENOSPC, "cannot create test files", "are needed");
}

/* ---- cache state ---- */

static void test_cache_states(void **state)
{
    struct error err = ERROR_INIT;
    struct target *target;
    double share;

    place.request.file_bytes = 1 << 20;
    target = open_good();
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), 0);
    share = target_file.resident(target);
    assert_true(share < 0 || share > 0.99);
    assert_int_equal(target_file.prepare(target, CACHE_ASIS, TEST_WRITE, &err), 0);
    assert_int_equal(target_file.prepare(target, CACHE_UNCACHED, TEST_READ, &err), 0);
    share = target_file.resident(target);
    if (target->in_memory)
        assert_true(share < 0 || share > 0.99);
    else if (target->accounted)
        assert_true(share < 0.5);
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_WRITE, &err), 0);
    assert_int_equal(target_file.before_round(target, CACHE_CACHED, &err), 0);
    share = target_file.resident(target);
    assert_true(share < 0 || share > 0.99);
    assert_int_equal(target_file.before_round(target, CACHE_UNCACHED, &err), 0);
    if (target->accounted)
        assert_true(target_file.resident(target) < 0.5);
    place.stop = 15;
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), -1);
    assert_int_equal(err.status, STATUS_PARTIAL);
    close_good(target);
    assert_int_equal(entries(), 0);
}

static void test_probe_direct(void **state)
{
    struct error err = ERROR_INIT;
    struct target *target;

    place.request.file_bytes = 1 << 20;
    target = open_good();
    if (target_file.probe_direct(target, &err) == 0) {
        uint32_t align = target->direct_align_bytes;
        void *buffer = NULL;
        int fd = openat(target->dir_fd, target->name[0], O_RDONLY | OS_O_DIRECT);

        assert_true(align > 0 && (align & (align - 1)) == 0);
        assert_true(target->memory_align_bytes > 0);
        assert_int_equal(os_aligned(&buffer, 65536, 65536), 0);
        assert_int_equal(pread(fd, buffer, align, align), align); /* the promised alignment works */
        os_aligned_free(buffer);
        close(fd);
    } else {
        assert_int_equal(err.status, STATUS_TARGET);
        assert_non_null(strstr(err.advice, "--cache uncached"));
    }
    close_good(target);
}

static void test_vanished_object(void **state)
{
    struct error err = ERROR_INIT;
    struct target *target = open_good();

    assert_int_equal(unlinkat(target->dir_fd, "d1/f0", 0), 0);
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    assert_non_null(strstr(err.object, "iosweep-run/d1/f0"));
    err = ERROR_INIT;
    assert_int_equal(target_file.prepare(target, CACHE_UNCACHED, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    close_good(target);
    assert_int_equal(entries(), 0);
}

/* ---- existing files ---- */

static void test_open_flags(void **state)
{
    struct target user = {.noatime = true}, own = {.ours = true, .writable = true};
    struct target device = {.dir_fd = AT_FDCWD};
    struct workload work = {.target = &user, .test = TEST_READ};
    const int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

    assert_int_equal(file_open_flags(&work), O_RDONLY | OS_O_NOATIME | always);
    work.target = &device;
    assert_int_equal(file_open_flags(&work), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    work.target = &own;
    assert_int_equal(file_open_flags(&work), O_RDONLY | always);
    work.test = TEST_WRITE;
    work.cache = CACHE_DIRECT;
    work.sync = SYNC_DATA;
    assert_int_equal(file_open_flags(&work), O_WRONLY | OS_O_DIRECT | O_DSYNC | always);
    work.rmw = true;
    work.sync = SYNC_FULL;
    assert_int_equal(file_open_flags(&work), O_RDWR | OS_O_DIRECT | O_SYNC | always);
}

/* ---- existing trees ---- */

static void test_existing_tree(void **state)
{
    static const char *const names[] = {"b/deep/long", "a", "b/a"};
    static const uint64_t lengths[] = {9000, 300, 300};
    struct target *target;

    assert_int_equal(mkdirat(place.fd, "b", 0700), 0);
    assert_int_equal(mkdirat(place.fd, "b/deep", 0700), 0);
    assert_int_equal(mkdirat(place.fd, "iosweep-old", 0700), 0);
    write_file("b/a", 300);
    write_file("a", 300);
    write_file("b/deep/long", 9000);
    write_file("b/deep/empty", 0);
    write_file("iosweep-old/MANIFEST-1", 500);
    write_file("iosweep-old/f0", 20);
    assert_int_equal(mkfifoat(place.fd, "b/fifo", 0600), 0);
    assert_int_equal(symlinkat("../..", place.fd, "b/up"), 0);
    assert_int_equal(symlinkat("a", place.fd, "b/link"), 0);
    place.request.existing = true;
    open_bad(0, "only read", "--overwrite");
    place.request.writes = false;
    target = open_good();
    assert_int_equal(target->object_count, 3);
    assert_int_equal(target->total_bytes, 9600);
    assert_string_equal(target->place, place.path);
    assert_false(target->ours || target->writable);
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(target->name[i], names[i]);
        assert_int_equal(target->length_bytes[i], lengths[i]);
        assert_int_equal(faccessat(target->dir_fd, target->name[i], R_OK, 0), 0);
    }
    close_good(target);
    assert_int_equal(entries(), 12);
    place.request.target = below("iosweep-old");
    open_bad(0, "not a run of iosweep, or damaged", "move its files");
    place.request.target = place.path;
    place.stop = 2;
    {
        struct error err = ERROR_INIT;

        assert_int_equal(target_file.open(&place.request, &target, &err), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
    }
}

/* ---- drivers ---- */

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_same_target_twice),
        TEST(test_looking_for_files_stops),
        TEST(test_dry_run_touches_nothing),
        TEST(test_cache_states),
        TEST(test_probe_direct),
        TEST(test_vanished_object),
        cmocka_unit_test(test_open_flags),
        TEST(test_existing_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
