/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Use of processors between two snapshots, from texts in the format of /proc/stat, and whether the
 * machine is busy. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "os/os.h"
#include "os/processors.h"
#include "report/findings/findings.h"
#include "run/use.h"

#define MS   UINT64_C(1000000)
#define TICK (10 * MS)

/* A snapshot of `text` at a time, when this process had used own_ms. */
static struct processors look(const char *text, uint64_t time_ms, uint64_t own_ms)
{
    struct processors look = {.time_ns = 5 + time_ms * MS, .own_ns = own_ms * MS};

    for (const char *line = text; processors_take_line(&look, line, TICK);)
        line = strchr(line, '\n') + 1;
    return look;
}

static struct processor_shares between(const char *before, const char *after, uint64_t time_ms,
                                       uint64_t own_ms)
{
    struct processors first = look(before, 0, 7), second = look(after, time_ms, 7 + own_ms);
    struct processors_sum sum = {.count = 0};
    struct processor_shares shares;

    processors_add(&sum, &first, &second);
    processors_share(&sum, &shares);
    processors_free(&first);
    processors_free(&second);
    return shares;
}

static void assert_share(double share, double percent)
{
    if (fabs(share * 100 - percent) > 0.001)
        fail_msg("%f %%, not %f %%", share * 100, percent);
}

#define REST "intr 1 2 3\nctxt 5\n"
#define FIRST                       \
    "cpu  9999 9 9 9 9 9 9 9 9 9\n" \
    "cpu0 1000 10 500 9000 100 1 20 0 30 0\ncpu1 2000 20 600 8000 50 2 30 0 0 0\n" REST

/* Four seconds of two processors: 2 s of each are idle or waiting for I/O. */
static void shares_are_of_all_processors(void **state)
{
    const struct processor_shares shares =
        between(FIRST,
                "cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 1120 10 560 9100 200 11 30 0 99 0\n"
                "cpu1 2150 40 630 8200 50 2 30 0 0 0\n" REST,
                4000, 1600);

    assert_int_equal(shares.count, 2);
    assert_share(shares.own, 20);
    assert_share(shares.others, 27.5); /* 8 - 4 - 0.2 - 1.6 s */
    assert_share(shares.steal, 0);
    assert_true(shares.kernel < 0);
}

/* A run's own use of all processors, and steal time, are not attributed to others. */
static void own_and_stolen_time_is_not_of_others(void **state)
{
    struct processor_shares shares = between(
        FIRST, "cpu0 1400 10 500 9000 100 1 20 0 0 0\ncpu1 2400 20 600 8000 50 2 30 0 0 0\n" REST,
        4000, 7990);

    assert_share(shares.own, 99.875);
    assert_true(shares.others < 0.0013);
    shares = between(
        FIRST, "cpu0 1100 10 500 9000 100 1 20 300 0 0\ncpu1 2100 20 600 8200 50 2 30 100 0 0\n",
        4000, 2100); /* in ticks more than remains */
    assert_share(shares.others, 0);
    assert_share(shares.steal, 50);
}

/* A third of a second: what ran at a tick is charged all of it, but idle times are exact. */
static void short_runs_are_judged_by_idle_time(void **state)
{
    struct processor_shares shares = between(
        FIRST, "cpu0 1032 10 500 9000 100 1 20 0 0 0\ncpu1 2004 20 600 8024 50 2 30 0 0 0\n" REST,
        300, 310);

    assert_share(shares.others, 100 * 50.0 / 600);
    shares = between(FIRST, FIRST, 40, 20);
    assert_int_equal(shares.count, 0); /* too short */
    assert_true(shares.others < 0 && shares.own < 0);
}

static void odd_counters_are_left_out(void **state)
{
    static const struct {
        const char *remark, *before, *after;
        unsigned count;
        double others;
    } rows[] = {
        {"a processor came", "cpu0 0 0 0 100 0 0 0 0\n", "cpu0 20 0 0 180 0 0 0 0\ncpu1 1 0 0 9\n",
         1, 20},
        {"one went", "cpu0 0 0 0 100 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0\n",
         "cpu0 20 0 0 180 0 0 0 0\n", 1, 20},
        {"another number", "cpu0 0 0 0 100\ncpu1 0 0 0 100\n", "cpu0 20 0 0 180\ncpu7 0 0 0 100\n",
         1, 20},
        {"offline for half of the time", "cpu0 0 0 0 100\ncpu1 0 0 0 100\n",
         "cpu0 100 0 0 100\ncpu1 0 0 0 150\n", 2, 100 / 1.5},
        {"user time went back", "cpu0 0 0 0 100\ncpu1 90 0 0 100\n",
         "cpu0 20 0 0 180\ncpu1 80 0 0 190\n", 1, 20},
        {"idle time was reset", "cpu0 0 0 0 100\ncpu1 90 0 0 900\n",
         "cpu0 20 0 0 180\ncpu1 190 0 0 0\n", 1, 20},
        {"iowait went back a little", "cpu0 0 0 0 100 60\ncpu1 0 0 0 100 0\n",
         "cpu0 0 0 0 203 57\ncpu1 100 0 0 100 0\n", 2, 50},
        {"more than passed", "cpu0 0 0 0 100\ncpu1 0 0 0 100\n",
         "cpu0 20 0 0 180\ncpu1 0 0 0 9000\n", 1, 20},
        {"columns of an old kernel", "cpu0 0 0 0 100\n", "cpu0 20 0 10 170\n", 1, 30},
        {"nothing is counted", "cpu0 0 0 0 0 0 0 0 0\n", "cpu0 0 0 0 0 0 0 0 0\n", 0, -100},
        {"columns are missing", "cpu0 0 0\n", "cpu0 20 0\n", 0, -100},
        {"no number", "cpu0 0 0 0 x\n", "cpu0 0 0 0 y\n", 0, -100},
        {"too large", "cpu0 0 0 0 100\n", "cpu0 20 0 0 99999999999999999999\n", 0, -100},
        {"no file", "", "", 0, -100},
        {"only the sum", "cpu 0 0 0 100\n", "cpu 20 0 0 180\n", 0, -100},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char before[256], after[256];
        struct processor_shares shares;
        snprintf(before, sizeof(before), "%s" REST, rows[i].before);
        snprintf(after, sizeof(after), "%s" REST, rows[i].after);
        shares = between(before, after, 1000, 0);
        if (shares.count != rows[i].count || fabs(shares.others * 100 - rows[i].others) > 0.001)
            fail_msg("%s: %u processors, %f %%", rows[i].remark, shares.count, shares.others * 100);
    }
}

/* A process that may run on some processors only is not affected by the others. */
static void only_where_it_may_run(void **state)
{
    bool allowed[2] = {false, true};
    struct processors first = {.allowed = allowed, .allowed_count = 2},
                      second = {.allowed = allowed, .allowed_count = 2, .time_ns = 1000 * MS};
    struct processors_sum sum = {.count = 0};
    struct processor_shares shares;

    for (unsigned i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof(line), "cpu%u 0 0 0 100", i);
        assert_true(processors_take_line(&first, line, TICK));
        snprintf(line, sizeof(line), "cpu%u %s", i, i == 1 ? "10 0 0 190" : "100 0 0 100");
        assert_true(processors_take_line(&second, line, TICK));
    }
    assert_int_equal(first.count, 1);
    processors_add(&sum, &first, &second);
    processors_share(&sum, &shares);
    assert_int_equal(shares.count, 1);
    assert_share(shares.others, 10);
    first.allowed = second.allowed = NULL;
    processors_free(&first);
    processors_free(&second);
}

/* Write-back threads belong to the kernel; threads started meanwhile count with all their time. */
static void threads_of_the_kernel_are_no_programs(void **state)
{
    static const char before[] = "cpu0 0 0 0 100 0 0 0 0\n" REST,
                      after[] = "cpu0 0 0 50 150 0 0 0 0\n" REST;
    struct processors first = look(before, 0, 0), second = look(after, 1000, 100);
    struct processors_sum sum = {.count = 0};
    struct processor_shares shares;

    first.threads_known = second.threads_known = true;
    processors_take_thread(&first, 3, 700 * MS); /* ends */
    processors_take_thread(&first, 5, 500 * MS);
    processors_take_thread(&first, 9, 20 * MS);
    processors_take_thread(&second, 5, 600 * MS);
    processors_take_thread(&second, 9, 20 * MS);
    processors_take_thread(&second, 4, 150 * MS);
    processors_add(&sum, &first, &second);
    processors_share(&sum, &shares);
    assert_share(shares.kernel, 25);
    assert_share(shares.own, 10);
    assert_share(shares.others, 15);
    second.threads_known = false;
    processors_add(&sum, &first, &second); /* once unknown, always unknown */
    processors_share(&sum, &shares);
    assert_true(shares.kernel < 0);
    processors_free(&first);
    processors_free(&second);
}

/* Time lost to rounding in one interval is included in the next. */
static void pieces_add_up(void **state)
{
    struct processors_sum sum = {.count = 0};
    struct processor_shares shares;

    for (unsigned i = 0; i < 100; i++) { /* 15 ms each, 12 of them idle */
        char before[64], after[64];
        struct processors first, second;
        snprintf(before, sizeof(before), "cpu0 9 0 0 %u\n" REST, 100 + i * 12 / 10);
        snprintf(after, sizeof(after), "cpu0 9 0 0 %u\n" REST, 100 + (i + 1) * 12 / 10);
        first = look(before, i * 15, 0);
        second = look(after, (i + 1) * 15, 0);
        processors_add(&sum, &first, &second);
        processors_free(&first);
        processors_free(&second);
    }
    processors_share(&sum, &shares);
    assert_share(shares.others, 20);
}

/* The facts about this machine are consistent. */
static void this_machine(void **state)
{
    struct processors first = {.count = 0}, second = {.count = 0};
    struct processors_sum sum = {.count = 0};
    struct processor_shares shares;
    uint64_t until_ns;

    processors_look("", &first);
    processors_look("", &second);
    until_ns = clock_monotonic_ns() + 200 * MS;
    while (clock_monotonic_ns() < until_ns)
        ;
    processors_look("", &second);
    if (second.count == 0)
        skip_because("this system does not tell");
    processors_add(&sum, &first, &second);
    processors_share(&sum, &shares);
    assert_true(shares.count == 0 || (shares.own >= 0 && shares.others >= 0 && shares.steal >= 0));
    assert_true(sum.own_ns > 0);
    processors_free(&first);
    processors_free(&second);
}

/* --- is it busy? ---------------------------------------------------------------------------- */

static void others_make_it_busy(void **state)
{
    static const struct {
        const char *remark;
        unsigned cpus;
        unsigned threads;
        double own, others, most, steal;
        enum busy busy;
        const char *text;
    } rows[] = {
        {"nobody", 2, 1, 0.5, 0.02, 0.03, 0, BUSY_QUIET, NULL},
        {"own threads", 2, 4, 0.97, 0.02, 0.03, 0, BUSY_QUIET, NULL},
        {"a little", 2, 4, 0.8, 0.15, 0.15, 0, BUSY_SOMEWHAT, NULL},
        {"one loop", 2, 1, 0.3, 0.5, 0.5, 0, BUSY_YES,
         "other programs used 50 % of the processors"},
        {"room for one thread", 4, 1, 0.2, 0.5, 0.5, 0, BUSY_SOMEWHAT, NULL},
        {"no room for four", 4, 4, 0.4, 0.5, 0.5, 0, BUSY_YES,
         "other programs used 50 % of the processors"},
        {"in one part", 2, 1, 0.3, 0.2, 0.9, 0, BUSY_YES,
         "other programs used up to 90 % of the processors"},
        {"one processor", 1, 1, 0.5, 0.3, 0.3, 0, BUSY_YES,
         "other programs used 30 % of the processor"},
        {"a host that has others, too", 64, 1, 0.01, 0.002, 0.002, 0.01, BUSY_YES,
         "its host withheld 45 % of the processor time it needed"},
        {"a little steal", 2, 1, 0.4, 0.02, 0.02, 0.06, BUSY_SOMEWHAT, NULL},
        {"nothing is known", 0, 1, 0, 0, 0, 0, BUSY_NOT_KNOWN, NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct run_use use = {.shares = {.count = rows[i].cpus,
                                               .own = rows[i].own,
                                               .others = rows[i].others,
                                               .kernel = -1,
                                               .steal = rows[i].steal},
                                    .others_most = rows[i].most};
        char text[BUSY_TEXT];
        if (busy_judge(&use, rows[i].threads) != rows[i].busy ||
            (rows[i].text && strcmp(busy_tell(&use, text), rows[i].text) != 0))
            fail_msg("%s: %d, %s", rows[i].remark, (int)busy_judge(&use, rows[i].threads),
                     busy_tell(&use, text));
    }
}

/* Of two processors for 5 s the other ranks used 4 s, and other programs part of the rest. */
static void ranks_are_no_other_programs(void **state)
{
    const struct use_watch watch = {.all = {.all_ns = INT64_C(10000000000)}};
    struct run_use use = {.shares = {.count = 2, .own = 0.25, .others = 0.5}, .others_most = 0.75};
    struct run_use unknown = {.shares = {.count = 0}};

    use_add_ranks(&watch, 4000000000, &use);
    assert_true(use.shares.own == 0.65);
    assert_true(fabs(use.shares.others - 0.1) < 1e-9);
    assert_true(fabs(use.others_most - 0.35) < 1e-9);
    use_add_ranks(&watch, 4000000000, &use); /* two accounts of the kernel never agree exactly */
    assert_true(use.shares.others == 0 && use.others_most == 0);
    use_add_ranks(&watch, 4000000000, &unknown);
    assert_true(unknown.shares.own == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_all_processors),
        cmocka_unit_test(own_and_stolen_time_is_not_of_others),
        cmocka_unit_test(short_runs_are_judged_by_idle_time),
        cmocka_unit_test(odd_counters_are_left_out),
        cmocka_unit_test(only_where_it_may_run),
        cmocka_unit_test(threads_of_the_kernel_are_no_programs),
        cmocka_unit_test(pieces_add_up),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(others_make_it_busy),
        cmocka_unit_test(ranks_are_no_other_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
