/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_notes.c - the words that qualify a row; meanings in iosweep-csv(5). */
#include "base/compat.h"

#include <string.h>

#include "base/text.h"
#include "report/columns/columns.h"
#include "run/payload.h"

static void add_note(char *text, const char *prefix, const char *note)
{
    text_add(text, COLUMNS_NOTES_TEXT, ";", "%s%s", prefix, note);
}

char *columns_notes(const struct result *result, const struct run_info *info, char *text)
{
    static const char *const names[NOTE_COUNT] = {
        "wide",     "drift",         "correlated",    "outliers",    "timer",      "covered",
        "rmw",      "cache_hits",    "not_cached",    "unfair",      "short",      "incomplete",
        "punted",   "submit_blocks", "plain_buffers", "rate_missed", "wrong_data", "drained",
        "unsteady", "failed_time",   "cold",          "readahead",   "created",
    };
    const struct target *target = info->targets[result->cell->target];
    unsigned notes = result->notes;
    char own[64];
    text[0] = '\0';
    if (result->state == RESULT_INCOMPLETE)
        notes |= NOTE_INCOMPLETE;
    for (unsigned bit = 0; bit < NOTE_COUNT; bit++) {
        if (notes & (1u << bit))
            add_note(text, "", names[bit]);
    }
    if (info->settings->payload != PAYLOAD_RANDOM && test_writes(result->cell->work.test))
        add_note(text, "payload:", payload_names[info->settings->payload]);
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
    return text;
}
