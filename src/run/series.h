/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.h - --interval: what all threads did in each interval of the run, for watching a volume
 * over time.  Each worker publishes what it has done so far in memory of its own that it alone
 * writes; a thread of the series wakes at fixed moments, reads, and hands on the difference to what
 * it read before.  A thread that is stuck in an operation, or a device, never delays a record. */
#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/engine.h"

#define SERIES_LEAST_NS UINT64_C(10000000) /* shorter intervals would measure the printing */

struct series;

struct series_record {       /* one interval */
    uint64_t time_ns;        /* its end, after the start of measuring */
    uint64_t length_ns;      /* its real length, above 0 */
    bool partial;            /* the last one, cut short by the end of the run */
    bool under_way;          /* a part was measured in it: test and cache are those of the last */
    enum io_test test;       /* of that part */
    enum cache_mode cache;   /* of that part */
    uint64_t operations;     /* complete ones that ended in it */
    uint64_t bytes;          /* of them: the I/O size each, as in rows */
    uint64_t errors;         /* failed operations */
    uint64_t in_flight;      /* operations begun and not ended at its end */
    uint64_t latency_sum_ns; /* of its operations */
    uint64_t latency_max_ns; /* 0: no operations */
};

/* What one worker has done since the run began.  The worker alone writes it, the series reads it.
 * `version` is odd while the others change, so that a reader can tell whether they belong together;
 * stores are releases and loads acquires for that order's sake alone, which on most processors
 * costs nothing.  Two cache lines, never shared with another worker. */
struct series_live {
    _Alignas(128) atomic_uint_fast64_t version;
    const atomic_uint_fast64_t *interval; /* number of the interval under way */
    atomic_uint_fast64_t operations, bytes, errors, latency_sum_ns, in_flight;
    /* The longest latency seen in interval number max_interval, and in the one before it. */
    atomic_uint_fast64_t max_interval, max_ns, max_before_ns;
};

/* By the worker, after some operations ended: how many, their bytes, the sum of their latencies and
 * the longest; and how many are in flight now.  With 0 operations only the latter. */
static inline void series_publish(struct series_live *live, uint64_t operations, uint64_t bytes,
                                  uint64_t sum_ns, uint64_t max_ns, uint64_t in_flight)
{
#define OWN(field)        atomic_load_explicit(&live->field, memory_order_relaxed)
#define PUT(field, value) atomic_store_explicit(&live->field, value, memory_order_release)
    const uint64_t version = OWN(version);
    uint64_t interval;

    atomic_store_explicit(&live->version, version + 1, memory_order_relaxed);
    interval = atomic_load_explicit(live->interval, memory_order_relaxed);
    if (__builtin_expect(interval != OWN(max_interval), 0)) {
        PUT(max_before_ns, interval == OWN(max_interval) + 1 ? OWN(max_ns) : 0);
        PUT(max_ns, 0);
        PUT(max_interval, interval);
    }
    if (max_ns > OWN(max_ns))
        PUT(max_ns, max_ns);
    PUT(operations, OWN(operations) + operations);
    PUT(bytes, OWN(bytes) + bytes);
    PUT(latency_sum_ns, OWN(latency_sum_ns) + sum_ns);
    PUT(in_flight, in_flight);
    PUT(version, version + 2);
#undef PUT
#undef OWN
}

/* By the worker, when nothing ended but the number of operations in flight is another one. */
static inline void series_set_in_flight(struct series_live *live, uint64_t in_flight)
{
    atomic_store_explicit(&live->in_flight, in_flight, memory_order_relaxed);
}

/* By the worker: one more failed operation. */
static inline void series_count_error(struct series_live *live)
{
    const uint64_t errors = atomic_load_explicit(&live->errors, memory_order_relaxed);

    atomic_store_explicit(&live->errors, errors + 1, memory_order_relaxed);
}

/* For so many workers.  Never NULL; free with series_free. */
struct series *series_create(uint32_t workers, uint64_t interval_ns, const struct clock *clock,
                             const volatile int *stop);

/* What worker number `index` writes to. */
struct series_live *series_live(struct series *series, uint32_t index);

/* The moment at which the interval that is under way at now_ns ends: a whole number of intervals
 * after start_ns, and after now_ns.  UINT64_MAX: never. */
uint64_t series_next_ns(uint64_t start_ns, uint64_t interval_ns, uint64_t now_ns);

/* Measuring begins: the first interval starts now.  Wakes the thread, if there is one. */
void series_start(struct series *series);

/* Measuring of a part begins (test and cache mode) or has ended. */
void series_begin_part(struct series *series, enum io_test test, enum cache_mode cache);
void series_end_part(struct series *series);

/* Ends an interval at now_ns and begins the next.  Returns false, and does nothing, when no time
 * has passed since the last call or the start.  Called by the thread of the series; by tests
 * without one. */
bool series_take(struct series *series, uint64_t now_ns, struct series_record *record);

/* Makes the thread, which waits for series_start and then calls emit at the end of each interval.
 * The clock must be clock_monotonic.  emit returns 0, or -1 with err: it is not called again then.
 * Returns 0 or -1 (STATUS_TARGET). */
int series_run(struct series *series,
               int (*emit)(void *arg, const struct series_record *record, struct error *err),
               void *arg, struct error *err);

/* emit has failed: the run is to end. */
bool series_failed(const struct series *series);

/* Ends the thread and emits the last, partial interval, on the caller's thread.  Returns 0, or -1
 * with what emit reported in err.  Without a thread or a start it does nothing. */
int series_stop(struct series *series, struct error *err);

void series_free(struct series *series); /* stopped before; NULL is fine */

#endif
