/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.h - what an answer of S3 means (for the engine and for all else), and requests one at a
 * time for preparing, listing and removing: with retries, a redirect to another region followed
 * once, a wrong clock corrected once and said. */
#ifndef TARGET_OBJECT_S3_CLIENT_H
#define TARGET_OBJECT_S3_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/http.h"
#include "target/object/s3/request.h"

/* --- what an answer means ------------------------------------------------------------------- */

enum object_class {
    OBJECT_DONE,           /* 2xx and everything as asked */
    OBJECT_SLOW_DOWN,      /* 503 SlowDown, 429, RequestLimitExceeded ...: the server asks for fewer
                            * requests
                            */
    OBJECT_SERVER_ERROR,   /* other 5xx */
    OBJECT_CLIENT_ERROR,   /* other 4xx: 403, 404 ... */
    OBJECT_REDIRECT,       /* 301, 307: the bucket is elsewhere */
    OBJECT_NETWORK_ERROR,  /* no answer: refused, reset, cut off, timed out, TLS */
    OBJECT_PROTOCOL_ERROR, /* an answer that is not what was asked: 200 to a range, short or long
                    body, broken XML */
    OBJECT_CLASS_COUNT
};

struct object_verdict {
    enum object_class class;
    int errnum; /* 0, or positive errno: ENOENT 404, EACCES 403/401, EBUSY slow down and a conflict
                 * (OperationAborted), EREMOTEIO 5xx, ERANGE 416, EPROTO protocol, EREMCHG redirect,
                 * else as the network failed */
    bool retryable; /* slow down, 5xx, network (not TLS verification) */
    char code[64];  /* S3's: "NoSuchKey", "SlowDown"; "" without; of OBJECT_PROTOCOL_ERROR one of
                     * ours:  "RangeIgnored", "WrongRange", "WrongLength", "LongPage" (of a list: more
                     * than  HTTP_TEXT_BYTES), "TooLong" (cut off), "BrokenXML", "UnexpectedStatus" */
};

/* Hot when class is OBJECT_DONE (a few comparisons), else cold.  Of documents only beginning and
 * end are looked at here; s3_page_read and s3_delete_read see the rest. */
void s3_judge(const struct object_call *call, const struct http_answer *answer,
              struct object_verdict *verdict);

/* Whoever removes what was made must know whether more of it can still appear.  Cold.  Of a request
 * that makes something (an object, an upload, a part) and did not end as it should: when its answer
 * was lost on the way (timed out, cut off, HTTP 504), the server may have carried it out, or still
 * do so: service->unsure counts it.  answer NULL, or a failure of -EINTR: it was under way and was
 * dropped, which service->dropped counts too unless it is a part, which no object comes from. */
void object_count_unsure(struct s3_service *service, enum object_verb kind,
                         const struct http_answer *answer);

/* The pause that a server asks for before a request is sent again (Retry-After in seconds), 20 s at
 * most; 0: none, or not one that can be meant. */
uint64_t s3_asked_pause_ns(const struct http_answer *answer);

/* The failure in words, one line: "HTTP 403 AccessDenied: Access Denied (request ID)"; without
 * secrets. Adds what can be done about well-known codes (SignatureDoesNotMatch, InvalidAccessKeyId,
 * AuthorizationHeaderMalformed, NoSuchBucket, RequestTimeTooSkewed ...) when advice is not NULL.
 * Returns text. */
char *s3_explain(const struct http_answer *answer, const struct object_verdict *verdict, char *text,
                 size_t room, const char **advice);

/* --- one request at a time ------------------------------------------------------------------ */

struct object_client; /* one http slot, one signer; one thread at a time */

/* stop: as in struct target_request.  Returns 0 or -1. */
int object_client_create(struct s3_service *service, const volatile int *stop,
                         struct object_client **out, struct error *err);
/* For removing: nothing stops it, but once *hurry is raised no request is repeated after a timeout,
 * and none is sent after that.  While it waits a progress line says so.  Returns 0 or -1. */
int object_client_create_cleaner(struct s3_service *service, const volatile int *hurry,
                                 struct object_client **out, struct error *err);
/* A cleaner that is to come to an end. */
bool object_client_hurries(const struct object_client *client);
void object_client_destroy(
    struct object_client *client); /* cleanses what was signed; NULL is fine */

/* From now on the service is as it is: neither another region nor another clock is followed, since
 * other threads read there. */
void object_client_pin(struct object_client *client);

/* "Fri, 24 May 2013 00:00:00 GMT" in seconds since 1970. */
bool s3_parse_date(const char *text, int64_t *seconds);

/* Performs a call: retries as cold requests deserve (at least 3, with growing pauses; given up when
 * stop is raised: errnum EINTR).  What cleans up (deletions, aborted uploads and their listing) is
 * counted, but done even when no request is left of max_requests.  In slot memory until the next call: *answer.  On failure err says
 * what (STATUS_TARGET) with S3's message and advice; *verdict MAY be NULL.  what: "cannot read",
 * "cannot write", for the message; its object is s3://BUCKET/KEY.  Returns 0 or -1. */
int object_client_call(struct object_client *client, const struct object_call *call,
                       const char *what, const struct http_answer **answer,
                       struct object_verdict *verdict, struct error *err);

/* As object_client_call for a page of a list (call->page is not 0).  A page that is too long for
 * the text of an answer is asked for again with half as many keys; call->page stays at that. */
int object_client_page(struct object_client *client, struct object_call *call, const char *what,
                       const struct http_answer **answer, struct error *err);

/* Called for each key of a listing; non-zero ends it and is returned.  etag is NULL for what a
 * delimiter rolled up ("PREFIX/a/"). */
typedef int (*object_visit)(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                            struct error *err);

/* All keys below prefix, page by page (page: keys at most per request, 0: 1000; fewer where so many
 * are too long).  *pages MAY be
 * NULL. Returns 0, -1 with err, or what visit returned. */
int object_client_list(struct object_client *client, const char *prefix, uint64_t page,
                       object_visit visit, void *arg, uint64_t *pages, struct error *err);

/* One page; token in and out (OBJECT_KEY_BYTES * 2, "" at the end).  For the engine too: */
struct object_page {
    uint64_t keys;  /* with those rolled up by a delimiter */
    uint64_t first; /* a hash of the first of them */
    bool more;
    char token[2048];
};
/* A list that goes on: false when it has come to a page that it had before, or when page after page
 * names nothing.  Begins as {0}; hot. */
struct object_walk {
    uint64_t pages, mark;
    unsigned barren;
};
bool object_walk_on(struct object_walk *walk, const struct object_page *page);
/* Reads an answer to OBJECT_LIST.  visit and err MAY be NULL; nothing is allocated.  Returns 0, -1
 * broken XML (also keys that are too long, and more to come without a token), or what visit
 * returned. */
int s3_page_read(const struct http_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

/* Removes keys, 1000 at a time (with Content-MD5, which all services take); one by one where a
 * server does not know DeleteObjects.  Keys that are gone already are fine.  *removed counts.
 * Returns 0 or -1 (goes on to the end all the same, unless the server does not answer). */
int object_client_delete(struct object_client *client, const char *const *key, size_t count,
                         uint64_t *removed, struct error *err);

/* XML of DeleteObjects into text; returns its length or 0 (does not fit). */
size_t s3_delete_xml(const char *const *key, size_t count, char *text, size_t room);
/* Failures in an answer to it: their number, the first one's code in code; -1: broken XML.  That a
 * key is not there is none. */
int s3_delete_read(const struct http_answer *answer, char *code, size_t room);

/* XML of CompleteMultipartUpload, written part by part from the answers to UPLOAD_PART (etag, and the
 * checksum when one was asked for: AWS wants it back): begins with used 0, ends with answer NULL.
 * Returns the new length, or 0 when it does not fit or the answer has no etag. */
size_t s3_complete_xml(enum s3_checksum checksum, unsigned part, const struct http_answer *answer,
                       char *text, size_t used, size_t room);

/* Aborts all multipart uploads below the prefix.  Returns 0 or -1. */
int object_client_abort_uploads(struct object_client *client, const char *prefix, uint64_t *aborted,
                                struct error *err);

#endif
