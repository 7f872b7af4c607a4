/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_cache.c - the page cache of one file: what is in it, dropping it, loading it.  How a file
 * came into the cache changes later results by more than tenfold (sizes of folios), so there is one
 * way out (all of it, clean) and one way in (in order, 1 MiB at a time). */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/flag.h"
#include "engine/file.h"

#define MINCORE_PAGES   4096u
#define MAGIC_OVERLAYFS 0x794c7630u

/* The pages of a file on overlayfs belong to the file below, and cachestat sees none of them. */
static bool cache_state(int fd, uint64_t length_bytes, struct compat_cachestat *state)
{
    struct compat_cachestat_range range = {.off = 0, .len = length_bytes};
    struct statfs fs;

    if (fstatfs(fd, &fs) != 0 || (uint32_t)fs.f_type == MAGIC_OVERLAYFS)
        return false;
    return syscall(SYS_cachestat, fd, &range, state, 0) == 0;
}

int file_evict(int fd)
{
    struct compat_cachestat state;
    int code;

    /* fsync of a clean file may still flush the device: a millisecond that nobody needs. */
    if (!cache_state(fd, 0, &state) || state.nr_dirty > 0 || state.nr_writeback > 0)
        if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS)
            return -errno;
    code = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return code == EINVAL || code == ENOSYS ? 0 : -code;
}

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

/* The kernel answers "all of it" to those who could neither write the file nor own it. */
static bool mincore_is_honest(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (geteuid() == 0 || st.st_uid == geteuid());
}

static int64_t resident_by_mincore(int fd, uint64_t length_bytes)
{
    unsigned char state[MINCORE_PAGES];
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t window_bytes = page_bytes * MINCORE_PAGES, pages = 0;

    if (!mincore_is_honest(fd))
        return -1;
    for (uint64_t at = 0; at < length_bytes; at += window_bytes) {
        uint64_t left = length_bytes - at;
        size_t size_bytes = (size_t)(left < window_bytes ? left : window_bytes);
        void *map = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd, (off_t)at);
        int failed;

        if (map == MAP_FAILED)
            return -1;
        failed = mincore(map, size_bytes, state);
        munmap(map, size_bytes);
        if (failed)
            return -1;
        for (uint64_t i = 0; i * page_bytes < size_bytes; i++)
            pages += state[i] & 1u;
    }
    return (int64_t)(pages * page_bytes);
}

int64_t file_resident_bytes(int fd, uint64_t length_bytes)
{
    struct compat_cachestat state;
    int64_t bytes;

    if (length_bytes == 0)
        return 0;
    if (cache_state(fd, length_bytes, &state))
        bytes = (int64_t)(state.nr_cache * (uint64_t)sysconf(_SC_PAGESIZE));
    else
        bytes = resident_by_mincore(fd, length_bytes);
    return bytes > (int64_t)length_bytes ? (int64_t)length_bytes : bytes;
}

void file_forget(int dir_fd, const char *name, int flags, uint64_t offset_bytes,
                 uint64_t size_bytes)
{
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t begin = offset_bytes / page_bytes * page_bytes;
    const uint64_t end = (offset_bytes + size_bytes + page_bytes - 1) / page_bytes * page_bytes;
    const int fd = openat(dir_fd, name, (flags & ~(O_ACCMODE | O_DIRECT)) | O_RDONLY);

    if (fd < 0)
        return;
    posix_fadvise(fd, (off_t)begin, (off_t)(end - begin), POSIX_FADV_DONTNEED);
    close(fd);
}

bool file_drops_behind(int fd)
{
    char byte;
    const struct iovec one = {.iov_base = &byte, .iov_len = 1};

    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
    if (preadv2(fd, &one, 1, 0, RWF_DONTCACHE) != 1)
        return false;
    return file_resident_bytes(fd, 1) <= 0;
}
