/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - options of targets s3://BUCKET[/PREFIX] besides those of all object stores; set once
 * by cli/ and const from then on. */
#ifndef STORAGE_OBJECT_S3_OPTIONS_H
#define STORAGE_OBJECT_S3_OPTIONS_H

#include <stdbool.h>

#include "base/option.h"
#include "storage/object/options.h"

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

/* Option rows: access to a target, for all commands that use one, and the sweep's own. Both end
 * with name NULL; the fields are those of struct s3_options. */
extern const struct option_row s3_reach_table[];
extern const struct option_row s3_options_table[];

/* How other programs write an endpoint. */

/* The hook `check`. */
int s3_options_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err);

/* Names of the target driver and its options, also for builds without S3, which refuse the target
 * later. */
#define S3_TARGET_WORDS                                                                         \
    .name = "s3", .kind = "object store", .noun = "object", .scheme = "s3://",                  \
    .form = "s3://BUCKET[/PREFIX]", .purpose = "objects are made in it and removed",            \
    .example = "--endpoint http://localhost:9000 s3://bucket   the same for objects",           \
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_CONNECTIONS | TARGET_SERVICE, \
    .family = &object_family, .reach_options = s3_reach_table, .options = s3_options_table,     \
    .options_bytes = sizeof(struct s3_options), .check = s3_options_check

#endif
