/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_fit.c - the finding that puts a curve into three numbers: what an operation costs at
 * least, what each byte adds, and the size at which both are equal; and how far the rows are from
 * that line, because without it the numbers mean nothing. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "report/findings/findings.h"
#include "run/fit.h"

#define POINTS_LEAST 6    /* a line through fewer says little */
#define FAR          0.25 /* from the line: it does not describe the curve there */
#define GROWTH       1.5  /* the time of the largest size in times that of the smallest */

static int by_size(const void *a, const void *b)
{
    const struct fit_point *x = a, *y = b;
    return (x->size_bytes > y->size_bytes) - (x->size_bytes < y->size_bytes);
}

/* The points of a test by rising size, to be freed. */
static struct fit_point *take_points(const struct findings *f, enum io_test test, size_t *count)
{
    struct fit_point *points = mem_calloc(f->count, sizeof(*points));
    *count = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const double size_bytes = (double)findings_size(row);
        if (findings_belongs(row, test) && findings_is_point(row))
            points[(*count)++] = (struct fit_point){
                .size_bytes = size_bytes,
                .op_ns = row->op_ns_mean > 0 ? row->op_ns_mean : 1e9 * size_bytes / row->throughput,
            };
    }
    qsort(points, *count, sizeof(*points), by_size);
    return points;
}

/* False when there is no line to speak of: too few points,
 * or the time does not depend on the size. */
static bool fit_test(const struct findings *f, enum io_test test, struct fit_line *line)
{
    size_t count;
    struct fit_point *points = take_points(f, test, &count);
    const bool fitted = findings_one_series(f, test) && count >= POINTS_LEAST &&
                        points[count - 1].op_ns > GROWTH * points[0].op_ns &&
                        fit_curve(points, count, line) && isfinite(line->bandwidth_bytes_per_s);
    free(points);
    return fitted;
}

bool findings_fit(const struct findings *f, char *text)
{
    const struct fit_line *far = NULL;
    struct fit_line lines[TEST_COUNT];
    char size[UNITS_TEXT];
    size_t used = 0;
    for (int test = 0; test < TEST_COUNT && used < FINDING_TEXT / 2; test++) {
        char t0[UNITS_TEXT], bandwidth[UNITS_TEXT], half[UNITS_TEXT];
        const struct fit_line *line = &lines[test];
        if (!fit_test(f, (enum io_test)test, &lines[test]))
            continue;
        used += (size_t)snprintf(
            text + used, FINDING_TEXT - used,
            "%s %s takes %s + size / %s (half that bandwidth at %s; average error %.0f %%)",
            used > 0 ? ", a" : "a", test_names[test], units_format_time(line->t0_ns, t0),
            units_format_throughput(line->bandwidth_bytes_per_s, bandwidth),
            units_format_bytes(line->half_bytes, half), 100 * line->mean_error);
        if (line->worst_error > FAR && (!far || line->worst_error > far->worst_error))
            far = line;
    }
    if (used == 0)
        return false;
    if (far)
        snprintf(text + used, FINDING_TEXT - used,
                 "; it does not hold near %s (off by %.0f %%): iosweep fit --residuals shows why",
                 units_format_size((uint64_t)far->worst_bytes, size), 100 * far->worst_error);
    else
        snprintf(text + used, FINDING_TEXT - used, "; iosweep fit --residuals shows each");
    return true;
}
