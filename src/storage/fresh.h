/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fresh.h - names that operations on files create, and files that they remove, each once.
 *
 * The run's directory contains one directory for each thread, FRESH_DIRECTORY/tN, with names n0, n1
 * ..., and cN for copies; a file that is being renamed is temporarily called mN.  The run's
 * manifest names these directories before the first one is created, and only such names are ever
 * removed from them. */
#ifndef STORAGE_FRESH_H
#define STORAGE_FRESH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"

#define FRESH_DIRECTORY   "new"
#define FRESH_THREADS_MAX 4096u
#define FRESH_NAME_MAX    24u /* enough for any such name */

/* Files that operations remove. A thread moves on to other ranges when its own is empty. */
struct fresh_range {
    atomic_uint_fast64_t next; /* to be taken, by any thread; `end` or more: empty */
    uint64_t end;
    char apart[112]; /* padding: other threads write beyond it */
};

struct fresh_movable { /* files that test rename moves, for one size */
    uint64_t size_bytes, first;
    uint32_t count;
};

/* State of one thread.  While a slice runs only that thread writes it, except `stock`. */
struct target_fresh {
    _Alignas(64) int dir_fd;       /* open during a slice that creates names; else -1 */
    uint64_t next;                 /* number of the next new name */
    struct fresh_movable *movable; /* owned */
    uint32_t movable_count;
    struct fresh_range stock; /* test delete: numbers of the files made for the slice */
};

enum fresh_kind { FRESH_NAME = 'n', FRESH_MOVED = 'm', FRESH_COPY = 'c' };

/* Writes a name to text, FRESH_NAME_MAX bytes, and returns text.  Hot. */
static inline char *fresh_name(enum fresh_kind kind, uint64_t number, char *text)
{
    char digits[NUMBER_BYTES];

    text[0] = (char)kind;
    strcpy(text + 1, number_text(number, digits));
    return text;
}

/* Whether fresh_name can have written this name. */
static inline bool fresh_is_name(const char *name)
{
    unsigned n = 1;

    if ((name[0] != FRESH_NAME && name[0] != FRESH_MOVED && name[0] != FRESH_COPY) ||
        name[1] < '0' || name[1] > '9' || (name[1] == '0' && name[2] != '\0'))
        return false;
    while (name[n] >= '0' && name[n] <= '9')
        n++;
    return name[n] == '\0' && n <= 21;
}

/* Files of a kept run that operations remove: threads start in different ranges, so that they share
 * no cache line. */
#define TARGET_RETIRED_RANGES 64u
struct target_retired {
    struct fresh_range range[TARGET_RETIRED_RANGES];
};

static inline void target_retired_begin(struct target_retired *retired, uint64_t count)
{
    for (uint64_t i = 0; i < TARGET_RETIRED_RANGES; i++) {
        atomic_store(&retired->range[i].next, count * i / TARGET_RETIRED_RANGES);
        retired->range[i].end = count * (i + 1) / TARGET_RETIRED_RANGES;
    }
}

static inline uint64_t target_retired_left(struct target_retired *retired)
{
    uint64_t left = 0;

    for (unsigned i = 0; i < TARGET_RETIRED_RANGES; i++) {
        const uint64_t next = atomic_load(&retired->range[i].next);
        left += next < retired->range[i].end ? retired->range[i].end - next : 0;
    }
    return left;
}

#endif
