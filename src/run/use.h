/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* use.h - processor usage while rows were measured, without the time between parts. */
#ifndef RUN_USE_H
#define RUN_USE_H

#include "os/processors.h"

/* Parts with less processor time than this are not judged. */
#define USE_PART_NS INT64_C(500000000)

struct run_use {
    struct processor_shares shares;
    /* maximum of the parts, whose rows take turns; at least the overall share */
    double others_most;
};

struct use_watch { /* zeroed at first */
    struct processors before, after;
    struct processors_sum all;
    double others_most;
};

/* Called when a part begins, and has ended. */
void use_begin(struct use_watch *watch);
void use_end(struct use_watch *watch);
void use_share(const struct use_watch *watch, struct run_use *use);

/* Attributes processor time used by other ranks on this machine to the run instead of other
 * programs. */
void use_add_ranks(const struct use_watch *watch, uint64_t cpu_ns, struct run_use *use);
void use_free(struct use_watch *watch);

#endif
