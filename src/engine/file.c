/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.c - what file engines and the file target ask about a file: with which flags to open it, how
 * O_DIRECT must be aligned, how long it is, where it lives. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "os/memory.h"
#include "os/usage.h"
#include "engine/file.h"

/* Magic numbers of file systems, as the kernel's <linux/magic.h> has them (not all headers do). */
#define MAGIC_TMPFS     0x01021994u
#define MAGIC_RAMFS     0x858458f6u
#define MAGIC_HUGETLBFS 0x958458f6u
#define MAGIC_BTRFS     0x9123683eu
#define MAGIC_FUSE      0x65735546u
#define MAGIC_NFS       0x00006969u
#define MAGIC_CIFS      0xff534d42u
#define MAGIC_SMB2      0xfe534d42u
#define MAGIC_CEPH      0x00c36400u
#define MAGIC_9P        0x01021997u
#define MAGIC_AFS       0x5346414fu

#define DIRECT_ALIGN_MIN 512u

int file_open_flags(const struct workload *work)
{
    int flags = O_CLOEXEC;

    if (work->test == TEST_READ)
        flags |= O_RDONLY;
    else
        flags |= work->rmw ? O_RDWR : O_WRONLY;
    if (work->cache == CACHE_DIRECT)
        flags |= O_DIRECT;
    if (work->sync == SYNC_DATA)
        flags |= O_DSYNC;
    else if (work->sync == SYNC_FULL)
        flags |= O_SYNC;
    flags |= O_NOFOLLOW;
    if (work->target->dir_fd != AT_FDCWD)
        flags |= O_NONBLOCK;
    if (work->target->noatime)
        flags |= O_NOATIME;
    return flags;
}

struct opener file_opener(const struct workload *work)
{
    const struct target *target = work->target;
    struct opener opener = {.dir_fd = target->dir_fd,
                            .name = target->name,
                            .how = {.flags = (unsigned)file_open_flags(work)}};

    if (target->resolve != 0 && beneath_openat2()) {
        opener.how.resolve = target->resolve;
        opener.how.flags |= O_LARGEFILE; /* libc adds it to openat(2) only */
    }
    return opener;
}

int file_open_quietly(int dir_fd, const char *name, int flags)
{
    int fd;

    flags |= O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    fd = openat(dir_fd, name, flags | O_NOATIME);
    if (fd < 0 && errno == EPERM) /* neither the owner nor root */
        fd = openat(dir_fd, name, flags);
    return fd < 0 ? -errno : fd;
}

/* ---- alignment of O_DIRECT ---- */

static int direct_refused(const char *path, int errnum, struct error *err)
{
    error_set(err, STATUS_TARGET, errnum, "O_DIRECT is refused for", path);
    return error_advise(err, "use --cache uncached or --cache cached");
}

/* What the kernel says: 1 known, 0 not said, -1 it says that O_DIRECT does not work.  The two
 * fields are taken by their place in the structure, because headers of older libcs lack them. */
static int direct_reported(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
#ifdef SYS_statx
    enum { PLACE_MASK = 0x00, PLACE_MEMORY = 0x98, PLACE_OFFSET = 0x9c };
    union {
        uint64_t align;
        char bytes[256];
    } found;
    uint32_t mask;

    memset(&found, 0, sizeof(found));
    if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &found) != 0)
        return 0;
    memcpy(&mask, found.bytes + PLACE_MASK, sizeof(mask));
    if (!(mask & STATX_DIOALIGN))
        return 0;
    memcpy(memory_align_bytes, found.bytes + PLACE_MEMORY, sizeof(uint32_t));
    memcpy(offset_align_bytes, found.bytes + PLACE_OFFSET, sizeof(uint32_t));
    return *offset_align_bytes > 0 ? 1 : -1;
#else
    (void)fd;
    (void)offset_align_bytes;
    (void)memory_align_bytes;
    return 0;
#endif
}

/* Reads at growing alignments.  Offset and length are the alignment itself (the offset 0 when the
 * file is too short for two blocks).  *code: why the last one was refused.  0: none works, or
 * (sure) none was seen to move exactly what was asked for. */
static uint32_t direct_tried(int fd, uint32_t page_bytes, bool sure, int *code)
{
    struct error ignored = ERROR_INIT;
    char *buffer = mem_buffer(page_bytes, page_bytes, &ignored);
    uint32_t least = 0, exact = 0;
    int64_t length_bytes = file_length(fd, "", &ignored);

    *code = buffer == NULL ? ENOMEM : EINVAL;
    for (uint32_t align = DIRECT_ALIGN_MIN; buffer != NULL && exact == 0 && align <= page_bytes;
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
    int fd = file_open_quietly(dir_fd, name, O_DIRECT);

    if (fd == -EINVAL)
        return direct_refused(path, EINVAL, err);
    if (fd < 0)
        return error_set(err, STATUS_TARGET, -fd, "cannot open", path);
    reported = direct_reported(fd, offset_align_bytes, memory_align_bytes);
    if (reported <= 0) {
        /* The kernel says no; so does an emulator that copies the answer only in part. */
        *offset_align_bytes = direct_tried(fd, page_bytes, reported < 0, &code);
        *memory_align_bytes = page_bytes; /* what it was tried with */
    }
    close(fd);
    if (*offset_align_bytes == 0)
        return direct_refused(path, reported < 0 ? EOPNOTSUPP : code, err);
    if (*memory_align_bytes == 0)
        *memory_align_bytes = *offset_align_bytes;
    return 0;
}

/* ---- where it lives ---- */

static bool file_system_magic(int fd, uint32_t *magic)
{
    struct statfs fs;

    if (fstatfs(fd, &fs) != 0)
        return false;
    *magic = (uint32_t)fs.f_type; /* the type differs between architectures, the low half not */
    return true;
}

bool file_in_memory(int fd)
{
    struct stat st;
    uint32_t magic;

    /* A device node lies on a tmpfs, but that says nothing about the device. */
    if (fstat(fd, &st) != 0 || S_ISBLK(st.st_mode) || !file_system_magic(fd, &magic))
        return false;
    return magic == MAGIC_TMPFS || magic == MAGIC_RAMFS || magic == MAGIC_HUGETLBFS;
}

int file_advise(struct error *err, int errnum)
{
    switch (errnum) {
    case EIO:
        return error_advise(err, "the storage reports an error: the kernel's log (dmesg) says more");
    case ESTALE:
        return error_advise(err, "the file server does not know it any more: mount it again");
    case ENOSPC:
    case EDQUOT:
        return error_advise(err, "make room or use a smaller -l, --levels or --width");
    case EINTR:
        return error_advise(err, "the call is interrupted again and again: try another file system");
    case EMFILE:
    case ENFILE:
        return error_advise(err, "raise the limit of open files (ulimit -n)");
    default:
        return -1;
    }
}

bool file_knows_nowait(int fd)
{
    struct stat st;
    char byte;
    const struct iovec vector = {.iov_base = &byte, .iov_len = 1};

    return fstat(fd, &st) == 0 && preadv2(fd, &vector, 1, st.st_size, RWF_NOWAIT) >= 0;
}

bool file_inodes_last(int fd)
{
    uint32_t magic;

    return file_system_magic(fd, &magic) && magic != MAGIC_FUSE && magic != MAGIC_CIFS &&
           magic != MAGIC_SMB2 && magic != MAGIC_9P;
}

bool file_close_flushes(int fd)
{
    static const uint32_t flushing[] = {MAGIC_NFS,  MAGIC_FUSE, MAGIC_CIFS, MAGIC_SMB2,
                                        MAGIC_CEPH, MAGIC_9P,   MAGIC_AFS};
    uint32_t magic;

    if (!file_system_magic(fd, &magic))
        return false;
    for (size_t i = 0; i < sizeof flushing / sizeof flushing[0]; i++)
        if (magic == flushing[i])
            return true;
    return false;
}

bool file_accounted(int fd)
{
    struct stat st;
    uint32_t magic;

    if (fstat(fd, &st) != 0)
        return false;
    if (S_ISBLK(st.st_mode))
        return true;
    if (!file_system_magic(fd, &magic) || magic == MAGIC_FUSE)
        return false; /* fuseblk has a device, but its server does the I/O */
    return major(st.st_dev) != 0 || magic == MAGIC_BTRFS;
}

int64_t file_length(int fd, const char *path, struct error *err)
{
    struct stat st;
    uint64_t device_bytes = 0;
    off_t end;

    if (fstat(fd, &st) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot ask for the length of", path);
    if (S_ISREG(st.st_mode))
        return st.st_size;
    if (!S_ISBLK(st.st_mode))
        return error_set(err, STATUS_TARGET, 0, "neither a regular file nor a block device:", path);
    if (ioctl(fd, BLKGETSIZE64, &device_bytes) == 0 && device_bytes <= INT64_MAX)
        return (int64_t)device_bytes;
    end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot ask for the length of", path);
    return end;
}
