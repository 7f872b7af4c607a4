/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
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
 * Beyond these models, whoever waits sleeps (team_pause_ns) and notices so much late, at worst,
 * that the wait is over; a tree pays that on each level.  Clocks are exchanged as in
 * team_mpi_move.c: with one rank after the other, both spinning; each exchange is a round trip, and
 * two messages at rank 0.
 */
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
    bool sleeps;          /* whoever waits */
    enum team_gather gather;
    unsigned exchanges; /* with each rank when clocks are asked for */
};

/* TCP on Ethernet of 10 Gbit/s, assumed: 5 us per message in the kernel, 0.8 ns per byte on the
 * wire, 0.25 ns to add a byte; all else is as in team_mpi_move.c: 16 exchanges and one to tell the
 * result. */
#define TEAM_COST_TCP                                                             \
    {                                                                             \
        .overhead_ns = 5000, .byte_ns = 0.8, .add_byte_ns = 0.25, .sleeps = true, \
        .gather = TEAM_GATHER_FLAT, .exchanges = 17                               \
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

/* Clocks are exchanged. */
uint64_t team_cost_clocks_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns);

#endif
