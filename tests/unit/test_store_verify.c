/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_store_verify.c - expected contents of a file target's objects (--verify): for which files
 * they are known, which are refused by name, and that wrong data are detected and reported. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os.h"
#include "storage/file/fileset.h"
#include "storage/storage.h"
#include "unit/store_place.h"

#define ANY TARGET_ANY_GENERATION

/* All bytes of an object must be of some generation, or of this one. */
static bool object_good(const struct target *target, uint32_t object, unsigned may,
                        struct target_mismatch *mismatch)
{
    const uint64_t size_bytes = target->length_bytes[object];
    char *data = malloc((size_t)size_bytes);
    bool good;

    assert_non_null(data);
    assert_int_equal(target_file.read_back(target, object, 0, size_bytes, false, data), size_bytes);
    good = target_file.check_content(target, object, 0, size_bytes, may, data, mismatch);
    free(data);
    return good;
}

static void all_good(const struct target *target)
{
    struct target_mismatch mismatch;

    assert_true(target->content_known);
    for (uint32_t i = 0; i < target->object_count; i++)
        assert_true(object_good(target, i, ANY, &mismatch));
}

static void write_at(int dir_fd, const char *name, uint64_t offset_bytes, const void *data,
                     size_t size_bytes)
{
    int fd = openat(dir_fd, name, O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, data, size_bytes, (off_t)offset_bytes), size_bytes);
    close(fd);
}

static void test_content_of_own(void **state)
{
    static const struct {
        uint64_t offset_bytes, size_bytes;
        uint32_t generation;
    } rows[] = {{0, 1, 1}, {3, 2, 2}, {4095, 3, 3}, {4000, 5000, 1}, {9999, 1, 0}, {0, 10000, 2}};
    struct target_mismatch mismatch;
    struct target *target;
    char data[10000], found[10000];

    place.request.verify = true;
    target = open_good();
    all_good(target);
    for (uint32_t i = 0; i < target->object_count; i++)
        assert_true(object_good(target, i, 1, &mismatch));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint64_t offset = rows[i].offset_bytes, size = rows[i].size_bytes;
        const uint32_t generation = rows[i].generation, object = (uint32_t)i % 4;

        target_file.make_content(target, object, offset, size, generation, data);
        write_at(target->dir_fd, target->name[object], offset, data, (size_t)size);
        assert_int_equal(target_file.read_back(target, object, offset, size, false, found), size);
        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
            assert_int_equal(
                target_file.check_content(target, object, offset, size, 1u << g, found, &mismatch),
                g == generation);
        all_good(target);
    }
    close_good(target);
    assert_int_equal(entries(), 0);
}

static void test_read_back(void **state)
{
    struct error err = ERROR_INIT;
    struct target *target;
    char data[4096];
    void *aligned = NULL;
    ssize_t got;
    int fd;

    scratch_needs_links(place.fd);
    place.request.verify = true;
    place.request.file_bytes = 65536 + 100;
    target = open_good();
    assert_int_equal(target_file.read_back(target, 0, 65536, 4096, false, data), 100); /* the end */
    assert_int_equal(target_file.read_back(target, 0, 1 << 20, 4096, false, data), 0);
    if (target_file.probe_direct(target, &err) == 0) {
        const uint32_t align = target->direct_align_bytes;
        struct target_mismatch mismatch;

        assert_int_equal(os_aligned(&aligned, 65536, 65536), 0);
        assert_int_equal(target_file.read_back(target, 3, align, align, true, aligned), align);
        assert_true(target_file.check_content(target, 3, align, align, 1, aligned, &mismatch));
        assert_int_equal(target_file.read_back(target, 3, 65536, 65536, true, aligned), 100);
        fd = openat(target->dir_fd, target->name[3], O_RDONLY | OS_O_DIRECT);
        got = pread(fd, (char *)aligned + 1, 1, 1);
        assert_int_equal(target_file.read_back(target, 3, 1, 1, true, (char *)aligned + 1),
                         got < 0 ? -errno : got);
        close(fd);
        os_aligned_free(aligned);
    } else {
        print_message("O_DIRECT is refused here\n");
    }
    assert_int_equal(unlinkat(target->dir_fd, "d1/f0", 0), 0);
    assert_int_equal(target_file.read_back(target, 2, 0, 1, false, data), -ENOENT);
    assert_int_equal(symlinkat("f1", target->dir_fd, "d1/f0"), 0); /* never through a link */
    assert_int_equal(target_file.read_back(target, 2, 0, 1, false, data), -ELOOP);
    assert_int_equal(unlinkat(target->dir_fd, "d1/f0", 0), 0);
    close_good(target);
}

/* Leaves files of a run, and requests verification of the place. */
static void keep_files(const char *run_name)
{
    place.request.keep = true;
    place.request.verify = true;
    place.request.existing = false;
    place.request.writes = true;
    place.request.run_name = run_name;
    place.request.target = place.path;
    close_good(open_good());
    place.request.existing = true;
    place.request.writes = false;
    place.request.seed = 4711; /* another run does not know this one's contents */
}

/* Keeps only the first one. */
static void remove_later_manifests(void)
{
    char name[64];

    for (unsigned i = 2; i < 10; i++) {
        snprintf(name, sizeof(name), "iosweep-run/MANIFEST-%u", i);
        (void)unlinkat(place.fd, name, 0);
    }
}

static void rewrite_manifest(const char *text)
{
    int fd = openat(place.fd, "iosweep-run/MANIFEST-1", O_WRONLY | O_TRUNC | O_CLOEXEC);

    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void test_kept_is_not_known(void **state)
{
    struct life_set set = {
        .kind = LIFE_TREE, .levels = 2, .width = 2, .size_bytes = 10000, .count = 4, .made = 4};
    const struct life_manifest manifest = {
        .storage = LIFE_FILES, .run_name = "run", .seed = 1, .set_count = 1, .set = &set};
    char *good = life_manifest_format(&manifest);

    keep_files("run");
    remove_later_manifests();
    rewrite_manifest("hello\n");
    open_bad(0, "damaged", "not valid");
    assert_int_equal(unlinkat(place.fd, "iosweep-run/MANIFEST-1", 0), 0);
    open_bad(0, "--verify", "a whole run");
    assert_int_equal(mkfifoat(place.fd, "iosweep-run/MANIFEST-1", 0600), 0);
    open_bad(0, "damaged", "");
    assert_int_equal(unlinkat(place.fd, "iosweep-run/MANIFEST-1", 0), 0);
    write_file("manifest of run", 1);
    write_at(place.fd, "manifest of run", 0, good, strlen(good));
    assert_int_equal(symlinkat("../manifest of run", place.fd, "iosweep-run/MANIFEST-1"), 0);
    place.request.target = below("iosweep-run");
    open_bad(0, "damaged", "");
    assert_int_equal(unlinkat(place.fd, "iosweep-run/MANIFEST-1", 0), 0);
    write_file("iosweep-run/MANIFEST-1", 1);
    rewrite_manifest(good);
    close_good(open_good()); /* without traces of all the failures above */
    free(good);
}

/* Overwritten data are checked against what was written, not against the previous content. */
static void test_content_of_overwritten(void **state)
{
    struct target_mismatch mismatch;
    struct target *one, *two;
    char a[100], b[100], found[100];

    write_file("one", 70000);
    write_file("two", 70000);
    place.request.overwrite = true;
    place.request.verify = true;
    place.request.target = below("one");
    one = open_good();
    place.request.target = below("two");
    two = open_good();
    assert_false(one->content_known || two->content_known);
    target_file.make_content(one, 0, 60001, sizeof(a), 1, a);
    target_file.make_content(two, 0, 60001, sizeof(b), 1, b);
    assert_memory_not_equal(a, b, 8);
    write_at(one->dir_fd, one->name[0], 60001, a, sizeof(a));
    assert_int_equal(target_file.read_back(one, 0, 60001, sizeof(a), false, found), sizeof(a));
    assert_true(target_file.check_content(one, 0, 60001, sizeof(a), 2, found, &mismatch));
    assert_false(target_file.check_content(one, 0, 60001, sizeof(a), 4, found, &mismatch));
    close_good(one);
    close_good(two);
    place.request.dry_run = true;
    close_good(open_good());
}

/* A link in place of a file is followed only where nothing could be written through it. */
static void test_read_back_through_links(void **state)
{
    struct target *target;
    char byte;

    write_file("elsewhere", 5000);
    write_file("mine", 5000);
    place.request.target = below("mine");
    for (int i = 0; i < 2; i++) { /* read only; overwritten: not the run's own, but writable */
        place.request.writes = place.request.overwrite = i == 1;
        target = open_good();
        assert_false(target->ours);
        assert_int_equal(target->writable, i == 1);
        assert_int_equal(unlinkat(place.fd, "mine", 0), 0);
        assert_int_equal(symlinkat("elsewhere", place.fd, "mine"), 0);
        assert_int_equal(target_file.read_back(target, 0, 0, 1, false, &byte), i == 1 ? -ELOOP : 1);
        assert_int_equal(unlinkat(place.fd, "mine", 0), 0);
        write_file("mine", 5000);
        close_good(target);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_content_of_own),          TEST(test_read_back),
        TEST(test_kept_is_not_known),       TEST(test_content_of_overwritten),
        TEST(test_read_back_through_links),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
