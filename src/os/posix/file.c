/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.c - files where only POSIX.1-2008 is known.  What is in the page cache, how data are stored
 * and what the file system is are not known here, and nothing of it is guessed.  (posix_fadvise may
 * drop pages, but nothing would tell whether it did.) */
#include "base/compat.h"

#include "os/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_FLOCK
#include <sys/file.h>
#endif

#include "os/extents.h"
#include "os/traffic.h"

/* ---- opening below a directory: part by part, see os/beneath.c ---- */

bool os_opens_beneath(void)
{
    return false;
}

int os_open_beneath(int dir_fd, const char *name, int flags, unsigned mode)
{
    (void)dir_fd;
    (void)name;
    (void)flags;
    (void)mode;
    return -ENOTSUP;
}

int os_look(int dir_fd, const char *name, struct beneath_id *id)
{
    (void)dir_fd;
    (void)name;
    (void)id;
    return -ENOTSUP;
}

/* ---- the page cache ---- */

bool os_can_evict(void)
{
    return false;
}

int os_evict(int fd)
{
    if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS && errno != EBADF)
        return -errno; /* EBADF: some systems sync only what is open for writing */
    return -ENOTSUP;
}

void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes)
{
    (void)fd;
    (void)begin_bytes;
    (void)end_bytes;
}

int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    (void)fd;
    return length_bytes == 0 ? 0 : -1;
}

bool os_reads_drop(int fd)
{
    (void)fd;
    return false;
}

bool os_knows_nowait(int fd)
{
    (void)fd;
    return false;
}

/* ---- files, devices and file systems ---- */

int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    (void)fd;
    (void)offset_align_bytes;
    (void)memory_align_bytes;
    return 0;
}

/* Inodes are taken to last: a file that was replaced is then refused, at worst once too often. */
unsigned os_traits(int fd)
{
    (void)fd;
    return OS_INODES_LAST;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    (void)fd;
    (void)bytes;
    return -ENOTSUP;
}

bool os_device_read_only(int fd)
{
    (void)fd;
    return false;
}

/* posix_fallocate(3) may write zeros where the file system cannot reserve: as much as filling. */
int os_reserve(int fd, uint64_t bytes)
{
    (void)fd;
    (void)bytes;
    return -ENOTSUP;
}

int os_sync_file_system(int fd)
{
    (void)fd;
    return -ENOTSUP;
}

int os_lock(int fd, bool exclusive)
{
#ifdef HAVE_FLOCK
    return flock(fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 ? -errno : 0;
#else /* locks of fcntl(2) are not for directories */
    (void)fd;
    (void)exclusive;
    return -ENOTSUP;
#endif
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

/* ---- files without a name ---- */

int os_open_unnamed(const char *directory)
{
    (void)directory;
    return -ENOTSUP;
}

int os_name_file(int fd, const char *name)
{
    (void)fd;
    (void)name;
    return -ENOTSUP;
}

int os_open_memory_file(char *path, size_t path_size)
{
    (void)path;
    (void)path_size;
    return -ENOTSUP;
}

bool os_path_is_stream(const char *path)
{
    return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/* ---- how data are stored, and what a network file system counts ---- */

void extents_start(struct extents *sum)
{
    *sum = (struct extents){.files = 0};
}

void extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                 const struct extents_limits *limits)
{
    (void)sum;
    (void)fd;
    (void)length_bytes;
    (void)limits;
}

struct os_mount *os_mount_find(int fd)
{
    (void)fd;
    return NULL;
}

const char *os_mount_options(const struct os_mount *mount)
{
    (void)mount;
    return "";
}

bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic)
{
    (void)mount;
    (void)traffic;
    return false;
}

void os_mount_free(struct os_mount *mount)
{
    (void)mount;
}
