/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* user.c - finds users of the bytes of a file or block device.
 *
 * Mounts, swap, mappings and arrays claim their device, which makes O_EXCL fail. Loop devices do
 * not claim their backing file or device, nor do FUSE daemons. So the backing of each loop device
 * and the source of each process's mounts are compared with the target. If the target has a backing
 * itself, that is checked in the same way: a second loop device over the same file may be mounted.
 * The number of checks is bounded. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/number.h"
#include "os/linux/sysfile.h"

#define LEVELS_MOST 8u       /* depth of devices backed by others */
#define SPACES_MOST 256u     /* mount namespaces */
#define LINES_MOST  1000000u /* of mounts, in total */

struct bytes { /* a file or block device */
    struct stat st;
    const char *path, *called; /* name in messages; "it": the target */
};

struct user_search {
    char *who;
    size_t size;
    ino_t space[SPACES_MOST]; /* already searched */
    unsigned spaces, lines;
};

static int found_user(struct user_search *search, const char *who, const char *how,
                      const char *whom)
{
    snprintf(search->who, search->size, "%s %s %s", who, how, whom);
    return 1;
}

static bool is_device(const struct bytes *bytes)
{
    return S_ISBLK(bytes->st.st_mode);
}

/* The whole disk that a device is a partition of, or the device itself. */
static dev_t disk_of(dev_t device)
{
    char text[32];
    dev_t disk;

    if (sysfile_line(text, sizeof(text), "", "/sys/dev/block/%u:%u/partition", major(device),
                     minor(device)) &&
        sysfile_line(text, sizeof(text), "", "/sys/dev/block/%u:%u/../dev", major(device),
                     minor(device)) &&
        sysfile_device(text, &disk))
        return disk;
    return device;
}

/* Whether both are the same device or one contains the other. */
static bool devices_overlap(dev_t a, dev_t b)
{
    return a == b || disk_of(a) == b || a == disk_of(b);
}

/* ---- loop devices ---- */

/* Whether these bytes back a loop device. Without permission to open the loop device only the path
 * can be compared, which may belong to another namespace. */
static bool backs_loop(const char *name, const char *backing, const struct bytes *bytes)
{
    struct loop_info64 info;
    char path[64];
    bool known;
    int fd;

    snprintf(path, sizeof(path), "/dev/%.32s", name);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    known = fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0;
    if (fd >= 0)
        close(fd);
    if (!known)
        return strcmp(backing, bytes->path) == 0;
    if (is_device(bytes))
        return info.lo_rdevice != 0 && devices_overlap(bytes->st.st_rdev, (dev_t)info.lo_rdevice);
    return info.lo_rdevice == 0 && info.lo_device == bytes->st.st_dev &&
           info.lo_inode == bytes->st.st_ino;
}

/* except: number of the loop device to skip. */
#define NO_LOOP UINT64_MAX
static int find_loop(struct user_search *search, const struct bytes *bytes, uint64_t except)
{
    DIR *dir = sysfile_list("", "/sys/block");
    const char *name;
    int code = 0;

    while ((name = sysfile_entry(dir, code != 0)) != NULL) {
        char backing[SYSFILE_PATH];
        uint64_t number;

        if (strncmp(name, "loop", 4) == 0 && number_read(name + 4, &number) && number != except &&
            sysfile_line(backing, sizeof(backing), "", "/sys/block/%.32s/loop/backing_file",
                         name) &&
            backs_loop(name, backing, bytes))
            code = found_user(search, bytes->called, "backs", name);
    }
    return code;
}

/* ---- mounts and swap ---- */

static bool is_source(const char *source, const struct bytes *bytes)
{
    struct stat st;

    if (strcmp(source, bytes->path) == 0)
        return true;
    return is_device(bytes) && strncmp(source, "/dev/", 5) == 0 && stat(source, &st) == 0 &&
           S_ISBLK(st.st_mode) && devices_overlap(st.st_rdev, bytes->st.st_rdev);
}

static bool is_new_space(struct user_search *search, const char *process)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%.16s/ns/mnt", process);
    if (search->spaces == SPACES_MOST || stat(path, &st) != 0)
        return false;
    for (unsigned i = 0; i < search->spaces; i++)
        if (search->space[i] == st.st_ino)
            return false;
    search->space[search->spaces++] = st.st_ino;
    return true;
}

static int find_in_space(struct user_search *search, const char *process, const struct bytes *bytes)
{
    struct sysfile file = {.file = NULL};
    struct sysfile_mount mount;
    int code = 0;

    if (is_new_space(search, process))
        file = sysfile_open("", "/proc/%.16s/mountinfo", process);
    while (sysfile_next_mount(&file, code != 0 || search->lines++ >= LINES_MOST, &mount)) {
        sysfile_unescape(mount.source);
        sysfile_unescape(mount.place);
        if (is_source(mount.source, bytes))
            code = found_user(search, bytes->called, "is mounted on", mount.place);
    }
    return code;
}

static int find_mount(struct user_search *search, const struct bytes *bytes)
{
    DIR *dir = sysfile_list("", "/proc");
    const char *process;
    int code;

    search->spaces = search->lines = 0;
    code = find_in_space(search, "self", bytes);
    while ((process = sysfile_entry(dir, code != 0)) != NULL)
        if (process[0] >= '1' && process[0] <= '9')
            code = find_in_space(search, process, bytes);
    return code;
}

static int find_swap(struct user_search *search, const struct bytes *bytes)
{
    struct sysfile file = sysfile_open("", "/proc/swaps");
    int code = 0;

    while (sysfile_next(&file, code != 0)) {
        file.line[strcspn(file.line, " \t")] = '\0';
        sysfile_unescape(file.line);
        if (is_source(file.line, bytes))
            code = found_user(search, bytes->called, "is", "swap");
    }
    return code;
}

/* ---- devices backed by others ---- */

static int find_user(struct user_search *search, const struct bytes *bytes, int fd, uint64_t except,
                     unsigned level);

/* Finds other users of a loop device's backing. fd: the loop device or a partition of it. */
static int find_below_loop(struct user_search *search, const char *backing, int fd, unsigned level)
{
    struct bytes below = {.path = backing, .called = backing};
    struct loop_info64 info;
    int other, code = 0;

    if (ioctl(fd, LOOP_GET_STATUS64, &info) != 0 || stat(backing, &below.st) != 0 ||
        (is_device(&below) ? below.st.st_rdev != (dev_t)info.lo_rdevice
                           : below.st.st_ino != info.lo_inode))
        return 0; /* the path belongs to another namespace */
    other = open(backing, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (is_device(&below) ? O_EXCL : 0));
    if (other < 0 && errno == EBUSY)
        return found_user(search, "something else", "uses", backing);
    if (other >= 0) {
        code = find_user(search, &below, other, info.lo_number, level + 1);
        close(other);
    }
    return code;
}

/* The members of a mapping or array, which claims them, may back loop devices. */
static int find_below_mapping(struct user_search *search, dev_t disk, unsigned level)
{
    DIR *dir = sysfile_list("", "/sys/dev/block/%u:%u/slaves", major(disk), minor(disk));
    const char *member;
    int code = 0;

    while ((member = sysfile_entry(dir, code != 0)) != NULL) {
        char name[64];
        struct bytes part = {.path = name, .called = name};
        int fd;

        snprintf(name, sizeof(name), "/dev/%.32s", member);
        fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &part.st) == 0 && is_device(&part))
            code = find_user(search, &part, fd, NO_LOOP, level + 1);
        if (fd >= 0)
            close(fd);
    }
    return code;
}

static int find_user(struct user_search *search, const struct bytes *bytes, int fd, uint64_t except,
                     unsigned level)
{
    char backing[SYSFILE_PATH];
    dev_t disk;

    if (level > LEVELS_MOST)
        return 0;
    if (find_loop(search, bytes, except) || find_mount(search, bytes) || find_swap(search, bytes))
        return 1;
    if (!is_device(bytes))
        return 0;
    disk = disk_of(bytes->st.st_rdev);
    if (sysfile_line(backing, sizeof(backing), "", "/sys/dev/block/%u:%u/loop/backing_file",
                     major(disk), minor(disk)))
        return find_below_loop(search, backing, fd, level);
    return find_below_mapping(search, disk, level);
}

int os_user_of(int fd, const char *path, char *who, size_t size)
{
    struct user_search search = {.who = who, .size = size};
    struct bytes bytes = {.path = path, .called = "it"};

    return fstat(fd, &bytes.st) == 0 ? find_user(&search, &bytes, fd, NO_LOOP, 0) : 0;
}
