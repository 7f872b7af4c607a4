/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pattern.c - the data of test files.
 *
 * Generating every byte costs 0.07 s/GB, a fifth of the time of writing to memory.  So a pool
 * of 64 KiB is generated once, and each 4 KiB page of a file is one page of the pool, combined
 * (exclusive or) with its own 128-bit key: no two pages are alike, no page has an echo in another
 * one that a compressor or a deduplicator could find, and the cost is that of copying.
 *
 * The key is a hash of seed, file and page, so any range can be generated directly.  A generation
 * changes each byte of the key by one of four words of a code, chosen by another hash: the words
 * differ in at least four of their eight bits, two generations never agree in any byte, and no word
 * is 0x55, 0xaa or 0xff, so that inverted data belong to no generation. */
#include "base/compat.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "os/memory.h"
#include "storage/pattern.h"

#define POOL_PAGES 16u
#define PAGE_BYTES PATTERN_PAGE_BYTES
#define PAGE_WORDS (PAGE_BYTES / sizeof(uint64_t))
#define KEY_BYTES  16u
#define STEP_WORDS 4u /* a multiple of the key's words, enough for vector registers */
#define STEP_BYTES (STEP_WORDS * sizeof(uint64_t))
#define EACH_BYTE  UINT64_C(0x0101010101010101)
#define NONE       TARGET_GENERATIONS

/* Explicit, because compilers' code for an array of words can be ten times slower. */
typedef uint64_t key_vector __attribute__((vector_size(KEY_BYTES)));

/* Makes the data the same on machines of either byte order. */
static inline uint64_t little_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* The part of a range within one page: byte i is from[i] ^ key[i % 16]. */
struct piece {
    const unsigned char *from;
    uint64_t word[2]; /* the key of generation 0 ... */
    size_t turned;    /* ... starting with this byte of it */
    size_t size_bytes;
};

union key { /* as bytes in memory */
    uint64_t word[2];
    unsigned char byte[KEY_BYTES];
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

/* The piece at an offset, at most left_bytes long.  The halves of the key advance from page to page
 * by strides that differ between files: no run of pages of one file has the keys of another. */
static inline struct piece piece_at(const struct pattern *pattern, uint64_t file,
                                    uint64_t offset_bytes, size_t left_bytes)
{
    const uint64_t page = offset_bytes / PAGE_BYTES, a = mix(pattern->stream[0] + file),
                   b = mix(pattern->stream[1] + file);
    const size_t in_page = (size_t)(offset_bytes % PAGE_BYTES), rest = PAGE_BYTES - in_page;

    return (struct piece){.from = pattern->pool + page % POOL_PAGES * PAGE_BYTES + in_page,
                          .word = {mix(a + page * (b | 1)), mix(b + page * (a | 1))},
                          .turned = in_page % KEY_BYTES,
                          .size_bytes = left_bytes < rest ? left_bytes : rest};
}

/* The change of a word of the key by a generation: two bits of `draw` choose among the words of the
 * code, which are sums of 0x0f, 0x33, 0x55 and 0xff. */
static inline uint64_t change(uint64_t draw, uint32_t generation)
{
    const uint64_t one = draw & EACH_BYTE, other = draw >> 1 & EACH_BYTE;
    const uint64_t low = 0x0f * EACH_BYTE ^ one * 0x33 ^ other * 0x55;
    const uint64_t high = 0x33 * EACH_BYTE ^ one * 0x55 ^ other * 0xff;

    return (generation & 1 ? low : 0) ^ (generation & 2 ? high : 0);
}

static inline uint64_t draw_of(const struct piece *piece)
{
    return piece->word[0] ^ piece->word[1];
}

static inline union key key_of(const struct piece *piece, uint32_t generation)
{
    const uint64_t draw = draw_of(piece);
    uint64_t even = piece->word[0], odd = piece->word[1];
    union key key;

    if (generation > 0) {
        even ^= change(draw, generation);
        odd ^= change(draw >> 2, generation);
    }
    even = little_endian(even);
    odd = little_endian(odd);
    memcpy(key.byte, (const char *)(const uint64_t[]){even, odd, even, odd} + piece->turned,
           KEY_BYTES);
    return key;
}

static void make_piece(const struct piece *piece, const union key *bytes, unsigned char *out)
{
    const key_vector key = {bytes->word[0], bytes->word[1]};
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
        out[i] = from[i] ^ bytes->byte[i % KEY_BYTES];
}

void pattern_make(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                  size_t size_bytes, uint32_t generation, void *buffer)
{
    unsigned char *out = buffer;

    while (size_bytes > 0) {
        const struct piece piece = piece_at(pattern, file, offset_bytes, size_bytes);
        const union key key = key_of(&piece, generation);

        make_piece(&piece, &key, out);
        out += piece.size_bytes;
        offset_bytes += piece.size_bytes;
        size_bytes -= piece.size_bytes;
    }
}

/* ---- checking ---- */

void pattern_cuts_add(struct pattern_cuts *cuts, uint64_t align_bytes, uint64_t size_bytes)
{
    const uint64_t step = align_bytes < TARGET_TEAR_BYTES ? align_bytes : TARGET_TEAR_BYTES;

    for (uint64_t begin = 0; begin < TARGET_TEAR_BYTES; begin += step) {
        const uint64_t end = (begin + size_bytes) % TARGET_TEAR_BYTES;

        cuts->at[begin / 64] |= UINT64_C(1) << begin % 64;
        cuts->at[end / 64] |= UINT64_C(1) << end % 64;
    }
}

static bool is_cut(const struct pattern_cuts *cuts, uint64_t place)
{
    place %= TARGET_TEAR_BYTES;
    return !cuts || (cuts->at[place / 64] >> place % 64 & 1) != 0;
}

/* The end of the bytes from i on that have the generation of this key. */
static inline size_t same_until(const struct piece *piece, const union key *key,
                                const unsigned char *found, size_t i)
{
    const uint64_t even = key->word[0], odd = key->word[1];
    const unsigned char *from = piece->from;

    while (i < piece->size_bytes && i % KEY_BYTES != 0 &&
           (from[i] ^ key->byte[i % KEY_BYTES]) == found[i])
        i++;
    for (; i % KEY_BYTES == 0 && i + STEP_BYTES <= piece->size_bytes; i += STEP_BYTES) {
        uint64_t want[STEP_WORDS], have[STEP_WORDS];

        memcpy(want, from + i, STEP_BYTES);
        memcpy(have, found + i, STEP_BYTES);
        if (((want[0] ^ have[0] ^ even) | (want[1] ^ have[1] ^ odd) | (want[2] ^ have[2] ^ even) |
             (want[3] ^ have[3] ^ odd)) != 0)
            break;
    }
    while (i < piece->size_bytes && (from[i] ^ key->byte[i % KEY_BYTES]) == found[i])
        i++;
    return i;
}

/* The generation of a byte; NONE: none of those in `may`. */
static inline uint32_t generation_of(const struct piece *piece, unsigned may,
                                     const unsigned char *found, size_t i)
{
    const unsigned at = (unsigned)(piece->turned + i) % KEY_BYTES, half = at / 8, bit = at % 8 * 8;
    const uint64_t draw = draw_of(piece) >> 2 * half >> bit;
    const uint8_t differs = (uint8_t)(found[i] ^ piece->from[i] ^ piece->word[half] >> bit);

    for (uint32_t generation = 0; generation < TARGET_GENERATIONS; generation++)
        if (may >> generation & 1 && differs == (uint8_t)change(draw, generation))
            return generation;
    return NONE;
}

/* For a page with a wrong byte i: the generation of the next byte that has one. */
static uint32_t guess(const struct piece *piece, unsigned may, const unsigned char *found, size_t i)
{
    uint32_t generation = NONE;

    while (generation == NONE && ++i < piece->size_bytes)
        generation = generation_of(piece, may, found, i);
    return generation != NONE ? generation : (uint32_t)__builtin_ctz(may);
}

/* The number of correct bytes from the beginning; *generation: expected at the first wrong one. */
static size_t check_piece(const struct piece *piece, uint64_t place, unsigned may,
                          const struct pattern_cuts *cuts, const unsigned char *found,
                          uint32_t *generation, uint32_t *mixed)
{
    uint32_t before = NONE, now;
    size_t begin = 0;

    for (;;) {
        union key key;
        size_t end;

        now = generation_of(piece, may, found, begin);
        if (now == NONE) {
            *generation = before == NONE ? guess(piece, may, found, begin) : before;
            return begin;
        }
        *generation = now;
        key = key_of(piece, now);
        end = same_until(piece, &key, found, begin);
        if (end == piece->size_bytes)
            break;
        if (!is_cut(cuts, place + end)) {
            /* a byte amid another generation is wrong itself */
            if (before == NONE || generation_of(piece, may, found, end) != before)
                return end;
            *generation = before;
            return begin;
        }
        before = now;
        begin = end;
    }
    *mixed += begin > 0;
    return piece->size_bytes;
}

bool pattern_agrees(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                    uint64_t size_bytes, unsigned may, const struct pattern_cuts *cuts,
                    const void *buffer, struct target_mismatch *mismatch)
{
    const unsigned char *found = buffer;
    uint32_t generation = 0;
    uint64_t done = 0, left;

    *mismatch = (struct target_mismatch){0};
    while (done < size_bytes) {
        const struct piece piece =
            piece_at(pattern, file, offset_bytes + done, (size_t)(size_bytes - done));
        const size_t right = check_piece(&piece, offset_bytes + done, may, cuts, found + done,
                                         &generation, &mismatch->mixed);

        done += right;
        if (right < piece.size_bytes)
            break;
    }
    left = size_bytes - done;
    if (left == 0)
        return true;
    mismatch->offset_bytes = offset_bytes + done;
    mismatch->shown = left < TARGET_SHOWN_BYTES ? (uint8_t)left : TARGET_SHOWN_BYTES;
    pattern_make(pattern, file, mismatch->offset_bytes, mismatch->shown, generation,
                 mismatch->expected);
    memcpy(mismatch->found, found + done, mismatch->shown);
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

uint64_t pattern_new_file(uint64_t group, uint64_t number)
{
    return (mix(group) + number) | UINT64_C(1) << 63;
}

/* ---- traces: one byte per page; all objects have as many pages as the longest one ---- */

#define PAGES_MAX    (UINT64_C(1) << 24)
#define UNKNOWN_DATA 0x80u /* permanently */

struct target_trace {
    const uint64_t *length_bytes;
    uint64_t pages_each, objects;
    atomic_uchar may[];
};

struct pages {
    uint64_t first, end;
};

struct target_trace *trace_new(const uint64_t *length_bytes, uint32_t objects, bool filled)
{
    const uint64_t pages = objects > 0 ? (length_bytes[0] + PAGE_BYTES - 1) / PAGE_BYTES : 0;
    struct target_trace *trace;

    if (pages == 0 || objects > PAGES_MAX / pages)
        return NULL;
    trace = malloc(sizeof(*trace) + (size_t)(objects * pages));
    if (!trace)
        return NULL;
    trace->length_bytes = length_bytes;
    trace->pages_each = pages;
    trace->objects = objects;
    memset(trace->may, filled ? 1 : TARGET_ANY_GENERATION, (size_t)(objects * pages));
    return trace;
}

void trace_free(struct target_trace *trace)
{
    free(trace);
}

/* No pages for objects that operations create, which have no number among the objects. */
static struct pages pages_of(const struct target_trace *trace, uint64_t object,
                             uint64_t offset_bytes, uint64_t size_bytes)
{
    const uint64_t first = trace ? object * trace->pages_each : 0;

    if (!trace || object >= trace->objects || size_bytes == 0)
        return (struct pages){0, 0};
    return (struct pages){first + offset_bytes / PAGE_BYTES,
                          first + (offset_bytes + size_bytes - 1) / PAGE_BYTES + 1};
}

/* Whether the range includes all of a page, or all of it up to the end of its object. */
static bool covers(const struct target_trace *trace, uint64_t page, uint64_t object,
                   uint64_t offset_bytes, uint64_t size_bytes)
{
    const uint64_t begin = page % trace->pages_each * PAGE_BYTES, end = offset_bytes + size_bytes;

    return begin >= offset_bytes &&
           (begin + PAGE_BYTES <= end || end == trace->length_bytes[object]);
}

void trace_note(struct target_trace *trace, enum trace_event event, uint64_t object,
                uint64_t offset_bytes, uint64_t size_bytes, uint32_t generation)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, size_bytes);
    const unsigned char own = (unsigned char)(1u << generation);

    for (uint64_t page = pages.first; page < pages.end; page++) {
        if (event != TRACE_ENDS)
            atomic_fetch_or_explicit(&trace->may[page], event == TRACE_FAILS ? UNKNOWN_DATA : own,
                                     memory_order_relaxed);
        else if (covers(trace, page, object, offset_bytes, size_bytes))
            atomic_fetch_and_explicit(&trace->may[page], UNKNOWN_DATA | own, memory_order_relaxed);
    }
}

unsigned trace_may(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                   uint64_t *size_bytes)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, *size_bytes);
    uint64_t page = pages.first;
    unsigned may;

    if (pages.first == pages.end)
        return TARGET_ANY_GENERATION;
    may = atomic_load_explicit(&trace->may[page], memory_order_relaxed);
    while (++page < pages.end)
        if (atomic_load_explicit(&trace->may[page], memory_order_relaxed) != may) {
            *size_bytes = (page - pages.first) * PAGE_BYTES - offset_bytes % PAGE_BYTES;
            break;
        }
    return may & UNKNOWN_DATA ? TARGET_ANY_GENERATION : may;
}

uint32_t trace_other(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, size_bytes);
    unsigned may = 0;

    for (uint64_t page = pages.first; page < pages.end; page++) {
        if (!covers(trace, page, object, offset_bytes, size_bytes))
            return generation;
        may |= atomic_load_explicit(&trace->may[page], memory_order_relaxed);
    }
    for (uint32_t i = 0; i < TARGET_GENERATIONS - 1; i++) {
        const uint32_t other = 1 + (generation - 1 + i) % (TARGET_GENERATIONS - 1);

        if (!(may >> other & 1))
            return other;
    }
    return generation;
}
