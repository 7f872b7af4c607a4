/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Results of slices: each field is merged by its rule, none is forgotten, and the grouping does
 * not matter. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "run/slice_sum.h"

enum rule { ADD, MOST, LEAST, FIRST, LAST, ANY, ALL, NONE };

#define FIELD(field, beside, after)                                                        \
    {                                                                                      \
#field, offsetof(struct slice_sum, field), sizeof(((struct slice_sum *)0)->field), \
        {                                                                                  \
            beside, after                                                                  \
        }                                                                                  \
    }

struct field {
    const char *name;
    size_t offset, bytes;
    enum rule rule[2]; /* by enum slice_order */
};

static const struct field integers[] = {
    /* one or many of 64 bits */
    FIELD(tally.operations, ADD, ADD),
    FIELD(tally.outside, ADD, ADD),
    FIELD(tally.failed, ADD, ADD),
    FIELD(tally.short_count, ADD, ADD),
    FIELD(tally.sum_ns, ADD, ADD),
    FIELD(tally.min_ns, LEAST, LEAST),
    FIELD(tally.max_ns, MOST, MOST),
    FIELD(tally.phase_ns, ADD, ADD),
    FIELD(tally.excluded_ns, ADD, ADD),
    FIELD(tally.failed_ns, ADD, ADD),
    FIELD(tally.hung_ns, ADD, ADD),
    FIELD(tally.hung_max_ns, MOST, MOST),
    FIELD(tally.submit_ns, ADD, ADD),
    FIELD(tally.wrong, ADD, ADD),
    FIELD(tally.mixed, ADD, ADD),
    FIELD(tally.latency, ADD, ADD),
    FIELD(tally.open, ADD, ADD),
    FIELD(tally.close, ADD, ADD),
    FIELD(tally.open_max_ns, MOST, MOST),
    FIELD(tally.close_max_ns, MOST, MOST),
    FIELD(cycles, ADD, ADD),
    FIELD(slices, MOST, ADD),
    FIELD(fewest, LEAST, ADD),
    FIELD(most, MOST, ADD),
    FIELD(slot_ns, ADD, ADD),
    FIELD(time_ns, NONE, ADD),
    FIELD(elapsed_ns, MOST, ADD),
    FIELD(flight_ns, ADD, ADD),
    FIELD(cpu_ns, ADD, ADD),
    FIELD(user_ns, ADD, ADD),
    FIELD(system_ns, ADD, ADD),
    FIELD(made_cpu_ns, ADD, ADD),
    FIELD(queued_ns, ADD, ADD),
    FIELD(helper_cpu_ns, ADD, ADD),
    FIELD(library_cpu_ns, ADD, ADD),
    FIELD(device_bytes, ADD, ADD),
    FIELD(wanted_ns, MOST, ADD),
    FIELD(behind_ns, MOST, ADD),
    FIELD(requests, ADD, ADD),
    FIELD(found, ADD, ADD),
};

static const struct field others[] = {
    FIELD(tally.first_errno, FIRST, FIRST),
    FIELD(tally.first_phase, FIRST, FIRST),
    FIELD(tally.first_object, FIRST, FIRST),
    FIELD(tally.first_offset_bytes, FIRST, FIRST),
    FIELD(tally.short_object, FIRST, FIRST),
    FIELD(tally.short_offset_bytes, FIRST, FIRST),
    FIELD(tally.short_bytes, FIRST, FIRST),
    FIELD(tally.wrong_object, FIRST, FIRST),
    FIELD(tally.wrong_first, FIRST, FIRST),
    FIELD(protocol, LAST, LAST),
    FIELD(connection, LAST, LAST),
    FIELD(payload, LAST, LAST),
    FIELD(first[TROUBLE_FAILED], FIRST, FIRST),
    FIELD(first[TROUBLE_SHORT], FIRST, FIRST),
    FIELD(first[TROUBLE_WRONG], FIRST, FIRST),
};

static const struct field flags[] = {
    FIELD(io_known, ALL, ALL),     FIELD(helpers_asked, ANY, ANY), FIELD(plain_buffers, ANY, ANY),
    FIELD(has_requests, ANY, ANY), FIELD(gave_up, ANY, ANY),
};

static const struct field apart[] = {
    /* tested elsewhere */
    FIELD(slots, ADD, MOST),
    FIELD(threads, ADD, MOST),
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct rng rng;

static uint64_t get(const struct slice_sum *sum, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)sum + offset, sizeof(value));
    return value;
}

static void put(struct slice_sum *sum, size_t offset, uint64_t value)
{
    memcpy((char *)sum + offset, &value, sizeof(value));
}

/* A sum of one thread in which each field has a unique value. */
static void fill(struct slice_sum *sum)
{
    slice_sum_reset(sum);
    for (size_t i = 0; i < COUNT(integers); i++)
        for (size_t at = 0; at < integers[i].bytes; at += sizeof(uint64_t))
            put(sum, integers[i].offset + at, 1 + rng_below(&rng, 1u << 30));
    sum->tally.first_errno = 1 + (int)rng_below(&rng, 100);
    sum->tally.first_phase = (enum phase)(1 + rng_below(&rng, PHASE_COUNT - 1));
    sum->tally.first_object = (uint32_t)rng_next(&rng);
    sum->tally.first_offset_bytes = rng_next(&rng);
    sum->tally.short_object = (uint32_t)rng_next(&rng);
    sum->tally.short_offset_bytes = rng_next(&rng);
    sum->tally.short_bytes = rng_next(&rng);
    sum->tally.wrong_object = (uint32_t)rng_next(&rng);
    sum->tally.wrong_first.offset_bytes = rng_next(&rng);
    sum->tally.wrong_first.shown = 1;
    sum->tally.wrong_first.found[0] = (uint8_t)rng_next(&rng);
    sum->has_requests = true;
    snprintf(sum->protocol, sizeof(sum->protocol), "p/%u", (unsigned)rng_below(&rng, 1000000));
    snprintf(sum->connection, sizeof(sum->connection), "c/%u", (unsigned)rng_below(&rng, 1000000));
    snprintf(sum->payload, sizeof(sum->payload), "d/%u", (unsigned)rng_below(&rng, 1000000));
    for (int i = 0; i < TROUBLE_KINDS; i++)
        snprintf(sum->first[i], TROUBLE_BYTES, "object %u: on fire",
                 (unsigned)rng_below(&rng, 1000000));
    sum->threads = 1;
    sum->slots = 4;
    sum->time_ns = sum->slot_ns / 4;
}

static struct slice_sum *make(void)
{
    struct slice_sum *sum = malloc(sizeof(*sum));
    assert_non_null(sum);
    slice_sum_reset(sum);
    return sum;
}

static struct slice_sum *make_full(void)
{
    struct slice_sum *sum = make();
    fill(sum);
    return sum;
}

static uint64_t merged(enum rule rule, uint64_t a, uint64_t b)
{
    return rule == ADD ? a + b : rule == MOST ? (a > b ? a : b) : (a < b ? a : b);
}

static void each_field_is_merged_by_its_rule(void **state)
{
    struct slice_sum *a = make(), *b = make(), *both = make();
    for (int round = 0; round < 20; round++)
        for (enum slice_order order = SLICE_BESIDE; order <= SLICE_AFTER; order++) {
            fill(a);
            fill(b);
            *both = *a;
            slice_sum_merge(both, b, order);
            for (size_t i = 0; i < COUNT(integers); i++)
                for (size_t at = integers[i].offset; at < integers[i].offset + integers[i].bytes;
                     at += sizeof(uint64_t)) {
                    if (integers[i].rule[order] != NONE &&
                        get(both, at) != merged(integers[i].rule[order], get(a, at), get(b, at)))
                        fail_msg("%s in order %d", integers[i].name, (int)order);
                }
            for (size_t i = 0; i < COUNT(others); i++) {
                const struct slice_sum *from = others[i].rule[order] == FIRST ? a : b;
                if (memcmp((char *)both + others[i].offset, (const char *)from + others[i].offset,
                           others[i].bytes) != 0)
                    fail_msg("%s in order %d", others[i].name, (int)order);
            }
            assert_int_equal(both->threads, order == SLICE_BESIDE ? 2 : 1);
            assert_int_equal(both->slots, order == SLICE_BESIDE ? 8 : 4);
            if (order == SLICE_BESIDE)
                assert_int_equal(both->time_ns, (a->slot_ns + b->slot_ns) / 8);
        }
    free(a);
    free(b);
    free(both);
}

static void flags_are_merged_by_their_rule(void **state)
{
    struct slice_sum *a = make(), *b = make();
    for (size_t i = 0; i < COUNT(flags); i++)
        for (unsigned bits = 0; bits < 8; bits++) {
            const bool first = bits & 1, second = bits & 2;
            const enum slice_order order = bits & 4 ? SLICE_AFTER : SLICE_BESIDE;
            slice_sum_reset(a);
            slice_sum_reset(b);
            *((bool *)a + flags[i].offset) = first;
            *((bool *)b + flags[i].offset) = second;
            slice_sum_merge(a, b, order);
            if (*((bool *)a + flags[i].offset) !=
                (flags[i].rule[order] == ALL ? first && second : first || second))
                fail_msg("%s: %d and %d", flags[i].name, first, second);
        }
    free(a);
    free(b);
}

/* Engines without requests add nothing to them; values not seen do not count as the first. */
static void what_is_not_there_changes_nothing(void **state)
{
    struct slice_sum *a = make_full(), *b = make_full(), *before = make();
    b->has_requests = false;
    *before = *a;
    slice_sum_merge(a, b, SLICE_BESIDE);
    assert_memory_equal(&a->requests, &before->requests, sizeof(a->requests));
    assert_string_equal(a->protocol, before->protocol);
    a->tally.first_errno = 0;
    a->tally.short_count = a->tally.wrong = 0;
    a->first[TROUBLE_FAILED][0] = '\0';
    slice_sum_merge(a, b, SLICE_AFTER);
    assert_int_equal(a->tally.first_errno, b->tally.first_errno);
    assert_int_equal(a->tally.first_phase, b->tally.first_phase);
    assert_int_equal(a->tally.short_object, b->tally.short_object);
    assert_int_equal(a->tally.wrong_object, b->tally.wrong_object);
    assert_string_equal(a->first[TROUBLE_FAILED], b->first[TROUBLE_FAILED]);
    *before = *b;
    slice_sum_reset(a);
    slice_sum_merge(b, a, SLICE_BESIDE);
    assert_memory_equal(b, before, sizeof(*b));
    free(a);
    free(b);
    free(before);
}

/* Merging into an empty sum copies it to the byte: no field is forgotten. */
static void into_nothing_all_of_it_comes(void **state)
{
    struct slice_sum *a = make_full(), *into = make();
    slice_sum_merge(into, a, SLICE_BESIDE);
    assert_memory_equal(into, a, sizeof(*a));
    slice_sum_reset(into);
    slice_sum_merge(into, a, SLICE_AFTER);
    assert_memory_equal(into, a, sizeof(*a));
    free(a);
    free(into);
}

/* Merging threads one by one equals merging two processes that have some of them each. */
static void the_grouping_does_not_matter(void **state)
{
    enum { THREADS = 7 };
    struct slice_sum *one = make(), *halves[2] = {make(), make()}, *thread = make();
    for (int order = SLICE_BESIDE; order <= SLICE_AFTER; order++) {
        slice_sum_reset(one);
        slice_sum_reset(halves[0]);
        slice_sum_reset(halves[1]);
        for (int i = 0; i < THREADS; i++) {
            fill(thread);
            thread->has_requests = i != 2;
            if (!thread->has_requests) {
                memset(&thread->requests, 0, sizeof(thread->requests));
                thread->protocol[0] = thread->connection[0] = thread->payload[0] = '\0';
            }
            slice_sum_merge(one, thread, (enum slice_order)order);
            slice_sum_merge(halves[i >= THREADS / 2], thread, (enum slice_order)order);
        }
        slice_sum_merge(halves[0], halves[1], (enum slice_order)order);
        assert_memory_equal(one, halves[0], sizeof(*one));
    }
    free(one);
    free(halves[0]);
    free(halves[1]);
    free(thread);
}

static void mark(unsigned char *seen, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memset(seen + fields[i].offset, 1, fields[i].bytes);
}

/* A field missing from all tables above would leave a gap that alignment does not explain. */
static void no_field_is_left_out_above(void **state)
{
    static unsigned char seen[sizeof(struct slice_sum)];
    size_t gap = 0;
    mark(seen, integers, COUNT(integers));
    mark(seen, others, COUNT(others));
    mark(seen, flags, COUNT(flags));
    mark(seen, apart, COUNT(apart));
    for (size_t i = 0; i < sizeof(seen); i++) {
        gap = seen[i] ? 0 : gap + 1;
        if (gap >= _Alignof(struct slice_sum))
            fail_msg("no test knows the field at byte %zu", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_merged_by_its_rule),
        cmocka_unit_test(flags_are_merged_by_their_rule),
        cmocka_unit_test(what_is_not_there_changes_nothing),
        cmocka_unit_test(into_nothing_all_of_it_comes),
        cmocka_unit_test(the_grouping_does_not_matter),
        cmocka_unit_test(no_field_is_left_out_above),
    };
    rng_seed(&rng, 42, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
