/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team.h - processes ("ranks") on one host or many that measure the same cells at the same moments.
 * Rank 0 plans, decides and prints; the others do what it orders (team_order.h) and tell what came
 * of it.  A team only brings ranks to a common moment and moves plain bytes: it knows nothing of
 * rows.  Three of them: alone (team.c: one rank, no cost), mpi (team_mpi.c, in the program
 * iosweep-mpi alone), and a scripted one for tests (tests/support/team_scripted.h); one contract
 * test for all.
 *
 * Everything here is cold, and called by the main thread alone.  Whoever waits sleeps: no rank uses
 * up a processor that another one measures on. */
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

/* What is known of a rank, on all ranks, but for the last three, which only rank 0 knows. */
struct team_member {
    char host[TEAM_HOST_BYTES]; /* the name of its system, see uname(2) */
    uint32_t host_index;        /* hosts are numbered by their first ranks */
    uint64_t rtt_ns;            /* the shortest round trip between it and rank 0 */
    int64_t offset_ns;          /* its CLOCK_MONOTONIC less that of rank 0 ... */
    uint64_t offset_error_ns;   /* ... known to this: half of that round trip */
};

/* The rank without which the team cannot go on. */
struct team_loss {
    uint32_t rank;
    char host[TEAM_HOST_BYTES];
    char why[TEAM_WHY_BYTES]; /* "has not answered for 60 s", or its last words */
};

struct team {
    const char *name;
    uint32_t rank, size; /* this process; of all, at least 1 */
    uint32_t host_count;
    const struct team_member *member; /* size of them */
    int64_t offset_ns; /* own CLOCK_MONOTONIC less that of rank 0, as of the last `synchronise` */
    uint64_t patience_ns; /* a rank that is silent for this long is lost; set by the caller */
    bool told;            /* set by the caller: rank 0 has said what is wrong, this one need not */
    const volatile int *stop; /* set by the caller.  Not 0: rank 0 waits no longer than it must */

    /* All MUST.  The int hooks are collective: every rank calls the same one with the same sizes.
     * They return 0; -EPIPE when a rank is lost (see `lost`), from then on at once; or -EINTR
     * when *stop is set and the others do not come within a second. */

    /* All ranks get one moment, in_ns from now or a little later, each by its own CLOCK_MONOTONIC.
     * Where one is not ready (false) there is none: *at_ns is 0 on all. */
    int (*start)(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns);

    /* From rank 0 to all. */
    int (*broadcast)(struct team *team, void *data, size_t bytes);

    /* From all to rank 0, in the order of ranks: all has room for size * bytes.  Elsewhere `all` is
     * not looked at and MAY be NULL. */
    int (*gather)(struct team *team, const void *mine, size_t bytes, void *all);

    /* On rank 0 the values become the sums over all ranks; elsewhere they stay.  For what is too
     * large to be gathered: histograms. */
    int (*add)(struct team *team, uint64_t *values, size_t count);

    /* Asks all clocks again: rtt_ns, offset_ns, offset_error_ns. */
    int (*synchronise)(struct team *team);

    /* Not collective.  "Still at work": to be called now and then (it takes care not to tell too
     * often) where a step takes longer than patience_ns allows for. */
    void (*beat)(struct team *team);

    /* Not collective.  Which rank is lost (the first one), or false. */
    bool (*lost)(const struct team *team, struct team_loss *loss);

    /* Not collective.  A rank that cannot go on by itself (it was stopped by a signal, its target
     * is gone) says why before it leaves; the others then find it lost with these words. */
    void (*last_words)(struct team *team, const char *why);

    /* The last call, which frees the team.  After a loss rank 0 waits here until the others have
     * left, and ends those that do not (by MPI_Abort with `status`, which may not return). */
    void (*leave)(struct team *team, enum status status);
};

/* The team that this process was started in: by `mpirun -n 4 iosweep-mpi` four ranks, else one. The
 * program decides by what it is linked with: team_join_alone.c or team_mpi.c.  Returns NULL with
 * err (STATUS_TARGET) when it cannot be joined. */
struct team *team_join(int *argc, char ***argv, struct error *err);

/* What the program is called in its own messages: "iosweep" or "iosweep-mpi"; and the library that
 * joins teams with its version, for --version: "Open MPI 4.1.4"; NULL: none. */
extern const char *const team_library;
const char *team_library_version(void);

/* A team of one: every hook returns at once.  Never NULL. */
struct team *team_alone(void);

/* --- what teams compute, pure --- */

/* Gives each member the number of its host, counted in the order of first ranks.  Returns how many
 * there are. */
uint32_t team_number_hosts(struct team_member *member, uint32_t size);

/* How long to sleep before looking again, after so long a wait: a share of it, so that short waits
 * are met soon and long ones take no processor. */
uint64_t team_pause_ns(uint64_t waited_ns);

/* How much later than it was sent a broadcast may be known to all, for sleep alone, where ranks
 * have waited for so long: each passes it on when it next looks, along a tree. */
uint64_t team_pauses_ns(uint64_t waited_ns, uint32_t size);

/* One more exchange with a member: rank 0 asked at before_ns and had the answer at after_ns, the
 * member's clock showed stamp_ns in between.  What has the shortest round trip is kept, since it
 * leaves least room for the moment of the stamp; rtt_ns 0: there was none yet. */
void team_clock_asked(struct team_member *member, uint64_t before_ns, uint64_t stamp_ns,
                      uint64_t after_ns);

#endif
