/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_store.c - decisions of the target of object stores that need no server: objects of each
 * test, their content, expected cost. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/object.h"
#include "storage/object/s3/protocol.h"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

static const struct s3_options plain = {
    .store.anonymous = true, .store.endpoint = "http://127.0.0.1:1", .store.part_bytes = 8 << 20};
static const volatile int go_on;

/* ---- a target without a server ---- */

static struct target_request request_of(const struct s3_options *options, unsigned tests,
                                        const uint64_t *sizes, size_t count)
{
    struct target_request request = {.target = "s3://bucket/pre",
                                     .dry_run = true,
                                     .verify = true,
                                     .run_name = "run",
                                     .options = options,
                                     .size_bytes = sizes,
                                     .size_count = count,
                                     .tests = tests,
                                     .stop = &go_on};

    for (unsigned test = 0; test < TEST_COUNT; test++)
        request.rows[test].operations = 10;
    return request;
}

/* One at a time: nothing listens on port 1. */
static struct target *open_dry(const struct s3_options *options, unsigned tests,
                               const uint64_t *sizes, size_t count)
{
    static struct target_request request;
    struct error err = ERROR_INIT;
    struct target *target;

    request = request_of(options, tests, sizes, count);
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    return target;
}

static void close_dry(struct target *target)
{
    struct error err = ERROR_INIT;

    assert_int_equal(target_s3.close(target, &err), 0);
}

static void test_dry_run(void **state)
{
    static const uint64_t sizes[] = {4096, 65536};
    struct target *target;

    assert_true(storage_driver_for("s3://bucket/pre") == &target_s3);
    target = open_dry(&plain, 1u << TEST_READ | 1u << TEST_DELETE, sizes, LENGTH(sizes));
    assert_string_equal(target->place, "s3://bucket/pre/iosweep-run (http://127.0.0.1:1)");
    assert_string_equal(target->description, "4 sets of 64 objects of 4 KiB to 64 KiB");
    assert_string_equal(target->label, "s3://bucket/pre");
    assert_string_equal(target->name[0], "pre/iosweep-run/65536/000000");
    assert_int_equal(target->object_count, 130);
    assert_true(target->total_bytes == 64 * (4096 + 65536));
    assert_true(target->ours && target->writable && !target_can(target, TARGET_FILES) &&
                !target_can(target, TARGET_CACHED));
    close_dry(target);
}

static void test_refused_names(void **state)
{
    static const uint64_t sizes[] = {4096};
    struct s3_options options = plain;
    struct target_request request = request_of(&options, 1u << TEST_READ, sizes, 1);
    struct error err = ERROR_INIT;
    struct target *target;

    request.run_name = "a/../b";
    request.named = true;
    assert_int_equal(target_s3.open(&request, &target, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_null(target);
}

static void check_objects(const struct target *target, enum io_test test, uint64_t size_bytes,
                          const char *reason, const char *name, uint32_t count)
{
    uint32_t first = 0, found = 0;
    const char *got = target_s3.objects(target, test, size_bytes, &first, &found);

    if (reason) {
        assert_non_null(got);
        assert_string_equal(got, reason);
        return;
    }
    assert_null(got);
    assert_int_equal(found, count);
    assert_string_equal(target->name[first], name);
    for (uint32_t i = 0; i < count; i++)
        assert_true(target->length_bytes[first + i] >= size_bytes);
}

static void test_objects(void **state)
{
    static const uint64_t sizes[] = {4096, 65536, UINT64_C(6) << 30, UINT64_C(80000) << 20};
    struct s3_options options = plain;
    struct target *target;

    options.store.object_bytes = 65536;
    options.store.objects = 5;
    target = open_dry(&options, (1u << TEST_COUNT) - 1, sizes, LENGTH(sizes));
#define PRE "pre/iosweep-run/"
    check_objects(target, TEST_WRITE, 4096, NULL, PRE "4096/000000", 5);
    check_objects(target, TEST_STAT, 65536, NULL, PRE "65536/000000", 5);
    check_objects(target, TEST_LIST, 4096, NULL, PRE "4096/000000", 5);
    check_objects(target, TEST_READ, 4096, NULL, PRE "object/000000", 5);
    check_objects(target, TEST_READ, 65536, NULL, PRE "object/000000", 5);
    check_objects(target, TEST_READ, sizes[2], "beyond_file", NULL, 0);
    check_objects(target, TEST_APPEND, 65536, NULL, PRE "append-65536/000000", 5);
    check_objects(target, TEST_RENAME, 4096, NULL, PRE "rename-4096/", 1);
    check_objects(target, TEST_DELETE, 4096, NULL, PRE "delete-4096/", 1);
    check_objects(target, TEST_CREATE, sizes[2], NULL, PRE "create-6442450944/", 1);
    check_objects(target, TEST_WRITE, sizes[3], NULL, PRE "83886080000/000000", 5);
    options.store.part_bytes--; /* now 10000 parts do not suffice */
    check_objects(target, TEST_WRITE, sizes[3], "too_many_parts", NULL, 0);
    options.store.part_bytes = 0;
    check_objects(target, TEST_WRITE, sizes[2], "too_large", NULL, 0);
    close_dry(target);
}

/* Reading a kept run: with sizes other than its own, and with an incomplete set. */
static void test_objects_of_a_kept_run(void **state)
{
    static const uint64_t sizes[] = {4096, 16384, 65536};
    struct s3_options options = plain;
    struct target *target;

    options.store.objects = 2;
    target = open_dry(&options, 1u << TEST_READ, sizes, LENGTH(sizes));
    target->ours = false;
    check_objects(target, TEST_READ, 16384, NULL, PRE "16384/000000", 2);
    check_objects(target, TEST_STAT, 1, NULL, PRE "65536/000000", 2);
    check_objects(target, TEST_READ, 65537, "beyond_file", NULL, 0);
    object_store_of(target)->set[0].count = 0;
    check_objects(target, TEST_READ, 65536, "beyond_file", NULL, 0);
    check_objects(target, TEST_LIST, 100, NULL, PRE "16384/000000", 2);
    close_dry(target);
}

/* Writes first create missing objects, in order, whatever is drawn; failed ones are retried. */
static void test_first_pass(void **state)
{
    static const uint64_t sizes[] = {4096};
    struct s3_options options = plain;
    struct target *target;
    struct object_set *set;

    options.store.objects = 4;
    target = open_dry(&options, 1u << TEST_WRITE, sizes, 1);
    set = &object_store_of(target)->set[0];
    atomic_store(&set->present[1], 1);
    object_set_begin_pass(set);
    assert_int_equal(object_set_choose(set, 3), 0);
    assert_int_equal(object_set_choose(set, 3), 2);
    assert_int_equal(object_set_choose(set, 0), 3);
    assert_int_equal(object_set_choose(set, 1), 1);
    assert_int_equal(object_set_choose(set, 3), 3);
    atomic_store(&set->present[0], 1); /* 2 failed */
    atomic_store(&set->present[3], 1);
    assert_false(object_set_complete(set));
    assert_int_equal(object_set_made(set), 3);
    object_set_begin_pass(set);
    assert_int_equal(object_set_choose(set, 0), 2);
    assert_int_equal(object_set_choose(set, 0), 0);
    atomic_store(&set->present[2], 1);
    assert_true(object_set_complete(set));
    object_set_begin_pass(set);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(object_set_choose(set, i), i);
    close_dry(target);
}

/* An interrupted run: objects 1 and 3 of 4 exist. */
static void test_partial_set(void **state)
{
    static const uint64_t sizes[] = {100};
    struct s3_options options = plain;
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    struct target *target;
    struct object_set *set;
    char data[100], note[64];

    options.store.objects = 4;
    target = open_dry(&options, 1u << TEST_READ, sizes, 1);
    assert_int_equal(pattern_start(&object_store_of(target)->pattern, 9, &err), 0);
    object_note(target, TEST_READ, 100, note, sizeof(note));
    assert_string_equal(note, "");
    target_s3.make_content(target, 3, 0, sizeof(data), 0, data);
    set = &object_store_of(target)->set[0];
    set->there = mem_calloc(2, sizeof(*set->there));
    set->there[0] = 1;
    set->there[1] = 3;
    set->count = 2;
    target->ours = false;
    check_objects(target, TEST_READ, 100, NULL, PRE "100/000000", 2);
    assert_string_equal(object_key(set, 1, (char[OBJECT_KEY_BYTES]){""}), PRE "100/000003");
    assert_true(target_s3.check_content(target, 1, 0, sizeof(data), 1, data, &mismatch));
    assert_false(target_s3.check_content(target, 0, 0, sizeof(data), 1, data, &mismatch));
    object_note(target, TEST_READ, 100, note, sizeof(note));
    assert_string_equal(note, "partial:2/4");
    object_note(target, TEST_READ, 50, note, sizeof(note)); /* ranges of them */
    assert_string_equal(note, "partial:2/4");
    close_dry(target);
}

static void test_content(void **state)
{
    static const uint64_t sizes[] = {100, 50};
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    struct target *target;
    char data[100], other[100];
    uint32_t index;

    target = open_dry(&plain, 1u << TEST_READ, sizes, LENGTH(sizes));
    assert_int_equal(pattern_start(&object_store_of(target)->pattern, 9, &err), 0);
    target_s3.make_content(target, 3, 0, sizeof(data), 1, data);
    target_s3.make_content(target, 4, 0, sizeof(other), 1, other);
    assert_memory_not_equal(data, other, sizeof(data));
    assert_true(target_s3.check_content(target, 3, 0, sizeof(data), 2, data, &mismatch));
    assert_true(
        target_s3.check_content(target, 3, 7, 93, TARGET_ANY_GENERATION, data + 7, &mismatch));
    assert_false(target_s3.check_content(target, 4, 0, sizeof(data), 2, data, &mismatch));
    data[97] ^= 1;
    assert_false(target_s3.check_content(target, 3, 90, 10, 2, data + 90, &mismatch));
    assert_int_equal(mismatch.offset_bytes, 97);
    assert_int_equal(mismatch.shown, 3);
    assert_int_equal(mismatch.found[0] ^ mismatch.expected[0], 1);
    assert_true(object_sets_find(object_store_of(target), 63, &index) ==
                &object_store_of(target)->set[0]);
    assert_int_equal(index, 63);
    assert_true(object_sets_find(object_store_of(target), 64, &index) ==
                &object_store_of(target)->set[1]);
    assert_int_equal(index, 0);
    close_dry(target);
}

/* ---- the command that removes a run ---- */

static void check_command(struct s3_options *options, const char *target, const char *want)
{
    struct object_store store = {.service = NULL};
    struct error err = ERROR_INIT;
    char *command;

    assert_int_equal(object_service_open(&s3_protocol, target, options, true, &store.service, &err),
                     0);
    store.run_prefix = mem_printf("%s" LIFE_PREFIX "run/", store.service->prefix);
    command = object_clean_command(&store);
    assert_string_equal(command, want);
    free(command);
    free(store.run_prefix);
    s3_protocol.close(store.service);
}

static void test_clean_command(void **state)
{
    struct s3_options options = plain;

    check_command(&options, "s3://bucket/pre",
                  "iosweep clean s3://bucket/pre/iosweep-run --endpoint http://127.0.0.1:1 "
                  "--anonymous");
    check_command(&options, "s3://bucket/a b;$(c)'d",
                  "iosweep clean 's3://bucket/a b;$(c)'\\''d/iosweep-run' --endpoint "
                  "http://127.0.0.1:1 --anonymous");
    options.store.region = "eu-west-1";
    options.store.ca_file = "my ca.pem";
    options.store.insecure = true;
    options.addressing = S3_ADDRESSING_VIRTUAL;
    options.store.endpoint = "https://s3.test";
    check_command(&options, "s3://bucket",
                  "iosweep clean s3://bucket/iosweep-run --endpoint https://s3.test --region "
                  "eu-west-1 --ca-file 'my ca.pem' --s3.addressing virtual --insecure "
                  "--anonymous");
}

/* ---- expected cost ---- */

static void test_forecast(void **state)
{
    static const uint64_t sizes[] = {1000, 20 << 20};
    struct s3_options options = plain;
    struct object_cost fill, rows;
    struct error err = ERROR_INIT;
    struct target *target;

    options.store.objects = 6;
    options.store.page = 4;
    options.store.delete_batch = 100;
    options.store.max_requests = 100;
    target = open_dry(&options, (1u << TEST_COUNT) - 1, sizes, LENGTH(sizes));
    object_cost_estimate(object_store_of(target), &fill, &rows);
    /* 6 in one request, and 6 of 20 MiB in two parts of 16 MiB */
    assert_true(fill.requests == 6 + 6 * 4);
    assert_true(fill.sent_bytes == 6 * (1000 + 20.0 * (1 << 20)));
    /* per size: read, stat, copy 10 each, list 2 pages, rename 1 and 10 of 2, delete 1000 and 10;
     * appended in one part or 3 of 8 MiB; written, created and, by test fill, each of the 6 objects
     * once, in one request or as many parts */
    assert_true(rows.requests == 2 * (30 + 20 + 21 + 1010) + 10 * (3 + 5) + 26 * (1 + 5));
    assert_true(rows.received_bytes == 10 * (1000 + 20.0 * (1 << 20)));
    assert_int_equal(object_cost_tell(object_store_of(target), &err), 0);
    options.store.max_requests = 29;
    assert_int_equal(object_cost_tell(object_store_of(target), &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    close_dry(target);
}

static void test_parts_of_long_objects(void **state)
{
    assert_true(object_fill_part(1, 0) == 1);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES, 0) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES + 1, 0) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(10000 * OBJECT_FILL_PART_BYTES, 0) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(10000 * OBJECT_FILL_PART_BYTES + 1, 0) ==
                2 * OBJECT_FILL_PART_BYTES);
    /* appended pieces begin at stripe boundaries */
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES, 12288) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES + 1, 12288) == 1365 * 12288);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES + 1, 4096) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES + 1, 3 * OBJECT_FILL_PART_BYTES) ==
                3 * OBJECT_FILL_PART_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dry_run),    cmocka_unit_test(test_refused_names),
        cmocka_unit_test(test_objects),    cmocka_unit_test(test_objects_of_a_kept_run),
        cmocka_unit_test(test_first_pass), cmocka_unit_test(test_partial_set),
        cmocka_unit_test(test_content),    cmocka_unit_test(test_clean_command),
        cmocka_unit_test(test_forecast),   cmocka_unit_test(test_parts_of_long_objects),
    };

    /* The user running this may have a profile. */
    unsetenv("AWS_PROFILE");
    unsetenv("AWS_CA_BUNDLE");
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
    setenv("AWS_CONFIG_FILE", "/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
