/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The simulated team used by other tests keeps the contract of teams. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>

#include "base/clock.h"
#include "support/team_contract.h"
#include "support/team_scripted.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t now_ns;
static volatile int stop;
static struct team_scripted_seen seen;

static uint64_t read_clock(void *arg)
{
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
    team_contract_say(&as, out, bytes);
}

static void contract_add(void *arg, const struct team_scripted_heard *heard, uint64_t *values,
                         size_t count)
{
    const struct team_contract_heard as = heard_as(heard);
    team_contract_add(&as, values, count);
}

static struct team_script script_of(uint32_t size)
{
    now_ns = NS_PER_S;
    return (struct team_script){.size = size,
                                .usual = {.rtt_ns = 100000},
                                .now_ns = &now_ns,
                                .stop = &stop,
                                .say = contract_say,
                                .add = contract_add,
                                .seen = &seen};
}

/* Ranks that differ in everything that a script supports, without losing any. */
static void the_contract_is_kept(void **state)
{
    static const uint32_t sizes[] = {1, 2, 20};
    struct team_scripted_rank ranks[20];
    int64_t offset_ns[20];
    char fault[TEAM_CONTRACT_FAULT_BYTES];
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
                                                   .offset_wrong_ns = r % 2 ? 25000 : -20000,
                                                   .offset_ns = -1000000 * (int64_t)r};
            offset_ns[r] = r ? ranks[r].offset_ns : 0;
        }
        script.ranks = ranks;
        script.ranks_per_host = 3;
        script.events = &event;
        script.event_count = 1;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contract_is_kept),
        cmocka_unit_test(the_contract_of_a_loss_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
