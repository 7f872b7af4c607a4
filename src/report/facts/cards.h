/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cards.h - what each host of a team tells of itself, kept once for a host, and in what hosts
 * differ: a rate of two hosts that are not alike is the rate of neither. */
#ifndef REPORT_FACTS_CARDS_H
#define REPORT_FACTS_CARDS_H

#include <stdint.h>

#include "report/facts/facts.h"
#include "run/team.h"

/* Plain data without pointers, zeroed where nothing is known: one process hands the bytes to
 * another that was built alike.  Texts as in os/facts.h, cut where they are longer. */
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

/* The card of this process.  facts: as read; no target more than it has. */
void facts_fill_card(const struct facts *facts, struct host_card *card);

/* Collective, after the facts are read: rank 0 gets facts->hosts, of the first rank of each host.
 * Does nothing in a team of one.  0, or a -errno of the team. */
int facts_gather(struct team *team, struct facts *facts);
void facts_free_hosts(struct facts *facts); /* facts_free does that, too */

/* In what hosts are not alike: "kernel: Linux 6.1.0 on nas1, Linux 5.15.0 on nas2 (and 2 more)".
 * Writes at most FACTS_DIFFERENCES; returns how many. */
#define FACTS_DIFFERENCES     32
#define FACTS_DIFFERENCE_TEXT 1024
typedef char facts_difference[FACTS_DIFFERENCE_TEXT];
unsigned facts_compare_hosts(const struct facts *facts, facts_difference *list);

#endif
