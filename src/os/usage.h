/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - what the calling thread has used so far, as the kernel counts it. */
#ifndef OS_USAGE_H
#define OS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct usage {
    uint64_t cpu_ns;      /* user + system time of this thread */
    uint64_t queued_ns;   /* ready to run, but waiting for a processor; 0 where nobody counts it */
    bool io_known;        /* the two fields below are meaningful */
    uint64_t read_bytes;  /* fetched from storage on behalf of this thread (/proc/thread-self/io) */
    uint64_t write_bytes; /* sent to storage, or made dirty in the page cache */
};

/* Reads the counters of the calling thread; unknown parts stay 0 with io_known false. */
void usage_read(struct usage *usage);

/* The same for the kernel threads that do I/O on behalf of the calling thread (io_uring's
 * "iou-wrk-N" and "iou-sqp-N", N being its number), summed over those that exist now: one that ends
 * takes its share along, so a later sum can be smaller.  N is counted in the first pid namespace:
 * inside another one they are told apart only while the calling thread is the only one with helpers
 * to be expected (all other tasks of the process are helpers); else io_known is false.  It is also
 * false when there are helpers and none of their I/O accounts can be read.  Allocates nothing. */
void usage_read_helpers(struct usage *usage);

/* User + system time of the calling thread so far; 0 when unknown. */
uint64_t usage_cpu_ns(void);

/* Leaves out of what was used a time, by the clock, in which the thread was ready to run all the
 * while: from running and from waiting for a processor as these were to each other. */
static inline void usage_leave_out(struct usage *used, uint64_t ready_ns)
{
    const double all_ns = (double)used->cpu_ns + (double)used->queued_ns;
    const double left = (double)ready_ns < all_ns ? 1 - (double)ready_ns / all_ns : 0;

    used->cpu_ns = (uint64_t)((double)used->cpu_ns * left);
    used->queued_ns = (uint64_t)((double)used->queued_ns * left);
}

/* Resident memory of the process in bytes, 0 when unknown. */
uint64_t usage_resident_bytes(void);

/* Memory that can be had without swapping (MemAvailable) and within the limits of control groups,
 * in bytes; 0 when unknown. */
uint64_t usage_available_bytes(void);

/* The same, and within the limits of this process (ulimit -v, -d): what can be allocated. */
uint64_t usage_allocatable_bytes(void);

#endif
