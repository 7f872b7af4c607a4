/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfile.c - reading one line of what the kernel tells. */
#include "base/compat.h"

#include "os/linux/sysfile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/number.h"

bool sysfile_line(char *text, size_t size, const char *root, const char *format, ...)
{
    char path[SYSFILE_PATH];
    va_list arguments;
    size_t used = (size_t)snprintf(path, sizeof(path), "%s", root);
    ssize_t got;
    int fd;

    text[0] = '\0';
    if (used >= sizeof(path))
        return false;
    va_start(arguments, format);
    vsnprintf(path + used, sizeof(path) - used, format, arguments);
    va_end(arguments);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    got = read(fd, text, size - 1);
    close(fd);
    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r", text[end - 1]); end--)
        text[end - 1] = '\0';
    return text[0] != '\0';
}

bool sysfile_device(const char *text, dev_t *device)
{
    uint64_t number[2];

    if (!number_take(&text, &number[0]) || *text++ != ':' || !number_take(&text, &number[1]) ||
        number[0] > UINT_MAX || number[1] > UINT_MAX)
        return false;
    *device = makedev((unsigned)number[0], (unsigned)number[1]);
    return true;
}

FILE *sysfile_open(const char *root, const char *path)
{
    char whole[SYSFILE_PATH];

    snprintf(whole, sizeof(whole), "%s%s", root, path);
    return fopen(whole, "re");
}
