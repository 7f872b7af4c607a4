/* SPDX-License-Identifier: GPL-2.0-or-later */
/* os.h - what differs between systems: this header and those it includes are all that a port must
 * fill.  os/linux/ does it as Linux can; os/posix/ with what any system of POSIX.1-2008 has.
 *
 * 0 is done, -errno failed.  -ENOTSUP: this system has no such thing; the caller then leaves a
 * field empty or refuses an option, and never takes another way without a word. */
#ifndef OS_OS_H
#define OS_OS_H

#include <stddef.h>
#include <stdint.h>

#include "os/beneath.h" /* opening below a directory, and openings of engines */
#include "os/extents.h" /* what of a file is on the storage */
#include "os/facts.h"   /* the machine, and what targets lie on */
#include "os/file.h"    /* the page cache, alignment, space, locks, file systems */
#include "os/memory.h"  /* buffers for I/O (os/memory.c: of all systems) */
#include "os/pin.h"     /* threads on processors of their own */
#include "os/traffic.h" /* counters of network file systems */
#include "os/usage.h"   /* processor time, I/O and memory used so far, memory left */

/* Bytes nobody can foresee.  Returns 0 or -errno: there is no source of them. */
int os_random(void *bytes, size_t size);

/* A number from there; without a source of random bytes from the clock and the number of the
 * process.  (os/os.c) */
uint64_t os_random_number(void);

/* How wide and high (0: not known) the terminal is that a descriptor leads to.  Returns 0 or
 * -errno: it is no terminal, or does not say. */
int os_terminal_size(int fd, unsigned *columns, unsigned *lines);

/* Its columns; 0: not known.  (os/os.c) */
unsigned os_terminal_columns(int fd);

/* Has the calling thread woken as exactly as the system can.  Returns what undo needs to put back
 * how it was; 0: nothing was changed. */
uint64_t os_sharpen_timers(void);
void os_sharpen_timers_undo(uint64_t before);

#endif
