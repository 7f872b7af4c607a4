/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series.h - --interval: the work of all threads in each interval of the run, to observe a volume
 * over time. Each worker publishes its progress in separate memory; a thread of the series wakes at
 * fixed moments, reads it, and reports the difference from the previous reading. A thread or device
 * that hangs never delays a record. */
#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/hist.h"
#include "engine/engine.h"

#define SERIES_LEAST_NS UINT64_C(10000000) /* shorter intervals would measure the printing */

struct series;

struct cell;

/* The work on one row in one interval. An interval with slices of several rows has a record for
 * each, in the order of rows; one without slices, or with a warm-up slice only, has one record
 * without a row.
 *
 * The sums over all records of a row equal the row: a slice is added when it is final
 * (series_add_slice); while one runs, only what cannot decrease is reported. */
struct series_record {
    uint64_t time_ns;      /* end of the interval, after the start of measuring */
    uint64_t length_ns;    /* its real length, above 0 */
    uint64_t busy_ns;      /* time of the row: that of its slots / their number */
    uint64_t preparing_ns; /* the part of length_ns without a part being measured */
    uint64_t unix_ms;      /* the end, by the wall clock */
    bool partial;          /* the last one, cut short by the end of the run */
    /* a part was being measured; test and cache: of the last one */
    bool under_way;
    const struct cell *cell;                 /* the row; NULL: no slice of one ran */
    enum io_test test;                       /* of that part */
    enum cache_mode cache;                   /* of that part */
    uint64_t operations;                     /* complete ones */
    uint64_t bytes;                          /* of them: the I/O size each, as in rows */
    uint64_t errors;                         /* failed operations */
    uint64_t in_flight;                      /* operations begun and not ended at its end */
    uint64_t latency_sum_ns;                 /* of its operations */
    uint64_t latency_min_ns, latency_max_ns; /* 0: no operations */
    uint64_t latency_last_ns;                /* of the operation that ended last so far */
    uint64_t latency_p50_ns, latency_p99_ns; /* of its operations; 0: too few */
    struct series_sums {                     /* of the row, since its start */
        uint64_t operations, bytes, errors, busy_ns, latency_sum_ns;
    } all;
};

/* Parts of a slice's operations: counted at once, or set aside by a clock and perhaps counted later
 * (see cycle.h). */
enum series_part { SERIES_COUNTED, SERIES_WARM, SERIES_LOAD, SERIES_PARTS };

/* Progress of one worker since the start of the slice, written by the worker and read by the
 * series. `version` is odd while the other members change, so that a reader can detect an
 * inconsistent copy; its stores release and its loads acquire for that order only, which costs
 * nothing on most processors. Occupies separate cache lines, never shared with another worker. */
struct series_live {
    _Alignas(128) atomic_uint_fast64_t version;
    struct series_count {
        atomic_uint_fast64_t operations, latency_sum_ns;
        /* Number of slots whose time runs, and an offset: running * now + spent_ns is the time of
         * all slots. */
        atomic_uint_fast64_t running, spent_ns;
    } count[SERIES_PARTS];
    atomic_uint_fast64_t errors, in_flight;
    atomic_uint_fast64_t clocks_begin_ns, clocks_end_ns; /* of the slice; end UINT64_MAX: none */
    atomic_uint_fast64_t last_ns, last_end_ns;           /* latency and end of the last operation */
    /* The longest and the shortest latency since the last reading of the series, which resets them
     * to 0 and UINT64_MAX. A latency recorded during that reading may be missed. */
    atomic_uint_fast64_t max_ns, min_ns;
    /* A histogram of all latencies, read bucket by bucket: a latency recorded meanwhile belongs to
     * this interval or the next. */
    atomic_uint_fast64_t latencies[HIST_BUCKETS];
    enum series_part part; /* used by the worker only: the part of its synchronous operations */
};

struct series_batch { /* operations that ended */
    uint64_t operations;
    uint64_t sum_ns, min_ns, max_ns; /* of their latencies; without operations: 0, UINT64_MAX, 0 */
    uint64_t last_ns, end_ns;        /* latency of the last of them, and when it ended */
};

#define SERIES_OWN(field)        atomic_load_explicit(&live->field, memory_order_relaxed)
#define SERIES_PUT(field, value) atomic_store_explicit(&live->field, value, memory_order_release)

/* Worker: publishes ended operations and the number in flight now. With 0 operations only the
 * latter. */
static inline void series_publish(struct series_live *live, enum series_part part,
                                  const struct series_batch *batch, uint64_t in_flight)
{
    const uint64_t version = SERIES_OWN(version);

    atomic_store_explicit(&live->version, version + 1, memory_order_relaxed);
    if (batch->min_ns != UINT64_MAX) {
        if (batch->max_ns > SERIES_OWN(max_ns))
            SERIES_PUT(max_ns, batch->max_ns);
        if (batch->min_ns < SERIES_OWN(min_ns))
            SERIES_PUT(min_ns, batch->min_ns);
        SERIES_PUT(last_ns, batch->last_ns);
        SERIES_PUT(last_end_ns, batch->end_ns);
    }
    SERIES_PUT(count[part].operations, SERIES_OWN(count[part].operations) + batch->operations);
    SERIES_PUT(count[part].latency_sum_ns, SERIES_OWN(count[part].latency_sum_ns) + batch->sum_ns);
    SERIES_PUT(in_flight, in_flight);
    SERIES_PUT(version, version + 2);
}

/* Worker: the time of this number of slots begins (negative: ends) at now_ns. */
static inline void series_turn(struct series_live *live, enum series_part part, int64_t slots,
                               uint64_t now_ns)
{
    const uint64_t version = SERIES_OWN(version);

    atomic_store_explicit(&live->version, version + 1, memory_order_relaxed);
    SERIES_PUT(count[part].running, SERIES_OWN(count[part].running) + (uint64_t)slots);
    SERIES_PUT(count[part].spent_ns, SERIES_OWN(count[part].spent_ns) - (uint64_t)slots * now_ns);
    SERIES_PUT(version, version + 2);
}

/* Worker: records the latency of an operation before it is published. */
static inline void series_count_latency(struct series_live *live, uint64_t spent_ns)
{
    atomic_uint_fast64_t *count = &live->latencies[hist_index(spent_ns)];

    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* Worker: sets the number of operations in flight when it changed but none ended. */
static inline void series_set_in_flight(struct series_live *live, uint64_t in_flight)
{
    atomic_store_explicit(&live->in_flight, in_flight, memory_order_relaxed);
}

/* Worker: counts a failed operation. */
static inline void series_count_error(struct series_live *live)
{
    const uint64_t errors = atomic_load_explicit(&live->errors, memory_order_relaxed);

    atomic_store_explicit(&live->errors, errors + 1, memory_order_relaxed);
}

/* Creates a series for that number of workers. Never NULL; free with series_free. */
struct series *series_create(uint32_t workers, uint64_t interval_ns, const struct clock *clock,
                             const volatile int *stop);

/* Declares the workers from index `own` on as mates of the others: their operations belong to
 * another row of the same slices, see series_begin_slice. Call before anything begins. */
void series_split(struct series *series, uint32_t own);

/* The progress that worker `index` writes. */
struct series_live *series_live(struct series *series, uint32_t index);

/* The end of the interval that contains now_ns: a whole number of intervals after start_ns, and
 * after now_ns. UINT64_MAX: never. */
uint64_t series_next_ns(uint64_t start_ns, uint64_t interval_ns, uint64_t now_ns);

/* Starts the first interval now, and wakes the thread, if there is one. */
void series_start(struct series *series);

struct slice;
struct slice_record;

/* Called when measuring a part (test and cache mode) begins, and has ended. */
void series_begin_part(struct series *series, enum io_test test, enum cache_mode cache);
void series_end_part(struct series *series);

/* Called when a slice of a row, or of two with --mix, begins, and has ended; by one thread, while
 * no worker publishes. longest_ns: the maximum time that counts if it keeps a schedule. */
void series_begin_slice(struct series *series, const struct slice *slice, uint64_t longest_ns);
void series_end_slice(struct series *series);

/* Called when the slice was added to its row. */
void series_add_slice(struct series *series, const struct slice_record *slice);

/* series_take ends an interval at now_ns, begins the next and returns the first record; series_more
 * returns the others, and then false. series_take returns false, and does nothing, if no time has
 * passed since the last call or the start. Called by the thread of the series; by tests without a
 * thread. */
bool series_more(struct series *series, struct series_record *record);
bool series_take(struct series *series, uint64_t now_ns, struct series_record *record);

/* Starts the thread, which waits for series_start and then calls emit at the end of each interval.
 * The clock must be clock_monotonic. emit returns 0, or -1 with err, after which it is not called
 * again. Returns 0 or -1 (STATUS_TARGET). */
int series_run(struct series *series,
               int (*emit)(void *arg, const struct series_record *record, struct error *err),
               void *arg, struct error *err);

/* Whether emit has failed, so that the run must end. */
bool series_failed(const struct series *series);

/* Ends the thread and emits the last, partial interval on the caller's thread. Returns 0, or -1
 * with the error of emit in err. Does nothing without a thread or a start. */
int series_stop(struct series *series, struct error *err);

void series_free(struct series *series); /* must be stopped; NULL is fine */

#endif
