/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine_check.c - see engine_check.h. */
#include "base/compat.h"

#include "unit/engine_check.h"

static const char *check_async(const struct engine *engine)
{
    const struct engine_async *async = engine->async;

    if (!engine->read &&
        (engine->open || engine->seek || engine->write || engine->rmw || engine->close))
        return "an asynchronous engine has some hooks of a synchronous one";
    if (!async->depth_max)
        return "depth_max is missing";
    if (!async->read || !async->write || !async->reap)
        return "read, write or reap is missing";
    if (engine->opens && (!async->open || !async->close))
        return "open or close is missing for tests that have them";
    if (engine->phases == 1u << PHASE_TRANSFER)
        return (!engine->opens && (async->open || async->close)) || async->sync || async->chain
                   ? "without PHASE_OPEN nothing is opened, flushed or closed"
                   : NULL;
    if (!async->open || !async->sync || !async->close)
        return "a step is missing";
    if (engine->phases != (1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE))
        return "an asynchronous cycle has the phases open, transfer and close";
    return NULL;
}

static const char *check_sync(const struct engine *engine)
{
    const bool opens = engine->phases & (1u << PHASE_OPEN);
    const bool writes = engine->capabilities & ENGINE_WRITES;

    if (!engine->read)
        return "read is missing";
    if (opens != (engine->open != NULL) || opens != (engine->close != NULL))
        return "open and close must be there exactly with PHASE_OPEN";
    if (((engine->phases & (1u << PHASE_SEEK)) != 0) != (engine->seek != NULL))
        return "seek must be there exactly with PHASE_SEEK";
    if (writes && !engine->write)
        return "write is missing";
    if (writes && (engine->capabilities & ENGINE_DIRECT) && !engine->rmw)
        return "rmw is missing";
    if (!engine->read_dropping != !engine->write_dropping)
        return "read_dropping and write_dropping belong together";
    return NULL;
}

const char *engine_check(const struct engine *engine)
{
    const bool opens = engine->phases & (1u << PHASE_OPEN);

    if (!engine->name || !engine->name[0] || !engine->summary || !engine->libc_words)
        return "name, summary or libc_words is missing";
    if (!engine->setup || !engine->teardown)
        return "setup or teardown is missing";
    if (!(engine->phases & (1u << PHASE_TRANSFER)))
        return "an engine without a transfer phase measures nothing";
    if (opens != ((engine->phases & (1u << PHASE_CLOSE)) != 0))
        return "PHASE_OPEN and PHASE_CLOSE belong together";
    if (((engine->capabilities & ENGINE_UNCACHED) != 0) != (engine->forget != NULL))
        return "forget must be there exactly with ENGINE_UNCACHED";
    if (engine->options && !engine->options_bytes)
        return "options need options_bytes";
    if (engine->async && check_async(engine))
        return check_async(engine);
    return engine->async && !engine->read ? NULL : check_sync(engine);
}
