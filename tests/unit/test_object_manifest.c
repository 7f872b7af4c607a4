/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_object_manifest.c - names and manifests of runs in object stores: the sets of a run, writing
 * and reading them, and recognising a run's own objects. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/object.h"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

/* ---- names ---- */

static void test_run_names(void **state)
{
    static const char *const good[] = {"a", "A-z_0.9", "..", "-"};
    static const char *const bad[] = {"", "a/b", "a b", "\xc3\xa4", "a\n"};
    char name[TARGET_RUN_NAME_MAX + 2];

    for (size_t i = 0; i < LENGTH(good); i++)
        assert_true(target_run_name_valid(good[i]));
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_false(target_run_name_valid(bad[i]));
    memset(name, 'x', sizeof(name));
    name[TARGET_RUN_NAME_MAX + 1] = '\0';
    assert_false(target_run_name_valid(name));
    name[TARGET_RUN_NAME_MAX] = '\0';
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
    char name[TARGET_RUN_NAME_MAX + 1], *prefix;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(object_run_of_prefix(rows[i].prefix, name), rows[i].name != NULL);
        if (rows[i].name)
            assert_string_equal(name, rows[i].name);
    }
    prefix = mem_printf("iosweep-%0*d/", (int)TARGET_RUN_NAME_MAX, 0);
    assert_true(object_run_of_prefix(prefix, name));
    free(prefix);
    prefix = mem_printf("iosweep-%0*d/", (int)TARGET_RUN_NAME_MAX + 1, 0);
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

    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(object_key(&set, rows[i].object, key), rows[i].key);
    set.key = keys;
    assert_string_equal(object_key(&set, 0, key), found);
}

/* ---- plan ---- */

static void test_objects_of_a_set(void **state)
{
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
    struct life_manifest manifest = {.storage = "s3", .run_name = "r", .seed = 5};
    struct error err = ERROR_INIT;
    char *text;

    assert_int_equal(object_manifest_plan(&manifest, tests, sizes, LENGTH(sizes), options,
                                          options->object_bytes ? 1u << TEST_READ : 0, &err),
                     0);
    text = life_manifest_format(&manifest);
    assert_string_equal(strstr(text, "seed="), want);
    free(text);
    free(manifest.set);
}

static void test_plan(void **state)
{
    struct object_options options = {.page = 1000};

    check_plan(1u << TEST_READ, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 pattern\nset=whole 4096 64 0 pattern\n");
    check_plan(1u << TEST_WRITE | 1u << TEST_STAT | 1u << TEST_LIST, &options,
               "seed=5\nsets=2\nset=whole 1048576 64 0 pattern\nset=whole 4096 64 0 pattern\n");
    options.objects = 3;
    check_plan(1u << TEST_DELETE | 1u << TEST_RENAME | 1u << TEST_APPEND, &options,
               "seed=5\nsets=6\nset=append 1048576 3 0 pattern\n"
               "set=rename 1048576 0 0 pattern\nset=delete 1048576 0 0 pattern\n"
               "set=append 4096 3 0 pattern\n"
               "set=rename 4096 0 0 pattern\nset=delete 4096 0 0 pattern\n");
    options.object_bytes = 65536;
    check_plan(1u << TEST_READ, &options, "seed=5\nsets=1\nset=ranged 65536 3 0 pattern\n");
    check_plan(1u << TEST_READ | 1u << TEST_WRITE, &options,
               "seed=5\nsets=3\nset=whole 1048576 3 0 pattern\nset=ranged 65536 3 0 pattern\n"
               "set=whole 4096 3 0 pattern\n");
}

static void test_plan_too_large(void **state)
{
    static const uint64_t sizes[] = {1, 2};
    struct object_options options = {.page = 1000};
    struct life_manifest manifest = {.run_name = "r"};
    struct error err = ERROR_INIT;

    options.objects = LIFE_OBJECTS_MAX / 2;
    assert_int_equal(
        object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes), &options, 0, &err),
        0);
    free(manifest.set);
    options.objects++;
    assert_int_equal(
        object_manifest_plan(&manifest, 1u << TEST_READ, sizes, LENGTH(sizes), &options, 0, &err),
        -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_null(manifest.set);
}

/* ---- names ---- */

#define SETS                                                                              \
    "iosweep manifest 3\nstorage=s3\nrun=a.b\nowner=0123456789abcdef\nbegun=1795316400\n" \
    "state=ended\nseed=1\nsets="

static void test_owned_keys(void **state)
{
    static const char text[] =
        SETS "4\nset=ranged 65536 3 3 pattern\nset=whole 4096 64 64 pattern\n"
             "set=append 4096 2 0 pattern\nset=delete 4096 0 0 pattern\n";
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
        "MANIFEST-1",
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
    struct life_manifest manifest;
    struct error err = ERROR_INIT;
    uint64_t object;
    unsigned set;

    assert_int_equal(life_manifest_parse(text, sizeof(text) - 1, &manifest, &err), 0);
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
        cmocka_unit_test(test_owned_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
