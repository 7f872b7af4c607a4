/* SPDX-License-Identifier: GPL-2.0-or-later */
/* upload.c - operations that get an object there piece by piece: in parts of an upload, one after the
 * other or in lanes, or by appending, where a store does that. */
#include "base/compat.h"

#include "target/object/operation.h"

#include <errno.h>
#include <string.h>

void object_upload_first(const struct object_session *session, struct object_slot *slot)
{
    slot->upload.size_bytes = session->work->io_bytes;
    slot->upload.part_bytes = session->part_bytes;
    slot->upload.document = object_session_memory(session, slot);
    slot->upload.document_room = session->memory_each - session->gather_each * session->gathers;
    object_multipart_begin(&slot->upload, session->service, OBJECT_APPEND,
                           object_key(session->set, slot->object, slot->key), &slot->call);
}

/* Where objects are appended to, what the program writes is a request, however little it is. */
static void set_fragment(struct object_session *session, struct object_slot *slot)
{
    const uint64_t fragment_bytes = session->work->fragment_bytes;
    const uint64_t left_bytes =
        slot->upload.size_bytes - slot->upload.sent_bytes - slot->call.body_bytes;

    slot->upload.part_bytes = fragment_bytes || left_bytes == 0
                                  ? fragment_bytes
                                  : 1 + rng_below(&session->jitter, left_bytes);
}

/* What the program writes a little at a time is gathered until it makes a part.  Parts that are
 * under way at the same time have a place each. */
static const char *gather(const struct object_session *session, const struct object_slot *slot,
                          const char *data, uint64_t bytes)
{
    const struct object_slot *const owner = slot->owner ? slot->owner : slot;
    const size_t place = slot->owner ? (slot->index - session->slots) % session->lanes_each : 0;
    const uint64_t fragment_bytes = session->work->fragment_bytes;
    const uint64_t each = fragment_bytes > 0 ? fragment_bytes : bytes;
    char *const part = object_session_memory(session, owner) + session->memory_each -
                       session->gather_each * (place + 1);

    for (uint64_t at = 0; at < bytes; at += each) {
        const uint64_t piece = bytes - at < each ? bytes - at : each;

        memcpy(part + at, data + at, (size_t)piece);
    }
    return part;
}

const char *object_operation_part(const struct object_session *session,
                                  const struct object_slot *slot, uint64_t offset_bytes)
{
    if (session->work->test == TEST_APPEND && session->gathers)
        return gather(session, slot, slot->data + offset_bytes, slot->call.body_bytes);
    return slot->data + offset_bytes;
}

static const char *part_of(struct object_session *session, struct object_slot *slot)
{
    if (slot->goal == OBJECT_GOAL_FILL)
        return session->task->part(session->task, slot);
    return object_operation_part(session, slot, slot->upload.sent_bytes);
}

bool object_operation_upload(struct object_session *session, struct object_slot *slot, bool end)
{
    if (slot->call.verb != (end ? OBJECT_UPLOAD_COMPLETE : slot->upload.piece))
        return false;
    if (!end && !session->lanes) /* else lanes look for theirs */
        slot->call.body = part_of(session, slot);
    return true;
}

static int64_t next_of_lane(struct object_session *session, struct object_slot *lane,
                            const struct object_answer *answer)
{
    if (!object_multipart_note(&lane->owner->upload, session->base->service, lane->call.part,
                               answer))
        return object_operation_broken(session, lane, OBJECT_PART_UNNAMED);
    return object_lanes_next(session, lane) ? OBJECT_MORE : 0;
}

/* Its beginning, all of its parts and its end are a step of the operation each. */
int64_t object_upload_next(struct object_session *session, struct object_slot *slot,
                           const struct object_answer *answer)
{
    const bool begun = object_multipart_begins(&slot->call);
    const bool tested = slot->goal == OBJECT_GOAL_TEST;
    const char *wrong;

    if (__builtin_expect(slot->owner != NULL, 0))
        return next_of_lane(session, slot, answer);
    if (tested && slot->upload.piece != OBJECT_UPLOAD_PART)
        set_fragment(session, slot);
    wrong = object_multipart_next(&slot->upload, session->base->service, &slot->call, answer);

    if (__builtin_expect(wrong != NULL, 0))
        return object_operation_failed(session, slot,
                                       object_operation_broken(session, slot, wrong));
    if (object_multipart_over(&slot->upload)) {
        object_operation_present(session, slot);
        return (int64_t)session->work->io_bytes;
    }
    if (tested && (begun || slot->call.verb == OBJECT_UPLOAD_COMPLETE))
        return (int64_t)session->work->io_bytes;
    if (slot->call.verb == slot->upload.piece)
        slot->call.body = part_of(session, slot);
    return OBJECT_MORE;
}

/* ---- in lanes ---- */

int64_t object_operation_joined(struct object_session *session, struct object_slot *slot)
{
    const char *wrong;

    if (__builtin_expect(slot->lanes_code < 0, 0))
        return object_operation_failed(session, slot, slot->lanes_code);
    if (slot->call.verb == OBJECT_GET)
        return (int64_t)slot->lanes_bytes;
    wrong = object_multipart_join(&slot->upload, session->base->service, &slot->call);
    if (__builtin_expect(wrong != NULL, 0))
        return object_operation_failed(session, slot,
                                       object_operation_broken(session, slot, wrong));
    return (int64_t)session->work->io_bytes;
}
