/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loopcost.c - what a cycle costs that does no I/O, measured at the start of each run and shown
 * beside its results. */
#include "base/compat.h"

#include "run/sweep.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/cycle.h"

double sweep_loop_cost(const struct clock *clock)
{
    enum { BATCHES = 15 };
    static const uint64_t cycles = 4096;
    static const uint64_t length_bytes[1] = {1 << 20};
    static const volatile int go_on;
    const struct target target = {.object_count = 1, .length_bytes = length_bytes};
    const struct workload work = {
        .target = &target, .test = TEST_READ, .size_bytes = 2, .io_bytes = 2, .object_count = 1};
    struct cycle cycle = {.work = &work,
                          .align_bytes = 2,
                          .clock = clock,
                          .deadline_ns = UINT64_MAX,
                          .stop = &go_on,
                          .tally = mem_calloc(1, sizeof(struct tally))};
    const struct engine_thread thread = {.memory = NULL};
    struct error err = ERROR_INIT;
    double best_ns = 0;

    for (const struct engine *const *e = engine_table; *e && !cycle.engine; e++)
        if ((*e)->capabilities & ENGINE_VIRTUAL)
            cycle.engine = *e;
    if (cycle.engine && cycle.engine->setup(&work, &thread, &cycle.ctx, &err) == 0) {
        rng_seed(&cycle.rng, 1, 1);
        for (int b = 0; b < BATCHES; b++) {
            const uint64_t t = clock_now(clock);
            cycle_run(&cycle, cycles);
            const double ns = (double)(clock_now(clock) - t) / (double)cycles;
            if (b == 0 || ns < best_ns)
                best_ns = ns;
        }
        cycle.engine->teardown(cycle.ctx);
    }
    free(cycle.tally);
    return best_ns;
}
