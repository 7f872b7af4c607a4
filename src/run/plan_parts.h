/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_parts.h - what plan.c and plan_check.c both ask of engines. */
#ifndef RUN_PLAN_PARTS_H
#define RUN_PLAN_PARTS_H

#include "run/settings.h"

/* The options of an engine as they were given, or NULL. */
static inline const void *options_of(const struct settings *settings, const struct engine *engine)
{
    for (unsigned i = 0; i < SETTINGS_ENGINES_MAX && engine_table[i]; i++)
        if (engine_table[i] == engine)
            return settings->engine_options[i];
    return NULL;
}

/* Whether it can have so many operations in flight. */
static inline bool depth_fits(const struct engine *engine, uint64_t depth)
{
    return depth <= (engine->async ? engine->async->depth_max : 1);
}

/* Whether it can do a test at all. */
static inline bool can_test(const struct engine *engine, enum io_test test)
{
    const unsigned can = engine->tests ? engine->tests : 1u << TEST_WRITE | 1u << TEST_READ;
    return can & 1u << test;
}

#endif
