/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retry.h - the rule by which a request that failed is sent again, for all that send any. */
#ifndef STORAGE_OBJECT_RETRY_H
#define STORAGE_OBJECT_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"

/* Of requests that are not measured, however few --retries allows. */
#define OBJECT_RETRIES_COLD 3u

static inline uint64_t object_retries_cold(const struct object_options *options)
{
    return options->retries > OBJECT_RETRIES_COLD ? options->retries : OBJECT_RETRIES_COLD;
}

/* Whether a request that was repeated so often is to be sent once more. */
static inline bool object_worth_retry(const struct object_verdict *verdict, uint64_t repeated,
                                      uint64_t retries)
{
    return verdict->retryable && repeated < retries;
}

/* The pause before a request is sent again for the `repetition`-th time (1 ...): 100 ms, twice as
 * long each time, up to 6.4 s; or asked_ns, what the service asks for (0: nothing), up to 20 s,
 * where that is longer.  Up to a quarter more is drawn, so that clients that failed together do not
 * come back together. */
uint64_t object_pause_ns(uint64_t repetition, uint64_t asked_ns, struct rng *rng);

#endif
