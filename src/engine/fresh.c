/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fresh.c - see engine/fresh.h. */
#include "base/compat.h"

#include "engine/fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/memory.h"
#include "os/os.h"
#include "storage/pattern.h"

#define PIECE_BYTES ((size_t)1 << 20) /* unit of filling files */

int fresh_open(struct fresh *fresh, const struct workload *work, const struct engine_thread *thread,
               struct error *err)
{
    const struct target *target = work->target;
    char name[48], *path;

    *fresh = (struct fresh){.work = work,
                            .dir_fd = -1,
                            .index = thread->index,
                            .kind = work->test == TEST_COPY ? FRESH_COPY : FRESH_NAME};
    if (thread->index >= target->fresh_count)
        return error_set(err, STATUS_INTERNAL, 0, "cannot create a directory for a thread in",
                         target->place);
    snprintf(name, sizeof(name), FRESH_DIRECTORY "/t%u", (unsigned)thread->index);
    fresh->dir_fd = beneath_open(target->dir_fd, name, O_RDONLY | O_DIRECTORY, 0);
    if (fresh->dir_fd < 0) {
        path = mem_printf("%s/%s", target->dir_path, name);
        error_set(err, STATUS_TARGET, -fresh->dir_fd, "cannot open", path);
        free(path);
        return file_advise(err, -fresh->dir_fd);
    }
    fresh->own = &target->fresh[thread->index];
    fresh->own->dir_fd = fresh->dir_fd;
    fresh->first = fresh->own->next;
    return 0;
}

void fresh_remove(const struct fresh *fresh, uint64_t first, uint64_t end)
{
    char name[FRESH_NAME_MAX];

    for (uint64_t i = first; i < end; i++)
        (void)unlinkat(fresh->dir_fd, fresh_name(fresh->kind, i, name), 0);
}

/* Whether the files are kept for later steps. */
static bool creates(const struct fresh *fresh)
{
    return fresh->work->test == TEST_CREATE;
}

void fresh_close(struct fresh *fresh)
{
    const struct target_request *request = fresh->work->target->request;

    if (fresh->dir_fd < 0)
        return;
    if (!fresh->stay && (!request || !(request->keep || (request->created && creates(fresh)))))
        fresh_remove(fresh, fresh->first, fresh->own->next);
    fresh->own->dir_fd = -1;
    close(fresh->dir_fd);
}

/* ---- files to be used up ---- */

/* Fills a file with the content that --verify will expect, or with that of `data`. */
static int fill(const struct fresh *fresh, int fd, char *data, uint64_t file)
{
    const struct target *target = fresh->work->target;
    const uint64_t size_bytes = fresh->work->size_bytes;
    unsigned again = 0;

    for (uint64_t at = 0; at < size_bytes;) {
        const uint64_t left = size_bytes - at;
        const size_t piece = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
        ssize_t done;

        if (target->content_known)
            target->driver->make_content(target, file, at, piece, 0, data);
        done = write(fd, data, piece);
        if (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -EIO;
        at += (uint64_t)done;
    }
    return 0;
}

static int make_one(struct fresh *fresh, char *data)
{
    const uint64_t file = pattern_new_file(fresh->index, fresh->own->next);
    char name[FRESH_NAME_MAX];
    int fd, code;

    fd = os_open_at(fresh->dir_fd, fresh_name(FRESH_NAME, fresh->own->next, name),
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    fresh->own->next++;
    code = fill(fresh, fd, data, file);
    if (close(fd) < 0 && errno != EINTR && code == 0)
        code = -errno;
    return code;
}

int fresh_make(struct fresh *fresh, uint64_t count, struct error *err)
{
    const struct target *target = fresh->work->target;
    const uint64_t bytes = fresh->work->size_bytes;
    const volatile int *stop = target->request ? target->request->stop : NULL;
    char *data = mem_buffer(bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES, 1, err);
    int code = data ? 0 : -1;

    if (!data)
        return -1;
    mem_fill_random(data, bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES, fresh->own->next);
    for (uint64_t i = 0; i < count && code == 0 && !(stop && flag_read(stop)); i++)
        code = make_one(fresh, data);
    mem_buffer_free(data);
    if (code == 0)
        return 0;
    error_set(err, STATUS_TARGET, -code, "cannot create the files of a test in", target->place);
    return file_advise(err, -code);
}

/* ---- failures ---- */

int fresh_failed(struct fresh *fresh, const char *action, enum fresh_kind kind, uint64_t number,
                 int errnum)
{
    const struct target *target = fresh->work->target;
    char name[FRESH_NAME_MAX], path[512];
    struct error error = ERROR_INIT;

    if (fresh->failure[0] != '\0')
        return -errnum;
    if (kind)
        snprintf(path, sizeof(path), "%s/" FRESH_DIRECTORY "/t%u/%s", target->dir_path,
                 (unsigned)fresh->index, fresh_name(kind, number, name));
    else
        snprintf(path, sizeof(path), "%s/%s", target->dir_path,
                 target->name[fresh->work->object_first + number]);
    error_set(&error, STATUS_PARTIAL, errnum, action, path);
    (void)file_advise(&error, errnum);
    error_format(&error, fresh->failure, sizeof(fresh->failure));
    return -errnum;
}

int fresh_sync_directory(struct fresh *fresh)
{
    if (os_sync(fresh->dir_fd) == 0 || errno == EINVAL) /* not supported by this file system */
        return 0;
    return -errno;
}
