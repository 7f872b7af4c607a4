/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Restrictions of a plan by target and system: read-only targets, objects for each size, compatible
 * engines, open files. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <sys/resource.h>

#include "unit/fake_async.h"
#include "unit/plan_fixture.h"

static void what_is_not_ours_is_not_written(void **state)
{
    struct settings settings = defaults();
    struct plan plan;
    struct target *targets[1] = {&target};
    struct error err = ERROR_INIT;
    target.writable = false;
    plan = make(&settings);
    assert_int_equal(plan.part_count, 1);
    assert_false(writes(&plan));
    for (unsigned i = 0; i < plan.cell_count; i++)
        assert_int_equal(plan.cells[i].work.test, TEST_READ);
    plan_free(&plan);

    settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_WRITE}}};
    assert_int_equal(plan_make(&settings, NULL, targets, &plan, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
}

static uint32_t set_objects = 2;

/* A target with separate sets of objects for each size, and without a page cache. */
static const char *objects_of(const struct target *asked, enum io_test test, uint64_t size_bytes,
                              uint32_t *first, uint32_t *count)
{
    assert_ptr_equal(asked, &target);
    if (test == TEST_STAT && size_bytes > 512)
        return "beyond_file";
    *first = size_bytes == 512 ? 1 : 2;
    *count = set_objects;
    return NULL;
}

static void a_remote_store_says_which_objects(void **state)
{
    static const struct storage_driver driver = {
        .name = "far", .scheme = "far:", .objects = objects_of};
    static const struct engine engine = {.name = "far",
                                         .driver = "far",
                                         .tests =
                                             1u << TEST_READ | 1u << TEST_STAT | 1u << TEST_DELETE,
                                         .capabilities = ENGINE_DROPS_DATA};
    struct settings settings = defaults();
    struct plan plan;
    settings.min_bytes = 512;
    settings.max_bytes = 1024;
    settings.engines[0] = &engine;
    settings.tests = (struct steps){
        .count = 4,
        .step = {
            {.test = TEST_WRITE}, {.test = TEST_READ}, {.test = TEST_STAT}, {.test = TEST_DELETE}}};
    settings.caches = (struct option_choices){.count = 2, .index = {CACHE_CACHED, CACHE_DIRECT}};
    target.driver = &driver;
    settings.sync = SYNC_END; /* for file targets in the same run */
    settings.keep_open = true;
    target.writable = false; /* so nothing is deleted; and the engine cannot write */
    plan = make(&settings);
    assert_int_equal(plan.cell_count, 4);
    assert_int_equal(plan.part_count, 2);
    assert_false(writes(&plan));
    for (unsigned i = 0; i < plan.cell_count; i++) {
        const struct cell *cell = &plan.cells[i];
        assert_int_equal(cell->work.cache, CACHE_ASIS);
        assert_int_equal(cell->work.sync, SYNC_NONE);
        assert_false(cell->work.keep_open);
        assert_int_equal(cell->work.test, i < 2 ? TEST_READ : TEST_STAT);
        if (i == 3) {
            assert_string_equal(cell->skip, "beyond_file");
            assert_int_equal(cell->work.object_count, 0);
            continue;
        }
        assert_null(cell->skip);
        assert_int_equal(cell->work.object_first, i == 1 ? 2 : 1);
        assert_int_equal(cell->work.object_count, 2);
        assert_int_equal(cell->work.slot_bytes, 64); /* received data are discarded */
    }
    plan_free(&plan);
}

static void engines_need_their_kind_of_target(void **state)
{
    static const char *const nothing[] = {"null:"};
    struct settings settings = defaults();
    struct plan plan;
    struct error err = ERROR_INIT;
    settings.engines[0] = engine_table[0];
    target.driver = &target_null;
    settings.targets = nothing;
    assert_int_equal(plan_check(&settings, false, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.advice, "needs files"));
    /* Intended for another target: here the first suitable one is used. */
    plan = make(&settings);
    assert_string_equal(plan.cells[0].engine->name, "null");
    plan_free(&plan);
    settings.engine_count = 0;
    plan = make(&settings);
    assert_string_equal(plan.cells[0].engine->name, "null");
    plan_free(&plan);
    target.driver = &target_fake;
    plan = make(&settings);
    assert_ptr_equal(plan.cells[0].engine, engine_table[0]);
    plan_free(&plan);
}

/* Whether these settings need no more files than may be open. */
static void check_limit(const struct settings *settings, bool fits)
{
    struct target *targets[2] = {&target, &target};
    struct error err = ERROR_INIT;
    struct plan plan;

    assert_int_equal(plan_make(settings, NULL, targets, &plan, &err), fits ? 0 : -1);
    if (fits)
        plan_free(&plan);
    else
        assert_int_equal(err.status, STATUS_TARGET);
}

/* Files open at the same time in all threads, plus a reserve: exceeding the limit is refused. */
static void open_files_fit_the_limit(void **state)
{
    static const struct {
        const char *remark;
        bool keep_open;
        uint64_t depth, threads;
        bool fits;
    } rows[] = {
        {"opened and closed, one at a time", false, 1, 1000, true},
        {"kept open, few", true, 1, 4, true},
        {"kept open, each thread all of them", true, 1, 1000, false},
        {"one of many in flight", false, 64, 1, true},
        {"many in flight", false, 64, 64, false},
    };
    struct rlimit before, low = {256, 256};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    if (before.rlim_max < low.rlim_max)
        low = before;
    if (setrlimit(RLIMIT_NOFILE, &low) < 0) /* irreversible, also for the next test */
        skip_because("the limit of open files cannot be changed here");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct settings settings = defaults();
        uint64_t depth = rows[i].depth, threads = rows[i].threads;
        print_message("%s\n", rows[i].remark);
        settings.target_count = 1;
        settings.max_bytes = 2;
        settings.engines[0] = &engine_fake_ring;
        settings.keep_open = rows[i].keep_open;
        settings.depths = (struct units_list){.value = &depth, .count = 1};
        settings.threads = (struct units_list){.value = &threads, .count = 1};
        check_limit(&settings, rows[i].fits);
    }
}

/* Counts the connections to each server that each thread has used. */
static void connections_fit_the_limit(void **state)
{
    static const struct storage_driver driver = {
        .name = "far", .scheme = "far:", .capabilities = TARGET_REQUESTS, .objects = objects_of};
    static const struct engine engine = {.name = "far",
                                         .driver = "far",
                                         .tests = 1u << TEST_READ | 1u << TEST_LIST,
                                         .capabilities = ENGINE_DROPS_DATA};
    static const struct {
        const char *remark;
        uint32_t servers, objects;
        enum io_test test;
        uint64_t threads;
        bool fits;
    } rows[] = {
        {"many servers, few objects", 4000, 2, TEST_READ, 4, true},
        {"many servers, and objects for many of them", 4000, 60, TEST_READ, 4, false},
        {"many objects, few servers", 3, 60, TEST_READ, 8, true},
        {"a list has parts of all servers", 4000, 2, TEST_LIST, 4, false},
        {"nobody knows how many servers: by operations", 0, 60, TEST_READ, 8, true},
        {"... of many threads", 0, 60, TEST_READ, 12, false},
    };
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur > 256)
        skip_because("the limit of open files cannot be changed here");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct settings settings = defaults();
        uint64_t threads = rows[i].threads;
        print_message("%s\n", rows[i].remark);
        settings.min_bytes = settings.max_bytes = 512;
        settings.engines[0] = &engine;
        settings.tests = (struct steps){.count = 1, .step = {{.test = rows[i].test}}};
        settings.threads = (struct units_list){.value = &threads, .count = 1};
        target.driver = &driver;
        target.descriptors_thread = 14;
        target.servers = rows[i].servers;
        set_objects = rows[i].objects;
        check_limit(&settings, rows[i].fits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_ours_is_not_written),
        cmocka_unit_test(a_remote_store_says_which_objects),
        cmocka_unit_test(engines_need_their_kind_of_target),
        cmocka_unit_test(open_files_fit_the_limit),
        cmocka_unit_test(connections_fit_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
