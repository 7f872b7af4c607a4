/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine.c - the table of engines that are built. A table rather than constructors, because the
 * linker would silently drop archive members that are not referenced. */
#include "base/compat.h"

#include "engine/engine.h"

#include <string.h>

extern const struct engine engine_posix, engine_pread, engine_stdio, engine_null;
extern const struct engine engine_windows, engine_iocp;
extern const struct engine engine_libaio, engine_uring, engine_s3;
extern const struct engine engine_rados, engine_webhdfs, engine_mem;

const struct engine *const engine_table[] = {
#ifdef HAVE_WIN32
    &engine_windows, &engine_iocp,
#else
    &engine_posix, &engine_pread,
#endif
    &engine_stdio,
#ifdef HAVE_LIBAIO
    &engine_libaio,
#endif
#ifdef HAVE_LIBURING
    &engine_uring,
#endif
#ifdef HAVE_S3
    &engine_s3,
#endif
#ifdef HAVE_LIBCURL
    &engine_webhdfs,
#endif
#ifdef HAVE_RADOS
    &engine_rados,
#endif
    &engine_mem,     &engine_null, NULL,
};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *e = engine_table; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

bool engine_works_on(const struct engine *engine, const struct storage_driver *driver)
{
    if (engine->driver)
        return strcmp(engine->driver, driver->name) == 0;
    return driver->capabilities & TARGET_FILES || engine->capabilities & ENGINE_VIRTUAL;
}
