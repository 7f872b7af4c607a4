/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* threads.h - what not every system has of POSIX threads: conditions that are waited for by the
 * monotonic clock, and barriers. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* For condition_wait_until; end it with pthread_cond_destroy. */
void condition_init(pthread_cond_t *condition);

/* Waits, and lets go of the lock meanwhile, until the condition is signalled or clock_monotonic
 * reads at_ns (UINT64_MAX: no limit).  True: it reads that.
 * May also return early for no reason. */
bool condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t at_ns);

/* A place where `count` threads wait until all of them are there; to be used over and over. */
struct barrier {
#ifdef HAVE_PTHREAD_BARRIER_INIT
    pthread_barrier_t own;
#else
    pthread_mutex_t lock;
    pthread_cond_t full;
    uint32_t count, waiting;
    uint64_t rounds; /* so often all were there */
#endif
};

void barrier_init(struct barrier *barrier, uint32_t count);
void barrier_wait(struct barrier *barrier);
void barrier_destroy(struct barrier *barrier); /* nobody waits */

#endif
