/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_manifest.c - layout of test files and the manifest that decides what is removed after a
 * crash: what was written is read back, and nothing else is believed. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/file/fileset.h"
#include "target/fresh.h"

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

static void test_names(void **state)
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
    layout = layout_of(&layout_rows[3]); /* the longest name there is */
    fileset_name(&layout, 0, name, sizeof(name));
    assert_int_equal(strlen(name), 31 * strlen("d0/") + strlen("f0"));
    fileset_name(&layout, 0, small, sizeof(small)); /* cut, terminated, nothing beyond */
    assert_string_equal(small, "d0/d");
}

/* The number of files made can be written over where it stands, and is believed only so. */
static void test_files_made(void **state)
{
    static const char head[] = "iosweep manifest 2\nrun=Run_1.2-x\nlayout=tree\nlevels=3\nwidth=4\n"
                               "file_bytes=7\nseed=18446744073709551615\ncontent=pattern\n";
    static const struct {
        const char *line;
        int64_t made; /* -1: refused */
    } rows[] = {
        {"files_made=0000000\n", 0},    {"files_made=0000049\n", 49}, {"files_made=0000064\n", 64},
        {"files_made=0000065\n", -1},   {"files_made=49\n", -1},      {"files_made=00000049\n", -1},
        {"files_made=-000049\n", -1},   {"files_made=000004x\n", -1}, {"files_made=0000049", -1},
        {"files_made=0000049\n\n", -1}, {"files_made=\n", -1},        {"", -1},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fileset_layout layout;
        struct error err = ERROR_INIT;
        char text[512], *again;
        const int length = snprintf(text, sizeof(text), "%s%s", head, rows[i].line);

        print_message("%s", rows[i].line);
        assert_int_equal(fileset_manifest_parse(text, (size_t)length, &layout, &err),
                         rows[i].made < 0 ? -1 : 0);
        if (rows[i].made < 0)
            continue;
        assert_int_equal(layout.files_made, rows[i].made);
        again = fileset_manifest_format(&layout);
        assert_string_equal(again, text);
        assert_int_equal(again[length - 1], '\n');
        assert_int_equal(again[length - 2 - FILESET_MADE_DIGITS], '=');
        free(again);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof(layout_rows) / sizeof(layout_rows[0]); i++) {
        struct fileset_layout layout = layout_of(&layout_rows[i / 2]), back;
        struct error err = ERROR_INIT;
        char *text;
        int code;

        layout.content = (enum fileset_content)(i % 2);
        text = fileset_manifest_format(&layout);
        code = fileset_manifest_parse(text, strlen(text), &back, &err);
        print_message("%s, content %zu\n", layout_rows[i / 2].remark, i % 2);
        free(text);
        if (layout_rows[i / 2].total_bytes == 0) {
            assert_int_equal(code, -1);
            assert_int_equal(err.status, STATUS_TARGET);
            continue;
        }
        assert_int_equal(code, 0);
        assert_int_equal(back.single_file, layout.single_file);
        assert_int_equal(fileset_files(&back), fileset_files(&layout));
        assert_int_equal(back.file_bytes, layout.file_bytes);
        assert_int_equal(back.seed, layout.seed);
        assert_int_equal(back.content, layout.content);
        assert_string_equal(back.run_name, layout.run_name);
        if (!layout.single_file) {
            assert_int_equal(back.levels, layout.levels);
            assert_int_equal(back.width, layout.width);
        }
    }
}

/* Names no file of the layout has. */
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

#define HEAD "iosweep manifest 2\n"
#define RUN  "run=a\n"
#define TREE "layout=tree\nlevels=3\nwidth=4\n"
#define BODY HEAD RUN TREE "file_bytes=4096\nseed=1\n"
#define MADE "files_made=0000000\n"
#define END  "content=pattern\n" MADE
#define TAIL "file_bytes=4096\nseed=1\n" END
#define N63  "123456789012345678901234567890123456789012345678901234567890123"

/* The sizes that the run was made for stand there in order, each once, and nothing else does. */
static void test_sizes(void **state)
{
    static const char head[] = "run=a\nlayout=tree\nlevels=3\nwidth=4\nfile_bytes=7\nseed=1\n";
    static const char tail[] = "content=pattern\nfiles_made=0000064\n";
    static const struct {
        const char *line;
        int count; /* -1: refused */
    } rows[] = {
        {"sizes=1\n", 1},
        {"sizes=2,4096,65536\n", 3},
        {"sizes=18446744073709551615\n", 1},
        {"", 0},
        {"sizes=\n", -1},
        {"sizes=0\n", -1},
        {"sizes=0,1\n", -1},
        {"sizes=2,2\n", -1},
        {"sizes=4,2\n", -1},
        {"sizes=2,\n", -1},
        {"sizes=,2\n", -1},
        {"sizes=2,,4\n", -1},
        {"sizes=2 ,4\n", -1},
        {"sizes=02\n", -1},
        {"sizes=4k\n", -1},
        {"sizes=2\nsizes=2\n", -1},
        {"sizes=18446744073709551616\n", -1},
    };
    static const uint64_t given[] = {65536, 2, 4096, 2};
    uint64_t many[FILESET_SIZES_MAX + 1];
    struct fileset_layout layout;
    struct error err = ERROR_INIT;
    char text[512], *again;
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const int length =
            snprintf(text, sizeof(text), "iosweep manifest 2\n%s%s%s", head, rows[i].line, tail);

        print_message("%s", rows[i].line);
        assert_int_equal(fileset_manifest_parse(text, (size_t)length, &layout, &err),
                         rows[i].count < 0 ? -1 : 0);
        if (rows[i].count < 0)
            continue;
        assert_int_equal(layout.size_count, rows[i].count);
        again = fileset_manifest_format(&layout);
        assert_string_equal(again, text);
        free(again);
    }
    fileset_set_sizes(&layout, given, 4);
    assert_int_equal(layout.size_count, 3);
    assert_int_equal(layout.size_bytes[0], 2);
    assert_int_equal(layout.size_bytes[2], 65536);
    for (unsigned i = 0; i <= FILESET_SIZES_MAX; i++)
        many[i] = UINT64_MAX - i;
    fileset_set_sizes(&layout, many, FILESET_SIZES_MAX); /* the longest there is */
    again = fileset_manifest_format(&layout);
    err = ERROR_INIT;
    assert_int_equal(fileset_manifest_parse(again, strlen(again), &layout, &err), 0);
    assert_int_equal(layout.size_count, FILESET_SIZES_MAX);
    free(again);
    fileset_set_sizes(&layout, many, FILESET_SIZES_MAX + 1);
    assert_int_equal(layout.size_count, 0);
}

static void test_malformed(void **state)
{
    static const struct {
        const char *remark, *text;
        bool good;
    } rows[] = {
        {"the pattern of all others", HEAD RUN TREE TAIL, true},
        {"longest run name", HEAD "run=" N63 "\n" TREE TAIL, true},
        {"run name too long", HEAD "run=" N63 "4\n" TREE TAIL, false},
        {"nothing", "", false},
        {"only a newline", "\n", false},
        {"written without --verify", BODY "content=written\n" MADE, true},
        {"never written over", BODY "content=initial\n" MADE, true},
        {"written in pieces", BODY "content=patches\n" MADE, true},
        {"the same, made beside", BODY "content=divided\n" MADE, true},
        {"nothing said about content", BODY MADE, false},
        {"unknown content", BODY "content=zeros\n" MADE, false},
        {"empty content", BODY "content=\n" MADE, false},
        {"content twice", BODY "content=pattern\n" END, false},
        {"content too early", HEAD RUN TREE "content=pattern\n" TAIL, false},
        {"another number", "iosweep manifest 1\n" RUN TREE TAIL, false},
        {"another program", "manifest 2\n" RUN TREE TAIL, false},
        {"byte order mark", "\xef\xbb\xbf" HEAD RUN TREE TAIL, false},
        {"carriage returns", "iosweep manifest 2\r\nrun=a\r\n", false},
        {"no run", HEAD TREE TAIL, false},
        {"empty run", HEAD "run=\n" TREE TAIL, false},
        {"path in the run name", HEAD "run=a/b\n" TREE TAIL, false},
        {"upwards", HEAD "run=../../etc\n" TREE TAIL, false},
        {"absolute", HEAD "run=/etc\n" TREE TAIL, false},
        {"space in the run name", HEAD "run=a b\n" TREE TAIL, false},
        {"8-bit in the run name", HEAD "run=\xc3\xa4\n" TREE TAIL, false},
        {"unknown layout", HEAD RUN "layout=heap\nlevels=3\nwidth=4\n" TAIL, false},
        {"no layout", HEAD RUN "levels=3\nwidth=4\n" TAIL, false},
        {"single with levels", HEAD RUN "layout=single\nlevels=3\nwidth=4\n" TAIL, false},
        {"single", HEAD RUN "layout=single\nlevels=1\nwidth=1\n" TAIL, true},
        {"swapped lines", HEAD RUN "layout=tree\nwidth=4\nlevels=3\n" TAIL, false},
        {"repeated line", HEAD RUN RUN TREE TAIL, false},
        {"extra line inside", HEAD RUN "x=1\n" TREE TAIL, false},
        {"extra line at the end", HEAD RUN TREE TAIL "x=1\n", false},
        {"extra newline at the end", HEAD RUN TREE TAIL "\n", false},
        {"levels 0", HEAD RUN "layout=tree\nlevels=0\nwidth=4\n" TAIL, false},
        {"width 0", HEAD RUN "layout=tree\nlevels=3\nwidth=0\n" TAIL, false},
        {"leading zero", HEAD RUN "layout=tree\nlevels=03\nwidth=4\n" TAIL, false},
        {"plus sign", HEAD RUN "layout=tree\nlevels=+3\nwidth=4\n" TAIL, false},
        {"minus sign", HEAD RUN "layout=tree\nlevels=-3\nwidth=4\n" TAIL, false},
        {"space before a number", HEAD RUN "layout=tree\nlevels= 3\nwidth=4\n" TAIL, false},
        {"hexadecimal", HEAD RUN "layout=tree\nlevels=0x3\nwidth=4\n" TAIL, false},
        {"junk after a number", HEAD RUN "layout=tree\nlevels=3k\nwidth=4\n" TAIL, false},
        {"no number", HEAD RUN "layout=tree\nlevels=\nwidth=4\n" TAIL, false},
        {"2^64", HEAD RUN TREE "file_bytes=18446744073709551616\nseed=1\n" END, false},
        {"2^64 + 4096", HEAD RUN TREE "file_bytes=18446744073709555712\nseed=1\n" END, false},
        {"40 digits",
         HEAD RUN TREE "file_bytes=4096\nseed=1111111111222222222233333333334444444444\n" END,
         false},
        {"seed 2^64 - 1", HEAD RUN TREE "file_bytes=1\nseed=18446744073709551615\n" END, true},
        {"no bytes", HEAD RUN TREE "file_bytes=0\nseed=1\n" END, false},
        {"too many bytes", HEAD RUN TREE "file_bytes=9223372036854775807\nseed=1\n" END, false},
        {"too many files", HEAD RUN "layout=tree\nlevels=20\nwidth=2\n" TAIL, false},
        {"W^L is 2^64", HEAD RUN "layout=tree\nlevels=16\nwidth=16\n" TAIL, false},
        {"W^L is 2^128 + 1", HEAD RUN "layout=tree\nlevels=2\nwidth=18446744073709551615\n" TAIL,
         false},
        {"too deep", HEAD RUN "layout=tree\nlevels=33\nwidth=1\n" TAIL, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        static const struct fileset_layout untouched = {.levels = 77, .run_name = "untouched"};
        struct fileset_layout layout = untouched;
        struct error err = ERROR_INIT;
        int code = fileset_manifest_parse(rows[i].text, strlen(rows[i].text), &layout, &err);

        print_message("%s\n", rows[i].remark);
        assert_int_equal(code, rows[i].good ? 0 : -1);
        assert_int_equal(err.status, rows[i].good ? STATUS_OK : STATUS_TARGET);
        if (!rows[i].good) {
            assert_int_equal(layout.levels, untouched.levels);
            assert_string_equal(layout.run_name, untouched.run_name);
        }
    }
}

/* Every beginning of a good manifest, and every good manifest with one byte changed, is refused
 * unless the change makes another good value of it. */
static void test_cut_and_changed(void **state)
{
    static const char good[] = HEAD RUN TREE TAIL;
    char text[sizeof(good)];
    struct fileset_layout layout;

    (void)state;
    for (size_t length = 0; length < strlen(good); length++) {
        struct error err = ERROR_INIT;

        assert_int_equal(fileset_manifest_parse(good, length, &layout, &err), -1);
    }
    for (size_t at = 0; at < strlen(good); at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            struct error err = ERROR_INIT;

            memcpy(text, good, sizeof(good));
            text[at] = (char)byte;
            if (fileset_manifest_parse(text, strlen(good), &layout, &err) == 0) {
                char *again = fileset_manifest_format(&layout);

                assert_memory_equal(again, text, sizeof(text));
                free(again);
            }
        }
    }
}

static void test_long_and_binary(void **state)
{
    static const char good[] = HEAD RUN TREE TAIL;
    char text[4096];
    struct fileset_layout layout;
    struct error err = ERROR_INIT;

    (void)state;
    memset(text, 'a', sizeof(text));
    memcpy(text, good, strlen(good));
    assert_int_equal(fileset_manifest_parse(text, sizeof(text), &layout, &err), -1);
    err = ERROR_INIT;
    text[strlen(good)] = '\0'; /* what stands behind a zero byte counts */
    assert_int_equal(fileset_manifest_parse(text, strlen(good) + 1, &layout, &err), -1);
    err = ERROR_INIT;
    assert_int_equal(fileset_manifest_parse(text, strlen(good), &layout, &err), 0);
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

/* Directories for what operations make: so many threads, or none. */
static void test_threads(void **state)
{
    struct fileset_layout layout = {
        .levels = 1, .width = 2, .file_bytes = 4096, .threads = 12, .run_name = "a"};
    static const struct {
        const char *line;
        int code;
    } rows[] = {{"threads=12\n", 0},   {"threads=4096\n", 0}, {"threads=4097\n", -1},
                {"threads=0\n", -1},   {"threads=012\n", -1}, {"threads=-1\n", -1},
                {"threads=1.5\n", -1}, {"threads=\n", -1},    {"", 0}};
    struct fileset_layout found;
    char *text, *at, *end;

    (void)state;
    for (unsigned sizes = 0; sizes < 2; sizes++) {
        fileset_set_sizes(&layout, (const uint64_t[]){512, 8}, sizes * 2);
        text = fileset_manifest_format(&layout);
        at = strstr(text, "threads=12\n");
        assert_non_null(at);
        end = at + strlen("threads=12\n");
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            struct error err = ERROR_INIT;
            char *other = mem_printf("%.*s%s%s", (int)(at - text), text, rows[i].line, end);

            print_message("%s\n", rows[i].line);
            assert_int_equal(fileset_manifest_parse(other, strlen(other), &found, &err),
                             rows[i].code);
            free(other);
        }
        free(text);
    }
    layout.threads = 0;
    text = fileset_manifest_format(&layout);
    assert_null(strstr(text, "threads"));
    free(text);
}

/* Names that operations make are known again, and no others. */
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
        cmocka_unit_test(test_layout),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_foreign_names),   cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_malformed),       cmocka_unit_test(test_cut_and_changed),
        cmocka_unit_test(test_long_and_binary), cmocka_unit_test(test_run_name_of_layout),
        cmocka_unit_test(test_files_made),      cmocka_unit_test(test_threads),
        cmocka_unit_test(test_fresh_names),     cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
