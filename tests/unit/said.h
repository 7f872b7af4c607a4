/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.h - captures stderr between two calls, through a temporary file. */
#ifndef TESTS_UNIT_SAID_H
#define TESTS_UNIT_SAID_H

#include <stdio.h>
#include <unistd.h>

#include "unit/cmocka_all.h"

static FILE *said_file;
static int said_before;
static char said[65536];

static inline void said_begin(void)
{
    said_file = tmpfile();
    assert_non_null(said_file);
    fflush(stderr);
    said_before = dup(STDERR_FILENO);
    assert_true(said_before >= 0);
    assert_true(dup2(fileno(said_file), STDERR_FILENO) >= 0);
}

/* The text is valid until the next call. */
static inline const char *said_end(void)
{
    fflush(stderr);
    assert_true(dup2(said_before, STDERR_FILENO) >= 0);
    close(said_before);
    rewind(said_file);
    said[fread(said, 1, sizeof(said) - 1, said_file)] = '\0';
    fclose(said_file);
    return said;
}

#endif
