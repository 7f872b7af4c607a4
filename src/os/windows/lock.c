/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* lock.c - locks on open files and directories. Windows locks only ranges of files, against reading
 * and writing, and no directories. So a lock is a named mutex, identified by volume and file
 * number, whose existence is the lock: on this machine only, until the descriptor is closed or the
 * process ends. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define DESCRIPTORS 2048 /* of the C library */

static HANDLE held[DESCRIPTORS];
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;

static void name_lock(const struct stat *st, char kind, wchar_t name[64])
{
    _snwprintf(name, 64, L"Global\\iosweep-%08x-%016llx-%c", st->st_dev,
               (unsigned long long)st->st_ino, kind);
}

static bool lock_exists(const struct stat *st, char kind)
{
    wchar_t name[64];
    HANDLE mutex;

    name_lock(st, kind, name);
    mutex = OpenMutexW(SYNCHRONIZE, FALSE, name);
    if (mutex)
        CloseHandle(mutex);
    return mutex || GetLastError() == ERROR_ACCESS_DENIED; /* another user's */
}

/* The gate is held, so no other process can intervene between check and creation. */
static int take_lock(int fd, const struct stat *st, bool exclusive)
{
    const char kind = exclusive ? 'x' : 's';
    wchar_t name[64];
    HANDLE mutex;

    if (held[fd])
        CloseHandle(held[fd]);
    held[fd] = NULL;
    if (lock_exists(st, 'x') || (exclusive && lock_exists(st, 's')))
        return -EWOULDBLOCK;
    name_lock(st, kind, name);
    mutex = CreateMutexW(NULL, FALSE, name);
    if (!mutex)
        return -win_errno(GetLastError());
    held[fd] = mutex;
    return 0;
}

/* Shared by all users. */
static HANDLE open_gate(void)
{
    static const wchar_t name[] = L"Global\\iosweep-gate";
    SECURITY_DESCRIPTOR everybody;
    SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes),
                                      .lpSecurityDescriptor = &everybody};
    HANDLE gate = NULL;

    if (InitializeSecurityDescriptor(&everybody, SECURITY_DESCRIPTOR_REVISION) &&
        SetSecurityDescriptorDacl(&everybody, TRUE, NULL, FALSE))
        gate = CreateMutexW(&attributes, FALSE, name);
    return gate ? gate : OpenMutexW(SYNCHRONIZE | MUTEX_MODIFY_STATE, FALSE, name);
}

int os_lock(int fd, bool exclusive)
{
    const HANDLE handle = win_handle(fd);
    HANDLE gate;
    struct stat st;
    int code;

    if (handle == INVALID_HANDLE_VALUE || fd >= DESCRIPTORS)
        return -EBADF;
    if (win_stat(handle, &st) < 0)
        return -errno;
    gate = open_gate();
    if (!gate)
        return -EWOULDBLOCK; /* without the gate the check is impossible */
    WaitForSingleObject(gate, INFINITE);
    pthread_mutex_lock(&held_lock);
    code = take_lock(fd, &st, exclusive);
    pthread_mutex_unlock(&held_lock);
    ReleaseMutex(gate);
    CloseHandle(gate);
    return code;
}

void win_unlock(int fd)
{
    if (fd < 0 || fd >= DESCRIPTORS || !held[fd])
        return;
    pthread_mutex_lock(&held_lock);
    if (held[fd])
        CloseHandle(held[fd]);
    held[fd] = NULL;
    pthread_mutex_unlock(&held_lock);
}
