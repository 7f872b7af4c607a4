/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* busy.h - whether others than a run kept the machine busy while it measured: one judgement for the
 * findings of a run, its verdict, and the report of what a file has of it. */
#ifndef BASE_BUSY_H
#define BASE_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct busy_facts {
    unsigned cpus; /* that the run might use; 0: nothing is known */
    /* The run's own threads, and those with all kernel threads that may work for them, as a load
     * average counts them: the most of any row. */
    uint64_t threads;
    unsigned tasks;
    /* Shares of the time of these processors: of the run; of other programs, and the same while
     * those rows were measured that had most of it; of the host of a virtual machine.  Negative:
     * not known. */
    double own, others, others_most, kernel, steal;
    /* Where no shares are known: load average at the end and, negative where it is not known, at
     * the beginning; both also count the run itself. */
    double load, load_before;
};

/* Nothing is known yet. */
#define BUSY_UNKNOWN                                                                       \
    {                                                                                      \
        .own = -1, .others = -1, .others_most = -1, .kernel = -1, .steal = -1, .load = -1, \
        .load_before = -1                                                                  \
    }

enum busy {
    BUSY_NOT_KNOWN,
    BUSY_QUIET,    /* hardly anybody else did anything */
    BUSY_SOMEWHAT, /* others had work, but left processors for the run */
    BUSY_BEFORE,   /* most of that was over when the run began */
    BUSY_YES
};
enum busy busy_judge(const struct busy_facts *facts);
static inline bool busy_is(const struct busy_facts *facts)
{
    return busy_judge(facts) >= BUSY_BEFORE;
}

/* Why, as "other programs used 43 % of the processors".  text: BUSY_TEXT bytes; returns it. */
#define BUSY_TEXT 120
char *busy_tell(const struct busy_facts *facts, char *text);

#endif
