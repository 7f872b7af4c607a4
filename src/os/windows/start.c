/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* start.c - program start-up: converts arguments to UTF-8 and disables line end translation. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv);
int wmain(int argc, wchar_t **argv);

static UINT console_words; /* the console's previous code page */

static void restore_console(void)
{
    SetConsoleOutputCP(console_words);
}

static void prepare_console(void)
{
    DWORD mode;

    if (!GetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), &mode) &&
        !GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode))
        return;
    console_words = GetConsoleOutputCP();
    if (console_words != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
        atexit(restore_console);
}

/* Converts paths to slashes, since a backslash begins an escape in results. */
static bool is_path(const wchar_t *word)
{
    if (word[0] == L'-' || !wcschr(word, L'\\'))
        return false;
    return word[1] == L':' || GetFileAttributesW(word) != INVALID_FILE_ATTRIBUTES;
}

/* Paths in variables: the C library has them in the user's code page, but files are opened by UTF-8
 * names.  Without HOME it is the user's profile directory, as for other programs. */
static void set_paths(void)
{
    static const struct {
        const wchar_t *wide;
        const char *name;
        bool unless_set;
    } variable[] = {{L"HOME", "HOME", false},
                    {L"USERPROFILE", "HOME", true},
                    {L"AWS_SHARED_CREDENTIALS_FILE", "AWS_SHARED_CREDENTIALS_FILE", false},
                    {L"AWS_CONFIG_FILE", "AWS_CONFIG_FILE", false},
                    {L"AWS_CA_BUNDLE", "AWS_CA_BUNDLE", false}};

    for (size_t i = 0; i < COUNT_OF(variable); i++) {
        const wchar_t *wide = _wgetenv(variable[i].wide);
        char *path =
            wide && !(variable[i].unless_set && getenv(variable[i].name)) ? win_path(wide) : NULL;

        if (path)
            (void)_putenv_s(variable[i].name, path);
        free(path);
    }
}

int wmain(int argc, wchar_t **argv)
{
    char **words = calloc((size_t)argc + 1, sizeof(*words));

    for (int i = 0; words && i < argc; i++)
        if (!(words[i] = is_path(argv[i]) ? win_path(argv[i]) : win_utf8(argv[i])))
            return 3;
    if (!words)
        return 3;
    for (int fd = 0; fd <= 2; fd++)
        _setmode(fd, _O_BINARY);
    prepare_console();
    set_paths();
    return main(argc, words);
}
