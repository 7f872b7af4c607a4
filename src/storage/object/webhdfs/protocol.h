/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - WebHDFS as a protocol of the object layer: its hooks, see storage/object/protocol.h.
 *
 * An object is a file; its key is the path without the first slash. Moving data takes two requests:
 * the NameNode, asked without a body, redirects (307 and Location) to a DataNode, which sends or
 * receives the data. The first is the open phase of the operation, the second its transfer;
 * operations without a redirect (HttpFS reads in one request) have no open phase. */
#ifndef STORAGE_OBJECT_WEBHDFS_PROTOCOL_H
#define STORAGE_OBJECT_WEBHDFS_PROTOCOL_H

#include "net/http.h"
#include "storage/object/protocol.h"
#include "storage/object/webhdfs/address.h"
#include "storage/object/webhdfs/options.h"
#include "storage/storage.h"

extern const struct storage_driver target_webhdfs;
extern const struct object_protocol webhdfs_protocol;

struct webhdfs_service {
    struct object_service base; /* first */
    struct webhdfs_address address;
    char *identity;      /* "&user.name=x", "&delegation=TOKEN" or "": part of each query. Secret */
    char *authorization; /* "Authorization: Basic ...", or NULL. Secret */
    char *created;       /* "&replication=...&blocksize=..." of CREATE, or "" */
    char **places;       /* see --webhdfs.connect; or NULL */
};

static inline struct webhdfs_service *webhdfs_service_of(const struct object_service *service)
{
    return (struct webhdfs_service *)(uintptr_t)service;
}

static inline const struct webhdfs_options *webhdfs_options_of(const struct object_service *service)
{
    return (const struct webhdfs_options *)(const void *)service->options;
}

/* Limit of an answer to LIST: HttpFS returns a directory at once, about 300 bytes per file. */
#define WEBHDFS_LIST_BYTES ((uint64_t)32 << 20)

#define WEBHDFS_COOKIE_FIELD "Cookie: "
#define WEBHDFS_COOKIE_LINE  (HTTP_COOKIE_BYTES + 16)

enum webhdfs_step {
    WEBHDFS_ASK,      /* the first request, or the only one */
    WEBHDFS_TRANSFER, /* the second, to the first one's Location */
};

/* The call in progress in a slot and its result: object_answer.detail. */
struct webhdfs_slot {
    struct http_request http;
    const struct webhdfs_service *service;
    const struct object_call *call;
    enum webhdfs_step step;
    bool strange;            /* the first answer has no usable Location */
    int unstarted;           /* -errno: the second request could not be begun */
    bool renews;             /* the cookie was refused: the slot's next request has another one */
    bool renewed;            /* this one has */
    const char *no_ticket;   /* why there is no cookie for the ticket; "" */
    struct http_times first; /* of the first request, if there is a second one */
    unsigned connections;    /* ... opened for it */
    const struct http_answer *answer;
    char cookie[WEBHDFS_COOKIE_LINE]; /* "Cookie: NAME=VALUE" to send, or "" */
    char url[HTTP_LOCATION_BYTES];
};

/* ---- service.c ---- */

int webhdfs_open(const char *target, const void *options, bool signs, struct object_service **out,
                 struct error *err);
void webhdfs_close(struct object_service *service);
char *webhdfs_url(const struct object_service *service, const char *key);
char *webhdfs_place(const struct object_service *service, const char *prefix);
char *webhdfs_reach(const struct object_service *service);
const char *webhdfs_container(const struct object_service *service);

/* ---- request.c ---- */

/* Hot. Makes the first request of a call. cookie: "NAME=VALUE" received from the service, or "".
 * Returns 0 or -errno. */
int webhdfs_request_make(const struct webhdfs_service *service, const struct object_call *call,
                         const char *cookie, struct webhdfs_slot *slot);

/* Gives the call's second request the cookie set by the first answer. */
void webhdfs_request_know(struct webhdfs_slot *slot, const char *cookie);

/* Hot. Makes the second request if the answer calls for one; returns whether it does. */
bool webhdfs_request_next(struct webhdfs_slot *slot, const struct http_answer *answer);

/* Where a list begins: the directory to list, as a key that is "" or ends with "/", whose length is
 * returned, and the name after which to start (NULL: at the first). */
size_t webhdfs_list_place(const struct object_call *call, const char **path, const char **after,
                          size_t *after_bytes);

/* ---- answer.c ---- */

/* Hot on success. */
void webhdfs_judge(const struct webhdfs_slot *slot, struct object_verdict *verdict);

/* For a failure: whether the service has not received the request or is done with it. */
bool webhdfs_is_settled(const struct webhdfs_slot *slot);

enum object_condition webhdfs_condition(const struct object_call *call,
                                        const struct object_verdict *verdict);

/* Seconds since the file was changed, by the service's clock; from an answer to STAT. -1:
 * unknown. */
int64_t webhdfs_age_s(const struct http_answer *answer);

/* ---- words.c ---- */

char *webhdfs_explain(const struct object_answer *answer, char *text, size_t room,
                      const char **advice);
bool webhdfs_advise(const struct object_answer *answer, struct error *err);

/* ---- list.c ---- */

int webhdfs_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

/* ---- link.c ---- */

int webhdfs_connect(struct object_service *service, const struct object_link_config *config,
                    struct object_link **out, struct error *err);
void webhdfs_disconnect(struct object_link *link);
int webhdfs_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
int webhdfs_wait(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
const struct object_answer *webhdfs_answer(struct object_link *link, uint32_t slot,
                                           const struct object_call *call);
void webhdfs_cancel(struct object_link *link, uint32_t slot, const struct object_call *call,
                    uint64_t stopped_ns);

#endif
