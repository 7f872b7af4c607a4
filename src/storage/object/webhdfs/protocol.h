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
#include "storage/object/options.h"
#include "storage/object/protocol.h"
#include "storage/storage.h"

extern const struct storage_driver target_webhdfs;
extern const struct object_protocol webhdfs_protocol;

/* Of targets webhdfs://HOST[:PORT][/PATH] besides those of all object stores; set once by cli/ and
 * const from then on. */
struct webhdfs_options {
    struct object_options store; /* first */
    const char *user;            /* NULL: HADOOP_USER_NAME, else the user running the program */
    const char *token_file;      /* NULL: WEBHDFS_TOKEN, else none */
    const char *password_file;   /* NULL: WEBHDFS_PASSWORD, else none */
    const char *base;            /* the path of the service; NULL: "/webhdfs/v1" */
    const char *connect;         /* "HOST:PORT=ADDR:PORT,..." or NULL */
    bool negotiate;              /* SPNEGO */
    uint64_t replication, block_bytes; /* of files written; 0: the server's default */
};

struct webhdfs_service {
    struct object_service base; /* first */
    bool https;
    char *authority;     /* "namenode:9870" */
    char *endpoint;      /* "http://namenode:9870/webhdfs/v1/": precedes the path of a file */
    char *root;          /* "webhdfs://namenode:9870/" */
    char *prefix;        /* "" or "a/b/" */
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
    struct http_times first; /* of the first request, if there is a second one */
    unsigned connections;    /* ... opened for it */
    const struct http_answer *answer;
    char cookie[HTTP_COOKIE_BYTES + 16]; /* "Cookie: NAME=VALUE" to send, or "" */
    char url[HTTP_LOCATION_BYTES];
};

/* ---- json.c: parses the small JSON documents of WebHDFS in place, without a tree. Input is
 * untrusted, so the parser allocates nothing, does not recurse, and rejects depth beyond 16, broken
 * escapes, trailing data and truncated documents. ---- */

#define JSON_DEPTH_MAX 16

enum json_event {
    JSON_ERROR,
    JSON_OPEN,  /* an object or array begins: its name is name[depth - 1] */
    JSON_CLOSE, /* one ends: its name is name[depth] */
    JSON_VALUE, /* a string, number, true, false or null: its name is name[depth] */
    JSON_END
};

struct json_name { /* of a member, unparsed; NULL in arrays and at the root */
    const char *text;
    size_t bytes;
};

struct json_scan { /* a plain value; begin with json_begin */
    const char *at, *end;
    unsigned depth; /* number of open objects and arrays */
    struct json_name name[JSON_DEPTH_MAX + 1];
    bool array[JSON_DEPTH_MAX];
    /* after JSON_VALUE: without quotes if a string */
    const char *text;
    size_t text_bytes;
    bool string;
    bool more; /* a value of the open object or array was read: a comma or its end must follow */
};

void json_begin(struct json_scan *json, const char *document, size_t bytes);
enum json_event json_next(struct json_scan *json);

bool json_is(const struct json_name *member, const char *name);

/* After JSON_VALUE of a string: copies its text with escapes resolved to out (terminated). Returns
 * its length, or -1 if it is not a string, does not fit, or contains a NUL or an incomplete
 * character. */
int json_text(const struct json_scan *json, char *out, size_t room);

/* After JSON_VALUE: an unsigned integer; true or false. */
bool json_number(const struct json_scan *json, uint64_t *value);
bool json_bool(const struct json_scan *json, bool *value);

/* The string member `name` of the object that is member `of` of the root. Returns as json_text; -1
 * also if it is missing or the document is broken before it. */
int json_find(const char *document, size_t bytes, const char *of, const char *name, char *out,
              size_t room);

/* ---- link.c: requests and the slots of one thread ---- */

int webhdfs_connect(struct object_service *service, const struct object_link_config *config,
                    struct object_link **out, struct error *err);
void webhdfs_disconnect(struct object_link *link);
int webhdfs_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
int webhdfs_wait(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
const struct object_answer *webhdfs_answer(struct object_link *link, uint32_t slot,
                                           const struct object_call *call);
void webhdfs_cancel(struct object_link *link, uint32_t slot, const struct object_call *call,
                    uint64_t stopped_ns);

/* Hot. Makes the second request if the answer calls for one; returns whether it does. */
bool webhdfs_request_next(struct webhdfs_slot *slot, const struct http_answer *answer);

/* Where a list begins: the directory to list, as a key that is "" or ends with "/", whose length is
 * returned, and the name after which to start (NULL: at the first). */
size_t webhdfs_list_place(const struct object_call *call, const char **path, const char **after,
                          size_t *after_bytes);

/* ---- answer.c, list.c: what answers mean ---- */

/* Hot on success. The verdict, and what depends on it: settled, condition, age. */
void webhdfs_judge(const struct webhdfs_slot *slot, struct object_answer *answer);

void webhdfs_explain(const struct object_answer *answer, struct error *err);
int webhdfs_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

#endif
