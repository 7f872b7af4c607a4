/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fill.c - makes and writes the data of test files, block by block. */
#include "base/compat.h"

#include <errno.h>
#include <unistd.h>

#include "os/memory.h"
#include "storage/file/fill.h"

#include "engine/engine.h"

int fill_start(struct file_fill *fill, uint64_t seed, struct error *err)
{
    fill->block = mem_buffer(FILL_BLOCK_BYTES, 4096, err);
    if (fill->block && pattern_start(&fill->pattern, seed, err) == 0)
        return 0;
    fill_end(fill);
    return -1;
}

void fill_end(struct file_fill *fill)
{
    pattern_end(&fill->pattern);
    mem_buffer_free(fill->block);
    fill->block = NULL;
}

static int write_all(int fd, const char *from, size_t size_bytes, uint64_t *offset_bytes)
{
    unsigned again = 0;

    while (size_bytes > 0) {
        ssize_t done = write(fd, from, size_bytes);

        if (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
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

int fill_file(struct file_fill *fill, int fd, uint64_t file, uint64_t file_bytes,
              int (*tick)(void *arg, uint64_t bytes), void *arg, uint64_t *offset_bytes)
{
    *offset_bytes = 0;
    while (*offset_bytes < file_bytes) {
        const uint64_t left = file_bytes - *offset_bytes;
        const uint64_t most = fill->step_bytes && fill->step_bytes < FILL_BLOCK_BYTES
                                  ? fill->step_bytes
                                  : FILL_BLOCK_BYTES;
        const size_t size_bytes = (size_t)(left < most ? left : most);
        int code;

        pattern_make(&fill->pattern, file, *offset_bytes, size_bytes, 0, fill->block);
        code = write_all(fd, fill->block, size_bytes, offset_bytes);
        if (code != 0)
            return code;
        code = tick(arg, size_bytes);
        if (code != 0)
            return code < 0 ? code : 0;
    }
    return 0;
}
