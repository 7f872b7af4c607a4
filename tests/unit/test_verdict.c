/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* What a few rows come to in words. */
#include "base/compat.h"

#include <string.h>

#include "analysis/verdict.h"
#include "unit/cmocka_all.h"

#define KI UINT64_C(1024)

static struct verdict_row row(bool writes, enum verdict_path path, uint64_t size_bytes,
                              double latency_ns)
{
    return (struct verdict_row){.writes = writes,
                                .path = path,
                                .size_bytes = size_bytes,
                                .alone = true,
                                .p50_known = true,
                                .latency_ns = latency_ns,
                                .throughput_bytes_per_s = (double)size_bytes * 1e9 / latency_ns};
}

static struct verdict judge(enum verdict_kind kind, bool guest, const struct verdict_row *rows,
                            size_t count)
{
    const struct verdict_input input = {.target = "/srv",
                                        .kind = kind,
                                        .guest = guest,
                                        .made = true,
                                        .busy = {.cpus = 2, .threads = 1, .others = 0.02},
                                        .rows = rows,
                                        .count = count};
    struct verdict verdict;

    verdict_make(&input, &verdict);
    return verdict;
}

/* The kind is that of the small read on the device. */
static void test_kinds(void **state)
{
    static const struct {
        enum verdict_kind kind;
        bool guest;
        double latency_ns;
        const char *words;
    } cases[] = {
        {VERDICT_LOCAL, false, 5e3, "answers like memory, probably a cache below the file system"},
        {VERDICT_LOCAL, true, 5e3, "answers like memory, probably the cache of the host"},
        {VERDICT_LOCAL, false, 90e3, "/srv answers like an SSD: 4 KiB reads take 90.0 us (p50)."},
        {VERDICT_LOCAL, true, 90e3, "an SSD, or a disk behind the host's cache"},
        {VERDICT_LOCAL, false, 900e3, "a slow or busy SSD, or a disk array"},
        {VERDICT_LOCAL, true, 900e3, "a network volume, or a busy SSD"},
        {VERDICT_LOCAL, false, 8e6, "answers like a hard disk"},
        {VERDICT_LOCAL, false, 80e6, "is slow, even for a hard disk"},
        {VERDICT_LOCAL, false, 15e3, "answers like an SSD"}, /* a limit is of the slower ones */
        {VERDICT_LOCAL, false, 300e3, "a slow or busy SSD"},
        {VERDICT_LOCAL, false, 2e6, "answers like a hard disk"},
        {VERDICT_LOCAL, false, 40e6, "is slow, even for a hard disk"},
        {VERDICT_NETWORK, false, 300e3, "a file server on the local network"},
        {VERDICT_NETWORK, false, 2e6, "a file server with disks"},
        {VERDICT_NETWORK, false, 40e6, "is slow, even for a file server"},
        {VERDICT_OBJECTS, false, 15e3, "an object store nearby"},
        {VERDICT_OBJECTS, false, 2e6, "like an object store:"},
        {VERDICT_OBJECTS, false, 40e6, "an object store far away"},
        {VERDICT_NETWORK, false, 90e3, "a file server nearby, from its memory"},
        {VERDICT_NETWORK, false, 900e3, "a file server on the local network"},
        {VERDICT_NETWORK, false, 9e6, "a file server with disks, or one far away"},
        {VERDICT_NETWORK, false, 90e6, "is slow, even for a file server"},
        {VERDICT_OBJECTS, false, 300, "is memory, with no server behind it"},
        {VERDICT_OBJECTS, false, 1e6, "an object store nearby"},
        {VERDICT_OBJECTS, false, 9e6, "like an object store:"},
        {VERDICT_OBJECTS, false, 90e6, "an object store far away or short of time"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, cases[i].latency_ns)};
        const struct verdict verdict = judge(cases[i].kind, cases[i].guest, rows, 1);
        if (!strstr(verdict.what, cases[i].words))
            fail_msg("%s: not in: %s", cases[i].words, verdict.what);
    }
}

/* A disk that turns has not become an SSD because its own cache answers; what a virtual machine is
 * told of its disk says nothing. */
static void test_rotational(void **state)
{
    const struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 200e3)};
    struct verdict_input input = {.target = "/srv",
                                  .rotational = true,
                                  .made = true,
                                  .busy = BUSY_UNKNOWN,
                                  .rows = rows,
                                  .count = 1};
    struct verdict verdict;

    (void)state;
    verdict_make(&input, &verdict);
    assert_non_null(
        strstr(verdict.what, "/srv is a hard disk that answers from a cache of its own"));
    input.guest = true;
    input.target = ".";
    verdict_make(&input, &verdict);
    assert_string_equal(verdict.next, "iosweep .   (the whole curve, within a minute)");
    assert_non_null(strstr(
        verdict.what, "This directory answers like an SSD, or a disk behind the host's cache"));
}

/* The smallest rows nearest to 4 KiB give latency, the best one throughput; those with several
 * operations at a time only throughput. */
static void test_figures(void **state)
{
    struct verdict_row rows[] = {
        row(false, VERDICT_DEVICE, 512, 70e3),      row(false, VERDICT_DEVICE, 8 * KI, 80e3),
        row(false, VERDICT_DEVICE, 1024 * KI, 1e6), row(true, VERDICT_DEVICE, 4 * KI, 40e3),
        row(true, VERDICT_DEVICE, 64 * KI, 100e3),  row(false, VERDICT_DEVICE, 4 * KI, 900e3),
        row(false, VERDICT_OTHER, 4 * KI, 1e3),     row(false, VERDICT_MEMORY, 8 * KI, 2e3),
    };
    struct verdict verdict;

    (void)state;
    rows[1].p99_ns = 300e3;
    rows[5].alone = false;
    verdict = judge(VERDICT_LOCAL, false, rows, 8);
    assert_string_equal(verdict.what,
                        "/srv answers like an SSD: 8 KiB reads take 80.0 us "
                        "(p50; p99 300 us), 1 MiB reads reach 1.05 GB/s, 4 KiB writes "
                        "take 40.0 us (p50), 64 KiB writes reach 655 MB/s.");
    assert_string_equal(verdict.trust, "The page cache makes 8 KiB reads 40 times faster "
                                       "(2.00 us); the machine was quiet and the figures are "
                                       "steady.");
    assert_string_equal(verdict.next, "iosweep /srv   (the whole curve, within a minute)");
}

/* Large operations have no latency to judge by, and neither has what was not timed. */
static void test_small_rows(void **state)
{
    struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 16 * KI, 90e3)};

    (void)state;
    assert_non_null(
        strstr(judge(VERDICT_LOCAL, false, rows, 1).what, "SSD: 16 KiB reads take 90.0 us"));
    rows[0].size_bytes++;
    assert_string_equal(judge(VERDICT_LOCAL, false, rows, 1).what, "");
    rows[0] = row(false, VERDICT_DEVICE, 4 * KI, 90e3);
    rows[0].latency_ns = 0;
    assert_string_equal(judge(VERDICT_LOCAL, false, rows, 1).what, "");
}

/* A limit of operations per second lets a burst pass and then nothing. */
static void test_held_back(void **state)
{
    struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 60e3),
                                 row(true, VERDICT_DEVICE, 4 * KI, 30e3)};
    struct verdict verdict;

    (void)state;
    rows[0].rate_per_s = 97.1;
    rows[1].rate_per_s = 1e9 / 89e3; /* 2.97 times the median */
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_string_equal(verdict.what,
                        "/srv answers like an SSD: 4 KiB reads take 60.0 us (p50) but only "
                        "97.1 /s go through (a limit?), 4 KiB writes "
                        "take 30.0 us (p50).");
    rows[1].rate_per_s = 1e9 / 91e3;
    rows[0].rate_per_s = 0;
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_non_null(strstr(verdict.what,
                           "4 KiB reads take 60.0 us (p50), 4 KiB writes take 30.0 us (p50) but "
                           "only 11.0 k/s go through"));
}

/* A gain is one only of the same size, and only where there is one. */
static void test_cache(void **state)
{
    struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 20e3),
                                 row(false, VERDICT_MEMORY, 4 * KI, 5e3)};
    struct verdict verdict;

    (void)state;
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_non_null(strstr(verdict.trust, "4 KiB reads 4.0 times faster (5.00 us); the machine"));
    rows[1].latency_ns = 18e3;
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_non_null(strstr(verdict.trust, "The page cache makes 4 KiB reads no faster; the"));
    rows[1].size_bytes = 2 * KI;
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_string_equal(verdict.trust, "The machine was quiet and the figures are steady.");
}

static void test_trust(void **state)
{
    struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 20e3),
                                 row(false, VERDICT_DEVICE, 64 * KI, 90e3)};
    struct verdict_input input = {
        .target = "/srv", .made = false, .busy = BUSY_UNKNOWN, .rows = rows, .count = 2};
    struct verdict verdict;

    (void)state;
    rows[0].half_width = 0.11;
    verdict_make(&input, &verdict);
    assert_string_equal(
        verdict.trust,
        "1 of 2 figures varies by more than 10 %: measure longer before you quote it.");
    assert_string_equal(verdict.next, "iosweep -r /srv   (the whole curve, within a minute)");
    rows[1].half_width = 0.5;
    verdict_make(&input, &verdict);
    assert_string_equal(
        verdict.trust,
        "2 of 2 figures vary by more than 10 %: measure longer before you quote them.");
    input.busy = (struct busy_facts)BUSY_UNKNOWN;
    input.busy.cpus = 2;
    input.busy.load = 15.04;
    verdict_make(&input, &verdict);
    assert_string_equal(verdict.trust, "The machine was busy (load 15.0 on 2 processors): do not "
                                       "rely on these figures.");
    assert_string_equal(verdict.next,
                        "iosweep --quick -r /srv   (again, when the machine is idle)");
    input.busy.load_before = 15.5; /* that is noise */
    verdict_make(&input, &verdict);
    assert_non_null(strstr(verdict.trust, "The machine was busy"));
    input.busy.load_before = 16.4; /* something was built a moment ago, for example */
    verdict_make(&input, &verdict);
    assert_string_equal(verdict.trust, "The machine had just been busy (load 15.0 on 2 "
                                       "processors): repeat to be sure.");
}

/* On a set that a cache may hold nothing is called a device, and what lacked time is counted; both
 * are to be given more. */
static void test_cut_short(void **state)
{
    const struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 90e3)};
    struct verdict_input input = {.target = "/srv",
                                  .made = true,
                                  .busy = {.cpus = 2, .threads = 1, .others = 0.02},
                                  .rows = rows,
                                  .count = 1};
    struct verdict verdict;

    (void)state;
    input.reduced_bytes = verdict_reduced("wide;reduced:1048576/67108864;drift");
    verdict_make(&input, &verdict);
    assert_string_equal(verdict.what,
                        "/srv was measured on 1 MiB of test files only, which a cache of the "
                        "device may hold: 4 KiB reads take 90.0 us (p50).");
    assert_string_equal(verdict.trust, "The machine was quiet and the figures are steady.");
    assert_string_equal(verdict.next,
                        "iosweep --quick --max-time 2min /srv   (more time for slow storage)");
    input.reduced_bytes = verdict_reduced("reduced:50331648/67108864"); /* hardly smaller */
    input.cut = 3;
    input.all = 12;
    verdict_make(&input, &verdict);
    assert_non_null(strstr(verdict.what, "answers like an SSD"));
    assert_string_equal(verdict.trust, "Cut short: 3 of 12 rows had too little time.");
    assert_string_equal(verdict.next,
                        "iosweep --quick --max-time 2min /srv   (more time for slow storage)");
    input.cut = 0;
    verdict_make(&input, &verdict);
    assert_non_null(strstr(verdict.next, "the whole curve"));
    assert_int_equal(verdict_reduced(""), 0);
    assert_int_equal(verdict_reduced("partial:1/64"), 0);
    assert_int_equal(verdict_reduced("reduced:1"), 0);
}

/* Memory is said to be memory, and what was not measured is not judged. */
static void test_no_device(void **state)
{
    const struct verdict_row rows[] = {row(false, VERDICT_MEMORY, 4 * KI, 1e3),
                                       row(true, VERDICT_DEVICE, 4 * KI, 9e6)};
    const struct verdict_input null = {
        .target = "null:", .made = true, .busy = BUSY_UNKNOWN, .rows = rows, .count = 1};
    struct verdict verdict = judge(VERDICT_TMPFS, false, rows, 1);

    (void)state;
    assert_string_equal(
        verdict.what, "/srv is memory, with no device behind it: 4 KiB reads take 1.00 us (p50).");
    assert_non_null(strstr(verdict.next, "iosweep --quick DIR   (a directory on a disk)"));
    verdict = judge(VERDICT_LOCAL, false, rows, 2);
    assert_string_equal(verdict.what, "/srv: the device was not measured, these are page cache "
                                      "speeds.");
    assert_string_equal(verdict.next, "iosweep --cache uncached /srv   (without O_DIRECT)");
    verdict_make(&null, &verdict); /* whose name ends with a colon of its own */
    assert_string_equal(verdict.what,
                        "null: the device was not measured, these are page cache speeds.");
    verdict = judge(VERDICT_LOCAL, false, rows + 1, 1);
    assert_string_equal(verdict.what, "");
    assert_string_equal(verdict.trust, "");
    assert_string_equal(verdict.next, "");
    verdict = judge(VERDICT_LOCAL, false, NULL, 0);
    assert_string_equal(verdict.what, "");
}

/* What is to be typed can be: a name that a shell would take apart stands between quotes. */
static void test_names(void **state)
{
    static const char *const names[][2] = {
        {"/srv/My Disk", "iosweep '/srv/My Disk'   ("},
        {"a'b $(c)", "iosweep 'a'\\''b $(c)'   ("},
        {"s3://b/p-1_2.x", "iosweep s3://b/p-1_2.x   ("},
    };
    const struct verdict_row rows[] = {row(false, VERDICT_DEVICE, 4 * KI, 90e3)};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct verdict_input input = {
            .target = names[i][0], .made = true, .busy = BUSY_UNKNOWN, .rows = rows, .count = 1};
        struct verdict verdict;
        verdict_make(&input, &verdict);
        assert_memory_equal(verdict.next, names[i][1], strlen(names[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_rotational),
        cmocka_unit_test(test_figures),   cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_cache),     cmocka_unit_test(test_trust),
        cmocka_unit_test(test_no_device), cmocka_unit_test(test_names),
        cmocka_unit_test(test_cut_short), cmocka_unit_test(test_small_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
