/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* client.h - requests one at a time, for preparing, listing and removing: with retries, and a
 * service that is elsewhere, or wants another time, followed once and said. */
#ifndef STORAGE_OBJECT_CLIENT_H
#define STORAGE_OBJECT_CLIENT_H

#include "storage/object/protocol.h"

/* Opens a service with its budget of requests.  Returns 0 or -1. */
int object_service_open(const struct object_protocol *protocol, const char *target,
                        const void *options, bool signs, struct object_service **out,
                        struct error *err);

struct object_client; /* a link with one slot; one thread at a time */

/* stop: as in struct target_request; NULL: nothing stops it.  Returns 0 or -1. */
int object_client_create(struct object_service *service, const volatile int *stop,
                         struct object_client **out, struct error *err);
/* For removing: once *hurry is raised no request is repeated after a timeout, and none is sent
 * after that.  While it waits a progress line says so. */
void object_client_hurry(struct object_client *client, const volatile int *hurry);
/* Memory for object_run_place. */
struct object_run;
struct object_run *object_client_run(struct object_client *client);

/* What it speaks, and with whom. */
const struct object_protocol *object_client_protocol(const struct object_client *client);
struct object_service *object_client_service(const struct object_client *client);

/* Where the service keeps places, and does not make them by itself for users: is the target's own
 * there?  Returns 0 or -1. */
int object_client_expect_place(struct object_client *client, struct error *err);

/* A cleaner that is to come to an end. */
bool object_client_hurries(const struct object_client *client);
void object_client_destroy(
    struct object_client *client); /* cleanses what was signed; NULL is fine */

/* From now on the service is as it is: neither another region nor another clock is followed, since
 * other threads read there. */
void object_client_pin(struct object_client *client);

/* Performs a call: retries as cold requests deserve (at least 3, with growing pauses; given up when
 * stop is raised: errnum EINTR).  Calls that clean up (deletions, aborted uploads and their
 * listing) count, but are made even beyond max_requests.  *answer is valid until the next call.  On
 * failure err has what failed (STATUS_TARGET), the service's message and advice; *verdict MAY be
 * NULL. what: "cannot read", "cannot write", for the message, which names the object by its URL.
 * Returns 0 or -1. */
int object_client_call(struct object_client *client, const struct object_call *call,
                       const char *what, const struct object_answer **answer,
                       struct object_verdict *verdict, struct error *err);

/* The same of an object that need not exist.  Returns 1: done, 0: it does not exist, or -1 with
 * err. */
int object_client_try(struct object_client *client, const struct object_call *call,
                      const char *what, const struct object_answer **answer,
                      struct object_verdict *verdict, struct error *err);

/* Whether the object is there: 1 or 0, or -1. */
int object_client_has(struct object_client *client, const char *key, struct error *err);

/* The error of an object: what, and its URL.  Returns -1. */
int object_error(const struct object_service *service, const char *key, int errnum,
                 const char *what, struct error *err);

/* The error of a call that was answered so: what, the object's URL, why, and what can be done.
 * Returns -1. */
int object_call_failed(const struct object_service *service, const struct object_call *call,
                       const char *what, const struct object_answer *answer, struct error *err);

/* All keys below prefix, page by page (page: keys at most per request, 0: 1000; fewer where so many
 * are too long).  A list of more than OBJECT_LIST_MOST of them is one that never ends.
 * Returns 0, -1 with err, or what visit returned. */
#define OBJECT_LIST_MOST 10000000u
int object_client_list(struct object_client *client, const char *prefix, uint64_t page,
                       object_visit visit, void *arg, struct error *err);

/* The same of one level: keys up to the next "/" behind prefix, where there is one, are rolled up
 * to one. */
int object_client_list_level(struct object_client *client, const char *prefix, object_visit visit,
                             void *arg, struct error *err);

/* A list that goes on: false when it has come to a page that it had before, or when page after page
 * names nothing.  Begins as {0}; hot. */
struct object_walk {
    uint64_t pages, mark;
    unsigned barren;
};
bool object_walk_on(struct object_walk *walk, const struct object_page *page);

/* Removes keys, 1000 at a time, or one by one where the service cannot do that; a key that is
 * already gone is no error.  *removed counts them.  Returns 0 or -1; a failure does not stop it,
 * unless the server no longer answers. */
int object_client_delete(struct object_client *client, const char *const *key, size_t count,
                         uint64_t *removed, struct error *err);

/* Aborts all multipart uploads below the prefix.  Returns 0 or -1. */
int object_client_abort_uploads(struct object_client *client, const char *prefix, uint64_t *aborted,
                                struct error *err);

#endif
