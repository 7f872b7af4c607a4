/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown.c - os/os.h where only POSIX.1-2008 is known.  What is in the page cache, how data are
 * stored, what the file system and the machine are, is not known here, and nothing of it is
 * guessed.  (posix_fadvise may drop pages, but nothing would tell whether it did.) */
#include "base/compat.h"

#include "os/os.h"
#include "os/processors.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---- opening: below a directory part by part, see os/beneath.c ---- */

bool os_opens_beneath(void)
{
    return false;
}

int os_look(int dir_fd, const char *name, struct beneath_id *id)
{
    return -ENOTSUP;
}

int64_t os_born_s(int dir_fd, const char *name)
{
    return 0;
}

int os_open_unnamed(const char *directory)
{
    return -ENOTSUP;
}

int os_name_file(int fd, const char *name)
{
    return -ENOTSUP;
}

int os_open_memory_file(char *path, size_t path_size)
{
    return -ENOTSUP;
}

int os_first_entry(int dir_fd, const char *except, char *name, size_t name_size)
{
    const int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    int code = 0;

    if (!dir) {
        code = -errno;
        if (fd >= 0)
            close(fd);
        return code;
    }
    while (errno = 0, code == 0 && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, except) != 0) {
            snprintf(name, name_size, "%s", entry->d_name);
            code = 1;
        }
    if (code == 0)
        code = -errno;
    closedir(dir);
    return code;
}

void os_list_begin(struct os_listing *listing, int fd, void *buffer, size_t room)
{
    *listing = (struct os_listing){.fd = fd, .buffer = buffer, .room = room};
}

/* What an entry is, POSIX does not say. */
int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind)
{
    const struct dirent *entry;

    if (!listing->stream && !(listing->stream = fdopendir(listing->fd)))
        return -errno;
    do {
        errno = 0;
        entry = readdir(listing->stream);
        if (!entry)
            return -errno;
    } while (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    *name = entry->d_name;
    *kind = OS_ENTRY_UNKNOWN;
    return 1;
}

void os_list_end(struct os_listing *listing)
{
    if (listing->stream)
        closedir(listing->stream);
    else
        close(listing->fd);
}

int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    (void)from_fd, (void)offset_bytes, (void)to_fd, (void)size_bytes;
    return -ENOTSUP;
}

/* ---- the page cache ---- */

int os_evict(int fd)
{
    if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS && errno != EBADF)
        return -errno; /* EBADF: some systems sync only what is open for writing */
    return -ENOTSUP;
}

void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes) {}

int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    return length_bytes == 0 ? 0 : -1;
}

/* ---- files, devices and file systems ---- */

int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    return 0;
}

/* Inodes are taken to last: a file that was replaced is then refused, at worst once too often. */
unsigned os_traits(int fd)
{
    return OS_INODES_LAST;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    return -ENOTSUP;
}

/* posix_fallocate(3) may write zeros where the file system cannot reserve: as much as filling. */
int os_reserve(int fd, uint64_t bytes)
{
    return -ENOTSUP;
}

int os_sync_file_system(int fd)
{
    return -ENOTSUP;
}

void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits)
{
}

struct os_mount *os_mount_find(int fd, char **options)
{
    return NULL;
}

bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic)
{
    return false;
}

void os_mount_free(struct os_mount *mount) {}

/* ---- threads, memory, the machine ---- */

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
}

/* No engine here has helpers in the kernel. */
void usage_read_helpers(struct usage *usage)
{
    *usage = (struct usage){.io_known = true};
}

struct os_memory os_memory(void)
{
    return (struct os_memory){.available_bytes = 0};
}

void os_pin(uint32_t index, struct os_pin **before) {}

void os_unpin(struct os_pin *before) {}

uint64_t os_timer_slack(uint64_t slack_ns)
{
    return 0;
}

void os_host_facts(const char *root, struct hostinfo *info) {}

void processors_look(const char *root, struct processors *look) {}

void os_target_facts(const char *root, struct targetinfo *info) {}

/* No standard names this device, but systems without it are hard to find. */
int os_random(void *bytes, size_t size)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got;
    int code;

    if (fd < 0)
        return -errno;
    got = read(fd, bytes, size);
    code = got < 0 ? -errno : got != (ssize_t)size ? -EIO : 0;
    close(fd);
    return code;
}
