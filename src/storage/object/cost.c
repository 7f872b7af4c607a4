/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cost.c - the requests a run will need, before it starts, and those it made, at its end, because
 * object stores charge for them. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"

/* A row without a fixed number of operations has 11 rounds and a warm-up, of at least 4 operations
 * each; fewer if its time is over before. */
#define OPERATIONS_LEAST 48

static double parts_of(uint64_t size_bytes, uint64_t part_bytes)
{
    return part_bytes == 0 ? 1 : (double)((size_bytes - 1) / part_bytes + 1);
}

/* Calls of each of these verbs (bits), those of parts for each part. */
static void add_calls(struct object_cost *cost, const struct object_service *service,
                      unsigned verbs, double calls, double parts)
{
    const unsigned of_parts =
        1u << OBJECT_UPLOAD_PART | 1u << OBJECT_APPEND | 1u << OBJECT_WRITE_RANGE;

    for (enum object_verb verb = 0; verb < OBJECT_VERB_COUNT; verb++)
        if (verbs & 1u << verb)
            cost->requests += (of_parts & 1u << verb ? calls * parts : calls) *
                              object_requests_each(service, verb);
}

/* `operations` of one test and size. */
static void add_row(struct object_cost *cost, const struct object_store *store, enum io_test test,
                    uint64_t size_bytes, double operations)
{
    const struct object_service *service = store->service;
    const struct object_options *options = service->options;
    const struct object_set *set = object_set_for(store, test, size_bytes);
    const enum object_verb get = object_get_verb(set->kind);
    const double batch = (double)object_options_batch(options);
    const bool in_parts = object_options_in_parts(options, test, size_bytes);
    const uint64_t part_bytes = object_can(service, OBJECT_UPLOAD_BEGIN)
                                    ? object_options_part(options)
                                    : store->target.request->fragment_bytes;
    unsigned verbs = object_requests_of(service, in_parts ? TEST_APPEND : test);
    double calls = operations;

    switch (test) {
    case TEST_READ: /* --parallel: no range is empty */
        verbs = 1u << get;
        if (get == OBJECT_GET && options->parallel > 1)
            calls *= (double)(size_bytes < options->parallel ? size_bytes : options->parallel);
        cost->received_bytes += operations * (double)size_bytes;
        break;
    case TEST_LIST:
        calls *= parts_of(set->count, options->page);
        break;
    case TEST_RENAME: /* the few objects of the slots, renamed again and again, count as one */
        add_calls(cost, service, 1u << OBJECT_PUT, 1, 1);
        cost->sent_bytes += (double)size_bytes;
        break;
    case TEST_DELETE:
        if (!store->retires) {
            add_calls(cost, service, 1u << OBJECT_PUT, operations * batch, 1);
            cost->sent_bytes += operations * batch * (double)size_bytes;
        }
        break;
    case TEST_FILL: /* each object once, regardless of the number of operations of other tests */
        calls = store->kept ? 0 : set->count;
        /* fall through */
    case TEST_WRITE:
        if (!in_parts)
            verbs =
                1u << (set->kind == LIFE_RANGED ? OBJECT_WRITE_RANGE : object_put_verb(set->kind));
        /* fall through */
    case TEST_CREATE:
    case TEST_APPEND:
        cost->sent_bytes += calls * (double)size_bytes;
        break;
    default:
        break;
    }
    add_calls(cost, service, verbs, calls, in_parts ? parts_of(size_bytes, part_bytes) : 1);
}

static void add_fill(struct object_cost *cost, const struct object_store *store,
                     const struct object_set *set)
{
    const struct object_service *service = store->service;
    const unsigned tests = store->target.request->tests & object_tests_of(service);
    const uint64_t size_bytes = set->size_bytes;
    unsigned verbs = 1u << object_put_verb(set->kind);
    double parts = 1;
    bool wanted = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        wanted =
            wanted || ((tests & 1u << test) && object_fill_wanted(store, set, (enum io_test)test));
    if (!wanted)
        return;
    if (verbs == 1u << OBJECT_PUT && size_bytes > OBJECT_FILL_PART_BYTES) {
        parts = parts_of(size_bytes, object_fill_part(size_bytes, service->append_align_bytes));
        verbs = object_can(service, OBJECT_UPLOAD_BEGIN)
                    ? object_requests_of(service, TEST_APPEND)
                    : 1u << OBJECT_PUT |
                          (object_can(service, OBJECT_WRITE_RANGE) ? 1u << OBJECT_WRITE_RANGE
                                                                   : 1u << OBJECT_APPEND);
    }
    add_calls(cost, service, verbs, set->count, parts);
    cost->sent_bytes += set->count * (double)size_bytes;
}

void object_cost_estimate(const struct object_store *store, struct object_cost *fill,
                          struct object_cost *rows)
{
    const struct target_request *request = store->target.request;

    *fill = *rows = (struct object_cost){0};
    for (unsigned i = 0; store->target.ours && !store->kept && i < store->set_count; i++)
        add_fill(fill, store, &store->set[i]);
    for (enum io_test test = 0; test < TEST_COUNT; test++)
        for (size_t i = 0; i < request->size_count; i++) {
            const struct target_rows *row = &request->rows[test];
            uint32_t first, count;
            if (request->tests & 1u << test && (store->target.writable || !test_changes(test)) &&
                !object_sets_objects(&store->target, test, request->size_bytes[i], &first, &count))
                add_row(rows, store, test, request->size_bytes[i],
                        (double)row->operations + (double)row->open * OPERATIONS_LEAST);
        }
}

static bool is_bounded(const struct target_request *request)
{
    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (test != TEST_FILL && request->rows[test].open > 0)
            return false;
    return true;
}

int object_cost_tell(const struct object_store *store, struct error *err)
{
    const struct target *target = &store->target;
    const uint64_t most = store->service->options->max_requests;
    const bool bounded = is_bounded(target->request);
    struct object_cost fill, rows;
    char fill_text[80] = "", text[3][UNITS_TEXT], label[512];

    object_cost_estimate(store, &fill, &rows);
    if (most > 0 && fill.requests > (double)most)
        return error_refuse(err, STATUS_TARGET,
                            "--max-requests does not allow for creating the objects in",
                            target->place,
                            "%.0f requests are needed: raise it, or create less: --objects, fewer "
                            "sizes",
                            fill.requests);
    if (fill.requests > 0)
        (void)snprintf(fill_text, sizeof(fill_text), "%.0f requests to fill, %s; ", fill.requests,
                       units_format_bytes(fill.sent_bytes, text[0]));
    log_text("# %s%s %s%srows: %s%.0f requests, %s to send, %s to receive%s",
             error_printable(target->request->target, label, sizeof(label)),
             text_colon(target->request->target), target->request->ranks > 1 ? "each rank: " : "",
             fill_text, bounded ? "" : "if time allows, ", rows.requests,
             units_format_bytes(rows.sent_bytes, text[1]),
             units_format_bytes(rows.received_bytes, text[2]),
             bounded || most > 0 || !target->request->plan
                 ? ""
                 : "; limited by time alone (-n and --max-requests limit requests)");
    return 0;
}

size_t object_cost_counters(const struct target *target, uint64_t *values, bool set)
{
    struct object_service *service = object_store_of(target)->service;
    atomic_uint_least64_t *counters[OBJECT_VERB_COUNT + 2];
    size_t count = 0;

    _Static_assert(OBJECT_VERB_COUNT + 2 <= TARGET_COUNTERS, "there is room for all of them");
    for (unsigned verb = 0; verb < OBJECT_VERB_COUNT; verb++)
        counters[count++] = &service->requests[verb];
    counters[count++] = &service->sent_bytes;
    counters[count++] = &service->received_bytes;
    for (size_t i = 0; i < count; i++)
        if (set)
            atomic_store(counters[i], values[i]);
        else
            values[i] = atomic_load(counters[i]);
    return count;
}

/* "# TARGET: 1324 requests HOW (1024 PUT, 300 GET)MORE": those since the last call. */
static void tell_used(struct object_store *store, const char *how, const char *more)
{
    const char *target = store->target.request->target;
    char label[512], kinds[512] = "";
    uint64_t sum = 0;

    for (unsigned verb = 0; verb < OBJECT_VERB_COUNT; verb++) {
        const uint64_t now = atomic_load(&store->service->requests[verb]);
        const uint64_t used = now - store->told[verb];

        sum += used;
        store->told[verb] = now;
        if (used > 0)
            text_add(kinds, sizeof(kinds), ", ", "%" PRIu64 " %s", used,
                     object_verb_table[verb].counted);
    }
    log_text("# %s%s %" PRIu64 " requests%s (%s)%s", error_printable(target, label, sizeof(label)),
             text_colon(target), sum, how, kinds, more);
}

void object_cost_tell_removal(struct object_store *store)
{
    if (store->summarised)
        tell_used(
            store,
            store->target.request->ranks > 1 ? " to remove what rank 0 created" : " to remove", "");
}

void object_cost_summarise(const struct target *target)
{
    struct object_store *store = object_store_of(target);
    const struct object_service *service = store->service;
    char text[2][UNITS_TEXT], bodies[80];
    struct error ignored = ERROR_INIT;

    if (target->request->dry_run) {
        (void)object_cost_tell(store, &ignored); /* only the run itself is refused */
        return;
    }
    snprintf(bodies, sizeof(bodies), ", %s sent, %s received",
             units_format_bytes((double)atomic_load(&service->sent_bytes), text[0]),
             units_format_bytes((double)atomic_load(&service->received_bytes), text[1]));
    tell_used(store, store->made && !target->request->keep ? " before removing" : "", bodies);
    store->summarised = true;
}
