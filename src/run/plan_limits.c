/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan_limits.c - whether the system lets a plan have open what it needs at the same time. */
#include "base/compat.h"

#include "run/plan.h"

#include <stdio.h>
#include <sys/resource.h>

#define FILES_RESERVED     64u /* descriptors left to the rest of the program */
#define CONNECTIONS_LEAST  8u  /* this many objects are made at a time */
#define CONNECTIONS_OTHERS 4u  /* descriptors of a thread beside its connections */

/* Files that are open at the same time in the largest cell. */
static uint64_t files_open(const struct plan *plan)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        const uint64_t each = cell->work.keep_open ? cell->work.object_count : cell->work.depth;
        const uint64_t need = each * cell->threads;
        if ((cell->work.keep_open || cell->work.depth > 1) &&
            target_can(cell->work.target, TARGET_FILES) && need > most)
            most = need;
    }
    return most;
}

/* Of a thread in a cell: a connection for each operation under way, or where it keeps one to each
 * of many servers, to those that can have what it works on; any of them has a part of a list. */
static uint64_t connections_of(const struct cell *cell)
{
    const struct target *target = cell->work.target;
    const uint64_t wanted = cell->work.depth * (1 + (uint64_t)target->connections_each);
    const uint64_t depth = wanted > CONNECTIONS_LEAST ? wanted : CONNECTIONS_LEAST;
    const uint64_t asked = depth + cell->work.object_count;

    if (target->servers == 0)
        return depth + (target->descriptors_thread > CONNECTIONS_OTHERS ? target->descriptors_thread
                                                                        : CONNECTIONS_OTHERS);
    return target->descriptors_thread +
           (asked < target->servers && cell->work.test != TEST_LIST ? asked : target->servers);
}

/* Each thread keeps its connections to a server, and what it waits with, from row to row. */
static uint64_t connections_open(const struct plan *plan, unsigned targets)
{
    uint64_t all = 0;

    for (unsigned t = 0; t < targets; t++) {
        uint64_t most = 0, threads = 0;
        for (unsigned i = 0; i < plan->cell_count; i++) {
            const struct cell *cell = &plan->cells[i];
            if (cell->target != t || !target_can(cell->work.target, TARGET_REQUESTS))
                continue;
            most = connections_of(cell) > most ? connections_of(cell) : most;
            threads = cell->threads > threads ? cell->threads : threads;
        }
        all += threads * most;
    }
    return all;
}

int plan_check_descriptors(const struct plan *plan, unsigned targets, struct error *err)
{
    const uint64_t most = files_open(plan) + connections_open(plan, targets);
    struct rlimit limit;

    if (!most || getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    if (most + FILES_RESERVED > (uint64_t)limit.rlim_cur && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (most + FILES_RESERVED > (uint64_t)limit.rlim_cur) {
        char text[64];
        snprintf(text, sizeof(text), "%llu files%s", (unsigned long long)most,
                 connections_open(plan, targets) ? " and connections" : "");
        return error_refuse(err, STATUS_TARGET, "the limit of open files is too low to keep open",
                            text,
                            "raise it (ulimit -n) or use --single-file, fewer --threads or a "
                            "lower --depth");
    }
    return 0;
}
