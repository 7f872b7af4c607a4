/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - open files as far as systems differ: flags, the page cache, alignment, space, locks.
 * Cold unless said otherwise; descriptors may be open for reading only unless said otherwise.
 * Results as os.h has them. */
#ifndef OS_FILE_H
#define OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Flags of open(2) that not all systems have; 0 where there is no such thing.
 * OS_O_DIRECT   past the page cache
 * OS_O_NOATIME  leaves the access time alone; EPERM for those who neither own the file nor are root
 * OS_O_LOOK     for fstat and as a place to go on from: needs no permission to read where that can
 * be,
 *               never blocks
 * OS_O_LARGEFILE  what libc adds to openat(2), for those who call otherwise */

/* ---- the page cache; the first three are hot, in os/SYSTEM/inline.h ---- */

/* Nothing is to be read ahead. */
static inline void os_expect_random(int fd);

/* read(2), pread(2) and their like (offset -1: where the file stands) that leave nothing in the
 * page cache.  -1 with errno; only where os_reads_drop found that they work. */
static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset);
static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes,
                                        off_t offset);

/* True when os_read_dropping works on this file and, as far as the system tells, leaves no page
 * behind.  Its pages must have been evicted before; reads a byte. */
bool os_reads_drop(int fd);

/* Whether os_evict does anything here. */
bool os_can_evict(void);

/* Writes back (unless the system says that nothing is dirty) and drops all pages of a file from the
 * page cache (file systems in memory keep theirs).  Returns 0 or -errno; -ENOTSUP: written back,
 * but nothing can be dropped. */
int os_evict(int fd);

/* Drops the pages that lie in a range.  Best effort. */
void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes);

/* Bytes of [0, length_bytes) in the page cache; -1 when unknown. */
int64_t os_resident_bytes(int fd, uint64_t length_bytes);

/* True when this file can be asked for what is in the page cache only.  Reads nothing. */
bool os_knows_nowait(int fd);

/* ---- files, devices and file systems ---- */

/* What OS_O_DIRECT needs: offsets and lengths, and buffers, in multiples of so many bytes.  1
 * known, 0 not said, -1 the system says that it does not work on this file. */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes);

/* What is known of the file system of an open file or directory (or, of a device, of the
 * device). */
enum os_trait {
    OS_IN_MEMORY = 1u << 0, /* there is no storage below */
    /* closing sends what was written to a server or a program; closing an entry of a ring's own
     * file table does not */
    OS_CLOSE_FLUSHES = 1u << 1,
    OS_INODES_LAST = 1u << 2, /* inode numbers stay the same while a file is not in use */
    OS_ACCOUNTED = 1u << 3,   /* usage_read sees its traffic (block-based file systems) */
};
unsigned os_traits(int fd);

/* Length of a block device; -ENOTSUP: lseek(2) to the end may tell. */
int os_device_bytes(int fd, uint64_t *bytes);

/* The system says that the device takes no writes, though it can be opened for writing. */
bool os_device_read_only(int fd);

/* Takes space for the first `bytes` of a file open for writing: early ENOSPC and long extents.
 * -ENOTSUP: not on this file system. */
int os_reserve(int fd, uint64_t bytes);

/* Writes back all of the file system of an open directory.  -ENOTSUP: files have to be synced one
 * by one. */
int os_sync_file_system(int fd);

/* Locks an open file or directory as a whole, till it is closed, against other openings of it;
 * does not wait.  -EWOULDBLOCK: somebody else holds it; other codes: no locks here. */
int os_lock(int fd, bool exclusive);

/* The first entry of an open directory but ".", ".." and `except`, where the system allows without
 * allocating.  Returns 1; 0: there is none; or -errno. */
int os_first_entry(int dir_fd, const char *except, char *name, size_t name_size);

/* ---- files without a name ---- */

/* A new file in a directory, open for writing, that is gone when it is closed unless it gets a name
 * by os_name_file (an absolute one or from the working directory; -EEXIST: it is taken). */
int os_open_unnamed(const char *directory);
int os_name_file(int fd, const char *name);

/* A file in memory, open for reading and writing, and a path by which it can be opened again as
 * long as it is open.  Returns a descriptor or -errno. */
int os_open_memory_file(char *path, size_t path_size);

/* The path names an open descriptor or a standard stream of this process, not a file of its own. */
bool os_path_is_stream(const char *path);

#include "os/inline.h"

#endif
