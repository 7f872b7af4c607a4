/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi.h - between team_mpi.c and team_mpi_move.c: the ranks that an MPI launcher started (MPI
 * 3.0 or later, any implementation) as a team.  The only file that includes mpi.h.
 *
 * Waiting. The waits of MPI spin, on a processor that another rank may need for measuring. So all
 * communication is nonblocking and tested at growing intervals, between which the thread sleeps.
 *
 * Loss. MPI waits forever for a rank that hangs, and does not identify it. So each waiting rank
 * regularly sends a beat to rank 0, and rank 0 sends one to all. Rank 0 identifies the rank that
 * was silent for too long, and informs the others, which test for its messages in all waits. At the
 * end rank 0 waits for the others to remove their files, and aborts the job.
 *
 * Memory. After a loss, pending communication can neither be cancelled nor completed, and MPI may
 * write to its buffer until the end. So memory of the caller is never used for communication: all
 * data pass through `bounce`, which is not touched after a loss. */
#ifndef RUN_TEAM_MPI_H
#define RUN_TEAM_MPI_H

#include <mpi.h>

#include "base/clock.h"
#include "run/team.h"

#define NS_PER_MS UINT64_C(1000000)

enum word {
    WORD_BEAT,
    WORD_LOST,   /* from rank 0: which rank is lost */
    WORD_GONE,   /* to rank 0: this rank has reached the end */
    WORD_FINISH, /* from rank 0: all have reached it; MPI_Finalize will not hang */
    WORD_KINDS,
};
struct message {
    uint32_t word;
    struct team_loss loss;
};

struct mpi_team {
    struct team team; /* first: what the hooks get */
    MPI_Comm comm;
    struct team_member *member;

    struct team_loss loss;
    bool is_lost;
    bool broken;      /* a collective was abandoned: no further one is possible */
    uint64_t beat_ns; /* time of the last beat */
    /* time of the last message from each rank; only the first is used except on rank 0 */
    uint64_t *heard_ns;
    bool *gone; /* per rank: it has reached the end, or is lost */
    bool finish;
    MPI_Request listening;
    struct message heard, said[WORD_KINDS];

    uint64_t left_ns;  /* when the last collective ended */
    MPI_Request *part; /* per rank: the pending receive or send */
    unsigned char *bounce;
    size_t bounce_bytes;
    unsigned char *ready; /* per rank, in a start */
};

/* ---- team_mpi_move.c */

/* Sends a word to rank 0, or from rank 0 to all. */
void mpi_say(struct mpi_team *t, enum word word);

/* mpi_listen_on begins to receive words; mpi_listen handles those received. */
void mpi_listen_on(struct mpi_team *t);
void mpi_listen(struct mpi_team *t);

/* Sends a beat if one is due. */
void mpi_beat_at(struct mpi_team *t, uint64_t now_ns);

/* The ranks that a wait is for: the others (on rank 0) or rank 0 ... */
enum whom {
    FOR_ALL,
    FOR_PARTS, /* ... whose part is not complete */
    FOR_END,   /* ... that have not reached the end */
};

/* Returns the one silent for longest, and the duration of its silence since begun_ns. */
uint32_t mpi_most_silent(const struct mpi_team *t, enum whom whom, uint64_t begun_ns,
                         uint64_t now_ns, uint64_t *silent_ns);

/* The hooks, see team.h. */
int mpi_start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns);
int mpi_broadcast(struct team *team, void *data, size_t bytes);
int mpi_gather(struct team *team, const void *mine, size_t bytes, void *all);
int mpi_add(struct team *team, uint64_t *values, size_t count);
int mpi_synchronise(struct team *team);

#endif
