/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* threads.h - threads that get no signals, and parts of POSIX threads that some systems lack:
 * condition waits on the monotonic clock, and barriers. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread whose signals are blocked: they are for those that wait for them. Returns 0 or a
 * positive errno. */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* For condition_wait_until; destroy with pthread_cond_destroy. */
void condition_init(pthread_cond_t *condition);

/* Releases the lock and waits until the condition is signalled or clock_monotonic reaches at_ns
 * (UINT64_MAX: no limit). True: the time was reached. Spurious wake-ups are possible. */
bool condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t at_ns);

/* A reusable barrier for `count` threads. */
struct barrier {
#ifdef HAVE_PTHREAD_BARRIER_INIT
    pthread_barrier_t own;
#else
    pthread_mutex_t lock;
    pthread_cond_t full;
    uint32_t count, waiting;
    uint64_t rounds; /* barriers passed */
#endif
};

void barrier_init(struct barrier *barrier, uint32_t count);
void barrier_wait(struct barrier *barrier);
void barrier_destroy(struct barrier *barrier); /* no thread may be waiting */

#endif
