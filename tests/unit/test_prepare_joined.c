/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_prepare_joined.c - the order of preparation if ranks of a team use each other's files: first
 * what a rank has made, then, once all have done that, what others have made; and what a rank
 * releases when the run is aborted. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>

#include "run/sweep_run.h"
#include "run/team_work.h"
#include "unit/plan_fixture.h"

/* Calls, as "own:cached:read " and so on. */
static char calls[400];
static struct target own, other;

static void note(const struct target *of, const char *what, const char *test)
{
    const size_t used = strlen(calls);

    snprintf(calls + used, sizeof(calls) - used, "%s:%s:%s ", of == &own ? "own" : "other", what,
             test);
}

static int see_prepare(struct target *of, enum cache_mode mode, enum io_test test,
                       struct error *err)
{
    note(of, cache_names[mode], test_names[test]);
    return 0;
}

static int see_round(struct target *of, enum cache_mode mode, struct error *err)
{
    note(of, cache_names[mode], "round");
    return 0;
}

static struct fixture {
    struct settings settings;
    struct plan plan;
    struct target *targets[1];
    struct storage_driver driver;
    struct target_request request;
    struct sweep sweep;
    struct sweep_outcome outcome;
    struct error err;
    struct run run;
} f;

static void start(bool shift, bool joins)
{
    memset(&f, 0, sizeof(f));
    fake_reset(NULL, 0);
    f.settings = defaults();
    f.settings.tests.count = 2; /* write, read */
    f.settings.min_bytes = f.settings.max_bytes = 4096;
    f.driver = target_fake;
    f.driver.prepare = see_prepare;
    f.driver.before_round = see_round;
    own = other = target;
    own.driver = other.driver = &f.driver;
    f.request.joins = joins;
    own.request = &f.request;
    own.reads_from = shift ? &other : NULL;
    other.writable = false;
    f.targets[0] = &own;
    assert_int_equal(plan_make(&f.settings, NULL, f.targets, &f.plan, &f.err), 0);
    assert_int_equal(f.plan.cell_count, 2);
    f.sweep = (struct sweep){.settings = &f.settings,
                             .plan = &f.plan,
                             .targets = f.targets,
                             .clock = &fake_clock,
                             .stop = &fake_script.stop};
    f.run.sweep = &f.sweep;
    f.run.m.end_ns = UINT64_MAX;
    f.run.m.sweep = &f.sweep;
    f.run.m.err = &f.err;
    f.run.m.outcome = &f.outcome;
}

static void expect(unsigned cell, const char *first, const char *second, const char *round)
{
    struct part part = {.number = cell, .first = cell, .end = cell + 1};

    calls[0] = '\0';
    assert_int_equal(prepare_part(&f.run, &part), 0);
    assert_string_equal(calls, first);
    calls[0] = '\0';
    assert_int_equal(prepare_own(&f.run, &part, STAGE_JOINED), 0);
    assert_string_equal(calls, second);
    calls[0] = '\0';
    assert_int_equal(prepare_round(&f.run, &part), 0);
    assert_string_equal(calls, round);
}

static void what_is_ones_own(void **state)
{
    start(false, false);
    expect(0, "own:cached:write ", "", "own:cached:round ");
    expect(1, "own:cached:read ", "", "own:cached:round ");
    plan_free(&f.plan);
}

static void what_another_rank_has_made(void **state)
{
    start(false, true);
    expect(0, "", "own:cached:write ", "own:cached:round ");
    expect(1, "", "own:cached:read ", "own:cached:round ");
    plan_free(&f.plan);
}

/* Rows that read use the next rank's target, after that rank has filled it and flushed it. */
static void what_the_next_rank_has_made(void **state)
{
    start(true, false);
    assert_ptr_equal(f.plan.cells[0].work.target, &own);
    assert_ptr_equal(f.plan.cells[1].work.target, &other);
    assert_int_equal(f.plan.cells[1].target, 0);
    assert_ptr_equal(measure_target(&f.run.m, &f.plan.cells[0]), &own);
    assert_ptr_equal(measure_target(&f.run.m, &f.plan.cells[1]), &other);
    expect(0, "own:cached:write ", "", "own:cached:round ");
    expect(1, "own:direct:read ", "other:cached:read ", "other:cached:round ");
    plan_free(&f.plan);
}

static int hear_nothing(struct team *team, void *data, size_t bytes)
{
    return -EINTR;
}

static int see_close(struct target *of, struct error *err)
{
    note(of, "view", "closed");
    return 0;
}

/* Rank 0 disappears in the middle of a part on what test create has made. */
static void a_rank_that_is_left_alone(void **state)
{
    struct team team = {.rank = 1, .size = 2, .broadcast = hear_nothing};
    start(false, false);
    f.driver.close = see_close;
    f.run.m.team = &team;
    f.run.m.views = mem_calloc(1, sizeof(*f.run.m.views));
    f.run.m.views[0].view = &other;
    f.run.m.view_count = 1;
    calls[0] = '\0';
    assert_int_equal(team_follow(&f.run), -1);
    assert_string_equal(calls, "other:view:closed ");
    assert_int_equal(f.run.m.view_count, 0);
    plan_free(&f.plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_ones_own),
        cmocka_unit_test(what_another_rank_has_made),
        cmocka_unit_test(what_the_next_rank_has_made),
        cmocka_unit_test(a_rank_that_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
