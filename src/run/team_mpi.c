/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_mpi.c - joining the ranks that an MPI launcher started, and leaving them; see team_mpi.h. */
#include "base/compat.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "run/team_mpi.h"

#define PATIENCE_FIRST_NS (60 * NS_PER_S) /* until the caller sets another */
#define BOUNCE_BYTES      ((size_t)256 << 10)
#define BOUNCE_PART_BYTES ((size_t)4 << 10) /* of each rank, at least: a report fits */
#define LEAVE_SHARE       4u /* after a loss: a rank silent for this part of patience_ns ... */
#define LEAVE_LEAST_NS    (2 * NS_PER_S) /* ... within these bounds is not waited for */
#define LEAVE_MOST_NS     (15 * NS_PER_S)
#define LEAVE_STOPPED_NS  (5 * NS_PER_S)
#define LEAVE_MORE_NS     NS_PER_S /* the other ranks wait longer for rank 0 to end all */
#define FINALIZE_S        20u      /* then the process ends without */
#define ABORT_S           3u

/* ---- not a collective */

static void beat(struct team *team)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    mpi_listen(t);
    mpi_beat_at(t, clock_monotonic_ns());
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
    mpi_lose(t, team->rank, why);
    if (team->rank != 0) {
        t->said[WORD_LOST].loss = t->loss;
        mpi_say(t, 0, WORD_LOST);
    }
}

/* ---- leaving */

/* Libraries that MPI is built on tell of trouble on stdout when they begin and end, UCX for one:
 * from here on that goes elsewhere.  Returns where stdout was. */
static int silence(int elsewhere)
{
    int aside;

    (void)fflush(stdout);
    aside = dup(STDOUT_FILENO);
    if (aside >= 0 && elsewhere >= 0)
        (void)dup2(elsewhere, STDOUT_FILENO);
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

/* MPI_Finalize waits for all ranks, without a bound of its own.  After a loss, what UCX has to say
 * is that something was left undone: that is no news. */
static void finalize(enum status status, bool undone)
{
    const int nowhere = undone ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    const int aside = silence(nowhere >= 0 ? nowhere : STDERR_FILENO);

    end_status = (sig_atomic_t)status;
    (void)signal(SIGALRM, end);
    (void)alarm(FINALIZE_S);
    (void)MPI_Finalize();
    (void)alarm(0);
    speak(aside);
    if (nowhere >= 0)
        (void)close(nowhere);
}

/* For how long a rank may be silent at the end. */
static uint64_t leave_patience_ns(const struct mpi_team *t)
{
    const uint64_t share = t->team.patience_ns / LEAVE_SHARE;

    if (t->team.stop && flag_read(t->team.stop))
        return LEAVE_STOPPED_NS;
    if (!t->is_lost && !t->broken)
        return t->team.patience_ns;
    if (share < LEAVE_LEAST_NS)
        return LEAVE_LEAST_NS;
    return share < LEAVE_MOST_NS ? share : LEAVE_MOST_NS;
}

/* Nothing more can be expected of those peers that have not come to the end. */
static bool hopeless(const struct mpi_team *t, uint64_t begun_ns, uint64_t now_ns)
{
    const uint64_t patience_ns = leave_patience_ns(t) + (t->team.rank ? LEAVE_MORE_NS : 0);
    bool waiting = false;

    for (uint32_t peer = 0; peer < t->peers; peer++) {
        const uint32_t rank = mpi_peer_rank(t, peer);
        const uint64_t silent_ns = mpi_silent_ns(t, rank, begun_ns, now_ns);

        if (t->gone[rank])
            continue;
        if (t->is_silent && t->loss.rank == rank)
            waiting = waiting || (t->team.rank && silent_ns < LEAVE_MORE_NS);
        else if (silent_ns > patience_ns)
            return true;
        else
            waiting = true;
    }
    return !waiting;
}

/* Waits until all have come to the end: true.  False: some will not. */
static bool all_gone(struct mpi_team *t)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    struct rest rest = {.rested = false};
    bool gone = false, over = false;

    if (t->team.rank != 0)
        mpi_say(t, 0, WORD_GONE);
    while (!gone && !over) {
        const uint64_t now_ns = clock_monotonic_ns();

        mpi_listen(t);
        mpi_beat_at(t, now_ns);
        gone = t->team.rank == 0 ? t->gone_count == t->peers : t->finish;
        over = hopeless(t, begun_ns, now_ns);
        if (!gone && !over)
            mpi_rest(&rest, now_ns - begun_ns);
    }
    mpi_rested(&rest);
    return gone;
}

/* The launcher ends all that is left of the team, and tells `status`. */
static void end_all(const struct mpi_team *t, enum status status)
{
    const int code = status ? (int)status : STATUS_PARTIAL;

    end_status = (sig_atomic_t)code;
    (void)signal(SIGALRM, end);
    (void)alarm(ABORT_S);
    (void)silence(STDERR_FILENO);
    (void)MPI_Abort(t->comm, code);
    _exit(code);
}

static void leave(struct team *team, enum status status)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    (void)fflush(NULL);
    if (!all_gone(t))
        end_all(t, status);
    if (team->rank == 0)
        mpi_say_all(t, WORD_FINISH);
    if (t->listening != MPI_REQUEST_NULL && MPI_Cancel(&t->listening) == MPI_SUCCESS)
        (void)MPI_Wait(&t->listening, MPI_STATUS_IGNORE);
    finalize(status, t->is_lost || t->broken);
}

static void leave_alone(struct team *team, enum status status)
{
    finalize(status, false);
    free(team);
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
    if (status == 0 && team->rank == 0)
        team->host_count = team_number_hosts(t->member, team->size);
    if (status == 0)
        status = team->broadcast(team, t->member, team->size * sizeof(mine));
    if (status == 0)
        status = team->broadcast(team, &team->host_count, sizeof(team->host_count));
    return status ? status : team->synchronise(team);
}

static void make_places(struct mpi_team *t)
{
    const size_t size = t->team.size, words = t->peers * (size_t)WORD_KINDS;

    t->bounce_bytes = size * BOUNCE_PART_BYTES;
    if (t->bounce_bytes < BOUNCE_BYTES)
        t->bounce_bytes = BOUNCE_BYTES;
    t->bounce = mem_calloc(t->bounce_bytes, 1);
    t->team.member = t->member = mem_calloc(size, sizeof(*t->member));
    t->heard_ns = mem_calloc(size, sizeof(*t->heard_ns));
    t->gone = mem_calloc(size, sizeof(*t->gone));
    t->done = mem_calloc(size, sizeof(*t->done));
    t->status = mem_calloc(size, sizeof(*t->status));
    t->ready = mem_calloc(size, sizeof(*t->ready));
    t->asked_ns = mem_calloc(size, sizeof(*t->asked_ns));
    t->asked_count = mem_calloc(size, sizeof(*t->asked_count));
    t->host_busy = mem_calloc(size, sizeof(*t->host_busy));
    t->part = mem_calloc(size, sizeof(*t->part));
    t->saying = mem_calloc(words, sizeof(*t->saying));
    for (size_t i = 0; i < size; i++)
        t->part[i] = MPI_REQUEST_NULL;
    for (size_t i = 0; i < words; i++)
        t->saying[i] = MPI_REQUEST_NULL;
    t->listening = MPI_REQUEST_NULL;
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
                            .lost = lost,
                            .last_words = last_words,
                            .leave = leave};
    t->comm = comm;
    t->peers = rank == 0 ? (uint32_t)size - 1 : 1;
    t->left_ns = t->beat_ns = clock_monotonic_ns();
    make_places(t);
    return t;
}

/* A communicator of our own, whose faults are reported, not deadly. */
static int join(int *argc, char ***argv, MPI_Comm *comm, int *rank, int *size)
{
    int level = MPI_THREAD_SINGLE;
    int code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);

    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
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
    const int aside = silence(STDERR_FILENO);
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
        struct team *const alone = mem_calloc(1, sizeof(*alone));

        *alone = *team_alone();
        alone->leave = leave_alone;
        return alone;
    }
    t = make(comm, rank, size);
    mpi_listen_on(t);
    if (meet(t) != 0) {
        (void)error_set(err, STATUS_TARGET, 0, not_joined, NULL);
        (void)error_explain(err, "rank %u on %s %s", (unsigned)t->loss.rank, t->loss.host,
                            t->loss.why);
        return NULL;
    }
    return &t->team;
}

/* ---- the library */

const char *const team_library = "MPI";

/* Libraries name themselves in ways of their own: "Open MPI v4.1.4, package: ...", "MPICH Version:
 * 4.0.2", with more below.  All have a name and a number. */
const char *team_library_version(void)
{
    static char version[2 * MPI_MAX_LIBRARY_VERSION_STRING];
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", *number = text;
    int length = 0;
    size_t name;

    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return "";
    text[strcspn(text, ",\n")] = '\0';
    while (*number &&
           !(number > text && strchr(" \tv", number[-1]) && isdigit((unsigned char)*number)))
        number++;
    name = (size_t)(number - text);
    if (name > 2 && number[-1] == 'v')
        name--;
    while (name > 0 && strchr(" \t:", text[name - 1]))
        name--;
    if (name > 8 && memcmp(text + name - 8, " Version", 8) == 0)
        name -= 8;
    number[strcspn(number, " \t")] = '\0';
    (void)snprintf(version, sizeof(version), "%.*s %s", (int)name, text, number);
    return version;
}
