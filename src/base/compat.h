/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compat.h - included first by each source: results of configure, and attributes for the compiler.
 * (Differences between systems: os/.) */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

/* When only POSIX may be used although the system has more: hide everything else. */
#ifdef ONLY_POSIX
#undef _GNU_SOURCE
#undef _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define COLD __attribute__((noinline, cold)) /* placed away from hot code */
/* For the hot loop: GCC stops inlining in loops that have grown too large. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif
