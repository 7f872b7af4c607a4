/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The reference cycle measured alongside rows: its files, its result without a file, and its
 * figures in rows. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "run/reference.h"

static void a_cycle_takes_time(void **state)
{
    struct reference reference;
    reference_open(&reference);
    if (reference.fd < 0)
        skip_because("there is no memory to measure a cycle in: neither memfd nor /proc");
    assert_true(reference_measure(&reference, &clock_monotonic, 1000) > 0);
    reference_close(&reference);
    assert_int_equal(reference.fd, -1);
    assert_true(reference_measure(&reference, &clock_monotonic, 1000) < 0);
}

/* No descriptor is leaked, however often it is measured. */
static void nothing_stays_open(void **state)
{
    struct reference reference;
    int before, after;
    before = open("/dev/null", O_RDONLY);
    close(before);
    reference_open(&reference);
    for (int i = 0; i < 100; i++)
        (void)reference_measure(&reference, &clock_monotonic, 0);
    reference_close(&reference);
    after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(after, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_takes_time),
        cmocka_unit_test(nothing_stays_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
