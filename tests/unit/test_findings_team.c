/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_team.c - what a team of 4 ranks on 2 hosts says about its hosts. */
#include "base/compat.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/facts/cards.h"
#include "unit/cmocka_all.h"
#include "unit/team_fixture.h"

#include "unit/findings_fixture.h"

static struct result_rank ranks[2][TEAM_FIXTURE_RANKS];
static struct team_member members[TEAM_FIXTURE_RANKS];
static struct team team;
static struct facts facts;

static int set_up_team(void **state)
{
    set_up(state);
    memcpy(members, team_fixture_members, sizeof(members));
    team = team_fixture;
    team.member = members;
    f.info.team = &team;
    f.settings.ranks = TEAM_FIXTURE_RANKS;
    f.settings.hosts = TEAM_FIXTURE_HOSTS;
    for (unsigned row = 0; row < 2; row++) {
        f.cells[row].peers = TEAM_FIXTURE_RANKS - 1;
        fixture_measure(&f, row, 6000, 1000000000);
        team_fixture_fill(&f.results[row], ranks[row]);
        f.results[row].sum.tally.failed = ranks[row][2].failed = 0;
        f.results[row].sum.elapsed_ns = 1000000000; /* 50 slices of 20 ms */
    }
    facts = (struct facts){.read = true};
    return 0;
}

static int tear_down_team(void **state)
{
    facts_free(&facts);
    return tear_down(state);
}

/* As find() of the fixture, with facts. */
static void find_with(bool brief, unsigned rows)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    FILE *file;
    int saved, failed;

    assert_int_equal(format_make_findings(&facts, brief, NULL, &sink), 0);
    ((struct findings *)sink.arg)->busy =
        (struct busy_facts){.cpus = 2, .threads = 1, .own = 0.3, .others = 0, .others_most = 0};
    catch_begin(&file, &saved);
    failed = fixture_run(&f, &sink, 0, rows, &err);
    catch_end(file, saved);
    assert_int_equal(failed, 0);
    format_free(&sink);
}

/* All ranks of a row at so many operations in a second. */
static void set_rates(unsigned row, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t rates[] = {a, b, c, d};

    for (unsigned i = 0; i < TEAM_FIXTURE_RANKS; i++) {
        ranks[row][i].operations = rates[i];
        ranks[row][i].time_ns = 1000000000;
    }
    f.results[row].sum.tally.operations = a + b + c + d;
}

static void a_slow_host(void **state)
{
    (void)state;
    find_with(false, 1); /* 2000 + 2500 against 1000 + 1000 */
    expect("# finding: nas2 does 44 % of what nas1 does (a rank of each, in one row), so the joint "
           "rate depends on which hosts take part; run iosweep on nas2 alone and look for the "
           "cause there\n");
    find_with(true, 1);
    expect("# finding: nas2 does 44 % of what nas1 does");
}

/* Each row weighs as much as any other: 1/2 and 1 in one, 1 and 1 in the other. */
static void over_all_rows(void **state)
{
    (void)state;
    set_rates(0, 2000, 2000, 1000, 1000);
    set_rates(1, 900000, 900000, 900000, 900000);
    find_with(false, 2);
    expect("nas2 does 71 % of what nas1 does (a rank of each, in the mean of 2 rows)");
    set_rates(0, 1150, 1150, 1000, 1000); /* less than 1.2 */
    find_with(false, 2);
    expect_not("does");
}

static void ranks_in_other_numbers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) { /* three here, one there, and all do the same */
        members[i] = members[0];
    }
    set_rates(0, 1000, 1000, 1000, 1000);
    find_with(false, 1);
    expect_not("does");
    set_rates(0, 1000, 1000, 1000, 2000); /* less in all, but more by one rank */
    find_with(false, 1);
    expect("nas1 does 50 % of what nas2 does (a rank of each, in one row)");
}

static void a_slow_rank(void **state)
{
    (void)state;
    set_rates(0, 1000, 1000, 1300, 700);
    find_with(false, 1);
    expect("# finding: on nas2 rank 3 does 54 % of what rank 2 does (in one row); try fewer ranks "
           "on a host, or bind each to processors of its own\n");
}

/* Chance is most of what few operations differ by. */
static void too_few_operations(void **state)
{
    (void)state;
    set_rates(0, 133, 133, 66, 67);
    find_with(false, 1);
    expect_not("does");
    set_rates(0, 134, 134, 66, 67);
    find_with(false, 1);
    expect("nas2 does 50 %");
}

/* Threads differ because ranks do: one sentence is enough. */
static void unfair(void **state)
{
    (void)state;
    f.results[0].notes = NOTE_UNFAIR;
    find_with(false, 1);
    expect("nas2 does 44 %");
    expect_not("(unfair)");
    set_rates(0, 1000, 1000, 1000, 1000);
    find_with(false, 1);
    expect("(unfair)");
}

static void failures_on_one_host(void **state)
{
    (void)state;
    f.results[0].sum.tally.failed = 5;
    ranks[0][2].failed = 3;
    ranks[0][3].failed = 2;
    find_with(false, 1);
    expect("# finding: 5 operations failed in 1 row (all on nas2); only");
    ranks[0][1].failed = 1;
    find_with(false, 1);
    expect("# finding: 5 operations failed in 1 row; only");
}

static void ranks_apart(void **state)
{
    (void)state;
    set_rates(0, 1000, 1000, 1000, 1000);
    f.results[0].notes = NOTE_RANKS_APART;
    f.results[0].rank_common_fraction = 0.8;
    find_with(false, 1);
    expect("# finding: in 1 row the ranks did not work side by side (writes of 2 B: all of them in "
           "80 % of the time; rank 3 on nas2 began 30.0 us late), so its rate is not of the whole "
           "team; try a longer --time, or fewer ranks on a host\n");
    find_with(true, 1);
    expect("# finding: in 1 row the ranks did not work side by side");
}

static void hosts_differ(void **state)
{
    static const char *const kernels[] = {"Linux 6.1.0", "Linux 5.15.0"};
    (void)state;
    set_rates(0, 1000, 1000, 1000, 1000);
    find_with(false, 1);
    expect_not("alike");
    facts.host_count = TEAM_FIXTURE_HOSTS;
    facts.hosts = mem_calloc(TEAM_FIXTURE_HOSTS, sizeof(*facts.hosts));
    for (unsigned h = 0; h < TEAM_FIXTURE_HOSTS; h++) {
        struct host_facts *host = &facts.hosts[h];
        snprintf(host->name, sizeof(host->name), "nas%u", h + 1);
        text_copy(host->card.kernel, sizeof(host->card.kernel), kernels[h]);
    }
    find_with(false, 1);
    expect("# finding: the hosts are not alike (kernel: Linux 6.1.0 on nas1, Linux 5.15.0 on "
           "nas2); compare runs on each of them before you trust a joint rate\n");
    facts.hosts[0].card.cpus = 8;
    facts.hosts[1].card.cpus = 4;
    find_with(false, 1);
    expect("on nas2; 1 more difference above); compare");
}

static void clocks(void **state)
{
    (void)state;
    set_rates(0, 1000, 1000, 1000, 1000);
    members[3].offset_error_ns = 400000; /* 2 % of a slice */
    find_with(false, 1);
    expect_not("clock of");
    members[3].offset_error_ns = 500000;
    find_with(false, 1);
    expect(
        "# finding: the clock of nas2 is known to 500 us only, 2 % of a slice of 20.0 ms (writes "
        "of 2 B): its ranks may begin and end that far from the others; try a longer --time, or "
        "a faster network between the hosts\n");
}

/* Threads of all ranks are in flight. */
static void drained(void **state)
{
    (void)state;
    set_rates(0, 1000, 1000, 1000, 1000);
    f.results[0].notes = NOTE_DRAINED;
    f.results[0].sum.flight_ns = 3000000000;
    find_with(false, 1);
    expect("(writes of 2 B: 3.0 of 4)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slow_host, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(over_all_rows, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(ranks_in_other_numbers, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(a_slow_rank, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(too_few_operations, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(unfair, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(failures_on_one_host, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(ranks_apart, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(hosts_differ, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(clocks, set_up_team, tear_down_team),
        cmocka_unit_test_setup_teardown(drained, set_up_team, tear_down_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
