/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_book.h - shared by series.c (the thread and its records) and series_book.c (the accounts
 * of rows); no other file includes it. */
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

/* Accounts without a row, for warm-up: one of the slice's own kind, one of its mates'. */
#define SERIES_ROWLESS 2u

/* The operations of a row. */
struct account {
    const struct cell *cell;     /* NULL: of no row */
    const struct cell *kind;     /* gives the test and cache mode; NULL: no operations */
    struct series_sums reported; /* slices included in the row */
    struct series_sums before;   /* totals at the end of the last interval */
    uint64_t in_flight;
    struct hist *latency;    /* in this interval; NULL: no operations; owned */
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
    struct totals *known;     /* of each worker: its last consistent values */
    struct hist *counted;     /* of each worker: its latencies when last read */
    void *memory;
    uint32_t workers;
    uint32_t own; /* number of them that are not mates (series_split) */
    uint64_t interval_ns;
    const struct clock *clock;
    const volatile int *stop; /* not 0: the run is ending */
    uint64_t start_ns;

    /* Used by the caller of series_take. */
    uint64_t last_ns;              /* end of the previous interval */
    struct series_record *records; /* of the interval that ended; those from `next` on remain */
    unsigned record_count, next;
    size_t record_room;

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
    bool ended;                       /* the thread can be joined */
    struct series_phase part, latest; /* current; last one in this interval */
    uint64_t idle_ns;                 /* time without a part in this interval, ... */
    uint64_t idle_from_ns;            /* ... up to here */
    uint64_t errors[2];               /* already in the accounts: of the workers, of their mates */
    struct account *accounts;         /* by cell->index + SERIES_ROWLESS */
    unsigned account_count;
    unsigned current;    /* account of the current slice, 0: none */
    unsigned mate;       /* that of the mates, 0: none */
    bool counts;         /* the slice belongs to its row; else to an account without a row */
    bool ending;         /* the slice has ended */
    uint64_t longest_ns; /* see series_begin_slice */
    uint64_t cycles;     /* of the slice */
    uint64_t looked_ns;  /* of the last update: a slice began, ended or was read */
};

/* Adds operations since the last update to the current accounts; adds idle time.  Under the lock.
 */
void series_book(struct series *series, uint64_t now_ns);
void series_book_idle(struct series *series, uint64_t now_ns);

/* Prepares an account for the next interval. */
void series_reset_account(struct account *account);

/* Discards what workers have published. */
void series_reset_lives(struct series *series);

#endif
