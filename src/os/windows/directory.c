/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* directory.c - lists an open directory. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_BYTES 8192u

/* An entry of NtQueryDirectoryFile (FileDirectoryInformation). */
struct windows_entry {
    ULONG next; /* offset of the next one; 0: the last */
    ULONG index;
    LARGE_INTEGER created, accessed, written, changed, end, allocated;
    ULONG attributes, name_bytes;
    wchar_t name[1];
};

/* missing in some headers */
NTSTATUS NTAPI NtQueryDirectoryFile(HANDLE directory, HANDLE event, PIO_APC_ROUTINE called,
                                    PVOID called_with, PIO_STATUS_BLOCK done, PVOID buffer,
                                    ULONG room, FILE_INFORMATION_CLASS what, BOOLEAN one,
                                    PUNICODE_STRING pattern, BOOLEAN again);

static int read_more(int fd, void *buffer, size_t room)
{
    IO_STATUS_BLOCK done = {.Information = 0};
    const HANDLE handle = win_handle(fd);
    NTSTATUS status;

    if (handle == INVALID_HANDLE_VALUE)
        return -EBADF;
    status = NtQueryDirectoryFile(handle, NULL, NULL, NULL, &done, buffer, (ULONG)room,
                                  FileDirectoryInformation, FALSE, NULL, FALSE);
    if ((ULONG)status == 0x80000006u ||
        (ULONG)status == 0xC000000Fu) /* no more files; none at all */
        return 0;
    return status < 0 ? -win_status_errno(status) : 1;
}

static bool is_dots(const struct windows_entry *entry)
{
    return (entry->name_bytes == 2 && entry->name[0] == L'.') ||
           (entry->name_bytes == 4 && entry->name[0] == L'.' && entry->name[1] == L'.');
}

/* Returns the next entry in a buffer, refilling it as needed: 1, 0 at the end, or -errno. */
static int next_entry(struct os_listing *listing, size_t room, const struct windows_entry **entry)
{
    for (;;) {
        const struct windows_entry *at;

        if (listing->at == listing->end) {
            const int code = read_more(listing->fd, listing->buffer, room);

            if (code <= 0)
                return code;
            listing->at = 0;
            listing->end = SIZE_MAX;
        }
        at = (const struct windows_entry *)(const void *)(listing->buffer + listing->at);
        if (at->next == 0)
            listing->at = listing->end = 0;
        else
            listing->at += at->next;
        if (is_dots(at))
            continue;
        *entry = at;
        return 1;
    }
}

static void name_of(const struct windows_entry *entry, char *name, size_t room)
{
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, entry->name, (int)(entry->name_bytes / 2),
                                          name, (int)room - 1, NULL, NULL);

    name[bytes > 0 ? bytes : 0] = '\0';
}

/* ---- os/os.h ---- */

/* The end of the buffer holds the name. A link to a directory is not a directory. */
int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind)
{
    const size_t room = listing->room - (NAME_MAX + 1);
    const struct windows_entry *entry;
    const int code = next_entry(listing, room, &entry);

    if (code <= 0)
        return code;
    name_of(entry, listing->buffer + room, NAME_MAX + 1);
    *name = listing->buffer + room;
    *kind = entry->attributes & FILE_ATTRIBUTE_REPARSE_POINT ? OS_ENTRY_UNKNOWN
            : entry->attributes & FILE_ATTRIBUTE_DIRECTORY   ? OS_ENTRY_DIRECTORY
                                                             : OS_ENTRY_OTHER;
    return 1;
}

void os_list_end(struct os_listing *listing)
{
    close(listing->fd);
}

/* ---- dirent.h ---- */

struct os_directory {
    struct os_listing listing;
    struct dirent entry;
    uint64_t buffer[LOOK_BYTES / sizeof(uint64_t)];
};

DIR *fdopendir(int fd)
{
    DIR *dir = calloc(1, sizeof(*dir));

    if (dir)
        os_list_begin(&dir->listing, fd, dir->buffer, sizeof(dir->buffer));
    else
        errno = ENOMEM;
    return dir;
}

DIR *opendir(const char *name)
{
    const int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir && fd >= 0)
        close(fd);
    return dir;
}

struct dirent *readdir(DIR *dir)
{
    const struct windows_entry *entry;
    const int code = next_entry(&dir->listing, sizeof(dir->buffer), &entry);

    if (code < 0)
        errno = -code;
    if (code <= 0)
        return NULL;
    name_of(entry, dir->entry.d_name, sizeof(dir->entry.d_name));
    return &dir->entry;
}

int closedir(DIR *dir)
{
    const int code = close(dir->listing.fd);

    free(dir);
    return code;
}
