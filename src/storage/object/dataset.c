/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dataset.c - the sets of objects of a target: their keys, the set for each test and size, and
 * their numbers.  Sets have the order of the manifest, the longest objects first, and objects are
 * numbered through all of them, so that the number determines an object's content, also in another
 * run that reads it. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

#define DIGITS_LEAST 6

/* The longest object that one request can put. */
#define PUT_BYTES_MAX (UINT64_C(5) << 30)
#define PARTS_MAX     10000u

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

/* In a set that grew, the found objects exist. */
static void make_set(struct object_store *store, unsigned number, uint32_t first,
                     const struct object_numbers *found)
{
    const struct life_set *plan = &store->manifest.set[number];
    struct object_set *set = &store->set[number];
    char directory[OBJECT_SET_DIRECTORY_MAX], key[OBJECT_KEY_BYTES];
    uint32_t numbers;

    set->kind = plan->kind;
    set->size_bytes = plan->size_bytes;
    set->count = plan->count;
    set->ranges = plan->content == LIFE_PIECES || (store->joined && plan->kind == LIFE_RANGED &&
                                                   object_can(store->service, OBJECT_WRITE_RANGE));
    if (found && plan->count == 0 && found->count > 0) {
        set->count = found->count;
        set->there = mem_calloc(found->count, sizeof(*set->there));
        memcpy(set->there, found->number, found->count * sizeof(*set->there));
    }
    numbers = object_set_numbers(set->count);
    set->first = first;
    set->length_bytes = store->lengths + first;
    set->prefix = mem_printf("%s%s", store->run_prefix, object_set_directory(plan, directory));
    if (plan->count > 0)
        set->present = mem_calloc(plan->count, sizeof(*set->present));
    /* a single object has a single writing slot, which gets it again before releasing it */
    if (plan->count > 1 && object_set_exclusive(store->service, plan->kind)) {
        set->held = mem_calloc(plan->count, sizeof(*set->held));
        set->spare = object_set_spare(store, set->count);
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
        numbers += object_set_numbers(
            found && manifest->set[i].count == 0 ? found[i].count : manifest->set[i].count);
    set_numbers(store, numbers);
    store->set_count = manifest->set_count;
    store->set = mem_calloc(manifest->set_count, sizeof(*store->set));
    for (unsigned i = 0; i < manifest->set_count; i++) {
        make_set(store, i, first, found ? &found[i] : NULL);
        store->set[i].content = content;
        content += object_set_numbers(manifest->set[i].count);
        first += object_set_numbers(store->set[i].count);
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

/* Sets are const for measuring threads, except for the objects they create. */
static atomic_uint_least32_t *next_of(const struct object_set *set)
{
    return &((struct object_set *)(uintptr_t)set)->next;
}

static __attribute__((noinline, cold)) uint32_t next_missing(const struct object_set *set,
                                                             uint32_t drawn)
{
    uint32_t next;

    while ((next = atomic_fetch_add_explicit(next_of(set), 1, memory_order_relaxed)) < set->count)
        if (!atomic_load_explicit(&set->present[next], memory_order_relaxed))
            return next;
    return drawn;
}

uint32_t object_set_choose(const struct object_set *set, uint32_t drawn)
{
    if (__builtin_expect(atomic_load_explicit(next_of(set), memory_order_relaxed) >= set->count, 1))
        return drawn;
    return next_missing(set, drawn);
}

/* All threads call this before a slice begins, and find the same. */
void object_set_begin_pass(const struct object_set *set)
{
    if (!set->present) { /* all of the set's objects exist */
        atomic_store_explicit(next_of(set), UINT32_MAX, memory_order_relaxed);
        return;
    }
    if (atomic_load_explicit(next_of(set), memory_order_relaxed) == UINT32_MAX)
        return;
    atomic_store_explicit(next_of(set), object_set_complete(set) ? UINT32_MAX : 0,
                          memory_order_relaxed);
}

bool object_set_complete(const struct object_set *set)
{
    for (uint32_t i = 0; set->present && i < set->count; i++)
        if (!atomic_load_explicit(&set->present[i], memory_order_relaxed))
            return false;
    return true;
}

uint32_t object_set_made(const struct object_set *set)
{
    uint32_t made = 0;

    for (uint32_t i = 0; set->present && i < set->count; i++)
        made += atomic_load_explicit(&set->present[i], memory_order_relaxed) != 0;
    return made;
}

static const struct object_set *of_kind(const struct object_store *store, enum life_kind kind,
                                        uint64_t size_bytes)
{
    for (unsigned i = 0; i < store->set_count; i++)
        if (store->set[i].kind == kind && store->set[i].size_bytes == size_bytes)
            return &store->set[i];
    return NULL;
}

/* A kept run: the set of objects of exactly that length; NULL: none. */
static const struct object_set *whole_of_kept(const struct object_store *store, uint64_t size_bytes)
{
    for (enum life_kind kind = LIFE_WHOLE; kind < LIFE_FOUND; kind++) {
        const struct object_set *set = of_kind(store, kind, size_bytes);
        if (set && set->count > 0 && object_put_verb(kind) == OBJECT_PUT)
            return set;
    }
    return NULL;
}

/* -r, a run: whole objects of that size, else ranges of longer ones, preferably of a set made for
 * ranges.  Sets without objects are those of which nothing is left, or whose objects do not
 * persist. */
static const struct object_set *of_kept(const struct object_store *store, uint64_t size_bytes)
{
    const struct object_set *longest = whole_of_kept(store, size_bytes);

    if (longest)
        return longest;
    for (unsigned i = 0; i < store->set_count; i++) {
        const struct object_set *set = &store->set[i];
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

/* A test needs one of the two alternatives, with all requests that it contains. */
static const struct ways {
    unsigned either, or ;
} ways_of_test[TEST_COUNT] = {
    [TEST_WRITE] = {VERB(PUT), 0},
    [TEST_READ] = {VERB(GET), 0},
    [TEST_APPEND] = {VERB(UPLOAD_BEGIN) | VERB(UPLOAD_PART) | VERB(UPLOAD_COMPLETE),
                     VERB(PUT) | VERB(APPEND)},
    [TEST_STAT] = {VERB(STAT), 0},
    [TEST_LIST] = {VERB(LIST), 0},
    [TEST_RENAME] = {VERB(COPY) | VERB(DELETE), VERB(RENAME)},
    [TEST_CREATE] = {VERB(PUT), 0},
    [TEST_COPY] = {VERB(COPY), 0},
    [TEST_DELETE] = {VERB(DELETE), 0},
    [TEST_FILL] = {VERB(PUT), 0},
};

static struct ways ways_of(const struct object_options *options, enum io_test test)
{
    if (test == TEST_DELETE && object_options_batch(options) > 1)
        return (struct ways){VERB(DELETE_MANY), 0};
    if (object_options_on_values(options, test)) {
        const enum life_kind kind = object_set_kind(options, test);
        const unsigned get = test == TEST_READ ? 1u << object_get_verb(kind) : 0;
        return (struct ways){1u << object_put_verb(kind) | get, 0};
    }
    return ways_of_test[test];
}

unsigned object_tests_of(const struct object_service *service)
{
    unsigned tests = 0;

    for (unsigned test = 0; test < TEST_COUNT; test++) {
        const struct ways ways = ways_of(service->options, (enum io_test)test);

        if ((ways.either & ~service->verbs) == 0 || (ways.or &&(ways.or &~service->verbs) == 0))
            tests |= 1u << test;
    }
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

const struct object_set *object_set_for(const struct object_store *store, enum io_test test,
                                        uint64_t size_bytes)
{
    const struct object_options *options = store->service->options;
    const bool values = object_options_on_values(options, test);
    const bool ours = (store->target.ours && !store->kept) || store->joined;

    if (!store->target.ours && store->set[0].kind == LIFE_FOUND)
        return values ? NULL : &store->set[0];
    if (store->retires && test_consumes(test))
        return object_retire_set(store, size_bytes);
    if (values)
        return of_kind(store, object_set_kind(options, test), size_bytes);
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

const struct object_set *object_set_of_copies(const struct object_store *store, uint64_t size_bytes)
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

/* The number of objects, sorted by length, that have at least this size. */
static uint32_t found_with(const struct object_set *set, uint64_t size_bytes)
{
    uint32_t low = 0, high = set->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (set->length_bytes[middle] >= size_bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
    *count = set->kind == LIFE_FOUND ? found_with(set, size_bytes) : object_set_numbers(set->count);
    return NULL;
}
