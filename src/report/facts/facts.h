/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.h - what is known of machine and targets apart from the rows: read before anything is made,
 * and printed so that a user can stop early. */
#ifndef REPORT_FACTS_FACTS_H
#define REPORT_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "os/facts.h"
#include "report/facts/busy.h"
#include "run/sink.h"

#define FACTS_TEXT 1024

/* "glibc 2.36, liburing 2.3, libaio": the C library, and those of engines (see engine.h). */
#define FACTS_LIBRARIES 256
void facts_list_libraries(char *text, size_t size);

/* "37 % holes, 12 % unwritten extents"; false, and an empty text, when there is nothing of that. */
bool facts_format_unread(const struct extents *extents, char *text, size_t size);

/* One line on stderr about a target with holes, unwritten, shared, compressed, encrypted or inline
 * extents; nothing about one of plain data. */
void facts_print_extents(const struct target *target);

/* What is known of a machine, of a target: where it is in struct host_card (which begins with
 * struct hostinfo), in struct targetinfo, and who reads it. */
enum fact_type {
    FACT_TEXT,
    FACT_OPTIONS, /* the same, joined by ',': compared one by one */
    FACT_COUNT,   /* unsigned; 0: unknown */
    FACT_QUOTA,   /* double; 0: none */
    FACT_LOAD,    /* double; negative: unknown */
    FACT_MEMORY,  /* uint64_t of bytes; 0: unknown, as of FACT_SIZE */
    FACT_SIZE,
    FACT_TURNS /* int: 0, 1; -1 unknown */
};
enum fact_use {
    IN_HEAD = 1u << 0,   /* of the JSON document */
    ALSO_ZERO = 1u << 1, /* there 0 is a number */
    OF_HOSTS = 1u << 2,  /* each host of a team has it there, and they are compared by it */
    BRIEFLY = 1u << 3    /* shown by --brief, too */
};
struct fact {
    const char *member; /* in JSON */
    const char *name;   /* of a difference; NULL: not compared */
    const char *words; /* on stderr, '%' being the value, behind ", " or a blank of their own; NULL:
                          not shown */
    enum fact_type type;
    size_t offset;
    unsigned use;
};
extern const struct fact facts_of_host[], facts_of_target[]; /* ended by member NULL */

/* The value in words: "" where it is not known, FACT_NONE where there is no limit.  Returns text.
 */
#define FACT_NONE "none"
char *facts_text(const struct fact *fact, const void *base, char *text, size_t size);

/* Whether both are known and differ; of lists of options only what the other has not is left in
 * each text.  Both take FACT_TEXT_BYTES. */
#define FACT_TEXT_BYTES 256
bool facts_differ(const struct fact *fact, const void *one, const void *two, char *one_text,
                  char *two_text);

struct host_facts; /* cards.h */

struct facts { /* zeroed: not read yet */
    struct hostinfo host;
    struct targetinfo *targets;
    unsigned count;
    bool read, printed;
    /* of each host of a team, on rank 0, see facts_gather; NULL and 0: alone */
    struct host_facts *hosts;
    unsigned host_count;
};

/* Reads what there is to know; places: of the targets, elements MAY be NULL.  root: see os/facts.h.
 * Free with facts_free, which may be called at any time. */
void facts_read(const char *root, const char *const *places, unsigned count, struct facts *facts);
void facts_free(struct facts *facts);

/* The same of the places of targets, unless they are read already. */
void facts_ensure(struct facts *facts, const struct target *const *targets, unsigned count);

/* On stderr, once: the machine, and the storage of each target.  labels: as typed.  brief: a line
 * for each. */
void facts_print(struct facts *facts, const char *const *labels, bool brief);

#endif
