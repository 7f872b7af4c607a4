/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test.c - see test.h */
#include "base/compat.h"

#include "storage/test.h"

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
