/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.c - slices of one row.  A slice is a number of cycles between two clock readings; its time
 * per operation is one value of the row's statistics. */
#include "base/compat.h"

#include "run/row.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/requests.h"
#include "run/slice.h"
#include "run/traffic.h"

#define CALIBRATE_SHARE 10 /* calibration ends with a slice of 1/10 of the wanted time */
#define RATE_LATENCIES  50 /* with a schedule a slice lasts so many latencies ... */
#define RATE_SLICE_NS   UINT64_C(200000000) /* ... but no longer */
#define SLICE_OVERRUN   4  /* a slice is cut at so many times its expected length */
#define LOOK_SHARE      20 /* looking at the page cache may take 1/20 of the time */

static void hex(char *text, const uint8_t *bytes, uint32_t count)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < count && i < STORE_SHOWN_BYTES; i++)
        snprintf(text + 3 * i - (i > 0), 4, i ? " %02x" : "%02x", bytes[i]);
}

/* The object of a number, for showing it; escaped when it is put into a line. */
static const char *object_name(const struct store *store, uint32_t object, char *text, size_t room)
{
    if (!store->name)
        return store->label;
    snprintf(text, room, "%s%s", store->name_root ? store->name_root : "", store->name[object]);
    return text;
}

static void note_wrong(struct measure *m, const struct cell *cell, const struct tally *tally)
{
    const struct store_mismatch *first = &tally->wrong_first;
    const struct store *store = cell->work.store;
    char whole[320], name[320], expected[3 * STORE_SHOWN_BYTES + 1],
        found[3 * STORE_SHOWN_BYTES + 1];

    m->outcome->wrong += tally->wrong;
    if (!tally->wrong || m->outcome->first_wrong[0])
        return;
    hex(expected, first->expected, first->shown);
    hex(found, first->found, first->shown);
    error_printable(object_name(store, tally->wrong_object, whole, sizeof whole), name,
                    sizeof name);
    if (first->ended)
        snprintf(m->outcome->first_wrong, sizeof m->outcome->first_wrong,
                 "%s ends at offset %" PRIu64 ": the data from there on are missing", name,
                 first->offset_bytes);
    else
        snprintf(m->outcome->first_wrong, sizeof m->outcome->first_wrong,
                 "%s at offset %" PRIu64 ": expected %s, found %s", name, first->offset_bytes,
                 expected, found);
}

static void note_failure(struct measure *m, const struct cell *cell, const struct tally *tally,
                         const char *told)
{
    static const char *const words[PHASE_COUNT] = {"cannot open", "cannot seek in", NULL,
                                                   "cannot close"};
    const char *action = words[tally->first_phase];
    const struct store *store = cell->work.store;
    struct error error = ERROR_INIT;
    char name[320];

    m->outcome->failed += tally->failed;
    if (!tally->first_errno || m->outcome->first_failure[0])
        return;
    if (told[0]) {
        snprintf(m->outcome->first_failure, sizeof m->outcome->first_failure, "%s", told);
        return;
    }
    if (!action)
        action = test_writes(cell->work.test) ? "cannot write" : "cannot read";
    error_set(&error, STATUS_PARTIAL, tally->first_errno, action,
              object_name(store, tally->first_object, name, sizeof name));
    if (tally->first_phase == PHASE_TRANSFER)
        error_at(&error, tally->first_offset_bytes);
    error_format(&error, m->outcome->first_failure, sizeof m->outcome->first_failure);
}

static uint64_t slice_seed(const struct measure *m, const struct cell *cell, unsigned round)
{
    uint64_t state = m->settings->seed ^ ((uint64_t)cell->index << 32 | round);
    return rng_splitmix(&state);
}

/* Looks whether the objects are still what they were; if not, nothing more is measured. */
static int guard(struct measure *m, const struct cell *cell)
{
    struct store *store = m->stores[cell->target];

    if (!store->driver->guard || (cell->engine->capabilities & ENGINE_VIRTUAL) ||
        store->driver->guard(store, cell->work.object_first, cell->work.object_count, m->err) == 0)
        return 0;
    m->broken = true;
    return -1;
}

/* Runs cycles of a row into m->slice_tally. */
static int take_slice(struct measure *m, struct row *row, uint64_t cycles, unsigned round,
                      uint64_t duration_ns, struct slice_result *result)
{
    const struct cell *cell = row->result.cell;
    const struct slice what = {.cell = cell,
                               .cycles = cycles,
                               .deadline_ns = m->part_end_ns,
                               .give_up_ns = m->give_up_ns,
                               .duration_ns = duration_ns,
                               .seed = slice_seed(m, cell, round)};

    tally_reset(m->slice_tally);
    if (guard(m, cell) < 0)
        return -1;
    if (worker_run(m->pool, &what, m->slice_tally, result, m->err) < 0) {
        if (cell->work.store->remote && measure_exhausted(m))
            return -1;
        /* What was measured before is worth printing: not the target as a whole is unusable. */
        if (m->measured && m->err->status == STATUS_TARGET)
            m->err->status = STATUS_PARTIAL;
        m->broken = true;
        return -1;
    }
    m->measured = true;
    if ((test_changes(cell->work.test) || m->slice_tally->failed) && guard(m, cell) < 0)
        return -1; /* what was measured may be that of another file */
    note_failure(m, cell, m->slice_tally, result->first_failure);
    note_wrong(m, cell, m->slice_tally);
    if (result->gave_up)
        m->gave_up = true;
    if (m->slice_tally->refused)
        m->exhausted = true;
    return 0;
}

/* A schedule decides how many operations are in flight, not the depth. */
static uint64_t least_cycles(const struct measure *m, const struct cell *cell)
{
    return m->settings->rate ? SLICE_CYCLES_MIN : slice_least_cycles(cell);
}

/* With a schedule, what is late at the end of a slice must be little against its length. */
static uint64_t wanted_slice_ns(const struct measure *m, const struct row *row)
{
    const struct tally *tally = &row->result.tally;
    uint64_t ns = slice_wanted_ns(row->result.cell);

    if (m->settings->rate && tally->operations) {
        const uint64_t wanted_ns = tally->sum_ns / tally->operations * RATE_LATENCIES;
        if (wanted_ns > ns)
            ns = wanted_ns < RATE_SLICE_NS ? wanted_ns : RATE_SLICE_NS;
    }
    return ns;
}

/* How many cycles fill a slice when one takes so long.  Looked at anew after each round: a first
 * guess made in a bad moment does not stay. */
static void size_slices(const struct measure *m, struct row *row, double per_cycle_ns)
{
    const uint64_t fill = (uint64_t)((double)wanted_slice_ns(m, row) / per_cycle_ns);
    const uint64_t min = least_cycles(m, row->result.cell);

    row->slice_cycles = fill > min ? fill : min;
    row->slice_expect_ns = (uint64_t)(per_cycle_ns * (double)row->slice_cycles);
}

void row_calibrate(struct measure *m, struct row *row)
{
    const struct cell *cell = row->result.cell;
    uint64_t cycles = least_cycles(m, cell);

    for (;;) {
        struct slice_result result;
        if (measure_ended(m) || take_slice(m, row, cycles, 0, 0, &result) < 0)
            return;
        row->result.tally.failed += m->slice_tally->failed;
        row->result.tally.short_count += m->slice_tally->short_count;
        row->result.tally.wrong += m->slice_tally->wrong;
        if (!result.time_ns || !result.operations) { /* all failed: keep the slices small */
            row->slice_cycles = cycles;
            row->slice_expect_ns = SLICE_NS;
            return;
        }
        if (result.time_ns >= SLICE_NS / CALIBRATE_SHARE || result.cycles < cycles ||
            cycles > UINT64_MAX / 64) {
            size_slices(m, row, (double)result.time_ns / (double)result.operations);
            return;
        }
        cycles *= 4;
    }
}

unsigned row_fixed_rounds(const struct settings *settings, const struct cell *cell)
{
    const uint64_t most = settings->repetitions / slice_least_cycles(cell);

    if (most < 1)
        return 1;
    return (unsigned)(settings->rounds_min < most ? settings->rounds_min : most);
}

static uint64_t cycles_of_round(const struct measure *m, const struct row *row, unsigned round)
{
    const struct settings *settings = m->settings;
    const uint64_t rounds = row_fixed_rounds(settings, row->result.cell), n = settings->repetitions;

    if (!n)
        return row->slice_cycles;
    return n / rounds + (round - 1 < n % rounds ? 1 : 0);
}

/* How much of the target is in the page cache right now.  Of large files in memory this takes time:
 * then not every slice is looked at. */
static void see_resident(struct measure *m, const struct cell *cell, struct row_resident *seen)
{
    const struct store *store = cell->work.store;
    const uint64_t begin_ns = clock_now(m->clock);
    double share;

    if (!store->driver->resident || (cell->engine->capabilities & ENGINE_VIRTUAL) ||
        (seen->count && m->looked_ns > (begin_ns - m->begin_ns) / LOOK_SHARE))
        return;
    share = store->driver->resident(m->stores[cell->target]);
    m->looked_ns += clock_now(m->clock) - begin_ns;
    if (share < 0)
        return;
    seen->sum += share;
    seen->count++;
}

void row_settle_resident(struct row *row)
{
    struct result *result = &row->result;

    if (row->before.count)
        result->resident_before_fraction = row->before.sum / row->before.count;
    if (row->after.count)
        result->resident_fraction = row->after.sum / row->after.count;
}

static void keep_round(struct row *row, double ns)
{
    struct result *result = &row->result;

    if ((result->rounds & (result->rounds - 1)) == 0) /* 0 and the powers of two: double it */
        result->round_ns = mem_realloc_array(
            result->round_ns, result->rounds ? 2 * (size_t)result->rounds : 1, sizeof(double));
    result->round_ns[result->rounds++] = ns;
}

void row_measure(struct measure *m, struct row *row, unsigned round)
{
    const struct settings *settings = m->settings;
    struct result *out = &row->result;
    struct slice_result result;
    uint64_t begin_ns, duration_ns = 0;
    struct store_traffic before;
    bool counted;

    see_resident(m, out->cell, &row->before);
    begin_ns = clock_now(m->clock);
    if (!settings->repetitions)
        duration_ns =
            SLICE_OVERRUN * (row->slice_expect_ns > SLICE_NS ? row->slice_expect_ns : SLICE_NS);
    counted = traffic_begin(out, &before);
    if (take_slice(m, row, cycles_of_round(m, row, round), round, duration_ns, &result) < 0)
        return;
    if (counted)
        traffic_end(out, &before);
    row->spent_ns += clock_now(m->clock) - begin_ns;
    see_resident(m, out->cell, &row->after);
    tally_merge(&out->tally, m->slice_tally);
    out->time_ns += result.time_ns;
    out->cpu_ns += result.cpu_ns;
    out->helper_cpu_ns += result.helper_cpu_ns;
    if (result.has_requests) {
        out->has_requests = true;
        requests_add(&out->requests, &result.requests);
        out->protocol = result.protocol;
        out->connection = result.connection;
        out->payload = result.payload;
    }
    out->helpers_asked = out->helpers_asked || result.helpers_asked;
    out->plain_buffers = out->plain_buffers || result.plain_buffers;
    out->wanted_ns += result.wanted_ns;
    out->behind_ns += result.behind_ns;
    out->device_bytes += result.device_bytes;
    out->device_known = out->device_known && result.io_known;
    row->load.cycles += result.cycles;
    row->load.fewest += result.fewest;
    row->load.most += result.most;
    if (!result.operations)
        return;
    keep_round(row, (double)result.time_ns / (double)result.operations);
    size_slices(m, row, (double)out->time_ns / (double)out->tally.operations);
}
