/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* content.c - --verify: the expected content of a run's objects, and reading them back. */
#include "base/compat.h"

#include "storage/object/object.h"
#include "storage/object/operation.h"

#include <errno.h>
#include <string.h>

/* The number that determines an object's content; *ranges: parts may have been overwritten. */
static uint64_t content_of(const struct object_store *store, uint64_t object, bool *ranges)
{
    const struct object_set *set;
    uint32_t index;

    *ranges = false;
    if (object >= store->target.object_count) /* created by an operation */
        return object;
    set = object_sets_find(store, (uint32_t)object, &index);
    *ranges = set->ranges;
    return set->kind == LIFE_CREATE
               ? pattern_new_file(set->size_bytes, object_set_number(set, index))
               : set->content + object_set_number(set, index);
}

void object_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer)
{
    const struct object_store *store = object_store_of(target);
    bool ranges;

    pattern_make(&store->pattern, content_of(store, object, &ranges), offset_bytes,
                 (size_t)size_bytes, generation, buffer);
}

/* Objects that are put as a whole have one generation. */
bool object_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch)
{
    static const struct pattern_cuts none = {{0}};
    const struct object_store *store = object_store_of(target);
    bool ranges;
    const uint64_t content = content_of(store, object, &ranges);

    return pattern_agrees(&store->pattern, content, offset_bytes, size_bytes, may,
                          ranges || may & TARGET_CUT_ANYWHERE ? NULL : &none, buffer, mismatch);
}

uint64_t object_engine_new_content(void *arg, uint32_t index, uint64_t object, bool next)
{
    const struct object_session *session = arg;
    struct object_slot *slot = &session->slot[index];

    if (session->work->test != TEST_CREATE)
        return object;
    if (next) {
        slot->number = object_set_take_number(session->set);
        slot->numbered = true;
    }
    return pattern_new_file(session->set->size_bytes, slot->number);
}

/* Any thread: one client for all, because reading back is not measured. */
static int64_t read_key(struct object_store *store, const char *key, uint64_t length_bytes,
                        uint64_t offset_bytes, uint64_t size_bytes, enum object_verb verb,
                        void *buffer)
{
    const struct object_call call = {.verb = verb,
                                     .key = key,
                                     .ranged = offset_bytes > 0 || size_bytes < length_bytes,
                                     .offset_bytes = offset_bytes,
                                     .range_bytes = size_bytes,
                                     .into = buffer,
                                     .into_bytes = size_bytes};
    const struct object_answer *answer;
    struct object_verdict verdict = {.errnum = EIO};
    struct error err = ERROR_INIT;
    int64_t result;

    pthread_mutex_lock(&store->reader_lock);
    if (!store->reader && object_client_create(store->service, store->target.request->stop,
                                               &store->reader, &err) == 0)
        object_client_pin(store->reader); /* measuring threads read the service meanwhile */
    if (!store->reader)
        result = -EIO;
    else if (object_client_call(store->reader, &call, "cannot read back", &answer, &verdict,
                                &err) != 0)
        result = verdict.errnum > 0 ? -verdict.errnum : -EIO;
    else
        result = answer->received_bytes > INT64_MAX ? -EIO : (int64_t)answer->received_bytes;
    pthread_mutex_unlock(&store->reader_lock);
    return result;
}

int64_t object_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer)
{
    struct object_store *store = object_store_of(target);
    char key[OBJECT_KEY_BYTES];
    uint32_t index;
    const struct object_set *set = object_sets_find(store, object, &index);

    (void)direct;
    return read_key(store, object_key(set, index, key), store->lengths[object], offset_bytes,
                    size_bytes, object_get_verb(set->kind), buffer);
}

/* A slot keeps the name of the object its last operation created. */
int64_t object_engine_read_back(void *arg, uint32_t index, uint64_t offset_bytes,
                                uint64_t size_bytes, void *buffer)
{
    const struct object_session *session = arg;
    const struct object_slot *slot = &session->slot[index];

    return read_key(session->store, session->work->test == TEST_COPY ? slot->other : slot->key,
                    session->work->io_bytes, offset_bytes, size_bytes, OBJECT_GET, buffer);
}
