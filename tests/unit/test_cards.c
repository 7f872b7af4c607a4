/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_cards.c - facts of the hosts of a team: filled, gathered, compared. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/facts/facts.h"
#include "unit/team_fixture.h"

/* What the other ranks send: [rank]; and what is broadcast. */
static struct host_card cards[TEAM_FIXTURE_RANKS];
static struct targetinfo target_cards[TEAM_FIXTURE_RANKS];
static unsigned gathered, fails_at;
static uint32_t ordered;

static int fake_gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    const char *others =
        bytes == sizeof(struct host_card) ? (const char *)cards : (const char *)target_cards;

    if (++gathered == fails_at)
        return -EPIPE;
    if (team->rank > 0) {
        assert_null(all);
        return 0;
    }
    memcpy(all, mine, bytes);
    memcpy((char *)all + bytes, others + bytes, (team->size - 1) * bytes);
    return 0;
}

static int fake_broadcast(struct team *team, void *data, size_t bytes)
{
    assert_int_equal(bytes, sizeof(ordered));
    if (team->rank == 0)
        memcpy(&ordered, data, bytes);
    else
        memcpy(data, &ordered, bytes);
    return 0;
}

#define SET(field, text) text_copy(field, sizeof(field), text)

static void fill_host(struct hostinfo *host)
{
    *host = (struct hostinfo){
        .cpus = 8, .cpus_allowed = 8, .memory_bytes = UINT64_C(64) << 30, .page_bytes = 4096};
    SET(host->kernel, "Linux 6.1.0");
    SET(host->machine, "x86_64");
    SET(host->cpu, "Model 9");
    SET(host->clock_source, "tsc");
}

static void fill_target(struct targetinfo *target)
{
    *target = (struct targetinfo){.path = "/data"};
    SET(target->filesystem, "nfs4");
    SET(target->device, "server:/export");
    SET(target->mount_options, "rw,vers=4.2,clientaddr=10.0.0.1,rsize=1048576");
}

static struct facts facts;
static struct team team;

static int setup(void **state)
{
    facts = (struct facts){.read = true, .count = 1};
    fill_host(&facts.host);
    facts.targets = mem_calloc(1, sizeof(*facts.targets));
    fill_target(&facts.targets[0]);
    for (unsigned i = 0; i < TEAM_FIXTURE_RANKS; i++) {
        facts_fill_card(&facts, &cards[i]);
        target_cards[i] = facts.targets[0];
    }
    team = team_fixture;
    team.gather = fake_gather;
    team.broadcast = fake_broadcast;
    gathered = fails_at = 0;
    ordered = 0;
    return 0;
}

static int teardown(void **state)
{
    facts_free(&facts);
    assert_null(facts.hosts);
    return 0;
}

static void a_card(void **state)
{
    struct host_card card;

    facts_fill_card(&facts, &card);
    assert_string_equal(card.version, PACKAGE_VERSION);
    assert_string_equal(card.host.kernel, "Linux 6.1.0");
    assert_string_equal(card.host.cpu, "Model 9");
    assert_string_equal(card.host.clock_source, "tsc");
    assert_int_equal(card.host.cpus, 8);
    assert_int_equal(card.host.memory_bytes, UINT64_C(64) << 30);
    assert_int_equal(card.target_count, 1);
    assert_string_equal(target_cards[0].path, "/data");
    assert_string_equal(target_cards[0].filesystem, "nfs4");

    facts_free(&facts); /* without any data read, the program's version is known */
    facts_fill_card(&facts, &card);
    assert_string_equal(card.version, PACKAGE_VERSION);
    assert_string_equal(card.host.kernel, "");
    assert_int_equal(card.target_count, 0);
}

static void one_card_for_each_host(void **state)
{
    SET(cards[1].host.kernel, "not kept");
    SET(cards[2].host.kernel, "Linux 5.15.0");
    SET(target_cards[2].filesystem, "xfs");
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(facts.host_count, 2);
    assert_string_equal(facts.hosts[0].name, "nas1");
    assert_string_equal(facts.hosts[1].name, "nas2");
    assert_int_equal(facts.hosts[0].ranks, 2);
    assert_int_equal(facts.hosts[1].ranks, 2);
    assert_int_equal(facts.hosts[1].first_rank, 2);
    assert_string_equal(facts.hosts[0].card.host.kernel, "Linux 6.1.0");
    assert_string_equal(facts.hosts[1].card.host.kernel, "Linux 5.15.0");
    assert_string_equal(facts.hosts[0].targets[0].filesystem, "nfs4");
    assert_string_equal(facts.hosts[1].targets[0].filesystem, "xfs");
    assert_int_equal(gathered, 2);
}

/* Ranks with fewer targets, or none, take part in all gathers. */
static void ranks_differ_in_targets(void **state)
{
    cards[3].target_count = 3; /* not the first rank of its host */
    cards[2].target_count = 0;
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(gathered, 4);
    assert_int_equal(ordered, 3);
    assert_int_equal(facts.hosts[1].card.target_count, 0);

    gathered = 0;
    team.rank = 1;
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(gathered, 4);
}

static void alone_and_lost(void **state)
{
    team.size = 1;
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(gathered, 0);
    assert_int_equal(facts.host_count, 0);

    team.size = TEAM_FIXTURE_RANKS;
    fails_at = 1;
    assert_int_equal(facts_gather(&team, &facts), -EPIPE);
    gathered = 0;
    fails_at = 2;
    assert_int_equal(facts_gather(&team, &facts), -EPIPE);
}

static void alike(void **state)
{
    facts_difference list[FACTS_DIFFERENCES];

    /* client addresses and memory sizes differ slightly between hosts */
    SET(target_cards[2].mount_options, "rw,vers=4.2,clientaddr=10.0.0.2,rsize=1048576");
    cards[2].host.memory_bytes -= cards[2].host.memory_bytes / 50;
    cards[2].host.clock_source[0] = '\0'; /* unknown */
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(facts_compare_hosts(&facts, list), 0);
}

static void unlike(void **state)
{
    facts_difference list[FACTS_DIFFERENCES];

    SET(cards[2].version, "0.0.9");
    SET(cards[2].host.kernel, "Linux 5.15.0");
    SET(cards[2].host.clock_source, "hpet");
    cards[2].host.cpus = 4;
    cards[2].host.memory_bytes /= 2;
    SET(target_cards[2].filesystem, "nfs");
    SET(target_cards[2].mount_options, "rw,vers=4.2,rsize=65536,clientaddr=10.0.0.2");
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(facts_compare_hosts(&facts, list), 7);
    assert_string_equal(list[0], "iosweep: " PACKAGE_VERSION " on nas1, 0.0.9 on nas2");
    assert_string_equal(list[1], "kernel: Linux 6.1.0 on nas1, Linux 5.15.0 on nas2");
    assert_string_equal(list[2], "processors online: 8 on nas1, 4 on nas2");
    assert_string_equal(list[3], "memory: 64 GiB on nas1, 32 GiB on nas2");
    assert_string_equal(list[4], "clock source: tsc on nas1, hpet on nas2");
    assert_string_equal(list[5], "file system of /data: nfs4 on nas1, nfs on nas2");
    assert_string_equal(list[6],
                        "mount options of /data: rsize=1048576 on nas1, rsize=65536 on nas2");
}

/* Options present on only one host; and a list that ends with the address. */
static void options_of_one(void **state)
{
    facts_difference list[FACTS_DIFFERENCES];

    SET(target_cards[2].mount_options, "rw,vers=4.2,rsize=1048576,noatime,clientaddr=10.0.0.2");
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(facts_compare_hosts(&facts, list), 1);
    assert_string_equal(list[0], "mount options of /data: none on nas1, noatime on nas2");
}

/* Only two of many hosts are named. */
static void many_hosts(void **state)
{
    facts_difference list[FACTS_DIFFERENCES];
    struct team_member members[TEAM_FIXTURE_RANKS];

    for (uint32_t i = 0; i < TEAM_FIXTURE_RANKS; i++) {
        members[i] = (struct team_member){.host_index = i};
        snprintf(members[i].host, sizeof(members[i].host), "c%u", i);
        if (i >= 2)
            SET(cards[i].host.kernel, "Linux 5.15.0");
    }
    /* another directory: its file system is not reported as a difference */
    SET(target_cards[3].path, "/scratch");
    SET(target_cards[3].filesystem, "xfs");
    team.member = members;
    team.host_count = TEAM_FIXTURE_RANKS;
    assert_int_equal(facts_gather(&team, &facts), 0);
    assert_int_equal(facts.host_count, 4);
    assert_int_equal(facts_compare_hosts(&facts, list), 1);
    assert_string_equal(list[0], "kernel: Linux 6.1.0 on c0, Linux 5.15.0 on c2 (and 1 more)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_card, setup, teardown),
        cmocka_unit_test_setup_teardown(one_card_for_each_host, setup, teardown),
        cmocka_unit_test_setup_teardown(ranks_differ_in_targets, setup, teardown),
        cmocka_unit_test_setup_teardown(alone_and_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(alike, setup, teardown),
        cmocka_unit_test_setup_teardown(unlike, setup, teardown),
        cmocka_unit_test_setup_teardown(options_of_one, setup, teardown),
        cmocka_unit_test_setup_teardown(many_hosts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
