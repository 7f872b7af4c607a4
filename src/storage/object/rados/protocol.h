/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - a RADOS pool as a protocol of the object layer: its hooks, see
 * storage/object/protocol.h. */
#ifndef STORAGE_OBJECT_RADOS_PROTOCOL_H
#define STORAGE_OBJECT_RADOS_PROTOCOL_H

#include <pthread.h>
#include <rados/librados.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "storage/object/names.h"
#include "storage/object/object.h"
#include "storage/object/protocol.h"
#include "storage/object/rados/module.h"

extern const struct object_protocol rados_protocol;

/* ---- cluster.c: clients (librados: cluster handles), each with configuration, user and threads -
 */

/* User and configuration file, from the options or $CEPH_ARGS. */
struct pool_identity {
    char *user; /* "client.admin" */
    char *conf; /* or NULL: librados's default, which begins with $CEPH_CONF */
};

/* Parses the words of $CEPH_ARGS (args, or NULL) that librados leaves to programs: --id, --user,
 * --name, --conf. The caller frees the strings. Returns 0 or -1 (STATUS_USAGE). */
int pool_identity_find(const struct rados_options *options, const char *args,
                       struct pool_identity *identity, struct error *err);
void pool_identity_free(struct pool_identity *identity);

/* Creates a configured handle, and sends nothing unless it `connects`, which may take as long as
 * the request timeout. target: for messages. Returns 0 or -1 (STATUS_TARGET). */
int pool_cluster_make(const struct pool_identity *identity, const struct object_options *options,
                      const char *target, bool connects, rados_t *out, struct error *err);

/* The text of a setting, to be freed. */
char *pool_cluster_setting(rados_t handle, const char *name);

/* ---- ring.c: passes slots with completed calls from the threads of librados to the thread that
 * waits for them: the producer puts the slot number into a ring and wakes the consumer by an
 * eventfd, but only if it sleeps. Many producers, one consumer. Lock-free; a slot is in the ring at
 * most once. ---- */

struct pool_ring {
    atomic_uint_least32_t *cell; /* slot + 1; 0: empty */
    uint32_t mask, head;         /* head: used by the consumer only */
    int wake;                    /* eventfd */
    _Alignas(64) atomic_uint_least32_t tail;
    _Alignas(64) atomic_bool sleeps;
};

/* For slot numbers below `slots`. Returns 0 or -errno. */
int pool_ring_open(struct pool_ring *ring, uint32_t slots);
/* To be called after the last push. */
void pool_ring_close(struct pool_ring *ring);

/* Hot.  Any thread. */
void pool_ring_push(struct pool_ring *ring, uint32_t slot);

/* Hot. Takes up to `max` completed slots without waiting. */
unsigned pool_ring_take(struct pool_ring *ring, uint32_t *slot, unsigned max);

/* Hot. The same, but waits for the first one, at most wait_ns. 0: timeout or a signal. */
unsigned pool_ring_wait(struct pool_ring *ring, uint64_t wait_ns, uint32_t *slot, unsigned max);

/* ---- list.c: keys of the object layer as a namespace and an object name in a pool
 *
 *     PREFIX/iosweep-RUN/4096/000017     namespace "iosweep-RUN", object "PREFIX//4096/000017"
 *     iosweep-RUN/4096/000017            namespace "iosweep-RUN", object "4096/000017"
 *     anything/else                      the default namespace, object "anything/else"
 *
 * So the namespace of a run contains all of the run and nothing else, and targets with different
 * prefixes never share object names in it, since no prefix contains two adjacent slashes. */

#define POOL_SPACE_BYTES (sizeof(LIFE_PREFIX) + TARGET_RUN_NAME_MAX)

/* Where the run is in a key: the last component that names a run and ends with a slash. */
struct pool_place {
    size_t before; /* bytes of the prefix with its slash, or 0 */
    size_t space;  /* length of the namespace; 0: the key is in no run */
};

/* Hot. key: of an object or a prefix. */
struct pool_place pool_place_of(const char *key);

/* The namespace of a key, "" for the default one. Returns space. */
const char *pool_space(const char *key, const struct pool_place *place,
                       char space[POOL_SPACE_BYTES]);

/* Hot. The object name of a key, built in oid (OBJECT_KEY_BYTES) unless it is a part of the key.
 * Returns the name. */
const char *pool_object(const char *key, const struct pool_place *place, char *oid);

/* The key of an object. False: no key maps to it, it belongs to another program. */
bool pool_key(const char *space, const char *oid, char *key, size_t room);

/* ---- list.c: LIST. librados lists pages synchronously, so each slot that lists has a thread for
 * it, which pushes the slot into the ring of its link like any other completed call. ---- */

struct pool_list;

/* Creates the lister of a slot, without starting a thread. sizes: the answer includes the size of
 * each object and omits objects that no longer exist. */
struct pool_list *pool_list_make(rados_t handle, const char *pool, bool sizes,
                                 struct pool_ring *ring, uint32_t slot);

/* Begins a list; the slot is pushed on completion. Returns 0 or -errno. */
int pool_list_begin(struct pool_list *list, const struct object_call *call);

/* Result of a completed list: 0 or -errno; its names. */
int pool_list_code(const struct pool_list *list);
struct object_names *pool_list_names(struct pool_list *list);

/* Asks the thread to stop early. */
void pool_list_cancel(struct pool_list *list);

/* Ends the lister, once librados returns from what it does for a list: at most the request timeout.
 */
void pool_list_free(struct pool_list *list);

/* ---- service.c ---- */

struct pool_service {
    struct object_service base; /* first */
    const struct rados_options *options;
    struct pool_identity identity;
    char *target; /* "rados://POOL", for messages */
    char *root;   /* "rados://POOL/" */
    char *pool, *prefix, *container;
    pthread_mutex_t lock;
    rados_t handle; /* protected by the lock: of all links that do not measure; NULL at first */
    bool lost;      /* librados is still busy with it: it is never destroyed */
    bool known;     /* the features missing from the pool have been determined */
};

static inline struct pool_service *pool_service_of(const struct object_service *service)
{
    return (struct pool_service *)(uintptr_t)service;
}

#define POOL_SPACES           8u
#define POOL_LINK_DESCRIPTORS 14u /* with its own client, besides a connection per OSD */

struct pool_slot {
    rados_completion_t completion; /* NULL: none in flight, or its result was taken */
    rados_completion_t spent;      /* owned: the previous call's; or NULL */
    struct pool_link *link;
    uint32_t index;
    int result;          /* bytes of a read, 0, or -errno */
    uint64_t version;    /* of the object, if there is a completion */
    uint64_t size_bytes; /* of reads that also get the object's size */
    time_t changed_s;
    size_t read_bytes; /* of reads in a compound operation */
    int read_code;
    rados_omap_iter_t values;
    rados_ioctx_t io; /* used by the call */
    char *scratch;    /* owned: for data to be discarded */
    size_t scratch_bytes;
    bool busy;              /* begun and not yet returned by wait */
    bool lists;             /* the call is LIST */
    struct pool_list *list; /* owned; NULL: it has not listed yet */
    char etag[24];
    struct object_answer answer;
};

struct pool_space { /* a namespace used by the link */
    char *name;
    rados_ioctx_t io;
};

struct pool_link {
    struct object_link base; /* first */
    struct pool_service *service;
    rados_t handle;
    bool owns; /* ... it */
    struct pool_ring ring;
    uint32_t slots, busy;
    struct pool_slot *slot;
    struct pool_space space[POOL_SPACES];
    unsigned spaces, next_space;
    char oid[2 * OBJECT_KEY_BYTES];
};

static inline struct pool_link *pool_link_of(struct object_link *link)
{
    return (struct pool_link *)link;
}

/* Hot. The io context for a key's namespace. NULL with *code -errno. */
rados_ioctx_t pool_link_io(struct pool_link *link, const char *key, const struct pool_place *place,
                           int *code);

/* ---- call.c ---- */

int pool_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
const struct object_answer *pool_answer(struct object_link *link, uint32_t slot,
                                        const struct object_call *call);

/* Judges a call by its result, 0 or -errno from this program or the cluster: the verdict, whether
 * the cluster itself has answered, so that there is no later effect, and the condition. The length
 * of bodies is checked elsewhere. */
void pool_judge(const struct object_call *call, int code, struct object_answer *answer);

void pool_explain(const struct object_answer *answer, struct error *err);

#endif
