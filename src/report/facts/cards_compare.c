/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards_compare.c - in what the hosts of a team are not alike.  Each is compared with the first one
 * that knows the same fact; what a host does not know tells nothing. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/facts/cards.h"

#define MEMORY_SHARE 0.05 /* hosts of one make may differ by so much */

struct differences {
    const struct facts *facts;
    struct facts_difference *list;
    unsigned count;
};

/* ---- facts of a host: as text, "" where not known ---- */

enum fact_type { FACT_TEXT, FACT_COUNT, FACT_QUOTA, FACT_BYTES, FACT_SIZE };

static const struct fact {
    const char *name;
    enum fact_type type;
    size_t offset; /* in the card */
} host_facts[] = {
#define FACT(name, type, field)                       \
    {                                                 \
        name, type, offsetof(struct host_card, field) \
    }
    FACT("iosweep", FACT_TEXT, version), /* before those of targets, the others behind */
    FACT("kernel", FACT_TEXT, host.kernel),
    FACT("machine", FACT_TEXT, host.machine),
    FACT("processor", FACT_TEXT, host.cpu),
    FACT("processors online", FACT_COUNT, host.cpus),
    FACT("processors allowed", FACT_COUNT, host.cpus_allowed),
    FACT("CPU limit", FACT_QUOTA, host.cpus_quota),
    FACT("memory", FACT_BYTES, host.memory_bytes),
    FACT("page size", FACT_SIZE, host.page_bytes),
    FACT("clock source", FACT_TEXT, host.clock_source),
    FACT("governor", FACT_TEXT, host.governor),
    FACT("virtualization", FACT_TEXT, host.virtualization),
    FACT("libraries", FACT_TEXT, libraries),
#undef FACT
};

static void fact_text(const struct host_card *card, const struct fact *fact, char *text,
                      size_t size)
{
    const void *field = (const char *)card + fact->offset;
    char unit[UNITS_TEXT];

    text[0] = '\0';
    if (fact->type == FACT_TEXT)
        text_copy(text, size, field);
    else if (fact->type == FACT_QUOTA && *(const double *)field > 0)
        snprintf(text, size, "%.2f processors", *(const double *)field);
    else if (fact->type == FACT_QUOTA && card->host.cpus > 0)
        text_copy(text, size, "none");
    else if (fact->type == FACT_COUNT && *(const unsigned *)field > 0)
        snprintf(text, size, "%u", *(const unsigned *)field);
    else if (fact->type == FACT_BYTES && *(const uint64_t *)field > 0)
        text_copy(text, size, units_format_bytes((double)*(const uint64_t *)field, unit));
    else if (fact->type == FACT_SIZE && *(const uint64_t *)field > 0)
        text_copy(text, size, units_format_size(*(const uint64_t *)field, unit));
}

/* ---- comparing ---- */

/* Host `other` is unlike `host`: the first one is kept, the others are counted. */
static void add_unlike(struct facts_difference *difference, uint32_t host, uint32_t other,
                       const char *value, const char *unlike_to)
{
    if (difference->unlike++ > 0)
        return;
    difference->host = host;
    difference->other = other;
    text_copy(difference->value, sizeof(difference->value), value);
    text_copy(difference->unlike_to, sizeof(difference->unlike_to), unlike_to);
}

static void add_difference(struct differences *found, const struct facts_difference *difference)
{
    if (difference->unlike > 0 && found->count < FACTS_DIFFERENCES)
        found->list[found->count++] = *difference;
}

static void compare_fact(struct differences *found, const struct fact *fact)
{
    const struct facts *facts = found->facts;
    struct facts_difference difference = {.unlike = 0};
    char first[256] = "", text[256];
    uint32_t host = 0;

    text_copy(difference.what, sizeof(difference.what), fact->name);
    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_card *card = &facts->hosts[h].card;
        const double one = (double)facts->hosts[host].card.host.memory_bytes;
        const double two = (double)card->host.memory_bytes;
        fact_text(card, fact, text, sizeof(text));
        if (text[0] == '\0')
            continue;
        if (first[0] == '\0') {
            text_copy(first, sizeof(first), text);
            host = h;
        } else if (fact->type == FACT_BYTES ? fabs(one - two) > MEMORY_SHARE * fmax(one, two)
                                            : strcmp(first, text) != 0) {
            add_unlike(&difference, host, h, first, text);
        }
    }
    add_difference(found, &difference);
}

/* ---- facts of a target: those of one path are compared ---- */

static const struct target_fact {
    const char *name;
    size_t offset;
    bool list; /* of options */
} target_facts[] = {
    {"file system", offsetof(struct target_card, filesystem), false},
    {"device", offsetof(struct target_card, device), false},
    {"mount options", offsetof(struct target_card, mount_options), true},
    {"model", offsetof(struct target_card, model), false},
    {"scheduler", offsetof(struct target_card, scheduler), false},
};
#define TARGET_FACTS (sizeof(target_facts) / sizeof(target_facts[0]))

/* The address of the client, by which NFS mounts of two hosts always differ. */
static void drop_address(char *options)
{
    static const char name[] = "clientaddr=";
    char *at = options;

    while (at && *at != '\0') {
        char *next = strchr(at, ',');
        if (strncmp(at, name, strlen(name)) != 0) {
            at = next ? next + 1 : NULL;
        } else if (next) {
            memmove(at, next + 1, strlen(next + 1) + 1);
        } else {
            at[at > options ? -1 : 0] = '\0';
            at = NULL;
        }
    }
}

static const char *or_none(const char *text)
{
    return text[0] != '\0' ? text : "none of them";
}

/* Of lists only what the other has not. */
static void compare_options(struct facts_difference *difference, uint32_t host, uint32_t other,
                            const char *one, const char *two)
{
    char mine[sizeof(((struct target_card *)0)->mount_options)], its[sizeof(mine)];
    char missing[2][256];

    text_copy(mine, sizeof(mine), one);
    text_copy(its, sizeof(its), two);
    drop_address(mine);
    drop_address(its);
    facts_missing_options(mine, its, missing[0], sizeof(missing[0]));
    facts_missing_options(its, mine, missing[1], sizeof(missing[1]));
    if (missing[0][0] != '\0' || missing[1][0] != '\0')
        add_unlike(difference, host, other, or_none(missing[0]), or_none(missing[1]));
}

static void compare_target_fact(struct differences *found, uint32_t target,
                                const struct target_fact *fact)
{
    const struct facts *facts = found->facts;
    struct facts_difference difference = {.unlike = 0};
    const struct target_card *first = NULL;
    const char *first_text = NULL;
    uint32_t host = 0;

    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_facts *one = &facts->hosts[h];
        const struct target_card *card;
        const char *text;
        if (target >= one->card.target_count)
            continue;
        card = &one->targets[target];
        text = (const char *)card + fact->offset;
        if (text[0] == '\0' || card->path[0] == '\0')
            continue;
        if (!first) {
            first = card;
            first_text = text;
            host = h;
        } else if (strcmp(first->path, card->path) != 0) {
            continue;
        } else if (fact->list) {
            compare_options(&difference, host, h, first_text, text);
        } else if (strcmp(first_text, text) != 0) {
            add_unlike(&difference, host, h, first_text, text);
        }
    }
    if (!first)
        return;
    snprintf(difference.what, sizeof(difference.what), "%s of %s", fact->name, first->path);
    add_difference(found, &difference);
}

unsigned facts_compare_hosts(const struct facts *facts, struct facts_difference *list)
{
    struct differences found = {.facts = facts, .list = list};
    uint32_t targets = 0;

    for (uint32_t h = 0; h < facts->host_count; h++)
        if (facts->hosts[h].card.target_count > targets)
            targets = facts->hosts[h].card.target_count;
    compare_fact(&found, &host_facts[0]);
    for (uint32_t t = 0; t < targets; t++)
        for (unsigned fact = 0; fact < TARGET_FACTS; fact++)
            compare_target_fact(&found, t, &target_facts[fact]);
    for (unsigned fact = 1; fact < sizeof(host_facts) / sizeof(host_facts[0]); fact++)
        compare_fact(&found, &host_facts[fact]);
    return found.count;
}

char *facts_difference_text(const struct facts *facts, const struct facts_difference *difference,
                            char *text)
{
    char others[32] = "";

    if (difference->unlike > 1)
        snprintf(others, sizeof(others), " (and %" PRIu32 " more)", difference->unlike - 1);
    snprintf(text, FACTS_DIFFERENCE_TEXT, "%s: %s on %s, %s on %s%s", difference->what,
             difference->value, facts->hosts[difference->host].name, difference->unlike_to,
             facts->hosts[difference->other].name, others);
    return text;
}
