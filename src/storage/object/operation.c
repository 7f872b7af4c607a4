/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* operation.c - the requests of an operation.  Most have one; uploads in parts begin, send each
 * part and complete (or abort, so that nothing is left that costs money), lists continue from page
 * to page, renaming copies and deletes. */
#include "base/compat.h"

#include "storage/object/operation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STRANGE_MOST 100000u /* foreign objects in a list of our own set */

static COLD int64_t broken_with(struct object_session *session, const struct object_slot *slot,
                                const char *why, int64_t code)
{
    object_counted(session, slot)->protocol_errors++;
    object_session_note(session, slot, why);
    return code;
}

COLD int64_t object_broken(struct object_session *session, const struct object_slot *slot,
                           const char *why)
{
    return broken_with(session, slot, why, -EPROTO);
}

/* Compares data put in one request with the checksum returned, and data of a whole object with the
 * checksum that the server stores.  Wrong data that the loop will find are left to it. */
static COLD int64_t check_sum(struct object_session *session, const struct object_slot *slot,
                              const struct object_answer *answer, bool put)
{
    const struct target *const target = &session->store->target;
    const size_t bytes = (size_t)session->work->io_bytes;
    struct target_mismatch mismatch;
    char checksum[OBJECT_ETAG_BYTES], why[400];

    if (!session->protocol->intact ||
        session->protocol->intact(answer, put ? OBJECT_PUT : OBJECT_GET, slot->data, bytes,
                                  session->set->kind == LIFE_FOUND, &session->learned, checksum,
                                  sizeof(checksum)) ||
        (!put &&
         !target->driver->check_content(target, session->set->first + slot->object, 0, bytes,
                                        TARGET_ANY_GENERATION, slot->data, &mismatch)))
        return (int64_t)bytes;
    snprintf(why, sizeof(why), "%s (%s)",
             put ? "the checksum returned does not match the data"
                 : "the data are right, but the checksum stored with them is not",
             checksum);
    return broken_with(session, slot, why, -EBADMSG);
}

/* ---- one request ---- */

static void first_read(const struct object_session *session, struct object_slot *slot)
{
    const uint64_t io_bytes = session->work->io_bytes;
    const bool verified = session->work->verified;
    const bool whole = !slot->offset_bytes && session->set->length_bytes[slot->object] == io_bytes;

    slot->call = (struct object_call){
        .verb = object_get_verb(session->set->kind),
        .key = object_key(session->set, slot->object, slot->key),
        .ranged = !whole,
        .offset_bytes = slot->offset_bytes,
        .range_bytes = io_bytes,
        .want_checksum = whole && verified,
        .into = verified ? (void *)(uintptr_t)slot->data : NULL,
        .into_bytes = verified ? io_bytes : 0,
    };
}

/* A range is complete, or the request has failed.  A found object may have changed its length since
 * it was listed; one of ours has not, unless something is wrong. */
static int64_t next_read(struct object_session *session, struct object_slot *slot,
                         const struct object_answer *answer)
{
    const uint64_t io_bytes = slot->owner ? slot->call.range_bytes : session->work->io_bytes;
    char why[80];

    if (__builtin_expect(answer->received_bytes != io_bytes, 0)) {
        snprintf(why, sizeof(why), "got %llu bytes, not %llu",
                 (unsigned long long)answer->received_bytes, (unsigned long long)io_bytes);
        if (session->set->kind != LIFE_FOUND && !session->work->verified)
            return object_broken(session, slot, why);
        object_session_note(session, slot, why);
        return (int64_t)answer->received_bytes;
    }
    if (__builtin_expect(slot->call.want_checksum, 0))
        return check_sum(session, slot, answer, false);
    return slot->owner ? object_lanes_range(session, slot, answer->etag) : (int64_t)io_bytes;
}

static void first_write(const struct object_session *session, struct object_slot *slot)
{
    const struct object_set *const set = session->set;
    const bool in_range =
        set->kind == LIFE_RANGED || set->length_bytes[slot->object] != session->work->io_bytes;

    slot->call = (struct object_call){
        .verb = in_range ? OBJECT_WRITE_RANGE : object_put_verb(set->kind),
        .key = object_key(set, slot->object, slot->key),
        .offset_bytes = slot->offset_bytes,
        .object_bytes = set->length_bytes[slot->object],
        .body = slot->data,
        .body_bytes = session->work->io_bytes,
    };
}

/* ---- new objects ---- */

static void next_stat(struct object_session *session, const struct object_slot *slot,
                      const struct object_answer *answer)
{
    if (slot->goal != OBJECT_GOAL_TEST)
        return;
    if (__builtin_expect(answer->verdict.class == OBJECT_DONE, 1))
        session->found.hits++;
    else
        session->found.misses++;
}

static const char *doomed_key(const struct object_session *session, uint64_t number, char *key)
{
    return session->store->retires
               ? strcpy(key, session->store->names[session->set->first + number])
               : object_key(session->set, number, key);
}

/* Takes at most `most` objects out of a set for deletion: the caller owns the numbers from *first
 * on.  Returns their count; 0: none is left. */
static uint64_t take_doomed(struct object_set *set, uint64_t most, uint64_t *first)
{
    uint64_t taken = atomic_load_explicit(&set->taken, memory_order_relaxed), count;

    do {
        const uint64_t made = atomic_load_explicit(&set->made, memory_order_relaxed);

        count = taken >= made ? 0 : made - taken < most ? made - taken : most;
        if (count == 0)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&set->taken, &taken, taken + count,
                                                    memory_order_relaxed, memory_order_relaxed));
    *first = taken;
    return count;
}

static int64_t first_delete(struct object_session *session, struct object_slot *slot)
{
    char key[OBJECT_KEY_BYTES], *text;
    uint64_t number;
    size_t used = 0;

    slot->keys = take_doomed(session->set, session->batch, &number);
    if (!slot->keys)
        return -ENOENT;
    if (session->batch == 1) {
        slot->call = (struct object_call){
            .verb = OBJECT_DELETE,
            .key = doomed_key(session, number, slot->key),
        };
        return 0;
    }
    text = object_session_memory(session, slot);
    for (uint64_t i = 0; i <= slot->keys; i++) {
        used =
            session->protocol->names(i < slot->keys ? doomed_key(session, number + i, key) : NULL,
                                     text, used, session->memory_each);
        if (__builtin_expect(!used, 0))
            return -EMSGSIZE;
    }
    slot->call = (struct object_call){
        .verb = OBJECT_DELETE_MANY,
        .key = strcpy(slot->key, session->set->prefix),
        .body = text,
        .body_bytes = used,
    };
    return 0;
}

static int64_t next_delete_many(struct object_session *session, const struct object_slot *slot,
                                const struct object_answer *answer)
{
    char code[64], why[160];
    const int failures = session->protocol->failures(answer, code, sizeof(code));

    if (__builtin_expect(failures == 0, 1))
        return (int64_t)session->work->io_bytes;
    if (failures < 0)
        return object_broken(session, slot, "the list of deleted objects cannot be read");
    if ((uint32_t)failures > slot->keys)
        return object_broken(session, slot, "it names more objects than were to be deleted");
    object_counted(session, slot)->server_errors++;
    snprintf(why, sizeof(why), "%d of %llu objects were not deleted, the first: %s", failures,
             (unsigned long long)slot->keys, code);
    object_session_note(session, slot, why);
    return -EREMOTEIO;
}

/* ---- page by page ---- */

static void first_list(const struct object_session *session, struct object_slot *slot)
{
    slot->keys = 0;
    slot->walk = (struct object_walk){0};
    slot->page.token[0] = '\0';
    slot->call = (struct object_call){
        .verb = OBJECT_LIST,
        .key = session->set->prefix,
        .page = session->options->page,
    };
}

static int64_t next_list(struct object_session *session, struct object_slot *slot,
                         const struct object_answer *answer)
{
    struct error unread = ERROR_INIT;
    struct object_page page;
    char why[96];

    if (session->protocol->list(answer, &page, NULL, NULL, &unread) < 0)
        return object_broken(session, slot, "the list cannot be read");
    slot->keys += page.keys;
    if (page.more) {
        if (session->set->kind != LIFE_FOUND && slot->keys > session->set->count + STRANGE_MOST)
            return object_broken(session, slot, "the list names far more objects than there are");
        if (!page.token[0] || strcmp(page.token, slot->page.token) == 0)
            return object_broken(session, slot, "the list does not say where it continues");
        if (!object_walk_on(&slot->walk, &page))
            return object_broken(session, slot, "the list does not end: it names nothing new");
        slot->page = page;
        slot->call.token = slot->page.token;
        return OBJECT_MORE;
    }
    if (__builtin_expect(slot->keys >= session->list_least, 1)) {
        session->found.listings++;
        session->found.names += slot->keys;
        return (int64_t)session->work->io_bytes;
    }
    snprintf(why, sizeof(why), "the list contains %llu objects, %llu exist",
             (unsigned long long)slot->keys, (unsigned long long)session->list_least);
    return object_broken(session, slot, why);
}

/* ---- there and back ---- */

/* Each slot of each thread has its own object, with two names. */
static void first_rename(const struct object_session *session, struct object_slot *slot)
{
    const uint64_t number = session->number_first + 2 * (uint64_t)slot->index;

    slot->failure = 0;
    slot->call = (struct object_call){
        .verb = object_can(session->service, OBJECT_RENAME) ? OBJECT_RENAME : OBJECT_COPY,
        .source_key = object_key(session->set, number + slot->moved, slot->key),
        .key = object_key(session->set, number + !slot->moved, slot->other),
    };
}

/* From now on the object has its new name, whatever the result of the request that removes the old
 * one. */
static int64_t next_copy(struct object_session *session, struct object_slot *slot)
{
    if (session->work->test == TEST_COPY) {
        session->new_objects++;
        return (int64_t)session->work->io_bytes;
    }
    slot->moved = !slot->moved;
    if (slot->call.verb != OBJECT_COPY)
        return (int64_t)session->work->io_bytes;
    slot->call = (struct object_call){.verb = OBJECT_DELETE, .key = slot->key};
    return OBJECT_MORE;
}

/* This operation has failed, but the next one must find an object at one name, and none at the
 * other: */
static COLD int64_t replace(struct object_session *session, struct object_slot *slot, int64_t code)
{
    struct error unsaid = ERROR_INIT;

    if (object_session_spare(session, &unsaid) != 0)
        return code;
    slot->call = (struct object_call){.verb = OBJECT_PUT,
                                      .key = slot->key,
                                      .body = session->spare,
                                      .body_bytes = session->work->io_bytes};
    slot->failure = code;
    slot->tried = 0;
    return OBJECT_MORE;
}

static COLD int64_t failed_copy(struct object_session *session, struct object_slot *slot,
                                int64_t code)
{
    const bool names_differ = slot->call.verb == OBJECT_RENAME && code == -EEXIST;

    if ((code != -ENOENT && !names_differ) || slot->goal != OBJECT_GOAL_TEST ||
        session->work->test != TEST_RENAME)
        return code;
    if (slot->call.verb == OBJECT_COPY)
        return replace(session, slot, code);
    slot->call = (struct object_call){.verb = OBJECT_DELETE, .key = slot->other};
    slot->failure = code;
    slot->tried = 0;
    return OBJECT_MORE;
}

/* ---- all operations ---- */

int64_t object_operation_first(struct object_session *session, struct object_slot *slot)
{
    switch (slot->reads ? TEST_READ : session->work->test) {
    case TEST_READ:
        first_read(session, slot);
        return 0;
    case TEST_WRITE:
    case TEST_FILL:
        first_write(session, slot);
        return 0;
    case TEST_STAT:
        slot->call = (struct object_call){
            .verb = OBJECT_STAT,
            .key = object_key(session->set, slot->object, slot->key),
        };
        return 0;
    case TEST_LIST:
        first_list(session, slot);
        return 0;
    case TEST_RENAME:
        first_rename(session, slot);
        return 0;
    case TEST_DELETE:
        return first_delete(session, slot);
    case TEST_CREATE:
        slot->call = (struct object_call){
            .verb = OBJECT_PUT,
            .key = object_new_key(session->set, slot, slot->key),
            .body = slot->data,
            .body_bytes = session->work->io_bytes,
        };
        return 0;
    case TEST_COPY:
        slot->call = (struct object_call){
            .verb = OBJECT_COPY,
            .source_key = object_key(session->set, slot->object, slot->key),
            .key = object_new_key(session->copies, slot, slot->other),
        };
        return 0;
    case TEST_APPEND: /* see object_operation_open */
    case TEST_COUNT:
        break;
    }
    return -EINVAL;
}

int64_t object_operation_next(struct object_session *session, struct object_slot *slot,
                              const struct object_answer *answer)
{
    switch (slot->call.verb) {
    case OBJECT_GET:
    case OBJECT_XATTR_GET:
    case OBJECT_OMAP_GET:
        return next_read(session, slot, answer);
    case OBJECT_LIST:
        return next_list(session, slot, answer);
    case OBJECT_COPY:
    case OBJECT_RENAME:
        return next_copy(session, slot);
    case OBJECT_DELETE_MANY:
        return next_delete_many(session, slot, answer);
    case OBJECT_UPLOAD_BEGIN:
    case OBJECT_UPLOAD_PART:
    case OBJECT_APPEND:
        return object_parts_next(session, slot, answer);
    case OBJECT_UPLOAD_ABORT:
        return slot->failure;
    case OBJECT_WRITE_RANGE:
        if (__builtin_expect(slot->goal == OBJECT_GOAL_FILL, 0))
            return object_parts_next(session, slot, answer);
        break;
    case OBJECT_XATTR_PUT:
    case OBJECT_OMAP_PUT:
        object_now_present(session, slot);
        break;
    case OBJECT_PUT:
        if (__builtin_expect(slot->call.grows, 0))
            return object_parts_next(session, slot, answer);
        if (__builtin_expect(session->work->test == TEST_RENAME && slot->goal == OBJECT_GOAL_TEST,
                             0))
            return slot->failure; /* see failed_copy */
        object_now_present(session, slot);
        session->new_objects += session->work->test == TEST_CREATE;
        if (__builtin_expect(session->store->target.request->verify, 0) &&
            slot->goal == OBJECT_GOAL_TEST &&
            (session->work->test == TEST_WRITE || session->work->test == TEST_CREATE))
            return check_sum(session, slot, answer, true);
        break;
    case OBJECT_UPLOAD_COMPLETE:
        object_now_present(session, slot);
        session->new_objects += session->work->test == TEST_CREATE;
        break;
    case OBJECT_DELETE:
        if (__builtin_expect(session->work->test == TEST_RENAME && slot->failure < 0, 0))
            return replace(session, slot, slot->failure);
        break;
    case OBJECT_STAT:
        if (__builtin_expect(session->work->test == TEST_RENAME,
                             0)) /* see answer_lost in engine.c */
            return next_copy(session, slot);
        next_stat(session, slot, answer);
        break;
    default:
        break;
    }
    return (int64_t)session->work->io_bytes;
}

/* Aborts an upload that has begun.  One whose first answer was lost may exist nevertheless, as may
 * one whose abort failed: the end of the run looks for them. */
int64_t object_operation_failed(struct object_session *session, struct object_slot *slot,
                                int64_t code)
{
    if (slot->owner) /* whose owner cleans up */
        return code;
    switch (slot->call.verb) {
    case OBJECT_COPY:
    case OBJECT_RENAME:
        return failed_copy(session, slot, code);
    case OBJECT_UPLOAD_BEGIN:
    case OBJECT_UPLOAD_PART:
    case OBJECT_UPLOAD_COMPLETE:
        if (!slot->upload.id[0])
            return code;
        slot->call = (struct object_call){
            .verb = OBJECT_UPLOAD_ABORT, .key = slot->call.key, .upload_id = slot->upload.id};
        slot->failure = code;
        slot->tried = 0;
        return OBJECT_MORE;
    case OBJECT_UPLOAD_ABORT:
        return slot->failure;
    default:
        return code;
    }
}
