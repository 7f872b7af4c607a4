/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* call.h - executes calls on the store in memory: objects, lists, multipart uploads. Independent of
 * slots and time. Any thread, each with its own replies. Nothing fails here: a refusal by the store
 * is the verdict of its answer. */
#ifndef STORAGE_OBJECT_MEM_CALL_H
#define STORAGE_OBJECT_MEM_CALL_H

#include "storage/object/mem/fault.h"
#include "storage/object/mem/store.h"
#include "storage/object/names.h"
#include "storage/object/protocol.h"

#define MEM_PART_BYTES 24u /* the number of an object or upload, with terminator */

struct mem_reply {               /* zeroed before the first call; reused for each call */
    struct object_answer answer; /* points into the reply, which must stay where it is */
    char etag[MEM_PART_BYTES], upload_id[MEM_PART_BYTES];
    struct object_names
        names; /* of a list; token: the last key; of uploads, sizes are their numbers */
};

/* Hot. Executes a call or injects the fault; the answer is valid until the next call. */
void mem_call(struct mem_store *store, const struct object_call *call, enum mem_fault_kind fault,
              struct mem_reply *reply);

/* Frees what a reply owns, not the reply. */
void mem_reply_free(struct mem_reply *reply);

/* Hooks of the protocol: parse lists in answers and build the documents of calls. */
int mem_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
             void *arg, struct error *err);
bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads);
size_t mem_name_bytes(const char *key);
size_t mem_names(const char *const *key, size_t count, char *text, size_t room);
size_t mem_parts(const struct object_service *service, unsigned part,
                 const struct object_answer *answer, char *text, size_t used, size_t room);

#endif
