/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beneath.h - opening what lies below a directory without being led away from it: through no
 * symbolic link in any part of the name, past no mount point, never above the directory.  And
 * knowing again what was seen before.  Allocates nothing.  os/beneath.c goes part by part on any
 * system; a port may know how to do it in one call. */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include <stdbool.h>
#include <stdint.h>

/* Opens `name` (relative, without "..") below dir_fd.  O_CLOEXEC and O_NOFOLLOW are added; mode is
 * for O_CREAT.  Returns a descriptor or -errno: -ELOOP or -ENOTDIR: something else stands in the
 * place of a directory; -EXDEV: something is mounted there. */
int beneath_open(int dir_fd, const char *name, int flags, unsigned mode);

/* Makes a directory of mode 0700 below dir_fd.  Returns 0 or -errno, as above. */
int beneath_mkdir(int dir_fd, const char *name);

/* What a name stands for. */
struct beneath_id {
    uint64_t inode, device;
    uint32_t links;
    uint32_t type; /* S_IFMT bits; 0: nothing is known */
    bool has_mount;
    uint64_t mount; /* which mount it is reached through, where the system says so */
};

/* Looks at name below dir_fd, or at dir_fd itself when name is "".  Links in the last part of the
 * name are not followed, those before it are: the answer is then another file.  Returns 0 or
 * -errno. */
int beneath_look(int dir_fd, const char *name, struct beneath_id *id);

/* Both are on the same mount; where the system does not number mounts: on the same file system. */
static inline bool beneath_same_mount(const struct beneath_id *a, const struct beneath_id *b)
{
    return a->device == b->device && (!a->has_mount || !b->has_mount || a->mount == b->mount);
}

/* How engines open objects, cycle by cycle.  Filled once per slice; opening is hot. */
struct opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct opener_how {
        uint64_t flags, mode; /* of openat(2) */
        uint64_t resolve;     /* OPENER_ bits; 0 where the system follows names as it likes */
    } how;                    /* as openat2(2) of Linux takes it */
};
#define OPENER_STAY_ON_MOUNT 0x01u
#define OPENER_NO_LINKS      0x04u
#define OPENER_BENEATH       0x08u

/* ---- what a port fills; opener_open is in os/SYSTEM/inline.h ---- */

/* Whether openings heed OPENER_ bits, and os_open_beneath can be used here; asks once. */
bool os_opens_beneath(void);

/* As beneath_open, in one call.  Only where os_opens_beneath. */
int os_open_beneath(int dir_fd, const char *name, int flags, unsigned mode);

/* As beneath_look, with the number of the mount.  -ENOTSUP: only fstatat(2) is here. */
int os_look(int dir_fd, const char *name, struct beneath_id *id);

/* Opens an object, heeding the OPENER_ bits.  As openat(2) does: -1 with errno.  Hot. */
static inline int opener_open(const struct opener *opener, uint32_t object);

#include "os/inline.h"

#endif
