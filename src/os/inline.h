/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline.h - which system this is built for.  The only place in the sources that asks. */
#ifndef OS_INLINE_H
#define OS_INLINE_H

#ifdef SYSTEM_LINUX
#include "os/linux/inline.h"
#else
#include "os/posix/inline.h"
#endif

#endif
