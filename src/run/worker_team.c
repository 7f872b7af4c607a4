/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_team.c - a slice of a team: its threads begin at the moment that all ranks have agreed on,
 * and tell when they ran. */
#include "base/compat.h"

#include "run/worker_pool.h"

#include "run/team.h"

/* Waking up takes some 50 us, now and then more: the end of the wait is not slept. */
#define AWAKE_NS UINT64_C(120000)

void worker_meet_team(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    struct team *team = pool->slice->team;

    if (worker->index == 0) {
        const bool ready = !pool->slice->unready && !atomic_load(&pool->broken);
        uint64_t at_ns = 0;
        if (team->start(team, ready, pool->slice->in_ns, &at_ns) < 0 || !at_ns) {
            pool->called_off = ready;
            atomic_store(&pool->broken, true);
        }
        atomic_store(&pool->began_ns, at_ns);
    }
    pthread_barrier_wait(&pool->barrier);
}

void worker_wait_for_moment(struct worker *worker)
{
    const struct worker_pool *pool = worker->pool;
    const uint64_t at_ns = atomic_load(&pool->began_ns);

    for (;;) {
        const uint64_t now_ns = worker->arrived_ns = clock_now(pool->clock);
        if (now_ns >= at_ns)
            return;
        if (at_ns - now_ns > AWAKE_NS && pool->clock == &clock_monotonic)
            clock_rest(at_ns - now_ns - AWAKE_NS);
    }
}

static uint64_t less(uint64_t whole_ns, uint64_t part_ns)
{
    return whole_ns > part_ns ? whole_ns - part_ns : 0;
}

void worker_tell_times(const struct worker_pool *pool, uint32_t threads)
{
    struct slice_times *times = pool->slice->times;

    *times = (struct slice_times){.at_ns = atomic_load(&pool->began_ns), .began_ns = UINT64_MAX};
    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];
        const uint64_t end_ns = pool->slice->batches ? worker->window.end_ns : worker->end_ns;
        const uint64_t busy_ns = less(end_ns, worker->sum.tally.excluded_ns);

        if (worker->arrived_ns < times->began_ns)
            times->began_ns = worker->arrived_ns;
        if (end_ns > times->ended_ns)
            times->ended_ns = end_ns;
        if (busy_ns > times->busy_ns)
            times->busy_ns = busy_ns;
    }
}
