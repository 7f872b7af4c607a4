/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_s3_engine.c - the engine `s3` against a server that does as it is told: what a real one does
 * not do when it is wanted (asks to slow down, ignores a range, breaks off, fails to complete an
 * upload).  The last test drives a real bucket, when the environment names one. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/flag.h"
#include "engine/engine.h"
#include "target/object/dataset.h"
#include "target/object/object.h"
#include "target/object/s3/protocol.h"
#include "unit/closed_port.h"
#include "unit/cmocka_all.h"
#include "unit/engine_check.h"
#include "unit/fake_http.h"

#define SIZE      8u
#define DEPTH_MAX 8u
#define OBJECTS   4u
#define TEXT(x)   ((char *)(uintptr_t)(x)) /* fields that own their text; nothing here frees it */

extern const struct engine engine_s3;

/* ---- a bucket, a thread, a slice ---- */

struct bench {
    struct fake_http fake;
    struct object_target base;
    struct s3_service service;
    struct object_set set[5];
    atomic_uchar present[OBJECTS];
    uint64_t lengths[OBJECTS];
    struct s3_options options;
    struct target_request request;
    struct target_driver driver;
    struct workload work;
    struct engine_thread thread;
    void *home;
    void *ctx;
    volatile int stop;
    struct engine_report before, after;
    char authority[32];
    char buffer[DEPTH_MAX][SIZE + 1];
};

/* What is read must be this. */
static bool check_content(const struct target *target, uint32_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, uint32_t generation, const void *buffer,
                          struct target_mismatch *mismatch)
{
    (void)target;
    (void)object;
    (void)generation;
    memset(mismatch, 0, sizeof(*mismatch));
    return memcmp(buffer, &"01234567"[offset_bytes], (size_t)size_bytes) == 0;
}

static void make_sets(struct bench *bench)
{
    static const enum object_set_kind kind[] = {OBJECT_SET_WHOLE, OBJECT_SET_MULTIPART,
                                                OBJECT_SET_APPEND, OBJECT_SET_RENAME,
                                                OBJECT_SET_DELETE};
    char *const prefix[] = {TEXT("p/r/8/"), TEXT("p/r/multipart-8/"), TEXT("p/r/append-8/"),
                            TEXT("p/r/rename-8/"), TEXT("p/r/delete-8/")};

    for (unsigned i = 0; i < OBJECTS; i++) {
        bench->lengths[i] = SIZE;
        bench->present[i] = 1;
    }
    for (unsigned i = 0; i < 5; i++) {
        struct object_set *set = &bench->set[i];

        set->kind = kind[i];
        set->size_bytes = SIZE;
        set->prefix = prefix[i];
        set->length_bytes = bench->lengths;
        set->count = i < 3 ? OBJECTS : 0;
        set->present = i < 3 ? bench->present : NULL;
    }
}

static void make_bucket(struct bench *bench)
{
    static const uint64_t size_bytes = SIZE;
    struct object_target *bucket = &bench->base;
    struct s3_service *service = &bench->service;

    bench->options = (struct s3_options){.store.part_bytes = 3,
                                         .store.fragment_bytes = 2,
                                         .store.batch = 2,
                                         .store.page = 2,
                                         .store.timeout_ns = 5000000000u};
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
    service->base.options = &bench->options.store;
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
    bucket->set_count = 5;
    make_sets(bench);
}

static struct bench *bench_start(const struct fake_reply *reply)
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

static void slice_begin(struct bench *bench, enum io_test test, uint32_t depth)
{
    struct error err = ERROR_INIT;
    char text[800];

    bench->work = (struct workload){.target = &bench->base.target,
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

static void slice_end(struct bench *bench)
{
    engine_s3.report(bench->ctx, &bench->after);
    engine_s3.teardown(bench->ctx);
}

static void bench_end(struct bench *bench)
{
    engine_s3.retire(bench->home);
    fake_http_stop(&bench->fake);
    free(bench);
}

/* The next event, whichever slot it is of. */
static struct async_event event_of(struct bench *bench)
{
    struct async_event event;
    int got;

    do
        got = engine_s3.async->reap(bench->ctx, ASYNC_FOREVER, &event, 1);
    while (got == 0);
    assert_int_equal(got, 1);
    return event;
}

static int64_t begin(struct bench *bench, uint32_t slot, uint32_t object, uint64_t offset_bytes)
{
    const struct async_op op = {.slot = slot,
                                .object = object,
                                .buffer = bench->buffer[slot],
                                .offset_bytes = offset_bytes};

    return (test_writes(bench->work.test) ? engine_s3.async->write
                                          : engine_s3.async->read)(bench->ctx, &op);
}

static int64_t operate(struct bench *bench)
{
    const int64_t result = begin(bench, 0, 1, 0);

    return result == ASYNC_PENDING ? event_of(bench).result : result;
}

/* One operation in a slice of its own. */
static int64_t run_one(struct bench *bench, enum io_test test)
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

/* ---- one request ---- */

static void test_of_engine(void **state)
{
    (void)state;
    assert_null(engine_check(&engine_s3));
    assert_ptr_equal(engine_find("s3"), &engine_s3);
}

static void test_read_whole(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
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

/* Each part of a request begins where the one before ends; what was not is 0. */
static void test_times_are_parts(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};
    struct bench *bench = bench_start(reply);
    struct object_protocol timed = s3_protocol;

    (void)state;
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
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->options.store.reconnect = true;
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    assert_int_equal(COUNTED(connections), 3);
    assert_string_equal(bench->after.connection, "new");
    bench_end(bench);
}

/* Connections that the server closes are opened again and count for the slice that needs them.
 * What was on its way when it closed is sent again, since that is asked for. */
static void test_reopened(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .times = 2},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .times = 3, .cut = true},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->options.store.retries = 2;
    assert_int_equal(run_one(bench, TEST_READ), SIZE);
    assert_int_equal(COUNTED(connections), 1);
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    assert_int_equal(COUNTED(connections), 3);
    assert_string_equal(bench->after.connection, "keep");
    bench_end(bench);
}

static void test_write(void **state)
{
    static const struct fake_reply reply[] = {{"PUT /b/p/r/8/", "200 OK", .body = ""}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
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

    (void)state;
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

/* ---- failures and repetitions ---- */

static void test_slow_down_is_repeated(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "503 Slow Down", .body = SLOW_DOWN, .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->options.store.retries = 1;
    assert_int_equal(run_one(bench, TEST_READ), SIZE);
    assert_int_equal(COUNTED(count), 2);
    assert_int_equal(COUNTED(complete), 1);
    assert_int_equal(COUNTED(slow_downs), 1);
    assert_int_equal(COUNTED(retries), 1);
    assert_null(bench->after.first_failure);
    bench_end(bench);
}

static void test_slow_down_is_not_repeated(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "503 Slow Down", .body = SLOW_DOWN},
                                              {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_READ), -EBUSY);
    assert_int_equal(COUNTED(count), 1);
    assert_int_equal(COUNTED(slow_downs), 1);
    assert_int_equal(COUNTED(retries), 0);
    assert_non_null(strstr(bench->after.first_failure, "cannot read s3://b/p/r/8/000001: "));
    assert_non_null(strstr(bench->after.first_failure, "SlowDown"));
    /* The next slice knows nothing of it. */
    slice_begin(bench, TEST_READ, 1);
    assert_null(bench->before.first_failure);
    slice_end(bench);
    bench_end(bench);
}

/* No code is handed on with which the loop would ask once more, unseen by --retries. */
static void test_conflict_is_told(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "409 Conflict", .body = "<Error><Code>OperationAborted</Code></Error>"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_READ), -EBUSY);
    assert_int_equal(COUNTED(count), 1);
    assert_int_equal(COUNTED(client_errors), 1);
    assert_int_equal(COUNTED(retries), 0);
    bench_end(bench);
}

/* A slot that pauses does not hold up the others. */
static void test_pause_of_one_slot(void **state)
{
    static const struct fake_reply reply[] = {{"/000003", "503 Slow Down",
                                               .headers = "Retry-After: 20\r\n", .body = SLOW_DOWN,
                                               .times = 1},
                                              {"GET /b/p/r/8/", "200 OK", .body = "01234567"},
                                              {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
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
    flag_set(&bench->stop, 1); /* nobody waits 20 s */
    assert_int_equal(event_of(bench).slot, 0);
    slice_end(bench);
    bench_end(bench);
}

/* Nothing is repeated when the run is to end. */
static void test_stop_in_pause(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "503 Slow Down", .headers = "Retry-After: 20\r\n", .body = SLOW_DOWN},
        {0}};
    struct bench *bench = bench_start(reply);
    struct async_event event;

    (void)state;
    bench->options.store.retries = 100;
    slice_begin(bench, TEST_READ, 1);
    assert_int_equal(begin(bench, 0, 0, 0), ASYNC_PENDING);
    do { /* until the answer is seen, not only sent */
        assert_int_equal(engine_s3.async->reap(bench->ctx, 1000000, &event, 1), 0);
        engine_s3.report(bench->ctx, &bench->after);
    } while (COUNTED(slow_downs) == 0);
    flag_set(&bench->stop, 1);
    assert_int_equal(event_of(bench).result, -ECANCELED);
    slice_end(bench);
    assert_int_equal(COUNTED(count), 1);
    assert_non_null(strstr(bench->after.first_failure, "the run was to end"));
    bench_end(bench);
}

static void test_range_ignored(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->lengths[1] = 2 * SIZE;
    assert_int_equal(run_one(bench, TEST_READ), -EPROTO);
    assert_int_equal(COUNTED(protocol_errors), 1);
    assert_int_equal(COUNTED(complete), 0);
    assert_non_null(strstr(bench->after.first_failure, "ange"));
    bench_end(bench);
}

static void test_other_length(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "01234", .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "0123456789"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_READ), -EPROTO); /* its length is known */
    assert_non_null(strstr(bench->after.first_failure, "5 bytes came, not 8"));
    assert_int_equal(run_one(bench, TEST_READ), -EPROTO);
    assert_int_equal(COUNTED(protocol_errors), 1);
    bench_end(bench);
}

static void test_broken_off(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "0123", .announced = SIZE, .cut = true}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_true(run_one(bench, TEST_READ) < 0);
    assert_int_equal(COUNTED(network_errors), 1);
    assert_int_equal(COUNTED(complete), 0);
    bench_end(bench);
}

/* On a busy machine the head may be seen late, too, but not so late. */
static void test_slow_body(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 40, .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 400, .times = 1},
        {"GET /b/p/r/8/", "200 OK", .body = "01234567", .wait_ms = 4000},
        {0}};
    struct bench *bench = bench_start(reply);
    uint64_t wait_ns = 40000000;

    (void)state;
    for (unsigned i = 0; i < 3; i++, wait_ns *= 10) {
        assert_int_equal(run_one(bench, TEST_READ), SIZE);
        if (COUNTED(body_ns) > wait_ns / 4 * 3)
            break;
    }
    assert_true(COUNTED(body_ns) > wait_ns / 4 * 3);
    bench_end(bench);
}

static void test_missing(void **state)
{
    static const struct fake_reply reply[] = {{"HEAD /b/p/r/8/", "404 Not Found", .body = ""}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_HEAD), -ENOENT);
    assert_int_equal(COUNTED(client_errors), 1);
    assert_non_null(strstr(bench->after.first_failure, "cannot look for s3://b/p/r/8/000001"));
    bench_end(bench);
}

/* Nobody listens: each operation fails, and after some of them so slowly that no time is burnt. */
static void test_lost_server(void **state)
{
    static const struct fake_reply reply[] = {{0}};
    struct bench *bench = bench_start(reply);
    unsigned port;
    const int fd = closed_port(&port);

    (void)state;
    snprintf(bench->authority, sizeof(bench->authority), "127.0.0.1:%u", port);
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(operate(bench), -ECONNREFUSED);
    slice_end(bench);
    assert_int_equal(COUNTED(network_errors), 20);
    assert_non_null(strstr(bench->after.first_failure, "connection refused"));
    bench_end(bench);
    close(fd);
}

static void test_budget(void **state)
{
    static const struct fake_reply reply[] = {{"GET /b/p/r/8/", "200 OK", .body = "01234567"}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    atomic_store(&bench->service.base.budget, 2);
    slice_begin(bench, TEST_READ, 1);
    assert_int_equal(operate(bench), SIZE);
    assert_int_equal(operate(bench), SIZE);
    assert_false(atomic_load(&bench->service.base.spent));
    assert_int_equal(operate(bench), -ECANCELED);
    assert_true(atomic_load(&bench->service.base.spent));
    slice_end(bench);
    assert_int_equal(fake_http_count(&bench->fake, "GET"), 2);
    assert_null(bench->after.first_failure); /* it is none */
    bench_end(bench);
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

    (void)state;
    bench->work.verified = true;
    slice_begin(bench, TEST_READ, 1);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(begin(bench, 0, i, 0), ASYNC_PENDING);
        assert_int_equal(event_of(bench).result, wanted[i]);
    }
    assert_memory_equal(bench->buffer[0], "01234567", SIZE);
    slice_end(bench);
    assert_non_null(strstr(bench->after.first_failure, "not for the checksum"));
    bench_end(bench);
}

/* ETags that are no MD5 say nothing; once one was, another one that differs does. */
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

    (void)state;
    bench->work.verified = true;
    slice_begin(bench, TEST_READ, 1);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(begin(bench, 0, object[i], 0), ASYNC_PENDING);
        assert_int_equal(event_of(bench).result, wanted[i]);
    }
    slice_end(bench);
    bench_end(bench);
}

/* ---- uploads in parts ---- */

#define BEGUN                                                                               \
    "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>k</Key><UploadId>u-1</UploadId>" \
    "</InitiateMultipartUploadResult>"
#define COMPLETED \
    "<CompleteMultipartUploadResult><ETag>\"x-3\"</ETag></CompleteMultipartUploadResult>"

static const char *const uploads_line = "POST /b/p/r/multipart-8/000001?uploads";
static const char *const complete_line = "POST /b/p/r/multipart-8/000001?uploadId=u-1";
static const char *const abort_line = "DELETE /b/p/r/multipart-8/000001?uploadId=u-1";

static void test_multipart(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
        {"POST ", "200 OK", .body = COMPLETED},
        {0}};
    static const char *const part[] = {"abc", "def", "gh"};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->present[1] = 0;
    assert_int_equal(run_one(bench, TEST_MULTIPART), SIZE);
    assert_int_equal(bench->fake.seen_count, 5);
    assert_non_null(strstr(bench->fake.seen[0].line, uploads_line));
    for (unsigned i = 0; i < 3; i++) {
        char query[64];

        snprintf(query, sizeof(query), "?partNumber=%u&uploadId=u-1", i + 1);
        assert_non_null(strstr(bench->fake.seen[i + 1].line, query));
        assert_string_equal(bench->fake.seen[i + 1].body, part[i]);
    }
    assert_non_null(strstr(bench->fake.seen[4].line, complete_line));
    assert_non_null(strstr(bench->fake.seen[4].body, "<PartNumber>3</PartNumber>"));
    assert_int_equal(bench->present[1], 1);
    assert_int_equal(COUNTED(complete), 5);
    bench_end(bench);
}

/* Pieces of two bytes, parts of three: what is sent is whole. */
static void test_append(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
        {"POST ", "200 OK", .body = COMPLETED},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_APPEND), SIZE);
    assert_int_equal(bench->fake.seen_count, 5);
    assert_string_equal(bench->fake.seen[1].body, "abc");
    assert_string_equal(bench->fake.seen[2].body, "def");
    assert_string_equal(bench->fake.seen[3].body, "gh");
    bench->options.store.part_bytes = 1000; /* one part, however small */
    assert_int_equal(run_one(bench, TEST_APPEND), SIZE);
    assert_int_equal(bench->fake.seen_count, 8);
    assert_string_equal(bench->fake.seen[6].body, "abcdefgh");
    bench_end(bench);
}

static void test_complete_fails(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
        {"POST ", "500 Internal Server Error",
         .body = "<Error><Code>InternalError</Code><Message>no</Message></Error>"},
        {"DELETE ", "204 No Content", .body = ""},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    bench->present[1] = 0;
    assert_int_equal(run_one(bench, TEST_MULTIPART), -EREMOTEIO);
    assert_int_equal(fake_http_count(&bench->fake, abort_line), 1);
    assert_int_equal(bench->present[1], 0);
    assert_int_equal(COUNTED(server_errors), 1);
    assert_int_equal(atomic_load(&bench->base.uploads_left), 0);
    assert_non_null(strstr(bench->after.first_failure, "cannot complete the upload of"));
    assert_non_null(strstr(bench->after.first_failure, "InternalError"));
    bench_end(bench);
}

/* An error that comes with 200 is one all the same. */
static void test_complete_fails_late(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
        {"POST ", "200 OK",
         .body = "<Error><Code>InternalError</Code><Message>no</Message></Error>"},
        {"DELETE ", "404 Not Found",
         .body = "<Error><Code>NoSuchUpload</Code><Message>no</Message></Error>"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_true(run_one(bench, TEST_MULTIPART) < 0);
    assert_int_equal(fake_http_count(&bench->fake, abort_line), 1);
    assert_int_equal(atomic_load(&bench->base.uploads_left), 1); /* the abort failed too */
    bench_end(bench);
}

static void test_begin_without_id(void **state)
{
    static const struct fake_reply reply[] = {{"?uploads", "200 OK", .body = "<a></a>"}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_MULTIPART), -EPROTO);
    assert_int_equal(atomic_load(&bench->base.uploads_left), 1);
    bench_end(bench);
}

/* The abort goes out when no request may be made any more. */
static void test_abort_beyond_budget(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
        {"DELETE ", "204 No Content", .body = ""},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    atomic_store(&bench->service.base.budget, 3);
    assert_int_equal(run_one(bench, TEST_MULTIPART), -ECANCELED);
    assert_int_equal(fake_http_count(&bench->fake, "PUT "), 2);
    assert_int_equal(fake_http_count(&bench->fake, abort_line), 1);
    assert_int_equal(atomic_load(&bench->service.base.requests[OBJECT_UPLOAD_ABORT]), 1);
    bench_end(bench);
}

/* ---- lists ---- */

#define KEY(name) "<Contents><Key>p/r/8/" name "</Key><Size>8</Size></Contents>"
#define PAGE(more, x) \
    "<ListBucketResult><IsTruncated>" more "</IsTruncated>" x "</ListBucketResult>"

static void test_list(void **state)
{
    static const struct fake_reply reply[] = {
        {"continuation-token=t1", "200 OK", .body = PAGE("false", KEY("000002") KEY("000003"))},
        {"GET /b?", "200 OK",
         .body = PAGE("true", KEY("000000") KEY(
                                  "000001") "<NextContinuationToken>t1</NextContinuationToken>")},
        {"GET /b/?", "200 OK",
         .body = PAGE("true", KEY("000000") KEY(
                                  "000001") "<NextContinuationToken>t1</NextContinuationToken>")},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_LIST), SIZE);
    assert_int_equal(COUNTED(complete), 2);
    bench_end(bench);
}

static void test_list_too_short(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b", "200 OK", .body = PAGE("false", KEY("000000") KEY("000001"))}, {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_LIST), -EPROTO);
    assert_non_null(strstr(bench->after.first_failure, "2 objects are in the list, 4 are there"));
    bench->present[0] = bench->present[2] = 0; /* never written: nobody misses them */
    assert_int_equal(run_one(bench, TEST_LIST), SIZE);
    bench_end(bench);
}

static void test_list_too_long(void **state)
{
    static char text[HTTP_TEXT_BYTES + 2];
    static const struct fake_reply reply[] = {{"GET /b", "200 OK", .body = text}, {0}};
    struct bench *bench;

    (void)state;
    memset(text, ' ', sizeof(text) - 1);
    bench = bench_start(reply);
    assert_int_equal(run_one(bench, TEST_LIST), -EPROTO);
    assert_non_null(strstr(bench->after.first_failure, "--page-size"));
    bench_end(bench);
}

static void test_list_in_circles(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b", "200 OK",
         .body = PAGE("true", KEY("000000") "<NextContinuationToken>t1</NextContinuationToken>")},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_int_equal(run_one(bench, TEST_LIST), -EPROTO);
    assert_int_equal(bench->fake.seen_count, 2);
    bench_end(bench);
}

/* ---- renaming and removing ---- */

static const struct fake_reply any_change[] = {
    {"PUT ", "200 OK", .body = "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>"},
    {"DELETE ", "204 No Content", .body = ""},
    {"POST /b", "200 OK", .body = "<DeleteResult></DeleteResult>"},
    {0}};

static void test_rename(void **state)
{
    struct bench *bench = bench_start(any_change);
    const struct fake_seen *seen = bench->fake.seen;

    (void)state;
    slice_begin(bench, TEST_RENAME, 1);
    assert_int_equal(bench->fake.seen_count, 1);
    assert_non_null(strstr(seen[0].line, "PUT /b/p/r/rename-8/000000 "));
    assert_int_equal(seen[0].body_bytes, SIZE);
    assert_int_equal(operate(bench), SIZE);
    assert_non_null(strstr(seen[1].line, "PUT /b/p/r/rename-8/000001 "));
    assert_non_null(strstr(seen[2].line, "DELETE /b/p/r/rename-8/000000 "));
    slice_end(bench); /* it gets its first name again */
    assert_int_equal(bench->fake.seen_count, 5);
    assert_non_null(strstr(seen[3].line, "PUT /b/p/r/rename-8/000000 "));
    assert_non_null(strstr(seen[4].line, "DELETE /b/p/r/rename-8/000001 "));
    assert_int_equal(COUNTED(count), 2);
    slice_begin(bench, TEST_RENAME, 2); /* one more is needed, the first one is there */
    assert_int_equal(bench->fake.seen_count, 6);
    assert_non_null(strstr(seen[5].line, "PUT /b/p/r/rename-8/000002 "));
    assert_int_equal(operate(bench), SIZE);
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench); /* there and back: nothing to be done */
    assert_int_equal(bench->fake.seen_count, 10);
    bench_end(bench);
}

#define COPIED "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>"

/* The object is at its new name although the old one could not be removed. */
static void test_rename_without_delete(void **state)
{
    static const struct fake_reply reply[] = {
        {"DELETE ", "503 Slow Down", .body = SLOW_DOWN, .times = 1},
        {"DELETE ", "204 No Content", .body = ""},
        {"PUT ", "200 OK", .body = COPIED},
        {0}};
    struct bench *bench = bench_start(reply);
    const struct fake_seen *seen = bench->fake.seen;

    (void)state;
    slice_begin(bench, TEST_RENAME, 1);
    assert_int_equal(operate(bench), -EBUSY);
    assert_non_null(strstr(seen[1].line, "PUT /b/p/r/rename-8/000001 "));
    assert_int_equal(operate(bench), SIZE); /* and back */
    assert_non_null(strstr(seen[3].line, "PUT /b/p/r/rename-8/000000 "));
    assert_non_null(strstr(seen[4].line, "DELETE /b/p/r/rename-8/000001 "));
    slice_end(bench);
    assert_int_equal(bench->fake.seen_count, 5);
    bench_end(bench);
}

/* An object that somebody has removed costs one operation, not all that follow. */
static void test_rename_of_nothing(void **state)
{
    static const struct fake_reply reply[] = {{"PUT /b/p/r/rename-8/000001", "404 Not Found",
                                               .body = "<Error><Code>NoSuchKey</Code></Error>",
                                               .times = 1},
                                              {"DELETE ", "204 No Content", .body = ""},
                                              {"PUT ", "200 OK", .body = COPIED},
                                              {0}};
    struct bench *bench = bench_start(reply);
    const struct fake_seen *seen = bench->fake.seen;

    (void)state;
    slice_begin(bench, TEST_RENAME, 1);
    assert_int_equal(operate(bench), -ENOENT);
    assert_int_equal(bench->fake.seen_count, 3);
    assert_non_null(strstr(seen[2].line, "PUT /b/p/r/rename-8/000000 "));
    assert_int_equal(seen[2].body_bytes, SIZE);
    assert_int_equal(operate(bench), SIZE);
    assert_non_null(strstr(seen[3].line, "PUT /b/p/r/rename-8/000001 "));
    assert_non_null(strstr(seen[4].line, "DELETE /b/p/r/rename-8/000000 "));
    slice_end(bench);
    assert_non_null(strstr(bench->after.first_failure, "cannot copy to "));
    bench_end(bench);
}

static void test_delete(void **state)
{
    struct bench *bench = bench_start(any_change);

    (void)state;
    slice_begin(bench, TEST_DELETE, 1); /* for four operations */
    assert_int_equal(fake_http_count(&bench->fake, "PUT /b/p/r/delete-8/"), 4);
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    slice_begin(bench, TEST_DELETE, 1); /* three were left */
    assert_int_equal(fake_http_count(&bench->fake, "PUT /b/p/r/delete-8/"), 5);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(operate(bench), SIZE);
    assert_int_equal(operate(bench), -ENOENT);
    slice_end(bench);
    for (unsigned i = 0; i < 5; i++) {
        char line[64];

        snprintf(line, sizeof(line), "DELETE /b/p/r/delete-8/%06u ", i);
        assert_int_equal(fake_http_count(&bench->fake, line), 1);
    }
    bench_end(bench);
}

static void test_delete_many(void **state)
{
    struct bench *bench = bench_start(any_change);
    const struct fake_seen *last;

    (void)state;
    slice_begin(bench, TEST_DELETE_MANY, 1);
    assert_int_equal(fake_http_count(&bench->fake, "PUT /b/p/r/delete-8/"), 8);
    assert_int_equal(operate(bench), SIZE);
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    last = &bench->fake.seen[bench->fake.seen_count - 1];
    assert_non_null(strstr(last->body, "<Key>p/r/delete-8/000002</Key>"));
    assert_non_null(strstr(last->body, "<Key>p/r/delete-8/000003</Key>"));
    assert_null(strstr(last->body, "000001"));
    bench_end(bench);
}

static void test_delete_many_fails(void **state)
{
    static const struct fake_reply reply[] = {
        {"PUT ", "200 OK", .body = ""},
        {"POST /b", "200 OK",
         .body = "<DeleteResult><Error><Key>p/r/delete-8/000000</Key><Code>AccessDenied</Code>"
                 "<Message>no</Message></Error></DeleteResult>"},
        {0}};
    struct bench *bench = bench_start(reply);

    (void)state;
    assert_true(run_one(bench, TEST_DELETE_MANY) < 0);
    assert_non_null(strstr(bench->after.first_failure, "AccessDenied"));
    bench_end(bench);
}

/* Without the objects that it needs a test does not begin; why is said. */
static void test_stock_fails(void **state)
{
    static const struct fake_reply reply[] = {
        {"PUT ", "403 Forbidden",
         .body = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"},
        {0}};
    struct bench *bench = bench_start(reply);
    struct error err = ERROR_INIT;

    (void)state;
    bench->work = (struct workload){.target = &bench->base.target,
                                    .test = TEST_DELETE,
                                    .size_bytes = SIZE,
                                    .io_bytes = SIZE,
                                    .depth = 1};
    assert_int_equal(engine_s3.setup(&bench->work, &bench->thread, &bench->ctx, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.object, "AccessDenied"));
    bench_end(bench);
}

/* ---- a real bucket ---- */

#define LIVE_SIZE   1000u
#define LIVE_DEPTH  4u
#define LIVE_CYCLES 40u

/* Forty operations, four at a time; all must go well. */
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
            assert_int_equal(engine_s3.async->read(ctx, &op), ASYNC_PENDING);
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
                assert_int_equal(engine_s3.async->read(ctx, &op), ASYNC_PENDING);
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
    const struct s3_options options = {.endpoint = endpoint,
                                       .store.objects = 5,
                                       .store.part_bytes = 5u << 20,
                                       .store.fragment_bytes = 100,
                                       .store.batch = 3,
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
        print_message("IOSWEEP_S3_ENDPOINT and IOSWEEP_S3_BUCKET are not set\n");
        skip();
    }
    snprintf(address, sizeof(address), "s3://%s/unit", bucket);
    snprintf(name, sizeof(name), "engine-%lld", (long long)time(NULL));
    memory = calloc(LIVE_DEPTH, LIVE_SIZE);
    assert_non_null(memory);
    if (target_s3.open(&request, &target, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    for (int test = 0; test < TEST_COUNT; test++)
        live_slice(target, (enum io_test)test, &home, memory);
    engine_s3.retire(home);
    if (target->driver->close(target, &err) < 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    free(memory);
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
        cmocka_unit_test(test_slow_down_is_repeated),
        cmocka_unit_test(test_slow_down_is_not_repeated),
        cmocka_unit_test(test_conflict_is_told),
        cmocka_unit_test(test_pause_of_one_slot),
        cmocka_unit_test(test_stop_in_pause),
        cmocka_unit_test(test_range_ignored),
        cmocka_unit_test(test_other_length),
        cmocka_unit_test(test_broken_off),
        cmocka_unit_test(test_slow_body),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_lost_server),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_etag),
        cmocka_unit_test(test_multipart),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_complete_fails),
        cmocka_unit_test(test_complete_fails_late),
        cmocka_unit_test(test_begin_without_id),
        cmocka_unit_test(test_abort_beyond_budget),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_too_short),
        cmocka_unit_test(test_list_too_long),
        cmocka_unit_test(test_list_in_circles),
        cmocka_unit_test(test_rename),
        cmocka_unit_test(test_rename_without_delete),
        cmocka_unit_test(test_rename_of_nothing),
        cmocka_unit_test(test_delete),
        cmocka_unit_test(test_delete_many),
        cmocka_unit_test(test_delete_many_fails),
        cmocka_unit_test(test_stock_fails),
        cmocka_unit_test(test_live),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
