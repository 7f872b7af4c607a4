/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pattern.c - the data of test files.
 *
 * Generating every byte afresh costs 0.07 s/GB, a fifth of the time of writing into memory.  So a
 * pool of 64 KiB is generated once, and each 4 KiB page of a file is one page of the pool under a
 * 128-bit key of its own (exclusive or): no two pages are alike, no page has an echo in another one
 * that a compressor or a deduplicator could find, and it costs what copying costs.
 *
 * The key is a hash of seed, file and page, so any range can be made directly.  A generation turns
 * over every other bit of all bytes, or all bits: two generations never agree in any byte, and of
 * the difference to generation 0 it can be seen at once, eight bytes at a time, whether each byte
 * is of some generation: all bit pairs of a byte are the same. */
#include "base/compat.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "os/memory.h"
#include "target/pattern.h"
#include "target/target.h"

#define POOL_PAGES 16u
#define PAGE_BYTES 4096u
#define PAGE_WORDS (PAGE_BYTES / sizeof(uint64_t))
#define KEY_BYTES  16u
#define STEP_WORDS 4u /* a multiple of the key's, enough for vector registers */
#define STEP_BYTES (STEP_WORDS * sizeof(uint64_t))

static const uint64_t generation_mask[TARGET_GENERATIONS] = {
    0, UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_MAX};

/* Said outright, because what compilers make of an array of words can be ten times slower. */
typedef uint64_t key_vector __attribute__((vector_size(KEY_BYTES)));

/* Data are the same on machines of either byte order. */
static inline uint64_t little_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* The part of a range that lies in one page: byte i is from[i] ^ key[i % 16]. */
struct piece {
    const unsigned char *from;
    uint64_t key[2]; /* as bytes in memory */
    size_t size_bytes;
};

int pattern_start(struct pattern *pattern, uint64_t seed, struct error *err)
{
    unsigned char *pool = mem_buffer(POOL_PAGES * PAGE_BYTES, PAGE_BYTES, err);
    struct rng rng;

    *pattern = (struct pattern){.pool = pool};
    if (!pool)
        return -1;
    rng_seed(&rng, seed, UINT64_MAX);
    for (size_t i = 0; i < POOL_PAGES * PAGE_WORDS; i++) {
        const uint64_t word = little_endian(rng_next(&rng));

        memcpy(pool + i * sizeof(word), &word, sizeof(word));
    }
    for (int i = 0; i < 2; i++)
        pattern->stream[i] = rng_next(&rng);
    return 0;
}

void pattern_end(struct pattern *pattern)
{
    mem_buffer_free(pattern->pool);
    *pattern = (struct pattern){0};
}

static uint64_t mix(uint64_t x)
{
    return rng_splitmix(&x);
}

/* The piece at an offset, at most left_bytes long.  The two halves of the key step through pages in
 * strides that differ from file to file: no run of pages of one file has the keys of another. */
static struct piece piece_at(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                             size_t left_bytes, uint32_t generation)
{
    const uint64_t page = offset_bytes / PAGE_BYTES, a = mix(pattern->stream[0] + file),
                   b = mix(pattern->stream[1] + file);
    const size_t in_page = (size_t)(offset_bytes % PAGE_BYTES), rest = PAGE_BYTES - in_page;
    const uint64_t mask = generation < TARGET_GENERATIONS ? generation_mask[generation] : 0;
    const uint64_t even = little_endian(mix(a + page * (b | 1)) ^ mask),
                   odd = little_endian(mix(b + page * (a | 1)) ^ mask);
    const uint64_t twice[4] = {even, odd, even, odd};
    struct piece piece = {.from = pattern->pool + page % POOL_PAGES * PAGE_BYTES + in_page,
                          .size_bytes = left_bytes < rest ? left_bytes : rest};

    memcpy(piece.key, (const char *)twice + in_page % KEY_BYTES, KEY_BYTES);
    return piece;
}

static inline void load(uint64_t *words, const unsigned char *from)
{
    memcpy(words, from, STEP_BYTES);
}

static inline unsigned char byte_of(const struct piece *piece, size_t i)
{
    return piece->from[i] ^ ((const unsigned char *)piece->key)[i % KEY_BYTES];
}

static void make_piece(const struct piece *piece, unsigned char *out)
{
    const key_vector key = {piece->key[0], piece->key[1]};
    const unsigned char *from = piece->from;
    size_t i = 0;

    for (; i + STEP_BYTES <= piece->size_bytes; i += STEP_BYTES) {
        key_vector low, high;

        memcpy(&low, from + i, KEY_BYTES);
        memcpy(&high, from + i + KEY_BYTES, KEY_BYTES);
        low ^= key;
        high ^= key;
        memcpy(out + i, &low, KEY_BYTES);
        memcpy(out + i + KEY_BYTES, &high, KEY_BYTES);
    }
    for (; i < piece->size_bytes; i++)
        out[i] = byte_of(piece, i);
}

/* Not 0 when the difference to what is expected is a fault in one of the bytes. */
static inline uint64_t fault(uint64_t difference, bool any)
{
    return any ? (difference ^ difference >> 2) & UINT64_C(0x3f3f3f3f3f3f3f3f) : difference;
}

static inline size_t check_piece(const struct piece *piece, const unsigned char *found, bool any)
{
    const uint64_t even = piece->key[0], odd = piece->key[1];
    const unsigned char *from = piece->from;
    size_t i = 0;

    for (; i + STEP_BYTES <= piece->size_bytes; i += STEP_BYTES) {
        uint64_t want[STEP_WORDS], have[STEP_WORDS];

        load(want, from + i);
        load(have, found + i);
        if ((fault(want[0] ^ have[0] ^ even, any) | fault(want[1] ^ have[1] ^ odd, any) |
             fault(want[2] ^ have[2] ^ even, any) | fault(want[3] ^ have[3] ^ odd, any)) != 0)
            break;
    }
    while (i < piece->size_bytes && fault(byte_of(piece, i) ^ found[i], any) == 0)
        i++;
    return i;
}

void pattern_make(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                  size_t size_bytes, uint32_t generation, void *buffer)
{
    unsigned char *out = buffer;

    while (size_bytes > 0) {
        const struct piece piece = piece_at(pattern, file, offset_bytes, size_bytes, generation);

        make_piece(&piece, out);
        out += piece.size_bytes;
        offset_bytes += piece.size_bytes;
        size_bytes -= piece.size_bytes;
    }
}

size_t pattern_check(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                     size_t size_bytes, uint32_t generation, const void *buffer)
{
    const bool any = generation == TARGET_ANY_GENERATION;
    const unsigned char *found = buffer;
    size_t done = 0;

    while (done < size_bytes) {
        const struct piece piece =
            piece_at(pattern, file, offset_bytes + done, size_bytes - done, generation);
        const size_t right = any ? check_piece(&piece, found + done, true)
                                 : check_piece(&piece, found + done, false);

        done += right;
        if (right < piece.size_bytes)
            break;
    }
    return done;
}

bool pattern_agrees(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                    uint64_t size_bytes, uint32_t generation, const void *buffer,
                    struct target_mismatch *mismatch)
{
    const size_t right =
        pattern_check(pattern, file, offset_bytes, (size_t)size_bytes, generation, buffer);
    const uint64_t left = size_bytes - right;

    if (left == 0)
        return true;
    *mismatch = (struct target_mismatch){.offset_bytes = offset_bytes + right,
                                         .shown = left < TARGET_SHOWN_BYTES ? (uint32_t)left
                                                                            : TARGET_SHOWN_BYTES};
    pattern_make(pattern, file, mismatch->offset_bytes, mismatch->shown,
                 generation == TARGET_ANY_GENERATION ? 0 : generation, mismatch->expected);
    memcpy(mismatch->found, (const char *)buffer + right, mismatch->shown);
    return false;
}

uint64_t pattern_seed(uint64_t seed, const char *place)
{
    uint64_t state = seed;

    for (const char *c = place; *c != '\0'; c++) {
        state ^= (unsigned char)*c;
        state = rng_splitmix(&state);
    }
    return state;
}
