/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beneath.c - openat2(2), and statx(2) with the number of the mount. */
#include "base/compat.h"

#include "os/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t resolve_beneath = OPENER_BENEATH | OPENER_NO_LINKS | OPENER_STAY_ON_MOUNT;

bool os_opens_beneath(void)
{
    enum { UNKNOWN, THERE, MISSING };
    static atomic_int state;
    const struct opener_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve_beneath};
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

int os_open_beneath(int dir_fd, const char *name, int flags, unsigned mode)
{
    const struct opener_how how = {.flags = (unsigned)(flags | OS_O_LARGEFILE),
                                   .mode = flags & O_CREAT ? mode : 0,
                                   .resolve = resolve_beneath};
    const int fd = (int)syscall(SYS_openat2, dir_fd, name, &how, sizeof(how));

    return fd < 0 ? -errno : fd;
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
int os_look(int dir_fd, const char *name, struct beneath_id *id)
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
        return errno == ENOSYS || errno == EPERM ? -ENOTSUP : -errno;
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
    return -ENOTSUP;
#endif
}
