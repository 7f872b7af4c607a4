/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fault.h - requests to mem: that fail on schedule (--mem.fail). */
#ifndef STORAGE_OBJECT_MEM_FAULT_H
#define STORAGE_OBJECT_MEM_FAULT_H

#include <stdint.h>

#include "storage/object/protocol.h"

enum mem_fault_kind {
    MEM_FAULT_NONE,
    MEM_FAULT_SLOW_DOWN, /* fewer requests, please */
    MEM_FAULT_SERVER,    /* an error of the server that may pass */
    MEM_FAULT_FORBIDDEN, /* an error that stays */
    MEM_FAULT_MISSING,   /* there is no such object */
    MEM_FAULT_REFUSED,   /* no connection */
    MEM_FAULT_LOST,      /* it is carried out, but the answer is lost on the way */
    MEM_FAULT_BROKEN,    /* an answer that is none */
    MEM_FAULT_WRONG,     /* no failure: one byte of the data that move is another one */
    /* nobody asks for these: */
    MEM_FAULT_TIMEOUT,   /* no answer in time, since --mem.delay is longer */
    MEM_FAULT_TOO_LARGE, /* longer than a pool takes */
    MEM_FAULT_KIND_COUNT
};

#define MEM_FAULTS_MAX 8u

struct mem_faults { /* zeroed: none */
    unsigned count;
    struct mem_fault {
        enum mem_fault_kind kind;
        unsigned verbs; /* bits 1 << OBJECT_x; 0: all */
        uint64_t every; /* of such requests of a thread each so many-th */
    } fault[MEM_FAULTS_MAX];
};

/* "KIND[@VERB]:N[,...]", as in "slow-down:10,lost@put:3".  Returns 0, or -1 with err filled
 * (STATUS_USAGE); the faults are changed on success only. */
int mem_faults_parse(const char *word, struct mem_faults *faults, struct error *err);

/* What happens to the next request of a verb; seen: how many requests each fault has met, zeroed at
 * first. */
enum mem_fault_kind mem_faults_next(const struct mem_faults *faults, enum object_verb verb,
                                    uint64_t seen[MEM_FAULTS_MAX]);

#endif
