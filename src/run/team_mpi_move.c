/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi_move.c - exchanges bytes, moments and clocks between ranks, and waits without occupying
 * a processor; see team_mpi.h. */
#include "base/compat.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/os.h"
#include "run/team_mpi.h"

#define STOP_NS \
    (500 * NS_PER_MS) /* Open MPI kills 1 s after requesting to stop, and rows must be closed */
#define BEATS    8u   /* per patience_ns */
#define YIELD_NS UINT64_C(5000)  /* after spinning this long, yields the processor in between */
#define SLACK_NS UINT64_C(1000)  /* of sleeps */
#define PINGS    16u             /* clock exchanges with each rank */
#define SPIN_NS  (2 * NS_PER_MS) /* maximum, for the next message of an exchange */

enum tag { TAG_PART = 1, TAG_WORD, TAG_PING };

/* ---- who is lost */

static void lose(struct mpi_team *t, uint32_t rank, const char *why)
{
    if (t->is_lost)
        return;
    t->is_lost = t->gone[rank] = true;
    t->loss.rank = rank;
    text_copy(t->loss.host, sizeof(t->loss.host), t->member[rank].host);
    text_copy(t->loss.why, sizeof(t->loss.why), why);
    t->said[WORD_LOST].loss = t->loss;
    if (t->team.rank == 0)
        mpi_say(t, WORD_LOST);
}

uint32_t mpi_most_silent(const struct mpi_team *t, enum whom whom, uint64_t begun_ns,
                         uint64_t now_ns, uint64_t *silent_ns)
{
    const uint32_t first = t->team.rank == 0, end = t->team.rank == 0 ? t->team.size : 1;
    uint32_t most = first;

    *silent_ns = 0;
    for (uint32_t rank = first; rank < end; rank++) {
        const uint64_t heard = t->heard_ns[rank];
        const uint64_t since = heard > begun_ns ? heard : begun_ns;

        if ((whom == FOR_PARTS && t->part[rank] == MPI_REQUEST_NULL) ||
            (whom == FOR_END && t->gone[rank]) || since + *silent_ns >= now_ns)
            continue;
        *silent_ns = now_ns - since;
        most = rank;
    }
    return most;
}

/* Handles the result of an MPI call that concerns `rank`. If it concerns all (negative), MPI does
 * not report which rank failed: assumes the one silent for longest. */
static void check(struct mpi_team *t, int code, int rank)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    uint64_t silent_ns;
    int length = 0;

    if (code == MPI_SUCCESS)
        return;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || text[0] == '\0')
        (void)snprintf(text, sizeof(text), "error %d of MPI", code);
    lose(t,
         rank >= 0 ? (uint32_t)rank
                   : mpi_most_silent(t, FOR_ALL, 0, clock_monotonic_ns(), &silent_ns),
         text);
}

/* ---- words */

/* Does not wait for delivery of a word: its buffer does not change. */
void mpi_say(struct mpi_team *t, enum word word)
{
    const uint32_t first = t->team.rank == 0, end = t->team.rank == 0 ? t->team.size : 1;

    t->said[word].word = word;
    for (uint32_t rank = first; rank < end; rank++) {
        MPI_Request request = MPI_REQUEST_NULL;

        check(t,
              MPI_Isend(&t->said[word], (int)sizeof(t->said[word]), MPI_BYTE, (int)rank, TAG_WORD,
                        t->comm, &request),
              (int)rank);
        if (request != MPI_REQUEST_NULL)
            (void)MPI_Request_free(&request);
    }
}

void mpi_listen_on(struct mpi_team *t)
{
    const int from = t->team.rank == 0 ? MPI_ANY_SOURCE : 0;

    check(t,
          MPI_Irecv(&t->heard, (int)sizeof(t->heard), MPI_BYTE, from, TAG_WORD, t->comm,
                    &t->listening),
          -1);
}

void mpi_listen(struct mpi_team *t)
{
    while (t->listening != MPI_REQUEST_NULL) {
        MPI_Status status = {.MPI_SOURCE = 0};
        int came = 0;
        const int code = MPI_Test(&t->listening, &came, &status);

        check(t, code, -1);
        if (code != MPI_SUCCESS || !came)
            return;
        t->heard_ns[status.MPI_SOURCE] = clock_monotonic_ns();
        t->heard.loss.why[TEAM_WHY_BYTES - 1] = '\0';
        if (t->heard.word == WORD_LOST)
            lose(t, t->heard.loss.rank, t->heard.loss.why);
        else if (t->heard.word == WORD_GONE)
            t->gone[status.MPI_SOURCE] = true;
        else if (t->heard.word == WORD_FINISH)
            t->finish = true;
        mpi_listen_on(t);
    }
}

void mpi_beat_at(struct mpi_team *t, uint64_t now_ns)
{
    if (now_ns - t->beat_ns < t->team.patience_ns / BEATS)
        return;
    t->beat_ns = now_ns;
    mpi_say(t, WORD_BEAT);
}

/* ---- waiting */

/* Whether the request of all, or else each of the parts, is complete. */
static bool test(struct mpi_team *t, MPI_Request *all)
{
    bool complete = true;
    int came = 0;

    if (all) {
        check(t, MPI_Test(all, &came, MPI_STATUS_IGNORE), -1);
        return came;
    }
    for (uint32_t rank = 0; rank < t->team.size; rank++) {
        if (t->part[rank] == MPI_REQUEST_NULL)
            continue;
        check(t, MPI_Test(&t->part[rank], &came, MPI_STATUS_IGNORE), (int)rank);
        if (came)
            t->heard_ns[rank] = clock_monotonic_ns();
        complete = complete && came;
    }
    return complete;
}

/* Checks for everything that ends a wait early. */
static int look(struct mpi_team *t, enum whom whom, uint64_t begun_ns, uint64_t *stop_ns)
{
    const volatile int *const stop = t->team.stop;
    uint64_t now_ns, silent_ns;
    uint32_t rank;
    char why[64];

    mpi_listen(t);
    now_ns = clock_monotonic_ns();
    rank = mpi_most_silent(t, whom, begun_ns, now_ns, &silent_ns);
    if (silent_ns > t->team.patience_ns) {
        (void)snprintf(why, sizeof(why), "has not answered for %.3g s",
                       (double)t->team.patience_ns / (double)NS_PER_S);
        lose(t, rank, why);
    }
    if (t->is_lost)
        return -EPIPE;
    if (*stop_ns == 0 && stop && flag_read(stop))
        *stop_ns = now_ns;
    if (*stop_ns && now_ns - *stop_ns >= STOP_NS) {
        t->broken = true;
        return -EINTR;
    }
    mpi_beat_at(t, now_ns);
    return 0;
}

/* Waits until the request of all, or else each of the parts, is complete; for the first spin_ns
 * without sleeping. Returns like a hook. */
static int settle(struct mpi_team *t, MPI_Request *all, uint64_t spin_ns)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    uint64_t stop_ns = 0, waited_ns, slack_ns = 0;
    bool rested = false;
    int status = 0;

    while (!test(t, all) || t->is_lost) {
        status = look(t, all ? FOR_ALL : FOR_PARTS, begun_ns, &stop_ns);
        if (status)
            break;
        waited_ns = clock_monotonic_ns() - begun_ns;
        if (waited_ns >= spin_ns) {
            if (!rested)
                slack_ns = os_timer_slack(SLACK_NS);
            rested = true;
            clock_rest(team_pause_ns(waited_ns));
        } else if (waited_ns >= YIELD_NS) {
            (void)sched_yield();
        }
    }
    if (rested)
        (void)os_timer_slack(slack_ns);
    return status;
}

/* Before each collective: checks that it is possible, and makes room for its data. */
static int enter(struct mpi_team *t, size_t bytes)
{
    if (!t->is_lost && !t->broken)
        mpi_listen(t);
    if (t->is_lost || t->broken)
        return t->is_lost ? -EPIPE : -EINTR;
    t->bounce = mem_grow(t->bounce, &t->bounce_bytes, bytes, 1);
    return 0;
}

static int left(struct mpi_team *t, int status)
{
    t->left_ns = clock_monotonic_ns();
    return status;
}

/* ---- bytes */

int mpi_broadcast(struct team *team, void *data, size_t bytes)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    MPI_Request request = MPI_REQUEST_NULL;
    int status = enter(t, bytes);

    if (status)
        return status;
    if (team->rank == 0)
        memcpy(t->bounce, data, bytes);
    check(t, MPI_Ibcast(t->bounce, (int)bytes, MPI_BYTE, 0, t->comm, &request), -1);
    status = settle(t, &request, 0);
    if (status == 0 && team->rank != 0) {
        memcpy(data, t->bounce, bytes);
        t->heard_ns[0] = clock_monotonic_ns();
    }
    return left(t, status);
}

int mpi_gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t, team->rank == 0 ? team->size * bytes : bytes);

    if (status)
        return status;
    memcpy(t->bounce, mine, bytes);
    if (team->rank != 0)
        check(t, MPI_Isend(t->bounce, (int)bytes, MPI_BYTE, 0, TAG_PART, t->comm, &t->part[0]), 0);
    for (uint32_t rank = 1; team->rank == 0 && rank < team->size; rank++)
        check(t,
              MPI_Irecv(t->bounce + rank * bytes, (int)bytes, MPI_BYTE, (int)rank, TAG_PART,
                        t->comm, &t->part[rank]),
              (int)rank);
    status = settle(t, NULL, 0);
    if (status == 0 && team->rank == 0)
        memcpy(all, t->bounce, team->size * bytes);
    return left(t, status);
}

int mpi_add(struct team *team, uint64_t *values, size_t count)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const bool first = team->rank == 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int status = enter(t, count * sizeof(*values));

    if (status)
        return status;
    memcpy(t->bounce, values, count * sizeof(*values));
    check(t,
          MPI_Ireduce(first ? MPI_IN_PLACE : t->bounce, first ? t->bounce : NULL, (int)count,
                      MPI_UINT64_T, MPI_SUM, 0, t->comm, &request),
          -1);
    status = settle(t, &request, 0);
    if (status == 0 && first)
        memcpy(values, t->bounce, count * sizeof(*values));
    return left(t, status);
}

/* ---- moments */

/* The moment is in_ns after its broadcast, plus the time that the others may sleep, having waited
 * since the previous collective. */
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

/* ---- clocks. Rank 0 queries one rank after the other, PINGS times. Both sides spin meanwhile,
 * because sleeps would add to the round trip; all others sleep. */

/* Sends the contents of the bounce to a rank, or receives into it. */
static int pass(struct mpi_team *t, uint32_t rank, bool send, uint64_t spin_ns)
{
    const int bytes = (int)sizeof(uint64_t), peer = (int)rank;

    check(t,
          send ? MPI_Isend(t->bounce, bytes, MPI_BYTE, peer, TAG_PING, t->comm, &t->part[rank])
               : MPI_Irecv(t->bounce, bytes, MPI_BYTE, peer, TAG_PING, t->comm, &t->part[rank]),
          peer);
    return settle(t, NULL, spin_ns);
}

static int ask_clock(struct mpi_team *t, uint32_t rank)
{
    struct team_member *const member = &t->member[rank];
    int status = 0;

    member->rtt_ns = 0;
    for (unsigned i = 0; i < PINGS && status == 0; i++) {
        const uint64_t asked_ns = clock_monotonic_ns();
        uint64_t stamp_ns;

        status = pass(t, rank, true, SPIN_NS);
        if (status == 0)
            status = pass(t, rank, false, SPIN_NS);
        if (status)
            return status;
        memcpy(&stamp_ns, t->bounce, sizeof(stamp_ns));
        team_clock_asked(member, asked_ns, stamp_ns, clock_monotonic_ns());
    }
    memcpy(t->bounce, &member->offset_ns, sizeof(member->offset_ns));
    return pass(t, rank, true, SPIN_NS);
}

static int answer(struct mpi_team *t)
{
    int status = pass(t, 0, false, 0);

    for (unsigned i = 0; i < PINGS && status == 0; i++) {
        const uint64_t stamp_ns = clock_monotonic_ns();

        memcpy(t->bounce, &stamp_ns, sizeof(stamp_ns));
        status = pass(t, 0, true, SPIN_NS);
        if (status == 0) /* the next one, and finally the result */
            status = pass(t, 0, false, SPIN_NS);
    }
    if (status == 0)
        memcpy(&t->team.offset_ns, t->bounce, sizeof(t->team.offset_ns));
    return status;
}

int mpi_synchronise(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t, sizeof(uint64_t));

    for (uint32_t rank = 1; team->rank == 0 && rank < team->size && status == 0; rank++)
        status = ask_clock(t, rank);
    if (team->rank != 0 && status == 0)
        status = answer(t);
    return left(t, status);
}
