/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pattern.h - what belongs into each byte of the data that are filled in, written and verified.
 *
 * A reader knows the seed of the run, the number of the file and the place, and no more: the bytes
 * of any range follow from these and from one of four generations.  What is filled in is of
 * generation 0, writes take the others in turn, one for all writes of a slice: whoever of them
 * comes last, a place holds the same, also where they overlap.  A writer that is alone takes one
 * that the place does not hold.
 *
 * Each page of 4 KiB of a file has a key of its own, which a generation changes in every byte: one
 * byte identifies its generation, and then all others up to the next cut must be of the same.  A
 * cut is a place within a page where a write can have begun or ended: multiples of 512, at which
 * storage tears writes, those of the alignment of writes, and the same plus their sizes.  So what
 * was written at once is compared as one piece.  A page that holds several generations (written in
 * smaller or unaligned pieces, torn, or read while it is written) is counted as mixed.  Where any
 * byte may be a cut, each is compared by itself, and one of 85 other values passes, but never one
 * that differs in less than four bits, or in all or every other one.
 *
 * What a run itself has written since narrows down the generations that a page can have: trace.c.
 *
 * As random as noise: no page, and no word of eight bytes, comes twice.  The bytes are the same on
 * every machine: a set of test files that was kept can be verified years later (another pattern
 * takes another number in the first line of manifests). */
#ifndef STORAGE_PATTERN_H
#define STORAGE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/storage.h"

struct pattern { /* const after pattern_start: any number of threads may use it */
    uint64_t stream[2];
    unsigned char *pool;
};

#define PATTERN_PAGE_BYTES 4096u

/* Returns 0 or -1 (no memory). */
int pattern_start(struct pattern *pattern, uint64_t seed, struct error *err);
void pattern_end(struct pattern *pattern);

/* Puts into buffer what a range of a file holds.  generation: below TARGET_GENERATIONS. */
void pattern_make(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                  size_t size_bytes, uint32_t generation, void *buffer);

/* Bit r: a cut can be at places x with x % TARGET_TEAR_BYTES == r.  All 0: pages have none. */
struct pattern_cuts {
    uint64_t at[TARGET_TEAR_BYTES / 64];
};

/* Adds those of writes of a size at multiples of a power of two. */
void pattern_cuts_add(struct pattern_cuts *cuts, uint64_t align_bytes, uint64_t size_bytes);

/* Whether all bytes are right: of generations in `may` (bits 1 << generation), changing only at
 * cuts (NULL: anywhere).  If not, the mismatch has the first wrong place and its bytes.
 * mismatch->mixed is set in any case. */
bool pattern_agrees(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                    uint64_t size_bytes, unsigned may, const struct pattern_cuts *cuts,
                    const void *buffer, struct target_mismatch *mismatch);

/* The seed of what lies at a place: two places must not hold the same data, or the second is found
 * by deduplication. */
uint64_t pattern_seed(uint64_t seed, const char *place);

/* The number of a file that an operation makes, above those of all objects of a target (which have
 * 32 bits): from its own number among those of a group. */
uint64_t pattern_new_file(uint64_t group, uint64_t number);

#endif
