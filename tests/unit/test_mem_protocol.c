/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Parsing of mem: options and names: lists of scheduled failures, and prefixes. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>

#include "storage/object/mem/protocol.h"

static void places_are_prefixes_without_their_end(void **state)
{
    const struct object_service service = {.root = "mem:", .protocol = &mem_protocol};
    char *place = object_place(&service, "iosweep-run/", true);
    char *whole = object_place(&service, "", true);
    char code[8] = "old";

    assert_string_equal(place, "mem:iosweep-run");
    assert_string_equal(whole, "mem:");
    assert_int_equal(mem_protocol.failures(NULL, code, sizeof(code)), 0);
    assert_string_equal(code, "");
    free(place);
    free(whole);
}

static void faults_are_read(void **state)
{
    static const char *const wrong[] = {"",        "slow-down",   "slow-down:",      "slow-down:0",
                                        "slow:3",  "lost@putt:3", "lost@put",        "lost:3,",
                                        ",lost:3", "lost:3x",     "lost:99999999999"};
    struct mem_faults faults = {0};
    uint64_t seen[MEM_FAULTS_MAX] = {0};
    struct error err = ERROR_INIT;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        err = ERROR_INIT;
        if (mem_faults_parse(wrong[i], &faults, &err) != -1)
            fail_msg("\"%s\" is taken", wrong[i]);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_int_equal(faults.count, 0);
    }
    assert_int_equal(mem_faults_parse("slow-down:3,lost@delete-many:2", &faults, &err), 0);
    assert_int_equal(mem_faults_next(&faults, OBJECT_DELETE_MANY, seen), MEM_FAULT_NONE);
    assert_int_equal(mem_faults_next(&faults, OBJECT_DELETE_MANY, seen), MEM_FAULT_LOST);
    assert_int_equal(mem_faults_next(&faults, OBJECT_GET, seen), MEM_FAULT_SLOW_DOWN);
    assert_int_equal(mem_faults_next(&faults, OBJECT_GET, seen), MEM_FAULT_NONE);
    assert_int_equal(mem_faults_parse("wrong@copy:1", &faults, &err), 0);
    assert_int_equal(mem_faults_next(&faults, OBJECT_COPY, seen), MEM_FAULT_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_prefixes_without_their_end),
        cmocka_unit_test(faults_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
