/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_team.c - the contract of teams (support/team_contract.h) on the team of one, and that the
 * contract detects violations; and computations on hosts, clocks and waits. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "run/team.h"
#include "support/team_contract.h"

static void test_alone(void **state)
{
    const int64_t offset_ns = 0;
    char fault[TEAM_CONTRACT_FAULT_BYTES] = "";
    struct team *const team = team_alone();
    struct team_loss loss;

    (void)state;
    assert_int_equal(team->size, 1);
    if (team_contract(team, &clock_monotonic, &offset_ns, fault) != 0)
        fail_msg("%s", fault);
    assert_false(team->lost(team, &loss));
}

/* ---- faults */

static int start_anyway(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    (void)ready;
    return team_alone()->start(team, true, in_ns, at_ns);
}

static int start_at_once(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    (void)in_ns;
    return team_alone()->start(team, ready, 0, at_ns);
}

static int broadcast_less(struct team *team, void *data, size_t bytes)
{
    (void)team;
    ((unsigned char *)data)[bytes - 1] ^= 1;
    return 0;
}

static int gather_less(struct team *team, const void *mine, size_t bytes, void *all)
{
    (void)team;
    memcpy(all, mine, bytes - 1);
    return 0;
}

static int add_twice(struct team *team, uint64_t *values, size_t count)
{
    (void)team;
    values[count - 1] *= 2;
    return 0;
}

static int synchronise_wrong(struct team *team)
{
    team->offset_ns = 1;
    return 0;
}

static bool lost_one(const struct team *team, struct team_loss *loss)
{
    (void)team;
    *loss = (struct team_loss){.rank = 0, .why = "has ended"};
    return true;
}

static int broken(struct team *team)
{
    (void)team;
    return -EPIPE;
}

static void expect_fault(struct team team, const char *word)
{
    char fault[TEAM_CONTRACT_FAULT_BYTES] = "";

    assert_int_equal(team_contract(&team, &clock_monotonic, NULL, fault), -1);
    if (!strstr(fault, word))
        fail_msg("\"%s\" does not say \"%s\"", fault, word);
}

static void test_faults(void **state)
{
    struct team team;

    (void)state;
#define WITH(what) (team = *team_alone(), team.what, team)
    expect_fault(WITH(start = start_anyway), "though one is not ready");
    expect_fault(WITH(start = start_at_once), "is not in");
    expect_fault(WITH(broadcast = broadcast_less), "broadcast are others");
    expect_fault(WITH(gather = gather_less), "gathered from rank 0");
    expect_fault(WITH(add = add_twice), "added are others");
    expect_fault(WITH(synchronise = synchronise_wrong), "another moment");
    expect_fault(WITH(synchronise = broken), "synchronise returns");
    expect_fault(WITH(host_count = 2), "2 hosts");
    expect_fault(WITH(lost = lost_one), "rank 0 is lost: it has ended");
#undef WITH
}

/* A team that lost its only rank, and one that ignores the loss. */
static void test_faults_after_loss(void **state)
{
    struct team team = *team_alone();
    char fault[TEAM_CONTRACT_FAULT_BYTES] = "";

    (void)state;
    assert_int_equal(team_contract_lost(&team, &clock_monotonic, 0, "ended", fault), -1);
    assert_string_equal(fault, "rank 0: nobody is lost");
    team.lost = lost_one;
    assert_int_equal(team_contract_lost(&team, &clock_monotonic, 0, "burnt", fault), -1);
    assert_string_equal(fault, "rank 0: rank 0 on  is lost: it has ended");
    assert_int_equal(team_contract_lost(&team, &clock_monotonic, 0, "ended", fault), -1);
    assert_string_equal(fault, "rank 0: hook 0 returns 0 after a loss");
}

/* ---- computations */

static void test_hosts(void **state)
{
    static const char *const names[] = {"b", "a", "b", "c", "a", ""};
    static const uint32_t numbers[] = {0, 1, 0, 2, 1, 3};
    struct team_member member[6] = {{.host = ""}};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        text_copy(member[i].host, sizeof(member[i].host), names[i]);
    assert_int_equal(team_number_hosts(member, 6), 4);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(member[i].host_index, numbers[i]);
}

static void test_pauses(void **state)
{
    (void)state;
    assert_int_equal(team_pause_ns(0), 20000);
    assert_int_equal(team_pause_ns(800000), 100000);
    assert_int_equal(team_pause_ns(60 * NS_PER_S), 4000000);
    assert_int_equal(team_pauses_ns(800000, 1), 0);
    assert_int_equal(team_pauses_ns(800000, 2), 100000);
    assert_int_equal(team_pauses_ns(800000, 5), 300000);
    assert_int_equal(team_pauses_ns(800000, 1024), 1000000);
    assert_int_equal(team_pauses_ns(800000, UINT32_MAX), 3200000);
}

/* A clock 1 h ahead or behind: the shortest of three exchanges is kept, and the true offset is
 * within its error wherever in the exchange the stamp was taken. */
static void test_clock(void **state)
{
    const int64_t truths[] = {3600 * (int64_t)NS_PER_S, -3600 * (int64_t)NS_PER_S};

    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (uint64_t after = 0; after <= 301; after += 43) {
            const uint64_t now = 7200 * NS_PER_S, ahead = (uint64_t)truths[i];
            struct team_member member = {.host = ""};
            int64_t off;

            team_clock_asked(&member, now, now + ahead + 5000, now + 6000);
            assert_int_equal(member.rtt_ns, 6000);
            team_clock_asked(&member, now, now + ahead + after, now + 301);
            team_clock_asked(&member, now, now + ahead, now + 900);
            assert_int_equal(member.rtt_ns, 301);
            assert_int_equal(member.offset_error_ns, 151);
            off = member.offset_ns - truths[i];
            assert_true(off >= -151 && off <= 151);
            assert_int_equal(off, (int64_t)after - 150);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_faults_after_loss),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
