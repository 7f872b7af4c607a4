/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sigv4.c - AWS Signature Version 4 in the Authorization header, and of chunks and trailers.
 *
 *     canonical request = method \n path \n query \n (name:value \n)* \n names \n payload hash
 *     string to sign    = AWS4-HMAC-SHA256 \n date \n scope \n SHA-256(canonical request)
 *     key               = HMAC(HMAC(HMAC(HMAC("AWS4" secret, day), region), "s3"), "aws4_request")
 *     signature         = HMAC(key, string to sign)
 *
 * The canonical request is hashed piecewise through a small buffer, so that long keys and session
 * tokens need no memory. OpenSSL contexts are created once and reused for each signature; the
 * derived key is kept until the day changes. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "net/encode.h"
#include "storage/object/web/web.h"

#define DIGEST_BYTES 32
#define BLOCK_BYTES  64  /* of SHA-256 */
#define DAY_LENGTH   8   /* "20130524" */
#define GATHER_BYTES 768 /* fits most requests: one update of the digest */
#define REGION_MOST  128
#define SCOPE_BYTES  (DAY_LENGTH + 1 + REGION_MOST + sizeof("/s3/aws4_request"))
/* Longest algorithm, date, scope and three hashes of a chunk, with line ends. */
#define TO_SIGN_BYTES (32 + SIGV4_DATE_BYTES + SCOPE_BYTES + 3 * SIGV4_HEX_BYTES)

struct sigv4 {
    const char *access_key; /* of the credentials */
    char *region;
    char *secret; /* "AWS4" and the secret key */
    EVP_MD *sha256;
    EVP_MD_CTX *digest;
    char day[DAY_LENGTH + 1]; /* that key and scope belong to; "" at first */
    EVP_MD_CTX *inner,
        *outer; /* HMAC states keyed with the day's key, from which each signature starts */
    uint8_t key[DIGEST_BYTES];
    char scope[SCOPE_BYTES]; /* "20130524/us-east-1/s3/aws4_request" */
    size_t scope_length;
    char date[SIGV4_DATE_BYTES];     /* of the last request: its chunks use the same */
    char signature[SIGV4_HEX_BYTES]; /* the last one: chunk signatures chain from it */
    size_t gathered;
    char gather[GATHER_BYTES];
    bool failed; /* a digest update failed */
};

/* OpenSSL keeps errors per thread: a TLS call there would mistake this one for its own. */
static int refused(void)
{
    ERR_clear_error();
    return -1;
}

void sigv4_destroy(struct sigv4 *signer)
{
    if (!signer)
        return;
    secret_free(signer->secret);
    free(signer->region);
    EVP_MD_CTX_free(signer->digest);
    EVP_MD_CTX_free(signer->inner);
    EVP_MD_CTX_free(signer->outer);
    EVP_MD_free(signer->sha256);
    OPENSSL_cleanse(signer, sizeof(*signer));
    free(signer);
}

/* Cold: derives keys. */
static int hmac_with(const void *key, size_t key_bytes, const char *text, size_t length,
                     uint8_t result[DIGEST_BYTES])
{
    size_t written = 0;

    return EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, key_bytes,
                     (const unsigned char *)text, length, result, DIGEST_BYTES, &written) &&
                   written == DIGEST_BYTES
               ? 0
               : refused();
}

int sigv4_create(const struct s3_credentials *credentials, const char *region, struct sigv4 **out,
                 struct error *err)
{
    struct sigv4 *signer;

    *out = NULL;
    if (strlen(region) > REGION_MOST)
        return error_set(err, STATUS_TARGET, 0, "the name of the region is too long:", region);
    signer = mem_calloc(1, sizeof(*signer));
    signer->access_key = credentials->access_key;
    signer->region = mem_strdup(region);
    signer->secret = mem_printf("AWS4%s", credentials->secret_key);
    signer->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    signer->digest = EVP_MD_CTX_new();
    signer->inner = EVP_MD_CTX_new();
    signer->outer = EVP_MD_CTX_new();
    if (!signer->sha256 || !signer->digest || !signer->inner || !signer->outer ||
        hmac_with("", 0, "", 0, signer->key) != 0) {
        sigv4_destroy(signer);
        (void)refused();
        return error_refuse(err, STATUS_TARGET, "OpenSSL has no HMAC with SHA-256 for signatures",
                            NULL, "check the configuration of OpenSSL (openssl list -providers)");
    }
    *out = signer;
    return 0;
}

/* Kept for the second: gmtime_r takes a lock of the process. */
void sigv4_date(time_t now, char date[SIGV4_DATE_BYTES])
{
    static _Thread_local time_t kept = -1;
    static _Thread_local char text[SIGV4_DATE_BYTES];
    struct tm utc;

    if (now != kept && gmtime_r(&now, &utc)) {
        (void)strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &utc);
        kept = now;
    }
    memcpy(date, text, SIGV4_DATE_BYTES);
}

/* --- digests --------------------------------------------------------------------------------- */

static void begin(struct sigv4 *signer)
{
    signer->gathered = 0;
    signer->failed = !EVP_DigestInit_ex(signer->digest, signer->sha256, NULL);
}

static void flush(struct sigv4 *signer)
{
    if (!EVP_DigestUpdate(signer->digest, signer->gather, signer->gathered))
        signer->failed = true;
    signer->gathered = 0;
}

static void add(struct sigv4 *signer, const char *text, size_t length)
{
    while (length > 0) {
        const size_t free_bytes = GATHER_BYTES - signer->gathered;
        const size_t now = length < free_bytes ? length : free_bytes;
        memcpy(signer->gather + signer->gathered, text, now);
        signer->gathered += now;
        text += now;
        length -= now;
        if (signer->gathered == GATHER_BYTES)
            flush(signer);
    }
}

static void add_line(struct sigv4 *signer, const char *text)
{
    add(signer, text, strlen(text));
    add(signer, "\n", 1);
}

static int finish(struct sigv4 *signer, char hex[SIGV4_HEX_BYTES])
{
    uint8_t digest[DIGEST_BYTES];

    flush(signer);
    if (signer->failed || !EVP_DigestFinal_ex(signer->digest, digest, NULL))
        return refused();
    encode_hex(digest, sizeof(digest), hex);
    return 0;
}

static int hash(struct sigv4 *signer, const void *data, size_t bytes, char hex[SIGV4_HEX_BYTES])
{
    begin(signer);
    if (!EVP_DigestUpdate(signer->digest, data, bytes))
        signer->failed = true;
    return finish(signer, hex);
}

/* Starts a digest with a key padded to a block and XORed with a byte (RFC 2104). */
static int begin_keyed(struct sigv4 *signer, EVP_MD_CTX *digest, uint8_t byte)
{
    uint8_t block[BLOCK_BYTES];
    int done;

    memset(block, byte, sizeof(block));
    for (size_t i = 0; i < DIGEST_BYTES; i++)
        block[i] ^= signer->key[i];
    done = EVP_DigestInit_ex(digest, signer->sha256, NULL) &&
           EVP_DigestUpdate(digest, block, sizeof(block));
    OPENSSL_cleanse(block, sizeof(block));
    return done ? 0 : refused();
}

/* hmac with the day's key, starting from the keyed states. */
static int hmac_of_day(struct sigv4 *signer, const char *text, size_t length,
                       uint8_t result[DIGEST_BYTES])
{
    EVP_MD_CTX *digest = signer->digest;

    return EVP_MD_CTX_copy_ex(digest, signer->inner) && EVP_DigestUpdate(digest, text, length) &&
                   EVP_DigestFinal_ex(digest, result, NULL) &&
                   EVP_MD_CTX_copy_ex(digest, signer->outer) &&
                   EVP_DigestUpdate(digest, result, DIGEST_BYTES) &&
                   EVP_DigestFinal_ex(digest, result, NULL)
               ? 0
               : refused();
}

/* Derives key and scope for the day of a date, unless it is the current one. */
static int take_day(struct sigv4 *signer, const char *date)
{
    uint8_t *key = signer->key;

    if (memcmp(signer->day, date, DAY_LENGTH) == 0)
        return 0;
    signer->day[0] = '\0'; /* until complete */
    if (hmac_with(signer->secret, strlen(signer->secret), date, DAY_LENGTH, key) != 0 ||
        hmac_with(key, DIGEST_BYTES, signer->region, strlen(signer->region), key) != 0 ||
        hmac_with(key, DIGEST_BYTES, "s3", 2, key) != 0 ||
        hmac_with(key, DIGEST_BYTES, "aws4_request", 12, key) != 0 ||
        begin_keyed(signer, signer->inner, 0x36) != 0 ||
        begin_keyed(signer, signer->outer, 0x5c) != 0)
        return -1;
    signer->scope_length = (size_t)snprintf(signer->scope, sizeof(signer->scope),
                                            "%.8s/%s/s3/aws4_request", date, signer->region);
    memcpy(signer->day, date, DAY_LENGTH);
    return 0;
}

/* --- signatures ------------------------------------------------------------------------------ */

static char *append(char *at, const char *text, size_t length)
{
    memcpy(at, text, length);
    return at + length;
}

/* "ALGORITHM\nDATE\nSCOPE\n" and up to three lines, the last without its end; stores the signature
 * in the signer. */
static int sign_lines(struct sigv4 *signer, const char *algorithm, const char *const *line,
                      unsigned lines)
{
    char text[TO_SIGN_BYTES], *at = text;
    uint8_t result[DIGEST_BYTES];

    at = append(at, algorithm, strlen(algorithm));
    *at++ = '\n';
    at = append(at, signer->date, SIGV4_DATE_BYTES - 1);
    *at++ = '\n';
    at = append(at, signer->scope, signer->scope_length);
    for (unsigned i = 0; i < lines; i++) {
        *at++ = '\n';
        at = append(at, line[i], SIGV4_HEX_BYTES - 1);
    }
    if (hmac_of_day(signer, text, (size_t)(at - text), result) != 0)
        return -1;
    encode_hex(result, sizeof(result), signer->signature);
    return 0;
}

static void add_names(struct sigv4 *signer, const struct sigv4_request *request)
{
    for (unsigned i = 0; i < request->header_count; i++) {
        if (i > 0)
            add(signer, ";", 1);
        add(signer, request->header[i].name, strlen(request->header[i].name));
    }
}

static int hash_request(struct sigv4 *signer, const struct sigv4_request *request,
                        char hex[SIGV4_HEX_BYTES])
{
    begin(signer);
    add_line(signer, request->method);
    add_line(signer, request->path);
    add_line(signer, request->query);
    for (unsigned i = 0; i < request->header_count; i++) {
        add(signer, request->header[i].name, strlen(request->header[i].name));
        add(signer, ":", 1);
        add_line(signer, request->header[i].value);
    }
    add(signer, "\n", 1);
    add_names(signer, request);
    add(signer, "\n", 1);
    add(signer, request->payload_hash, strlen(request->payload_hash));
    return finish(signer, hex);
}

static int write_authorization(const struct sigv4 *signer, const struct sigv4_request *request,
                               struct text_builder *out)
{
    text_put(out, "AWS4-HMAC-SHA256 Credential=");
    text_put(out, signer->access_key);
    text_put(out, "/");
    text_put(out, signer->scope);
    text_put(out, ", SignedHeaders=");
    for (unsigned i = 0; i < request->header_count; i++) {
        text_put(out, i > 0 ? ";" : "");
        text_put(out, request->header[i].name);
    }
    text_put(out, ", Signature=");
    text_put(out, signer->signature);
    return out->full ? -1 : 0;
}

int sigv4_sign(struct sigv4 *signer, const struct sigv4_request *request, const char *date,
               struct text_builder *out)
{
    char hex[SIGV4_HEX_BYTES];
    const char *const line[] = {hex};

    if (strlen(date) != SIGV4_DATE_BYTES - 1 || take_day(signer, date) != 0)
        return -1;
    memcpy(signer->date, date, SIGV4_DATE_BYTES);
    if (hash_request(signer, request, hex) != 0 ||
        sign_lines(signer, "AWS4-HMAC-SHA256", line, 1) != 0)
        return -1;
    return write_authorization(signer, request, out);
}

int sigv4_chunk(struct sigv4 *signer, bool trailer, const void *data, size_t bytes,
                char signature[SIGV4_HEX_BYTES])
{
    char before[SIGV4_HEX_BYTES], hex[SIGV4_HEX_BYTES];
    const char *const line[] = {before, trailer ? hex : SIGV4_EMPTY_SHA256, hex};

    memcpy(before, signer->signature, sizeof(before));
    if (hash(signer, data, bytes, hex) != 0 ||
        sign_lines(signer, trailer ? "AWS4-HMAC-SHA256-TRAILER" : "AWS4-HMAC-SHA256-PAYLOAD", line,
                   trailer ? 2 : 3) != 0)
        return -1;
    memcpy(signature, signer->signature, SIGV4_HEX_BYTES);
    return 0;
}
