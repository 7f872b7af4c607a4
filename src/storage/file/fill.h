/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fill.h - writes the data of test files: generation 0 of the pattern, unique and incompressible,
 * so that no file system, array or cloud can store or answer it without doing the work. */
#ifndef STORAGE_FILE_FILL_H
#define STORAGE_FILE_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/pattern.h"

#define FILL_BLOCK_BYTES ((size_t)1 << 20)

struct file_fill { /* zero it, then fill_start */
    struct pattern pattern;
    void *block;         /* FILL_BLOCK_BYTES */
    uint64_t step_bytes; /* of a write, at most; 0: FILL_BLOCK_BYTES */
};

/* Returns 0 or -1 (no memory). */
int fill_start(struct file_fill *fill, uint64_t seed, struct error *err);
void fill_end(struct file_fill *fill);

/* Writes file number `file` through fd, which stands at its beginning.  After each write
 * `tick(arg, bytes)` is called; what it returns below 0 is the end and returned, above 0 is enough:
 * the rest is not written.  Returns 0 or -errno, with the place in *offset_bytes. */
int fill_file(struct file_fill *fill, int fd, uint64_t file, uint64_t file_bytes,
              int (*tick)(void *arg, uint64_t bytes), void *arg, uint64_t *offset_bytes);

#endif
