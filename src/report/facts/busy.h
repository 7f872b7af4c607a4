/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* busy.h - judges the machine of a run from its facts: whether it is a guest, and whether other
 * load kept it busy during measuring. Used by findings and verdict. */
#ifndef REPORT_FACTS_BUSY_H
#define REPORT_FACTS_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this is a virtual machine, whose host may have a cache of its own. virtualization: as in
 * the facts, "kvm", "docker container in kvm"; for none "none", "docker container" or ""
 * (unknown). */
bool machine_is_guest(const char *virtualization);

struct busy_facts {
    unsigned cpus; /* usable by the run; 0: nothing is known */
    /* The run's own threads, and those plus all kernel threads that may work for them, as a load
     * average counts them: the maximum over all rows. */
    uint64_t threads;
    unsigned tasks;
    /* Shares of these processors' time: used by the run; by other programs, and the same while the
     * rows with the most of it were measured; by the host of a virtual machine. Negative:
     * unknown. */
    double own, others, others_most, kernel, steal;
    /* Where shares are unknown: the load averages at the end and the beginning (negative: unknown);
     * both include the run itself. */
    double load, load_before;
};

#define BUSY_UNKNOWN                                                                       \
    {                                                                                      \
        .own = -1, .others = -1, .others_most = -1, .kernel = -1, .steal = -1, .load = -1, \
        .load_before = -1                                                                  \
    }

enum busy {
    BUSY_NOT_KNOWN,
    BUSY_QUIET,    /* hardly any other load */
    BUSY_SOMEWHAT, /* other load, but it left processors to the run */
    BUSY_BEFORE,   /* most of it was over when the run began */
    BUSY_YES
};
enum busy busy_judge(const struct busy_facts *facts);
static inline bool busy_is(const struct busy_facts *facts)
{
    return busy_judge(facts) >= BUSY_BEFORE;
}

/* The reason: "other programs used 43 % of the processors". text: BUSY_TEXT bytes; returns it. */
#define BUSY_TEXT 120
char *busy_tell(const struct busy_facts *facts, char *text);

#endif
