/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* buffers.h - the memory of the worker threads: what operations read to and write from, made and
 * touched before anything is measured, so that a slice allocates nothing. */
#ifndef RUN_BUFFERS_H
#define RUN_BUFFERS_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/engine.h"
#include "run/cycle.h"
#include "run/plan.h"

struct buffers {        /* of one thread */
    char *buffer;       /* of all operations in flight */
    char *scratch;      /* read-modify-write, as many; or NULL */
    char *check_buffer; /* what one call moves, to read back into; or NULL */
    struct async_event *events;
    struct cycle_slot *slots;
};

/* Refuses buffers larger than the free memory.  They are touched when they are made, and asking for
 * more memory than there is does not fail: the kernel then kills this program or another one.
 * Returns 0 or -1 (STATUS_TARGET with advice). */
int buffers_check(const struct plan *plan, bool verify, struct error *err);

/* Makes the buffers of a thread, for the largest cell of a plan.  On failure (-1, with advice) what
 * was made is left for buffers_free. */
int buffers_make(struct buffers *buffers, const struct plan *plan, bool verify, struct error *err);
void buffers_free(struct buffers *buffers);

/* The part that transfers of a workload use. */
void buffers_lend(const struct buffers *buffers, const struct workload *work,
                  struct engine_thread *thread);

#endif
