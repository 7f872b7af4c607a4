/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker_pool.h - shared by worker.c (threads and their total results) and worker_slice.c (a slice
 * on one thread); no other file includes it. */
#ifndef RUN_WORKER_POOL_H
#define RUN_WORKER_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/threads.h"
#include "run/cycle.h"
#include "run/sweep.h"
#include "run/worker.h"

/* The memory of a worker thread: allocated and touched before anything is measured, so that a slice
 * allocates nothing. */
struct buffers {        /* of one thread */
    char *buffer;       /* of all operations in flight */
    char *scratch;      /* read-modify-write, of the same size; or NULL */
    char *check_buffer; /* for one call, to read back into; or NULL */
    struct async_event *events;
    struct cycle_slot *slots;
};

struct worker {
    _Alignas(64) struct worker_pool *pool;
    uint32_t index;
    pthread_t thread;
    struct buffers buffers;
    /* engines' data of this thread, by index in engine_table */
    void *homes[SETTINGS_ENGINES_MAX + 1];
    struct payload written; /* the data of the next write */
    struct kept {           /* objects kept open: of the cell, and with --mix of the reads */
        struct handle *handle;
        uint32_t capacity, count;
    } kept[2];
    /* of this thread only, by kind of operations; time_ns and elapsed_ns cover all */
    struct slice_sum sums[2];
    struct usage used; /* processor usage of this thread in the last slice */
    struct error error;
    struct cycle_clocks clocks;
    struct tally *aside; /* of clocks, ASIDE_KINDS times two; NULL: no clocks so far */
    struct cycle reads;  /* --mix */
    uint64_t arrived_ns; /* it was ready to begin */
    uint64_t start_ns, end_ns, deadline_ns;
    uint64_t counted_ns;  /* with clocks: end of the last one */
    struct cursor cursor; /* with slice->order */
    bool took_share;      /* the share of a slice on a schedule */
};

struct worker_pool {
    struct worker *workers;
    uint32_t count;   /* of workers */
    uint32_t started; /* threads in addition to the caller's */
    const struct settings *settings;
    const struct plan *plan;
    struct series *series;  /* --interval: counts all operations; NULL: none */
    struct pattern pattern; /* of the data written; const while workers run */
    const struct clock *clock;
    const volatile int *stop;
    /* processors of the caller's thread before --pin; NULL: not pinned */
    struct os_pin *home;
    atomic_uint_fast64_t failures; /* written on the cold path only */
    uint64_t failures_end;         /* of worker_limit_errors; 0: no limit; const in a slice */

    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t generation; /* under lock, as the next two: a new slice, or the end */
    uint32_t
        /* number of workers, from the first, that take part in the slice of this generation */
        active;
    uint32_t running; /* active workers, except the caller, that have not finished it */
    bool quit;

    const struct slice *slice; /* const while workers run */
    uint32_t slices;           /* run so far */
    struct barrier barrier;
    atomic_bool broken;            /* a worker failed to set up: none runs */
    bool missed;                   /* the agreed moment had passed when this rank received it */
    bool called_off;               /* another rank failed to set up, or is lost */
    atomic_uint_fast64_t taken;    /* cycles handed out */
    atomic_uint_fast64_t began_ns; /* the start for all: that of the first thread; 0: none yet */
    uint64_t chunk;
    atomic_uint counting; /* threads with a running clock */
    volatile int over;    /* not 0: no clock is running */
};

/* Whether too many operations failed. */
static inline bool pool_gave_up(const struct worker_pool *pool, uint64_t failures)
{
    return (pool->settings->max_errors && failures >= pool->settings->max_errors) ||
           (pool->failures_end && failures >= pool->failures_end);
}

/* The duration of that number of operations on a schedule. */
static inline uint64_t pool_planned_ns(const struct worker_pool *pool, uint64_t cycles)
{
    return (uint64_t)((double)cycles * 1e9 / settings_own_rate(pool->settings));
}

/* On the thread of a worker: sets up the engine, meets the others, runs its share of the slice and
 * stores the results in worker->sums. */
void worker_slice(struct worker *worker);

#endif
