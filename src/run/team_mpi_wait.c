/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi_wait.c - waiting without using up a processor, the words of ranks, and who is lost; see
 * team_mpi.h. */
#include "base/compat.h"

#include "run/team_mpi.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/flag.h"
#include "base/text.h"
#include "os/os.h"

#define STOP_NS \
    (500 * NS_PER_MS) /* Open MPI kills 1 s after it asked to stop, and rows are to be closed */
#define BEATS    8u   /* in patience_ns */
#define YIELD_NS UINT64_C(5000) /* who spins longer lets others have the processor in between */
#define SLACK_NS UINT64_C(1000) /* of sleeps */

/* ---- who is lost */

void mpi_lose(struct mpi_team *t, uint32_t rank, const char *why)
{
    if (t->is_lost)
        return;
    t->is_lost = true;
    t->loss.rank = rank;
    text_copy(t->loss.host, sizeof(t->loss.host), t->member[rank].host);
    text_copy(t->loss.why, sizeof(t->loss.why), why);
    if (t->team.rank == 0) {
        t->said[WORD_LOST].loss = t->loss;
        mpi_say_all(t, WORD_LOST);
    }
}

static void lose_silent(struct mpi_team *t, uint32_t rank)
{
    char why[64];

    (void)snprintf(why, sizeof(why), "has not answered for %.3g s",
                   (double)t->team.patience_ns / (double)NS_PER_S);
    t->is_silent = !t->is_lost;
    mpi_lose(t, rank, t->fault_ns ? t->fault : why);
}

void mpi_check(struct mpi_team *t, int code, int rank)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (code == MPI_SUCCESS)
        return;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || text[0] == '\0')
        (void)snprintf(text, sizeof(text), "error %d of MPI", code);
    if (rank >= 0 && (uint32_t)rank != t->team.rank) {
        t->is_silent = !t->is_lost;
        mpi_lose(t, (uint32_t)rank, text);
    } else if (t->fault_ns == 0) {
        t->fault_ns = clock_monotonic_ns();
        text_copy(t->fault, sizeof(t->fault), text);
    }
}

/* ---- words */

uint32_t mpi_peer_rank(const struct mpi_team *t, uint32_t peer)
{
    return t->team.rank == 0 ? peer + 1 : 0;
}

void mpi_say(struct mpi_team *t, uint32_t peer, enum word word)
{
    MPI_Request *const saying = &t->saying[peer * WORD_KINDS + word];
    const size_t bytes = word == WORD_LOST ? sizeof(t->said[word]) : sizeof(t->said[word].word);
    const int to = (int)mpi_peer_rank(t, peer);
    int done = 1;

    if (*saying != MPI_REQUEST_NULL)
        mpi_check(t, MPI_Test(saying, &done, MPI_STATUS_IGNORE), to);
    if (!done)
        return;
    t->said[word].word = word;
    mpi_check(t, MPI_Isend(&t->said[word], (int)bytes, MPI_BYTE, to, TAG_WORD, t->comm, saying),
              to);
}

void mpi_say_all(struct mpi_team *t, enum word word)
{
    for (uint32_t peer = 0; peer < t->peers; peer++)
        mpi_say(t, peer, word);
}

void mpi_listen_on(struct mpi_team *t)
{
    const int from = t->team.rank == 0 ? MPI_ANY_SOURCE : 0;

    mpi_check(t,
              MPI_Irecv(&t->heard, (int)sizeof(t->heard), MPI_BYTE, from, TAG_WORD, t->comm,
                        &t->listening),
              -1);
}

static void hear(struct mpi_team *t, uint32_t from)
{
    t->heard_ns[from] = clock_monotonic_ns();
    t->heard.loss.why[TEAM_WHY_BYTES - 1] = '\0';
    switch ((enum word)t->heard.word) {
    case WORD_LOST:
        mpi_lose(t, t->team.rank == 0 ? from : t->heard.loss.rank, t->heard.loss.why);
        break;
    case WORD_GONE:
        t->gone_count += !t->gone[from];
        t->gone[from] = true;
        break;
    case WORD_FINISH:
        t->finish = true;
        break;
    case WORD_BEAT:
    case WORD_KINDS:
    default:
        break;
    }
}

void mpi_listen(struct mpi_team *t)
{
    while (t->listening != MPI_REQUEST_NULL) {
        MPI_Status status = {.MPI_SOURCE = 0};
        int came = 0;
        const int code = MPI_Test(&t->listening, &came, &status);

        mpi_check(t, code, t->team.rank == 0 ? -1 : 0);
        if (code != MPI_SUCCESS || !came)
            return;
        hear(t, (uint32_t)status.MPI_SOURCE);
        mpi_listen_on(t);
    }
}

void mpi_beat_at(struct mpi_team *t, uint64_t now_ns)
{
    if (now_ns - t->beat_ns < t->team.patience_ns / BEATS)
        return;
    t->beat_ns = now_ns;
    mpi_say_all(t, WORD_BEAT);
}

/* ---- watching */

uint64_t mpi_silent_ns(const struct mpi_team *t, uint32_t rank, uint64_t begun_ns, uint64_t now_ns)
{
    const uint64_t heard = t->heard_ns[rank];
    const uint64_t since = heard > begun_ns ? heard : begun_ns;

    return now_ns > since ? now_ns - since : 0;
}

/* The one of those waited for that has been silent for longest; 0 when there is none. */
static uint32_t most_silent(const struct mpi_team *t, const MPI_Request *request, int whom,
                            uint64_t begun_ns, uint64_t now_ns, uint64_t *silent_ns)
{
    uint32_t most = 0;

    *silent_ns = 0;
    for (uint32_t rank = 1; rank < t->team.size; rank++) {
        const bool waited_for = whom == FOR_ALL || whom == (int)rank ||
                                (whom == FOR_PARTS && request[rank] != MPI_REQUEST_NULL);
        const uint64_t ns = waited_for ? mpi_silent_ns(t, rank, begun_ns, now_ns) : 0;

        if (ns > *silent_ns) {
            *silent_ns = ns;
            most = rank;
        }
    }
    return most;
}

/* MPI has said that something failed, but not because of whom.  All that wait are heard of BEATS
 * times in patience_ns; so the one at fault is soon known by its silence.  If all are heard, it is
 * the one that was heard of least lately. */
static void watch_fault(struct mpi_team *t, uint64_t now_ns)
{
    const uint64_t since_ns = now_ns - t->fault_ns, patience_ns = t->team.patience_ns;
    uint64_t silent_ns;
    const uint32_t rank = most_silent(t, NULL, FOR_ALL, 0, now_ns, &silent_ns);

    if (since_ns > patience_ns / 2 || (since_ns > patience_ns / 4 && silent_ns > patience_ns / 4))
        lose_silent(t, rank);
}

static void watch(struct mpi_team *t, const MPI_Request *request, int whom, uint64_t begun_ns,
                  uint64_t now_ns)
{
    uint64_t silent_ns;
    uint32_t rank = 0;

    if (t->team.rank == 0 && t->fault_ns) {
        watch_fault(t, now_ns);
        return;
    }
    if (t->team.rank == 0)
        rank = most_silent(t, request, whom, begun_ns, now_ns, &silent_ns);
    else
        silent_ns = mpi_silent_ns(t, 0, begun_ns, now_ns);
    if (silent_ns > t->team.patience_ns)
        lose_silent(t, rank);
}

/* ---- waiting */

void mpi_rest(struct rest *rest, uint64_t waited_ns)
{
    if (!rest->rested)
        rest->slack_ns = os_timer_slack(SLACK_NS);
    rest->rested = true;
    clock_rest(team_pause_ns(waited_ns));
}

void mpi_rested(const struct rest *rest)
{
    if (rest->rested)
        (void)os_timer_slack(rest->slack_ns);
}

/* Asks for requests, and takes note of whom the complete ones came from. */
static void test(struct mpi_team *t, MPI_Request *request, int count, int whom)
{
    const int code = MPI_Testsome(count, request, &t->done_count, t->done, t->status);

    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) {
        mpi_check(t, code, whom);
        t->done_count = 0;
    }
    for (int i = 0; i < t->done_count; i++) { /* MPI_UNDEFINED is negative */
        const int rank = whom == FOR_PARTS ? t->done[i] : whom;

        if (code == MPI_ERR_IN_STATUS)
            mpi_check(t, t->status[i].MPI_ERROR, rank);
        if (rank >= 0)
            t->heard_ns[rank] = clock_monotonic_ns();
    }
}

static bool all_complete(const MPI_Request *request, int count)
{
    for (int i = 0; i < count; i++)
        if (request[i] != MPI_REQUEST_NULL)
            return false;
    return true;
}

/* One look at all that may end a wait but what is waited for. */
static int look(struct mpi_team *t, const MPI_Request *request, int whom, uint64_t begun_ns,
                uint64_t *stop_ns)
{
    const volatile int *const stop = t->team.stop;
    uint64_t now_ns;

    mpi_listen(t);
    now_ns = clock_monotonic_ns();
    if (!t->is_lost)
        watch(t, request, whom, begun_ns, now_ns);
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

static int settle(struct mpi_team *t, MPI_Request *request, int count, int whom, uint64_t spin_ns,
                  bool some)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    struct rest rest = {.rested = false};
    uint64_t stop_ns = 0;
    int status = 0;

    for (;;) {
        uint64_t waited_ns;

        test(t, request, count, whom);
        if (!t->fault_ns && !t->is_lost &&
            ((some && t->done_count > 0) || all_complete(request, count)))
            break;
        status = look(t, request, whom, begun_ns, &stop_ns);
        if (status)
            break;
        waited_ns = clock_monotonic_ns() - begun_ns;
        if (waited_ns >= spin_ns)
            mpi_rest(&rest, waited_ns);
        else if (waited_ns >= YIELD_NS)
            (void)sched_yield();
    }
    mpi_rested(&rest);
    return status;
}

int mpi_settle(struct mpi_team *t, MPI_Request *request, int count, int whom, uint64_t spin_ns)
{
    return settle(t, request, count, whom, spin_ns, false);
}

int mpi_settle_some(struct mpi_team *t, MPI_Request *request, int count, int whom, uint64_t spin_ns)
{
    return settle(t, request, count, whom, spin_ns, true);
}

int mpi_enter(struct mpi_team *t)
{
    if (!t->is_lost && !t->broken)
        mpi_listen(t);
    return t->is_lost ? -EPIPE : t->broken ? -EINTR : 0;
}

int mpi_left(struct mpi_team *t, int status)
{
    t->left_ns = clock_monotonic_ns();
    return status;
}
