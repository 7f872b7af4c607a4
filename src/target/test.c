/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test.c - see test.h */
#include "base/compat.h"

#include "target/test.h"

#include <string.h>

#define DESCRIPTOR(word, name, plural, writes, moves, changes, needs) \
    [TEST_##word] = {name, plural, writes, moves, changes, TEST_NEEDS_##needs},
const struct test_descriptor test_table[TEST_COUNT] = {TEST_TABLE(DESCRIPTOR)};

#define NAME(word, name, ...) name,
const char *const test_names[TEST_COUNT + 1] = {TEST_TABLE(NAME) NULL};

const char *const cache_names[CACHE_COUNT + 1] = {
    [CACHE_CACHED] = "cached", [CACHE_ASIS] = "asis",     [CACHE_UNCACHED] = "uncached",
    [CACHE_DIRECT] = "direct", [CACHE_DEVICE] = "device",
};

const char *const access_names[ACCESS_COUNT + 1] = {
    [ACCESS_RANDOM] = "random",
    [ACCESS_SEQUENTIAL] = "sequential",
    [ACCESS_ONCE] = "once",
};

const char *const readahead_names[READAHEAD_COUNT + 1] = {
    [READAHEAD_NORMAL] = "normal",
    [READAHEAD_NONE] = "none",
    [READAHEAD_SEQUENTIAL] = "sequential",
    [READAHEAD_WILLNEED] = "willneed",
};

const char *const sync_names[SYNC_COUNT + 1] = {
    [SYNC_NONE] = "none",
    [SYNC_DATA] = "data",
    [SYNC_FULL] = "full",
    [SYNC_END] = "end",
};

int test_number(const char *text, size_t length)
{
    static const struct {
        const char *former;
        enum io_test test;
    } formers[] = {{"head", TEST_STAT}};

    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (strlen(test_names[test]) == length && memcmp(text, test_names[test], length) == 0)
            return (int)test;
    for (size_t i = 0; i < sizeof(formers) / sizeof(formers[0]); i++)
        if (strlen(formers[i].former) == length && memcmp(text, formers[i].former, length) == 0)
            return (int)formers[i].test;
    return -1;
}

const struct test_descriptor *test_find(const char *name)
{
    const int test = test_number(name, strlen(name));

    return test < 0 ? NULL : &test_table[test];
}
