/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sysfile.h - reads small files of /proc and /sys below a root directory ("" except in tests).
 * Nothing here reports errors: an unreadable file is an empty text. */
#ifndef OS_LINUX_SYSFILE_H
#define OS_LINUX_SYSFILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SYSFILE_PATH 1024

/* Reads a whole file, or as much as fits. False, and "", if it cannot be read. */
bool sysfile_read(int dir_fd, const char *path, char *text, size_t size);

/* Parses the unsigned number at *text after blanks and moves *text past it. */
bool sysfile_take(const char **text, uint64_t *number);

/* The number of the line that begins with `key`: "write_bytes:" does not find
 * "cancelled_write_bytes:". */
bool sysfile_number(const char *text, const char *key, uint64_t *number);

/* A number of /proc/ID/stat, after its second field; fields count from 1 (proc(5)). */
bool sysfile_task(uint64_t *number, const char *root, uint64_t id, unsigned field);

/* "MAJOR:MINOR" at the beginning of a text; false: none. */
bool sysfile_device(const char *text, dev_t *device);

/* Opens ROOT/FORMAT... for reading lines; `file` is NULL if it does not exist. */
struct sysfile {
    FILE *file;
    char *line; /* the current one, without newline */
    size_t room;
};
struct sysfile sysfile_open(const char *root, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the next line. False, with the file closed and the line freed, at the end or if enough. */
bool sysfile_next(struct sysfile *file, bool enough);

/* The first line of ROOT/FORMAT... that begins with `key`, without it, blanks after it, and blanks
 * at the end. False, and "", if there is none, or nothing in it. */
bool sysfile_find(char *text, size_t size, const char *key, struct sysfile file);
#define sysfile_field(text, size, key, ...) sysfile_find(text, size, key, sysfile_open(__VA_ARGS__))
#define sysfile_line(text, size, ...)       sysfile_field(text, size, "", __VA_ARGS__)

/* Opens the directory ROOT/FORMAT...; NULL if it does not exist. */
DIR *sysfile_list(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next name in it that does not begin with a point. NULL, with the directory closed, at the end
 * or if enough; NULL is fine. */
const char *sysfile_entry(DIR *dir, bool enough);

/* Decodes in place the kernel's escapes of blanks in names: "\040". */
void sysfile_unescape(char *text);

/* A line of /proc/self/mountinfo (proc(5)), with names still escaped:
 *     36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue */
struct sysfile_mount {
    char *device, *root, *place, *options, *type, *source, *super;
};

/* The mount in the next line, valid as long as that. Like sysfile_next. */
bool sysfile_next_mount(struct sysfile *file, bool enough, struct sysfile_mount *mount);

#endif
