/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* guard.c - detects that an object of a file target was replaced.  Type, device, inode, links and
 * length are recorded when the target is opened and compared before and after slices.  Our own
 * files, and files that may be written, must be the same files, or writing would change data that
 * is not ours.  Files that are only read may be replaced by other files (logs are), but not by a
 * FIFO, a device or a link. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "storage/file/driver.h"

#define GUARD_MOST 256u /* objects checked per call */

/* Checks that the object is still reached without a link or a mount on the way.  0 or -errno. */
static int reach(const struct target *target, uint32_t index)
{
    const int fd = target->dir_fd == AT_FDCWD
                       ? 0
                       : beneath_open(target->dir_fd, target->name[index], OS_O_LOOK, 0);

    if (fd > 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

static int know_object(struct file_target *fs, uint32_t index, bool inodes_last, struct error *err)
{
    const struct target *target = &fs->target;
    struct beneath_id *known = &fs->known[index];
    int code = beneath_look(target->dir_fd, target->name[index], known);

    if (code != 0)
        *known = (struct beneath_id){.type = 0};
    else if (!inodes_last)
        known->inode = 0;
    if (!target->ours)
        return 0;
    if (code == 0)
        code = reach(target, index);
    /* not the file that this process has just made */
    if (code == -ELOOP || code == -ENOTDIR || code == -EXDEV ||
        (code == 0 && (!S_ISREG(known->type) || known->links > 1))) {
        known->inode = UINT64_MAX; /* matches no file, so none is removed */
        file_target_failed(target, index, 0, "something else has replaced", err);
        return error_advise(err, "nothing else may change the directory of a run");
    }
    return code == 0 ? 0 : file_target_failed(target, index, -code, "cannot stat", err);
}

int file_target_know_objects(struct file_target *fs, struct error *err)
{
    const struct target *target = &fs->target;
    const bool device = target->dir_fd == AT_FDCWD;
    const volatile int *stop = target->request->stop;
    const bool inodes_last = device || (os_traits(target->dir_fd) & OS_INODES_LAST) != 0;
    int code = 0, fd;

    if (!target->name)
        return 0;
    fd = device ? -1 : file_open_quietly(target->dir_fd, target->name[0], O_NOFOLLOW);
    fs->target.nowait = fd >= 0 && (os_traits(fd) & OS_NOWAIT);
    if (fd >= 0)
        close(fd);
    fs->known = mem_calloc(target->object_count, sizeof(*fs->known));
    /* a run removes only files whose identity it knows: all of its own are recorded */
    for (uint32_t i = 0; i < target->object_count && (target->ours || flag_read(stop) == 0); i++)
        if (know_object(fs, i, inodes_last, err) != 0)
            code = -1;
    if (fs->made) { /* in this case they have the order of the set */
        fs->files.known = fs->known;
        fs->files.known_count = target->object_count;
    }
    if (flag_read(stop) != 0 && code == 0)
        return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while checking the files in",
                         target->place);
    return code;
}

static const char linked[] = "a second name (hard link) was made for";
static const char shortened[] = "something else has shortened";

/* The change of an object.  NULL: none; "": another file, which is as good for reading, and
 * recorded from now on. */
static const char *judge(const struct file_target *fs, struct beneath_id *known,
                         const struct beneath_id *id)
{
    if (known->type == 0)
        return NULL; /* it could not be examined */
    if (!fs->target.writable && id->type != known->type)
        return S_ISFIFO(id->type)  ? "a FIFO has replaced"
               : S_ISLNK(id->type) ? "a symbolic link has replaced"
                                   : "something that is not a regular file has replaced";
    if (!fs->target.writable) {
        const bool same =
            known->device == id->device && (known->inode == 0 || known->inode == id->inode);

        known->inode = known->inode != 0 ? id->inode : 0;
        known->device = id->device;
        return same ? NULL : "";
    }
    if (id->type != known->type || (known->inode != 0 && id->inode != known->inode) ||
        id->device != known->device || (fs->target.ours && !beneath_same_mount(id, known)))
        return "something else has replaced";
    return id->links > known->links ? linked : id->bytes < known->bytes ? shortened : NULL;
}

static int look_at(struct file_target *fs, uint32_t index, struct error *err)
{
    const struct target *target = &fs->target;
    struct beneath_id id;
    const int code = beneath_look(target->dir_fd, target->name[index], &id);
    const char *what = code == 0 ? judge(fs, &fs->known[index], &id) : "";
    int reached;

    if (!what)
        return 0;
    reached = target->resolve != 0 || target->writable ? reach(target, index) : 0;
    if (reached == -ELOOP || reached == -ENOTDIR) {
        file_target_failed(target, index, 0, "a symbolic link now leads to", err);
        return error_advise(err, "links are not followed; nothing behind it was touched");
    }
    if (reached == -EXDEV && target->ours) {
        file_target_failed(target, index, 0, "something was mounted over", err);
        return error_advise(err, "unmount it; nothing in it was touched");
    }
    if (what[0] == '\0')
        return 0; /* missing or unreachable: the operations fail */
    file_target_failed(target, index, 0, what, err);
    if (!target->writable)
        return error_advise(err, "leave the files alone while they are measured");
    if (what == linked)
        return error_advise(err, "writes here change that file, too; remove the other name");
    return error_advise(err, "nothing else may change %s%s",
                        target->ours ? "the directory of a run" : "a file while it is overwritten",
                        what != shortened && target->request->writes
                            ? "; the replacement may have been written to"
                            : "");
}

int file_target_guard(struct target *target, uint32_t first, uint32_t count, struct error *err)
{
    struct file_target *fs = (struct file_target *)target;
    const uint32_t looks = count < GUARD_MOST ? count : GUARD_MOST;

    if (!fs->known)
        return 0;
    for (uint32_t i = 0; i < looks; i++)
        if (look_at(fs, first + (uint32_t)(((uint64_t)fs->guarded + i) % count), err) != 0)
            return -1;
    fs->guarded += looks;
    return 0;
}
