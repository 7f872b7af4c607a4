/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The time left, replayed over rounds recorded on an idle and on a busy machine: it never grows,
 * the percentage never decreases, and after a quarter of the run the predicted end is within 20 %
 * of the real one. The same with parts of different speed, with a fixed number of rounds, with
 * --time, and with limits. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "run/forecast.h"
#include "run/judge.h"
#include "unit/recorded_rounds.h"

#define MS      UINT64_C(1000000)
#define PARTS   2
#define ROWS    (PARTS * RECORDED_ROWS)
#define EVERY   4
#define MOMENTS 100000

struct play {
    const double (*rounds)[RECORDED_ROUNDS];
    struct settings settings;
    double slow[PARTS];            /* slowdown of a part's slices */
    uint64_t prepare_ns, slice_ns; /* including what lies between */
    struct row rows[ROWS];
    struct cell cells[ROWS];
    uint64_t now_ns, measuring_ns, spent_ns[ROWS];
    struct forecast forecast;
    unsigned moments;
    struct {
        uint64_t now_ns, left_ns;
    } seen[MOMENTS];
};

static void look(struct play *play, unsigned part, uint64_t part_begin_ns, uint64_t most_ns)
{
    struct forecast_work work = {.parts_done = part + 1,
                                 .parts_left = PARTS - part - 1,
                                 .measuring_ns = play->measuring_ns + play->now_ns - part_begin_ns,
                                 .elapsed_ns = play->now_ns,
                                 .most_ns = most_ns};
    for (unsigned i = 0; i < ROWS; i++)
        play->rows[i].result.sum.elapsed_ns = play->spent_ns[i];
    forecast_count(&work, play->rows, ROWS, &play->settings);
    assert_true(play->moments < MOMENTS);
    play->seen[play->moments].now_ns = play->now_ns;
    play->seen[play->moments++].left_ns = forecast_left_ns(&play->forecast, &work);
}

static bool is_done(const struct play *play, unsigned i)
{
    const struct settings *settings = &play->settings;
    const struct result *result = &play->rows[i].result;
    const unsigned min = (unsigned)settings->rounds_min;
    if (result->cell->stop.cycles)
        return result->rounds >= row_fixed_rounds(settings, result->cell);
    if (result->cell->stop.time_ns)
        return play->spent_ns[i] >= result->cell->stop.time_ns;
    return result->rounds >= settings->rounds_max ||
           (result->rounds >= min && (result->rounds - min) % EVERY == 0 &&
            judge_precise(result, settings->precision));
}

static void add_round(struct result *result, const double *recorded)
{
    result->round_ns[result->rounds] = recorded[result->rounds % RECORDED_ROUNDS];
    result->round_operations[result->rounds] = 100;
    result->sum.tally.operations += 100;
    result->rounds++;
}

static void run_part(struct play *play, unsigned part)
{
    const unsigned first = part * RECORDED_ROWS;
    uint64_t begin_ns;
    unsigned open = RECORDED_ROWS;
    play->now_ns += play->prepare_ns;
    begin_ns = play->now_ns;
    for (unsigned round = 0; open; round++)
        for (unsigned i = first; i < first + RECORDED_ROWS; i++) {
            struct result *result = &play->rows[i].result;
            if (result->state != RESULT_OPEN)
                continue;
            play->now_ns += (uint64_t)((double)play->slice_ns * play->slow[part]);
            play->spent_ns[i] += (uint64_t)((double)play->slice_ns * play->slow[part] * 0.9);
            if (round > 0 || result->cell->stop.cycles)
                add_round(result, play->rounds[i - first]);
            if (is_done(play, i)) {
                result->state = RESULT_CLOSED;
                open--;
            }
            look(play, part, begin_ns, UINT64_MAX);
        }
    play->measuring_ns += play->now_ns - begin_ns;
}

static struct play *make(const double (*rounds)[RECORDED_ROUNDS])
{
    static const struct storage_driver driver = {.kind = "nothing"};
    static const struct target target = {.driver = &driver};
    struct play *play = calloc(1, sizeof(*play));
    assert_non_null(play);
    *play = (struct play){.rounds = rounds,
                          .settings = {.rounds_min = 11, .rounds_max = 39, .precision = 0.025},
                          .slow = {1, 1},
                          .slice_ns = 22 * MS};
    for (unsigned i = 0; i < ROWS; i++) {
        play->cells[i] =
            (struct cell){.index = i, .threads = 1, .work = {.target = &target, .depth = 1}};
        play->rows[i].result.cell = &play->cells[i];
        play->rows[i].result.round_ns = calloc(10000, sizeof(double));
        play->rows[i].result.round_operations = calloc(10000, sizeof(double));
    }
    return play;
}

/* Replays it, checks the result and frees it. within: share of the total. */
static void check(struct play *play, double within)
{
    uint64_t last_ns = FORECAST_UNKNOWN;
    unsigned percent = 0, judged = 0;
    double worst = 0;
    for (unsigned part = 0; part < PARTS; part++)
        run_part(play, part);
    for (unsigned i = 0; i < play->moments; i++) {
        const double now = (double)play->seen[i].now_ns, all = (double)play->now_ns;
        const double left = (double)play->seen[i].left_ns;
        unsigned shown;
        assert_true(play->seen[i].left_ns <= last_ns); /* never grows */
        last_ns = play->seen[i].left_ns;
        if (last_ns == FORECAST_UNKNOWN) {
            assert_true(now < all / 4);
            continue;
        }
        shown = (unsigned)(100 * now / (now + left));
        assert_true(shown >= percent);
        percent = shown;
        if (now < all / 4)
            continue;
        judged++;
        if (now + left > all && (now + left) / all - 1 > worst)
            worst = (now + left) / all - 1;
        if (now + left < all && 1 - (now + left) / all > worst)
            worst = 1 - (now + left) / all;
    }
    print_message("%.1f s, %u moments, off by %.0f %% at most\n", (double)play->now_ns / 1e9,
                  judged, worst * 100);
    assert_true(judged > 10);
    assert_true(worst <= within);
    assert_true(percent >= 95);
    for (unsigned i = 0; i < ROWS; i++) {
        free(play->rows[i].result.round_ns);
        free(play->rows[i].result.round_operations);
    }
    free(play);
}

/* Parts that have to be prepared, or are slower; numbers of operations, and times, per row. */
static void the_time_left_is_known(void **state)
{
    static const struct {
        const char *remark;
        const double (*rounds)[RECORDED_ROUNDS];
        uint64_t prepare_ns, cycles, time_ns;
        double slow, within;
    } rows[] = {
        {"even, except single rounds that widen intervals", recorded_quiet, 0, 0, 0, 1, 0.2},
        {"a busy machine", recorded_busy, 0, 0, 0, 1, 0.1},
        {"preparation", recorded_quiet, 1000 * MS, 0, 0, 1, 0.2},
        {"a part that is somewhat slower", recorded_busy, 0, 0, 0, 1.3, 0.2},
        {"numbers of operations", recorded_busy, 0, 100000, 0, 1, 0.05},
        {"times per row", recorded_quiet, 0, 0, 2000 * MS, 1, 0.05},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct play *play = make(rows[i].rounds);
        print_message("%s: ", rows[i].remark);
        play->prepare_ns = rows[i].prepare_ns;
        play->slow[1] = rows[i].slow;
        for (unsigned row = 0; row < ROWS; row++) {
            play->cells[row].stop.cycles = rows[i].cycles;
            play->cells[row].stop.time_ns = rows[i].time_ns;
        }
        check(play, rows[i].within);
    }
}

static void a_limit_is_the_latest_end(void **state)
{
    struct forecast forecast = {.known = false};
    struct forecast_work work = {.rounds_done = 10,
                                 .rounds_left = 1000,
                                 .measuring_ns = 1000,
                                 .parts_done = 1,
                                 .elapsed_ns = 1000,
                                 .most_ns = 5000};
    assert_true(forecast_left_ns(&forecast, &work) == 5000);
    work.rounds_left = -1; /* unknown for a moment */
    assert_true(forecast_left_ns(&forecast, &work) == 5000);
    work.rounds_left = 1000;
    work.elapsed_ns = work.measuring_ns = 6000;
    work.most_ns = 0;
    assert_true(forecast_left_ns(&forecast, &work) == 0);
}

static void rounds_of_a_row(void **state)
{
    static const double even[] = {100, 101, 100, 99, 100, 101};
    static const double uneven[] = {100, 130, 90, 180, 60, 140}, alike[] = {91, 91, 91, 91, 91, 91};
    static const double few[] = {60, 60, 60, 60, 60, 60}; /* of 1000 operations */
    const struct settings limits = {.rounds_min = 11, .rounds_max = 39, .precision = 0.025};
    const struct settings fixed = {.rounds_min = 20, .rounds_max = 20, .precision = 0.025};
    assert_true(forecast_rounds(even, alike, 2, &limits) < 0);
    assert_true(forecast_rounds(even, alike, 6, &limits) == 11);
    assert_true(forecast_rounds(uneven, alike, 6, &limits) == 39);
    assert_true(forecast_rounds(even, few, 6, &limits) == 19);
    assert_true(forecast_rounds(even, alike, 0, &fixed) == 20);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_left_is_known),
        cmocka_unit_test(a_limit_is_the_latest_end),
        cmocka_unit_test(rounds_of_a_row),
    };
    return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}
