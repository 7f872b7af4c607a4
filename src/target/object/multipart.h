/* SPDX-License-Identifier: GPL-2.0-or-later */
/* multipart.h - the upload of one object in parts, one after the other: which call comes next.
 *
 *     begin → part → part ... → complete
 *          ╰─────────┴────────────┴─→ abort
 *
 * Who has one sends the calls, repeats what may be repeated, and says what is in a part. */
#ifndef TARGET_OBJECT_MULTIPART_H
#define TARGET_OBJECT_MULTIPART_H

#include "target/object/protocol.h"

struct object_multipart {
    /* The caller's: the object, and memory for the document that completes it. */
    uint64_t size_bytes, part_bytes;
    char *document;
    size_t document_room;
    /* Since object_multipart_begin: */
    uint64_t sent_bytes; /* in parts that were answered: where the one under way begins */
    size_t document_bytes;
    char id[OBJECT_UPLOAD_BYTES]; /* "": not known yet */
};

/* What the document of an object takes at most. */
size_t object_multipart_room(const struct object_protocol *protocol, uint64_t size_bytes,
                             uint64_t part_bytes);

/* The call that begins the upload of `key`, which must stay. */
void object_multipart_begin(struct object_multipart *upload, const char *key,
                            struct object_call *call);

/* Hot.  The call was begin or a part and went well: it becomes the next part, whose body the caller
 * has to set (call->body_bytes from upload->sent_bytes on), or the completion.  Returns NULL, or
 * what is wrong with the answer; then the call is as it was. */
const char *object_multipart_next(struct object_multipart *upload,
                                  const struct object_service *service, struct object_call *call,
                                  const struct object_answer *answer);

/* Cold.  The call becomes the one that gives the upload up.  False: there is no name to do so. */
bool object_multipart_abort(const struct object_multipart *upload, struct object_call *call);

#endif
