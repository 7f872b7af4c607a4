/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards.c - gathers the facts of each host of a team on rank 0, and compares hosts. Keeps one rank
 * per host: the others would report the same. */
#include "base/compat.h"

#include "report/facts/cards.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void facts_fill_card(const struct facts *facts, struct host_card *card)
{
    memset(card, 0, sizeof(*card)); /* no uninitialised padding */
    text_copy(card->version, sizeof(card->version), PACKAGE_VERSION);
    facts_list_libraries(card->libraries, sizeof(card->libraries));
    if (!facts->read)
        return;
    card->host = facts->host;
    card->target_count = facts->count;
}

/* all: of each rank. Returns the maximum number of targets of a rank. */
static uint32_t keep_cards(const struct team *team, const struct host_card *all,
                           struct facts *facts)
{
    uint32_t most = 0;

    facts_free_hosts(facts);
    facts->host_count = team->host_count;
    facts->hosts = mem_calloc(team->host_count, sizeof(*facts->hosts));
    for (uint32_t rank = 0; rank < team->size; rank++) {
        const struct team_member *member = &team->member[rank];
        struct host_facts *host = &facts->hosts[member->host_index];

        most = all[rank].target_count > most ? all[rank].target_count : most;
        if (host->ranks++ > 0)
            continue;
        text_copy(host->name, sizeof(host->name), member->host);
        host->first_rank = rank;
        host->card = all[rank];
        host->targets = mem_calloc(host->card.target_count + 1, sizeof(*host->targets));
    }
    return most;
}

static void keep_target(const struct facts *facts, const struct targetinfo *all, uint32_t target)
{
    for (unsigned h = 0; h < facts->host_count; h++) {
        struct host_facts *host = &facts->hosts[h];
        if (target < host->card.target_count)
            host->targets[target] = all[host->first_rank];
    }
}

/* The number of targets may differ between ranks, but each takes part in all rounds. */
static int gather_targets(struct team *team, struct facts *facts, uint32_t count)
{
    const bool first = team->rank == 0;
    struct targetinfo *all = first ? mem_calloc(team->size, sizeof(*all)) : NULL;
    static const struct targetinfo none;
    int code = 0;

    for (uint32_t t = 0; code == 0 && t < count; t++) {
        code = team->gather(team, t < facts->count ? &facts->targets[t] : &none, sizeof(none), all);
        if (code == 0 && first)
            keep_target(facts, all, t);
    }
    free(all);
    return code;
}

int facts_gather(struct team *team, struct facts *facts)
{
    struct host_card own, *all;
    uint32_t count = 0;
    int code;

    if (team->size < 2)
        return 0;
    facts_fill_card(facts, &own);
    all = team->rank == 0 ? mem_calloc(team->size, sizeof(*all)) : NULL;
    code = team->gather(team, &own, sizeof(own), all);
    if (code == 0 && all)
        count = keep_cards(team, all, facts);
    free(all);
    if (code == 0)
        code = team->broadcast(team, &count, sizeof(count));
    return code < 0 ? code : gather_targets(team, facts, count);
}

void facts_free_hosts(struct facts *facts)
{
    for (unsigned h = 0; h < facts->host_count; h++)
        free(facts->hosts[h].targets);
    free(facts->hosts);
    facts->hosts = NULL;
    facts->host_count = 0;
}

/* Compares one fact of all hosts; target: of the targets with that index and the path of the first
 * host's. Compares each host with the first that has the fact. */
static bool compare_fact(const struct facts *facts, const struct fact *fact, const uint32_t *target,
                         char *text)
{
    const struct host_facts *first = NULL;
    const struct targetinfo *first_target = NULL;
    const void *base = NULL;
    char mine[FACT_TEXT_BYTES], others[FACT_TEXT_BYTES];
    uint32_t unlike = 0;

    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_facts *host = &facts->hosts[h];
        const struct targetinfo *own = NULL;
        const void *at = &host->card;

        if (target && *target < host->card.target_count && host->targets[*target].path[0])
            at = own = &host->targets[*target];
        if ((target && !own) || facts_text(fact, at, mine, sizeof(mine))[0] == '\0')
            continue;
        if (!first) {
            first = host;
            first_target = own;
            base = at;
        } else if ((!own || strcmp(first_target->path, own->path) == 0) &&
                   facts_differ(fact, base, at, mine, others) && unlike++ == 0) {
            snprintf(text, FACTS_DIFFERENCE_TEXT, "%s%s%.256s: %s on %s, %s on %s", fact->name,
                     own ? " of " : "", own ? own->path : "", mine, first->name, others,
                     host->name);
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
    for (const struct fact *fact = facts_of_host; fact->member; fact++)
        count +=
            fact->name && count < FACTS_DIFFERENCES && compare_fact(facts, fact, NULL, list[count]);
    for (uint32_t t = 0; t < targets; t++)
        for (const struct fact *fact = facts_of_target; fact->member; fact++)
            count += fact->name && fact->use & OF_HOSTS && count < FACTS_DIFFERENCES &&
                     compare_fact(facts, fact, &t, list[count]);
    return count;
}
