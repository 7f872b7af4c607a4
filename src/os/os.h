/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* os.h - everything that differs between systems, and all that a port must implement: os/linux/,
 * os/bsd/ (FreeBSD, NetBSD, OpenBSD, and what macOS shares with them), os/darwin/ and os/windows/.
 * What a system lacks, or is not written for it, comes from os/posix/unknown.c, which works on any
 * POSIX.1-2008 system. Code common to all systems is in os/posix/shared.c and, built on these
 * calls, in the files of os/ itself. src/os/local.mk lists the files of each system.
 *
 * Unless stated otherwise, a call returns 0 or -errno, is cold, and accepts descriptors opened for
 * reading only. -ENOTSUP: the system has no such feature; the caller then leaves a field empty or
 * refuses an option, and never silently does something else. */
#ifndef OS_OS_H
#define OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "os/counts.h"

/* What os/SYSTEM/inline.h defines besides:
 * OS_O_DIRECT      flag of os_openat and os_open_at: bypass the page cache; 0: not supported
 * OS_DIRECT_ADVISORY  whether the system may ignore OS_O_DIRECT without reporting it
 * OS_CLAIMS_DEVICES  whether O_EXCL, without O_CREAT, refuses a device that is mounted or in use
 * OS_OPEN_SYNCS    whether writes to a file opened with O_DSYNC or O_SYNC have reached the medium,
 *                  not only the cache of a drive, when they return
 * OS_O_NOATIME     keeps the access time; EPERM unless the caller owns the file or is root; 0: not
 *                  supported
 * OS_O_LOOK        for fstat and as dir_fd: needs no read permission where the system allows that,
 *                  never blocks
 * OS_O_LARGEFILE   what libc adds to openat(2), for callers that bypass libc
 * OS_CAN_EVICT     whether os_evict drops anything
 * OS_CAN_PIN       whether os_pin binds threads
 * OS_CALLS         name of the engine that uses this system's plain calls
 * OS_STREAM_PATHS  prefixes of paths that name an open descriptor of this process, not a file */

/* ---- opening ---- */

/* The arguments of openat2(2). */
struct os_how {
    uint64_t flags, mode; /* of openat(2); mode only where `resolve` is honoured */
    uint64_t resolve;     /* OS_STAY_ON_MOUNT ...; 0: default path resolution */
};
#define OS_STAY_ON_MOUNT 0x01u
#define OS_NO_LINKS      0x04u
#define OS_BENEATH       0x08u

/* Hot. Like openat(2): -1 with errno. Honours how->resolve if os_opens_beneath(). */
static inline int os_openat(int dir_fd, const char *name, const struct os_how *how);

/* Hot. Like openat(2): -1 with errno, ELOOP if O_NOFOLLOW met a link. */
static inline int os_open_at(int dir_fd, const char *name, int flags, unsigned mode);

/* Whether this kernel honours `resolve`; asks the kernel once. */
bool os_opens_beneath(void);

/* The file that a name refers to. */
struct beneath_id {
    uint64_t inode, device;
    uint32_t links;
    uint32_t type;  /* S_IFMT bits; 0: unknown */
    uint64_t bytes; /* length */
    bool has_mount;
    uint64_t mount; /* id of the mount, where the system reports it */
};

/* Like beneath_look, with the id of the mount. -ENOTSUP: only fstatat(2) is available. */
int os_look(int dir_fd, const char *name, struct beneath_id *id);

/* Creation time of a file in seconds since 1970, by the clock of its file system; "": of dir_fd. 0:
 * unknown, or not reported consistently for all files there. -1: it cannot be examined (errno). */
int64_t os_born_s(int dir_fd, const char *name);

/* Opens a file in memory for reading and writing, and stores a path by which it can be opened again
 * while it stays open. Returns a descriptor or -errno. */
int os_open_memory_file(char *path, size_t path_size);

/* The entries of a directory except "." and "..", in the order of the file system. Begin takes over
 * the descriptor, end closes it; next returns 1, 0 at the end, or -errno. Allocates nothing where
 * the system allows. The buffer has `room` bytes, is aligned for 8-byte integers and must stay
 * valid until end. */
enum os_entry { OS_ENTRY_UNKNOWN, OS_ENTRY_DIRECTORY, OS_ENTRY_OTHER };
struct os_listing {
    int fd;
    void *stream;
    char *buffer;
    size_t room, at, end;
};
static inline void os_list_begin(struct os_listing *listing, int fd, void *buffer, size_t room)
{
    *listing = (struct os_listing){.fd = fd, .buffer = buffer, .room = room};
}
int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind);
void os_list_end(struct os_listing *listing);

/* Locks an open file or directory as a whole against other open file descriptions, until it is
 * closed; does not wait. -EWOULDBLOCK: locked elsewhere; other codes: locks are not supported. */
int os_lock(int fd, bool exclusive);

/* Hot. A C library stream for a file open for writing. Where write(2) moves nothing, fwrite fails
 * with errno 0 (some libraries retry for ever). NULL with errno. */
FILE *os_write_stream(int fd);

/* ---- writing back ---- */

/* Hot. fsync(2) that returns only when the data are on the medium itself. -1 with errno. */
static inline int os_sync(int fd);

/* Hands the data, and the metadata needed to find them, to the storage. For the program's own
 * records, not for what it measures. -1 with errno. */
static inline int os_sync_data(int fd);

/* ---- the page cache ---- */

/* Hot. Advises against reading ahead. */
static inline void os_expect_random(int fd);
/* Advises to read ahead far; to read the whole file now. */
static inline void os_expect_sequence(int fd);
static inline void os_fetch(int fd);

/* Hot. Like read(2), pread(2), write(2) and pwrite(2) (offset -1: the file position), but leave
 * nothing in the page cache. -1 with errno. */
static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset);
static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes,
                                        off_t offset);

/* Writes back a file (unless the system reports that nothing is dirty) and drops its pages from the
 * page cache (file systems in memory keep theirs). -ENOTSUP: written back, but nothing can be
 * dropped. */
int os_evict(int fd);

/* Drops the pages that lie wholly in a range. Best effort. */
void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes);

/* Bytes of [0, length_bytes) in the page cache; -1 when unknown. */
int64_t os_resident_bytes(int fd, uint64_t length_bytes);

/* ---- files, devices and file systems ---- */

/* The alignment in bytes that OS_O_DIRECT needs of offsets and lengths, and of buffers. Returns 1:
 * known, 0: not reported, -1: the system reports that O_DIRECT does not work on this file. */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes);

/* What is known about an open file, directory or device and its file system. */
enum os_trait {
    OS_IN_MEMORY = 1u << 0, /* there is no storage below */
    /* closing sends written data to a server or a daemon; closing an entry of a ring's own file
     * table does not */
    OS_CLOSE_FLUSHES = 1u << 1,
    OS_INODES_LAST = 1u << 2, /* inode numbers are stable while a file is not in use */
    OS_ACCOUNTED = 1u << 3,   /* usage_read counts its traffic (block-based file systems) */
    OS_READ_ONLY = 1u << 4,   /* a device that refuses writes, although it can be opened for them */
    OS_NOWAIT = 1u << 5,      /* a regular file that supports reading only what is cached */
};
unsigned os_traits(int fd);

/* Finds a user of an open regular file or block device (given with its absolute path) that O_EXCL
 * does not reveal: a loop device on it, a mount of it, swap, or the same on the backing store of a
 * loop device or mapping. Returns 1 with "it backs loop1" in `who`, or 0: no user found. Does no
 * I/O on the file or on other mounts. */
int os_user_of(int fd, const char *path, char *who, size_t size);

/* Length of a block device; -ENOTSUP: the caller may try lseek(2) to the end. */
int os_device_bytes(int fd, uint64_t *bytes);

/* Allocates space for the first `bytes` of a file open for writing, for an early ENOSPC and long
 * extents. -ENOTSUP: not on this file system. */
int os_reserve(int fd, uint64_t bytes);

/* Hot. Copies at most size_bytes from an offset of one open file to the file position of another,
 * inside the system. Returns the bytes copied, 0 at the end of the first, or -errno. -ENOTSUP: not
 * between these files. */
int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes);

/* Writes back the whole file system of an open directory. -ENOTSUP: the caller has to sync each
 * file. */
int os_sync_file_system(int fd);

/* Limits on the cost of os_extents_add. */
struct extents_limits {
    uint64_t count;           /* extents, and as many transitions between data and hole, per file */
    uint64_t until_ns;        /* of CLOCK_MONOTONIC; UINT64_MAX: no limit */
    const volatile int *stop; /* non-zero: return soon; MAY be NULL */
};

/* Adds the first length_bytes of an open regular file to a sum that starts at zero; other files add
 * nothing. Writes and flushes nothing and changes no times, but moves the file position. */
void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits);

/* The mount of an open directory or file if it is a network file system whose counters can be read,
 * or NULL. Free with os_mount_free. */
struct os_mount *os_mount_find(int fd);
void os_mount_free(struct os_mount *mount); /* NULL is fine */

/* Reads the current counters; false: they cannot be read and *traffic is unchanged. */
struct target_traffic;
bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic);

/* ---- threads, memory ---- */

/* Reads the usage of the calling thread; unknown fields are 0, with io_known false. */
void usage_read(struct usage *usage);

/* User + system time of the calling thread so far; 0 when unknown. */
uint64_t usage_cpu_ns(void);

/* Fills in the times by mode, as getrusage(2) has them for RUSAGE_SELF or RUSAGE_THREAD; not on
 * Windows. */
void usage_read_modes(struct usage *usage, int whose);

/* Fills in the processor times of all threads of the process, including those that have ended, and
 * no other field. */
void usage_read_process(struct usage *usage);

/* The usage of the kernel threads that do I/O for this process (io_uring's "iou-wrk-N" and
 * "iou-sqp-N"), summed over those that exist now: when one ends its share is gone, so a later sum
 * can be smaller. io_known is false if there are some, and none of their I/O accounts can be
 * read. */
void usage_read_helpers(struct usage *usage);

struct os_memory {              /* all 0 when unknown */
    uint64_t available_bytes;   /* without swapping, within the limits of control groups */
    uint64_t allocatable_bytes; /* also within the limits of this process (ulimit -v, -d) */
};
struct os_memory os_memory(void);

/* Allocates aligned memory (align_bytes: a power of 2 >= 64), not cleared. 0 or an errno. */
int os_aligned(void **memory, size_t align_bytes, size_t size_bytes);
void os_aligned_free(void *memory); /* NULL is fine */

/* --pin: binds the calling thread to processor number `index` (modulo their count) of those it may
 * run on now. Best effort. *before (MAY be NULL): the previous set, for os_unpin; NULL if it cannot
 * be read, in which case nothing was changed. */
struct os_pin;
void os_pin(uint32_t index, struct os_pin **before);
void os_unpin(struct os_pin *before); /* restores and frees; NULL is fine */

/* Sets how late the kernel may wake the calling thread in order to coalesce timers; 0 changes
 * nothing. Returns the previous value; 0: nothing was changed. */
uint64_t os_timer_slack(uint64_t slack_ns);

/* ---- programs ---- */

/* The absolute path of the file from which this program was started, with links resolved, whether
 * it was called by name, by a link or by a path.  called: argv[0], used by systems that do not
 * report the path.  To be freed; NULL: unknown. */
char *os_program_path(const char *called);

/* Replaces this program by a script. arguments[0] is left out, NULL ends them. Returns only on
 * failure, with -errno: -ENOENT also if the script's interpreter does not exist. */
int os_become_script(const char *path, char *const arguments[]);

/* ---- the machine; see os/facts.h ---- */

/* Callers zero the structures (rotational: -1); os/facts.c fills in what any system has. */

/* Processor, governor, virtualization, limits, memory; corrects `cpus`. */
struct hostinfo;
void os_host_facts(const char *root, struct hostinfo *info);

/* File system, mount and device; `path`, path_device and is_device are set. Must not access the
 * target itself: a server that does not answer would block the program. */
struct targetinfo;
void os_target_facts(const char *root, struct targetinfo *info);

/* "glibc 2.36"; "": unknown. */
void os_libc_name(char *text, size_t size);

/* A random number; without a source of random bytes, one made from the clock and the process id. */
uint64_t os_random_number(void);

/* Identifies a process of a host, uniquely until the host reboots. */
struct os_process {
    uint64_t host;  /* this boot of the host and its pid namespace; 0: unknown */
    uint64_t pid;   /* in that namespace */
    uint64_t start; /* start time, in units of the system; 0: unknown */
};

void os_process_self(struct os_process *self);

/* Whether a process still exists: GONE and THERE are certain. */
enum os_whereabouts { OS_ELSEWHERE, OS_GONE, OS_THERE };
enum os_whereabouts os_process_look(const struct os_process *process);

/* Columns and (lines: MAY be NULL) lines of the terminal of a descriptor. Returns the columns; 0:
 * not a terminal, or unknown. */
unsigned os_terminal_columns(int fd, unsigned *lines);

/* Whether this program may write to the terminal of a descriptor: not while the shell has put it in
 * the background. True for anything that is not its controlling terminal. */
bool os_terminal_is_ours(int fd);

/* Selects the system that this is built for, the only place in the sources that does. */
#if defined(SYSTEM_LINUX)
#include "os/linux/inline.h"
#elif defined(SYSTEM_FREEBSD) || defined(SYSTEM_NETBSD) || defined(SYSTEM_OPENBSD)
#include "os/bsd/inline.h"
#elif defined(SYSTEM_DARWIN)
#include "os/darwin/inline.h"
#elif defined(SYSTEM_WINDOWS)
#include "os/windows/inline.h"
#else
#include "os/posix/inline.h"
#endif
#ifndef OS_CALLS
#define OS_CALLS "posix"
#endif

#endif
