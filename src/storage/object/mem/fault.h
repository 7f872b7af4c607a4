/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fault.h - injected failures of requests to mem: (--mem.fail). */
#ifndef STORAGE_OBJECT_MEM_FAULT_H
#define STORAGE_OBJECT_MEM_FAULT_H

#include <stdint.h>

#include "storage/object/protocol.h"

enum mem_fault_kind {
    MEM_FAULT_NONE,
    MEM_FAULT_SLOW_DOWN, /* the store asks for fewer requests */
    MEM_FAULT_SERVER,    /* a transient server error */
    MEM_FAULT_FORBIDDEN, /* a permanent error */
    MEM_FAULT_MISSING,   /* there is no such object */
    MEM_FAULT_REFUSED,   /* connection refused */
    MEM_FAULT_LOST,      /* the request is executed, but its answer is lost */
    MEM_FAULT_BROKEN,    /* a malformed answer */
    MEM_FAULT_WRONG,     /* success, but one byte of the data is wrong */
    /* not selectable by users: */
    MEM_FAULT_TIMEOUT,   /* no answer in time, since --mem.delay is longer */
    MEM_FAULT_TOO_LARGE, /* larger than a pool accepts */
    MEM_FAULT_KIND_COUNT
};

extern const struct mem_fault_row {
    const char *word; /* NULL: users cannot select it */
    enum object_class class;
    int errnum;
    bool retryable;
    const char *code;
} mem_fault_table[MEM_FAULT_KIND_COUNT];

#define MEM_FAULTS_MAX 8u

struct mem_faults { /* zeroed: none */
    unsigned count;
    struct mem_fault {
        enum mem_fault_kind kind;
        unsigned verbs; /* bits 1 << OBJECT_x; 0: all */
        uint64_t every; /* one in this many of a thread's requests with these verbs */
    } fault[MEM_FAULTS_MAX];
};

/* Parses "KIND[@VERB]:N[,...]", as in "slow-down:10,lost@put:3". Returns 0, or -1 with err filled
 * (STATUS_USAGE) and the faults unchanged. */
int mem_faults_parse(const char *word, struct mem_faults *faults, struct error *err);

/* The fault of the next request of a verb; seen: requests counted per fault, zeroed at first. */
enum mem_fault_kind mem_faults_next(const struct mem_faults *faults, enum object_verb verb,
                                    uint64_t seen[MEM_FAULTS_MAX]);

#endif
