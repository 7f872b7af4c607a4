/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_row_troubles.c - descriptions of the first failed, short and wrong operation of a run, word
 * by word, and their counts. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "run/team_work.h"
#include "unit/team_fixture.h"

static struct bench {
    struct settings settings;
    struct slice_sum slice;
    struct sweep_outcome outcome;
    struct target target;
    struct cell cell;
    struct measure measure;
} bench;

static const char *const names[] = {"d0/f0", "d0/f1\n"};

static const struct storage_driver driver;

static void begin(enum io_test test)
{
    memset(&bench, 0, sizeof(bench));
    bench.target.name = names;
    bench.target.driver = &driver;
    bench.cell.work.target = &bench.target;
    bench.cell.work.test = test;
    bench.cell.work.io_bytes = 4096;
    bench.measure.settings = &bench.settings;
    bench.measure.outcome = &bench.outcome;
}

static void note(void)
{
    row_word_troubles(&bench.measure, &bench.cell, &bench.slice);
    row_note_troubles(&bench.measure, &bench.cell, &bench.slice);
}

/* Only transfers have an offset. */
static void each_phase_has_its_words(void **state)
{
    static const struct {
        enum io_test test;
        enum phase phase;
        const char *says;
        enum sync_mode sync;
    } rows[] = {
        {TEST_READ, PHASE_OPEN, "cannot open /x/d0/f0: Permission denied", SYNC_NONE},
        {TEST_READ, PHASE_SEEK, "cannot seek in /x/d0/f0: Permission denied", SYNC_NONE},
        {TEST_READ, PHASE_TRANSFER, "cannot read /x/d0/f0 at offset 8192: Permission denied",
         SYNC_NONE},
        {TEST_WRITE, PHASE_TRANSFER, "cannot write /x/d0/f0 at offset 8192: Permission denied",
         SYNC_NONE},
        {TEST_WRITE, PHASE_CLOSE, "cannot close /x/d0/f0: Permission denied", SYNC_NONE},
        {TEST_WRITE, PHASE_CLOSE, "cannot sync or close /x/d0/f0: Permission denied", SYNC_END},
        {TEST_READ, PHASE_CLOSE, "cannot close /x/d0/f0: Permission denied", SYNC_END},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char path[] = "/x";
        begin(rows[i].test);
        bench.target.dir_path = path;
        bench.cell.work.sync = rows[i].sync;
        bench.slice.tally.failed = 3;
        bench.slice.tally.first_errno = EACCES;
        bench.slice.tally.first_phase = rows[i].phase;
        bench.slice.tally.first_offset_bytes = 8192;
        note();
        assert_string_equal(bench.outcome.first[TROUBLE_FAILED], rows[i].says);
        assert_int_equal(bench.outcome.failed, 3);
        bench.slice.tally.first_errno = EIO; /* the first one is kept, all are counted */
        note();
        assert_string_equal(bench.outcome.first[TROUBLE_FAILED], rows[i].says);
        assert_int_equal(bench.outcome.failed, 6);
    }
}

static void an_engine_has_better_words(void **state)
{
    begin(TEST_READ);
    bench.slice.tally.failed = 1;
    bench.slice.tally.first_errno = EIO;
    text_copy(bench.slice.first[TROUBLE_FAILED], TROUBLE_BYTES, "the server says no");
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_FAILED], "the server says no");

    begin(TEST_READ); /* without failures nothing is reported, whatever the engine has */
    text_copy(bench.slice.first[TROUBLE_FAILED], TROUBLE_BYTES, "the server says no");
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_FAILED], "");
    assert_int_equal(bench.outcome.failed, 0);
}

static void short_operations_are_failures_unless_allowed(void **state)
{
    begin(TEST_READ);
    bench.slice.tally.short_count = 2;
    bench.slice.tally.short_object = 1;
    bench.slice.tally.short_offset_bytes = 512;
    bench.slice.tally.short_bytes = 100;
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_SHORT],
                        "d0/f1\\x0a at offset 512: 100 of 4096 bytes");
    assert_int_equal(bench.outcome.short_count, 2);
    bench.slice.tally.short_bytes = 7;
    note();
    assert_non_null(strstr(bench.outcome.first[TROUBLE_SHORT], "100 of"));
    assert_int_equal(bench.outcome.short_count, 4);

    begin(TEST_READ);
    bench.settings.allow_short = true;
    bench.slice.tally.short_count = 2;
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_SHORT], "");
    assert_int_equal(bench.outcome.short_count, 0);

    begin(TEST_READ);
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_SHORT], "");
}

static void wrong_data_are_shown(void **state)
{
    begin(TEST_READ);
    bench.slice.tally.wrong = 1;
    bench.slice.tally.wrong_first = (struct target_mismatch){
        .offset_bytes = 4096, .shown = 3, .expected = {1, 2, 0xff}, .found = {0, 2, 0x10}};
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_WRONG],
                        "d0/f0 at offset 4096: expected 01 02 ff, found 00 02 10");
    bench.slice.tally.wrong_first.offset_bytes = 0;
    note();
    assert_non_null(strstr(bench.outcome.first[TROUBLE_WRONG], "offset 4096"));
    assert_int_equal(bench.outcome.wrong, 2);

    begin(TEST_READ);
    bench.slice.tally.wrong = 1;
    bench.slice.tally.wrong_first = (struct target_mismatch){.offset_bytes = 100, .ended = true};
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_WRONG],
                        "d0/f0 ends at offset 100: the data beyond are missing");

    begin(TEST_READ);
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_WRONG], "");
}

static void a_target_without_files_is_named(void **state)
{
    char label[] = "null:";
    begin(TEST_READ);
    bench.target.name = NULL;
    bench.target.label = label;
    bench.slice.tally.failed = 1;
    bench.slice.tally.first_errno = EACCES;
    bench.slice.tally.first_phase = PHASE_OPEN;
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_FAILED], "cannot open null: Permission denied");
}

/* In a team each rank names itself and its own objects. */
static void ranks_are_named(void **state)
{
    struct team team = team_fixture;
    char path[] = "/x/iosweep-r-rank2";
    begin(TEST_READ);
    team.rank = 2;
    bench.target.dir_path = path;
    bench.measure.team = &team;
    bench.slice.tally.failed = bench.slice.tally.short_count = bench.slice.tally.wrong = 1;
    bench.slice.tally.first_errno = EIO;
    bench.slice.tally.wrong_first = (struct target_mismatch){.offset_bytes = 100, .ended = true};
    text_copy(bench.slice.first[TROUBLE_FAILED], TROUBLE_BYTES, "the server says no");
    note();
    assert_string_equal(bench.outcome.first[TROUBLE_FAILED], "rank 2 (nas2): the server says no");
    assert_string_equal(bench.outcome.first[TROUBLE_SHORT],
                        "rank 2 (nas2): /x/iosweep-r-rank2/d0/f0 at offset 0: 0 of 4096 bytes");
    assert_string_equal(bench.outcome.first[TROUBLE_WRONG],
                        "rank 2 (nas2): /x/iosweep-r-rank2/d0/f0 ends at offset 100: the data "
                        "beyond are missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_phase_has_its_words),
        cmocka_unit_test(an_engine_has_better_words),
        cmocka_unit_test(short_operations_are_failures_unless_allowed),
        cmocka_unit_test(wrong_data_are_shown),
        cmocka_unit_test(a_target_without_files_is_named),
        cmocka_unit_test(ranks_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
