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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/file.h"
#include "storage/storage.h"
#include "unit/store_place.h"

/* ---- the run's own files ---- */

static void test_own_tree(void **state)
{
    struct place *place = *state;
    struct target *target = open_good(place);
    struct stat st;

    assert_string_equal(target->label, place->path);
    assert_string_equal(target->place, below(place, "iosweep-run"));
    assert_string_equal(target->dir_path, target->place);
    assert_string_equal(target->description, "4 files of 10000 B in 2 directories");
    assert_int_equal(target->object_count, 4);
    assert_int_equal(target->total_bytes, 40000);
    assert_true(target->ours && target->writable && !target->noatime);
    assert_string_equal(target->notes, "");
    for (uint32_t i = 0; i < target->object_count; i++) {
        assert_int_equal(target->length_bytes[i], 10000);
        assert_int_equal(fstatat(target->dir_fd, target->name[i], &st, AT_SYMLINK_NOFOLLOW), 0);
        assert_int_equal(st.st_size, 10000);
    }
    close_good(target);
    assert_int_equal(entries(place), 0);
}

static void test_own_single_file(void **state)
{
    struct place *place = *state;
    struct target *target;

    place->request.single_file = true;
    target = open_good(place);
    assert_string_equal(target->description, "1 file of 10000 B");
    assert_int_equal(target->object_count, 1);
    assert_string_equal(target->name[0], "f0");
    close_good(target);
    assert_int_equal(entries(place), 0);
}

/* The same target twice in one run: two sets with different data. */
static void test_same_target_twice(void **state)
{
    struct place *place = *state;
    struct target *first = open_good(place), *second = open_good(place);
    char a[64], b[64];
    int fd;

    assert_string_equal(second->place, below(place, "iosweep-run.2"));
    fd = openat(first->dir_fd, "d0/f0", O_RDONLY);
    assert_int_equal(read(fd, a, sizeof(a)), sizeof(a));
    close(fd);
    fd = openat(second->dir_fd, "d0/f0", O_RDONLY);
    assert_int_equal(read(fd, b, sizeof(b)), sizeof(b));
    close(fd);
    assert_memory_not_equal(a, b, sizeof(a));
    close_good(first);
    assert_int_equal(entries(place), 9);
    close_good(second);
    assert_int_equal(entries(place), 0);
}

static void test_keep_and_clean(void **state)
{
    struct place *place = *state;
    const struct clean_request request = {.target = place->path, .stop = place->request.stop};
    struct error err = ERROR_INIT;
    struct clean_outcome outcome;

    place->request.keep = true;
    close_good(open_good(place));
    assert_int_equal(entries(place), 9);
    assert_int_equal(target_clean(&request, &outcome, &err), 0);
    assert_int_equal(outcome.runs, 1);
    assert_int_equal(entries(place), 0);
}

/* Looking for the files of a run ends when the run is to stop. */
static void test_looking_for_files_stops(void **state)
{
    struct place *place = *state;

    place->request.keep = true;
    close_good(open_good(place));
    place->stop = SIGINT;
    place->request.named = true;
    place->request.writes = false;
    for (unsigned way = 0; way < 3; way++) {
        struct error err = ERROR_INIT;
        struct target *target;

        place->request.existing = way > 0;
        place->request.reuse = way == 0;
        place->request.tests = 1u << (way == 2 ? TEST_DELETE : TEST_READ);
        assert_int_equal(target_file.open(&place->request, &target, &err), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
        assert_int_equal(err.errnum, EINTR);
        assert_int_equal(entries(place), 9);
    }
}

static void test_close_reports_foreign_file(void **state)
{
    struct place *place = *state;
    struct target *target = open_good(place);
    struct error err = ERROR_INIT;

    write_file(place, "iosweep-run/d1/mine", 3);
    assert_int_equal(target_file.close(target, &err), -1);
    assert_non_null(strstr(err.object, "iosweep-run/d1/mine"));
    assert_int_equal(target_file.close(NULL, &err), 0);
    assert_int_equal(entries(place), 5); /* the file, its two directories, the manifests */
}

static void test_dry_run_touches_nothing(void **state)
{
    struct place *place = *state;
    struct stat before, after;
    struct error err = ERROR_INIT;
    struct target *target;

    place->request.dry_run = true;
    assert_int_equal(fstat(place->fd, &before), 0);
    target = open_good(place);
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
    assert_int_equal(entries(place), 0);
    assert_int_equal(fstat(place->fd, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    place->request.file_bytes = UINT64_C(1) << 60; /* it does check for space */
    open_bad(place, ENOSPC, "cannot create test files", "are needed");
}

static void test_unwritable_directory(void **state)
{
    struct place *place = *state;

    if (geteuid() == 0)
        skip_because("root is not stopped by modes");
    assert_int_equal(fchmod(place->fd, 0500), 0);
    open_bad(place, EACCES, "cannot create test files", "-r");
    assert_int_equal(fchmod(place->fd, 0700), 0);
}

/* ---- cache state ---- */

static void test_cache_states(void **state)
{
    struct place *place = *state;
    struct error err = ERROR_INIT;
    struct target *target;
    double share;

    place->request.file_bytes = 1 << 20;
    target = open_good(place);
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
    place->stop = 15;
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), -1);
    assert_int_equal(err.status, STATUS_PARTIAL);
    close_good(target);
    assert_int_equal(entries(place), 0);
}

static void test_probe_direct(void **state)
{
    struct place *place = *state;
    struct error err = ERROR_INIT;
    struct target *target;

    place->request.file_bytes = 1 << 20;
    target = open_good(place);
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
    struct place *place = *state;
    struct error err = ERROR_INIT;
    struct target *target = open_good(place);

    assert_int_equal(unlinkat(target->dir_fd, "d1/f0", 0), 0);
    assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    assert_non_null(strstr(err.object, "iosweep-run/d1/f0"));
    err = ERROR_INIT;
    assert_int_equal(target_file.prepare(target, CACHE_UNCACHED, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    close_good(target);
    assert_int_equal(entries(place), 0);
}

/* ---- existing files ---- */

static void test_existing_file(void **state)
{
    struct place *place = *state;
    struct target *target;
    struct stat before, after;
    struct error err = ERROR_INIT;

    write_file(place, "data", 70000);
    assert_int_equal(symlinkat("data", place->fd, "link"), 0);
    assert_int_equal(fstatat(place->fd, "data", &before, 0), 0);
    for (int i = 0; i < 2; i++) { /* directly, and through a link: reading is permitted */
        place->request.target = below(place, i == 0 ? "data" : "link");
        place->request.writes = false;
        target = open_good(place);
        assert_int_equal(target->object_count, 1);
        assert_string_equal(target->name[0], "data");
        assert_string_equal(target->dir_path, place->path);
        assert_string_equal(target->description, "1 file of 70000 B");
        assert_int_equal(target->length_bytes[0], 70000);
        assert_false(target->ours || target->writable);
        assert_true(target->noatime == (OS_O_NOATIME != 0)); /* the test's user owns it */
        assert_int_equal(target_file.prepare(target, CACHE_CACHED, TEST_READ, &err), 0);
        assert_int_equal(target_file.prepare(target, CACHE_UNCACHED, TEST_READ, &err), 0);
        target_file.resident(target);
        target_file.probe_direct(target, &err);
        close_good(target);
    }
    assert_int_equal(fstatat(place->fd, "data", &after, 0), 0);
    if (OS_O_NOATIME)
        assert_memory_equal(&before.st_atim, &after.st_atim, sizeof(before.st_atim));
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
    assert_memory_equal(&before.st_ctim, &after.st_ctim, sizeof(before.st_ctim));
    assert_int_equal(before.st_size, after.st_size);
}

static void test_overwrite(void **state)
{
    struct place *place = *state;
    struct target *target;

    write_file(place, "data", 70000);
    assert_int_equal(symlinkat("data", place->fd, "link"), 0);
    place->request.target = below(place, "data");
    open_bad(place, 0, "only read", "--overwrite");
    place->request.overwrite = true;
    target = open_good(place);
    assert_true(target->writable && !target->ours);
    close_good(target);
    place->request.target = below(place, "link");
    open_bad(place, 0, "symbolic link", "/data");
    assert_int_equal(entries(place), 2);
}

static void test_open_flags(void **state)
{
    struct target user = {.noatime = true}, own = {.ours = true, .writable = true};
    struct target device = {.dir_fd = AT_FDCWD};
    struct workload work = {.target = &user, .test = TEST_READ};
    const int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

    (void)state;
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

static void test_unusable_targets(void **state)
{
    struct place *place = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), here = open(".", O_PATH | O_DIRECTORY);

    assert_int_equal(mkfifoat(place->fd, "fifo", 0600), 0);
    assert_int_equal(symlinkat("nowhere", place->fd, "dangling"), 0);
    assert_int_equal(symlinkat("loop", place->fd, "loop"), 0);
    write_file(place, "empty", 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "socket");
    assert_int_equal(fchdir(place->fd), 0); /* the path of a socket may be too long */
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(fchdir(here), 0);
    close(here);
    close(fd);

    for (int existing = 0; existing < 2; existing++) {
        place->request.existing = existing;
        place->request.writes = !existing;
        place->request.overwrite = !existing;
        place->request.target = below(place, "fifo");
        open_bad(place, 0, "FIFO", "regular file");
        place->request.target = below(place, "socket");
        open_bad(place, 0, "socket", "regular file");
        place->request.target = "/dev/null";
        open_bad(place, 0, "character device", "regular file");
        place->request.target = below(place, "dangling");
        open_bad(place, 0, "dangling", "point to");
        place->request.target = below(place, "loop");
        open_bad(place, ELOOP, "cannot use", "");
        place->request.target = below(place, "missing");
        open_bad(place, ENOENT, "cannot use", existing ? "name an existing" : "create");
        place->request.target = below(place, "empty/below");
        open_bad(place, ENOTDIR, "cannot use", "");
        place->request.target = below(place, "empty");
        open_bad(place, 0, existing ? "nothing to read" : "nothing to overwrite", "");
    }
    place->request.target = "gopher://example.org";
    open_bad(place, ENOENT, "cannot use", "help engines");
    assert_int_equal(entries(place), 5);
}

static void test_unwritten_is_noted(void **state)
{
    struct place *place = *state;
    struct target *target;
    int fd = openat(place->fd, "sparse", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool told = false;

    assert_int_equal(ftruncate(fd, 1 << 20), 0);
#ifdef SYSTEM_LINUX
    told = lseek(fd, 0, SEEK_DATA) < 0; /* ramfs reports all of it as data */
#endif
    close(fd);
    if (!told)
        skip_because("where a file has data is not known here");
    place->request.writes = false;
    place->request.target = below(place, "sparse");
    target = open_good(place);
    assert_string_equal(target->notes, "unwritten");
    assert_int_equal(target->extents.files, 1);
    assert_int_equal(target->extents.hole_bytes, 1 << 20);
    close_good(target);
    place->request.dry_run = true;
    target = open_good(place);
    assert_int_equal(target->extents.files, 0);
    close_good(target);
}

/* ---- existing trees ---- */

static void test_existing_tree(void **state)
{
    static const char *const names[] = {"b/deep/long", "a", "b/a", "iosweep-old/f0"};
    static const uint64_t lengths[] = {9000, 300, 300, 20};
    struct place *place = *state;
    struct target *target;

    assert_int_equal(mkdirat(place->fd, "b", 0700), 0);
    assert_int_equal(mkdirat(place->fd, "b/deep", 0700), 0);
    assert_int_equal(mkdirat(place->fd, "iosweep-old", 0700), 0);
    write_file(place, "b/a", 300);
    write_file(place, "a", 300);
    write_file(place, "b/deep/long", 9000);
    write_file(place, "b/deep/empty", 0);
    write_file(place, "iosweep-old/MANIFEST-1", 500);
    write_file(place, "iosweep-old/f0", 20);
    assert_int_equal(mkfifoat(place->fd, "b/fifo", 0600), 0);
    assert_int_equal(symlinkat("../..", place->fd, "b/up"), 0);
    assert_int_equal(symlinkat("a", place->fd, "b/link"), 0);
    place->request.existing = true;
    open_bad(place, 0, "only read", "--overwrite");
    place->request.writes = false;
    target = open_good(place);
    assert_int_equal(target->object_count, 4);
    assert_int_equal(target->total_bytes, 9620);
    assert_string_equal(target->place, place->path);
    assert_false(target->ours || target->writable);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(target->name[i], names[i]);
        assert_int_equal(target->length_bytes[i], lengths[i]);
        assert_int_equal(faccessat(target->dir_fd, target->name[i], R_OK, 0), 0);
    }
    close_good(target);
    assert_int_equal(entries(place), 12);
    place->request.target = below(place, "iosweep-old"); /* the manifest is not measured either */
    target = open_good(place);
    assert_int_equal(target->object_count, 1);
    assert_string_equal(target->description, "1 file of 20 B");
    close_good(target);
    place->stop = 2;
    {
        struct error err = ERROR_INIT;

        assert_int_equal(target_file.open(&place->request, &target, &err), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
    }
}

static void test_tree_without_data(void **state)
{
    struct place *place = *state;

    place->request.existing = true;
    place->request.writes = false;
    open_bad(place, 0, "no files", "without -r");
    write_file(place, "empty", 0);
    open_bad(place, 0, "only empty files", "without -r");
}

static void test_tree_with_unreadable_files(void **state)
{
    struct place *place = *state;
    struct target *target;

    if (geteuid() == 0)
        skip_because("root is not stopped by modes");
    place->request.existing = true;
    place->request.writes = false;
    write_file(place, "secret", 10);
    assert_int_equal(mkdirat(place->fd, "closed", 0), 0);
    assert_int_equal(fchmodat(place->fd, "secret", 0, 0), 0);
    open_bad(place, EACCES, "nothing can be read", "");
    write_file(place, "public", 10);
    target = open_good(place);
    assert_int_equal(target->object_count, 1);
    assert_string_equal(target->name[0], "public");
    close_good(target);
}

/* ---- drivers ---- */

static void test_driver_for(void **state)
{
    static const char *const files[] = {".", "/dev/sda", "null", "a:b", "s3:x", "", "/null:"};

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        assert_ptr_equal(storage_driver_for(files[i]), &target_file);
    assert_ptr_equal(storage_driver_for("null:"), &target_null);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_own_tree),
        TEST(test_own_single_file),
        TEST(test_same_target_twice),
        TEST(test_keep_and_clean),
        TEST(test_looking_for_files_stops),
        TEST(test_close_reports_foreign_file),
        TEST(test_dry_run_touches_nothing),
        TEST(test_unwritable_directory),
        TEST(test_cache_states),
        TEST(test_probe_direct),
        TEST(test_vanished_object),
        TEST(test_existing_file),
        TEST(test_overwrite),
        cmocka_unit_test(test_open_flags),
        TEST(test_unusable_targets),
        TEST(test_unwritten_is_noted),
        TEST(test_existing_tree),
        TEST(test_tree_without_data),
        TEST(test_tree_with_unreadable_files),
        cmocka_unit_test(test_driver_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
