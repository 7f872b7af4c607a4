/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfile.h - small files of /proc and /sys below a root directory ("" but for tests), for
 * those who read facts about the machine.  Nothing here fails: what cannot be read is
 * an empty text. */
#ifndef OS_LINUX_SYSFILE_H
#define OS_LINUX_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define SYSFILE_PATH 1024

/* First line of ROOT/FORMAT... without newline and blanks at the end.  False, and "", when there is
 * no such file or nothing in it. */
bool sysfile_line(char *text, size_t size, const char *root, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "MAJOR:MINOR" at the beginning of a text, as a device is called; false: there is none. */
bool sysfile_device(const char *text, dev_t *device);

/* Opens ROOT/PATH for reading lines; NULL when there is no such file. */
FILE *sysfile_open(const char *root, const char *path);

#endif
