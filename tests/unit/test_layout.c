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
    {"no bytes", false, 3, 4, 0, 64, 20, 0},
    {"2^63 - 1 bytes", true, 1, 1, INT64_MAX, 1, 0, INT64_MAX},
    {"2^63 bytes", true, 1, 1, (uint64_t)INT64_MAX + 1, 1, 0, 0},
    {"the product wraps around", false, 2, 4, UINT64_MAX / 16 + 2, 16, 4, 0},
};

static struct fileset_layout layout_of(const struct layout_row *row)
{
    struct fileset_layout layout = {.single_file = row->single_file,
                                    .levels = row->levels,
                                    .width = row->width,
                                    .file_bytes = row->file_bytes,
                                    .seed = UINT64_MAX};

    snprintf(layout.run_name, sizeof(layout.run_name), "Run_1.2-x");
    return layout;
}

static void test_layout(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(layout_rows) / sizeof(layout_rows[0]); i++) {
        struct fileset_layout layout = layout_of(&layout_rows[i]);

        print_message("%s\n", layout_rows[i].remark);
        assert_int_equal(fileset_files(&layout), layout_rows[i].files);
        assert_int_equal(fileset_directories(&layout), layout_rows[i].directories);
        assert_int_equal(fileset_total_bytes(&layout), layout_rows[i].total_bytes);
        assert_int_equal(fileset_valid(&layout), layout_rows[i].total_bytes > 0);
    }
}

static void test_file_names(void **state)
{
    static const struct {
        bool single_file;
        uint64_t levels, width, index;
        const char *name;
    } rows[] = {
        {true, 3, 4, 0, "f0"},
        {false, 1, 10, 9, "f9"},
        {false, 3, 4, 0, "d0/d0/f0"},
        {false, 3, 4, 5, "d0/d1/f1"},
        {false, 3, 4, 63, "d3/d3/f3"},
        {false, 2, 1000, 999999, "d999/f999"},
        {false, 1, 1000000, 999999, "f999999"},
    };
    struct fileset_layout layout = layout_of(&layout_rows[0]);
    char name[FILESET_NAME_MAX], small[5];
    uint64_t number;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        layout.single_file = rows[i].single_file;
        layout.levels = rows[i].levels;
        layout.width = rows[i].width;
        assert_string_equal(fileset_name(&layout, rows[i].index, name, sizeof(name)), rows[i].name);
        assert_true(fileset_number(&layout, rows[i].name, &number));
        assert_int_equal(number, rows[i].index);
    }
    layout = layout_of(&layout_rows[3]); /* the longest possible name */
    fileset_name(&layout, 0, name, sizeof(name));
    assert_int_equal(strlen(name), 31 * strlen("d0/") + strlen("f0"));
    fileset_name(&layout, 0, small, sizeof(small)); /* cut, terminated, nothing beyond */
    assert_string_equal(small, "d0/d");
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof(layout_rows) / sizeof(layout_rows[0]); i++) {
        struct fileset_layout layout = layout_of(&layout_rows[i / 2]), back;
        struct life_manifest manifest, read;
        struct error err = ERROR_INIT;
        struct life_set set;
        char *text;
        int code;

        layout.content = i % 2 ? LIFE_INITIAL : LIFE_WRITTEN;
        layout.files_made = i % 2;
        layout.threads = i % 3;
        fileset_set_sizes(&layout, (const uint64_t[]){65536, 2, 4096, 2}, i % 2 ? 4 : 0);
        fileset_describe(&layout, &manifest, &set);
        text = life_manifest_format(&manifest);
        code = life_manifest_parse(text, strlen(text), &read, &err);
        print_message("%s\n%s", layout_rows[i / 2].remark, text);
        free(text);
        if (layout_rows[i / 2].total_bytes == 0) {
            assert_int_equal(code, -1);
            assert_int_equal(err.status, STATUS_TARGET);
            continue;
        }
        assert_int_equal(code, 0);
        fileset_understand(&read, &back);
        life_manifest_free(&read);
        assert_int_equal(back.single_file, layout.single_file);
        assert_int_equal(fileset_files(&back), fileset_files(&layout));
        assert_int_equal(back.file_bytes, layout.file_bytes);
        assert_int_equal(back.files_made, layout.files_made);
        assert_int_equal(back.threads, layout.threads);
        assert_int_equal(back.seed, layout.seed);
        assert_int_equal(back.content, layout.content);
        assert_int_equal(back.size_count, layout.size_count);
        assert_memory_equal(back.size_bytes, layout.size_bytes,
                            layout.size_count * sizeof(layout.size_bytes[0]));
        assert_string_equal(back.run_name, layout.run_name);
        if (!layout.single_file) {
            assert_int_equal(back.levels, layout.levels);
            assert_int_equal(back.width, layout.width);
        }
    }
}

/* Sizes are listed in order, each once; those that do not fit are omitted. */
static void test_sizes(void **state)
{
    static const uint64_t given[] = {65536, 2, 4096, 2};
    uint64_t many[LIFE_SIZES_MAX + 1];
    struct fileset_layout layout = layout_of(&layout_rows[0]);
    (void)state;

    fileset_set_sizes(&layout, given, 4);
    assert_int_equal(layout.size_count, 3);
    assert_int_equal(layout.size_bytes[0], 2);
    assert_int_equal(layout.size_bytes[2], 65536);
    for (unsigned i = 0; i <= LIFE_SIZES_MAX; i++)
        many[i] = UINT64_MAX - i;
    fileset_set_sizes(&layout, many, LIFE_SIZES_MAX);
    assert_int_equal(layout.size_count, LIFE_SIZES_MAX);
    fileset_set_sizes(&layout, many, LIFE_SIZES_MAX + 1);
    assert_int_equal(layout.size_count, 0);
}

/* Names that are not files of the layout. */
static void test_foreign_names(void **state)
{
    static const char *const names[] = {
        "",          "f0",         "d0/f0",     "d0/d0",       "d0/d0/",
        "d0/d0/f",   "d0/d0/f4",   "d0/d4/f0",  "d4/d0/f0",    "d0/d0/d0/f0",
        "d0/d0/f00", "d0/d0/f0 ",  "d0/d0/f-1", "d0/d0/f+1",   "d0/d0/f0x1",
        "d0//d0/f0", "/d0/d0/f0",  "d0/d0/f0/", "d0/../d0/f0", "D0/d0/f0",
        "d0/d0/g0",  "MANIFEST",   "notes",     "0/0/0",       "d0/d0/f18446744073709551616",
        "d0/d0/f64", "d0/d0/f0\n",
    };
    struct fileset_layout layout = layout_of(&layout_rows[0]);
    uint64_t number;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        print_message("%s\n", names[i]);
        assert_false(fileset_number(&layout, names[i], &number));
    }
    layout.single_file = true;
    assert_false(fileset_number(&layout, "f1", &number));
    assert_false(fileset_number(&layout, "f00", &number));
    assert_false(fileset_number(&layout, "d0/f0", &number));
    layout.single_file = false;
    for (uint64_t f = 0; f < 64; f++) {
        char name[FILESET_NAME_MAX];

        fileset_name(&layout, f, name, sizeof(name));
        assert_true(fileset_number(&layout, name, &number));
        assert_int_equal(number, f);
    }
}

static void test_run_name_of_layout(void **state)
{
    struct fileset_layout layout = layout_of(&layout_rows[0]);
    char directory[FILESET_DIRECTORY_MAX];

    (void)state;
    assert_true(fileset_valid(&layout));
    assert_string_equal(fileset_directory_name(&layout, directory, sizeof(directory)),
                        "iosweep-Run_1.2-x");
    memset(layout.run_name, 'a', sizeof(layout.run_name)); /* not terminated */
    assert_false(fileset_valid(&layout));
    snprintf(layout.run_name, sizeof(layout.run_name), "a/b");
    assert_false(fileset_valid(&layout));
    layout.run_name[0] = '\0';
    assert_false(fileset_valid(&layout));
}

/* Recognises exactly the names that operations create. */
static void test_fresh_names(void **state)
{
    static const char *const others[] = {"",
                                         "n",
                                         "m",
                                         "x1",
                                         "n01",
                                         "n00",
                                         "n1 ",
                                         "n1x",
                                         "n-1",
                                         "N1",
                                         "nn1",
                                         "1",
                                         ".n1",
                                         "n1.",
                                         "n/1",
                                         "t0",
                                         "n184467440737095516150"};
    static const uint64_t numbers[] = {0, 1, 9, 10, 99, 1234567890, UINT64_MAX};
    char text[FRESH_NAME_MAX], wanted[32];

    (void)state;
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_foreign_names), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_run_name_of_layout),
        cmocka_unit_test(test_fresh_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
