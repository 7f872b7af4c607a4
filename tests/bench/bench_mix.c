/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bench_mix.c - what --mix costs: reads alone, writes alone and both at once on the engine that
 * does nothing, a slice of each in every round.  Of each the time per operation without what is
 * done between operations (making data): the least of all rounds, which others have disturbed
 * least. */
#include "base/compat.h"

#include "bench_mix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "run/cycle.h"

#define CYCLES     200000
#define SHARE      0.7
#define SIZE_BYTES 512

enum { READS, WRITES, MIXED, CONTENDERS };

static uint64_t length_bytes = UINT64_C(64) << 20;
static const struct target target = {.object_count = 1, .length_bytes = &length_bytes};
static struct tally tallies[2];
static char buffer[SIZE_BYTES];
static struct pattern pattern;
static struct payload payload = {.pattern = &pattern};

static struct workload work_of(enum io_test test)
{
    return (struct workload){.target = &target,
                             .test = test,
                             .size_bytes = SIZE_BYTES,
                             .io_bytes = SIZE_BYTES,
                             .object_count = 1,
                             .depth = 1,
                             .slot_bytes = SIZE_BYTES};
}

/* Nanoseconds per operation. */
static double run(const struct engine *engine, int what, struct rng *rng)
{
    static const volatile int never;
    static const struct engine_thread thread;
    const struct workload reads = work_of(TEST_READ), writes = work_of(TEST_WRITE);
    struct cycle cycle = {.engine = engine,
                          .work = what == READS ? &reads : &writes,
                          .align_bytes = SIZE_BYTES,
                          .clock = &clock_monotonic,
                          .deadline_ns = UINT64_MAX,
                          .stop = &never,
                          .buffer = buffer,
                          .payload = &payload,
                          .tally = &tallies[0],
                          .rng = *rng,
                          .mark = (uint64_t)(SHARE * 18446744073709551616.0)};
    struct cycle of_reads = cycle;
    struct error err = ERROR_INIT;
    uint64_t begin_ns, spent_ns;

    of_reads.work = &reads;
    of_reads.tally = &tallies[1];
    cycle.reads = what == MIXED ? &of_reads : NULL;
    tally_reset(&tallies[0]);
    tally_reset(&tallies[1]);
    if (engine->setup(cycle.work, &thread, &cycle.ctx, &err) < 0 ||
        engine->setup(&reads, &thread, &of_reads.ctx, &err) < 0)
        return -1;
    begin_ns = clock_monotonic_ns();
    (void)cycle_run(&cycle, CYCLES);
    spent_ns = clock_monotonic_ns() - begin_ns - tallies[0].excluded_ns;
    engine->teardown(of_reads.ctx);
    engine->teardown(cycle.ctx);
    *rng = cycle.rng;
    return (double)spent_ns / CYCLES;
}

int bench_mix(unsigned rounds)
{
    double least[CONTENDERS] = {INFINITY, INFINITY, INFINITY};
    const struct engine *engine = engine_find("null");
    struct error err = ERROR_INIT;
    struct rng rng;

    if (!engine || payload_start(&pattern, 7, &err) < 0)
        return 77;
    rng_seed(&rng, 7, 0);
    for (unsigned r = 0; r < rounds * CONTENDERS; r++) {
        const double ns = run(engine, (int)(r % CONTENDERS), &rng);
        if (ns >= 0 && ns < least[r % CONTENDERS])
            least[r % CONTENDERS] = ns;
    }
    printf("reads_ns,writes_ns,mixed_ns,mix_adds_ns\n%.2f,%.2f,%.2f,%.2f\n", least[READS],
           least[WRITES], least[MIXED],
           least[MIXED] - SHARE * least[READS] - (1 - SHARE) * least[WRITES]);
    return 0;
}
