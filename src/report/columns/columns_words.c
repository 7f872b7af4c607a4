/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_words.c - formats notes, meanings in iosweep-measuring(7), places, steps, ranks and cache
 * modes. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "report/columns/columns.h"
#include "run/payload.h"

/* --- notes --- */

/* By weight: notes that change the meaning of the figures come first, those about their precision
 * last. Users who read only the first words miss nothing essential. */
static const struct note {
    unsigned bit; /* 0: position of the words of target and settings */
    const char *word;
    enum note_weight weight;
} order[] = {
    {NOTE_WRONG_DATA, "wrong_data", NOTE_ALARMS},
    {NOTE_INCOMPLETE, "incomplete", NOTE_ALARMS},
    {NOTE_UNSTEADY, "unsteady", NOTE_ALARMS},
    {NOTE_FAILED_TIME, "failed_time", NOTE_ALARMS},
    {NOTE_RANKS_APART, "ranks_apart", NOTE_QUALIFIES},
    {NOTE_CACHE_HITS, "cache_hits", NOTE_QUALIFIES},
    {NOTE_NOT_CACHED, "not_cached", NOTE_QUALIFIES},
    {NOTE_NOCACHE, "nocache", NOTE_QUALIFIES},
    {NOTE_CACHE_BELOW, "cache_below", NOTE_QUALIFIES},
    {NOTE_RMW, "rmw", NOTE_QUALIFIES},
    {NOTE_COVERED, "covered", NOTE_QUALIFIES},
    {NOTE_SHORT, "short", NOTE_QUALIFIES},
    {0, "", NOTE_QUALIFIES},
    {NOTE_RATE_MISSED, "rate_missed", NOTE_QUALIFIES},
    {NOTE_DRAINED, "drained", NOTE_QUALIFIES},
    {NOTE_FEW_ROUNDS, "few_rounds", NOTE_REMARKS},
    {NOTE_SUBMIT_BLOCKS, "submit_blocks", NOTE_QUALIFIES},
    {NOTE_READAHEAD, "read_ahead_seen", NOTE_QUALIFIES},
    {NOTE_COLD, "cold", NOTE_QUALIFIES},
    {NOTE_CREATED, "created", NOTE_REMARKS},
    {NOTE_PUNTED, "punted", NOTE_REMARKS},
    {NOTE_PLAIN_BUFFERS, "plain_buffers", NOTE_REMARKS},
    {NOTE_UNFAIR, "unfair", NOTE_REMARKS},
    {NOTE_TIMER, "timer", NOTE_REMARKS},
    {NOTE_DRIFT, "drift", NOTE_REMARKS},
    {NOTE_CORRELATED, "correlated", NOTE_REMARKS},
    {NOTE_OUTLIERS, "outliers", NOTE_REMARKS},
    {NOTE_FEW_SLOW, "few_slow", NOTE_REMARKS},
    {NOTE_WIDE, "wide", NOTE_REMARKS},
};
#define ORDER_COUNT (sizeof(order) / sizeof(order[0]))
_Static_assert(ORDER_COUNT == NOTE_COUNT + 1, "each note has its place");

static void add_note(char *text, const char *prefix, const char *note)
{
    text_add(text, COLUMNS_NOTES_TEXT, ";", "%s%s", prefix, note);
}

/* Adds the notes that have no bit. */
static void add_other_notes(const struct result *result, const struct run_info *info, char *text)
{
    const struct target *target = info->targets[result->cell->target];
    char own[64];

    if (result->state == RESULT_SKIPPED)
        add_note(text, "skipped:", result->cell->skip ? result->cell->skip : "unknown");
    if (target->notes[0] != '\0')
        add_note(text, "", target->notes);
    if (target->driver && target->driver->note) {
        const struct workload *work = &result->cell->work;
        target->driver->note(target, work->test, work->size_bytes, own, sizeof(own));
        if (own[0] != '\0')
            add_note(text, "", own);
    }
    if (result->sum.tally.mixed > 0)
        text_add(text, COLUMNS_NOTES_TEXT, ";", "verify_mixed:%" PRIu64, result->sum.tally.mixed);
    if (info->settings->payload != PAYLOAD_RANDOM && test_writes(result->cell->work.test))
        add_note(text, "payload:", payload_names[info->settings->payload]);
}

char *columns_notes(const struct result *result, const struct run_info *info, char *text)
{
    unsigned notes = result->notes;

    text[0] = '\0';
    if (result->state == RESULT_INCOMPLETE)
        notes |= NOTE_INCOMPLETE;
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        if (order[i].bit == 0)
            add_other_notes(result, info, text);
        else if (notes & order[i].bit)
            add_note(text, "", order[i].word);
    }
    return text;
}

enum note_weight columns_note_weight(const char *word, size_t length)
{
    if (strncmp(word, "skipped:", 8) == 0 || strncmp(word, "payload:", 8) == 0)
        return NOTE_REMARKS;
    if (strncmp(word, "errors:", 7) == 0) /* of a table, which has no column for them */
        return NOTE_ALARMS;
    for (unsigned i = 0; i < ORDER_COUNT; i++)
        if (strlen(order[i].word) == length && strncmp(order[i].word, word, length) == 0)
            return order[i].weight;
    return NOTE_QUALIFIES;
}

/* --- other words --- */

unsigned columns_engines(const struct run_info *info, const struct cell **cells)
{
    unsigned count = 0;

    for (unsigned i = 0; i < info->cell_count && count < SETTINGS_ENGINES_MAX; i++) {
        unsigned k = 0;
        while (k < count && !engine_same(cells[k]->engine, info->cells[i].engine))
            k++;
        if (k == count)
            cells[count++] = &info->cells[i];
    }
    return count;
}

char *columns_place(const struct settings *settings, const struct cell *cell, bool merged,
                    const char *between, char *text)
{
    const struct step *step;
    unsigned steps = 0;

    text[0] = '\0';
    for (unsigned i = 0; (step = settings_step(settings, i)); i++)
        steps += step->test == cell->work.test;
    if (steps > 1) /* the same test occurs in several steps */
        text_add(text, COLUMNS_PLACE_TEXT, between, "step %" PRIu32, cell->step);
    if (settings->loops > 1 && !merged)
        text_add(text, COLUMNS_PLACE_TEXT, between, "loop %" PRIu32, cell->loop);
    if (settings->repeats > 1 && !merged)
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

const struct step *columns_next_step(const struct settings *run, const struct cell *cells,
                                     unsigned count, unsigned *place)
{
    const struct step *step;

    while ((step = settings_step(run, (*place)++)))
        for (unsigned i = 0; i < count; i++)
            if ((cells[i].mixed || cell_test(&cells[i]) == step->test) &&
                cells[i].created == step->created)
                return step;
    return NULL;
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

double columns_half_width(const struct result *result)
{
    return result->rounds > 0 && result->interval_known && result->op_ns_mean > 0
               ? (result->op_ns_high - result->op_ns_low) / 2 / result->op_ns_mean
               : 0;
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
