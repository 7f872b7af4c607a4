/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Requirements of any object store, tested with the protocol mem: (a store in memory with scheduled
 * failures): filling, the engine's slots with retries and failures, and existing objects. (Removal:
 * test_object_removal.c.) No server, no network. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "unit/object_bench.h"

#define COUNTED(field) (bench->after.requests.field - bench->before.requests.field)

/* ---- filling ---- */

/* Every other upload fails, including retries: in the end exactly the right objects exist. */
static void filled_in_spite_of_failures(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, "slow-down@put:2");
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    char data[SIZE];

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    assert_int_equal(mem_count(bench->memory, "iosweep-run/100/"), OBJECTS);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(target_mem.read_back(bench->target, i, 0, SIZE, false, data), SIZE);
        assert_true(target_mem.check_content(bench->target, i, 0, SIZE, 1, data, &mismatch));
    }
    assert_int_equal(atomic_load(&bench->store->service->requests[OBJECT_PUT]),
                     2 + OBJECTS + 2); /* the manifest twice */
    bench_close(bench);
}

/* ---- operations ---- */

static void go_through_each_test(uint64_t delete_batch, uint64_t part_bytes)
{
    struct bench *bench = bench_open((1u << TEST_COUNT) - 1, NULL);
    int errnum;

    bench->options.store.delete_batch = delete_batch;
    bench->options.store.part_bytes = part_bytes;
    for (unsigned test = 0; test < TEST_COUNT; test++) {
        if (!engine_for_test(&engine_mem, (enum io_test)test) ||
            !(object_tests_of(bench->store->service) & 1u << test))
            continue;
        slice_begin(bench, (enum io_test)test, 1);
        if (operate(bench, 4, &errnum) != 4)
            fail_msg("test %u: errno %d", test, errnum);
        slice_end(bench);
        assert_int_equal(COUNTED(retries), 0);
        assert_null(bench->after.first_failure);
    }
    bench_close(bench);
}

static void each_test_goes_through(void **state)
{
    go_through_each_test(1, 0);
    go_through_each_test(2, 30);
}

static void repeated_as_often_as_asked_for(void **state)
{
    struct bench *bench = bench_open(1u << TEST_WRITE, "server-error@put:3");
    int errnum;

    bench->options.store.retries = 1;
    slice_begin(bench, TEST_WRITE, 1);
    assert_int_equal(operate(bench, 5, &errnum), 5); /* requests 3 and 6 fail */
    slice_end(bench);
    assert_int_equal(COUNTED(count), 7);
    assert_int_equal(COUNTED(retries), 2);
    assert_int_equal(COUNTED(server_errors), 2);
    bench_close(bench);
}

static void failures_are_told_by_class(void **state)
{
    static const struct {
        const char *faults;
        int errnum;
    } rows[] = {
        {"slow-down@get:1", EBUSY},  {"server-error@get:1", EREMOTEIO},
        {"forbidden@get:1", EACCES}, {"refused@get:1", ECONNREFUSED},
        {"broken@get:1", EPROTO},    {"lost@get:1", ECONNRESET},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct bench *bench = bench_open(1u << TEST_READ, rows[i].faults);
        int errnum;

        slice_begin(bench, TEST_READ, 1);
        assert_int_equal(operate(bench, 1, &errnum), 0);
        assert_int_equal(errnum, rows[i].errnum);
        slice_end(bench);
        assert_int_equal(COUNTED(slow_downs) + COUNTED(server_errors) + COUNTED(client_errors) +
                             COUNTED(network_errors) + COUNTED(protocol_errors),
                         1);
        assert_non_null(strstr(bench->after.first_failure, "cannot read mem:iosweep-run/100/"));
        bench_close(bench);
    }
}

/* The id of an upload is unknown if its beginning got no answer: removal has to find it. */
static void lost_uploads_are_given_up(void **state)
{
    struct bench *bench = bench_open(1u << TEST_WRITE, "lost@upload-begin:2");
    struct error err = ERROR_INIT;
    int errnum;

    bench->options.store.part_bytes = bench->store->manifest.part_bytes = 30;
    slice_begin(bench, TEST_WRITE, 1);
    assert_int_equal(operate(bench, 2, &errnum), 1);
    slice_end(bench);
    assert_int_equal(atomic_load(&bench->store->service->unsure), 1);
    assert_int_equal(mem_count(bench->memory, "\n"), 1); /* where mem: keeps uploads */
    atomic_store(&bench->store->service->unsure, 0);     /* avoids a pause at the end */
    assert_true(bench->store->uploads);
    must(object_uploads_abort(bench->store->client, bench->store->run_prefix,
                              &bench->store->manifest, bench->store, NULL, &err),
         &err);
    assert_int_equal(mem_count(bench->memory, "\n"), 0);
    bench_close(bench);
}

static void no_more_requests_than_allowed(void **state)
{
    struct bench *bench = bench_open(1u << TEST_WRITE, NULL);
    char text[200];
    int errnum;

    slice_begin(bench, TEST_WRITE, 1);
    atomic_store(&bench->store->service->budget, 2);
    assert_int_equal(operate(bench, 3, &errnum), 2);
    assert_int_equal(errnum, ECANCELED);
    slice_end(bench);
    assert_null(bench->after.first_failure); /* it is none */
    assert_int_equal(COUNTED(count), 2);
    assert_true(target_mem.exhausted(bench->target, text, sizeof(text)));
    bench_close(bench);
}

/* ---- objects that exist ---- */

/* ---- pools that require aligned appends ---- */

static const char *append_of(struct bench *bench, uint64_t fragment_bytes)
{
    uint32_t first, count;

    bench->request.fragment_bytes = fragment_bytes;
    return target_mem.objects(bench->target, TEST_APPEND, SIZE, &first, &count);
}

static void appends_that_begin_between_stripes_are_skipped(void **state)
{
    struct bench *bench = bench_open(1u << TEST_APPEND, NULL);
    struct object_service *service = bench->store->service;

    service->append_align_bytes = 32;
    assert_null(append_of(bench, 0)); /* multipart: nothing is appended */
    service->verbs |= 1u << OBJECT_APPEND;
    service->verbs &= ~(1u << OBJECT_UPLOAD_BEGIN);
    assert_string_equal(append_of(bench, 0), "unaligned"); /* random lengths */
    assert_string_equal(append_of(bench, 48), "unaligned");
    assert_null(append_of(bench, 32));
    assert_null(append_of(bench, 64)); /* the last one may be shorter */
    assert_null(append_of(bench, SIZE + 1));
    service->append_align_bytes = 0;
    assert_null(append_of(bench, 0));
    service->verbs |= 1u << OBJECT_UPLOAD_BEGIN;
    bench_close(bench);
}

/* ---- objects that only one slot at a time writes ---- */

static void what_may_still_come_is_put_aside(void **state)
{
    atomic_uchar held[5] = {0};
    struct object_set set = {.count = 5, .held = held, .spare = 2};
    struct object_slot slot = {.holds = 0};

    object_slot_put_aside(&set, &slot); /* there is none */
    assert_int_equal(set.spare, 2);
    for (uint32_t i = 0; i < 3; i++) {
        slot.object = object_set_hold(&set, 0);
        assert_int_equal(slot.object, i);
        object_slot_hold(&set, &slot, true);
        object_slot_put_aside(&set, &slot);
        assert_int_equal(slot.holds, i < 2 ? 0 : 3); /* the others are needed */
    }
    object_slot_hold(&set, &slot, false);
    assert_int_equal(object_set_hold(&set, 0), 2);
    assert_int_equal(object_set_hold(&set, 4), 4);
    assert_int_equal(object_set_hold(&set, 4), 3);
}

/* ---- names ---- */

/* The command that removes a run is in the advice either completely or not at all. */
static void a_run_of_a_team_is_there_already(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct target_request request = *bench->target->request;
    struct error err = ERROR_INIT;
    char target[400] = "mem:";

    request.team_name = "run";
    assert_int_equal(
        life_name_taken(&request, "",
                        object_clean_named(bench->store->service, request.target, "run"), &err),
        -1);
    assert_string_equal(err.object, "run");
    assert_non_null(strstr(err.advice, "remove it: iosweep clean --run-name run mem:"));

    memset(target + 4, 'x', sizeof(target) - 5);
    request.target = target;
    assert_int_equal(
        life_name_taken(&request, "",
                        object_clean_named(bench->store->service, request.target, "run"), &err),
        -1);
    assert_string_equal(err.advice,
                        "choose another --run-name, read it with -r, or remove it: see above");
    bench_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_a_team_is_there_already),
        cmocka_unit_test(filled_in_spite_of_failures),
        cmocka_unit_test(appends_that_begin_between_stripes_are_skipped),
        cmocka_unit_test(what_may_still_come_is_put_aside),
        cmocka_unit_test(each_test_goes_through),
        cmocka_unit_test(repeated_as_often_as_asked_for),
        cmocka_unit_test(failures_are_told_by_class),
        cmocka_unit_test(lost_uploads_are_given_up),
        cmocka_unit_test(no_more_requests_than_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
