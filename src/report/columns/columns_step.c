/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_step.c - steps, loops and repeats in words. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"

/* The same test is another step, too. */
static bool is_several(const struct settings *settings, enum io_test test)
{
    unsigned steps = 0;

    for (unsigned i = 0; i < settings->tests.count; i++)
        steps += settings->tests.step[i].test == test;
    return steps > 1;
}

char *columns_place(const struct settings *settings, const struct cell *cell, const char *between,
                    char *text)
{
    text[0] = '\0';
    if (is_several(settings, cell->work.test))
        text_add(text, COLUMNS_PLACE_TEXT, between, "step %" PRIu32, cell->step);
    if (settings->loops > 1)
        text_add(text, COLUMNS_PLACE_TEXT, between, "loop %" PRIu32, cell->loop);
    if (settings->repeats > 1)
        text_add(text, COLUMNS_PLACE_TEXT, between, "repeat %" PRIu32, cell->repeat);
    return text;
}

/* As an option takes it, exact: "30s", "1500ms". */
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
