/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_courses.c - the courses over time in files of --series. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_parts.h"
#include "base/mem.h"

static void add_file(struct report *report, const struct results *file)
{
    size_t count;
    struct results_curve *curves = results_curves(file, &count);

    report->courses = mem_realloc_array(report->courses, report->course_count + count + 1,
                                        sizeof(*report->courses));
    for (size_t i = 0; i < count; i++)
        report->courses[report->course_count++] = (struct report_course){.curve = curves[i]};
    free(curves);
}

void report_make_courses(struct report *report)
{
    unsigned keys = 0;

    for (size_t f = 0; f < report->file_count; f++)
        if (report_is_series(&report->files[f].results))
            add_file(report, &report->files[f].results);
    for (size_t i = 1; i < report->course_count; i++)
        keys |= report_differences(&report->courses[0].curve, &report->courses[i].curve);
    for (size_t i = 0; i < report->course_count; i++)
        report->courses[i].title = report_words(report->pool, &report->courses[i].curve, keys);
}

void report_free_courses(struct report *report)
{
    for (size_t i = 0; i < report->course_count; i++)
        free(report->courses[i].curve.rows);
    free(report->courses);
}
