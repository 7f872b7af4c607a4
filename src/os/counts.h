/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* counts.h - what the kernel counts: the resources a thread used, and how files are stored. */
#ifndef OS_COUNTS_H
#define OS_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* What the calling thread has used so far, as counted by the kernel. */
struct usage {
    uint64_t cpu_ns; /* user + system time of this thread */
    /* Accounted separately: many systems only sample which mode the thread is in at each tick of a
     * clock, so short times are missed and the sum can differ from cpu_ns. Both 0: unknown. */
    uint64_t user_ns, system_ns;
    uint64_t queued_ns;   /* runnable, but waiting for a processor; 0 where not counted */
    bool io_known;        /* the two fields below are meaningful */
    uint64_t read_bytes;  /* fetched from storage on behalf of this thread */
    uint64_t write_bytes; /* sent to storage, or made dirty in the page cache */
};

/* Subtracts an interval in which the thread was runnable throughout, from running and from waiting
 * for a processor in proportion. */
static inline void usage_leave_out(struct usage *used, uint64_t ready_ns)
{
    const double all_ns = (double)used->cpu_ns + (double)used->queued_ns;
    const double left = (double)ready_ns < all_ns ? 1 - (double)ready_ns / all_ns : 0;

    used->cpu_ns = (uint64_t)((double)used->cpu_ns * left);
    used->queued_ns = (uint64_t)((double)used->queued_ns * left);
}

static inline void usage_add(struct usage *into, const struct usage *more)
{
    into->cpu_ns += more->cpu_ns;
    into->user_ns += more->user_ns;
    into->system_ns += more->system_ns;
    into->queued_ns += more->queued_ns;
    into->read_bytes += more->read_bytes;
    into->write_bytes += more->write_bytes;
}

static inline uint64_t usage_less(uint64_t after, uint64_t before)
{
    return after > before ? after - before : 0;
}

/* What was used between two readings. Kernel threads come and go, so a counter may fall: then 0. */
static inline struct usage usage_since(const struct usage *before, const struct usage *after)
{
    return (struct usage){.cpu_ns = usage_less(after->cpu_ns, before->cpu_ns),
                          .user_ns = usage_less(after->user_ns, before->user_ns),
                          .system_ns = usage_less(after->system_ns, before->system_ns),
                          .queued_ns = usage_less(after->queued_ns, before->queued_ns),
                          .io_known = before->io_known && after->io_known,
                          .read_bytes = usage_less(after->read_bytes, before->read_bytes),
                          .write_bytes = usage_less(after->write_bytes, before->write_bytes)};
}

/* How the data of files are stored: data, holes, space allocated but never written, and data that
 * are compressed or kept with the metadata. Reads of holes and unwritten space
 * do not reach the storage, so they do not measure it.
 *
 * Sums over the files examined. data + hole + unwritten equals bytes, or less if `cut`; the other
 * shares are parts of data (or of unwritten) and may overlap. All count bytes within the requested
 * length, not blocks. */
struct extents {
    uint64_t files;           /* examined; 0: nothing is known */
    uint64_t bytes;           /* requested */
    uint64_t data_bytes;      /* also data in the page cache not yet written back */
    uint64_t hole_bytes;      /* without space; also unwritten space where extents are unknown */
    uint64_t unwritten_bytes; /* allocated without data, none of it dirty in the page cache */
    uint64_t encoded_bytes;   /* compressed: storage holds fewer bytes */
    uint64_t inline_bytes;    /* kept with the metadata */
    bool unknown_holes;       /* a file system does not report where data are */
    bool unknown_extents;     /* ... or how they are stored */
    bool cut;                 /* a limit was reached: the sums are lower bounds */
};

#endif
