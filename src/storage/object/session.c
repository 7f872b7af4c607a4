/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* session.c - the state that a thread keeps for each bucket from slice to slice, and its setup for
 * the next one: connections, signer, requests, memory.  Cold. */
#include "base/compat.h"

#include "storage/object/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "os/memory.h"
#include "storage/object/manifest.h"

#define SLOTS_LEAST  8u  /* for creating objects, even if the test has --depth 1 */
#define NUMBER_BYTES 24u /* of the number in a key */

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
    return session->protocol->connect(session->service, &config, &session->link, err);
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

static void make_batch(struct object_session *session)
{
    session->batch_each = strlen(session->set->prefix) + OBJECT_SET_DIRECTORY_MAX + NUMBER_BYTES;
    session->batch_keys =
        mem_realloc_array(session->batch_keys, (size_t)session->batch, session->batch_each);
    session->batch_key =
        mem_realloc_array(session->batch_key, (size_t)session->batch, sizeof(*session->batch_key));
}

/* Bytes of each slot for a test: a document and, for append, parts. */
static uint64_t memory_wanted(struct object_session *session)
{
    const struct object_protocol *const protocol = session->protocol;
    const uint64_t room =
        object_multipart_room(session->service, session->work->io_bytes, session->part_bytes);

    if (session->uploads)
        return room + session->gather_each * session->gathers;
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
    bool gathers;

    session->work = work;
    session->object_first = work->object_first - session->set->first;
    session->number_first = 2 * OBJECT_DEPTH_MAX * thread->index;
    session->cycles = thread->cycles;
    session->uploads = object_engine_opens(work);
    session->part_bytes = object_options_part(session->options);
    if (session->part_bytes > work->io_bytes)
        session->part_bytes = work->io_bytes;
    gathers = work->test == TEST_APPEND && object_can(session->service, OBJECT_UPLOAD_BEGIN);
    session->gathers = 0;
    session->gather_each = gathers ? (size_t)session->part_bytes : 0;
    if (gathers) {
        const uint64_t parts = (work->io_bytes - 1) / session->part_bytes + 1;
        const uint64_t most = session->options->parallel > 1 ? session->options->parallel : 1;
        session->gathers = (uint32_t)(parts < most ? parts : most); /* under way at once */
    }
    session->batch = work->test == TEST_DELETE ? object_options_batch(session->options) : 1;
    session->list_least = work->test == TEST_LIST ? object_set_present(session->set) : 0;
    session->in_flight = session->paused = 0;
    session->stopped_ns = 0;
    session->give_up_ns = thread->give_up_ns;
    session->overdue = false;
    session->first_failure[0] = '\0';
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
    free(session->batch_keys);
    free(session->batch_key);
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
    if (session->batch > 1)
        make_batch(session);
    if (object_provision_make(session, err) < 0)
        return -1;
    session->first_failure[0] = '\0';
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
