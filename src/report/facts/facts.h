/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.h - facts about machine and targets, apart from the rows: read before anything is created,
 * and printed so that a user can stop early. */
#ifndef REPORT_FACTS_FACTS_H
#define REPORT_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "os/facts.h"
#include "report/columns/columns.h"
#include "run/sink.h"
#include "run/team.h"

#define FACTS_TEXT 1024

/* "glibc 2.36, liburing 2.3, libaio": the C library and the libraries of engines (see engine.h). */
#define FACTS_LIBRARIES 256
void facts_list_libraries(char *text, size_t size);

/* Prints one line on stderr about a target with holes, unwritten, shared, compressed, encrypted or
 * inline extents; nothing if it contains plain data only. */
void facts_print_extents(const struct target *target);

/* A fact about a machine or a target: its offset in struct host_card (which begins with struct
 * hostinfo) or struct targetinfo, and its uses. */
enum fact_type {
    FACT_TEXT,
    FACT_OPTIONS, /* text: items joined by ',', compared one by one */
    FACT_COUNT,   /* unsigned; 0: unknown */
    FACT_QUOTA,   /* double; 0: none */
    FACT_MEMORY,  /* uint64_t, bytes; 0: unknown; FACT_SIZE: the same */
    FACT_SIZE,
    FACT_TURNS /* int: 0, 1; -1 unknown */
};
enum fact_use {
    IN_HEAD = 1u << 0,  /* in the head of the JSON document */
    OF_HOSTS = 1u << 1, /* in the head for each host of a team; hosts are compared by it */
    BRIEFLY = 1u << 2   /* --brief prints it, too */
};
struct fact {
    const char *member; /* name in JSON */
    const char *name;   /* name in a reported difference; NULL: not compared */
    /* on stderr, with '%' for the value and a leading ", " or blank; NULL: not printed */
    const char *words;
    enum fact_type type;
    size_t offset;
    unsigned use;
};
extern const struct fact facts_of_host[], facts_of_target[]; /* ended by member NULL */

/* The value of a fact: EMPTY if it is unknown, 0 or no limit; of TURNS 0 or 1. base: the struct
 * that contains it. */
void facts_get(const struct fact *fact, const void *base, struct value *value);

/* The facts that each host of a team reports, without pointers, zero where unknown: a process sends
 * the bytes to another of the same build. */
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

struct facts { /* zeroed: not read yet */
    struct hostinfo host;
    struct targetinfo *targets;
    unsigned count;
    bool read, printed;
    /* one entry per host of a team, on rank 0, see facts_gather; NULL and 0: no team */
    struct host_facts *hosts;
    unsigned host_count;
};

/* Reads all facts; places: paths of the targets, elements MAY be NULL. root: see os/facts.h. Free
 * with facts_free, which may be called at any time. */
void facts_read(const char *root, const char *const *places, unsigned count, struct facts *facts);
void facts_free(struct facts *facts);

/* The same for the places of targets, unless the facts were read already. */
void facts_ensure(struct facts *facts, const struct target *const *targets, unsigned count);

/* Prints the machine and the storage of each target on stderr, once. labels: targets as typed.
 * brief: one line each. */
void facts_print(struct facts *facts, const char *const *labels, bool brief);

/* Fills the card of this process. */
void facts_fill_card(const struct facts *facts, struct host_card *card);

/* Collective, after the facts are read: fills facts->hosts on rank 0 from the first rank of each
 * host, since the others would report the same. Does nothing in a team of one. Returns 0, or a
 * -errno of the team. */
int facts_gather(struct team *team, struct facts *facts);

/* Lists differences between hosts, since a rate of two different hosts describes neither: "kernel:
 * Linux 6.1.0 on nas1, Linux 5.15.0 on nas2 (and 2 more)". Writes at most FACTS_DIFFERENCES;
 * returns their number. */
#define FACTS_DIFFERENCES     32
#define FACTS_DIFFERENCE_TEXT 1024
typedef char facts_difference[FACTS_DIFFERENCE_TEXT];
unsigned facts_compare_hosts(const struct facts *facts, facts_difference *list);

#endif
