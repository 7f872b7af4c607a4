/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* os.h - what differs between systems, and all that a port must fill: os/linux/ does it as Linux
 * can, os/freebsd/, os/netbsd/, os/openbsd/, os/darwin/ and os/windows/ as those can (os/bsd/: what
 * they share). What a system cannot do, or nobody has written, comes from os/posix/unknown_*.c, one
 * file for each matter, which any system of POSIX.1-2008 can have.  What all do alike is in
 * os/posix/shared.c and, made of these calls, in the files of os/ itself.  Makefile.am says what
 * each system takes.
 *
 * Unless said otherwise 0 is done, -errno failed, and a call is cold; descriptors may be open for
 * reading only.  -ENOTSUP: this system has no such thing; the caller then leaves a field empty or
 * refuses an option, and never takes another way without a word. */
#ifndef OS_OS_H
#define OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "os/counts.h"

/* What os/SYSTEM/inline.h says besides:
 * OS_O_DIRECT      flag of os_openat and os_open_at: past the page cache; 0: not here
 * OS_DIRECT_ADVISORY  whether the system only tries to go past it, and says so nowhere
 * OS_CLAIMS_DEVICES  whether O_EXCL, without O_CREAT, refuses a device that is mounted or in use
 * OS_OPEN_SYNCS    whether writes to what is open with O_DSYNC or O_SYNC have reached the storage
 *                  itself, not the cache of a drive, when they return
 * OS_O_NOATIME     leaves the access time alone; EPERM for those who neither own the file nor are
 *                  root; 0: not here
 * OS_O_LOOK        for fstat and as a place to go on from: needs no permission to read where that
 *                  can be, never blocks
 * OS_O_LARGEFILE   what libc adds to openat(2), for those who call otherwise
 * OS_CAN_EVICT     whether os_evict drops anything
 * OS_CAN_PIN       whether os_pin keeps threads where they are told
 * OS_CALLS         name of the engine that is made of this system's plain calls
 * OS_STREAM_PATHS  how paths begin that name an open descriptor of this process, not a file
 * OS_HOSTS_IN_PATHS  whether //HOST/SHARE names a directory without mounting it */

/* ---- opening ---- */

/* As openat2(2) of Linux takes it. */
struct os_how {
    uint64_t flags, mode; /* of openat(2); mode only where `resolve` is heeded */
    uint64_t resolve;     /* OS_STAY_ON_MOUNT ...; 0 where the system follows names as it likes */
};
#define OS_STAY_ON_MOUNT 0x01u
#define OS_NO_LINKS      0x04u
#define OS_BENEATH       0x08u

/* Hot.  As openat(2): -1 with errno.  Heeds how->resolve where os_opens_beneath. */
static inline int os_openat(int dir_fd, const char *name, const struct os_how *how);

/* Hot.  As openat(2): -1 with errno, which is ELOOP where O_NOFOLLOW met a link. */
static inline int os_open_at(int dir_fd, const char *name, int flags, unsigned mode);

/* Whether this kernel heeds `resolve`; asks once. */
bool os_opens_beneath(void);

/* What a name stands for. */
struct beneath_id {
    uint64_t inode, device;
    uint32_t links;
    uint32_t type;  /* S_IFMT bits; 0: nothing is known */
    uint64_t bytes; /* how long it is */
    bool has_mount;
    uint64_t mount; /* which mount it is reached through, where the system says so */
};

/* As beneath_look, with the number of the mount.  -ENOTSUP: only fstatat(2) is here. */
int os_look(int dir_fd, const char *name, struct beneath_id *id);

/* When what a name stands for was made, in seconds since 1970 by the clock of the file system; "":
 * dir_fd itself.  0: that is not known, or not in the same way of all that lies there. */
int64_t os_born_s(int dir_fd, const char *name);

/* A file in memory, open for reading and writing, and a path by which it can be opened again as
 * long as it is open.  Returns a descriptor or -errno. */
int os_open_memory_file(char *path, size_t path_size);

/* The first entry of an open directory but ".", ".." and `except`, where the system allows without
 * allocating.  Returns 1; 0: there is none; or -errno. */
int os_first_entry(int dir_fd, const char *except, char *name, size_t name_size);

/* The entries of a directory, but for "." and "..", in the order of the file system.  Begin takes
 * the descriptor over, which end closes; next returns 1, 0 at the end, or -errno.  Allocates
 * nothing where the system allows; buffer: room bytes, for 8-byte integers, till the end. */
enum os_entry { OS_ENTRY_UNKNOWN, OS_ENTRY_DIRECTORY, OS_ENTRY_OTHER };
struct os_listing {
    int fd;
    void *stream;
    char *buffer;
    size_t room, at, end;
};
void os_list_begin(struct os_listing *listing, int fd, void *buffer, size_t room);
int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind);
void os_list_end(struct os_listing *listing);

/* Locks an open file or directory as a whole, till it is closed, against other openings of it;
 * does not wait.  -EWOULDBLOCK: somebody else holds it; other codes: no locks here. */
int os_lock(int fd, bool exclusive);

/* Hot.  A stream of the C library for an open file that is written.  Where write(2) moves nothing,
 * fwrite ends with errno 0 (some libraries try that for ever).  NULL with errno. */
FILE *os_write_stream(int fd);

/* ---- writing back ---- */

/* Hot.  fsync(2) as one thinks of it: what was written has reached the storage itself.  -1 with
 * errno. */
static inline int os_sync(int fd);

/* The data, and what is needed to find them, are in the hands of the storage; for what the program
 * notes down, not for what it measures.  -1 with errno. */
static inline int os_sync_data(int fd);

/* ---- the page cache ---- */

/* Hot.  Nothing is to be read ahead. */
static inline void os_expect_random(int fd);
/* Much is to be read ahead; or all that is in the file, at once. */
static inline void os_expect_sequence(int fd);
static inline void os_fetch(int fd);

/* Hot.  read(2), pread(2) and their like (offset -1: where the file stands) that leave nothing in
 * the page cache.  -1 with errno. */
static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset);
static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes,
                                        off_t offset);

/* Writes back (unless the system says that nothing is dirty) and drops all pages of a file from the
 * page cache (file systems in memory keep theirs).  -ENOTSUP: written back, but nothing can be
 * dropped. */
int os_evict(int fd);

/* Drops the pages that lie in a range.  Best effort. */
void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes);

/* Bytes of [0, length_bytes) in the page cache; -1 when unknown. */
int64_t os_resident_bytes(int fd, uint64_t length_bytes);

/* ---- files, devices and file systems ---- */

/* What OS_O_DIRECT needs: offsets and lengths, and buffers, in multiples of so many bytes.  1
 * known, 0 not said, -1 the system says that it does not work on this file. */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes);

/* What is known of an open file, device or directory and the file system it lies on. */
enum os_trait {
    OS_IN_MEMORY = 1u << 0, /* there is no storage below */
    /* closing sends what was written to a server or a program; closing an entry of a ring's own
     * file table does not */
    OS_CLOSE_FLUSHES = 1u << 1,
    OS_INODES_LAST = 1u << 2, /* inode numbers stay the same while a file is not in use */
    OS_ACCOUNTED = 1u << 3,   /* usage_read sees its traffic (block-based file systems) */
    OS_READ_ONLY = 1u << 4,   /* a device that takes no writes, though it can be opened for them */
    OS_NOWAIT = 1u << 5,      /* a regular file that can be asked for what is cached only */
};
unsigned os_traits(int fd);

/* Who uses the bytes of an open regular file or block device, whose absolute path is given, in ways
 * that O_EXCL does not show: a loop device over it, a mount of it, swap, and the same of the
 * backing of a loop device or mapping.  Puts "it backs loop1" into who and returns 1; 0: no user
 * was found. Does no I/O on the file, nor on other mounts. */
int os_user_of(int fd, const char *path, char *who, size_t size);

/* Length of a block device; -ENOTSUP: lseek(2) to the end may tell. */
int os_device_bytes(int fd, uint64_t *bytes);

/* Takes space for the first `bytes` of a file open for writing: early ENOSPC and long extents.
 * -ENOTSUP: not on this file system. */
int os_reserve(int fd, uint64_t bytes);

/* Hot.  Copies at most that many bytes from a place in an open file to where the other one stands,
 * inside the system.  Returns the bytes copied, 0 at the end of the first, or -errno.  -ENOTSUP:
 * not between these files. */
int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes);

/* Writes back all of the file system of an open directory.  -ENOTSUP: files have to be synced one
 * by one. */
int os_sync_file_system(int fd);

/* What a look may cost. */
struct extents_limits {
    uint64_t count;           /* extents, and as many changes between data and hole, of one file */
    uint64_t until_ns;        /* of CLOCK_MONOTONIC; UINT64_MAX: no limit */
    const volatile int *stop; /* not 0: end soon; MAY be NULL */
};

/* Adds the first length_bytes of an open regular file to a sum that is zero at first.  Writes
 * nothing, flushes nothing, changes no times; moves the file position.  Other kinds of files are
 * not added. */
void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits);

/* The mount that an open directory or file lies on, where a network file system counts what it
 * does; NULL: nothing is counted there, or the system does not tell.  *options: those that matter
 * for speed, separated by ", ", to be freed; NULL: none.  Free with os_mount_free. */
struct os_mount *os_mount_find(int fd, char **options);
void os_mount_free(struct os_mount *mount); /* NULL is fine */

/* Reads the counters now; false: they cannot be read (*traffic is not changed). */
struct target_traffic;
bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic);

/* ---- threads, memory ---- */

/* Reads what the calling thread has used; unknown parts stay 0 with io_known false. */
void usage_read(struct usage *usage);

/* User + system time of the calling thread so far; 0 when unknown. */
uint64_t usage_cpu_ns(void);

/* What all threads of the process have used of processors so far, also those that have ended;
 * nothing else of it is filled in. */
void usage_read_process(struct usage *usage);

/* The same of the kernel threads that do I/O on behalf of the calling thread (io_uring's
 * "iou-wrk-N" and "iou-sqp-N", N being its number), summed over those that exist now: one that ends
 * takes its share along, so a later sum can be smaller.  N is counted in the first pid namespace:
 * inside another one they are told apart only while the calling thread is the only one with helpers
 * to be expected (all other tasks of the process are helpers); else io_known is false.  It is also
 * false when there are helpers and none of their I/O accounts can be read.  Allocates nothing. */
void usage_read_helpers(struct usage *usage);

struct os_memory {              /* all 0 when unknown */
    uint64_t available_bytes;   /* without swapping, and within the limits of control groups */
    uint64_t allocatable_bytes; /* and within the limits of this process (ulimit -v, -d) */
};
struct os_memory os_memory(void);

/* Memory at a multiple of align_bytes, a power of 2 from 64 on; not cleared.  0 or an errno. */
int os_aligned(void **memory, size_t align_bytes, size_t size_bytes);
void os_aligned_free(void *memory); /* NULL is fine */

/* --pin: lets the calling thread run only on processor number `index` (modulo their count) of those
 * it may use now.  Best effort.  *before (MAY be NULL): where it might run till now, for os_unpin;
 * NULL when that cannot be known: then nothing was changed. */
struct os_pin;
void os_pin(uint32_t index, struct os_pin **before);
void os_unpin(struct os_pin *before); /* puts back and frees; NULL is fine */

/* How much later than asked for the calling thread may be woken, so that wake-ups can be gathered;
 * 0 leaves it.  Returns what it was; 0: nothing was changed. */
uint64_t os_timer_slack(uint64_t slack_ns);

/* ---- programs ---- */

/* A script takes the place of this program; arguments[0] is left out, NULL ends them.  Returns
 * -errno, and only if that failed: -ENOENT also where what its first line names is not there. */
int os_become_script(const char *path, char *const arguments[]);

/* ---- the machine; see os/facts.h ---- */

/* Structures are zeroed (rotational is -1) but for what os/facts.c knows of any system. */

/* Processor, governor, virtualization, limits, memory, load; corrects `cpus`. */
struct hostinfo;
void os_host_facts(const char *root, struct hostinfo *info);

/* File system, mount, device; `path`, path_device and is_device are known.  Must not ask the target
 * itself: a server that does not answer would stop us. */
struct targetinfo;
void os_target_facts(const char *root, struct targetinfo *info);

/* "glibc 2.36"; "": not known. */
void os_libc_name(char *text, size_t size);

/* Bytes nobody can foresee. */
int os_random(void *bytes, size_t size);

/* A number from there; without a source of random bytes from the clock and the number of the
 * process. */
uint64_t os_random_number(void);

/* A process of a host, known by what no other has until the host starts anew. */
struct os_process {
    uint64_t host;  /* the host since its start, and among which processes; 0: not known */
    uint64_t pid;   /* of the process there */
    uint64_t start; /* when it started, in units of the system; 0: not known */
};

/* This process. */
void os_process_self(struct os_process *self);

/* Where another one is: GONE and THERE are certain. */
enum os_whereabouts { OS_ELSEWHERE, OS_GONE, OS_THERE };
enum os_whereabouts os_process_look(const struct os_process *process);

/* How wide and (lines: MAY be NULL) how high the terminal is that a descriptor leads to.  Returns
 * its columns; 0: it is no terminal, or does not say. */
unsigned os_terminal_columns(int fd, unsigned *lines);

/* Whether this program may write on the terminal of a descriptor as it goes: a shell that has put
 * it in the background has the terminal for itself.
 * True where it is no terminal of this program. */
bool os_terminal_is_ours(int fd);

/* Which system this is built for.  The only place in the sources that asks. */
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
