/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beneath.c - see beneath.h.  Where there is no openat2(2) (Linux before 5.6, filters of system calls)
 * a name is followed part by part. */
#include "base/compat.h"

#include "os/beneath.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define PART_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static const uint64_t resolve_beneath =
    COMPAT_RESOLVE_BENEATH | COMPAT_RESOLVE_NO_SYMLINKS | COMPAT_RESOLVE_NO_XDEV;

bool beneath_openat2(void)
{
    enum { UNKNOWN, THERE, MISSING };
    static atomic_int state;
    const struct compat_open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve_beneath};
    int fd, found = atomic_load(&state);

    if (found == UNKNOWN) {
        fd = (int)syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof(how));
        found = fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL) ? MISSING : THERE;
        if (fd >= 0)
            close(fd);
        atomic_store(&state, found);
    }
    return found == THERE;
}

#ifdef SYS_statx
static uint64_t word_at(const char *bytes, size_t place)
{
    uint64_t value;

    memcpy(&value, bytes + place, sizeof(value));
    return value;
}
static uint32_t half_at(const char *bytes, size_t place)
{
    uint32_t value;

    memcpy(&value, bytes + place, sizeof(value));
    return value;
}
#endif

/* The fields of statx are taken by their places: headers of older libcs lack some of them. */
static int look_statx(int dir_fd, const char *name, struct beneath_id *id)
{
#ifdef SYS_statx
    enum { MASK = 0x00, LINKS = 0x10, MODE = 0x1c, INODE = 0x20, MAJOR = 0x88, MOUNT = 0x90 };
    enum { WANTED = 0x001 | 0x004 | 0x100 | STATX_MNT_ID }; /* type, links, inode */
    union {
        uint64_t align;
        char bytes[256];
    } found;

    memset(&found, 0, sizeof(found));
    if (syscall(SYS_statx, dir_fd, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                WANTED, &found) != 0)
        return -errno;
    id->inode = word_at(found.bytes, INODE);
    id->device = word_at(found.bytes, MAJOR); /* major and minor */
    id->links = half_at(found.bytes, LINKS);
    id->type = half_at(found.bytes, MODE) & S_IFMT;
    id->has_mount = half_at(found.bytes, MASK) & STATX_MNT_ID;
    id->mount = word_at(found.bytes, MOUNT);
    return 0;
#else
    (void)dir_fd;
    (void)name;
    (void)id;
    return -ENOSYS;
#endif
}

int beneath_look(int dir_fd, const char *name, struct beneath_id *id)
{
    struct stat st;
    int code;

    *id = (struct beneath_id){.has_mount = false};
    code = look_statx(dir_fd, name, id);
    if (code != -ENOSYS && code != -EPERM)
        return code;
    if ((name[0] == '\0' ? fstat(dir_fd, &st)
                         : fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW)) != 0)
        return -errno;
    id->inode = st.st_ino;
    id->device = (uint64_t)minor(st.st_dev) << 32 | major(st.st_dev);
    id->links = (uint32_t)st.st_nlink;
    id->type = st.st_mode & S_IFMT;
    return 0;
}

/* Refuses a descriptor that is not on the mount of the directory it was reached from. */
static int stay_on_mount(int dir_fd, int fd)
{
    struct beneath_id from, to;
    int code = beneath_look(dir_fd, "", &from);

    if (code == 0)
        code = beneath_look(fd, "", &to);
    if (code == 0 && !beneath_same_mount(&from, &to))
        code = -EXDEV;
    if (code == 0)
        return fd;
    close(fd);
    return code;
}

/* Opens the next part of a name, and takes it off. */
static int open_part(int dir_fd, const char **name)
{
    const size_t length = strcspn(*name, "/");
    char part[NAME_MAX + 1];
    int fd;

    if (length > NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(part, *name, length);
    part[length] = '\0';
    *name += length + strspn(*name + length, "/");
    fd = openat(dir_fd, part, PART_FLAGS);
    return fd < 0 ? -errno : stay_on_mount(dir_fd, fd);
}

/* The directory that holds the last part of a name, which is left in *name; -1 is none of its own:
 * it is dir_fd itself. */
static int open_parent(int dir_fd, const char **name)
{
    int fd = -1;

    while (strchr(*name, '/') != NULL) {
        const int next = open_part(fd < 0 ? dir_fd : fd, name);

        if (fd >= 0)
            close(fd);
        if (next < 0)
            return next;
        fd = next;
    }
    return fd < 0 ? fcntl(dir_fd, F_DUPFD_CLOEXEC, 0) : fd;
}

static int open_by_parts(int dir_fd, const char *name, int flags, unsigned mode)
{
    const int parent_fd = open_parent(dir_fd, &name);
    int fd;

    if (parent_fd < 0)
        return parent_fd;
    fd = openat(parent_fd, name, flags, mode);
    fd = fd < 0 ? -errno : stay_on_mount(parent_fd, fd);
    close(parent_fd);
    return fd;
}

int beneath_open(int dir_fd, const char *name, int flags, unsigned mode)
{
    struct compat_open_how how = {.resolve = resolve_beneath};
    int fd;

    flags |= O_NOFOLLOW | O_CLOEXEC;
    /* A whole name must be shorter than PATH_MAX, its parts need not. */
    if (!beneath_openat2() || strlen(name) >= PATH_MAX)
        return open_by_parts(dir_fd, name, flags, mode);
    how.flags = (unsigned)flags | O_LARGEFILE; /* libc adds it to openat(2) only */
    how.mode = flags & O_CREAT ? mode : 0;
    fd = (int)syscall(SYS_openat2, dir_fd, name, &how, sizeof(how));
    return fd < 0 ? -errno : fd;
}

int beneath_mkdir(int dir_fd, const char *name)
{
    const int parent_fd = open_parent(dir_fd, &name);
    int code;

    if (parent_fd < 0)
        return parent_fd;
    code = mkdirat(parent_fd, name, 0700) != 0 ? -errno : 0;
    close(parent_fd);
    return code;
}
