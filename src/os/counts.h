/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* counts.h - what systems count: what a thread used, and how files are stored. */
#ifndef OS_COUNTS_H
#define OS_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* What the calling thread has used so far, as the kernel counts it. */
struct usage {
    uint64_t cpu_ns; /* user + system time of this thread */
    /* Both apart, in an account of its own: many systems look only at each tick of a clock which of
     * them runs, so that short times have no share, and the sum is not cpu_ns to the nanosecond.
     * Both 0: not known. */
    uint64_t user_ns, system_ns;
    uint64_t queued_ns;   /* ready to run, but waiting for a processor; 0 where nobody counts it */
    bool io_known;        /* the two fields below are meaningful */
    uint64_t read_bytes;  /* fetched from storage on behalf of this thread */
    uint64_t write_bytes; /* sent to storage, or made dirty in the page cache */
};

/* Leaves out of what was used a time, by the clock, in which the thread was ready to run all the
 * while: from running and from waiting for a processor as these were to each other. */
static inline void usage_leave_out(struct usage *used, uint64_t ready_ns)
{
    const double all_ns = (double)used->cpu_ns + (double)used->queued_ns;
    const double left = (double)ready_ns < all_ns ? 1 - (double)ready_ns / all_ns : 0;

    used->cpu_ns = (uint64_t)((double)used->cpu_ns * left);
    used->queued_ns = (uint64_t)((double)used->queued_ns * left);
}

/* Adds what else was used. */
static inline void usage_add(struct usage *into, const struct usage *more)
{
    into->cpu_ns += more->cpu_ns;
    into->user_ns += more->user_ns;
    into->system_ns += more->system_ns;
    into->queued_ns += more->queued_ns;
    into->read_bytes += more->read_bytes;
    into->write_bytes += more->write_bytes;
}

/* How much of files is really on the storage: data, holes, space that was allocated but never
 * written, and data that are shared, compressed, encrypted or kept with the metadata.  Reads of
 * holes and unwritten space ask no storage, so that their figures are not the storage's.
 *
 * Sums over the files looked at.  data + hole + unwritten is bytes, or less when `cut`; the other
 * shares are parts of data (or of unwritten) and may overlap.  All in bytes within the length that
 * was asked about, not in blocks. */
struct extents {
    uint64_t files;           /* looked at; 0: nothing is known */
    uint64_t bytes;           /* asked about */
    uint64_t data_bytes;      /* also what waits in the page cache to be written */
    uint64_t hole_bytes;      /* without space; and unwritten space where extents are not known */
    uint64_t unwritten_bytes; /* space without data, and none of it waits in the page cache */
    uint64_t shared_bytes;    /* in extents that other files or snapshots have too (reflinks) */
    uint64_t encoded_bytes;   /* compressed: storage holds fewer bytes */
    uint64_t encrypted_bytes; /* by the file system */
    uint64_t inline_bytes;    /* kept with the metadata */
    uint64_t extent_count;    /* of the storage, as far as looked at */
    bool unknown_holes;       /* a file system does not tell where data are */
    bool unknown_extents;     /* ... or how they are stored */
    bool cut;                 /* the limits ended a look: sums are the least there is */
};

#endif
