/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi_clocks.c - whose clock is how far ahead of that of rank 0; see team_mpi.h.
 *
 * Rank 0 asks each clock PINGS times.  Both sides spin while they do, or their sleeps would be part
 * of the round trip; all others sleep.  Up to ABREAST ranks are asked at the same time, but never
 * two of one host, which would take each other's processor. */
#include "base/compat.h"

#include <string.h>

#include "run/team_mpi.h"

#define PINGS   16u
#define ABREAST 32u
#define SPIN_NS (2 * NS_PER_MS) /* for the next message, at most */

/* ---- rank 0 */

/* Where in the bounce is what a rank says, and what it is told: a stamp each. */
static uint64_t *place_of(const struct mpi_team *t, uint32_t rank)
{
    return (uint64_t *)(void *)t->bounce + rank;
}

static void ask(struct mpi_team *t, uint32_t rank)
{
    static const unsigned char ping = 0;
    MPI_Request request = MPI_REQUEST_NULL;

    mpi_check(t,
              MPI_Irecv(place_of(t, rank), (int)sizeof(uint64_t), MPI_BYTE, (int)rank, TAG_PING,
                        t->comm, &t->part[rank]),
              (int)rank);
    t->asked_count[rank]++;
    t->asked_ns[rank] = clock_monotonic_ns();
    mpi_check(t, MPI_Isend(&ping, 1, MPI_BYTE, (int)rank, TAG_PING, t->comm, &request), (int)rank);
    if (request != MPI_REQUEST_NULL)
        (void)MPI_Request_free(&request); /* the answer says that it came */
}

static void tell(struct mpi_team *t, uint32_t rank)
{
    t->asked_count[rank]++;
    memcpy(place_of(t, rank), &t->member[rank].offset_ns, sizeof(int64_t));
    mpi_check(t,
              MPI_Isend(place_of(t, rank), (int)sizeof(int64_t), MPI_BYTE, (int)rank, TAG_PING,
                        t->comm, &t->part[rank]),
              (int)rank);
}

/* Asks the next ones, as many as may be. */
static uint32_t ask_more(struct mpi_team *t, uint32_t active)
{
    for (uint32_t rank = 1; rank < t->team.size && active < ABREAST; rank++) {
        bool *const busy = &t->host_busy[t->member[rank].host_index];

        if (t->asked_count[rank] > 0 || *busy)
            continue;
        *busy = true;
        active++;
        t->member[rank].rtt_ns = 0;
        ask(t, rank);
    }
    return active;
}

/* A message from or to a rank is complete.  True: all of them are. */
static bool take(struct mpi_team *t, uint32_t rank, uint64_t now_ns)
{
    if (t->asked_count[rank] <= PINGS)
        team_clock_asked(&t->member[rank], t->asked_ns[rank], *place_of(t, rank), now_ns);
    if (t->asked_count[rank] < PINGS) {
        ask(t, rank);
        return false;
    }
    if (t->asked_count[rank] == PINGS) {
        tell(t, rank);
        return false;
    }
    t->host_busy[t->member[rank].host_index] = false;
    return true;
}

static int ask_clocks(struct mpi_team *t)
{
    uint32_t active;
    int status = 0;

    memset(t->asked_count, 0, t->team.size * sizeof(*t->asked_count));
    active = ask_more(t, 0);
    while (active > 0 && status == 0) {
        const uint32_t before = active;

        status = mpi_settle_some(t, t->part, (int)t->team.size, FOR_PARTS, SPIN_NS);
        for (int i = 0; i < t->done_count && status == 0; i++)
            active -= take(t, (uint32_t)t->done[i], clock_monotonic_ns());
        if (active < before && status == 0)
            active = ask_more(t, active);
    }
    return status;
}

/* ---- the others */

static int send_stamp(struct mpi_team *t)
{
    MPI_Request request = MPI_REQUEST_NULL;
    const uint64_t stamp_ns = clock_monotonic_ns();

    memcpy(t->bounce, &stamp_ns, sizeof(stamp_ns));
    mpi_check(t,
              MPI_Isend(t->bounce, (int)sizeof(stamp_ns), MPI_BYTE, 0, TAG_PING, t->comm, &request),
              0);
    return mpi_settle(t, &request, 1, 0, SPIN_NS);
}

static int receive(struct mpi_team *t, void *data, int bytes, uint64_t spin_ns)
{
    unsigned char *const place = t->bounce + sizeof(uint64_t);
    MPI_Request request = MPI_REQUEST_NULL;
    int status;

    mpi_check(t, MPI_Irecv(place, bytes, MPI_BYTE, 0, TAG_PING, t->comm, &request), 0);
    status = mpi_settle(t, &request, 1, 0, spin_ns);
    if (status == 0)
        memcpy(data, place, (size_t)bytes);
    return status;
}

static int answer(struct mpi_team *t)
{
    int64_t offset_ns = 0;
    int status = 0;

    for (unsigned i = 0; i < PINGS && status == 0; i++) {
        unsigned char ping;

        status = receive(t, &ping, 1, i > 0 ? SPIN_NS : 0);
        if (status == 0)
            status = send_stamp(t);
    }
    if (status == 0)
        status = receive(t, &offset_ns, (int)sizeof(offset_ns), SPIN_NS);
    if (status == 0)
        t->team.offset_ns = offset_ns;
    return status;
}

int mpi_synchronise(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = mpi_enter(t);

    if (status == 0)
        status = team->rank == 0 ? ask_clocks(t) : answer(t);
    return mpi_left(t, status);
}
