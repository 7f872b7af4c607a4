/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pattern.h - the expected value of each byte of the data that are filled in, written and verified.
 *
 * A reader knows only the seed of the run, the number of the file and the offset.  The bytes of any
 * range follow from these and from one of four generations.  Filling writes generation 0.  Writes
 * use the others in turn, one for all writes of a slice, so that overlapping writes leave the same
 * data whichever is last.  A single writer uses a generation that the range does not hold.
 *
 * Each 4 KiB page of a file has its own key, and the generation changes every byte of a page.  So
 * one byte identifies its generation, and all others up to the next cut must have the same one.  A
 * cut is a place within a page where a write can have begun or ended: multiples of 512, at which
 * storage tears writes, multiples of the alignment of writes, and these plus the write sizes.  So
 * the data of one write are compared as one piece.  A page that holds several generations (because
 * of small, unaligned or torn writes, or because it was read during a write) is counted as mixed.
 * Where any byte may be a cut, bytes are compared one by one; then one in 85 wrong values passes,
 * but none that differs in fewer than four bits, in all bits, or in every other bit.
 *
 * A trace narrows down the generations that a page can hold, from what the run itself has written.
 *
 * The data look like noise: no page and no eight-byte word repeats.  They are the same on every
 * machine, so that kept test files can be verified years later (a different pattern needs a
 * different number in the first line of manifests). */
#ifndef STORAGE_PATTERN_H
#define STORAGE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The first place where a transfer differs from the expected data. */
#define TARGET_SHOWN_BYTES 8u
struct target_mismatch {
    uint64_t offset_bytes; /* in the object */
    /* correct pages that hold several generations; the only field set if nothing is wrong */
    uint32_t mixed;
    /* the data end there: the object is shorter than before */
    bool ended;
    uint8_t shown;                        /* number of valid bytes below; ended: 0 */
    uint8_t expected[TARGET_SHOWN_BYTES]; /* of the generation of the bytes before, or after */
    uint8_t found[TARGET_SHOWN_BYTES];
};

/* Objects with known content hold the pattern of these generations: filling writes 0.
 * Bits 1 << generation give those that a range may hold; one more bit allows them to change
 * anywhere in it, because it was read while it was written. */
#define TARGET_GENERATIONS    4u
#define TARGET_ANY_GENERATION ((1u << TARGET_GENERATIONS) - 1)
#define TARGET_CUT_ANYWHERE   (1u << TARGET_GENERATIONS)
#define TARGET_TEAR_BYTES     512u /* storage tears writes only at multiples of this */

struct pattern { /* const after pattern_start: any number of threads may use it */
    uint64_t stream[2];
    unsigned char *pool;
};

#define PATTERN_PAGE_BYTES 4096u

/* Returns 0 or -1 (no memory). */
int pattern_start(struct pattern *pattern, uint64_t seed, struct error *err);
void pattern_end(struct pattern *pattern);

/* Fills buffer with the data of a range of a file.  generation: below TARGET_GENERATIONS. */
void pattern_make(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                  size_t size_bytes, uint32_t generation, void *buffer);

/* Bit r: a cut can be at offsets x with x % TARGET_TEAR_BYTES == r.  All 0: no cuts. */
struct pattern_cuts {
    uint64_t at[TARGET_TEAR_BYTES / 64];
};

/* Adds the cuts of writes of this size at multiples of align_bytes, a power of two. */
void pattern_cuts_add(struct pattern_cuts *cuts, uint64_t align_bytes, uint64_t size_bytes);

/* Whether all bytes are correct: of generations in `may` (bits 1 << generation), changing only at
 * cuts (NULL: anywhere).  If not, *mismatch describes the first wrong place and its bytes.
 * mismatch->mixed is set in any case. */
bool pattern_agrees(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                    uint64_t size_bytes, unsigned may, const struct pattern_cuts *cuts,
                    const void *buffer, struct target_mismatch *mismatch);

/* The seed for data at a place.  Two places must not hold the same data, or storage could
 * deduplicate them. */
uint64_t pattern_seed(uint64_t seed, const char *place);

/* The number of a file that an operation creates, from its number within a group.  It is above the
 * numbers of all objects of a target (which have 32 bits). */
uint64_t pattern_new_file(uint64_t group, uint64_t number);

/* ---- traces ---- */

/* A trace: the generations that each page of objects, longest first, can hold after what this run
 * filled in and wrote, so that --verify finds older data that came back.  A write adds its
 * generation to a page when it begins; once it is complete and was read back, a page that it
 * covered holds that one alone.  After a failed write its pages are unknown: it may still be
 * carried out.
 *
 * filled: all objects hold generation 0, else their contents are unknown.  NULL (objects of more
 * than 64 GiB in total, or no memory) is valid below, and means that nothing is known. */
struct target_trace;
struct target_trace *trace_new(const uint64_t *length_bytes, uint32_t objects, bool filled);
void trace_free(struct target_trace *trace);

/* Any thread.  A write begins; is complete, and no other write can undo it; or has failed. */
enum trace_event { TRACE_BEGINS, TRACE_ENDS, TRACE_FAILS };
void trace_note(struct target_trace *trace, enum trace_event event, uint64_t object,
                uint64_t offset_bytes, uint64_t size_bytes, uint32_t generation);

/* Any thread.  The generations that the first page of a range can hold; *size_bytes is reduced to
 * the pages that have the same ones. */
unsigned trace_may(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                   uint64_t *size_bytes);

/* A generation of writes whose data differ from all that the pages of a range can hold: the given
 * one or the next.  The given one if there is none, or if a page is overwritten only in part. */
uint32_t trace_other(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation);

#endif
