/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan_fixture.h - default settings, one target of four files, and their plan. */
#ifndef TESTS_UNIT_PLAN_FIXTURE_H
#define TESTS_UNIT_PLAN_FIXTURE_H

#include <string.h>

#include "run/plan.h"
#include "unit/fake.h"

static uint64_t lengths[64], one = 1;
static struct target target;

static inline struct settings defaults(void)
{
    struct settings settings;

    static const char *const places[] = {".", "."};

    memset(&settings, 0, sizeof(settings));
    settings.min_bytes = 2;
    settings.max_bytes = 65536;
    settings.factor = 2;
    settings.scan_given = true;
    settings.tests =
        (struct steps){.count = 2, .step = {{.test = TEST_WRITE}, {.test = TEST_READ}}};
    settings.loops = settings.repeats = 1;
    settings.caches = (struct option_choices){.count = 1, .index = {CACHE_CACHED}};
    settings.threads = (struct units_list){.value = &one, .count = 1};
    settings.depths = (struct units_list){.value = &one, .count = 1};
    settings.engines[0] = &engine_fake;
    settings.engine_count = 1;
    settings.file_bytes = 4 << 20;
    settings.targets = places;
    settings.target_count = 1;
    settings.rounds_min = 11;
    settings.rounds_max = 39;
    target = fake_target(lengths, 4, 4 << 20);
    return settings;
}

static inline struct plan make(const struct settings *settings)
{
    struct plan plan;
    struct error err = ERROR_INIT;
    struct target *targets[2] = {&target, &target};

    assert_int_equal(plan_make(settings, NULL, targets, &plan, &err), 0);
    return plan;
}

static inline bool writes(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++)
        if (test_writes(plan->cells[i].work.test))
            return true;
    return false;
}

#endif
