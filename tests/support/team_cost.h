/* SPDX-License-Identifier: GPL-2.0-or-later */
/* team_cost.h - how long the collectives of a team take on paper.  Pure functions of few constants,
 * for the scripted team and for the tables of doc/teams.md: models, no measurements.
 *
 * A message is modelled as in LogGP (Alexandrov, Ionescu, Schauser, Scheiman: LogGP, incorporating
 * long messages into the LogP model, SPAA 1995), which adds a time per byte to LogP (Culler et al.:
 * LogP, towards a realistic model of parallel computation, PPoPP 1993): k bytes take L + 2 o + k G,
 * and a processor that gets many messages is busy for o + k G with each.  The latency L + 2 o of a
 * short message is half of a round trip here, h.
 *
 * Trees are binomial, d = ceil(log2 n) messages deep, and cost as in Thakur, Rabenseifner, Gropp:
 * Optimization of collective communication operations in MPICH, IJHPCA 19 (1), 2005, section 4:
 * broadcast d (h + k G), gather d h + (n - 1) k G, sum d (h + k G + k C) where C is the time to add
 * a byte.  A flat gather is h + (n - 1) (o + k G), as LogGP has it.
 *
 * Beyond these models, whoever waits sleeps (see team_mpi.c): a share of what it has waited so far,
 * between a least and a most time, and notices so much late, at worst, that the wait is over.  A tree
 * pays that on each level. */
#ifndef TESTS_SUPPORT_TEAM_COST_H
#define TESTS_SUPPORT_TEAM_COST_H

#include <stdbool.h>
#include <stdint.h>

enum team_gather {
    TEAM_GATHER_FLAT,  /* each rank sends its bytes to rank 0 */
    TEAM_GATHER_TREE,  /* bytes are passed on, more of them on each level */
    TEAM_GATHER_MERGE, /* they are added up on the way: the same number of bytes on each level */
};

struct team_cost {
    uint64_t overhead_ns; /* o */
    double byte_ns;       /* G */
    double add_byte_ns;   /* C */
    /* sleeps: a rank that has waited for t ns sleeps for t / share, within these; least 0: it
     * does not sleep */
    uint64_t sleep_least_ns, sleep_most_ns, sleep_share;
    enum team_gather gather;
    uint64_t piece_bytes; /* a flat gather of more bytes of each rank is several; 0: never */
    unsigned pings;       /* of each rank when clocks are exchanged */
    bool ping_all;        /* all ranks at once, else one after the other */
};

/* TCP on Ethernet of 10 Gbit/s, assumed: 5 us per message in the kernel, 0.8 ns per byte on the wire,
 * 0.25 ns to add a byte; sleeps and pings are those of team_mpi.c. */
#define TEAM_COST_TCP                                                                       \
    {                                                                                       \
        .overhead_ns = 5000, .byte_ns = 0.8, .add_byte_ns = 0.25, .sleep_least_ns = 20000,  \
        .sleep_most_ns = 4000000, .sleep_share = 8, .gather = TEAM_GATHER_FLAT, .pings = 16 \
    }

/* Levels of a binomial tree of so many ranks: ceil(log2 size). */
unsigned team_cost_depth(uint32_t size);

/* All in ns, from when the last rank calls until each has what it gets.  rtt_ns: the longest round
 * trip between rank 0 and another one. */
uint64_t team_cost_broadcast_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                                uint64_t bytes);
uint64_t team_cost_gather_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                             uint64_t bytes);
uint64_t team_cost_add_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                          uint64_t bytes);

/* Clocks are exchanged; nobody sleeps meanwhile.  rtt_sum_ns: of all ranks. */
uint64_t team_cost_clocks_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                             uint64_t rtt_sum_ns);

#endif
