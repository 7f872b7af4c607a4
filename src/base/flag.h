/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* flag.h - a number set by a signal handler, on any thread, and polled by all threads. Relaxed:
 * costs a plain load and publishes nothing else. */
#ifndef BASE_FLAG_H
#define BASE_FLAG_H

static inline int flag_read(const volatile int *flag)
{
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static inline void flag_set(volatile int *flag, int value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}

#endif
