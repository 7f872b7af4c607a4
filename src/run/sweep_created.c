/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_created.c - a part that uses the objects created so far by test create. Their number is
 * unknown when the run is planned: when the part begins, its cells get a separate target per target
 * and size, and thereby their places. When it ends, they return to the target of the run. */
#include "base/compat.h"

#include "run/sweep_run.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/team_work.h"

/* The objects of a target and size according to earlier rows: created by test create, minus removed
 * ones. */
static uint64_t counted(const struct run *run, const struct part *part, const struct cell *cell)
{
    uint64_t made = 0, gone = 0;

    for (unsigned i = 0; i < part->first; i++) {
        const struct cell *before = &run->sweep->plan->cells[i];
        const struct row *row = &run->rows[i];
        const struct slice_sum *own = row->team ? &row->team->own : &row->result.sum;
        const uint64_t operations = own->tally.operations;

        if (before->target != cell->target || before->work.size_bytes != cell->work.size_bytes)
            continue;
        if (before->work.test == TEST_CREATE)
            made += operations;
        else if (before->created && test_consumes(before->work.test))
            gone += operations;
    }
    return made > gone ? made - gone : 0;
}

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

static struct target *open_view(struct run *run, const struct part *part, const struct cell *cell)
{
    struct measure *m = &run->m;
    struct target *target = run->sweep->targets[cell->target], *view = view_of(m, cell);

    if (view)
        return view;
    if (target->driver->open_created(target, cell->work.size_bytes, cell->work.test,
                                     counted(run, part, cell), &view, m->err) < 0)
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
        share = share_of(run, part, cell,
                         driver->left ? driver->left(view, cell->work.test, cell->work.size_bytes)
                                      : view->object_count);
    if (!share)
        cell->work.object_count = 0;
    if (!cell->work.object_count)
        return;
    plan_bound(cell);
    if (share != UINT64_MAX)
        plan_limit(cell, share, STOP_EXHAUSTED);
    row_bind(row);
}

static const struct cell *remover_of(const struct run *run, const struct part *part,
                                     const struct cell *cell)
{
    for (unsigned i = part->first; i-- > 0;) {
        const struct cell *before = &run->sweep->plan->cells[i];

        if (before->created && test_consumes(before->work.test) && before->target == cell->target &&
            run->rows[i].result.sum.tally.operations > 0)
            return before;
    }
    return NULL;
}

/* The rows of test create have already reported that nothing could be created. */
static int refuse_removed(struct run *run, const struct part *part)
{
    const struct cell *cell = &run->sweep->plan->cells[part->first];
    const struct cell *before = remover_of(run, part, cell);

    if (!before || before->step == cell->step)
        return 0;
    return refuse_used_up(run, cell, before);
}

int created_open(struct run *run, struct part *part)
{
    const struct plan *plan = run->sweep->plan;
    bool any = false;

    if (!plan->cells[part->first].created)
        return 0;
    for (unsigned i = part->first; i < part->end; i++) {
        struct target *view;
        if (run->rows[i].result.state != RESULT_OPEN)
            continue;
        view = open_view(run, part, &plan->cells[i]);
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
