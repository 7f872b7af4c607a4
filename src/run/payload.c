/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* payload.c - see payload.h. Generating data costs as much as copying within the processor's cache
 * (pattern.c): 0.1 us for 4 KiB, 35 us for 1 MiB. */
#include "base/compat.h"

#include "run/payload.h"

#include <string.h>

#include "base/rng.h"

#define BLOCK_BYTES ((size_t)4096)

const char *const payload_names[] = {"random", "zero", "repeat", NULL};

int payload_start(struct pattern *pattern, uint64_t seed, struct error *err)
{
    uint64_t state = ~seed; /* test files use the seed itself */

    return pattern_start(pattern, rng_splitmix(&state), err);
}

/* Repeats the first block of the first thread, so that all threads write the same data. */
static void repeat(const struct pattern *pattern, char *buffer, size_t size_bytes)
{
    for (size_t at = 0; at < size_bytes; at += BLOCK_BYTES) {
        const size_t left = size_bytes - at;
        pattern_make(pattern, 0, 0, left < BLOCK_BYTES ? left : BLOCK_BYTES, 0, buffer + at);
    }
}

void payload_make(struct payload *payload, void *buffer, size_t size_bytes)
{
    switch (payload->kind) {
    case PAYLOAD_RANDOM:
        pattern_make(payload->pattern, payload->thread, payload->made_bytes, size_bytes, 0, buffer);
        payload->made_bytes += (size_bytes + BLOCK_BYTES - 1) & ~(uint64_t)(BLOCK_BYTES - 1);
        break;
    case PAYLOAD_ZERO:
        memset(buffer, 0, size_bytes);
        break;
    case PAYLOAD_REPEAT:
        repeat(payload->pattern, buffer, size_bytes);
        break;
    }
}
