/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.c - shared by file engines and the file target: open flags, O_DIRECT alignment, file length,
 * and the page cache. How a file was loaded into the cache changes later results more than tenfold
 * (folio sizes), so there is one way to drop it (completely, after writing it back: os_evict) and
 * one way to load it (sequentially, 1 MiB at a time). */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "engine/file.h"
#include "os/memory.h"
#include "os/os.h"

#define DIRECT_ALIGN_MIN 512u

int file_open_flags(const struct workload *work)
{
    int flags = O_CLOEXEC;

    if (work->test == TEST_READ)
        flags |= O_RDONLY;
    else
        flags |= work->rmw || work->reads_too ? O_RDWR : O_WRONLY;
    if (work->cache == CACHE_DIRECT)
        flags |= OS_O_DIRECT;
    if (work->sync == SYNC_DATA)
        flags |= O_DSYNC;
    else if (work->sync == SYNC_FULL)
        flags |= O_SYNC;
    flags |= O_NOFOLLOW;
    if (work->target->dir_fd != AT_FDCWD)
        flags |= O_NONBLOCK;
    if (work->target->noatime)
        flags |= OS_O_NOATIME;
    return flags;
}

struct opener file_opener(const struct workload *work)
{
    const struct target *target = work->target;
    struct opener opener = {.dir_fd = target->dir_fd,
                            .name = target->name,
                            .advice = work->readahead,
                            .how = {.flags = (unsigned)file_open_flags(work)}};

    if (target->resolve != 0 && os_opens_beneath()) {
        opener.how.resolve = target->resolve;
        opener.how.flags |= OS_O_LARGEFILE;
    }
    return opener;
}

int opener_again(const struct opener *opener, uint32_t object)
{
    for (unsigned again = 0; errno == EINTR && again < ENGINE_AGAIN_MOST; again++) {
        const int fd = opener_call(opener, object);

        if (fd < 0)
            continue;
        file_give_advice(fd, opener->advice);
        return fd;
    }
    return -errno;
}

int file_setup(const struct workload *work, const struct engine_thread *thread, void **ctx_out,
               struct error *err)
{
    const bool sync = work->test == TEST_WRITE && work->sync == SYNC_END;
    struct file_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    (void)thread;
    (void)err;
    *ctx = (struct file_ctx){.opener = file_opener(work),
                             .size_bytes = (size_t)work->size_bytes,
                             .writes = work->test != TEST_READ,
                             .sync_end = sync && !work->keep_open,
                             .sync_each = sync && work->keep_open};
    *ctx_out = ctx;
    return 0;
}

void file_fds_grow(struct file_fds *fds, uint32_t count)
{
    if (fds->count >= count)
        return;
    fds->fd = mem_realloc_array(fds->fd, count, sizeof(*fds->fd));
    while (fds->count < count)
        fds->fd[fds->count++] = -1;
}

int file_fds_open_all(struct file_fds *fds, const struct workload *work,
                      const struct opener *opener, struct error *err)
{
    const bool waits = !(opener->how.flags & O_NONBLOCK);
    struct opener own = *opener;

    own.how.flags |= O_NONBLOCK; /* a FIFO in place of a file would block the call */
    file_fds_grow(fds, work->object_count);
    for (uint32_t i = 0; i < work->object_count; i++) {
        const int code = (int)file_fds_open(fds, i, &own, i);

        if (code < 0) {
            file_fds_close_all(fds);
            error_set(err, STATUS_TARGET, -code, "cannot open", opener->name[i]);
            return code == -EMFILE ? file_advise(err, EMFILE) : -1;
        }
        if (waits)
            (void)fcntl(fds->fd[i], F_SETFL, fcntl(fds->fd[i], F_GETFL) & ~O_NONBLOCK);
    }
    return 0;
}

void file_fds_close_all(struct file_fds *fds)
{
    for (uint32_t i = 0; i < fds->count; i++)
        if (fds->fd[i] >= 0)
            (void)file_fds_close(fds, i);
}

int file_open_quietly(int dir_fd, const char *name, int flags)
{
    int fd;

    flags |= O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    fd = os_open_at(dir_fd, name, flags | OS_O_NOATIME, 0);
    if (fd < 0 && errno == EPERM) /* neither owner nor root */
        fd = os_open_at(dir_fd, name, flags, 0);
    return fd < 0 ? -errno : fd;
}

int64_t file_read_back(int dir_fd, const char *name, int flags, uint64_t offset_bytes,
                       uint64_t size_bytes, uint64_t unit_bytes, void *buffer)
{
    const uint64_t unit = unit_bytes > 0 ? unit_bytes : 1;
    const int fd = file_open_quietly(dir_fd, name, flags);
    unsigned again = 0;
    int64_t done = 0;
    ssize_t got = 1;

    if (fd < 0)
        return fd;
    /* O_DIRECT cannot continue within a block: only the end of a file stops there. */
    while (got > 0 && (uint64_t)done < size_bytes && (uint64_t)done % unit == 0) {
        got = pread(fd, (char *)buffer + done, (size_t)(size_bytes - (uint64_t)done),
                    (off_t)(offset_bytes + (uint64_t)done));
        if (got > 0)
            done += got;
        else if (got < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            got = 1;
        else if (got < 0)
            done = -errno;
    }
    close(fd);
    return done;
}

/* ---- alignment of O_DIRECT ---- */

static int direct_refused(const char *path, int errnum, struct error *err)
{
    error_set(err, STATUS_TARGET, errnum, "O_DIRECT is refused for", path);
    return error_advise(err, "use --cache uncached or --cache cached");
}

/* Tries reads at increasing alignments. Offset and length equal the alignment (offset 0 if the file
 * is shorter than two blocks). *code: why the last one was refused. Returns 0 if none works or, if
 * `sure`, none was seen to move exactly the bytes requested. */
static uint32_t direct_tried(int fd, uint32_t page_bytes, bool sure, int *code)
{
    struct error ignored = ERROR_INIT;
    char *buffer = mem_buffer(page_bytes, page_bytes, &ignored);
    uint32_t least = 0, exact = 0;
    int64_t length_bytes = file_length(fd, "", &ignored);

    *code = !buffer ? ENOMEM : EINVAL;
    for (uint32_t align = DIRECT_ALIGN_MIN; buffer && exact == 0 && align <= page_bytes;
         align *= 2) {
        struct usage before, after;
        off_t offset = length_bytes >= 2 * (int64_t)align ? (off_t)align : 0;
        ssize_t got;

        usage_read(&before);
        got = pread(fd, buffer, align, offset);
        usage_read(&after);
        if (got < 0) {
            *code = errno;
            continue;
        }
        if (least == 0)
            least = align;
        if (got == (ssize_t)align && before.io_known &&
            after.read_bytes - before.read_bytes == align)
            exact = align;
    }
    mem_buffer_free(buffer);
    return exact != 0 || sure ? exact : least;
}

int file_probe_direct(int dir_fd, const char *name, const char *path, uint32_t *offset_align_bytes,
                      uint32_t *memory_align_bytes, struct error *err)
{
    uint32_t page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
    int code = 0, reported;
    int fd = OS_O_DIRECT == 0 ? -EINVAL : file_open_quietly(dir_fd, name, OS_O_DIRECT);

    if (fd == -EINVAL)
        return direct_refused(path, EINVAL, err);
    if (fd < 0)
        return error_set(err, STATUS_TARGET, -fd, "cannot open", path);
    reported = os_direct_align(fd, offset_align_bytes, memory_align_bytes);
    if (reported <= 0) {
        /* Refused by the kernel, or accepted by an emulator that transferred only a part. */
        *offset_align_bytes = direct_tried(fd, page_bytes, reported < 0, &code);
        *memory_align_bytes = page_bytes; /* the alignment it was tried with */
    }
    close(fd);
    if (*offset_align_bytes == 0)
        return direct_refused(path, reported < 0 ? EOPNOTSUPP : code, err);
    if (*memory_align_bytes == 0)
        *memory_align_bytes = *offset_align_bytes;
    return 0;
}

int file_advise(struct error *err, int errnum)
{
    switch (errnum) {
    case EIO:
        return error_advise(err, "the storage reports an error; the kernel log (dmesg) says more");
    case ESTALE:
        return error_advise(err, "the file server no longer knows it; mount it again");
    case ENOSPC:
    case EDQUOT:
        return error_advise(err, "make room or use a smaller -l, --levels or --width");
    case EINTR:
        return error_advise(err, "the call keeps being interrupted; try another file system");
    case EMFILE:
    case ENFILE:
        return error_advise(err, "raise the limit of open files (ulimit -n)");
    default:
        return -1;
    }
}

int64_t file_length(int fd, const char *path, struct error *err)
{
    struct stat st;
    uint64_t device_bytes = 0;
    off_t end;

    if (fstat(fd, &st) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot determine the length of", path);
    if (S_ISREG(st.st_mode))
        return st.st_size;
    if (!S_ISBLK(st.st_mode))
        return error_set(err, STATUS_TARGET, 0, "neither a regular file nor a block device:", path);
    if (os_device_bytes(fd, &device_bytes) == 0 && device_bytes <= INT64_MAX)
        return (int64_t)device_bytes;
    end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot determine the length of", path);
    return end;
}

/* ---- the page cache ---- */

int64_t file_load(int fd, void *buffer, uint64_t limit_bytes, const volatile int *stop)
{
    uint64_t done_bytes = 0;
    unsigned again = 0;

    while (done_bytes < limit_bytes && flag_read(stop) == 0) {
        uint64_t left = limit_bytes - done_bytes;
        ssize_t got = read(fd, buffer, left < FILE_LOAD_BYTES ? (size_t)left : FILE_LOAD_BYTES);

        if (got < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        done_bytes += (uint64_t)got;
    }
    return (int64_t)done_bytes;
}

void file_forget(const struct workload *work, uint32_t object, uint64_t offset_bytes)
{
    const struct target *target = work->target;
    const int flags = (file_open_flags(work) & ~(O_ACCMODE | OS_O_DIRECT)) | O_RDONLY;
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t begin = offset_bytes / page_bytes * page_bytes;
    const uint64_t end = (offset_bytes + work->io_bytes + page_bytes - 1) / page_bytes * page_bytes;
    const int fd = os_open_at(target->dir_fd, target->name[object], flags, 0);

    if (fd < 0)
        return;
    os_evict_range(fd, begin, end);
    close(fd);
}
