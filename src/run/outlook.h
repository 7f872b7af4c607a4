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
    unsigned rows;         /* not counting skipped rows */
    double rounds_done;    /* of all rows measured so far */
    double rounds_left;    /* expected for all current and future rows; negative: not known yet */
    uint64_t measuring_ns; /* spent on finished rounds, including the time between them */
    unsigned parts_done;   /* or begun */
    unsigned parts_left;
    uint64_t elapsed_ns; /* minus measuring_ns: spent on preparing parts */
    uint64_t most_ns;    /* time until limits end the run; UINT64_MAX: no limit */
};

/* Adds rows and their rounds to *work. If all rows have a time, a nanosecond counts as a round. */
void outlook_count(struct outlook_work *work, const struct row *rows, unsigned count,
                   const struct settings *settings);

struct outlook { /* zeroed at the start of a run */
    bool known;
    double all_ns;    /* estimated total of the run, smoothed */
    uint64_t last_ns; /* elapsed time at the last call */
    uint64_t left_ns; /* last result */
};

/* Returns the time left, at first OUTLOOK_UNKNOWN; the result never grows. */
uint64_t outlook_left_ns(struct outlook *outlook, const struct outlook_work *work);

#endif
