/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slots.c - slices with many slots on scripted servers and a fake clock. Prints the count and time
 * of each cell; slots.py computes the same from the script alone.
 *
 * Slots are those of one thread with an asynchronous engine, or threads. Threads run one at a time
 * in the order of simulated time: each waits in its operation until no other one has anything to do
 * before its end. */
#include "base/compat.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/sweep.h"
#include "run/worker.h"
#include "unit/fake.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of hooks */

#define MS        UINT64_C(1000000)
#define BASE_NS   (25 * MS) /* mean of operations, which take from half of it to 1.5 times */
#define RUN_NS    (1000 * MS)
#define P99_NS    (100 * MS) /* p99 that the row is given */
#define SLOTS_MAX 64

enum server_kind { OWN, FIFO, SHARED, ONE_STALLS, SERVER_KINDS };

struct script {
    enum server_kind kind;
    uint32_t slots;
    uint64_t stall_at_ns, stall_ns;
    uint64_t every, factor; /* every n-th operation takes `factor` times as long */
};

/* --- the server --- */

static struct {
    struct script script;
    uint64_t now_ns, free_ns, seen_ns, drawn, seed;
    struct place {
        bool busy;
        uint64_t end_ns, left_ns; /* with SHARED: the remaining work */
    } place[SLOTS_MAX];
} server;

/* When work that begins then is done: no work is done during the stall. */
static uint64_t done_ns(uint64_t begin_ns, uint64_t work_ns, bool stalls)
{
    const uint64_t from_ns = server.script.stall_at_ns, to_ns = from_ns + server.script.stall_ns;
    const uint64_t end_ns = begin_ns + work_ns;

    if (!stalls || begin_ns >= to_ns || end_ns <= from_ns)
        return end_ns;
    return end_ns + to_ns - (begin_ns > from_ns ? begin_ns : from_ns);
}

static uint64_t draw(void)
{
    uint64_t work_ns;

    server.seed = server.seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    work_ns = BASE_NS / 2 + (server.seed >> 33) % BASE_NS;
    server.drawn++;
    return server.script.every && server.drawn % server.script.every == 0
               ? work_ns * server.script.factor
               : work_ns;
}

static uint64_t busy_places(void)
{
    uint64_t busy = 0;

    for (uint32_t i = 0; i < server.script.slots; i++)
        busy += server.place[i].busy;
    return busy;
}

/* SHARED: all busy places progress equally. */
static void get_on(uint64_t now_ns)
{
    const uint64_t from_ns = server.script.stall_at_ns, to_ns = from_ns + server.script.stall_ns;
    const uint64_t low_ns = server.seen_ns > from_ns ? server.seen_ns : from_ns;
    const uint64_t high_ns = now_ns < to_ns ? now_ns : to_ns, busy = busy_places();
    const uint64_t spent_ns = now_ns - server.seen_ns - (high_ns > low_ns ? high_ns - low_ns : 0);

    for (uint32_t i = 0; busy && i < server.script.slots; i++) {
        struct place *place = &server.place[i];
        const uint64_t share_ns = spent_ns / busy;
        place->left_ns -= share_ns < place->left_ns ? share_ns : place->left_ns;
    }
    server.seen_ns = now_ns;
}

static void serve(uint32_t slot)
{
    struct place *place = &server.place[slot];
    const enum server_kind kind = server.script.kind;
    const uint64_t work_ns = draw();

    if (kind == SHARED)
        get_on(server.now_ns);
    place->busy = true;
    if (kind == SHARED) {
        place->left_ns = work_ns / server.script.slots;
    } else if (kind == FIFO) {
        const uint64_t begin_ns = server.free_ns > server.now_ns ? server.free_ns : server.now_ns;
        place->end_ns = done_ns(begin_ns, work_ns / server.script.slots, true);
        server.free_ns = place->end_ns;
    } else {
        place->end_ns = done_ns(server.now_ns, work_ns, kind == OWN || slot == 0);
    }
}

/* Advances to the next end. Returns its slot; SLOTS_MAX: none is being served. */
static uint32_t next_end(void)
{
    const bool shared = server.script.kind == SHARED;
    const uint64_t busy = busy_places();
    uint32_t next = SLOTS_MAX;
    uint64_t least_ns = UINT64_MAX;

    for (uint32_t i = 0; i < server.script.slots; i++) {
        const struct place *place = &server.place[i];
        const uint64_t ns = shared ? place->left_ns : place->end_ns;
        if (place->busy && ns < least_ns) {
            least_ns = ns;
            next = i;
        }
    }
    if (next == SLOTS_MAX)
        return next;
    if (shared) {
        least_ns = done_ns(server.seen_ns, least_ns * busy, true);
        get_on(least_ns);
    }
    server.place[next].busy = false;
    server.now_ns = least_ns;
    return next;
}

static uint64_t read_clock(void *arg)
{
    return server.now_ns;
}

static const struct clock script_clock = {.now_ns = read_clock};

/* --- threads --- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake[SLOTS_MAX];
    bool waits[SLOTS_MAX], arrives[SLOTS_MAX], began[SLOTS_MAX];
    uint32_t running;
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* When all threads wait, lets the next one run; the lock is held. */
static void let_go(void)
{
    uint32_t next;

    if (threads.running)
        return;
    for (uint32_t i = 0; i < server.script.slots; i++)
        if (threads.arrives[i]) {
            threads.arrives[i] = false;
            serve(i);
        }
    next = next_end();
    if (next == SLOTS_MAX)
        return;
    threads.running = 1;
    threads.waits[next] = false;
    pthread_cond_signal(&threads.wake[next]);
}

static int64_t move(void *ctx, struct io *io)
{
    const uint32_t slot = *(const uint32_t *)ctx;

    pthread_mutex_lock(&threads.lock);
    threads.waits[slot] = threads.arrives[slot] = true;
    threads.running--;
    let_go();
    while (threads.waits[slot])
        pthread_cond_wait(&threads.wake[slot], &threads.lock);
    pthread_mutex_unlock(&threads.lock);
    return 512;
}

/* Called before the first operation and after the thread's last one. */
static void report(void *ctx, struct engine_report *told)
{
    const uint32_t slot = *(const uint32_t *)ctx;

    pthread_mutex_lock(&threads.lock);
    if (threads.began[slot]) {
        threads.running--;
        let_go();
    }
    threads.began[slot] = true;
    pthread_mutex_unlock(&threads.lock);
}

static int set_up(const struct workload *work, const struct engine_thread *thread, void **ctx,
                  struct error *err)
{
    static uint32_t index[SLOTS_MAX];

    index[thread->index] = thread->index;
    *ctx = &index[thread->index];
    return 0;
}

static void tear_down(void *ctx) {}

/* --- one thread with a queue --- */

static int64_t queue(void *ctx, const struct async_op *op)
{
    serve(op->slot);
    return ASYNC_PENDING;
}

static int reap(void *ctx, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    const uint32_t slot = next_end();

    if (slot == SLOTS_MAX)
        return 0;
    events[0] = (struct async_event){.slot = slot, .result = 512};
    return 1;
}

static const struct engine_async ring = {
    .depth_max = SLOTS_MAX, .read = queue, .write = queue, .reap = reap};
static const struct engine engines[] = {
    {.name = "ring",
     .phases = 1u << PHASE_TRANSFER,
     .setup = set_up,
     .teardown = tear_down,
     .async = &ring},
    {.name = "threads",
     .phases = 1u << PHASE_TRANSFER,
     .setup = set_up,
     .teardown = tear_down,
     .report = report,
     .read = move,
     .write = move},
};

/* --- cells --- */

static void run(const struct script *script, bool queued, bool writes)
{
    static const volatile int stop;
    static uint64_t lengths[8];
    struct target target = fake_target(lengths, 8, 65536);
    const struct settings settings = {.seed = 1};
    const struct plan plan = {.threads_max = queued ? 1 : script->slots,
                              .depth_max = queued ? script->slots : 1,
                              .call_bytes_max = 512,
                              .buffer_bytes_max = UINT64_C(512) * SLOTS_MAX,
                              .memory_align_max_bytes = 4096};
    const struct sweep sweep = {
        .settings = &settings, .plan = &plan, .clock = &script_clock, .stop = &stop};
    const struct cell cell = {.engine = &engines[!queued],
                              .threads = plan.threads_max,
                              .align_bytes = 512,
                              .work = {.target = &target,
                                       .size_bytes = 512,
                                       .io_bytes = 512,
                                       .slot_bytes = 512,
                                       .object_count = 8,
                                       .depth = plan.depth_max,
                                       .test = writes ? TEST_WRITE : TEST_READ}};
    const struct slice slice = {.cell = &cell,
                                .plan.cycles = UINT64_MAX,
                                .plan.deadline_ns = UINT64_MAX,
                                .plan.duration_ns = RUN_NS,
                                .plan.clocks = true,
                                .plan.p99_ns = P99_NS};
    struct slice_sum *sum = mem_calloc(1, sizeof(*sum));
    struct worker_pool *pool;
    struct error err = ERROR_INIT;

    memset(&server, 0, sizeof(server));
    server.script = *script;
    server.seed = script->slots + script->every;
    threads.running = script->slots;
    memset(threads.began, 0, sizeof(threads.began));
    if (worker_pool_create(&pool, &sweep, NULL, &err) < 0 ||
        worker_run(pool, &slice, sum, &err) < 0)
        exit(1);
    worker_pool_destroy(pool);
    printf("%d %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s: %" PRIu64 " %" PRIu64 " %u%s\n",
           (int)script->kind, script->slots, script->stall_at_ns / MS, script->stall_ns / MS,
           script->every, queued ? "queue" : "threads", writes ? "writes" : "reads",
           sum->tally.operations, sum->slot_ns, sum->slots,
           sum->tally.sum_ns == sum->slot_ns ? "" : " and latencies of another time");
    free(sum);
}

int main(void)
{
    static const struct {
        uint64_t at_ms, ms, every, factor;
    } troubles[] = {{0, 0, 0, 0},      {0, 1000, 0, 0},   {0, 4000, 0, 0},   {500, 1000, 0, 0},
                    {500, 4000, 0, 0}, {995, 1000, 0, 0}, {995, 4000, 0, 0}, {1015, 4000, 0, 0},
                    {0, 0, 50, 20},    {0, 0, 1000, 500}};
    static const uint32_t slots[] = {1, 4, 16, 64, 4, 16};

    for (uint32_t i = 0; i < SLOTS_MAX; i++)
        pthread_cond_init(&threads.wake[i], NULL);
    for (int kind = 0; kind < SERVER_KINDS; kind++)
        for (size_t t = 0; t < sizeof(troubles) / sizeof(*troubles); t++)
            for (size_t s = 0; s < sizeof(slots) / sizeof(*slots); s++) {
                const struct script script = {.kind = (enum server_kind)kind,
                                              .slots = slots[s],
                                              .stall_at_ns = troubles[t].at_ms * MS,
                                              .stall_ns = troubles[t].ms * MS,
                                              .every = troubles[t].every,
                                              .factor = troubles[t].factor};
                run(&script, s < 4, false);
                run(&script, s < 4, true);
            }
    return 0;
}
