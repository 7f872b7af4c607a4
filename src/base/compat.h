/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compat.h - what each source includes first: what configure found out, and what the compiler is
 * told about code.  (What differs between systems: os/.) */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

/* Where only POSIX is to be used on a system that has more: what is not POSIX is not declared. */
#ifdef ONLY_POSIX
#undef _GNU_SOURCE
#undef _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#endif

#define COLD __attribute__((noinline, cold)) /* kept out of the way of hot code */
/* Of the hot loop: GCC gives up inlining where a loop has grown too large. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif
