/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reference.c - the cycle on a file in memory.  Groups of cycles are timed, and their median is
 * taken: what interrupts one group is no change of speed. */
#include "base/compat.h"

#include "run/reference.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/stats.h"
#include "os/os.h"
#include "run/cycle.h"

#define GROUP_CYCLES 16
#define GROUPS_LEAST 3
#define GROUPS_MOST  255

void reference_open(struct reference *reference)
{
    char block[REFERENCE_BYTES];
    int fd;

    reference->fd = os_open_memory_file(reference->path, sizeof(reference->path));
    if (reference->fd < 0)
        return;
    memset(block, 1, sizeof(block));
    fd = open(reference->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || pwrite(reference->fd, block, sizeof(block), 0) != (ssize_t)sizeof(block))
        reference_close(reference);
    if (fd >= 0)
        close(fd);
}

void reference_close(struct reference *reference)
{
    if (reference->fd >= 0)
        close(reference->fd);
    reference->fd = -1;
}

/* Returns 0 or -1. */
static int run_group(const struct reference *reference)
{
    char block[REFERENCE_BYTES];

    for (int i = 0; i < GROUP_CYCLES; i++) {
        const int fd = open(reference->path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return -1;
        const ssize_t got = pread(fd, block, sizeof(block), 0);
        close(fd);
        if (got != (ssize_t)sizeof(block))
            return -1;
    }
    return 0;
}

double reference_measure(const struct reference *reference, const struct clock *clock,
                         uint64_t budget_ns)
{
    double group_ns[GROUPS_MOST];
    const uint64_t begin_ns = clock_now(clock);
    uint64_t before_ns = begin_ns;
    size_t n = 0;

    if (reference->fd < 0)
        return -1;
    while (n < GROUPS_MOST && (n < GROUPS_LEAST || before_ns - begin_ns < budget_ns)) {
        uint64_t now_ns;
        if (run_group(reference) < 0)
            return -1;
        now_ns = clock_now(clock);
        group_ns[n++] = (double)(now_ns - before_ns) / GROUP_CYCLES;
        before_ns = now_ns;
    }
    stats_sort(group_ns, n);
    return stats_median(group_ns, n);
}

double reference_loop_ns(const struct clock *clock)
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
