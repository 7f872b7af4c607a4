/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fill_pace.c - see fill_pace.h.  Only the last step counts for the speed: the first ones are so
 * short that they tell what a flush costs, not what a byte does. */
#include "base/compat.h"

#include "storage/file/fill_pace.h"

/* Of the limit, for the first file of several. */
#define FILE_SHARE    4
#define OPENING_SHARE 30

void fill_pace_begin(struct fill_pace *pace, uint64_t limit_ns, uint64_t now_ns)
{
    const bool limited = limit_ns && limit_ns < UINT64_MAX - now_ns;

    *pace = (struct fill_pace){
        .end_ns = limited ? now_ns + limit_ns : UINT64_MAX,
        .begin_ns = now_ns,
        .limit_ns = limited ? limit_ns : 0,
        .step_bytes = FILL_PACE_FIRST_BYTES,
        .stepped_ns = now_ns,
        .ns_per_byte = -1,
    };
}

bool fill_pace_wrote(struct fill_pace *pace, uint64_t bytes)
{
    pace->open_bytes += bytes;
    return pace->open_bytes >= pace->step_bytes;
}

void fill_pace_stepped(struct fill_pace *pace, uint64_t now_ns)
{
    const uint64_t spent_ns = now_ns - pace->stepped_ns;

    pace->ns_per_byte = (double)spent_ns / (double)pace->open_bytes;
    pace->open_bytes = 0;
    pace->stepped_ns = now_ns;
    if (spent_ns <= FILL_PACE_QUICK_NS && pace->step_bytes < UINT64_MAX / FILL_PACE_GROWTH)
        pace->step_bytes *= FILL_PACE_GROWTH;
}

static bool fits(const struct fill_pace *pace, uint64_t end_ns, uint64_t bytes, uint64_t now_ns)
{
    const double waiting = (double)pace->open_bytes + (double)bytes;

    if (end_ns == UINT64_MAX)
        return true;
    return now_ns < end_ns && waiting * pace->ns_per_byte <= (double)(end_ns - now_ns);
}

bool fill_pace_fits(const struct fill_pace *pace, uint64_t bytes, uint64_t now_ns)
{
    return fits(pace, pace->end_ns, bytes, now_ns);
}

bool fill_pace_fits_half(const struct fill_pace *pace, uint64_t bytes, uint64_t now_ns)
{
    return fits(pace, pace->limit_ns ? pace->end_ns - pace->limit_ns / 2 : UINT64_MAX, bytes,
                now_ns);
}

bool fill_pace_one_file(const struct fill_pace *pace, uint64_t opening_ns, uint64_t now_ns)
{
    return pace->limit_ns && (now_ns - pace->begin_ns > pace->limit_ns / FILE_SHARE ||
                              opening_ns > pace->limit_ns / OPENING_SHARE);
}
