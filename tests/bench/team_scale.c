/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_scale.c - make bench-team: what a slice costs a team of 1 to 10,000 ranks, as the tables of
 * doc/teams.md.  Whole sweeps of simulated ranks (tests/support/team_sim.h): times of the network
 * are those of the models in tests/support/team_cost.h, not measured; memory of rank 0 and the time
 * it takes to add up what ranks report are measured here. */
#include "base/compat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/stats.h"
#include "run/team_work.h"
#include "support/team_sim.h"

#define RANKS_MOST 10000u
#define SLICES     40 /* of the row */
#define SLICE_NS   UINT64_C(20000000)
#define OP_NS      100000
#define ADDINGS    21 /* of all reports; the median of them */

static const uint32_t sizes[] = {1, 2, 10, 100, 1000, RANKS_MOST};
static const uint64_t trips_ns[] = {50000, 1000000, 50000000};

static double *op_ns;
static uint64_t measured_ns, began_ns;
static unsigned rounds;

static void see(void *arg, const struct result *result)
{
    (void)arg;
    measured_ns = result->sum.elapsed_ns;
    rounds = result->rounds;
}

/* A row of SLICES slices, as long as they have to be at least. */
static void run(struct team_sim *sim, uint32_t size, uint64_t rtt_ns, const struct team_cost *cost)
{
    const uint64_t slice_ns = 50 * rtt_ns > SLICE_NS ? 50 * rtt_ns : SLICE_NS;

    team_sim_init(sim, size, op_ns);
    sim->script.usual.rtt_ns = rtt_ns;
    sim->script.cost = *cost;
    sim->settings.cell_time_ns = SLICES * slice_ns;
    sim->settings.rounds_max = 8 * SLICES;
    sim->row = see;
    fake_now_ns = 0;
    if (team_sim_run(sim) < 0) {
        fprintf(stderr, "%s %s\n", sim->err.action, sim->err.object);
        exit(1);
    }
    began_ns = 1000; /* see fake_reset */
}

/* 1234567 ns: "1.2 ms" */
static const char *human(char text[16], double ns)
{
    const char *const units[] = {"us", "ms", "s"};
    double value = ns / 1000;
    unsigned unit = 0;

    while (value >= 999.5 && unit < 2) {
        value /= 1000;
        unit++;
    }
    snprintf(text, 16, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

static void print_slices(const struct team_cost *cost)
{
    printf("| ranks | round trip | slice | order | start | gather | all three | measured |\n"
           "|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t t = 0; t < sizeof(trips_ns) / sizeof(*trips_ns); t++) {
        for (size_t i = t > 0; i < sizeof(sizes) / sizeof(*sizes); i++) { /* alone: once */
            struct team_sim sim;
            double slices, all_ns = 0;
            char text[6][16];
            run(&sim, sizes[i], trips_ns[t], cost);
            slices = sim.slices ? sim.slices : SLICES;
            for (int call = TEAM_CALL_START; call <= TEAM_CALL_GATHER; call++)
                all_ns += (double)sim.seen.spent_ns[call] / slices;
            printf("| %u | %s | %s | %s | %s | %s | %s | %.1f %% |\n", sizes[i],
                   human(text[0], (double)trips_ns[t]),
                   human(text[1], (double)measured_ns / SLICES),
                   human(text[2], (double)sim.seen.spent_ns[TEAM_CALL_BROADCAST] / slices),
                   human(text[3], (double)sim.seen.spent_ns[TEAM_CALL_START] / slices),
                   human(text[4], (double)sim.seen.spent_ns[TEAM_CALL_GATHER] / slices),
                   human(text[5], all_ns),
                   100.0 * (double)measured_ns / (double)(fake_now_ns - began_ns));
        }
    }
}

/* What would lift the limits: a gather through a tree, or one that adds up on the way. */
static void print_ways(void)
{
    struct team_cost cost = TEAM_COST_TCP;
    const uint64_t bytes = sizeof(struct team_report) + SLICE_SUM_HEAD_BYTES;

    printf("\n| ranks | round trip | flat | tree | added up | groups | clocks |\n"
           "|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t t = 0; t < sizeof(trips_ns) / sizeof(*trips_ns); t++) {
        for (size_t i = 2; i < sizeof(sizes) / sizeof(*sizes); i++) {
            const uint64_t rtt_ns = trips_ns[t];
            const uint32_t group = (uint32_t)ceil(sqrt(sizes[i]));
            char text[16];
            double ns[5];
            for (cost.gather = TEAM_GATHER_FLAT; cost.gather <= TEAM_GATHER_MERGE; cost.gather++)
                ns[cost.gather] = (double)team_cost_gather_ns(&cost, sizes[i], rtt_ns, bytes);
            cost.gather = TEAM_GATHER_FLAT; /* first in each group, then of their first ranks */
            ns[3] = 2 * (double)team_cost_gather_ns(&cost, group, rtt_ns, bytes);
            ns[4] = (double)team_cost_clocks_ns(&cost, sizes[i], rtt_ns);
            printf("| %u | %s |", sizes[i], human(text, (double)rtt_ns));
            for (int k = 0; k < 5; k++)
                printf(" %s |", human(text, ns[k]));
            printf("\n");
        }
    }
}

/* --- measured on this machine --------------------------------------------------------------- */

static double adding_ns(uint32_t size)
{
    const size_t stride = sizeof(struct team_report) + SLICE_SUM_HEAD_BYTES;
    const struct team_reports reports = {mem_calloc(size, stride), stride, size};
    struct slice_sum *joint = mem_calloc(1, sizeof(*joint));
    double took_ns[ADDINGS], median;

    for (int i = 0; i < ADDINGS; i++) {
        const uint64_t before_ns = clock_monotonic_ns();
        (void)team_sum_join(&reports, 0, joint);
        took_ns[i] = (double)(clock_monotonic_ns() - before_ns);
    }
    median = stats_median_of(took_ns, ADDINGS);
    free(reports.data);
    free(joint);
    return median;
}

/* The most memory that a sweep of so many ranks has had, in bytes; a process of its own. */
static double memory_bytes(uint32_t size)
{
    const struct team_cost cost = TEAM_COST_TCP;
    struct rusage used;
    pid_t child;
    int status;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        struct team_sim sim;
        run(&sim, size, trips_ns[0], &cost);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) {
        fprintf(stderr, "team_scale: a sweep of %u ranks has failed\n", size);
        exit(1);
    }
    return 1024.0 * (double)used.ru_maxrss;
}

static void print_measured(void)
{
    const double alone_bytes = memory_bytes(1);

    printf("\nA report of a slice has %zu bytes.\n\n"
           "| ranks | adding up the reports | memory of rank 0 beyond that of one | per rank |\n"
           "|---:|---:|---:|---:|\n",
           sizeof(struct team_report) + SLICE_SUM_HEAD_BYTES);
    for (size_t i = 2; i < sizeof(sizes) / sizeof(*sizes); i++) {
        const double bytes = memory_bytes(sizes[i]) - alone_bytes;
        char text[16];
        printf("| %u | %s | %.1f MiB | %.1f KiB |\n", sizes[i], human(text, adding_ns(sizes[i])),
               bytes / 1048576, bytes / 1024 / sizes[i]);
    }
}

int main(void)
{
    const struct team_cost cost = TEAM_COST_TCP;

    op_ns = mem_calloc(RANKS_MOST, sizeof(*op_ns));
    for (uint32_t r = 0; r < RANKS_MOST; r++)
        op_ns[r] = OP_NS;
    print_measured();
    printf("\n");
    print_slices(&cost);
    print_ways();
    free(op_ns);
    return 0;
}
