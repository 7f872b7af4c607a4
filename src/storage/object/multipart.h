/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* multipart.h - the upload of one object in parts: which call comes next.
 *
 *     begin → part → part ... → complete
 *          ╰─────────┴────────────┴─→ abort
 *
 * or, where a service has no uploads in parts,
 *
 *     put, empty → piece → piece ...          each is appended, or written as a range
 *
 * Parts go one after the other (next), or several at a time: each is taken, noted when it is there,
 * and all together are joined.
 *
 * Who has one sends the calls, repeats what may be repeated, and says what is in a part. */
#ifndef STORAGE_OBJECT_MULTIPART_H
#define STORAGE_OBJECT_MULTIPART_H

#include "storage/object/protocol.h"

struct object_multipart {
    /* The caller's: the object, and memory for the document that completes it. */
    uint64_t size_bytes, part_bytes;
    char *document;
    size_t document_room;
    enum object_verb piece; /* UPLOAD_PART, APPEND or WRITE_RANGE: how a part gets there */
    /* Since object_multipart_begin: */
    uint64_t sent_bytes; /* in parts that were taken */
    unsigned taken; /* parts; the first one is noted at the head of the document, and each ... */
    bool over;      /* all pieces are there, where nothing completes them */
    size_t document_bytes;
    char id[OBJECT_UPLOAD_BYTES]; /* "": not known yet */
};

/* What the document of an object takes at most. */
size_t object_multipart_room(const struct object_service *service, uint64_t size_bytes,
                             uint64_t part_bytes);

/* The call that begins the upload of `key`, which must stay.  piece: OBJECT_WRITE_RANGE, or
 * OBJECT_APPEND to append although ranges can be written, where there are no uploads in parts. */
void object_multipart_begin(struct object_multipart *upload, const struct object_service *service,
                            enum object_verb piece, const char *key, struct object_call *call);

/* Hot.  The call was begin or a part and went well: it becomes the next part, whose body the caller
 * has to set (call->body_bytes from call->offset_bytes on), or the completion; it stays as it is
 * when all is over.  Returns NULL, or what is wrong with the answer; then the call is as it was. */
const char *object_multipart_next(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call,
                                  const struct object_answer *answer);

/* What is wrong with an answer that does not name its part. */
#define OBJECT_PART_UNNAMED "the answer to a part has no ETag"

/* Hot.  The call becomes that of the next part that nobody has taken since begin; its body, which
 * the caller has to set, begins at call->offset_bytes.  False: none is left. */
bool object_multipart_take(struct object_multipart *upload, const char *key,
                           struct object_call *call);

/* Hot.  The upload has begun, and the call of its first part was not sent: that is taken again. */
static inline void object_multipart_restart(struct object_multipart *upload)
{
    upload->sent_bytes = 0;
    upload->taken = 0;
}

/* Hot.  Keeps what the answer to a part that was taken names, in any order.  False: it names no
 * part. */
bool object_multipart_note(const struct object_multipart *upload,
                           const struct object_service *service, unsigned part,
                           const struct object_answer *answer);

/* Hot.  All parts are noted: the call becomes the completion.  Returns NULL, or what is wrong; then
 * the call is as it was. */
const char *object_multipart_join(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call);

/* Cold.  The call becomes the one that gives the upload up.  False: there is no name to do so. */
bool object_multipart_abort(const struct object_multipart *upload, struct object_call *call);

#endif
