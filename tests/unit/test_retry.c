/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Retries of failed requests: after how long, to the nanosecond. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "storage/object/client.h"

#define MS    UINT64_C(1000000)
#define S     UINT64_C(1000000000)
#define DRAWS 4000

/* Each pause is between `least` and 25 % more, and approaches both. */
static void between(uint64_t repetition, uint64_t asked_ns, uint64_t least_ns)
{
    uint64_t lowest = UINT64_MAX, highest = 0;
    struct rng rng;

    rng_seed(&rng, 7, repetition);
    for (unsigned i = 0; i < DRAWS; i++) {
        const uint64_t ns = object_pause_ns(repetition, asked_ns, &rng);

        lowest = ns < lowest ? ns : lowest;
        highest = ns > highest ? ns : highest;
    }
    assert_within(lowest, least_ns, least_ns + least_ns / 400);
    assert_within(highest, least_ns + least_ns / 4 - least_ns / 400, least_ns + least_ns / 4);
}

static void doubled_up_to_a_bound(void **state)
{
    static const uint64_t ms[] = {100, 200, 400, 800, 1600, 3200, 6400, 6400, 6400};

    for (uint64_t i = 0; i < sizeof(ms) / sizeof(*ms); i++)
        between(i + 1, 0, ms[i] * MS);
    between(100, 0, 6400 * MS);
    between(UINT64_MAX, 0, 6400 * MS);
}

static void as_long_as_asked_for(void **state)
{
    between(1, 99 * MS, 100 * MS);
    between(1, 101 * MS, 101 * MS);
    between(1, 3 * S, 3 * S);
    between(7, 3 * S, 6400 * MS);
    between(1, 20 * S, 20 * S);
    between(1, 20 * S + 1, 20 * S);
    between(9, 3600 * S, 20 * S);
    between(9, UINT64_MAX, 20 * S);
}

static void not_together(void **state)
{
    struct rng one, other;
    unsigned same = 0;

    rng_seed(&one, 7, 0);
    rng_seed(&other, 7, 1);
    for (unsigned i = 0; i < 100; i++)
        same += object_pause_ns(1, 0, &one) == object_pause_ns(1, 0, &other);
    assert_within(same, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubled_up_to_a_bound),
        cmocka_unit_test(as_long_as_asked_for),
        cmocka_unit_test(not_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
