/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi.c - the ranks that an MPI launcher started (MPI 3.0 or later, any implementation) as a
 * team. The only file that includes mpi.h.
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
#include "base/compat.h"

#include <ctype.h>
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
#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "os/os.h"
#include "run/team.h"

#define NS_PER_MS         UINT64_C(1000000)
#define PATIENCE_FIRST_NS (60 * NS_PER_S) /* until the caller sets another */
#define LEAVE_NS          (10 * NS_PER_S) /* maximum wait after a loss or a signal ... */
#define LEAVE_MORE_NS     NS_PER_S        /* ... plus this, so that rank 0 can end all */
#define FINALIZE_S        20u             /* then the process ends without it */
#define ABORT_S           3u
/* Open MPI kills 1 s after requesting to stop, and rows must be closed */
#define STOP_NS  (500 * NS_PER_MS)
#define BEATS    8u              /* per patience_ns */
#define YIELD_NS UINT64_C(5000)  /* after spinning this long, yields the processor in between */
#define SLACK_NS UINT64_C(1000)  /* of sleeps */
#define PINGS    16u             /* clock exchanges with each rank */
#define SPIN_NS  (2 * NS_PER_MS) /* maximum, for the next message of an exchange */

enum tag { TAG_PART = 1, TAG_WORD };

enum word {
    WORD_BEAT,
    WORD_LOST,   /* from rank 0: which rank is lost */
    WORD_STOP,   /* from rank 0: it takes part in no collective any more, after a signal */
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

    uint32_t first, end; /* the ranks it exchanges messages with: rank 0, or on rank 0 all others */
    bool broken;         /* a collective was abandoned: no further one is possible */
    uint64_t beat_ns;    /* time of the last beat */
    /* time of the last message from each rank; only the first is used except on rank 0 */
    uint64_t *heard_ns;
    bool *gone; /* per rank: it has reached the end, or is lost */
    bool finish;
    MPI_Request listening;
    struct message heard, said[WORD_KINDS];

    uint64_t left_ns;  /* when the last collective ended */
    MPI_Request *part; /* per rank: the pending receive or send of a collective */
    bool sends;        /* they are sends, which may complete before they arrive */
    unsigned char *bounce;
    size_t bounce_bytes;
    unsigned char *ready; /* per rank, in a start */
};

/* ---- who is lost */

static void say_word(struct mpi_team *t, enum word word);

static void lose(struct mpi_team *t, uint32_t rank, const char *why)
{
    if (t->team.lost)
        return;
    t->team.lost = t->gone[rank] = true;
    t->team.loss.rank = rank;
    text_copy(t->team.loss.host, TEAM_HOST_BYTES, t->member[rank].host);
    text_copy(t->team.loss.why, TEAM_WHY_BYTES, why);
    t->said[WORD_LOST].loss = t->team.loss;
    if (t->team.rank == 0)
        say_word(t, WORD_LOST);
}

/* Of the other ranks (on rank 0), or of rank 0, returns the one silent for longest that has a
 * pending part or, without `parts`, that rank 0 still expects; and its silence since begun_ns. */
static uint32_t most_silent(const struct mpi_team *t, bool parts, uint64_t begun_ns,
                            uint64_t now_ns, uint64_t *silent_ns)
{
    uint32_t most = t->first;

    *silent_ns = 0;
    for (uint32_t rank = t->first; rank < t->end; rank++) {
        const uint64_t heard = t->heard_ns[rank];
        const uint64_t since = heard > begun_ns ? heard : begun_ns;

        if (since + *silent_ns >= now_ns ||
            (parts ? t->part[rank] == MPI_REQUEST_NULL : t->team.rank == 0 && t->gone[rank]))
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
    lose(t, rank >= 0 ? (uint32_t)rank : most_silent(t, false, 0, clock_monotonic_ns(), &silent_ns),
         text);
}

/* ---- words */

/* Sends a word to rank 0, or from rank 0 to all. Does not wait for delivery: its buffer does not
 * change. */
static void say_word(struct mpi_team *t, enum word word)
{
    t->said[word].word = word;
    for (uint32_t rank = t->first; rank < t->end; rank++) {
        MPI_Request request = MPI_REQUEST_NULL;

        check(t,
              MPI_Isend(&t->said[word], (int)sizeof(t->said[word]), MPI_BYTE, (int)rank, TAG_WORD,
                        t->comm, &request),
              (int)rank);
        if (request != MPI_REQUEST_NULL)
            (void)MPI_Request_free(&request);
    }
}

static void listen_on(struct mpi_team *t)
{
    const int from = t->team.rank == 0 ? MPI_ANY_SOURCE : 0;

    check(t,
          MPI_Irecv(&t->heard, (int)sizeof(t->heard), MPI_BYTE, from, TAG_WORD, t->comm,
                    &t->listening),
          -1);
}

/* Rank 0 was interrupted, by a signal that this rank may not have received. */
static void stop_too(struct mpi_team *t)
{
    t->broken = true;
    if (t->team.stop && !flag_read(t->team.stop))
        flag_set(t->team.stop, SIGTERM);
}

/* Handles the words received. */
static void hear_words(struct mpi_team *t)
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
        else if (t->heard.word == WORD_STOP)
            stop_too(t);
        else if (t->heard.word == WORD_GONE)
            t->gone[status.MPI_SOURCE] = true;
        else if (t->heard.word == WORD_FINISH)
            t->finish = true;
        listen_on(t);
    }
}

/* Sends a beat if one is due. */
static void beat_at(struct mpi_team *t, uint64_t now_ns)
{
    if (now_ns - t->beat_ns < t->team.patience_ns / BEATS)
        return;
    t->beat_ns = now_ns;
    say_word(t, WORD_BEAT);
}

/* ---- waiting */

/* Whether all parts are complete. */
static bool test(struct mpi_team *t)
{
    bool complete = true;
    int came = 0;

    for (uint32_t rank = 0; rank < t->team.size; rank++) {
        if (t->part[rank] == MPI_REQUEST_NULL)
            continue;
        check(t, MPI_Test(&t->part[rank], &came, MPI_STATUS_IGNORE), (int)rank);
        if (came && !t->sends)
            t->heard_ns[rank] = clock_monotonic_ns();
        complete = complete && came;
    }
    return complete;
}

/* Whether a part is expected of a rank that had reached the end before the last test: a signal has
 * ended it. */
static bool has_left(const struct mpi_team *t)
{
    for (uint32_t rank = t->first; rank < t->end; rank++)
        if (t->gone[rank] && t->part[rank] != MPI_REQUEST_NULL)
            return true;
    return false;
}

/* Checks for everything that ends a wait early. */
static int look(struct mpi_team *t, uint64_t begun_ns, uint64_t *stop_ns)
{
    const volatile int *const stop = t->team.stop;
    uint64_t now_ns, silent_ns;
    uint32_t rank;
    char why[64];

    if (!t->team.lost && !t->broken && has_left(t)) {
        stop_too(t);
        say_word(t, WORD_STOP);
    }
    hear_words(t);
    now_ns = clock_monotonic_ns();
    rank = most_silent(t, true, begun_ns, now_ns, &silent_ns);
    if (silent_ns > t->team.patience_ns) {
        (void)snprintf(why, sizeof(why), "has not answered for %.3g s",
                       (double)t->team.patience_ns / (double)NS_PER_S);
        lose(t, rank, why);
    }
    if (t->team.lost)
        return -EPIPE;
    if (t->broken)
        return -EINTR;
    if (*stop_ns == 0 && stop && flag_read(stop))
        *stop_ns = now_ns;
    if (*stop_ns && now_ns - *stop_ns >= STOP_NS) {
        t->broken = true;
        if (t->team.rank == 0)
            say_word(t, WORD_STOP);
        return -EINTR;
    }
    beat_at(t, now_ns);
    return 0;
}

/* Waits until all parts are complete; for the first spin_ns without sleeping. Returns like a
 * hook. */
static int settle(struct mpi_team *t, uint64_t spin_ns)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    uint64_t stop_ns = 0, waited_ns, slack_ns = 0;
    bool rested = false;
    int status = 0;

    while (!test(t) || t->team.lost) {
        status = look(t, begun_ns, &stop_ns);
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
    if (!t->team.lost && !t->broken)
        hear_words(t);
    if (t->team.lost || t->broken)
        return t->team.lost ? -EPIPE : -EINTR;
    t->bounce = mem_grow(t->bounce, &t->bounce_bytes, bytes, 1);
    return 0;
}

static int left(struct mpi_team *t, int status)
{
    t->left_ns = clock_monotonic_ns();
    return status;
}

/* ---- bytes. Rank 0 exchanges them with each rank, without a tree: a message passed on by a rank
 * that sleeps between its tests would be late. */

#define ADDED_ONCE 256u /* values: as many bytes as MPI sends without waiting for the receiver */

/* Begins to send bytes of the bounce to a rank, or to receive some there. */
static void post(struct mpi_team *t, uint32_t rank, bool send, void *at, size_t bytes)
{
    const int count = (int)bytes, peer = (int)rank;
    MPI_Request *const part = &t->part[rank];

    t->sends = send;
    check(t,
          send ? MPI_Isend(at, count, MPI_BYTE, peer, TAG_PART, t->comm, part)
               : MPI_Irecv(at, count, MPI_BYTE, peer, TAG_PART, t->comm, part),
          peer);
}

static int mpi_broadcast(struct team *team, void *data, size_t bytes)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t, bytes);

    if (status)
        return status;
    if (team->rank == 0)
        memcpy(t->bounce, data, bytes);
    for (uint32_t rank = t->first; rank < t->end; rank++)
        post(t, rank, team->rank == 0, t->bounce, bytes);
    status = settle(t, 0);
    if (status == 0 && team->rank != 0)
        memcpy(data, t->bounce, bytes);
    return left(t, status);
}

static int mpi_gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t, team->rank == 0 ? team->size * bytes : bytes);

    if (status)
        return status;
    memcpy(t->bounce, mine, bytes);
    for (uint32_t rank = t->first; rank < t->end; rank++)
        post(t, rank, team->rank != 0, t->bounce + rank * bytes, bytes);
    status = settle(t, 0);
    if (status == 0 && team->rank == 0)
        memcpy(all, t->bounce, team->size * bytes);
    return left(t, status);
}

static int mpi_add(struct team *team, uint64_t *values, size_t count)
{
    uint64_t *all = team->rank ? NULL : mem_calloc(team->size, ADDED_ONCE * sizeof(*all));
    size_t some;
    int status = 0;

    for (size_t at = 0; at < count && status == 0; at += some) {
        some = count - at < ADDED_ONCE ? count - at : ADDED_ONCE;
        status = mpi_gather(team, values + at, some * sizeof(*values), all);
        for (size_t i = some; all && status == 0 && i < team->size * some; i++)
            values[at + i % some] += all[i];
    }
    free(all);
    return status;
}

/* ---- moments */

/* The moment is in_ns after its broadcast, plus the time that the others may sleep, having waited
 * since the previous collective. */
static int mpi_start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    const unsigned char mine = ready;
    const uint64_t since_ns = t->left_ns;
    uint64_t moment = 0;
    int status = mpi_gather(team, &mine, 1, t->ready);

    *at_ns = 0;
    if (status == 0 && team->rank == 0 && !memchr(t->ready, 0, team->size)) {
        const uint64_t now_ns = clock_monotonic_ns();

        moment = now_ns + in_ns + team_pause_ns(now_ns - since_ns);
    }
    if (status == 0)
        status = mpi_broadcast(team, &moment, sizeof(moment));
    if (status == 0 && moment)
        *at_ns = moment + (uint64_t)team->offset_ns;
    return status;
}

/* ---- clocks. Rank 0 queries one rank after the other, PINGS times. Both sides spin meanwhile,
 * because sleeps would add to the round trip; all others sleep. */

/* Sends the moment in the bounce to a rank, or receives one there. */
static int pass(struct mpi_team *t, uint32_t rank, bool send, uint64_t spin_ns)
{
    post(t, rank, send, t->bounce, sizeof(uint64_t));
    return settle(t, spin_ns);
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

static int mpi_synchronise(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;
    int status = enter(t, sizeof(uint64_t));

    for (uint32_t rank = 1; team->rank == 0 && rank < team->size && status == 0; rank++)
        status = ask_clock(t, rank);
    if (team->rank != 0 && status == 0)
        status = answer(t);
    return left(t, status);
}

/* ---- not a collective */

static void beat(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    hear_words(t);
    beat_at(t, clock_monotonic_ns());
}

/* ---- leaving */

/* Libraries used by MPI, such as UCX, print problems on stdout when they begin and end: redirects
 * it to stderr from here on. Returns a descriptor of the original stdout. */
static int silence(void)
{
    int aside;

    (void)fflush(stdout);
    aside = dup(STDOUT_FILENO);
    if (aside >= 0)
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    return aside;
}

static void speak(int aside)
{
    (void)fflush(stdout);
    if (aside < 0)
        return;
    (void)dup2(aside, STDOUT_FILENO);
    (void)close(aside);
}

static volatile sig_atomic_t end_status;

static void end(int signal_number)
{
    (void)signal_number;
    _exit(end_status);
}

/* MPI_Finalize waits for all ranks, without a limit. */
static void finalize(enum status status)
{
    const int aside = silence();

    end_status = (sig_atomic_t)status;
    (void)signal(SIGALRM, end);
    (void)alarm(FINALIZE_S);
    (void)MPI_Finalize();
    (void)alarm(0);
    speak(aside);
}

/* The time that a rank may be silent at the end. */
static uint64_t leave_patience_ns(const struct mpi_team *t)
{
    const bool ended = t->team.lost || t->broken || (t->team.stop && flag_read(t->team.stop));
    const uint64_t ns = ended && t->team.patience_ns > LEAVE_NS ? LEAVE_NS : t->team.patience_ns;

    return t->team.rank ? ns + LEAVE_MORE_NS : ns;
}

/* Rank 0 waits until all ranks but a lost one have reached the end; the others wait for its
 * message. False: a rank was silent for too long. */
static bool all_gone(struct mpi_team *t)
{
    const uint64_t begun_ns = clock_monotonic_ns();

    if (t->team.rank != 0)
        say_word(t, WORD_GONE);
    for (;;) {
        const uint64_t now_ns = clock_monotonic_ns();
        uint64_t silent_ns;

        hear_words(t);
        if (t->team.rank == 0)
            beat_at(t, now_ns);
        if (t->team.rank == 0 ? !memchr(t->gone + 1, false, t->team.size - 1) : t->finish)
            return true;
        (void)most_silent(t, false, begun_ns, now_ns, &silent_ns);
        if (silent_ns > leave_patience_ns(t))
            return false;
        clock_rest(team_pause_ns(now_ns - begun_ns));
    }
}

/* The launcher ends the rest of the team, and returns `status`. */
static void end_all(const struct mpi_team *t, enum status status)
{
    const int code = status ? (int)status : STATUS_PARTIAL;

    end_status = (sig_atomic_t)code;
    (void)signal(SIGALRM, end);
    (void)alarm(ABORT_S);
    (void)silence();
    (void)MPI_Abort(t->comm, code);
    _exit(code);
}

static void leave(struct team *team, enum status status)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    (void)fflush(NULL);
    if (!all_gone(t) || t->team.lost)
        end_all(t, status);
    if (team->rank == 0)
        say_word(t, WORD_FINISH);
    if (t->listening != MPI_REQUEST_NULL && MPI_Cancel(&t->listening) == MPI_SUCCESS)
        (void)MPI_Wait(&t->listening, MPI_STATUS_IGNORE);
    finalize(status);
}

static void leave_alone(struct team *team, enum status status)
{
    (void)team;
    finalize(status);
}

/* ---- joining */

static int meet(struct mpi_team *t)
{
    struct team *const team = &t->team;
    struct team_member mine = {.host = ""};
    struct utsname system;
    int status;

    if (uname(&system) >= 0)
        text_copy(mine.host, sizeof(mine.host), system.nodename);
    t->member[team->rank] = mine;
    status = team->gather(team, &mine, sizeof(mine), t->member);
    if (status == 0)
        status = team->broadcast(team, t->member, team->size * sizeof(mine));
    if (status)
        return status;
    team->host_count = team_number_hosts(t->member, team->size);
    return team->synchronise(team);
}

static struct mpi_team *make(MPI_Comm comm, int rank, int size)
{
    struct mpi_team *const t = mem_calloc(1, sizeof(*t));

    t->team = (struct team){.name = "mpi",
                            .rank = (uint32_t)rank,
                            .size = (uint32_t)size,
                            .host_count = 1,
                            .patience_ns = PATIENCE_FIRST_NS,
                            .start = mpi_start,
                            .broadcast = mpi_broadcast,
                            .gather = mpi_gather,
                            .add = mpi_add,
                            .synchronise = mpi_synchronise,
                            .beat = beat,
                            .leave = leave};
    t->comm = comm;
    t->first = rank == 0;
    t->end = rank == 0 ? (uint32_t)size : 1;
    t->left_ns = t->beat_ns = clock_monotonic_ns();
    t->team.member = t->member = mem_calloc((size_t)size, sizeof(*t->member));
    t->heard_ns = mem_calloc((size_t)size, sizeof(*t->heard_ns));
    t->gone = mem_calloc((size_t)size, sizeof(*t->gone));
    t->ready = mem_calloc((size_t)size, sizeof(*t->ready));
    t->part = mem_calloc((size_t)size, sizeof(*t->part));
    for (int i = 0; i < size; i++)
        t->part[i] = MPI_REQUEST_NULL;
    t->listening = MPI_REQUEST_NULL;
    return t;
}

/* A separate communicator, whose errors are returned, not fatal. */
static int join(int *argc, char ***argv, MPI_Comm *comm, int *rank, int *size)
{
    int level = MPI_THREAD_SINGLE;
    int code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);

    if (code == MPI_SUCCESS)
        code = MPI_Comm_dup(MPI_COMM_WORLD, comm);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(*comm, rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(*comm, size);
    if (code == MPI_SUCCESS && level < MPI_THREAD_FUNNELED)
        code = MPI_ERR_OTHER;
    return code;
}

struct team *team_join(int *argc, char ***argv, struct error *err)
{
    static const char not_joined[] = "cannot join the ranks that were started together";
    const int aside = silence();
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 1, length = 0;
    const int code = join(argc, argv, &comm, &rank, &size);
    char text[MPI_MAX_ERROR_STRING] = "";
    struct mpi_team *t;

    speak(aside);
    if (code != MPI_SUCCESS) {
        (void)MPI_Error_string(code, text, &length);
        (void)error_set(err, STATUS_TARGET, 0, not_joined, NULL);
        (void)error_explain(err, "%s", text);
        return NULL;
    }
    if (size == 1) {
        team_alone()->leave = leave_alone;
        return team_alone();
    }
    t = make(comm, rank, size);
    listen_on(t);
    if (meet(t) != 0) {
        (void)error_set(err, STATUS_TARGET, 0, not_joined, NULL);
        (void)error_explain(err, "rank %u on %s %s", (unsigned)t->team.loss.rank, t->team.loss.host,
                            t->team.loss.why);
        return NULL;
    }
    return &t->team;
}

/* ---- the library */

const char *const team_library = "MPI";

/* "Open MPI v4.1.4, package: ...", or "MPICH Version:     4.0.2" with more below. */
const char *team_library_version(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    char *end = version;
    int length = 0;

    if (MPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return "";
    version[strcspn(version, ",\n")] = '\0';
    for (const char *at = version; *at; at++)
        if (!isspace((unsigned char)*at) || !isspace((unsigned char)at[1]))
            *end++ = isspace((unsigned char)*at) ? ' ' : *at;
    *end = '\0';
    return version;
}
