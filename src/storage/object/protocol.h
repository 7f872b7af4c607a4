/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - the interface between the object layer and the protocols of object stores.
 *
 * The layer (storage/object/) handles datasets, runs, filling, retries and removal, but no
 * protocol; a protocol (a folder below it) sends single requests to a service, and knows no runs.
 *
 *     driver, fill, removal ... ──► client ─┐  one request at a time, cold
 *     engine ──► session: slots ────────────┴─► link ──► protocol ──► service
 *
 * Service: one per target, opened with it.  Contains the counters of all threads: requests by verb,
 * the budget (--max-requests), bytes, and requests whose outcome is unknown.  Link: the connections
 * of one thread, with a number of slots; created when the thread first uses the service, kept from
 * slice to slice, and closed if the run is to end and the service does not answer.  Slot: free →
 * begin → under way → returned by wait → answered (until the next begin) → free.  A slot carries
 * one call; the layer keeps the call, and all that it points to, unchanged until then.  Retries
 * belong to the layer: a protocol sends each call once, and reports in the verdict whether
 * repeating it may help, and in the answer the pause requested by the service.  So do pauses, the
 * budget, stopping and giving up: the layer counts a call before it begins it.  Data: uploads are
 * sent from call->body; downloads are stored in call->into, or counted and dropped if that is NULL.
 * OBJECT_DONE: all was done as asked, including the length; `intact` checks the content further.
 * Documents: other data of a call (a list of names, of parts) are written to memory of the caller,
 * of the size reported before. */
#ifndef STORAGE_OBJECT_PROTOCOL_H
#define STORAGE_OBJECT_PROTOCOL_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#ifndef EREMOTEIO /* Linux has it: a failure of a server, not of this machine */
#define EREMOTEIO EIO
#endif
#ifndef EREMCHG /* likewise: the resource is elsewhere */
#define EREMCHG EIO
#endif

#define OBJECT_KEY_BYTES    1100 /* longest key (1024) with its terminator */
#define OBJECT_UPLOAD_BYTES 512  /* longest id of an upload in parts */
#define OBJECT_ETAG_BYTES   128
#define OBJECT_TOKEN_BYTES  2048

#define OBJECT_VALUE_NAME "iosweep"

/* The kinds of requests, by which they are also counted: a word for options, the name of the
 * counter at the end of a run, and the message if one fails.  `verbs` of a service contains those
 * it supports; all support PUT, GET, STAT, LIST and DELETE.
 *     LIST             one page; key: the prefix
 *     COPY             key: the new one, source_key: the old one
 *     DELETE_MANY      body: a document of names
 *     UPLOAD_COMPLETE  body: a document of parts
 *     UPLOAD_LIST      uploads in parts that are under way below the prefix `key`
 *     RENAME           source_key becomes key, which must not exist
 *     WRITE_RANGE      body: into an existing object, from offset_bytes on
 *     APPEND           body: to the end of an existing object
 *     XATTR_PUT        body: the value of the attribute OBJECT_VALUE_NAME of an existing object,
 *                      beside its data
 *     XATTR_GET        as GET of data
 *     OMAP_PUT         the same for the object's map of keys and values, under that key */
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
extern const struct object_verb_words object_verb_table[OBJECT_VERB_COUNT]; /* service.c */

/* The requests that services of buckets, of pools and of trees support. */
#define OBJECT_VERBS_OF_BUCKETS ((1u << OBJECT_RENAME) - 1)
#define OBJECT_VERBS_OF_POOLS                                                      \
    (1u << OBJECT_PUT | 1u << OBJECT_GET | 1u << OBJECT_STAT | 1u << OBJECT_LIST | \
     1u << OBJECT_DELETE | 1u << OBJECT_WRITE_RANGE | 1u << OBJECT_APPEND |        \
     1u << OBJECT_XATTR_PUT | 1u << OBJECT_XATTR_GET | 1u << OBJECT_OMAP_PUT |     \
     1u << OBJECT_OMAP_GET)
#define OBJECT_VERBS_OF_TREES                                                      \
    (1u << OBJECT_PUT | 1u << OBJECT_GET | 1u << OBJECT_STAT | 1u << OBJECT_LIST | \
     1u << OBJECT_DELETE | 1u << OBJECT_RENAME | 1u << OBJECT_APPEND)

struct object_call { /* a request; its pointers must stay valid until it is done */
    enum object_verb verb;
    const char *key; /* complete, with the target's prefix; not encoded */
    const char *source_key;
    const char *upload_id;
    unsigned part;                      /* UPLOAD_PART: 1 ... */
    bool ranged;                        /* GET: only range_bytes from offset_bytes on */
    uint64_t offset_bytes, range_bytes; /* GET of all: its length; 0: unknown */
    uint64_t object_bytes;              /* WRITE_RANGE: length of the object */
    bool grows;                         /* PUT: the rest will be appended, or written as ranges */
    bool want_checksum;                 /* GET, STAT: ask for what `intact` needs */
    bool want_age;                      /* GET, STAT: report the age of the object, if known */
    bool only_if_absent;                /* PUT: only if the object does not exist */
    const void *body;                   /* PUT, UPLOAD_PART, and documents */
    uint64_t body_bytes;
    const char *token;     /* LIST: where to continue, or NULL; UPLOAD_LIST: the last key */
    const char *token_id;  /* UPLOAD_LIST: the last id */
    const char *delimiter; /* LIST: or NULL */
    uint64_t page;         /* LIST: maximum number of keys; 0: the service's choice */
    void *into;            /* GET: memory for the data; NULL: they are counted and dropped */
    uint64_t into_bytes;
};

/* ---- results of a call ---- */

enum object_class {
    OBJECT_DONE,           /* carried out as specified */
    OBJECT_SLOW_DOWN,      /* the service asks for fewer requests */
    OBJECT_SERVER_ERROR,   /* the service failed */
    OBJECT_CLIENT_ERROR,   /* the service refuses: forbidden, not found ... */
    OBJECT_REDIRECT,       /* the resource is elsewhere */
    OBJECT_NETWORK_ERROR,  /* no answer: refused, reset, cut off, timed out, TLS */
    OBJECT_PROTOCOL_ERROR, /* an invalid answer: short, long, broken */
    OBJECT_CLASS_COUNT
};

struct object_verdict {
    enum object_class class;
    /* 0, or positive errno: ENOENT not found, EACCES forbidden, EBUSY slow down or a conflict,
     * EREMOTEIO server failure, ERANGE a range beyond the end, EPROTO protocol, EREMCHG redirect,
     * EINTR stopped, EFBIG longer than the service accepts, else that of the network failure */
    int errnum;
    bool retryable; /* repeating the call may help */
    bool no_place;  /* ENOENT: the place of all objects does not exist */
    bool is_place;  /* ENOENT of STAT: a place of that name exists, not an object */
    bool singly;    /* DELETE_MANY: deleting one by one may succeed */
    /* the service's code: "NoSuchKey", "SlowDown"; "" if none; for OBJECT_PROTOCOL_ERROR one of
     * ours: "RangeIgnored", "WrongRange", "WrongLength", "LongPage" (of a list: asking for fewer
     * names may help), "TooLong" (truncated) ... */
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
    /* of calls of several requests: time until the last one, with the data, began; else 0 */
    uint64_t open_ns;
};

struct object_answer { /* to one call; memory of the link */
    struct object_verdict verdict;
    uint64_t sent_bytes, received_bytes; /* data and documents */
    unsigned new_connections;            /* opened for it: at most one per request */
    unsigned unsent;                     /* of the requests_each of its verb: not needed */
    /* the outcome is final; else the service may still carry the request out, or has done so
     * without an answer */
    bool settled;
    /* Repeat the call at once in the same slot, regardless of --retries: the cause of its refusal
     * is fixed (an expired session, another region).  Never twice for a call. */
    bool again;
    /* requested by the service before a retry, not limited; 0: none */
    uint64_t pause_ns;
    enum object_condition condition;
    const char *etag; /* of the object, or the part; "" if none */
    /* UPLOAD_BEGIN: also with other verdicts; "" if none */
    const char *upload_id;
    /* GET: time since it was put, by the service's clock; -1: unknown */
    int64_t age_s;
    struct object_times times;
    const char *version; /* of the protocol, a constant; NULL: unknown */
    const void *detail;  /* the protocol's own */
};

/* ---- lists ---- */

struct object_listed {
    const char *key;
    uint64_t size_bytes;
    bool rolled_up; /* by a delimiter: a common prefix of several keys, "PREFIX/a/" */
};

/* Called for each key of a listing; non-zero ends it and is returned. */
typedef int (*object_visit)(void *arg, const struct object_listed *listed, struct error *err);

struct object_page {
    uint64_t keys;  /* including those rolled up by a delimiter */
    uint64_t first; /* a hash of the first of them */
    bool more;
    char token[OBJECT_TOKEN_BYTES]; /* where the next page begins */
};

/* The same for uploads in parts that are under way. */
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
    const char *root;   /* of names of objects, which keys continue: "mem:" */
    const char *prefix; /* of the target: "" or "a/b/" */
    /* Mixed into the seed, so that different places hold different data. */
    const char *container;
    unsigned verbs; /* bits 1 << OBJECT_x of supported requests */
    bool bounded;   /* only a request shows which size is too long (EFBIG) */
    bool exclusive; /* concurrent writes to an object fail */
    bool gradual;   /* an object is visible while it is being put */
    /* appends must begin at a multiple of it in the object; 0: anywhere.  The service's first link
     * may set this, and clear bits of `verbs`. */
    uint64_t append_align_bytes;
    /* Descriptors of a link besides one connection to each server used, of `servers`, however many
     * slots it has; servers 0: one connection per slot.  May be set as above. */
    uint32_t link_descriptors, servers;
    unsigned char requests_each[OBJECT_VERB_COUNT]; /* maximum per call; 0: 1 */
    /* Counted by all threads, one addition per call. */
    atomic_uint_least64_t requests[OBJECT_VERB_COUNT];
    atomic_uint_least64_t sent_bytes, received_bytes; /* added up once per slice */
    /* Cold, of object_count_unsure: requests that may still be carried out although their answers
     * are no longer awaited. */
    atomic_uint_least64_t unsure, dropped;
    atomic_uint_least64_t budget; /* remaining requests (max_requests); UINT64_MAX: no limit */
    atomic_bool spent;            /* a request was refused for lack of budget */
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
    /* Other threads read the service.  Else an answer may show that it must be addressed
     * differently (another region), which the link does from now on: see `again`. */
    bool pinned;
};

struct object_protocol {
    const char *name;    /* MUST: prefix of its own options: "NAME.option" */
    const char *service; /* MUST: the kind of service, for advice */
    const char *form;    /* MUST: syntax of a target, for advice */
    /* MAY.  It uses connections, which it keeps: "keep"; or some of which servers close after each
     * request, whatever the options: "server". */
    const char *connection;
    /* MAY.  What may prevent removal of objects, as a question before the advice to try again: "is
     * there a lock on the bucket? ". */
    const char *keeps;
    /* NULL: objects have names only.  Else the service keeps their places, such as directories,
     * which exist until they are empty and removed; the command that creates one, for advice. */
    const char *make_place;

    /* ---- the service: cold, on the main thread ---- */

    /* MUST.  Determines the address of requests and who signs them; sends nothing.  signs:
     * credentials are required.  Fills in all of the service except budget and counters, which are
     * the layer's.  Returns 0 or -1 (STATUS_USAGE, STATUS_TARGET). */
    int (*open)(const char *target, const void *options, bool signs, struct object_service **out,
                struct error *err);
    void (*close)(struct object_service *service); /* MUST */
    /* MAY.  For messages: what identifies a place (prefix) besides its name, such as the address of
     * the service; to be freed.  NULL: nothing. */
    char *(*where)(const struct object_service *service, const char *prefix);
    /* MUST.  The command line options needed to reach the service, quoted for a shell; to be
     * freed. */
    char *(*reach)(const struct object_service *service);
    /* MAY.  How uploads are protected, for the results; a constant.  NULL: not applicable. */
    const char *(*payload)(const struct object_service *service);

    /* ---- links: on the thread that owns them ---- */

    int (*connect)(struct object_service *service, const struct object_link_config *config,
                   struct object_link **out, struct error *err); /* MUST.  Cold. */
    /* MUST.  Cold.  Drops calls that are under way. */
    void (*disconnect)(struct object_link *link);
    /* MUST.  Hot.  Begins a call in a free slot.  Returns 0, or -errno if nothing was sent. */
    int (*begin)(struct object_link *link, uint32_t slot, const struct object_call *call);
    /* MUST.  Hot.  Waits until a call is done, at most wait_ns, and stores up to `max` slots.
     * Returns their number, 0 after a timeout or a signal, or -errno if it cannot continue. */
    int (*wait)(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
    /* MUST.  Hot.  The answer in a slot whose call is done, given that call; valid until the next
     * begin in the slot. */
    const struct object_answer *(*answer)(struct object_link *link, uint32_t slot,
                                          const struct object_call *call);
    /* MUST if a call can take long.  Cold.  The run was stopped stopped_ns ago: ends the call in
     * the slot soon, with EINTR if its outcome is unknown; `wait` returns it.  Called again until
     * then. */
    void (*cancel)(struct object_link *link, uint32_t slot, const struct object_call *call,
                   uint64_t stopped_ns);

    /* ---- contents of an answer ---- */

    /* MUST.  Cold.  Adds the reason of a failure to err, in one line and without secrets, and what
     * to do about it, if anything. */
    void (*explain)(const struct object_answer *answer, struct error *err);
    /* MUST.  Parses an answer to LIST, with keys in any order.  visit and err MAY be NULL;
     * allocates nothing.  Returns 0, -1 (broken), or what visit returned. */
    int (*list)(const struct object_answer *answer, struct object_page *page, object_visit visit,
                void *arg, struct error *err);
    /* MUST with UPLOAD_LIST.  The caller frees the uploads.  False: broken. */
    bool (*uploads)(const struct object_answer *answer, struct object_uploads *uploads);
    /* MUST with DELETE_MANY.  The number of failures in an answer to it, with the first one's code
     * in `code`; -1: broken.  A missing object is not a failure. */
    int (*failures)(const struct object_answer *answer, char *code, size_t room);

    /* ---- documents ---- */

    /* MUST with DELETE_MANY.  Maximum bytes of a name in the document of DELETE_MANY, and of a part
     * and of the rest in that of UPLOAD_COMPLETE. */
    size_t (*name_bytes)(const char *key);
    size_t part_bytes, rest_bytes;
    /* MUST with DELETE_MANY.  Writes its document name by name: begins with used 0, ends with key
     * NULL.  Returns the new length, or 0 if it does not fit. */
    size_t (*names)(const char *key, char *text, size_t used, size_t room);
    /* MUST with UPLOAD_COMPLETE.  Writes its document part by part from the answers to UPLOAD_PART:
     * begins with used 0, ends with answer NULL.  Returns the new length, or 0 if it does not fit
     * or the answer names no part. */
    size_t (*parts)(const struct object_service *service, unsigned part,
                    const struct object_answer *answer, char *text, size_t used, size_t room);

    /* ---- --verify ---- */

    /* MAY.  Cold.  Whether data match the checksum that the service stores (answer to GET with
     * want_checksum) or returned (PUT).  *learned: what one thread has learned of this service, 0
     * at first; foreign: the object is not ours.  False: they do not, and text gives the reason. */
    bool (*intact)(const struct object_answer *answer, enum object_verb verb, const void *data,
                   size_t bytes, bool foreign, unsigned *learned, char *text, size_t room);
};

/* ---- functions of the layer for all protocols ---- */

/* The name of an object, to be freed. */
char *object_url(const struct object_service *service, const char *key);

/* The name of a place, without the slash at its end; `where` it is, for messages.  To be freed. */
char *object_place(const struct object_service *service, const char *prefix, bool where);

/* For the hook `reach`: appends " --OPTION VALUE" to *command if there is a value, and " --OPTION"
 * if the flag is given. */
void object_add_option(char **command, const char *option, const char *value);
void object_add_flag(char **command, const char *option, bool given);

/* ---- prefixes of the keys of a target: any text that servers, proxies and URL parsers on the way
 * interpret in the same way ---- */

#define OBJECT_PREFIX_MOST 512

/* Whether it has components that some of these would change or drop: empty, "." or "..". */
bool object_prefix_odd(const char *path);

/* Checks the prefix of a target, without a slash at its end; may be "".  Returns 0 or -1
 * (STATUS_USAGE). */
int object_prefix_check(const char *target, const char *prefix, struct error *err);

/* The same for the text after the container, in which a slash at the end is optional: returns "" or
 * "a/b/", to be freed; NULL with err. */
char *object_prefix_take(const char *target, const char *text, struct error *err);

/* ---- requests ---- */

/* The maximum number of requests of a call. */
static inline unsigned object_requests_each(const struct object_service *service,
                                            enum object_verb verb)
{
    return service->requests_each[verb] ? service->requests_each[verb] : 1;
}

/* Hot.  Takes the requests of a call from the budget and counts them.  False if too few are left.
 * Requests that clean up are counted, but never refused: objects left behind would cost more. */
bool object_request_count(struct object_service *service, enum object_verb verb, bool cleans);

/* Cold.  Returns the requests that a call did not need to the budget. */
void object_request_give_back(struct object_service *service, enum object_verb verb,
                              unsigned unsent);

/* Removal must know whether more objects can still appear.  Cold.  For a call that creates an
 * object and failed: if it is not settled, counts it in service->unsure.  answer NULL, or EINTR:
 * the call was dropped while under way; counts it in service->dropped as well, except for a part,
 * which creates no object. */
void object_count_unsure(struct object_service *service, enum object_verb verb,
                         const struct object_answer *answer);

#endif
