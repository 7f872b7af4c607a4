/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bare_sync.h - what the synchronous engines are compared with: the shortest loops of the same
 * system calls, with the clock readings that a cycle needs and one record per operation. */
#ifndef BENCH_BARE_SYNC_H
#define BENCH_BARE_SYNC_H

#include <stdint.h>

#include "base/hist.h"
#include "base/rng.h"

struct bare { /* what a bare loop of synchronous calls works on */
    int dir_fd, fd;
    const char *name; /* relative to dir_fd */
    uint64_t length, size, mask, next;
    char *buffer;
    struct rng rng;
    struct hist hist;
    uint64_t sum[4], least, most;
};

/* Each runs n operations; one that fails ends the program. */
void bare_null(struct bare *b, uint64_t n);
void bare_kept(struct bare *b, uint64_t n);
void bare_kept_order(struct bare *b, uint64_t n); /* one after the other, and round */
void bare_null_order(struct bare *b, uint64_t n);
void bare_pread(struct bare *b, uint64_t n);
void bare_posix(struct bare *b, uint64_t n);
void bare_write(struct bare *b, uint64_t n);

#endif
