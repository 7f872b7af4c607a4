/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/stat.h - POSIX; the C library's version has inodes of 16 bits. */
#ifndef OS_WINDOWS_SYS_STAT_H
#define OS_WINDOWS_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

#define S_IFMT   0170000u
#define S_IFSOCK 0140000u
#define S_IFLNK  0120000u
#define S_IFREG  0100000u
#define S_IFBLK  0060000u
#define S_IFDIR  0040000u
#define S_IFCHR  0020000u
#define S_IFIFO  0010000u
#define S_IRWXU  0700u
#define S_IRUSR  0400u
#define S_IWUSR  0200u
#define S_IXUSR  0100u
#define S_IRGRP  0040u
#define S_IWGRP  0020u
#define S_IROTH  0004u
#define S_IWOTH  0002u

#define S_ISREG(mode)  (((mode)&S_IFMT) == S_IFREG)
#define S_ISDIR(mode)  (((mode)&S_IFMT) == S_IFDIR)
#define S_ISLNK(mode)  (((mode)&S_IFMT) == S_IFLNK)
#define S_ISBLK(mode)  (((mode)&S_IFMT) == S_IFBLK)
#define S_ISCHR(mode)  (((mode)&S_IFMT) == S_IFCHR)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == S_IFSOCK)

struct stat {
    dev_t st_dev;   /* serial number of the volume */
    ino_t st_ino;   /* number of the file on it */
    mode_t st_mode; /* 0700 for directories, 0600 for files, 0400 if read-only */
    nlink_t st_nlink;
    uid_t st_uid; /* 0, as from geteuid() */
    gid_t st_gid;
    dev_t st_rdev;
    off_t st_size;
    struct timespec st_atim, st_mtim, st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

int stat(const char *name, struct stat *st);
int lstat(const char *name, struct stat *st);
int fstat(int fd, struct stat *st);
int fstatat(int dir_fd, const char *name, struct stat *st, int flags);
/* Permissions are inherited from the parent directory, whatever the mode. */
int mkdir(const char *name, mode_t mode);
int mkdirat(int dir_fd, const char *name, mode_t mode);
int fchmod(int fd, mode_t mode);          /* 0: changes nothing */
int chmod(const char *name, mode_t mode); /* without S_IWUSR: read-only */

#endif
