/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_changes.c - operations of the engine `s3` with several requests, on a scripted server:
 * multipart uploads, lists, renames and deletions. */
#include "base/compat.h"

#include "base/flag.h"
#include "unit/s3_bench.h"

/* ---- multipart uploads ---- */

#define BEGUN                                                                               \
    "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>k</Key><UploadId>u-1</UploadId>" \
    "</InitiateMultipartUploadResult>"
#define COMPLETED \
    "<CompleteMultipartUploadResult><ETag>\"x-3\"</ETag></CompleteMultipartUploadResult>"

static const char *const uploads_line = "POST /b/p/r/8/000001?uploads";
static const char *const complete_line = "POST /b/p/r/8/000001?uploadId=u-1";

static const struct fake_reply uploads[] = {
    {"?uploads", "200 OK", .body = BEGUN},
    {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
    {"POST ", "200 OK", .body = COMPLETED},
    {0}};

static void test_write_in_parts(void **state)
{
    static const char *const part[] = {"abc", "def", "gh"};
    struct bench *bench = bench_start(uploads);

    bench->present[1] = 0;
    bench->options.store.part_bytes = 3;
    assert_int_equal(run_one(bench, TEST_WRITE), SIZE);
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

/* Pieces of two bytes, parts of three: everything is sent. */
static void test_append(void **state)
{
    struct bench *bench = bench_start(uploads);

    bench->options.store.part_bytes = 3;
    assert_int_equal(run_one(bench, TEST_APPEND), SIZE);
    assert_int_equal(bench->fake.seen_count, 5);
    assert_string_equal(bench->fake.seen[1].body, "abc");
    assert_string_equal(bench->fake.seen[2].body, "def");
    assert_string_equal(bench->fake.seen[3].body, "gh");
    bench->options.store.part_bytes = 1000; /* one part, even if small */
    assert_int_equal(run_one(bench, TEST_APPEND), SIZE);
    assert_int_equal(bench->fake.seen_count, 8);
    assert_string_equal(bench->fake.seen[6].body, "abcdefgh");
    bench_end(bench);
}

/* When the run is ending, a part is not awaited for long: the upload is aborted on a new
 * connection. */
static void test_stop_in_part(void **state)
{
    static const struct fake_reply reply[] = {
        {"?uploads", "200 OK", .body = BEGUN},
        {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = "", .announced = 10},
        {"DELETE ", "204 No Content", .body = ""},
        {0}};
    struct bench *bench = bench_start(reply);
    const struct async_op op = {.object = 1, .buffer = bench->buffer[0]};
    struct async_event event;

    bench->options.store.timeout_ns = 20000000000u;
    bench->options.store.part_bytes = 3;
    slice_begin(bench, TEST_WRITE, 1);
    assert_true(result_of(bench, engine_s3.async->open(bench->ctx, &op)) >= 0);
    assert_int_equal(begin(bench, 0, 1, 0), ASYNC_PENDING);
    while (fake_http_count(&bench->fake, "PUT ") == 0)
        assert_int_equal(engine_s3.async->reap(bench->ctx, 1000000, &event, 1), 0);
    flag_set(&bench->stop, 1);
    assert_int_equal(event_of(bench).result, -ECANCELED);
    slice_end(bench);
    assert_int_equal(fake_http_count(&bench->fake, "DELETE /b/p/r/8/000001?uploadId=u-1"), 1);
    assert_int_equal(atomic_load(&bench->service.base.unsure), 1); /* the part may still arrive */
    assert_int_equal(atomic_load(&bench->service.base.dropped), 0);
    bench_end(bench);
}

/* The abort is sent even if no further requests are allowed. */
static const struct attempt abort_beyond_budget = {
    .test = TEST_WRITE,
    .part_bytes = 3,
    .budget = 3,
    .result = -ECANCELED,
    .counted = "count 4, complete 4",
    .aborts = 1,
    .reply = {{"?uploads", "200 OK", .body = BEGUN},
              {"PUT ", "200 OK", .headers = "ETag: \"e\"\r\n", .body = ""},
              {"DELETE ", "204 No Content", .body = ""}},
};

/* A part without a name cannot be completed. */
static const struct attempt part_without_a_name = {
    .test = TEST_WRITE,
    .part_bytes = 3,
    .result = -EPROTO,
    .counted = "count 3, complete 3, protocol_errors 1",
    .failure = {"the answer to a part has no ETag"},
    .aborts = 1,
    .reply = {{"?uploads", "200 OK", .body = BEGUN},
              {"PUT ", "200 OK", .body = ""},
              {"DELETE ", "204 No Content", .body = ""}},
};

/* ---- lists ---- */

#define KEY(name) "<Contents><Key>p/r/8/" name "</Key><Size>8</Size></Contents>"
#define PAGE(more, x) \
    "<ListBucketResult><IsTruncated>" more "</IsTruncated>" x "</ListBucketResult>"

static const struct attempt list = {
    .test = TEST_LIST,
    .result = SIZE,
    .counted = "count 2, complete 2",
    .reply =
        {{"continuation-token=t1", "200 OK", .body = PAGE("false", KEY("000002") KEY("000003"))},
         {"GET /b?", "200 OK",
          .body = PAGE("true", KEY("000000") KEY(
                                   "000001") "<NextContinuationToken>t1</NextContinuationToken>")},
         {"GET /b/?", "200 OK",
          .body = PAGE("true", KEY("000000") KEY(
                                   "000001") "<NextContinuationToken>t1</NextContinuationToken>")}},
};

static void test_list_too_short(void **state)
{
    static const struct fake_reply reply[] = {
        {"GET /b", "200 OK", .body = PAGE("false", KEY("000000") KEY("000001"))}, {0}};
    struct bench *bench = bench_start(reply);

    assert_int_equal(run_one(bench, TEST_LIST), -EPROTO);
    assert_non_null(strstr(bench->after.first_failure, "the list contains 2 objects, 4 exist"));
    bench->present[0] = bench->present[2] = 0; /* never written, so not missing */
    assert_int_equal(run_one(bench, TEST_LIST), SIZE);
    bench_end(bench);
}

static void test_list_too_long(void **state)
{
    static char text[HTTP_TEXT_BYTES + 2];
    static const struct fake_reply reply[] = {{"GET /b", "200 OK", .body = text}, {0}};
    struct bench *bench;

    memset(text, ' ', sizeof(text) - 1);
    bench = bench_start(reply);
    assert_int_equal(run_one(bench, TEST_LIST), -EPROTO);
    assert_non_null(strstr(bench->after.first_failure, "--list-page"));
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

    slice_begin(bench, TEST_RENAME, 1);
    assert_int_equal(bench->fake.seen_count, 1);
    assert_non_null(strstr(seen[0].line, "PUT /b/p/r/rename-8/000000 "));
    assert_int_equal(seen[0].body_bytes, SIZE);
    assert_int_equal(operate(bench), SIZE);
    assert_non_null(strstr(seen[1].line, "PUT /b/p/r/rename-8/000001 "));
    assert_non_null(strstr(seen[2].line, "DELETE /b/p/r/rename-8/000000 "));
    slice_end(bench); /* it gets its original name back */
    assert_int_equal(bench->fake.seen_count, 5);
    assert_non_null(strstr(seen[3].line, "PUT /b/p/r/rename-8/000000 "));
    assert_non_null(strstr(seen[4].line, "DELETE /b/p/r/rename-8/000001 "));
    assert_int_equal(COUNTED(count), 2);
    slice_begin(bench, TEST_RENAME, 2); /* one more is needed, the first one exists */
    assert_int_equal(bench->fake.seen_count, 6);
    assert_non_null(strstr(seen[5].line, "PUT /b/p/r/rename-8/000002 "));
    assert_int_equal(operate(bench), SIZE);
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench); /* there and back: nothing to be done */
    assert_int_equal(bench->fake.seen_count, 10);
    bench_end(bench);
}

#define COPIED "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>"

/* The object has its new name although the old one could not be removed. */
static void test_rename_without_delete(void **state)
{
    static const struct fake_reply reply[] = {
        {"DELETE ", "503 Slow Down", .body = SLOW_DOWN, .times = 1},
        {"DELETE ", "204 No Content", .body = ""},
        {"PUT ", "200 OK", .body = COPIED},
        {0}};
    struct bench *bench = bench_start(reply);
    const struct fake_seen *seen = bench->fake.seen;

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

/* An object removed by others costs one operation, not all that follow. */
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

    slice_begin(bench, TEST_DELETE, 1); /* for four operations */
    assert_int_equal(fake_http_count(&bench->fake, "PUT /b/p/r/delete-8/"), 4);
    assert_int_equal(operate(bench), SIZE);
    slice_end(bench);
    slice_begin(bench, TEST_DELETE, 1); /* three were left over */
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

    bench->options.store.delete_batch = 2;
    slice_begin(bench, TEST_DELETE, 1);
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

/* Without the objects it needs, a test does not begin; the reason is reported. */
static void test_stock_fails(void **state)
{
    static const struct fake_reply reply[] = {
        {"PUT ", "403 Forbidden",
         .body = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"},
        {0}};
    struct bench *bench = bench_start(reply);
    struct error err = ERROR_INIT;

    bench->work = (struct workload){.target = &bench->store.target,
                                    .test = TEST_DELETE,
                                    .size_bytes = SIZE,
                                    .io_bytes = SIZE,
                                    .depth = 1};
    assert_int_equal(engine_s3.setup(&bench->work, &bench->thread, &bench->ctx, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.reason, "AccessDenied"));
    bench_end(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_in_parts),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_stop_in_part),
        ATTEMPT(abort_beyond_budget),
        ATTEMPT(part_without_a_name),
        ATTEMPT(list),
        cmocka_unit_test(test_list_too_short),
        cmocka_unit_test(test_list_too_long),
        cmocka_unit_test(test_rename),
        cmocka_unit_test(test_rename_without_delete),
        cmocka_unit_test(test_rename_of_nothing),
        cmocka_unit_test(test_delete),
        cmocka_unit_test(test_delete_many),
        cmocka_unit_test(test_stock_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
