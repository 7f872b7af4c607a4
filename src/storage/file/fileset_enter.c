/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_enter.c - a run that was kept, to be written over.  It is believed to be ours for the
 * same reasons for which `iosweep clean` would remove it, and held as by its creator. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/os.h"
#include "storage/clean.h"
#include "storage/file/fileset.h"

/* What a removal would say, said of writing. */
static int refuse_entry(const char *path, struct error *err)
{
    char why[sizeof(err->advice)];

    if (err->errnum != 0)
        return -1;
    memcpy(why, err->advice, sizeof(why));
    *err = ERROR_INIT;
    return error_refuse(err, STATUS_TARGET, "not written over:", path, "%s", why);
}

/* Locked first: until then its creator may still be at work. */
static int lock_and_look(int fd, const char *name, const char *path, struct fileset_found *found,
                         struct error *err)
{
    int64_t wait_s;
    int is_run;

    found->alive = os_lock(fd, true) == -EWOULDBLOCK;
    is_run = fileset_look_inside(fd, name, true, path, found, err);
    if (is_run < 0)
        return refuse_entry(path, err);
    if (is_run > 0 && fileset_is_alive(found, &wait_s))
        return clean_refuse_alive(path, wait_s, err);
    if (is_run > 0 && found->empty)
        return error_refuse(err, STATUS_TARGET, "no complete file in run",
                            name + strlen(LIFE_PREFIX), "iosweep clean --run-name %s removes it",
                            name + strlen(LIFE_PREFIX));
    return is_run;
}

int fileset_enter(int parent_fd, const char *parent_path, const char *run_name,
                  struct fileset_layout *layout, int *dir_fd, struct error *err)
{
    char *name = mem_printf(LIFE_PREFIX "%s", run_name);
    char *path = mem_printf("%s/%s", parent_path, name);
    struct fileset_found found = {0};
    int fd = fileset_open_candidate(parent_fd, name, path, err);
    const int is_run = fd < 0 ? fd + 1 : lock_and_look(fd, name, path, &found, err);

    if (is_run > 0) {
        *layout = found.layout;
        *dir_fd = fd;
    } else {
        if (fd >= 0)
            close(fd);
    }
    free(path);
    free(name);
    return is_run > 0 ? 0 : is_run == 0 ? 1 : -1;
}
