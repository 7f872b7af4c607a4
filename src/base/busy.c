/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* busy.c - see busy.h. */
#include "base/compat.h"

#include "base/busy.h"

#include <math.h>
#include <stdio.h>

#include "base/machine.h"

#define FULL        0.8 /* of the processors: above this, a thread that wakes up may have to wait */
#define OTHERS_MUCH 0.2 /* of the processors */
#define STEAL_MUCH  0.2 /* of the processor time that the machine requested from its host */
#define LITTLE      0.1 /* of either */
/* Load averages are renewed every 5 s and fall by 8 % each time on an idle machine. */
#define FALLING 0.95

/* The share of the time that the virtual machine wanted. */
static double stolen(const struct busy_facts *facts)
{
    const double wanted =
        fmax(0, facts->own) + fmax(0, facts->others) + fmax(0, facts->kernel) + facts->steal;

    return facts->steal > 0 ? facts->steal / wanted : 0;
}

static bool is_host(const struct busy_facts *facts)
{
    return stolen(facts) >= STEAL_MUCH && stolen(facts) > facts->others_most;
}

static enum busy judge_load(const struct busy_facts *facts)
{
    if (facts->load < 0 || facts->cpus == 0)
        return BUSY_NOT_KNOWN;
    if (!machine_is_busy(facts->load, facts->cpus, facts->tasks))
        return BUSY_QUIET;
    return facts->load < FALLING * facts->load_before ? BUSY_BEFORE : BUSY_YES;
}

enum busy busy_judge(const struct busy_facts *facts)
{
    if (facts->others < 0)
        return judge_load(facts);
    if (stolen(facts) >= STEAL_MUCH ||
        (facts->others_most >= OTHERS_MUCH &&
         facts->others_most * facts->cpus + (double)facts->threads > FULL * facts->cpus))
        return BUSY_YES;
    return facts->others_most < LITTLE && stolen(facts) < LITTLE ? BUSY_QUIET : BUSY_SOMEWHAT;
}

char *busy_tell(const struct busy_facts *facts, char *text)
{
    if (facts->others < 0)
        snprintf(text, BUSY_TEXT, "load %.1f on %u processor%s", facts->load, facts->cpus,
                 facts->cpus == 1 ? "" : "s");
    else if (is_host(facts))
        snprintf(text, BUSY_TEXT, "its host withheld %.0f %% of the processor time it needed",
                 100 * stolen(facts));
    else
        snprintf(text, BUSY_TEXT, "other programs used %s%.0f %% of the processor%s",
                 facts->others_most > facts->others + LITTLE ? "up to " : "",
                 100 * (facts->others_most > facts->others + LITTLE ? facts->others_most
                                                                    : facts->others),
                 facts->cpus == 1 ? "" : "s");
    return text;
}
