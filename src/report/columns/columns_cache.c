/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_cache.c - what the states of the page cache mean for what was measured, in words. */
#include "base/compat.h"

#include "report/columns/columns.h"

#include "os/os.h"

/* Writes that the cache does not keep to itself. */
static bool is_flushed(const struct target *target, const struct workload *work)
{
    return work->sync != SYNC_NONE || target->close_flushes;
}

static const char *buffered_words(const struct target *target, const struct workload *work)
{
    const bool server = target->network_options != NULL, reads = work->test == TEST_READ;

    if (!reads && is_flushed(target, work))
        return server ? "page cache, sent to the server" : "page cache, flushed to the device";
    switch (work->cache) {
    case CACHE_UNCACHED:
        if (!reads)
            return "page cache, emptied before";
        return server ? "server, page cache emptied before" : "device, page cache emptied before";
    case CACHE_ASIS:
        return "page cache as it was found";
    default:
        return server ? "page cache, not the server" : "page cache, not the device";
    }
}

const char *columns_cache_words(const struct target *target, const struct workload *work)
{
    if (target_can(target, TARGET_VIRTUAL))
        return "nothing is moved";
    if (!test_moves_data(work->test)) /* names and attributes: other caches */
        return cache_names[work->cache];
    if (work->cache == CACHE_DIRECT && OS_DIRECT_ADVISORY && !target->in_memory)
        return "asked not to cache";
    if (work->cache == CACHE_DIRECT)
        return target->in_memory         ? "memory (O_DIRECT)"
               : target->network_options ? "server (O_DIRECT)"
                                         : "device (O_DIRECT)";
    if (target->in_memory)
        return "files in memory";
    return buffered_words(target, work);
}
