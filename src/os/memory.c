/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* memory.c - I/O buffers, and disabling core dumps. The user chose the sizes, so failure is an
 * ordinary result, returned before the machine starts to swap or the OOM killer strikes. */
#include "base/compat.h"

#include "os/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "os/os.h"

static int buffer_refused(struct error *err, int errnum, size_t size_bytes)
{
    char action[96];
    uint64_t available_bytes = os_memory().allocatable_bytes;
    snprintf(action, sizeof(action), "cannot allocate a buffer of %zu bytes", size_bytes);
    error_set(err, STATUS_TARGET, errnum, action, NULL);
    if (available_bytes == 0)
        return error_advise(err, "use smaller sizes or fewer threads");
    return error_advise(
        err, "%" PRIu64 " MiB of memory are available; use smaller sizes or fewer threads",
        available_bytes >> 20);
}

void *mem_buffer(size_t size_bytes, size_t align_bytes, struct error *err)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), bytes;
    uint64_t available_bytes = os_memory().allocatable_bytes;
    void *buffer = NULL;
    int errnum;

    if (align_bytes < page_bytes)
        align_bytes = page_bytes;
    if ((align_bytes & (align_bytes - 1)) != 0) {
        buffer_refused(err, EINVAL, size_bytes);
        return NULL;
    }
    /* Whole pages, so that nothing shares the last one: direct I/O may pin it. */
    if (__builtin_add_overflow(size_bytes > 0 ? size_bytes : 1, page_bytes - 1, &bytes) ||
        bytes > PTRDIFF_MAX || (available_bytes > 0 && bytes > available_bytes)) {
        buffer_refused(err, ENOMEM, size_bytes);
        return NULL;
    }
    bytes -= bytes % page_bytes;
    errnum = os_aligned(&buffer, align_bytes, bytes);
    if (errnum != 0) {
        buffer_refused(err, errnum, size_bytes);
        return NULL;
    }
    /* Writes all of it, not a byte per page, to keep stale heap data out of test files. */
    memset(buffer, 0, bytes);
    return buffer;
}

void mem_buffer_free(void *buffer)
{
    os_aligned_free(buffer);
}

void os_forbid_core_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = 0;
    (void)setrlimit(RLIMIT_CORE, &limit);
}
