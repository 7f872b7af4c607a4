/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards_compare.c - in what the hosts of a team are not alike.  Each is compared with the first one
 * that knows the same fact; what a host does not know tells nothing. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
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

enum fact {
    FACT_VERSION,
    FACT_KERNEL,
    FACT_MACHINE,
    FACT_CPU,
    FACT_CPUS,
    FACT_ALLOWED,
    FACT_QUOTA,
    FACT_MEMORY,
    FACT_PAGE,
    FACT_CLOCK,
    FACT_GOVERNOR,
    FACT_VIRTUALIZATION,
    FACT_LIBRARIES,
    FACT_COUNT
};

static const char *const fact_names[FACT_COUNT] = {
    "iosweep",   "kernel", "machine",   "processor",    "processors online", "processors allowed",
    "CPU limit", "memory", "page size", "clock source", "governor",          "virtualization",
    "libraries",
};

static void count_text(uint64_t count, char *text, size_t size)
{
    if (count > 0)
        snprintf(text, size, "%" PRIu64, count);
}

static void fact_text(const struct host_card *card, enum fact fact, char *text, size_t size)
{
    char unit[UNITS_TEXT];

    text[0] = '\0';
    switch (fact) {
    case FACT_VERSION:
        text_copy(text, size, card->version);
        break;
    case FACT_KERNEL:
        text_copy(text, size, card->kernel);
        break;
    case FACT_MACHINE:
        text_copy(text, size, card->machine);
        break;
    case FACT_CPU:
        text_copy(text, size, card->cpu);
        break;
    case FACT_CPUS:
        count_text(card->cpus, text, size);
        break;
    case FACT_ALLOWED:
        count_text(card->cpus_allowed, text, size);
        break;
    case FACT_QUOTA:
        if (card->cpus_quota > 0)
            snprintf(text, size, "%.2f processors", card->cpus_quota);
        else if (card->cpus > 0)
            text_copy(text, size, "none");
        break;
    case FACT_MEMORY:
        if (card->memory_bytes > 0)
            text_copy(text, size, units_format_bytes((double)card->memory_bytes, unit));
        break;
    case FACT_PAGE:
        if (card->page_bytes > 0)
            text_copy(text, size, units_format_size(card->page_bytes, unit));
        break;
    case FACT_CLOCK:
        text_copy(text, size, card->clock_source);
        break;
    case FACT_GOVERNOR:
        text_copy(text, size, card->governor);
        break;
    case FACT_VIRTUALIZATION:
        text_copy(text, size, card->virtualization);
        break;
    case FACT_LIBRARIES:
        text_copy(text, size, card->libraries);
        break;
    case FACT_COUNT:
        break;
    }
}

/* ---- comparing ---- */

static bool has_room(const struct differences *found)
{
    return found->count < FACTS_DIFFERENCES;
}

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
    if (difference->unlike > 0 && has_room(found))
        found->list[found->count++] = *difference;
}

/* Nearly the same memory is the same. */
static bool is_same(const struct host_card *a, const struct host_card *b, enum fact fact,
                    const char *text, const char *other)
{
    const double one = (double)a->memory_bytes, two = (double)b->memory_bytes;

    return fact == FACT_MEMORY ? fabs(one - two) <= MEMORY_SHARE * fmax(one, two)
                               : strcmp(text, other) == 0;
}

static void compare_fact(struct differences *found, enum fact fact)
{
    const struct facts *facts = found->facts;
    struct facts_difference difference = {.unlike = 0};
    char first[256] = "", text[256];
    uint32_t host = 0;

    text_copy(difference.what, sizeof(difference.what), fact_names[fact]);
    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_card *card = &facts->hosts[h].card;
        fact_text(card, fact, text, sizeof(text));
        if (text[0] == '\0')
            continue;
        if (first[0] == '\0') {
            text_copy(first, sizeof(first), text);
            host = h;
        } else if (!is_same(&facts->hosts[host].card, card, fact, first, text)) {
            add_unlike(&difference, host, h, first, text);
        }
    }
    add_difference(found, &difference);
}

/* ---- facts of a target: those of one path are compared ---- */

enum target_fact { TARGET_SYSTEM, TARGET_DEVICE, TARGET_OPTIONS, TARGET_MODEL, TARGET_SCHEDULER };

static const char *const target_fact_names[] = {"file system", "device", "mount options", "model",
                                                "scheduler"};
#define TARGET_FACTS (sizeof(target_fact_names) / sizeof(target_fact_names[0]))

static const char *target_fact_text(const struct target_card *card, enum target_fact fact)
{
    switch (fact) {
    case TARGET_SYSTEM:
        return card->filesystem;
    case TARGET_DEVICE:
        return card->device;
    case TARGET_OPTIONS:
        return card->mount_options;
    case TARGET_MODEL:
        return card->model;
    case TARGET_SCHEDULER:
        break;
    }
    return card->scheduler;
}

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

static void compare_target_fact(struct differences *found, uint32_t target, enum target_fact fact)
{
    const struct facts *facts = found->facts;
    struct facts_difference difference = {.unlike = 0};
    const struct target_card *first = NULL;
    uint32_t host = 0;

    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_facts *one = &facts->hosts[h];
        const struct target_card *card;
        if (target >= one->card.target_count)
            continue;
        card = &one->targets[target];
        if (target_fact_text(card, fact)[0] == '\0' || card->path[0] == '\0')
            continue;
        if (!first) {
            first = card;
            host = h;
        } else if (strcmp(first->path, card->path) != 0) {
            continue;
        } else if (fact == TARGET_OPTIONS) {
            compare_options(&difference, host, h, first->mount_options, card->mount_options);
        } else if (strcmp(target_fact_text(first, fact), target_fact_text(card, fact)) != 0) {
            add_unlike(&difference, host, h, target_fact_text(first, fact),
                       target_fact_text(card, fact));
        }
    }
    if (!first)
        return;
    snprintf(difference.what, sizeof(difference.what), "%s of %s", target_fact_names[fact],
             first->path);
    add_difference(found, &difference);
}

static uint32_t most_targets(const struct facts *facts)
{
    uint32_t most = 0;

    for (uint32_t h = 0; h < facts->host_count; h++)
        if (facts->hosts[h].card.target_count > most)
            most = facts->hosts[h].card.target_count;
    return most;
}

unsigned facts_compare_hosts(const struct facts *facts, struct facts_difference *list)
{
    struct differences found = {.facts = facts, .list = list};
    const uint32_t targets = most_targets(facts);

    compare_fact(&found, FACT_VERSION);
    for (uint32_t t = 0; t < targets; t++)
        for (unsigned fact = 0; fact < TARGET_FACTS; fact++)
            compare_target_fact(&found, t, (enum target_fact)fact);
    for (int fact = FACT_VERSION + 1; fact < FACT_COUNT; fact++)
        compare_fact(&found, (enum fact)fact);
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
