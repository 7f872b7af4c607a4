/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Data of measured writes: no block occurs twice, for any sizes and number of threads, nor does any
 * equal the initial content of test files. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "os/memory.h"
#include "run/payload.h"

#define BLOCK  4096u
#define BLOCKS 30000u

static uint64_t words[BLOCKS]; /* the first eight bytes of each block */
static size_t word_count;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void note_blocks(const char *buffer, size_t size_bytes)
{
    for (size_t at = 0; at + sizeof(*words) <= size_bytes; at += BLOCK) {
        assert_true(word_count < BLOCKS);
        memcpy(&words[word_count++], buffer + at, sizeof(*words));
    }
}

static size_t distinct(void)
{
    size_t n = word_count > 0;
    qsort(words, word_count, sizeof(*words), compare);
    for (size_t i = 1; i < word_count; i++)
        n += words[i] != words[i - 1];
    return n;
}

static void no_block_comes_twice(void **state)
{
    static const size_t sizes[] = {8, 512, 4096, 6000, 65536, 1 << 20};
    struct error err = ERROR_INIT;
    struct pattern written, filled;
    char *buffer = mem_buffer(1 << 20, BLOCK, &err);
    assert_non_null(buffer);
    assert_int_equal(payload_start(&written, 5, &err), 0);
    assert_int_equal(pattern_start(&filled, 5, &err), 0);
    word_count = 0;
    for (unsigned thread = 0; thread < 4; thread++) {
        struct payload payload = {.pattern = &written, .thread = thread};
        for (unsigned round = 0; round < 15; round++)
            for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
                payload_make(&payload, buffer, sizes[s]);
                note_blocks(buffer, sizes[s]);
            }
    }
    for (unsigned file = 0; file < 4; file++) {
        pattern_make(&filled, file, 0, 1 << 20, 0, buffer);
        note_blocks(buffer, 1 << 20);
    }
    assert_int_equal(distinct(), word_count);
    pattern_end(&written);
    pattern_end(&filled);
    mem_buffer_free(buffer);
}

static void repeat_is_one_block_for_all_threads(void **state)
{
    struct error err = ERROR_INIT;
    struct pattern pattern;
    static char first[BLOCK], other[3 * BLOCK + 100];
    assert_int_equal(payload_start(&pattern, 5, &err), 0);
    for (unsigned thread = 0; thread < 3; thread++) {
        struct payload payload = {.pattern = &pattern, .thread = thread, .kind = PAYLOAD_REPEAT};
        if (thread == 0)
            payload_make(&payload, first, sizeof(first));
        payload_make(&payload, other, sizeof(other));
        for (unsigned block = 0; block < 3; block++)
            assert_memory_equal(other + block * BLOCK, first, BLOCK);
        assert_memory_equal(other + 3 * BLOCK, first, 100);
    }
    pattern_end(&pattern);
}

static void zero_is_zero(void **state)
{
    static const char zeros[1000];
    static char buffer[1000];
    struct payload payload = {.kind = PAYLOAD_ZERO};
    memset(buffer, 'x', sizeof(buffer));
    payload_make(&payload, buffer, sizeof(buffer));
    assert_memory_equal(buffer, zeros, sizeof(zeros));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_block_comes_twice),
        cmocka_unit_test(repeat_is_one_block_for_all_threads),
        cmocka_unit_test(zero_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
