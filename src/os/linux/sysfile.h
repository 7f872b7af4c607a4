/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sysfile.h - small files of /proc and /sys below a root directory ("" but for tests), for
 * those who read facts about the machine.  Nothing here fails: what cannot be read is
 * an empty text. */
#ifndef OS_LINUX_SYSFILE_H
#define OS_LINUX_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SYSFILE_PATH 1024

/* A file whole, or as much of it as fits.  False, and "", when it cannot be read. */
bool sysfile_read(int dir_fd, const char *path, char *text, size_t size);

/* First line of ROOT/FORMAT... without newline and blanks at the end.  False, and "", when there is
 * no such file or nothing in it. */
bool sysfile_line(char *text, size_t size, const char *root, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The unsigned number at *text after blanks; moves *text behind it. */
bool sysfile_take(const char **text, uint64_t *number);

/* The number of the line that begins with `key`: "write_bytes:" does not find
 * "cancelled_write_bytes:". */
bool sysfile_number(const char *text, const char *key, uint64_t *number);

/* "MAJOR:MINOR" at the beginning of a text, as a device is called; false: there is none. */
bool sysfile_device(const char *text, dev_t *device);

/* Opens ROOT/PATH for reading lines; NULL when there is no such file. */
FILE *sysfile_open(const char *root, const char *path);

/* The next line.  False at the end or when it is enough: then the file is closed; NULL is fine. */
bool sysfile_next(FILE *file, bool enough, char *line, size_t size);

/* Undoes in place what the kernel writes for blanks in names: "\040". */
void sysfile_unescape(char *text);

/* A line of /proc/self/mountinfo (proc(5)), names escaped as they stand there:
 *     36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue */
struct sysfile_mount {
    char *device, *root, *place, *options, *type, *source, *super;
};

/* Cuts a line up; false: it is none. */
bool sysfile_mount(char *line, struct sysfile_mount *mount);

#endif
