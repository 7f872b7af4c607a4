/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cmocka_all.h - cmocka and the headers it requires to be included first. */
#ifndef TESTS_CMOCKA_ALL_H
#define TESTS_CMOCKA_ALL_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test has a state, and a hook parameters, whether it needs them or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Fails unless least <= value <= most, compared as unsigned. cmocka renamed this macro in version
 * 2. */
#define assert_within(value, least, most)                                                 \
    do {                                                                                  \
        const uintmax_t within_value = (uintmax_t)(value);                                \
        const uintmax_t within_least = (uintmax_t)(least);                                \
        const uintmax_t within_most = (uintmax_t)(most);                                  \
        if (within_value < within_least || within_value > within_most)                    \
            fail_msg("%s is %" PRIuMAX ", not within %" PRIuMAX " and %" PRIuMAX, #value, \
                     within_value, within_least, within_most);                            \
    } while (0)

/* Skips a test that is impossible here, and prints the reason for the summary of a run. */
#define skip_because(why)           \
    do {                            \
        print_message("%s\n", why); \
        skip();                     \
    } while (0)

#endif
