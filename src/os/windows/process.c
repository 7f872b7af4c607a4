/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* process.c - starting another program with its three streams given, and waiting for it. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static HANDLE child; /* the one that was started last: no caller has two */

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    *actions = (posix_spawn_file_actions_t){{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}};
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int as)
{
    if (as < STDIN_FILENO || as > STDERR_FILENO)
        return EBADF;
    actions->fd[as] = fd;
    return 0;
}

int posix_spawnattr_init(posix_spawnattr_t *attributes)
{
    attributes->flags = 0;
    return 0;
}

int posix_spawnattr_destroy(posix_spawnattr_t *attributes)
{
    (void)attributes;
    return 0;
}

/* There are no signals to be set back. */
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals)
{
    (void)attributes, (void)signals;
    return 0;
}

int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags)
{
    attributes->flags = flags;
    return 0;
}

/* "NAME" "ARGUMENT"...: of words without quotes, which no caller has. */
static wchar_t *command_line(char *const arguments[])
{
    char *line = mem_strdup("");
    wchar_t *wide;

    for (size_t i = 0; arguments[i]; i++) {
        char *longer = mem_printf("%s%s\"%s\"", line, i > 0 ? " " : "", arguments[i]);

        free(line);
        line = longer;
    }
    wide = strchr(arguments[0], '"') ? NULL : win_wide(line);
    free(line);
    return wide;
}

static int start(wchar_t *line, HANDLE streams[3], pid_t *pid)
{
    const DWORD flags = EXTENDED_STARTUPINFO_PRESENT;
    STARTUPINFOEXW info = {.StartupInfo = {.cb = sizeof(info),
                                           .dwFlags = STARTF_USESTDHANDLES,
                                           .hStdInput = streams[0],
                                           .hStdOutput = streams[1],
                                           .hStdError = streams[2]}};
    PROCESS_INFORMATION process;
    SIZE_T size = 0;
    int code = 0;

    /* only these three are inherited: else it would hold the other ends of its own pipes */
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    info.lpAttributeList = mem_calloc(size, 1);
    InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &size);
    UpdateProcThreadAttribute(info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams,
                              3 * sizeof(*streams), NULL, NULL);
    if (CreateProcessW(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, &info.StartupInfo,
                       &process)) {
        CloseHandle(process.hThread);
        child = process.hProcess;
        *pid = (pid_t)process.dwProcessId;
    } else {
        code = win_errno(GetLastError());
    }
    DeleteProcThreadAttributeList(info.lpAttributeList);
    free(info.lpAttributeList);
    return code;
}

int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[])
{
    const HANDLE self = GetCurrentProcess();
    HANDLE streams[3] = {NULL, NULL, NULL};
    wchar_t *line = command_line(arguments);
    int code = line ? 0 : EINVAL;

    (void)name, (void)attributes, (void)environment; /* arguments[0]; ours */
    for (int i = 0; i < 3 && code == 0; i++)
        if (!DuplicateHandle(self, win_handle(actions->fd[i]), self, &streams[i], 0, TRUE,
                             DUPLICATE_SAME_ACCESS))
            code = win_errno(GetLastError());
    if (code == 0)
        code = start(line, streams, pid);
    for (int i = 0; i < 3; i++)
        if (streams[i])
            CloseHandle(streams[i]);
    free(line);
    return code;
}

pid_t waitpid(pid_t pid, int *state, int options)
{
    DWORD code = 0;

    (void)options;
    if (!child) {
        errno = ECHILD;
        return -1;
    }
    WaitForSingleObject(child, INFINITE);
    GetExitCodeProcess(child, &code);
    CloseHandle(child);
    child = NULL;
    *state = (int)code;
    return pid;
}
