/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker_team.c - a slice of a team: its threads begin at the moment agreed on by all ranks, and
 * report when they ran. */
#include "base/compat.h"

#include "run/worker_pool.h"

#include <sched.h>

#include "base/number.h"
#include "os/os.h"
#include "run/team.h"

#define WAKE_SLACK_NS UINT64_C(1000)

void worker_meet_team(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    struct team *team = pool->slice->team;

    if (worker->index == 0) {
        const bool ready = !pool->slice->unready && !atomic_load(&pool->broken);
        uint64_t at_ns = 0;
        if (team->start(team, ready, pool->slice->plan.in_ns, &at_ns) < 0 || !at_ns) {
            pool->called_off = ready;
            atomic_store(&pool->broken, true);
        }
        atomic_store(&pool->began_ns, at_ns);
        pool->missed = at_ns && clock_now(pool->clock) > at_ns;
    }
    barrier_wait(&pool->barrier);
}

/* With more ranks than processors, the first one to begin on a processor would occupy it for some
 * ms before the next one runs: it yields once, so that all have begun. */
void worker_wait_for_moment(struct worker *worker)
{
    const struct worker_pool *pool = worker->pool;
    const uint64_t at_ns = atomic_load(&pool->began_ns);

    if (pool->clock == &clock_monotonic) {
        const uint64_t slack_ns = os_timer_slack(WAKE_SLACK_NS);
        clock_rest_until(at_ns);
        (void)os_timer_slack(slack_ns);
    }
    while ((worker->arrived_ns = clock_now(pool->clock)) < at_ns)
        continue;
    sched_yield();
}

void worker_tell_times(const struct worker_pool *pool, uint32_t threads)
{
    struct slice_times *times = pool->slice->times;

    *times = (struct slice_times){.at_ns = atomic_load(&pool->began_ns),
                                  .missed = pool->missed,
                                  .start_ns = UINT64_MAX,
                                  .began_ns = UINT64_MAX};
    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];

        if (worker->start_ns < times->start_ns)
            times->start_ns = worker->start_ns;
        if (worker->arrived_ns < times->began_ns)
            times->began_ns = worker->arrived_ns;
        if (worker->end_ns > times->ended_ns)
            times->ended_ns = worker->end_ns;
    }
}
