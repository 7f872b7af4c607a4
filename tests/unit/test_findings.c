/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings.c - output before and during a run that no transcript can show: the facts of a
 * target, and the progress line. */
#include "base/compat.h"

#include "base/log.h"
#include "cli/options.h"
#include "unit/said.h"

#include "out_fixture.h" /* last: its `f` would shadow parameters in other headers */

static void expect(const char *part)
{
    if (!strstr(said, part))
        fail_msg("no \"%s\" in\n%s", part, said);
}

static void test_progress(void **state)
{
    struct progress progress = {.row = &f.results[0],
                                .rounds_done = 12,
                                .rounds_most = 39,
                                .rows_done = 7,
                                .rows_all = 64,
                                .elapsed_ns = UINT64_C(8000000000),
                                .left_ns = UINT64_C(13600000000)};
    struct sink sink;
    format_make_progress(&sink);
    said_begin();
    log_progress_enable(true);
    sink.progress(sink.arg, &progress);
    fixture_measure(&f, 0, 1000, 1000000);
    progress.rounds_most = 0;
    sink.progress(sink.arg, &progress);
    progress.left_ns = UINT64_MAX;
    sink.progress(sink.arg, &progress);
    progress.left_ns = UINT64_C(9599000000001);
    sink.progress(sink.arg, &progress);
    progress.elapsed_ns = UINT64_C(9601000000000);
    progress.rows_done = 8;
    sink.progress(sink.arg, &progress);
    log_progress_enable(false);
    said_end();
    format_free(&sink);
    expect("\r37 %, 14 s left, 7 of 64 rows done, write cached 2 B, round 12/39"
           "\r37 %, 14 s left, 7 of 64 rows done, write cached 2 B 2.00 MB/s, round 12"
           /* earlier estimates are not withdrawn */
           "\r37 %, no estimate yet, 7 of 64 rows done, write cached 2 B 2.00 MB/s, round 12"
           "\r37 %, 2 h 40 min left, 7 of 64 rows done, write cached 2 B 2.00 MB/s, round 12"
           "\r50 %, 2 h 40 min left, 8 of 64 rows done, write cached 2 B 2.00 MB/s, round 12");
}

/* Facts that can be faked: the cost of reading the clock, and the kind of target. */
static void test_header(void **state)
{
    struct error err = ERROR_INIT;
    struct sink sink;

    strcpy(f.target.notes, "unwritten");
    f.target.direct_align_bytes = 512;
    f.settings.pin = true;
    format_make_header(options_table, NULL, false, &sink);
    said_begin();
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    said_end();
    format_free(&sink);
    expect("# iosweep " PACKAGE_VERSION ", 2");
    expect("\n# host: ");
    expect(" one reading costs 24.5 ns, resolution 1.00 ns; overhead of iosweep: 40.0 ns per "
           "operation\n");
    expect("\n# target: /data/x, 64 files of 4 MiB, unwritten\n"
           "#   O_DIRECT needs multiples of 512 B\n");
    expect("\n# tests: write,read, engine posix, cache cached, depth 1, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_progress, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_header, set_up_fixture, tear_down),
    };

    setenv("TERM", "xterm", 1); /* supports erasing lines */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
