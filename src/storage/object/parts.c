/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parts.c - objects in parts: the upload of one object, and simultaneous parts of one operation:
 * ranges of an object, parts of an upload (--parallel).
 *
 *     operation   its slot    begin ┄┄┄ joins ┄┄┄┄┄┄┄┄┄ joined → its end, or the next request
 *                              ├─ lane 0: part → part ─┤
 *                              ╰─ lane 1: part ────────╯
 *
 * A lane is a slot of the link like any other: its requests are counted, repeated and abandoned in
 * the same way.  The operation has one result, once all of its lanes have ended. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "storage/object/operation.h"

/* ---- uploads in parts ---- */

size_t object_multipart_room(const struct object_service *service, uint64_t size_bytes,
                             uint64_t part_bytes)
{
    const struct object_protocol *protocol = service->protocol;

    if (!object_can(service, OBJECT_UPLOAD_BEGIN))
        return 0;
    return (size_t)((size_bytes - 1) / part_bytes + 1) * protocol->part_bytes +
           protocol->rest_bytes;
}

void object_multipart_begin(const struct object_session *session, struct object_slot *slot,
                            enum object_verb piece, const struct object_multipart *upload)
{
    const struct object_service *service = session->service;

    slot->upload = *upload;
    slot->upload.piece = object_can(service, OBJECT_UPLOAD_BEGIN) ? OBJECT_UPLOAD_PART
                         : object_can(service, piece)             ? piece
                                                                  : OBJECT_APPEND;
    slot->call = (struct object_call){
        .verb = slot->upload.piece == OBJECT_UPLOAD_PART ? OBJECT_UPLOAD_BEGIN : OBJECT_PUT,
        .key = slot->key,
        .grows = slot->upload.piece != OBJECT_UPLOAD_PART};
}

/* The call becomes that of the next part not taken yet; the caller sets its body, which begins at
 * call->offset_bytes.  False: none is left. */
static bool take_part(struct object_multipart *upload, const char *key, struct object_call *call)
{
    const uint64_t left_bytes = upload->size_bytes - upload->sent_bytes;

    if (left_bytes == 0)
        return false;
    *call = (struct object_call){
        .verb = upload->piece,
        .key = key,
        .upload_id = upload->id,
        .part = ++upload->taken,
        .offset_bytes = upload->sent_bytes,
        .object_bytes = upload->size_bytes,
        .body_bytes = left_bytes < upload->part_bytes ? left_bytes : upload->part_bytes,
    };
    upload->sent_bytes += call->body_bytes;
    return true;
}

/* Where a part is noted in the document's memory until all of them are joined: the first one also
 * gets the room of the rest, because the head precedes it. */
static size_t place_of(const struct object_protocol *protocol, unsigned part)
{
    return part == 1 ? 0 : protocol->rest_bytes + (part - 1) * protocol->part_bytes;
}

/* Keeps the name of the part that the slot has sent, in any order.  A note that does not fill its
 * place is terminated. */
static int64_t note_part(struct object_session *session, const struct object_slot *slot,
                         const struct object_answer *answer)
{
    char *const document = (slot->owner ? slot->owner : slot)->upload.document;
    const size_t begin = place_of(session->protocol, slot->call.part);
    const size_t end = place_of(session->protocol, slot->call.part + 1);
    const size_t used =
        session->protocol->parts(session->service, slot->call.part, answer, document, begin, end);

    if (__builtin_expect(used == 0, 0))
        return object_broken(session, slot, "the answer to a part has no ETag");
    if (used < end)
        document[used] = '\0';
    return 0;
}

/* All parts are noted: the call becomes the completion. */
static int64_t join_parts(struct object_session *session, struct object_slot *slot)
{
    const struct object_protocol *const protocol = session->protocol;
    const struct object_multipart *const upload = &slot->upload;
    size_t used = 0;

    for (unsigned part = 1; part <= upload->taken; part++) {
        const size_t begin = place_of(protocol, part), end = place_of(protocol, part + 1);
        const size_t bytes = strnlen(upload->document + begin, end - begin);

        memmove(upload->document + used, upload->document + begin, bytes);
        used += bytes;
    }
    used =
        protocol->parts(session->service, 0, NULL, upload->document, used, upload->document_room);
    if (__builtin_expect(used == 0, 0))
        return object_broken(session, slot, "the list of parts is too long");
    slot->call = (struct object_call){
        .verb = OBJECT_UPLOAD_COMPLETE,
        .key = slot->call.key,
        .upload_id = upload->id,
        .body = upload->document,
        .body_bytes = used,
    };
    return 0;
}

/* ---- operations on uploads ---- */

void object_operation_open(const struct object_session *session, struct object_slot *slot)
{
    const struct object_multipart upload = {.size_bytes = session->work->io_bytes,
                                            .part_bytes = session->part_bytes,
                                            .document = object_session_memory(session, slot),
                                            .document_room = session->memory_each};

    if (session->work->test == TEST_CREATE)
        object_new_key(session->set, slot, slot->key);
    else
        object_key(session->set, slot->object, slot->key);
    object_multipart_begin(session, slot, OBJECT_APPEND, &upload);
}

/* If objects are appended to, each write of the program is a request, however small. */
static void set_fragment(struct object_session *session, struct object_slot *slot)
{
    const uint64_t fragment_bytes = session->work->fragment_bytes;
    const uint64_t left_bytes = slot->upload.size_bytes - slot->upload.sent_bytes;

    slot->upload.part_bytes = fragment_bytes || left_bytes == 0
                                  ? fragment_bytes
                                  : 1 + rng_below(&session->jitter, left_bytes);
}

/* The data of the part in slot->call; the slot is that of the operation or a lane. */
static const char *part_of(struct object_session *session, struct object_slot *slot)
{
    if (slot->goal == OBJECT_GOAL_FILL)
        return session->task->part(session->task, slot);
    return slot->data + slot->call.offset_bytes;
}

bool object_operation_upload(struct object_session *session, struct object_slot *slot, bool end)
{
    if (slot->call.verb != (end ? OBJECT_UPLOAD_COMPLETE : slot->upload.piece))
        return false;
    if (!end && !session->lanes) /* lanes set their own */
        slot->call.body = part_of(session, slot);
    return true;
}

/* Puts the next part of its operation into lane->call.  False: all parts have begun, or one has
 * failed. */
static bool next_part(struct object_slot *lane)
{
    struct object_slot *const slot = lane->owner;

    if (slot->call.verb != OBJECT_UPLOAD_PART || slot->lanes_code ||
        !take_part(&slot->upload, slot->call.key, &lane->call))
        return false;
    lane->call.body = lane->data + lane->call.offset_bytes;
    return true;
}

/* The beginning, all parts and the end of an upload are one step of the operation each. */
int64_t object_parts_next(struct object_session *session, struct object_slot *slot,
                          const struct object_answer *answer)
{
    struct object_multipart *const upload = &slot->upload;
    const bool begun = slot->call.verb == OBJECT_UPLOAD_BEGIN || slot->call.grows;
    const bool tested = slot->goal == OBJECT_GOAL_TEST;
    int64_t code = 0;

    if (slot->call.verb == OBJECT_UPLOAD_PART)
        code = note_part(session, slot, answer);
    if (__builtin_expect(slot->owner != NULL, 0)) /* a lane */
        return code < 0 ? code : next_part(slot) ? OBJECT_MORE : 0;
    if (slot->call.verb == OBJECT_UPLOAD_BEGIN) {
        snprintf(upload->id, sizeof(upload->id), "%s", answer->upload_id);
        if (!upload->id[0])
            code = object_broken(session, slot, "the reply does not name the upload");
    }
    if (tested && upload->piece != OBJECT_UPLOAD_PART)
        set_fragment(session, slot);
    if (code == 0 && !take_part(upload, slot->call.key, &slot->call)) {
        if (upload->piece != OBJECT_UPLOAD_PART) { /* no request completes it */
            object_now_present(session, slot);
            return (int64_t)session->work->io_bytes;
        }
        code = join_parts(session, slot);
    }
    if (__builtin_expect(code < 0, 0))
        return object_operation_failed(session, slot, code);
    if (tested && (begun || slot->call.verb == OBJECT_UPLOAD_COMPLETE))
        return (int64_t)session->work->io_bytes;
    if (slot->call.verb == upload->piece)
        slot->call.body = part_of(session, slot);
    return OBJECT_MORE;
}

/* All lanes of the operation have ended, with lanes_code and lanes_bytes. */
static int64_t joined(struct object_session *session, struct object_slot *slot)
{
    int64_t code = slot->lanes_code;

    if (code == 0 && slot->call.verb == OBJECT_GET)
        return (int64_t)slot->lanes_bytes;
    if (code == 0)
        code = join_parts(session, slot);
    return __builtin_expect(code < 0, 0) ? object_operation_failed(session, slot, code)
                                         : (int64_t)session->work->io_bytes;
}

/* ---- lanes ---- */

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
    else if (!next_part(lane))
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
    slot->upload.sent_bytes = 0; /* no part was sent: the first one is taken again */
    slot->upload.taken = 0;
    for (uint32_t i = 0; i < session->lanes && begin_lane(session, slot, i); i++)
        continue;
    if (__builtin_expect(!slot->lanes_busy, 0))
        return joined(session, slot);
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
    return joined(session, slot);
}
