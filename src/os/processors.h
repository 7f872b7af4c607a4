/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* processors.h - what the processors did between two looks, and for whom: this process, other
 * programs, the kernel, or the host of a virtual machine.  The load average cannot tell: it is of
 * the last minute and counts this process, too.
 *
 * Looks read files and are made between measurements.  Where the system does not tell, a look has
 * no processors, and no shares are known. */
#ifndef OS_PROCESSORS_H
#define OS_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processor { /* since the machine was started, by its number */
    uint64_t number;
    int64_t busy_ns, idle_ns, interrupts_ns, steal_ns; /* idle: also while somebody waits for I/O */
};

struct kernel_thread {
    uint64_t id, cpu_ns;
};

struct processors {           /* a look; zeroed before the first one.  Free with processors_free */
    uint64_t time_ns, own_ns; /* CLOCK_MONOTONIC; CPU time of this process */
    /* those that this process might use when the first look was made */
    struct processor *each;
    size_t count, capacity;
    bool *allowed; /* by number, allowed_count of them; NULL: all are */
    size_t allowed_count;
    bool asked; /* which they are */
    struct kernel_thread *thread;
    size_t thread_count, thread_capacity;
    bool threads_known;
    /* while at least one task waited for a processor, or for I/O; 0: not counted here */
    uint64_t cpu_waits_ns, io_waits_ns;
};

/* One line of /proc/stat, whose times are in ticks of tick_ns.  False: it is of no processor, and
 * none follows. */
bool processors_take_line(struct processors *look, const char *line, uint64_t tick_ns);

/* Adds a processor, unless this process may not use it. */
void processors_take(struct processors *look, const struct processor *processor);

/* Adds a kernel thread; those of a look come in an order that later looks keep. */
void processors_take_thread(struct processors *look, uint64_t id, uint64_t cpu_ns);

/* Makes a look; root: see os/facts.h. */
void processors_look(const char *root, struct processors *look);
void processors_free(struct processors *look);

struct processors_sum { /* over the times between two looks each; zeroed at first */
    int64_t all_ns, idle_ns, interrupts_ns, steal_ns, own_ns, threads_ns;
    uint64_t elapsed_ns, cpu_waits_ns, io_waits_ns;
    size_t count; /* processors, the most there were */
    bool threads_unknown;
};

/* Adds what was between two looks.  Processors that were not there all the time, and those whose
 * times ran backwards, are left out. */
void processors_add(struct processors_sum *sum, const struct processors *before,
                    const struct processors *after);

struct processor_shares { /* of the time of all processors; each 0 to 1, negative: not known */
    unsigned count;       /* processors; 0: nothing is known */
    double own, others;
    double kernel; /* its threads and interrupts, for whoever they worked; not known: in `others` */
    double steal;  /* a virtual machine was ready to run, and its host did other things */
    double cpu_waits, io_waits; /* of the time that passed: see struct processors */
};

/* Nothing is known of less than a tenth of a second. */
void processors_share(const struct processors_sum *sum, struct processor_shares *shares);

#endif
