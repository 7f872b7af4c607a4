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
#define LEAVE_NS          (10 * NS_PER_S) /* maximum wait after a loss or a signal ... */
#define LEAVE_MORE_NS     NS_PER_S        /* ... plus this, so that rank 0 can end all */
#define FINALIZE_S        20u             /* then the process ends without it */
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

/* ---- leaving */

/* Libraries used by MPI, such as UCX, print problems on stdout when they begin and end: redirects
 * it from here on. Returns a descriptor of the original stdout. */
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

/* MPI_Finalize waits for all ranks, without a limit. After a signal, UCX reports unfinished
 * communication, which is expected. */
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

/* The time that a rank may be silent at the end. */
static uint64_t leave_patience_ns(const struct mpi_team *t)
{
    const bool ended = t->is_lost || t->broken || (t->team.stop && flag_read(t->team.stop));
    const uint64_t ns = ended && t->team.patience_ns > LEAVE_NS ? LEAVE_NS : t->team.patience_ns;

    return t->team.rank ? ns + LEAVE_MORE_NS : ns;
}

/* Rank 0 waits until all ranks but a lost one have reached the end; the others wait for its
 * message. False: a rank was silent for too long. */
static bool all_gone(struct mpi_team *t)
{
    const uint64_t begun_ns = clock_monotonic_ns();

    if (t->team.rank != 0)
        mpi_say(t, WORD_GONE);
    for (;;) {
        const uint64_t now_ns = clock_monotonic_ns();
        uint64_t silent_ns;

        mpi_listen(t);
        if (t->team.rank == 0)
            mpi_beat_at(t, now_ns);
        if (t->team.rank == 0 ? !memchr(t->gone + 1, false, t->team.size - 1) : t->finish)
            return true;
        (void)mpi_most_silent(t, t->team.rank == 0 ? FOR_END : FOR_ALL, begun_ns, now_ns,
                              &silent_ns);
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
    (void)silence(STDERR_FILENO);
    (void)MPI_Abort(t->comm, code);
    _exit(code);
}

static void leave(struct team *team, enum status status)
{
    struct mpi_team *const t = (struct mpi_team *)team;

    (void)fflush(NULL);
    if (!all_gone(t) || t->is_lost)
        end_all(t, status);
    if (team->rank == 0)
        mpi_say(t, WORD_FINISH);
    if (t->listening != MPI_REQUEST_NULL && MPI_Cancel(&t->listening) == MPI_SUCCESS)
        (void)MPI_Wait(&t->listening, MPI_STATUS_IGNORE);
    finalize(status, t->broken);
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
                            .leave = leave};
    t->comm = comm;
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
