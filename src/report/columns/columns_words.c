/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_words.c - formats places, steps, ranks and cache modes. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "report/columns/columns.h"

char *columns_place(const struct settings *settings, const struct cell *cell, const char *between,
                    char *text)
{
    unsigned steps = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < settings->tests.count; i++)
        steps += settings->tests.step[i].test == cell->work.test;
    if (steps > 1) /* the same test occurs in several steps */
        text_add(text, COLUMNS_PLACE_TEXT, between, "step %" PRIu32, cell->step);
    if (settings->loops > 1)
        text_add(text, COLUMNS_PLACE_TEXT, between, "loop %" PRIu32, cell->loop);
    if (settings->repeats > 1)
        text_add(text, COLUMNS_PLACE_TEXT, between, "repeat %" PRIu32, cell->repeat);
    return text;
}

void columns_add_axes(const struct run_info *info, const struct cell *cell, unsigned axes,
                      char *text, size_t size)
{
    char label[160];

    if (axes & AXIS_CACHE)
        text_add(text, size, ", ", "%s", cache_names[cell->work.cache]);
    if (axes & AXIS_ACCESS)
        text_add(text, size, ", ", "%s", access_names[cell->work.access]);
    if (axes & (AXIS_MIX | AXIS_MIXED) && cell->mixed)
        text_add(text, size, ", ", "mix %" PRIu32, cell->read_percent);
    if (axes & AXIS_TARGET)
        text_add(text, size, ", ", "%s",
                 error_printable(info->targets[cell->target]->label, label, sizeof(label)));
    if (axes & AXIS_ENGINE)
        text_add(text, size, ", ", "%s", cell->engine->name);
    if (axes & AXIS_THREADS)
        text_add(text, size, ", ", "%" PRIu32 " thread%s", cell->threads,
                 cell->threads == 1 ? "" : "s");
    if (axes & AXIS_DEPTH)
        text_add(text, size, ", ", "depth %" PRIu32, cell->work.depth);
}

/* Formats a time as an option value, exact: "30s", "1500ms". */
static char *seconds_text(uint64_t ns, char *text)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    unsigned i = 0;

    while (ns % units[i].ns)
        i++;
    snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
    return text;
}

char *columns_step(const struct step *step, char *text)
{
    char span[UNITS_TEXT];

    text_copy(text, COLUMNS_STEP_TEXT, test_names[step->test]);
    if (step->created)
        text_add(text, COLUMNS_STEP_TEXT, ":", "created");
    if (step->repetitions)
        text_add(text, COLUMNS_STEP_TEXT, ":", "n=%" PRIu64 "%s", step->repetitions,
                 step->per_thread ? "/thread" : "");
    if (step->time_ns)
        text_add(text, COLUMNS_STEP_TEXT, ":", "%s", seconds_text(step->time_ns, span));
    if (step->budgeted)
        text_add(text, COLUMNS_STEP_TEXT, ":", "errors=%" PRIu64, step->errors);
    return text;
}

uint32_t columns_ranks(const struct settings *settings)
{
    return settings->ranks ? settings->ranks : 1;
}

uint32_t columns_hosts(const struct settings *settings)
{
    return columns_ranks(settings) > 1 ? settings->hosts : 1;
}

char *columns_team_words(const struct settings *settings, char *text)
{
    const uint32_t ranks = columns_ranks(settings), hosts = columns_hosts(settings);

    snprintf(text, COLUMNS_TEAM_TEXT, "%" PRIu32 " rank%s", ranks, ranks == 1 ? "" : "s");
    if (hosts)
        text_add(text, COLUMNS_TEAM_TEXT, " ", "on %" PRIu32 " host%s", hosts,
                 hosts == 1 ? "" : "s");
    return text;
}

char *columns_format_mean(char *(*format)(double, char *), double mean, double half_width,
                          char *text)
{
    const bool rounded = half_width >= COLUMNS_WIDE && mean >= 1;
    const double step = rounded ? pow(10, floor(log10(mean)) - 1) : 1;
    char *unit;

    format(rounded ? round(mean / step) * step : mean, text);
    unit = strchr(text, ' ');
    if (rounded && unit && strchr(text, '.')) /* the third digit is 0 */
        memmove(unit - (unit[-2] == '.' ? 2 : 1), unit, strlen(unit) + 1);
    return text;
}

static void add_buffered(const struct target *target, const struct workload *work, char *text)
{
    const struct medium *medium = &target->medium;
    const bool reads = work->test == TEST_READ, local = medium->name[0] == '\0';

    if (!reads && (work->sync != SYNC_NONE || target->close_flushes))
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, %s the %s",
                 local ? "flushed to" : "sent to", local ? "device" : medium->keeper);
    else if (work->cache == CACHE_ASIS)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache as it was found");
    else if (work->cache != CACHE_UNCACHED)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, not the %s",
                 local ? "device" : "storage");
    else if (!reads)
        text_add(text, COLUMNS_CACHE_TEXT, "", "page cache, emptied before");
    else if (local)
        text_add(text, COLUMNS_CACHE_TEXT, "", "device, page cache emptied before");
    else
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s, page cache emptied before; its %s may cache",
                 medium->name, medium->keeper);
}

char *columns_cache_words(const struct target *target, const struct workload *work, char *text)
{
    const struct medium *medium = &target->medium;

    text[0] = '\0';
    if (target_can(target, TARGET_VIRTUAL))
        text_add(text, COLUMNS_CACHE_TEXT, "", "nothing is moved");
    else if (!test_moves_data(work->test)) /* names and attributes: other caches */
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s", cache_names[work->cache]);
    else if (target->in_memory)
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s",
                 work->cache == CACHE_DIRECT ? "memory (O_DIRECT)" : "files in memory");
    else if (work->cache != CACHE_DIRECT)
        add_buffered(target, work, text);
    else if (OS_DIRECT_ADVISORY)
        text_add(text, COLUMNS_CACHE_TEXT, "", "asked not to cache");
    else if (medium->name[0] == '\0')
        text_add(text, COLUMNS_CACHE_TEXT, "", "device (O_DIRECT)");
    else
        text_add(text, COLUMNS_CACHE_TEXT, "", "%s (O_DIRECT); its %s may cache", medium->name,
                 medium->keeper);
    return text;
}
