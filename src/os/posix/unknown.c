/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown.c - replaces features that a system lacks, or that are not implemented for it, on any
 * POSIX.1-2008 system.  Its inline.h defines what exists: OS_HAS_MEMORY omits group `memory`. */
#include "base/compat.h"

#include "os/os.h"
#include "os/posix/holes.h"
#include "os/processors.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifndef OS_HAS_ALIGN /* the alignment of direct I/O has to be probed */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    return 0;
}
#endif

#ifndef OS_HAS_BIRTH
int64_t os_born_s(int dir_fd, const char *name)
{
    return 0;
}
#endif

#ifndef OS_HAS_CACHE /* posix_fadvise may drop pages, but whether it did could not be verified */
int os_evict(int fd)
{
    if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS && errno != EBADF)
        return -errno; /* EBADF: some systems only sync files open for writing */
    return -ENOTSUP;
}

void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes) {}

int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    return length_bytes == 0 ? 0 : -1;
}
#endif

#ifndef OS_HAS_COPY /* the program copies data itself */
int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    return -ENOTSUP;
}
#endif

#ifndef OS_HAS_DEVICE /* the caller finds a device's length with lseek(2) */
int os_device_bytes(int fd, uint64_t *bytes)
{
    return -ENOTSUP;
}
#endif

/* How data are stored is unknown. */
void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits)
{
#ifdef OS_HAS_HOLES
    struct holes_look look = {.sum = sum, .limits = limits, .fd = fd, .end = length_bytes};

    if (holes_add(&look))
        sum->unknown_extents = true;
#endif
}

#ifndef OS_HAS_FACTS /* none beyond those of os/facts.c */
void os_host_facts(const char *root, struct hostinfo *info) {}

void processors_look(const char *root, struct processors *look) {}

void os_target_facts(const char *root, struct targetinfo *info) {}
#endif

#ifndef OS_HAS_MEMORY
struct os_memory os_memory(void)
{
    return (struct os_memory){.available_bytes = 0};
}
#endif

#ifndef OS_HAS_PIN
void os_pin(uint32_t index, struct os_pin **before) {}

void os_unpin(struct os_pin *before) {}
#endif

#ifndef OS_HAS_SPACE /* it is allocated as files are written */
/* Not posix_fallocate(3): where it cannot reserve it may write zeros, which costs as much. */
int os_reserve(int fd, uint64_t bytes)
{
    return -ENOTSUP;
}
#endif

#ifndef OS_HAS_TRAITS
/* Assumes stable inodes: a replaced file is then refused, in the worst case unnecessarily. */
unsigned os_traits(int fd)
{
    return OS_INODES_LAST;
}
#endif

#ifndef OS_HAS_USAGE /* a thread's traffic with the storage is not counted */
void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
#ifdef RUSAGE_THREAD
    usage_read_modes(usage, RUSAGE_THREAD);
#endif
}
#endif

/* --- what only Linux does --- */

/* No engine uses kernel threads. */
void usage_read_helpers(struct usage *usage)
{
    *usage = (struct usage){.io_known = true};
}

/* Names are resolved part by part (os/beneath.c). */
bool os_opens_beneath(void)
{
    return false;
}

int os_look(int dir_fd, const char *name, struct beneath_id *id)
{
    return -ENOTSUP;
}

int os_open_memory_file(char *path, size_t path_size)
{
    return -ENOTSUP;
}

FILE *os_write_stream(int fd)
{
    return fdopen(fd, "w"); /* does not truncate, since the file is already open */
}

/* Boots of a host cannot be told apart. */
void os_process_self(struct os_process *self)
{
    *self = (struct os_process){.pid = (uint64_t)getpid()};
}

enum os_whereabouts os_process_look(const struct os_process *process)
{
    return OS_ELSEWHERE;
}

int os_sync_file_system(int fd)
{
    return -ENOTSUP;
}

uint64_t os_timer_slack(uint64_t slack_ns)
{
    return 0;
}

/* There are no counters of network file systems. */
struct os_mount *os_mount_find(int fd)
{
    return NULL;
}

bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic)
{
    return false;
}

void os_mount_free(struct os_mount *mount) {}

/* The system does not list the users of a file or device. */
int os_user_of(int fd, const char *path, char *who, size_t size)
{
    return -ENOTSUP;
}
