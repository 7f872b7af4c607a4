/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outfile.c - files for results.  They never replace what is to be measured, nor a block device;
 * what an earlier run wrote in the same format stays until the new run is sure to start; any other
 * file stays for good. */
#include "base/compat.h"

#include "cli/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/os.h"

#define OUT_BUFFER_BYTES ((size_t)256 << 10)

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Results never replace the data that are to be measured. */
static bool is_target(const struct settings *settings, const struct stat *file)
{
    struct stat target;

    for (unsigned i = 0; i < settings->target_count; i++)
        if (stat(settings->targets[i], &target) == 0 && same_file(&target, file))
            return true;
    return false;
}

/* What stands there may go: nothing, or what an earlier run printed in the same format. */
static bool may_replace(const char *name, enum format format, const struct stat *st)
{
    char beginning[4097];
    ssize_t count;
    int fd;

    if (!S_ISREG(st->st_mode) || st->st_size == 0)
        return true;
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    count = read(fd, beginning, sizeof(beginning) - 1);
    close(fd);
    beginning[count > 0 ? count : 0] = '\0';
    return count > 0 && format_owns(format, beginning);
}

static int refuse_out_file(struct outfile *out, int fd, const char *action, struct error *err)
{
    if (out->created)
        unlink(out->name);
    close(fd);
    return error_refuse(err, STATUS_USAGE, action, out->name, "name another file");
}

int outfile_open(const struct settings *settings, const char *name, enum format format,
                 struct outfile *out, struct error *err)
{
    struct stat st;
    uint64_t disk_bytes;
    int fd;

    if (!name)
        return 0;
    fd = open(name, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    out->name = name;
    out->created = fd >= 0;
    if (fd < 0 && errno == EEXIST)
        fd = open(name, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        const int code = errno;
        if (fd >= 0)
            close(fd);
        error_set(err, STATUS_USAGE, code, "cannot write the results to", name);
        if (code == EISDIR)
            return error_advise(err, "name a file in it");
        if (code == ENOENT)
            return error_advise(err, "the directory for it does not exist");
        return -1;
    }
    if (is_target(settings, &st))
        return refuse_out_file(out, fd, "the results would overwrite the target:", err);
    if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && os_device_bytes(fd, &disk_bytes) == 0))
        return refuse_out_file(out, fd, "the results would overwrite a disk:", err);
    if (!may_replace(name, format, &st))
        return refuse_out_file(
            out, fd, "only results of iosweep in the same format are overwritten, not", err);
    out->old = st;
    out->stream = fdopen(fd, "w"); /* does not empty an open file */
    if (!out->stream)
        return refuse_out_file(out, fd, "cannot write the results to", err);
    /* Room for a whole record, so that only flushing writes: printf does not tell why it failed. */
    out->buffer = mem_calloc(1, OUT_BUFFER_BYTES);
    setvbuf(out->stream, out->buffer, _IOFBF, OUT_BUFFER_BYTES);
    return 0;
}

int outfile_check_stdout(struct error *err)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);

    if (flags >= 0 ? (flags & O_ACCMODE) != O_RDONLY : errno != EBADF)
        return 0;
    return error_refuse(err, STATUS_USAGE, "standard output is closed: the results would be lost",
                        NULL, "-o FILE writes them to a file");
}

int outfile_lock(struct outfile *out, struct error *err)
{
    struct stat st;

    if (!out->stream || fstat(fileno(out->stream), &st) < 0 || !S_ISREG(st.st_mode) ||
        os_lock(fileno(out->stream), true) != -EWOULDBLOCK)
        return 0;
    out->created = false; /* whoever has locked it will write to it */
    return error_refuse(err, STATUS_USAGE, "another run is writing its results to", out->name,
                        "wait until it ends, or name another file");
}

/* True when the file is one of those to be measured (iosweep -r -o DIR/FILE DIR). */
static bool is_object(const struct target *const *targets, unsigned count, const struct stat *file)
{
    struct stat object;

    for (unsigned t = 0; t < count; t++) {
        const struct target *target = targets[t];
        for (uint32_t i = 0; target->name && i < target->object_count; i++)
            if (fstatat(target->dir_fd, target->name[i], &object, 0) == 0 &&
                same_file(&object, file))
                return true;
    }
    return false;
}

int outfile_check(const struct outfile *out, const struct target *const *targets, unsigned count,
                  struct error *err)
{
    if (!out->stream || out->created || !out->old.st_nlink || !is_object(targets, count, &out->old))
        return 0;
    return error_refuse(err, STATUS_USAGE,
                        "the results would overwrite a file that is measured:", out->name,
                        "name another file");
}

/* Pipes and devices cannot be truncated and need not be. */
int outfile_empty(const struct outfile *out, struct error *err)
{
    struct stat st;

    if (!out->stream || fstat(fileno(out->stream), &st) < 0 || !S_ISREG(st.st_mode) ||
        ftruncate(fileno(out->stream), 0) == 0)
        return 0;
    return error_set(err, STATUS_USAGE, errno, "cannot write the results to", out->name);
}

/* Two outputs in one file would overwrite each other. */
int outfile_check_distinct(const struct outfile *one, const struct outfile *two,
                           const char *message, struct error *err)
{
    struct stat a, b;

    if (!one->stream || !two->stream || fstat(fileno(one->stream), &a) < 0 ||
        fstat(fileno(two->stream), &b) < 0 || !S_ISREG(a.st_mode) || !same_file(&a, &b))
        return 0;
    return error_refuse(err, STATUS_USAGE, message, two->name, "give two names");
}

void outfile_close(struct outfile *out, struct error *err)
{
    if (!out->stream)
        return;
    if (out->created && ftell(out->stream) == 0)
        unlink(out->name);
    if (fclose(out->stream) != 0)
        error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", out->name);
    out->stream = NULL;
    free(out->buffer);
}
