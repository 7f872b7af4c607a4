/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* busy.c - see busy.h. */
#include "base/compat.h"

#include "report/facts/busy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUSY_SHARE  0.8 /* load per processor above which a machine is busy */
#define OTHER_TASKS 0.5 /* in addition to those of the run */

#define FULL        0.8 /* of the processors: above this, a thread that wakes up may have to wait */
#define OTHERS_MUCH 0.2 /* of the processors */
#define STEAL_MUCH  0.2 /* of the processor time that the machine requested from its host */
#define LITTLE      0.1 /* of either */
/* Load averages are renewed every 5 s and fall by 8 % each time on an idle machine. */
#define FALLING 0.95

bool machine_is_guest(const char *virtualization)
{
    return strstr(virtualization, " container in ") ||
           (virtualization[0] != '\0' && strcmp(virtualization, "none") != 0 &&
            !strstr(virtualization, " container"));
}

/* The share of the time that the virtual machine wanted. */
static double stolen_share(const struct busy_facts *facts)
{
    const double wanted =
        fmax(0, facts->own) + fmax(0, facts->others) + fmax(0, facts->kernel) + facts->steal;

    return facts->steal > 0 ? facts->steal / wanted : 0;
}

static bool is_host(const struct busy_facts *facts)
{
    return stolen_share(facts) >= STEAL_MUCH && stolen_share(facts) > facts->others_most;
}

static enum busy judge_load(const struct busy_facts *facts)
{
    if (facts->load < 0 || facts->cpus == 0)
        return BUSY_NOT_KNOWN;
    if (facts->load <= BUSY_SHARE * facts->cpus || facts->load <= facts->tasks + OTHER_TASKS)
        return BUSY_QUIET; /* the run's own tasks may be the whole load of a small machine */
    return facts->load < FALLING * facts->load_before ? BUSY_BEFORE : BUSY_YES;
}

enum busy busy_judge(const struct busy_facts *facts)
{
    if (facts->others < 0)
        return judge_load(facts);
    if (stolen_share(facts) >= STEAL_MUCH ||
        (facts->others_most >= OTHERS_MUCH &&
         facts->others_most * facts->cpus + (double)facts->threads > FULL * facts->cpus))
        return BUSY_YES;
    return facts->others_most < LITTLE && stolen_share(facts) < LITTLE ? BUSY_QUIET : BUSY_SOMEWHAT;
}

char *busy_tell(const struct busy_facts *facts, char *text)
{
    if (facts->others < 0)
        snprintf(text, BUSY_TEXT, "load %.1f on %u processor%s", facts->load, facts->cpus,
                 facts->cpus == 1 ? "" : "s");
    else if (is_host(facts))
        snprintf(text, BUSY_TEXT, "its host withheld %.0f %% of the processor time it needed",
                 100 * stolen_share(facts));
    else
        snprintf(text, BUSY_TEXT, "other programs used %s%.0f %% of the processor%s",
                 facts->others_most > facts->others + LITTLE ? "up to " : "",
                 100 * (facts->others_most > facts->others + LITTLE ? facts->others_most
                                                                    : facts->others),
                 facts->cpus == 1 ? "" : "s");
    return text;
}
