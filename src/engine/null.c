/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null.c - the engine that does nothing: a sweep with it shows the cost of iosweep itself, the
 * floor under every other row. With null.delay operations take known times, with null.fail they
 * fail on schedule, so that scripts can be tried, and figures checked, without storage.
 *
 * It is also the example of an engine, both synchronous and asynchronous: at depth 1 it waits for
 * each operation, above that it has `depth` of them in flight. Read engine.h, then this. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/null_delay.h"
#include "os/os.h"

#define NULL_DEPTH_MAX 4096u
#define SPIN_NS        UINT64_C(50000)    /* shorter waits spin, since waking up takes as long */
#define LONG_NS        UINT64_C(10000000) /* in flight: longer ones may end one wake-up late */
#define LOOK_NS        UINT64_C(50000000) /* longest wait between checks of the stop flag */
#define STREAM_NULL    UINT64_C(0x6e756c6c)
#define WORD_BYTES     64u
#define COUNT_MOST     UINT64_C(1000000)

/* ---- delays ---- */

static int refuse_delay(struct error *err, const char *word)
{
    return error_refuse(err, STATUS_USAGE, "not a valid delay:", word,
                        "give 61us or mix:35x0,5x3ms");
}

/* "35x3ms".  Unlike units_parse_duration this accepts 0 as a time. */
static int parse_kind(char *word, struct null_delay *delay, struct error *err)
{
    char *times = strchr(word, 'x');
    uint64_t *ns = &delay->ns[delay->kinds], *share = &delay->share[delay->kinds];

    if (!times)
        return refuse_delay(err, word);
    *times = '\0';
    if (units_parse_count(word, 1, COUNT_MOST, share, err) < 0 ||
        (strcmp(times + 1, "0") != 0 && units_parse_duration(times + 1, ns, err) < 0))
        return -1;
    delay->cycle += *share;
    delay->kinds++;
    return 0;
}

static int parse_mix(const char *word, struct null_delay *delay, struct error *err)
{
    const char *rest = word, *part;
    size_t length;

    while (text_word(&rest, ",", &part, &length)) {
        char text[WORD_BYTES];

        if (length >= sizeof(text))
            return refuse_delay(err, word);
        if (delay->kinds == NULL_DELAY_KINDS)
            return error_refuse(err, STATUS_USAGE, "too many kinds of operations:", word,
                                "the limit is %u", NULL_DELAY_KINDS);
        snprintf(text, sizeof(text), "%.*s", (int)length, part);
        if (parse_kind(text, delay, err) < 0)
            return -1;
    }
    return 0;
}

int null_delay_parse(const char *word, struct null_delay *delay, struct error *err)
{
    struct null_delay parsed = {.kinds = 0};

    if (strncmp(word, "mix:", 4) == 0) {
        if (parse_mix(word + 4, &parsed, err) < 0)
            return -1;
    } else {
        parsed.kinds = 1;
        if (units_parse_duration(word, &parsed.ns[0], err) < 0)
            return -1;
    }
    for (unsigned i = 0; i < parsed.kinds; i++) {
        parsed.longest_ns = number_most(parsed.longest_ns, parsed.ns[i]);
        if (parsed.ns[i] && (!parsed.shortest_ns || parsed.ns[i] < parsed.shortest_ns))
            parsed.shortest_ns = parsed.ns[i];
    }
    *delay = parsed;
    return 0;
}

void null_draw_start(struct null_draw *draw, uint64_t seed, uint64_t stream)
{
    memset(draw, 0, sizeof(*draw));
    rng_seed(&draw->rng, seed, stream);
}

/* Draws from the rest of the cycle, which is equivalent to shuffling it. */
uint64_t null_draw_next(struct null_draw *draw, const struct null_delay *delay)
{
    uint64_t card;
    unsigned kind = 0;

    if (delay->kinds < 2)
        return delay->ns[0];
    if (!draw->cycle_left) {
        memcpy(draw->left, delay->share, sizeof(draw->left));
        draw->cycle_left = delay->cycle;
    }
    card = rng_below(&draw->rng, draw->cycle_left--);
    while (card >= draw->left[kind])
        card -= draw->left[kind++];
    draw->left[kind]--;
    return delay->ns[kind];
}

bool null_wait(uint64_t until_ns, uint64_t spin_ns)
{
    const uint64_t wake_ns = until_ns > spin_ns ? until_ns - spin_ns : 0;

    if (clock_now(&clock_monotonic) < wake_ns && !clock_rest_once(wake_ns))
        return false;
    while (clock_now(&clock_monotonic) < until_ns)
        ;
    return true;
}

/* ---- the engine ---- */

struct null_options {
    const char *delay_word, *write_delay_word, *fail_word;
    struct null_delay delay, write_delay; /* write_delay: for writes, if given */
    uint64_t fail_every, fail_at;         /* per slice; per thread; 0: none */
};

struct null_flight { /* an operation in flight */
    uint64_t due_ns;
    uint32_t slot;
    bool fails;
};

/* State that a thread keeps between slices: sequences of delays continue. */
struct null_home {
    uint64_t begun;           /* operations of this thread so far */
    struct null_draw draw[2]; /* of null.delay, of null.write-delay */
};

struct null_ctx {
    int64_t io_bytes;
    bool plain; /* neither delay nor errors */
    struct null_options options;
    uint64_t until_error;
    struct null_home *home;
    /* Durations of operations; with reads_too these are for writes, and reads have their own. */
    struct null_time {
        const struct null_delay *delay;
        struct null_draw *draw;
    } time, read_time;
    const volatile int *stop; /* non-zero: stop waiting; or NULL */
    uint64_t slack_ns;        /* to be restored */
    enum async_step step;
    uint64_t spin_ns;
    /* The operations in flight, in a ring: `count` of them from head on, the first one due first */
    uint32_t count, head, mask;
    uint32_t *line;             /* their slots, if there are no delays; else ... */
    struct null_flight *flight; /* ... they themselves */
};

static int null_call_delay(void *block, const char *word, struct error *err)
{
    return null_delay_parse(word, &((struct null_options *)block)->delay, err);
}

static int null_call_write_delay(void *block, const char *word, struct error *err)
{
    return null_delay_parse(word, &((struct null_options *)block)->write_delay, err);
}

/* "every:N", "at:N", or both with a comma. */
static int null_call_fail(void *block, const char *word, struct error *err)
{
    struct null_options *options = block;
    const char *rest = word, *part;
    size_t length;

    while (text_word(&rest, ",", &part, &length)) {
        const bool every = strncmp(part, "every:", 6) == 0, at = strncmp(part, "at:", 3) == 0;
        uint64_t *n = every ? &options->fail_every : &options->fail_at;

        part += every ? 6 : 3;
        if ((!every && !at) || !number_take(&part, n) || *n == 0 || (*part && *part != ','))
            return error_refuse(err, STATUS_USAGE, "not a schedule of failures:", word,
                                "every:N or at:N, as in every:100 or every:100,at:7");
    }
    return 0;
}

#define FIELD(member) offsetof(struct null_options, member)

/* clang-format off */
static const struct option_row null_options_table[] = {
    {.name = "null.delay", .argument = "TIMES", .type = OPTION_WORD, .offset = FIELD(delay_word),
     .call = null_call_delay, .help = "as 5ms, or mix:35x0,5x3ms",
     .group = "Engines"},
    {.name = "null.write-delay", .argument = "TIMES", .type = OPTION_WORD,
     .offset = FIELD(write_delay_word), .call = null_call_write_delay,
     .help = "engine null: the same for writes [--null.delay]", .group = "Engines"},
    {.name = "null.fail", .argument = "LIST", .type = OPTION_WORD, .offset = FIELD(fail_word),
     .call = null_call_fail, .help = "engine null: every:N of a slice, at:N of a thread",
     .group = "Engines"},
    {.name = NULL},
};
/* clang-format on */

static struct null_home *null_home_of(const struct workload *work,
                                      const struct engine_thread *thread)
{
    struct null_home *home = *thread->home;

    if (home)
        return home;
    *thread->home = home = mem_calloc(1, sizeof(*home));
    for (unsigned i = 0; i < 2; i++)
        null_draw_start(&home->draw[i], work->target->request ? work->target->request->seed : 0,
                        STREAM_NULL + 2 * (uint64_t)thread->index + i);
    return home;
}

static struct null_time null_time_of(struct null_ctx *ctx, enum io_test test)
{
    const bool own = test_writes(test) && ctx->options.write_delay_word;

    return (struct null_time){own ? &ctx->options.write_delay : &ctx->options.delay,
                              &ctx->home->draw[own]};
}

static uint64_t null_longest(const struct null_options *options)
{
    return number_most(options->delay.longest_ns, options->write_delay.longest_ns);
}

/* The shortest non-zero delay. */
static uint64_t null_shortest(const struct null_options *options)
{
    const uint64_t a = options->delay.shortest_ns, b = options->write_delay.shortest_ns;

    return !a || (b && b < a) ? b : a;
}

static int null_setup(const struct workload *work, const struct engine_thread *thread,
                      void **ctx_out, struct error *err)
{
    struct null_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    (void)err;
    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->stop = work->target->request ? work->target->request->stop : NULL;
    if (work->options)
        memcpy(&ctx->options, work->options, sizeof(ctx->options));
    ctx->plain = !null_longest(&ctx->options) && !ctx->options.fail_every && !ctx->options.fail_at;
    ctx->until_error = ctx->options.fail_every;
    if (!ctx->plain) {
        ctx->home = null_home_of(work, thread);
        ctx->time = null_time_of(ctx, work->test);
        if (work->reads_too)
            ctx->read_time = null_time_of(ctx, TEST_READ);
    }
    if (null_longest(&ctx->options) > SPIN_NS)
        ctx->slack_ns = os_timer_slack(1);
    if (work->depth > 1) {
        ctx->step = test_writes(work->test) ? ASYNC_WRITE : ASYNC_READ;
        ctx->spin_ns = null_shortest(&ctx->options) > LONG_NS ? 0 : SPIN_NS;
        for (ctx->mask = 1; ctx->mask < work->depth;)
            ctx->mask *= 2;
        ctx->line = mem_calloc(ctx->mask, sizeof(*ctx->line));
        ctx->flight = mem_calloc(ctx->mask--, sizeof(*ctx->flight));
    }
    *ctx_out = ctx;
    return 0;
}

static void null_teardown(void *arg)
{
    struct null_ctx *ctx = arg;

    os_timer_slack(ctx->slack_ns);
    free(ctx->line);
    free(ctx->flight);
    free(ctx);
}

static bool null_fails(struct null_ctx *ctx)
{
    const bool chosen = ++ctx->home->begun == ctx->options.fail_at;

    if (ctx->options.fail_every && --ctx->until_error == 0) {
        ctx->until_error = ctx->options.fail_every;
        return true;
    }
    return chosen;
}

static bool null_stopped(const struct null_ctx *ctx)
{
    return ctx->stop && flag_read(ctx->stop);
}

/* Waits, for a limited while, since a signal may go to another thread. False: not over yet. */
static bool null_rest(uint64_t end_ns, uint64_t spin_ns)
{
    const uint64_t look_ns = clock_now(&clock_monotonic) + LOOK_NS;

    if (end_ns <= look_ns)
        return null_wait(end_ns, spin_ns);
    (void)clock_rest_once(look_ns);
    return false;
}

/* The only place where an engine reads a clock: time is what it simulates. */
static __attribute__((noinline)) int64_t null_slow(struct null_ctx *ctx, int64_t bytes)
{
    const uint64_t delay_ns = null_draw_next(ctx->time.draw, ctx->time.delay);

    if (delay_ns) {
        const uint64_t end_ns = clock_now(&clock_monotonic) + delay_ns;
        while (!null_rest(end_ns, SPIN_NS))
            if (null_stopped(ctx))
                return -EINTR;
    }
    return null_fails(ctx) ? -EIO : bytes;
}

/* Each piece takes the time of one call. */
static int64_t null_transfer(void *arg, struct io *io)
{
    struct null_ctx *ctx = arg;
    const int64_t bytes = (int64_t)io->bytes;

    return ctx->plain ? bytes : null_slow(ctx, bytes);
}

static int64_t null_operate(void *arg, uint32_t object)
{
    struct null_ctx *ctx = arg;
    (void)object;
    return ctx->plain ? ctx->io_bytes : null_slow(ctx, ctx->io_bytes);
}

static void null_forget(const struct workload *work, uint32_t object, uint64_t offset_bytes)
{
    (void)work;
    (void)object;
    (void)offset_bytes;
}

/* --- in flight --- */

static inline struct null_flight *null_flight_at(struct null_ctx *ctx, uint32_t place)
{
    return &ctx->flight[place & ctx->mask];
}

/* Passes those that are due later, whose delays are longer. */
static __attribute__((noinline)) void null_begin_slow(struct null_ctx *ctx,
                                                      const struct null_time *time, uint32_t slot)
{
    const uint64_t delay_ns = null_draw_next(time->draw, time->delay);
    const uint64_t due_ns = clock_now(&clock_monotonic) + delay_ns;
    uint32_t place = ctx->head + ctx->count++;

    for (; place != ctx->head && null_flight_at(ctx, place - 1)->due_ns > due_ns; place--)
        *null_flight_at(ctx, place) = *null_flight_at(ctx, place - 1);
    *null_flight_at(ctx, place) = (struct null_flight){due_ns, slot, null_fails(ctx)};
}

static inline int64_t null_begin(struct null_ctx *ctx, const struct null_time *time, uint32_t slot)
{
    if (ctx->plain)
        ctx->line[(ctx->head + ctx->count++) & ctx->mask] = slot;
    else
        null_begin_slow(ctx, time, slot);
    return ASYNC_PENDING;
}

static int64_t null_begin_own(void *arg, const struct async_op *op)
{
    struct null_ctx *ctx = arg;

    return null_begin(ctx, &ctx->time, op->slot);
}

static int64_t null_begin_read(void *arg, const struct async_op *op)
{
    struct null_ctx *ctx = arg;

    return null_begin(ctx, ctx->read_time.draw ? &ctx->read_time : &ctx->time, op->slot);
}

/* Returns operations that are due; waits for the first one, at most wait_ns. */
static int null_reap_slow(struct null_ctx *ctx, uint64_t wait_ns, struct async_event *events,
                          unsigned max)
{
    uint64_t now_ns = clock_now(&clock_monotonic), until_ns;
    unsigned n = 0;

    if (!ctx->count)
        return 0;
    until_ns = null_flight_at(ctx, ctx->head)->due_ns;
    if (until_ns > now_ns && !null_stopped(ctx)) {
        if (until_ns - now_ns > wait_ns)
            until_ns = now_ns + wait_ns;
        if (!null_rest(until_ns, ctx->spin_ns))
            return 0;
        now_ns = clock_now(&clock_monotonic);
    }
    while (n < max && n < ctx->count) {
        const struct null_flight *flight = null_flight_at(ctx, ctx->head + n);
        const bool due = flight->due_ns <= now_ns;

        if (!due && !null_stopped(ctx))
            break;
        events[n++] = (struct async_event){.slot = flight->slot,
                                           .step = ctx->step,
                                           .result = !due            ? -ECANCELED
                                                     : flight->fails ? -EIO
                                                                     : ctx->io_bytes};
    }
    ctx->head += n;
    ctx->count -= n;
    return (int)n;
}

static int null_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct null_ctx *ctx = arg;
    const unsigned n = max < ctx->count ? max : ctx->count;

    if (!ctx->plain)
        return null_reap_slow(ctx, wait_ns, events, max);
    for (unsigned i = 0; i < n; i++)
        events[i] = (struct async_event){.slot = ctx->line[(ctx->head + i) & ctx->mask],
                                         .step = ctx->step,
                                         .result = ctx->io_bytes};
    ctx->head += n;
    ctx->count -= n;
    return (int)n;
}

static const struct engine_async null_async = {
    .depth_max = NULL_DEPTH_MAX,
    .read = null_begin_read,
    .write = null_begin_own,
    .reap = null_reap,
};

const struct engine engine_null = {
    .name = "null",
    .summary = "does nothing: what iosweep itself costs",
    .libc_words = "Using no I/O at all",
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN |
                    ENGINE_KEEP_OPEN | ENGINE_VIRTUAL | ENGINE_DROPS_DATA | ENGINE_MIXES,
    .phases = 1u << PHASE_TRANSFER,
    .tests = (1u << TEST_COUNT) - 1,
    .options = null_options_table,
    .options_bytes = sizeof(struct null_options),
    .setup = null_setup,
    .teardown = null_teardown,
    .retire = free,
    .async = &null_async,
    .operate = null_operate,
    .read = null_transfer,
    .write = null_transfer,
    .rmw = null_transfer,
    .forget = null_forget,
};
