/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* request.h - turns a call of the object layer into a signed HTTP request in memory of the slot:
 * nothing is allocated. */
#ifndef STORAGE_OBJECT_S3_REQUEST_H
#define STORAGE_OBJECT_S3_REQUEST_H

#include <stdint.h>
#include <time.h>

#include "net/http.h"
#include "storage/object/protocol.h"
#include "storage/object/s3/address.h"
#include "storage/object/s3/credentials.h"
#include "storage/object/s3/options.h"
#include "storage/object/s3/sigv4.h"

/* A service as used by one target: created when the target is opened, read by all threads. */
struct s3_service {
    struct object_service base; /* first */
    struct s3_address address;
    struct s3_credentials credentials;
    struct s3_profile profile; /* owns strings that the above may refer to */
    char *ca_file;             /* or NULL */
    enum s3_payload payload;   /* resolved: not AUTO */
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

#endif
