/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fresh.h - where operations on files make names: in the directory of the run one for each thread,
 * FRESH_DIRECTORY/tN.  Names there are n0, n1 ..., of copies cN; a file that is being renamed is
 * called mN meanwhile.  The manifest of the run names these directories before the first of them is
 * made, and only such names are ever removed from them. */
#ifndef STORAGE_FRESH_H
#define STORAGE_FRESH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FRESH_DIRECTORY   "new"
#define FRESH_THREADS_MAX 4096u
#define FRESH_NAME_MAX    24u /* enough for every name */

struct fresh_movable { /* files that test rename moves, for one size */
    uint64_t size_bytes, first;
    uint32_t count;
};

/* Of one thread, which alone writes it while a slice runs, but for `taken`. */
struct target_fresh {
    _Alignas(64) int dir_fd;       /* open while a slice runs that makes names; else -1 */
    uint64_t next;                 /* number of the next new name */
    uint64_t stock_end;            /* test delete: files are made up to this number ... */
    atomic_uint_fast64_t taken;    /* ... and removed up to this one, by whichever thread */
    struct fresh_movable *movable; /* owned */
    uint32_t movable_count;
};

enum fresh_kind { FRESH_NAME = 'n', FRESH_MOVED = 'm', FRESH_COPY = 'c' };

/* Writes a name to text, FRESH_NAME_MAX bytes.  Hot. */
static inline char *fresh_name(enum fresh_kind kind, uint64_t number, char *text)
{
    char digits[20];
    unsigned n = 0, at = 1;

    do
        digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    text[0] = (char)kind;
    while (n > 0)
        text[at++] = digits[--n];
    text[at] = '\0';
    return text;
}

/* Whether a name is one that fresh_name writes. */
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

#endif
