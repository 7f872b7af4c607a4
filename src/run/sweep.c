/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep.c - the order of measuring. A part (cache mode, loop, step and repeat) is prepared once;
 * then each round runs one slice of all its open cells in a new random order, so that a disturbance
 * of the machine affects all cells alike. sweep_prepare.c prepares targets, row.c measures a single
 * slice, judge.c judges a row. */
#include "base/compat.h"

#include "os/os.h"
#include "run/sweep_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/rng.h"
#include "run/forecast.h"
#include "run/judge.h"
#include "run/reference.h"
#include "run/row.h"
#include "run/series.h"
#include "run/team_work.h"
#include "run/worker.h"

#define PROGRESS_EVERY_NS UINT64_C(100000000)
#define STREAM_SHUFFLE    UINT64_C(0x73687566)

static void count_row(struct sweep_outcome *outcome, const struct result *result)
{
    const struct tally *tally = &result->sum.tally;

    if (target_can(result->cell->work.target, TARGET_REQUESTS))
        outcome->counted += tally->operations + tally->failed + tally->short_count;
    switch (result->state) {
    case RESULT_CLOSED:
        outcome->rows_complete++;
        break;
    case RESULT_SKIPPED:
        outcome->rows_skipped++;
        /* rows skipped as a consequence come later */
        if (!outcome->skip ||
            !(result->cell->created || strcmp(result->cell->skip, NOT_FILLED) == 0))
            outcome->skip = result->cell->skip;
        break;
    default:
        outcome->rows_incomplete++;
    }
}

/* Passes to the sinks all closed rows without an open row before them. */
static void flush_rows(struct run *run)
{
    const struct plan *plan = run->sweep->plan;

    while (run->next_row < plan->cell_count &&
           run->rows[run->next_row].result.state != RESULT_OPEN) {
        struct row *row = &run->rows[run->next_row++];
        const bool last = run->next_row == plan->cell_count ||
                          (plan->cells[run->next_row].part != row->result.cell->part &&
                           !plan->cells[run->next_row].goes_on);
        count_row(run->m.outcome, &row->result);
        SINKS_CALL(&run->sinks, run->m.broken, row, &row->result, run->m.err);
        if (last)
            SINKS_CALL(&run->sinks, run->m.broken, part_end, run->m.err);
        row_forget_rounds(row); /* frees the rounds; histograms are small */
    }
}

/* --- a part --------------------------------------------------------------------------------- */

static void report_progress(struct run *run, const struct part *part)
{
    const struct plan *plan = run->sweep->plan;
    const uint64_t t = run_now(run);
    struct progress progress = {.row = &run->rows[part->latest].result,
                                .rounds_done = part->round,
                                .rounds_most = part->rounds_most,
                                .elapsed_ns = t - run->m.begin_ns};
    struct forecast_work work;

    if (t - run->progress_ns < PROGRESS_EVERY_NS)
        return; /* there may be thousands of rows, and this is called after each slice */
    run->progress_ns = t;
    for (unsigned i = 0; i < plan->cell_count; i++) {
        const enum result_state state = run->rows[i].result.state;
        progress.rows_all += state != RESULT_SKIPPED;
        progress.rows_done += state == RESULT_CLOSED || state == RESULT_INCOMPLETE;
    }
    work = (struct forecast_work){.parts_done = part->number + 1,
                                  .parts_left = plan->part_count - part->number - 1,
                                  .measuring_ns = run->measuring_ns + (t - part->begin_ns),
                                  .elapsed_ns = progress.elapsed_ns,
                                  .most_ns = UINT64_MAX};
    if (run->m.end_ns != UINT64_MAX)
        work.most_ns = number_minus(run->m.end_ns, t);
    forecast_count(&work, run->rows, plan->cell_count, run->sweep->settings);
    progress.left_ns = forecast_left_ns(&run->forecast, &work);
    SINKS_TELL(&run->sinks, progress, &progress);
}

static void close_row(struct run *run, struct part *part, struct row *row, enum result_state state,
                      enum result_stop stop)
{
    struct result *result = &row->result;
    struct judge_facts facts = {.clock_cost_ns = run->sweep->clock_quality.cost_ns,
                                .precision = run->sweep->settings->precision,
                                .paced = run->sweep->settings->rate > 0};

    if (run->m.lead && !team_lead_row(&run->m, row))
        state = RESULT_INCOMPLETE;
    result->state = state;
    result->stop = stop;
    row_settle(row);
    judge_row(result, &facts);
    if (run->sweep->settings->repeats > 1 && result->cell->repeat == 1)
        result->notes |= NOTE_COLD;
    if (row->hurried && result->rounds && result->rounds <= 2 * SLICES_LEAST)
        result->notes |= NOTE_FEW_ROUNDS;
    if (result->cell->created)
        result->notes |= NOTE_CREATED;
    if (OS_DIRECT_ADVISORY && result->cell->work.cache == CACHE_DIRECT &&
        !(result->cell->engine->capabilities & ENGINE_VIRTUAL))
        result->notes |= NOTE_NOCACHE;
    part->open--;
    SINKS_TELL(&run->sinks, finished, result);
}

static void close_finished(struct run *run, struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++) {
        struct row *row = &run->rows[i];
        enum result_state state;
        enum result_stop stop;
        if (!row_is_open(row))
            continue;
        stop = row_finished(run->sweep->settings, row, part->round);
        if (stop == STOP_UNKNOWN)
            continue;
        state = row_end_state(row, stop);
        close_row(run, part, row, state, stop);
        if (row->mate)
            close_row(run, part, row->mate, state, stop);
    }
    flush_rows(run);
}

/* Assigns rows that are compared round by round to a group, numbered by its first row. */
static void group_rows(struct run *run, const struct part *part)
{
    const struct cell *cells = run->sweep->plan->cells;

    for (unsigned i = part->first, k; i < part->end; i++) {
        for (k = part->first; cell_unlike(&cells[k], &cells[i]) & ~(unsigned)CELL_PAIRED; k++)
            ;
        run->group[i] = k;
    }
}

static void swap_rows(unsigned *order, unsigned i, unsigned k)
{
    const unsigned keep = order[i];

    order[i] = order[k];
    order[k] = keep;
}

/* Fisher-Yates over the open rows; then moves each group together at its first row: slices close in
 * time share most disturbances. */
static unsigned shuffle_open(struct run *run, const struct part *part)
{
    unsigned n = 0;

    for (unsigned i = part->first; i < part->end; i++)
        if (row_is_open(&run->rows[i]))
            run->order[n++] = i;
    for (unsigned i = n; i > 1; i--)
        swap_rows(run->order, i - 1, (unsigned)rng_below(&run->shuffle, i));
    for (unsigned i = 0; i + 1 < n; i++) {
        const unsigned group = run->group[run->order[i]];
        for (unsigned k = i + 1; k < n; k++)
            if (run->group[run->order[k]] == group)
                swap_rows(run->order, ++i, k);
    }
    return n;
}

static void run_round(struct run *run, struct part *part)
{
    const unsigned n = shuffle_open(run, part);

    if (prepare_round(run, part) < 0)
        return;
    for (unsigned i = 0; i < n && !measure_part_ended(&run->m) && run_now(run) < run->m.part_end_ns;
         i++) {
        struct row *row = &run->rows[run->order[i]];
        run->m.open = n - i;
        /* A fixed number of repetitions needs no calibration and is exact. */
        if (part->round == 0 && row->result.cell->stop.cycles)
            continue;
        if (part->round == 0)
            row_calibrate(&run->m, row);
        else
            row_measure(&run->m, row, part->round);
        if (run->m.series && series_failed(run->m.series))
            run->m.broken = true;
        part->latest = run->order[i];
        report_progress(run, part);
    }
}

/* Why the run ends with open rows. */
static enum result_stop why_ended(const struct run *run)
{
    if (flag_read(run->sweep->stop))
        return STOP_SIGNAL;
    if (run->m.exhausted)
        return STOP_EXHAUSTED;
    if (run->part_late)
        return STOP_TIME;
    return measure_part_ended(&run->m) || run->part_unready ? STOP_ERRORS : STOP_TIME;
}

/* Whether an earlier row of test fill ended early: no row may begin after a gap in the file. */
static bool is_cut(const struct run *run, const struct part *part)
{
    return run->sweep->plan->cells[part->first].goes_on &&
           run->rows[part->first - 1].result.state != RESULT_CLOSED;
}

/* Closes the open rows when time is up or the run was stopped. If time is up, rows with figures are
 * complete: they contain as much as fits into it. */
static void close_rest(struct run *run, struct part *part)
{
    const enum result_stop stop =
        is_cut(run, part) ? run->rows[part->first - 1].result.stop : why_ended(run);

    for (unsigned i = part->first; i < part->end; i++) {
        struct row *row = &run->rows[i];
        if (row->result.state == RESULT_OPEN)
            close_row(run, part, row,
                      stop == STOP_TIME && !row_lacks(row) ? RESULT_CLOSED : RESULT_INCOMPLETE,
                      stop);
    }
    flush_rows(run);
}

/* The maximum of rounds of a row of the part; 0: unknown, limited by time. */
static unsigned most_rounds(const struct run *run, const struct part *part)
{
    const struct settings *settings = run->sweep->settings;
    unsigned most = 1;

    for (unsigned i = part->first; i < part->end; i++) {
        const struct cell *cell = &run->sweep->plan->cells[i];
        const unsigned rounds =
            cell->stop.cycles ? row_fixed_rounds(settings, cell) : (unsigned)settings->rounds_max;
        if (cell->stop.time_ns)
            return 0;
        most = rounds > most ? rounds : most;
    }
    return most;
}

static bool any_calibrates(const struct run *run, const struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++)
        if (run->rows[i].result.state == RESULT_OPEN && !run->sweep->plan->cells[i].stop.cycles)
            return true;
    return false;
}

/* After a failed write, later rows of that file would leave a hole. */
static void end_fill(struct run *run, const struct part *part)
{
    const struct row *row = &run->rows[part->first];
    const struct target *target = row->result.cell->work.target;
    const struct tally *tally = &row->result.sum.tally;

    if (!row->result.cell->fills || (!tally->failed && !tally->short_count))
        return;
    run->m.step_gave_up = false;
    run->m.broken = true;
    error_refuse(run->m.err, STATUS_PARTIAL,
                 target_can(target, TARGET_SHAPED)
                     ? "test fill ended before the file was full:"
                     : "test fill ended before all objects were written:",
                 target->label, "make room, or write less: --file-size (-l), --objects");
}

/* Closes rows without any object of test create of their size. */
static void close_empty(struct run *run, struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++) {
        struct row *row = &run->rows[i];
        if (!row_is_open(row) || !row->result.cell->created || row->result.cell->work.object_count)
            continue;
        close_row(run, part, row, RESULT_INCOMPLETE, STOP_EXHAUSTED);
        run->m.outcome->rows_empty++;
    }
    flush_rows(run);
}

static const char *refused(const struct cell *cell)
{
    const struct target *target = cell->work.target;

    return target->driver->refused
               ? target->driver->refused(target, cell->work.test, cell->work.size_bytes)
               : NULL;
}

/* Skips rows that turned out unmeasurable during preparation, and with --mix also their other
 * row. */
static void skip_refused(struct run *run, struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++) {
        struct cell *cell = &run->sweep->plan->cells[i];

        if (run->rows[i].result.state != RESULT_OPEN)
            continue;
        cell->skip = refused(cell);
        if (!cell->skip && cell->mate)
            cell->skip = refused(cell + cell->mate);
        if (!cell->skip)
            continue;
        run->rows[i].result.state = RESULT_SKIPPED;
        part->open--;
        part->measurable--;
    }
    flush_rows(run);
}

static void run_part(struct run *run, struct part *part)
{
    run->part_unready = run->part_late = is_cut(run, part);
    /* failed operations of earlier parts do not count in this budget */
    run->m.step_gave_up = false;
    run->m.step_done = run->m.step_failed = 0;
    run->m.step_errors = run->sweep->plan->cells[part->first].stop.errors;
    worker_limit_errors(run->m.pool, run->m.step_errors);
    prepare_skip_unfilled(run, part);
    part->open = part->measurable;
    if (!measure_ended(&run->m) && part->open && !run->part_late &&
        !prepare_lacks_data(run, part) && prepare_part(run, part) == 0) {
        close_empty(run, part);
        skip_refused(run, part);
        part->rounds_most = most_rounds(run, part);
        log_step("# part %u of %u: %u rows to measure", part->number + 1,
                 run->sweep->plan->part_count, part->open);
        /* preparation may have shown that kernel accounting covers the target */
        for (unsigned i = part->first; i < part->end; i++)
            run->rows[i].result.device_known = run->sweep->plan->cells[i].work.target->accounted;
        limits_share(run, part);
        group_rows(run, part);
        if (run->m.series)
            series_begin_part(run->m.series, cell_test(&run->sweep->plan->cells[part->first]),
                              run->sweep->plan->cells[part->first].work.cache);
        use_begin(&run->watch);
        part->begin_ns = run_now(run);
        if (any_calibrates(run, part))
            run_round(run, part);
        if (run->sweep->end_ns && !measure_part_ended(&run->m) && !run->part_unready)
            close_finished(run, part); /* slow rows, for which round 0 counts */
        while (part->open && !run->part_unready && !measure_part_ended(&run->m) &&
               run_now(run) < run->m.part_end_ns) {
            part->round++;
            run_round(run, part);
            /* an incomplete round closes nothing */
            if (!measure_part_ended(&run->m) && !run->part_unready)
                close_finished(run, part);
        }
        run->measuring_ns += run_now(run) - part->begin_ns;
        use_end(&run->watch);
        limits_leave(run, part);
        if (run->m.series)
            series_end_part(run->m.series);
    }
    end_fill(run, part);
    run->m.outcome->steps_gave_up += run->m.step_gave_up;
    close_rest(run, part);
    created_close(run, part);
}

/* --- the run -------------------------------------------------------------------------------- */

static void make_rows(struct run *run)
{
    const struct plan *plan = run->sweep->plan;

    run->rows = mem_calloc(plan->cell_count, sizeof(*run->rows));
    run->order = mem_calloc(plan->cell_count, sizeof(*run->order));
    run->group = mem_calloc(plan->cell_count, sizeof(*run->group));
    run->m.slice = mem_calloc(3, sizeof(*run->m.slice));
    run->m.kinds = run->m.slice + 1;
    for (unsigned i = 0; i < plan->cell_count; i++) {
        row_init(&run->rows[i], run->sweep->settings, &plan->cells[i]);
        run->results[i] = &run->rows[i].result;
    }
    for (unsigned i = 0; i < plan->cell_count; i++)
        if (plan->cells[i].mate > 0)
            row_join(&run->rows[i], &run->rows[i + (unsigned)plan->cells[i].mate]);
}

static int emit_interval(void *sinks, const struct series_record *record, struct error *err)
{
    bool failed = false;

    SINKS_CALL((struct sinks *)sinks, failed, interval, record, err);
    return failed ? -1 : 0;
}

/* Creates the thread before the pool pins this one, whose processors it would inherit. */
static int make_pool(struct run *run)
{
    const struct sweep *sweep = run->sweep;
    if (sweep->settings->interval_ns) {
        bool mixes = false;
        for (const struct settings *part = sweep->settings; part; part = part->next)
            mixes = mixes || part->mixes.count;
        run->m.series = series_create((mixes ? 2 : 1) * sweep->plan->threads_max,
                                      sweep->settings->interval_ns, sweep->clock, sweep->stop);
        series_split(run->m.series, sweep->plan->threads_max); /* the others for reads of --mix */
        if (series_run(run->m.series, emit_interval, &run->sinks, run->m.err) < 0)
            return -1;
    }
    return worker_pool_create(&run->m.pool, sweep, run->m.series, run->m.err);
}

/* Processor time of the other ranks on this host. */
static uint64_t beside_ns(const struct run *run)
{
    const struct team_member *member = run->m.team->member;
    uint64_t sum_ns = 0;

    for (unsigned i = 0; i < run->sweep->plan->cell_count; i++) {
        const struct result *result = &run->rows[i].result;
        for (uint32_t r = 1; r < result->rank_count; r++)
            if (member[r].host_index == member[0].host_index)
                sum_ns += result->ranks[r].cpu_ns;
    }
    return sum_ns;
}

/* After the series has ended only this thread calls sinks. */
static void end_output(struct run *run)
{
    if (run->m.series && series_stop(run->m.series, run->m.err) < 0)
        run->m.broken = true;
    use_share(&run->watch, &run->use);
    if (run->m.team)
        use_add_ranks(&run->watch, beside_ns(run), &run->use);
    SINKS_CALL(&run->sinks, run->m.broken, end, run->m.err);
}

/* The system can refuse resources for the largest rows of asynchronous engines: detects this before
 * the first result. Rows of one engine and part differ in depth, threads and size only, and the
 * last ones are the largest: so few are tried. */
static int try_engines(struct worker_pool *pool, const struct plan *plan, struct error *err)
{
    uint64_t most_in_flight = 0, most_bytes = 0;

    for (unsigned i = plan->cell_count; i-- > 0;) {
        const struct cell *cell = &plan->cells[i];
        const uint64_t in_flight = (uint64_t)cell->work.depth * cell->threads;
        const uint64_t bytes = cell->work.slot_bytes * cell->work.depth;
        if (i + 1 == plan->cell_count || cell[1].part != cell->part ||
            cell[1].engine != cell->engine)
            most_in_flight = most_bytes = 0;
        if (cell->skip || cell->created || cell_follows(cell) ||
            !engine_in_flight(cell->engine, cell->work.depth) ||
            (in_flight <= most_in_flight && bytes <= most_bytes))
            continue;
        most_in_flight = number_most(most_in_flight, in_flight);
        most_bytes = number_most(most_bytes, bytes);
        if (worker_try(pool, cell, cell->mate ? cell + cell->mate : NULL, err) < 0)
            return -1;
    }
    return 0;
}

/* Tries everything that can be refused, on all ranks. */
static int begin(struct run *run)
{
    const struct sweep *sweep = run->sweep;

    const bool refused = make_pool(run) < 0 ||
                         try_engines(run->m.pool, sweep->plan, run->m.err) < 0 ||
                         (sweep->ready && sweep->ready(sweep->ready_arg, run->m.err) < 0);

    if (run->m.team && team_agree(run->m.team, run->m.err) < 0)
        return -1;
    return refused ? -1 : 0;
}

static int end(struct run *run)
{
    worker_pool_destroy(run->m.pool);
    series_free(run->m.series);
    use_free(&run->watch);
    for (unsigned i = 0; run->rows && i < run->sweep->plan->cell_count; i++)
        row_free(&run->rows[i]);
    free(run->rows);
    free(run->results);
    free(run->order);
    free(run->group);
    free(run->sinks.dead);
    free(run->m.slice);
    return run->m.broken ? -1 : 0;
}

int sweep_run(const struct sweep *sweep, struct sweep_outcome *outcome, struct error *err)
{
    const struct plan *plan = sweep->plan;
    const struct settings *settings = sweep->settings;
    struct run run = {.sweep = sweep,
                      .results = mem_calloc(plan->cell_count, sizeof(*run.results)),
                      .m = {.settings = sweep->settings,
                            .sweep = sweep,
                            .clock = sweep->clock,
                            .outcome = outcome,
                            .err = err}};
    const struct run_info info = {
        .settings = settings,
        .targets = (const struct target *const *)sweep->targets,
        .team = sweep->team && sweep->team->size > 1 ? sweep->team : NULL,
        .cells = plan->cells,
        .cell_count = plan->cell_count,
        .rows = run.results,
        .row_count = &run.next_row,
        .clock = sweep->clock_quality,
        .loop_ns = sweep->loop_ns,
        .use = &run.use,
        .reference_ns = sweep->reference
                            ? reference_measure(sweep->reference, sweep->clock, REFERENCE_MOST_NS)
                            : -1,
    };

    memset(outcome, 0, sizeof(*outcome));
    use_begin(&run.watch); /* reads the allowed processors before the pool pins this thread */
    use_end(&run.watch);
    run.sinks = (struct sinks){.sink = sweep->sinks,
                               .count = sweep->sink_count,
                               .dead = mem_calloc(sweep->sink_count + 1, sizeof(*run.sinks.dead))};
    run.m.sinks = &run.sinks;
    run.m.team = info.team ? sweep->team : NULL;
    if (begin(&run) < 0) {
        if (run.m.series) /* one that was not started emits nothing */
            (void)series_stop(run.m.series, run.m.err);
        run.m.broken = true;
        return end(&run);
    }
    make_rows(&run);
    if (run.m.team && run.m.team->rank) { /* other ranks do not decide, and have no sinks */
        run.m.broken = team_follow(&run) < 0;
        return end(&run);
    }
    if (run.m.team)
        team_lead_begin(&run.m);
    rng_seed(&run.shuffle, settings->seed, STREAM_SHUFFLE);
    SINKS_CALL(&run.sinks, run.m.broken, begin, &info, err); /* all, since rows follow anyway */
    limits_begin(&run);
    if (run.m.series && !run.m.broken)
        series_start(run.m.series);
    for (unsigned first = 0, number = 0; first < plan->cell_count; number++) {
        struct part part = {.number = number, .first = first, .end = first, .latest = first};
        while (part.end < plan->cell_count && plan->cells[part.end].part == plan->cells[first].part)
            part.end++;
        run_part(&run, &part);
        first = part.end;
    }
    team_lead_end(&run.m);
    end_output(&run);
    prepare_tell(&run);
    outcome->gave_up = run.m.gave_up;
    return end(&run);
}
