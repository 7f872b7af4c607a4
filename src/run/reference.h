/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reference.h - a cycle without storage, measured together with the rows: open, read 4 KiB and
 * close of a file in memory. The speed of a shared or virtual machine varies; the reference
 * distinguishes a slower machine from slower storage. */
#ifndef RUN_REFERENCE_H
#define RUN_REFERENCE_H

#include <stdint.h>

#include "base/clock.h"

#define REFERENCE_BYTES    4096u
#define REFERENCE_SHARE    30 /* the reference takes 1/30 of the length of a slice */
#define REFERENCE_LEAST_NS UINT64_C(100000)
#define REFERENCE_MOST_NS  UINT64_C(2000000)

struct reference {
    int fd;        /* of the file; -1: there is no reference */
    char path[32]; /* path to open it */
};

/* Creates the file. On failure (no /proc, no memfd) fd is -1. */
void reference_open(struct reference *reference);
void reference_close(struct reference *reference);

/* Time of one cycle, in ns: the median over groups of cycles, run for about budget_ns on the
 * caller's thread. Negative: unknown. */
double reference_measure(const struct reference *reference, const struct clock *clock,
                         uint64_t budget_ns);

/* Cost of one cycle that does no I/O, in ns: offset, clock reading, counting. Takes some 2 ms. */
double reference_loop_ns(const struct clock *clock);

#endif
