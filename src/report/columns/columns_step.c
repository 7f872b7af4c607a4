/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_step.c - steps, loops and repeats in words. */
#include "base/compat.h"

#include <inttypes.h>

#include "base/text.h"
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

char *columns_step(const struct step *step, char *text)
{
    text_copy(text, COLUMNS_STEP_TEXT, test_names[step->test]);
    return text;
}
