/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pin.h - --pin: threads on processors of their own, among those the process may use. */
#ifndef OS_PIN_H
#define OS_PIN_H

#include <stdbool.h>
#include <stdint.h>

struct pin; /* where a thread may run */

/* Whether the system lets a program choose; else the others do nothing. */
bool pin_possible(void);

/* Lets the calling thread run only on processor number `index` (modulo their count) of those it may
 * use now.  Best effort. */
void pin_thread(uint32_t index);

/* The same for the first processor and the program's main thread; what it may use otherwise is
 * returned for pin_undo.  NULL when that cannot be known: then nothing was changed. */
struct pin *pin_caller(void);

/* Undoes pin_caller and frees; NULL is fine. */
void pin_undo(struct pin *pin);

#endif
