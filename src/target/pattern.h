/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pattern.h - what belongs into each byte of the data that are filled in, written and verified:
 * computed from seed, file number, place and generation alone, for any range and without what
 * stands before it.  As random as noise: no page, and no word of eight bytes, comes twice.
 *
 * The bytes are the same on every machine: a set of test files that was kept can be verified years
 * later (another pattern takes another number in the first line of manifests). */
#ifndef TARGET_PATTERN_H
#define TARGET_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct pattern { /* const after pattern_start: any number of threads may use it */
    uint64_t stream[2];
    unsigned char *pool;
};

/* Returns 0 or -1 (no memory). */
int pattern_start(struct pattern *pattern, uint64_t seed, struct error *err);
void pattern_end(struct pattern *pattern);

/* Puts into buffer what a range of a file holds.  generation: below TARGET_GENERATIONS. */
void pattern_make(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                  size_t size_bytes, uint32_t generation, void *buffer);

/* How many of the bytes are right, from the first on: size_bytes when all are.  Generation
 * TARGET_ANY_GENERATION: each byte may be of any generation, whatever its neighbours are. */
size_t pattern_check(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                     size_t size_bytes, uint32_t generation, const void *buffer);

struct target_mismatch;

/* The same as an answer: true when all are right, else where they are not and what is there. */
bool pattern_agrees(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                    uint64_t size_bytes, uint32_t generation, const void *buffer,
                    struct target_mismatch *mismatch);

/* The seed of what lies at a place: two places must not hold the same data, or the second is found
 * by deduplication. */
uint64_t pattern_seed(uint64_t seed, const char *place);

#endif
