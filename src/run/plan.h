/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan.h - settings and targets become the list of cells.  Pure but for memory. */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "base/error.h"
#include "run/cell.h"
#include "run/settings.h"

struct plan {
    /* in the order of rows: cache, loop, step, repeat, target, engine, threads, depth, size */
    struct cell *cells;
    unsigned cell_count, part_count;
    uint64_t call_bytes_max;    /* moved at once */
    uint64_t buffer_bytes_max;  /* of the operations in flight of one thread */
    uint64_t scratch_bytes_max; /* the same of read-modify-write */
    uint32_t threads_max, depth_max, memory_align_max_bytes;
};

#define PLAN_CELLS_MAX    10000u
#define PLAN_IO_BYTES_MAX UINT64_C(0x7ffff000) /* one read(2) moves no more (MAX_RW_COUNT) */

/* Sizes of the sweep: settings->sizes, or min, min*factor ... <= max.  Free the list. */
int plan_sizes(const struct settings *settings, struct units_list *sizes, struct error *err);

/* Refuses what cannot work whatever the targets are: combinations an engine cannot do, sizes beyond
 * the length of the files to be made (creates: there will be such).  To be called first.  Errors
 * (STATUS_USAGE) name option, engine and way out. */
int plan_check(const struct settings *settings, bool creates, struct error *err);

/* What is open at the same time must fit the limit of descriptors, which is raised if it can be.
 * Returns 0 or -1 (STATUS_TARGET with advice). */
int plan_check_descriptors(const struct plan *plan, unsigned targets, struct error *err);

/* When cells are made: --call-size must have left some to be measured. */
int plan_check_pieces(const struct settings *settings, const struct plan *plan, struct error *err);

/* The same of --mix. */
int plan_check_kinds(const struct plan *plan, struct error *err);

/* Whether a run will use an engine: it was asked for, or it is the first one for a target that no
 * engine asked for can work on. */
bool plan_uses(const struct settings *settings, const struct engine *engine);

/* Fills in where operations of a cell go and how their data lie in memory, or `skip`: why it cannot
 * be measured. */
void plan_place(const struct settings *settings, struct cell *cell);

/* How many operations of a cell there are, and so its stop at the latest. */
void plan_bound(struct cell *cell);

/* No more than so many, and why a row ends with them. */
void plan_limit(struct cell *cell, uint64_t places, enum result_stop stop);

/* The cells of all sets of axes (settings->lines), each once.  Those of the same cache mode and the
 * same test in the same place of --tests are one part, whatever line they come from.  Sizes that do
 * not fit a target become cells with `skip`; tests a target does not allow (writing to a file that
 * is not ours) are left out.  No cell at all is an error.  Tests that change nothing go to
 * target->reads_from, where there is one.  Targets are probed for O_DIRECT when a cell needs it.
 * Returns 0 or -1. */
int plan_make(const struct settings *settings, struct target *const *targets, struct plan *plan,
              struct error *err);
void plan_free(struct plan *plan);

#endif
