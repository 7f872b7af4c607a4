/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traffic.h - what crossed the network while a row was measured: the difference of two readings of
 * the target's counters around each slice. */
#ifndef RUN_TRAFFIC_H
#define RUN_TRAFFIC_H

#include <stdbool.h>

#include "run/cell.h"

/* Reads the counters before a slice.  False when there are none. */
bool traffic_begin(const struct result *result, struct target_traffic *before);

/* Adds what came since then to result->rpc, which is made at the first time. */
void traffic_end(struct result *result, const struct target_traffic *before);

/* Before a row is judged: where the accounts of the threads see nothing, the bytes that READ and
 * WRITE moved are its device_bytes. */
void traffic_close(struct result *result);

#endif
