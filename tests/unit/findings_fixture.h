/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_fixture.h - the run of out_fixture.h, whose first two rows are measured, sent through
 * the findings; what they say on stderr is caught in a temporary file.  Included once by each test
 * program of findings. */
#ifndef TESTS_UNIT_FINDINGS_FIXTURE_H
#define TESTS_UNIT_FINDINGS_FIXTURE_H

#include <unistd.h>

#include "report/findings/findings.h"
#include "unit/cmocka_all.h"

#include "out_fixture.h" /* last: its `f` would shadow parameters in other headers */

static char said[8192];
static double others; /* share of two processors, as the findings are told; of an idle machine */

static inline int set_up(void **state)
{
    (void)state;
    fixture_init(&f);
    fixture_measure(&f, 0, 1000, 1000000);  /* 2 MB/s */
    fixture_measure(&f, 1, 1000, 10000000); /* 6.55 GB/s */
    return 0;
}

/* What is written to stderr in between goes to `said`. */
static inline void catch_begin(FILE **file, int *saved)
{
    *file = tmpfile();
    assert_non_null(*file);
    fflush(stderr);
    *saved = dup(STDERR_FILENO);
    assert_true(*saved >= 0);
    assert_true(dup2(fileno(*file), STDERR_FILENO) >= 0);
}

static inline void catch_end(FILE *file, int saved)
{
    size_t n;
    fflush(stderr);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    rewind(file);
    n = fread(said, 1, sizeof(said) - 1, file);
    said[n] = '\0';
    fclose(file);
}

static inline void find(unsigned rows)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    FILE *file;
    int saved, failed;
    assert_int_equal(format_make_findings(NULL, false, NULL, &sink), 0);
    ((struct findings *)sink.arg)->busy = (struct busy_facts){
        .cpus = 2, .threads = 1, .own = 0.3, .others = others, .others_most = others};
    catch_begin(&file, &saved);
    failed = fixture_run(&f, &sink, 0, rows, &err);
    catch_end(file, saved);
    assert_int_equal(failed, 0);
    format_free(&sink);
}

static inline void expect(const char *part)
{
    if (!strstr(said, part))
        fail_msg("no \"%s\" in\n%s", part, said);
}

static inline void expect_not(const char *part)
{
    if (strstr(said, part))
        fail_msg("\"%s\" in\n%s", part, said);
}

#endif
