/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill.c - makes and writes the data of test files.
 *
 * Generating every byte afresh costs 0.07 s/GB, a fifth of the time of writing into memory.  So a
 * pool of 64 KiB is generated once for a run, and each 4 KiB page of a file is one page of the pool
 * under a 128-bit key of its own (exclusive or): no two pages are alike, no page has an echo in
 * another one that a compressor or a deduplicator could find, and it costs what copying costs. */
#include "base/compat.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "engine/fill.h"

#define POOL_PAGES 16u
#define PAGE_BYTES 4096u
#define PAGE_WORDS (PAGE_BYTES / sizeof(uint64_t))

int fill_start(struct fill *fill, uint64_t seed, struct error *err)
{
    struct rng rng;
    uint64_t *word;

    fill->seed = seed;
    fill->pool = mem_buffer(POOL_PAGES * PAGE_BYTES, PAGE_BYTES, err);
    fill->block = mem_buffer(FILL_BLOCK_BYTES, PAGE_BYTES, err);
    if (fill->pool == NULL || fill->block == NULL) {
        fill_end(fill);
        return -1;
    }
    rng_seed(&rng, seed, UINT64_MAX);
    word = fill->pool;
    for (size_t i = 0; i < POOL_PAGES * PAGE_WORDS; i++)
        word[i] = rng_next(&rng);
    return 0;
}

void fill_end(struct fill *fill)
{
    mem_buffer_free(fill->pool);
    mem_buffer_free(fill->block);
    fill->pool = NULL;
    fill->block = NULL;
}

void fill_block(struct fill *fill, uint64_t file, uint64_t block)
{
    struct rng rng;
    uint64_t *out = fill->block;
    uint64_t state = file, stream = rng_splitmix(&state) + block; /* never symmetric in the two */

    rng_seed(&rng, fill->seed, stream);
    for (size_t page = 0; page < FILL_BLOCK_BYTES / PAGE_BYTES; page++) {
        const uint64_t *from = (const uint64_t *)fill->pool + page % POOL_PAGES * PAGE_WORDS;
        uint64_t even = rng_next(&rng), odd = rng_next(&rng);

        /* Four words a step: plain enough for every compiler to use vector registers. */
        for (size_t i = 0; i < PAGE_WORDS; i += 4) {
            out[i] = from[i] ^ even;
            out[i + 1] = from[i + 1] ^ odd;
            out[i + 2] = from[i + 2] ^ even;
            out[i + 3] = from[i + 3] ^ odd;
        }
        out += PAGE_WORDS;
    }
}

static int write_all(int fd, const char *from, size_t size_bytes, uint64_t *offset_bytes)
{
    while (size_bytes > 0) {
        ssize_t done = write(fd, from, size_bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -errno;
        if (done == 0)
            return -EIO;
        from += done;
        size_bytes -= (size_t)done;
        *offset_bytes += (uint64_t)done;
    }
    return 0;
}

int fill_file(struct fill *fill, int fd, uint64_t file, uint64_t file_bytes,
              int (*tick)(void *arg, uint64_t bytes), void *arg, uint64_t *offset_bytes)
{
    *offset_bytes = 0;
    for (uint64_t block = 0; *offset_bytes < file_bytes; block++) {
        uint64_t left = file_bytes - *offset_bytes;
        size_t size_bytes = left < FILL_BLOCK_BYTES ? (size_t)left : FILL_BLOCK_BYTES;
        int code;

        fill_block(fill, file, block);
        code = write_all(fd, fill->block, size_bytes, offset_bytes);
        if (code != 0)
            return code;
        if (tick(arg, size_bytes) != 0)
            return -EINTR;
    }
    return 0;
}
