/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi_move.c - bytes and moments between ranks; see team_mpi.h. */
#include "base/compat.h"

#include <string.h>

#include "run/team_mpi.h"

int mpi_broadcast(struct team *team, void *data, size_t bytes)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    unsigned char *const place = data;
    int status = mpi_enter(t);

    for (size_t at = 0, piece; at < bytes && status == 0; at += piece) {
        MPI_Request request = MPI_REQUEST_NULL;

        piece = bytes - at < t->bounce_bytes ? bytes - at : t->bounce_bytes;
        if (team->rank == 0)
            memcpy(t->bounce, place + at, piece);
        mpi_check(t, MPI_Ibcast(t->bounce, (int)piece, MPI_BYTE, 0, t->comm, &request), -1);
        status = mpi_settle(t, &request, 1, FOR_ALL, 0);
        if (status == 0 && team->rank != 0) {
            memcpy(place + at, t->bounce, piece);
            t->heard_ns[0] = clock_monotonic_ns();
        }
    }
    return mpi_left(t, status);
}

/* One piece of what each rank has; on rank 0 that of rank R is then at R * piece of the bounce. */
static int gather_piece(struct mpi_team *t, const unsigned char *mine, size_t piece)
{
    MPI_Request request = MPI_REQUEST_NULL;

    memcpy(t->bounce, mine, piece);
    if (t->team.rank != 0) {
        mpi_check(t, MPI_Isend(t->bounce, (int)piece, MPI_BYTE, 0, TAG_PART, t->comm, &request), 0);
        return mpi_settle(t, &request, 1, 0, 0);
    }
    for (uint32_t rank = 1; rank < t->team.size; rank++)
        mpi_check(t,
                  MPI_Irecv(t->bounce + rank * piece, (int)piece, MPI_BYTE, (int)rank, TAG_PART,
                            t->comm, &t->part[rank]),
                  (int)rank);
    return mpi_settle(t, t->part, (int)t->team.size, FOR_PARTS, 0);
}

int mpi_gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const size_t most = t->bounce_bytes / team->size;
    int status = mpi_enter(t);

    for (size_t at = 0, piece; at < bytes && status == 0; at += piece) {
        piece = bytes - at < most ? bytes - at : most;
        status = gather_piece(t, (const unsigned char *)mine + at, piece);
        for (uint32_t rank = 0; team->rank == 0 && rank < team->size && status == 0; rank++)
            memcpy((unsigned char *)all + rank * bytes + at, t->bounce + rank * piece, piece);
    }
    return mpi_left(t, status);
}

int mpi_add(struct team *team, uint64_t *values, size_t count)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const size_t most = t->bounce_bytes / sizeof(*values);
    const bool first = team->rank == 0;
    int status = mpi_enter(t);

    for (size_t at = 0, piece; at < count && status == 0; at += piece) {
        MPI_Request request = MPI_REQUEST_NULL;

        piece = count - at < most ? count - at : most;
        memcpy(t->bounce, values + at, piece * sizeof(*values));
        mpi_check(t,
                  MPI_Ireduce(first ? MPI_IN_PLACE : t->bounce, first ? t->bounce : NULL,
                              (int)piece, MPI_UINT64_T, MPI_SUM, 0, t->comm, &request),
                  -1);
        status = mpi_settle(t, &request, 1, FOR_ALL, 0);
        if (status == 0 && first)
            memcpy(values + at, t->bounce, piece * sizeof(*values));
    }
    return mpi_left(t, status);
}

/* The moment is in_ns after the broadcast of it, and what the others may sleep after they have
 * waited for it since the collective before. */
int mpi_start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const unsigned char mine = ready;
    const uint64_t since_ns = t->left_ns;
    uint64_t moment = 0;
    int status = mpi_gather(team, &mine, 1, t->ready);

    *at_ns = 0;
    if (status == 0 && team->rank == 0 && !memchr(t->ready, 0, team->size)) {
        const uint64_t now_ns = clock_monotonic_ns();

        moment = now_ns + in_ns + team_pauses_ns(now_ns - since_ns, team->size);
    }
    if (status == 0)
        status = mpi_broadcast(team, &moment, sizeof(moment));
    if (status == 0 && moment)
        *at_ns = moment + (uint64_t)team->offset_ns;
    return status;
}
