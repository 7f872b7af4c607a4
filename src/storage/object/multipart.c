/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* multipart.c - see the header. */
#include "base/compat.h"

#include "storage/object/multipart.h"

#include <stdio.h>
#include <string.h>

size_t object_multipart_room(const struct object_service *service, uint64_t size_bytes,
                             uint64_t part_bytes)
{
    const struct object_protocol *protocol = service->protocol;

    if (!object_can(service, OBJECT_UPLOAD_BEGIN))
        return 0;
    return (size_t)((size_bytes - 1) / part_bytes + 1) * protocol->part_bytes +
           protocol->rest_bytes;
}

void object_multipart_begin(struct object_multipart *upload, const struct object_service *service,
                            enum object_verb piece, const char *key, struct object_call *call)
{
    upload->piece = object_can(service, OBJECT_UPLOAD_BEGIN) ? OBJECT_UPLOAD_PART
                    : object_can(service, piece)             ? piece
                                                             : OBJECT_APPEND;
    upload->sent_bytes = 0;
    upload->taken = 0;
    upload->over = false;
    upload->document_bytes = 0;
    upload->id[0] = '\0';
    if (upload->piece == OBJECT_UPLOAD_PART)
        *call = (struct object_call){.verb = OBJECT_UPLOAD_BEGIN, .key = key};
    else
        *call = (struct object_call){.verb = OBJECT_PUT, .key = key, .grows = true};
}

static void complete(const struct object_multipart *upload, struct object_call *call)
{
    *call = (struct object_call){
        .verb = OBJECT_UPLOAD_COMPLETE,
        .key = call->key,
        .upload_id = upload->id,
        .body = upload->document,
        .body_bytes = upload->document_bytes,
    };
}

bool object_multipart_take(struct object_multipart *upload, const char *key,
                           struct object_call *call)
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
static size_t place_of(const struct object_service *service, unsigned part)
{
    const struct object_protocol *protocol = service->protocol;

    return part == 1 ? 0 : protocol->rest_bytes + (part - 1) * protocol->part_bytes;
}

/* Terminates a note that does not fill its place. */
bool object_multipart_note(const struct object_multipart *upload,
                           const struct object_service *service, unsigned part,
                           const struct object_answer *answer)
{
    const size_t end = place_of(service, part + 1);
    const size_t used = service->protocol->parts(service, part, answer, upload->document,
                                                 place_of(service, part), end);

    if (used > 0 && used < end)
        upload->document[used] = '\0';
    return used > 0;
}

const char *object_multipart_join(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call)
{
    size_t used = 0;

    for (unsigned part = 1; part <= upload->taken; part++) {
        const size_t place = place_of(service, part);
        const size_t bytes = strnlen(upload->document + place, place_of(service, part + 1) - place);

        memmove(upload->document + used, upload->document + place, bytes);
        used += bytes;
    }
    upload->document_bytes =
        service->protocol->parts(service, 0, NULL, upload->document, used, upload->document_room);
    if (upload->document_bytes == 0)
        return "the list of parts is too long";
    complete(upload, call);
    return NULL;
}

const char *object_multipart_next(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call,
                                  const struct object_answer *answer)
{
    if (call->verb == OBJECT_UPLOAD_BEGIN) {
        snprintf(upload->id, sizeof(upload->id), "%s", answer->upload_id);
        if (!upload->id[0])
            return "the reply does not name the upload";
    } else if (upload->piece == OBJECT_UPLOAD_PART &&
               !object_multipart_note(upload, service, call->part, answer)) {
        return OBJECT_PART_UNNAMED;
    }
    if (object_multipart_take(upload, call->key, call))
        return NULL;
    upload->over = upload->piece != OBJECT_UPLOAD_PART;
    return upload->over ? NULL : object_multipart_join(upload, service, call);
}

bool object_multipart_abort(const struct object_multipart *upload, struct object_call *call)
{
    if (!upload->id[0])
        return false;
    *call = (struct object_call){
        .verb = OBJECT_UPLOAD_ABORT, .key = call->key, .upload_id = upload->id};
    return true;
}
