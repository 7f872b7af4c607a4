/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_join.c - joining a run that another rank of a team has made and holds: all of its files and
 * objects can be used, with known contents, and nothing is removed, marked or created. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/os.h"
#include "storage/file/driver.h"
#include "unit/object_bench.h"
#include "unit/store_place.h"

/* ---- files ---- */

static struct target_request request; /* of the rank that joins */
static struct target *own, *joined;

static void ask_to_join(bool shared)
{
    request = place.request;
    request.joins = true;
    request.shared = shared;
    request.writes = false;
}

static struct target *join(void)
{
    struct error err = ERROR_INIT;
    struct target *target = NULL;

    must(target_file.open(&request, &target, &err), &err);
    return target;
}

static void refuse(const char *words)
{
    struct error err = ERROR_INIT;
    struct target *target = NULL;

    assert_int_equal(target_file.open(&request, &target, &err), -1);
    assert_null(target);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.action, words));
}

static bool holds(const struct target *target, uint32_t object, unsigned may)
{
    const uint64_t size_bytes = target->length_bytes[object];
    struct target_mismatch mismatch;
    char *data = malloc((size_t)size_bytes);
    bool right;

    assert_int_equal(target_file.read_back(target, object, 0, size_bytes, false, data), size_bytes);
    right = target_file.check_content(target, object, 0, size_bytes, may, data, &mismatch);
    free(data);
    return right;
}

static void write_object(const struct target *target, uint32_t object, uint32_t generation)
{
    char data[100];
    const int fd = openat(target->dir_fd, target->name[object], O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    target_file.make_content(target, object, 200, sizeof(data), generation, data);
    assert_int_equal(pwrite(fd, data, sizeof(data), 200), sizeof(data));
    close(fd);
}

/* Whether a run is locked, as clean would check. */
static bool is_held(const struct target *target)
{
    const int fd = open(target->dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool held = os_lock(fd, true) == -EWOULDBLOCK;

    close(fd);
    return held;
}

static void files_that_another_rank_holds(void **state)
{
    uint64_t there;

    place.request.verify = true;
    own = open_good();
    there = entries();
    ask_to_join(true);
    joined = join();
    assert_int_equal(joined->object_count, 4);
    assert_int_equal(joined->total_bytes, 40000);
    assert_true(joined->writable && joined->content_known);
    assert_false(joined->ours);
    for (uint32_t i = 0; i < joined->object_count; i++) {
        assert_string_equal(joined->name[i], own->name[i]);
        assert_int_equal(joined->length_bytes[i], 10000);
        assert_true(holds(joined, i, 1));
    }
    write_object(joined, 3, 2); /* each rank knows what the other writes */
    assert_true(holds(own, 3, TARGET_ANY_GENERATION));
    assert_false(holds(own, 3, 1));
    assert_int_equal(target_file.guard(joined, 0, 4, &ERROR_INIT), 0);
    close_good(joined);
    assert_int_equal(entries(), there);
    assert_true(is_held(own));
    close_good(own);
    assert_int_equal(entries(), 0);
}

static void one_file(void **state)
{
    place.request.single_file = true;
    own = open_good();
    ask_to_join(false);
    joined = join();
    assert_int_equal(joined->object_count, 1);
    assert_string_equal(joined->name[0], own->name[0]);
    assert_false(joined->writable); /* the next rank's run is only read */
    close_good(joined);
    close_good(own);
}

/* A run cut short by --max-time has less than its layout specifies. */
static void as_many_as_were_made(void **state)
{
    place.request.fill_ns = 1;
    own = open_good();
    assert_true(own->object_count < 4);
    ask_to_join(false);
    joined = join();
    assert_int_equal(joined->object_count, own->object_count);
    for (uint32_t i = 0; i < own->object_count; i++)
        assert_int_equal(joined->length_bytes[i], own->length_bytes[i]);
    close_good(joined);
    close_good(own);
}

static void what_is_not_as_it_was_made(void **state)
{
    ask_to_join(true);

    scratch_needs_links(place.fd);
    refuse("missing");
    own = open_good();
    assert_int_equal(renameat(own->dir_fd, own->name[1], place.fd, "aside"), 0);
    refuse("changed since another rank");
    assert_int_equal(symlinkat("../aside", own->dir_fd, own->name[1]), 0);
    refuse("changed since another rank");
    assert_int_equal(unlinkat(own->dir_fd, own->name[1], 0), 0);
    assert_int_equal(renameat(place.fd, "aside", own->dir_fd, own->name[1]), 0);
    close_good(join());
    close_good(own);
    assert_int_equal(entries(), 0);
}

/* In a dry run it does not exist yet, and several ranks look at once. */
static void looks_before_it_is_made(void **state)
{
    ask_to_join(true);
    request.dry_run = true;
    close_good(join());
    assert_int_equal(entries(), 0);
}

static void a_kept_run_that_is_written_over(void **state)
{
    place.request.keep = place.request.named = place.request.verify = true;
    close_good(open_good());
    place.request.reuse = true;
    ask_to_join(true);
    own = open_good();
    assert_int_equal(unlinkat(own->dir_fd, own->name[2], 0), 0);
    refuse("gone"); /* --verify requires all of them */
    request.verify = false;
    joined = join();
    assert_int_equal(joined->object_count, 3);
    assert_true(joined->writable);
    close_good(joined);
    request.dry_run = true;
    close_good(join());
    assert_true(is_held(own));
    close_good(own);
}

/* The previous rank on the same host prepares the cache, perhaps at the same time. */
static void who_follows_leaves_the_cache_alone(void **state)
{
    struct error err = ERROR_INIT;

    own = open_good();
    ask_to_join(true);
    request.follows = true;
    joined = join();
    must(target_file.prepare(own, CACHE_CACHED, TEST_READ, &err), &err);
    if (target_file.resident(own) < 0.9) { /* not reported by this file system */
        close_good(joined);
        close_good(own);
        skip_because("nothing tells what is in the page cache");
    }
    must(target_file.prepare(joined, CACHE_DIRECT, TEST_READ, &err), &err);
    must(target_file.before_round(joined, CACHE_UNCACHED, &err), &err);
    assert_true(target_file.resident(own) > 0.9);
    request.follows = false;
    must(target_file.before_round(joined, CACHE_UNCACHED, &err), &err);
    assert_true(own->in_memory || target_file.resident(own) < 0.5);
    close_good(joined);
    close_good(own);
}

/* ---- objects ---- */

#define READS (1u << TEST_WRITE | 1u << TEST_READ)

/* A second rank with the first one's store. */
static struct object_store *object_rank(const struct bench *bench)
{
    struct object_store *store = mem_calloc(1, sizeof(*store));
    struct error err = ERROR_INIT;

    request = bench->request;
    request.joins = true;
    store->target.driver = &target_mem;
    store->target.request = &request;
    store->target.place = mem_strdup("mem:iosweep-run");
    store->target.dir_fd = -1;
    store->service = bench->store->service;
    store->run_prefix = mem_strdup("iosweep-run/");
    pthread_mutex_init(&store->reader_lock, NULL);
    life_heart_init(&store->heart, &store->manifest, &store->target.lost, &object_life, store);
    must(object_client_create(store->service, &go_on, &store->client, &err), &err);
    return store;
}

static void end_rank(struct object_store *store)
{
    store->service = NULL; /* owned by the other rank */
    object_store_free(store);
}

static void objects_that_another_rank_holds(void **state)
{
    struct bench *bench = bench_open(READS, NULL);
    struct object_store *store;
    struct error err = ERROR_INIT;
    unsigned made;
    int errnum;

    own = bench->target;
    store = object_rank(bench);
    joined = &store->target;
    request.shared = true;
    must(object_join_open(store, &err), &err);
    assert_int_equal(joined->object_count, own->object_count);
    for (uint32_t i = 0; i < joined->object_count; i++)
        assert_string_equal(joined->name[i], own->name[i]);
    assert_true(joined->writable && joined->content_known);
    assert_false(joined->ours || store->made || store->heart.beats);
    /* its owner fills it */
    must(target_mem.prepare(joined, CACHE_ASIS, TEST_READ, &err), &err);
    assert_int_equal(mem_count(bench->memory, "iosweep-run/100/"), 0);
    must(target_mem.prepare(own, CACHE_ASIS, TEST_READ, &err), &err);
    made = mem_count(bench->memory, "iosweep-run/100/");
    assert_int_equal(made, OBJECTS);
    bench->target = joined;
    slice_begin(bench, TEST_READ, 1);
    assert_int_equal(operate(bench, 2 * OBJECTS, &errnum), 2 * OBJECTS);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        char data[SIZE];
        struct target_mismatch mismatch;
        assert_int_equal(target_mem.read_back(joined, i, 0, SIZE, false, data), SIZE);
        assert_true(target_mem.check_content(joined, i, 0, SIZE, 1, data, &mismatch));
    }
    slice_end(bench);
    slice_begin(bench, TEST_WRITE, 1);
    assert_int_equal(operate(bench, OBJECTS, &errnum), OBJECTS);
    slice_end(bench);
    bench->target = own;
    assert_int_equal(mem_count(bench->memory, "iosweep-run/100/"), OBJECTS);
    end_rank(store);
    assert_int_equal(mem_count(bench->memory, "iosweep-run/"), OBJECTS + 2);
    bench_close(bench); /* removes everything, including the other rank's writes */
}

static void objects_that_are_not_there(void **state)
{
    struct bench *bench = bench_open(READS, NULL);
    struct object_store *store = object_rank(bench);
    struct error err = ERROR_INIT;

    free(store->run_prefix);
    store->run_prefix = mem_strdup("iosweep-other/");
    assert_int_equal(object_join_open(store, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.action, "missing"));
    end_rank(store);
    bench_close(bench);
}

/* Concurrent writes to one object would fail there. */
static void objects_that_take_one_write_at_a_time(void **state)
{
    struct bench *bench = bench_open(READS, NULL);
    struct object_store *store = object_rank(bench);
    struct error err = ERROR_INIT;

    bench->store->service->exclusive = true;
    request.shared = true;
    assert_int_equal(object_join_open(store, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    end_rank(store);
    store = object_rank(bench); /* read only */
    err = ERROR_INIT;
    must(object_join_open(store, &err), &err);
    end_rank(store);
    bench->store->service->exclusive = false;
    bench_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_that_another_rank_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(as_many_as_were_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_as_it_was_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looks_before_it_is_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kept_run_that_is_written_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_follows_leaves_the_cache_alone, set_up, tear_down),
        cmocka_unit_test(objects_that_another_rank_holds),
        cmocka_unit_test(objects_that_are_not_there),
        cmocka_unit_test(objects_that_take_one_write_at_a_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
