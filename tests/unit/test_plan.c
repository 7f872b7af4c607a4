/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* From settings to cells: sizes, order, alignment, skipped sizes, refused combinations. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "os/os.h"
#include "run/plan.h"
#include "unit/fake.h"
#include "unit/fake_async.h"
#include "unit/plan_fixture.h"

static void sizes_scan_exponentially(void **state)
{
    static const struct {
        const char *remark;
        uint64_t min, max, factor;
        size_t count;
        uint64_t last;
    } rows[] = {
        {"io_profile's", 2, 65536, 2, 16, 65536},
        {"512 to 1 MiB", 512, 1 << 20, 2, 12, 1 << 20},
        {"minimum no power of two", 3, 100, 2, 6, 96},
        {"one size", 4096, 4096, 2, 1, 4096},
        {"by four", 4, 4096, 4, 6, 4096},
        {"maximum not reached", 10, 99, 10, 1, 10},
        {"the longest that is moved at once", PLAN_IO_BYTES_MAX, PLAN_IO_BYTES_MAX, 2, 1,
         PLAN_IO_BYTES_MAX},
        {"no overflow at the top", UINT64_C(1) << 30, UINT64_C(0x7ffff000), 2, 1,
         UINT64_C(1) << 30},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct settings settings = defaults();
        struct units_list sizes;
        struct error err = ERROR_INIT;
        print_message("%s\n", rows[i].remark);
        settings.min_bytes = rows[i].min;
        settings.max_bytes = rows[i].max;
        settings.factor = rows[i].factor;
        assert_int_equal(plan_sizes(&settings, NULL, &sizes, &err), 0);
        assert_int_equal(sizes.count, rows[i].count);
        assert_int_equal(sizes.value[0], rows[i].min);
        assert_int_equal(sizes.value[sizes.count - 1], rows[i].last);
        for (size_t k = 1; k < sizes.count; k++)
            assert_int_equal(sizes.value[k], sizes.value[k - 1] * rows[i].factor);
        units_list_free(&sizes);
    }
}

/* Returns why these settings are refused. */
static const struct error *refused(const struct settings *settings)
{
    static struct error err;

    err = ERROR_INIT;
    assert_int_equal(plan_check(settings, true, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    return &err;
}

static void wrong_questions_are_refused(void **state)
{
    struct settings settings = defaults();
    struct error err = ERROR_INIT;
    struct units_list sizes;
    settings.min_bytes = settings.max_bytes = PLAN_IO_BYTES_MAX + 1;
    assert_int_equal(plan_sizes(&settings, NULL, &sizes, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);

    settings.min_bytes = 4096;
    settings.max_bytes = 512;
    refused(&settings);

    settings = defaults();
    settings.max_bytes = 8 << 20;
    refused(&settings);
    err = ERROR_INIT;
    assert_int_equal(plan_check(&settings, false, &err), 0); /* existing files may be longer */

    settings = defaults();
    settings.engines[0] = engine_find("stdio");
    settings.caches.index[0] = CACHE_DIRECT;
    assert_string_equal(refused(&settings)->object, OS_O_DIRECT ? "stdio" : "--cache direct");
    assert_true(refused(&settings)->advice[0] != '\0');

    settings = defaults();
    settings.align_bytes = 1000;
    refused(&settings);
}

/* cache, loop, step, repeat: each combination is a part, and each row refers to its own. */
static void steps_are_done_in_order(void **state)
{
    static const enum io_test order[] = {TEST_WRITE, TEST_READ, TEST_READ};
    struct settings settings = defaults();
    struct plan plan;
    settings.sizes = (struct units_list){.value = (uint64_t[]){4096, 1000}, .count = 2};
    settings.tests = (struct steps){.count = 3};
    for (unsigned i = 0; i < 3; i++)
        settings.tests.step[i].test = order[i];
    settings.loops = 2;
    settings.repeats = 4;
    settings.caches = (struct option_choices){.count = 2, .index = {CACHE_ASIS, CACHE_CACHED}};
    plan = make(&settings);
    assert_int_equal(plan.part_count, 2 * 2 * 3 * 4);
    assert_int_equal(plan.cell_count, 2 * plan.part_count);
    for (unsigned i = 0; i < plan.cell_count; i++) {
        const struct cell *cell = &plan.cells[i];
        assert_int_equal(cell->index, i);
        assert_int_equal(cell->part, i / 2);
        assert_int_equal(cell->repeat, i / 2 % 4 + 1);
        assert_int_equal(cell->step, i / 8 % 3 + 1);
        assert_int_equal(cell->loop, i / 24 % 2 + 1);
        assert_int_equal(cell->work.cache, i / 48 ? CACHE_CACHED : CACHE_ASIS);
        assert_int_equal(cell->work.test, order[cell->step - 1]);
    }
    plan_free(&plan);
}

static void depth_is_an_axis_for_engines_that_can(void **state)
{
    uint64_t depths[3] = {1, 8, 64};
    struct settings settings = defaults();
    struct error err = ERROR_INIT;
    struct plan plan;
    settings.sizes = (struct units_list){.value = (uint64_t[]){4096, 1000}, .count = 2};
    settings.depths = (struct units_list){.value = depths, .count = 3};
    settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};

    /* Alone, a synchronous engine is refused, with advice. */
    assert_non_null(strstr(refused(&settings)->object, "--depth 8"));
    assert_true(refused(&settings)->advice[0] != '\0');
    settings.engine_count = 0; /* the default engine is such an engine */
    refused(&settings);

    /* Together with another engine it is the reference at depth 1. */
    settings.engines[0] = &engine_fake;
    settings.engines[1] = &engine_fake_ring;
    settings.engine_count = 2;
    assert_int_equal(plan_check(&settings, true, &err), 0);
    plan = make(&settings);
    assert_int_equal(plan.cell_count, (1 + 3) * 2);
    for (unsigned i = 0; i < 8; i++) {
        const struct cell *cell = &plan.cells[i];
        assert_ptr_equal(cell->engine, i < 2 ? &engine_fake : &engine_fake_ring);
        assert_int_equal(cell->work.depth, i < 2 ? 1 : depths[(i - 2) / 2]);
        assert_int_equal(cell->work.size_bytes, i % 2 ? 1000 : 4096);
        /* Buffers of operations in flight share no cache line; a lone one needs no room. */
        assert_int_equal(cell->work.slot_bytes, i % 2 == 0              ? 4096
                                                : cell->work.depth == 1 ? 1000
                                                                        : 1024);
    }
    assert_int_equal(plan.depth_max, 64);
    assert_int_equal(plan.buffer_bytes_max, 64 * 4096);
    assert_int_equal(plan.scratch_bytes_max, 0);
    plan_free(&plan);

    /* ... but not if there is no depth for it, or too many for the other. */
    settings.depths.value = depths + 1;
    settings.depths.count = 2;
    refused(&settings);
    settings.engines[0] = &engine_fake_ring;
    settings.engine_count = 1;
    assert_int_equal(plan_check(&settings, true, &err), 0);
    depths[2] = 65;
    assert_non_null(strstr(refused(&settings)->advice, "64"));
}

static void small_direct_writes_need_scratch(void **state)
{
    uint64_t depth = 4;
    struct settings settings = defaults();
    struct plan plan;
    settings.engines[0] = &engine_fake_ring;
    settings.sizes = (struct units_list){.value = (uint64_t[]){8, 512}, .count = 2};
    settings.depths = (struct units_list){.value = &depth, .count = 1};
    settings.caches.index[0] = CACHE_DIRECT;
    plan = make(&settings);
    assert_true(plan.cells[0].work.rmw);
    assert_false(plan.cells[1].work.rmw);
    assert_int_equal(plan.scratch_bytes_max, 4 * 512);
    plan_free(&plan);
}

static void what_cannot_be_verified_is_refused(void **state)
{
    struct settings settings = defaults();
    struct error err = ERROR_INIT;
    struct target *targets = &target;
    struct plan plan;
    settings.verify = true;
    settings.engines[0] = engine_table[0];
    assert_int_equal(plan_check(&settings, true, &err), 0);
    settings.engines[0] = engine_find("null");
    refused(&settings);

    /* With a target without data, any engine: as with `null:` without --engine. */
    settings.engine_count = 0;
    assert_int_equal(plan_make(&settings, NULL, &targets, &plan, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    plan_free(&plan);
}

static bool looks_right(const struct target *s, uint64_t object, uint64_t offset_bytes,
                        uint64_t size_bytes, unsigned may, const void *data,
                        struct target_mismatch *mismatch)
{
    return true;
}

/* Of files with unknown content: no reads, and no blocks changed by concurrent operations. */
static void what_is_verified(void **state)
{
    static struct storage_driver driver;
    uint64_t depths[] = {1, 4}, sizes[] = {8, 512};
    for (int known = 0; known < 2; known++) {
        struct settings settings = defaults();
        struct plan plan;
        settings.verify = true;
        settings.engines[0] = &engine_fake_ring;
        settings.caches.index[0] = CACHE_DIRECT;
        settings.depths = (struct units_list){.value = depths, .count = 2};
        settings.sizes = (struct units_list){.value = sizes, .count = 2};
        driver = *target.driver;
        driver.check_content = looks_right;
        target.driver = &driver;
        target.content_known = known;
        plan = make(&settings);
        assert_int_equal(plan.cell_count, 8); /* writes, reads; depths; sizes */
        for (unsigned i = 0; i < 8; i++) {
            const bool rmw_of_many = plan.cells[i].work.rmw && plan.cells[i].work.depth > 1;
            assert_int_equal(plan.cells[i].verified, known || (i < 4 && !rmw_of_many));
        }
        plan_free(&plan);
    }
}

static void rows_are_in_the_documented_order(void **state)
{
    uint64_t threads[2] = {1, 4};
    struct settings settings = defaults();
    struct plan plan;
    unsigned i = 0;
    settings.min_bytes = 512;
    settings.max_bytes = 1024;
    settings.caches = (struct option_choices){.count = 2, .index = {CACHE_CACHED, CACHE_DIRECT}};
    settings.threads = (struct units_list){.value = threads, .count = 2};
    settings.engines[1] = &engine_fake_pread;
    settings.engine_count = 2;
    settings.target_count = 2;
    plan = make(&settings);
    assert_int_equal(plan.cell_count, 2 * 2 * 2 * 2 * 2 * 2);
    assert_int_equal(plan.part_count, 4);
    assert_int_equal(plan.threads_max, 4);
    assert_int_equal(plan.call_bytes_max, 4096); /* the minimum */
    assert_true(writes(&plan));
    for (unsigned cache = 0; cache < 2; cache++)
        for (unsigned test = 0; test < 2; test++)
            for (unsigned number = 0; number < 2; number++)
                for (unsigned engine = 0; engine < 2; engine++)
                    for (unsigned t = 0; t < 2; t++)
                        for (uint64_t size = 512; size <= 1024; size *= 2, i++) {
                            const struct cell *cell = &plan.cells[i];
                            assert_int_equal(cell->index, i);
                            assert_int_equal(cell->part, cache * 2 + test);
                            assert_int_equal(cell->work.cache, cache ? CACHE_DIRECT : CACHE_CACHED);
                            assert_int_equal(cell->work.test, test ? TEST_READ : TEST_WRITE);
                            assert_int_equal(cell->target, number);
                            assert_ptr_equal(cell->engine, settings.engines[engine]);
                            assert_int_equal(cell->threads, threads[t]);
                            assert_int_equal(cell->work.size_bytes, size);
                        }
    plan_free(&plan);
}

static void offsets_and_covering_blocks(void **state)
{
    static const struct {
        const char *remark;
        enum cache_mode cache;
        uint64_t size, align_asked, io_bytes, align;
    } rows[] = {
        {"cached: multiple of the size", CACHE_CACHED, 512, 0, 512, 512},
        {"cached: at most 4 KiB", CACHE_CACHED, 65536, 0, 65536, 4096},
        {"cached: power of two below the size", CACHE_CACHED, 1000, 0, 1000, 512},
        {"cached: one byte", CACHE_CACHED, 1, 0, 1, 1},
        {"the 2004 behaviour", CACHE_CACHED, 4096, 1, 4096, 1},
        {"asked for", CACHE_CACHED, 512, 65536, 512, 65536},
        {"direct: covered", CACHE_DIRECT, 2, 0, 512, 512},
        {"direct: never below what O_DIRECT needs", CACHE_DIRECT, 512, 1, 512, 512},
        {"direct: just above", CACHE_DIRECT, 513, 0, 1024, 1024},
        {"direct: large", CACHE_DIRECT, 65536, 0, 65536, 4096},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct settings settings = defaults();
        struct plan plan;
        print_message("%s\n", rows[i].remark);
        settings.min_bytes = settings.max_bytes = rows[i].size;
        settings.align_bytes = rows[i].align_asked;
        settings.caches.index[0] = rows[i].cache;
        plan = make(&settings);
        for (unsigned c = 0; c < plan.cell_count; c++) {
            const struct cell *cell = &plan.cells[c];
            assert_null(cell->skip);
            assert_int_equal(cell->work.size_bytes, rows[i].size);
            assert_int_equal(cell->work.io_bytes, rows[i].io_bytes);
            assert_int_equal(cell->align_bytes, rows[i].align);
            assert_int_equal(cell->work.rmw,
                             cell->work.test == TEST_WRITE && rows[i].io_bytes != rows[i].size);
        }
        plan_free(&plan);
    }
}

static void sizes_that_do_not_fit_are_rows_too(void **state)
{
    struct settings settings = defaults();
    struct plan plan;
    settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    settings.max_bytes = 4096;
    lengths[0] = 5000, lengths[1] = 1024, lengths[2] = 100, lengths[3] = 1;
    target.length_bytes = lengths;
    plan = make(&settings);
    assert_int_equal(plan.cell_count, 12);
    assert_int_equal(plan.cells[0].work.object_count, 3);  /* 2 bytes */
    assert_int_equal(plan.cells[6].work.object_count, 2);  /* 128 */
    assert_int_equal(plan.cells[10].work.object_count, 1); /* 2048 */
    assert_null(plan.cells[11].skip);
    plan_free(&plan);

    lengths[0] = 3000;
    plan = make(&settings);
    assert_string_equal(plan.cells[11].skip, "beyond_file");
    plan_free(&plan);

    settings = defaults();
    settings.caches.index[0] = CACHE_DIRECT;
    settings.small = SMALL_SKIP;
    plan = make(&settings);
    assert_string_equal(plan.cells[0].skip, "below_alignment");
    assert_null(plan.cells[8].skip); /* 512 */
    plan_free(&plan);
}

/* Before files exist only the blocks of O_DIRECT are unknown. */
static void what_no_row_can_do_is_refused_before_files_exist(void **state)
{
    static const struct {
        const char *remark;
        enum io_test test;
        enum cache_mode cache;
        uint64_t call_bytes;
        bool knows_pieces, refused;
    } rows[] = {
        {"a test that the engine does not know", TEST_CREATE, CACHE_DIRECT, 0, true, true},
        {"operations in flight, which are whole", TEST_READ, CACHE_DIRECT, 1024, false, true},
        {"the same through the cache", TEST_READ, CACHE_CACHED, 1024, false, true},
        {"blocks may be as small", TEST_READ, CACHE_DIRECT, 1024, true, false},
        {"no blocks are so", TEST_READ, CACHE_DIRECT, 1000, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct settings settings = defaults();
        struct target *targets[] = {&target};
        struct error err = ERROR_INIT;
        struct plan plan;
        print_message("%s\n", rows[i].remark);
        settings.tests = (struct steps){.count = 1, .step = {{.test = rows[i].test}}};
        settings.min_bytes = settings.max_bytes = 65536;
        settings.caches.index[0] = rows[i].cache;
        settings.call_bytes = rows[i].call_bytes;
        settings.engines[0] = rows[i].knows_pieces ? &engine_fake : &engine_fake_ring;
        target.direct_align_bytes = 4096;
        target.direct_assumed = true;
        assert_int_equal(plan_make(&settings, NULL, targets, &plan, &err),
                         rows[i].refused ? -1 : 0);
        assert_int_equal(err.status, rows[i].refused ? STATUS_USAGE : STATUS_OK);
        plan_free(&plan);
    }
}

/* Axis lines: cells of the same test and step share its rounds, and no cell occurs twice. */
static void lines_share_rounds(void **state)
{
    static uint64_t small[] = {512, 4096}, large[] = {4096}, two[] = {2};
    struct settings lines[3];
    struct plan plan;
    for (unsigned i = 0; i < 3; i++) {
        lines[i] = defaults();
        lines[i].sizes = (struct units_list){.value = small, .count = 2};
    }
    lines[1].sizes = (struct units_list){.value = large, .count = 1};
    lines[2].sizes = (struct units_list){.value = large, .count = 1};
    lines[2].threads = (struct units_list){.value = two, .count = 1};
    lines[2].tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    lines[0].next = &lines[1];
    lines[1].next = &lines[2];
    plan = make(lines);
    assert_int_equal(plan.part_count, 3);
    assert_int_equal(plan.cell_count, 5);
    assert_int_equal(plan.cells[0].work.test, TEST_WRITE);
    assert_int_equal(plan.cells[1].part, 0);
    assert_int_equal(plan.cells[1].work.size_bytes, 4096);
    assert_int_equal(plan.cells[2].work.test, TEST_READ); /* the first test of the third line */
    assert_int_equal(plan.cells[2].threads, 2);
    assert_int_equal(plan.cells[2].part, 1);
    assert_int_equal(plan.cells[3].part, 2);
    assert_int_equal(plan.cells[4].part, 2);
    assert_int_equal(plan.cells[4].threads, 1);
    assert_int_equal(plan.threads_max, 2);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_scan_exponentially),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(steps_are_done_in_order),
        cmocka_unit_test(depth_is_an_axis_for_engines_that_can),
        cmocka_unit_test(small_direct_writes_need_scratch),
        cmocka_unit_test(what_cannot_be_verified_is_refused),
        cmocka_unit_test(what_is_verified),
        cmocka_unit_test(rows_are_in_the_documented_order),
        cmocka_unit_test(offsets_and_covering_blocks),
        cmocka_unit_test(sizes_that_do_not_fit_are_rows_too),
        cmocka_unit_test(what_no_row_can_do_is_refused_before_files_exist),
        cmocka_unit_test(lines_share_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
