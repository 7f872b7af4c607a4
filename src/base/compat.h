/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - the only home of "missing on this system": fallbacks for what headers or libc lack.
 * Features are tested, never operating system names (Linux is what configure accepts today). */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdint.h>
#include <sys/syscall.h>

/* cachestat(2), Linux 6.5: the same number on every architecture; headers of older libcs lack it. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

struct compat_cachestat_range {
    uint64_t off, len;
};
struct compat_cachestat {
    uint64_t nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted;
};

/* openat2(2), Linux 5.6: the same number on every architecture. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

struct compat_open_how {
    uint64_t flags, mode, resolve;
};
#define COMPAT_RESOLVE_NO_XDEV     0x01u
#define COMPAT_RESOLVE_NO_SYMLINKS 0x04u
#define COMPAT_RESOLVE_BENEATH     0x08u

/* statx(2) with the number of the mount, Linux 5.8. */
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif

/* statx(2) with the direct I/O alignment, Linux 6.1. */
#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x00002000U
#endif

/* preadv2(2), Linux 4.6: where libc lacks it, it is refused as by an older kernel. */
#ifndef HAVE_PREADV2
#include <errno.h>
#define preadv2(fd, vector, count, offset, flags)  ((void)(vector), errno = ENOSYS, (ssize_t)-1)
#define pwritev2(fd, vector, count, offset, flags) ((void)(vector), errno = ENOSYS, (ssize_t)-1)
#endif

/* preadv2(2): do not wait, Linux 4.14. */
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

/* preadv2(2): drop what this call brings into the page cache, Linux 6.14. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

#endif
