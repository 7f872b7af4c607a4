/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buffers.h - the memory of the worker threads: what operations read to and write from, made and
 * touched before anything is measured, so that a slice allocates nothing. */
#ifndef RUN_BUFFERS_H
#define RUN_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "run/cycle.h"
#include "run/payload.h"

struct worker_needs { /* the most that any slice will ask for */
    uint32_t threads;
    uint32_t depth;
    uint64_t io_bytes;      /* of one transfer */
    uint64_t buffer_bytes;  /* of all operations in flight of one thread: depth * slot_bytes */
    uint64_t scratch_bytes; /* the same for read-modify-write; 0: none */
    uint32_t memory_align_bytes;
    bool pin; /* thread i to the i-th processor that the process may use */
    bool verify;
    uint64_t rate;       /* operations per second of all threads of a slice; 0: no schedule */
    uint64_t seed;       /* of the data written */
    enum payload_kind payload;
    bool allow_short;    /* short operations are no failures */
    uint64_t max_errors; /* failed operations in all after which slices end early; 0: no limit */
    struct series *series; /* --interval: is told of all operations; NULL: nobody is */
};

struct buffers {        /* of one thread */
    char *buffer;       /* of all operations in flight */
    char *scratch;      /* read-modify-write, as many; or NULL */
    char *check_buffer; /* io_bytes to read back into; or NULL */
    struct async_event *events;
    struct cycle_slot *slots;
};

/* Refuses what would not fit into the memory that is free: buffers are touched when they are made,
 * and asking for more than there is would not fail, it would end this program or another one.
 * Returns 0 or -1 (STATUS_TARGET with advice). */
int buffers_check(const struct worker_needs *needs, struct error *err);

/* Makes the buffers of a thread.  On failure (-1, with advice) what was made is left for
 * buffers_free. */
int buffers_make(struct buffers *buffers, const struct worker_needs *needs, struct error *err);
void buffers_free(struct buffers *buffers);

/* The part of them that transfers of a workload are from or to. */
void buffers_lend(const struct buffers *buffers, const struct workload *work,
                  struct engine_thread *thread);

#endif
