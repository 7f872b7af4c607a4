/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_scripted.h - a team for tests (struct team, see run/team.h) whose rank 0 is the test and
 * whose other ranks, up to 10,000, are simulated: in the same process, on the clock that the test
 * moves. A script says how their clocks and networks are, and when one dies, hangs or is not ready;
 * what they say where bytes are gathered comes from a callback of the test, which alone knows what
 * the bytes mean.
 *
 * Each collective moves the clock of rank 0 by the longest round trip of all ranks (`start` by two,
 * `synchronise` by 17 for each rank): a collective is over for rank 0 when it is over for all.
 * Real teams may let rank 0 go on earlier, never later. */
#ifndef TESTS_SUPPORT_TEAM_SCRIPTED_H
#define TESTS_SUPPORT_TEAM_SCRIPTED_H

#include "run/team.h"

/* A simulated rank and its way to rank 0. */
struct team_scripted_rank {
    int64_t offset_ns; /* its clock less that of rank 0, when the team is made */
    int64_t drift_ppb; /* so much that grows: ns per second */
    /* exchanged clocks give the offset so much too large: |it| <= rtt / 2 */
    int64_t offset_wrong_ns;
    uint64_t rtt_ns;  /* the shortest round trip */
    uint64_t late_ns; /* it begins so long after the moment that `start` gave */
};

enum team_call {
    TEAM_CALL_ANY, /* nth of all calls together */
    TEAM_CALL_START,
    TEAM_CALL_BROADCAST,
    TEAM_CALL_GATHER,
    TEAM_CALL_ADD,
    TEAM_CALL_SYNCHRONISE,
    TEAM_CALLS
};

enum team_scripted_what {
    TEAM_DIES,      /* it is lost for the reason in words; NULL: "has ended" */
    TEAM_HANGS,     /* it comes so much later: lost where that is longer than patience_ns */
    TEAM_NOT_READY, /* in a start */
    TEAM_STOPS, /* a signal: *stop of the script becomes 2 before the call; rank does not count */
};

struct team_scripted_event {
    enum team_call call;
    unsigned nth; /* in that call of this kind, counted from 1 */
    enum team_scripted_what what;
    uint32_t rank;
    uint64_t hangs_ns; /* UINT64_MAX: for ever */
    const char *words;
};

/* What a simulated rank knows when it is asked for something. */
struct team_scripted_heard {
    uint32_t rank;
    const void *order; /* the last broadcast; NULL: there was none */
    size_t order_bytes;
    uint64_t at_ns;         /* the moment that the last start gave, by its own clock; 0: none */
    uint64_t begin_ns;      /* when it began then, by the same: not before it had heard of it */
    int64_t offset_ns;      /* its clock less that of rank 0, as it knows it ... */
    int64_t true_offset_ns; /* ... and as it is now */
};

/* What the team has seen, kept by the test, since the team is gone after `leave`. */
struct team_scripted_seen {
    unsigned calls[TEAM_CALLS]; /* in [TEAM_CALL_ANY] all */
    uint64_t bytes[TEAM_CALLS]; /* of one rank, summed over calls */
    uint64_t at_ns; /* the moment that the last start gave, by the clock of rank 0; 0: none */
    unsigned beats;
    bool left;
    enum status left_with;
};

struct team_script { /* has to stay until `leave` */
    uint32_t size;
    uint32_t ranks_per_host;         /* 0: 1.  Hosts are called "host0", "host1" ... */
    struct team_scripted_rank usual; /* all ranks but 0, ... */
    /* ... or each, size of them; that of rank 0 is not read */
    const struct team_scripted_rank *ranks;
    const struct team_scripted_event *events;
    unsigned event_count;
    uint64_t *now_ns;   /* the clock of rank 0, which is moved */
    volatile int *stop; /* MAY be NULL; see team->stop */
    /* Write what that rank gives to be gathered: MUST where the team has several and gathers.  And
     * add its values to those of all; NULL: they are 0. */
    void (*say)(void *arg, const struct team_scripted_heard *heard, void *out, size_t bytes);
    void (*add)(void *arg, const struct team_scripted_heard *heard, uint64_t *values, size_t count);
    /* MAY be NULL: once for each broadcast, before it costs anything. */
    void (*hear)(void *arg, const void *order, size_t bytes);
    void *arg;
    struct team_scripted_seen *seen; /* MUST */
};

struct team *team_scripted(const struct team_script *script);

#endif
