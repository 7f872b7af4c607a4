/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outlook.h - estimates the remaining time of a run from the duration and variation of its rounds.
 * The estimate shown never grows. Pure, except for the state in struct outlook. */
#ifndef RUN_OUTLOOK_H
#define RUN_OUTLOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "run/row.h"

#define OUTLOOK_UNKNOWN UINT64_MAX

/* The expected total number of rounds of a row, from its n rounds in round_ns and their numbers of
 * operations. Negative: too few rounds. */
double outlook_rounds(const double *round_ns, const double *operations, unsigned n,
                      const struct settings *settings);

struct outlook_work {      /* work done and left; times since the start of the run */
    unsigned rows;         /* without those that are skipped */
    double rounds_done;    /* of all rows that were or are measured */
    double rounds_left;    /* expected of rows that are, or will be; negative: not known yet */
    uint64_t measuring_ns; /* spent on finished rounds, with the time between them */
    unsigned parts_done;   /* or begun */
    unsigned parts_left;
    uint64_t elapsed_ns; /* less measuring_ns: spent on preparing parts */
    uint64_t most_ns;    /* time until limits end the run; UINT64_MAX: no limit */
};

/* Counts rows and their rounds into *work. Where all rows are to get a time, a nanosecond counts as
 * a round. */
void outlook_count(struct outlook_work *work, const struct row *rows, unsigned count,
                   const struct settings *settings);

struct outlook { /* zeroed at the start of a run */
    bool known;
    double all_ns;    /* that the run takes, smoothed */
    uint64_t last_ns; /* elapsed at the last look */
    uint64_t left_ns; /* shown last */
};

/* Time left, OUTLOOK_UNKNOWN at first; what it returns never grows. */
uint64_t outlook_left_ns(struct outlook *outlook, const struct outlook_work *work);

#endif
