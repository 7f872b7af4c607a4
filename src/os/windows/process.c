/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* process.c - replaces this program by a Python script. Windows neither evaluates the first line of
 * a script nor replaces a process, so this one waits and returns the other's exit status. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/windows/win.h"

/* "WORD": the other program's C library splits arguments at blanks. NULL for a word with a quote,
 * which cannot occur in file names. To be freed. */
static wchar_t *quoted(const char *word)
{
    char *text = strchr(word, '"') ? NULL : mem_printf("\"%s\"", word);
    wchar_t *wide = text ? win_wide(text) : NULL;

    free(text);
    return wide;
}

char *os_program_path(const char *called)
{
    wchar_t wide[MAX_PATH];
    const DWORD length = GetModuleFileNameW(NULL, wide, MAX_PATH);

    return length > 0 && length < MAX_PATH ? win_path(wide) : mem_strdup(called);
}

int os_become_script(const char *path, char *const arguments[])
{
    size_t count = 1, given = 3; /* python -I PATH */
    const wchar_t **words;
    intptr_t status = -1;

    while (arguments[count])
        count++;
    words = mem_calloc(count + given, sizeof(*words));
    words[0] = L"python";
    words[1] = L"-I";
    words[2] = quoted(path);
    for (size_t i = 1; i < count; i++)
        words[given++] = quoted(arguments[i]);
    errno = EINVAL;
    for (size_t i = 2; i < given && words[i]; i++)
        if (i + 1 == given)
            status = _wspawnvp(_P_WAIT, words[0], words);
    if (status >= 0)
        ExitProcess((UINT)status);
    for (size_t i = 2; i < given; i++)
        free((void *)(uintptr_t)words[i]);
    free(words);
    return -errno;
}
