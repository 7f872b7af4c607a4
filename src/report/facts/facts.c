/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts of one run, before and after it.  A governor, a scheduler or a limit that changed
 * while rows were measured makes them two measurements, and nothing in the rows tells. */
#include "base/compat.h"

#include "report/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "report/facts/cards.h"

#define SWAP_MORE_BYTES (UINT64_C(16) << 20) /* less comes and goes on any machine */

void facts_read(const char *root, const char *const *places, unsigned count, struct facts *facts)
{
    facts_free(facts);
    hostinfo_read(root, &facts->host);
    facts->targets = mem_calloc(count + 1, sizeof(*facts->targets));
    for (unsigned i = 0; i < count; i++)
        targetinfo_read(root, places[i], &facts->targets[i]);
    facts->count = count;
    facts->read = true;
}

void facts_free(struct facts *facts)
{
    free(facts->targets);
    facts_free_hosts(facts);
    *facts = (struct facts){.count = 0};
}

void facts_ensure(struct facts *facts, const struct target *const *targets, unsigned count)
{
    const char **places;

    if (facts->read)
        return;
    places = mem_calloc(count + 1, sizeof(*places));
    for (unsigned i = 0; i < count; i++)
        places[i] = targets[i]->place;
    facts_read("", places, count, facts);
    free(places);
}

void facts_list_libraries(char *text, size_t size)
{
    const char *library;

    os_libc_name(text, size);
    for (const struct engine *const *e = engine_table; *e; e++)
        if ((*e)->library && (library = (*e)->library()) != NULL &&
            !strstr(text, library)) /* two engines by one library */
            text_add(text, size, ", ", "%s", library);
}

/* --- comparing --- */

struct changes {
    struct facts_change *list;
    unsigned count;
};

static void add_change(struct changes *changes, const char *what, const char *before,
                       const char *after)
{
    struct facts_change *change;

    for (unsigned i = 0; i < changes->count; i++) /* two targets on one device */
        if (strcmp(changes->list[i].what, what) == 0)
            return;
    if (changes->count == FACTS_CHANGES)
        return;
    change = &changes->list[changes->count++];
    text_copy(change->what, sizeof(change->what), what);
    text_copy(change->before, sizeof(change->before), before);
    text_copy(change->after, sizeof(change->after), after);
}

/* target: NULL of the host. */
static void compare_facts(struct changes *changes, const struct fact *fact, const void *before,
                          const void *after, const struct targetinfo *target)
{
    char first[FACT_TEXT_BYTES], second[FACT_TEXT_BYTES], name[320];

    for (; fact->member; fact++) {
        if (!(fact->use & OVER_TIME) || !facts_differ(fact, before, after, first, second))
            continue;
        snprintf(name, sizeof(name), "%s%s%.256s", fact->name, target ? " of " : "",
                 !target                 ? ""
                 : fact->use & OF_DEVICE ? target->device
                                         : target->mount_point);
        add_change(changes, name, first, second);
    }
}

static void compare_hosts(struct changes *changes, const struct hostinfo *before,
                          const struct hostinfo *after)
{
    char first[UNITS_TEXT], second[UNITS_TEXT];

    compare_facts(changes, facts_of_host, before, after, NULL);
    if (after->swap_used_bytes >= before->swap_used_bytes + SWAP_MORE_BYTES)
        add_change(changes, "swap in use",
                   units_format_bytes((double)before->swap_used_bytes, first),
                   units_format_bytes((double)after->swap_used_bytes, second));
}

static void compare_targets(struct changes *changes, const struct targetinfo *before,
                            const struct targetinfo *after)
{
    char name[320];

    if (before->present && !after->present) {
        snprintf(name, sizeof(name), "device %.256s", before->device);
        add_change(changes, name, "present", "gone");
        return;
    }
    compare_facts(changes, facts_of_target, before, after, before);
}

unsigned facts_compare_now(const char *root, const struct facts *before,
                           const struct run_info *info, struct facts_change *changes, double *load1)
{
    struct facts now = {.count = 0};
    struct changes found = {.list = changes};

    hostinfo_read(root, &now.host);
    if (info->settings->pin) /* this thread: not a limit from outside */
        now.host.cpus_allowed = before->host.cpus_allowed;
    now.targets = mem_calloc(before->count + 1, sizeof(*now.targets));
    now.count = before->count;
    for (unsigned i = 0; i < before->count; i++)
        targetinfo_read_again(root, &before->targets[i], &now.targets[i]);
    compare_hosts(&found, &before->host, &now.host);
    for (unsigned i = 0; i < before->count; i++)
        compare_targets(&found, &before->targets[i], &now.targets[i]);
    *load1 = now.host.load1;
    facts_free(&now);
    return found.count;
}
