/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* address.h - derives scheme, host and path of a bucket from "s3://BUCKET[/PREFIX]", endpoint and
 * region. No I/O. */
#ifndef STORAGE_OBJECT_S3_ADDRESS_H
#define STORAGE_OBJECT_S3_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"
#include "storage/object/s3/options.h"

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

#endif
