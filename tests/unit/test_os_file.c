/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_os_file.c - facts about a file system that a test can verify by other means. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/scratch.h"

/* The type of the file system of an open directory, by its device in mountinfo. */
static bool type_of(int fd, char *type)
{
    FILE *file = fopen("/proc/self/mountinfo", "r");
    char line[4096];
    struct stat st;
    bool found = false;

    assert_int_equal(fstat(fd, &st), 0);
    while (file && !found && fgets(line, sizeof(line), file)) {
        const char *after = strstr(line, " - ");
        unsigned high, low;
        found = after != NULL && sscanf(line, "%*u %*u %u:%u", &high, &low) == 2 &&
                makedev(high, low) == st.st_dev && sscanf(after, " - %63s", type) == 1;
    }
    if (file)
        fclose(file);
    return found;
}

static bool among(const char *type, const char *const *types)
{
    for (; *types; types++)
        if (strcmp(type, *types) == 0)
            return true;
    return false;
}

static void test_traits(void **state)
{
    static const char *const memory[] = {"tmpfs", "ramfs", "devtmpfs", NULL};
    static const char *const disks[] = {"ext2", "ext3", "ext4", "xfs", "btrfs", NULL};
    static const char *const others[] = {"proc", "sysfs", "overlay", NULL};
    static const char *const places[] = {NULL, "/", "/tmp", "/dev/shm", "/dev", "/proc", "/sys"};
    char path[PATH_MAX], type[64];
    unsigned known = 0;

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        const int fd = !places[i] ? scratch_make("test_os_file", path)
                                  : open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && type_of(fd, type)) {
            const unsigned traits = os_traits(fd);
            print_message("%s: %s, traits %x\n", !places[i] ? "." : places[i], type, traits);
            if (among(type, memory)) {
                assert_int_equal(traits, OS_IN_MEMORY | OS_INODES_LAST);
                known++;
            } else if (among(type, disks)) {
                assert_int_equal(traits, OS_INODES_LAST | OS_ACCOUNTED);
                known++;
            } else if (among(type, others)) {
                assert_int_equal(traits & (OS_IN_MEMORY | OS_CLOSE_FLUSHES), 0);
                assert_int_equal(traits & OS_INODES_LAST, OS_INODES_LAST);
                known++;
            }
        }
        if (fd >= 0)
            close(fd);
        if (!places[i])
            scratch_remove(path);
    }
    if (known == 0) {
        skip_because("no file system here is one that this test knows");
    }
    assert_int_equal(os_traits(-1), 0);
}

static void test_reserve(void **state)
{
    char path[PATH_MAX];
    struct stat st;
    const int dir_fd = scratch_make("test_os_file", path);
    const int fd = openat(dir_fd, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int code;

    assert_true(fd >= 0);
    code = os_reserve(fd, 70000);
    assert_true(code == 0 || code == -ENOTSUP);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, code == 0 ? 70000 : 0);
    close(fd);
    assert_int_equal(os_reserve(fd, 70000), -EBADF); /* rather than: not supported */
    close(dir_fd);
    scratch_remove(path);
}

/* A file copied up on writing seems to be created then. */
static void test_born(void **state)
{
    enum { NOT_KNOWN, KNOWN, NO_MOUNTS };
    char path[PATH_MAX];
    const int dir_fd = scratch_make("test_os_file", path);
    const pid_t child = fork();
    int status, fd;

    assert_true(child >= 0);
    if (child == 0) {
        if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("tmpfs", path, "tmpfs", 0, NULL) != 0 || chdir(path) != 0 ||
            mkdir("lower", 0700) != 0 || mkdir("upper", 0700) != 0 || mkdir("work", 0700) != 0 ||
            mkdir("all", 0700) != 0 ||
            mount("overlay", "all", "overlay", 0,
                  "lowerdir=lower,upperdir=upper,workdir=work,userxattr") != 0)
            _exit(NO_MOUNTS);
        fd = open("all", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _exit(fd >= 0 && os_born_s(fd, "") == 0 ? NOT_KNOWN : KNOWN);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    close(dir_fd);
    scratch_remove(path);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_MOUNTS)
        skip_because("no overlayfs can be mounted");
    assert_int_equal(WEXITSTATUS(status), NOT_KNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_traits),
                                       cmocka_unit_test(test_reserve), cmocka_unit_test(test_born)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
