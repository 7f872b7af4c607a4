/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_engine_live.c - every test of the engine `s3` on a real bucket, if the environment names
 * one. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/engine.h"
#include "storage/object/dataset.h"
#include "storage/object/s3/protocol.h"
#include "unit/cmocka_all.h"

extern const struct engine engine_s3;

#define LIVE_SIZE   1000u
#define LIVE_DEPTH  4u
#define LIVE_CYCLES 40u

/* Forty operations, four at a time; all must succeed. */
static void live_slice(struct target *target, enum io_test test, void **home, char *memory)
{
    struct workload work = {.target = target,
                            .test = test,
                            .size_bytes = LIVE_SIZE,
                            .io_bytes = LIVE_SIZE,
                            .verified = test == TEST_READ,
                            .depth = LIVE_DEPTH,
                            .slot_bytes = LIVE_SIZE};
    const struct engine_thread thread = {
        .depth_most = LIVE_DEPTH, .sharers = 1, .cycles = LIVE_CYCLES, .home = home};
    struct async_event events[LIVE_DEPTH];
    struct engine_report report = {0};
    struct error err = ERROR_INIT;
    char text[800];
    int64_t (*const begin)(void *, const struct async_op *) =
        engine_s3.opens(&work) ? engine_s3.async->open : engine_s3.async->read;
    void *ctx;
    uint32_t begun = 0, ended = 0;

    if (target->driver->prepare(target, CACHE_ASIS, test, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    assert_null(
        target->driver->objects(target, test, LIVE_SIZE, &work.object_first, &work.object_count));
    if (engine_s3.setup(&work, &thread, &ctx, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    while (ended < LIVE_CYCLES) {
        int got = 0;

        for (; begun < LIVE_DEPTH; begun++) {
            const struct async_op op = {begun, begun % work.object_count,
                                        memory + begun * LIVE_SIZE, 0};
            assert_int_equal(begin(ctx, &op), ASYNC_PENDING);
        }
        got = engine_s3.async->reap(ctx, ASYNC_FOREVER, events, LIVE_DEPTH);
        assert_true(got >= 0);
        for (int i = 0; i < got; i++) {
            const struct async_op op = {events[i].slot, begun % work.object_count,
                                        memory + events[i].slot * LIVE_SIZE, 0};
            engine_s3.report(ctx, &report);
            if (events[i].result != LIVE_SIZE)
                fail_msg("test %s: %lld, %s", test_names[test], (long long)events[i].result,
                         report.first_failure ? report.first_failure : "no reason");
            ended++;
            if (begun < LIVE_CYCLES && ++begun)
                assert_int_equal(begin(ctx, &op), ASYNC_PENDING);
        }
    }
    engine_s3.teardown(ctx);
}

static void test_live(void **state)
{
    static const uint64_t size_bytes = LIVE_SIZE;
    static volatile int stop;
    const char *const endpoint = getenv("IOSWEEP_S3_ENDPOINT");
    const char *const bucket = getenv("IOSWEEP_S3_BUCKET");
    const struct s3_options options = {.store.endpoint = endpoint,
                                       .store.objects = 5,
                                       .store.part_bytes = 5u << 20,
                                       .store.delete_batch = 3,
                                       .store.page = 2,
                                       .store.timeout_ns = 10000000000u};
    char address[256], name[64], text[800];
    struct target_request request = {.target = address,
                                     .writes = true,
                                     .verify = true,
                                     .run_name = name,
                                     .options = &options,
                                     .size_bytes = &size_bytes,
                                     .size_count = 1,
                                     .tests = (1u << TEST_COUNT) - 1,
                                     .stop = &stop};
    struct error err = ERROR_INIT;
    struct target *target;
    void *home = NULL;
    char *memory;

    (void)state;
    if (!endpoint || !bucket) {
        skip_because("IOSWEEP_S3_ENDPOINT and IOSWEEP_S3_BUCKET are not set");
    }
    snprintf(address, sizeof(address), "s3://%s/unit", bucket);
    snprintf(name, sizeof(name), "engine-%lld", (long long)time(NULL));
    memory = calloc(LIVE_DEPTH, LIVE_SIZE);
    assert_non_null(memory);
    if (target_s3.open(&request, &target, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (object_tests_of(object_target_of(target)->service) & 1u << test)
            live_slice(target, (enum io_test)test, &home, memory);
    engine_s3.retire(home);
    if (target->driver->close(target, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
