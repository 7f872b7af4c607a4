/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bare_async.h - what the asynchronous engines are compared with: the shortest loops that keep
 * `depth` random reads, or whole open-read-close cycles, of one file under way.  They read no clock
 * and count nothing but operations; a read that is not complete ends the program. */
#ifndef BENCH_BARE_ASYNC_H
#define BENCH_BARE_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bare_target { /* the work */
    int dir_fd;
    const char *name; /* relative to dir_fd */
    uint64_t length_bytes;
    size_t size_bytes; /* of a read; offsets are multiples of it */
    char *buffer;      /* depth * size_bytes, aligned as O_DIRECT asks; must outlive the loop */
    uint32_t depth;
    bool keep_open; /* or open and close it for each read */
    bool direct;    /* O_DIRECT; then successors are queued after 1/8 of the depth has completed */
};

struct bare_async;

/* engine: which interface of the kernel, by the name of the engine that uses it too.  NULL: err
 * tells why it cannot be had. */
struct bare_async *bare_async_create(const char *engine, const struct bare_target *target,
                                     struct error *err);

/* Before and after the timed part: a task can hold few rings by the short way, so that each loop
 * lets go of it for the others. */
void bare_async_begin(struct bare_async *bare);
void bare_async_end(struct bare_async *bare);

/* n operations; none is under way afterwards. */
void bare_async_run(struct bare_async *bare, uint64_t n);

void bare_async_destroy(struct bare_async *bare); /* may be NULL */

#endif
