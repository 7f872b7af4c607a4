/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cmocka_all.h - cmocka and what it wants included before itself. */
#ifndef TESTS_CMOCKA_ALL_H
#define TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Ends a test that cannot be carried out here, and says why, for the summary of a run. */
#define skip_because(why)           \
    do {                            \
        print_message("%s\n", why); \
        skip();                     \
    } while (0)

#endif
