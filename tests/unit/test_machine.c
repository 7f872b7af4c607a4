/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_machine.c - judgements from facts about a machine. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "report/facts/busy.h"

static void guests(void **state)
{
    (void)state;
    assert_true(machine_is_guest("kvm"));
    assert_true(machine_is_guest("docker container in kvm"));
    assert_false(machine_is_guest(""));
    assert_false(machine_is_guest("none"));
    assert_false(machine_is_guest("docker container"));
}

static void tasks_of_a_row(void **state)
{
    (void)state;
    assert_int_equal(machine_tasks(4, 0, false), 4);
    assert_int_equal(machine_tasks(4, 0, true), 6);
    assert_int_equal(machine_tasks(4, 8, false), 36);
    assert_int_equal(machine_tasks(UINT64_MAX, UINT64_MAX, true), 1000000);
}

static void others_keep_it_busy(void **state)
{
    (void)state;
    assert_true(machine_is_busy(1.7, 2, 1));
    assert_false(machine_is_busy(1.5, 2, 0)); /* some processors are free */
    assert_false(machine_is_busy(8.4, 2, 8)); /* its own load */
    assert_true(machine_is_busy(8.6, 2, 8));
    assert_false(machine_is_busy(-1, 2, 0));
    assert_false(machine_is_busy(99, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guests),
        cmocka_unit_test(tasks_of_a_row),
        cmocka_unit_test(others_keep_it_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
