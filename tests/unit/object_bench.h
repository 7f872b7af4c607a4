/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* object_bench.h - a run on mem:, a store in memory with scheduled failures, and slices of the
 * engine on it. Included once per test program. */
#ifndef TESTS_UNIT_OBJECT_BENCH_H
#define TESTS_UNIT_OBJECT_BENCH_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "unit/mem_keys.h"

#define SIZE    100u
#define OBJECTS 3u
#define DEPTH   4u

extern const struct storage_driver target_mem;
extern const struct engine engine_mem;

static const uint64_t sizes[] = {SIZE};
static volatile int go_on;

struct bench {
    struct mem_options options;
    struct target_request request;
    struct target *target;
    struct object_store *store;
    struct mem_store *memory;
    struct workload work;
    struct engine_thread thread;
    void *home, *ctx;
    struct engine_report before, after;
    char buffer[DEPTH][SIZE];
};

static inline void must(int code, const struct error *err)
{
    char text[1000];

    if (code != 0)
        fail_msg("%s", error_format(err, text, sizeof(text)));
}

static inline struct bench *bench_open_with(struct object_options options, unsigned tests,
                                            const char *faults)
{
    struct bench *bench = mem_calloc(1, sizeof(*bench));
    struct error err = ERROR_INIT;

    bench->options.store = options;
    if (faults)
        must(mem_faults_parse(faults, &bench->options.faults, &err), &err);
    bench->request = (struct target_request){.target = "mem:",
                                             .run_name = "run",
                                             .verify = true,
                                             .options = &bench->options,
                                             .size_bytes = sizes,
                                             .size_count = 1,
                                             .tests = tests,
                                             .seed = 7,
                                             .stop = &go_on};
    must(target_mem.open(&bench->request, &bench->target, &err), &err);
    bench->store = object_store_of(bench->target);
    bench->memory = mem_service_store(bench->store->service);
    bench->thread = (struct engine_thread){
        .depth_most = DEPTH, .sharers = 1, .cycles = 8, .home = &bench->home};
    return bench;
}

static inline struct bench *bench_open(unsigned tests, const char *faults)
{
    return bench_open_with((struct object_options){.objects = OBJECTS, .page = 2}, tests, faults);
}

static inline void bench_close(struct bench *bench)
{
    struct error err = ERROR_INIT;

    engine_mem.retire(bench->home);
    must(target_mem.close(bench->target, &err), &err);
    free(bench);
}

/* ---- slices ---- */

static inline void slice_begin(struct bench *bench, enum io_test test, uint32_t depth)
{
    struct error err = ERROR_INIT;
    uint32_t first, count;

    must(target_mem.prepare(bench->target, CACHE_ASIS, test, &err), &err);
    assert_null(target_mem.objects(bench->target, test, SIZE, &first, &count));
    bench->work = (struct workload){.target = bench->target,
                                    .test = test,
                                    .size_bytes = SIZE,
                                    .io_bytes = SIZE,
                                    .object_first = first,
                                    .object_count = count,
                                    .depth = depth,
                                    .verified = true,
                                    .slot_bytes = SIZE};
    must(engine_mem.setup(&bench->work, &bench->thread, &bench->ctx, &err), &err);
    engine_mem.report(bench->ctx, &bench->before);
}

static inline void slice_end(struct bench *bench)
{
    engine_mem.report(bench->ctx, &bench->after);
    engine_mem.teardown(bench->ctx);
}

/* hook NULL: not supported. */
static inline int64_t step(struct bench *bench,
                           int64_t (*hook)(void *ctx, const struct async_op *op),
                           const struct async_op *op)
{
    struct async_event event = {.result = hook ? hook(bench->ctx, op) : 0};

    while (event.result == ASYNC_PENDING)
        assert_within(engine_mem.async->reap(bench->ctx, ASYNC_FOREVER, &event, 1), 0, 1);
    return event.result;
}

/* Performs operations one by one in slot 0; returns how many moved all their bytes. */
static inline unsigned operate(struct bench *bench, unsigned operations, int *errnum)
{
    unsigned good = 0;

    *errnum = 0;
    for (unsigned i = 0; i < operations; i++) {
        const uint32_t object = bench->work.object_count > 1 ? i % bench->work.object_count : 0;
        const struct async_op op = {.object = object, .buffer = bench->buffer[0]};
        struct async_event event = {.slot = 0};
        const bool writes = test_writes(bench->work.test);
        const bool opened = engine_mem.opens(&bench->work);

        if (writes)
            target_mem.make_content(bench->target, bench->work.object_first + object, 0, SIZE, 1,
                                    bench->buffer[0]);
        event.result = step(bench, !opened ? NULL : engine_mem.async->open, &op);
        if (event.result >= 0)
            event.result =
                step(bench, writes ? engine_mem.async->write : engine_mem.async->read, &op);
        if (event.result >= 0 && opened && step(bench, engine_mem.async->close, &op) < 0)
            event.result = -EIO;
        good += event.result == SIZE;
        if (event.result < 0)
            *errnum = (int)-event.result;
    }
    return good;
}

#endif
