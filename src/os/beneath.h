/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beneath.h - opening what lies below a directory without being led away from it: through no symbolic
 * link in any part of the name, past no mount point, never above the directory.  And knowing again
 * what was seen before.  Allocates nothing. */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/compat.h"

/* Opens `name` (relative, without "..") below dir_fd.  O_CLOEXEC and O_NOFOLLOW are added; mode is for
 * O_CREAT.  Returns a descriptor or -errno: -ELOOP or -ENOTDIR: something else stands in the place of
 * a directory; -EXDEV: something is mounted there. */
int beneath_open(int dir_fd, const char *name, int flags, unsigned mode);

/* Makes a directory of mode 0700 below dir_fd.  Returns 0 or -errno, as above. */
int beneath_mkdir(int dir_fd, const char *name);

/* What a name stands for. */
struct beneath_id {
    uint64_t inode, device;
    uint32_t links;
    uint32_t type; /* S_IFMT bits; 0: nothing is known */
    bool has_mount;
    uint64_t mount; /* which mount it is reached through, where the kernel says so */
};

/* Looks at name below dir_fd, or at dir_fd itself when name is "".  Links in the last part of the name
 * are not followed, those before it are: the answer is then another file.  Returns 0 or -errno. */
int beneath_look(int dir_fd, const char *name, struct beneath_id *id);

/* Both are on the same mount; where the kernel does not number mounts: on the same file system. */
static inline bool beneath_same_mount(const struct beneath_id *a, const struct beneath_id *b)
{
    return a->device == b->device && (!a->has_mount || !b->has_mount || a->mount == b->mount);
}

/* How engines open objects, cycle by cycle.  Filled once per slice; opening is hot. */
struct opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct compat_open_how how; /* resolve 0: openat(2) */
};

/* Whether openat2(2) is there and permitted; asks the kernel once. */
bool beneath_openat2(void);

/* As openat(2) does: -1 with errno. */
static inline int opener_open(const struct opener *opener, uint32_t object)
{
    if (__builtin_expect(opener->how.resolve != 0, 1))
        return (int)syscall(SYS_openat2, opener->dir_fd, opener->name[object], &opener->how,
                            sizeof(opener->how));
    return openat(opener->dir_fd, opener->name[object], (int)opener->how.flags);
}

#endif
