/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - what each source includes first: what configure found out, and what the compiler is told
 * about code.  (What differs between systems: os/.) */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#define COLD __attribute__((noinline, cold)) /* kept out of the way of hot code */

#endif
