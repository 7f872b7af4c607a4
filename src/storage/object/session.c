/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* session.c - the state that a thread keeps for each bucket from slice to slice, and its setup for
 * the next one: connections, signer, requests, memory, and the objects that its operations rename
 * or remove, which are created before it, several at a time.  Cold. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "os/memory.h"
#include "storage/object/operation.h"

#define LOOK_NS      UINT64_C(200000000)
#define SLOTS_LEAST  8u  /* for creating objects, even if the test has --depth 1 */
#define NUMBER_BYTES 24u /* of the number in a key */

/* ---- tasks ---- */

static void fail(struct object_task *task, int64_t failure)
{
    if (!task->failure)
        task->failure = failure;
    task->session->ending = true;
}

static void begin_next(struct object_task *task, struct object_slot *slot)
{
    struct object_session *session = task->session;

    while (!object_session_stops(session) && task->next(task, slot)) {
        const int64_t result = object_session_begin(session, slot);

        if (result == ASYNC_PENDING)
            return;
        fail(task, result);
    }
}

static bool is_busy(const struct object_session *session)
{
    for (uint32_t i = 0; i < session->width; i++)
        if (session->slot[i].busy)
            return true;
    return false;
}

/* The error of the first operation that failed is more precise, but not that no request is left. */
static void explain_failure(const struct object_task *task)
{
    const struct object_session *session = task->session;
    const bool spent = task->failure == -ECANCELED && atomic_load(&session->service->spent);

    if (error_is_set(task->err) && !spent)
        return;
    *task->err = ERROR_INIT;
    error_set(task->err, STATUS_TARGET, spent ? 0 : (int)-task->failure, task->what,
              session->store->target.place);
    if (spent) {
        error_explain(task->err, "no request is left of --max-requests");
        error_advise(task->err, "raise it, or measure fewer sizes or tests");
    }
}

int64_t object_task_run(struct object_task *task)
{
    struct object_session *session = task->session;

    session->task = task;
    session->width = session->reach = session->slots;
    session->retries = object_retries_cold(session->options);
    for (uint32_t i = 0; i < session->width; i++)
        begin_next(task, &session->slot[i]);
    while (is_busy(session)) {
        const int got = object_session_reap(session, LOOK_NS, session->event, session->width);

        if (got < 0) {
            fail(task, got);
            object_session_drop(session);
        }
        for (int i = 0; i < got; i++) {
            struct object_slot *slot = &session->slot[session->event[i].slot];

            if (session->event[i].result < 0)
                fail(task, session->event[i].result);
            else if (task->done)
                task->done(task, slot);
            begin_next(task, slot);
        }
    }
    session->ending = false;
    session->task = NULL;
    if (task->failure)
        explain_failure(task);
    return task->failure;
}

/* ---- objects to be renamed or removed ---- */

static void put_object(struct object_task *task, struct object_slot *slot, uint64_t number)
{
    slot->goal = OBJECT_GOAL_MAKE;
    slot->call = (struct object_call){
        .verb = OBJECT_PUT,
        .key = object_key(task->session->set, number, slot->key),
        .body = task->session->spare,
        .body_bytes = task->session->work->io_bytes,
    };
}

/* Objects to be removed are numbered through all threads and slices of a set, and the next slice
 * uses what a slice leaves over; they are created up to this number.  None is taken meanwhile. */
static uint64_t doomed_end(const struct object_session *session)
{
    return atomic_load(&session->set->taken) + session->cycles * session->batch;
}

/* All threads create the missing ones together. */
static bool next_doomed(struct object_task *task, struct object_slot *slot)
{
    struct object_set *const stock = task->session->set;
    uint64_t number = atomic_load(&stock->made);

    do {
        if (number >= doomed_end(task->session))
            return false;
    } while (!atomic_compare_exchange_weak(&stock->made, &number, number + 1));
    put_object(task, slot, number);
    return true;
}

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

/* Each slot renames an object of its own. */
static bool next_own(struct object_task *task, struct object_slot *slot)
{
    const struct object_session *session = task->session;

    if (session->moving->made >= session->work->depth)
        return false;
    put_object(task, slot, session->number_first + 2 * (uint64_t)session->moving->made++);
    return true;
}

static bool next_back(struct object_task *task, struct object_slot *slot)
{
    if (!slot->moved)
        return false;
    slot->goal = OBJECT_GOAL_MAKE;
    return object_operation_first(task->session, slot) == 0;
}

/* An object that could not be moved back is recreated when needed. */
void object_session_restore(struct object_session *session)
{
    struct error unsaid = ERROR_INIT;
    struct object_task task = {
        .session = session, .next = next_back, .what = "cannot rename back", .err = &unsaid};

    if (!session->moving)
        return;
    if (!session->link || object_task_run(&task) < 0 || object_session_stops(session))
        session->moving->made = 0;
    for (uint32_t i = 0; i < session->slots; i++)
        session->slot[i].moved = false;
}

int object_session_spare(struct object_session *session, struct error *err)
{
    const size_t size_bytes = (size_t)session->work->io_bytes;

    if (session->spare)
        return 0;
    session->spare = mem_buffer(size_bytes, 1, err);
    if (!session->spare)
        return -1;
    mem_fill_random(session->spare, size_bytes, session->store->target.request->seed);
    return 0;
}

/* Creates the objects that the slice renames or removes, unless they exist. */
static int make_objects(struct object_session *session, struct error *err)
{
    struct error own = ERROR_INIT;
    struct object_task task = {
        .session = session, .next = next_doomed, .what = "cannot create for a test", .err = &own};
    const uint32_t depth = session->work->depth;
    uint32_t made = 0;
    bool wanted = false;
    int64_t code;

    session->moving = session->work->test == TEST_RENAME ? movable_of(session) : NULL;
    if (session->moving) {
        task.next = next_own;
        made = session->moving->made;
        wanted = made < depth;
    } else if (session->work->test == TEST_DELETE && !session->store->retires) {
        wanted = atomic_load(&session->set->made) < doomed_end(session);
    }
    if (!wanted)
        return 0;
    if (object_session_spare(session, err) != 0)
        return -1;
    code = object_task_run(&task);
    if (session->moving && (code < 0 || object_session_stops(session)))
        session->moving->made = made;
    if (code == 0 || (object_session_stops(session) && !atomic_load(&session->service->spent)))
        return 0;
    *err = own;
    return -1;
}

/* ---- connections ---- */

static uint64_t largest_bytes(const struct target_request *request)
{
    uint64_t most = 0;

    for (size_t i = 0; i < request->size_count; i++)
        if (request->size_bytes[i] > most)
            most = request->size_bytes[i];
    return most;
}

int object_session_connect(struct object_session *session, struct error *err)
{
    const struct object_link_config config = {
        .slots = session->slots_all,
        .transfer_bytes = session->transfer_bytes,
        .reconnect = session->reconnect,
        .stop = session->store->target.request->stop,
    };

    if (session->link)
        return 0;
    if (session->protocol->connect(session->service, &config, &session->link, err) != 0)
        return -1;
    session->link->pinned = true;
    return 0;
}

static void free_slots(struct object_session *session)
{
    session->protocol->disconnect(session->link);
    session->link = NULL;
    free(session->slot);
    free(session->done);
    free(session->event);
}

/* Objects for renaming belong to slots, but more slots do no harm: between slices all objects have
 * their first names. */
static void make_slots(struct object_session *session, uint32_t slots, uint32_t laned)
{
    const uint32_t all = slots + laned * session->lanes_each;

    free_slots(session);
    session->slots = slots;
    session->laned_slots = laned;
    session->slots_all = all;
    session->slot = mem_calloc(all, sizeof(*session->slot));
    session->done = mem_calloc(all, sizeof(*session->done));
    session->event = mem_calloc(all, sizeof(*session->event));
    for (uint32_t i = 0; i < all; i++) {
        session->slot[i].index = i;
        session->slot[i].owner =
            i < slots ? NULL : &session->slot[(i - slots) / session->lanes_each];
    }
}

static int make_room(struct object_session *session, const struct engine_thread *thread,
                     uint32_t depth, struct error *err)
{
    const uint32_t most = thread->depth_most > depth ? thread->depth_most : depth;
    const uint32_t slots = most > SLOTS_LEAST ? most : SLOTS_LEAST;

    if (session->slots < slots || session->laned_slots < most)
        make_slots(session, slots, most);
    return object_session_connect(session, err);
}

/* ---- memory of a test ---- */

/* Bytes of each slot for the document of a test. */
static uint64_t memory_wanted(struct object_session *session)
{
    const struct object_protocol *const protocol = session->protocol;
    const uint64_t room =
        object_multipart_room(session->service, session->work->io_bytes, session->part_bytes);

    if (session->uploads)
        return room;
    if (session->batch > 1)
        return session->batch * (protocol->name_bytes(session->set->prefix) +
                                 OBJECT_SET_DIRECTORY_MAX + NUMBER_BYTES) +
               protocol->rest_bytes;
    return 0;
}

static int make_memory(struct object_session *session, struct error *err)
{
    const uint64_t each = memory_wanted(session), all = each * session->work->depth;

    session->memory_each = (size_t)each;
    if (all <= session->memory_bytes)
        return 0;
    mem_buffer_free(session->memory);
    session->memory_bytes = 0;
    session->memory = all > SIZE_MAX / 2 ? NULL : mem_buffer((size_t)all, 1, err);
    if (!session->memory) {
        error_set(err, STATUS_TARGET, 0, "out of memory for parts of uploads", NULL);
        return error_advise(err, "use a smaller --part-size or a lower --depth");
    }
    session->memory_bytes = (size_t)all;
    return 0;
}

/* ---- hooks ---- */

static void bind_slice(struct object_session *session, const struct workload *work,
                       const struct engine_thread *thread)
{
    session->work = work;
    session->object_first = work->object_first - session->set->first;
    session->number_first = 2 * OBJECT_DEPTH_MAX * thread->index;
    session->cycles = thread->cycles;
    session->uploads = object_engine_opens(work);
    session->part_bytes = object_options_part(session->options);
    if (session->part_bytes > work->io_bytes)
        session->part_bytes = work->io_bytes;
    session->batch = work->test == TEST_DELETE ? object_options_batch(session->options) : 1;
    session->list_least = work->test == TEST_LIST ? object_set_made(session->set) : 0;
    session->in_flight = session->paused = 0;
    session->stopped_ns = 0;
    session->give_up_ns = thread->give_up_ns;
    session->overdue = false;
    session->failure = ERROR_INIT;
    mem_buffer_free(session->spare);
    session->spare = NULL;
    session->moving = NULL;
}

static struct object_session *new_session(struct object_store *store, uint32_t thread)
{
    struct object_session *session = mem_calloc(1, sizeof(*session));

    session->store = store;
    session->service = store->service;
    session->protocol = store->service->protocol;
    session->options = store->service->options;
    session->reconnect = session->options->reconnect;
    session->lanes_each = object_options_lanes(session->options);
    session->transfer_bytes = largest_bytes(store->target.request);
    rng_seed(&session->jitter, clock_monotonic_ns(), thread);
    return session;
}

static void free_session(struct object_session *session)
{
    free_slots(session);
    mem_buffer_free(session->memory);
    mem_buffer_free(session->spare);
    free(session->movable);
    free(session);
}

/* The thread's home is the newest session. */
static struct object_session *find_session(struct object_store *store,
                                           const struct engine_thread *thread)
{
    struct object_session *session = *thread->home;

    while (session && session->service != store->service)
        session = session->next;
    if (!session) {
        session = new_session(store, thread->index);
        session->next = *thread->home;
        *thread->home = session;
    }
    session->store = store; /* the run, or its temporary open_created target */
    return session;
}

int object_session_setup(const struct workload *work, const struct engine_thread *thread,
                         void **ctx, struct error *err)
{
    struct object_store *const store = object_store_of(work->target);
    struct object_session *const session = find_session(store, thread);

    session->set = object_set_for(store, work->test, work->size_bytes);
    if (!session->set)
        return error_set(err, STATUS_TARGET, 0, "no objects for this test in", work->target->place);
    session->copies =
        work->test == TEST_COPY ? object_set_of_copies(store, work->size_bytes) : NULL;
    bind_slice(session, work, thread);
    if (test_writes(work->test))
        object_set_begin_pass(session->set);
    if (make_room(session, thread, work->depth, err) < 0 || make_memory(session, err) < 0)
        return -1;
    if (make_objects(session, err) < 0)
        return -1;
    session->retries = session->options->retries;
    session->width = work->depth;
    object_lanes_bind(session);
    *ctx = session;
    return 0;
}

void object_session_retire(void *home)
{
    for (struct object_session *session = home, *next; session; session = next) {
        next = session->next;
        free_session(session);
    }
}

/* ---- outside slices ---- */

struct object_session *object_session_open(struct object_store *store, const struct workload *work,
                                           uint32_t slots, size_t memory_each, struct error *err)
{
    struct object_session *session = new_session(store, 0);

    session->work = work;
    session->reconnect = false;
    session->transfer_bytes = memory_each;
    session->memory_each = memory_each;
    session->memory = mem_buffer(slots * memory_each, 1, err);
    make_slots(session, slots, 0);
    if (session->memory && object_session_connect(session, err) == 0)
        return session;
    free_session(session);
    return NULL;
}

void object_session_close(struct object_session *session)
{
    object_session_account(session);
    free_session(session);
}
