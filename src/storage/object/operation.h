/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* operation.h - inside of the engine: what a thread keeps for a service, and the state of each
 * operation in flight.  An operation is a sequence of requests, one at a time: operation.c knows
 * which one comes next, engine.c sends them and repeats what may be repeated (retry.h), session.c
 * keeps what outlives a slice, lanes.c shares an operation's parts out to several slots
 * (--parallel), task.c does cold work in all slots: fill.c uploads the objects that
 * tests read, provision.c makes those that a slice renames or removes. */
#ifndef STORAGE_OBJECT_OPERATION_H
#define STORAGE_OBJECT_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "storage/object/client.h"
#include "storage/object/dataset.h"
#include "storage/object/multipart.h"
#include "storage/object/protocol.h"

#define OBJECT_DEPTH_MAX 1024u

/* Beside a result (bytes or -errno) of the functions below: slot->call is the next request. */
#define OBJECT_MORE INT64_MAX

enum object_goal {
    OBJECT_GOAL_TEST, /* what the slice measures */
    OBJECT_GOAL_MAKE, /* beforehand: an object that the test needs */
    OBJECT_GOAL_FILL, /* before all slices: an object that tests read; see `part` of the task */
    OBJECT_GOAL_BACK  /* afterwards: renamed objects get their first name again */
};

struct object_slot {
    struct object_call call; /* the request that is under way or waits for being repeated */
    enum object_goal goal;
    bool busy;
    bool paused; /* until due_ns: then the request is sent again or, if held, the operation ends */
    bool held;
    bool moved; /* rename: the object of this slot stands at its other name */
    bool asked; /* task: had its turn */
    bool reads; /* test, --mix: a read among the writes */
    uint32_t index;
    uint32_t object; /* of the set */
    uint32_t holds;  /* see object_slot_hold: an object and 1, or 0 */
    const char *data;
    uint64_t offset_bytes;
    uint64_t number; /* create, copy: of the new object; taken beforehand if it is `numbered` */
    bool numbered;
    uint64_t keys; /* list: on the pages so far; --delete-batch: of the request */
    struct object_walk walk;
    uint64_t tried;
    uint64_t due_ns;
    int64_t failure; /* what the operation ends with after its abort or when it is held */
    struct object_page page;
    char key[OBJECT_KEY_BYTES];
    char other[OBJECT_KEY_BYTES]; /* rename, copy: the new name */
    struct object_multipart upload;
    /* A lane makes requests for the operation of another slot, beside those of other lanes.  That
     * slot has none of its own under way meanwhile: */
    struct object_slot *owner; /* of a lane; else NULL */
    bool joins;                /* its lanes are waited for */
    uint32_t lanes_busy;
    int64_t lanes_code;   /* -errno of the first lane that failed, or 0 */
    uint64_t lanes_bytes; /* of reads: what has come */
    uint64_t lanes_etag;  /* of reads: a hash of what the first of them has told, or 0 */
};

/* The objects of a set for renaming that this thread has made: those of the first so many slots. */
struct object_movable {
    const struct object_set *set;
    uint32_t made;
};

/* Cold work of all slots of a session at once: the first member of what the work knows besides. */
struct object_task {
    struct object_session *session;
    /* MUST.  Puts the first request of an operation into slot->call.  Returns false when this slot
     * has nothing to do any more. */
    bool (*next)(struct object_task *task, struct object_slot *slot);
    void (*done)(struct object_task *task, struct object_slot *slot); /* MAY.  It went well. */
    /* MUST with uploads in parts.  The data of slot->call, from its offset_bytes on. */
    const char *(*part)(struct object_task *task, struct object_slot *slot);
    /* MAY be NULL: what failed first is put into err: "cannot fill" and the object's name, why, and
     * what can be done. */
    const char *what;
    struct error *err;
    int64_t failure; /* of the first operation that failed: -errno */
};

/* What a thread keeps for one bucket from slice to slice, and, in the second half, what it knows of
 * the slice. */
struct object_session {
    struct object_session *next;
    struct object_store *store;     /* of the slice */
    struct object_service *service; /* of all that the session works on */
    const struct object_options *options;
    const struct object_protocol *protocol;
    struct object_link *link; /* NULL: not yet, or given up at the end of a run */
    /* of operations: the first ones of `slot`.  Behind them each of the first laned_slots has its
     * lanes_each; slots_all are all of them, of each of these: */
    uint32_t slots, laned_slots, lanes_each, slots_all;
    struct object_slot *slot;
    uint32_t *done;
    struct async_event *event; /* of a task: what nobody else waits for */
    struct object_task *task;  /* NULL: none is under way */
    uint64_t transfer_bytes;   /* of the largest bodies */
    bool reconnect;            /* a new connection for each request */
    struct object_movable *movable;
    unsigned movable_count;
    char *spare; /* content of objects that are made anew while a slice runs; NULL: none was */
    size_t spare_bytes;
    /* parts that are gathered, documents that are sent: a piece of memory_each for each slot */
    char *memory;
    size_t memory_bytes, memory_each;
    struct engine_requests counted;                /* since the session exists; but for ... */
    struct engine_requests read_counted;           /* ... those of reads among writes (--mix) */
    struct engine_found found;                     /* the same */
    uint64_t told_sent_bytes, told_received_bytes; /* of them, the service knows */
    const char *version;                           /* of the protocol, in the last answer */
    uint32_t network_failures;                     /* one after the other */
    struct rng jitter;                             /* of pauses */
    unsigned learned;                              /* of checksums, see `intact` of the protocol */

    const struct workload *work;
    const struct object_set *set;
    const struct object_set *copies; /* copy: where they go */
    uint64_t new_objects;            /* of sets that grow: made, and not told to the set yet */
    uint32_t object_first;           /* of the set: where the objects of the workload begin */
    uint32_t number_first;           /* of the objects for renaming of this thread */
    uint64_t cycles;                 /* of all threads */
    bool uploads;                    /* operations have a beginning and an end of their own */
    uint64_t part_bytes, list_least, batch;
    size_t gather_each; /* append: memory of each slot for so many parts ... */
    uint32_t gathers;   /* ... that may be under way; behind its document */
    uint32_t lanes;     /* parts of an operation at once; 0: one request after the other */
    /* --parallel: of each range; the first range_longer are a byte longer */
    uint64_t range_bytes, range_longer;
    char *batch_keys; /* keys and pointers to them for one request that removes them all */
    const char **batch_key;
    size_t batch_each;
    uint64_t retries;
    uint32_t width;     /* slots of operations that may be in use now */
    uint32_t reach;     /* ... and slots with lanes: none from there on is */
    uint32_t in_flight; /* requests */
    uint32_t paused;
    uint64_t give_up_ns;      /* see struct engine_thread */
    bool overdue;             /* that moment is past */
    bool ending;              /* the task has failed: what is under way is waited for, no more */
    uint64_t stopped_ns;      /* when the end of the run was noticed; 0: not yet */
    char first_failure[1024]; /* of the slice */
};

/* Where requests of a slot are counted. */
static inline struct engine_requests *object_counted(struct object_session *session,
                                                     const struct object_slot *slot)
{
    return slot->reads && slot->goal == OBJECT_GOAL_TEST ? &session->read_counted
                                                         : &session->counted;
}

/* --- session.c --- */

/* As in struct engine; the context is the thread's struct object_session for the store. */
int object_session_setup(const struct workload *work, const struct engine_thread *thread,
                         void **ctx, struct error *err);
void object_session_retire(void *home);

/* For a task beside all slices: so many slots, each with memory_each bytes; work says no more than
 * whether it writes.  Cold.  Returns NULL with err, or what object_session_close ends. */
struct object_session *object_session_open(struct object_store *store, const struct workload *work,
                                           uint32_t slots, size_t memory_each, struct error *err);
void object_session_close(struct object_session *session);

/* Connects it, when it is not yet.  Returns 0 or -1. */
int object_session_connect(struct object_session *session, struct error *err);

/* Hot.  The piece of session->memory that is the slot's. */
static inline char *object_session_memory(const struct object_session *session,
                                          const struct object_slot *slot)
{
    return session->memory + slot->index * session->memory_each;
}

/* --- engine.c --- */

/* Begins the operation whose first request is in slot->call.  Returns ASYNC_PENDING or -errno. */
int64_t object_session_begin(struct object_session *session, struct object_slot *slot);

/* As engine_async.reap. */
int object_session_reap(struct object_session *session, uint64_t wait_ns,
                        struct async_event *events, unsigned max);

/* Cold.  The server is not waited for any more: when the run ends, or the task has failed. */
void object_session_drop(struct object_session *session);

/* Tells the service of bodies that were sent and received since the last time. */
void object_session_account(struct object_session *session);

/* The run is to end, its time is over, or the task has failed. */
bool object_session_stops(const struct object_session *session);

/* --- failure.c --- */

/* Keeps what went wrong in words, unless something did before: "cannot read URL: WHY". */
void object_session_note(struct object_session *session, const struct object_slot *slot,
                         const char *why);
void object_session_note_answer(struct object_session *session, const struct object_slot *slot,
                                const struct object_answer *answer);

/* The same of a request that was not sent: -errno `code`, which is returned.  One too many for
 * --max-requests is no failure, so it does not take the place of the first one. */
int64_t object_session_note_unsent(struct object_session *session, const struct object_slot *slot,
                                   int64_t code);

/* A call of that verb was repeated and has not found what it changes, an upload or an object at its
 * old name: an attempt whose answer was lost has changed it, perhaps. */
bool object_answer_lost(const struct object_slot *slot, const struct object_verdict *verdict,
                        enum object_verb verb);

void object_count_failure(struct engine_requests *counted, enum object_class class);

/* --- operation.c --- */

/* Hot.  Puts the first request of an operation of the slice's test into slot->call; object,
 * offset_bytes and data are set.  Returns 0 or -errno. */
int64_t object_operation_first(struct object_session *session, struct object_slot *slot);

/* Hot.  The same of an upload: its beginning. */
void object_operation_open(const struct object_session *session, struct object_slot *slot);

/* Hot.  An upload that has begun: puts its next request into slot->call, the first part or the end.
 * Returns false when there is none, since it has failed. */
bool object_operation_upload(struct object_session *session, struct object_slot *slot, bool end);

/* Hot.  The data of the part that slot->call is; the slot is that of the operation or a lane. */
const char *object_operation_part(const struct object_session *session,
                                  const struct object_slot *slot);

/* Hot.  The request went well.  Returns OBJECT_MORE, the bytes of the operation, or -errno. */
int64_t object_operation_next(struct object_session *session, struct object_slot *slot,
                              const struct object_answer *answer);

/* Cold.  The request failed for good, with -errno `code`.  Returns OBJECT_MORE when something has
 * to be put in order first, or what the operation ends with. */
int64_t object_operation_failed(struct object_session *session, struct object_slot *slot,
                                int64_t code);

/* Hot.  All lanes of the operation have ended, with lanes_code and lanes_bytes.  Returns as
 * object_operation_next. */
int64_t object_operation_joined(struct object_session *session, struct object_slot *slot);

/* --- lanes.c --- */

/* Sets up session->lanes for the slice's test. */
void object_lanes_bind(struct object_session *session);

/* Hot.  slot->call is the request for a whole object, or for the first part of an upload: begins
 * as many parts of it as may be under way at once.  Returns ASYNC_PENDING, or what
 * object_operation_joined does. */
int64_t object_lanes_begin(struct object_session *session, struct object_slot *slot);

/* Hot.  Puts the next part of its operation into lane->call.  False: all have begun, or one has
 * failed. */
bool object_lanes_next(const struct object_session *session, struct object_slot *lane);

/* Hot.  A range has come as it was asked for.  Returns its bytes, or -errno where it is not of the
 * same object as those before it, by the ETags of the service: not where it tells none, nor among
 * writes
 * (--mix), which change the objects themselves. */
int64_t object_lanes_range(struct object_session *session, const struct object_slot *lane,
                           const char *etag);

/* Hot.  A lane has ended, with bytes or -errno.  Returns ASYNC_PENDING while others are under way,
 * else what object_operation_joined does. */
int64_t object_lanes_ended(struct object_session *session, struct object_slot *lane,
                           int64_t result);

/* --- exclusive.c; of sets with `held` --- */

/* Hot.  The drawn object if no slot has it, or the next that none has. */
uint32_t object_set_hold(const struct object_set *set, uint32_t drawn);

/* Hot.  The slot gives up what it had; next: it has slot->object now,
 * which object_set_hold gave. */
void object_slot_hold(const struct object_set *set, struct object_slot *slot, bool next);

/* Cold.  What the slot has asked for may still come: it gives up its object, and no slot gets that
 * any more, unless all others are needed. */
void object_slot_put_aside(const struct object_set *set, struct object_slot *slot);

/* --- task.c --- */

/* Does what a task has to do, in all slots at a time, with as many retries as cold work has.  After
 * the first failure, or when the run is to end, nothing is begun or repeated any more.  Returns 0
 * or -errno, as task->failure. */
int64_t object_task_run(struct object_task *task);

/* --- provision.c --- */

/* Makes the objects that the slice renames or removes, as far as they are not there.  Returns 0 or
 * -1 with err filled. */
int object_provision_make(struct object_session *session, struct error *err);

/* Cold.  Sets slot->call to the request that creates the missing object named slot->key again.
 * Returns false when there is no memory for its content. */
bool object_provision_replace(struct object_session *session, struct object_slot *slot);

/* Gives renamed objects their first name again. */
void object_provision_restore(struct object_session *session);

/* Hot.  Takes at most so many objects out of a set for deletion: their numbers from *first on are
 * the caller's.  Returns how many; 0: none is left. */
uint64_t object_provision_take(const struct object_set *set, uint64_t most, uint64_t *first);

/* --- hooks of the engines of all protocols --- */

extern const struct engine_async object_engine_async;
bool object_engine_opens(const struct workload *work);
void object_engine_report(void *ctx, struct engine_report *report);
int64_t object_engine_read_back(void *ctx, uint32_t slot, uint64_t offset_bytes,
                                uint64_t size_bytes, void *buffer);
uint64_t object_engine_new_content(void *ctx, uint32_t slot, uint64_t object, bool next);
void object_engine_teardown(void *ctx);

/* For the table of an engine, beside its words. */
#define OBJECT_ENGINE_HOOKS OBJECT_ENGINE_HOOKS_WITH(0u)
/* The same with other capabilities besides. */
#define OBJECT_ENGINE_HOOKS_WITH(more) \
    OBJECT_ENGINE_HOOKS_OF(ENGINE_WRITES | ENGINE_DROPS_DATA | ENGINE_MIXES | (more))
/* With these capabilities and no others. */
#define OBJECT_ENGINE_HOOKS_OF(capabilities_)                                                      \
    .capabilities = (capabilities_), .phases = 1u << PHASE_TRANSFER, .opens = object_engine_opens, \
    .tests = (1u << TEST_COUNT) - 1, .setup = object_session_setup,                                \
    .read_back = object_engine_read_back, .new_content = object_engine_new_content,                \
    .teardown = object_engine_teardown, .report = object_engine_report,                            \
    .retire = object_session_retire, .async = &object_engine_async

#endif
