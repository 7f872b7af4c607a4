/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* integrity.c - compares received data with the checksum that the server stores. Objects uploaded
 * in parts have checksums of checksums, which are not checked. Formats: x-amz-checksum-* and ETag
 * of GetObject in the Amazon S3 API reference. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "net/encode.h"
#include "storage/object/s3/checksum.h"

enum opinion { NO_OPINION, FITS, DIFFERS };

/* The base64 checksum of the data, by the checksum's name. False: unknown algorithm. */
static bool text_of(const char *name, size_t name_bytes, const void *data, size_t bytes,
                    char text[64])
{
    static const struct {
        const char *name;
        enum s3_checksum kind;
    } known[] = {
        {"crc32", S3_CHECKSUM_CRC32},
        {"crc32c", S3_CHECKSUM_CRC32C},
        {"crc64nvme", S3_CHECKSUM_CRC64NVME},
    };
    uint8_t digest[CHECKSUM_SHA256];

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strlen(known[i].name) == name_bytes && memcmp(name, known[i].name, name_bytes) == 0)
            return checksum_text(known[i].kind, data, bytes, text) == 0;
    if (name_bytes != 6 || memcmp(name, "sha256", 6) != 0 ||
        checksum_sha256(data, bytes, digest) < 0)
        return false;
    encode_base64(digest, sizeof(digest), text);
    return true;
}

/* "crc32c=VALUE"; for a multipart upload "crc32c=VALUE-3". */
static enum opinion by_checksum(const char *checksum, const void *data, size_t bytes)
{
    const char *const value = strchr(checksum, '=');
    char text[64];

    if (!value || strchr(value, '-') ||
        !text_of(checksum, (size_t)(value - checksum), data, bytes, text))
        return NO_OPINION;
    return strcmp(value + 1, text) == 0 ? FITS : DIFFERS;
}

/* An ETag of 32 digits is an MD5 unless the server encrypts or uses another scheme: one match
 * proves that this server's ETags are MD5. */
static enum opinion by_etag(const char *etag, const void *data, size_t bytes, bool foreign,
                            unsigned *etags_are_md5)
{
    uint8_t md5[16];
    char text[CHECKSUM_TEXT], found[CHECKSUM_TEXT];

    if (etag[0] == '"')
        etag++;
    for (unsigned i = 0; i < sizeof(md5); i++) {
        const char *at = etag + 2 * i, *const end = at + strnlen(at, 2);
        uint64_t byte;

        if (!number_take_hex(&at, end, &byte) || at != etag + 2 * i + 2)
            return NO_OPINION;
        md5[i] = (uint8_t)byte;
    }
    if ((etag[32] && etag[32] != '"') || checksum_text(S3_CHECKSUM_MD5, data, bytes, text) < 0)
        return NO_OPINION;
    if (strcmp(text, encode_base64(md5, sizeof(md5), found)) == 0) {
        *etags_are_md5 = 1;
        return FITS;
    }
    /* Objects of others may be encrypted individually. */
    return *etags_are_md5 && !foreign ? DIFFERS : NO_OPINION;
}

bool s3_intact(const struct object_answer *base, enum object_verb verb, const void *data,
               size_t bytes, bool foreign, unsigned *learned, char *text, size_t room)
{
    const struct http_answer *answer = base->detail;
    enum opinion opinion = NO_OPINION;

    if (verb == OBJECT_GET)
        opinion = by_checksum(answer->checksum, data, bytes);
    if (opinion == NO_OPINION)
        opinion = by_etag(answer->etag, data, bytes, foreign, learned);
    if (opinion != DIFFERS)
        return true;
    (void)snprintf(text, room, "%s", answer->checksum[0] ? answer->checksum : answer->etag);
    return false;
}
