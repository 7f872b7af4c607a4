/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_words.c - what the axes of a row are called: in columns as on the command line, in
 * sentences as people say it. */
#include "base/compat.h"

#include "report/columns/columns.h"

const char *columns_test_name(enum io_test test)
{
    return (unsigned)test < TEST_COUNT ? test_names[test] : "";
}

const char *columns_test_plural(enum io_test test)
{
    static const char *const words[TEST_COUNT] = {
        [TEST_WRITE] = "writes",
        [TEST_READ] = "reads",
        [TEST_MULTIPART] = "multipart uploads",
        [TEST_APPEND] = "appends",
        [TEST_HEAD] = "HEAD requests",
        [TEST_LIST] = "listings",
        [TEST_RENAME] = "renames",
        [TEST_DELETE] = "deletions",
        [TEST_DELETE_MANY] = "deletions of many",
    };
    return (unsigned)test < TEST_COUNT ? words[test] : "";
}

const char *columns_cache_name(enum cache_mode cache)
{
    static const char *const names[CACHE_COUNT] = {
        [CACHE_CACHED] = "cached",
        [CACHE_ASIS] = "asis",
        [CACHE_UNCACHED] = "uncached",
        [CACHE_DIRECT] = "direct",
    };
    return (unsigned)cache < CACHE_COUNT ? names[cache] : "";
}

const char *columns_sync_name(enum sync_mode sync)
{
    static const char *const names[SYNC_COUNT] = {
        [SYNC_NONE] = "none",
        [SYNC_DATA] = "data",
        [SYNC_FULL] = "full",
        [SYNC_END] = "end",
    };
    return (unsigned)sync < SYNC_COUNT ? names[sync] : "";
}
