/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_team.c - the ranks of a team in the JSON document: their identity, and the work of each in a
 * row. */
#include "base/compat.h"

#include "report/formats/json_write.h"

#include "report/facts/cards.h"

static void put_card(struct json *json, const struct host_facts *facts)
{
    json_put_facts(json, facts_of_host, &facts->card, OF_HOSTS);
    open_group(json, "targets", '[');
    for (uint32_t t = 0; t < facts->card.target_count; t++) {
        open_group(json, NULL, '{');
        json_put_facts(json, facts_of_target, &facts->targets[t], OF_HOSTS);
        close_group(json, '}');
    }
    close_group(json, ']');
}

/* Writes the accuracy of a host's clock: that of its rank with the largest error. */
static void put_clock(struct json *json, const struct team *team, uint32_t host)
{
    const struct team_member *worst = NULL;

    for (uint32_t rank = 0; rank < team->size; rank++) {
        const struct team_member *member = &team->member[rank];
        if (member->host_index == host &&
            (!worst || member->offset_error_ns > worst->offset_error_ns))
            worst = member;
    }
    if (!worst)
        return;
    put_count(json, "rtt_ns", worst->rtt_ns);
    put_key(json, "clock_offset_ns");
    fprintf(json->state.stream, "%" PRId64, worst->offset_ns);
    put_count(json, "clock_error_ns", worst->offset_error_ns);
}

static void put_host(struct json *json, const struct team *team, uint32_t host)
{
    uint32_t ranks = 0;
    const char *name = "";

    for (uint32_t rank = 0; rank < team->size; rank++) {
        if (team->member[rank].host_index != host)
            continue;
        if (ranks++ == 0)
            name = team->member[rank].host;
    }
    open_group(json, NULL, '{');
    put_text(json, "name", name);
    put_count(json, "ranks", ranks);
    put_clock(json, team, host);
    if (host < json->facts->host_count)
        put_card(json, &json->facts->hosts[host]);
    close_group(json, '}');
}

void json_put_team(struct json *json)
{
    const struct team *team = json->context.info->team;

    if (!team)
        return;
    open_group(json, "team", '{');
    put_count(json, "ranks", team->size);
    open_group(json, "hosts", '[');
    for (uint32_t host = 0; host < team->host_count; host++)
        put_host(json, team, host);
    close_group(json, ']');
    close_group(json, '}');
}

void json_put_ranks(struct json *json, const struct result *result)
{
    const struct team *team = json->context.info->team;

    if (result->rank_count == 0)
        return;
    open_group(json, "rank_results", '[');
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];
        open_group(json, NULL, '{');
        put_count(json, "rank", i);
        put_fact(json, "host", team ? team->member[i].host : NULL);
        put_count(json, "operations", rank->operations);
        put_count(json, "failed", rank->failed);
        put_real(json, "time_s", (double)rank->time_ns / 1e9, 9);
        put_real(json, "rate_per_s", rank->time_ns ? columns_rank_rate(rank) : NAN, 6);
        put_real(json, "latency_ns_mean", columns_rank_latency_ns(rank), 2);
        put_known(json, "latency_ns_max", rank->operations, rank->latency_ns_max);
        put_real(json, "late_ns", columns_rank_late_ns(result, rank), 2);
        close_group(json, '}');
    }
    close_group(json, ']');
}
