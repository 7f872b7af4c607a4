/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline.h - which system this is built for.  The only place that asks. */
#ifndef OS_INLINE_H
#define OS_INLINE_H

#include "os/linux/inline.h"

#endif
