/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - what the object layer asks of a protocol that object stores are reached by.
 *
 * The layer (storage/object/) knows datasets, runs, filling, retries and removal, and no protocol;
 * a protocol (a folder below it) knows how to ask a service for one thing, and nothing of runs.
 *
 *     driver, fill, removal ... ──► client ─┐  one request at a time, cold
 *     engine ──► session: slots ────────────┴─► link ──► protocol ──► service
 *
 * Service: one per target, opened with it.  What all threads count is kept here: requests by verb,
 * the budget (--max-requests), bytes, and requests whose fate nobody knows. Link: the connections
 * of one thread, with a number of slots; made when the thread first works on the service, kept from
 * slice to slice, and closed when the run is to end and the service is silent. Slot: free → begin →
 * under way → named by wait → answered (until the next begin) → free.  A slot carries one call.
 * The layer keeps the call and all that it points to unchanged until then. Retries are the layer's:
 * a protocol sends each call once, and says in the verdict whether the same again may help, and in
 * the answer how long the service asks to wait.  Pauses, the budget, stopping and giving up are the
 * layer's, too: it counts a call before it begins it. Data: uploads are sent from call->body,
 * downloads come into call->into, or are counted and dropped where that is NULL.  A verdict of
 * OBJECT_DONE means that all was as asked, down to the length; checks of content beyond that are
 * asked for by `intact`. Documents: what a protocol has to write for a call besides (a list of
 * names, of parts) goes to memory of the caller, whose size the protocol told before. */
#ifndef STORAGE_OBJECT_PROTOCOL_H
#define STORAGE_OBJECT_PROTOCOL_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#ifndef EREMOTEIO /* Linux has it: what a server failed at, not this machine */
#define EREMOTEIO EIO
#endif
#ifndef EREMCHG /* likewise: what was asked for is elsewhere */
#define EREMCHG EIO
#endif

#define OBJECT_KEY_BYTES    1100 /* longest key (1024) with its end */
#define OBJECT_UPLOAD_BYTES 512  /* longest id of an upload in parts */
#define OBJECT_ETAG_BYTES   128
#define OBJECT_TOKEN_BYTES  2048

#define OBJECT_VALUE_NAME "iosweep"

/* The kinds of requests, also as they are counted: a word for options, what so many of them are
 * called when a run is over, and what is said of one that failed.  Which of them a service knows,
 * its `verbs` say; all know PUT, GET, STAT, LIST and DELETE.
 *     LIST             one page; key: the prefix
 *     COPY             key: the new one, source_key: the old one
 *     DELETE_MANY      body: a document of names
 *     UPLOAD_COMPLETE  body: a document of parts
 *     UPLOAD_LIST      uploads in parts that are under way below the prefix `key`
 *     RENAME           source_key becomes key, and nothing is there already
 *     WRITE_RANGE      body: in an object that is there, from offset_bytes on
 *     APPEND           body: to the end of an object that is there
 *     XATTR_PUT        body: a value of an object that is there, beside its data; a GET of one: as
 *                      of the data.  An attribute, called OBJECT_VALUE_NAME
 *     OMAP_PUT         the same, in its map of keys and values, under that key */
#define OBJECT_VERB_TABLE(ROW)                                                                  \
    ROW(PUT, "put", "PUT", "cannot write")                                                      \
    ROW(GET, "get", "GET", "cannot read")                                                       \
    ROW(STAT, "stat", "HEAD", "cannot look for")                                                \
    ROW(LIST, "list", "list", "cannot list")                                                    \
    ROW(COPY, "copy", "copy", "cannot copy to")                                                 \
    ROW(DELETE, "delete", "delete", "cannot delete")                                            \
    ROW(DELETE_MANY, "delete-many", "delete-many", "cannot delete objects of")                  \
    ROW(UPLOAD_BEGIN, "upload-begin", "upload begin", "cannot begin the upload of")             \
    ROW(UPLOAD_PART, "upload-part", "upload part", "cannot upload a part of")                   \
    ROW(UPLOAD_COMPLETE, "upload-complete", "upload complete", "cannot complete the upload of") \
    ROW(UPLOAD_ABORT, "upload-abort", "upload abort", "cannot abort the upload of")             \
    ROW(UPLOAD_LIST, "upload-list", "upload list", "cannot list uploads of")                    \
    ROW(RENAME, "rename", "rename", "cannot rename to")                                         \
    ROW(WRITE_RANGE, "write-range", "write", "cannot write into")                               \
    ROW(APPEND, "append", "append", "cannot append to")                                         \
    ROW(XATTR_PUT, "xattr-put", "xattr write", "cannot set the attribute of")                   \
    ROW(XATTR_GET, "xattr-get", "xattr read", "cannot read the attribute of")                   \
    ROW(OMAP_PUT, "omap-put", "omap write", "cannot set the omap value of")                     \
    ROW(OMAP_GET, "omap-get", "omap read", "cannot read the omap value of")

#define OBJECT_VERB_ENUM(verb, ...) OBJECT_##verb,
enum object_verb { OBJECT_VERB_TABLE(OBJECT_VERB_ENUM) OBJECT_VERB_COUNT };
#undef OBJECT_VERB_ENUM

struct object_verb_words {
    const char *word, *counted, *failed;
};
extern const struct object_verb_words object_verb_table[OBJECT_VERB_COUNT]; /* failure.c */

/* What services of buckets know. */
#define OBJECT_VERBS_OF_BUCKETS ((1u << OBJECT_RENAME) - 1)

struct object_call { /* what is wanted; pointers are needed until the request is done */
    enum object_verb verb;
    const char *key; /* complete, with the target's prefix; not encoded */
    const char *source_key;
    const char *upload_id;
    unsigned part;                      /* UPLOAD_PART: 1 ... */
    bool ranged;                        /* GET: only range_bytes from offset_bytes on */
    uint64_t offset_bytes, range_bytes; /* GET of all: how long it is; 0: not known */
    uint64_t object_bytes;              /* WRITE_RANGE: how long the object is */
    bool grows;                         /* PUT: what follows is appended, or written as ranges */
    bool want_checksum;                 /* GET, STAT: ask for what `intact` needs */
    bool want_age;                      /* GET, STAT: say how old the object is, if known */
    bool only_if_absent;                /* PUT: only where there is no object */
    const void *body;                   /* PUT, UPLOAD_PART, and documents */
    uint64_t body_bytes;
    const char *token;     /* LIST: where to go on, or NULL; UPLOAD_LIST: the last key */
    const char *token_id;  /* UPLOAD_LIST: the last id */
    const char *delimiter; /* LIST: or NULL */
    uint64_t page;         /* LIST: keys at most; 0: the service's choice */
    void *into;            /* GET: where the data go; NULL: they are counted and dropped */
    uint64_t into_bytes;
};

/* ---- what came of a call ---- */

enum object_class {
    OBJECT_DONE,           /* everything as asked */
    OBJECT_SLOW_DOWN,      /* the service asks for fewer requests */
    OBJECT_SERVER_ERROR,   /* it could not, for reasons of its own */
    OBJECT_CLIENT_ERROR,   /* it will not: forbidden, not there ... */
    OBJECT_REDIRECT,       /* what was asked for is elsewhere */
    OBJECT_NETWORK_ERROR,  /* no answer: refused, reset, cut off, timed out, TLS */
    OBJECT_PROTOCOL_ERROR, /* an answer that is not what was asked: short, long, broken */
    OBJECT_CLASS_COUNT
};

struct object_verdict {
    enum object_class class;
    /* 0, or positive errno: ENOENT not there, EACCES forbidden, EBUSY slow down or a conflict,
     * EREMOTEIO the server failed, ERANGE a range beyond the end, EPROTO protocol, EREMCHG
     * redirect, EINTR stopped, EFBIG longer than the service takes, else as the network failed */
    int errnum;
    bool retryable; /* repeating the call may help */
    bool no_place;  /* ENOENT: the place of all objects does not exist */
    bool is_place;  /* ENOENT of STAT: a place of that name exists, not an object */
    bool singly;    /* DELETE_MANY: deleting one by one may succeed */
    /* the service's word: "NoSuchKey", "SlowDown"; "" without; of OBJECT_PROTOCOL_ERROR one of
     * ours: "RangeIgnored", "WrongRange", "WrongLength", "LongPage" (of a list: fewer names may
     * do), "TooLong" (cut off) ... */
    char code[64];
};

static inline void object_verdict_broken(struct object_verdict *verdict, const char *code)
{
    verdict->class = OBJECT_PROTOCOL_ERROR;
    verdict->errnum = EPROTO;
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", code);
}

/* The outcome of a condition (only_if_absent). */
enum object_condition {
    OBJECT_CONDITION_NONE, /* it was met, or there was none, or the call failed otherwise */
    OBJECT_CONDITION_UNMET,
    OBJECT_CONDITION_UNKNOWN /* the service does not support conditions */
};

/* Progress of a request, in ns from its start.  All 0 if a protocol cannot report it. */
struct object_times {
    uint64_t lookup_ns, connect_ns, tls_ns; /* 0 on a connection that is reused */
    uint64_t send_ns, first_byte_ns, total_ns;
    /* of calls of several requests: until the last one of them, with the data, was begun; else 0 */
    uint64_t open_ns;
};

struct object_answer { /* to one call; memory of the link */
    struct object_verdict verdict;
    uint64_t sent_bytes, received_bytes; /* data and documents */
    unsigned new_connections;            /* that it took: at most one per request */
    unsigned unsent;                     /* of requests_each of its verb: were not needed */
    /* the outcome is final; else the service may still carry the request out, or has done so
     * without an answer */
    bool settled;
    /* Repeat the call at once in the same slot, regardless of --retries: the cause of its refusal
     * is fixed (an expired session).  Never twice for a call. */
    bool again;
    /* requested by the service before a retry, not limited; 0: none */
    uint64_t pause_ns;
    enum object_condition condition;
    const char *etag; /* of the object, or the part; "" without */
    /* UPLOAD_BEGIN: also where the verdict is another; "" without */
    const char *upload_id;
    /* GET: since it was put, by the service's clock; -1: unknown */
    int64_t age_s;
    struct object_times times;
    const char *version; /* of the protocol, a constant; NULL: not known */
    const void *detail;  /* the protocol's own */
};

/* ---- lists ---- */

struct object_listed {
    const char *key;
    uint64_t size_bytes;
    bool rolled_up; /* by a delimiter: it is what several keys begin with, "PREFIX/a/" */
};

/* Called for each key of a listing; non-zero ends it and is returned. */
typedef int (*object_visit)(void *arg, const struct object_listed *listed, struct error *err);

struct object_page {
    uint64_t keys;  /* with those rolled up by a delimiter */
    uint64_t first; /* a hash of the first of them */
    bool more;
    char token[OBJECT_TOKEN_BYTES]; /* where the next one begins */
};

/* The same of uploads in parts that are under way. */
struct object_uploads {
    struct object_upload {
        char *key, *id; /* owned */
    } * upload;
    size_t count;
    bool more;
    char next_key[OBJECT_KEY_BYTES], next_id[OBJECT_UPLOAD_BYTES];
};

/* ---- services and links ---- */

struct object_protocol;
struct object_options;

struct object_service { /* the protocol's own has this as its first member */
    const struct object_protocol *protocol;
    const struct object_options *options;
    const char *prefix; /* of the target: "" or "a/b/" */
    unsigned verbs;     /* bits 1 << OBJECT_x of supported requests */
    bool bounded;       /* only a request shows which size is too long (EFBIG) */
    bool exclusive;     /* concurrent writes to an object fail */
    bool gradual;       /* an object is visible while it is being put */
    /* appends must begin at a multiple of it in the object; 0: anywhere.  The service's first link
     * may set this, and clear bits of `verbs`. */
    uint64_t append_align_bytes;
    /* that a link has open beside a connection to each server that it has asked something, of so
     * many, however many slots it has; servers 0: a connection for each slot.  The same. */
    uint32_t link_descriptors, servers;
    unsigned char requests_each[OBJECT_VERB_COUNT]; /* that a call takes at most; 0: 1 */
    unsigned verbs_at_once; /* bits of those that some services do in one request, not in each */
    /* Counted by all threads, one addition per call. */
    atomic_uint_least64_t requests[OBJECT_VERB_COUNT];
    atomic_uint_least64_t sent_bytes, received_bytes; /* added up once per slice */
    /* Cold, of object_count_unsure: requests that may be carried out although nobody waits any
     * more. */
    atomic_uint_least64_t unsure, dropped;
    atomic_uint_least64_t
        budget;        /* requests that may still be made (max_requests); UINT64_MAX: any */
    atomic_bool spent; /* one more was wanted */
};

static inline bool object_can(const struct object_service *service, enum object_verb verb)
{
    return (service->verbs & 1u << verb) != 0;
}

struct object_link_config {
    uint32_t slots;
    uint64_t transfer_bytes;  /* of the largest bodies */
    bool reconnect;           /* each call on a new connection */
    const volatile int *stop; /* not 0: `connect` gives up; MAY be NULL */
};

struct object_link { /* the protocol's own has this as its first member; one thread at a time */
    struct object_service *service;
    bool pinned; /* the service is read by other threads: `follow` may change nothing */
};

struct object_protocol {
    const char *name;    /* MUST: as its own options begin: "NAME.option" */
    const char *service; /* MUST: what it reaches, for advice */
    const char *form;    /* MUST: how a target is written, for advice */
    bool connections;    /* there are any, and object_options.reconnect means something */
    /* MUST.  What may hold objects that are to be removed, as a question before the advice to try
     * again ("is there a lock on the bucket? "), or "". */
    const char *keeps;
    bool closes; /* servers close some of them after each request, which no option changes */
    /* NULL: objects have names only.  Else the service keeps the places that they are in, as
     * directories, which are there until they are removed when nothing is in them; the command that
     * makes one, for advice. */
    const char *make_place;

    /* ---- the service: cold, on the main thread ---- */

    /* MUST.  Finds where requests go and who signs them; nothing is sent.  signs: credentials must
     * be there.  All of the service is filled in, budget and counters are the layer's.  Returns 0
     * or -1 (STATUS_USAGE, STATUS_TARGET). */
    int (*open)(const char *target, const void *options, bool signs, struct object_service **out,
                struct error *err);
    void (*close)(struct object_service *service); /* MUST */
    /* MUST.  The name of an object, of the place of a run (prefix; with where the service is), and
     * of that place as a target of its own, for people; to be freed. */
    char *(*url)(const struct object_service *service, const char *key);
    char *(*place)(const struct object_service *service, const char *prefix);
    /* MUST.  The options, to be appended to a command line, by which the service was reached,
     * quoted for a shell; to be freed. */
    char *(*reach)(const struct object_service *service);
    /* MUST.  What makes two places hold different data: mixed into the seed; constant for a
     * service. */
    const char *(*container)(const struct object_service *service);
    /* MAY.  How uploads are protected, for the results; a constant.  NULL: nothing to say. */
    const char *(*payload)(const struct object_service *service);

    /* ---- links: on the thread that has them ---- */

    int (*connect)(struct object_service *service, const struct object_link_config *config,
                   struct object_link **out, struct error *err); /* MUST.  Cold. */
    /* MUST.  Cold.  What is under way is dropped. */
    void (*disconnect)(struct object_link *link);
    /* MUST.  Hot.  Begins a call in a free slot.  Returns 0 or -errno: then nothing was sent. */
    int (*begin)(struct object_link *link, uint32_t slot, const struct object_call *call);
    /* MUST.  Hot.  Waits until a call is done, at most wait_ns, and gives up to `max` slots.
     * Returns their number, 0 after the time or a signal, or -errno when it cannot go on. */
    int (*wait)(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
    /* MUST.  Hot.  Of a slot whose call is done, with that call; valid until the next begin
     * there. */
    const struct object_answer *(*answer)(struct object_link *link, uint32_t slot,
                                          const struct object_call *call);
    /* MUST where a call can take long.  Cold.  The run was stopped stopped_ns ago: the call under
     * way in the slot ends soon, with EINTR where its outcome is not known, and is given by `wait`.
     * Called again until then. */
    void (*cancel)(struct object_link *link, uint32_t slot, const struct object_call *call,
                   uint64_t stopped_ns);
    /* MAY.  Cold.  The answer tells that the service is to be spoken to otherwise (another region,
     * another clock), and that is done from now on: the same call is worth another try. */
    bool (*follow)(struct object_link *link, const struct object_answer *answer);

    /* ---- what an answer says ---- */

    /* MUST.  Cold.  A failure in words, one line, without secrets; *advice (MAY be NULL) what can
     * be done, or NULL.  Returns text. */
    char *(*explain)(const struct object_answer *answer, char *text, size_t room,
                     const char **advice);
    /* MAY.  Cold.  Advice that is made of the answer; false: none. */
    bool (*advise)(const struct object_answer *answer, struct error *err);
    /* MUST.  Reads an answer to LIST, which names keys in any order.  visit and err MAY be NULL;
     * nothing is allocated.  Returns 0, -1 (broken), or what visit returned. */
    int (*list)(const struct object_answer *answer, struct object_page *page, object_visit visit,
                void *arg, struct error *err);
    /* MUST with UPLOAD_LIST.  Uploads are the caller's to free.  False: broken. */
    bool (*uploads)(const struct object_answer *answer, struct object_uploads *uploads);
    /* MUST with DELETE_MANY.  Answers to it: failures, the first one's code in code; -1: broken.
     * That an object is not there is none. */
    int (*failures)(const struct object_answer *answer, char *code, size_t room);

    /* ---- documents ---- */

    /* MUST with DELETE_MANY.  Bytes that a name takes in the document of DELETE_MANY, and that a
     * part and all the rest take in that of UPLOAD_COMPLETE, at most. */
    size_t (*name_bytes)(const char *key);
    size_t part_bytes, rest_bytes;
    /* MUST with DELETE_MANY.  Its document.  Returns its length or 0 (does not fit). */
    size_t (*names)(const char *const *key, size_t count, char *text, size_t room);
    /* MUST with UPLOAD_COMPLETE.  Its document, part by part from the answers to UPLOAD_PART:
     * begins with used 0, ends with answer NULL.  Returns the new length, or 0 when it does not fit
     * or the answer names no part. */
    size_t (*parts)(const struct object_service *service, unsigned part,
                    const struct object_answer *answer, char *text, size_t used, size_t room);

    /* ---- --verify ---- */

    /* MAY.  Cold.  Do data fit the checksum that the service keeps (of an answer to GET with
     * want_checksum) or gave (PUT)?  *learned is what one thread has learned of this service, 0 at
     * first; foreign: the object is not ours.  False: they do not; text says why. */
    bool (*intact)(const struct object_answer *answer, enum object_verb verb, const void *data,
                   size_t bytes, bool foreign, unsigned *learned, char *text, size_t room);
};

/* ---- what the layer does for all of them ---- */

/* For the hook `reach`: appends " --OPTION VALUE" to *command where there is a value, and "
 * --OPTION" where the flag is given. */
void object_add_option(char **command, const char *option, const char *value);
void object_add_flag(char **command, const char *option, bool given);

/* The requests of a call. */
static inline unsigned object_requests_each(const struct object_service *service,
                                            enum object_verb verb)
{
    return service->requests_each[verb] ? service->requests_each[verb] : 1;
}

/* The minimum of a successful call. */
static inline unsigned object_requests_least(const struct object_service *service,
                                             enum object_verb verb)
{
    return service->verbs_at_once & 1u << verb ? 1 : object_requests_each(service, verb);
}

/* Hot.  Takes the requests of a call from the budget and counts them.  False if too few are left.
 * Requests that clean up are counted, but never refused: objects left behind would cost more. */
bool object_request_count(struct object_service *service, enum object_verb verb, bool cleans);

/* Cold.  Gives back what a call did not need. */
void object_request_give_back(struct object_service *service, enum object_verb verb,
                              unsigned unsent);

/* Removal must know whether more objects can still appear.  Cold.  For a call that creates an
 * object and failed: if it is not settled, counts it in service->unsure.  answer NULL, or EINTR:
 * the call was dropped while under way; counts it in service->dropped as well, except for a part,
 * which creates no object. */
void object_count_unsure(struct object_service *service, enum object_verb verb,
                         const struct object_answer *answer);

#endif
