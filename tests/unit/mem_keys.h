/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mem_keys.h - objects that a test puts into a store in memory, and counts there. */
#ifndef TESTS_UNIT_MEM_KEYS_H
#define TESTS_UNIT_MEM_KEYS_H

#include <stdio.h>

#include "storage/object/mem/protocol.h"
#include "unit/cmocka_all.h"

/* data NULL: any */
static inline void mem_put(struct mem_store *memory, const char *key, const void *data,
                           uint64_t bytes)
{
    assert_true(mem_store_put(memory, key, mem_object_make(memory, data, bytes), false, NULL));
}

/* Those with the numbers below `count`. */
static inline void mem_put_numbered(struct mem_store *memory, const char *directory, unsigned count,
                                    uint64_t bytes)
{
    for (unsigned i = 0; i < count; i++) {
        char key[80];

        snprintf(key, sizeof(key), "%s%06u", directory, i);
        mem_put(memory, key, NULL, bytes);
    }
}

static inline int mem_count_one(void *arg, const char *key, const struct mem_object *object)
{
    ++*(unsigned *)arg;
    return 0;
}

static inline unsigned mem_count(struct mem_store *memory, const char *prefix)
{
    unsigned count = 0;

    assert_int_equal(mem_store_walk(memory, prefix, "", mem_count_one, &count), 0);
    return count;
}

#endif
