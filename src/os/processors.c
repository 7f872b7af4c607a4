/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* processors.c - see processors.h. Kernels count idle time and a process's CPU time exactly, but
 * only sample at each tick what else uses a processor. So the use by others is computed as the
 * remainder: elapsed time minus idle, own and kernel time. The sums are linear in the snapshots, so
 * rounding to ticks does not accumulate. */
#include "base/compat.h"

#include "os/processors.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

/* Tolerances: idle times may decrease by BACK_NS, other times not at all; the times of a processor
 * may differ from the elapsed time by SUM_OFF_NS and a tenth. */
#define BACK_NS      INT64_C(100000000)
#define SUM_OFF_NS   INT64_C(40000000)
#define SUM_OFF_PART 10
#define LEAST_NS     INT64_C(100000000)

enum spent { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

static bool is_allowed(const struct processors *look, uint64_t number)
{
    return !look->allowed || (number < look->allowed_count && look->allowed[number]);
}

void processors_take(struct processors *look, const struct processor *processor)
{
    if (!is_allowed(look, processor->number))
        return;
    look->each = mem_grow(look->each, &look->capacity, look->count + 1, sizeof(*look->each));
    look->each[look->count++] = *processor;
}

bool processors_take_line(struct processors *look, const char *line, uint64_t tick_ns)
{
    int64_t time_ns[COLUMNS] = {0};
    uint64_t number, ticks;
    unsigned count = 0;

    if (strncmp(line, "cpu", 3) != 0)
        return false;
    line += 3;
    if (!number_take(&line, &number)) /* the sum of all, or a line without times */
        return true;
    for (; count < COLUMNS; count++) {
        line += strspn(line, " \t");
        if (!number_take(&line, &ticks) || ticks > INT64_MAX / COLUMNS / tick_ns)
            break;
        time_ns[count] = (int64_t)(ticks * tick_ns);
    }
    if (count > IDLE)
        processors_take(look, &(struct processor){
                                  .number = number,
                                  .busy_ns = time_ns[USER] + time_ns[NICE] + time_ns[SYSTEM],
                                  .idle_ns = time_ns[IDLE] + time_ns[IOWAIT],
                                  .interrupts_ns = time_ns[IRQ] + time_ns[SOFTIRQ],
                                  .steal_ns = time_ns[STEAL],
                              });
    return true;
}

void processors_take_thread(struct processors *look, uint64_t id, uint64_t cpu_ns)
{
    look->thread = mem_grow(look->thread, &look->thread_capacity, look->thread_count + 1,
                            sizeof(*look->thread));
    look->thread[look->thread_count++] =
        (struct processor){.number = id, .busy_ns = (int64_t)cpu_ns};
}

void processors_free(struct processors *look)
{
    free(look->each);
    free(look->allowed);
    free(look->thread);
    *look = (struct processors){.count = 0};
}

/* --- between two snapshots ------------------------------------------------------------------ */

/* Finds a processor or thread by number, starting at *from, which is set to the place of the next
 * one; NULL: not found. */
static const struct processor *find_number(const struct processor *each, size_t count,
                                           uint64_t number, size_t *from)
{
    for (size_t i = 0; i < count; i++) {
        const size_t at = (*from + i) % count;
        if (each[at].number != number)
            continue;
        *from = at + 1;
        return &each[at];
    }
    return NULL;
}

/* A processor whose counters are all 0 is not counted. */
static bool is_counted(const struct processor *processor)
{
    return processor->busy_ns + processor->idle_ns + processor->interrupts_ns > 0;
}

static bool add_processor(struct processors_sum *sum, const struct processor *before,
                          const struct processor *after, int64_t elapsed_ns)
{
    const int64_t busy_ns = after->busy_ns - before->busy_ns,
                  idle_ns = after->idle_ns - before->idle_ns,
                  interrupts_ns = after->interrupts_ns - before->interrupts_ns,
                  steal_ns = after->steal_ns - before->steal_ns;
    const int64_t off_ns = elapsed_ns / SUM_OFF_PART + SUM_OFF_NS;
    int64_t all_ns = busy_ns + idle_ns + interrupts_ns + steal_ns;

    if (!is_counted(after) || busy_ns < 0 || interrupts_ns < 0 || steal_ns < 0 ||
        idle_ns < -BACK_NS || all_ns > elapsed_ns + off_ns)
        return false;
    if (all_ns >= elapsed_ns - off_ns) /* else it was offline for a while */
        all_ns = elapsed_ns;
    sum->all_ns += all_ns;
    sum->idle_ns += idle_ns;
    sum->interrupts_ns += interrupts_ns;
    sum->steal_ns += steal_ns;
    return true;
}

/* New threads count with all their time; that of ended threads is lost. */
static int64_t threads_between(const struct processors *before, const struct processors *after)
{
    int64_t used_ns = 0;

    for (size_t i = 0, from = 0; i < after->thread_count; i++) {
        const struct processor *thread = &after->thread[i];
        const struct processor *old =
            find_number(before->thread, before->thread_count, thread->number, &from);
        const int64_t old_ns = old ? old->busy_ns : 0;

        if (thread->busy_ns > old_ns)
            used_ns += thread->busy_ns - old_ns;
    }
    return used_ns;
}

void processors_add(struct processors_sum *sum, const struct processors *before,
                    const struct processors *after)
{
    const int64_t elapsed_ns = (int64_t)number_minus(after->time_ns, before->time_ns);
    size_t count = 0;

    for (size_t i = 0, from = 0; i < after->count; i++) {
        const struct processor *old =
            find_number(before->each, before->count, after->each[i].number, &from);
        count += old && add_processor(sum, old, &after->each[i], elapsed_ns);
    }
    if (count == 0)
        return;
    sum->count = count > sum->count ? count : sum->count;
    sum->own_ns += (int64_t)number_minus(after->own_ns, before->own_ns);
    if (before->threads_known && after->threads_known)
        sum->threads_ns += threads_between(before, after);
    else
        sum->threads_unknown = true;
}

/* --- shares --------------------------------------------------------------------------------- */

static double share_of(double part_ns, double all_ns)
{
    return part_ns <= 0 ? 0 : part_ns >= all_ns ? 1 : part_ns / all_ns;
}

void processors_share(const struct processors_sum *sum, struct processor_shares *shares)
{
    const double all_ns = (double)sum->all_ns;
    const int64_t kernel_ns = sum->interrupts_ns + sum->threads_ns;

    *shares = (struct processor_shares){.own = -1, .others = -1, .kernel = -1, .steal = -1};
    if (sum->count == 0 || sum->all_ns < LEAST_NS)
        return;
    shares->count = (unsigned)sum->count;
    shares->own = share_of((double)sum->own_ns, all_ns);
    shares->others = share_of(
        (double)(sum->all_ns - sum->idle_ns - sum->steal_ns - sum->own_ns - kernel_ns), all_ns);
    if (!sum->threads_unknown)
        shares->kernel = share_of((double)kernel_ns, all_ns);
    shares->steal = share_of((double)sum->steal_ns, all_ns);
}
