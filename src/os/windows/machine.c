/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* machine.c - os/os.h: threads, memory, processors, terminal, facts. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <bcrypt.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/facts.h"
#include "os/processors.h"

/* ---- threads ---- */

static uint64_t ns_of(FILETIME time)
{
    return ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) * 100;
}

/* known: the call that reads the times has succeeded. */
static void take_times(struct usage *usage, BOOL known, FILETIME kernel, FILETIME user)
{
    *usage = (struct usage){.cpu_ns = 0};
    if (!known)
        return;
    usage->user_ns = ns_of(user);
    usage->system_ns = ns_of(kernel);
    usage->cpu_ns = usage->user_ns + usage->system_ns;
}

void usage_read(struct usage *usage)
{
    FILETIME created, ended, kernel = {0}, user = {0};
    const BOOL known = GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user);

    take_times(usage, known, kernel, user);
}

uint64_t usage_cpu_ns(void)
{
    struct usage usage;

    usage_read(&usage);
    return usage.cpu_ns;
}

void usage_read_process(struct usage *usage)
{
    FILETIME created, ended, kernel = {0}, user = {0};
    const BOOL known = GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);

    take_times(usage, known, kernel, user);
}

struct os_pin {
    GROUP_AFFINITY before;
};

/* Processors are numbered across all groups. */
void os_pin(uint32_t index, struct os_pin **before)
{
    const WORD groups = GetActiveProcessorGroupCount();
    const DWORD all = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    GROUP_AFFINITY to = {.Group = 0}, old;
    DWORD number = all > 0 ? index % all : 0;

    if (before)
        *before = NULL;
    while (to.Group + 1 < groups && number >= GetActiveProcessorCount(to.Group))
        number -= GetActiveProcessorCount(to.Group++);
    to.Mask = (KAFFINITY)1 << number;
    if (!SetThreadGroupAffinity(GetCurrentThread(), &to, &old) || !before)
        return;
    *before = mem_calloc(1, sizeof(**before));
    (*before)->before = old;
}

void os_unpin(struct os_pin *before)
{
    if (before)
        SetThreadGroupAffinity(GetCurrentThread(), &before->before, NULL);
    free(before);
}

/* ---- memory ---- */

struct os_memory os_memory(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof(status)};

    if (!GlobalMemoryStatusEx(&status))
        return (struct os_memory){.available_bytes = 0};
    return (struct os_memory){.available_bytes = status.ullAvailPhys,
                              .allocatable_bytes = status.ullAvailPhys < status.ullAvailVirtual
                                                       ? status.ullAvailPhys
                                                       : status.ullAvailVirtual};
}

int os_aligned(void **memory, size_t align_bytes, size_t size_bytes)
{
    *memory = _aligned_malloc(size_bytes, align_bytes);
    return *memory ? 0 : ENOMEM;
}

void os_aligned_free(void *memory)
{
    _aligned_free(memory);
}

/* ---- the machine ---- */

/* Adds wine's version if running on wine(1). */
static void look_for_wine(struct hostinfo *info)
{
    const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    const char *(*version)(void) =
        ntdll ? (const char *(*)(void))(void (*)(void))GetProcAddress(ntdll, "wine_get_version")
              : NULL;

    if (version)
        snprintf(info->virtualization, sizeof(info->virtualization), "wine %s", version());
}

void os_host_facts(const char *root, struct hostinfo *info)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof(status)};

    (void)root;
    if (GlobalMemoryStatusEx(&status))
        info->memory_bytes = status.ullTotalPhys;
    look_for_wine(info);
}

void processors_look(const char *root, struct processors *look)
{
    (void)root, (void)look;
}

static void take_text(char *text, size_t size, const wchar_t *wide)
{
    char *path = win_path(wide);

    text_copy(text, size, path);
    free(path);
}

/* The file system and its mount point; the disk below is not determined. */
void os_target_facts(const char *root, struct targetinfo *info)
{
    wchar_t *path = info->path[0] ? win_long_name(info->path) : NULL, volume[MAX_PATH + 1],
            kind[64];

    (void)root;
    if (path && GetVolumePathNameW(path, volume, MAX_PATH + 1) &&
        GetVolumeInformationW(volume, NULL, 0, NULL, NULL, NULL, kind,
                              sizeof(kind) / sizeof(kind[0]))) {
        take_text(info->filesystem, sizeof(info->filesystem), kind);
        take_text(info->mount_point, sizeof(info->mount_point),
                  wcsncmp(volume, L"\\\\?\\", 4) == 0 ? volume + 4 : volume);
    }
    free(path);
}

void os_libc_name(char *text, size_t size)
{
#ifdef _UCRT
    snprintf(text, size, "ucrt");
#else
    snprintf(text, size, "msvcrt");
#endif
}

uint64_t os_random_number(void)
{
    uint64_t number;

    if (BCryptGenRandom(NULL, (void *)&number, sizeof(number), BCRYPT_USE_SYSTEM_PREFERRED_RNG) >=
        0)
        return number;
    return ((uint64_t)getpid() << 32) ^ ((uint64_t)time(NULL) << 20) ^ clock_monotonic_ns();
}

unsigned os_terminal_columns(int fd, unsigned *lines)
{
    CONSOLE_SCREEN_BUFFER_INFO info;

    if (!GetConsoleScreenBufferInfo(win_handle(fd), &info))
        return 0;
    if (lines)
        *lines = (unsigned)(info.srWindow.Bottom - info.srWindow.Top + 1);
    return (unsigned)(info.srWindow.Right - info.srWindow.Left + 1);
}

bool os_terminal_is_ours(int fd)
{
    (void)fd;
    return true;
}
