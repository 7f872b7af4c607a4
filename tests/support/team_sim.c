/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_sim.c - see team_sim.h. */
#include "base/compat.h"

#include "support/team_sim.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/mem.h"
#include "unit/cmocka_all.h"
#include "unit/plan_fixture.h"

#define FILES     4
#define FILE_SIZE 65536

static struct fake_step step; /* what an operation of rank 0 takes */
static struct target *targets[1] = {&target};

/* --- slices --------------------------------------------------------------------------------- */

/* A slice begins: what operations take in it. */
static void begin_slice(struct team_sim *sim)
{
    sim->begun_ns = sim->seen.at_ns;
    sim->slices++;
    for (uint32_t r = 0; r < sim->script.size; r++)
        sim->slice_op_ns[r] = sim->op_ns[r] * (sim->noise ? sim->noise(sim->noise_arg, r) : 1);
    step.transfer_ns = (uint64_t)(sim->slice_op_ns[0] + 0.5);
    sim->slice_op_ns[0] = (double)step.transfer_ns;
}

/* Whoever looks at the clock to wait for the moment at which all begin finds that it has come. */
static uint64_t read_clock(void *arg)
{
    struct team_sim *sim = arg;

    if (sim->seen.at_ns && sim->seen.at_ns != sim->begun_ns) {
        begin_slice(sim);
        if (fake_now_ns < sim->begun_ns)
            fake_now_ns = sim->begun_ns;
    }
    return fake_now_ns;
}

static bool in_trouble(const struct team_sim *sim, uint32_t rank)
{
    return sim->trouble.slice && sim->slices == sim->trouble.slice && rank == sim->trouble.rank;
}

/* --- what simulated ranks report ------------------------------------------------------------ */

/* The first operation warms up; the one that is under way when time is over is the last. */
static void do_clocks(const struct team_sim *sim, const struct team_scripted_heard *heard,
                      struct slice_sum *sum, struct team_report *report)
{
    const double op_ns = sim->slice_op_ns[heard->rank];
    const double end_ns = (double)(heard->at_ns + sim->order.slice.duration_ns);
    const double began_ns = (double)heard->begin_ns + op_ns;
    const double done = began_ns < end_ns ? ceil((end_ns - began_ns) / op_ns) : 1;

    sum->tally.operations = (uint64_t)done;
    sum->slots = 1;
    sum->slot_ns = sum->time_ns = sum->flight_ns = (uint64_t)(done * op_ns + 0.5);
    report->ended_ns = (uint64_t)(began_ns + done * op_ns + 0.5);
    sum->elapsed_ns = report->ended_ns - heard->begin_ns;
}

/* So many operations. */
static void do_cycles(const struct team_sim *sim, const struct team_scripted_heard *heard,
                      struct slice_sum *sum, struct team_report *report)
{
    const double op_ns = sim->slice_op_ns[heard->rank];
    uint64_t done = sim->order.slice.cycles;

    if (sim->order.slice.duration_ns && (double)done * op_ns > (double)sim->order.slice.duration_ns)
        done = (uint64_t)ceil((double)sim->order.slice.duration_ns / op_ns);
    sum->tally.operations = done;
    sum->slots = 1;
    sum->slot_ns = sum->time_ns = sum->elapsed_ns = sum->flight_ns =
        (uint64_t)((double)done * op_ns);
    report->ended_ns = heard->begin_ns + sum->time_ns;
}

/* Ranks word their failures themselves. */
static void fail_some(const struct team_sim *sim, struct slice_sum *sum)
{
    if (!sim->trouble.failed)
        return;
    sum->tally.failed = sim->trouble.failed;
    sum->tally.first_errno = EIO;
    sum->tally.first_phase = PHASE_TRANSFER;
    snprintf(sum->first[TROUBLE_FAILED], TROUBLE_BYTES, "rank %u (host%u): cannot read o: fault",
             sim->trouble.rank, sim->trouble.rank);
}

static void report_slice(struct team_sim *sim, const struct team_scripted_heard *heard,
                         struct team_report *report, struct slice_sum *sum)
{
    const double op_ns = sim->slice_op_ns[heard->rank];
    uint64_t *kept = &sim->kept[(size_t)sim->order.index * sim->script.size + heard->rank];

    sum->io_known = true;
    sum->slices = sum->threads = 1;
    (sim->order.slice.clocks ? do_clocks : do_cycles)(sim, heard, sum, report);
    if (in_trouble(sim, heard->rank)) {
        fail_some(sim, sum);
        report->signum = sim->trouble.signum;
    }
    sum->cycles = sum->fewest = sum->most = sum->tally.operations + sum->tally.failed;
    if (sum->tally.operations) {
        sum->tally.min_ns = sum->tally.max_ns = (uint64_t)op_ns;
        sum->tally.sum_ns = (uint64_t)((double)sum->tally.operations * op_ns);
    }
    if (sim->order.slice.counts)
        *kept += sum->tally.operations;
    report->began_ns = heard->begin_ns - (uint64_t)heard->offset_ns;
    report->ended_ns -= (uint64_t)heard->offset_ns;
    report->late_ns = heard->begin_ns - heard->at_ns;
    report->pace = (struct row_pace){.reach_ns = (uint64_t)op_ns,
                                     .count = sum->tally.operations,
                                     .sum_ns = (double)sum->tally.sum_ns};
}

/* What is asked for is known by its size: an error (see team.c), a report, a report of a
 * slice with its sum. */
static void say(void *arg, const struct team_scripted_heard *heard, void *out, size_t bytes)
{
    struct team_sim *sim = arg;
    struct team_report *report = out;

    _Static_assert(sizeof(struct error) != sizeof(*report) + SLICE_SUM_HEAD_BYTES, "by its size");
    memset(out, 0, bytes);
    if (bytes == sizeof(struct error)) {
        struct error none = ERROR_INIT;
        if (sim->trouble.unready && heard->rank == sim->trouble.rank && sim->slices)
            error_set(&none, STATUS_TARGET, 0, sim->trouble.unready, NULL);
        memcpy(out, &none, sizeof(none));
        return;
    }
    report->left = UINT64_MAX;
    if (bytes == sizeof(*report))
        return;
    assert(bytes == sizeof(*report) + SLICE_SUM_HEAD_BYTES);
    ((struct slice_sum *)(void *)(report + 1))->tally.min_ns = UINT64_MAX;
    if (heard->at_ns)
        report_slice(sim, heard, report, (struct slice_sum *)(void *)(report + 1));
    else if (sim->trouble.unready && heard->rank == sim->trouble.rank)
        report->flags = REPORT_BROKEN;
}

static void hear(void *arg, const void *order, size_t bytes)
{
    struct team_sim *sim = arg;

    if (bytes != sizeof(sim->order))
        return;
    memcpy(&sim->order, order, bytes);
}

/* The histogram of latencies comes first. */
static void add(void *arg, const struct team_scripted_heard *heard, uint64_t *values, size_t count)
{
    const struct team_sim *sim = arg;
    const size_t at = hist_index((uint64_t)sim->op_ns[heard->rank]);

    assert(sim->order.kind == ORDER_ROW && at < count);
    values[at] += sim->kept[(size_t)sim->order.index * sim->script.size + heard->rank];
}

/* A start in which that rank is not ready: slices are counted by their starts. */
static void add_event(struct team_sim *sim, struct team_script *script)
{
    if (!sim->trouble.unready)
        return;
    sim->events = mem_calloc(script->event_count + 1, sizeof(*sim->events));
    if (script->event_count)
        memcpy(sim->events, script->events, script->event_count * sizeof(*sim->events));
    sim->events[script->event_count++] = (struct team_scripted_event){.call = TEAM_CALL_START,
                                                                      .nth = sim->trouble.slice,
                                                                      .what = TEAM_NOT_READY,
                                                                      .rank = sim->trouble.rank};
    script->events = sim->events;
}

/* --- the sweep ------------------------------------------------------------------------------ */

static int see_row(void *arg, const struct result *result, struct error *err)
{
    struct team_sim *sim = arg;

    if (sim->row)
        sim->row(sim->row_arg, result);
    return 0;
}

void team_sim_init(struct team_sim *sim, uint32_t size, const double *op_ns)
{
    *sim = (struct team_sim){.op_ns = op_ns, .script = {.size = size, .usual = {.rtt_ns = 100000}}};
    sim->settings = defaults();
    sim->settings.scan_given = false;
    sim->settings.min_bytes = sim->settings.max_bytes = 512;
    sim->settings.tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    sim->settings.engines[0] = &engine_fake_pread;
    sim->settings.file_bytes = FILE_SIZE;
    sim->settings.precision = 0.025;
    sim->settings.max_errors = 100;
    sim->settings.seed = 1;
    sim->settings.ranks = size;
}

int team_sim_run(struct team_sim *sim)
{
    const struct clock clock = {.now_ns = read_clock, .arg = sim};
    struct sink sink = {.row = see_row, .arg = sim};
    struct sweep sweep = {.settings = &sim->settings,
                          .plan = &sim->plan,
                          .targets = targets,
                          .clock = &clock,
                          .sinks = &sink,
                          .sink_count = 1,
                          .stop = &fake_script.stop};
    struct team *team;
    int result;

    step = (struct fake_step){.transfer_ns = (uint64_t)sim->op_ns[0]};
    fake_reset(&step, 1);
    target = fake_target(lengths, FILES, FILE_SIZE);
    sim->err = ERROR_INIT;
    if (plan_make(&sim->settings, NULL, targets, &sim->plan, &sim->err) < 0)
        return -1;
    sim->slice_op_ns = mem_calloc(sim->script.size, sizeof(*sim->slice_op_ns));
    sim->kept = mem_calloc((size_t)sim->plan.cell_count * sim->script.size, sizeof(*sim->kept));
    sim->script.now_ns = &fake_now_ns;
    sim->script.stop = &fake_script.stop;
    sim->script.say = say;
    sim->script.hear = hear;
    sim->script.add = add;
    sim->script.arg = sim;
    sim->script.seen = &sim->seen;
    add_event(sim, &sim->script);
    team = team_scripted(&sim->script);
    sweep.team = team;
    result = sweep_run(&sweep, &sim->outcome, &sim->err);
    team->leave(team, sim->err.status);
    plan_free(&sim->plan);
    free(sim->slice_op_ns);
    free(sim->kept);
    free(sim->events);
    return result;
}
