/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - from "what is wanted of S3" to a signed HTTP request, in memory that belongs to the
 * slot: nothing is allocated. */
#ifndef TARGET_OBJECT_S3_REQUEST_H
#define TARGET_OBJECT_S3_REQUEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "net/http.h"
#include "target/object/s3/options.h"
#include "target/object/s3/address.h"
#include "target/object/s3/credentials.h"
#include "target/object/s3/sigv4.h"

/* The kinds of requests, also as they are counted and priced. */
enum object_verb {
    OBJECT_PUT,
    OBJECT_GET,
    OBJECT_STAT,
    OBJECT_LIST, /* ListObjectsV2; key: the prefix */
    OBJECT_COPY, /* key: the new one, source_key: the old one */
    OBJECT_DELETE,
    OBJECT_DELETE_MANY, /* POST ?delete; body: XML */
    OBJECT_UPLOAD_BEGIN,
    OBJECT_UPLOAD_PART,
    OBJECT_UPLOAD_COMPLETE, /* body: XML */
    OBJECT_UPLOAD_ABORT,
    OBJECT_UPLOAD_LIST, /* multipart uploads that are under way below the prefix `key` */
    OBJECT_VERB_COUNT
};

/* One service as one target uses it: made when the target is opened, read by all threads. */
struct s3_service {
    const struct object_options *options;
    struct s3_address address;
    struct s3_credentials credentials;
    char *ca_file;           /* or NULL */
    enum s3_payload payload; /* settled: not AUTO */
    int64_t clock_offset_s;  /* the server's clock minus ours, when it complained; else 0 */
    /* Counted by all threads, one addition per request. */
    atomic_uint_least64_t requests[OBJECT_VERB_COUNT];
    atomic_uint_least64_t sent_bytes, received_bytes; /* bodies, added up once per slice */
    /* Cold, of object_count_unsure: requests that may be carried out although nobody waits any
     * more. */
    atomic_uint_least64_t unsure, dropped;
    atomic_uint_least64_t
        budget; /* requests that may still be made (max_requests); UINT64_MAX: any */
};

#define OBJECT_KEY_BYTES    1100 /* longest key (1024) with its end */
#define OBJECT_UPLOAD_BYTES 512  /* longest upload id */

struct object_call { /* what is wanted; pointers are needed until the request is done */
    enum object_verb verb;
    const char *key; /* complete, with the target's prefix; not encoded */
    const char *source_key;
    const char *upload_id;
    unsigned part; /* UPLOAD_PART: 1 ... */
    bool ranged;   /* GET: only range_bytes from offset_bytes on */
    uint64_t offset_bytes, range_bytes; /* GET of all: how long it is; 0: not known */
    bool want_checksum;  /* GET, HEAD: ask for the stored checksum */
    bool only_if_absent; /* PUT: If-None-Match: * */
    const char *only_over; /* PUT: If-Match: an ETag; NULL: whatever is there */
    const void *body;    /* PUT, UPLOAD_PART, and XML of the POSTs */
    uint64_t body_bytes;
    const char *token;     /* LIST: where to go on, or NULL; UPLOAD_LIST: key-marker */
    const char *token_id;  /* UPLOAD_LIST: upload-id-marker */
    const char *delimiter; /* LIST: or NULL */
    uint64_t page;         /* LIST: keys at most; 0: the server's choice */
    void *into;            /* GET: where the body goes; NULL: it is counted and dropped */
    uint64_t into_bytes;
};

struct s3_request { /* one per slot; about 18 KiB */
    struct http_request http;
    char url[8192];
    char text[8192];           /* header lines, one after the other */
    char head[256], tail[512]; /* framing of aws-chunked */
};

/* Hot.  Builds and signs.  Bodies that are signed or have a checksum are read once here.  Returns 0
 * or -errno (ENAMETOOLONG: does not fit; EIO: OpenSSL refused). */
int s3_request_make(const struct s3_service *service, struct sigv4 *signer,
                    const struct object_call *call, time_t now, struct s3_request *request);

/* The checksum that uploads of this service carry: as the options say, but a trailer always has a CRC
 * (CRC-32 in place of none and MD5). */
enum s3_checksum s3_request_checksum(const struct s3_service *service);

/* Hot.  Takes one request from the budget and counts it.  False when none is left. */
bool object_request_count(struct s3_service *service, enum object_verb kind);

#endif
