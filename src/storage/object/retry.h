/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retry.h - the rule for repeating a failed request, for all senders. */
#ifndef STORAGE_OBJECT_RETRY_H
#define STORAGE_OBJECT_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"

/* Minimum for requests that are not measured, even if --retries allows fewer. */
#define OBJECT_RETRIES_COLD 3u

static inline uint64_t object_retries_cold(const struct object_options *options)
{
    return options->retries > OBJECT_RETRIES_COLD ? options->retries : OBJECT_RETRIES_COLD;
}

/* Whether a request that was repeated this often may be sent once more. */
static inline bool object_worth_retry(const struct object_verdict *verdict, uint64_t repeated,
                                      uint64_t retries)
{
    return verdict->retryable && repeated < retries;
}

/* The pause before the `repetition`-th retry (1 ...): 100 ms, doubled each time, up to 6.4 s; or
 * asked_ns, the pause requested by the service (0: none), up to 20 s, if that is longer.  Adds a
 * random amount of up to a quarter, so that clients that failed together do not retry together. */
uint64_t object_pause_ns(uint64_t repetition, uint64_t asked_ns, struct rng *rng);

#endif
