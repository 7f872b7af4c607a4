/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - what the calling thread has used so far, as the kernel counts it. */
#ifndef BASE_USAGE_H
#define BASE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct usage {
    uint64_t cpu_ns;      /* user + system time of this thread */
    bool io_known;        /* the two fields below are meaningful */
    uint64_t read_bytes;  /* fetched from storage on behalf of this thread (/proc/thread-self/io) */
    uint64_t write_bytes; /* sent to storage, or made dirty in the page cache */
};

/* Reads the counters of the calling thread; unknown parts stay 0 with io_known false. */
void usage_read(struct usage *usage);

/* Resident memory of the process in bytes, 0 when unknown. */
uint64_t usage_resident_bytes(void);

/* Memory that can be had without swapping (MemAvailable), in bytes; 0 when unknown. */
uint64_t usage_available_bytes(void);

#endif
