/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix_changes.c - the engines posix and pread in tests that change names: rename and delete. Each
 * thread makes its files in its own directory before each slice, outside the timed window. --sync
 * end flushes the directory within each operation: only then is the change durable. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "engine/file.h"
#include "engine/fresh.h"
#include "os/beneath.h"
#include "os/os.h"

#define MOVABLE_MOST   64u                  /* limit of files that a thread renames, per size ... */
#define MOVABLE_BYTES  (UINT64_C(16) << 20) /* ... and of their total size */
#define DIRECTORY_TEXT 256u                 /* longer than any directory a run makes */

/* delete on a kept run: removes the files of the target in sequence, each once. Each thread takes
 * files from ranges of names that few other threads use. Only the directory of a name is opened,
 * without following links on the way; it stays open while the next names are in it. */
struct retire {
    const struct target *target; /* NULL: none */
    const char *name;            /* of a file in the open directory */
    size_t name_length;          /* length of the directory part */
    int dir_fd;
    unsigned range, ranges_left; /* the current range, and how many are left including it */
};

struct changes_ctx {
    struct fresh fresh; /* first */
    int64_t io_bytes;
    bool sync_end;
    struct target_fresh *stock; /* delete: source of the next file */
    uint32_t stocks_left;       /* remaining sources */
    struct retire retire;       /* ... or a kept run, all files of which are to be removed */
    /* rename: files first ... first + count - 1 in turn, each renamed and renamed back */
    const struct fresh_movable *movable;
    bool *moved;
    uint32_t turn;
    uint32_t index, threads; /* number of this thread; threads of the slice */
};

static struct changes_ctx *changes_begin(const struct workload *work,
                                         const struct engine_thread *thread, struct error *err)
{
    struct changes_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    if (fresh_open(&ctx->fresh, work, thread, err) != 0) {
        free(ctx);
        return NULL;
    }
    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->sync_end = work->sync == SYNC_END;
    ctx->index = thread->index;
    ctx->threads = thread->threads;
    return ctx;
}

static void changes_report(void *arg, struct engine_report *report)
{
    const struct changes_ctx *ctx = arg;

    report->first_failure = ctx->fresh.failure[0] != '\0' ? ctx->fresh.failure : NULL;
}

/* ---- delete ---- */

static COLD int retire_enter(struct retire *retire, const char *name, size_t length)
{
    char directory[DIRECTORY_TEXT] = ".";

    if (length >= sizeof(directory))
        return -ENAMETOOLONG;
    if (length > 0)
        memcpy(directory, name, length);
    directory[length > 0 ? length : 1] = '\0';
    if (retire->dir_fd >= 0)
        close(retire->dir_fd);
    retire->dir_fd = beneath_open(retire->target->dir_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    if (retire->dir_fd < 0)
        return retire->dir_fd;
    retire->name = name;
    retire->name_length = length;
    return 0;
}

/* Takes a number exclusively: all threads that use a range advance its counter atomically. */
static bool retire_take(struct retire *retire, uint64_t *number)
{
    for (; retire->ranges_left > 0; retire->ranges_left--) {
        struct target_retired_range *range = &retire->target->retired->range[retire->range];

        if (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            *number = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (*number < range->end)
                return true;
        }
        retire->range = (retire->range + 1) % TARGET_RETIRED_RANGES;
    }
    *number = retire->target->object_count;
    return false;
}

/* Removes the next file, *number, and flushes its directory if sync. Returns 0 or -errno: -ENOENT
 * also if none is left; *number is then the number of all files. */
static int retire_next(struct retire *retire, bool sync, uint64_t *number)
{
    const struct target *target = retire->target;
    const char *name, *slash;
    size_t length;
    int code;

    if (!retire_take(retire, number))
        return -ENOENT;
    name = target->name[*number];
    slash = strrchr(name, '/');
    length = slash ? (size_t)(slash - name) : 0;
    if (retire->dir_fd < 0 || length != retire->name_length ||
        memcmp(name, retire->name, length) != 0) {
        code = retire_enter(retire, name, length);
        if (code < 0)
            return code;
    }
    if (unlinkat(retire->dir_fd, slash ? slash + 1 : name, 0) < 0)
        return -errno;
    return sync && os_sync(retire->dir_fd) < 0 && errno != EINVAL ? -errno : 0;
}

static int retire_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out)
{
    struct changes_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    ctx->fresh = (struct fresh){.work = work, .dir_fd = -1, .stay = true};
    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->sync_end = work->sync == SYNC_END;
    ctx->retire = (struct retire){
        .target = work->target,
        .dir_fd = -1,
        .range = (unsigned)((uint64_t)thread->index * TARGET_RETIRED_RANGES / thread->threads),
        .ranges_left = TARGET_RETIRED_RANGES};
    *ctx_out = ctx;
    return 0;
}

static int delete_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct changes_ctx *ctx;
    uint64_t share;

    if (work->target->retired)
        return retire_setup(work, thread, ctx_out);
    ctx = changes_begin(work, thread, err);
    if (!ctx)
        return -1;
    share = number_share(thread->cycles, thread->index, thread->threads);
    ctx->stock = ctx->fresh.own;
    ctx->stocks_left = thread->threads - 1;
    atomic_store(&ctx->stock->taken, ctx->stock->next);
    if (fresh_make(&ctx->fresh, share, err) != 0) {
        fresh_remove(&ctx->fresh, ctx->fresh.first, ctx->fresh.own->next);
        ctx->stock->stock_end = ctx->stock->next;
        fresh_close(&ctx->fresh);
        free(ctx);
        return -1;
    }
    ctx->stock->stock_end = ctx->stock->next;
    *ctx_out = ctx;
    return 0;
}

/* Also removes what a slice that ended early has left, regardless of --keep. */
static void delete_teardown(void *arg)
{
    struct changes_ctx *ctx = arg;

    if (ctx->retire.target) {
        if (ctx->retire.dir_fd >= 0)
            close(ctx->retire.dir_fd);
        free(ctx);
        return;
    }
    fresh_remove(&ctx->fresh, atomic_load(&ctx->fresh.own->taken), ctx->fresh.own->stock_end);
    ctx->fresh.stay = true;
    fresh_close(&ctx->fresh);
    free(ctx);
}

/* The thread's own files are used up, so it takes those of another thread. */
static COLD bool next_stock(struct changes_ctx *ctx, uint64_t *number)
{
    const struct target *target = ctx->fresh.work->target;

    while (ctx->stocks_left > 0) {
        const uint32_t index = (ctx->index + ctx->threads - ctx->stocks_left) % ctx->threads;

        ctx->stocks_left--;
        ctx->stock = &target->fresh[index];
        *number = atomic_fetch_add(&ctx->stock->taken, 1);
        if (*number < ctx->stock->stock_end)
            return true;
    }
    return false;
}

static COLD int64_t delete_failed(struct changes_ctx *ctx, uint64_t number)
{
    const int errnum = errno;

    ctx->fresh.index = (uint32_t)(ctx->stock - ctx->fresh.work->target->fresh); /* the owner */
    return fresh_failed(&ctx->fresh, "cannot remove", FRESH_NAME, number, errnum);
}

static int64_t retire_one(struct changes_ctx *ctx)
{
    uint64_t number;
    const int code = retire_next(&ctx->retire, ctx->sync_end, &number);

    if (__builtin_expect(code == 0, 1))
        return ctx->io_bytes;
    if (number >= ctx->fresh.work->target->object_count)
        return code;
    return fresh_failed(&ctx->fresh, "cannot remove", 0, number, -code);
}

static int64_t posix_delete(void *arg, uint32_t object)
{
    struct changes_ctx *ctx = arg;
    uint64_t number;
    char name[FRESH_NAME_MAX];

    (void)object;
    if (ctx->retire.target)
        return retire_one(ctx);
    number = atomic_fetch_add_explicit(&ctx->stock->taken, 1, memory_order_relaxed);
    if (__builtin_expect(number >= ctx->stock->stock_end, 0) && !next_stock(ctx, &number)) {
        errno = ENOENT;
        return delete_failed(ctx, number);
    }
    fresh_name(FRESH_NAME, number, name);
    if (__builtin_expect(unlinkat(ctx->stock->dir_fd, name, 0) < 0, 0))
        return delete_failed(ctx, number);
    if (__builtin_expect(ctx->sync_end, 0) && os_sync(ctx->stock->dir_fd) < 0 && errno != EINVAL)
        return delete_failed(ctx, number);
    return ctx->io_bytes;
}

/* ---- rename ---- */

/* Uses the files of the workload's size; they keep their names between slices. */
static int find_movable(struct changes_ctx *ctx, struct error *err)
{
    struct target_fresh *own = ctx->fresh.own;
    const uint64_t bytes = ctx->fresh.work->size_bytes, fit = MOVABLE_BYTES / (bytes ? bytes : 1);
    const uint64_t first = own->next;

    for (uint32_t i = 0; i < own->movable_count; i++)
        if (own->movable[i].size_bytes == bytes) {
            ctx->movable = &own->movable[i];
            return 0;
        }
    if (fresh_make(&ctx->fresh, fit < 1 ? 1 : fit < MOVABLE_MOST ? fit : MOVABLE_MOST, err) != 0) {
        fresh_remove(&ctx->fresh, first, own->next);
        return -1;
    }
    own->movable = mem_realloc_array(own->movable, own->movable_count + 1, sizeof(*own->movable));
    own->movable[own->movable_count] = (struct fresh_movable){
        .size_bytes = bytes, .first = first, .count = (uint32_t)(own->next - first)};
    ctx->movable = &own->movable[own->movable_count++];
    return 0;
}

static bool is_there(const struct fresh *fresh, enum fresh_kind kind, uint64_t number)
{
    char name[FRESH_NAME_MAX];
    struct stat st;

    return fstatat(fresh->dir_fd, fresh_name(kind, number, name), &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* rename(2) replaces the target name, which could only be another program's file. */
static int expect_free(const struct changes_ctx *ctx, struct error *err)
{
    const struct fresh *fresh = &ctx->fresh;
    char name[FRESH_NAME_MAX], *path;

    for (uint32_t i = 0; i < ctx->movable->count; i++) {
        const uint64_t number = ctx->movable->first + i;

        if (!is_there(fresh, FRESH_MOVED, number) || !is_there(fresh, FRESH_NAME, number))
            continue;
        path = mem_printf("%s/" FRESH_DIRECTORY "/t%u/%s", fresh->work->target->dir_path,
                          (unsigned)fresh->index, fresh_name(FRESH_MOVED, number, name));
        error_set(err, STATUS_TARGET, EEXIST, "cannot rename a file to", path);
        free(path);
        return error_advise(err, "nothing else may change the directory of a run");
    }
    return 0;
}

static int rename_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct changes_ctx *ctx = changes_begin(work, thread, err);

    if (!ctx)
        return -1;
    ctx->fresh.stay = true;
    if (find_movable(ctx, err) != 0 || expect_free(ctx, err) != 0) {
        fresh_close(&ctx->fresh);
        free(ctx);
        return -1;
    }
    ctx->moved = mem_calloc(ctx->movable->count + 1, sizeof(*ctx->moved));
    *ctx_out = ctx;
    return 0;
}

static int move(struct changes_ctx *ctx, uint32_t turn)
{
    const uint64_t number = ctx->movable->first + turn;
    char name[FRESH_NAME_MAX], other[FRESH_NAME_MAX];
    int code;

    fresh_name(FRESH_NAME, number, name);
    fresh_name(FRESH_MOVED, number, other);
    code = ctx->moved[turn] ? renameat(ctx->fresh.dir_fd, other, ctx->fresh.dir_fd, name)
                            : renameat(ctx->fresh.dir_fd, name, ctx->fresh.dir_fd, other);
    if (__builtin_expect(code < 0, 0))
        return -errno;
    ctx->moved[turn] = !ctx->moved[turn];
    return 0;
}

static int64_t posix_rename(void *arg, uint32_t object)
{
    struct changes_ctx *ctx = arg;
    const uint32_t turn = ctx->turn;
    int code = turn < ctx->movable->count ? move(ctx, turn) : -ENOENT;

    (void)object;
    ctx->turn = turn + 1 < ctx->movable->count ? turn + 1 : 0;
    if (__builtin_expect(ctx->sync_end, 0) && code == 0)
        code = fresh_sync_directory(&ctx->fresh);
    if (__builtin_expect(code < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot rename",
                            ctx->moved[turn] ? FRESH_MOVED : FRESH_NAME, ctx->movable->first + turn,
                            -code);
    return ctx->io_bytes;
}

/* Restores the original names, also after an interruption. */
static void rename_teardown(void *arg)
{
    struct changes_ctx *ctx = arg;

    for (uint32_t i = 0; i < ctx->movable->count; i++)
        if (ctx->moved[i])
            (void)move(ctx, i);
    fresh_close(&ctx->fresh);
    free(ctx->moved);
    free(ctx);
}

#define CHANGES_TABLE(table, word, test_, summary_, setup_, teardown_, operate_) \
    const struct engine table = {                                                \
        .name = word,                                                            \
        .summary = summary_,                                                     \
        .libc_words = "Using system calls",                                      \
        .capabilities = ENGINE_WRITES,                                           \
        .phases = 1u << PHASE_TRANSFER,                                          \
        .tests = 1u << (test_),                                                  \
        .setup = setup_,                                                         \
        .teardown = teardown_,                                                   \
        .report = changes_report,                                                \
        .operate = operate_,                                                     \
    }
POSIX_TABLES(CHANGES_TABLE, delete, TEST_DELETE, "unlinkat", delete_setup, delete_teardown,
             posix_delete);
POSIX_TABLES(CHANGES_TABLE, rename, TEST_RENAME, "renameat", rename_setup, rename_teardown,
             posix_rename);
