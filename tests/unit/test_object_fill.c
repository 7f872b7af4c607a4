/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Filling of the object layer, with the protocol mem:, with short and long objects through
 * failures, interruptions and exhausted limits. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/flag.h"
#include "unit/object_bench.h"

#define LONG    (OBJECT_FILL_PART_BYTES + 1000) /* two parts */
#define CHECKED ((uint64_t)2000)

static struct error err; /* of the last filling */

/* object_bytes: of objects read in ranges; 0: whole ones of SIZE */
static struct bench *begin(uint64_t object_bytes, const char *faults)
{
    return bench_open_with(
        (struct object_options){.objects = OBJECTS, .object_bytes = object_bytes}, 1u << TEST_READ,
        faults);
}

static int fill(struct bench *bench)
{
    err = ERROR_INIT;
    return target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err);
}

static void end(struct bench *bench)
{
    flag_set(&go_on, 0);
    atomic_store(&bench->store->service->unsure, 0); /* avoids a pause at the end */
    bench_close(bench);
}

static unsigned objects_there(struct bench *bench)
{
    return mem_count(bench->memory, bench->options.store.object_bytes ? "iosweep-run/object/"
                                                                      : "iosweep-run/100/");
}

static bool upload_pending(struct bench *bench)
{
    return mem_count(bench->memory, "\n") > 0; /* mem: keeps them there */
}

static uint64_t requests(struct bench *bench, enum object_verb verb)
{
    return atomic_load(&bench->store->service->requests[verb]);
}

/* ---- filling ---- */

static void right_at(struct bench *bench, uint32_t object, uint64_t offset_bytes, uint64_t bytes)
{
    struct target_mismatch mismatch;
    char data[CHECKED];

    assert_int_equal(target_mem.read_back(bench->target, object, offset_bytes, bytes, false, data),
                     bytes);
    assert_true(
        target_mem.check_content(bench->target, object, offset_bytes, bytes, 1, data, &mismatch));
}

/* Parts are retried and end up in the right place. */
static void long_objects(void **state)
{
    struct bench *bench = begin(LONG, "server-error@upload-part:4,slow-down@upload-begin:3");

    assert_int_equal(fill(bench), 0);
    assert_int_equal(objects_there(bench), OBJECTS);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        right_at(bench, i, 0, CHECKED);
        right_at(bench, i, OBJECT_FILL_PART_BYTES - CHECKED / 2, CHECKED);
        right_at(bench, i, LONG - CHECKED, CHECKED);
    }
    assert_int_equal(requests(bench, OBJECT_UPLOAD_BEGIN), OBJECTS + 1);
    assert_int_equal(requests(bench, OBJECT_UPLOAD_PART), 2 * OBJECTS + 1);
    assert_int_equal(requests(bench, OBJECT_UPLOAD_COMPLETE), OBJECTS);
    assert_int_equal(requests(bench, OBJECT_UPLOAD_ABORT), 0);
    assert_int_equal(fill(bench), 0); /* nothing is missing */
    assert_int_equal(requests(bench, OBJECT_UPLOAD_BEGIN), OBJECTS + 1);
    end(bench);
}

static void failures_for_good(void **state)
{
    static const struct {
        const char *faults;
        uint64_t object_bytes;
        enum object_verb verb; /* the one that fails ... */
        uint64_t sent;         /* ... once this many were sent by the two or three slots */
        int errnum;
    } rows[] = {
        {"forbidden@put:3", 0, OBJECT_PUT, 1 + 3, EACCES},
        {"server-error@put:1", 0, OBJECT_PUT, 1 + 3 * 4, EREMOTEIO},
        {"forbidden@upload-begin:1", LONG, OBJECT_UPLOAD_BEGIN, 2, EACCES},
        {"forbidden@upload-part:2", LONG, OBJECT_UPLOAD_PART, 3, EACCES},
        {"broken@upload-complete:1", LONG, OBJECT_UPLOAD_COMPLETE, 2, EPROTO},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct bench *bench = begin(rows[i].object_bytes, rows[i].faults);

        assert_int_equal(fill(bench), -1);
        assert_int_equal(err.status, STATUS_TARGET);
        if (err.errnum != rows[i].errnum || strcmp(err.action, "cannot fill") != 0 ||
            !strstr(err.object, "mem:iosweep-run/") || !strstr(err.object, "/00000"))
            fail_msg("%s: %s %s", rows[i].faults, err.action, err.object);
        if (requests(bench, rows[i].verb) > rows[i].sent)
            fail_msg("%s: sent %u times", rows[i].faults, (unsigned)requests(bench, rows[i].verb));
        assert_false(upload_pending(bench));
        assert_true(objects_there(bench) < OBJECTS);
        end(bench);
    }
}

/* Requests in flight complete, but no others begin; multipart uploads are aborted nevertheless. */
static void no_request_is_left(void **state)
{
    struct bench *bench = begin(0, NULL);

    atomic_store(&bench->store->service->budget, 2);
    assert_int_equal(fill(bench), -1);
    assert_string_equal(err.action, "cannot fill");
    assert_string_equal(err.reason, "no request is left of --max-requests");
    assert_int_equal(objects_there(bench), 2);
    end(bench);
    bench = begin(LONG, NULL);
    atomic_store(&bench->store->service->budget, 3);
    assert_int_equal(fill(bench), -1);
    assert_string_equal(err.action, "cannot fill");
    assert_int_equal(requests(bench, OBJECT_UPLOAD_BEGIN) + requests(bench, OBJECT_UPLOAD_PART), 3);
    assert_int_equal(requests(bench, OBJECT_UPLOAD_ABORT), 2);
    assert_false(upload_pending(bench));
    end(bench);
}

static void stop_now(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes)
{
    const struct bench *bench = arg;

    assert_string_equal(what, "filling");
    assert_int_equal(total_bytes, OBJECTS * (bench->options.store.object_bytes ? LONG : SIZE));
    assert_within(done_bytes, 0, total_bytes);
    flag_set(&go_on, 2);
}

static void interrupted(void **state)
{
    static const uint64_t object_bytes[] = {0, LONG};

    for (unsigned i = 0; i < 2; i++) {
        struct bench *bench = begin(object_bytes[i], NULL);

        bench->request.progress = stop_now;
        bench->request.progress_arg = bench;
        assert_int_equal(fill(bench), -1);
        assert_int_equal(err.status, STATUS_PARTIAL);
        assert_int_equal(err.errnum, EINTR);
        assert_string_equal(err.action, "interrupted while filling");
        assert_false(upload_pending(bench));
        assert_int_equal(requests(bench, OBJECT_UPLOAD_COMPLETE), 0);
        bench->request.progress = NULL;
        end(bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_objects),
        cmocka_unit_test(failures_for_good),
        cmocka_unit_test(no_request_is_left),
        cmocka_unit_test(interrupted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
