/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Which runs `clean` removes, with a driver that has runs in a table: each request, with the runs
 * that must be removed and those that must survive. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/life/clean.h"

#define RUNS_MAX 8u
#define NOW_S    1700000000

static time_t begun_s; /* of all runs; 0: unknown */

time_t time(time_t *now_s)
{
    if (now_s)
        *now_s = NOW_S;
    return NOW_S;
}

/* One letter per run: e ended, a alive, d damaged, f contains foreign files, w resumed after it was
 * found; in the result: - removed, . left. */
struct place {
    const char *kinds;
    const char *const *names; /* of the runs; NULL: "0", "1" ... */
    char state[RUNS_MAX + 1];
    unsigned looked, counted;
    int stop;
    size_t stop_after; /* after this many removals; 0: never */
};

static char *name_of(const struct place *place, size_t number)
{
    return place->names ? mem_strdup(place->names[number]) : mem_printf("%zu", number);
}

static size_t number_of(const struct place *place, const char *run_name)
{
    size_t number = strlen(place->kinds);

    while (number-- > 0) {
        char *name = name_of(place, number);
        const bool same = strcmp(name, run_name) == 0;

        free(name);
        if (same)
            break;
    }
    return number;
}

/* The last one comes first. */
static int list(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err)
{
    const struct place *place = arg;
    int code = 0;

    for (size_t i = strlen(place->kinds); i-- > 0 && code == 0;) {
        char *name = name_of(place, i);

        if (strncmp(name, begin, strlen(begin)) == 0)
            code = visit(visit_arg, name, err);
        free(name);
    }
    return code;
}

static void find(void *arg, struct clean_run *run)
{
    run->place = mem_printf("here/iosweep-%s", run->name);
}

static enum life_found look(void *arg, struct clean_run *run, bool named, struct error *err)
{
    struct place *place = arg;
    const size_t number = number_of(place, run->name);
    const char kind = number < strlen(place->kinds) ? place->kinds[number] : '\0';

    run->seen.locked = kind == 'a' || (kind == 'w' && place->looked > 0);
    run->seen.begun_s = begun_s;
    place->looked++;
    if (kind == 'd')
        error_refuse(err, STATUS_TARGET, "not trusted:", "", "its MANIFEST is not valid");
    return kind == '\0' ? LIFE_ABSENT : kind == 'd' ? LIFE_INVALID : LIFE_READ;
}

static int go_over(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err)
{
    struct place *place = arg;
    const size_t number = number_of(place, run->name);

    place->counted += way == LIFE_COUNT;
    tally->objects = 10;
    tally->bytes = 1000;
    if (way != LIFE_COUNT && place->kinds[number] == 'f')
        return error_set(err, STATUS_TARGET, 0, "left in place, not made by iosweep:", run->place);
    if (way != LIFE_REMOVE)
        return 0;
    place->state[number] = '-';
    if (place->stop_after > 0 && --place->stop_after == 0)
        place->stop = 15;
    return 0;
}

static int carry_out(struct place *place, const struct clean_request *request,
                     struct clean_outcome *outcome, struct error *err)
{
    const struct clean_hooks hooks = {
        .arg = place, .noun = "file", .list = list, .find = find, .look = look, .go_over = go_over};
    struct clean_request own = *request;

    own.target = "here";
    own.stop = &place->stop;
    *outcome = (struct clean_outcome){0};
    memset(place->state, '.', strlen(place->kinds));
    return clean_carry_out(&own, &hooks, outcome, err);
}

static void test_which_go(void **state)
{
    static const struct {
        const char *kinds, *name;
        bool all, force, dry_run;
        const char *state;  /* afterwards */
        enum status status; /* 0: success */
        const char *says;   /* contained in action, object or advice */
        unsigned runs, left, counted;
    } rows[] = {
        /* a single run need not be named */
        {"", NULL, false, false, false, "", 0, "", 0, 0, 0},
        {"e", NULL, false, false, false, "-", 0, "", 1, 0, 0},
        {"a", NULL, false, false, false, ".", STATUS_TARGET, "--force", 0, 1, 0},
        {"a", NULL, false, true, false, "-", 0, "", 1, 0, 0},
        {"w", NULL, false, false, false, ".", STATUS_TARGET, "in use", 0, 1, 0},
        {"w", NULL, false, true, false, "-", 0, "", 1, 0, 0},
        {"d", NULL, false, true, false, ".", STATUS_TARGET, "not valid", 0, 1, 0},
        {"f", NULL, false, false, false, ".", STATUS_TARGET, "not made by iosweep", 0, 1, 0},
        {"ed", NULL, false, false, false, "-.", STATUS_TARGET, "iosweep-1", 1, 1, 0},
        /* several: none without a name or --all, and each is inspected */
        {"ee", NULL, false, false, false, "..", STATUS_USAGE, "--all", 0, 0, 2},
        {"eaed", NULL, false, false, false, "....", STATUS_USAGE, "--run-name", 0, 0, 3},
        {"eae", NULL, false, true, false, "...", STATUS_USAGE, "--all", 0, 0, 3},
        {"ea", NULL, false, false, false, "..", STATUS_USAGE, "several", 0, 0, 2},
        {"eae", NULL, true, false, false, "-.-", STATUS_TARGET, "iosweep-1", 2, 1, 0},
        {"eae", NULL, true, true, false, "---", 0, "", 3, 0, 0},
        {"eadf", NULL, true, false, false, "-...", STATUS_TARGET, "3 are left, see above", 1, 3, 0},
        {"eadf", NULL, true, true, false, "--..", STATUS_TARGET, "2 are left, see above", 2, 2, 0},
        /* a name: only that run, whatever else exists */
        {"eeae", "1", false, false, false, ".-..", 0, "", 1, 0, 0},
        {"eeae", "2", false, false, false, "....", STATUS_TARGET, "in use", 0, 1, 0},
        {"eeae", "2", false, true, false, "..-.", 0, "", 1, 0, 0},
        {"eed", "2", false, true, false, "...", STATUS_TARGET, "not valid", 0, 1, 0},
        {"eeae", "4", false, true, false, "....", STATUS_TARGET, "no such run", 0, 0, 0},
        {"e", "10", false, false, false, ".", STATUS_TARGET, "no such run", 0, 0, 0},
        {"e", "", false, false, false, ".", STATUS_TARGET, "no such run", 0, 0, 0},
        {"", "1", false, false, false, "", STATUS_TARGET, "no such run", 0, 0, 0},
        /* a dry run: removes nothing, but lists what would be removed */
        {"eadf", NULL, true, false, true, "....", 0, "", 2, 2, 3},
        {"eadf", NULL, false, true, true, "....", 0, "", 3, 1, 3},
        {"eee", "2", false, false, true, "...", 0, "", 1, 0, 1},
        {"eee", "3", false, false, true, "...", STATUS_TARGET, "no such run", 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct place place = {.kinds = rows[i].kinds};
        const struct clean_request request = {.run_name = rows[i].name,
                                              .all = rows[i].all,
                                              .force = rows[i].force,
                                              .dry_run = rows[i].dry_run};
        struct clean_outcome outcome;
        struct error err = ERROR_INIT;
        char text[1024];
        const int code = carry_out(&place, &request, &outcome, &err);

        error_format(&err, text, sizeof(text));
        print_message("%zu: %s, name %s%s%s%s: %s %s\n", i, rows[i].kinds,
                      rows[i].name ? rows[i].name : "none", rows[i].all ? ", all" : "",
                      rows[i].force ? ", force" : "", rows[i].dry_run ? ", dry run" : "",
                      place.state, text);
        assert_string_equal(place.state, rows[i].state);
        assert_int_equal(err.status, rows[i].status);
        assert_int_equal(code, rows[i].status == STATUS_OK ? 0 : -1);
        assert_non_null(strstr(text, rows[i].says));
        assert_int_equal(outcome.runs, rows[i].runs);
        assert_int_equal(outcome.left, rows[i].left);
        assert_int_equal(place.counted, rows[i].counted);
    }
}

/* What a request refuses stays in either case. */
static void test_check(void **state)
{
    static const struct {
        const char *kinds, *says; /* "": everything can be removed */
    } rows[] = {{"", ""},
                {"e", ""},
                {"ee", ""},
                {"ea", "in use by a running iosweep"},
                {"ed", "MANIFEST is not valid"},
                {"ef", "not made by iosweep"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct clean_request request = {.all = true, .check = true};
        struct place place = {.kinds = rows[i].kinds};
        struct clean_outcome outcome;
        struct error err = ERROR_INIT;
        char text[1024] = "";
        const int code = carry_out(&place, &request, &outcome, &err);

        assert_int_equal(code, rows[i].says[0] == '\0' ? 0 : -1);
        assert_int_equal(err.status, code == 0 ? 0 : STATUS_TARGET);
        assert_non_null(
            strstr(code == 0 ? "" : error_format(&err, text, sizeof(text)), rows[i].says));
        assert_int_equal(strspn(place.state, "."), strlen(rows[i].kinds));
    }
}

/* The name of a team's run selects its ranks' runs, unless a run has exactly that name. */
static void test_team(void **state)
{
    static const char *const names[] = {"foo-rank0",  "foo-rank17", "foo-shared", "foo-rank",
                                        "foo-rank01", "foo-rank1x", "foo2",       "foo-bar-rank0"};
    static const char *const with_own[] = {"foo", "foo-rank0", "foo-shared"};
    static const struct {
        const char *kinds;
        const char *const *names;
        bool team;
        const char *state;
    } rows[] = {{"eeeeeeee", names, true, "---....."},
                {"eeeeeeee", names, false, "........"},
                {"eee", with_own, true, "-.."},
                {"eee", with_own, false, "-.."}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct clean_request request = {
            .run_name = "foo", .team = rows[i].team, .may_miss = true};
        struct place place = {.kinds = rows[i].kinds, .names = rows[i].names};
        struct clean_outcome outcome;
        struct error err = ERROR_INIT;

        assert_int_equal(carry_out(&place, &request, &outcome, &err), 0);
        assert_string_equal(place.state, rows[i].state);
    }
}

/* A signal between two removals: the first is counted, the others stay. */
static void test_signal(void **state)
{
    static const struct clean_request all = {.all = true};
    struct place place = {.kinds = "eee", .stop_after = 2};
    struct clean_outcome outcome;
    struct error err = ERROR_INIT;

    assert_int_equal(carry_out(&place, &all, &outcome, &err), -1);
    assert_string_equal(place.state, "--.");
    assert_int_equal(err.errnum, EINTR);
    assert_int_equal(outcome.runs, 2);
    assert_int_equal(outcome.objects, 20);
    assert_int_equal(outcome.bytes, 2000);
}

/* The list is written to the stream, one line each. */
static void test_list(void **state)
{
    struct place place = {.kinds = "ead"};
    struct clean_request request = {.dry_run = true};
    struct clean_outcome outcome;
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t length = 0;

    request.list = open_memstream(&text, &length);
    assert_int_equal(carry_out(&place, &request, &outcome, &err), 0);
    fclose(request.list);
    assert_string_equal(
        text, "here/iosweep-0: 10 files, 1000 B, of unknown age\n"
              "here/iosweep-1: 10 files, 1000 B, of unknown age, in use by a running "
              "iosweep\n"
              "here/iosweep-2: cannot be removed; its MANIFEST is not valid; look into it and "
              "remove it by hand\n");
    assert_int_equal(outcome.objects, 10);
    assert_int_equal(outcome.alive, 1);
    free(text);
}

static void test_age(void **state)
{
    static const struct {
        int64_t age_s;
        const char *text;
    } rows[] = {{-1, "of unknown age"},
                {0, "0 s old"},
                {61, "1 min 1 s old"},
                {50 * 3600, "2 d 2 h old"},
                {NOW_S, "of unknown age"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct place place = {.kinds = "e"};
        struct clean_request request = {.dry_run = true};
        struct clean_outcome outcome;
        struct error err = ERROR_INIT;
        char *text = NULL;
        size_t length = 0;

        begun_s = NOW_S - rows[i].age_s;
        request.list = open_memstream(&text, &length);
        assert_int_equal(carry_out(&place, &request, &outcome, &err), 0);
        fclose(request.list);
        assert_non_null(strstr(text, "1000 B, "));
        assert_int_equal(strncmp(strstr(text, "1000 B, ") + 8, rows[i].text, strlen(rows[i].text)),
                         0);
        free(text);
    }
    begun_s = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_go), cmocka_unit_test(test_team), cmocka_unit_test(test_signal),
        cmocka_unit_test(test_list),     cmocka_unit_test(test_age),  cmocka_unit_test(test_check),
    };

    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
