/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cost.c - what a run will ask of the service before it starts, and what it has asked when it
 * is over: an object store sends a bill. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

/* A row whose number of operations is not given has 11 rounds and one that warms up, of 4
 * operations each, or more; fewer where its time is over before. */
#define OPERATIONS_LEAST 48

double object_usage_requests(const struct object_usage *usage)
{
    double sum = 0;

    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        sum += usage->requests[i];
    return sum;
}

static double parts_of(uint64_t size_bytes, uint64_t part_bytes)
{
    return part_bytes == 0 ? 1 : (double)((size_bytes - 1) / part_bytes + 1);
}

/* --parallel: none is empty. */
static double ranges_of(uint64_t size_bytes, uint64_t parts)
{
    return parts < 2 ? 1 : (double)(size_bytes < parts ? size_bytes : parts);
}

/* Each object in parts, however they get there; piece: as in object_multipart_begin. */
static void add_upload(struct object_usage *usage, const struct object_service *service,
                       enum object_verb piece, double objects, uint64_t size_bytes,
                       uint64_t part_bytes)
{
    usage->sent_bytes += objects * (double)size_bytes;
    if (!object_can(service, OBJECT_UPLOAD_BEGIN)) {
        usage->requests[OBJECT_PUT] += objects;
        usage->requests[object_can(service, piece) ? piece : OBJECT_APPEND] +=
            objects * parts_of(size_bytes, part_bytes);
        return;
    }
    usage->requests[OBJECT_UPLOAD_BEGIN] += objects;
    usage->requests[OBJECT_UPLOAD_PART] += objects * parts_of(size_bytes, part_bytes);
    usage->requests[OBJECT_UPLOAD_COMPLETE] += objects;
}

static void add_sent(struct object_usage *usage, enum object_verb verb, double objects,
                     uint64_t size_bytes)
{
    usage->requests[verb] += objects;
    usage->sent_bytes += objects * (double)size_bytes;
}

/* What makes, changes or removes objects; the others see add_row. */
static void add_changes(struct object_usage *usage, const struct object_store *store,
                        enum io_test test, uint64_t size_bytes, double operations)
{
    const struct object_service *service = store->base.service;
    const struct object_options *options = service->options;
    const struct object_set *set = object_set_for(&store->base, test, size_bytes);
    const double batch = (double)object_options_batch(options);

    switch (test) {
    case TEST_FILL:
    case TEST_WRITE:
    case TEST_CREATE:
    case TEST_APPEND:
        /* fill: each object once, whatever number of operations others have */
        if (test == TEST_FILL)
            operations = store->base.kept ? 0 : set->count;
        if (object_options_in_parts(options, test, size_bytes))
            add_upload(usage, service, OBJECT_APPEND, operations, size_bytes,
                       object_can(service, OBJECT_UPLOAD_BEGIN)
                           ? object_options_part(options)
                           : store->base.target.request->fragment_bytes);
        else if (test_in_place(test))
            add_sent(usage,
                     set->kind == LIFE_RANGED ? OBJECT_WRITE_RANGE : object_put_verb(set->kind),
                     operations, size_bytes);
        else
            add_sent(usage, OBJECT_PUT, operations, size_bytes);
        break;
    case TEST_RENAME:
        add_sent(usage, OBJECT_PUT, 1, size_bytes);
        if (object_can(service, OBJECT_RENAME)) {
            usage->requests[OBJECT_RENAME] += operations;
            break;
        }
        usage->requests[OBJECT_COPY] += operations;
        usage->requests[OBJECT_DELETE] += operations;
        break;
    case TEST_DELETE:
        add_sent(usage, OBJECT_PUT, store->base.retires ? 0 : operations * batch, size_bytes);
        usage->requests[batch > 1 ? OBJECT_DELETE_MANY : OBJECT_DELETE] += operations;
        break;
    case TEST_COPY:
        usage->requests[OBJECT_COPY] += operations;
        break;
    default:
        break;
    }
}

/* `operations` of one test and size, in calls. */
static void add_row(struct object_usage *usage, const struct object_store *store, enum io_test test,
                    uint64_t size_bytes, double operations)
{
    const struct object_options *options = store->base.service->options;
    const struct object_set *set = object_set_for(&store->base, test, size_bytes);
    enum object_verb verb;

    switch (test) {
    case TEST_READ:
        verb = object_get_verb(set->kind);
        usage->requests[verb] +=
            operations * (verb == OBJECT_GET ? ranges_of(size_bytes, options->parallel) : 1);
        usage->received_bytes += operations * (double)size_bytes;
        break;
    case TEST_STAT:
        usage->requests[OBJECT_STAT] += operations;
        break;
    case TEST_LIST:
        usage->requests[OBJECT_LIST] += operations * parts_of(set->count, options->page);
        break;
    default:
        add_changes(usage, store, test, size_bytes, operations);
    }
}

/* From calls to the requests that they take: at least, or at most. */
static struct object_usage requests_of(const struct object_service *service,
                                       const struct object_usage *calls, bool most)
{
    struct object_usage usage = *calls;

    for (enum object_verb verb = 0; verb < OBJECT_VERB_COUNT; verb++)
        usage.requests[verb] *=
            most ? object_requests_each(service, verb) : object_requests_least(service, verb);
    return usage;
}

/* Requests of a row of so many operations at most: each slot makes an object to rename, and all are
 * repeated as often as they may be. */
static double row_most(const struct object_store *store, enum io_test test, uint64_t size_bytes,
                       double operations)
{
    const struct object_service *service = store->base.service;
    struct object_usage usage = {0};
    double requests;

    add_row(&usage, store, test, size_bytes, operations);
    if (test == TEST_RENAME)
        usage.requests[OBJECT_PUT] += operations - 1;
    usage = requests_of(service, &usage, true);
    requests = object_usage_requests(&usage);
    return requests * (1 + (double)service->options->retries);
}

/* In calls. */
static void add_fill(struct object_usage *usage, const struct object_store *store,
                     const struct object_set *set)
{
    const struct object_service *service = store->base.service;
    const unsigned tests = store->base.target.request->tests & object_tests_of(service);
    bool wanted = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        wanted =
            wanted || ((tests & 1u << test) && object_fill_wanted(store, set, (enum io_test)test));
    if (!wanted)
        return;
    if (object_put_verb(set->kind) == OBJECT_PUT && set->size_bytes > OBJECT_FILL_PART_BYTES)
        add_upload(usage, service, OBJECT_WRITE_RANGE, set->count, set->size_bytes,
                   object_fill_part(set->size_bytes, service->append_align_bytes));
    else
        add_sent(usage, object_put_verb(set->kind), set->count, set->size_bytes);
}

struct object_cost object_cost_estimate(const struct object_store *store)
{
    const struct object_target *base = &store->base;
    const struct target_request *request = base->target.request;
    struct object_usage fill = {0}, rows = {0};
    struct object_cost forecast = {0};

    for (unsigned i = 0; base->target.ours && !base->kept && i < base->set_count; i++)
        add_fill(&fill, store, &base->set[i]);
    for (unsigned test = 0; test < TEST_COUNT; test++)
        for (size_t i = 0; i < request->size_count; i++) {
            const struct target_rows *row = &request->rows[test];
            const double operations =
                (double)row->operations + (double)row->open * OPERATIONS_LEAST;
            uint32_t first, count;
            if ((request->tests & 1u << test) &&
                (base->target.writable || !test_changes((enum io_test)test)) &&
                !object_sets_objects(&base->target, (enum io_test)test, request->size_bytes[i],
                                     &first, &count)) {
                add_row(&rows, store, (enum io_test)test, request->size_bytes[i], operations);
                forecast.rows_most +=
                    row_most(store, (enum io_test)test, request->size_bytes[i], operations);
            }
        }
    forecast.fill = requests_of(base->service, &fill, true);
    forecast.rows = requests_of(base->service, &rows, false);
    return forecast;
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
    const struct target *target = &store->base.target;
    const struct object_cost forecast = object_cost_estimate(store);
    const uint64_t most = store->base.service->options->max_requests;
    const double uploads = object_usage_requests(&forecast.fill);
    const bool bounded = is_bounded(target->request);
    const char *unit =
        object_requests_each(store->base.service, OBJECT_PUT) > 1 ? "requests" : "uploads";
    char rows_most[160] = "";
    char text[3][UNITS_TEXT], label[512], *fill;

    if (most > 0 && uploads > (double)most)
        return error_refuse(
            err, STATUS_TARGET, "--max-requests does not allow for creating the objects in",
            target->place, "%.0f %s are needed: raise it, or create less: --objects, fewer sizes",
            uploads, unit);
    fill = uploads == 0 ? mem_strdup("no uploads to fill")
                        : mem_printf("at most %.0f %s to fill, %s", uploads, unit,
                                     units_format_bytes(forecast.fill.sent_bytes, text[0]));
    if (bounded)
        (void)snprintf(rows_most, sizeof(rows_most), "; at most %.0f requests", forecast.rows_most);
    else if (most > 0)
        (void)snprintf(rows_most, sizeof(rows_most), "; at most %" PRIu64 " requests in all", most);
    else if (target->request->plan)
        (void)snprintf(rows_most, sizeof(rows_most),
                       "; limited by time alone (-n and --max-requests limit requests)");
    log_text("# %s%s %s%s; rows: %s %.0f requests, %s to send, %s to receive%s",
             error_printable(target->request->target, label, sizeof(label)),
             text_colon(target->request->target), target->request->ranks > 1 ? "each rank: " : "",
             fill, bounded ? "at least" : "if time allows,", object_usage_requests(&forecast.rows),
             units_format_bytes(forecast.rows.sent_bytes, text[1]),
             units_format_bytes(forecast.rows.received_bytes, text[2]), rows_most);
    free(fill);
    return 0;
}

/* "1024 PUT, 300 GET" of what was used. */
static void kinds_text(const struct object_usage *usage, char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < OBJECT_VERB_COUNT && used < room; i++)
        if (usage->requests[i] > 0)
            used += (size_t)snprintf(text + used, room - used, "%s%.0f %s", used > 0 ? ", " : "",
                                     usage->requests[i], object_verb_table[i].counted);
}

static struct object_usage used_so_far(const struct object_service *service)
{
    struct object_usage usage = {.sent_bytes = (double)atomic_load(&service->sent_bytes),
                                 .received_bytes = (double)atomic_load(&service->received_bytes)};

    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        usage.requests[i] = (double)atomic_load(&service->requests[i]);
    return usage;
}

void object_cost_tell_removal(const struct object_store *store)
{
    struct object_usage more = used_so_far(store->base.service);
    char label[512], kinds[512];

    if (!store->summarised)
        return;
    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        more.requests[i] -= store->told.requests[i];
    kinds_text(&more, kinds, sizeof(kinds));
    log_text("# %s%s %.0f requests to remove%s (%s)",
             error_printable(store->base.target.request->target, label, sizeof(label)),
             text_colon(store->base.target.request->target), object_usage_requests(&more),
             store->base.target.request->ranks > 1 ? " what rank 0 created" : "", kinds);
}

size_t object_cost_counters(const struct target *target, uint64_t *values, bool set)
{
    struct object_service *service = object_store_of(target)->base.service;
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

void object_cost_summarise(const struct target *target)
{
    struct object_store *store = object_store_of(target);
    const struct object_usage usage = used_so_far(store->base.service);
    char sent[UNITS_TEXT], received[UNITS_TEXT], label[512], kinds[512];
    struct error ignored = ERROR_INIT;

    if (target->request->dry_run) {
        (void)object_cost_tell(store, &ignored); /* a refusal is for the run itself */
        return;
    }
    store->told = usage;
    store->summarised = true;
    kinds_text(&usage, kinds, sizeof(kinds));
    log_text("# %s%s %.0f requests%s (%s), %s sent, %s received",
             error_printable(target->request->target, label, sizeof(label)),
             text_colon(target->request->target), object_usage_requests(&usage),
             store->made && !target->request->keep ? " before removing" : "", kinds,
             units_format_bytes(usage.sent_bytes, sent),
             units_format_bytes(usage.received_bytes, received));
}
