/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* A run's objects in a store are removed, and nothing else: on mem:, a store in memory with
 * scheduled failures. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "unit/object_bench.h"

static int remove_run(struct bench *bench, struct error *err)
{
    struct object_store *store = bench->store;

    return object_run_go_over(store->client, store->run_prefix, &store->manifest, store, true,
                              LIFE_REMOVE, &(struct life_tally){0}, err);
}

static void a_run_is_removed_and_nothing_else(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ | 1u << TEST_DELETE, NULL);
    struct error err = ERROR_INIT;
    int errnum;

    mem_put(bench->memory, "iosweep-ru", "x", 1);
    mem_put(bench->memory, "iosweep-run2/100/000000", "x", 1);
    slice_begin(bench, TEST_DELETE, 1);
    assert_int_equal(operate(bench, 3, &errnum), 3);
    slice_end(bench);
    slice_begin(bench, TEST_READ, 1);
    slice_end(bench);
    (void)mem_upload_begin(bench->memory, "iosweep-run/100/000000");
    must(remove_run(bench, &err), &err);
    assert_int_equal(mem_count(bench->memory, "iosweep-run/"), 0);
    assert_int_equal(mem_count(bench->memory, "iosweep-"), 2);
    bench->store->made = false; /* it is removed */
    object_heartbeat_stop(bench->store);
    bench_close(bench);
}

static void a_run_whose_manifest_is_gone_ends(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct error err = ERROR_INIT;

    assert_true(mem_store_remove(bench->memory, "iosweep-run/MANIFEST-1"));
    assert_int_equal(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_true(atomic_load(&bench->target->lost));
    assert_int_equal(atomic_load(&bench->store->service->budget), 0);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1); /* reports it again */
    assert_int_equal(err.errnum, ESTALE);
    free(bench);
}

/* ... and what it has written since is removed, even if it was not noticed before. */
static void what_a_lost_run_made_is_removed(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_store *store = bench->store;
    struct error err = ERROR_INIT;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    assert_true(mem_store_remove(bench->memory, "iosweep-run/MANIFEST-1"));
    assert_int_equal(object_run_end(store, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_int_equal(mem_count(bench->memory, ""), 0);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1);
    free(bench);
}

/* On other stores, a request that was not awaited could be executed later. */
static void nothing_appears_when_the_store_is_gone(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);

    atomic_store(&bench->store->service->dropped, 1);
    bench_close(bench);
}

/* Another process takes the run over. */
static void take_name(struct bench *bench)
{
    struct life_manifest other = bench->store->manifest;
    char *text;

    other.state.owner ^= 1;
    text = life_manifest_format(&other);
    mem_put(bench->memory, "iosweep-run/MANIFEST-9", text, strlen(text));
    free(text);
}

/* With another process's manifest a run removes nothing, and reports that. */
static void what_a_run_made_stays_where_its_name_is_taken(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_store *store = bench->store;
    struct error err = ERROR_INIT;
    unsigned objects;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    take_name(bench);
    objects = mem_count(bench->memory, "");
    assert_true(objects > 1);
    assert_int_equal(object_run_end(store, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_non_null(strstr(err.advice, "may be left"));
    assert_int_equal(mem_count(bench->memory, ""), objects);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1);
    free(bench);
}

static struct bench *listed_bench;

static int list_and_take_the_name(const struct object_answer *answer, struct object_page *page,
                                  object_visit visit, void *arg, struct error *err)
{
    take_name(listed_bench);
    return error_set(err, STATUS_TARGET, EPROTO, "cannot list", "it");
}

/* What could not be removed is left, also if the run is lost afterwards. */
static void what_is_left_is_told_when_the_name_is_taken_then(void **state)
{
    struct object_protocol failing = mem_protocol;
    struct error err = ERROR_INIT;

    listed_bench = bench_open(1u << TEST_READ, NULL);
    must(target_mem.prepare(listed_bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    failing.list = list_and_take_the_name;
    listed_bench->store->service->protocol = &failing;
    assert_int_equal(target_mem.close(listed_bench->target, &err), -1);
    assert_string_equal(err.action, "objects are left in");
    free(listed_bench);
}

/* A first manifest whose put was dropped is removed when it is there; else it may still come. */
static void a_first_manifest_is_taken_back(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);

    object_heartbeat_stop(bench->store);
    assert_int_equal(mem_count(bench->memory, ""), 1);
    assert_true(object_run_take_back(bench->store));
    assert_int_equal(mem_count(bench->memory, ""), 0);
    assert_false(object_run_take_back(bench->store));
    bench->store->made = false;
    bench_close(bench);
}

/* ---- endless lists ---- */

static uint64_t listed_pages, listed_keys; /* so far; per page */

static int list_without_end(const struct object_answer *answer, struct object_page *page,
                            object_visit visit, void *arg, struct error *err)
{
    *page = (struct object_page){.keys = listed_keys, .first = ++listed_pages, .more = true};
    (void)snprintf(page->token, sizeof(page->token), "%u", (unsigned)listed_pages);
    return 0;
}

/* New names on each page: a list longer than any run is rejected. */
static void an_endless_list_is_given_up(void **state)
{
    static const struct {
        uint64_t keys, pages;
    } rows[] = {{1000000, 11}, {1, 100001}};
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_service *service = bench->store->service;
    struct object_protocol endless = mem_protocol;

    endless.list = list_without_end;
    service->protocol = &endless;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct object_client *client;
        struct error err = ERROR_INIT;
        listed_pages = 0;
        listed_keys = rows[i].keys;
        must(object_client_create(service, &go_on, &client, &err), &err);
        assert_int_equal(object_client_list(client, "", NULL, NULL, NULL, &err), -1);
        assert_non_null(strstr(err.reason, "does not end"));
        assert_int_equal(listed_pages, rows[i].pages);
        object_client_destroy(client);
    }
    service->protocol = &mem_protocol;
    bench_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_removed_and_nothing_else),
        cmocka_unit_test(a_run_whose_manifest_is_gone_ends),
        cmocka_unit_test(what_a_lost_run_made_is_removed),
        cmocka_unit_test(nothing_appears_when_the_store_is_gone),
        cmocka_unit_test(what_a_run_made_stays_where_its_name_is_taken),
        cmocka_unit_test(what_is_left_is_told_when_the_name_is_taken_then),
        cmocka_unit_test(a_first_manifest_is_taken_back),
        cmocka_unit_test(an_endless_list_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
