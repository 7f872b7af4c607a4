/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stdio.h - names are UTF-8 and lines end as they are written; streams in memory are temporary
 * files.  The linker puts the calls that are here in place of those of the C library (--wrap). */
/* See streams.c. */
#ifndef OS_WINDOWS_STDIO_H
#define OS_WINDOWS_STDIO_H

#include_next <stdio.h>

int renameat(int from_fd, const char *from, int to_fd, const char *to);

/* *text and *size are there after fflush of this stream, and fclose. */
FILE *open_memstream(char **text, size_t *size_bytes);
FILE *fmemopen(void *text, size_t size_bytes, const char *mode); /* mode "r" */
int dprintf(int fd, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
ssize_t getline(char **line, size_t *room, FILE *stream);

#endif
