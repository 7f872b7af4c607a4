/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_layout.c - the layout of test files: their number and names, and that the manifest contains
 * all of it. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/file/fileset.h"
#include "storage/fresh.h"

static const struct layout_row {
    const char *remark;
    bool single_file;
    uint64_t levels, width, file_bytes;
    uint64_t files, directories, total_bytes;
} layout_rows[] = {
    {"the default", false, 3, 4, 4194304, 64, 20, 268435456},
    {"single file", true, 3, 4, 100, 1, 0, 100},
    {"flat", false, 1, 10, 7, 10, 0, 70},
    {"chain", false, 32, 1, 1, 1, 31, 1},
    {"binary", false, 5, 2, 1, 32, 30, 32},
    {"most files, flat", false, 1, 1000000, 1, 1000000, 0, 1000000},
    {"most files, two levels", false, 2, 1000, 1, 1000000, 1000, 1000000},
    {"most files, many levels", false, 6, 10, 1, 1000000, 111110, 1000000},
    {"one file too many", false, 1, 1000001, 1, 0, 0, 0},
    {"2^19 fits", false, 19, 2, 1, 524288, 524286, 524288},
    {"2^20 does not", false, 20, 2, 1, 0, 0, 0},
    {"the power wraps around to 0", false, 32, 16, 1, 0, 0, 0},
    {"the power wraps around to 1", false, 2, UINT64_MAX, 1, 0, 0, 0},
    {"too deep", false, 33, 1, 1, 0, 0, 0},
    {"much too deep", false, UINT64_MAX, 1, 1, 0, 0, 0},
    {"no levels", false, 0, 4, 1, 0, 0, 0},
    {"no width", false, 3, 0, 1, 0, 0, 0},
    {"no bytes", false, 3, 4, 0, 0, 0, 0},
    {"2^63 - 1 bytes", true, 1, 1, INT64_MAX, 1, 0, INT64_MAX},
    {"2^63 bytes", true, 1, 1, (uint64_t)INT64_MAX + 1, 0, 0, 0},
    {"the product wraps around", false, 2, 4, UINT64_MAX / 16 + 2, 0, 0, 0},
};

static const struct target_request *request_of(const struct layout_row *row)
{
    static struct target_request request;

    request.single_file = row->single_file;
    request.levels = row->levels;
    request.width = row->width;
    request.file_bytes = row->file_bytes;
    return &request;
}

static void test_layout(void **state)
{
    for (size_t i = 0; i < sizeof(layout_rows) / sizeof(layout_rows[0]); i++) {
        const struct layout_row *row = &layout_rows[i];
        struct life_manifest manifest;

        print_message("%s\n", row->remark);
        fileset_plan(&manifest, request_of(row));
        assert_int_equal(manifest.set->count, row->files);
        assert_int_equal(fileset_directories(manifest.set), row->directories);
        assert_int_equal(manifest.set->count * manifest.set->size_bytes, row->total_bytes);
        life_manifest_free(&manifest);
    }
}

static const uint64_t given[] = {65536, 2, 4096, 2};

static const struct life_set default_set = {
    .kind = LIFE_TREE, .levels = 3, .width = 4, .size_bytes = 4194304, .count = 64};

static void test_file_names(void **state)
{
    static const struct {
        uint64_t levels, width, index;
        const char *name;
    } rows[] = {
        {0, 0, 0, "f0"},
        {1, 10, 9, "f9"},
        {3, 4, 0, "d0/d0/f0"},
        {3, 4, 5, "d0/d1/f1"},
        {3, 4, 63, "d3/d3/f3"},
        {2, 1000, 999999, "d999/f999"},
        {1, 1000000, 999999, "f999999"},
    };
    struct life_set set = default_set;
    char name[FILESET_NAME_MAX], small[5];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set.levels = rows[i].levels;
        set.width = rows[i].width;
        set.count = life_tree_files(&set);
        assert_string_equal(fileset_name(&set, rows[i].index, name, sizeof(name)), rows[i].name);
    }
    set.levels = LIFE_LEVELS_MAX; /* the longest possible name */
    set.width = 1;
    fileset_name(&set, 0, name, sizeof(name));
    assert_int_equal(strlen(name), 31 * strlen("d0/") + strlen("f0"));
    fileset_name(&set, 0, small, sizeof(small)); /* cut, terminated, nothing beyond */
    assert_string_equal(small, "d0/d");
}

/* What can be made has a manifest that is believed, and contains all of it; nothing else has. */
static void test_round_trip(void **state)
{
    for (size_t i = 0; i < 2 * sizeof(layout_rows) / sizeof(layout_rows[0]); i++) {
        const struct layout_row *row = &layout_rows[i / 2];
        struct target_request request;
        struct life_manifest manifest, read;
        struct error err = ERROR_INIT;
        char *text;
        int code;

        request = *request_of(row);
        request.size_bytes = given;
        request.size_count = i % 2 ? 4 : 0;
        fileset_plan(&manifest, &request);
        snprintf(manifest.run_name, sizeof(manifest.run_name), "Run_1.2-x");
        manifest.seed = UINT64_MAX;
        manifest.set->content = i % 2 ? LIFE_INITIAL : LIFE_WRITTEN;
        manifest.set->made = i % 2;
        manifest.threads = i % 3;
        text = life_manifest_format(&manifest);
        code = life_manifest_parse(text, strlen(text), &read, &err);
        print_message("%s\n%s", row->remark, text);
        free(text);
        assert_int_equal(code, row->total_bytes > 0 ? 0 : -1);
        if (code == 0) {
            assert_memory_equal(read.set, manifest.set, sizeof(*read.set));
            assert_int_equal(read.threads, manifest.threads);
            assert_int_equal(read.seed, manifest.seed);
            assert_int_equal(read.size_count, manifest.size_count);
            assert_memory_equal(read.sizes_bytes, manifest.sizes_bytes,
                                read.size_count * sizeof(read.sizes_bytes[0]));
            assert_string_equal(read.run_name, manifest.run_name);
        } else {
            assert_int_equal(err.status, STATUS_TARGET);
        }
        life_manifest_free(&read);
        life_manifest_free(&manifest);
    }
}

/* Sizes are listed in order, each once; those that do not fit are omitted. */
static void test_sizes(void **state)
{
    uint64_t many[LIFE_SIZES_MAX + 1], *sizes;
    struct target_request request = {.levels = 3, .width = 4, .file_bytes = 4194304};
    struct life_manifest manifest;

    request.size_bytes = given;
    request.size_count = 4;
    fileset_plan(&manifest, &request);
    assert_int_equal(manifest.size_count, 3);
    assert_int_equal(manifest.sizes_bytes[0], 2);
    assert_int_equal(manifest.sizes_bytes[2], 65536);
    assert_int_equal(life_sizes(&manifest, false, &sizes), 3);
    assert_int_equal(sizes[1], 4096);
    free(sizes);
    assert_int_equal(life_sizes(&manifest, true, &sizes), 1); /* removing asks for none of them */
    assert_int_equal(sizes[0], request.file_bytes);
    free(sizes);
    life_manifest_free(&manifest);
    for (unsigned i = 0; i <= LIFE_SIZES_MAX; i++)
        many[i] = UINT64_MAX - i;
    request.size_bytes = many;
    request.size_count = LIFE_SIZES_MAX;
    fileset_plan(&manifest, &request);
    assert_int_equal(manifest.size_count, LIFE_SIZES_MAX);
    life_manifest_free(&manifest);
    request.size_count++;
    fileset_plan(&manifest, &request);
    assert_int_equal(life_sizes(&manifest, false, &sizes), 0);
    free(sizes);
    life_manifest_free(&manifest);
}

/* Recognises exactly the names that operations create. */
static void test_fresh_names(void **state)
{
    static const char *const others[] = {"",    "n",  "m",   "x1", "n01", "n00", "n1 ", "n1x",
                                         "n-1", "N1", "nn1", "1",  ".n1", "n1.", "n/1", "t0"};
    static const uint64_t numbers[] = {0, 1, 9, 10, 99, 1234567890, UINT64_MAX};
    char text[FRESH_NAME_MAX], wanted[32];

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        snprintf(wanted, sizeof(wanted), "n%llu", (unsigned long long)numbers[i]);
        assert_string_equal(fresh_name(FRESH_NAME, numbers[i], text), wanted);
        assert_true(fresh_is_name(text));
        wanted[0] = 'm';
        assert_string_equal(fresh_name(FRESH_MOVED, numbers[i], text), wanted);
        assert_true(fresh_is_name(text));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (fresh_is_name(others[i]))
            fail_msg("taken for a name: '%s'", others[i]);
    assert_false(fresh_is_name("n184467440737095516150")); /* above 2^64 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),      cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_fresh_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
