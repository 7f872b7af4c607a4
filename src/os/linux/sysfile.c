/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfile.c - reading one line of what the kernel tells, and building lists of words. */
#include "base/compat.h"

#include "os/sysfile.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void sysfile_copy(char *to, size_t size, const char *from)
{
    size_t length = from != NULL ? strlen(from) : 0;
    if (length > size - 1)
        length = size - 1;
    if (length > 0)
        memmove(to, from, length);
    to[length] = '\0';
}

void sysfile_add(char *list, size_t size, const char *separator, const char *format, ...)
{
    size_t used = strlen(list);
    va_list arguments;

    if (used > 0)
        used += (size_t)snprintf(list + used, size - used, "%s", separator);
    if (used >= size)
        return;
    va_start(arguments, format);
    vsnprintf(list + used, size - used, format, arguments);
    va_end(arguments);
}

bool sysfile_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

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
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r", text[end - 1]) != NULL; end--)
        text[end - 1] = '\0';
    return text[0] != '\0';
}

FILE *sysfile_open(const char *root, const char *path)
{
    char whole[SYSFILE_PATH];

    snprintf(whole, sizeof(whole), "%s%s", root, path);
    return fopen(whole, "re");
}
