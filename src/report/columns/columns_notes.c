/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_notes.c - the words that qualify a row; meanings in iosweep-measuring(7). */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/columns/columns.h"
#include "run/payload.h"

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
    for (unsigned i = 0; i < ORDER_COUNT; i++)
        if (strlen(order[i].word) == length && strncmp(order[i].word, word, length) == 0)
            return order[i].weight;
    return NOTE_QUALIFIES;
}
