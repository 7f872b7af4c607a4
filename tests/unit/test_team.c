/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_team.c - whether ranks agree, and what rank 0 reports if not; and computations on hosts,
 * clocks and waits. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "run/team.h"
#include "unit/said.h"

/* --- agreement --- */

static struct error errors[6];

static int gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    assert_int_equal(bytes, sizeof(errors[0]));
    memcpy(all, errors, team->size * bytes);
    memcpy(all, mine, bytes);
    return 0;
}

static int broadcast(struct team *team, void *data, size_t bytes)
{
    assert_int_equal(bytes, sizeof(int32_t));
    return 0;
}

static const struct team_member members[6] = {{.host = "a"}, {.host = "b"}, {.host = "c"},
                                              {.host = "d"}, {.host = "e"}, {.host = "f"}};

/* The error of rank 0 in a team of that size. */
static const char *agreed(uint32_t size, struct error *err)
{
    struct team team = {.size = size, .member = members, .gather = gather, .broadcast = broadcast};
    static char text[600];

    *err = errors[0];
    if (team_agree(&team, err) == 0)
        return "";
    return error_format(err, text, sizeof(text));
}

static void fail_rank(uint32_t rank, const char *action)
{
    errors[rank] = ERROR_INIT;
    error_set(&errors[rank], STATUS_TARGET, 0, action, "d");
}

/* An error is reported once, with the ranks that have it unless all do. */
static void test_agreement(void **state)
{
    struct error err;

    memset(errors, 0, sizeof(errors));
    assert_string_equal(agreed(6, &err), "");
    fail_rank(3, "cannot open");
    assert_string_equal(agreed(6, &err), "rank 3 (d): cannot open d");
    assert_int_equal(err.status, STATUS_TARGET);
    for (uint32_t rank = 1; rank < 6; rank++)
        fail_rank(rank, "cannot open");
    assert_string_equal(agreed(6, &err), "ranks 1 (b), 2 (c), 3 (d) and 2 more: cannot open d");
    fail_rank(0, "cannot open");
    assert_string_equal(agreed(6, &err), "cannot open d");
    fail_rank(5, "cannot read");
    said_begin();
    assert_string_equal(agreed(6, &err), "ranks 0 (a), 1 (b), 2 (c) and 2 more: cannot open d");
    assert_string_equal(said_end(), "iosweep: rank 5 (f): cannot read d\n");
    assert_string_equal(agreed(1, &err), "cannot open d"); /* without hooks of a team */
}

static void test_losses(void **state)
{
    struct team team = {
        .rank = 2, .size = 3, .lost = true, .loss = {.rank = 1, .host = "nas2", .why = "is gone"}};
    struct error err = ERROR_INIT;
    char text[600];

    assert_int_equal(team_explain(&team, -EINTR, &err), -1); /* a signal is no error */
    assert_false(error_is_set(&err));
    assert_int_equal(team_explain(&team, -EPIPE, &err), -1);
    assert_string_equal(error_format(&err, text, sizeof(text)),
                        "the team has lost rank 1 (nas2): is gone");
    assert_true(team.told); /* by rank 0, which is not lost */
}

/* --- computations --- */

static void test_hosts(void **state)
{
    static const char *const names[] = {"b", "a", "b", "c", "a", ""};
    static const uint32_t numbers[] = {0, 1, 0, 2, 1, 3};
    struct team_member member[6] = {{.host = ""}};

    for (size_t i = 0; i < 6; i++)
        text_copy(member[i].host, sizeof(member[i].host), names[i]);
    assert_int_equal(team_number_hosts(member, 6), 4);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(member[i].host_index, numbers[i]);
}

static void test_pauses(void **state)
{
    assert_int_equal(team_pause_ns(0), 20000);
    assert_int_equal(team_pause_ns(800000), 100000);
    assert_int_equal(team_pause_ns(60 * NS_PER_S), 4000000);
}

/* A clock 1 h ahead or behind: the shortest of three exchanges is kept, and the true offset is
 * within its error wherever in the exchange the stamp was taken. */
static void test_clock(void **state)
{
    const int64_t truths[] = {3600 * (int64_t)NS_PER_S, -3600 * (int64_t)NS_PER_S};

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
        cmocka_unit_test(test_agreement), cmocka_unit_test(test_losses),
        cmocka_unit_test(test_hosts),     cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
