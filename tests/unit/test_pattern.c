/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_pattern.c - the data of test files: the same bytes for ever, whatever range is asked for,
 * and no fault in them that goes unseen. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "target/pattern.h"
#include "target/target.h"

#define ANY TARGET_ANY_GENERATION

static struct pattern start(uint64_t seed)
{
    struct pattern pattern;
    struct error err = ERROR_INIT;

    assert_int_equal(pattern_start(&pattern, seed, &err), 0);
    return pattern;
}

/* ---- the same for ever ---- */

/* Computed by another program, in another language.  Whoever changes them makes all test files that
 * users have kept unverifiable, and needs a new version of the manifest. */
static void test_golden_bytes(void **state)
{
    static const struct {
        uint64_t seed, file, offset_bytes;
        uint32_t generation;
        uint8_t bytes[8];
    } rows[] = {
        {0, 0, 0, 0, {0x73, 0xee, 0xf4, 0x46, 0x28, 0x42, 0xa8, 0x77}},
        {1, 0, 0, 0, {0x9a, 0x64, 0xee, 0x41, 0xb1, 0xa5, 0x3f, 0x57}},
        {1, 0, 0, 3, {0x65, 0x9b, 0x11, 0xbe, 0x4e, 0x5a, 0xc0, 0xa8}},
        {1, 0, 65536, 0, {0x21, 0x4d, 0xc4, 0xd7, 0x32, 0x3e, 0x05, 0x21}},
        {1, 1, 0, 0, {0x71, 0x06, 0xed, 0x1e, 0xb1, 0x22, 0xe0, 0x81}},
        {1, 2, 4093, 1, {0xfb, 0x85, 0xf2, 0xd1, 0x63, 0xbc, 0x1f, 0x00}},
        {42, 63, (4u << 20) - 8, 2, {0x7c, 0xfd, 0x7d, 0x0f, 0x11, 0x6a, 0xe7, 0x01}},
        {UINT64_MAX,
         999999,
         (UINT64_C(1) << 40) + 7,
         0,
         {0x37, 0xec, 0xfc, 0x19, 0xcf, 0xa0, 0xe1, 0x90}},
        {7, 3, (UINT64_C(1) << 63) - 17, 0, {0x97, 0x31, 0x3a, 0xa1, 0xb5, 0x3c, 0x26, 0x97}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pattern pattern = start(rows[i].seed);
        uint8_t bytes[8];

        pattern_make(&pattern, rows[i].file, rows[i].offset_bytes, sizeof(bytes),
                     rows[i].generation, bytes);
        assert_memory_equal(bytes, rows[i].bytes, sizeof(bytes));
        pattern_end(&pattern);
    }
}

static uint64_t fnv(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void test_golden_ranges(void **state)
{
    static const struct {
        uint64_t seed, file, offset_bytes;
        size_t size_bytes;
        uint32_t generation;
        uint64_t hash;
    } rows[] = {{1, 2, 0, 70000, 0, UINT64_C(0xbbd41b00fee8738)},
                {20, 5, 12345, 131072, 2, UINT64_C(0x2011354f16b3f2a2)}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pattern pattern = start(rows[i].seed);
        uint8_t *bytes = malloc(rows[i].size_bytes);

        assert_non_null(bytes);
        pattern_make(&pattern, rows[i].file, rows[i].offset_bytes, rows[i].size_bytes,
                     rows[i].generation, bytes);
        assert_true(fnv(bytes, rows[i].size_bytes) == rows[i].hash);
        free(bytes);
        pattern_end(&pattern);
    }
}

/* ---- any range ---- */

#define POOL_BYTES 65536u
#define PAGE       4096u

/* The same again, byte by byte. */
struct naive {
    uint8_t pool[POOL_BYTES];
    uint64_t stream[2];
};

static void naive_start(struct naive *naive, uint64_t seed)
{
    struct rng rng;

    rng_seed(&rng, seed, UINT64_MAX);
    for (unsigned i = 0; i < POOL_BYTES; i += 8) {
        uint64_t word = rng_next(&rng);

        for (unsigned k = 0; k < 8; k++)
            naive->pool[i + k] = (uint8_t)(word >> 8 * k);
    }
    naive->stream[0] = rng_next(&rng);
    naive->stream[1] = rng_next(&rng);
}

static uint64_t naive_mix(uint64_t x)
{
    return rng_splitmix(&x);
}

static uint8_t naive_byte(const struct naive *naive, uint64_t file, uint64_t offset_bytes,
                          uint32_t generation)
{
    static const uint8_t turned[] = {0x00, 0x55, 0xaa, 0xff};
    const uint64_t page = offset_bytes / PAGE;
    const uint64_t a = naive_mix(naive->stream[0] + file), b = naive_mix(naive->stream[1] + file);
    const uint64_t key =
        offset_bytes / 8 % 2 == 0 ? naive_mix(a + page * (b | 1)) : naive_mix(b + page * (a | 1));

    return (uint8_t)(naive->pool[offset_bytes % POOL_BYTES] ^ (key >> offset_bytes % 8 * 8) ^
                     turned[generation]);
}

static void test_every_range(void **state)
{
    static const uint64_t borders[] = {0,
                                       PAGE,
                                       3 * PAGE,
                                       POOL_BYTES,
                                       1u << 20,
                                       (UINT64_C(1) << 32) - PAGE,
                                       UINT64_C(1) << 32,
                                       UINT64_C(1) << 62};
    static struct naive naive;
    struct pattern pattern = start(5);
    uint8_t want[80], room[8 + 80 + 16];
    unsigned ranges = 0;

    (void)state;
    naive_start(&naive, 5);
    for (size_t i = 0; i < sizeof(borders) / sizeof(borders[0]); i++)
        for (unsigned k = borders[i] == 0 ? 40 : 0; k < 80; k++)
            for (uint32_t generation = 0; generation < TARGET_GENERATIONS; generation++) {
                const uint64_t offset_bytes = borders[i] + k - 40;

                for (unsigned at = 0; at < sizeof(want); at++)
                    want[at] = naive_byte(&naive, 9, offset_bytes + at, generation);
                for (size_t size_bytes = 0; size_bytes < sizeof(want); size_bytes++) {
                    uint8_t *out = room + (ranges++ % 8); /* any alignment */

                    memset(room, 0xee, sizeof(room));
                    pattern_make(&pattern, 9, offset_bytes, size_bytes, generation, out);
                    assert_memory_equal(out, want, size_bytes);
                    for (const uint8_t *p = room; p < out; p++)
                        assert_int_equal(*p, 0xee);
                    for (const uint8_t *p = out + size_bytes; p < room + sizeof(room); p++)
                        assert_int_equal(*p, 0xee);
                    assert_int_equal(
                        pattern_check(&pattern, 9, offset_bytes, size_bytes, generation, out),
                        size_bytes);
                }
            }
    pattern_end(&pattern);
}

/* Pieces of any size, in any order, make the same as all at once. */
static void test_pieces(void **state)
{
    enum { TOTAL = 300000 };
    struct pattern pattern = start(UINT64_MAX);
    uint8_t *whole = malloc(TOTAL), *pieces = malloc(TOTAL);
    struct rng rng;
    size_t at = TOTAL;

    (void)state;
    assert_non_null(whole);
    assert_non_null(pieces);
    rng_seed(&rng, 1, 1);
    pattern_make(&pattern, 1, 777, TOTAL, 1, whole);
    while (at > 0) { /* from the end to the beginning */
        size_t size_bytes = 1 + (size_t)rng_below(&rng, 9000);

        size_bytes = size_bytes < at ? size_bytes : at;
        at -= size_bytes;
        pattern_make(&pattern, 1, 777 + at, size_bytes, 1, pieces + at);
    }
    assert_memory_equal(whole, pieces, TOTAL);
    free(whole);
    free(pieces);
    pattern_end(&pattern);
}

/* ---- no fault unseen ---- */

static void test_generations(void **state)
{
    struct pattern pattern = start(3);
    uint8_t data[TARGET_GENERATIONS][5000], mixed[5000];
    struct rng rng;

    (void)state;
    rng_seed(&rng, 2, 2);
    for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
        pattern_make(&pattern, 4, 1001, sizeof(mixed), g, data[g]);
    for (uint32_t g = 0; g < TARGET_GENERATIONS; g++) {
        assert_int_equal(pattern_check(&pattern, 4, 1001, sizeof(mixed), ANY, data[g]),
                         sizeof(mixed));
        for (uint32_t h = 0; h < TARGET_GENERATIONS; h++) {
            assert_int_equal(pattern_check(&pattern, 4, 1001, sizeof(mixed), h, data[g]),
                             g == h ? sizeof(mixed) : 0);
            for (size_t i = 0; i < sizeof(mixed); i++)
                assert_true(g == h || data[g][i] != data[h][i]);
        }
    }
    for (size_t i = 0; i < sizeof(mixed); i++) /* after many writes that overlap */
        mixed[i] = data[rng_below(&rng, TARGET_GENERATIONS)][i];
    assert_int_equal(pattern_check(&pattern, 4, 1001, sizeof(mixed), ANY, mixed), sizeof(mixed));
    pattern_end(&pattern);
}

static void test_one_byte(void **state)
{
    struct pattern pattern = start(3);

    (void)state;
    for (uint64_t at = 4090; at < 4100; at++) {
        uint8_t right[TARGET_GENERATIONS];

        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
            pattern_make(&pattern, 0, at, 1, g, &right[g]);
        for (unsigned value = 0; value < 256; value++) {
            const uint8_t byte = (uint8_t)value;

            assert_int_equal(pattern_check(&pattern, 0, at, 1, ANY, &byte),
                             memchr(right, byte, sizeof(right)) != NULL);
            for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
                assert_int_equal(pattern_check(&pattern, 0, at, 1, g, &byte), right[g] == byte);
        }
    }
    pattern_end(&pattern);
}

/* A single bit, anywhere, in whatever generation. */
static void test_flipped_bits(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 8, 31, 32, 33, 77, 4096, 4200};
    struct pattern pattern = start(8);
    uint8_t data[4200];

    (void)state;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        const uint64_t offset_bytes = sizes[s] < 4096 ? 4090 : 8192;

        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++) {
            pattern_make(&pattern, 6, offset_bytes, sizes[s], g, data);
            for (size_t at = 0; at < sizes[s]; at++)
                for (unsigned bit = 0; bit < 8; bit++) {
                    data[at] ^= (uint8_t)(1u << bit);
                    assert_int_equal(pattern_check(&pattern, 6, offset_bytes, sizes[s], ANY, data),
                                     at);
                    assert_int_equal(pattern_check(&pattern, 6, offset_bytes, sizes[s], g, data),
                                     at);
                    data[at] ^= (uint8_t)(1u << bit);
                }
        }
    }
    pattern_end(&pattern);
}

/* The first of several faults is told, also when a later one comes in the same step. */
static void test_first_fault(void **state)
{
    struct pattern pattern = start(8);
    uint8_t data[100];

    (void)state;
    for (size_t first = 0; first < sizeof(data); first++)
        for (size_t last = first; last < sizeof(data); last++) {
            pattern_make(&pattern, 6, 50, sizeof(data), 1, data);
            data[first] ^= 0x10;
            data[last] ^= 0x04;
            assert_int_equal(pattern_check(&pattern, 6, 50, sizeof(data), ANY, data), first);
        }
    pattern_end(&pattern);
}

/* Good data of another place, of another file, of another run; data lost. */
static void test_misplaced(void **state)
{
    static const struct {
        const char *remark;
        uint64_t seed, file, offset_bytes;
    } rows[] = {
        {"next byte", 1, 0, 1},
        {"next word", 1, 0, 8},
        {"next two words", 1, 0, 16},
        {"next sector", 1, 0, 512},
        {"next page", 1, 0, PAGE},
        {"same page of the pool", 1, 0, POOL_BYTES},
        {"next block of filling", 1, 0, 1u << 20},
        {"far away", 1, 0, UINT64_C(1) << 40},
        {"next file", 1, 1, 0},
        {"file and offset exchanged", 1, PAGE, 0},
        {"next file, next page", 1, 1, PAGE},
        {"next run", 2, 0, 0},
    };
    struct pattern pattern = start(1);
    uint8_t data[PAGE] = {0};

    (void)state;
    assert_within(pattern_check(&pattern, 0, 0, sizeof(data), ANY, data), 0, 7); /* zeros */
    memset(data, 0xff, sizeof(data));
    assert_within(pattern_check(&pattern, 0, 0, sizeof(data), ANY, data), 0, 7);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pattern other = start(rows[i].seed);

        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++) {
            pattern_make(&other, rows[i].file, rows[i].offset_bytes, sizeof(data), g, data);
            print_message("%s\n", rows[i].remark);
            assert_within(pattern_check(&pattern, 0, 0, sizeof(data), ANY, data), 0, 7);
        }
        pattern_end(&other);
    }
    pattern_end(&pattern);
}

/* ---- nothing for a compressor or a deduplicator ---- */

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

static void test_unique(void **state)
{
    enum { FILES = 3, BYTES = 40 * 4096, TOTAL = FILES * (int)TARGET_GENERATIONS * BYTES };
    struct pattern pattern = start(0);
    uint8_t *data = malloc(TOTAL);
    uint64_t count[256] = {0};

    (void)state;
    assert_non_null(data);
    for (uint64_t f = 0; f < FILES; f++)
        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
            pattern_make(&pattern, f, 0, BYTES, g, data + (f * TARGET_GENERATIONS + g) * BYTES);
    for (size_t i = 0; i < TOTAL; i++)
        count[data[i]]++;
    for (unsigned byte = 0; byte < 256; byte++) /* 7680 expected, standard deviation 88 */
        assert_within(count[byte], 7100, 8260);
    qsort(data, TOTAL / sizeof(uint64_t), sizeof(uint64_t), compare_words);
    for (size_t i = sizeof(uint64_t); i < TOTAL; i += sizeof(uint64_t))
        assert_memory_not_equal(data + i, data + i - sizeof(uint64_t), sizeof(uint64_t));
    free(data);
    pattern_end(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bytes), cmocka_unit_test(test_golden_ranges),
        cmocka_unit_test(test_every_range),  cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_generations),  cmocka_unit_test(test_one_byte),
        cmocka_unit_test(test_flipped_bits), cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_misplaced),    cmocka_unit_test(test_unique),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
