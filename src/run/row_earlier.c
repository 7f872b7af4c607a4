/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_earlier.c - rows of --resume: what they tell about themselves becomes the figures that others
 * compute with; all else is printed from their words. */
#include "base/compat.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "run/row.h"

/* 0 where nothing is known. */
static double known(const struct text_record *earlier, const char *name)
{
    double number = 0;

    for (size_t i = 0; i < earlier->count; i++)
        if (strcmp(earlier->fields[i].name, name) == 0)
            (void)number_read_real(earlier->fields[i].text, &number);
    return number;
}

void row_take_earlier(struct result *result, const struct text_record *earlier)
{
    result->earlier = earlier;
    result->state = RESULT_CLOSED;
    result->sum.tally.operations = (uint64_t)known(earlier, "operations");
    result->sum.time_ns = (uint64_t)llround(known(earlier, "time_s") * 1e9);
    result->sum.elapsed_ns = (uint64_t)llround(known(earlier, "elapsed_s") * 1e9);
    result->rounds = (unsigned)known(earlier, "rounds");
    result->op_ns_median = known(earlier, "op_ns_median");
    result->op_ns_low = known(earlier, "op_ns_low");
    result->op_ns_high = known(earlier, "op_ns_high");
    result->op_ns_best = known(earlier, "op_ns_best");
    result->op_ns_stddev = known(earlier, "op_ns_stddev");
    result->interval_known = result->op_ns_high > 0;
}

unsigned row_count_earlier(const struct sweep *sweep)
{
    unsigned count = 0;

    for (unsigned i = 0; sweep->earlier && i < sweep->plan->cell_count; i++)
        count += sweep->earlier[i] != NULL;
    return count;
}
