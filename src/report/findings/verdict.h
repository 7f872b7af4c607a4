/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verdict.h - what a few rows come to, in two sentences that need no expert: what kind of storage
 * answers like this and how fast, what the page cache does, and whether the machine let the figures
 * be believed.  Knows neither runs nor files of results: both fill in what they have. */
#ifndef REPORT_FINDINGS_VERDICT_H
#define REPORT_FINDINGS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/busy.h"
#include "os/facts.h"

enum verdict_path {
    VERDICT_DEVICE, /* past the page cache, or there is none: O_DIRECT, requests to a server */
    VERDICT_MEMORY, /* from or into the page cache */
    VERDICT_OTHER   /* either: as it was found, or the note says that it was not as asked */
};

#define VERDICT_JUDGED_LEAST 3 /* operations of a row that was cut short, to be judged by them */

struct verdict_row {
    bool writes; /* else it reads */
    enum verdict_path path;
    uint64_t size_bytes;
    bool alone; /* one thread, depth 1: what an operation takes is its latency */
    double latency_ns,
        p99_ns;        /* median (or mean, where no median is known), and p99; 0: not known */
    bool p50_known;    /* latency_ns is the p50 of single operations */
    double rate_per_s; /* 0: not known */
    double throughput_bytes_per_s; /* 0: not known */
    double half_width;             /* of the interval of the mean, as a share of it; 0: not known */
};

enum verdict_kind {
    VERDICT_LOCAL,   /* a file system on a device, or the device */
    VERDICT_NETWORK, /* a file system of a server */
    VERDICT_SERVED,  /* what a daemon, a host or another file system answers for */
    VERDICT_OBJECTS, /* an object store */
    VERDICT_TMPFS    /* a file system in memory, objects in memory */
};

struct verdict_input {
    const char *target; /* its name, fit to be shown */
    enum verdict_kind kind;
    const struct medium *medium; /* see os/facts.h; MAY be NULL */
    bool rotational;             /* the device says that it turns: virtual ones say so, too */
    bool guest;                  /* a virtual machine: the host may have a cache of its own */
    bool made;                   /* test files were made for it; else what was there was read */
    /* there was time for so small a set of test files only; 0: as asked for */
    uint64_t reduced_bytes;
    unsigned cut, all; /* rows that got too little time, of so many */
    struct busy_facts busy;
    const struct verdict_row *rows; /* of this target: tests read and write */
    size_t count;
};

#define VERDICT_TEXT 400
struct verdict {
    char what[VERDICT_TEXT];  /* "/srv answers like an SSD: ..."; "": no row says anything */
    char trust[VERDICT_TEXT]; /* "The page cache makes ...; ..." */
    char next[VERDICT_TEXT];  /* the command to try next: "iosweep ..." */
};

/* reduced_bytes of a target whose rows have these notes ("reduced:BYTES/BYTES"): 0 where it does
 * not matter. */
uint64_t verdict_reduced(const char *notes);

void verdict_make(const struct verdict_input *input, struct verdict *verdict);

#endif
