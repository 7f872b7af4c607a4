/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sink.c - passes results to all sinks that have not failed. */
#include "base/compat.h"

#include "run/sink.h"

#include <stdlib.h>

#include "base/mem.h"

void sinks_make(struct sinks *sinks, const struct sink *sink, unsigned count)
{
    *sinks = (struct sinks){sink, count, mem_calloc(count + 1, sizeof(*sinks->dead))};
}

void sinks_free(struct sinks *sinks)
{
    free(sinks->dead);
}

/* Calls a hook of each sink with the arguments that follow. */
#define CALL(sinks, hook, ...)                                                  \
    do {                                                                        \
        for (unsigned i = 0; i < (sinks)->count; i++)                           \
            if (!(sinks)->dead[i] && (sinks)->sink[i].hook &&                   \
                (sinks)->sink[i].hook((sinks)->sink[i].arg, __VA_ARGS__) < 0) { \
                (sinks)->dead[i] = true;                                        \
                code = -1;                                                      \
            }                                                                   \
    } while (0)

int sinks_begin(struct sinks *sinks, const struct run_info *info, struct error *err)
{
    int code = 0;

    CALL(sinks, begin, info, err);
    return code;
}

int sinks_row(struct sinks *sinks, const struct result *result, bool ends_part, struct error *err)
{
    int code = 0;

    CALL(sinks, row, result, err);
    if (ends_part)
        CALL(sinks, part_end, err);
    return code;
}

int sinks_slice(struct sinks *sinks, const struct slice_record *record, struct error *err)
{
    int code = 0;

    CALL(sinks, slice, record, err);
    return code;
}

int sinks_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct sinks *sinks = arg;
    int code = 0;

    CALL(sinks, interval, record, err);
    return code;
}

int sinks_end(struct sinks *sinks, struct error *err)
{
    int code = 0;

    CALL(sinks, end, err);
    return code;
}
