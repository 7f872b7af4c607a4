/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_enter.c - a run that was kept, to be written over.  It is believed to be ours for the
 * same reasons for which `iosweep clean` would remove it, and held as by its creator.  Nothing of
 * its manifest changes but the word for what the files hold, in its place, so that it names the
 * same files whenever the program is killed. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/engine.h"
#include "os/os.h"
#include "target/file/fileset.h"

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
    int is_run;

    if (os_lock(fd, true) == -EWOULDBLOCK) {
        error_set(err, STATUS_TARGET, 0, "in use by a running iosweep:", path);
        return error_advise(err, "wait until it ends: it reads or writes the files");
    }
    is_run = fileset_look_inside(fd, name, true, path, found, err);
    if (is_run < 0)
        return refuse_entry(path, err);
    if (is_run > 0 && found->empty)
        return error_refuse(err, STATUS_TARGET, "no complete file in run",
                            name + strlen(FILESET_PREFIX), "iosweep clean --run-name %s removes it",
                            name + strlen(FILESET_PREFIX));
    return is_run;
}

int fileset_enter(int parent_fd, const char *parent_path, const char *run_name,
                  struct fileset_layout *layout, int *dir_fd, struct error *err)
{
    char *name = mem_printf(FILESET_PREFIX "%s", run_name);
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

/* ---- the word for what the files hold ---- */

static bool write_word(int fd, const char *word, size_t length, off_t at)
{
    unsigned again = 0;
    ssize_t done;

    do
        done = pwrite(fd, word, length, at);
    while (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    if (done >= 0 && done != (ssize_t)length)
        errno = ENOSPC;
    return done == (ssize_t)length && (os_sync_data(fd) == 0 || errno == EINVAL);
}

/* Whether the file is the manifest that was read, and nobody else's too. */
static bool is_manifest(int fd, const char *text)
{
    const size_t length = strlen(text);
    char *there = mem_calloc(length + 1, 1);
    struct stat st;
    const bool same = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
                      pread(fd, there, length + 1, 0) == (ssize_t)length &&
                      memcmp(there, text, length) == 0;

    free(there);
    return same;
}

int fileset_mark(int dir_fd, const char *path, struct fileset_layout *layout,
                 enum fileset_content content, struct error *err)
{
    static const char key[] = "\ncontent=";
    const char *const word = fileset_content_words[content]; /* all are as long */
    char *text, *manifest = mem_printf("%s/" FILESET_MANIFEST, path);
    const char *place;
    int code = 0, fd;

    if (layout->content >= content) {
        free(manifest);
        return 0;
    }
    text = fileset_manifest_format(layout);
    place = strstr(text, key);
    fd = os_open_at(dir_fd, FILESET_MANIFEST, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    if (fd < 0)
        code = error_set(err, STATUS_TARGET, errno, "cannot write to", manifest);
    else if (!place || !is_manifest(fd, text))
        code = error_refuse(err, STATUS_TARGET, "something else has replaced", manifest,
                            "nothing else may change the directory of a run");
    else if (!write_word(fd, word, strlen(word), (place - text) + (off_t)sizeof(key) - 1))
        code = error_set(err, STATUS_TARGET, errno, "cannot write to", manifest);
    if (fd >= 0)
        close(fd);
    if (code == 0)
        layout->content = content;
    free(text);
    free(manifest);
    return code;
}
