/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* payload.h - the data of measured writes. A target that compresses or deduplicates could skip
 * repeated data, so each write gets unique data: no aligned 4 KiB, and no eight bytes, occur in
 * another write of the run, elsewhere in the same write, or in the initial content of test files.
 * The data are generated in the buffer of the write, between operations. */
#ifndef RUN_PAYLOAD_H
#define RUN_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/pattern.h"

enum payload_kind {
    PAYLOAD_RANDOM, /* unlike anything else */
    PAYLOAD_ZERO,   /* zeros: what a compressing store makes of it */
    /* the same random 4 KiB again and again: what a deduplicating store makes of it */
    PAYLOAD_REPEAT,
};

/* Their names, as on the command line; ends with NULL. */
extern const char *const payload_names[];

struct payload { /* of one thread, for all its slices; a value that owns nothing */
    const struct pattern *pattern;
    uint64_t thread;
    uint64_t made_bytes; /* the place in the endless stream of this thread; whole blocks */
    enum payload_kind kind;
};

/* The pattern that payloads are made of, for all threads; differs from the one of the test files of
 * the same seed. Returns 0 or -1 (no memory); pattern_end ends it. */
int payload_start(struct pattern *pattern, uint64_t seed, struct error *err);

/* Hot. Puts the data of the next write into buffer. */
void payload_make(struct payload *payload, void *buffer, size_t size_bytes);

#endif
