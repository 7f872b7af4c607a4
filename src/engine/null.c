/* SPDX-License-Identifier: GPL-2.0-or-later */
/* null.c - the engine and the store that do nothing: what a sweep of them shows is the cost of
 * iosweep itself, the floor under every other row.  With null.delay an operation takes a known
 * time, with null.error-every it fails on schedule, so that scripts can be tried without storage.
 *
 * It is also the example of an engine: read engine.h, then this. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"

#define NULL_OBJECTS 64

struct null_options {
    uint64_t delay_ns;
    uint64_t error_every;
};

struct null_ctx {
    int64_t io_bytes;
    bool plain; /* neither delay nor errors */
    struct null_options options;
    uint64_t until_error;
};

static const struct option_row null_options_table[] = {
    {.long_name = "null.delay",
     .argument = "TIME",
     .type = OPTION_DURATION,
     .offset = offsetof(struct null_options, delay_ns),
     .given_offset = OPTION_NONE,
     .help = "engine null: each operation takes this long",
     .group = "Engines"},
    {.long_name = "null.error-every",
     .argument = "N",
     .type = OPTION_COUNT,
     .offset = offsetof(struct null_options, error_every),
     .given_offset = OPTION_NONE,
     .min = 1,
     .help = "engine null: each N-th operation fails",
     .group = "Engines"},
    {.long_name = NULL},
};

static void null_options_init(void *block)
{
    memset(block, 0, sizeof(struct null_options));
}

static int null_setup(const struct workload *work, const struct engine_thread *thread,
                      void **ctx_out, struct error *err)
{
    struct null_ctx *ctx = mem_calloc(1, sizeof *ctx);
    (void)thread;
    (void)err;
    ctx->io_bytes = (int64_t)work->io_bytes;
    if (work->options)
        memcpy(&ctx->options, work->options, sizeof ctx->options);
    ctx->plain = !ctx->options.delay_ns && !ctx->options.error_every;
    ctx->until_error = ctx->options.error_every;
    *ctx_out = ctx;
    return 0;
}

static void null_teardown(void *ctx)
{
    free(ctx);
}

/* The one place where an engine reads a clock: it is what it simulates. */
static __attribute__((noinline)) int64_t null_slow(struct null_ctx *ctx)
{
    const uint64_t end_ns = clock_now(&clock_monotonic) + ctx->options.delay_ns;
    while (ctx->options.delay_ns && clock_now(&clock_monotonic) < end_ns)
        ;
    if (ctx->options.error_every && --ctx->until_error == 0) {
        ctx->until_error = ctx->options.error_every;
        return -EIO;
    }
    return ctx->io_bytes;
}

static int64_t null_transfer(void *arg, struct io *io)
{
    struct null_ctx *ctx = arg;
    (void)io;
    return ctx->plain ? ctx->io_bytes : null_slow(ctx);
}

static void null_forget(void *ctx, uint32_t object, uint64_t offset_bytes)
{
    (void)ctx;
    (void)object;
    (void)offset_bytes;
}

const struct engine engine_null = {
    .name = "null",
    .summary = "does nothing: what iosweep itself costs",
    .libc_words = "Using no I/O at all",
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN |
                    ENGINE_KEEP_OPEN | ENGINE_VIRTUAL,
    .phases = 1u << PHASE_TRANSFER,
    .options = null_options_table,
    .options_bytes = sizeof(struct null_options),
    .options_init = null_options_init,
    .setup = null_setup,
    .teardown = null_teardown,
    .read = null_transfer,
    .write = null_transfer,
    .rmw = null_transfer,
    .forget = null_forget,
};

/* The store behind `null:`: objects with a length and nothing else. */

struct null_store {
    struct store store;
    uint64_t length_bytes[NULL_OBJECTS];
};

static bool null_claims(const char *target)
{
    return strcmp(target, "null:") == 0;
}

static int null_open(const struct store_request *request, struct store **out, struct error *err)
{
    struct null_store *null = mem_calloc(1, sizeof *null);
    struct store *store = &null->store;
    char size[UNITS_TEXT];

    (void)err;
    store->driver = &store_null;
    store->request = request;
    store->object_count = request->single_file ? 1 : NULL_OBJECTS;
    for (uint32_t i = 0; i < store->object_count; i++)
        null->length_bytes[i] = request->file_bytes;
    store->length_bytes = null->length_bytes;
    store->total_bytes = request->file_bytes * store->object_count;
    store->label = mem_strdup(request->target);
    store->place = mem_strdup(request->target);
    store->description = mem_printf("%u objects of %s that do not exist", store->object_count,
                                    units_format_size(request->file_bytes, size));
    store->dir_fd = -1;
    store->writable = true;
    *out = store;
    return 0;
}

static int null_prepare(struct store *store, enum cache_mode mode, enum io_test test,
                        struct error *err)
{
    (void)store;
    (void)mode;
    (void)test;
    (void)err;
    return 0;
}

static int null_probe_direct(struct store *store, struct error *err)
{
    (void)err;
    store->direct_align_bytes = 1;
    store->memory_align_bytes = 1;
    return 0;
}

static int null_close(struct store *store, struct error *err)
{
    (void)err;
    if (store) {
        free(store->label);
        free(store->place);
        free(store->description);
        free(store); /* first member of the struct null_store */
    }
    return 0;
}

const struct store_driver store_null = {
    .name = "null",
    .claims = null_claims,
    .open = null_open,
    .prepare = null_prepare,
    .probe_direct = null_probe_direct,
    .close = null_close,
};
