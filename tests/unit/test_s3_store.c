/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_s3_store.c - what the target of object stores decides without a server: names and manifests
 * of runs, which objects a test goes to, what it will cost. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/object/object.h"
#include "target/object/s3/protocol.h"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

static const struct s3_options plain = {.anonymous = true,
                                        .endpoint = "http://127.0.0.1:1",
                                        .store.part_bytes = 8 << 20,
                                        .store.batch = 100};
static const volatile int go_on;

/* ---- names ---- */

static void test_run_names(void **state)
{
    static const char *const good[] = {"a", "A-z_0.9", "..", "-"};
    static const char *const bad[] = {"", "a/b", "a b", "\xc3\xa4", "a\n"};
    char name[OBJECT_RUN_NAME_MAX + 2];
    (void)state;

    for (size_t i = 0; i < LENGTH(good); i++)
        assert_true(object_run_name_valid(good[i]));
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_false(object_run_name_valid(bad[i]));
    memset(name, 'x', sizeof(name));
    name[OBJECT_RUN_NAME_MAX + 1] = '\0';
    assert_false(object_run_name_valid(name));
    name[OBJECT_RUN_NAME_MAX] = '\0';
    assert_true(object_run_name_valid(name));
}

static void test_run_of_prefix(void **state)
{
    static const struct {
        const char *prefix, *name;
    } rows[] = {
        {"iosweep-a/", "a"},
        {"x/y/iosweep-1.2/", "1.2"},
        {"iosweep-/", NULL},
        {"", NULL},
        {"/", NULL},
        {"iosweep-a", NULL},
        {"x/", NULL},
        {"xiosweep-a/", NULL},
        {"iosweep-a/b/", NULL},
        {"iosweep-a b/", NULL},
    };
    char name[OBJECT_RUN_NAME_MAX + 1], *prefix;
    (void)state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(object_run_of_prefix(rows[i].prefix, name), rows[i].name != NULL);
        if (rows[i].name)
            assert_string_equal(name, rows[i].name);
    }
    prefix = mem_printf("iosweep-%0*d/", (int)OBJECT_RUN_NAME_MAX, 0);
    assert_true(object_run_of_prefix(prefix, name));
    free(prefix);
    prefix = mem_printf("iosweep-%0*d/", (int)OBJECT_RUN_NAME_MAX + 1, 0);
    assert_false(object_run_of_prefix(prefix, name));
    free(prefix);
}

static void test_keys(void **state)
{
    static const struct {
        uint64_t object;
        const char *key;
    } rows[] = {{0, "p/000000"},
                {17, "p/000017"},
                {999999, "p/999999"},
                {1000000, "p/1000000"},
                {UINT64_MAX, "p/18446744073709551615"}};
    static char found[] = "any/key \xc3\xa4";
    char *keys[] = {found}, prefix[] = "p/", key[OBJECT_KEY_BYTES];
    struct object_set set = {.prefix = prefix};
    (void)state;

    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(object_key(&set, rows[i].object, key), rows[i].key);
    set.key = keys;
    assert_string_equal(object_key(&set, 0, key), found);
}

/* ---- plan ---- */

static void test_objects_of_a_set(void **state)
{
    (void)state;
    assert_int_equal(object_set_objects(0, 1), 64);
    assert_int_equal(object_set_objects(0, 4 << 20), 64);
    assert_int_equal(object_set_objects(0, (4 << 20) + 1), 63);
    assert_int_equal(object_set_objects(0, 128 << 20), 2);
    assert_int_equal(object_set_objects(0, 256 << 20), 1);
    assert_int_equal(object_set_objects(0, UINT64_C(1) << 40), 1);
    assert_int_equal(object_set_objects(7, UINT64_C(1) << 40), 7);
    assert_int_equal(object_set_objects(UINT64_MAX, 1), UINT32_MAX);
}

static void check_plan(unsigned tests, const struct s3_options *options, const char *want)
{
    static const uint64_t sizes[] = {4096, 1 << 20, 4096};
    struct object_manifest manifest = {.protocol = "s3", .run_name = "r", .seed = 5};
    struct error err = ERROR_INIT;
    char *text;

    assert_int_equal(
        object_manifest_plan(&manifest, tests, sizes, LENGTH(sizes), &options->store, &err), 0);
    text = object_manifest_format(&manifest);
    assert_string_equal(strstr(text, "seed="), want);
    free(text);
    free(manifest.set);
}

static void test_plan(void **state)
{
    struct s3_options options = plain;
    (void)state;

    check_plan(1u << TEST_READ, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 planned\nset=whole 4096 64 0 planned\n");
    check_plan(1u << TEST_WRITE | 1u << TEST_HEAD | 1u << TEST_LIST, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 planned\nset=whole 4096 64 0 planned\n");
    options.store.objects = 3;
    check_plan(1u << TEST_DELETE | 1u << TEST_DELETE_MANY | 1u << TEST_RENAME | 1u << TEST_APPEND |
                   1u << TEST_MULTIPART,
               &options,
               "seed=5\nsets=8\n"
               "set=multipart 1048576 3 0 planned\nset=append 1048576 3 0 planned\n"
               "set=rename 1048576 0 0 planned\nset=delete 1048576 0 0 planned\n"
               "set=multipart 4096 3 0 planned\nset=append 4096 3 0 planned\n"
               "set=rename 4096 0 0 planned\nset=delete 4096 0 0 planned\n");
    options.store.object_bytes = 65536;
    check_plan(1u << TEST_READ, &options, "seed=5\nsets=1\nset=ranged 65536 3 0 planned\n");
    check_plan(1u << TEST_READ | 1u << TEST_WRITE, &options,
               "seed=5\nsets=3\nset=whole 1048576 3 0 planned\nset=ranged 65536 3 0 planned\n"
               "set=whole 4096 3 0 planned\n");
}

static void test_plan_too_large(void **state)
{
    static const uint64_t sizes[] = {1, 2};
    struct s3_options options = plain;
    struct object_manifest manifest = {.run_name = "r"};
    struct error err = ERROR_INIT;
    (void)state;

    options.store.objects = OBJECTS_MAX / 2;
    assert_int_equal(object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes),
                                          &options.store, &err),
                     0);
    free(manifest.set);
    options.store.objects++;
    assert_int_equal(object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes),
                                          &options.store, &err),
                     -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_null(manifest.set);
}

/* ---- manifest ---- */

#define HEAD "iosweep s3 manifest 1\n" /* as it was written once */
#define NOW  "iosweep s3 manifest 2\nrun=a.b\n"
#define LIFE "owner=0123456789abcdef\nbegun=1795316400\n"

static void check_manifest(const char *good, struct object_manifest *manifest)
{
    struct error err = ERROR_INIT;
    char *text;

    assert_int_equal(object_manifest_parse(good, strlen(good), manifest, &err), 0);
    assert_string_equal(manifest->run_name, "a.b");
    assert_true(manifest->seed == UINT64_MAX);
    assert_int_equal(manifest->set_count, 3);
    assert_int_equal(manifest->set[0].made, 64);
    assert_int_equal(manifest->set[1].kind, OBJECT_SET_APPEND);
    assert_int_equal(manifest->set[1].state, OBJECT_SET_WRITTEN);
    assert_int_equal(manifest->set[1].count, 2);
    text = object_manifest_format(manifest);
    assert_string_equal(text, good);
    free(text);
    free(manifest->set);
}

static void test_manifest(void **state)
{
    struct object_manifest manifest;
    (void)state;

    check_manifest(NOW LIFE "state=running 20\nseed=18446744073709551615\nsets=3\n"
                            "set=whole 65536 64 64 filled\nset=append 4096 2 1 written\n"
                            "set=delete 4096 0 0 planned\n",
                   &manifest);
    assert_true(manifest.owner == UINT64_C(0x0123456789abcdef));
    assert_int_equal(manifest.begun_s, 1795316400);
    assert_int_equal(manifest.renew_s, 20);
    assert_int_equal(manifest.version, 2);
    check_manifest(NOW LIFE "state=ended\nseed=18446744073709551615\nsets=3\n"
                            "set=whole 65536 80 64 written\nset=append 4096 2 2 written\n"
                            "set=delete 4096 0 0 planned\n",
                   &manifest);
    assert_int_equal(manifest.renew_s, 0);
    check_manifest(HEAD "run=a.b\nseed=18446744073709551615\nsets=3\n"
                        "set=whole 65536 64 filled\nset=append 4096 2 written\n"
                        "set=delete 4096 0 planned\n",
                   &manifest);
    assert_int_equal(manifest.version, 1);
    assert_int_equal(manifest.renew_s, 0);
}

static void test_manifest_refused(void **state)
{
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {"", "length"},
        {"iosweep manifest 2\nrun=a\n", "first line"},
        {HEAD, "run"},
        {HEAD "run=\nseed=1\n", "run"},
        {HEAD "run=a/b\nseed=1\n", "run"},
        {HEAD "run=a\nseed=-1\n", "seed"},
        {HEAD "run=a\nseed=18446744073709551616\n", "seed"},
        {HEAD "run=a\nseed=1\nsets=0\n", "sets"},
        {HEAD "run=a\nseed=1\nsets=8193\n", "sets"},
        {HEAD "run=a\nseed=1\nsets=1\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=found 1 1 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 1 lost\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 0 1 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 0 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=delete 1 1 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 01 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 1000001 filled\n", "number of objects"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 4294967296 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=1\nset=whole 1 1 filled\nx", "end"},
        {HEAD "run=a\nseed=1\nsets=2\nset=whole 1 1 filled\nset=whole 2 1 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=2\nset=whole 1 1 filled\nset=whole 1 1 filled\n", "a set"},
        {HEAD "run=a\nseed=1\nsets=2\nset=ranged 2 1 filled\nset=ranged 1 1 filled\n", "sets"},
        {"iosweep s3 manifest 3\nrun=a\n", "first line"},
        {HEAD "run=a\n" LIFE "state=ended\nseed=1\nsets=1\nset=whole 1 1 1 filled\n", "seed"},
        {NOW "seed=1\nsets=1\nset=whole 1 1 filled\n", "owner"},
        {NOW "owner=0123456789ABCDEF\nbegun=1\nstate=ended\n", "owner"},
        {NOW "owner=123456789abcdef\nbegun=1\nstate=ended\n", "owner"},
        {NOW "owner=0123456789abcdef\nbegun=-1\nstate=ended\n", "begun"},
        {NOW "owner=0123456789abcdef\nbegun=9223372036854775808\nstate=ended\n", "begun"},
        {NOW LIFE "state=running\nseed=1\n", "state"},
        {NOW LIFE "state=running 0\nseed=1\n", "state"},
        {NOW LIFE "state=running 61\nseed=1\n", "state"},
        {NOW LIFE "state=running 020\nseed=1\n", "state"},
        {NOW LIFE "state=kept\nseed=1\n", "state"},
        {NOW LIFE "state=ended\nseed=1\nsets=1\nset=whole 1 1 filled\n", "a set"},
        {NOW LIFE "state=ended\nseed=1\nsets=1\nset=whole 1 2 3 written\n", "a set"},
        {NOW LIFE "state=ended\nseed=1\nsets=1\nset=whole 1 2 1 filled\n", "a set"},
        {NOW LIFE "state=ended\nseed=1\nsets=1\nset=delete 1 0 1 planned\n", "a set"},
    };
    struct object_manifest manifest;
    (void)state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct error err = ERROR_INIT;
        assert_int_equal(object_manifest_parse(rows[i].text, strlen(rows[i].text), &manifest, &err),
                         -1);
        assert_int_equal(err.status, STATUS_TARGET);
        assert_string_equal(err.object, rows[i].fault);
        assert_null(manifest.set);
    }
}

static void test_owned_keys(void **state)
{
    static const char text[] =
        HEAD "run=a\nseed=1\nsets=4\nset=ranged 65536 3 filled\nset=whole 4096 64 filled\n"
             "set=multipart 4096 2 planned\nset=delete 4096 0 planned\n";
    static const struct {
        const char *name;
        unsigned set;
        uint64_t object;
    } ours[] = {
        {"4096/000000", 1, 0},
        {"4096/000063", 1, 63},
        {"object/000002", 0, 2},
        {"multipart-4096/000001", 2, 1},
        {"delete-4096/000000", 3, 0},
        {"delete-4096/18446744073709551615", 3, UINT64_MAX},
        {"delete-4096/1000000", 3, 1000000},
    };
    static const char *const others[] = {
        "",
        "manifest",
        "4096",
        "4096/",
        "4096/000064",
        "4096/00000",
        "4096/0000000",
        "4096/00000x",
        "4096/000000/x",
        "04096/000000",
        "4097/000000",
        "object/000003",
        "objects/000000",
        "multipart-/000000",
        "multipart-4096/000002",
        "append-4096/000000",
        "whole-4096/000000",
        "ranged-65536/000000",
        "delete-4096/0100000",
        "delete-4096/18446744073709551616",
        "delete-04096/000000",
        "-4096/000000",
    };
    struct object_manifest manifest;
    struct error err = ERROR_INIT;
    uint64_t object;
    unsigned set;
    (void)state;

    assert_int_equal(object_manifest_parse(text, sizeof(text) - 1, &manifest, &err), 0);
    for (size_t i = 0; i < LENGTH(ours); i++) {
        assert_true(object_manifest_owns(&manifest, ours[i].name, &set, &object));
        assert_int_equal(set, ours[i].set);
        assert_true(object == ours[i].object);
    }
    for (size_t i = 0; i < LENGTH(others); i++)
        if (object_manifest_owns(&manifest, others[i], &set, &object))
            fail_msg("%s is none of ours", others[i]);
    free(manifest.set);
}

/* ---- a target without a server ---- */

static struct target_request request_of(const struct s3_options *options, unsigned tests,
                                        const uint64_t *sizes, size_t count)
{
    return (struct target_request){.target = "s3://bucket/pre",
                                   .dry_run = true,
                                   .verify = true,
                                   .run_name = "run",
                                   .options = options,
                                   .size_bytes = sizes,
                                   .size_count = count,
                                   .tests = tests,
                                   .requests_per_row = 10,
                                   .stop = &go_on};
}

static void test_dry_run(void **state)
{
    static const uint64_t sizes[] = {4096, 65536};
    const struct target_request request =
        request_of(&plain, 1u << TEST_READ | 1u << TEST_DELETE, sizes, LENGTH(sizes));
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

    assert_true(target_driver_for(request.target) == &target_s3);
    assert_int_equal(target_s3.open(&request, &target, &err), 0); /* nobody listens at port 1 */
    assert_string_equal(target->place, "s3://bucket/pre/iosweep-run (http://127.0.0.1:1)");
    assert_string_equal(target->description, "4 sets of 64 objects of 4 KiB to 64 KiB");
    assert_string_equal(target->label, "s3://bucket/pre");
    assert_string_equal(target->name[0], "pre/iosweep-run/65536/000000");
    assert_int_equal(target->object_count, 130);
    assert_true(target->total_bytes == 64 * (4096 + 65536));
    assert_true(target->ours && target->writable && !target_can(target, TARGET_FILES) &&
                !target_can(target, TARGET_CACHED));
    assert_int_equal(target_s3.close(target, &err), 0);
}

static void test_refused_names(void **state)
{
    static const uint64_t sizes[] = {4096};
    struct s3_options options = plain;
    struct target_request request = request_of(&options, 1u << TEST_READ, sizes, 1);
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

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
    const struct target_request request =
        request_of(&options, (1u << TEST_COUNT) - 1, sizes, LENGTH(sizes));
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

    options.store.object_bytes = 65536;
    options.store.objects = 5;
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
#define PRE "pre/iosweep-run/"
    check_objects(target, TEST_WRITE, 4096, NULL, PRE "4096/000000", 5);
    check_objects(target, TEST_HEAD, 65536, NULL, PRE "65536/000000", 5);
    check_objects(target, TEST_LIST, 4096, NULL, PRE "4096/000000", 5);
    check_objects(target, TEST_READ, 4096, NULL, PRE "object/000000", 5);
    check_objects(target, TEST_READ, 65536, NULL, PRE "object/000000", 5);
    check_objects(target, TEST_READ, sizes[2], "beyond_file", NULL, 0);
    check_objects(target, TEST_MULTIPART, 4096, NULL, PRE "multipart-4096/000000", 5);
    check_objects(target, TEST_APPEND, 65536, NULL, PRE "append-65536/000000", 5);
    check_objects(target, TEST_RENAME, 4096, NULL, PRE "rename-4096/", 1);
    check_objects(target, TEST_DELETE, 4096, NULL, PRE "delete-4096/", 1);
    check_objects(target, TEST_DELETE_MANY, 4096, NULL, PRE "delete-4096/", 1);
    check_objects(target, TEST_WRITE, sizes[2], "too_large", NULL, 0);
    check_objects(target, TEST_MULTIPART, sizes[2], NULL, PRE "multipart-6442450944/000000", 5);
    check_objects(target, TEST_MULTIPART, sizes[3], NULL, PRE "multipart-83886080000/000000", 5);
    options.store.part_bytes--; /* 10000 parts are not enough now */
    check_objects(target, TEST_MULTIPART, sizes[3], "too_many_parts", NULL, 0);
    assert_int_equal(target_s3.close(target, &err), 0);
}

/* Reading a run that was kept: other sizes than it was made for, and a set that is not complete. */
static void test_objects_of_a_kept_run(void **state)
{
    static const uint64_t sizes[] = {4096, 16384, 65536};
    struct s3_options options = plain;
    const struct target_request request =
        request_of(&options, 1u << TEST_READ, sizes, LENGTH(sizes));
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

    options.store.objects = 2;
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    target->ours = false;
    check_objects(target, TEST_READ, 16384, NULL, PRE "16384/000000", 2);
    check_objects(target, TEST_HEAD, 1, NULL, PRE "65536/000000", 2);
    check_objects(target, TEST_READ, 65537, "beyond_file", NULL, 0);
    object_target_of(target)->set[0].count = 0;
    check_objects(target, TEST_READ, 65536, "beyond_file", NULL, 0);
    check_objects(target, TEST_LIST, 100, NULL, PRE "16384/000000", 2);
    assert_int_equal(target_s3.close(target, &err), 0);
}

/* Writes make what is missing first, in order, whatever is drawn; what failed has its turn
 * again. */
static void test_first_pass(void **state)
{
    static const uint64_t sizes[] = {4096};
    struct s3_options options = plain;
    const struct target_request request = request_of(&options, 1u << TEST_WRITE, sizes, 1);
    struct error err = ERROR_INIT;
    struct target *target;
    struct object_set *set;
    (void)state;

    options.store.objects = 4;
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    set = &object_target_of(target)->set[0];
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
    assert_int_equal(target_s3.close(target, &err), 0);
}

/* A run that did not come to its end: objects 1 and 3 of 4 are there. */
static void test_partial_set(void **state)
{
    static const uint64_t sizes[] = {100};
    struct s3_options options = plain;
    const struct target_request request = request_of(&options, 1u << TEST_READ, sizes, 1);
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    struct target *target;
    struct object_set *set;
    char data[100], note[64];
    (void)state;

    options.store.objects = 4;
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    assert_int_equal(pattern_start(&object_target_of(target)->pattern, 9, &err), 0);
    object_existing_note(target, TEST_READ, 100, note, sizeof(note));
    assert_string_equal(note, "");
    target_s3.make_content(target, 3, 0, sizeof(data), 0, data);
    set = &object_target_of(target)->set[0];
    set->there = mem_calloc(2, sizeof(*set->there));
    set->there[0] = 1;
    set->there[1] = 3;
    set->count = 2;
    target->ours = false;
    check_objects(target, TEST_READ, 100, NULL, PRE "100/000000", 2);
    assert_string_equal(object_key(set, 1, (char[OBJECT_KEY_BYTES]){""}), PRE "100/000003");
    assert_true(target_s3.check_content(target, 1, 0, sizeof(data), 0, data, &mismatch));
    assert_false(target_s3.check_content(target, 0, 0, sizeof(data), 0, data, &mismatch));
    object_existing_note(target, TEST_READ, 100, note, sizeof(note));
    assert_string_equal(note, "partial:2/4");
    object_existing_note(target, TEST_READ, 50, note, sizeof(note)); /* ranges of them */
    assert_string_equal(note, "partial:2/4");
    assert_int_equal(target_s3.close(target, &err), 0);
}

static void test_content(void **state)
{
    static const uint64_t sizes[] = {100, 50};
    const struct target_request request = request_of(&plain, 1u << TEST_READ, sizes, LENGTH(sizes));
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    struct target *target;
    char data[100], other[100];
    uint32_t index;
    (void)state;

    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    assert_int_equal(pattern_start(&object_target_of(target)->pattern, 9, &err), 0);
    target_s3.make_content(target, 3, 0, sizeof(data), 1, data);
    target_s3.make_content(target, 4, 0, sizeof(other), 1, other);
    assert_memory_not_equal(data, other, sizeof(data));
    assert_true(target_s3.check_content(target, 3, 0, sizeof(data), 1, data, &mismatch));
    assert_true(
        target_s3.check_content(target, 3, 7, 93, TARGET_ANY_GENERATION, data + 7, &mismatch));
    assert_false(target_s3.check_content(target, 4, 0, sizeof(data), 1, data, &mismatch));
    data[97] ^= 1;
    assert_false(target_s3.check_content(target, 3, 90, 10, 1, data + 90, &mismatch));
    assert_int_equal(mismatch.offset_bytes, 97);
    assert_int_equal(mismatch.shown, 3);
    assert_int_equal(mismatch.found[0] ^ mismatch.expected[0], 1);
    assert_true(object_sets_find(object_store_of(target), 63, &index) ==
                &object_target_of(target)->set[0]);
    assert_int_equal(index, 63);
    assert_true(object_sets_find(object_store_of(target), 64, &index) ==
                &object_target_of(target)->set[1]);
    assert_int_equal(index, 0);
    assert_int_equal(target_s3.close(target, &err), 0);
}

/* ---- the command that removes a run ---- */

static void check_command(struct s3_options *options, const char *target, const char *want)
{
    struct object_service *service;
    struct error err = ERROR_INIT;
    char *command, *prefix;

    assert_int_equal(object_service_open(&s3_protocol, target, options, true, &service, &err), 0);
    prefix = mem_printf("%s" OBJECT_RUN_PREFIX "run/", service->prefix);
    command = object_clean_command(service, prefix);
    assert_string_equal(command, want);
    free(command);
    free(prefix);
    s3_close(service);
}

static void test_clean_command(void **state)
{
    struct s3_options options = plain;
    (void)state;

    check_command(&options, "s3://bucket/pre",
                  "iosweep clean s3://bucket/pre/iosweep-run --endpoint http://127.0.0.1:1 "
                  "--s3.anonymous");
    check_command(&options, "s3://bucket/a b;$(c)'d",
                  "iosweep clean 's3://bucket/a b;$(c)'\\''d/iosweep-run' --endpoint "
                  "http://127.0.0.1:1 --s3.anonymous");
    options.region = "eu-west-1";
    options.ca_file = "my ca.pem";
    options.insecure = true;
    options.addressing = S3_ADDRESSING_VIRTUAL;
    options.endpoint = "https://s3.test";
    check_command(&options, "s3://bucket",
                  "iosweep clean s3://bucket/iosweep-run --endpoint https://s3.test --region "
                  "eu-west-1 --s3.ca-file 'my ca.pem' --s3.addressing virtual --insecure "
                  "--s3.anonymous");
}

/* ---- what it costs ---- */

static void test_forecast(void **state)
{
    static const uint64_t sizes[] = {1000, 20 << 20};
    struct s3_options options = plain;
    const struct target_request request =
        request_of(&options, (1u << TEST_COUNT) - 1, sizes, LENGTH(sizes));
    struct object_cost forecast;
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

    options.store.objects = 6;
    options.store.page = 4;
    options.store.max_requests = 100;
    assert_int_equal(target_s3.open(&request, &target, &err), 0);
    forecast = object_cost_estimate(object_store_of(target));
    assert_true(forecast.fill.requests[OBJECT_PUT] == 6);
    assert_true(forecast.fill.requests[OBJECT_UPLOAD_BEGIN] == 6); /* 20 MiB: parts of 16 MiB */
    assert_true(forecast.fill.requests[OBJECT_UPLOAD_PART] == 12);
    assert_true(forecast.fill.sent_bytes == 6 * (1000 + 20.0 * (1 << 20)));
    assert_true(object_usage_requests(&forecast.fill) == 30);
    /* per size: 10 writes, 1 to rename, 10 and 1000 to delete */
    assert_true(forecast.rows.requests[OBJECT_PUT] == 2 * 1021);
    assert_true(forecast.rows.requests[OBJECT_GET] == 20);
    assert_true(forecast.rows.requests[OBJECT_STAT] == 20);
    assert_true(forecast.rows.requests[OBJECT_LIST] == 40); /* 6 keys: 2 pages */
    assert_true(forecast.rows.requests[OBJECT_COPY] == 20);
    assert_true(forecast.rows.requests[OBJECT_DELETE] == 40);
    assert_true(forecast.rows.requests[OBJECT_DELETE_MANY] == 20);
    assert_true(forecast.rows.requests[OBJECT_UPLOAD_PART] == 2 * (10 * 1 + 10 * 3)); /* of 8 MiB */
    assert_true(forecast.rows.received_bytes == 10 * (1000 + 20.0 * (1 << 20)));
    assert_int_equal(object_cost_tell(object_store_of(target), &err), 0);
    options.store.max_requests = 29;
    assert_int_equal(object_cost_tell(object_store_of(target), &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    err = ERROR_INIT;
    assert_int_equal(target_s3.close(target, &err), 0);
}

static void test_parts_of_long_objects(void **state)
{
    (void)state;
    assert_true(object_fill_part(1) == 1);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(OBJECT_FILL_PART_BYTES + 1) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(10000 * OBJECT_FILL_PART_BYTES) == OBJECT_FILL_PART_BYTES);
    assert_true(object_fill_part(10000 * OBJECT_FILL_PART_BYTES + 1) == 2 * OBJECT_FILL_PART_BYTES);
}

static void test_prices(void **state)
{
    static const char text[] = "; of one service\n[price]\ncurrency = EUR\nput = 5\nget = 0.4\n"
                               "list = 6 ; pages\ndelete = 1e-1\negress = 90\ningress = 10\n";
    const struct object_usage usage = {.requests = {[OBJECT_PUT] = 1000,
                                                    [OBJECT_UPLOAD_PART] = 2000,
                                                    [OBJECT_GET] = 500,
                                                    [OBJECT_STAT] = 500,
                                                    [OBJECT_COPY] = 100,
                                                    [OBJECT_LIST] = 10,
                                                    [OBJECT_DELETE_MANY] = 10000},
                                       .sent_bytes = 2e9,
                                       .received_bytes = 1e8};
    struct object_price price;
    struct error err = ERROR_INIT;
    double sum;
    (void)state;

    assert_int_equal(object_price_parse(text, "prices", &price, &err), 0);
    assert_string_equal(price.currency, "EUR");
    sum = object_price_of(&price, &usage); /* 5 + 10 + 0.4 + 0.5 + 0.06 + 1 + 20 + 9 */
    assert_true(sum > 45.9599 && sum < 45.9601);
    assert_int_equal(object_price_parse("", "prices", &price, &err), 0);
    assert_true(object_price_of(&price, &usage) == 0);
    assert_int_equal(object_price_parse("put=1\ncopy=3\n", "prices", &price, &err), 0);
    assert_true(price.kind[OBJECT_COPY] == 3 && price.kind[OBJECT_UPLOAD_BEGIN] == 1);
}

static void test_prices_refused(void **state)
{
    static const struct {
        const char *text, *where;
    } rows[] = {
        {"put = -1\n", "line 1 of prices"},
        {"\nput = +1\n", "line 2 of prices"},
        {"put = 1\nputs = 1\n", "line 2 of prices"},
        {"put = 1\nput = 1\n", "line 2 of prices"},
        {"put =\n", "line 1 of prices"},
        {"put = inf\n", "line 1 of prices"},
        {"put = nan\n", "line 1 of prices"},
        {"put = 0x1\n", "line 1 of prices"},
        {"put = 1e999\n", "line 1 of prices"},
        {"put = 1 2\n", "line 1 of prices"},
        {"put = 1,5\n", "line 1 of prices"},
        {"put\n", "line 1 of prices"},
        {"[other]\nput = 1\n", "line 2 of prices"},
        {"currency = US dollars\n", "line 1 of prices"},
        {"currency = 1234567890123456\n", "line 1 of prices"},
    };
    struct object_price price;
    (void)state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct error err = ERROR_INIT;
        if (object_price_parse(rows[i].text, "prices", &price, &err) == 0)
            fail_msg("taken: %s", rows[i].text);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_string_equal(err.object, rows[i].where);
    }
}

static void test_price_files(void **state)
{
    struct error err = ERROR_INIT;
    struct object_price price;
    (void)state;

    assert_int_equal(object_price_read("no/such/prices", &price, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    err = ERROR_INIT;
    assert_int_equal(object_price_read("/dev/zero", &price, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_names),
        cmocka_unit_test(test_run_of_prefix),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_objects_of_a_set),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_plan_too_large),
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_manifest_refused),
        cmocka_unit_test(test_owned_keys),
        cmocka_unit_test(test_dry_run),
        cmocka_unit_test(test_refused_names),
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_objects_of_a_kept_run),
        cmocka_unit_test(test_first_pass),
        cmocka_unit_test(test_partial_set),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_clean_command),
        cmocka_unit_test(test_forecast),
        cmocka_unit_test(test_parts_of_long_objects),
        cmocka_unit_test(test_prices),
        cmocka_unit_test(test_prices_refused),
        cmocka_unit_test(test_price_files),
    };

    /* Whoever runs this may have a profile of his own. */
    unsetenv("AWS_PROFILE");
    unsetenv("AWS_CA_BUNDLE");
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
    setenv("AWS_CONFIG_FILE", "/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
