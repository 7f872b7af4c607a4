/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bounds.c - maximum lengths of objects and values, if the service does not report them: tries the
 * longest size of a test, then the next one, until one is not refused.  The content of objects does
 * not matter here, so without uploads in parts only the last byte is written.  The first size also
 * shows what this pool refuses although the service supports such requests, such as omap values in
 * erasure-coded pools. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>

#include "base/mem.h"
#include "os/memory.h"

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
