/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* multipart.h - the upload of one object in parts: determines the next call.
 *
 *     begin → part → part ... → complete
 *          ╰─────────┴────────────┴─→ abort
 *
 * or, if a service has no uploads in parts,
 *
 *     put, empty → piece → piece ...          each is appended, or written as a range
 *
 * Parts are sent one after the other (next), or several at a time: then each is taken, noted once
 * it is uploaded, and finally all are joined.
 *
 * The owner sends the calls, repeats them if allowed, and supplies the data of parts. */
#ifndef STORAGE_OBJECT_MULTIPART_H
#define STORAGE_OBJECT_MULTIPART_H

#include "storage/object/protocol.h"

struct object_multipart {
    /* Set by the owner: the object, and memory for the document that completes it. */
    uint64_t size_bytes, part_bytes;
    char *document;
    size_t document_room;
    enum object_verb piece; /* UPLOAD_PART, APPEND or WRITE_RANGE: the request for a part */
    /* Since object_multipart_begin: */
    uint64_t sent_bytes; /* in parts taken so far */
    unsigned taken; /* parts; the first one is noted at the head of the document, and each ... */
    bool over;      /* all pieces are uploaded, if no request completes them */
    size_t document_bytes;
    char id[OBJECT_UPLOAD_BYTES]; /* "": unknown yet */
};

/* Maximum bytes of the document of an object. */
size_t object_multipart_room(const struct object_service *service, uint64_t size_bytes,
                             uint64_t part_bytes);

/* Makes the call that begins the upload of `key`, which must stay valid.  piece, without uploads in
 * parts: OBJECT_WRITE_RANGE, or OBJECT_APPEND to append even if ranges can be written. */
void object_multipart_begin(struct object_multipart *upload, const struct object_service *service,
                            enum object_verb piece, const char *key, struct object_call *call);

/* Hot.  The call began the upload or sent a part, and succeeded: it becomes that of the next part,
 * whose body the caller sets (call->body_bytes from call->offset_bytes on), or the completion, or
 * stays if all is done.  Returns NULL, or the fault of the answer, with the call unchanged. */
const char *object_multipart_next(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call,
                                  const struct object_answer *answer);

/* The fault of an answer that does not name its part. */
#define OBJECT_PART_UNNAMED "the answer to a part has no ETag"

/* Hot.  The call becomes that of the next part not taken yet; the caller sets its body, which
 * begins at call->offset_bytes.  False: none is left. */
bool object_multipart_take(struct object_multipart *upload, const char *key,
                           struct object_call *call);

/* Hot.  The upload has begun, but the call of its first part was not sent: that is taken again. */
static inline void object_multipart_restart(struct object_multipart *upload)
{
    upload->sent_bytes = 0;
    upload->taken = 0;
}

/* Hot.  Keeps the name of a taken part from its answer, in any order.  False: the answer does not
 * name the part. */
bool object_multipart_note(const struct object_multipart *upload,
                           const struct object_service *service, unsigned part,
                           const struct object_answer *answer);

/* Hot.  All parts are noted: the call becomes the completion.  Returns NULL, or the fault, with the
 * call unchanged. */
const char *object_multipart_join(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call);

/* Cold.  The call becomes the one that aborts the upload.  False: its id is unknown. */
bool object_multipart_abort(const struct object_multipart *upload, struct object_call *call);

#endif
