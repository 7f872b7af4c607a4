/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* processors.h - how processor time was spent between two snapshots: by this process, other
 * programs, the kernel, or the host of a virtual machine. The load average cannot show this: it
 * covers the last minute and includes this process.
 *
 * Snapshots read files and are taken between measurements. Where the system reports no times, a
 * snapshot has no processors, and no shares are known. */
#ifndef OS_PROCESSORS_H
#define OS_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processor { /* since boot, by processor number */
    uint64_t number;
    int64_t busy_ns, idle_ns, interrupts_ns, steal_ns; /* idle: includes waiting for I/O */
};

struct processors { /* a snapshot; zeroed before the first one. Free with processors_free */
    uint64_t time_ns, own_ns; /* CLOCK_MONOTONIC; CPU time of this process */
    /* those that this process could use at the first snapshot */
    struct processor *each;
    size_t count, capacity;
    bool *allowed; /* by number, allowed_count of them; NULL: all */
    size_t allowed_count;
    bool asked;               /* whether `allowed` was read */
    struct processor *thread; /* of the kernel, by id; busy_ns: its CPU time */
    size_t thread_count, thread_capacity;
    bool threads_known;
};

/* Parses one line of /proc/stat, whose times are in ticks of tick_ns. False: neither this line nor
 * any later one describes a processor. */
bool processors_take_line(struct processors *look, const char *line, uint64_t tick_ns);

/* Adds a processor if this process may use it. */
void processors_take(struct processors *look, const struct processor *processor);

/* Adds a kernel thread; all snapshots must list threads in the same order. */
void processors_take_thread(struct processors *look, uint64_t id, uint64_t cpu_ns);

/* Takes a snapshot; root: see os/facts.h. */
void processors_look(const char *root, struct processors *look);
void processors_free(struct processors *look);

struct processors_sum { /* over the intervals added; zeroed at first */
    int64_t all_ns, idle_ns, interrupts_ns, steal_ns, own_ns, threads_ns;
    size_t count; /* largest number of processors */
    bool threads_unknown;
};

/* Adds the interval between two snapshots. Leaves out processors that were not online throughout
 * and those whose times decreased. */
void processors_add(struct processors_sum *sum, const struct processors *before,
                    const struct processors *after);

struct processor_shares { /* of the time of all processors; each 0 to 1, negative: unknown */
    unsigned count;       /* processors; 0: nothing is known */
    double own, others;
    double kernel; /* its threads and interrupts, whatever they served; unknown: in `others` */
    double steal;  /* a virtual machine was runnable, but its host ran something else */
};

/* All are unknown for intervals below a tenth of a second. */
void processors_share(const struct processors_sum *sum, struct processor_shares *shares);

#endif
