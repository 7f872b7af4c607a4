/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - S3 as a protocol of the object layer: its hooks, see storage/object/protocol.h. */
#ifndef STORAGE_OBJECT_S3_PROTOCOL_H
#define STORAGE_OBJECT_S3_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "net/encode.h"
#include "net/http.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"
#include "storage/storage.h"

extern const struct storage_driver target_s3;
extern const struct object_protocol s3_protocol;

/* ---- options: those of targets s3://BUCKET[/PREFIX] besides those of all object stores; set once
 * by cli/ and const from then on ---- */

/* Whether and how the signature covers the body of an upload. */
enum s3_payload {
    S3_PAYLOAD_AUTO,     /* unsigned over https, signed over http */
    S3_PAYLOAD_UNSIGNED, /* x-amz-content-sha256: UNSIGNED-PAYLOAD */
    S3_PAYLOAD_SIGNED,   /* ... the SHA-256 of the body, computed before sending */
    /* aws-chunked in one chunk, followed by the checksum (STREAMING-UNSIGNED-PAYLOAD-TRAILER over
     * https, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER over http) */
    S3_PAYLOAD_TRAILER,
    S3_PAYLOAD_COUNT
};

/* A checksum of the body that the server verifies and stores. */
enum s3_checksum {
    S3_CHECKSUM_NONE,
    S3_CHECKSUM_MD5, /* Content-MD5 */
    S3_CHECKSUM_CRC32,
    S3_CHECKSUM_CRC32C,
    S3_CHECKSUM_CRC64NVME,
    S3_CHECKSUM_COUNT
};

enum s3_addressing {
    S3_ADDRESSING_AUTO, /* virtual-hosted without an endpoint (AWS), path-style with one */
    S3_ADDRESSING_PATH,
    S3_ADDRESSING_VIRTUAL
};

struct s3_options {
    /* store.endpoint NULL: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile's endpoint_url, else
     * AWS; .region: AWS_REGION, AWS_DEFAULT_REGION, the profile's, else us-east-1; .profile:
     * AWS_PROFILE, else "default"; .ca_file: AWS_CA_BUNDLE, else libcurl's */
    struct object_options store; /* first */
    unsigned addressing;         /* enum s3_addressing */
    unsigned payload;            /* enum s3_payload */
    unsigned checksum;           /* enum s3_checksum */
};

/* ---- service.c: the address of a bucket, and who uses it ---- */

struct s3_address { /* strings are copies */
    bool https;
    bool virtual_host;
    char *bucket;
    char *prefix; /* "" or "a/b/": never begins with a slash, ends with one unless empty */
    /* for URL and Host header: "host", "host:9000", "[::1]:9000", with the bucket in front if
     * virtual_host; a default port is omitted */
    char *authority;
    char *path; /* what precedes the key: "/" or "/bucket/", after the endpoint's own path */
    char *region;
    char *endpoint; /* for display: "http://host:9000" */
};

/* target: as typed. endpoint NULL: AWS in that region (s3.REGION.amazonaws.com, and .cn for regions
 * cn-*). Bucket names follow the rules of S3 (3 to 63 of a-z 0-9 . -; upper case and _ for old
 * buckets with path style). Prefixes are taken literally, without control characters, "//", "." or
 * ".." parts, at most 512 bytes, valid UTF-8. A virtual host over https with a dot in the bucket,
 * or with an IP address, is refused with advice. An endpoint with user, password, query or fragment
 * is refused without being shown. Errors: STATUS_USAGE. Returns 0 or -1. */
int s3_address_make(const char *target, const char *endpoint, const char *region,
                    enum s3_addressing addressing, struct s3_address *address, struct error *err);
void s3_address_free(struct s3_address *address);

/* Whether it can be the name of a region. */
bool s3_is_region(const char *text);

/* ---- credentials.c ---- */

struct s3_credentials {
    bool anonymous;   /* nothing is signed; the other fields are empty */
    char *access_key; /* id, not secret */
    char *secret_key;
    char *session_token; /* NULL: none */
};

struct s3_profile { /* further settings from environment and files; NULL: not set */
    char *region, *endpoint, *ca_file;
};

/* Order: store.anonymous; store.profile; AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY (and
 * AWS_SESSION_TOKEN); the profile AWS_PROFILE, else "default", of AWS_SHARED_CREDENTIALS_FILE
 * (~/.aws/credentials) and AWS_CONFIG_FILE (~/.aws/config, where sections are called "profile
 * NAME"). region: AWS_REGION, AWS_DEFAULT_REGION, then the profile; endpoint: AWS_ENDPOINT_URL_S3,
 * AWS_ENDPOINT_URL, the profile's endpoint_url; ca_file: AWS_CA_BUNDLE, the profile's ca_bundle.
 * Half a pair, a missing profile, an unparsable file, values with control characters, and missing
 * credentials are errors (STATUS_TARGET) whose advice says where to put them. Files readable by
 * others are reported (log_info), not refused. Profiles that need other methods (sso, role_arn,
 * credential_process) are refused by name. Unless anonymous, core dumps of this process are
 * disabled from then on (soft RLIMIT_CORE 0). Returns 0 or -1. */
int s3_credentials_find(const struct s3_options *options, struct s3_credentials *credentials,
                        struct s3_profile *profile, struct error *err);

/* Overwrites and frees. */
void s3_credentials_free(struct s3_credentials *credentials);
void s3_profile_free(struct s3_profile *profile);

/* ---- checksum.c: checksums in the format of S3: base64 of the big-endian value. CRC-32 (IEEE
 * 802.3), CRC-32C (Castagnoli, RFC 3720), CRC-64/NVME (reflected polynomial 0x9a6c9329ac4bc9b5, NVM
 * Express base specification), MD5 and SHA-256 by OpenSSL. ---- */

#define CHECKSUM_TEXT   32 /* base64 of the longest (MD5) with terminator */
#define CHECKSUM_SHA256 32

/* Continues a CRC over more data; start with 0. Returns a finished CRC. */
uint64_t checksum_crc(enum s3_checksum kind, uint64_t crc, const void *data, size_t bytes);

/* Writes the base64 checksum of data to text[CHECKSUM_TEXT]; not for S3_CHECKSUM_NONE. Returns 0 or
 * -1 (MD5 forbidden by system policy). */
int checksum_text(enum s3_checksum kind, const void *data, size_t bytes, char *text);

/* SHA-256 of data.  Returns 0 or -1. */
int checksum_sha256(const void *data, size_t bytes, uint8_t digest[CHECKSUM_SHA256]);

/* "x-amz-checksum-crc32c" and so on, "content-md5" for MD5; NULL for none. */
const char *checksum_header(enum s3_checksum kind);

/* ---- sigv4.c: AWS Signature Version 4 for S3 in the Authorization header. Formula:
 * "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3 API reference. HMAC-SHA-256
 * by OpenSSL; the derived key is kept for the day. One signer per thread. ---- */

#define SIGV4_HEX_BYTES    65 /* SHA-256 as text with terminator */
#define SIGV4_DATE_BYTES   17 /* "20130524T000000Z" with terminator */
#define SIGV4_EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SIGV4_UNSIGNED     "UNSIGNED-PAYLOAD"

struct sigv4_header {
    const char *name;  /* lower case */
    const char *value; /* trimmed, without repeated blanks */
};

struct sigv4_request {
    const char *method;
    const char *path;  /* encoded, with the leading slash */
    const char *query; /* encoded, sorted by name and value, "name=value&name=" or "" */
    /* sorted by name; all are signed; must include host, x-amz-content-sha256 and x-amz-date */
    const struct sigv4_header *header;
    unsigned header_count;
    const char *payload_hash; /* the value of x-amz-content-sha256 */
};

struct sigv4;

/* The credentials must outlive the signer. Returns 0 or -1 (OpenSSL failed: STATUS_TARGET). */
int sigv4_create(const struct s3_credentials *credentials, const char *region, struct sigv4 **out,
                 struct error *err);

void sigv4_destroy(struct sigv4 *signer); /* cleanses the keys; NULL is fine */

/* Formats a time as "YYYYMMDDTHHMMSSZ" (UTC). */
void sigv4_date(time_t now, char date[SIGV4_DATE_BYTES]);

/* Hot. Appends the value of the Authorization header; date as in x-amz-date. The bare signature
 * is kept for sigv4_chunk. Returns 0 or -1 (does not fit). */
int sigv4_sign(struct sigv4 *signer, const struct sigv4_request *request, const char *date,
               struct text_builder *out);

/* Hot. Signs a chunk of a signed aws-chunked body, or its trailer "name:value\n"; each signature is
 * derived from the previous one, the first from sigv4_sign's. */
int sigv4_chunk(struct sigv4 *signer, bool trailer, const void *data, size_t bytes,
                char signature[SIGV4_HEX_BYTES]);

/* ---- xml.c: parses the small XML documents of S3 in place, without a tree. Supports what services
 * send: elements, text, the five predefined entities and character references. Refuses all else
 * that begins with "<!": DTDs (so that nothing is ever expanded), comments and CDATA; also wrong
 * nesting, depth beyond 16 and truncated documents. ---- */

#define XML_DEPTH_MAX 16

enum xml_event { XML_ERROR, XML_OPEN, XML_CLOSE, XML_END };

struct xml_name {
    const char *text; /* in the document, not terminated; without namespace prefix */
    size_t bytes;
};

struct xml { /* a plain value; begin with xml_begin */
    const char *at, *end;
    unsigned depth;
    struct xml_name open[XML_DEPTH_MAX]; /* names of the open elements */
    /* after XML_CLOSE of an element without children: its raw text */
    const char *text;
    size_t text_bytes;
    bool leaf, empty_tag, seen_root;
};

void xml_begin(struct xml *xml, const char *document, size_t bytes);

/* Advances to the next start or end of an element; its name is xml->open[xml->depth - 1] at
 * XML_OPEN and xml->open[xml->depth] at XML_CLOSE. */
enum xml_event xml_next(struct xml *xml);

bool xml_is(const struct xml_name *element, const char *name);

/* After XML_CLOSE of a leaf: copies its text with entities resolved to out (terminated). Returns
 * its length, or -1 if it does not fit, is not a leaf or has a broken entity. */
int xml_text(const struct xml *xml, char *out, size_t room);

/* Finds the text of the first leaf with that name anywhere in a document. Returns its length, or -1
 * if there is none or the document is broken before it. */
int xml_find(const char *document, size_t bytes, const char *name, char *out, size_t room);

/* ---- request.c: a call as a signed HTTP request, in memory of the slot: nothing is allocated ----
 */

/* A service as used by one target: created when the target is opened, read by all threads. */
struct s3_service {
    struct object_service base; /* first */
    struct s3_address address;
    struct s3_credentials credentials;
    char *root;              /* "s3://BUCKET/" */
    char *ca_file;           /* or NULL */
    enum s3_payload payload; /* resolved: not AUTO */
};

static inline struct s3_service *s3_service_of(const struct object_service *service)
{
    return (struct s3_service *)(uintptr_t)service;
}

static inline const struct s3_options *s3_options_of(const struct object_service *service)
{
    return (const struct s3_options *)(const void *)service->options;
}

struct s3_request { /* one per slot; about 18 KiB */
    struct http_request http;
    char url[8192];
    char text[8192];           /* header lines, concatenated */
    char head[256], tail[512]; /* framing of aws-chunked */
};

/* Hot. Builds and signs a request. Bodies that are signed or have a checksum are read once here.
 * Returns 0 or -errno (ENAMETOOLONG: does not fit; EIO: OpenSSL failed). */
int s3_request_make(const struct s3_service *service, struct sigv4 *signer,
                    const struct object_call *call, time_t now, struct s3_request *request);

/* The checksum of uploads to this service: as in the options, but a trailer always has a CRC
 * (CRC-32 in place of none and MD5). */
enum s3_checksum s3_request_checksum(const struct s3_service *service);

/* ---- link.c ---- */

int s3_connect(struct object_service *service, const struct object_link_config *config,
               struct object_link **out, struct error *err);
void s3_disconnect(struct object_link *link);
int s3_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
int s3_wait(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
const struct object_answer *s3_answer(struct object_link *link, uint32_t slot,
                                      const struct object_call *call);
void s3_cancel(struct object_link *link, uint32_t slot, const struct object_call *call,
               uint64_t stopped_ns);

/* ---- response.c, list.c: answers, and XML documents ---- */

/* Hot when class is OBJECT_DONE (a few comparisons), else cold. Checks only beginning and end of
 * documents; s3_page_read and s3_delete_read parse the rest. */
void s3_judge(const struct object_call *call, const struct http_answer *answer,
              struct object_verdict *verdict);

/* The delay before a retry that the server requests (Retry-After in seconds); 0: none, or an
 * implausible one. */
uint64_t s3_asked_pause_ns(const struct http_answer *answer);

/* Adds the reason, "HTTP 403 AccessDenied: Access Denied (request ID)", without secrets, and advice
 * on well-known codes. */
void s3_explain(const struct object_answer *answer, struct error *err);

/* Parses an answer to OBJECT_LIST. visit and err MAY be NULL; nothing is allocated. Returns 0, -1
 * for broken XML (also keys that are too long, and a truncated list without a token), or what visit
 * returned. */
int s3_page_read(const struct object_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

/* Parses an answer to OBJECT_UPLOAD_LIST. False: broken XML. */
bool s3_uploads_read(const struct object_answer *answer, struct object_uploads *uploads);

/* Writes the XML of DeleteObjects to text; returns its length or 0 (does not fit). */
size_t s3_delete_xml(const char *key, char *text, size_t used, size_t room);
/* The number of failures in an answer to it, with the first one's code in `code`; -1: broken XML. A
 * missing key is not a failure. */
int s3_delete_read(const struct object_answer *answer, char *code, size_t room);

/* Writes the XML of CompleteMultipartUpload part by part from the answers to UPLOAD_PART (etag, and
 * the checksum if one was used: AWS requires it): begins with used 0, ends with answer NULL.
 * Returns the new length, or 0 if it does not fit or the answer has no etag. */
size_t s3_complete_xml(enum s3_checksum checksum, unsigned part, const struct http_answer *answer,
                       char *text, size_t used, size_t room);

/* The hook `intact`. */
bool s3_intact(const struct object_answer *answer, enum object_verb verb, const void *data,
               size_t bytes, bool foreign, unsigned *learned, char *text, size_t room);

#endif
