/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.c - POSIX calls about the machine, the process and volumes. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define DESCRIPTORS 2048 /* of the C library */

/* ---- the machine ---- */

long sysconf(int name)
{
    SYSTEM_INFO info;

    switch (name) {
    case _SC_PAGESIZE:
        GetSystemInfo(&info);
        return (long)info.dwPageSize;
    case _SC_NPROCESSORS_ONLN:
        return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    default:
        errno = EINVAL;
        return -1;
    }
}

static void take_name(char *name, size_t size)
{
    wchar_t wide[256];
    DWORD units = sizeof(wide) / sizeof(wide[0]);
    char *utf8 = GetComputerNameExW(ComputerNameDnsHostname, wide, &units) ? win_utf8(wide) : NULL;

    snprintf(name, size, "%s", utf8 ? utf8 : "");
    free(utf8);
}

static const char *machine_name(void)
{
    SYSTEM_INFO info;

    GetNativeSystemInfo(&info);
    switch (info.wProcessorArchitecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
        return "x86_64";
    case PROCESSOR_ARCHITECTURE_INTEL:
        return "i686";
    case PROCESSOR_ARCHITECTURE_ARM64:
        return "aarch64";
    default:
        return "";
    }
}

NTSTATUS NTAPI
RtlGetVersion(PRTL_OSVERSIONINFOW version); /* GetVersionEx reports a compatibility version */

int uname(struct utsname *names)
{
    RTL_OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof(version)};

    memset(names, 0, sizeof(*names));
    snprintf(names->sysname, sizeof(names->sysname), "Windows");
    if (RtlGetVersion(&version) >= 0)
        snprintf(names->release, sizeof(names->release), "%lu.%lu.%lu", version.dwMajorVersion,
                 version.dwMinorVersion, version.dwBuildNumber);
    snprintf(names->machine, sizeof(names->machine), "%s", machine_name());
    take_name(names->nodename, sizeof(names->nodename));
    return 0;
}

/* ---- the process ---- */

int getpid(void)
{
    return (int)GetCurrentProcessId();
}

struct passwd *getpwuid(uid_t user)
{
    static char name[3 * 257];
    static struct passwd entry = {.pw_name = name};
    wchar_t wide[257]; /* UNLEN + 1 */
    DWORD units = sizeof(wide) / sizeof(wide[0]);
    char *utf8 = GetUserNameW(wide, &units) ? win_utf8(wide) : NULL;

    (void)user;
    snprintf(name, sizeof(name), "%s", utf8 ? utf8 : "");
    free(utf8);
    return name[0] ? &entry : NULL;
}

pid_t tcgetpgrp(int fd)
{
    (void)fd;
    errno = ENOTTY;
    return -1;
}

int getrlimit(int what, struct rlimit *limit)
{
    if (what != RLIMIT_NOFILE) {
        errno = EINVAL;
        return -1;
    }
    *limit = (struct rlimit){DESCRIPTORS, DESCRIPTORS};
    return 0;
}

int setrlimit(int what, const struct rlimit *limit)
{
    (void)what, (void)limit;
    errno = EPERM;
    return -1;
}

int timespec_get(struct timespec *now, int base)
{
    FILETIME time;

    GetSystemTimePreciseAsFileTime(&time);
    *now = win_time(time);
    return base;
}

/* ---- volumes ---- */

/* Result of NtQueryVolumeInformationFile (FileFsFullSizeInformation, 7). */
struct full_size {
    LARGE_INTEGER total, free_to_caller, free_to_all; /* clusters */
    ULONG sectors_per_cluster, bytes_per_sector;
};

int fstatvfs(int fd, struct statvfs *space)
{
    const HANDLE handle = win_handle(fd);
    IO_STATUS_BLOCK done;
    struct full_size size;
    NTSTATUS status;

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    status =
        NtQueryVolumeInformationFile(handle, &done, &size, sizeof(size), (FS_INFORMATION_CLASS)7);
    if (status < 0)
        return win_status_failed(status);
    *space = (struct statvfs){.f_bsize = size.sectors_per_cluster * size.bytes_per_sector,
                              .f_frsize = size.sectors_per_cluster * size.bytes_per_sector,
                              .f_blocks = (uint64_t)size.total.QuadPart,
                              .f_bfree = (uint64_t)size.free_to_all.QuadPart,
                              .f_bavail = (uint64_t)size.free_to_caller.QuadPart};
    return 0;
}
