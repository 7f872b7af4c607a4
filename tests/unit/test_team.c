/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_team.c - the contract of teams (support/team_contract.h) on the team of one; and that the
 * contract finds what a team may do wrong. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

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

/* A team that lost its only rank, and one that goes on as if nothing was. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_faults_after_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
