/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - the protocol of mem:, a store in this process's memory: shows the cost of operations
 * without a network, provides known delays and failures, and is the example of a protocol. Read
 * storage/object/protocol.h, then protocol.c. */
#ifndef STORAGE_OBJECT_MEM_PROTOCOL_H
#define STORAGE_OBJECT_MEM_PROTOCOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "engine/null_delay.h"
#include "storage/object/names.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"

/* ---- store.c: objects ordered by key. Any thread. Data are copied outside the lock, which is held
 * only while a key is looked up. ---- */

struct mem_object { /* const once in a store; reference counted */
    atomic_uint references;
    uint64_t bytes;
    uint64_t number; /* sequence number of its creation: its ETag */
    time_t made_s;   /* of CLOCK_MONOTONIC */
    char data[];
};

struct mem_store;

struct mem_store *mem_store_create(void);
void mem_store_destroy(struct mem_store *store);

/* An object with a copy of data (NULL: to be filled in); NULL: no memory. The caller releases it
 * unless it gives it to a store. */
struct mem_object *mem_object_make(struct mem_store *store, const void *data, uint64_t bytes);
/* Adds a reference. NULL is fine. */
struct mem_object *mem_object_hold(struct mem_object *object);
void mem_object_release(struct mem_object *object); /* NULL is fine */

/* The object of a key, to be released; NULL: none. */
struct mem_object *mem_store_get(struct mem_store *store, const char *key);

/* Stores an object, taking ownership. Returns false, with the object released, if only_if_absent
 * and the key exists, or if only_over (held by the caller, or NULL) is not its object. */
bool mem_store_put(struct mem_store *store, const char *key, struct mem_object *object,
                   bool only_if_absent, const struct mem_object *only_over);

/* Removes the object of a key, and those of keys that continue it after a line end (values beside
 * its data). False: the key did not exist. */
bool mem_store_remove(struct mem_store *store, const char *key);

/* Calls visit for the keys with this prefix after `after` ("" or a key), in order, until it returns
 * non-zero, which is returned. The lock is held: visit may not use the store. */
typedef int (*mem_visit)(void *arg, const char *key, const struct mem_object *object);
int mem_store_walk(struct mem_store *store, const char *prefix, const char *after, mem_visit visit,
                   void *arg);

/* ---- protocol.c: injected failures (--mem.fail) ---- */

enum mem_fault_kind {
    MEM_FAULT_NONE,
    MEM_FAULT_SLOW_DOWN, /* the store asks for fewer requests */
    MEM_FAULT_SERVER,    /* a transient server error */
    MEM_FAULT_FORBIDDEN, /* a permanent error */
    MEM_FAULT_MISSING,   /* there is no such object */
    MEM_FAULT_REFUSED,   /* connection refused */
    MEM_FAULT_LOST,      /* the request is executed, but its answer is lost */
    MEM_FAULT_BROKEN,    /* a malformed answer */
    MEM_FAULT_WRONG,     /* success, but one byte of the data is wrong */
    /* not selectable by users: */
    MEM_FAULT_TIMEOUT,   /* no answer in time, since --mem.delay is longer */
    MEM_FAULT_TOO_LARGE, /* larger than a pool accepts */
    MEM_FAULT_KIND_COUNT
};

extern const struct mem_fault_row {
    const char *word; /* NULL: users cannot select it */
    enum object_class class;
    int errnum;
    bool retryable;
    const char *code;
} mem_fault_table[MEM_FAULT_KIND_COUNT];

#define MEM_FAULTS_MAX 8u

struct mem_faults { /* zeroed: none */
    unsigned count;
    struct mem_fault {
        enum mem_fault_kind kind;
        unsigned verbs; /* bits 1 << OBJECT_x; 0: all */
        uint64_t every; /* one in this many of a thread's requests with these verbs */
    } fault[MEM_FAULTS_MAX];
};

/* Parses "KIND[@VERB]:N[,...]", as in "slow-down:10,lost@put:3". Returns 0, or -1 with err filled
 * (STATUS_USAGE) and the faults unchanged. */
int mem_faults_parse(const char *word, struct mem_faults *faults, struct error *err);

/* The fault of the next request of a verb; seen: requests counted per fault, zeroed at first. */
enum mem_fault_kind mem_faults_next(const struct mem_faults *faults, enum object_verb verb,
                                    uint64_t seen[MEM_FAULTS_MAX]);

/* ---- call.c: executes calls on the store ---- */

#define MEM_PART_BYTES 24u /* the number of an object or upload, with terminator */

struct mem_reply {               /* zeroed before the first call; reused for each call */
    struct object_answer answer; /* points into the reply, which must stay where it is */
    char etag[MEM_PART_BYTES], upload_id[MEM_PART_BYTES];
    struct object_names
        names; /* of a list; token: the last key; of uploads, sizes are their numbers */
};

/* Begins an upload in parts; its number, 0: no memory. */
uint64_t mem_upload_begin(struct mem_store *store, const char *key);

/* Hot. Executes a call or injects the fault; the answer is valid until the next call. Nothing fails
 * here: a refusal by the store is the verdict of its answer. */
void mem_call(struct mem_store *store, const struct object_call *call, enum mem_fault_kind fault,
              struct mem_reply *reply);

/* Hooks of the protocol: parse lists in answers and build the documents of calls. */
int mem_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
             void *arg, struct error *err);
bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads);
size_t mem_name_bytes(const char *key);
size_t mem_names(const char *key, char *text, size_t used, size_t room);
size_t mem_parts(const struct object_service *service, unsigned part,
                 const struct object_answer *answer, char *text, size_t used, size_t room);

/* ---- protocol.c ---- */

struct mem_options {
    struct object_options store; /* first */
    const char *delay_word, *fail_word;
    struct null_delay delay; /* of each request of operations and of filling */
    struct mem_faults faults;
    unsigned like; /* see mem_like_words: the requests that it supports */
};

/* bucket, pool, tree; ended by NULL. */
extern const char *const mem_like_words[];
extern const unsigned mem_verbs_of[];

extern const struct object_protocol mem_protocol;

struct mem_store *mem_service_store(const struct object_service *service);

#endif
