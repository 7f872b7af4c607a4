/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_pattern.c - the data of test files: the same bytes for ever, for any range, and every error
 * in them is detected. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "storage/pattern.h"
#include "storage/storage.h"

#define ANY TARGET_ANY_GENERATION

/* No page is torn: each has one generation. */
static const struct pattern_cuts no_cuts;

static struct pattern start(uint64_t seed)
{
    struct pattern pattern;
    struct error err = ERROR_INIT;

    assert_int_equal(pattern_start(&pattern, seed, &err), 0);
    return pattern;
}

/* The number of correct bytes from the start. */
static size_t right_bytes(const struct pattern *pattern, uint64_t file, uint64_t offset_bytes,
                          size_t size_bytes, unsigned may, const struct pattern_cuts *cuts,
                          const void *data)
{
    struct target_mismatch mismatch;

    if (pattern_agrees(pattern, file, offset_bytes, size_bytes, may, cuts, data, &mismatch))
        return size_bytes;
    return (size_t)(mismatch.offset_bytes - offset_bytes);
}

/* ---- the same for ever ---- */

/* Computed by another program in another language. Changing them makes all test files that users
 * have kept unverifiable, and requires a new version of the manifest. */
static void test_golden_bytes(void **state)
{
    static const struct {
        uint64_t seed, file, offset_bytes;
        uint32_t generation;
        uint8_t bytes[8];
    } rows[] = {
        {0, 0, 0, 0, {0x73, 0xee, 0xf4, 0x46, 0x28, 0x42, 0xa8, 0x77}},
        {1, 0, 0, 0, {0x9a, 0x64, 0xee, 0x41, 0xb1, 0xa5, 0x3f, 0x57}},
        {1, 0, 0, 3, {0x0c, 0x94, 0x78, 0xb1, 0x41, 0x33, 0x03, 0xa7}},
        {1, 0, 65536, 0, {0x21, 0x4d, 0xc4, 0xd7, 0x32, 0x3e, 0x05, 0x21}},
        {1, 1, 0, 0, {0x71, 0x06, 0xed, 0x1e, 0xb1, 0x22, 0xe0, 0x81}},
        {1, 2, 4093, 1, {0xa1, 0xec, 0xce, 0xb8, 0x0a, 0x80, 0x10, 0x3c}},
        {42, 63, (4u << 20) - 8, 2, {0xb0, 0xce, 0x1b, 0x96, 0xdd, 0x59, 0x2b, 0x67}},
        {UINT64_MAX,
         999999,
         (UINT64_C(1) << 40) + 7,
         0,
         {0x37, 0xec, 0xfc, 0x19, 0xcf, 0xa0, 0xe1, 0x90}},
        {7, 3, (UINT64_C(1) << 63) - 17, 0, {0x97, 0x31, 0x3a, 0xa1, 0xb5, 0x3c, 0x26, 0x97}},
    };

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
                {20, 5, 12345, 131072, 2, UINT64_C(0x3fff053033639004)}};

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

/* An independent bytewise implementation. */
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
    static const uint8_t low[] = {0x0f, 0x3c, 0x5a, 0x69}, high[] = {0x33, 0x66, 0xcc, 0x99};
    const uint64_t page = offset_bytes / PAGE, half = offset_bytes / 8 % 2,
                   at = offset_bytes % 8 * 8;
    const uint64_t a = naive_mix(naive->stream[0] + file), b = naive_mix(naive->stream[1] + file);
    const uint64_t even = naive_mix(a + page * (b | 1)), odd = naive_mix(b + page * (a | 1));
    const uint64_t draw = (even ^ odd) >> (at + 2 * half) & 3;

    return (uint8_t)(naive->pool[offset_bytes % POOL_BYTES] ^ ((half ? odd : even) >> at) ^
                     (generation & 1 ? low[draw] : 0) ^ (generation & 2 ? high[draw] : 0));
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
                    assert_int_equal(right_bytes(&pattern, 9, offset_bytes, size_bytes,
                                                 1u << generation, &no_cuts, out),
                                     size_bytes);
                }
            }
    pattern_end(&pattern);
}

/* Pieces of any size, in any order, are equal to the whole. */
static void test_pieces(void **state)
{
    enum { TOTAL = 300000 };
    struct pattern pattern = start(UINT64_MAX);
    uint8_t *whole = malloc(TOTAL), *pieces = malloc(TOTAL);
    struct rng rng;
    size_t at = TOTAL;

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

/* ---- every error is detected ---- */

/* Two generations differ in each byte, in exactly four bits, which are not every other one. */
static void test_generations(void **state)
{
    struct pattern pattern = start(3);
    uint8_t data[TARGET_GENERATIONS][5000];

    for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
        pattern_make(&pattern, 4, 1001, sizeof(data[g]), g, data[g]);
    for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
        for (uint32_t h = 0; h < TARGET_GENERATIONS; h++) {
            assert_int_equal(
                right_bytes(&pattern, 4, 1001, sizeof(data[g]), 1u << h, NULL, data[g]),
                g == h ? sizeof(data[g]) : 0);
            for (size_t i = 0; i < sizeof(data[g]); i++) {
                const uint8_t differs = data[g][i] ^ data[h][i];

                assert_int_equal(__builtin_popcount(differs), g == h ? 0 : 4);
                assert_true(differs != 0x55 && differs != 0xaa);
            }
        }
    pattern_end(&pattern);
}

/* A file as left by writes: aligned, of one size, each of any generation, some torn where storage
 * tears. */
struct model {
    const char *remark;
    uint64_t align_bytes, size_bytes;
    bool bytewise; /* any byte may be a cut: a few of any value are undetectable */
    uint8_t data[16 * PAGE], generation[16 * PAGE];
    struct pattern_cuts cuts;
};

#define FILE_NUMBER 6

static void write_model(const struct pattern *pattern, struct model *model, struct rng *rng)
{
    const uint64_t room = sizeof(model->data) - model->size_bytes;
    const uint64_t at = rng_below(rng, room / model->align_bytes + 1) * model->align_bytes;
    const uint32_t generation = (uint32_t)rng_below(rng, TARGET_GENERATIONS);
    const uint64_t torn =
        (at + rng_below(rng, model->size_bytes)) / TARGET_TEAR_BYTES * TARGET_TEAR_BYTES;
    const uint64_t bytes = rng_below(rng, 4) > 0 ? model->size_bytes : torn > at ? torn - at : 0;

    pattern_make(pattern, FILE_NUMBER, at, (size_t)bytes, generation, model->data + at);
    memset(model->generation + at, (int)generation, (size_t)bytes);
}

static void make_model(const struct pattern *pattern, struct model *model, struct rng *rng)
{
    pattern_make(pattern, FILE_NUMBER, 0, sizeof(model->data), 0, model->data);
    pattern_cuts_add(&model->cuts, TARGET_TEAR_BYTES, 0);
    pattern_cuts_add(&model->cuts, model->align_bytes, model->size_bytes);
    for (uint64_t i = 0; i < 4 * sizeof(model->data) / model->size_bytes; i++)
        write_model(pattern, model, rng);
}

static uint64_t mixed_pages(const struct model *model, uint64_t at, uint64_t size_bytes)
{
    uint64_t pages = 0;

    for (uint64_t end = at + size_bytes; at < end; at = (at / PAGE + 1) * PAGE) {
        bool mixed = false;

        for (uint64_t i = at; i < end && i / PAGE == at / PAGE; i++)
            mixed = mixed || model->generation[i] != model->generation[at];
        pages += mixed;
    }
    return pages;
}

enum damage { BIT, INVERTED, EVERY_OTHER, SWAPPED, STALE, BYTE, SHIFTED, FOREIGN, ZEROS, DAMAGES };

/* Returns whether anything was changed. */
static bool damage(const struct pattern *pattern, const struct model *model, uint8_t *data,
                   enum damage kind, struct rng *rng)
{
    const uint64_t page = rng_below(rng, 15) * PAGE, at = rng_below(rng, sizeof(model->data));
    const uint64_t bytes = rng_below(rng, 2) ? PAGE : 1 + rng_below(rng, PAGE);
    struct pattern other = start(rng_next(rng));
    uint8_t old[PAGE];

    memcpy(old, data + page, sizeof(old));
    if (kind == BYTE)
        data[at] ^= (uint8_t)(1 + rng_below(rng, 255));
    else if (kind == BIT)
        data[at] ^= (uint8_t)(1u << rng_below(rng, 8));
    else if (kind == SWAPPED) {
        memcpy(data + page, data + page + PAGE, PAGE);
        memcpy(data + page + PAGE, old, PAGE);
    } else if (kind == SHIFTED)
        memmove(data + page, data + page + 1 + rng_below(rng, PAGE - 1), bytes);
    else if (kind == FOREIGN)
        pattern_make(rng_below(rng, 2) ? pattern : &other, 1 + rng_below(rng, 5), page,
                     (size_t)bytes, (uint32_t)rng_below(rng, TARGET_GENERATIONS), data + page);
    else if (kind == ZEROS)
        memset(data + page, 0, (size_t)bytes);
    else if (kind == STALE)
        pattern_make(pattern, FILE_NUMBER, page, (size_t)bytes,
                     (model->generation[page] + 1u + (uint32_t)rng_below(rng, 3)) %
                         TARGET_GENERATIONS,
                     data + page);
    for (uint64_t i = 0; (kind == INVERTED || kind == EVERY_OTHER) && i < bytes; i++)
        data[page + i] ^= kind == INVERTED ? 0xff : 0x55 << (page / PAGE & 1);
    pattern_end(&other);
    return memcmp(data, model->data, sizeof(model->data)) != 0;
}

/* Correct data are never reported as wrong, and counted where mixed; of 10000 random damages none
 * is missed. */
static void test_damages(void **state)
{
    static struct model models[] = {
        {"4 KiB", 4096, 4096, false, {0}, {0}, {{0}}},
        {"8 KiB, not aligned to pages", 512, 8192, false, {0}, {0}, {{0}}},
        {"512 B", 512, 512, false, {0}, {0}, {{0}}},
        {"4099 B", 4096, 4099, false, {0}, {0}, {{0}}},
        {"8 B", 8, 8, false, {0}, {0}, {{0}}},
        {"2 B", 2, 2, false, {0}, {0}, {{0}}},
        {"3 B, at any byte", 1, 3, true, {0}, {0}, {{0}}},
        {"100 B, at any byte", 1, 100, true, {0}, {0}, {{0}}},
    };
    static uint8_t data[sizeof(models[0].data)];
    struct pattern pattern = start(8);
    unsigned found = 0;
    struct rng rng;

    rng_seed(&rng, 1, 2);
    for (size_t m = 0; m < sizeof(models) / sizeof(models[0]); m++)
        make_model(&pattern, &models[m], &rng);
    while (found < 10000) {
        struct model *model = &models[rng_below(&rng, sizeof(models) / sizeof(models[0]))];
        const enum damage kind =
            (enum damage)rng_below(&rng, model->bytewise ? BYTE : (uint64_t)DAMAGES);
        const uint64_t at = rng_below(&rng, sizeof(data)),
                       bytes = 1 + rng_below(&rng, sizeof(data) - at);
        struct target_mismatch mismatch;
        unsigned may = ANY;

        write_model(&pattern, model, &rng);
        assert_true(pattern_agrees(&pattern, FILE_NUMBER, at, bytes, ANY,
                                   model->bytewise ? NULL : &model->cuts, model->data + at,
                                   &mismatch));
        assert_int_equal(mismatch.mixed, mixed_pages(model, at, bytes));
        if (kind == STALE) { /* outdated data */
            may = 1u << 2;
            pattern_make(&pattern, FILE_NUMBER, 0, sizeof(data), 2, model->data);
            memset(model->generation, 2, sizeof(data));
        }
        memcpy(data, model->data, sizeof(data));
        if (!damage(&pattern, model, data, kind, &rng))
            continue;
        if (pattern_agrees(&pattern, FILE_NUMBER, 0, sizeof(data), may,
                           model->bytewise ? NULL : &model->cuts, data, &mismatch))
            fail_msg("%s: damage %d is missed", model->remark, (int)kind);
        found++;
    }
    pattern_end(&pattern);
}

/* The position of the mismatch and the expected data: within a piece, at its first byte, and where
 * the wrong byte looks like one of another generation. */
static void test_place(void **state)
{
    struct pattern pattern = start(8);
    struct pattern_cuts cuts = {{0}};
    struct target_mismatch mismatch;
    uint8_t right[2 * PAGE], other[2 * PAGE], data[2 * PAGE];

    pattern_cuts_add(&cuts, TARGET_TEAR_BYTES, TARGET_TEAR_BYTES);
    pattern_make(&pattern, 6, 50, sizeof(right), 1, right);
    pattern_make(&pattern, 6, 50, sizeof(other), 2, other);
    for (size_t first = 0; first < sizeof(data) - 8; first += 1 + first % 7)
        for (int looks_right = 0; looks_right < 2; looks_right++) {
            /* where a cut right before it would be valid, or a page begins, the first byte that
             * differs from the piece's beginning is reported */
            if (looks_right && (first == 0 || (first + 50) % PAGE == 0))
                continue;
            memcpy(data, right, sizeof(data));
            data[first] = looks_right ? other[first] : data[first] ^ 1;
            data[first + 3] ^= 0x04;
            assert_int_equal(right_bytes(&pattern, 6, 50, sizeof(data), ANY, &cuts, data), first);
            (void)pattern_agrees(&pattern, 6, 50, sizeof(data), ANY, &cuts, data, &mismatch);
            assert_int_equal(mismatch.shown, 8);
            assert_memory_equal(mismatch.expected, right + first, 8);
            assert_memory_equal(mismatch.found, data + first, 8);
        }
    pattern_end(&pattern);
}

/* ---- incompressible, without duplicates ---- */

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

static void test_unique(void **state)
{
    enum { FILES = 2, BYTES = 513 * 4096, TOTAL = FILES * (int)TARGET_GENERATIONS * BYTES };
    struct pattern pattern = start(0);
    uint8_t *data = malloc(TOTAL);
    uint64_t count[256] = {0};

    assert_non_null(data);
    for (uint64_t f = 0; f < FILES; f++)
        for (uint32_t g = 0; g < TARGET_GENERATIONS; g++)
            pattern_make(&pattern, f, 0, BYTES, g, data + (f * TARGET_GENERATIONS + g) * BYTES);
    for (size_t i = 0; i < TOTAL; i++)
        count[data[i]]++;
    for (unsigned byte = 0; byte < 256; byte++) /* 65664 expected, standard deviation 256 */
        assert_within(count[byte], 63970, 67350);
    qsort(data, TOTAL / sizeof(uint64_t), sizeof(uint64_t), compare_words);
    for (size_t i = sizeof(uint64_t); i < TOTAL; i += sizeof(uint64_t))
        assert_memory_not_equal(data + i, data + i - sizeof(uint64_t), sizeof(uint64_t));
    free(data);
    pattern_end(&pattern);
}

/* ---- what a run records about its pages ---- */

static void test_trace(void **state)
{
    static const uint64_t lengths[] = {10000, 10000, 4099};
    struct target target = {.object_count = 3, .length_bytes = lengths};
    struct target_trace *trace = trace_new(target.length_bytes, target.object_count, true);
    uint64_t bytes = 10000;

    assert_int_equal(trace_may(trace, 1, 0, &bytes), 1); /* the initial content */
    assert_int_equal(bytes, 10000);
    trace_note(trace, TRACE_BEGINS, 1, 100, 9000, 2);
    assert_int_equal(trace_may(trace, 1, 5000, &bytes), 1 | 4);
    trace_note(trace, TRACE_ENDS, 1, 100, 9000, 2); /* covers the second page alone */
    bytes = 10000;
    assert_int_equal(trace_may(trace, 1, 10, &bytes), 1 | 4);
    assert_int_equal(bytes, 4086);
    bytes = 5904;
    assert_int_equal(trace_may(trace, 1, 4096, &bytes), 4);
    assert_int_equal(bytes, 4096);
    bytes = 1808;
    assert_int_equal(trace_may(trace, 1, 8192, &bytes), 1 | 4);
    trace_note(trace, TRACE_BEGINS, 2, 4096, 3, 3);
    trace_note(trace, TRACE_ENDS, 2, 4096, 3, 3); /* to the end of the object */
    bytes = 3;
    assert_int_equal(trace_may(trace, 2, 4096, &bytes), 8);
    trace_note(trace, TRACE_FAILS, 2, 4096, 3, 3);
    trace_note(trace, TRACE_BEGINS, 2, 0, 4099, 1);
    trace_note(trace, TRACE_ENDS, 2, 0, 4099, 1);
    assert_int_equal(trace_may(trace, 2, 4096, &bytes), ANY); /* permanently */
    assert_int_equal(trace_may(trace, 2, 0, &bytes), 2);
    assert_int_equal(trace_other(trace, 2, 0, 4096, 1), 2); /* generation 1 is there */
    assert_int_equal(trace_other(trace, 2, 0, 4096, 3), 3);
    assert_int_equal(trace_other(trace, 2, 0, 4099, 1), 2); /* no matter what failed */
    assert_int_equal(trace_other(trace, 1, 4096, 5904, 2), 3);
    assert_int_equal(trace_other(trace, 1, 4096, 5000, 2), 2); /* some of its last page stays */
    for (uint32_t g = 1; g < 4; g++)
        trace_note(trace, TRACE_BEGINS, 1, 4096, 4096, g);
    assert_int_equal(trace_other(trace, 1, 4096, 4096, 2), 2); /* all are there */
    assert_int_equal(trace_other(trace, 3, 0, 4096, 3), 3);
    assert_int_equal(trace_other(NULL, 1, 0, 4096, 3), 3);
    assert_int_equal(trace_may(trace, 0, 0, &bytes), 1); /* another object */
    trace_note(trace, TRACE_BEGINS, pattern_new_file(1, 1), 0, 4096,
               1); /* not an object of the target */
    assert_int_equal(trace_may(trace, pattern_new_file(1, 1), 0, &bytes), ANY);
    trace_free(trace);
    trace = trace_new(target.length_bytes, target.object_count, false);
    assert_int_equal(trace_may(trace, 1, 0, &bytes), ANY);
    trace_free(trace);
    target.object_count = UINT32_MAX; /* too large */
    assert_null(trace_new(target.length_bytes, target.object_count, true));
    assert_int_equal(trace_may(NULL, 1, 0, &bytes), ANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bytes), cmocka_unit_test(test_golden_ranges),
        cmocka_unit_test(test_every_range),  cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_generations),  cmocka_unit_test(test_damages),
        cmocka_unit_test(test_place),        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
