/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_engine.c - requests of the engine `s3` on a scripted server that does what a real one
 * does not do on demand (asks to slow down, ignores a range, closes the connection), and how these
 * are counted, retried and described. */
#include "base/compat.h"

#include <unistd.h>

#include "base/flag.h"
#include "unit/engine_check.h"
#include "unit/s3_bench.h"
#include "unit/sockets.h"

/* ---- one request ---- */

static const struct fake_reply reads[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};

/* A slice of operations that all end alike. */
static void run_each(struct bench *bench, unsigned operations, int64_t result)
{
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < operations; i++)
        assert_int_equal(operate(bench), result);
    slice_end(bench);
}

static void test_of_engine(void **state)
{
    assert_null(engine_check(&engine_s3));
    assert_ptr_equal(engine_find("s3"), &engine_s3);
}

static void test_read_whole(void **state)
{
    struct bench *bench = bench_start(reads);

    run_each(bench, 3, SIZE);
    assert_int_equal(COUNTED(count), 3);
    assert_int_equal(COUNTED(complete), 3);
    assert_int_equal(COUNTED(connections), 1);
    assert_int_equal(COUNTED(received_bytes), 3 * SIZE);
    assert_true(bench->after.has_requests);
    assert_string_equal(bench->after.protocol, "http/1.1");
    assert_string_equal(bench->after.connection, "keep");
    assert_null(bench->after.payload);
    assert_null(bench->after.first_failure);
    assert_int_equal(atomic_load(&bench->service.base.received_bytes), 3 * SIZE);
    assert_int_equal(atomic_load(&bench->service.base.requests[OBJECT_GET]), 3);
    bench_end(bench);
}

/* ---- times ---- */

static const struct object_answer *timed_answer(struct object_link *link, uint32_t slot,
                                                const struct object_call *call)
{
    static struct object_answer answer;
    static unsigned turn;

    answer = *s3_protocol.answer(link, slot, call);
    answer.times = turn++ == 0 ? (struct object_times){.lookup_ns = 3,
                                                       .connect_ns = 10,
                                                       .tls_ns = 40,
                                                       .send_ns = 100,
                                                       .first_byte_ns = 1100,
                                                       .total_ns = 6100}
                               : (struct object_times){.lookup_ns = 1,
                                                       .connect_ns = 2,
                                                       .send_ns = 20,
                                                       /* before all was sent */
                                                       .first_byte_ns = 10,
                                                       .total_ns = 30};
    return &answer;
}

/* Each part of a request begins where the previous one ends; missing ones are 0. */
static void test_times_are_parts(void **state)
{
    struct bench *bench = bench_start(reads);
    struct object_protocol timed = s3_protocol;

    timed.answer = timed_answer;
    bench->service.base.protocol = &timed;
    slice_begin(bench, TEST_READ, 1);
    assert_int_equal(operate(bench), SIZE);
    engine_s3.report(bench->ctx, &bench->after);
    assert_int_equal(COUNTED(lookup_ns), 3);
    assert_int_equal(COUNTED(connect_ns), 7);
    assert_int_equal(COUNTED(tls_ns), 30);
    assert_int_equal(COUNTED(first_byte_ns), 1000);
    assert_int_equal(COUNTED(body_ns), 5000);
    bench->before = bench->after;
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    assert_int_equal(COUNTED(lookup_ns), 1);
    assert_int_equal(COUNTED(connect_ns), 1);
    assert_int_equal(COUNTED(tls_ns), 0);
    assert_int_equal(COUNTED(first_byte_ns), 0);
    assert_int_equal(COUNTED(body_ns), 20);
    bench_end(bench);
}

static void test_reconnect(void **state)
{
    struct bench *bench = bench_start(reads);

    bench->options.store.reconnect = true;
    run_each(bench, 3, SIZE);
    assert_int_equal(COUNTED(connections), 3);
    assert_string_equal(bench->after.connection, "new");
    bench_end(bench);
}

/* Connections closed by the server are reopened and counted in the slice that needs them. A request
 * in flight at that moment is retried, since retries are requested here. */
static void test_reopened(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .times = 2},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .times = 3, .cut = true},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567"},
        {0}};
    struct bench *bench = bench_start(reply);

    bench->options.store.retries = 2;
    assert_int_equal(run_one(bench, TEST_READ), SIZE);
    assert_int_equal(COUNTED(connections), 1);
    run_each(bench, 6, SIZE);
    assert_int_equal(COUNTED(connections), 3);
    assert_string_equal(bench->after.connection, "keep");
    bench_end(bench);
}

static void test_write(void **state)
{
    static const struct fake_reply reply[] = {{"PUT /b/p/r/8/", "200 OK", .body = ""}, {0}};
    struct bench *bench = bench_start(reply);

    bench->present[1] = 0;
    assert_int_equal(run_one(bench, TEST_WRITE), SIZE);
    assert_string_equal(bench->fake.seen[0].body, "abcdefgh");
    assert_int_equal(bench->present[1], 1);
    assert_int_equal(COUNTED(sent_bytes), SIZE);
    assert_string_equal(bench->after.payload, "unsigned");
    bench_end(bench);
}

static void test_payload_names(void **state)
{
    static const struct fake_reply reply[] = {{"PUT ", "200 OK", .body = ""}, {0}};
    struct bench *bench = bench_start(reply);

    bench->service.payload = S3_PAYLOAD_SIGNED;
    bench->options.checksum = S3_CHECKSUM_CRC32C;
    assert_int_equal(run_one(bench, TEST_WRITE), SIZE);
    assert_string_equal(bench->after.payload, "signed+crc32c");
    bench->service.payload = S3_PAYLOAD_TRAILER;
    bench->options.checksum = S3_CHECKSUM_NONE;
    assert_int_equal(run_one(bench, TEST_WRITE), SIZE);
    assert_string_equal(bench->after.payload, "trailer+crc32");
    bench_end(bench);
}

/* ---- failures and retries ---- */

static const struct attempt slow_down_is_repeated = {
    .test = TEST_READ,
    .retries = 1,
    .result = SIZE,
    .counted = "count 2, complete 1, retries 1, slow_downs 1",
    .reply = {{"GET /b/p/r/8/", "503 Slow Down", .body = SLOW_DOWN, .times = 1},
              {"GET /b/p/r/8/", "200 OK", .body = "01234567"}},
};

static void test_slow_down_is_not_repeated(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "503 Slow Down", .body = SLOW_DOWN},
                                              {0}};
    struct bench *bench = bench_start(reply);

    assert_int_equal(run_one(bench, TEST_READ), -EBUSY);
    assert_int_equal(COUNTED(count), 1);
    assert_int_equal(COUNTED(slow_downs), 1);
    assert_int_equal(COUNTED(retries), 0);
    assert_non_null(strstr(bench->after.first_failure, "cannot read s3://b/p/r/8/000001: "));
    assert_non_null(strstr(bench->after.first_failure, "SlowDown"));
    /* The next slice does not report it. */
    slice_begin(bench, TEST_READ, 1);
    assert_null(bench->before.first_failure);
    slice_end(bench);
    bench_end(bench);
}

/* No returned code makes the loop retry on its own, unnoticed by --retries. */
static const struct attempt conflict_is_reported = {
    .test = TEST_READ,
    .result = -EBUSY,
    .counted = "count 1, client_errors 1",
    .failure = {"cannot read"},
    .reply = {{"GET /b/p/r/8/", "409 Conflict",
               .body = "<Error><Code>OperationAborted</Code></Error>"}},
};

/* A slot that pauses does not delay the others. */
static void test_pause_of_one_slot(void **state)
{
    static const struct fake_reply reply[] = {{"/000003", "503 Slow Down",
                                               .headers = "Retry-After: 20\r\n", .body = SLOW_DOWN,
                                               .times = 1},
                                              {"GET /b/p/r/8/", "200 OK", .body = "01234567"},
                                              {0}};
    struct bench *bench = bench_start(reply);

    bench->options.store.retries = 1;
    slice_begin(bench, TEST_READ, 2);
    assert_int_equal(begin(bench, 0, 3, 0), ASYNC_PENDING);
    assert_int_equal(begin(bench, 1, 1, 0), ASYNC_PENDING);
    for (unsigned ended = 0; ended < 10;) { /* after the pause has begun */
        const struct async_event event = event_of(bench);

        assert_int_equal(event.slot, 1);
        assert_int_equal(event.result, SIZE);
        engine_s3.report(bench->ctx, &bench->after);
        ended += COUNTED(slow_downs) == 1;
        if (ended < 10)
            assert_int_equal(begin(bench, 1, 1, 0), ASYNC_PENDING);
    }
    flag_set(&bench->stop, 1); /* ends the wait of 20 s */
    assert_int_equal(event_of(bench).slot, 0);
    slice_end(bench);
    bench_end(bench);
}

/* No retries when the run is ending. */
static void test_stop_in_pause(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "503 Slow Down", .headers = "Retry-After: 20\r\n", .body = SLOW_DOWN},
        {0}};
    struct bench *bench = bench_start(reply);
    struct async_event event;

    bench->options.store.retries = 100;
    slice_begin(bench, TEST_READ, 1);
    assert_int_equal(begin(bench, 0, 0, 0), ASYNC_PENDING);
    do { /* until the answer is processed, not only sent */
        assert_int_equal(engine_s3.async->reap(bench->ctx, 1000000, &event, 1), 0);
        engine_s3.report(bench->ctx, &bench->after);
    } while (COUNTED(slow_downs) == 0);
    flag_set(&bench->stop, 1);
    assert_int_equal(event_of(bench).result, -ECANCELED);
    slice_end(bench);
    assert_int_equal(COUNTED(count), 1);
    assert_non_null(strstr(bench->after.first_failure, "the run was ending"));
    bench_end(bench);
}

static const struct attempt broken_off = {
    .test = TEST_READ,
    .result = -EPIPE,
    .counted = "count 1, network_errors 1",
    .failure = {"cannot read"},
    .reply = {{"GET /b/p/r/8/", "200 OK", .body = "0123", .announced = SIZE, .cut = true}},
};

/* On a busy machine the header may be processed late, too, but not that late. */
static void test_slow_body(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 40, .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 400, .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 4000},
        {0}};
    struct bench *bench = bench_start(reply);
    uint64_t wait_ns = 40000000;

    for (unsigned i = 0; i < 3; i++, wait_ns *= 10) {
        assert_int_equal(run_one(bench, TEST_READ), SIZE);
        if (COUNTED(body_ns) > wait_ns / 4 * 3)
            break;
    }
    assert_true(COUNTED(body_ns) > wait_ns / 4 * 3);
    bench_end(bench);
}

static const struct attempt missing = {
    .test = TEST_STAT,
    .result = SIZE, /* a missing object is a result */
    .counted = "count 1, complete 1",
    .reply = {{"HEAD /b/p/r/8/", "404 Not Found", .body = ""}},
};

/* No server: each operation fails, and after some of them slowly, to avoid a busy loop. */
static void test_lost_server(void **state)
{
    static const struct fake_reply reply[] = {{0}};
    struct bench *bench = bench_start(reply);
    unsigned port;
    const int fd = closed_port(&port);

    snprintf(bench->authority, sizeof(bench->authority), "127.0.0.1:%u", port);
    run_each(bench, 20, -ECONNREFUSED);
    assert_int_equal(COUNTED(network_errors), 20);
    assert_non_null(strstr(bench->after.first_failure, "connection refused"));
    bench_end(bench);
    close(fd);
}

/* ---- verified reads ---- */

static void test_checksum(void **state)
{
    static const struct fake_reply reply[] = {
        {"/000000", "200 OK", .headers = "x-amz-checksum-crc32: AAAAAA==\r\n", .body = "01234567"},
        {"/000001", "200 OK", .headers = "x-amz-checksum-crc32: AAAAAA==\r\n", .body = "0123456x"},
        {"/000002", "200 OK", .headers = "x-amz-checksum-crc32: AAAAAA==-2\r\n",
         .body = "01234567"},
        {"/000003", "200 OK", .headers = "ETag: \"2e9ec317e197819358fbc43afca7d837\"\r\n",
         .body = "01234567"},
        {0}};
    static const int64_t wanted[] = {-EBADMSG, SIZE, SIZE, SIZE};
    struct bench *bench = bench_start(reply);

    bench->work.verified = true;
    slice_begin(bench, TEST_READ, 1);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(begin(bench, 0, i, 0), ASYNC_PENDING);
        assert_int_equal(event_of(bench).result, wanted[i]);
    }
    assert_memory_equal(bench->buffer[0], "01234567", SIZE);
    slice_end(bench);
    assert_non_null(strstr(bench->after.first_failure, "but the checksum"));
    bench_end(bench);
}

/* ETags that are not MD5s prove nothing; once one was an MD5, a different one is an error. */
static void test_etag(void **state)
{
    static const struct fake_reply reply[] = {
        {"/000000", "200 OK", .headers = "ETag: \"00000000000000000000000000000000\"\r\n",
         .body = "01234567"},
        {"/000001", "200 OK", .headers = "ETag: \"2e9ec317e197819358fbc43afca7d837\"\r\n",
         .body = "01234567"},
        {"/000002", "200 OK", .headers = "ETag: \"2e9ec317e197819358fbc43afca7d837-2\"\r\n",
         .body = "01234567"},
        {0}};
    static const uint32_t object[] = {0, 2, 1, 2, 0};
    static const int64_t wanted[] = {SIZE, SIZE, SIZE, SIZE, -EBADMSG};
    struct bench *bench = bench_start(reply);

    bench->work.verified = true;
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(begin(bench, 0, object[i], 0), ASYNC_PENDING);
        assert_int_equal(event_of(bench).result, wanted[i]);
    }
    slice_end(bench);
    bench_end(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_engine),
        cmocka_unit_test(test_read_whole),
        cmocka_unit_test(test_times_are_parts),
        cmocka_unit_test(test_reconnect),
        cmocka_unit_test(test_reopened),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_payload_names),
        ATTEMPT(slow_down_is_repeated),
        cmocka_unit_test(test_slow_down_is_not_repeated),
        ATTEMPT(conflict_is_reported),
        cmocka_unit_test(test_pause_of_one_slot),
        cmocka_unit_test(test_stop_in_pause),
        ATTEMPT(broken_off),
        cmocka_unit_test(test_slow_body),
        ATTEMPT(missing),
        cmocka_unit_test(test_lost_server),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_etag),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
