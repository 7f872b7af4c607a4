/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* call.h - what the store in memory does for one call, and what it answers: objects, lists, uploads
 * in parts.  Knows nothing of slots and times.  Any thread, each with replies of its own.  Nothing
 * fails here: what a store refuses is the verdict of its answer. */
#ifndef STORAGE_OBJECT_MEM_CALL_H
#define STORAGE_OBJECT_MEM_CALL_H

#include "storage/object/mem/fault.h"
#include "storage/object/mem/store.h"
#include "storage/object/protocol.h"

#define MEM_PART_BYTES 24u /* of the number of an object or an upload, and its end */

struct mem_reply {               /* zeroed before the first call; serves one call after the other */
    struct object_answer answer; /* points into the reply, which must stay where it is */
    char etag[MEM_ETAG_BYTES], upload_id[MEM_PART_BYTES];
    char *text; /* owned: the entries of a list */
    size_t text_used, text_room;
    uint64_t entries;
    bool more;
    char next[OBJECT_KEY_BYTES]; /* the last key of a page that goes on */
};

/* Hot.  Carries out a call, or lets it fail as is told; the answer is valid until the next one. */
void mem_call(struct mem_store *store, const struct object_call *call, enum mem_fault_kind fault,
              struct mem_reply *reply);

/* Frees what a reply owns, not the reply. */
void mem_reply_free(struct mem_reply *reply);

/* Hooks of the protocol: what answers list, and the documents that calls take. */
int mem_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
             void *arg, struct error *err);
bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads);
size_t mem_name_bytes(const char *key);
size_t mem_names(const char *const *key, size_t count, char *text, size_t room);
size_t mem_parts(const struct object_service *service, unsigned part,
                 const struct object_answer *answer, char *text, size_t used, size_t room);

#endif
