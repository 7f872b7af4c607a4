/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* order.c - see order.h. */
#include "base/compat.h"

#include "run/order.h"

#include "base/mem.h"

uint64_t order_step(uint64_t io_bytes, uint64_t align_bytes)
{
    return align_bytes > 1 ? (io_bytes + align_bytes - 1) / align_bytes * align_bytes : io_bytes;
}

static uint64_t places_in(uint64_t length_bytes, uint64_t io_bytes, uint64_t step_bytes)
{
    return length_bytes < io_bytes ? 0 : (length_bytes - io_bytes) / step_bytes + 1;
}

static uint64_t places_of(const struct order *order, uint32_t object)
{
    return order->uniform
               ? order->each
               : places_in(order->length_bytes[object], order->io_bytes, order->step_bytes);
}

static const uint64_t *lengths_of(const struct workload *work)
{
    return work->target->length_bytes + work->object_first;
}

/* Whether each object is one place: no data are moved, or all are shorter than an operation
 * (--allow-short). */
static bool from_start(const struct workload *work)
{
    return !test_moves_data(work->test) || lengths_of(work)[0] < work->io_bytes;
}

uint64_t order_places(const struct cell *cell)
{
    const struct workload *work = &cell->work;
    const uint64_t *length_bytes = lengths_of(work);
    const uint64_t step_bytes = order_step(work->io_bytes, cell->align_bytes);
    uint64_t places = 0;

    if (from_start(work))
        return work->object_count;
    for (uint32_t i = 0; i < work->object_count; i++)
        places += places_in(length_bytes[i], work->io_bytes, step_bytes);
    return places;
}

/* Sets the end: the last place in the object or in the range. */
static void aim(struct cursor *cursor)
{
    const uint64_t inside = places_of(cursor->order, cursor->object),
                   left = cursor->end - cursor->base;

    cursor->stop = cursor->base + (inside < left ? inside : left);
    cursor->end_bytes = (cursor->stop - cursor->base) * cursor->step_bytes;
}

/* Ranges are ascending: if lengths differ, searches forward from the cursor's position. */
static void seek(struct cursor *cursor, uint64_t place)
{
    const struct order *order = cursor->order;

    if (order->uniform) {
        cursor->object = (uint32_t)(place / order->each);
        cursor->base = cursor->object * order->each;
    } else if (place < cursor->base) {
        cursor->object = 0;
        cursor->base = 0;
    }
    while (place - cursor->base >= places_of(order, cursor->object))
        cursor->base += places_of(order, cursor->object++);
    cursor->next_bytes = (place - cursor->base) * cursor->step_bytes;
    aim(cursor);
}

void cursor_move(struct cursor *cursor)
{
    if (cursor->stop == cursor->end) {
        seek(cursor, cursor->begin);
        return;
    }
    cursor->base = cursor->stop;
    cursor->object++;
    cursor->next_bytes = 0;
    aim(cursor);
}

/* Assigns an equal part of all places; with fewer places than threads some share one. */
static void give_part(struct cursor *cursor, uint32_t thread)
{
    const struct order *order = cursor->order;
    const uint64_t each = order->places / order->threads, rest = order->places % order->threads;

    cursor->begin = each * thread + rest * thread / order->threads;
    cursor->end = each * (thread + 1) + rest * (thread + 1) / order->threads;
    if (cursor->end == cursor->begin)
        cursor->end++;
    seek(cursor, cursor->begin);
}

struct order *order_make(const struct cell *cell)
{
    const struct workload *work = &cell->work;
    const uint64_t *length_bytes = lengths_of(work);
    struct order *order;

    if (work->access == ACCESS_RANDOM || cell->skip)
        return NULL;
    order = mem_calloc(1, sizeof(*order) + cell->threads * sizeof(order->cursor[0]));
    order->length_bytes = length_bytes;
    order->object_count = work->object_count;
    order->uniform = from_start(work) || length_bytes[0] == length_bytes[work->object_count - 1];
    order->once = work->access == ACCESS_ONCE;
    order->io_bytes = work->io_bytes;
    order->step_bytes = order_step(work->io_bytes, cell->align_bytes);
    order->each =
        from_start(work) ? 1 : places_in(length_bytes[0], order->io_bytes, order->step_bytes);
    order->places = order_places(cell);
    if (cell->fills) {
        order->places = cell->place_first + cell->places;
        atomic_store(&order->taken, cell->place_first);
    }
    order->threads = cell->threads;
    for (uint32_t i = 0; i < cell->threads; i++) {
        order->cursor[i] = (struct cursor){.order = order, .step_bytes = order->step_bytes};
        if (!order->once)
            give_part(&order->cursor[i], i);
    }
    return order;
}

uint64_t order_take(struct order *order, struct cursor *cursor, uint64_t most)
{
    const uint64_t left = cursor->end - (cursor->base + cursor->next_bytes / cursor->step_bytes);
    uint64_t first;

    if (left || !most)
        return left;
    if (most > order->places)
        most = order->places;
    first = atomic_fetch_add(&order->taken, most);
    if (first >= order->places)
        return 0;
    cursor->begin = first;
    cursor->end = first + (most < order->places - first ? most : order->places - first);
    seek(cursor, first);
    return cursor->end - first;
}
