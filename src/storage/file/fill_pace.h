/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fill_pace.h - paces the filling of test files on storage of unknown speed.  Data are flushed in
 * steps that grow while flushing is quick: the speed is known soon, and a signal waits for one step
 * at most, since write-back cannot be interrupted.  With a time limit, also estimates how much can
 * be written within it.  Pure: the caller has the clock. */
#ifndef STORAGE_FILE_FILL_PACE_H
#define STORAGE_FILE_FILL_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define FILL_PACE_FIRST_BYTES (UINT64_C(64) << 10)
#define FILL_PACE_GROWTH      4
#define FILL_PACE_QUICK_NS \
    UINT64_C(100000000) /* a step that takes no longer is followed by a longer one */

struct fill_pace {
    uint64_t end_ns; /* of filling; UINT64_MAX: no limit */
    uint64_t begin_ns, limit_ns;
    uint64_t step_bytes; /* brought to the storage at a time */
    uint64_t open_bytes; /* written since the last step */
    uint64_t stepped_ns; /* when that ended */
    double ns_per_byte;  /* of the last step; negative: there was none */
};

/* Filling begins now; limit_ns 0: without a limit. */
void fill_pace_begin(struct fill_pace *pace, uint64_t limit_ns, uint64_t now_ns);

/* Adds bytes written.  True: a step is due; call fill_pace_stepped after it. */
bool fill_pace_wrote(struct fill_pace *pace, uint64_t bytes);
void fill_pace_stepped(struct fill_pace *pace, uint64_t now_ns);

/* Whether this many more bytes can probably be flushed within the limit; within half of it, for the
 * first file: if that takes longer, operations of its size would be slow as well. */
bool fill_pace_fits(const struct fill_pace *pace, uint64_t bytes, uint64_t now_ns);
bool fill_pace_fits_half(const struct fill_pace *pace, uint64_t bytes, uint64_t now_ns);

/* Whether the first file is enough: making it took so long, opening_ns of that before its data were
 * written, that opening and checking many would leave no time to measure them. */
bool fill_pace_one_file(const struct fill_pace *pace, uint64_t opening_ns, uint64_t now_ns);

#endif
