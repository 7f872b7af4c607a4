/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_facts.c - see report_facts.h. */
#include "base/compat.h"

#include "analysis/report/report_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

const char report_facts_missing[] =
    "These results do not say on which machine and with which settings and command they were "
    "measured; results of --format json do.";

static bool is_shown(const char *name)
{
    return strcmp(name, "command") != 0;
}

const char *report_fact(const struct results *results, size_t index, const char **name)
{
    const struct text_field known[] = {
        {"iosweep", results->version},
        {"host.name", results->fact_count == 0 ? results->host : ""},
        {"date", results->fact_count == 0 ? results->date : ""},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].text[0] != '\0' && index-- == 0) {
            *name = known[i].name;
            return known[i].text;
        }
    for (size_t i = 0; i < results->fact_count; i++)
        if (is_shown(results->facts[i].name) && index-- == 0) {
            *name = results->facts[i].name;
            return results->facts[i].text;
        }
    return NULL;
}

bool report_is_told(const struct report *report, const char *finding)
{
    for (size_t i = 0; i < report->verdict_count; i++)
        if (strstr(finding, report->verdicts[i].what))
            return true;
    return false;
}

/* Whether some cells differ in it.  An axis that is compared has one value on each side. */
static bool varies(const struct match *match, enum match_axis axis)
{
    char first[UNITS_TEXT], other[UNITS_TEXT];

    for (size_t i = 1; i < match->count; i++)
        if (strcmp(match_axis_value(match->cells[0].before, axis, first),
                   match_axis_value(match->cells[i].before, axis, other)) != 0)
            return true;
    return false;
}

unsigned report_varying(const struct match *match)
{
    unsigned axes = 0;

    for (enum match_axis axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        axes |= varies(match, axis) ? 1u << axis : 0;
    return axes;
}

char *report_cell(const struct match *match, size_t index, unsigned varying)
{
    const struct results_row *row = match->cells[index].before;
    char text[1024] = "", place[RESULTS_PLACE_TEXT], value[UNITS_TEXT];

    text_add(text, sizeof(text), "", "%s%s", row->test, results_place(row, place));
    for (enum match_axis axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        const char *word = match_axis_value(row, axis, value);
        if (!(varying & 1u << axis) || word[0] == '\0')
            continue;
        if (axis >= MATCH_THREADS)
            text_add(text, sizeof(text), ", ", "%s %s", match_axis_name(axis), word);
        else
            text_add(text, sizeof(text), ", ", "%s", word);
    }
    return mem_strdup(text);
}

const char *report_outcome(const struct compare_judgement *is)
{
    switch (is->verdict) {
    case COMPARE_UNCLEAR:
        return "unclear";
    case COMPARE_SAME:
        return "same";
    case COMPARE_SLOWER:
        return "slower";
    case COMPARE_FASTER:
        return "faster";
    case COMPARE_UNKNOWN:
        break;
    }
    return "no verdict";
}
