/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_targets_team.c - which rank of a team uses, creates and reads which target: all ranks agree,
 * and what several ranks cannot do is refused before anything is touched. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/targets.h"

#define RANKS_MAX 12u

/* Makes this a program that joins teams; replaces team_join_alone.c. */
const char *const team_library = "none";

const char *team_library_version(void)
{
    return NULL;
}

struct team *team_join(int *argc, char ***argv, struct error *err)
{
    return team_alone();
}

static struct team team_of(struct team_member *member, uint32_t rank, const unsigned *host,
                           uint32_t size)
{
    struct team team = {.rank = rank, .size = size, .member = member};

    for (uint32_t i = 0; i < size; i++) {
        member[i] = (struct team_member){.host_index = host[i]};
        if (host[i] >= team.host_count)
            team.host_count = host[i] + 1;
    }
    return team;
}

static struct request request;    /* of the rank that was asked last */
static struct target_request own; /* for its first target */

/* Processes the command line and the team. */
static int divide(const char *words, uint32_t rank, const unsigned *host, uint32_t size,
                  struct error *err)
{
    struct team_member member[RANKS_MAX];
    const struct team team = team_of(member, rank, host, size);
    static char line[400]; /* the request points into it */
    char *argv[24] = {(char *)(uintptr_t) "iosweep-mpi"}, *rest = line;
    int argc = 1;

    snprintf(line, sizeof(line), "%s", words);
    while ((argv[argc] = strtok_r(rest, " ", &rest)))
        argc++;
    *err = ERROR_INIT;
    options_free(&request);
    assert_int_equal(options_parse(argc, argv, &request, err), 0);
    return targets_divide(&request, &team, err);
}

static void good(const char *words, uint32_t rank, const unsigned *host, uint32_t size)
{
    struct error err;
    char text[1000];

    if (divide(words, rank, host, size, &err) != 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    own = targets_request(&request.settings, 0);
}

/* All ranks must refuse this in the same words. */
static void bad(const char *words, const unsigned *host, uint32_t size, const char *message)
{
    for (uint32_t rank = 0; rank < size; rank++) {
        struct error err;
        char text[1000];

        assert_int_equal(divide(words, rank, host, size, &err), -1);
        assert_int_equal(err.status, STATUS_USAGE);
        error_format(&err, text, sizeof(text));
        if (strcmp(text, message) != 0)
            fail_msg("rank %u: %s", rank, text);
    }
}

/* The name of the rank's own run, or of the next rank's. */
static const char *run_name(const char *common, enum targets_run which)
{
    static char name[TARGET_RUN_NAME_MAX + 1];

    targets_run_name(&request.settings, common, which, name);
    return name;
}

static const unsigned one_host[] = {0, 0, 0, 0, 0, 0};
static const unsigned two_each[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};

static void alone_nothing_changes(void **state)
{
    good("--share all --run-name foo .", 0, one_host, 1);
    assert_int_equal(request.settings.ranks, 1);
    assert_int_equal(request.settings.users, 1);
    assert_string_equal(run_name("foo", TARGETS_RUN_OWN), "foo");
    assert_false(own.joins || own.shared || own.follows);
    assert_null(own.label);
    assert_int_equal(own.seed, request.settings.seed);
    assert_false(targets_read_next(&request.settings, 0));
}

static void each_has_its_own(void **state)
{
    for (uint32_t rank = 0; rank < 4; rank++) {
        char expected[16];

        good("--seed 7 .", rank, one_host, 4);
        assert_int_equal(request.settings.users, 4);
        assert_true(own.named); /* generated names are the same on all ranks, and fixed */
        assert_false(own.joins || own.shared || own.follows);
        assert_int_equal(own.seed, request.settings.seed);
        snprintf(expected, sizeof(expected), "0123abcd-rank%u", rank);
        assert_string_equal(run_name("0123abcd", TARGETS_RUN_OWN), expected);
        assert_false(targets_read_next(&request.settings, 0));
    }
}

static void one_makes_what_all_use(void **state)
{
    for (uint32_t rank = 0; rank < 4; rank++) {
        good("--share all --run-name foo --seed 7 .", rank, two_each, 4);
        assert_true(own.shared);
        assert_int_equal(own.joins, rank != 0);
        assert_int_equal(own.follows, rank % 2); /* two on each host */
        assert_string_equal(run_name("foo", TARGETS_RUN_OWN), "foo-shared");
    }
}

static void each_reads_the_next(void **state)
{
    for (uint32_t rank = 0; rank < 4; rank++) {
        struct target_request next;
        char expected[16];

        good("--share shift --run-name foo --keep .", rank, two_each, 4);
        assert_false(own.joins || own.shared || own.follows);
        snprintf(expected, sizeof(expected), "foo-rank%u", rank);
        assert_string_equal(run_name("foo", TARGETS_RUN_OWN), expected);
        assert_true(targets_read_next(&request.settings, 0));
        snprintf(expected, sizeof(expected), "foo-rank%u", (rank + 1) % 4);
        assert_string_equal(run_name("foo", TARGETS_RUN_NEXT), expected);
        own.writes = true;
        next = targets_request_next(&own);
        assert_true(next.joins);
        assert_false(next.shared || next.writes || next.keep || next.follows);

        good("--share shift --tests write .", rank, two_each, 4);
        assert_false(targets_read_next(&request.settings, 0)); /* no test would read it */
    }
}

static void kept_runs_are_read_by_rank(void **state)
{
    good("-r --run-name foo .", 3, one_host, 4);
    assert_string_equal(run_name("foo", TARGETS_RUN_OWN), "foo-rank3");
    assert_false(own.joins || own.follows);

    good("-r --run-name foo --share shift .", 3, one_host, 4);
    /* immediately: no rank has to create it */
    assert_string_equal(run_name("foo", TARGETS_RUN_OWN), "foo-rank0");
    assert_false(targets_read_next(&request.settings, 0));

    good("-r --run-name foo --share all .", 3, one_host, 4);
    assert_string_equal(run_name("foo", TARGETS_RUN_OWN), "foo-shared");
    assert_false(own.joins || own.shared); /* not made by the run */
    assert_true(own.follows);

    good("-r .", 3, one_host, 4); /* the user's files: all ranks read the same */
    assert_true(own.follows);
    assert_false(own.named);
}

static void hosts_have_targets(void **state)
{
    static const char *const targets[] = {"/a", "/b", "/c"};

    for (uint32_t rank = 0; rank < 12; rank++) {
        const uint32_t first = rank / 4 * 4;

        good("--hosts-per-target 2 --share shift /a /b /c", rank, two_each, 12);
        assert_int_equal(request.settings.target_count, 1);
        assert_string_equal(request.settings.targets[0], targets[rank / 4]);
        assert_string_equal(request.settings.targets_label, "/a+/b+/c");
        assert_int_equal(request.settings.users, 4);
        assert_int_equal(request.settings.maker, first);
        assert_int_equal(request.settings.next_rank, first + (rank - first + 1) % 4);
        assert_string_equal(own.target, targets[rank / 4]);
        assert_string_equal(own.label, "/a+/b+/c");

        good("--hosts-per-target 2 --share all /a /b /c", rank, two_each, 12);
        assert_int_equal(own.joins, rank != first); /* each target has its own */
    }
}

/* Ranks may be distributed host by host: the neighbour is the next rank with the same target. */
static void hosts_in_turn(void **state)
{
    static const unsigned in_turn[] = {0, 1, 2, 3, 0, 1, 2, 3};
    static const uint32_t next[] = {1, 4, 3, 6, 5, 0, 7, 2};
    uint32_t makers = 0;

    for (uint32_t rank = 0; rank < 8; rank++) {
        good("--hosts-per-target 2 --share shift /a /b", rank, in_turn, 8);
        assert_int_equal(request.settings.next_rank, next[rank]);
        assert_int_equal(request.settings.maker, rank % 4 < 2 ? 0 : 2);
        assert_int_equal(request.settings.follows, rank >= 4);
        makers += request.settings.maker == rank;
    }
    assert_int_equal(makers, 2);
}

static void what_is_refused(void **state)
{
    char name[TARGET_RUN_NAME_MAX + 1], words[200], message[400];
    int fd = open("test_targets_team.file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    close(fd);
    bad("--hosts-per-target 2 /a /b", one_host, 4,
        "hosts and targets do not match: --hosts-per-target 2; 2 targets take 4 hosts, and the "
        "team has 1");
    bad("--hosts-per-target 3 /a", two_each, 4,
        "hosts and targets do not match: --hosts-per-target 3; 1 target takes 3 hosts, and the "
        "team has 2");
    bad("--hosts-per-target 1 /a null:", two_each, 4,
        "all hosts need targets of the same kind; this one differs: null:; a row "
        "covers all hosts: start a team for each kind");
    bad("--share all null:", one_host, 2,
        "ranks do not see each other's objects in null:; leave out --share all");
    bad("--share shift mem:", one_host, 2,
        "ranks do not see each other's objects in mem:; leave out --share shift");
    bad("-r --share shift .", one_host, 2,
        "--share shift is for test files of ranks, not for .; leave it out: all ranks read what is "
        "there");
    bad("--overwrite test_targets_team.file", one_host, 2,
        "several ranks would write to the same data: test_targets_team.file; --share all allows "
        "that; with --hosts-per-target hosts have targets of their own");
    memset(name, 'n', TARGET_RUN_NAME_MAX);
    name[TARGET_RUN_NAME_MAX] = '\0';
    snprintf(words, sizeof(words), "--run-name %s .", name);
    snprintf(message, sizeof(message),
             "too long as a run name for 2 ranks: %s; use at most 57 characters: ranks add such as "
             "-rank1",
             name);
    bad(words, one_host, 2, message);
    name[57] = '\0';
    for (unsigned i = 0; i < 3; i++) {
        static const char *const share[] = {"none", "all", "shift"};
        const char *run;
        snprintf(words, sizeof(words), "--share %s --run-name %s .", share[i], name + (i == 1));
        good(words, 1, one_host, 2);
        run = run_name(request.settings.run_name, TARGETS_RUN_OWN);
        assert_int_equal(strlen(run), TARGET_RUN_NAME_MAX); /* complete */
        assert_int_equal(strncmp(run, name + (i == 1), strlen(name + (i == 1))), 0);
    }
}

static void what_several_ranks_may_write(void **state)
{
    good("--overwrite --share all test_targets_team.file", 1, one_host, 2);
    request.settings.team_seed = 5;
    own = targets_request(&request.settings, 0);
    assert_false(own.joins || own.shared); /* existing, and not made by the run */
    assert_true(own.follows);
    assert_int_equal(own.seed, 5); /* all ranks know what the others write */
    good("--overwrite --hosts-per-target 1 test_targets_team.file /b", 0, two_each + 1, 2);
    assert_int_equal(unlink("test_targets_team.file"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_nothing_changes),
        cmocka_unit_test(each_has_its_own),
        cmocka_unit_test(one_makes_what_all_use),
        cmocka_unit_test(each_reads_the_next),
        cmocka_unit_test(kept_runs_are_read_by_rank),
        cmocka_unit_test(hosts_have_targets),
        cmocka_unit_test(hosts_in_turn),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_several_ranks_may_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
