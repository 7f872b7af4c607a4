/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* streams.c - C library streams with UTF-8 names and without line end translation. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The linker's --wrap: __wrap_ replaces the C library's function, which is __real_. */
FILE *__wrap_fopen(const char *name, const char *mode);
int __wrap_fclose(FILE *stream);
int __real_fclose(FILE *stream);

FILE *__wrap_fopen(const char *name, const char *mode)
{
    const int flags = mode[0] == 'r'   ? O_RDONLY
                      : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                                       : O_WRONLY | O_CREAT | O_APPEND;
    const bool both = strchr(mode, '+') != NULL;
    const int fd = open(name, both ? (flags & ~O_ACCMODE) | O_RDWR : flags, 0666);
    struct stat st;
    FILE *stream;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        errno = EISDIR;
        return NULL;
    }
    stream = _fdopen(fd, mode[0] == 'r' ? both ? "r+b" : "rb" : both ? "w+b" : "wb");
    if (!stream)
        close(fd);
    return stream;
}

int __wrap_fclose(FILE *stream)
{
    if (_fileno(stream) >= 0)
        win_unlock(_fileno(stream));
    return __real_fclose(stream);
}
