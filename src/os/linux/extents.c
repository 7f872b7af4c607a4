/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* extents.c - where a file holds data and how they are stored, without modifying it.
 *
 * Uses two sources. SEEK_DATA and SEEK_HOLE see what is dirty in the page cache, but report clean
 * pages over unwritten space as data. FIEMAP describes the storage, but ignores dirty pages unless
 * told to write them back first (FIEMAP_FLAG_SYNC). Where the kernel distinguishes clean from dirty
 * pages (cachestat), no write-back is needed: an unwritten extent counts as unwritten where
 * SEEK_DATA reports a hole, or where all pages are clean: they were read, not written. Elsewhere
 * (before Linux 6.5, on overlayfs) dirty pages are written back, which would happen anyway. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/linux/kernel.h"
#include "os/posix/holes.h"

#define EXTENTS_AT_ONCE 256u

struct look {
    struct holes_look pass;
    uint64_t run_begin, run_end; /* the last data or hole found */
    bool run_is_data;
    bool counts_pages; /* cachestat distinguishes dirty pages */
};

/* Bytes of a range over unwritten space that no program has written. */
static uint64_t clean_bytes(const struct look *look, uint64_t at, uint64_t size_bytes)
{
    struct kernel_cachestat state;
    uint64_t clean;

    if (!look->counts_pages) /* dirty pages were written back: no longer unwritten */
        return size_bytes;
    if (!kernel_cachestat(look->pass.fd, at, size_bytes, &state) ||
        state.nr_cache < state.nr_dirty + state.nr_writeback)
        return 0;
    clean =
        (state.nr_cache - state.nr_dirty - state.nr_writeback) * (uint64_t)sysconf(_SC_PAGESIZE);
    return clean < size_bytes ? clean : size_bytes;
}

/* Moves bytes between counters of holes_add; must not wrap if the file changes meanwhile. */
static void move_bytes(uint64_t *from, uint64_t *to, uint64_t size_bytes)
{
    if (size_bytes > *from)
        size_bytes = *from;
    *from -= size_bytes;
    *to += size_bytes;
}

/* Finds the data or hole at an offset, and its end; false: the file changed meanwhile. The result
 * is cached: each seek scans all preceding extents, so seeking for every extent would be
 * quadratic. */
static bool find_run(struct look *look, uint64_t at)
{
    int64_t next;

    if (at >= look->run_begin && at < look->run_end)
        return true;
    next = holes_seek(look->pass.fd, at, look->pass.end, SEEK_DATA);
    look->run_is_data = next == (int64_t)at;
    if (look->run_is_data)
        next = holes_seek(look->pass.fd, at, look->pass.end, SEEK_HOLE);
    if (next <= (int64_t)at)
        return false;
    look->run_begin = at;
    look->run_end = (uint64_t)next;
    return true;
}

static void add_unwritten(struct look *look, uint64_t at, uint64_t end)
{
    struct extents *sum = look->pass.sum;

    while (at < end && find_run(look, at) && !holes_enough(&look->pass)) {
        const uint64_t next = look->run_end < end ? look->run_end : end;

        if (look->run_is_data)
            move_bytes(&sum->data_bytes, &sum->unwritten_bytes, clean_bytes(look, at, next - at));
        else
            move_bytes(&sum->hole_bytes, &sum->unwritten_bytes, next - at);
        at = next;
    }
}

/* The part of one extent that lies in [at, end). */
static void add_extent(struct look *look, const struct fiemap_extent *extent, uint64_t at)
{
    struct extents *sum = look->pass.sum;
    const uint32_t flags = extent->fe_flags;
    const uint64_t begin = extent->fe_logical > at ? extent->fe_logical : at;
    uint64_t end = extent->fe_logical + extent->fe_length, size_bytes;

    if (end > look->pass.end)
        end = look->pass.end;
    if (begin >= end)
        return;
    size_bytes = end - begin;
    if ((flags & FIEMAP_EXTENT_ENCODED) && !(flags & FIEMAP_EXTENT_DATA_ENCRYPTED))
        sum->encoded_bytes += size_bytes;
    if (flags & (FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL))
        sum->inline_bytes += size_bytes;
    if (flags & FIEMAP_EXTENT_UNWRITTEN)
        add_unwritten(look, begin, end);
}

static void add_stored(struct look *look)
{
    const size_t table_bytes = EXTENTS_AT_ONCE * sizeof(struct fiemap_extent);
    struct kernel_cachestat state;
    struct fiemap *map = mem_calloc(1, sizeof(*map) + table_bytes);
    uint64_t at = 0;
    bool last = false;

    look->counts_pages = kernel_counts_pages(look->pass.fd, 1, &state);
    while (at < look->pass.end && !last) {
        uint64_t next = at;

        *map = (struct fiemap){.fm_start = at,
                               .fm_length = look->pass.end - at,
                               .fm_flags = look->counts_pages ? 0 : FIEMAP_FLAG_SYNC,
                               .fm_extent_count = EXTENTS_AT_ONCE};
        if (ioctl(look->pass.fd, (kernel_request)FS_IOC_FIEMAP, map) != 0) {
            look->pass.sum->unknown_extents = true;
            break;
        }
        for (uint32_t i = 0;
             i < map->fm_mapped_extents && !(last = last || holes_enough(&look->pass)); i++) {
            const struct fiemap_extent *extent = &map->fm_extents[i];

            add_extent(look, extent, at);
            next = extent->fe_logical + extent->fe_length;
            last = (extent->fe_flags & FIEMAP_EXTENT_LAST) != 0;
        }
        if (next <= at) /* no extents, or no further ones */
            break;
        at = next;
    }
    free(map);
}

void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits)
{
    struct look look = {.pass = {.sum = sum, .limits = limits, .fd = fd, .end = length_bytes}};

    if (holes_add(&look.pass))
        add_stored(&look);
}
