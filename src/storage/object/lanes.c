/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* lanes.c - simultaneous parts of one operation: ranges of an object, parts of an upload
 * (--parallel).
 *
 *     operation   its slot    begin ┄┄┄ joins ┄┄┄┄┄┄┄┄┄ joined → its end, or the next request
 *                              ├─ lane 0: part → part ─┤
 *                              ╰─ lane 1: part ────────╯
 *
 * A lane is a slot of the link like any other: its requests are counted, repeated and abandoned in
 * the same way.  The operation has one result, once all of its lanes have ended. */
#include "base/compat.h"

#include "storage/object/operation.h"

#include <errno.h>

#include "base/text.h"

/* Divides the bytes into ranges as evenly as possible, none of them empty. */
static void bind_ranges(struct object_session *session)
{
    const uint64_t io_bytes = session->work->io_bytes;

    session->lanes = (uint32_t)session->options->parallel;
    if (session->lanes > io_bytes)
        session->lanes = (uint32_t)io_bytes;
    if (session->lanes < 2)
        return;
    session->range_bytes = io_bytes / session->lanes;
    session->range_longer = io_bytes % session->lanes;
}

void object_lanes_bind(struct object_session *session)
{
    const struct workload *work = session->work;

    session->lanes = 0;
    if (work->test == TEST_READ || work->reads_too) {
        if (object_get_verb(session->set->kind) == OBJECT_GET)
            bind_ranges(session);
    } else if (session->uploads && object_can(session->service, OBJECT_UPLOAD_BEGIN))
        session->lanes = (uint32_t)session->options->parallel;
    if (session->lanes < 2)
        session->lanes = 0;
    session->reach = session->lanes ? session->slots_all : session->width;
}

static void next_range(const struct object_session *session, struct object_slot *lane, uint32_t at)
{
    const struct object_slot *const slot = lane->owner;
    const uint64_t longer = at < session->range_longer ? at : session->range_longer;
    const uint64_t skipped_bytes = at * session->range_bytes + longer;
    const uint64_t bytes = session->range_bytes + (at < session->range_longer);

    lane->call = (struct object_call){
        .verb = OBJECT_GET,
        .key = slot->call.key,
        .ranged = true,
        .offset_bytes = slot->call.offset_bytes + skipped_bytes,
        .range_bytes = bytes,
        .into = slot->call.into ? (char *)slot->call.into + skipped_bytes : NULL,
        .into_bytes = slot->call.into ? bytes : 0,
    };
}

bool object_lanes_next(const struct object_session *session, struct object_slot *lane)
{
    struct object_slot *const slot = lane->owner;

    if (slot->call.verb != OBJECT_UPLOAD_PART || slot->lanes_code ||
        !object_multipart_take(&slot->upload, slot->call.key, &lane->call))
        return false;
    lane->call.body = object_operation_part(session, lane);
    return true;
}

/* Begins the lane of this number. */
static bool begin_lane(struct object_session *session, struct object_slot *slot, uint32_t number)
{
    struct object_slot *const lane =
        &session->slot[session->slots + slot->index * session->lanes_each + number];
    int64_t result;

    lane->goal = slot->goal;
    lane->reads = slot->reads;
    lane->object = slot->object;
    lane->data = slot->data;
    if (slot->call.verb == OBJECT_GET)
        next_range(session, lane, number);
    else if (!object_lanes_next(session, lane))
        return false;
    result = object_session_begin(session, lane);
    if (__builtin_expect(result != ASYNC_PENDING, 0)) {
        slot->lanes_code = result;
        return false;
    }
    slot->lanes_busy++;
    return true;
}

int64_t object_lanes_begin(struct object_session *session, struct object_slot *slot)
{
    slot->lanes_busy = 0;
    slot->lanes_code = 0;
    slot->lanes_bytes = slot->lanes_etag = 0;
    object_multipart_restart(&slot->upload);
    for (uint32_t i = 0; i < session->lanes && begin_lane(session, slot, i); i++)
        continue;
    if (__builtin_expect(!slot->lanes_busy, 0))
        return object_operation_joined(session, slot);
    slot->busy = slot->joins = true;
    return ASYNC_PENDING;
}

/* The failure that a later request for a range with If-Match would have. */
static COLD int64_t changed(struct object_session *session, const struct object_slot *lane)
{
    object_counted(session, lane)->client_errors++;
    object_session_note(session, lane, "the object changed while its ranges were read");
    return -EBUSY;
}

/* All ranges are requested at once, so no request can contain the ETag of another one's answer. */
int64_t object_lanes_range(struct object_session *session, const struct object_slot *lane,
                           const char *etag)
{
    struct object_slot *const slot = lane->owner;
    const uint64_t hash = etag[0] ? text_hash(etag) | 1 : slot->lanes_etag; /* never 0 */

    if (!slot->lanes_etag)
        slot->lanes_etag = hash;
    if (__builtin_expect(slot->lanes_etag != hash, 0) && !session->work->reads_too)
        return changed(session, lane);
    return (int64_t)lane->call.range_bytes;
}

int64_t object_lanes_ended(struct object_session *session, struct object_slot *lane, int64_t result)
{
    struct object_slot *const slot = lane->owner;

    /* the end of the run is not a failure, and hides none */
    if (__builtin_expect(result < 0, 0) && (!slot->lanes_code || slot->lanes_code == -ECANCELED))
        slot->lanes_code = result;
    if (result > 0)
        slot->lanes_bytes += (uint64_t)result;
    if (--slot->lanes_busy > 0)
        return ASYNC_PENDING;
    slot->joins = false;
    return object_operation_joined(session, slot);
}
