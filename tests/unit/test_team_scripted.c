/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The simulated team used by other tests: the cost of its collectives, what its ranks receive and
 * send, and what happens if one of them is late, hangs or is gone. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "support/team_contract.h"
#include "support/team_scripted.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t now_ns;
static volatile int stop;
static struct team_scripted_seen seen;

/* Sent by every rank: its number, what it received, and when it began. */
struct words {
    uint32_t rank;
    uint32_t order;
    uint64_t at_ns, begin_ns;
};

static void say(void *arg, const struct team_scripted_heard *heard, void *out, size_t bytes)
{
    struct words words = {.rank = heard->rank, .at_ns = heard->at_ns, .begin_ns = heard->begin_ns};
    (void)arg;
    if (heard->order)
        memcpy(&words.order, heard->order, sizeof(words.order));
    memcpy(out, &words, bytes < sizeof(words) ? bytes : sizeof(words));
}

static void add(void *arg, const struct team_scripted_heard *heard, uint64_t *values, size_t count)
{
    (void)arg;
    for (size_t i = 0; i < count; i++)
        values[i] += heard->rank * (i + 1);
}

static struct team_script script_of(uint32_t size)
{
    const struct team_script script = {.size = size,
                                       .cost = TEAM_COST_TCP,
                                       .usual = {.rtt_ns = 100000},
                                       .now_ns = &now_ns,
                                       .stop = &stop,
                                       .say = say,
                                       .add = add,
                                       .seen = &seen};
    now_ns = NS_PER_S;
    stop = 0;
    return script;
}

/* --- cost of collectives -------------------------------------------------------------------- */

static void trees_are_as_deep_as_they_must_be(void **state)
{
    static const unsigned size[] = {1, 2, 3, 4, 5, 8, 9, 1000, 1024, 1025, 10000};
    static const unsigned depth[] = {0, 1, 2, 2, 3, 3, 4, 10, 10, 11, 14};
    (void)state;
    for (size_t i = 0; i < COUNT(size); i++)
        assert_int_equal(team_cost_depth(size[i]), depth[i]);
}

/* The header's formulas by hand: 9 ranks, 1000 bytes, h = 50 us, o = 5 us, 1000 G = 0.8 us, 1000 C
 * = 0.25 us. */
static void costs_are_those_of_the_models(void **state)
{
    struct team_cost cost = TEAM_COST_TCP;
    (void)state;
    cost.sleeps = false;
    assert_int_equal(team_cost_broadcast_ns(&cost, 9, 100000, 1000), 4 * 50800);
    assert_int_equal(team_cost_add_ns(&cost, 9, 100000, 1000), 4 * 51050);
    assert_int_equal(team_cost_gather_ns(&cost, 9, 100000, 1000), 50000 + 8 * 5800);
    cost.gather = TEAM_GATHER_TREE;
    assert_int_equal(team_cost_gather_ns(&cost, 9, 100000, 1000), 4 * 50000 + 8 * 800);
    cost.gather = TEAM_GATHER_MERGE;
    assert_int_equal(team_cost_gather_ns(&cost, 9, 100000, 1000), 4 * 51050);
    assert_int_equal(team_cost_clocks_ns(&cost, 9, 100000), 8 * 17 * (100000 + 10000));
    for (cost.gather = TEAM_GATHER_FLAT; cost.gather <= TEAM_GATHER_MERGE; cost.gather++)
        assert_int_equal(team_cost_gather_ns(&cost, 1, 100000, 1000), 0);
    assert_int_equal(team_cost_clocks_ns(&cost, 1, 100000), 0);
}

/* An eighth of the wait, but at least 20 us and at most 4 ms, per level of the tree. */
static void sleeping_costs_its_share(void **state)
{
    const struct team_cost cost = TEAM_COST_TCP;
    (void)state;
    assert_int_equal(team_cost_broadcast_ns(&cost, 4, 100000, 0), 2 * (50000 + 20000));
    assert_int_equal(team_cost_broadcast_ns(&cost, 4, 800000, 0), 2 * (400000 + 50000));
    assert_int_equal(team_cost_broadcast_ns(&cost, 4, 100000000, 0), 2 * (50000000 + 4000000));
    assert_int_equal(team_cost_gather_ns(&cost, 101, 100000, 1), 550000 + 68750);
}

/* --- data of ranks --------------------------------------------------------------------------- */

static void bytes_go_round(void **state)
{
    struct team_script script = script_of(5);
    struct team *team = team_scripted(&script);
    struct words mine = {.rank = 77}, all[5];
    uint32_t order = 4711;
    uint64_t sums[3] = {1, 1, 1};
    (void)state;
    assert_int_equal(team->gather(team, &mine, sizeof(mine), all), 0);
    assert_int_equal(all[4].order, 0); /* nothing was broadcast */
    assert_int_equal(team->broadcast(team, &order, sizeof(order)), 0);
    order = 0; /* what was received is kept */
    assert_int_equal(team->gather(team, &mine, sizeof(mine), all), 0);
    assert_int_equal(all[0].rank, 77);
    for (uint32_t r = 1; r < 5; r++) {
        assert_int_equal(all[r].rank, r);
        assert_int_equal(all[r].order, 4711);
    }
    assert_int_equal(team->add(team, sums, 3), 0);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(sums[i], 1 + 10 * (i + 1)); /* 1 + 2 + 3 + 4 */
    assert_int_equal(seen.calls[TEAM_CALL_GATHER], 2);
    assert_int_equal(seen.calls[TEAM_CALL_ANY], 4);
    assert_int_equal(seen.bytes[TEAM_CALL_GATHER], 2 * sizeof(mine));
    assert_int_equal(now_ns, NS_PER_S + seen.spent_ns[TEAM_CALL_ANY]);
    assert_int_equal(seen.spent_ns[TEAM_CALL_BROADCAST],
                     team_cost_broadcast_ns(&script.cost, 5, 100000, sizeof(order)));
    team->leave(team, STATUS_PARTIAL);
    assert_true(seen.left);
    assert_int_equal(seen.left_with, STATUS_PARTIAL);
}

/* Clock offsets are known within an error, and drift since the last exchange. */
static void clocks_are_exchanged(void **state)
{
    static const struct team_scripted_rank ranks[] = {
        {.rtt_ns = 0},
        {.rtt_ns = 50000, .offset_ns = -7000, .drift_ppb = 50000},
        {.rtt_ns = 1000000, .offset_ns = INT64_C(3000000000), .offset_wrong_ns = 400000},
    };
    struct team_script script = script_of(3);
    struct team *team;
    (void)state;
    script.ranks = ranks;
    script.ranks_per_host = 2;
    team = team_scripted(&script);
    assert_int_equal(team->host_count, 2);
    assert_string_equal(team->member[1].host, "host0");
    assert_string_equal(team->member[2].host, "host1");
    assert_int_equal(team->member[2].host_index, 1);
    assert_int_equal(team->member[1].offset_ns, -7000);
    assert_int_equal(team->member[2].offset_ns, INT64_C(3000400000));
    assert_int_equal(team->member[2].offset_error_ns, 500000);
    assert_int_equal(team->member[2].rtt_ns, 1000000);
    now_ns += 2 * NS_PER_S - team_cost_clocks_ns(&script.cost, 3, 1000000);
    assert_int_equal(team->member[1].offset_ns, -7000);
    assert_int_equal(team->synchronise(team), 0);
    assert_int_equal(now_ns, 3 * NS_PER_S);
    assert_int_equal(team->member[1].offset_ns, -7000 + 2 * 50000);
    assert_int_equal(team->offset_ns, 0);
    team->leave(team, STATUS_OK);
}

static void all_begin_at_one_moment(void **state)
{
    static const struct team_scripted_rank ranks[] = {
        {.rtt_ns = 0},
        {.rtt_ns = 50000, .offset_ns = 1000000},
        {.rtt_ns = 80000, .offset_ns = -500, .offset_wrong_ns = 300},
        {.rtt_ns = 50000, .late_ns = 2000000},
    };
    struct team_script script = script_of(4);
    struct words mine = {0}, all[4];
    struct team *team;
    uint64_t at_ns;
    (void)state;
    script.ranks = ranks;
    team = team_scripted(&script);
    assert_int_equal(team->start(team, true, 5000000, &at_ns), 0);
    assert_true(at_ns > now_ns); /* no rank received it too late */
    assert_int_equal(team->gather(team, &mine, sizeof(mine), all), 0);
    assert_int_equal(all[1].at_ns, at_ns + 1000000);
    assert_int_equal(all[1].begin_ns, all[1].at_ns);
    assert_int_equal(all[2].begin_ns, at_ns - 500 + 300);
    assert_int_equal(all[3].at_ns, at_ns);
    assert_int_equal(all[3].begin_ns, at_ns + 2000000);
    /* too close: a distant rank begins when it receives it */
    assert_int_equal(team->start(team, true, 1000, &at_ns), 0);
    assert_true(at_ns < now_ns);
    mine.begin_ns = now_ns;
    assert_int_equal(team->gather(team, &mine, sizeof(mine), all), 0);
    assert_int_equal(all[2].begin_ns, mine.begin_ns - 500);
    assert_int_equal(all[2].at_ns, at_ns - 200);
    team->leave(team, STATUS_OK);
}

/* The same values for the same seed, and none beyond the bound. */
static void jitter_is_bounded(void **state)
{
    uint64_t spent_ns[2] = {0}, least_ns;
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct team_script script = script_of(3);
        struct team *team;
        uint32_t order = 1;
        script.usual.jitter_ns = 3000;
        script.seed = 9;
        team = team_scripted(&script);
        least_ns = team_cost_broadcast_ns(&script.cost, 3, 100000, sizeof(order));
        for (int i = 0; i < 100; i++) {
            const uint64_t before_ns = now_ns;
            assert_int_equal(team->broadcast(team, &order, sizeof(order)), 0);
            assert_within(now_ns - before_ns, least_ns, least_ns + 3000);
        }
        spent_ns[again] = seen.spent_ns[TEAM_CALL_ANY];
        assert_true(spent_ns[again] > 100 * (least_ns + 1000)); /* the longer of two: 2000 */
        team->leave(team, STATUS_OK);
    }
    assert_int_equal(spent_ns[0], spent_ns[1]);
}

/* --- failures -------------------------------------------------------------------------------- */

/* Runs starts until one fails, and returns its number; 0: none of ten. */
static unsigned starts_until(struct team *team, int *code, unsigned *refused)
{
    *refused = 0;
    for (unsigned i = 1; i <= 10; i++) {
        uint64_t at_ns = 0;
        *code = team->start(team, true, 1000000, &at_ns);
        if (*code)
            return i;
        if (!at_ns)
            *refused = i;
    }
    return 0;
}

static void ranks_are_lost(void **state)
{
    static const struct {
        struct team_scripted_event event;
        unsigned ends; /* in this start */
        int code;
        uint64_t waits_ns;
        const char *why;
    } rows[] = {
        {{.call = TEAM_CALL_START, .nth = 3, .what = TEAM_DIES, .rank = 2},
         3,
         -EPIPE,
         0,
         "has ended"},
        {{.call = TEAM_CALL_ANY,
          .nth = 5,
          .what = TEAM_DIES,
          .rank = 3,
          .words = "cannot read d0/f1"},
         5,
         -EPIPE,
         0,
         "cannot read d0/f1"},
        {{.call = TEAM_CALL_START, .nth = 1, .what = TEAM_HANGS, .rank = 1, .hangs_ns = UINT64_MAX},
         1,
         -EPIPE,
         20 * NS_PER_S,
         "has not answered for 20 s"},
        {{.call = TEAM_CALL_START,
          .nth = 2,
          .what = TEAM_HANGS,
          .rank = 1,
          .hangs_ns = 19 * NS_PER_S},
         0,
         0,
         19 * NS_PER_S,
         NULL},
        {{.call = TEAM_CALL_GATHER, .nth = 1, .what = TEAM_DIES, .rank = 1}, 0, 0, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct team_script script = script_of(4);
        struct team_loss loss = {0};
        struct team *team;
        unsigned refused;
        uint64_t gone_ns;
        int code;
        script.events = &rows[i].event;
        script.event_count = 1;
        team = team_scripted(&script);
        team->patience_ns = 20 * NS_PER_S;
        assert_int_equal(starts_until(team, &code, &refused), rows[i].ends);
        assert_int_equal(code, rows[i].code);
        assert_int_equal(refused, 0);
        assert_int_equal(now_ns - NS_PER_S - seen.spent_ns[TEAM_CALL_ANY], rows[i].waits_ns);
        assert_int_equal(team->lost(team, &loss), rows[i].why != NULL);
        if (rows[i].why) { /* from then on immediately */
            assert_string_equal(loss.why, rows[i].why);
            assert_int_equal(loss.rank, rows[i].event.rank);
            assert_string_equal(loss.host, team->member[loss.rank].host);
            gone_ns = now_ns;
            assert_int_equal(team->broadcast(team, &code, sizeof(code)), -EPIPE);
            assert_int_equal(team->synchronise(team), -EPIPE);
            assert_int_equal(now_ns, gone_ns);
        }
        team->leave(team, STATUS_OK);
    }
}

static void whoever_is_not_ready_gets_no_moment(void **state)
{
    static const struct team_scripted_event event = {
        .call = TEAM_CALL_START, .nth = 4, .what = TEAM_NOT_READY, .rank = 2};
    struct team_script script = script_of(3);
    struct team *team;
    unsigned refused;
    uint64_t at_ns = 1;
    int code;
    (void)state;
    script.events = &event;
    script.event_count = 1;
    team = team_scripted(&script);
    assert_int_equal(starts_until(team, &code, &refused), 0);
    assert_int_equal(refused, 4);
    assert_int_equal(team->start(team, false, 1000, &at_ns), 0); /* rank 0 is not ready */
    assert_int_equal(at_ns, 0);
    team->leave(team, STATUS_OK);
}

/* A signal does not wait for a rank that hangs: none counts as lost. */
static void a_signal_waits_a_second(void **state)
{
    static const struct team_scripted_event events[] = {
        {.call = TEAM_CALL_START, .nth = 2, .what = TEAM_STOPS},
        {.call = TEAM_CALL_START, .nth = 3, .what = TEAM_HANGS, .rank = 1, .hangs_ns = UINT64_MAX},
    };
    struct team_script script = script_of(3);
    struct team_loss loss;
    struct team *team;
    unsigned refused;
    int code;
    (void)state;
    script.events = events;
    script.event_count = COUNT(events);
    team = team_scripted(&script);
    assert_int_equal(starts_until(team, &code, &refused), 3);
    assert_int_equal(code, -EINTR);
    assert_int_equal(stop, 2);
    assert_int_equal(now_ns - NS_PER_S - seen.spent_ns[TEAM_CALL_ANY], NS_PER_S);
    assert_false(team->lost(team, &loss));
    team->beat(team);
    assert_int_equal(seen.beats, 1);
    team->leave(team, STATUS_OK);
}

/* --- the contract of all teams ---------------------------------------------------------------- */

static uint64_t read_clock(void *arg)
{
    (void)arg;
    return now_ns;
}

static const struct clock test_clock = {.now_ns = read_clock};

static struct team_contract_heard heard_as(const struct team_scripted_heard *heard)
{
    return (struct team_contract_heard){.rank = heard->rank,
                                        .data = heard->order,
                                        .bytes = heard->order_bytes,
                                        .at_ns = heard->at_ns,
                                        .offset_ns = heard->offset_ns};
}

static void contract_say(void *arg, const struct team_scripted_heard *heard, void *out,
                         size_t bytes)
{
    const struct team_contract_heard as = heard_as(heard);
    (void)arg;
    team_contract_say(&as, out, bytes);
}

static void contract_add(void *arg, const struct team_scripted_heard *heard, uint64_t *values,
                         size_t count)
{
    const struct team_contract_heard as = heard_as(heard);
    (void)arg;
    team_contract_add(&as, values, count);
}

/* Ranks that differ in everything that a script supports, without losing any. */
static void the_contract_is_kept(void **state)
{
    static const uint32_t sizes[] = {1, 2, 20};
    struct team_scripted_rank ranks[20];
    int64_t offset_ns[20];
    char fault[TEAM_CONTRACT_FAULT_BYTES];
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const uint32_t size = sizes[i];
        const struct team_scripted_event event = {.call = TEAM_CALL_START,
                                                  .nth = TEAM_CONTRACT_NOT_READY,
                                                  .what = TEAM_NOT_READY,
                                                  .rank = size - 1};
        struct team_script script = script_of(size);
        struct team *team;
        for (uint32_t r = 0; r < size; r++) {
            ranks[r] = (struct team_scripted_rank){.rtt_ns = 50000 + 1000 * r,
                                                   .jitter_ns = 100 * r,
                                                   .offset_wrong_ns = r % 2 ? 25000 : -20000,
                                                   .offset_ns = -1000000 * (int64_t)r};
            offset_ns[r] = r ? ranks[r].offset_ns : 0;
        }
        script.ranks = ranks;
        script.ranks_per_host = 3;
        script.events = &event;
        script.event_count = 1;
        script.say = contract_say;
        script.add = contract_add;
        team = team_scripted(&script);
        if (team_contract(team, &test_clock, offset_ns, fault) != 0)
            fail_msg("%u ranks: %s", size, fault);
        team->leave(team, STATUS_OK);
    }
}

static void the_contract_of_a_loss_is_kept(void **state)
{
    static const struct team_scripted_event events[] = {
        {.call = TEAM_CALL_GATHER,
         .nth = 1,
         .what = TEAM_DIES,
         .rank = 2,
         .words = "the disk is full"},
        {.call = TEAM_CALL_GATHER, .nth = 1, .what = TEAM_HANGS, .rank = 1, .hangs_ns = UINT64_MAX},
    };
    static const char *const why[] = {"the disk is full", "has not answered for 60 s"};
    char fault[TEAM_CONTRACT_FAULT_BYTES];
    (void)state;
    for (size_t i = 0; i < COUNT(events); i++) {
        struct team_script script = script_of(3);
        struct team *team;
        char byte = 0, all[3];
        script.events = &events[i];
        script.event_count = 1;
        team = team_scripted(&script);
        assert_int_equal(team->gather(team, &byte, 1, all), -EPIPE);
        if (team_contract_lost(team, &test_clock, events[i].rank, why[i], fault) != 0)
            fail_msg("%s", fault);
        team->leave(team, STATUS_OK);
    }
}

static void ten_thousand_ranks(void **state)
{
    struct team_script script = script_of(10000);
    struct team *team = team_scripted(&script);
    uint32_t mine = 0, *all = mem_calloc(script.size, sizeof(*all));
    (void)state;
    for (int i = 0; i < 1000; i++) {
        uint64_t at_ns;
        assert_int_equal(team->broadcast(team, &mine, sizeof(mine)), 0);
        assert_int_equal(team->start(team, true, 10000000, &at_ns), 0);
        assert_int_equal(team->gather(team, &mine, sizeof(mine), all), 0);
    }
    for (uint32_t r = 0; r < script.size; r++)
        assert_int_equal(all[r], r);
    free(all);
    team->leave(team, STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_as_deep_as_they_must_be),
        cmocka_unit_test(costs_are_those_of_the_models),
        cmocka_unit_test(sleeping_costs_its_share),
        cmocka_unit_test(bytes_go_round),
        cmocka_unit_test(clocks_are_exchanged),
        cmocka_unit_test(all_begin_at_one_moment),
        cmocka_unit_test(jitter_is_bounded),
        cmocka_unit_test(ranks_are_lost),
        cmocka_unit_test(whoever_is_not_ready_gets_no_moment),
        cmocka_unit_test(a_signal_waits_a_second),
        cmocka_unit_test(the_contract_is_kept),
        cmocka_unit_test(the_contract_of_a_loss_is_kept),
        cmocka_unit_test(ten_thousand_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
