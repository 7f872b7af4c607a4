/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker_pool.h - what worker.c (threads, and what they yield together) and worker_slice.c (a slice
 * on one thread) share; no other file includes it. */
#ifndef RUN_WORKER_POOL_H
#define RUN_WORKER_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/threads.h"
#include "run/cycle.h"
#include "run/sweep.h"
#include "run/worker.h"

/* The memory of a worker thread: made and touched before anything is measured, so that a slice
 * allocates nothing. */
struct buffers {        /* of one thread */
    char *buffer;       /* of all operations in flight */
    char *scratch;      /* read-modify-write, as many; or NULL */
    char *check_buffer; /* what one call moves, to read back into; or NULL */
    struct async_event *events;
    struct cycle_slot *slots;
};

struct worker {
    _Alignas(64) struct worker_pool *pool;
    uint32_t index;
    pthread_t thread;
    struct buffers buffers;
    void *homes[SETTINGS_ENGINES_MAX + 1]; /* what engines keep on this thread, by engine_table */
    struct payload written;                /* the data of the next write */
    struct kept { /* objects kept open: of the cell, and with --mix of the reads */
        struct handle *handle;
        uint32_t capacity;
    } kept[2];
    /* of this thread alone, by kind of operations; time_ns and elapsed_ns are those of all */
    struct slice_sum sums[2];
    struct usage used; /* of processors in the last slice, all that this thread did */
    struct error error;
    struct cycle_clocks clocks;
    struct tally *aside;    /* of clocks, ASIDE_KINDS times two; NULL: there were none yet */
    struct cycle_mate mate; /* --mix: the reads */
    uint64_t arrived_ns;    /* it was there to begin */
    uint64_t start_ns, end_ns, deadline_ns;
    uint64_t counted_ns;  /* with clocks: when the last of them ended */
    struct cursor cursor; /* with slice->order */
    bool took_share;      /* of a slice on a schedule */
};

struct worker_pool {
    struct worker *workers;
    uint32_t count;   /* of workers */
    uint32_t started; /* threads beside the caller's */
    const struct settings *settings;
    const struct plan *plan;
    struct series *series;  /* --interval: counts all operations; NULL: none does */
    struct pattern pattern; /* of the data written; const while workers run */
    const struct clock *clock;
    const volatile int *stop;
    /* where the caller's thread may run without --pin; NULL: not pinned */
    struct os_pin *home;
    atomic_uint_fast64_t failures; /* written on the cold path only */
    uint64_t failures_end;         /* of worker_limit_errors; 0: no limit; const in a slice */

    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t generation; /* under lock, as the next two: a new slice, or the end */
    uint32_t
        active; /* this many workers, the first ones, take part in the slice of this generation */
    uint32_t running; /* of them, without the caller, have not ended it yet */
    bool quit;

    const struct slice *slice; /* const while workers run */
    uint32_t slices;           /* run so far */
    struct barrier barrier;
    atomic_bool broken;            /* some worker could not set up: no worker runs */
    bool missed;                   /* the moment was over when this rank learned it */
    bool called_off;               /* another rank could not, or is lost */
    atomic_uint_fast64_t taken;    /* cycles handed out */
    atomic_uint_fast64_t began_ns; /* the start for all: that of the first thread; 0: none yet */
    uint64_t chunk;
    atomic_uint counting; /* threads of which some clock has not ended */
    volatile int over;    /* not 0: none is left */
};

/* Too many operations failed. */
static inline bool pool_gave_up(const struct worker_pool *pool, uint64_t failures)
{
    return (pool->settings->max_errors && failures >= pool->settings->max_errors) ||
           (pool->failures_end && failures >= pool->failures_end);
}

/* How long that many operations take on a schedule. */
static inline uint64_t pool_planned_ns(const struct worker_pool *pool, uint64_t cycles)
{
    return (uint64_t)((double)cycles * 1e9 / settings_own_rate(pool->settings));
}

/* --- worker_team.c: a slice that other ranks begin at the same moment --- */

/* All threads of this rank are ready: the first one agrees with the other ranks on the moment,
 * which is pool->began_ns then.  Where they do not, pool->broken. */
void worker_meet_team(struct worker *worker);

/* Rests until that moment; worker->arrived_ns is when it was there. */
void worker_wait_for_moment(struct worker *worker);

/* Fills slice->times. */
void worker_tell_times(const struct worker_pool *pool, uint32_t threads);

/* On the thread of a worker: sets the engine up, meets the others, runs its share of the slice and
 * leaves what it came to in worker->sums. */
void worker_slice(struct worker *worker);

#endif
