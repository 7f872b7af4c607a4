/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* How much of the test files is filled on storage of a known speed, and in which steps. */
#include "base/compat.h"

#include "storage/file/fill_pace.h"
#include "unit/cmocka_all.h"

#define MS  UINT64_C(1000000)
#define KI  UINT64_C(1024)
#define MI  (KI << 10)
#define GBS 1.0    /* ns per byte */
#define MBS 1000.0 /* likewise */

struct storage {
    uint64_t now_ns, flush_ns, longest_ns;
    double byte_ns;
    unsigned flushes;
};

static void flush(struct storage *storage, struct fill_pace *pace)
{
    const uint64_t ns = storage->flush_ns + (uint64_t)((double)pace->open_bytes * storage->byte_ns);

    storage->now_ns += ns;
    storage->longest_ns = ns > storage->longest_ns ? ns : storage->longest_ns;
    storage->flushes++;
    fill_pace_stepped(pace, storage->now_ns);
}

/* Fills a file in writes of at most 1 MiB. Returns its final length. */
static uint64_t fill(struct storage *storage, struct fill_pace *pace, uint64_t file_bytes)
{
    uint64_t done_bytes = 0;

    while (done_bytes < file_bytes) {
        uint64_t bytes = pace->step_bytes < MI ? pace->step_bytes : MI, next_bytes;
        if (bytes > file_bytes - done_bytes)
            bytes = file_bytes - done_bytes;
        done_bytes += bytes;
        if (!fill_pace_wrote(pace, bytes))
            continue;
        flush(storage, pace);
        next_bytes = file_bytes - done_bytes;
        if (next_bytes > pace->step_bytes)
            next_bytes = pace->step_bytes;
        if (!fill_pace_fits_half(pace, next_bytes, storage->now_ns))
            break;
    }
    return done_bytes;
}

/* Fast storage fills the whole file, slow storage as much as half of the limit allows. */
static void test_first_file(void **state)
{
    static const struct {
        double byte_ns;
        uint64_t flush_ns, bytes;
    } cases[] = {
        {GBS, 0, 4 * MI},
        {10 * GBS, 30 * MS, 4 * MI},     /* a hard disk, and its cost of a flush */
        {MBS / 5, 0, 320 * KI + 3 * MI}, /* 5 MB/s */
        {MBS, 0, 576 * KI},              /* 1 MB/s: no whole MiB in half a second */
        {10 * MBS, 0, 64 * KI},          /* 100 kB/s: the minimum */
        {20 * GBS, 400 * MS, 64 * KI},   /* slow flushes */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct storage storage = {
            .now_ns = 7, .flush_ns = cases[i].flush_ns, .byte_ns = cases[i].byte_ns};
        struct fill_pace pace;

        fill_pace_begin(&pace, 1400 * MS, storage.now_ns);
        assert_int_equal(fill(&storage, &pace, 4 * MI), cases[i].bytes);
        assert_true(storage.now_ns < 1400 * MS);
    }
}

/* Further files use the whole limit, including data not yet on the storage. */
static void test_more_files(void **state)
{
    struct storage storage = {.byte_ns = MBS / 20}; /* 4 MiB: 210 ms */
    struct fill_pace pace;
    unsigned files = 1;
    (void)state;
    fill_pace_begin(&pace, 1400 * MS, storage.now_ns);
    assert_int_equal(fill(&storage, &pace, 4 * MI), 4 * MI);
    for (; fill_pace_fits(&pace, 4 * MI, storage.now_ns); files++) {
        uint64_t bytes = 0;
        for (; bytes < 4 * MI; bytes += MI)
            if (fill_pace_wrote(&pace, MI))
                flush(&storage, &pace);
    }
    assert_int_equal(files, 6);
    flush(&storage, &pace);
    assert_true(storage.now_ns < 1400 * MS);
}

/* One file is enough where opening or writing one is slow; never without a limit. */
static void test_one_file(void **state)
{
    struct fill_pace pace;
    (void)state;
    fill_pace_begin(&pace, 1200 * MS, 5);
    assert_false(fill_pace_one_file(&pace, 10 * MS, 5 + 200 * MS));
    assert_true(fill_pace_one_file(&pace, 10 * MS, 5 + 301 * MS));
    assert_true(fill_pace_one_file(&pace, 41 * MS, 5 + 200 * MS));
    fill_pace_begin(&pace, 0, 5);
    assert_false(fill_pace_one_file(&pace, 1000 * MS, 5 + 5000 * MS));
}

/* Without a limit everything is filled, in steps that are long on fast storage and bounded on slow
 * storage, since a signal has to wait for a step. */
static void test_steps(void **state)
{
    struct storage fast = {.byte_ns = GBS, .flush_ns = 5 * MS};
    struct storage slow = {.byte_ns = MBS};
    struct fill_pace pace;
    (void)state;
    fill_pace_begin(&pace, 0, 0);
    assert_int_equal(fill(&fast, &pace, 256 * MI), 256 * MI);
    assert_true(fast.flushes <= 8);
    fill_pace_begin(&pace, 0, 0);
    assert_int_equal(fill(&slow, &pace, 64 * MI), 64 * MI);
    assert_true(slow.longest_ns <= 300 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_file),
        cmocka_unit_test(test_more_files),
        cmocka_unit_test(test_one_file),
        cmocka_unit_test(test_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
