/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* client.h - single requests, for preparing, listing and removing: with retries, and following
 * (once, with a message) a service in another region or with another clock. */
#ifndef STORAGE_OBJECT_CLIENT_H
#define STORAGE_OBJECT_CLIENT_H

#include "base/flag.h"
#include "base/rng.h"
#include "storage/life/life.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"

/* Opens a service with its budget of requests.  Returns 0 or -1. */
int object_service_open(const struct object_protocol *protocol, const char *target,
                        const void *options, bool signs, struct object_service **out,
                        struct error *err);

struct object_client { /* a link with one slot; one thread at a time */
    struct object_service *service;
    const struct object_protocol *protocol;
    const volatile int *stop; /* as in struct target_request; NULL: nothing stops it */
    /* For removal, else NULL: once it is set, no request is repeated after a timeout, and none is
     * sent after one.  A progress line is shown while the client waits. */
    const volatile int *hurry;
    struct object_link *link;
    bool silent;       /* the server did not answer its only request in time, with *hurry set */
    struct rng jitter; /* of pauses */
    const char *run_prefix; /* of object_run_place */
    struct life_place place;
};

/* Returns 0 or -1.  For use beside measuring threads, which read the service, sets link->pinned:
 * then no other region is followed. */
int object_client_create(struct object_service *service, const volatile int *stop,
                         struct object_client **out, struct error *err);
void object_client_destroy(
    struct object_client *client); /* cleanses what was signed; NULL is fine */

static inline bool object_client_hurries(const struct object_client *client)
{
    return client->hurry && flag_read(client->hurry);
}

/* If the service keeps places and does not create them itself for users: refuses a target whose
 * place does not exist.  Returns 0 or -1. */
int object_client_expect_place(struct object_client *client, struct error *err);

/* Performs a call, with the retries of cold requests (at least 3, with growing pauses; given up
 * once stop is set: errnum EINTR).  Calls that clean up (deletions, aborted uploads and their
 * listing) are counted, but allowed beyond max_requests.  *answer is valid until the next call.  On
 * failure err contains what failed (STATUS_TARGET), the service's message and advice; *verdict MAY
 * be NULL.  what: "cannot read", "cannot write", for the message, which names the object by its
 * URL.  Returns 0 or -1. */
int object_client_call(struct object_client *client, const struct object_call *call,
                       const char *what, const struct object_answer **answer,
                       struct object_verdict *verdict, struct error *err);

/* The same for an object that may be missing.  Returns 1: done, 0: it does not exist, or -1 with
 * err. */
int object_client_try(struct object_client *client, const struct object_call *call,
                      const char *what, const struct object_answer **answer,
                      struct object_verdict *verdict, struct error *err);

/* Whether the object exists: 1 or 0, or -1. */
int object_client_has(struct object_client *client, const char *key, struct error *err);

/* The error of an object: what, and its URL.  Returns -1. */
int object_error(const struct object_service *service, const char *key, int errnum,
                 const char *what, struct error *err);

/* The error of a call with this answer: what, the object's URL, the reason, and advice.  Returns
 * -1. */
int object_call_failed(const struct object_service *service, const struct object_call *call,
                       const char *what, const struct object_answer *answer, struct error *err);

/* Visits all keys below prefix, 1000 per request (fewer if keys are so long that a page would be
 * too long).  delimiter: NULL; or "/" for one level: keys with a further "/" after prefix are
 * rolled up to the part before it.  A list of more than OBJECT_LIST_MOST keys counts as endless.
 * Returns 0, -1 with err, or what visit returned. */
#define OBJECT_LIST_MOST 10000000u
int object_client_list(struct object_client *client, const char *prefix, const char *delimiter,
                       object_visit visit, void *arg, struct error *err);

/* Detects an endless list: false if a page was returned before, or if too many pages in a row
 * contain no names.  Begins as {0}; hot. */
struct object_walk {
    uint64_t pages, mark;
    unsigned barren;
};
bool object_walk_on(struct object_walk *walk, const struct object_page *page);

/* Removes keys, 1000 per request, or one by one if the service does not support that; a missing key
 * is not an error.  *removed counts them.  Returns 0 or -1; continues after a failure, unless the
 * server no longer answers. */
int object_client_delete(struct object_client *client, const char *const *key, size_t count,
                         uint64_t *removed, struct error *err);

/* Aborts all multipart uploads below the prefix.  Returns 0 or -1. */
int object_client_abort_uploads(struct object_client *client, const char *prefix, uint64_t *aborted,
                                struct error *err);

/* ---- the rule for repeating a failed request, for all senders ---- */

/* Minimum for requests that are not measured, even if --retries allows fewer. */
#define OBJECT_RETRIES_COLD 3u

static inline uint64_t object_retries_cold(const struct object_options *asked)
{
    return asked->retries > OBJECT_RETRIES_COLD ? asked->retries : OBJECT_RETRIES_COLD;
}

/* The pause before the `repetition`-th retry (1 ...): 100 ms, doubled each time, up to 6.4 s; or
 * asked_ns, the pause requested by the service (0: none), up to 20 s, if that is longer.  Adds a
 * random amount of up to a quarter, so that clients that failed together do not retry together. */
uint64_t object_pause_ns(uint64_t repetition, uint64_t asked_ns, struct rng *rng);

#endif
