/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.c - lists directories with readdir(3). */
#include "base/compat.h"

#include "os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum os_entry kind_of(const struct dirent *entry)
{
#ifdef DT_DIR
    return entry->d_type == DT_UNKNOWN ? OS_ENTRY_UNKNOWN
           : entry->d_type == DT_DIR   ? OS_ENTRY_DIRECTORY
                                       : OS_ENTRY_OTHER;
#else /* unspecified by POSIX */
    (void)entry;
    return OS_ENTRY_UNKNOWN;
#endif
}

int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind)
{
    const struct dirent *entry;

    if (!listing->stream && !(listing->stream = fdopendir(listing->fd)))
        return -errno;
    do {
        errno = 0;
        entry = readdir(listing->stream);
        if (!entry)
            return -errno;
    } while (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    *name = entry->d_name;
    *kind = kind_of(entry);
    return 1;
}

void os_list_end(struct os_listing *listing)
{
    if (listing->stream)
        closedir(listing->stream);
    else
        close(listing->fd);
}
