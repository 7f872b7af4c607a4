/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Sequential places: none twice, none left out, none beyond the end of its object. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "run/order.h"

#define BYTES_MOST 4096u

static uint64_t lengths[] = {1000, 1000, 999, 100, 20, 10};
static struct target target = {.length_bytes = lengths};
static unsigned visits[6][BYTES_MOST]; /* of the offset */

static struct cell cell_of(enum access_mode access, uint32_t first, uint32_t count, uint64_t size,
                           uint64_t align, uint32_t threads)
{
    memset(visits, 0, sizeof(visits));
    return (struct cell){.threads = threads,
                         .align_bytes = align,
                         .work = {.target = &target,
                                  .test = TEST_READ,
                                  .access = access,
                                  .size_bytes = size,
                                  .io_bytes = size,
                                  .object_first = first,
                                  .object_count = count}};
}

static void visit(struct cursor *cursor, uint64_t n)
{
    while (n-- > 0) {
        uint64_t offset = 0;
        const uint32_t object = cursor_next(cursor, &offset);
        visits[object][offset]++;
    }
}

/* Each place was visited this often, and no other. */
static void expect_visits(const struct cell *cell, unsigned times)
{
    const uint64_t step = order_step(cell->work.io_bytes, cell->align_bytes);

    for (uint32_t i = 0; i < 6; i++)
        for (uint64_t at = 0; at < BYTES_MOST; at++) {
            const bool place = i < cell->work.object_count && at % step == 0 &&
                               at + cell->work.io_bytes <= lengths[cell->work.object_first + i];
            assert_int_equal(visits[i][at], place ? times : 0);
        }
}

static void all_that_fits_is_a_place(void **state)
{
    struct cell cell = cell_of(ACCESS_ONCE, 0, 6, 10, 1, 1);
    assert_int_equal(order_places(&cell), 100 + 100 + 99 + 10 + 2 + 1);
    cell = cell_of(ACCESS_ONCE, 0, 4, 100, 64, 1);
    assert_int_equal(order_step(100, 64), 128);
    assert_int_equal(order_places(&cell), 8 + 8 + 8 + 1); /* the one at 896 ends at 996 */
    cell = cell_of(ACCESS_ONCE, 0, 6, 1001, 1, 1);        /* --allow-short */
    assert_int_equal(order_places(&cell), 6);
    cell = cell_of(ACCESS_ONCE, 0, 6, 10, 1, 1);
    cell.work.test = TEST_STAT;
    assert_int_equal(order_places(&cell), 6);
    cell = cell_of(ACCESS_RANDOM, 0, 6, 10, 1, 1);
    assert_null(order_make(&cell));
}

static void a_thread_goes_round(void **state)
{
    struct cell cell = cell_of(ACCESS_SEQUENTIAL, 0, 6, 10, 1, 1);
    struct order *order = order_make(&cell);
    uint64_t before = 0;
    for (unsigned i = 0; i < 100; i++) {
        uint64_t offset = 0;
        assert_int_equal(cursor_next(&order->cursor[0], &offset), 0);
        assert_int_equal(offset, i ? before + 10 : 0);
        before = offset;
    }
    free(order);
    order = order_make(&cell);
    visit(&order->cursor[0], 3 * 312);
    expect_visits(&cell, 3);
    free(order);
}

static void threads_have_equal_parts(void **state)
{
    static const uint32_t threads[] = {2, 3, 7, 312};
    for (size_t t = 0; t < 4; t++) {
        struct cell cell = cell_of(ACCESS_SEQUENTIAL, 0, 6, 10, 1, threads[t]);
        struct order *order = order_make(&cell);
        for (uint32_t i = 0; i < threads[t]; i++) {
            const struct cursor *cursor = &order->cursor[i];
            const uint64_t part = cursor->end - cursor->begin;
            assert_true(part == 312 / threads[t] || part == 312 / threads[t] + 1);
            visit(&order->cursor[i], 2 * part);
        }
        expect_visits(&cell, 2);
        free(order);
    }
}

/* More threads than places: each has one, and all are visited. */
static void threads_can_share_places(void **state)
{
    struct cell cell = cell_of(ACCESS_SEQUENTIAL, 4, 2, 10, 1, 8);
    struct order *order = order_make(&cell);
    assert_int_equal(order->places, 3);
    for (uint32_t i = 0; i < 8; i++) {
        visit(&order->cursor[i], 5);
        assert_int_equal(order->cursor[i].end - order->cursor[i].begin, 1);
    }
    assert_true(visits[0][0] > 0 && visits[0][10] > 0 && visits[1][0] > 0);
    assert_int_equal(visits[0][0] + visits[0][10] + visits[1][0], 40);
    free(order);
}

/* Threads take ranges of different lengths in turn, and stop inside some of them. */
static void once_is_once(void **state)
{
    static const uint64_t sizes[] = {10, 7, 20, 100};
    static const uint32_t counts[] = {6, 6, 5, 4};
    for (size_t s = 0; s < 4; s++)
        for (uint32_t threads = 1; threads < 5; threads++) {
            struct cell cell = cell_of(ACCESS_ONCE, 0, counts[s], sizes[s], 1, threads);
            struct order *order = order_make(&cell);
            uint64_t all = 0, turn = 0, idle = 0;
            while (idle < threads) {
                struct cursor *cursor = &order->cursor[turn % threads];
                const uint64_t n = order_take(order, cursor, 1 + turn * 7 % 13);
                const uint64_t done = turn % 3 && n > 1 ? n / 2 : n;
                visit(cursor, done);
                all += done;
                idle = n ? 0 : idle + 1;
                turn++;
            }
            assert_int_equal(all, order_places(&cell));
            expect_visits(&cell, 1);
            for (uint32_t i = 0; i < threads; i++)
                assert_int_equal(order_take(order, &order->cursor[i], 5), 0);
            free(order);
        }
}

/* A thread gets back what it left over, even if no more may be taken. */
static void what_is_left_over_comes_first(void **state)
{
    struct cell cell = cell_of(ACCESS_ONCE, 0, 2, 100, 1, 2);
    struct order *order = order_make(&cell);
    assert_int_equal(order_take(order, &order->cursor[0], 0), 0);
    assert_int_equal(order_take(order, &order->cursor[0], 8), 8);
    visit(&order->cursor[0], 3);
    assert_int_equal(order_take(order, &order->cursor[0], 0), 5);
    assert_int_equal(order_take(order, &order->cursor[0], 2), 5);
    assert_int_equal(order_take(order, &order->cursor[1], 100), 12);
    visit(&order->cursor[1], 12);
    visit(&order->cursor[0], 5);
    expect_visits(&cell, 1);
    free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_fits_is_a_place),
        cmocka_unit_test(a_thread_goes_round),
        cmocka_unit_test(threads_have_equal_parts),
        cmocka_unit_test(threads_can_share_places),
        cmocka_unit_test(once_is_once),
        cmocka_unit_test(what_is_left_over_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
