/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* calls.c - what tests use of POSIX and the program does not. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <io.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "os/windows/win.h"

/* ---- directories ---- */

char *mkdtemp(char *pattern)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *const at = pattern + strlen(pattern) - 6;

    do {
        uint64_t number = os_random_number();

        for (int i = 0; i < 6; i++, number /= sizeof(letters) - 1)
            at[i] = letters[number % (sizeof(letters) - 1)];
        if (mkdir(pattern, 0700) == 0)
            return pattern;
    } while (errno == EEXIST);
    return NULL;
}

static int walk(const char *path, int level,
                int (*visit)(const char *path, const struct stat *st, int kind, struct FTW *at),
                int flags)
{
    struct FTW at = {.level = level};
    struct dirent *entry;
    struct stat st;
    int code = 0, kind;
    DIR *dir;

    if (lstat(path, &st) < 0)
        return -1;
    kind = !S_ISDIR(st.st_mode) ? FTW_F : flags & FTW_DEPTH ? FTW_DP : FTW_D;
    if (kind != FTW_DP)
        code = visit(path, &st, kind, &at);
    if (kind == FTW_F || code != 0)
        return code;
    dir = opendir(path);
    if (!dir)
        return -1;
    while (code == 0 && (entry = readdir(dir)) != NULL) {
        char below[PATH_MAX];

        snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
        code = walk(below, level + 1, visit, flags);
    }
    closedir(dir);
    return code == 0 && kind == FTW_DP ? visit(path, &st, kind, &at) : code;
}

int nftw(const char *path,
         int (*visit)(const char *path, const struct stat *st, int kind, struct FTW *at),
         int descriptors, int flags)
{
    return walk(path, 0, visit, flags);
}

int fchmodat(int dir_fd, const char *name, mode_t mode, int flags)
{
    return 0;
}

/* ---- environment ---- */

int setenv(const char *name, const char *value, int overwrite)
{
    if (!overwrite && getenv(name))
        return 0;
    return _putenv_s(name, value) == 0 ? 0 : -1;
}

int unsetenv(const char *name)
{
    return setenv(name, "", 1);
}

/* ---- what Windows has not, or wine(1) ---- */

/* Ends the test as skipped, and what it has open with it. */
static void leave(const char *why)
{
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    skip_because(why);
}

int symlinkat(const char *to, int dir_fd, const char *name)
{
    leave("no symbolic link can be made here");
    return -1;
}

int mkfifoat(int dir_fd, const char *name, mode_t mode)
{
    leave("no FIFO can be made here");
    return -1;
}

pid_t fork(void)
{
    leave("no process can be copied here");
    return -1;
}

pid_t waitpid(pid_t pid, int *state, int options)
{
    return fork();
}

/* ---- streams in memory ---- */

#undef fclose
#undef fflush

FILE *memory_file(void)
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

/* The linker's --wrap: __wrap_ replaces the C library's function, which is __real_. */
int __real_fflush(FILE *stream);
int __wrap_fflush(FILE *stream);

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
    FILE *stream = memory ? memory_file() : NULL;

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

int memory_close(FILE *stream)
{
    struct memory_stream *memory = take_memory(stream);
    const int code = memory ? hand_over(memory) : 0;

    free(memory);
    return (fclose)(stream) != 0 || code != 0 ? EOF : 0;
}
