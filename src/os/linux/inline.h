/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline.h - what is hot, or a constant, on Linux; included by the headers of os/ that say what it
 * means. */
#ifndef OS_LINUX_INLINE_H
#define OS_LINUX_INLINE_H

#include <fcntl.h>
#include <unistd.h>

#include "os/beneath.h"
#include "os/linux/kernel.h"

#define OS_O_DIRECT    O_DIRECT
#define OS_O_NOATIME   O_NOATIME
#define OS_O_LOOK      O_PATH
#define OS_O_LARGEFILE O_LARGEFILE /* libc adds it to openat(2) only */

static inline int opener_open(const struct opener *opener, uint32_t object)
{
    if (__builtin_expect(opener->how.resolve != 0, 1))
        return (int)syscall(SYS_openat2, opener->dir_fd, opener->name[object], &opener->how,
                            sizeof(opener->how));
    return openat(opener->dir_fd, opener->name[object], (int)opener->how.flags);
}

static inline void os_expect_random(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
}

static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset)
{
    const struct iovec vector = {.iov_base = buffer, .iov_len = size_bytes};

    return preadv2(fd, &vector, 1, offset, RWF_DONTCACHE);
}

static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes, off_t offset)
{
    const struct iovec vector = {.iov_base = (void *)(uintptr_t)buffer, .iov_len = size_bytes};

    return pwritev2(fd, &vector, 1, offset, RWF_DONTCACHE);
}

#endif
