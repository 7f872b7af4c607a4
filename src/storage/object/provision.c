/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* provision.c - objects that a slice consumes or moves: created before it, several at a time, so
 * that its operations only rename or remove.  Objects to be removed are numbered through all
 * threads and slices of a set; the next slice uses what a slice leaves over. */
#include "base/compat.h"

#include "storage/object/operation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/memory.h"

struct making {
    struct object_task task; /* first */
    const char *data;        /* of the new objects */
    uint64_t up_to;          /* DELETE: create objects up to this number */
};

static struct object_set *set_of(const struct object_set *set)
{
    return (struct object_set *)(uintptr_t)set;
}

uint64_t object_provision_take(const struct object_set *set, uint64_t most, uint64_t *first)
{
    struct object_set *const stock = set_of(set);
    uint64_t taken = atomic_load_explicit(&stock->taken, memory_order_relaxed), count;

    do {
        const uint64_t made = atomic_load_explicit(&stock->made, memory_order_relaxed);

        count = taken >= made ? 0 : made - taken < most ? made - taken : most;
        if (count == 0)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&stock->taken, &taken, taken + count,
                                                    memory_order_relaxed, memory_order_relaxed));
    *first = taken;
    return count;
}

/* ---- objects to be removed ---- */

static void put_object(struct object_task *task, struct object_slot *slot, uint64_t number)
{
    slot->goal = OBJECT_GOAL_MAKE;
    slot->call = (struct object_call){
        .verb = OBJECT_PUT,
        .key = object_key(task->session->set, number, slot->key),
        .body = ((struct making *)task)->data,
        .body_bytes = task->session->work->io_bytes,
    };
}

/* All threads create the missing ones together; none is taken meanwhile. */
static bool next_numbered(struct object_task *task, struct object_slot *slot)
{
    struct object_set *const stock = set_of(task->session->set);
    uint64_t number = atomic_load(&stock->made);

    do {
        if (number >= ((struct making *)task)->up_to)
            return false;
    } while (!atomic_compare_exchange_weak(&stock->made, &number, number + 1));
    put_object(task, slot, number);
    return true;
}

/* ---- objects to be renamed ---- */

static struct object_movable *movable_of(struct object_session *session)
{
    struct object_movable *movable;

    for (unsigned i = 0; i < session->movable_count; i++)
        if (session->movable[i].set == session->set)
            return &session->movable[i];
    session->movable =
        mem_realloc_array(session->movable, session->movable_count + 1, sizeof(*session->movable));
    movable = &session->movable[session->movable_count++];
    *movable = (struct object_movable){.set = session->set};
    return movable;
}

static bool next_own(struct object_task *task, struct object_slot *slot)
{
    struct object_session *session = task->session;

    if (slot->asked || slot->index < movable_of(session)->made ||
        slot->index >= session->work->depth)
        return false;
    slot->asked = true;
    slot->moved = false;
    put_object(task, slot, session->number_first + 2 * (uint64_t)slot->index);
    return true;
}

/* All slots of a slice share the content; no request of another slice is under way. */
bool object_provision_replace(struct object_session *session, struct object_slot *slot)
{
    const size_t bytes = (size_t)session->work->io_bytes;
    struct error unsaid = ERROR_INIT;

    if (session->spare_bytes < bytes) {
        mem_buffer_free(session->spare);
        session->spare = mem_buffer(bytes, 1, &unsaid);
        session->spare_bytes = session->spare ? bytes : 0;
        if (!session->spare)
            return false;
        mem_fill_random(session->spare, bytes, session->store->target.request->seed);
    }
    slot->call = (struct object_call){
        .verb = OBJECT_PUT,
        .key = slot->key,
        .body = session->spare,
        .body_bytes = bytes,
    };
    return true;
}

static bool next_back(struct object_task *task, struct object_slot *slot)
{
    if (slot->asked || !slot->moved)
        return false;
    slot->asked = true;
    slot->goal = OBJECT_GOAL_BACK;
    return object_operation_first(task->session, slot) == 0;
}

/* An object that could not be moved back is recreated when needed. */
void object_provision_restore(struct object_session *session)
{
    struct object_task task = {.session = session, .next = next_back};

    if (session->work->test != TEST_RENAME)
        return;
    if (!session->link || object_task_run(&task) < 0 || object_session_stops(session))
        movable_of(session)->made = 0;
    for (uint32_t i = 0; i < session->slots; i++)
        session->slot[i].moved = false;
}

/* ---- before a slice ---- */

static bool plan(struct object_session *session, struct making *making)
{
    const struct object_set *set = session->set;

    switch (session->work->test) {
    case TEST_RENAME:
        making->task.next = next_own;
        return movable_of(session)->made < session->work->depth;
    case TEST_DELETE:
        if (session->store->retires)
            return false;
        making->task.next = next_numbered;
        making->up_to = atomic_load(&set_of(set)->taken) + session->cycles * session->batch;
        return atomic_load(&set_of(set)->made) < making->up_to;
    default:
        return false;
    }
}

int object_provision_make(struct object_session *session, struct error *err)
{
    const size_t size_bytes = (size_t)session->work->io_bytes;
    struct making making = {.task.session = session};
    char *data;
    int64_t code;

    if (!plan(session, &making))
        return 0;
    data = mem_buffer(size_bytes, 1, err);
    if (!data)
        return -1;
    mem_fill_random(data, size_bytes, session->store->target.request->seed);
    making.data = data;
    code = object_task_run(&making.task);
    mem_buffer_free(data);
    if (code == -ECANCELED && atomic_load(&session->service->spent)) {
        error_set(err, STATUS_TARGET, 0, "cannot create the objects of a test in",
                  session->store->target.place);
        return error_explain(err, "no request is left of --max-requests");
    }
    if (code < 0 && !object_session_stops(session))
        return error_set(err, STATUS_TARGET, session->first_failure[0] ? 0 : (int)-code,
                         "cannot create the objects of a test:", session->first_failure);
    if (session->work->test == TEST_RENAME && !object_session_stops(session) &&
        movable_of(session)->made < session->work->depth)
        movable_of(session)->made = session->work->depth;
    return 0;
}
