/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fill.c - uploads the objects that tests read, each with the pattern of its number: first those
 * that need one request, then the longer ones, in parts.  As many are under way at a time as memory
 * allows. */
#include "base/compat.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "os/memory.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"

#define SLOTS        8u
#define MEMORY_BYTES ((size_t)40 << 20) /* two parts of minimum size, and their documents */
#define PARTS_MAX    10000u

struct filling {
    struct object_task task; /* first */
    struct object_store *store;
    enum io_test test;
    bool late;     /* time did not suffice for all */
    bool in_parts; /* the kind of objects being filled */
    unsigned set;  /* the next object to begin */
    uint32_t object;
    struct object_set *set_of[SLOTS]; /* of the objects under way */
    uint64_t done_bytes, total_bytes;
};

uint64_t object_fill_part(uint64_t size_bytes, uint64_t align_bytes)
{
    uint64_t part_bytes = OBJECT_FILL_PART_BYTES;

    if (size_bytes <= part_bytes)
        return size_bytes;
    while ((size_bytes - 1) / part_bytes >= PARTS_MAX)
        part_bytes *= 2;
    if (align_bytes > part_bytes)
        return align_bytes;
    return align_bytes > 1 ? part_bytes / align_bytes * align_bytes : part_bytes;
}

static uint64_t part_of(const struct object_store *store, uint64_t size_bytes)
{
    return object_fill_part(size_bytes, store->service->append_align_bytes);
}

bool object_fill_wanted(const struct object_store *store, const struct object_set *set,
                        enum io_test test)
{
    const enum life_kind kind = object_set_kind(store->service->options, test);

    if (object_tests_in_ranges(store->service) & 1u << test)
        return set->kind == LIFE_RANGED;
    switch (test_table[test].needs) {
    case TEST_NEEDS_DATA:
        return set->kind == kind;
    case TEST_NEEDS_NAMES: /* others are created in setup */
        return set->kind == LIFE_WHOLE && kind == LIFE_WHOLE;
    default:
        return false;
    }
}

/* ---- missing objects ---- */

/* No row reads the set. */
static bool is_refused(const struct filling *filling, const struct object_set *set)
{
    const struct object_store *store = filling->store;
    const struct target_request *request = store->target.request;

    for (size_t i = 0; i < request->size_count; i++)
        if (object_set_for(store, filling->test, request->size_bytes[i]) == set &&
            !object_bounds_refused(&store->target, filling->test, request->size_bytes[i]))
            return false;
    return true;
}

/* Finds the next missing object. */
static bool find_missing(struct filling *filling)
{
    const struct object_store *store = filling->store;

    for (; filling->set < store->set_count; filling->set++, filling->object = 0) {
        const struct object_set *set = &store->set[filling->set];
        /* a value is put in one request, whatever its length */
        const bool in_parts =
            set->size_bytes > OBJECT_FILL_PART_BYTES && object_put_verb(set->kind) == OBJECT_PUT;

        if (in_parts != filling->in_parts ||
            !object_fill_wanted(filling->store, set, filling->test) || is_refused(filling, set))
            continue;
        while (filling->object < set->count &&
               atomic_load_explicit(&set->present[filling->object], memory_order_relaxed))
            filling->object++;
        if (filling->object < set->count)
            return true;
    }
    return false;
}

/* Counts the missing objects of one kind.  Returns the memory that each slot needs, for an object
 * or for a part and the document; 0: none is missing. */
static size_t look(struct filling *filling, bool in_parts)
{
    const struct object_store *store = filling->store;
    size_t memory_bytes = 0;

    filling->in_parts = in_parts;
    for (filling->set = filling->object = 0; find_missing(filling); filling->object++) {
        const uint64_t size_bytes = store->set[filling->set].size_bytes;
        const uint64_t part_bytes = in_parts ? part_of(store, size_bytes) : size_bytes;
        const size_t wanted =
            (size_t)part_bytes +
            (in_parts ? object_multipart_room(store->service, size_bytes, part_bytes) : 0);

        memory_bytes = wanted > memory_bytes ? wanted : memory_bytes;
        filling->total_bytes += size_bytes;
    }
    return memory_bytes;
}

/* ---- the task ---- */

/* Makes the next data of the slot's object, and reports progress. */
static const char *make_data(struct filling *filling, const struct object_slot *slot,
                             uint64_t offset_bytes, uint64_t bytes)
{
    const struct target_request *request = filling->store->target.request;
    char *data = object_session_memory(filling->task.session, slot);

    pattern_make(&filling->store->pattern, filling->set_of[slot->index]->first + slot->object,
                 offset_bytes, (size_t)bytes, 0, data);
    filling->done_bytes += bytes;
    if (request->progress && pace_due(&filling->store->pace))
        request->progress(request->progress_arg, "filling", filling->done_bytes,
                          filling->total_bytes);
    return data;
}

static void begin_parts(struct filling *filling, struct object_slot *slot, uint64_t size_bytes)
{
    const struct object_session *session = filling->task.session;
    const uint64_t part_bytes = part_of(filling->store, size_bytes);
    const struct object_multipart upload = {
        .size_bytes = size_bytes,
        .part_bytes = part_bytes,
        .document = object_session_memory(session, slot) + part_bytes,
        .document_room = session->memory_each - (size_t)part_bytes};

    filling->store->uploads = object_can(session->service, OBJECT_UPLOAD_BEGIN);
    object_multipart_begin(session, slot, OBJECT_WRITE_RANGE, &upload);
}

static bool next_object(struct object_task *task, struct object_slot *slot)
{
    struct filling *filling = (struct filling *)task;
    const uint64_t end_ns = filling->store->target.prepare_end_ns;
    struct object_set *set;

    if (!find_missing(filling))
        return false;
    filling->late = end_ns && clock_now(&clock_monotonic) >= end_ns;
    if (filling->late) /* no object is begun after the time for preparing */
        return false;
    set = &filling->store->set[filling->set];
    filling->set_of[slot->index] = set;
    slot->goal = OBJECT_GOAL_FILL;
    slot->object = filling->object++;
    object_key(set, slot->object, slot->key);
    if (filling->in_parts)
        begin_parts(filling, slot, set->size_bytes);
    else
        slot->call = (struct object_call){.verb = object_put_verb(set->kind),
                                          .key = slot->key,
                                          .body = make_data(filling, slot, 0, set->size_bytes),
                                          .body_bytes = set->size_bytes};
    return true;
}

static const char *next_part(struct object_task *task, struct object_slot *slot)
{
    return make_data((struct filling *)task, slot, slot->call.offset_bytes, slot->call.body_bytes);
}

static void object_is_there(struct object_task *task, struct object_slot *slot)
{
    atomic_store_explicit(&((struct filling *)task)->set_of[slot->index]->present[slot->object], 1,
                          memory_order_relaxed);
}

/* ---- all of it ---- */

static int upload(struct filling *filling, bool in_parts, size_t memory_each, struct error *err)
{
    struct object_store *store = filling->store;
    const struct workload work = {.target = &store->target, .test = TEST_WRITE};
    const size_t fit = MEMORY_BYTES / memory_each;
    const uint32_t slots = fit >= SLOTS ? SLOTS : fit > 1 ? (uint32_t)fit : 1;
    int64_t code;

    filling->in_parts = in_parts;
    filling->set = filling->object = 0;
    filling->task.session = object_session_open(store, &work, slots, memory_each, err);
    if (!filling->task.session)
        return -1;
    code = object_task_run(&filling->task);
    object_session_close(filling->task.session);
    if (flag_read(store->target.request->stop)) {
        *err = ERROR_INIT;
        return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while filling",
                         store->target.place);
    }
    if (code < 0)
        return -1;
    if (filling->late)
        return error_set(err, STATUS_PARTIAL, ETIMEDOUT, "no time is left for filling",
                         store->target.place);
    return 0;
}

int object_fill(struct object_store *store, enum io_test test, struct error *err)
{
    struct filling filling = {.task = {.next = next_object,
                                       .done = object_is_there,
                                       .part = next_part,
                                       .what = "cannot fill",
                                       .err = err},
                              .store = store,
                              .test = test};
    const size_t short_each = look(&filling, false), long_each = look(&filling, true);

    if (short_each > 0 && upload(&filling, false, short_each, err) != 0)
        return -1;
    return long_each > 0 ? upload(&filling, true, long_each, err) : 0;
}

/* ---- bounds ----
 *
 * Maximum lengths of objects and values, if the service does not report them: tries the longest
 * size of a test, then the next one, until one is not refused.  The content of objects does not
 * matter here, so without uploads in parts only the last byte is written.  The first size also
 * shows what this pool refuses although the service supports such requests, such as omap values in
 * erasure-coded pools. */

#define TRIED_BYTES ((uint64_t)1 << 20) /* no service refuses objects shorter than this */

const char *object_bounds_refused(const struct target *target, enum io_test test,
                                  uint64_t size_bytes)
{
    const struct object_bound *bound = &object_store_of(target)->bound[test];

    return size_bytes >= bound->size_bytes ? bound->reason : NULL;
}

/* A request that writes data of that length at once. */
static struct object_call call_of(const struct object_set *set, enum io_test test,
                                  uint64_t size_bytes, const char *key)
{
    struct object_call call = {.verb = object_put_verb(set->kind),
                               .key = key,
                               .object_bytes = set->size_bytes,
                               .body_bytes = size_bytes};

    if (set->kind == LIFE_RANGED)
        call.verb = OBJECT_WRITE_RANGE;
    if (call.verb == OBJECT_WRITE_RANGE && test == TEST_WRITE) {
        call.offset_bytes = set->size_bytes - size_bytes;
    } else if (call.verb == OBJECT_WRITE_RANGE || test == TEST_APPEND ||
               (!test_writes(test) && set->size_bytes > OBJECT_FILL_PART_BYTES &&
                call.verb == OBJECT_PUT)) {
        call.verb = OBJECT_WRITE_RANGE;
        call.offset_bytes = set->size_bytes - 1;
        call.body_bytes = 1;
    }
    return call;
}

/* Returns 1: it fits, 0: it is refused, with *reason, -1 with err. */
static int try_size(struct object_store *store, const struct object_set *set, enum io_test test,
                    uint64_t size_bytes, const char **reason, struct error *err)
{
    char key[OBJECT_KEY_BYTES];
    struct object_call call = call_of(set, test, size_bytes, object_key(set, 0, key));
    const struct object_call make = {.verb = OBJECT_PUT, .key = key, .grows = true};
    const struct object_call undo = {.verb = OBJECT_DELETE, .key = key};
    const struct object_answer *answer;
    struct object_verdict verdict = {.errnum = 0};
    struct error own = ERROR_INIT;
    void *const data = mem_buffer((size_t)call.body_bytes, 1, err);
    int code;

    if (!data)
        return -1;
    if (!object_can(store->service, call.verb)) { /* only writing all of it could show that */
        mem_buffer_free(data);
        return 1;
    }
    mem_fill_random(data, (size_t)call.body_bytes, store->target.request->seed);
    call.body = data;
    code = call.verb == OBJECT_WRITE_RANGE
               ? object_client_call(store->client, &make, "cannot make", &answer, NULL, &own)
               : 0;
    if (code == 0)
        code = object_client_call(store->client, &call, "cannot write", &answer, &verdict, &own);
    mem_buffer_free(data);
    *reason = verdict.errnum == EFBIG        ? "too_large"
              : verdict.errnum == EOPNOTSUPP ? "not_by_target"
                                             : NULL;
    if (code != 0 && !*reason) {
        *err = own;
        return -1;
    }
    return object_client_try(store->client, &undo, "cannot remove", NULL, NULL, err) < 0
               ? -1
               : code == 0;
}

static bool is_wanted(const struct object_store *store, const struct object_set *set,
                      enum io_test test, uint64_t size_bytes)
{
    if (!set || set->kind == LIFE_FOUND || (set->present && set->present[0]))
        return false;
    if (object_put_verb(set->kind) == OBJECT_PUT && size_bytes < TRIED_BYTES &&
        set->size_bytes < TRIED_BYTES)
        return false;
    return test_writes(test) || object_fill_wanted(store, set, test) || test == TEST_DELETE ||
           test == TEST_RENAME;
}

/* The next shorter size; 0: none. */
static uint64_t next_shorter(const struct target_request *request, uint64_t size_bytes)
{
    uint64_t found = 0;

    for (size_t i = 0; i < request->size_count; i++)
        if (request->size_bytes[i] < size_bytes && request->size_bytes[i] > found)
            found = request->size_bytes[i];
    return found;
}

int object_bounds_try(struct object_store *store, enum io_test test, struct error *err)
{
    const struct target_request *request = store->target.request;
    uint64_t size_bytes = UINT64_MAX;
    int fits = 0;

    if (!store->service->bounded || !(object_tests_of(store->service) & 1u << test))
        return 0;
    while (fits == 0 && (size_bytes = next_shorter(request, size_bytes)) > 0) {
        const struct object_set *set = object_set_for(store, test, size_bytes);
        struct object_bound bound = {size_bytes, NULL};

        if (!is_wanted(store, set, test, size_bytes))
            continue;
        fits = try_size(store, set, test, size_bytes, &bound.reason, err);
        if (fits == 0)
            store->bound[test] = bound;
    }
    return fits < 0 ? -1 : 0;
}
