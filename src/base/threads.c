/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* threads.c - see threads.h. */
#include "base/compat.h"

#include "base/threads.h"

#include <errno.h>
#include <signal.h>

#include "base/clock.h"

#ifndef HAVE_PTHREAD_CONDATTR_SETCLOCK
#define LOOK_NS NS_PER_S /* limits the delay caused by a step of the time of day */
#endif

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all, before;
    int code;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(thread, NULL, run, arg);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

void condition_init(pthread_cond_t *condition)
{
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
#else
    pthread_cond_init(condition, NULL);
#endif
}

/* The corresponding time on the condition's clock. */
static struct timespec moment_of(uint64_t at_ns)
{
#ifndef HAVE_PTHREAD_CONDATTR_SETCLOCK /* the clock is the time of day */
    const uint64_t now_ns = clock_monotonic_ns();
    const uint64_t left_ns = at_ns > now_ns ? at_ns - now_ns : 0;

    at_ns = clock_wall_ns() + (left_ns < LOOK_NS ? left_ns : LOOK_NS);
#endif
    const uint64_t seconds = at_ns / NS_PER_S;

    return (struct timespec){.tv_sec = seconds < INT32_MAX ? (time_t)seconds : INT32_MAX,
                             .tv_nsec = (long)(at_ns % NS_PER_S)};
}

bool condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t at_ns)
{
    struct timespec moment;

    if (at_ns == UINT64_MAX) {
        pthread_cond_wait(condition, lock);
        return false;
    }
    do
        moment = moment_of(at_ns);
    while (pthread_cond_timedwait(condition, lock, &moment) == ETIMEDOUT &&
           clock_monotonic_ns() < at_ns);
    return clock_monotonic_ns() >= at_ns;
}

#ifdef HAVE_PTHREAD_BARRIER_INIT

void barrier_init(struct barrier *barrier, uint32_t count)
{
    pthread_barrier_init(&barrier->own, NULL, count);
}

void barrier_wait(struct barrier *barrier)
{
    pthread_barrier_wait(&barrier->own);
}

void barrier_destroy(struct barrier *barrier)
{
    pthread_barrier_destroy(&barrier->own);
}

#else

void barrier_init(struct barrier *barrier, uint32_t count)
{
    *barrier = (struct barrier){.count = count};
    pthread_mutex_init(&barrier->lock, NULL);
    pthread_cond_init(&barrier->full, NULL);
}

void barrier_wait(struct barrier *barrier)
{
    uint64_t round;

    pthread_mutex_lock(&barrier->lock);
    round = barrier->rounds;
    if (++barrier->waiting == barrier->count) {
        barrier->waiting = 0;
        barrier->rounds++;
        pthread_cond_broadcast(&barrier->full);
    }
    while (round == barrier->rounds)
        pthread_cond_wait(&barrier->full, &barrier->lock);
    pthread_mutex_unlock(&barrier->lock);
}

/* The last thread to leave may still hold the lock. */
void barrier_destroy(struct barrier *barrier)
{
    pthread_mutex_lock(&barrier->lock);
    pthread_mutex_unlock(&barrier->lock);
    pthread_cond_destroy(&barrier->full);
    pthread_mutex_destroy(&barrier->lock);
}

#endif
