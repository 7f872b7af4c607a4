/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* calls.c - what tests use of POSIX and the program does not. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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
    (void)descriptors;
    return walk(path, 0, visit, flags);
}

int truncate(const char *name, off_t length_bytes)
{
    const int fd = open(name, O_WRONLY | O_CLOEXEC),
              code = fd < 0 ? -1 : ftruncate(fd, length_bytes);

    if (fd >= 0)
        close(fd);
    return code;
}

int fchmodat(int dir_fd, const char *name, mode_t mode, int flags)
{
    (void)dir_fd, (void)name, (void)mode, (void)flags;
    return 0;
}

int chmod(const char *name, mode_t mode)
{
    wchar_t *wide = win_long_name(name);
    const DWORD old = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    const DWORD to =
        mode & S_IWUSR ? old & ~(DWORD)FILE_ATTRIBUTE_READONLY : old | FILE_ATTRIBUTE_READONLY;
    const bool done = old != INVALID_FILE_ATTRIBUTES && SetFileAttributesW(wide, to);

    free(wide);
    return done ? 0 : win_failed();
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
    (void)to, (void)dir_fd, (void)name;
    leave("no symbolic link can be made here");
    return -1;
}

int symlink(const char *to, const char *name)
{
    return symlinkat(to, AT_FDCWD, name);
}

ssize_t readlink(const char *name, char *to, size_t room)
{
    (void)to, (void)room;
    return symlinkat("", AT_FDCWD, name);
}

int mkfifoat(int dir_fd, const char *name, mode_t mode)
{
    (void)dir_fd, (void)name, (void)mode;
    leave("no FIFO can be made here");
    return -1;
}

int socket(int domain, int kind, int protocol)
{
    (void)domain, (void)kind, (void)protocol;
    leave("no socket can be made among files here");
    return -1;
}

int bind(int fd, const struct sockaddr *address, size_t size)
{
    (void)address, (void)size;
    return socket(fd, 0, 0);
}

int fchdir(int fd)
{
    (void)fd;
    leave("no descriptor can be the current directory here");
    return -1;
}

pid_t fork(void)
{
    leave("no process can be copied here");
    return -1;
}

pid_t waitpid(pid_t pid, int *state, int options)
{
    (void)pid, (void)state, (void)options;
    return fork();
}

int execl(const char *name, const char *word, ...)
{
    (void)name, (void)word;
    return fork();
}
