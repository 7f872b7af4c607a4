/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* resume.h - --resume FILE: rows that an interrupted run has finished are not measured again.  FILE
 * must be of the same plan: each of its rows is one of this run, and what it tells of settings and
 * seed is the same. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "analysis/results/results.h"
#include "cli/options.h"
#include "run/plan.h"

struct resume { /* zeroed: without --resume */
    struct results results;
    const char *path;                 /* NULL: without */
    const struct text_record **cells; /* of each cell of the plan, or NULL */
};

/* Reads the file and compares what it tells of settings; a seed that was not given becomes that of
 * the file.  Returns 0 or -1 (STATUS_USAGE).  resume_free in either case. */
int resume_open(struct resume *resume, struct request *request, struct error *err);

/* Finds the cells that its finished rows are about.  Returns 0 or -1 (STATUS_USAGE). */
int resume_match(struct resume *resume, const struct settings *settings,
                 struct target *const *targets, const struct plan *plan, struct error *err);

void resume_free(struct resume *resume);

#endif
