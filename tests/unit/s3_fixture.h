/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* s3_fixture.h - a service to make requests for, with AWS's published example key, whose secret is
 * public. */
#ifndef TESTS_S3_FIXTURE_H
#define TESTS_S3_FIXTURE_H

#include <string.h>

#include "storage/object/client.h"
#include "storage/object/s3/protocol.h"

/* 2013-05-24T00:00:00Z, the moment of the published examples. */
#define FIXTURE_NOW ((time_t)1369353600)

struct s3_fixture {
    struct s3_options options;
    struct s3_service service;
    char bucket[64], prefix[8], authority[128], path[80], region[32], endpoint[128];
    char access_key[32], secret_key[64], token[64];
};

/* http://127.0.0.1:7070/bucket/ in eu-west-1, without options for bodies. */
static inline struct s3_service *s3_fixture_init(struct s3_fixture *fixture)
{
    struct s3_service *service = &fixture->service;

    memset(fixture, 0, sizeof(*fixture));
    strcpy(fixture->bucket, "bucket");
    strcpy(fixture->authority, "127.0.0.1:7070");
    strcpy(fixture->path, "/bucket/");
    strcpy(fixture->region, "eu-west-1");
    strcpy(fixture->endpoint, "http://127.0.0.1:7070");
    strcpy(fixture->access_key, "AKIAIOSFODNN7EXAMPLE");
    strcpy(fixture->secret_key, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
    service->base.protocol = &s3_protocol;
    service->base.verbs = OBJECT_VERBS_OF_BUCKETS;
    service->base.options = &fixture->options.store;
    service->base.root = "s3://bucket/";
    service->address = (struct s3_address){.bucket = fixture->bucket,
                                           .prefix = fixture->prefix,
                                           .authority = fixture->authority,
                                           .path = fixture->path,
                                           .region = fixture->region,
                                           .endpoint = fixture->endpoint};
    service->credentials = (struct s3_credentials){.access_key = fixture->access_key,
                                                   .secret_key = fixture->secret_key};
    service->payload = S3_PAYLOAD_UNSIGNED;
    atomic_init(&service->base.budget, UINT64_MAX);
    return service;
}

#endif
