/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_prepare.c - prepares targets before a part and before each of its rounds: the cache state,
 * the data to read, and the handling of failures; and the targets of parts that use the objects
 * created so far by test create. */
#include "base/compat.h"

#include "run/sweep_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "run/team_work.h"

/* Ends the run because an earlier step, `before`, used up the data of this one. Returns -1. */
static int refuse_used_up(struct run *run, const struct cell *cell, const struct cell *before)
{
    run->m.broken = true;
    return error_refuse(run->m.err, STATUS_TARGET, "no data are left for test",
                        test_names[cell->work.test], "an earlier test %s used them up",
                        test_names[before->work.test]);
}

/* The cell of an earlier part that used up the objects of that size or, if they were made by test
 * create, that removed some of them; NULL: none. */
static const struct cell *user_of(const struct run *run, const struct part *part,
                                  const struct cell *cell)
{
    for (unsigned i = part->first; i-- > 0;) {
        const struct cell *before = &run->sweep->plan->cells[i];

        if (!test_consumes(before->work.test) || before->target != cell->target ||
            run->rows[i].result.sum.tally.operations == 0)
            continue;
        if (cell->created ? before->created
                          : before->work.size_bytes == cell->work.size_bytes &&
                                cell_left(cell, before->work.test) == 0)
            return before;
    }
    return NULL;
}

/* ---- objects of test create. Their number is unknown when the run is planned: when the part
 * begins, its cells get a separate target per target and size, and thereby their places. When it
 * ends, they return to the target of the run. ---- */

static struct target *view_of(const struct measure *m, const struct cell *cell)
{
    for (unsigned i = 0; i < m->view_count; i++)
        if (m->views[i].target == cell->target && m->views[i].size_bytes == cell->work.size_bytes)
            return m->views[i].view;
    return NULL;
}

struct target *measure_target(const struct measure *m, const struct cell *cell)
{
    struct target *own = m->sweep->targets[cell->target];
    struct target *view = cell->created ? view_of(m, cell) : NULL;

    if (view)
        return view;
    return cell->work.target == own->reads_from ? own->reads_from : own;
}

static struct target *open_view(struct run *run, const struct cell *cell)
{
    struct measure *m = &run->m;
    struct target *target = run->sweep->targets[cell->target], *view = view_of(m, cell);

    if (view)
        return view;
    if (target->driver->open_created(target, cell->work.size_bytes, cell->work.test, &view,
                                     m->err) < 0)
        return NULL;
    m->views = mem_realloc_array(m->views, m->view_count + 1, sizeof(*m->views));
    m->views[m->view_count++] = (struct created_view){cell->target, cell->work.size_bytes, view};
    return view;
}

/* Rows that remove the objects of a size share them equally, including those of --repeat. */
static uint64_t share_of(const struct run *run, const struct part *part, const struct cell *cell,
                         uint64_t operations)
{
    uint64_t rows = 0, before = 0;

    for (unsigned i = part->first; i < part->end; i++) {
        const struct cell *other = &run->sweep->plan->cells[i];

        if (other->target != cell->target || other->work.size_bytes != cell->work.size_bytes ||
            other->skip)
            continue;
        rows++;
        before += other->index < cell->index;
    }
    rows *= run->sweep->settings->repeats - cell->repeat + 1;
    return operations / rows + (before < operations % rows);
}

/* As the plan does for known objects. */
static void bind(const struct run *run, const struct part *part, struct cell *cell, struct row *row,
                 const struct target *view)
{
    const struct storage_driver *driver = view->driver;
    uint64_t share = UINT64_MAX;

    cell->work.target = view;
    cell->work.object_first = 0;
    cell->work.object_count = view->object_count;
    if (test_consumes(cell->work.test))
        share =
            share_of(run, part, cell, driver->left(view, cell->work.test, cell->work.size_bytes));
    if (!share)
        cell->work.object_count = 0;
    if (!cell->work.object_count)
        return;
    plan_bound(cell);
    if (share != UINT64_MAX)
        plan_limit(cell, share, STOP_EXHAUSTED);
    row_bind(row);
}

/* The rows of test create have already reported that nothing could be created. */
static int refuse_removed(struct run *run, const struct part *part)
{
    const struct cell *cell = &run->sweep->plan->cells[part->first];
    const struct cell *before = user_of(run, part, cell);

    if (!before || before->step == cell->step)
        return 0;
    return refuse_used_up(run, cell, before);
}

/* Finds them, and assigns them to the cells of the part; rows of a size without any have no
 * objects. -1: error in run->m.err, or the run ends. */
static int open_created(struct run *run, struct part *part)
{
    const struct plan *plan = run->sweep->plan;
    bool any = false;

    if (!plan->cells[part->first].created)
        return 0;
    for (unsigned i = part->first; i < part->end; i++) {
        struct target *view;
        if (run->rows[i].result.state != RESULT_OPEN)
            continue;
        view = open_view(run, &plan->cells[i]);
        if (!view) {
            run->m.broken = !measure_exhausted(&run->m, run->sweep->targets[plan->cells[i].target]);
            return -1;
        }
        bind(run, part, &plan->cells[i], &run->rows[i], view);
        any = any || view->object_count;
    }
    return any ? 0 : refuse_removed(run, part);
}

void created_close(struct run *run, const struct part *part)
{
    struct measure *m = &run->m;
    struct error ignored = ERROR_INIT; /* nothing is removed */

    for (unsigned i = part->first; i < part->end; i++) {
        struct cell *cell = &run->sweep->plan->cells[i];

        if (cell->created)
            cell->work.target = run->sweep->targets[cell->target];
    }
    for (unsigned i = 0; i < m->view_count; i++)
        (void)m->views[i].view->driver->close(m->views[i].view, &ignored);
    free(m->views);
    m->views = NULL;
    m->view_count = 0;
}

/* ---- preparing ---- */

/* The first cell of a target in a part; NULL: none. All its cells have the same cache mode. */
static const struct cell *cell_of(const struct run *run, const struct part *part, unsigned target)
{
    for (unsigned i = part->first; i < part->end; i++)
        if (run->sweep->plan->cells[i].target == target)
            return &run->sweep->plan->cells[i];
    return NULL;
}

/* Handles a refusal of the system, such as to read a file into the cache. This ends the part, not
 * the run: other parts may not need it. Moves the error out of m->err. */
static bool set_aside(struct run *run, const struct target *target)
{
    struct error *err = run->m.err;

    if (!target_can(target, TARGET_CACHED) || run->m.broken || err->status != STATUS_TARGET ||
        err->errnum == 0 || err->errnum == ENOMEM)
        return false;
    if (!error_is_set(&run->unready))
        run->unready = *err;
    *err = ERROR_INIT;
    run->part_unready = true;
    return true;
}

void prepare_tell(struct run *run)
{
    struct sweep_outcome *outcome = run->m.outcome;

    if (!error_is_set(&run->unready) || run->m.broken)
        return;
    if (run->m.measured || outcome->rows_complete > 0) {
        error_format(&run->unready, outcome->first_unready, sizeof(outcome->first_unready));
        return;
    }
    *run->m.err = run->unready;
    run->m.broken = true;
}

/* Preparation may have failed because an object was replaced: then reports that. */
static void name_intruder(struct run *run, struct target *target, const struct cell *cell)
{
    struct error found = ERROR_INIT;

    if (target->driver->guard && !(cell->engine->capabilities & ENGINE_VIRTUAL) &&
        target->driver->guard(target, 0, target->object_count, &found) < 0)
        *run->m.err = found;
}

static int call(struct run *run, struct target *target, const struct cell *cell, bool prepare)
{
    const struct storage_driver *driver = target->driver;
    const enum cache_mode mode = cell->work.cache;
    char place[1024];
    int result = 0;

    if (prepare && target_can(target, TARGET_CACHED)) /* otherwise there is no cache state to set */
        log_step("# bringing %s into the wanted cache state",
                 error_printable(target->place, place, sizeof(place)));
    if (prepare && driver->prepare) {
        result = driver->prepare(target, mode, cell_test(cell), run->m.err);
        if (result == 0 && cell->mixed) /* the data to read must exist, too */
            result = driver->prepare(target, mode, TEST_READ, run->m.err);
    } else if (!prepare && driver->before_round && !cell->fills) {
        result = driver->before_round(target, mode, run->m.err);
    }
    return result;
}

/* With --max-time: preparing a part may take at most half of the rest, so that time remains to
 * measure it; preparing a round may take the time of the part. False: no time is left. */
static bool give_time(struct run *run, struct target *target, bool prepare)
{
    const uint64_t last_ns = run->sweep->end_ns, now_ns = run_now(run);

    if (!last_ns)
        return true;
    target->prepare_end_ns =
        prepare ? now_ns + number_minus(last_ns, now_ns) / 2 : run->m.part_end_ns;
    return now_ns < last_ns;
}

/* Preparation ran out of time, which does not end the run. */
static bool was_late(struct run *run, const struct target *target)
{
    struct error *err = run->m.err;

    if (!run->sweep->end_ns || run->m.broken || flag_read(run->sweep->stop) ||
        run_now(run) < target->prepare_end_ns || err->errnum != ETIMEDOUT ||
        err->status != STATUS_PARTIAL)
        return false;
    *err = ERROR_INIT;
    return true;
}

static int make_ready(struct run *run, struct target *target, const struct cell *cell, bool prepare)
{
    bool timely;

    if (!cell || cell->goes_on)
        return 0;
    timely = give_time(run, target, prepare);
    if (timely && call(run, target, cell, prepare) == 0)
        return 0;
    if (!timely || was_late(run, target)) {
        run->part_unready = run->part_late = true;
        return -1;
    }
    if (measure_exhausted(&run->m, target))
        return -1;
    name_intruder(run, target, cell);
    if (!set_aside(run, target))
        run->m.broken = run->m.broken || !flag_read(run->sweep->stop);
    return -1;
}

/* cell: the first one of the target in the part, NULL: none. */
static int stage_target(struct run *run, struct target *target, const struct cell *cell,
                        enum prepare_stage stage)
{
    const bool reads_other = cell && cell->work.target == target->reads_from;
    const bool joined = reads_other || (target->request && target->request->joins);

    /* Other ranks are going to read it: fills it, and flushes it from this host's memory. */
    if (stage == STAGE_OWN && reads_other) {
        struct cell given = *cell;
        given.work.cache = cell->work.cache == CACHE_ASIS ? CACHE_ASIS : CACHE_DIRECT;
        return make_ready(run, target, &given, true);
    }
    if (stage != STAGE_ROUND && joined != (stage == STAGE_JOINED))
        return 0;
    return make_ready(run, reads_other ? target->reads_from : target, cell, stage != STAGE_ROUND);
}

int prepare_own(struct run *run, struct part *part, enum prepare_stage stage)
{
    const struct sweep *sweep = run->sweep;

    if (stage == STAGE_OWN && open_created(run, part) < 0)
        return -1;
    for (unsigned i = 0; i < run->m.view_count; i++) {
        const struct created_view *view = &run->m.views[i];

        if (view->view->object_count &&
            stage_target(run, view->view, cell_of(run, part, view->target), stage) < 0)
            return -1;
    }
    for (unsigned t = 0; !run->m.view_count && t < sweep->settings->target_count; t++)
        if (stage_target(run, sweep->targets[t], cell_of(run, part, t), stage) < 0)
            return -1;
    return 0;
}

/* The same on all ranks of a team. */
static int prepare_all(struct run *run, struct part *part, enum prepare_stage stage)
{
    return run->m.lead ? team_lead_prepare(run, part, stage) : prepare_own(run, part, stage);
}

int prepare_round(struct run *run, struct part *part)
{
    bool any = false;

    for (unsigned t = 0; t < run->sweep->settings->target_count; t++)
        any = any || run->sweep->targets[t]->driver->before_round;
    return any ? prepare_all(run, part, STAGE_ROUND) : prepare_own(run, part, STAGE_ROUND);
}

int prepare_part(struct run *run, struct part *part)
{
    const uint64_t begin_ns = run_now(run);
    int code = prepare_all(run, part, STAGE_OWN);

    if (run->m.lead && code == 0 && run->sweep->settings->share != TEAM_SHARE_NONE)
        code = prepare_all(run, part, STAGE_JOINED);
    limits_extend(run, run_now(run) - begin_ns);
    return code;
}

bool prepare_lacks_data(struct run *run, const struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++) {
        const struct cell *cell = &run->sweep->plan->cells[i], *before;
        if (cell->skip || cell->created || test_consumes(cell->work.test) ||
            cell->work.test == TEST_STAT || test_table[cell->work.test].needs == TEST_NEEDS_NOTHING)
            continue;
        before = user_of(run, part, cell);
        if (!before)
            continue;
        (void)refuse_used_up(run, cell, before);
        return true;
    }
    return false;
}

/* Whether test fill has completed the file, or all objects of that size, before this part. */
static bool is_filled(const struct run *run, const struct part *part, const struct cell *cell)
{
    bool filled = true, begun = false;

    for (unsigned i = 0; i < part->first; i++) {
        const struct cell *before = run->rows[i].result.cell;

        if (!before->fills || before->target != cell->target ||
            (!target_can(cell->work.target, TARGET_SHAPED) &&
             before->work.size_bytes != cell->work.size_bytes))
            continue;
        if (before->skip) /* a new file is empty until filled by other rows */
            filled = filled && (begun || strcmp(before->skip, "no_new_file") == 0);
        else
            filled = (filled || !before->goes_on) && run->rows[i].result.state == RESULT_CLOSED;
        begun = begun || !before->skip;
    }
    return filled;
}

void prepare_skip_unfilled(struct run *run, struct part *part)
{
    for (unsigned i = part->first; i < part->end; i++) {
        struct cell *cell = &run->sweep->plan->cells[i];

        if (run->rows[i].result.state != RESULT_OPEN)
            continue;
        if (cell->fills || cell->created || test_makes_own(cell->work.test) ||
            is_filled(run, part, cell)) {
            part->measurable++;
            continue;
        }
        cell->skip = NOT_FILLED;
        run->rows[i].result.state = RESULT_SKIPPED;
    }
}
