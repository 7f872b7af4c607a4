/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* price.h - what requests and bytes cost, by a file that the user writes:
 *
 *     ; prices of 1000 requests, and of a GB (10^9 bytes) that crosses the network
 *     currency = USD
 *     put      = 0.005     ; PUT, and each request of a multipart upload
 *     get      = 0.0004    ; GET, HEAD
 *     list     = 0.005     ; pages of listings
 *     copy     = 0.005     ; by default as put
 *     delete   = 0         ; DELETE, and batches of deletes
 *     egress   = 0.09      ; what is read
 *     ingress  = 0         ; what is written
 *
 * What is not in the file costs nothing.  A section [price] may stand around it. */
#ifndef TARGET_OBJECT_PRICE_H
#define TARGET_OBJECT_PRICE_H

#include <stddef.h>

#include "base/error.h"
#include "target/object/protocol.h"

#define OBJECT_CURRENCY_BYTES 16
#define OBJECT_PRICE_TEXT_MAX ((size_t)64 << 10)

struct object_price {
    double kind[OBJECT_VERB_COUNT];       /* of 1000 requests */
    double egress, ingress;               /* of 10^9 bytes */
    char currency[OBJECT_CURRENCY_BYTES]; /* "" when the file names none */
};

/* What was done, or will be: doubles, since estimates are products that know no overflow. */
struct object_usage {
    double requests[OBJECT_VERB_COUNT];
    double sent_bytes, received_bytes; /* bodies */
};

/* Terminated text of a file; name is for messages.  Unknown keys and sections, keys that come
 * twice, numbers below 0 or no numbers are refused with their line (STATUS_USAGE).  Returns 0 or
 * -1. */
int object_price_parse(const char *text, const char *name, struct object_price *price,
                       struct error *err);

/* The same of a file.  Returns 0 or -1. */
int object_price_read(const char *path, struct object_price *price, struct error *err);

/* The sum of requests / 1000 and bytes / 10^9, each times its price. */
double object_price_of(const struct object_price *price, const struct object_usage *usage);

double object_usage_requests(const struct object_usage *usage);

#endif
