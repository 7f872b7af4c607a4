/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* s3_bench.h - the engine `s3` on a scripted server: a bucket with four objects of eight bytes, a
 * thread, a slice, and tests of single operations. */
#ifndef TESTS_S3_BENCH_H
#define TESTS_S3_BENCH_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/engine.h"
#include "storage/object/object.h"
#include "storage/object/s3/protocol.h"
#include "unit/cmocka_all.h"
#include "unit/fake_http.h"

#define SIZE      8u
#define DEPTH_MAX 8u
#define OBJECTS   4u
#define TEXT(x)   ((char *)(uintptr_t)(x)) /* for fields that own their text; not freed here */

extern const struct engine engine_s3;

struct bench {
    struct fake_http fake;
    struct object_store store;
    struct s3_service service;
    struct object_set set[4];
    atomic_uchar present[OBJECTS];
    uint64_t lengths[OBJECTS];
    struct s3_options options;
    struct target_request request;
    struct storage_driver driver;
    struct workload work;
    struct engine_thread thread;
    void *home;
    void *ctx;
    volatile int stop;
    struct engine_report before, after;
    char authority[32];
    char buffer[DEPTH_MAX][SIZE + 1];
};

/* Checks that this was read. */
static inline bool check_content(const struct target *target, uint64_t object,
                                 uint64_t offset_bytes, uint64_t size_bytes, unsigned may,
                                 const void *buffer, struct target_mismatch *mismatch)
{
    memset(mismatch, 0, sizeof(*mismatch));
    return memcmp(buffer, &"01234567"[offset_bytes], (size_t)size_bytes) == 0;
}

static inline void make_sets(struct bench *bench)
{
    static const enum life_kind kind[] = {LIFE_WHOLE, LIFE_APPEND, LIFE_RENAME, LIFE_DELETE};
    char *const prefix[] = {TEXT("p/r/8/"), TEXT("p/r/append-8/"), TEXT("p/r/rename-8/"),
                            TEXT("p/r/delete-8/")};

    for (unsigned i = 0; i < OBJECTS; i++) {
        bench->lengths[i] = SIZE;
        bench->present[i] = 1;
    }
    for (unsigned i = 0; i < 4; i++) {
        struct object_set *set = &bench->set[i];

        set->kind = kind[i];
        set->size_bytes = SIZE;
        set->prefix = prefix[i];
        set->length_bytes = bench->lengths;
        set->count = i < 2 ? OBJECTS : 0;
        set->present = i < 2 ? bench->present : NULL;
    }
}

static inline void make_bucket(struct bench *bench)
{
    static const uint64_t size_bytes = SIZE;
    struct object_store *bucket = &bench->store;
    struct s3_service *service = &bench->service;

    bench->options = (struct s3_options){.store.page = 2, .store.timeout_ns = 5000000000u};
    bench->driver.check_content = check_content;
    bench->request = (struct target_request){.options = &bench->options,
                                             .size_bytes = &size_bytes,
                                             .size_count = 1,
                                             .stop = &bench->stop};
    bucket->target.driver = &bench->driver;
    bucket->target.request = &bench->request;
    bucket->target.ours = true;
    bucket->target.place = TEXT("s3://b/p");
    bucket->target.length_bytes = bench->lengths;
    bucket->service = &service->base;
    service->base.protocol = &s3_protocol;
    service->base.verbs = OBJECT_VERBS_OF_BUCKETS;
    service->base.options = &bench->options.store;
    service->base.root = "s3://b/";
    service->address = (struct s3_address){.bucket = TEXT("b"),
                                           .prefix = TEXT("p/"),
                                           .authority = bench->authority,
                                           .path = TEXT("/b/"),
                                           .region = TEXT("us-east-1"),
                                           .endpoint = TEXT("http://127.0.0.1")};
    service->credentials =
        (struct s3_credentials){.access_key = TEXT("key"), .secret_key = TEXT("secret")};
    service->payload = S3_PAYLOAD_UNSIGNED;
    atomic_init(&service->base.budget, UINT64_MAX);
    bucket->set = bench->set;
    bucket->set_count = 4;
    make_sets(bench);
}

static inline struct bench *bench_start(const struct fake_reply *reply)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    assert_non_null(bench);
    fake_http_start(&bench->fake, reply);
    snprintf(bench->authority, sizeof(bench->authority), "127.0.0.1:%u", bench->fake.port);
    make_bucket(bench);
    bench->thread = (struct engine_thread){.depth_most = DEPTH_MAX, .sharers = 1, .cycles = 4};
    bench->thread.home = &bench->home;
    for (unsigned i = 0; i < DEPTH_MAX; i++)
        memcpy(bench->buffer[i], "abcdefgh", SIZE);
    return bench;
}

static inline void slice_begin(struct bench *bench, enum io_test test, uint32_t depth)
{
    struct error err = ERROR_INIT;
    char text[800];

    bench->work = (struct workload){.target = &bench->store.target,
                                    .test = test,
                                    .size_bytes = SIZE,
                                    .io_bytes = SIZE,
                                    .object_count = OBJECTS,
                                    .depth = depth,
                                    .verified = bench->work.verified,
                                    .slot_bytes = SIZE};
    if (engine_s3.setup(&bench->work, &bench->thread, &bench->ctx, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    engine_s3.report(bench->ctx, &bench->before);
}

static inline void slice_end(struct bench *bench)
{
    engine_s3.report(bench->ctx, &bench->after);
    engine_s3.teardown(bench->ctx);
}

static inline void bench_end(struct bench *bench)
{
    engine_s3.retire(bench->home);
    fake_http_stop(&bench->fake);
    free(bench);
}

/* The next event of any slot. */
static inline struct async_event event_of(struct bench *bench)
{
    struct async_event event;
    int got;

    do
        got = engine_s3.async->reap(bench->ctx, ASYNC_FOREVER, &event, 1);
    while (got == 0);
    assert_int_equal(got, 1);
    return event;
}

static inline int64_t begin(struct bench *bench, uint32_t slot, uint32_t object,
                            uint64_t offset_bytes)
{
    const struct async_op op = {.slot = slot,
                                .object = object,
                                .buffer = bench->buffer[slot],
                                .offset_bytes = offset_bytes};

    return (test_writes(bench->work.test) ? engine_s3.async->write
                                          : engine_s3.async->read)(bench->ctx, &op);
}

static inline int64_t result_of(struct bench *bench, int64_t result)
{
    return result == ASYNC_PENDING ? event_of(bench).result : result;
}

/* Performs all steps of an operation like the loop: what was begun is ended. */
static inline int64_t operate(struct bench *bench)
{
    const struct async_op op = {.object = 1, .buffer = bench->buffer[0]};
    const bool opened = engine_s3.opens(&bench->work);
    int64_t result, end = 0;

    if (opened && (result = result_of(bench, engine_s3.async->open(bench->ctx, &op))) < 0)
        return result;
    result = result_of(bench, begin(bench, 0, 1, 0));
    if (opened)
        end = result_of(bench, engine_s3.async->close(bench->ctx, &op));
    return result < 0 || end >= 0 ? result : end;
}

/* Performs one operation in a slice of its own. */
static inline int64_t run_one(struct bench *bench, enum io_test test)
{
    int64_t result;

    slice_begin(bench, test, 1);
    result = operate(bench);
    slice_end(bench);
    return result;
}

#define COUNTED(field) (bench->after.requests.field - bench->before.requests.field)
#define SLOW_DOWN                                                                          \
    "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Reduce your request rate" \
    "</Message></Error>"

/* ---- one operation and its reports ---- */

struct attempt {
    enum io_test test;
    uint64_t retries, budget, delete_batch, part_bytes; /* as requested; 0: none, all, 1, whole */
    uint64_t length_bytes;                              /* of the object; 0: SIZE */
    int64_t result;
    const char *counted;    /* "count 2, complete 1": all non-zero counters */
    const char *failure[2]; /* parts of the description of the first failure, NULL: none */
    unsigned aborts;
    struct fake_reply reply[5];
};

/* clang-format off */
/* For the table of tests: runs an attempt. */
#define ATTEMPT(name) {#name, attempt, NULL, NULL, (void *)(uintptr_t)&(name)}
#define COUNTER(name) {#name, COUNTED(name)}
/* clang-format on */

static inline void expect_counted(const struct bench *bench, const char *expected)
{
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {COUNTER(count),          COUNTER(complete),       COUNTER(retries),
                    COUNTER(slow_downs),     COUNTER(client_errors),  COUNTER(server_errors),
                    COUNTER(network_errors), COUNTER(protocol_errors)};
    char text[200] = "";

    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
        if (counters[i].value > 0)
            text_add(text, sizeof(text), ", ", "%s %u", counters[i].name,
                     (unsigned)counters[i].value);
    assert_string_equal(text, expected);
}

static inline void attempt(void **state)
{
    const struct attempt *want = *state;
    struct bench *bench = bench_start(want->reply);
    const bool writes = test_writes(want->test);

    bench->options.store.retries = want->retries;
    bench->options.store.delete_batch = want->delete_batch;
    bench->options.store.part_bytes = want->part_bytes;
    if (want->budget)
        atomic_store(&bench->service.base.budget, want->budget);
    if (want->length_bytes)
        bench->lengths[1] = want->length_bytes;
    bench->present[1] = !writes;
    assert_int_equal(run_one(bench, want->test), want->result);
    expect_counted(bench, want->counted);
    assert_int_equal(bench->present[1], !writes || want->result == SIZE);
    assert_int_equal(fake_http_count(&bench->fake, "DELETE /b/p/r/8/000001?uploadId=u-1"),
                     want->aborts);
    assert_int_equal(bench->after.first_failure != NULL, want->failure[0] != NULL);
    for (unsigned i = 0; i < 2 && want->failure[i]; i++)
        assert_non_null(strstr(bench->after.first_failure, want->failure[i]));
    bench_end(bench);
}

#endif
