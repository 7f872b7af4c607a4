/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_book.h - what series.c (the thread and its records) and series_book.c (the accounts of
 * rows) share; no other file includes it. */
#ifndef RUN_SERIES_BOOK_H
#define RUN_SERIES_BOOK_H

#include <pthread.h>

#include "run/series.h"

struct totals { /* of workers since the slice began */
    struct part_totals {
        uint64_t operations, latency_sum_ns, running, spent_ns;
    } part[SERIES_PARTS];
    uint64_t errors;
};

/* Accounts without a row, of what warms up: one of the slice's own kind, one of its mates'. */
#define SERIES_ROWLESS 2u

/* What was done of a row. */
struct account {
    const struct cell *cell; /* NULL: of no row */
    const struct cell *kind; /* its test and cache mode are the account's; NULL: nothing was done */
    struct series_sums told; /* slices that are in the row */
    struct series_sums ended;  /* and one that has ended, but was not told yet */
    struct series_sums before; /* what records have said until the last interval */
    uint64_t in_flight;
    struct hist *latency;    /* of this interval; NULL: nothing was booked in it; owned */
    uint64_t min_ns, max_ns; /* latencies in this interval; none: UINT64_MAX, 0 */
    uint64_t last_ns, last_end_ns;
    struct series_sums all;
};

struct series_phase {
    bool under_way;
    enum io_test test;
    enum cache_mode cache;
};

struct series {
    struct series_live *live; /* of each worker, in `memory` */
    struct totals *known;     /* of each worker, when they last belonged together */
    struct hist *counted;     /* of each worker: its latencies at the last look */
    void *memory;
    uint32_t workers;
    uint32_t own; /* of them; the others are their mates (series_split) */
    uint64_t interval_ns;
    const struct clock *clock;
    const volatile int *stop; /* not 0: the run is to end soon */
    uint64_t start_ns;
    atomic_uint_fast64_t interval; /* of the present interval; the workers look at it */

    /* By whoever calls series_take. */
    uint64_t last_ns;              /* end of the interval before */
    struct series_record *records; /* of the interval that ended: those from `next` on */
    unsigned record_count, record_room, next;

    int (*emit)(void *arg, const struct series_record *record, struct error *err);
    void *arg;
    struct error error; /* of emit; read when the thread has ended */
    atomic_bool failed;
    pthread_t thread;
    bool running;

    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* Under lock: */
    bool started, quit;
    bool ended;                       /* the thread is to be joined */
    struct series_phase part, latest; /* now; the last one seen in this interval */
    uint64_t idle_ns;                 /* of this interval, in which no part was under way, ... */
    uint64_t idle_from_ns;            /* ... up to this moment */
    uint64_t errors[2];               /* what is in the accounts: of the workers, of their mates */
    struct account *accounts;         /* by cell->index + SERIES_ROWLESS */
    unsigned account_count;
    unsigned current;    /* the account under way, 0: none */
    unsigned mate;       /* that of the mates, 0: none */
    bool counts;         /* the slice is one of its row; else it is booked to those without a row */
    bool ending;         /* it has ended */
    uint64_t longest_ns; /* see series_begin_slice */
    uint64_t cycles;     /* of the slice */
    uint64_t looked_ns;  /* slices began, ended and were looked at until then */
};

/* What was done since the last look goes to the accounts under way; and what of the time was in no
 * part.  Under the lock. */
void series_book(struct series *series, uint64_t now_ns);
void series_book_idle(struct series *series, uint64_t now_ns);

/* For the next interval. */
void series_reset_account(struct account *account);

/* What workers have published is forgotten. */
void series_reset_lives(struct series *series);

#endif
