/* SPDX-License-Identifier: GPL-2.0-or-later */
/* team_mpi.c - a team of the ranks that an MPI launcher started; the only file that knows MPI (3.0
 * or later, any implementation).
 *
 * Waiting.  The waits of MPI itself spin, on a processor that another rank may be measuring on.  So
 * all is begun without blocking and asked for with MPI_Testsome, at growing intervals in between
 * which the thread sleeps (settle).
 *
 * Loss.  MPI alone waits for ever for a rank that hangs, and does not say which one that is.  Here
 * everybody who waits tells rank 0 now and then that it is alive, and rank 0 tells them ("words",
 * TAG_WORD); and what rank 0 gathers comes by one message from each rank.  So rank 0 can always name
 * the silent one.  It then tells the others, who look for its word in all waits.
 *
 * Cost.  gather, start and synchronise are `size` messages at rank 0, one after the other; broadcast
 * and add are collectives of MPI, usually trees.
 *
 * What is on its way can neither be called back nor completed after a loss, and MPI may write to its
 * buffer till the end.  So nothing is sent from or received into memory of the caller: all passes
 * through `bounce`, in pieces if need be, and after a loss nothing of this is freed. */
#include "base/compat.h"

#include "run/team.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "os/os.h"

#define NS_PER_MS UINT64_C(1000000)

#define PATIENCE_FIRST_NS (60 * NS_PER_S)   /* until the caller sets another */
#define STOP_NS           (700 * NS_PER_MS) /* Open MPI kills 1 s after it asked to stop */
#define BEATS             8u                /* in patience_ns */
#define PAUSE_LEAST_NS    UINT64_C(20000)
#define PAUSE_MOST_NS     (4 * NS_PER_MS)
#define PAUSE_SHARE       8u /* of what was waited so far is slept */
#define PINGS             16
#define SPIN_NS           (2 * NS_PER_MS) /* for the next ping, at most */
#define YIELD_NS          UINT64_C(5000)  /* then others may have the processor in between */
#define BOUNCE_BYTES      ((size_t)256 << 10)
#define BOUNCE_PART_BYTES ((size_t)1 << 10) /* of each rank, at least */
#define LEAVE_SHARE       4u /* after a loss: who is silent for this part of patience_ns ... */
#define LEAVE_LEAST_NS    (2 * NS_PER_S)
#define LEAVE_MOST_NS     (15 * NS_PER_S)
#define LEAVE_STOPPED_NS  (5 * NS_PER_S)
#define FINALIZE_S        20u /* then the process ends without */

enum tag { TAG_PART = 1, TAG_WORD, TAG_PING };

/* Whom a wait is for: a rank, or one of these. */
#define FOR_ALL   (-1)
#define FOR_PARTS (-2) /* the ranks whose request, by their number, is not complete */

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
#define MESSAGE_SHORT ((int)sizeof(uint32_t))

struct mpi_team {
    struct team team; /* first: is what the hooks get */
    MPI_Comm comm;
    struct team_member *member;
    uint32_t peers; /* with whom words are exchanged: all others on rank 0, else rank 0 */

    bool is_lost;
    bool broken; /* a collective was given up: nothing more can be done together */
    struct team_loss loss;
    char fault[TEAM_WHY_BYTES]; /* what MPI said when something failed for no rank in particular */
    uint64_t fault_ns;          /* when; 0: nothing did */

    uint64_t beat_ns;   /* the last one */
    uint64_t *heard_ns; /* of each rank; elsewhere than on rank 0 only the first is used */
    bool *gone;
    uint32_t gone_count;
    bool finish;

    MPI_Request listening;
    struct message heard;
    MPI_Request *saying; /* WORD_KINDS for each peer */
    struct message said[WORD_KINDS];

    MPI_Request *part;
    int *done; /* as many: of MPI_Testsome */
    MPI_Status *status;
    unsigned char *bounce;
    size_t bounce_bytes;
    unsigned char *ready;
};

static void lose(struct mpi_team *t, uint32_t rank, const char *why);

/* ---- faults */

/* A call of MPI failed, on account of `rank` or of nobody in particular (negative). */
static void fault(struct mpi_team *t, int code, int rank)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || text[0] == '\0')
        (void)snprintf(text, sizeof(text), "error %d of MPI", code);
    if (rank >= 0 && (uint32_t)rank != t->team.rank) {
        lose(t, (uint32_t)rank, text);
    } else if (t->fault_ns == 0) {
        t->fault_ns = clock_monotonic_ns();
        (void)snprintf(t->fault, sizeof(t->fault), "%.*s", (int)sizeof(t->fault) - 1, text);
    }
}

static void check(struct mpi_team *t, int code, int rank)
{
    if (code != MPI_SUCCESS)
        fault(t, code, rank);
}

/* ---- words */

static uint32_t peer_rank(const struct mpi_team *t, uint32_t peer)
{
    return t->team.rank == 0 ? peer + 1 : 0;
}

/* To one of the peers.  If it has not even taken the last one of this kind, it is not told again. */
static void say(struct mpi_team *t, uint32_t peer, enum word word)
{
    MPI_Request *const saying = &t->saying[peer * WORD_KINDS + word];
    const int to = (int)peer_rank(t, peer);
    int done = 1;

    if (*saying != MPI_REQUEST_NULL)
        check(t, MPI_Test(saying, &done, MPI_STATUS_IGNORE), to);
    if (!done)
        return;
    t->said[word].word = word;
    check(t,
          MPI_Isend(&t->said[word], word == WORD_LOST ? (int)sizeof(struct message) : MESSAGE_SHORT,
                    MPI_BYTE, to, TAG_WORD, t->comm, saying),
          to);
}

static void say_all(struct mpi_team *t, enum word word)
{
    for (uint32_t peer = 0; peer < t->peers; peer++)
        say(t, peer, word);
}

/* Keeps who is lost first; rank 0 tells all. */
static void lose(struct mpi_team *t, uint32_t rank, const char *why)
{
    struct team_loss *const loss = &t->loss;

    if (t->is_lost)
        return;
    t->is_lost = true;
    loss->rank = rank;
    memcpy(loss->host, t->member[rank].host, sizeof(loss->host));
    (void)snprintf(loss->why, sizeof(loss->why), "%.*s", (int)sizeof(loss->why) - 1, why);
    if (t->team.rank == 0) {
        t->said[WORD_LOST].loss = *loss;
        say_all(t, WORD_LOST);
    }
}

static void listen_on(struct mpi_team *t)
{
    check(t,
          MPI_Irecv(&t->heard, (int)sizeof(t->heard), MPI_BYTE,
                    t->team.rank == 0 ? MPI_ANY_SOURCE : 0, TAG_WORD, t->comm, &t->listening),
          -1);
}

static void hear(struct mpi_team *t, uint32_t from)
{
    t->heard_ns[from] = clock_monotonic_ns();
    t->heard.loss.why[TEAM_WHY_BYTES - 1] = '\0';
    switch ((enum word)t->heard.word) {
    case WORD_LOST:
        lose(t, t->team.rank == 0 ? from : t->heard.loss.rank, t->heard.loss.why);
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
        break;
    }
}

/* Takes what words have come. */
static void listen(struct mpi_team *t)
{
    while (t->listening != MPI_REQUEST_NULL) {
        MPI_Status status = {.MPI_SOURCE = 0};
        int came = 0;
        const int code = MPI_Test(&t->listening, &came, &status);

        if (code != MPI_SUCCESS) {
            fault(t, code, t->team.rank == 0 ? -1 : 0);
            return;
        }
        if (!came)
            return;
        hear(t, (uint32_t)status.MPI_SOURCE);
        listen_on(t);
    }
}

static void beat_at(struct mpi_team *t, uint64_t now_ns)
{
    if (now_ns - t->beat_ns < t->team.patience_ns / BEATS)
        return;
    t->beat_ns = now_ns;
    say_all(t, WORD_BEAT);
}

/* ---- waiting */

struct wait {
    uint64_t begun_ns;
    uint64_t stop_ns;  /* *stop was seen; 0: not yet */
    uint64_t slack_ns; /* of the thread, till now */
    bool rested;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Since when nothing was heard of a rank that is waited for. */
static uint64_t silent_ns(const struct mpi_team *t, uint32_t rank, uint64_t begun_ns, uint64_t now)
{
    const uint64_t since = later(t->heard_ns[rank], begun_ns);

    return now > since ? now - since : 0;
}

/* The one of those waited for that has been silent for longest; 0 when there is none. */
static uint32_t most_silent(const struct mpi_team *t, const MPI_Request *request, int whom,
                            uint64_t begun_ns, uint64_t now, uint64_t *ns)
{
    uint32_t most = 0;

    *ns = 0;
    for (uint32_t rank = 1; rank < t->team.size; rank++) {
        const bool waited_for = whom == FOR_ALL || whom == (int)rank ||
                                (whom == FOR_PARTS && request[rank] != MPI_REQUEST_NULL);
        const uint64_t silent = waited_for ? silent_ns(t, rank, begun_ns, now) : 0;

        if (silent > *ns) {
            *ns = silent;
            most = rank;
        }
    }
    return most;
}

static void lose_silent(struct mpi_team *t, uint32_t rank)
{
    char why[64];

    (void)snprintf(why, sizeof(why), "has not answered for %.3g s",
                   (double)t->team.patience_ns / (double)NS_PER_S);
    lose(t, rank, t->fault_ns ? t->fault : why);
}

/* Is somebody lost?  When MPI has said that something is, whoever it was is found by its silence,
 * which need not be as long: all that wait are heard of BEATS times in patience_ns. */
static void watch(struct mpi_team *t, const MPI_Request *request, int whom, uint64_t begun_ns,
                  uint64_t now)
{
    const uint64_t patience = t->team.patience_ns;
    uint64_t ns;

    if (t->team.rank != 0) {
        if (silent_ns(t, 0, begun_ns, now) > patience)
            lose_silent(t, 0);
        return;
    }
    if (t->fault_ns) {
        const uint32_t rank = most_silent(t, NULL, FOR_ALL, 0, now, &ns);

        if (now - t->fault_ns > patience / 2 ||
            (rank && ns > patience / 4 && now - t->fault_ns > patience / 4))
            lose_silent(t, rank);
        return;
    }
    {
        const uint32_t rank = most_silent(t, request, whom, begun_ns, now, &ns);

        if (rank && ns > patience)
            lose_silent(t, rank);
    }
}

/* Asks for requests and notes from whom they came.  True: all are complete. */
static bool complete(struct mpi_team *t, MPI_Request *request, int count, int whom)
{
    int done = 0;
    bool open = t->fault_ns != 0;
    const int code = MPI_Testsome(count, request, &done, t->done, t->status);

    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
        fault(t, code, whom);
    for (int i = 0; i < done; i++) {
        const int rank = whom == FOR_PARTS ? t->done[i] : whom;

        if (code == MPI_ERR_IN_STATUS && t->status[i].MPI_ERROR != MPI_SUCCESS)
            fault(t, t->status[i].MPI_ERROR, rank);
        else if (rank >= 0)
            t->heard_ns[rank] = clock_monotonic_ns();
    }
    for (int i = 0; i < count && !open; i++)
        open = request[i] != MPI_REQUEST_NULL;
    return !open && !t->fault_ns;
}

static void rest(struct wait *wait, uint64_t waited_ns)
{
    const uint64_t share = waited_ns / PAUSE_SHARE;
    const uint64_t ns = share < PAUSE_LEAST_NS  ? PAUSE_LEAST_NS
                        : share > PAUSE_MOST_NS ? PAUSE_MOST_NS
                                                : share;

    if (!wait->rested)
        wait->slack_ns = os_timer_slack(1000);
    wait->rested = true;
    clock_rest(ns);
}

/* One look at all there is to look at. */
static int look(struct mpi_team *t, struct wait *wait, const MPI_Request *request, int whom)
{
    const struct team *const team = &t->team;
    uint64_t now;

    listen(t);
    now = clock_monotonic_ns();
    if (!t->is_lost)
        watch(t, request, whom, wait->begun_ns, now);
    if (t->is_lost)
        return -EPIPE;
    if (team->stop && *team->stop && wait->stop_ns == 0)
        wait->stop_ns = now;
    if (wait->stop_ns && now - wait->stop_ns >= STOP_NS) {
        t->broken = true;
        return -EINTR;
    }
    beat_at(t, now);
    return 0;
}

/* Waits until all requests are complete; for the first spin_ns without sleeping. */
static int settle(struct mpi_team *t, MPI_Request *request, int count, int whom, uint64_t spin_ns)
{
    struct wait wait = {.begun_ns = clock_monotonic_ns()};
    int status = 0;

    while (!complete(t, request, count, whom)) {
        uint64_t waited_ns;

        status = look(t, &wait, request, whom);
        if (status)
            break;
        waited_ns = clock_monotonic_ns() - wait.begun_ns;
        if (waited_ns >= spin_ns)
            rest(&wait, waited_ns);
        else if (waited_ns >= YIELD_NS)
            (void)sched_yield();
    }
    if (wait.rested)
        (void)os_timer_slack(wait.slack_ns);
    return status;
}

/* Before each hook: is there still a team? */
static int enter(struct mpi_team *t)
{
    if (!t->is_lost && !t->broken)
        listen(t);
    return t->is_lost ? -EPIPE : t->broken ? -EINTR : 0;
}

/* ---- hooks */

static int broadcast(struct team *team, void *data, size_t bytes)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    unsigned char *const place = data;
    int status = enter(t);

    for (size_t at = 0, piece; at < bytes && status == 0; at += piece) {
        MPI_Request request = MPI_REQUEST_NULL;

        piece = bytes - at < t->bounce_bytes ? bytes - at : t->bounce_bytes;
        if (team->rank == 0)
            memcpy(t->bounce, place + at, piece);
        check(t, MPI_Ibcast(t->bounce, (int)piece, MPI_BYTE, 0, t->comm, &request), -1);
        status = settle(t, &request, 1, FOR_ALL, 0);
        if (status == 0 && team->rank != 0) {
            memcpy(place + at, t->bounce, piece);
            t->heard_ns[0] = clock_monotonic_ns();
        }
    }
    return status;
}

/* One piece of what each rank has; on rank 0 that of rank R is then at R * piece in the bounce. */
static int gather_piece(struct mpi_team *t, const unsigned char *mine, size_t piece)
{
    if (t->team.rank != 0) {
        MPI_Request request = MPI_REQUEST_NULL;

        memcpy(t->bounce, mine, piece);
        check(t, MPI_Isend(t->bounce, (int)piece, MPI_BYTE, 0, TAG_PART, t->comm, &request), 0);
        return settle(t, &request, 1, 0, 0);
    }
    for (uint32_t rank = 1; rank < t->team.size; rank++)
        check(t,
              MPI_Irecv(t->bounce + rank * piece, (int)piece, MPI_BYTE, (int)rank, TAG_PART,
                        t->comm, &t->part[rank]),
              (int)rank);
    memcpy(t->bounce, mine, piece);
    return settle(t, t->part, (int)t->team.size, FOR_PARTS, 0);
}

static int gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const size_t most = t->bounce_bytes / team->size;
    int status = enter(t);

    for (size_t at = 0, piece; at < bytes && status == 0; at += piece) {
        piece = bytes - at < most ? bytes - at : most;
        status = gather_piece(t, (const unsigned char *)mine + at, piece);
        for (uint32_t rank = 0; team->rank == 0 && rank < team->size && status == 0; rank++)
            memcpy((unsigned char *)all + rank * bytes + at, t->bounce + rank * piece, piece);
    }
    return status;
}

static int add(struct team *team, uint64_t *values, size_t count)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const size_t most = t->bounce_bytes / sizeof(*values);
    int status = enter(t);

    for (size_t at = 0, piece; at < count && status == 0; at += piece) {
        MPI_Request request = MPI_REQUEST_NULL;

        piece = count - at < most ? count - at : most;
        memcpy(t->bounce, values + at, piece * sizeof(*values));
        check(t,
              MPI_Ireduce(team->rank == 0 ? MPI_IN_PLACE : t->bounce,
                          team->rank == 0 ? t->bounce : NULL, (int)piece, MPI_UINT64_T, MPI_SUM, 0,
                          t->comm, &request),
              -1);
        status = settle(t, &request, 1, FOR_ALL, 0);
        if (status == 0 && team->rank == 0)
            memcpy(values + at, t->bounce, piece * sizeof(*values));
    }
    return status;
}

static int start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const unsigned char mine = ready;
    uint64_t moment = 0;
    int status = gather(team, &mine, 1, t->ready);

    *at_ns = 0;
    if (status == 0 && team->rank == 0 && !memchr(t->ready, 0, team->size))
        moment = clock_monotonic_ns() + in_ns;
    if (status == 0)
        status = broadcast(team, &moment, sizeof(moment));
    if (status == 0 && moment)
        *at_ns = moment + (uint64_t)team->offset_ns;
    return status;
}

/* ---- clocks */

/* What rank 0 finds out about a clock: the exchange with the shortest round trip has the least room
 * for the moment at which the other one looked at it. */
struct clock_found {
    uint64_t rtt_ns;
    int64_t offset_ns;
    uint64_t offset_error_ns;
};

/* Sends `bytes` of the first half of the bounce to a rank, where bytes is not 0, and receives what
 * it sends into the other half. */
static int exchange(struct mpi_team *t, uint32_t rank, int send_bytes, int receive_bytes,
                    uint64_t spin_ns)
{
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    if (receive_bytes)
        check(t,
              MPI_Irecv(t->bounce + t->bounce_bytes / 2, receive_bytes, MPI_BYTE, (int)rank,
                        TAG_PING, t->comm, &request[0]),
              (int)rank);
    if (send_bytes)
        check(t,
              MPI_Isend(t->bounce, send_bytes, MPI_BYTE, (int)rank, TAG_PING, t->comm, &request[1]),
              (int)rank);
    return settle(t, request, 2, (int)rank, spin_ns);
}

static int ask_clock(struct mpi_team *t, uint32_t rank)
{
    struct clock_found found = {.rtt_ns = UINT64_MAX};
    struct team_member *const member = &t->member[rank];

    for (int i = 0; i < PINGS; i++) {
        const uint64_t before = clock_monotonic_ns();
        const int status = exchange(t, rank, 1, (int)sizeof(uint64_t), SPIN_NS);
        const uint64_t rtt = clock_monotonic_ns() - before;
        uint64_t stamp;

        if (status)
            return status;
        memcpy(&stamp, t->bounce + t->bounce_bytes / 2, sizeof(stamp));
        if (rtt < found.rtt_ns)
            found = (struct clock_found){rtt, (int64_t)(stamp - (before + rtt / 2)), rtt / 2 + 1};
    }
    member->rtt_ns = found.rtt_ns;
    member->offset_ns = found.offset_ns;
    member->offset_error_ns = found.offset_error_ns;
    memcpy(t->bounce, &found, sizeof(found));
    return exchange(t, rank, (int)sizeof(found), 0, 0);
}

static int answer_clock(struct mpi_team *t)
{
    struct clock_found found;
    int status = 0;

    for (int i = 0; i < PINGS && status == 0; i++) {
        status = exchange(t, 0, 0, 1, i ? SPIN_NS : 0);
        if (status == 0) {
            const uint64_t stamp = clock_monotonic_ns();

            memcpy(t->bounce, &stamp, sizeof(stamp));
            status = exchange(t, 0, (int)sizeof(stamp), 0, 0);
        }
    }
    if (status == 0)
        status = exchange(t, 0, 0, (int)sizeof(found), SPIN_NS);
    if (status == 0) {
        memcpy(&found, t->bounce + t->bounce_bytes / 2, sizeof(found));
        t->team.offset_ns = found.offset_ns;
    }
    return status;
}

static int synchronise(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t);

    if (status == 0 && team->rank != 0)
        status = answer_clock(t);
    for (uint32_t rank = 1; team->rank == 0 && rank < team->size && status == 0; rank++)
        status = ask_clock(t, rank);
    return status;
}

/* ---- life and death */

static void beat(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const uint64_t now = clock_monotonic_ns();

    if (now - t->beat_ns >= team->patience_ns / BEATS)
        listen(t);
    beat_at(t, now);
}

static bool lost(const struct team *team, struct team_loss *loss)
{
    const struct mpi_team *const t = (const struct mpi_team *)team;

    if (t->is_lost)
        *loss = t->loss;
    return t->is_lost;
}

static void last_words(struct team *team, const char *why)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    if (t->is_lost)
        return;
    lose(t, team->rank, why);
    if (team->rank != 0) {
        t->said[WORD_LOST].loss = t->loss;
        say(t, 0, WORD_LOST);
    }
}

static volatile sig_atomic_t end_status;

static void end(int signal_number)
{
    (void)signal_number;
    _exit(end_status);
}

/* MPI_Finalize waits for all ranks, without a limit of its own. */
static void finalize(enum status status)
{
    end_status = (sig_atomic_t)status;
    (void)signal(SIGALRM, end);
    (void)alarm(FINALIZE_S);
    (void)MPI_Finalize();
    (void)alarm(0);
}

/* For how long a rank may be silent at the end. */
static uint64_t leave_patience_ns(const struct mpi_team *t)
{
    const uint64_t patience = t->team.patience_ns;
    const uint64_t share = patience / LEAVE_SHARE;

    if (t->team.stop && *t->team.stop)
        return LEAVE_STOPPED_NS;
    if (!t->is_lost && !t->broken)
        return patience;
    return share < LEAVE_LEAST_NS ? LEAVE_LEAST_NS : share > LEAVE_MOST_NS ? LEAVE_MOST_NS : share;
}

/* Waits until all have come to the end: true; or one of those that have not is silent: false. */
static bool all_gone(struct mpi_team *t)
{
    struct wait wait = {.begun_ns = clock_monotonic_ns()};

    if (t->team.rank != 0)
        say(t, 0, WORD_GONE);
    for (;;) {
        const uint64_t patience = leave_patience_ns(t);
        uint64_t now, silent = 0;

        listen(t);
        if (t->finish || t->gone_count == t->peers)
            return true;
        now = clock_monotonic_ns();
        for (uint32_t peer = 0; peer < t->peers; peer++) {
            const uint32_t rank = peer_rank(t, peer);

            if (!t->gone[rank])
                silent = later(silent, silent_ns(t, rank, wait.begun_ns, now));
        }
        if (silent > patience + (t->team.rank ? LEAVE_LEAST_NS : 0))
            return false;
        beat_at(t, now);
        rest(&wait, now - wait.begun_ns);
    }
}

static void leave(struct team *team, enum status status)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    (void)fflush(NULL);
    if (!all_gone(t)) {
        (void)MPI_Abort(t->comm, status ? (int)status : STATUS_PARTIAL);
        _exit(status ? (int)status : STATUS_PARTIAL);
    }
    if (team->rank == 0)
        say_all(t, WORD_FINISH);
    (void)MPI_Cancel(&t->listening);
    (void)MPI_Wait(&t->listening, MPI_STATUS_IGNORE);
    finalize(status);
}

/* ---- joining */

/* Hosts are numbered in the order of their first ranks. */
static uint32_t number_hosts(struct team_member *member, uint32_t size)
{
    uint32_t hosts = 0;

    for (uint32_t rank = 0; rank < size; rank++) {
        uint32_t first = 0;

        while (strcmp(member[first].host, member[rank].host) != 0)
            first++;
        member[rank].host_index = first == rank ? hosts++ : member[first].host_index;
    }
    return hosts;
}

static int meet(struct mpi_team *t)
{
    struct team *const team = &t->team;
    struct team_member mine = {.host = ""};
    struct utsname system;
    int status;

    if (uname(&system) >= 0)
        (void)snprintf(mine.host, sizeof(mine.host), "%.*s", TEAM_HOST_BYTES - 1, system.nodename);
    t->member[team->rank] = mine;
    status = gather(team, &mine, sizeof(mine), t->member);
    if (status == 0 && team->rank == 0)
        team->host_count = number_hosts(t->member, team->size);
    if (status == 0)
        status = broadcast(team, t->member, team->size * sizeof(*t->member));
    if (status == 0)
        status = broadcast(team, &team->host_count, sizeof(team->host_count));
    return status ? status : synchronise(team);
}

static void leave_alone(struct team *team, enum status status)
{
    (void)team;
    (void)fflush(NULL);
    finalize(status);
}

static struct mpi_team *make(int rank, int size)
{
    struct mpi_team *const t = mem_calloc(1, sizeof(*t));
    const size_t count = (size_t)size < 2 ? 2 : (size_t)size;
    const size_t parts = BOUNCE_PART_BYTES * count;

    t->team = (struct team){.name = "mpi",
                            .rank = (uint32_t)rank,
                            .size = (uint32_t)size,
                            .host_count = 1,
                            .patience_ns = PATIENCE_FIRST_NS,
                            .start = start,
                            .broadcast = broadcast,
                            .gather = gather,
                            .add = add,
                            .synchronise = synchronise,
                            .beat = beat,
                            .lost = lost,
                            .last_words = last_words,
                            .leave = leave};
    t->peers = rank == 0 ? (uint32_t)size - 1 : 1;
    t->team.member = t->member = mem_calloc(count, sizeof(*t->member));
    t->heard_ns = mem_calloc(count, sizeof(*t->heard_ns));
    t->gone = mem_calloc(count, sizeof(*t->gone));
    t->done = mem_calloc(count, sizeof(*t->done));
    t->status = mem_calloc(count, sizeof(*t->status));
    t->ready = mem_calloc(count, 1);
    t->bounce_bytes = parts > BOUNCE_BYTES ? parts : BOUNCE_BYTES;
    t->bounce = mem_calloc(t->bounce_bytes, 1);
    t->part = mem_calloc(count, sizeof(MPI_Request));
    t->saying = mem_calloc(count * WORD_KINDS, sizeof(MPI_Request));
    for (size_t i = 0; i < count; i++)
        t->part[i] = MPI_REQUEST_NULL;
    for (size_t i = 0; i < count * WORD_KINDS; i++)
        t->saying[i] = MPI_REQUEST_NULL;
    return t;
}

const char *const team_library = "MPI";

const char *team_library_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    if (text[0] == '\0')
        (void)MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *tab = strchr(text, '\t'); tab; tab = strchr(tab, '\t'))
        *tab = ' ';
    return text;
}

static int fail(int code, struct error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    error_set(err, STATUS_TARGET, 0, "cannot join the ranks that were started together", NULL);
    if (MPI_Error_string(code, text, &length) == MPI_SUCCESS)
        error_explain(err, "%s", text);
    return -1;
}

struct team *team_join(int *argc, char ***argv, struct error *err)
{
    int rank = 0, size = 1, level = MPI_THREAD_SINGLE;
    struct mpi_team *t;
    int code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm comm = MPI_COMM_NULL;

    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(comm, &size);
    if (code != MPI_SUCCESS) {
        (void)fail(code, err);
        return NULL;
    }
    t = make(rank, size);
    t->comm = comm;
    if (size == 1) {
        t->team = *team_alone();
        t->team.leave = leave_alone;
        return &t->team;
    }
    listen_on(t);
    if (meet(t) != 0) {
        error_set(err, STATUS_TARGET, 0, "cannot join the ranks that were started together", NULL);
        error_explain(err, "rank %u on %s %s", t->loss.rank, t->loss.host, t->loss.why);
        return NULL;
    }
    return &t->team;
}
