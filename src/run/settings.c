/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* settings.c - see settings.h. */
#include "base/compat.h"

#include "run/settings.h"

static bool has_step(const struct settings *part, unsigned place, const struct step *step)
{
    return place < part->tests.count && part->tests.step[place].test == step->test &&
           part->tests.step[place].created == step->created;
}

const struct step *settings_step(const struct settings *run, unsigned i)
{
    bool more = true;

    for (unsigned place = 0; more; place++) {
        more = false;
        for (const struct settings *part = run; part; part = part->next) {
            const struct settings *before = run;
            const struct step *step;
            if (place >= part->tests.count)
                continue;
            more = true;
            step = &part->tests.step[place];
            while (before != part && !has_step(before, place, step))
                before = before->next;
            if (before == part && i-- == 0)
                return step;
        }
    }
    return NULL;
}

bool settings_have_test(const struct settings *run, enum io_test test)
{
    const struct step *step;

    for (unsigned i = 0; (step = settings_step(run, i)); i++)
        if (step->test == test)
            return true;
    return false;
}

bool settings_any_test(const struct settings *run, bool (*is)(enum io_test))
{
    const struct step *step;

    for (unsigned i = 0; (step = settings_step(run, i)); i++)
        if (is(step->test))
            return true;
    return false;
}
