/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi.h - between the files of team_mpi: the ranks that an MPI launcher started (MPI 3.0 or
 * later, any implementation) as a team.  The only file that includes mpi.h.
 *
 * Waiting.  The waits of MPI itself spin, on a processor that another rank may be measuring on.  So
 * all is begun without blocking and asked for with MPI_Testsome, at growing intervals in between
 * which the thread sleeps (team_mpi_wait.c).
 *
 * Loss.  MPI alone waits for ever for a rank that hangs, and does not say which one that is.  Here
 * everybody who waits tells rank 0 now and then that it is alive, and rank 0 tells them ("words",
 * TAG_WORD); and what rank 0 gathers comes by one message from each rank.  So rank 0 can always
 * name the silent one.  It then tells the others, who look for its word in all waits.
 *
 * Cost.  gather, start and synchronise are messages of rank 0 with each rank; broadcast and add are
 * collectives of MPI, usually trees.
 *
 * What is on its way can neither be called back nor completed after a loss, and MPI may write to
 * its buffer till the end.  So nothing is sent from or received into memory of the caller: all
 * passes through `bounce`, in pieces if need be, and after a loss nothing of this is freed. */
#ifndef RUN_TEAM_MPI_H
#define RUN_TEAM_MPI_H

#include <mpi.h>

#include "base/clock.h"
#include "run/team.h"

#define NS_PER_MS UINT64_C(1000000)

enum tag { TAG_PART = 1, TAG_WORD, TAG_PING };

enum word {
    WORD_BEAT,
    WORD_LOST,   /* to rank 0: my last words.  From rank 0: who is lost */
    WORD_GONE,   /* to rank 0: I have come to the end */
    WORD_FINISH, /* from rank 0: all have; MPI_Finalize will not hang */
    WORD_KINDS,
};
struct message {
    uint32_t word;
    struct team_loss loss;
};

struct mpi_team {
    struct team team; /* first: is what the hooks get */
    MPI_Comm comm;
    struct team_member *member;
    uint32_t peers; /* with whom words are exchanged: all others on rank 0, else rank 0 */

    struct team_loss loss;
    bool is_lost;
    bool is_silent; /* the lost one: nothing comes from it any more */
    bool broken;    /* a collective was given up: nothing can be done together any more */
    char fault[TEAM_WHY_BYTES]; /* what MPI said when something failed for no rank in particular */
    uint64_t fault_ns;          /* when; 0: nothing did */

    uint64_t beat_ns;   /* the last one */
    uint64_t *heard_ns; /* of each rank, when; elsewhere than on rank 0 only the first is used */
    bool *gone;
    uint32_t gone_count;
    bool finish;

    MPI_Request listening;
    struct message heard;
    MPI_Request *saying; /* WORD_KINDS for each peer */
    struct message said[WORD_KINDS];

    uint64_t left_ns;  /* when the last collective ended */
    MPI_Request *part; /* of each rank */
    int *done;         /* as many: what MPI_Testsome found, */
    MPI_Status *status;
    int done_count;
    unsigned char *bounce;
    size_t bounce_bytes;
    unsigned char *ready;  /* of each rank, in a start */
    uint64_t *asked_ns;    /* of each rank: when its clock was asked last, */
    unsigned *asked_count; /* and how often */
    bool *host_busy;       /* of each host: one of its clocks is being asked */
};

/* ---- team_mpi_wait.c */

/* Tells all peers, or one; a word that was not taken is not said again. */
void mpi_say(struct mpi_team *t, uint32_t peer, enum word word);
void mpi_say_all(struct mpi_team *t, enum word word);
uint32_t mpi_peer_rank(const struct mpi_team *t, uint32_t peer);

/* Begins to take words, and takes those that have come. */
void mpi_listen_on(struct mpi_team *t);
void mpi_listen(struct mpi_team *t);

/* Says a beat where it is time for one. */
void mpi_beat_at(struct mpi_team *t, uint64_t now_ns);

/* Keeps who is lost first; rank 0 tells all. */
void mpi_lose(struct mpi_team *t, uint32_t rank, const char *why);

/* Takes note of what a call of MPI returned that was made for the sake of `rank`, or of nobody in
 * particular (negative). */
void mpi_check(struct mpi_team *t, int code, int rank);

/* Since when nothing was heard of a rank that has been waited for since begun_ns. */
uint64_t mpi_silent_ns(const struct mpi_team *t, uint32_t rank, uint64_t begun_ns, uint64_t now_ns);

/* Whom a wait is for: a rank, or one of these. */
#define FOR_ALL   (-1)
#define FOR_PARTS (-2) /* the ranks whose request, by their number, is not complete */

/* Waits until all requests are complete, and for the first spin_ns of that without sleeping.
 * Returns what a hook does. */
int mpi_settle(struct mpi_team *t, MPI_Request *request, int count, int whom, uint64_t spin_ns);

/* The same until some are: done_count of them, whose indices are in done. */
int mpi_settle_some(struct mpi_team *t, MPI_Request *request, int count, int whom,
                    uint64_t spin_ns);

/* Sleeps for as long as is right after such a wait. */
struct rest {
    uint64_t slack_ns; /* of the thread, before */
    bool rested;
};
void mpi_rest(struct rest *rest, uint64_t waited_ns);
void mpi_rested(const struct rest *rest);

/* What each hook begins and ends with. */
int mpi_enter(struct mpi_team *t);
int mpi_left(struct mpi_team *t, int status);

/* ---- the hooks, see team.h */

int mpi_start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns);
int mpi_broadcast(struct team *team, void *data, size_t bytes);
int mpi_gather(struct team *team, const void *mine, size_t bytes, void *all);
int mpi_add(struct team *team, uint64_t *values, size_t count);
int mpi_synchronise(struct team *team);

#endif
