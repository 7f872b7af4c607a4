/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_object_manifest.c - names and manifests of runs in object stores: which sets a run has, what
 * is written of them and read back, and which objects are ours. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/object/object.h"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

/* ---- names ---- */

static void test_run_names(void **state)
{
    static const char *const good[] = {"a", "A-z_0.9", "..", "-"};
    static const char *const bad[] = {"", "a/b", "a b", "\xc3\xa4", "a\n"};
    char name[OBJECT_RUN_NAME_MAX + 2];
    (void)state;

    for (size_t i = 0; i < LENGTH(good); i++)
        assert_true(target_run_name_valid(good[i]));
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_false(target_run_name_valid(bad[i]));
    memset(name, 'x', sizeof(name));
    name[OBJECT_RUN_NAME_MAX + 1] = '\0';
    assert_false(target_run_name_valid(name));
    name[OBJECT_RUN_NAME_MAX] = '\0';
    assert_true(target_run_name_valid(name));
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

static void check_plan(unsigned tests, const struct object_options *options, const char *want)
{
    static const uint64_t sizes[] = {4096, 1 << 20, 4096};
    struct object_manifest manifest = {.protocol = "s3", .run_name = "r", .seed = 5};
    struct error err = ERROR_INIT;
    char *text;

    assert_int_equal(object_manifest_plan(&manifest, tests, sizes, LENGTH(sizes), options->objects,
                                          options, options->object_bytes ? 1u << TEST_READ : 0,
                                          &err),
                     0);
    text = object_manifest_format(&manifest);
    assert_string_equal(strstr(text, "seed="), want);
    free(text);
    free(manifest.set);
}

static void test_plan(void **state)
{
    struct object_options options = {.page = 1000};
    (void)state;

    check_plan(1u << TEST_READ, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 planned\nset=whole 4096 64 0 planned\n");
    check_plan(1u << TEST_WRITE | 1u << TEST_STAT | 1u << TEST_LIST, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 planned\nset=whole 4096 64 0 planned\n");
    options.objects = 3;
    check_plan(1u << TEST_DELETE | 1u << TEST_RENAME | 1u << TEST_APPEND, &options,
               "seed=5\nsets=6\nset=append 1048576 3 0 planned\n"
               "set=rename 1048576 0 0 planned\nset=delete 1048576 0 0 planned\n"
               "set=append 4096 3 0 planned\n"
               "set=rename 4096 0 0 planned\nset=delete 4096 0 0 planned\n");
    options.object_bytes = 65536;
    check_plan(1u << TEST_READ, &options, "seed=5\nsets=1\nset=ranged 65536 3 0 planned\n");
    check_plan(1u << TEST_READ | 1u << TEST_WRITE, &options,
               "seed=5\nsets=3\nset=whole 1048576 3 0 planned\nset=ranged 65536 3 0 planned\n"
               "set=whole 4096 3 0 planned\n");
}

static void test_plan_too_large(void **state)
{
    static const uint64_t sizes[] = {1, 2};
    struct object_options options = {.page = 1000};
    struct object_manifest manifest = {.run_name = "r"};
    struct error err = ERROR_INIT;
    (void)state;

    options.objects = OBJECTS_MAX / 2;
    assert_int_equal(object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes),
                                          options.objects, &options, 0, &err),
                     0);
    free(manifest.set);
    options.objects++;
    assert_int_equal(object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes),
                                          options.objects, &options, 0, &err),
                     -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_null(manifest.set);
}

/* ---- manifest ---- */

#define HEAD "iosweep s3 manifest 2\n"
#define NOW  HEAD "run=a.b\n"
#define LIFE "owner=0123456789abcdef\nbegun=1795316400\n"
#define SETS NOW LIFE "state=ended\nseed=1\nsets="

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
    check_manifest(NOW LIFE "state=ended\nseed=18446744073709551615\nsets=3\n"
                            "set=whole 65536 80 64 written\nset=append 4096 2 2 written\n"
                            "set=delete 4096 0 0 planned\n",
                   &manifest);
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
        {HEAD "run=\n" LIFE, "run"},
        {HEAD "run=a/b\n" LIFE, "run"},
        {NOW LIFE "state=ended\nseed=-1\n", "seed"},
        {NOW LIFE "state=ended\nseed=18446744073709551616\n", "seed"},
        {SETS "0\n", "sets"},
        {SETS "8193\n", "sets"},
        {SETS "1\n", "a set"},
        {SETS "1\nset=found 1 1 1 filled\n", "a set"},
        {SETS "1\nset=whole 1 1 1 lost\n", "a set"},
        {SETS "1\nset=whole 0 1 1 filled\n", "a set"},
        {SETS "1\nset=whole 1 0 0 filled\n", "a set"},
        {SETS "1\nset=delete 1 1 1 filled\n", "a set"},
        {SETS "1\nset=whole 1 01 01 filled\n", "a set"},
        {SETS "1\nset=whole 1 1000001 1000001 filled\n", "number of objects"},
        {SETS "1\nset=whole 1 4294967296 4294967296 filled\n", "a set"},
        {SETS "1\nset=whole 1 1 1 filled\nx", "end"},
        {SETS "2\nset=whole 1 1 1 filled\nset=whole 2 1 1 filled\n", "a set"},
        {SETS "2\nset=whole 1 1 1 filled\nset=whole 1 1 1 filled\n", "a set"},
        {SETS "2\nset=ranged 2 1 1 filled\nset=ranged 1 1 1 filled\n", "sets"},
        {"iosweep s3 manifest 1\nrun=a\n", "first line"},
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
        {SETS "1\nset=whole 1 1 filled\n", "a set"},
        {SETS "1\nset=append 1 1 4294967296 written\n", "a set"},
        {SETS "1\nset=whole 1 2 3 written\n", "a set"},
        {SETS "1\nset=whole 1 2 1 filled\n", "a set"},
        {SETS "1\nset=delete 1 0 1 planned\n", "a set"},
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
    static const char text[] = SETS "4\nset=ranged 65536 3 3 filled\nset=whole 4096 64 64 filled\n"
                                    "set=append 4096 2 0 planned\nset=delete 4096 0 0 planned\n";
    static const struct {
        const char *name;
        unsigned set;
        uint64_t object;
    } ours[] = {
        {"4096/000000", 1, 0},
        {"4096/000063", 1, 63},
        {"object/000002", 0, 2},
        {"append-4096/000001", 2, 1},
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
        "append-/000000",
        "append-4096/000002",
        "rename-4096/000000",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_names),  cmocka_unit_test(test_run_of_prefix),
        cmocka_unit_test(test_keys),       cmocka_unit_test(test_objects_of_a_set),
        cmocka_unit_test(test_plan),       cmocka_unit_test(test_plan_too_large),
        cmocka_unit_test(test_manifest),   cmocka_unit_test(test_manifest_refused),
        cmocka_unit_test(test_owned_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
