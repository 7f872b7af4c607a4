/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix_names.c - the engines posix and pread in tests that inspect names: stat and list. One
 * operation is one call of the hook; its findings are counted. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "engine/file.h"

#define LIST_DEPTH_MAX   64u   /* directories open at a time */
#define LIST_ENTRY_BYTES 32768 /* size of one request, like that of glibc's readdir(3) */

struct names_ctx {
    const struct target *target;
    const char *const *name; /* of each object */
    int64_t io_bytes;
    struct engine_found found;
    struct os_how how; /* of directories */
    uint64_t *entries; /* LIST_ENTRY_BYTES per level */
    char failure[320];
};

static int names_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct names_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    (void)thread;
    (void)err;
    ctx->target = work->target;
    ctx->name = work->target->name + work->object_first;
    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    if (work->target->noatime)
        ctx->how.flags |= OS_O_NOATIME;
    if (os_opens_beneath()) {
        ctx->how.flags |= OS_O_LARGEFILE;
        ctx->how.resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    }
    if (work->test == TEST_LIST) /* untouched pages occupy no memory */
        ctx->entries = mem_calloc(LIST_DEPTH_MAX, LIST_ENTRY_BYTES);
    *ctx_out = ctx;
    return 0;
}

static void names_teardown(void *arg)
{
    struct names_ctx *ctx = arg;

    free(ctx->entries);
    free(ctx);
}

static void names_report(void *arg, struct engine_report *report)
{
    const struct names_ctx *ctx = arg;

    report->found = ctx->found;
    report->first_failure = ctx->failure[0] != '\0' ? ctx->failure : NULL;
}

static COLD int failed(struct names_ctx *ctx, const char *action, const char *name, int errnum)
{
    struct error error = ERROR_INIT;
    char *path;

    if (ctx->failure[0] != '\0')
        return -errnum;
    path = !ctx->target->dir_path
               ? mem_strdup(name)
               : mem_printf("%s%s%s", ctx->target->dir_path, name[0] != '\0' ? "/" : "", name);
    error_set(&error, STATUS_PARTIAL, errnum, action, path);
    (void)file_advise(&error, errnum);
    error_format(&error, ctx->failure, sizeof(ctx->failure));
    free(path);
    return -errnum;
}

/* A missing name is a result, too. */
static int64_t posix_stat(void *arg, uint32_t object)
{
    struct names_ctx *ctx = arg;
    struct stat st;

    if (__builtin_expect(
            fstatat(ctx->target->dir_fd, ctx->name[object], &st, AT_SYMLINK_NOFOLLOW) == 0, 1)) {
        ctx->found.hits++;
        return ctx->io_bytes;
    }
    if (errno != ENOENT && errno != ENOTDIR)
        return failed(ctx, "cannot stat", ctx->name[object], errno);
    ctx->found.misses++;
    return ctx->io_bytes;
}

/* ---- list ---- */

static bool is_aside(const struct names_ctx *ctx, const char *name)
{
    for (const char *const *aside = ctx->target->aside; *aside; aside++)
        if (strncmp(name, *aside, strlen(*aside)) == 0)
            return true;
    return false;
}

/* For file systems that do not report the type. */
static COLD enum os_entry kind_of(int fd, const char *name)
{
    struct stat st;

    return fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)
               ? OS_ENTRY_DIRECTORY
               : OS_ENTRY_OTHER;
}

/* The entry was removed, is no longer a directory, is on another file system, or belongs to another
 * user and was left out with a warning when the tree was scanned. */
static bool is_left_out(int errnum)
{
    return errnum == ENOENT || errnum == ENOTDIR || errnum == ELOOP || errnum == EXDEV ||
           errnum == EACCES;
}

/* Counts everything but directories below an open one, which it closes. 0 or -errno. Limited to
 * LIST_DEPTH_MAX levels. */
static int64_t list_below(struct names_ctx *ctx, int fd, unsigned level)
{
    struct os_listing listing;
    enum os_entry kind;
    const char *name;
    int64_t code;

    os_list_begin(&listing, fd, (char *)ctx->entries + (size_t)level * LIST_ENTRY_BYTES,
                  LIST_ENTRY_BYTES);
    while ((code = os_list_next(&listing, &name, &kind)) > 0) {
        int below;

        if (level == 0 && ctx->target->aside && is_aside(ctx, name))
            continue;
        if (kind == OS_ENTRY_UNKNOWN)
            kind = kind_of(fd, name);
        if (kind != OS_ENTRY_DIRECTORY) {
            ctx->found.names++;
            continue;
        }
        if (level + 1 == LIST_DEPTH_MAX) {
            code = failed(ctx, "too many levels of directories for test list:", name, ELOOP);
            break;
        }
        below = os_openat(fd, name, &ctx->how);
        if (below < 0 && is_left_out(errno))
            continue;
        code =
            below < 0 ? failed(ctx, "cannot list", name, errno) : list_below(ctx, below, level + 1);
        if (code < 0)
            break;
    }
    os_list_end(&listing);
    return code;
}

static int64_t posix_list(void *arg, uint32_t object)
{
    struct names_ctx *ctx = arg;
    const uint64_t before = ctx->found.names;
    const int fd = os_openat(ctx->target->dir_fd, ".", &ctx->how);
    const int64_t code = fd < 0 ? failed(ctx, "cannot list", "", errno) : list_below(ctx, fd, 0);

    (void)object;
    if (__builtin_expect(code < 0, 0)) {
        ctx->found.names = before;
        return code;
    }
    ctx->found.listings++;
    return ctx->io_bytes;
}

#define NAMES_TABLE(table, word, test_, hook) \
    const struct engine table = {             \
        .name = word,                         \
        .summary = "fstatat, getdents",       \
        .libc_words = "Using system calls",   \
        .phases = 1u << PHASE_TRANSFER,       \
        .tests = 1u << (test_),               \
        .setup = names_setup,                 \
        .teardown = names_teardown,           \
        .report = names_report,               \
        .operate = hook,                      \
    }
POSIX_TABLES(NAMES_TABLE, stat, TEST_STAT, posix_stat);
POSIX_TABLES(NAMES_TABLE, list, TEST_LIST, posix_list);
