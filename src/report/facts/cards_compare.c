/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards_compare.c - the facts of hosts as a table, and in what the hosts of a team are not alike.
 * Each is compared with the first one that knows the same fact; what a host does not know is no
 * difference. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/facts/cards.h"

#define MEMORY_SHARE 0.05 /* hosts of one make may differ by so much */

#define FACT(member, name, type, field)                       \
    {                                                         \
        member, name, type, offsetof(struct host_card, field) \
    }
const struct card_fact card_host_facts[] = {
    FACT("version", "iosweep", CARD_TEXT, version),
    FACT("kernel", "kernel", CARD_TEXT, host.kernel),
    FACT("machine", "machine", CARD_TEXT, host.machine),
    FACT("cpu", "processor", CARD_TEXT, host.cpu),
    FACT("cpus", "processors online", CARD_COUNT, host.cpus),
    FACT("cpus_allowed", "processors allowed", CARD_COUNT, host.cpus_allowed),
    FACT("cpus_quota", "CPU limit", CARD_QUOTA, host.cpus_quota),
    FACT("memory_bytes", "memory", CARD_MEMORY, host.memory_bytes),
    FACT("page_bytes", "page size", CARD_SIZE, host.page_bytes),
    FACT("clock_source", "clock source", CARD_TEXT, host.clock_source),
    FACT("governor", "governor", CARD_TEXT, host.governor),
    FACT("virtualization", "virtualization", CARD_TEXT, host.virtualization),
    FACT("libraries", "libraries", CARD_TEXT, libraries),
    {.member = NULL},
};
#undef FACT
#define FACT(member, name, type)                                  \
    {                                                             \
#member, name, type, offsetof(struct target_card, member) \
    }
const struct card_fact card_target_facts[] = {
    FACT(path, NULL, CARD_TEXT),
    FACT(filesystem, "file system", CARD_TEXT),
    FACT(device, "device", CARD_TEXT),
    FACT(mount_options, "mount options", CARD_OPTIONS),
    FACT(mount_point, NULL, CARD_TEXT),
    FACT(model, "model", CARD_TEXT),
    FACT(scheduler, "scheduler", CARD_TEXT),
    {.member = NULL},
};
#undef FACT

/* "" where it is not known. */
static void fact_text(const struct host_card *card, const void *field, enum card_type type,
                      char *text, size_t size)
{
    char unit[UNITS_TEXT];

    text[0] = '\0';
    if (type == CARD_TEXT || type == CARD_OPTIONS)
        text_copy(text, size, field);
    else if (type == CARD_QUOTA && *(const double *)field > 0)
        snprintf(text, size, "%.2f processors", *(const double *)field);
    else if (type == CARD_QUOTA && card->host.cpus > 0)
        text_copy(text, size, "none");
    else if (type == CARD_COUNT && *(const unsigned *)field > 0)
        snprintf(text, size, "%u", *(const unsigned *)field);
    else if (type == CARD_MEMORY && *(const uint64_t *)field > 0)
        text_copy(text, size, units_format_bytes((double)*(const uint64_t *)field, unit));
    else if (type == CARD_SIZE && *(const uint64_t *)field > 0)
        text_copy(text, size, units_format_size(*(const uint64_t *)field, unit));
}

/* Of lists of options only what the other has not is left in each. */
static bool are_unlike(enum card_type type, const void *one, const void *two, char *one_text,
                       char *two_text, size_t size)
{
    if (type == CARD_MEMORY) {
        const double first = (double)*(const uint64_t *)one, other = (double)*(const uint64_t *)two;
        return fabs(first - other) > MEMORY_SHARE * fmax(first, other);
    }
    if (type != CARD_OPTIONS)
        return strcmp(one_text, two_text) != 0;
    facts_missing_options(one, two, one_text, size);
    facts_missing_options(two, one, two_text, size);
    if (one_text[0] == '\0' && two_text[0] == '\0')
        return false;
    if (one_text[0] == '\0' || two_text[0] == '\0')
        text_copy(one_text[0] == '\0' ? one_text : two_text, size, "none of them");
    return true;
}

/* target NULL: `fact` is one of the hosts; else of those targets of one path.  Writes how they
 * differ; false: they do not. */
static bool compare(const struct facts *facts, const struct card_fact *fact, const uint32_t *target,
                    char *text)
{
    const char *first = NULL, *path = "";
    char first_text[256] = "", shown[256], mine[256];
    uint32_t host = 0, unlike = 0;

    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_facts *one = &facts->hosts[h];
        const struct target_card *card = NULL;
        const char *field = (const char *)&one->card + fact->offset;

        if (target && *target >= one->card.target_count)
            continue;
        if (target) {
            card = &one->targets[*target];
            field = (const char *)card + fact->offset;
        }
        if (card && card->path[0] == '\0')
            continue;
        fact_text(&one->card, field, fact->type, mine, sizeof(mine));
        if (mine[0] == '\0')
            continue;
        if (!first) {
            first = field;
            path = card ? card->path : "";
            host = h;
            text_copy(first_text, sizeof(first_text), mine);
        } else if (!card || strcmp(path, card->path) == 0) {
            text_copy(shown, sizeof(shown), first_text);
            if (!are_unlike(fact->type, first, field, shown, mine, sizeof(mine)) || unlike++ > 0)
                continue;
            snprintf(text, FACTS_DIFFERENCE_TEXT, "%s%s%s: %s on %s, %s on %s", fact->name,
                     card ? " of " : "", path, shown, facts->hosts[host].name, mine, one->name);
        }
    }
    if (unlike > 1)
        text_add(text, FACTS_DIFFERENCE_TEXT, "", " (and %" PRIu32 " more)", unlike - 1);
    return unlike > 0;
}

unsigned facts_compare_hosts(const struct facts *facts, facts_difference *list)
{
    uint32_t targets = 0;
    unsigned count = 0;

    for (uint32_t h = 0; h < facts->host_count; h++)
        if (facts->hosts[h].card.target_count > targets)
            targets = facts->hosts[h].card.target_count;
    for (const struct card_fact *fact = card_host_facts; fact->member; fact++)
        count += count < FACTS_DIFFERENCES && compare(facts, fact, NULL, list[count]);
    for (uint32_t t = 0; t < targets; t++)
        for (const struct card_fact *fact = card_target_facts; fact->member; fact++)
            count +=
                fact->name && count < FACTS_DIFFERENCES && compare(facts, fact, &t, list[count]);
    return count;
}
