/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* streams.c - C library streams with UTF-8 names and without line end translation, and streams in
 * memory. The latter are temporary files that Windows deletes on close and keeps in memory if
 * possible. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The linker's --wrap: __wrap_ replaces the C library's function, which is __real_. */
FILE *__wrap_fopen(const char *name, const char *mode);
FILE *__wrap_tmpfile(void);
int __wrap_fclose(FILE *stream);
int __real_fclose(FILE *stream);
int __wrap_fflush(FILE *stream);
int __real_fflush(FILE *stream);

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

FILE *__wrap_tmpfile(void)
{
    static volatile LONG count;
    wchar_t name[MAX_PATH + 64];
    DWORD units = GetTempPathW(MAX_PATH, name);
    HANDLE handle;
    FILE *stream;
    int fd;

    if (units == 0 || units > MAX_PATH) {
        win_failed();
        return NULL;
    }
    _snwprintf(name + units, 64, L"iosweep-%lu-%ld.tmp", GetCurrentProcessId(),
               InterlockedIncrement(&count));
    handle = CreateFileW(name, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE, NULL,
                         CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        win_failed();
        return NULL;
    }
    fd = win_descriptor(handle, O_RDWR);
    stream = fd < 0 ? NULL : _fdopen(fd, "w+b");
    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

/* ---- in memory ---- */

struct memory_stream {
    FILE *stream;
    char **text;
    size_t *size_bytes;
    struct memory_stream *next;
};

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_stream *memory_streams;

FILE *open_memstream(char **text, size_t *size_bytes)
{
    struct memory_stream *memory = malloc(sizeof(*memory));
    FILE *stream = memory ? __wrap_tmpfile() : NULL;

    if (!stream) {
        free(memory);
        return NULL;
    }
    *text = NULL;
    *size_bytes = 0;
    pthread_mutex_lock(&memory_lock);
    *memory = (struct memory_stream){stream, text, size_bytes, memory_streams};
    memory_streams = memory;
    pthread_mutex_unlock(&memory_lock);
    return stream;
}

/* The list entry of a stream; the caller holds the lock. *place is NULL: not found. */
static struct memory_stream **find_memory(const FILE *stream)
{
    struct memory_stream **place = &memory_streams;

    while (*place && (*place)->stream != stream)
        place = &(*place)->next;
    return place;
}

static struct memory_stream *take_memory(const FILE *stream)
{
    struct memory_stream **place, *found;

    pthread_mutex_lock(&memory_lock);
    place = find_memory(stream);
    found = *place;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&memory_lock);
    return found;
}

/* Uses the descriptor, since seeking in the stream would flush it. */
static int hand_over(const struct memory_stream *memory)
{
    const int fd = _fileno(memory->stream);
    struct stat st;
    char *text;

    if (__real_fflush(memory->stream) != 0 || ferror(memory->stream) || fstat(fd, &st) < 0)
        return EOF;
    text = malloc((size_t)st.st_size + 1);
    if (!text || pread(fd, text, (size_t)st.st_size, 0) != st.st_size) {
        free(text);
        return EOF;
    }
    text[st.st_size] = '\0';
    free(*memory->text);
    *memory->text = text;
    *memory->size_bytes = (size_t)st.st_size;
    return 0;
}

int __wrap_fflush(FILE *stream)
{
    const struct memory_stream *memory;
    int code;

    pthread_mutex_lock(&memory_lock);
    memory = stream ? *find_memory(stream) : NULL;
    code = memory ? hand_over(memory) : __real_fflush(stream);
    pthread_mutex_unlock(&memory_lock);
    return code;
}

int __wrap_fclose(FILE *stream)
{
    struct memory_stream *memory = take_memory(stream);
    const int code = memory ? hand_over(memory) : 0;

    free(memory);
    if (_fileno(stream) >= 0)
        win_unlock(_fileno(stream));
    return __real_fclose(stream) != 0 || code != 0 ? EOF : 0;
}
