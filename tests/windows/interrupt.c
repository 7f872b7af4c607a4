/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* interrupt.c - interrupt DIRECTORY COMMAND: runs the command, sends it Ctrl-C as soon as a run has
 * written its manifest, and ends with its status.  125: it could not be tried. */
#include "base/compat.h"

#include <stdbool.h>
#include <stdio.h>

#include <windows.h>

#define TRIES 1200 /* of 50 ms */

static BOOL WINAPI ignore(DWORD event)
{
    (void)event;
    return TRUE;
}

static bool has_begun(const char *directory)
{
    char pattern[512], inside[1024];
    WIN32_FIND_DATAA found;
    HANDLE search;

    snprintf(pattern, sizeof(pattern), "%s\\iosweep-*", directory);
    search = FindFirstFileA(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    FindClose(search);
    snprintf(inside, sizeof(inside), "%s\\%s\\MANIFEST-1", directory, found.cFileName);
    return GetFileAttributesA(inside) != INVALID_FILE_ATTRIBUTES;
}

int main(int argc, char **argv)
{
    STARTUPINFOA start = {.cb = sizeof(start)};
    PROCESS_INFORMATION process;
    DWORD status = 125;

    if (argc != 3)
        return 125;
    SetConsoleCtrlHandler(ignore, TRUE);
    if (!CreateProcessA(NULL, argv[2], NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) {
        fprintf(stderr, "interrupt: cannot start (%lu): %s\n", GetLastError(), argv[2]);
        return 125;
    }
    for (int i = 0; i < TRIES && !has_begun(argv[1]); i++)
        Sleep(50);
    /* to all programs of this console */
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) {
        fprintf(stderr, "interrupt: cannot send (%lu)\n", GetLastError());
        TerminateProcess(process.hProcess, 125);
    }
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &status);
    return (int)status;
}
