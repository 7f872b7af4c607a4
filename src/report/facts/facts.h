/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.h - what is known of machine and targets apart from the rows: read before anything is made,
 * printed so that a user can stop early, and read again at the end to tell what has changed. */
#ifndef REPORT_FACTS_FACTS_H
#define REPORT_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/machine.h"
#include "os/facts.h"
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

/* The options of one list joined by ',' that the other lacks, but for the address of the client, by
 * which NFS mounts of two hosts always differ. */
void facts_missing_options(const char *options, const char *other, char *text, size_t size);

/* Something that was not the same at the end of the run. */
struct facts_change {
    char what[320]; /* "scheduler of /dev/vda" */
    char before[256], after[256];
};

/* How many tasks of a row may count in the load of the machine (base/machine.h). */
static inline unsigned facts_tasks(const struct cell *cell)
{
    const bool async = engine_in_flight(cell->engine, cell->work.depth);

    return machine_tasks(cell->threads, async ? cell->work.depth : 0, cell->work.sync != SYNC_NONE);
}

/* Reads again and compares, at the end of a run.  *load1: now; negative unknown. */
#define FACTS_CHANGES 32
unsigned facts_compare_now(const char *root, const struct facts *before,
                           const struct run_info *info, struct facts_change *changes,
                           double *load1);

#endif
