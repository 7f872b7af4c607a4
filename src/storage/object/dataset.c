/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dataset.c - the sets of objects of a target: their keys, the set for each test and size, and
 * their numbers.  Sets have the order of the manifest, the longest objects first, and objects are
 * numbered through all of them, so that the number determines an object's content, also in another
 * run that reads it. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "storage/object/object.h"

#define DIGITS_LEAST 6

/* The longest object that one request can put. */
#define PUT_BYTES_MAX (UINT64_C(5) << 30)
#define PARTS_MAX     10000u

/* ---- objects that only one slot at a time may write ----
 *
 * Each slot holds a different one, from sets with enough of them.  Some services require that for
 * all writes; test append requires it if objects grow request by request, since nothing separates
 * two appends to one object.  A request that timed out may still be carried out: its object is put
 * aside for the rest of the run, as long as enough others remain. */

/* A slot still holds its last object when it gets the next.  With --verify all slots get their next
 * one before any begins; otherwise each thread gets one at a time. */
static uint64_t objects_least(const struct target_request *request)
{
    return (uint64_t)request->in_flight + (request->verify ? request->in_flight : request->threads);
}

/* Whether only one slot at a time may write an object of such a set. */
static bool is_exclusive(const struct object_service *service, enum life_kind kind)
{
    return service->exclusive || (kind == LIFE_APPEND && !object_can(service, OBJECT_UPLOAD_BEGIN));
}

static bool is_written(const struct object_store *store, enum life_kind kind)
{
    const unsigned tests = store->target.request->tests;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (tests & 1u << test && (test == TEST_WRITE || test == TEST_APPEND) &&
            object_set_kind(store->service->options, (enum io_test)test) == kind)
            return is_exclusive(store->service, kind);
    return false;
}

/* Whether tests write objects of a set of a kept run in the sizes of this run. */
static bool is_chosen(const struct object_store *store, const struct object_set *set)
{
    const struct target_request *request = store->target.request;
    bool chosen = false;

    for (size_t i = 0; i < request->size_count; i++)
        chosen = chosen || object_set_for(store, TEST_WRITE, request->size_bytes[i]) == set ||
                 object_set_for(store, TEST_APPEND, request->size_bytes[i]) == set;
    return chosen;
}

int object_exclusive_plan(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    const uint64_t least = objects_least(request);

    for (unsigned i = 0; request->shared && i < store->manifest.set_count; i++)
        if (is_written(store, store->manifest.set[i].kind))
            return error_refuse(err, STATUS_USAGE,
                                "--share all: an object takes one write at a time in",
                                request->target, "leave out the tests that write, or --share all");
    for (unsigned i = 0; request->in_flight > 1 && i < store->manifest.set_count; i++) {
        struct life_set *set = &store->manifest.set[i];
        const uint32_t count = store->kept ? store->set[i].count : set->count;

        if (count == 0 || count >= least || !is_written(store, set->kind) ||
            (store->kept && !is_chosen(store, &store->set[i])))
            continue;
        if (store->kept || store->service->options->objects > 0)
            return error_refuse(err, STATUS_USAGE,
                                "too few objects for the number of concurrent writes in",
                                request->target,
                                "each object takes one write at a time, so %" PRIu64
                                " are needed: use %sfewer --threads or a lower --depth",
                                least, store->kept ? "" : "more --objects, ");
        set->count = (uint32_t)least;
    }
    return 0;
}

/* ---- making ---- */

static void set_numbers(struct object_store *store, uint32_t numbers)
{
    struct target *target = &store->target;

    target->object_count = numbers;
    store->lengths = mem_calloc(numbers, sizeof(*store->lengths));
    store->names = mem_calloc(numbers, sizeof(*store->names));
    target->length_bytes = store->lengths;
    target->name = (const char *const *)store->names;
}

static void make_set(struct object_store *store, unsigned number, uint32_t first, uint32_t numbers,
                     const struct object_numbers *found)
{
    const struct life_set *plan = &store->manifest.set[number];
    struct object_set *set = &store->set[number];
    char key[OBJECT_KEY_BYTES];

    set->kind = plan->kind;
    set->size_bytes = plan->size_bytes;
    set->count = found ? found->count : plan->count;
    set->ranges = plan->content == LIFE_PIECES || (store->joined && plan->kind == LIFE_RANGED &&
                                                   object_can(store->service, OBJECT_WRITE_RANGE));
    if (set->count > 0 && set->count != plan->count) {
        set->there = mem_calloc(set->count, sizeof(*set->there));
        memcpy(set->there, found->number, set->count * sizeof(*set->there));
    }
    set->first = first;
    set->length_bytes = store->lengths + first;
    set->prefix = object_set_prefix(store->run_prefix, plan);
    if (plan->count > 0 && !found && !store->joined)
        set->present = mem_calloc(plan->count, sizeof(*set->present));
    /* a single object has a single writing slot, which gets it again before releasing it */
    if (plan->count > 0 && set->count > 1 && is_exclusive(store->service, plan->kind)) {
        const uint64_t least = objects_least(store->target.request);

        set->held = mem_calloc(set->count, sizeof(*set->held));
        set->spare = set->count > least ? (uint32_t)(set->count - least) : 0;
    }
    for (uint32_t i = 0; i < numbers; i++) {
        store->lengths[first + i] = plan->size_bytes;
        store->names[first + i] =
            mem_strdup(set->count > 0 ? object_key(set, i, key) : set->prefix);
    }
    store->target.total_bytes += set->count * plan->size_bytes;
}

void object_sets_make(struct object_store *store, const struct object_numbers *found)
{
    const struct life_manifest *manifest = &store->manifest;
    uint32_t numbers = 0, first = 0, content = 0;

    for (unsigned i = 0; i < manifest->set_count; i++)
        numbers += found ? found[i].count : object_set_numbers(manifest->set[i].count);
    set_numbers(store, numbers);
    store->set_count = manifest->set_count;
    store->set = mem_calloc(manifest->set_count, sizeof(*store->set));
    for (unsigned i = 0; i < manifest->set_count; i++) {
        const uint32_t planned = object_set_numbers(manifest->set[i].count);
        numbers = found ? found[i].count : planned;
        make_set(store, i, first, numbers, found ? &found[i] : NULL);
        store->set[i].content = content;
        content += planned;
        first += numbers;
    }
}

void object_sets_make_found(struct object_store *store, struct life_objects *found)
{
    struct object_set *set = mem_calloc(1, sizeof(*set));

    set_numbers(store, (uint32_t)found->count);
    for (size_t i = 0; i < found->count; i++) {
        store->lengths[i] = found->object[i].length_bytes;
        store->names[i] = found->object[i].name;
        store->target.total_bytes += store->lengths[i];
    }
    set->kind = LIFE_FOUND;
    set->size_bytes = store->lengths[0];
    set->count = (uint32_t)found->count;
    set->length_bytes = store->lengths;
    set->prefix = mem_strdup(store->service->prefix);
    set->key = store->names;
    store->set = set;
    store->set_count = 1;
    found->count = 0;
}

void object_sets_free(struct object_store *store)
{
    for (unsigned i = 0; i < store->set_count; i++) {
        free(store->set[i].prefix);
        free(store->set[i].present);
        free(store->set[i].held);
        free(store->set[i].there);
    }
    free(store->set);
    for (uint32_t i = 0; store->names && i < store->target.object_count; i++)
        free(store->names[i]);
    free(store->names);
    free(store->lengths);
    free(store->manifest.set);
}

/* ---- describing ---- */

char *object_sets_describe(const struct object_store *store)
{
    const unsigned sets = store->set_count;
    const uint64_t least_bytes = store->set[sets - 1].size_bytes;
    const uint64_t most_bytes = store->set[0].size_bytes;
    uint32_t fewest = UINT32_MAX, most = 0;
    char count[48] = "objects", from[UNITS_TEXT], to[UNITS_TEXT];

    if (store->set[0].kind == LIFE_FOUND)
        return life_describe_found("object", &store->target);
    for (unsigned i = 0; i < sets; i++) {
        const uint32_t objects = store->set[i].count;
        fewest = objects > 0 && objects < fewest ? objects : fewest;
        most = objects > most ? objects : most;
    }
    if (most > 0 && fewest == most)
        snprintf(count, sizeof(count), "%" PRIu32 " object%s", most, most == 1 ? "" : "s");
    else if (most > 0)
        snprintf(count, sizeof(count), "%" PRIu32 " to %" PRIu32 " objects", fewest, most);
    units_format_size(least_bytes, from);
    return mem_printf("%u set%s of %s of %s%s%s", sets, sets == 1 ? "" : "s", count,
                      least_bytes < most_bytes ? from : "", least_bytes < most_bytes ? " to " : "",
                      units_format_size(most_bytes, to));
}

/* ---- finding ---- */

const char *object_key(const struct object_set *set, uint64_t object, char key[OBJECT_KEY_BYTES])
{
    char digits[24];
    size_t at = sizeof(digits), length;

    if (set->key)
        return strcpy(key, set->key[object]);
    object = object_set_number(set, object);
    do
        digits[--at] = (char)('0' + object % 10);
    while ((object /= 10) > 0 || sizeof(digits) - at < DIGITS_LEAST);
    length = strlen(set->prefix);
    memcpy(key, set->prefix, length);
    memcpy(key + length, digits + at, sizeof(digits) - at);
    key[length + sizeof(digits) - at] = '\0';
    return key;
}

/* ---- objects of a kept run that a test removes ---- */

/* The set that represents all objects of a size; NULL: none exists. */
static struct object_set *retire_set(const struct object_store *store, uint64_t size_bytes)
{
    for (unsigned i = 0; i < store->set_count; i++)
        if (store->set[i].size_bytes == size_bytes)
            return atomic_load(&store->set[i].made) > 0 ? &store->set[i] : NULL;
    return NULL;
}

uint64_t object_retire_left(const struct target *target, enum io_test test, uint64_t size_bytes)
{
    const struct object_store *store = object_store_of(target);
    const struct object_set *set;
    uint64_t made, taken, each;

    if (!store->retires || !test_consumes(test))
        return UINT64_MAX;
    set = retire_set(store, size_bytes);
    made = set ? atomic_load(&set->made) : 0;
    taken = set ? atomic_load(&set->taken) : 0;
    each = object_options_batch(store->service->options);
    return made > taken ? (made - taken + each - 1) / each : 0;
}

bool object_retire_asked(const struct target_request *request)
{
    bool asked = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        asked = asked || (request->tests & 1u << test && test_consumes((enum io_test)test));
    return request->existing && asked;
}

/* ---- choosing objects ---- */

static __attribute__((noinline, cold)) uint32_t next_missing(struct object_set *set, uint32_t drawn)
{
    uint32_t next;

    while ((next = atomic_fetch_add_explicit(&set->next, 1, memory_order_relaxed)) < set->count)
        if (!atomic_load_explicit(&set->present[next], memory_order_relaxed))
            return next;
    return drawn;
}

uint32_t object_set_choose(struct object_set *set, uint32_t drawn)
{
    if (__builtin_expect(atomic_load_explicit(&set->next, memory_order_relaxed) >= set->count, 1))
        return drawn;
    return next_missing(set, drawn);
}

/* All threads call this before a slice begins, and find the same. */
void object_set_begin_pass(struct object_set *set)
{
    if (atomic_load_explicit(&set->next, memory_order_relaxed) != UINT32_MAX)
        atomic_store_explicit(&set->next, object_set_complete(set) ? UINT32_MAX : 0,
                              memory_order_relaxed);
}

uint32_t object_set_made(const struct object_set *set)
{
    uint32_t made = set->present ? 0 : set->count;

    for (uint32_t i = 0; set->present && i < set->count; i++)
        made += atomic_load_explicit(&set->present[i], memory_order_relaxed) != 0;
    return made;
}

static struct object_set *of_kind(const struct object_store *store, enum life_kind kind,
                                  uint64_t size_bytes)
{
    for (unsigned i = 0; i < store->set_count; i++)
        if (store->set[i].kind == kind && store->set[i].size_bytes == size_bytes)
            return &store->set[i];
    return NULL;
}

/* A kept run: the set of objects of exactly that length; NULL: none. */
static struct object_set *whole_of_kept(const struct object_store *store, uint64_t size_bytes)
{
    for (enum life_kind kind = LIFE_WHOLE; kind < LIFE_FOUND; kind++) {
        struct object_set *set = of_kind(store, kind, size_bytes);
        if (set && set->count > 0 && object_put_verb(kind) == OBJECT_PUT)
            return set;
    }
    return NULL;
}

/* -r, a run: whole objects of that size, else ranges of longer ones, preferably of a set made for
 * ranges.  Sets without objects are those of which nothing is left, or whose objects do not
 * persist. */
static struct object_set *of_kept(const struct object_store *store, uint64_t size_bytes)
{
    struct object_set *longest = whole_of_kept(store, size_bytes);

    if (longest)
        return longest;
    for (unsigned i = 0; i < store->set_count; i++) {
        struct object_set *set = &store->set[i];
        if (set->count == 0 || set->size_bytes < size_bytes ||
            object_put_verb(set->kind) != OBJECT_PUT)
            continue;
        if (!longest || (set->kind == LIFE_RANGED && longest->kind != LIFE_RANGED))
            longest = set;
    }
    return longest;
}

static const enum life_kind set_of_test[TEST_COUNT] = {
    [TEST_WRITE] = LIFE_WHOLE,   [TEST_READ] = LIFE_WHOLE, [TEST_APPEND] = LIFE_APPEND,
    [TEST_STAT] = LIFE_WHOLE,    [TEST_LIST] = LIFE_WHOLE, [TEST_RENAME] = LIFE_RENAME,
    [TEST_CREATE] = LIFE_CREATE, [TEST_COPY] = LIFE_WHOLE, /* the source */
    [TEST_DELETE] = LIFE_DELETE, [TEST_FILL] = LIFE_WHOLE,
};

enum life_kind object_set_kind(const struct object_options *options, enum io_test test)
{
    if (object_options_on_values(options, test))
        return options->on == OBJECT_ON_XATTR ? LIFE_XATTR : LIFE_OMAP;
    return set_of_test[test];
}

#define VERB(word) (1u << OBJECT_##word)

/* The requests of an operation: all of the first, or else all of the second alternative. */
static const unsigned requests_of_test[TEST_COUNT][2] = {
    [TEST_WRITE] = {VERB(PUT)},
    [TEST_READ] = {VERB(GET)},
    [TEST_APPEND] = {VERB(UPLOAD_BEGIN) | VERB(UPLOAD_PART) | VERB(UPLOAD_COMPLETE),
                     VERB(PUT) | VERB(APPEND)},
    [TEST_STAT] = {VERB(STAT)},
    [TEST_LIST] = {VERB(LIST)},
    [TEST_RENAME] = {VERB(RENAME), VERB(COPY) | VERB(DELETE)},
    [TEST_CREATE] = {VERB(PUT)},
    [TEST_COPY] = {VERB(COPY)},
    [TEST_DELETE] = {VERB(DELETE)},
    [TEST_FILL] = {VERB(PUT)},
};

unsigned object_requests_of(const struct object_service *service, enum io_test test)
{
    const struct object_options *options = service->options;
    const enum life_kind kind = object_set_kind(options, test);
    unsigned wanted = requests_of_test[test][0];

    if (test == TEST_DELETE && object_options_batch(options) > 1)
        wanted = VERB(DELETE_MANY);
    if (object_options_on_values(options, test)) /* those that are read were put before */
        wanted =
            1u << object_put_verb(kind) | (test == TEST_READ ? 1u << object_get_verb(kind) : 0);
    if (wanted & ~service->verbs)
        wanted = requests_of_test[test][1];
    return wanted & ~service->verbs ? 0 : wanted;
}

unsigned object_tests_of(const struct object_service *service)
{
    unsigned tests = 0;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (object_requests_of(service, (enum io_test)test))
            tests |= 1u << test;
    return tests;
}

unsigned object_tests_in_ranges(const struct object_service *service)
{
    if (!service->options->object_bytes || service->options->on != OBJECT_ON_DATA)
        return 0;
    return 1u << TEST_READ | (object_can(service, OBJECT_WRITE_RANGE) ? 1u << TEST_WRITE : 0);
}

enum object_verb object_put_verb(enum life_kind kind)
{
    return kind == LIFE_XATTR ? OBJECT_XATTR_PUT : kind == LIFE_OMAP ? OBJECT_OMAP_PUT : OBJECT_PUT;
}

enum object_verb object_get_verb(enum life_kind kind)
{
    return kind == LIFE_XATTR ? OBJECT_XATTR_GET : kind == LIFE_OMAP ? OBJECT_OMAP_GET : OBJECT_GET;
}

struct object_set *object_set_for(const struct object_store *store, enum io_test test,
                                  uint64_t size_bytes)
{
    const struct object_options *options = store->service->options;
    const bool values = object_options_on_values(options, test);
    const bool ours = (store->target.ours && !store->kept) || store->joined;

    if (!store->target.ours && store->set[0].kind == LIFE_FOUND)
        return values ? NULL : &store->set[0];
    if (store->retires && test_consumes(test))
        return retire_set(store, size_bytes);
    if (values) {
        struct object_set *set = of_kind(store, object_set_kind(options, test), size_bytes);
        return set && (ours || set->count > 0) ? set : NULL;
    }
    /* of that length, which must not change */
    if (store->kept && test_changes(test) &&
        !(test == TEST_WRITE && object_can(store->service, OBJECT_WRITE_RANGE)))
        return whole_of_kept(store, size_bytes);
    if (!ours)
        return of_kept(store, size_bytes);
    if (object_tests_in_ranges(store->service) & 1u << test)
        return size_bytes <= options->object_bytes
                   ? of_kind(store, LIFE_RANGED, options->object_bytes)
                   : NULL;
    return of_kind(store, object_set_kind(options, test), size_bytes);
}

struct object_set *object_set_of_copies(const struct object_store *store, uint64_t size_bytes)
{
    return of_kind(store, LIFE_COPY, size_bytes);
}

const struct object_set *object_sets_find(const struct object_store *store, uint32_t number,
                                          uint32_t *index)
{
    unsigned low = 0, high = store->set_count;

    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (store->set[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    *index = number - store->set[low].first;
    return &store->set[low];
}

/* Each append except the first begins where the previous one ended. */
static bool appends_unaligned(const struct object_store *store, uint64_t size_bytes)
{
    const uint64_t align_bytes = store->service->append_align_bytes;
    const uint64_t fragment_bytes = store->target.request->fragment_bytes;

    return align_bytes > 1 && size_bytes > 1 && !object_can(store->service, OBJECT_UPLOAD_BEGIN) &&
           (fragment_bytes == 0 ||
            (fragment_bytes < size_bytes && fragment_bytes % align_bytes != 0));
}

const char *object_sets_objects(const struct target *target, enum io_test test, uint64_t size_bytes,
                                uint32_t *first, uint32_t *count)
{
    const struct object_store *store = object_store_of(target);
    const struct object_set *set = object_set_for(store, test, size_bytes);
    const struct object_options *options = store->service->options;
    const bool in_parts = object_options_in_parts(options, test, size_bytes);
    const bool uploads = object_can(store->service, OBJECT_UPLOAD_BEGIN);

    if (!(object_tests_of(store->service) & 1u << test))
        return "not_by_target";
    if (!set)
        return store->kept ? "not_in_run" : "beyond_file";
    if (test == TEST_APPEND && appends_unaligned(store, size_bytes))
        return "unaligned";
    if (!uploads && in_parts && test != TEST_APPEND)
        return "not_by_target";
    if (uploads && in_parts && (size_bytes - 1) / object_options_part(options) >= PARTS_MAX)
        return "too_many_parts";
    if (uploads && !in_parts && size_bytes > PUT_BYTES_MAX && test_changes(test))
        return "too_large";
    *first = set->first;
    *count = object_set_numbers(set->count);
    if (set->kind == LIFE_FOUND) /* those that are long enough: they are sorted by length */
        for (*count = 0; *count < set->count && set->length_bytes[*count] >= size_bytes; ++*count)
            continue;
    return NULL;
}
