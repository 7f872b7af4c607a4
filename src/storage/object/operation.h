/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* operation.h - internals of the engine: the state that a thread keeps for a service, and that of
 * each operation in flight.  An operation is a sequence of requests, one at a time: operation.c
 * determines the next one, parts.c those of an object in parts, engine.c sends it and repeats it if
 * allowed, session.c keeps state across slices and does cold work in all slots: it creates the
 * objects that a slice renames or removes, fill.c uploads those that tests read. */
#ifndef STORAGE_OBJECT_OPERATION_H
#define STORAGE_OBJECT_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "storage/object/object.h"

#define OBJECT_DEPTH_MAX 1024u

/* A result of the functions below besides bytes and -errno: slot->call is the next request. */
#define OBJECT_MORE INT64_MAX

enum object_goal {
    OBJECT_GOAL_TEST, /* the operation that the slice measures */
    OBJECT_GOAL_MAKE, /* before the slice: an object that the test needs; after it: its first name
                       */
    OBJECT_GOAL_FILL  /* before all slices: an object that tests read; see `part` of the task */
};

/* The upload of one object in parts: determines the next call.
 *
 *     begin → part → part ... → complete
 *          ╰─────────┴────────────┴─→ abort
 *
 * or, if a service has no uploads in parts,
 *
 *     put, empty → piece → piece ...          each is appended, or written as a range
 *
 * Each part is taken, noted once it is uploaded, and finally all are joined: one after the other,
 * or several at a time, in lanes. */
struct object_multipart {
    /* Set by the owner: the length of the object, and memory for the document that completes it. */
    uint64_t size_bytes, part_bytes;
    char *document;
    size_t document_room;
    enum object_verb piece;       /* UPLOAD_PART, APPEND or WRITE_RANGE: the request for a part */
    uint64_t sent_bytes;          /* in parts taken so far */
    unsigned taken;               /* parts; the first one is noted at the head of the document */
    char id[OBJECT_UPLOAD_BYTES]; /* "": unknown yet */
};

struct object_slot {
    struct object_call call; /* the request that is under way or waits for its retry */
    enum object_goal goal;
    bool busy;
    bool paused; /* until due_ns: then the request is sent again or, if held, the operation ends */
    bool held;
    bool moved; /* rename: the object of this slot has its other name */
    bool reads; /* test, --mix: a read among writes */
    uint32_t index;
    uint32_t object; /* of the set */
    uint32_t holds;  /* see object_slot_hold: object + 1, or 0 */
    const char *data;
    uint64_t offset_bytes;
    uint64_t number; /* create, copy: of the new object; assigned in advance if `numbered` */
    bool numbered;
    uint64_t keys; /* list: on the pages so far; --delete-batch: in the request */
    struct object_walk walk;
    uint64_t tried;
    uint64_t due_ns;
    int64_t failure; /* result of the operation once its abort is done or it is no longer held */
    struct object_page page;
    char key[OBJECT_KEY_BYTES];
    char other[OBJECT_KEY_BYTES]; /* rename, copy: the new name */
    struct object_multipart upload;
    /* A lane sends requests for the operation of another slot, in parallel with other lanes.  That
     * slot has no request of its own under way meanwhile: */
    struct object_slot *owner; /* of a lane; else NULL */
    bool joins;                /* waits for its lanes */
    uint32_t lanes_busy;
    int64_t lanes_code;   /* -errno of the first lane that failed, or 0 */
    uint64_t lanes_bytes; /* of reads: received so far */
    uint64_t lanes_etag;  /* of reads: a hash of the ETag of the first one that had one, or 0 */
};

/* Objects of a set for renaming that this thread has created: those of slots below `made`. */
struct object_movable {
    const struct object_set *set;
    uint32_t made;
};

/* Cold work of all slots of a session at once: the first member of each work's own structure. */
struct object_task {
    struct object_session *session;
    /* MUST.  Puts the first request of an operation into slot->call.  Returns false if there is no
     * work left for this slot. */
    bool (*next)(struct object_task *task, struct object_slot *slot);
    void (*done)(struct object_task *task, struct object_slot *slot); /* MAY.  On success. */
    /* MUST with uploads in parts.  Returns the data of slot->call, from its offset_bytes on. */
    const char *(*part)(struct object_task *task, struct object_slot *slot);
    /* The action for the message of a failure: "cannot fill", followed by the name of an object or
     * the place of all, the reason and advice. */
    const char *what;
    struct error *err; /* MUST; not set at first */
    int64_t failure;   /* of the first operation that failed: -errno */
};

/* State of a thread for one bucket, kept from slice to slice, and, in the second half, that of the
 * current slice. */
struct object_session {
    struct object_session *next;
    struct object_store *store;     /* of the slice */
    struct object_service *service; /* the same for all stores of the session */
    const struct object_options *options;
    const struct object_protocol *protocol;
    struct object_link *link; /* NULL: not connected yet, or given up at the end of a run */
    /* Slots of operations are the first ones of `slot`.  They are followed by lanes_each lanes for
     * each of the first laned_slots; slots_all is the total, and the length of these arrays: */
    uint32_t slots, laned_slots, lanes_each, slots_all;
    struct object_slot *slot;
    uint32_t *done;
    struct async_event *event; /* of a task: events that have no other consumer */
    struct object_task *task;  /* NULL: none is under way */
    uint64_t transfer_bytes;   /* of the largest bodies */
    bool reconnect;            /* a new connection for each request */
    struct object_movable *movable;
    unsigned movable_count;
    char *spare; /* content of the objects that a slice renames or removes; NULL: not needed */
    /* memory for documents; of object_session_open, for data: memory_each bytes for each slot */
    char *memory;
    size_t memory_bytes, memory_each;
    struct engine_requests counted;                /* since the session was created; except ... */
    struct engine_requests read_counted;           /* ... those of reads among writes (--mix) */
    struct engine_found found;                     /* the same */
    uint64_t told_sent_bytes, told_received_bytes; /* already added to the service's counters */
    const char *version;                           /* of the protocol, in the last answer */
    uint32_t network_failures;                     /* in a row */
    struct rng jitter;                             /* of pauses */
    unsigned learned;                              /* of checksums, see `intact` of the protocol */

    const struct workload *work;
    struct object_set *set;
    struct object_set *copies;     /* copy: the set of the copies */
    struct object_movable *moving; /* rename: that of the set */
    uint64_t new_objects;          /* of sets that grow: created, not yet counted in the set */
    uint32_t object_first;         /* of the set: the first object of the workload */
    uint32_t number_first;         /* first of the objects for renaming of this thread */
    uint64_t cycles;               /* of all threads */
    bool uploads;                  /* operations are uploads, opened and closed by the engine */
    uint64_t part_bytes, list_least, batch;
    uint32_t lanes; /* parts of an operation at once; 0: one request at a time */
    /* --parallel: length of each range; the first range_longer are a byte longer */
    uint64_t range_bytes, range_longer;
    uint64_t retries;
    uint32_t width;     /* slots of operations that may be used now */
    uint32_t reach;     /* ... and with lanes: all slots in use are below this index */
    uint32_t in_flight; /* requests */
    uint32_t paused;
    uint64_t give_up_ns;  /* see struct engine_thread */
    bool overdue;         /* that time has passed */
    bool ending;          /* the task has failed: calls under way are awaited, none is begun */
    uint64_t stopped_ns;  /* when the stop of the run was noticed; 0: not yet */
    struct error failure; /* the first one of the slice */
    char failure_text[640];
};

/* The counters for requests of a slot. */
static inline struct engine_requests *object_counted(struct object_session *session,
                                                     const struct object_slot *slot)
{
    return slot->reads && slot->goal == OBJECT_GOAL_TEST ? &session->read_counted
                                                         : &session->counted;
}

/* --- session.c --- */

/* Hooks of struct engine; the context is the thread's struct object_session for the store. */
int object_session_setup(const struct workload *work, const struct engine_thread *thread,
                         void **ctx, struct error *err);
void object_session_retire(void *home);

/* For a task outside of slices: `slots` slots, each with memory_each bytes; of work only whether it
 * writes is used.  Cold.  Returns NULL with err, or a session for object_session_close. */
struct object_session *object_session_open(struct object_store *store, const struct workload *work,
                                           uint32_t slots, size_t memory_each, struct error *err);
void object_session_close(struct object_session *session);

/* Runs a task in all slots at once, with the retries of cold work.  After the first failure, or
 * when the run is stopped, nothing is begun or repeated any more.  Returns 0 or -errno, as
 * task->failure. */
int64_t object_task_run(struct object_task *task);

/* Makes session->spare, unless it exists.  Returns 0 or -1. */
int object_session_spare(struct object_session *session, struct error *err);

/* Gives renamed objects their first name again. */
void object_session_restore(struct object_session *session);

/* Connects it, unless connected.  Returns 0 or -1. */
int object_session_connect(struct object_session *session, struct error *err);

/* Hot.  The slot's part of session->memory. */
static inline char *object_session_memory(const struct object_session *session,
                                          const struct object_slot *slot)
{
    return session->memory + slot->index * session->memory_each;
}

/* --- engine.c --- */

/* Begins the operation whose first request is in slot->call.  Returns ASYNC_PENDING or -errno. */
int64_t object_session_begin(struct object_session *session, struct object_slot *slot);

/* The hook `reap` of engine_async. */
int object_session_reap(void *session, uint64_t wait_ns, struct async_event *events, unsigned max);

/* Cold.  Stops waiting for the server: when the run ends, or the task has failed. */
void object_session_drop(struct object_session *session);

/* Adds bytes sent and received since the last call to the service's counters. */
void object_session_account(struct object_session *session);

/* Whether the run is stopped, its time has passed, or the task has failed. */
bool object_session_stops(const struct object_session *session);

/* Keeps the first failure: "cannot read URL: WHY".  Later ones are ignored. */
void object_session_note(struct object_session *session, const struct object_slot *slot,
                         const char *why);

/* For sets with `held`.  Hot: holds and returns the drawn object if no slot holds it, else the next
 * free one; the slot releases its object, and holds slot->object, if `next`.  Cold: a request of
 * the slot may still be carried out, so the slot gives up its object, which no other slot gets from
 * then on, unless all others are needed. */
uint32_t object_set_hold(struct object_set *set, uint32_t drawn);
void object_slot_hold(struct object_set *set, struct object_slot *slot, bool next);
void object_slot_put_aside(struct object_set *set, struct object_slot *slot);

/* --- operation.c --- */

/* Hot.  Puts the first request of an operation of the slice's test into slot->call; the caller has
 * set object, offset_bytes and data.  Returns 0 or -errno. */
int64_t object_operation_first(struct object_session *session, struct object_slot *slot);

/* Hot.  The request succeeded.  Returns OBJECT_MORE, the bytes of the operation, or -errno. */
int64_t object_operation_next(struct object_session *session, struct object_slot *slot,
                              const struct object_answer *answer);

/* Cold.  The request failed finally, with -errno `code`.  Returns OBJECT_MORE if another request
 * must clean up first, or the result of the operation. */
int64_t object_operation_failed(struct object_session *session, struct object_slot *slot,
                                int64_t code);

/* Hot.  The key of a new object.  Assigns numbers in order over all threads: one addition, as for
 * counting each request. */
static inline const char *object_new_key(struct object_set *set, struct object_slot *slot,
                                         char *key)
{
    if (__builtin_expect(!slot->numbered, 1))
        slot->number = object_set_take_number(set);
    slot->numbered = false;
    return object_key(set, slot->number, key);
}

static inline void object_now_present(const struct object_session *session,
                                      const struct object_slot *slot)
{
    atomic_uchar *present = slot->goal == OBJECT_GOAL_TEST ? session->set->present : NULL;

    if (present && !atomic_load_explicit(&present[slot->object], memory_order_relaxed))
        atomic_store_explicit(&present[slot->object], 1, memory_order_relaxed);
}

/* Cold.  Notes an invalid answer.  Returns -EPROTO. */
int64_t object_broken(struct object_session *session, const struct object_slot *slot,
                      const char *why);

/* --- parts.c: uploads in parts --- */

/* Maximum bytes of the document of an object. */
size_t object_multipart_room(const struct object_service *service, uint64_t size_bytes,
                             uint64_t part_bytes);

/* Makes slot->call the one that begins the upload of slot->key; upload: what its owner sets. piece,
 * without uploads in parts: OBJECT_WRITE_RANGE, or OBJECT_APPEND to append even if ranges can be
 * written. */
void object_multipart_begin(const struct object_session *session, struct object_slot *slot,
                            enum object_verb piece, const struct object_multipart *upload);

/* Hot.  As object_operation_first, for the open phase of an upload. */
void object_operation_open(const struct object_session *session, struct object_slot *slot);

/* Hot.  Puts the next request of an upload that has begun into slot->call, its first part or its
 * end.  Returns false if there is none, because the upload has failed. */
bool object_operation_upload(struct object_session *session, struct object_slot *slot, bool end);

/* Hot.  As object_operation_next, for a request of an upload or of its lane. */
int64_t object_parts_next(struct object_session *session, struct object_slot *slot,
                          const struct object_answer *answer);

/* --- parts.c: simultaneous parts --- */

/* Sets up session->lanes for the slice's test. */
void object_lanes_bind(struct object_session *session);

/* Hot.  slot->call is the request for a whole object, or for the first part of an upload: begins as
 * many of its parts as may be under way at once.  Returns ASYNC_PENDING, or as
 * object_operation_next. */
int64_t object_lanes_begin(struct object_session *session, struct object_slot *slot);

/* Hot.  A range was received completely.  Returns its bytes, or -errno if its ETag shows that the
 * object differs from that of earlier ranges.  Not checked if the service sends no ETags, nor among
 * writes (--mix), which change the objects themselves. */
int64_t object_lanes_range(struct object_session *session, const struct object_slot *lane,
                           const char *etag);

/* Hot.  A lane has ended, with bytes or -errno.  Returns ASYNC_PENDING while others are under way,
 * else as object_operation_next. */
int64_t object_lanes_ended(struct object_session *session, struct object_slot *lane,
                           int64_t result);

/* --- hooks of the engines of all protocols --- */

extern const struct engine_async object_engine_async;
bool object_engine_opens(const struct workload *work);
void object_engine_report(void *ctx, struct engine_report *report);
int64_t object_engine_read_back(void *ctx, uint32_t slot, uint64_t offset_bytes,
                                uint64_t size_bytes, void *buffer);
uint64_t object_engine_new_content(void *ctx, uint32_t slot, uint64_t object, bool next);
void object_engine_teardown(void *ctx);

/* For the table of an engine, in addition to its names; more: further capabilities. */
#define OBJECT_ENGINE_HOOKS(more)                                                                 \
    .capabilities = ENGINE_WRITES | ENGINE_DROPS_DATA | (more), .phases = 1u << PHASE_TRANSFER,   \
    .opens = object_engine_opens, .tests = (1u << TEST_COUNT) - 1, .setup = object_session_setup, \
    .read_back = object_engine_read_back, .new_content = object_engine_new_content,               \
    .teardown = object_engine_teardown, .report = object_engine_report,                           \
    .retire = object_session_retire, .async = &object_engine_async

#endif
