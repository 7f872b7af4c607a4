/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_fit.c - `iosweep fit`: what the curves of earlier runs come to in a few numbers, and how
 * far the line is from what was measured.
 *
 * A line never comes without its residuals: mean and worst error stand beside its numbers, a line
 * that is far off is said to be, and segments are only shown where the rows are steady enough to
 * tell a change of slope from a disturbance. */
#include "base/compat.h"

#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_print.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

#define WORST_SHARE 0.25  /* beyond, the line is said not to describe the curve */
#define CURVES_MAX  10000 /* each is named by its difference from all others */

struct fit_options {
    const char *output;
    unsigned format;
    bool format_given, residuals;
};

#define FIELD(name) offsetof(struct fit_options, name)
/* clang-format off */
static const struct option_row fit_rows[] = {
    {0, "residuals", NULL, OPTION_FLAG, FIELD(residuals), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "also show each point: measured, fitted, difference", "Output", NULL, 0},
    COMMAND_OUTPUT_ROWS(struct fit_options),
    {.long_name = NULL},
};
/* clang-format on */

static size_t count_sizes(const struct fitted *fitted)
{
    size_t sizes = 0;
    for (size_t i = 0; i < fitted->count; i++)
        sizes += i == 0 || fitted->points[i].size_bytes > fitted->points[i - 1].size_bytes;
    return sizes;
}

/* Words of notes are joined by ';'. */
static bool is_unsteady(const struct results_row *row)
{
    static const char *const words[] = {"wide", "drift", "incomplete"};
    for (const char *at = row->notes; *at != '\0';) {
        const size_t length = strcspn(at, ";");
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
            if (length == strlen(words[i]) && strncmp(at, words[i], length) == 0)
                return true;
        at += length + (at[length] == ';');
    }
    return false;
}

/* What to call a curve in a table and in messages: something also where nothing has to be told
 * apart. */
static char *name_curve(const struct results_curve *curve, const struct results_curve *all,
                        size_t count)
{
    char text[RESULTS_CURVE_TEXT];

    results_curve_name(curve, all, count, text);
    if (text[0] == '\0') {
        const struct results_row *row = curve->rows[0];
        error_printable(row->test[0] != '\0'    ? row->test
                        : row->label[0] != '\0' ? row->label
                                                : curve->file->path,
                        text, sizeof(text));
    }
    return mem_strdup(text);
}

static void fit_one(const struct results_curve *curve, const struct results_curve *all,
                    size_t count, struct fitted *fitted)
{
    *fitted = (struct fitted){.curve = curve, .count = curve->count};
    fitted->name = name_curve(curve, all, count);
    fitted->points = mem_calloc(curve->count, sizeof(*fitted->points));
    for (size_t i = 0; i < curve->count; i++) {
        fitted->points[i].size_bytes = (double)curve->rows[i]->size_bytes;
        fitted->points[i].op_ns = results_op_ns(curve->rows[i]);
        fitted->unsteady += is_unsteady(curve->rows[i]);
    }
    fitted->known = fit_curve(fitted->points, fitted->count, &fitted->fit);
    fitted->segments = fitted->known && fitted->fit.segment_count > 1 && fitted->unsteady == 0
                           ? fitted->fit.segment_count
                           : 0;
}

/* --- what is said beside the results --- */

static const struct fit_point *worst_point(const struct fitted *fitted)
{
    const struct fit_line *line = &fitted->fit.whole;
    const struct fit_point *worst = &fitted->points[0];
    for (size_t i = 1; i < fitted->count; i++)
        if (fabs(fit_residual(line, &fitted->points[i])) > fabs(fit_residual(line, worst)))
            worst = &fitted->points[i];
    return worst;
}

static void say_worst(const struct fitted *fitted)
{
    const struct fit_point *worst = worst_point(fitted);
    const double residual = fit_residual(&fitted->fit.whole, worst);
    char size[UNITS_TEXT], knee[UNITS_TEXT], advice[160];

    units_format_bytes(worst->size_bytes, size);
    units_format_bytes(fitted->fit.knee90_bytes, knee);
    if (fitted->segments > 0)
        snprintf(advice, sizeof(advice), "look at its %u segments, or at knee90 (%s)",
                 fitted->segments, knee);
    else
        snprintf(advice, sizeof(advice), "look at knee90 (%s)%s", knee,
                 fitted->unsteady > 0 ? ", or repeat the sweep on an idle machine" : "");
    log_warn("%s: the line does not fit the curve at %s, where operations take %.0f %% %s than "
             "predicted; %s",
             fitted->name, size, fabs(residual) * 100, residual > 0 ? "longer" : "less", advice);
}

static void say_of_curve(const struct fitted *fitted)
{
    char share[TEXT_SHARE];

    if (!fitted->known) {
        const size_t sizes = count_sizes(fitted);
        if (sizes < FIT_POINTS_MIN)
            log_warn(
                "%s: no line: %zu size%s with figures, at least %d are needed; sweep more sizes "
                "(--min-size, --max-size)",
                fitted->name, sizes, sizes == 1 ? "" : "s", FIT_POINTS_MIN);
        else
            log_warn("%s: no line fits these figures", fitted->name);
        return;
    }
    if (fitted->fit.segment_count > 1 && fitted->segments == 0)
        log_text(
            "%s: segments are not shown: %s %s the note wide, drift or incomplete, so a change of "
            "slope may be noise; repeat the sweep on an idle machine",
            fitted->name, text_share(fitted->unsteady, fitted->count, "row", share),
            fitted->unsteady == 1 ? "has" : "have");
    if (fitted->fit.whole.worst_error > WORST_SHARE)
        say_worst(fitted);
}

static void say_missing(const struct results *results)
{
    size_t missing = 0;
    char path[256], share[TEXT_SHARE];

    for (size_t i = 0; i < results->count; i++)
        missing += isnan(results_op_ns(&results->rows[i])) ? 1 : 0;
    if (missing > 0)
        log_text("%s: %s %s no figures (skipped, or nothing was completed)",
                 error_printable(results->path, path, sizeof(path)),
                 text_share(missing, results->count, "row", share), missing == 1 ? "has" : "have");
}

/* --- the run --- */

struct study { /* all that was read; curves of all files in one array */
    struct results *results;
    unsigned files;
    struct results_curve *curves;
    size_t count;
    struct fitted *fitted;
};

static int read_all(struct study *study, const char *const *paths, unsigned count,
                    struct error *err)
{
    study->results = mem_calloc(count, sizeof(*study->results));
    for (; study->files < count; study->files++)
        if (results_read(paths[study->files], &study->results[study->files], err) < 0)
            return -1;
    return 0;
}

/* The line is one of sizes: where no data are moved it says nothing. */
static size_t leave_out_tests(struct results_curve *curves, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (results_moves_data(curves[i].rows[0]->test))
            curves[kept++] = curves[i];
        else
            free(curves[i].rows);
    return kept;
}

static void say_left_out(const struct results *results, size_t count)
{
    char path[256];

    if (count > 0)
        log_text("%s: %zu curve%s left out: tests that move no data have no bandwidth",
                 error_printable(results->path, path, sizeof(path)), count, count == 1 ? "" : "s");
}

static int collect_curves(struct study *study, struct error *err)
{
    size_t left_out = 0;

    for (unsigned i = 0; i < study->files; i++) {
        size_t all, count;
        struct results_curve *curves = results_curves(&study->results[i], &all);
        count = leave_out_tests(curves, all);
        left_out += all - count;
        study->curves =
            mem_realloc_array(study->curves, study->count + count, sizeof(*study->curves));
        memcpy(study->curves + study->count, curves, count * sizeof(*curves));
        study->count += count;
        free(curves); /* not their rows */
        say_missing(&study->results[i]);
        if (count > 0 || study->count > 0)
            say_left_out(&study->results[i], all - count);
        command_say_incomplete(&study->results[i]);
    }
    if (study->count == 0 && left_out > 0)
        return error_refuse(err, STATUS_USAGE, "no test that moves data in", study->results[0].path,
                            "iosweep plot draws the times of the others");
    if (study->count == 0)
        return error_set(err, STATUS_USAGE, 0, "no row with figures in", study->results[0].path);
    if (study->count > CURVES_MAX)
        return error_refuse(err, STATUS_USAGE, "more than 10000 curves in", study->results[0].path,
                            "rows of one curve have the same label, target and so on");
    return 0;
}

static void fit_curves(struct study *study)
{
    study->fitted = mem_calloc(study->count, sizeof(*study->fitted));
    for (size_t i = 0; i < study->count; i++)
        fit_one(&study->curves[i], study->curves, study->count, &study->fitted[i]);
}

static void free_study(struct study *study)
{
    for (size_t i = 0; study->fitted && i < study->count; i++) {
        free(study->fitted[i].name);
        free(study->fitted[i].points);
    }
    free(study->fitted);
    results_free_curves(study->curves, study->count);
    for (unsigned i = 0; i < study->files; i++)
        results_free(&study->results[i]);
    free(study->results);
}

static enum status fit_run(const void *block, const char *const *arguments, unsigned count,
                           struct error *err)
{
    const struct fit_options *options = block;
    struct study study = {0};
    struct command_output output;
    size_t missing = 0;

    if (read_all(&study, arguments, count, err) == 0 && collect_curves(&study, err) == 0 &&
        command_output_open(options->output, arguments, count, &output, err) == 0) {
        const struct text_look look = command_look(&output);
        fit_curves(&study);
        fit_print(output.stream,
                  (enum fit_format)command_format(options->output, options->format_given,
                                                  options->format),
                  study.fitted, study.count, options->residuals, &look);
        /* what is said stands behind what it is about */
        if (command_output_close(&output, true, err) == 0)
            for (size_t i = 0; i < study.count; i++) {
                say_of_curve(&study.fitted[i]);
                missing += study.fitted[i].known ? 0 : 1;
            }
    }
    free_study(&study);
    return error_is_set(err) ? err->status : missing > 0 ? STATUS_PARTIAL : STATUS_OK;
}

const struct command command_fit = {
    .name = "fit",
    .arguments = "FILE...",
    .summary = "start-up time, bandwidth and knee of each curve in results",
    .details = "Fits the line t = t0 + size / bandwidth to each curve in result files (CSV,\n"
               "JSON, or the output of io_profile; - is standard input), and shows how\n"
               "far the measured points are from it and which size reaches 90 % of the best\n"
               "throughput.\n",
    .options = fit_rows,
    .block_bytes = sizeof(struct fit_options),
    .takes_runs = true,
    .needs = "a file of results",
    .arguments_min = 1,
    .run = fit_run,
};
