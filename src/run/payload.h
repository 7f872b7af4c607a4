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
    PAYLOAD_RANDOM, /* unique */
    PAYLOAD_ZERO,   /* zeros: shows the effect of compression */
    /* the same random 4 KiB repeated: shows the effect of deduplication */
    PAYLOAD_REPEAT,
};

/* Their names, as on the command line; ends with NULL. */
extern const char *const payload_names[];

struct payload { /* of one thread, for all its slices; a value that owns nothing */
    const struct pattern *pattern;
    uint64_t thread;
    uint64_t made_bytes; /* position in the endless stream of this thread; whole blocks */
    enum payload_kind kind;
};

/* Sets up the pattern of payloads for all threads; it differs from that of the test files of the
 * same seed. Returns 0 or -1 (no memory); free with pattern_end. */
int payload_start(struct pattern *pattern, uint64_t seed, struct error *err);

/* Hot. Generates the data of the next write in buffer. */
void payload_make(struct payload *payload, void *buffer, size_t size_bytes);

#endif
