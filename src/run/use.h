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
    double others_most; /* of a part, whose rows were measured in turns; at least those of all */
};

struct use_watch { /* zeroed at first */
    struct processors before, after;
    struct processors_sum all;
    double others_most;
};

/* A part begins, and has ended. */
void use_begin(struct use_watch *watch);
void use_end(struct use_watch *watch);
void use_share(const struct use_watch *watch, struct run_use *use);

/* Attributes processor time that other ranks of the run used on this machine, which is not that of
 * other programs. */
void use_add_ranks(const struct use_watch *watch, uint64_t cpu_ns, struct run_use *use);
void use_free(struct use_watch *watch);

#endif
