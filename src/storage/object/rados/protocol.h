/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - a RADOS pool as a protocol of the object layer: its hooks, see
 * storage/object/protocol.h. */
#ifndef STORAGE_OBJECT_RADOS_PROTOCOL_H
#define STORAGE_OBJECT_RADOS_PROTOCOL_H

#include <pthread.h>
#include <rados/librados.h>

#include "storage/object/protocol.h"
#include "storage/object/rados/cluster.h"
#include "storage/object/rados/list.h"
#include "storage/object/rados/name.h"
#include "storage/object/rados/ring.h"

extern const struct object_protocol rados_protocol;

/* "librados 3.0.0": the version loaded. A constant string. */
const char *pool_library(void);

/* ---- service.c ---- */

struct pool_client { /* connected */
    rados_t handle;
    unsigned links;
    bool measures; /* for links of several slots; all others share one client */
    bool lost;     /* librados is still busy with it: it is never destroyed */
};

struct pool_service {
    struct object_service base; /* first */
    const struct rados_options *options;
    struct pool_identity identity;
    char *target; /* "rados://POOL", for messages */
    char *pool, *prefix, *container;
    pthread_mutex_t lock;
    struct pool_client *client[1024]; /* owned; protected by the lock */
    unsigned clients;
    bool known; /* the features missing from the pool have been determined */
};

static inline struct pool_service *pool_service_of(const struct object_service *service)
{
    return (struct pool_service *)(uintptr_t)service;
}

int pool_open(const char *target, const void *options, bool signs, struct object_service **out,
              struct error *err);
void pool_close(struct object_service *service);

/* A client for a link; connects a new one if none is available. stop: as in struct
 * object_link_config. Any thread. Returns NULL with err. */
struct pool_client *pool_client_get(struct pool_service *service, bool measures,
                                    const volatile int *stop, struct error *err);
void pool_client_put(struct pool_service *service, struct pool_client *client);

/* ---- link.c ---- */

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
    struct pool_client *client;
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

int pool_connect(struct object_service *service, const struct object_link_config *config,
                 struct object_link **out, struct error *err);
void pool_disconnect(struct object_link *link);
int pool_wait(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
void pool_cancel(struct object_link *link, uint32_t slot, const struct object_call *call,
                 uint64_t stopped_ns);

/* Hot. The io context for a key's namespace. NULL with *code -errno. */
rados_ioctx_t pool_link_io(struct pool_link *link, const char *key, const struct pool_place *place,
                           int *code);

/* ---- call.c ---- */

int pool_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
const struct object_answer *pool_answer(struct object_link *link, uint32_t slot,
                                        const struct object_call *call);

#endif
