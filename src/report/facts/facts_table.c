/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_table.c - the table of facts about a machine and a target: JSON, the lines before a run,
 * and the comparison of hosts use it. */
#include "base/compat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/facts/cards.h"

#define MEMORY_SHARE 0.05 /* tolerance for hosts of the same model */

#define EVERYWHERE  (IN_HEAD | OF_HOSTS)
#define HOST(field) offsetof(struct host_card, field)
const struct fact facts_of_host[] = {
    {"name", NULL, "%", FACT_TEXT, HOST(host.host), IN_HEAD},
    {"version", "iosweep", NULL, FACT_TEXT, HOST(version), OF_HOSTS},
    {"kernel", "kernel", "%", FACT_TEXT, HOST(host.kernel), EVERYWHERE},
    {"machine", "machine", " %", FACT_TEXT, HOST(host.machine), EVERYWHERE},
    {"cpus", "processors online", "% processors", FACT_COUNT, HOST(host.cpus),
     EVERYWHERE | ALSO_ZERO | BRIEFLY},
    {"cpu", "processor", " (%)", FACT_TEXT, HOST(host.cpu), EVERYWHERE},
    {"cpus_allowed", "processors allowed", "% allowed", FACT_COUNT, HOST(host.cpus_allowed),
     EVERYWHERE},
    {"cpus_quota", "CPU limit", "limited to %", FACT_QUOTA, HOST(host.cpus_quota), EVERYWHERE},
    {"governor", "governor", "governor %", FACT_TEXT, HOST(host.governor), EVERYWHERE},
    {"memory_bytes", "memory", "% memory", FACT_MEMORY, HOST(host.memory_bytes),
     EVERYWHERE | ALSO_ZERO},
    {"swap_bytes", NULL, "% swap", FACT_MEMORY, HOST(host.swap_bytes), IN_HEAD | ALSO_ZERO},
    {"swap_used_bytes", NULL, NULL, FACT_MEMORY, HOST(host.swap_used_bytes), IN_HEAD | ALSO_ZERO},
    {"page_bytes", "page size", "pages of %", FACT_SIZE, HOST(host.page_bytes),
     EVERYWHERE | ALSO_ZERO},
    {"clock_source", "clock source", NULL, FACT_TEXT, HOST(host.clock_source), EVERYWHERE},
    {"virtualization", "virtualization", "virtualization %", FACT_TEXT, HOST(host.virtualization),
     EVERYWHERE | BRIEFLY},
    {"load1", NULL, "load %", FACT_LOAD, HOST(host.load1), IN_HEAD | BRIEFLY},
    {"libraries", "libraries", NULL, FACT_TEXT, HOST(libraries), OF_HOSTS},
    {.member = NULL},
};

#define TARGET(field) offsetof(struct targetinfo, field)
const struct fact facts_of_target[] = {
    {"path", NULL, NULL, FACT_TEXT, TARGET(path), OF_HOSTS},
    {"filesystem", "file system", "%", FACT_TEXT, TARGET(filesystem), EVERYWHERE | BRIEFLY},
    {"mount_point", NULL, " at %", FACT_TEXT, TARGET(mount_point), EVERYWHERE},
    {"mount_options", "mount options", NULL, FACT_OPTIONS, TARGET(mount_options), EVERYWHERE},
    {"device", "device", " on %", FACT_TEXT, TARGET(device), EVERYWHERE | BRIEFLY},
    {"below", NULL, " (%)", FACT_TEXT, TARGET(below), IN_HEAD},
    {"model", "model", "%", FACT_TEXT, TARGET(model), EVERYWHERE | BRIEFLY},
    {"rotational", NULL, "%", FACT_TURNS, TARGET(rotational), IN_HEAD},
    {"scheduler", "scheduler", "scheduler %", FACT_TEXT, TARGET(scheduler), EVERYWHERE},
    {"queue_depth", "queue depth", "queue depth %", FACT_COUNT, TARGET(queue_depth), IN_HEAD},
    {"write_cache", "write cache", "write cache %", FACT_TEXT, TARGET(write_cache), IN_HEAD},
    {"logical_block_bytes", NULL, "blocks of % logical", FACT_SIZE, TARGET(logical_block_bytes),
     IN_HEAD},
    {"physical_block_bytes", NULL, " % physical", FACT_SIZE, TARGET(physical_block_bytes), IN_HEAD},
    {"io_limits", "limits", "limited to %", FACT_TEXT, TARGET(io_limits), IN_HEAD},
    {.member = NULL},
};

char *facts_text(const struct fact *fact, const void *base, char *text, size_t size)
{
    const union {
        const char *text;
        const unsigned *count;
        const uint64_t *bytes;
        const double *real;
        const int *turns;
        const void *at;
    } field = {.at = (const char *)base + fact->offset};
    char unit[UNITS_TEXT];

    text[0] = '\0';
    switch (fact->type) {
    case FACT_TEXT:
    case FACT_OPTIONS:
        text_copy(text, size, field.text);
        break;
    case FACT_COUNT:
        if (*field.count > 0)
            snprintf(text, size, "%u", *field.count);
        break;
    case FACT_QUOTA:
        snprintf(text, size, *field.real > 0 ? "%.2f processors" : FACT_NONE, *field.real);
        break;
    case FACT_LOAD:
        if (*field.real >= 0)
            snprintf(text, size, "%.2f", *field.real);
        break;
    case FACT_MEMORY:
        if (*field.bytes > 0)
            text_copy(text, size, units_format_bytes((double)*field.bytes, unit));
        break;
    case FACT_SIZE:
        if (*field.bytes > 0)
            text_copy(text, size, units_format_size(*field.bytes, unit));
        break;
    case FACT_TURNS:
        if (*field.turns >= 0)
            text_copy(text, size, *field.turns > 0 ? "rotational" : "not rotational");
        break;
    }
    return text;
}

/* The options of one list joined by ',' that the other lacks, except the client address, in which
 * NFS mounts of two hosts always differ. */
static void missing_options(const char *options, const char *other, char *text, size_t size)
{
    const char *option, *theirs;
    size_t length, there;

    text[0] = '\0';
    while (text_word(&options, ",", &option, &length)) {
        bool found = length == 0 || strncmp(option, "clientaddr=", strlen("clientaddr=")) == 0;
        for (const char *at = other; !found && text_word(&at, ",", &theirs, &there);)
            found = there == length && strncmp(theirs, option, length) == 0;
        if (!found)
            text_add(text, size, ",", "%.*s", (int)length, option);
    }
}

bool facts_differ(const struct fact *fact, const void *one, const void *two, char *one_text,
                  char *two_text)
{
    const char *first = (const char *)one + fact->offset, *other = (const char *)two + fact->offset;

    facts_text(fact, one, one_text, FACT_TEXT_BYTES);
    facts_text(fact, two, two_text, FACT_TEXT_BYTES);
    if (one_text[0] == '\0' || two_text[0] == '\0')
        return false;
    if (fact->type == FACT_MEMORY) {
        const double a = (double)*(const uint64_t *)(const void *)first,
                     b = (double)*(const uint64_t *)(const void *)other;
        return fabs(a - b) > MEMORY_SHARE * fmax(a, b);
    }
    if (fact->type != FACT_OPTIONS)
        return strcmp(one_text, two_text) != 0;
    missing_options(first, other, one_text, FACT_TEXT_BYTES);
    missing_options(other, first, two_text, FACT_TEXT_BYTES);
    if (one_text[0] == '\0' && two_text[0] == '\0')
        return false;
    if (one_text[0] == '\0' || two_text[0] == '\0')
        text_copy(one_text[0] == '\0' ? one_text : two_text, FACT_TEXT_BYTES, FACT_NONE);
    return true;
}
