/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards.c - the facts of each host, brought to rank 0.  Only one rank of a host is kept: what
 * others would say is the same. */
#include "base/compat.h"

#include "report/facts/cards.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void facts_fill_card(const struct facts *facts, struct host_card *card)
{
    memset(card, 0, sizeof(*card)); /* no byte of it is by chance */
    text_copy(card->version, sizeof(card->version), PACKAGE_VERSION);
    facts_list_libraries(card->libraries, sizeof(card->libraries));
    if (!facts->read)
        return;
    card->host = facts->host;
    card->target_count = facts->count;
}

/* Half an option would be another one. */
static void copy_options(char *to, size_t size, const char *from)
{
    char *end;

    text_copy(to, size, from);
    if (strlen(from) < size)
        return;
    end = strrchr(to, ',');
    if (end)
        *end = '\0';
}

void facts_fill_target_card(const struct targetinfo *target, struct target_card *card)
{
    memset(card, 0, sizeof(*card));
    text_copy(card->path, sizeof(card->path), target->path);
    text_copy(card->filesystem, sizeof(card->filesystem), target->filesystem);
    text_copy(card->mount_point, sizeof(card->mount_point), target->mount_point);
    text_copy(card->device, sizeof(card->device), target->device);
    text_copy(card->scheduler, sizeof(card->scheduler), target->scheduler);
    text_copy(card->model, sizeof(card->model), target->model);
    copy_options(card->mount_options, sizeof(card->mount_options), target->mount_options);
}

/* all: of each rank.  Returns the most targets that any rank has. */
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

static void keep_target(const struct facts *facts, const struct target_card *all, uint32_t target)
{
    for (unsigned h = 0; h < facts->host_count; h++) {
        struct host_facts *host = &facts->hosts[h];
        if (target < host->card.target_count)
            host->targets[target] = all[host->first_rank];
    }
}

/* Ranks may have targets in different numbers, but each takes part in all rounds. */
static int gather_targets(struct team *team, struct facts *facts, uint32_t count)
{
    const bool first = team->rank == 0;
    struct target_card *all = first ? mem_calloc(team->size, sizeof(*all)) : NULL;
    struct target_card own;
    int code = 0;

    for (uint32_t t = 0; code == 0 && t < count; t++) {
        memset(&own, 0, sizeof(own));
        if (t < facts->count)
            facts_fill_target_card(&facts->targets[t], &own);
        code = team->gather(team, &own, sizeof(own), all);
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
