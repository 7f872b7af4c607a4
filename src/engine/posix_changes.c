/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posix_changes.c - the engines posix and pread in tests that change names: delete.  The files are
 * made before each slice, by each thread its share in its own directory, outside the timed window.
 * --sync end flushes the directory within each operation: only then is the change safe. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "engine/fresh.h"

struct changes_ctx {
    struct fresh fresh; /* first */
    int64_t io_bytes;
    bool sync_end;
    struct target_fresh *stock; /* delete: where the next file is taken from */
    uint32_t stocks_left;       /* the others */
    uint32_t index, threads;    /* of this thread; of the slice */
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

static int delete_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct changes_ctx *ctx = changes_begin(work, thread, err);
    uint64_t share;

    if (!ctx)
        return -1;
    share = thread->cycles / thread->threads + (thread->index < thread->cycles % thread->threads);
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

/* What a slice that ended early has left over goes, too, whatever is kept. */
static void delete_teardown(void *arg)
{
    struct changes_ctx *ctx = arg;

    fresh_remove(&ctx->fresh, atomic_load(&ctx->fresh.own->taken), ctx->fresh.own->stock_end);
    ctx->fresh.stay = true;
    fresh_close(&ctx->fresh);
    free(ctx);
}

/* Its own files are used up: help another thread. */
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

    ctx->fresh.index = (uint32_t)(ctx->stock - ctx->fresh.work->target->fresh); /* whose it is */
    return fresh_failed(&ctx->fresh, "cannot remove", FRESH_NAME, number, errnum);
}

static int64_t posix_delete(void *arg, uint32_t object)
{
    struct changes_ctx *ctx = arg;
    uint64_t number = atomic_fetch_add_explicit(&ctx->stock->taken, 1, memory_order_relaxed);
    char name[FRESH_NAME_MAX];

    (void)object;
    if (__builtin_expect(number >= ctx->stock->stock_end, 0) && !next_stock(ctx, &number)) {
        errno = ENOENT;
        return delete_failed(ctx, number);
    }
    fresh_name(FRESH_NAME, number, name);
    if (__builtin_expect(unlinkat(ctx->stock->dir_fd, name, 0) < 0, 0))
        return delete_failed(ctx, number);
    if (__builtin_expect(ctx->sync_end, 0) && fsync(ctx->stock->dir_fd) < 0 && errno != EINVAL)
        return delete_failed(ctx, number);
    return ctx->io_bytes;
}

#define CHANGES(table, word, test_, summary_, setup_, teardown_, operate_) \
    const struct engine table = {                                          \
        .name = word,                                                      \
        .summary = summary_,                                               \
        .libc_words = "Using system calls",                                \
        .capabilities = ENGINE_WRITES,                                     \
        .phases = 1u << PHASE_TRANSFER,                                    \
        .tests = 1u << (test_),                                            \
        .setup = setup_,                                                   \
        .teardown = teardown_,                                             \
        .report = changes_report,                                          \
        .operate = operate_,                                               \
    }
CHANGES(engine_posix_delete, "posix", TEST_DELETE, "unlinkat", delete_setup, delete_teardown,
        posix_delete);
CHANGES(engine_pread_delete, "pread", TEST_DELETE, "unlinkat", delete_setup, delete_teardown,
        posix_delete);
