/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - what each source includes first: what configure found out.  (What differs between
 * systems: os/.) */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#endif
