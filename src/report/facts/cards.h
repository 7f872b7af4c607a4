/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards.h - the facts that each host of a team reports, stored once per host, and the differences
 * between hosts: a rate of two different hosts describes neither. */
#ifndef REPORT_FACTS_CARDS_H
#define REPORT_FACTS_CARDS_H

#include <stdint.h>

#include "report/facts/facts.h"
#include "run/team.h"

/* Plain data without pointers, zero where unknown: a process sends the bytes to another of the same
 * build. Texts as in os/facts.h, truncated if longer. */
struct host_card {
    struct hostinfo host;
    char version[32], libraries[FACTS_LIBRARIES]; /* of iosweep */
    uint32_t target_count;
};

/* One host, in the order of team_member.host_index. */
struct host_facts {
    char name[TEAM_HOST_BYTES];
    uint32_t ranks, first_rank;
    struct host_card card;
    struct targetinfo *targets; /* card.target_count of them */
};

/* Fills the card of this process. facts: as read; target_count is their number of targets. */
void facts_fill_card(const struct facts *facts, struct host_card *card);

/* Collective, after the facts are read: fills facts->hosts on rank 0 from the first rank of each
 * host. Does nothing in a team of one. Returns 0, or a -errno of the team. */
int facts_gather(struct team *team, struct facts *facts);
void facts_free_hosts(struct facts *facts); /* facts_free does that, too */

/* Lists differences between hosts: "kernel: Linux 6.1.0 on nas1, Linux 5.15.0 on nas2 (and 2
 * more)". Writes at most FACTS_DIFFERENCES; returns their number. */
#define FACTS_DIFFERENCES     32
#define FACTS_DIFFERENCE_TEXT 1024
typedef char facts_difference[FACTS_DIFFERENCE_TEXT];
unsigned facts_compare_hosts(const struct facts *facts, facts_difference *list);

#endif
