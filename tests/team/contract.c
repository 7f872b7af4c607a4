/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* contract.c - a program for `mpirun -n N`: whether the team of MPI keeps the contract of teams
 * (support/team_contract.h), and what comes when a rank dies.
 *
 *   contract keep [RANK=NS]...      a team that loses nobody.  The clock of RANK is truly NS ahead
 *   contract WHAT CALL RANK         RANK goes before the tenth CALL: start, broadcast, gather, add,
 *                                   synchronise or leave; the others tell what they find
 *
 * WHAT is `killed` (SIGKILL), `halted` (SIGSTOP), `exits` (without a word), `leaves` (as after a
 * signal to it alone), or `stop`: all are told to stop, and RANK does not come for some seconds.
 * Exit status 0: as it has to be; 1: a rank was lost, all as it has to be; 70: a fault, told on
 * stderr.  Rank 0 says on stdout "kept", or who is lost. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/team_contract.h"

#define PATIENCE_NS (3 * NS_PER_S)
#define SLEEP_S     4
#define TENTH       10u

enum call {
    CALL_START,
    CALL_BROADCAST,
    CALL_GATHER,
    CALL_ADD,
    CALL_SYNCHRONISE,
    CALL_LEAVE,
    CALLS
};
static const char *const call_names[CALLS] = {"start", "broadcast",   "gather",
                                              "add",   "synchronise", "leave"};

static volatile int stop;

static void on_signal(int number)
{
    stop = number;
}

static int faulty(const struct team *team, const char *fault)
{
    (void)fprintf(stderr, "FAULT of rank %" PRIu32 ": %s\n", team->rank, fault);
    return STATUS_INTERNAL;
}

static int keep(struct team *team, int argc, char **argv)
{
    char fault[TEAM_CONTRACT_FAULT_BYTES] = "";
    int64_t *const offset_ns = mem_calloc(team->size, sizeof(*offset_ns));
    int status = STATUS_OK;

    for (int i = 2; i < argc; i++) {
        char *end;
        const unsigned long rank = strtoul(argv[i], &end, 10);

        if (rank < team->size && *end == '=')
            offset_ns[rank] = strtoll(end + 1, NULL, 10);
    }
    if (team_contract(team, &clock_monotonic, offset_ns, fault) != 0)
        status = faulty(team, fault);
    else if (team->rank == 0)
        (void)puts("kept");
    free(offset_ns);
    return status;
}

static int call_it(struct team *team, enum call call)
{
    uint64_t values[1000] = {1}, at;
    unsigned char byte = 1, *const all = mem_calloc(team->size, 1);
    int status = 0;

    if (call == CALL_START)
        status = team->start(team, true, 1000000, &at);
    else if (call == CALL_BROADCAST)
        status = team->broadcast(team, &byte, 1);
    else if (call == CALL_GATHER)
        status = team->gather(team, &byte, 1, all);
    else if (call == CALL_ADD)
        status = team->add(team, values, 1000);
    else if (call == CALL_SYNCHRONISE)
        status = team->synchronise(team);
    free(all);
    return status;
}

/* What befalls one rank. */
static void befall(const char *what)
{
    if (strcmp(what, "killed") == 0)
        (void)raise(SIGKILL);
    else if (strcmp(what, "halted") == 0)
        (void)raise(SIGSTOP);
    else if (strcmp(what, "exits") == 0)
        _exit(STATUS_TARGET);
    else if (strcmp(what, "stop") == 0)
        clock_rest(SLEEP_S * NS_PER_S);
}

static int look(struct team *team, const char *what, uint32_t rank, int status, uint64_t ns)
{
    char fault[TEAM_CONTRACT_FAULT_BYTES] = "";

    if (strcmp(what, "stop") == 0 || strcmp(what, "leaves") == 0) {
        if (status != -EINTR && team->rank != rank)
            return faulty(team,
                          status ? "loss though told to stop" : "goes on though told to stop");
        if (ns > 2 * NS_PER_S && team->rank != rank)
            return faulty(team, "stops too late");
        return STATUS_PARTIAL;
    }
    if (status == -EINTR && stop) { /* the launcher was faster */
        if (team->rank == 0)
            (void)puts("stopped");
        return 128 + stop;
    }
    if (status != -EPIPE)
        return faulty(team, status ? "is told to stop" : "goes on");
    if (team_contract_lost(team, &clock_monotonic, rank, "", fault) != 0)
        return faulty(team, fault);
    if (team->lost && team->rank == 0)
        (void)printf("lost: rank %" PRIu32 " %s\n", team->loss.rank, team->loss.why);
    if (ns > 4 * PATIENCE_NS)
        return faulty(team, "learns it too late");
    return STATUS_PARTIAL;
}

static int lose(struct team *team, const char *what, const char *call_name, uint32_t rank)
{
    enum call last = 0;
    uint64_t begun_ns = 0;
    int status = 0;

    while (last < CALLS && strcmp(call_names[last], call_name) != 0)
        last++;
    for (unsigned round = 1; status == 0 && round <= 2 * TENTH; round++)
        for (int call = 0; status == 0 && call < CALL_LEAVE; call++) {
            begun_ns = clock_monotonic_ns();
            if (round == TENTH && call == (int)last) {
                stop = strcmp(what, "stop") == 0;
                if (team->rank == rank)
                    befall(what);
                if (team->rank == rank && strcmp(what, "leaves") == 0)
                    return STATUS_PARTIAL;
            }
            status = call_it(team, (enum call)call);
        }
    if (last == CALL_LEAVE) {
        if (team->rank == rank)
            befall(what);
        return status && status != -EPIPE ? faulty(team, "is told to stop") : STATUS_OK;
    }
    return look(team, what, rank, status, clock_monotonic_ns() - begun_ns);
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct team *const team = team_join(&argc, &argv, &err);
    int status;

    if (!team) {
        char text[1024];

        (void)fprintf(stderr, "%s\n", error_format(&err, text, sizeof(text)));
        return (int)err.status;
    }
    team->patience_ns = PATIENCE_NS;
    team->stop = &stop;
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    (void)fprintf(stderr, "rank %" PRIu32 " is process %ld\n", team->rank, (long)getpid());
    if (argc == 4)
        status = lose(team, argv[1], argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
    else
        status = keep(team, argc, argv);
    team->leave(team, (enum status)status);
    return status;
}
