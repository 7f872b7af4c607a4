/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team.h - processes ("ranks") on one or more hosts that measure the same cells at the same time.
 * Rank 0 plans, decides and prints; the others carry out its orders (team_work.h) and report the
 * results. A team only synchronises ranks and moves plain bytes: it knows nothing of rows. There
 * are three: alone (one rank, without hooks), mpi (team_mpi.c, only in the program iosweep-mpi),
 * and a scripted one for tests (tests/support/team_scripted.h); one contract test covers the latter
 * two.
 *
 * Everything here is cold and called by the main thread only. Waits sleep, so that no rank occupies
 * a processor on which another rank measures. */
#ifndef RUN_TEAM_H
#define RUN_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TEAM_HOST_BYTES 64u
#define TEAM_WHY_BYTES  400u

/* How the ranks of a team divide the files of a run. */
enum team_share {
    TEAM_SHARE_NONE,  /* each has its own */
    TEAM_SHARE_ALL,   /* rank 0 makes them, all use them */
    TEAM_SHARE_SHIFT, /* each makes its own, and reads those of the next rank */
};

/* Facts about a rank; the last three members are known to rank 0 only. */
struct team_member {
    char host[TEAM_HOST_BYTES]; /* the name of its system, see uname(2) */
    uint32_t host_index;        /* hosts are numbered by their first ranks */
    uint64_t rtt_ns;            /* the shortest round trip between it and rank 0 */
    int64_t offset_ns;          /* its CLOCK_MONOTONIC less that of rank 0 ... */
    uint64_t offset_error_ns;   /* ... known to this: half of that round trip */
};

/* The rank whose loss ended the team. */
struct team_loss {
    uint32_t rank;
    char host[TEAM_HOST_BYTES];
    char why[TEAM_WHY_BYTES]; /* "has not answered for 60 s", or what MPI reports */
};

struct team {
    const char *name;
    uint32_t rank, size; /* this process; of all, at least 1 */
    uint32_t host_count;
    const struct team_member *member; /* size of them */
    int64_t offset_ns; /* own CLOCK_MONOTONIC less that of rank 0, as of the last `synchronise` */
    uint64_t
        patience_ns; /* a rank that is silent for this long counts as lost; set by the caller */
    bool told;       /* set by the caller: rank 0 has reported the error, so this rank does not */
    bool lost;       /* a rank is lost: ... */
    struct team_loss loss; /* ... the first one */
    /* set by the caller: the number of a signal that ends the run, or 0. Rank 0 then waits no
     * longer than necessary, and sets it itself where another rank received one. */
    volatile int *stop;

    /* All MUST, but NULL in a team of one (which may have leave). The int hooks are collective:
     * every rank calls the same one with the same sizes. They return 0; -EPIPE when a rank is lost
     * (see `lost`), from then on at once; or -EINTR when *stop is set and the others do not come
     * within a second. */

    /* Agrees on a moment in_ns from now or slightly later, which each rank gets in its own
     * CLOCK_MONOTONIC. If any rank is not ready, *at_ns is 0 on all. */
    int (*start)(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns);

    /* From rank 0 to all. */
    int (*broadcast)(struct team *team, void *data, size_t bytes);

    /* From all to rank 0, in the order of ranks, into size * bytes at `all`; ignored on other
     * ranks, where it MAY be NULL. */
    int (*gather)(struct team *team, const void *mine, size_t bytes, void *all);

    /* On rank 0 the values become the sums over all ranks; elsewhere they are unchanged. For
     * histograms, which are too large to gather. */
    int (*add)(struct team *team, uint64_t *values, size_t count);

    /* Measures all clocks again: rtt_ns, offset_ns, offset_error_ns. */
    int (*synchronise)(struct team *team);

    /* Not collective. Signals that this rank is alive; call it repeatedly during steps that may
     * exceed patience_ns (it limits its own rate). */
    void (*beat)(struct team *team);

    /* The last call, which frees the team. After a loss rank 0 waits here until the others have
     * left, and ends the job (by MPI_Abort with `status`, which may not return). */
    void (*leave)(struct team *team, enum status status);
};

/* Joins the team in which this process was started: four ranks with `mpirun -n 4 iosweep-mpi`, else
 * one. Implemented by team_join_alone.c or team_mpi.c, whichever the program is linked with.
 * Returns NULL with err (STATUS_TARGET) on failure. */
struct team *team_join(int *argc, char ***argv, struct error *err);

/* The name of the program in its messages: "iosweep" or "iosweep-mpi"; and the library that joins
 * teams, with version, for --version: "Open MPI v4.1.4"; NULL: none. */
extern const char *const team_library;
const char *team_library_version(void);

/* A team of one, without hooks. Never NULL. */
struct team *team_alone(void);

/* Every rank reports whether it can continue (err not set). Returns 0 if all can. Otherwise returns
 * -1; err of rank 0 then contains the first reason of all ranks (it prints further ones), while the
 * others get the same status and team->told. */
int team_agree(struct team *team, struct error *err);

/* Stores in err which rank is lost after a collective failed with that code. Returns -1. */
int team_explain(struct team *team, int code, struct error *err);

/* --- what teams compute, pure --- */

/* Numbers the hosts of the members in the order of their first ranks. Returns the number of
 * hosts. */
uint32_t team_number_hosts(struct team_member *member, uint32_t size);

/* How long to sleep between polls after waiting waited_ns: a share of it, so that short waits end
 * promptly and long ones use no processor. */
uint64_t team_pause_ns(uint64_t waited_ns);

/* Adds an exchange with a member: rank 0 asked at before_ns and had the answer at after_ns; the
 * member's clock read stamp_ns in between. The exchange with the shortest round trip is kept, since
 * it bounds the moment of the stamp most tightly; rtt_ns 0: none yet. */
void team_clock_asked(struct team_member *member, uint64_t before_ns, uint64_t stamp_ns,
                      uint64_t after_ns);

#endif
