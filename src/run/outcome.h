/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h - what a whole sweep came to, for the exit status and the last words.  Types only. */
#ifndef RUN_OUTCOME_H
#define RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

struct sweep_outcome {
    unsigned rows_complete, rows_incomplete, rows_skipped;
    uint64_t failed;         /* operations */
    uint64_t short_count;    /* operations that moved too little, without --allow-short */
    bool gave_up;            /* max_errors was reached */
    bool exhausted;          /* a target may be sent no more requests (--max-requests) */
    uint64_t wrong;          /* operations whose data were wrong (--verify) */
    char first_unready[900]; /* why a part could not be prepared; its rows are incomplete; or "" */
    char first_wrong[400];   /* "d0/f1 at offset 4096: expected 01 ..., found 00 ...", or "" */
    char first_short[400];   /* "d0/f1 at offset 0: 100 of 4096 bytes", or "" */
    char first_failure[400]; /* "cannot read d0/d1/f3 at offset 4096: Input/output error", or "" */
};

#endif
