/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Whole sweeps on the scripted engine: order of rows, stop conditions, notes, interruptions. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/reference.h"
#include "run/sweep.h"
#include "unit/fake_async.h"
#include "unit/plan_fixture.h"
#include "unit/sweep_fixture.h"

static struct target *targets[1] = {&target};
static struct settings settings;
static struct sweep_outcome outcome;
static struct error err;

static void prepare(const struct fake_step *steps, unsigned count)
{
    fake_reset(steps, count);
    settings = defaults();
    settings.scan_given = false;
    memset(&seen, 0, sizeof(seen));
    seen.fail_at = -1;
    err = ERROR_INIT;
    settings.min_bytes = 512;
    settings.max_bytes = 2048;
    settings.file_bytes = 65536;
    settings.precision = 0.025;
    settings.max_errors = 100;
    settings.seed = 1;
    target = fake_target(lengths, 4, 65536);
}

static uint64_t end_ns; /* of the sweep; 0: none */

static int run(void)
{
    struct sink sink = {.begin = see_begin,
                        .row = see_row,
                        .slice = see_slice,
                        .finished = see_finished,
                        .part_end = see_part_end,
                        .end = see_end};
    struct sweep sweep = {.settings = &settings,
                          .plan = &plan,
                          .targets = targets,
                          .clock = &fake_clock,
                          .sinks = &sink,
                          .sink_count = 1,
                          .end_ns = end_ns,
                          .stop = &fake_script.stop};
    int result;

    assert_int_equal(plan_make(&settings, NULL, targets, &plan, &err), 0);
    result = sweep_run(&sweep, &outcome, &err);
    assert_int_equal(seen.begins, 1);
    if (seen.fail_at < 0) { /* every row is accounted for */
        assert_int_equal(seen.ends, 1);
        assert_int_equal(seen.rows, plan.cell_count);
        assert_int_equal(seen.part_ends, plan.part_count);
    } else { /* a sink that failed is not called again */
        assert_int_equal(seen.ends, 0);
        assert_int_equal(seen.rows, seen.fail_at + 1);
    }
    for (unsigned i = 0; i < seen.rows; i++)
        assert_int_equal(seen.index[i], i);
    assert_int_equal(fake_script.setups, fake_script.teardowns);
    plan_free(&plan);
    return result;
}

static const struct fake_step steady[] = {
    {.open_ns = 1000, .seek_ns = 500, .transfer_ns = 8000, .close_ns = 500}};

static uint64_t nothing_left(const struct target *of, enum io_test test, uint64_t size_bytes)
{
    return test == TEST_DELETE && size_bytes == 1024 && seen.part_ends > 0 ? 0 : UINT64_MAX;
}

static int64_t remove_object(void *ctx, uint32_t object)
{
    fake_now_ns += 1000;
    return 1024; /* the only size */
}

/* When a step has used up what a later one needs, the run ends; results are kept. */
static void what_is_used_up_ends_the_run(void **state)
{
    static struct storage_driver driver;
    static struct engine engine;
    for (int again = 0; again < 2; again++) {
        prepare(steady, 1);
        driver = target_fake;
        driver.left = nothing_left;
        target.driver = &driver;
        engine = engine_fake;
        engine.tests = 1u << TEST_DELETE | 1u << TEST_READ;
        engine.operate = remove_object;
        settings.engines[0] = &engine;
        settings.repetitions = 20;
        settings.min_bytes = settings.max_bytes = 1024;
        settings.tests =
            (struct steps){.count = 2, .step = {{.test = TEST_DELETE}, {.test = TEST_READ}}};
        if (again) { /* in another order nothing is missing */
            settings.tests.step[0].test = TEST_READ;
            settings.tests.step[1].test = TEST_DELETE;
        }
        assert_int_equal(run(), again ? 0 : -1);
        assert_int_equal(outcome.rows_complete, again ? 2 : 1);
        if (again)
            break;
        assert_int_equal(err.status, STATUS_TARGET);
        assert_string_equal(err.action, "no data are left for test");
        assert_string_equal(err.object, "read");
    }
}

static void steady_rows_close_after_the_least_rounds(void **state)
{
    prepare(steady, 1);
    assert_int_equal(run(), 0);
    assert_int_equal(outcome.rows_complete, 6);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_int_equal(seen.state[i], RESULT_CLOSED);
        assert_int_equal(seen.rounds[i], 11);
        assert_int_equal(seen.notes[i], 0);
        assert_true(seen.median[i] == 10000);
        /* 20 ms slices of 10 us operations */
        assert_int_equal(seen.operations[i], 11 * 2000);
        assert_int_equal(seen.time_ns[i], seen.operations[i] * 10000);
    }
    assert_int_equal(fake_prepares, 2);
    assert_int_equal(fake_rounds, 2 * 12); /* including the warm-up round */
}

static void repetitions_are_kept_to_the_cycle(void **state)
{
    static const uint64_t n[] = {1, 3, 4, 43, 44, 1000, 1001};
    static const unsigned rounds[] = {1, 1, 1, 10, 11, 11, 11};
    for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++) {
        prepare(steady, 1);
        settings.repetitions = n[i];
        assert_int_equal(run(), 0);
        for (unsigned r = 0; r < seen.rows; r++) {
            assert_int_equal(seen.operations[r], n[i]);
            assert_int_equal(seen.rounds[r], rounds[i]);
            assert_int_equal(seen.state[r], RESULT_CLOSED);
        }
        assert_int_equal(fake_script.opens, n[i] * seen.rows); /* not one more */
    }
}

static void unsteady_rows_are_wide(void **state)
{
    struct fake_step steps[997];
    unsigned wide = 0;
    struct rng rng;
    rng_seed(&rng, 3, 0);
    for (unsigned i = 0; i < 997; i++) /* 1 us to 1 ms, evenly on a logarithmic scale */
        steps[i] = (struct fake_step){.transfer_ns = UINT64_C(1000) << rng_below(&rng, 11)};
    prepare(steps, 997);
    assert_int_equal(run(), 0);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_int_equal(seen.state[i], RESULT_CLOSED);
        assert_true(seen.rounds[i] <= 39);
        /* wide rows, and only they, used all their rounds */
        assert_true(!(seen.notes[i] & NOTE_WIDE) || seen.rounds[i] == 39);
        wide += (seen.notes[i] & NOTE_WIDE) != 0;
    }
    assert_true(wide > 0);
    /* each row was reported as soon as it was finished, regardless of the order */
    assert_int_equal(seen.finished_count, seen.rows);
    for (unsigned i = 1; i < seen.finished_count; i++) {
        const unsigned a = seen.finished[i - 1], b = seen.finished[i];
        assert_true(plan_part[a] != plan_part[b] || seen.rounds[a] <= seen.rounds[b]);
    }
    assert_int_equal(outcome.rows_incomplete, 0);
}

static void time_limits_hold(void **state)
{
    static const struct fake_step slow[] = {{.transfer_ns = 30000000}};
    prepare(steady, 1);
    settings.cell_time_ns = 500000000;
    assert_int_equal(run(), 0);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_true(seen.time_ns[i] >= 500000000);
        assert_true(seen.time_ns[i] < 560000000);
    }

    prepare(steady, 1);
    end_ns = fake_now_ns + 1200000000; /* 0.2 s a row: 10 rounds at most */
    assert_int_equal(run(), 0);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_true(seen.rounds[i] >= 6 && seen.rounds[i] <= 11);
        assert_int_equal(seen.state[i], RESULT_CLOSED);
    }
    assert_true(fake_now_ns < 1300000000);

    /* Too short for the usual warm-up: incomplete rows are better than none. */
    for (uint64_t limit_ms = 200; limit_ms <= 600; limit_ms += 100) {
        prepare(slow, 1);
        end_ns = fake_now_ns + limit_ms * 1000000;
        assert_int_equal(run(), 0);
        for (unsigned i = 0; i < seen.rows; i++) {
            assert_int_equal(seen.state[i], RESULT_CLOSED);
            assert_int_equal(seen.stop[i], STOP_TIME);
            assert_true(seen.rounds[i] > 0 && seen.operations[i] > 0);
            assert_int_equal(seen.time_ns[i], seen.operations[i] * 30000000);
        }
        assert_true(fake_now_ns < (limit_ms + 2 * 30) * 1000000);
    }

    prepare(steady, 1);
    settings.repetitions = 1000000;
    end_ns = fake_now_ns + 60000000;
    assert_int_equal(run(), 0); /* the first limit reached ends a row, and each has its share */
    assert_int_equal(outcome.rows_complete, 6);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_int_equal(seen.stop[i], STOP_TIME);
        assert_true(seen.operations[i] > 0 && seen.operations[i] < 1000000);
    }
}

static uint64_t caching_ns;

/* Gives up like a driver. */
static int cache_slowly(struct target *of, enum cache_mode mode, enum io_test test,
                        struct error *why)
{
    if (of->prepare_end_ns && fake_now_ns + caching_ns > of->prepare_end_ns) {
        fake_now_ns = of->prepare_end_ns;
        return error_set(why, STATUS_PARTIAL, ETIMEDOUT, "no time is left for preparing", "there");
    }
    fake_now_ns += caching_ns;
    return 0;
}

/* --max-time includes preparation: a part without time for it has rows without figures. */
static void a_limit_of_all_holds_for_preparing(void **state)
{
    static struct storage_driver driver;
    static const struct {
        uint64_t caching_ms;
        unsigned complete;
    } cases[] = {{100, 6}, {400, 3}, {600, 0}};
    driver = target_fake;
    driver.prepare = cache_slowly;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prepare(steady, 1);
        target.driver = &driver;
        caching_ns = cases[i].caching_ms * 1000000;
        end_ns = fake_now_ns + 1000000000;
        assert_int_equal(run(), 0);
        assert_true(fake_now_ns < end_ns + 1000000);
        assert_int_equal(outcome.rows_complete, cases[i].complete);
        assert_int_equal(outcome.rows_incomplete, 6 - cases[i].complete);
        for (unsigned r = cases[i].complete; r < 6; r++) {
            assert_int_equal(seen.stop[r], STOP_TIME);
            assert_int_equal(seen.operations[r], 0);
        }
    }
    /* operations longer than a slice count from the first one on */
    {
        static const struct fake_step slow[] = {{.transfer_ns = 150000000}};
        uint64_t begin_ns, spent_ns = 0;

        prepare(slow, 1);
        begin_ns = fake_now_ns;
        settings.caches.index[0] = CACHE_ASIS;
        settings.cell_time_ns = 400000000;
        end_ns = fake_now_ns + UINT64_C(5000000000);
        assert_int_equal(run(), 0);
        assert_int_equal(outcome.rows_complete, 6);
        for (unsigned r = 0; r < 6; r++) {
            assert_true(seen.operations[r] >= 3 && seen.operations[r] <= 4);
            spent_ns += seen.time_ns[r];
        }
        assert_int_equal(fake_now_ns - begin_ns, spent_ns); /* none was dropped */
    }
    /* without a limit, preparation is not part of the rows' time and may take arbitrarily long */
    end_ns = 0;
    prepare(steady, 1);
    target.driver = &driver;
    assert_int_equal(run(), 0);
    assert_int_equal(outcome.rows_complete, 6);
    assert_true(fake_now_ns > 2 * caching_ns);
}

static void an_interruption_keeps_what_is_there(void **state)
{
    static const int moments[] = {1, 5, 100, 3000, 40000, 90000, 131000};
    for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
        prepare(steady, 1);
        fake_script.stop_after = moments[i];
        assert_int_equal(run(), 0);
        assert_true(outcome.rows_incomplete > 0);
        assert_int_equal(outcome.rows_complete + outcome.rows_incomplete, 6);
        assert_int_equal((int)fake_script.transfers, moments[i]); /* ends within the operation */
        for (unsigned r = 0; r < seen.rows; r++)
            if (seen.state[r] != RESULT_CLOSED)
                assert_true(seen.notes[r] & NOTE_INCOMPLETE);
    }
}

/* Operations take base_ns, distributed lognormally with that sigma or (below 0) exponentially, a
 * share of them `factor` times as long; their rate oscillates every 200 ms, or randomly with a
 * correlation of some slices. */
static const struct mixture {
    double base_ns, sigma, share, factor, wave, noise;
} mixtures[] = {{2e5, 0, 0, 1, 0, 0},       {2e5, -1, 0, 1, 0, 0},
                {2e5, 0.5, 0, 1, 0, 0},     {2e5, 1.2, 0, 1, 0, 0},
                {2e5, 0.2, 0.01, 50, 0, 0}, {4e4, 0.2, 0.001, 500, 0, 0},
                {2e5, 0.2, 0.05, 20, 0, 0}, {2e5, 0.1, 0.5, 10, 0, 0},
                {2e5, 0.3, 0, 1, 0.2, 0},   {2e5, 0.3, 0, 1, 0, 0.1}};
static const struct mixture *mixture;
static struct rng drawn;

static double uniform(void)
{
    return ((double)(rng_next(&drawn) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform());
}

static int64_t draw(void *ctx, struct io *io)
{
    static uint64_t step;
    static double noise;
    double ns = mixture->base_ns * (uniform() < mixture->share ? mixture->factor : 1);

    for (; step != fake_now_ns / 20000000; step = fake_now_ns / 20000000)
        noise = 0.5 * noise + sqrt(0.75) * mixture->noise * normal();
    ns *= mixture->sigma < 0 ? -log(uniform())
                             : exp(mixture->sigma * (normal() - mixture->sigma / 2));
    ns *= exp(noise + mixture->noise * mixture->noise / 2); /* so that the mean of rates is 1 */
    ns /= 1 + mixture->wave * sin(6.283185307 * (double)fake_now_ns / 2e8);
    fake_now_ns += (uint64_t)(ns + 0.5);
    return 512;
}

/* In 90 of 100 rows, of one mixture 86, that contain ten slow operations; a row with fewer reports
 * that, and is not closed for its precision. */
static void intervals_contain_the_mean(void **state)
{
    struct engine engine = engine_fake_pread;
    unsigned low = 0, few = 0;

    engine.phases = 1u << PHASE_TRANSFER;
    engine.read = draw;
    for (size_t i = 0; i < sizeof(mixtures) / sizeof(*mixtures); i++) {
        unsigned hits = 0, rows = 0;
        double mean_ns;
        mixture = &mixtures[i];
        mean_ns = mixture->base_ns * (1 + mixture->share * (mixture->factor - 1));
        prepare(NULL, 0);
        rng_seed(&drawn, 1, i);
        settings.min_bytes = settings.max_bytes = 512;
        settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
        settings.repeats = ROWS_MAX;
        settings.engines[0] = &engine;
        seen.slow_ns = mixture->base_ns * mixture->factor / 4;
        assert_int_equal(run(), 0);
        for (unsigned r = 0; r < seen.rows; r++) {
            if (mixture->share == 0 || seen.slow[r] >= 10) {
                rows++;
                hits += seen.low[r] <= mean_ns && mean_ns <= seen.high[r];
            } else if (seen.slow[r] > 0) {
                few++;
                assert_true(seen.notes[r] & NOTE_FEW_SLOW && seen.stop[r] != STOP_PRECISION);
            }
        }
        if (hits < 0.9 * rows)
            print_message("mixture %zu: %u of %u\n", i, hits, rows);
        assert_true(rows > ROWS_MAX / 2 && hits >= 0.86 * rows);
        low += hits < 0.9 * rows;
    }
    assert_true(few > 0 && low <= 1);
}

/* When the ring stalls, and for how long. */
static struct {
    uint64_t at, ns;
} outage;

static int64_t have_outage(enum async_step step, uint64_t nth, int64_t good)
{
    if (step == ASYNC_READ && nth == outage.at)
        fake_now_ns += outage.ns;
    return good;
}

/* Reads of 4 KiB, four at a time, of 100 us, for a given time. Round 0 takes 336 of them. */
static void prepare_ring(uint64_t time_ns)
{
    static uint64_t four = 4;

    prepare(steady, 1);
    fake_ring_reset(0, 100000, 0);
    fake_ring.result = have_outage;
    settings.min_bytes = settings.max_bytes = 4096;
    settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    settings.engines[0] = &engine_fake_ring;
    settings.depths = (struct units_list){.value = &four, .count = 1};
    settings.cell_time_ns = time_ns;
}

/* Whether it affects the first, the last or other operations of a slice. */
static void an_outage_counts_wherever_it_comes(void **state)
{
    const uint64_t time_ns = 600000000, round_0 = 336;
    uint64_t begun_ns;
    for (uint64_t at = 4000; at < 4900; at += 3) { /* more than a slice of 20 ms */
        prepare_ring(time_ns);
        outage.at = round_0 + at;
        outage.ns = 300000000;
        begun_ns = fake_now_ns;
        assert_int_equal(run(), 0);
        assert_int_equal(outcome.rows_complete, 1);
        assert_within(seen.time_ns[0], seen.operations[0] * 25000 + outage.ns - 100000,
                      seen.operations[0] * 25000 + outage.ns);
        assert_within(fake_now_ns - begun_ns, time_ns, time_ns + time_ns / 5);
    }
}

/* A given time is used exactly once, however long operations are. It is divided into slices of 50
 * latencies or, if these are fewer than eleven, into eleven of at least 20, or into four. */
static void a_time_is_kept(void **state)
{
    static const uint64_t op_ns[] = {5000, 1000000, 3000000, 20000000, 50000000, 200000000};
    static const unsigned rounds[] = {39, 19, 11, 4, 4, 3};
    for (size_t i = 0; i < sizeof(op_ns) / sizeof(*op_ns); i++) {
        uint64_t begun_ns;
        prepare_ring(1000000000);
        outage.ns = 0;
        fake_ring.step_ns[ASYNC_READ] = op_ns[i];
        begun_ns = fake_now_ns;
        assert_int_equal(run(), 0);
        assert_int_equal(outcome.rows_complete, 1);
        assert_int_equal(seen.time_ns[0], seen.operations[0] * op_ns[i] / 4);
        assert_int_equal(seen.rounds[0], rounds[i]);
        /* round 0 takes four operations in each slot */
        assert_within(fake_now_ns - begun_ns, 1000000000, 1200000000 + 6 * op_ns[i]);
    }
}

static void errors_are_counted_and_limited(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 10000},
                                             {.transfer_ns = 10000},
                                             {.transfer_ns = 5000, .transfer_result = -EIO}};
    uint64_t failed = 0;
    prepare(steps, 3);
    settings.max_errors = 0;
    settings.repetitions = 300;
    assert_int_equal(run(), 0);
    for (unsigned i = 0; i < seen.rows; i++) {
        assert_int_equal(seen.operations[i] + seen.failed[i], 300);
        /* failures do not count as operations, but their time counts */
        assert_int_equal(seen.time_ns[i], seen.operations[i] * 10000 + seen.failed[i] * 5000);
        failed += seen.failed[i];
    }
    assert_int_equal(failed, 600);
    assert_int_equal(outcome.failed, 600);
    failed = 0;
    assert_non_null(strstr(outcome.first[TROUBLE_FAILED], "cannot write"));

    prepare(steps, 3);
    settings.max_errors = 3;
    assert_int_equal(run(), 0);
    for (unsigned i = 0; i < seen.rows; i++)
        failed += seen.failed[i];
    assert_int_equal(failed, 3);
    assert_int_equal(outcome.failed, 3);
    assert_true(outcome.gave_up);
    assert_int_equal(outcome.rows_complete, 0);
}

static void all_operations_failing_still_ends(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 2000000, .open_result = -ENOENT}};
    prepare(steps, 1);
    settings.max_errors = 0;
    assert_int_equal(run(), 0);
    assert_true(outcome.failed > 0);
    for (unsigned i = 0; i < seen.rows; i++)
        assert_int_equal(seen.operations[i], 0);

    prepare(steps, 1);
    settings.max_errors = 0;
    settings.cell_time_ns = 100000000;
    assert_int_equal(run(), 0);
}

static void skipped_sizes_are_rows(void **state)
{
    prepare(steady, 1);
    settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    for (int i = 0; i < 4; i++)
        lengths[i] = 1500;
    assert_int_equal(run(), 0);
    assert_int_equal(outcome.rows_skipped, 1);
    assert_int_equal(seen.state[2], RESULT_SKIPPED);
    assert_int_equal(seen.state[0], RESULT_CLOSED);
    assert_int_equal(seen.operations[2], 0);
}

static void results_that_cannot_be_written_end_the_run(void **state)
{
    prepare(steady, 1);
    seen.fail_at = 1;
    assert_int_equal(run(), -1);
    assert_int_equal(err.errnum, ENOSPC);
}

static void the_loop_cost_is_measured(void **state)
{
    assert_true(reference_loop_ns(&clock_monotonic) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_rows_close_after_the_least_rounds),
        cmocka_unit_test(what_is_used_up_ends_the_run),
        cmocka_unit_test(repetitions_are_kept_to_the_cycle),
        cmocka_unit_test(unsteady_rows_are_wide),
        cmocka_unit_test(time_limits_hold),
        cmocka_unit_test(a_limit_of_all_holds_for_preparing),
        cmocka_unit_test(an_interruption_keeps_what_is_there),
        cmocka_unit_test(intervals_contain_the_mean),
        cmocka_unit_test(an_outage_counts_wherever_it_comes),
        cmocka_unit_test(a_time_is_kept),
        cmocka_unit_test(errors_are_counted_and_limited),
        cmocka_unit_test(all_operations_failing_still_ends),
        cmocka_unit_test(skipped_sizes_are_rows),
        cmocka_unit_test(results_that_cannot_be_written_end_the_run),
        cmocka_unit_test(the_loop_cost_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
