/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sysfile.c - reads files of /proc and /sys. */
#include "base/compat.h"

#include "os/linux/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/number.h"

#define AGAIN_MOST 1000u /* limit on repeating a read interrupted by signals */

bool sysfile_read(int dir_fd, const char *path, char *text, size_t size)
{
    size_t used = 0;
    unsigned again = 0;
    const int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : 1;

    while (got > 0 && used < size - 1) {
        do
            got = read(fd, text + used, size - 1 - used);
        while (got < 0 && errno == EINTR && again++ < AGAIN_MOST);
        used += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    text[got < 0 ? 0 : used] = '\0';
    return got >= 0;
}

bool sysfile_line(char *text, size_t size, const char *root, const char *format, ...)
{
    char path[SYSFILE_PATH];
    va_list arguments;
    size_t used = (size_t)snprintf(path, sizeof(path), "%s", root);

    text[0] = '\0';
    if (used >= sizeof(path))
        return false;
    va_start(arguments, format);
    vsnprintf(path + used, sizeof(path) - used, format, arguments);
    va_end(arguments);
    sysfile_read(AT_FDCWD, path, text, size);
    text[strcspn(text, "\n")] = '\0';
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r", text[end - 1]); end--)
        text[end - 1] = '\0';
    return text[0] != '\0';
}

bool sysfile_take(const char **text, uint64_t *number)
{
    *text += strspn(*text, " \t");
    return number_take(text, number);
}

bool sysfile_number(const char *text, const char *key, uint64_t *number)
{
    const size_t length = strlen(key);

    for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
        if (strncmp(text, key, length) == 0) {
            text += length;
            return sysfile_take(&text, number);
        }
    return false;
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

bool sysfile_next(FILE *file, bool enough, char *line, size_t size)
{
    if (file && !enough && fgets(line, (int)size, file))
        return true;
    if (file)
        fclose(file);
    return false;
}

DIR *sysfile_list(const char *root, const char *format, ...)
{
    char path[SYSFILE_PATH + 256];
    va_list arguments;
    const size_t used = (size_t)snprintf(path, sizeof(path), "%s", root);

    if (used >= sizeof(path))
        return NULL;
    va_start(arguments, format);
    vsnprintf(path + used, sizeof(path) - used, format, arguments);
    va_end(arguments);
    return opendir(path);
}

const char *sysfile_entry(DIR *dir, bool enough)
{
    const struct dirent *entry = NULL;

    while (dir && !enough && (entry = readdir(dir)) != NULL && entry->d_name[0] == '.')
        ;
    if (entry)
        return entry->d_name;
    if (dir)
        closedir(dir);
    return NULL;
}

void sysfile_unescape(char *text)
{
    char *to = text;
    for (; *text != '\0'; to++) {
        if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
            text[2] <= '7' && text[3] >= '0' && text[3] <= '7') {
            *to = (char)(((text[1] - '0') << 6) | ((text[2] - '0') << 3) | (text[3] - '0'));
            text += 4;
        } else {
            *to = *text++;
        }
    }
    *to = '\0';
}

bool sysfile_mount(char *line, struct sysfile_mount *mount)
{
    char *tail = strstr(line, " - "), *field[6], *rest = NULL;

    if (!tail)
        return false;
    *tail = '\0';
    tail[3 + strcspn(tail + 3, "\n")] = '\0';
    for (int i = 0; i < 6; i++) {
        field[i] = strtok_r(i == 0 ? line : NULL, " ", &rest);
        if (!field[i])
            return false;
    }
    *mount = (struct sysfile_mount){
        .device = field[2], .root = field[3], .place = field[4], .options = field[5]};
    mount->type = strtok_r(tail + 3, " ", &rest);
    mount->source = mount->type ? strtok_r(NULL, " ", &rest) : NULL;
    mount->super = mount->source ? strtok_r(NULL, " ", &rest) : NULL;
    return mount->source;
}
