/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan.h - settings and targets become the list of cells. Pure but for memory. */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "base/error.h"
#include "run/cell.h"
#include "run/settings.h"

struct plan {
    /* in the order of rows: cache, loop, step, repeat, target, engine, threads, depth, size */
    struct cell *cells;
    unsigned cell_count, part_count;
    uint64_t call_bytes_max;    /* maximum of one call */
    uint64_t buffer_bytes_max;  /* of the operations in flight of one thread */
    uint64_t scratch_bytes_max; /* the same for read-modify-write */
    uint32_t threads_max, depth_max, memory_align_max_bytes;
};

#define PLAN_CELLS_MAX    10000u
#define PLAN_IO_BYTES_MAX UINT64_C(0x7ffff000) /* maximum of one read(2) (MAX_RW_COUNT) */

/* Sizes that only the targets of a run know. */
struct plan_known {
    struct units_list kept; /* those that a kept run was made for: the usual ones when using it */
    struct units_list full; /* the length of the longest object of each target */
};

/* Sizes of one part: its list, where UNITS_SIZE_FULL becomes known->full, or known->kept, or min,
 * min*factor ... <= max. known: NULL before the targets were examined. Free the list. */
int plan_sizes(const struct settings *settings, const struct plan_known *known,
               struct units_list *sizes, struct error *err);

/* Refuses what cannot work regardless of the targets: combinations that an engine does not support,
 * and sizes beyond the length of the files to be created (creates: some are created). Call it
 * first. Errors (STATUS_USAGE) name the option, the engine and an alternative. */
int plan_check(const struct settings *settings, bool creates, struct error *err);

/* Checks that concurrently open files and connections fit the limit of descriptors, which is raised
 * if possible. Returns 0 or -1 (STATUS_TARGET with advice). */
int plan_check_descriptors(const struct plan *plan, unsigned targets, struct error *err);

/* Checks, after the cells are made, that not all are skipped because of the options. */
int plan_check_skips(const struct plan *plan, struct error *err);

/* The engines for the targets of a driver: the requested ones that work on it, else the first that
 * does. Returns their number. */
unsigned plan_engines(const struct settings *settings, const struct storage_driver *driver,
                      const struct engine *engines[SETTINGS_ENGINES_MAX]);

/* Whether a run will use an engine. */
bool plan_uses(const struct settings *settings, const struct engine *engine);

/* Sets the places of a cell's operations and the layout of their data in memory, or `skip`: why it
 * cannot be measured. */
void plan_place(const struct settings *settings, struct cell *cell);

/* Whether an I/O larger than --call-size can be done at all: one operation at a time, by an engine
 * that knows pieces, in whole blocks of that size (1 unless it is by O_DIRECT). */
bool plan_splits(const struct cell *cell, uint64_t block_bytes);

/* Sets the number of operations available to a cell, and with it its latest stop. */
void plan_bound(struct cell *cell);

/* Limits the number of operations, with the reason to report when they run out. */
void plan_limit(struct cell *cell, uint64_t places, enum result_stop stop);

/* Makes the cells of all parts of the settings, each once. Cells with the same cache mode and the
 * same test at the same position of --tests are measured together, whatever part of the settings
 * they are from. Sizes that do not fit a target become cells with `skip`; tests that a target does
 * not allow (such as writing to an existing file) are left out. A plan without cells is an error.
 * Tests that change nothing use target->reads_from, if set. Targets are probed for O_DIRECT if a
 * cell needs it. Returns 0 or -1. */
int plan_make(const struct settings *settings, const struct plan_known *known,
              struct target *const *targets, struct plan *plan, struct error *err);
void plan_free(struct plan *plan);

#endif
