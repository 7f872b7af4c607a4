/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_cache.c - what the states of the page cache mean for what was measured, in words. */
#include "base/compat.h"

#include "report/columns/columns.h"

#include "base/text.h"
#include "os/os.h"

/* Writes that the cache does not keep to itself. */
static bool is_flushed(const struct target *target, const struct workload *work)
{
    return work->sync != SYNC_NONE || target->close_flushes;
}

static void add_buffered(const struct target *target, const struct workload *work, char *text)
{
    const struct medium *medium = &target->medium;
    const bool reads = work->test == TEST_READ, local = medium->name[0] == '\0';

    if (!reads && is_flushed(target, work))
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, %s the %s",
                 local ? "flushed to" : "sent to", local ? "device" : medium->keeper);
    else if (work->cache == CACHE_ASIS)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache as it was found");
    else if (work->cache != CACHE_UNCACHED)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, not the %s",
                 local ? "device" : "storage");
    else if (!reads)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, emptied before");
    else if (local)
        text_add(text, COLUMNS_CACHE_TEXT, "", "device, page cache emptied before");
    else
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s, page cache emptied before; its %s may cache",
                 medium->name, medium->keeper);
}

char *columns_cache_words(const struct target *target, const struct workload *work, char *text)
{
    const struct medium *medium = &target->medium;

    text[0] = '\0';
    if (target_can(target, TARGET_VIRTUAL))
        text_add(text, COLUMNS_CACHE_TEXT, "", "nothing is moved");
    else if (!test_moves_data(work->test)) /* names and attributes: other caches */
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s", cache_names[work->cache]);
    else if (target->in_memory)
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s",
                 work->cache == CACHE_DIRECT ? "memory (O_DIRECT)" : "files in memory");
    else if (work->cache != CACHE_DIRECT)
        add_buffered(target, work, text);
    else if (OS_DIRECT_ADVISORY)
        text_add(text, COLUMNS_CACHE_TEXT, "", "asked not to cache");
    else if (medium->name[0] == '\0')
        text_add(text, COLUMNS_CACHE_TEXT, "", "device (O_DIRECT)");
    else
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s (O_DIRECT); its %s may cache", medium->name,
                 medium->keeper);
    return text;
}
