/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sysfile.c - reads files of /proc and /sys. */
#include "base/compat.h"

#include "os/linux/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"

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

/* Makes the path of ROOT and the formatted text; false: it is too long. */
__attribute__((format(printf, 3, 0))) static bool
make_path(char path[SYSFILE_PATH], const char *root, const char *format, va_list arguments)
{
    const size_t used = (size_t)snprintf(path, SYSFILE_PATH, "%s", root);

    return used < SYSFILE_PATH && vsnprintf(path + used, SYSFILE_PATH - used, format, arguments) <
                                      (int)(SYSFILE_PATH - used);
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

bool sysfile_task(uint64_t *number, const char *root, uint64_t id, unsigned field)
{
    char line[1024];
    const char *at;

    sysfile_line(line, sizeof(line), root, "/proc/%" PRIu64 "/stat", id);
    at = strrchr(line, ')'); /* the name before it may contain any character */
    for (unsigned i = 2; at && i < field; i++)
        at = strchr(at + 1, ' ');
    return at && sysfile_take(&at, number);
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

struct sysfile sysfile_open(const char *root, const char *format, ...)
{
    struct sysfile file = {.file = NULL};
    char path[SYSFILE_PATH];
    va_list arguments;

    va_start(arguments, format);
    if (make_path(path, root, format, arguments))
        file.file = fopen(path, "re");
    va_end(arguments);
    return file;
}

bool sysfile_next(struct sysfile *file, bool enough)
{
    if (file->file && !enough && getline(&file->line, &file->room, file->file) >= 0) {
        file->line[strcspn(file->line, "\n")] = '\0';
        return true;
    }
    if (file->file)
        fclose(file->file);
    free(file->line);
    *file = (struct sysfile){.file = NULL};
    return false;
}

bool sysfile_find(char *text, size_t size, const char *key, struct sysfile file)
{
    const size_t length = strlen(key);
    bool found = false;

    text[0] = '\0';
    while (sysfile_next(&file, found)) {
        found = strncmp(file.line, key, length) == 0;
        if (found)
            text_copy(text, size, file.line + length + strspn(file.line + length, " \t"));
    }
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r", text[end - 1]); end--)
        text[end - 1] = '\0';
    return text[0] != '\0';
}

DIR *sysfile_list(const char *root, const char *format, ...)
{
    char path[SYSFILE_PATH];
    va_list arguments;
    bool fits;

    va_start(arguments, format);
    fits = make_path(path, root, format, arguments);
    va_end(arguments);
    return fits ? opendir(path) : NULL;
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

/* Splits a line in place; false: malformed. */
static bool split_mount(char *line, struct sysfile_mount *mount)
{
    char *tail = strstr(line, " - "), *field[6], *rest = NULL;

    if (!tail)
        return false;
    *tail = '\0';
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

bool sysfile_next_mount(struct sysfile *file, bool enough, struct sysfile_mount *mount)
{
    while (sysfile_next(file, enough))
        if (split_mount(file->line, mount))
            return true;
    return false;
}
