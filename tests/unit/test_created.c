/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_created.c - the names made by test create, as a target of their own: all of them and nothing
 * else, whatever others have put beside them or in their place. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/fresh.h"
#include "unit/object_bench.h"
#include "unit/store_place.h"

static struct target *open_created(struct target *run, enum io_test test)
{
    struct target *created = NULL;
    struct error err = ERROR_INIT;

    must(run->driver->open_created(run, SIZE, test, &created, &err), &err);
    return created;
}

static void close_created(struct target *created)
{
    struct error err = ERROR_INIT;

    must(created->driver->close(created, &err), &err);
}

/* ---- files ---- */

static struct target *open_run(void)
{
    place.request.tests = 1u << TEST_CREATE;
    place.request.created = true;
    place.request.size_bytes = sizes;
    place.request.size_count = 1;
    place.request.threads = 2;
    return open_good();
}

static void make(const char *name, size_t size_bytes, mode_t mode)
{
    char path[64];

    snprintf(path, sizeof(path), "iosweep-run/" FRESH_DIRECTORY "/%s", name);
    write_file(path, size_bytes);
    assert_int_equal(fchmodat(place.fd, path, mode, 0), 0);
}

static void files_of_the_run_and_no_others(void **state)
{
    static const char *const own[] = {FRESH_DIRECTORY "/t0/n2", FRESH_DIRECTORY "/t0/n10",
                                      FRESH_DIRECTORY "/t1/n0"};
    struct target *run, *created;

    scratch_needs_links(place.fd);
    run = open_run();
    run->fresh[0].next = 12;
    run->fresh[1].next = 1;
    make("t0/n10", SIZE, 0600);
    make("t0/n2", SIZE, 0600);
    make("t1/n0", SIZE, 0600);
    make("t0/n3", SIZE - 1, 0600); /* truncated, or of another size */
    make("t0/n4", SIZE, 0644);     /* replaces one of the run's */
    make("t0/n05", SIZE, 0600);
    make("t0/m6", SIZE, 0600);
    make("t0/n12", SIZE, 0600); /* numbers that were not used */
    make("t1/n1", SIZE, 0600);
    make("t0/n7", SIZE, 0600);
    assert_int_equal(linkat(run->dir_fd, FRESH_DIRECTORY "/t0/n7", place.fd, "other", 0), 0);
    assert_int_equal(symlinkat("n2", run->dir_fd, FRESH_DIRECTORY "/t0/n8"), 0);
    assert_int_equal(mkfifoat(run->dir_fd, FRESH_DIRECTORY "/t0/n9", 0600), 0);
    assert_int_equal(mkdirat(run->dir_fd, FRESH_DIRECTORY "/t0/n11", 0700), 0);
    created = open_created(run, TEST_READ);
    assert_int_equal(created->object_count, 3);
    for (uint32_t i = 0; i < created->object_count; i++) {
        assert_string_equal(created->name[i], own[i]);
        assert_int_equal(created->length_bytes[i], SIZE);
    }
    close_created(created);
    assert_int_equal(faccessat(run->dir_fd, own[0], F_OK, 0), 0);
    assert_int_equal(target_file.close(run, &ERROR_INIT), -1); /* n4 and others stay */
}

static void no_files(void **state)
{
    struct target *run = open_run(), *created = open_created(run, TEST_DELETE);

    assert_int_equal(created->object_count, 0);
    close_created(created);
    close_good(run);
}

/* ---- objects ---- */

static void put_sized(struct bench *bench, const char *key, size_t size_bytes)
{
    const char data[SIZE + 1] = "x";

    assert_true(mem_store_put(bench->memory, key, mem_object_make(bench->memory, data, size_bytes),
                              false, NULL));
}

static void objects_of_the_run_and_no_others(void **state)
{
    struct bench *bench = bench_open(1u << TEST_CREATE, NULL);
    struct target *created;
    int errnum;

    bench->request.created = true;
    created = open_created(bench->target, TEST_READ);
    assert_int_equal(created->object_count, 0);
    close_created(created);
    slice_begin(bench, TEST_CREATE, 1);
    assert_int_equal(operate(bench, 3, &errnum), 3);
    slice_end(bench);
    put_sized(bench, "iosweep-run/create-100/000003", SIZE); /* a number that was not used */
    put_sized(bench, "iosweep-run/create-100/4294967297", SIZE);
    assert_true(mem_store_remove(bench->memory, "iosweep-run/create-100/000001"));
    put_sized(bench, "iosweep-run/create-100/000001", SIZE + 1);
    created = open_created(bench->target, TEST_READ);
    assert_int_equal(created->object_count, 2);
    assert_string_equal(created->name[0], "iosweep-run/create-100/000000");
    assert_string_equal(created->name[1], "iosweep-run/create-100/000002");
    close_created(created);
    assert_int_equal(mem_count(bench->memory, "iosweep-run/create-100/"), 5);
    assert_true(mem_store_remove(bench->memory, "iosweep-run/create-100/000001"));
    bench_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_of_the_run_and_no_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_files, set_up, tear_down),
        cmocka_unit_test(objects_of_the_run_and_no_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
