/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cache.c - the state of the page cache as part of the workload: brings the objects of a file
 * target into the state that a part of the sweep requires, and measures how much is cached. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/memory.h"
#include "os/os.h"
#include "storage/file/driver.h"

#define LOAD_STEP_BYTES (UINT64_C(16) << 20) /* between two checks of clock and stop flag */

/* Checking all objects would take too long: each check covers this many, in turn. */
#define SAMPLES 16u

char *file_target_path(const struct target *target, uint32_t index)
{
    if (!target->dir_path)
        return mem_strdup(target->name[index]);
    return mem_printf("%s%s%s", target->dir_path, strcmp(target->dir_path, "/") == 0 ? "" : "/",
                      target->name[index]);
}

int file_target_failed(const struct target *target, uint32_t index, int errnum, const char *action,
                       struct error *err)
{
    char *path = file_target_path(target, index);

    error_set(err, STATUS_TARGET, errnum, action, path);
    free(path);
    return file_advise(err, errnum);
}

int file_target_open_object(const struct target *target, uint32_t index, struct error *err)
{
    int flags = target->ours || target->writable ? O_NOFOLLOW : 0;
    int fd = file_open_quietly(target->dir_fd, target->name[index], flags);

    return fd >= 0 ? fd : file_target_failed(target, index, -fd, "cannot open", err);
}

static int stopped(const struct target *target, struct error *err)
{
    if (flag_read(target->request->stop) == 0) {
        if (!target->prepare_end_ns || clock_now(&clock_monotonic) < target->prepare_end_ns)
            return 0;
        return error_set(err, STATUS_PARTIAL, ETIMEDOUT, "no time is left for preparing",
                         target->place);
    }
    return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while preparing", target->place);
}

/* Dirty pages cannot be dropped.  Many of our own files may be dirty: writes all of them back by
 * one call, because each fsync flushes the device. */
static int write_back(struct target *target, struct error *err)
{
    int code;

    if (!target->writable || !target->ours || target->object_count < 2 || target->dir_fd < 0)
        return 0;
    code = os_sync_file_system(target->dir_fd);
    if (code == 0 || code == -ENOTSUP)
        return 0;
    error_set(err, STATUS_TARGET, -code, "cannot write back", target->place);
    return file_advise(err, -code);
}

static int evict_object(const struct target *target, uint32_t index, int fd, enum cache_mode mode,
                        struct error *err)
{
    const int code = os_evict(fd);

    if (code == -ENOTSUP && mode == CACHE_UNCACHED && OS_CAN_EVICT)
        return file_target_failed(target, index, -code, "cannot drop from the page cache", err);
    return code == 0 || code == -ENOTSUP
               ? 0
               : file_target_failed(target, index, -code, "cannot write back", err);
}

struct loader {
    struct target *target;
    void *buffer;
    uint64_t limit_bytes, done_bytes; /* over all objects */
    struct pace pace;
    struct error *err;
};

static int load_object(struct loader *loader, uint32_t index, int fd)
{
    struct target *target = loader->target;
    const struct target_request *request = target->request;

    while (loader->done_bytes < loader->limit_bytes) {
        uint64_t left = loader->limit_bytes - loader->done_bytes;
        int64_t got = file_load(fd, loader->buffer, left < LOAD_STEP_BYTES ? left : LOAD_STEP_BYTES,
                                request->stop);

        if (stopped(target, loader->err) != 0)
            return -1;
        if (got < 0)
            return file_target_failed(target, index, (int)-got, "cannot read", loader->err);
        if (got == 0)
            break;
        loader->done_bytes += (uint64_t)got;
        if (request->progress && pace_due(&loader->pace))
            request->progress(request->progress_arg, "caching", loader->done_bytes,
                              target->total_bytes);
    }
    return 0;
}

/* Evicts each object and, with a loader, reads it once in order, as far as memory suffices. */
static int evict_all(struct target *target, enum cache_mode mode, struct loader *loader,
                     struct error *err)
{
    if (write_back(target, err) != 0)
        return -1;
    for (uint32_t i = 0; i < target->object_count; i++) {
        int code, fd = stopped(target, err) != 0 ? -1 : file_target_open_object(target, i, err);

        if (fd < 0)
            return -1;
        code = evict_object(target, i, fd, mode, err);
        if (code == 0 && loader)
            code = load_object(loader, i, fd);
        close(fd);
        if (code != 0)
            return -1;
    }
    return 0;
}

/* Whether a file system caches data that were read, and keeps them after the file is closed. */
static enum target_misses see_keeping(const struct target *target)
{
    const uint64_t length_bytes = target->length_bytes[0];
    const int fd = file_open_quietly(target->dir_fd, target->name[0], 0);
    const bool kept =
        fd >= 0 && pread(fd, &(char){0}, 1, 0) == 1 && os_resident_bytes(fd, length_bytes) > 0;
    const int again = kept ? file_open_quietly(target->dir_fd, target->name[0], 0) : -1;
    const int64_t left_bytes =
        kept && again < 0 ? -1 : os_resident_bytes(kept ? again : fd, length_bytes);

    if (again >= 0)
        close(again);
    if (fd >= 0)
        close(fd);
    return fd < 0 || left_bytes != 0 ? TARGET_MISSES_UNKNOWN
           : kept                    ? TARGET_DROPS_AT_OPEN
                                     : TARGET_KEEPS_NOTHING;
}

static int prepare_cached(struct target *target, struct error *err)
{
    uint64_t memory_bytes = os_memory().available_bytes / 2;
    struct loader loader = {.target = target, .limit_bytes = target->total_bytes, .err = err};
    struct usage before, after;
    char total[UNITS_TEXT], limit[UNITS_TEXT], label[512];
    int code;

    if (memory_bytes > 0 && memory_bytes < target->total_bytes) {
        loader.limit_bytes = memory_bytes;
        log_info("# %s: of %s only %s are cached, half of the free memory",
                 error_printable(target->request->target, label, sizeof(label)),
                 units_format_bytes((double)target->total_bytes, total),
                 units_format_bytes((double)memory_bytes, limit));
    }
    loader.buffer = mem_buffer(FILE_LOAD_BYTES, 1, err);
    if (!loader.buffer)
        return -1;
    usage_read(&before);
    code = evict_all(target, CACHE_CACHED, &loader, err);
    usage_read(&after);
    mem_buffer_free(loader.buffer);
    /* File systems without their own device (overlay, network): observed, so it is accounted. */
    if (code == 0 && before.io_known && loader.done_bytes > 0 &&
        after.read_bytes - before.read_bytes >= loader.done_bytes / 2)
        target->accounted = true;
    target->misses =
        loader.limit_bytes < target->total_bytes ? TARGET_SHORT_OF_MEMORY : see_keeping(target);
    return code;
}

/* On file systems without their own device (overlay, network), a read past the cache shows whether
 * their traffic is accounted. */
static void see_accounting(struct target *target, int flags, uint32_t size_bytes)
{
    struct error ignored = ERROR_INIT;
    void *buffer = mem_buffer(size_bytes, target->memory_align_bytes, &ignored);
    int fd = !buffer ? -1 : file_open_quietly(target->dir_fd, target->name[0], flags);
    struct usage before, after;
    ssize_t got;

    if (fd >= 0) {
        usage_read(&before);
        got = pread(fd, buffer, size_bytes, 0);
        usage_read(&after);
        target->accounted =
            got > 0 && after.io_known && after.read_bytes - before.read_bytes >= (uint64_t)got;
        close(fd);
    }
    mem_buffer_free(buffer);
}

/* Whether reads with RWF_DONTCACHE work and, if the system can count them, leave no page behind;
 * and whether such writes are allowed, which a system call filter can forbid separately.  The file
 * is not open for writing: an allowed write fails with EBADF. */
static void see_dropping(struct target *target)
{
    const int fd = file_open_quietly(target->dir_fd, target->name[0], 0);
    char byte;

    if (fd < 0)
        return;
    if (os_evict(fd) == 0) {
        os_expect_random(fd);
        target->drops_behind = os_read_dropping(fd, &byte, 1, 0) == 1 &&
                               os_resident_bytes(fd, 1) <= 0 &&
                               os_write_dropping(fd, &byte, 0, 0) < 0 && errno == EBADF;
    }
    close(fd);
}

/* Test fill begins with an empty file. */
static int empty_file(struct target *target, struct error *err)
{
    int fd, code = 0;

    if (!target->name)
        return 0;
    fd = beneath_open(target->dir_fd, target->name[0], O_WRONLY | O_TRUNC, 0);
    if (fd < 0)
        return file_target_failed(target, 0, -fd, "cannot empty", err);
    if (os_sync(fd) != 0)
        code = file_target_failed(target, 0, errno, "cannot empty", err);
    close(fd);
    if (((struct file_target *)target)->known)
        ((struct file_target *)target)->known[0].bytes = 0;
    return code;
}

int file_target_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                        struct error *err)
{
    if (test == TEST_FILL)
        return empty_file(target, err);
    /* The same state before reads and writes; none before removal. */
    if (!target->name || mode == CACHE_ASIS || (target->retired && test == TEST_DELETE))
        return 0;
    if (mode == CACHE_CACHED)
        return target->request->follows ? 0 : prepare_cached(target, err);
    if (!target->request->follows && evict_all(target, mode, NULL, err) != 0)
        return -1;
    if (mode == CACHE_UNCACHED && !target->in_memory) { /* everything is evicted before round 0 */
        if (!target->accounted)
            see_accounting(target, 0, 1);
        see_dropping(target);
    }
    return 0;
}

int file_target_before_round(struct target *target, enum cache_mode mode, struct error *err)
{
    return target->name && mode == CACHE_UNCACHED && !target->retired && !target->request->follows
               ? evict_all(target, mode, NULL, err)
               : 0;
}

/* A plan reads nothing, but the kernel's information about existing files applies to the run. */
static void plan_direct(struct target *target)
{
    const uint32_t page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
    const int fd = !target->name ? -1
                                 : os_open_at(target->dir_fd, target->name[0],
                                              OS_O_LOOK | O_NOFOLLOW | O_CLOEXEC, 0);
    const int known =
        fd < 0 ? 0 : os_direct_align(fd, &target->direct_align_bytes, &target->memory_align_bytes);

    if (fd >= 0)
        close(fd);
    if (known > 0)
        return;
    target->direct_align_bytes = page_bytes;
    target->memory_align_bytes = page_bytes;
    target->direct_assumed = true;
}

int file_target_probe_direct(struct target *target, struct error *err)
{
    char *path;
    int code;

    /* reading is not allowed, or own files do not exist (yet) */
    if (target->request->dry_run || !target->name) {
        plan_direct(target);
        return 0;
    }
    path = file_target_path(target, 0);
    code = file_probe_direct(target->dir_fd, target->name[0], path, &target->direct_align_bytes,
                             &target->memory_align_bytes, err);
    free(path);
    if (code == 0 && !target->accounted && !target->in_memory)
        see_accounting(target, OS_O_DIRECT, target->direct_align_bytes);
    return code;
}

double file_target_resident(struct target *target)
{
    struct file_target *fs = (struct file_target *)target;
    uint64_t known_bytes = 0, resident_bytes = 0;
    uint32_t samples = target->object_count;
    const uint32_t first = fs->sampled++;
    struct error ignored = ERROR_INIT;

    if (!target->name)
        return -1.0;
    if (samples > SAMPLES)
        samples = SAMPLES;
    for (uint32_t k = 0; k < samples; k++) {
        /* Spread over all objects; different ones each time. */
        const uint32_t i = (uint32_t)(((uint64_t)k * target->object_count / samples + first) %
                                      target->object_count);
        int fd = file_target_open_object(target, i, &ignored);
        int64_t bytes;

        if (fd < 0)
            continue;
        bytes = os_resident_bytes(fd, target->length_bytes[i]);
        close(fd);
        if (bytes < 0)
            continue;
        known_bytes += target->length_bytes[i];
        resident_bytes += (uint64_t)bytes;
    }
    return known_bytes == 0 ? -1.0 : (double)resident_bytes / (double)known_bytes;
}
