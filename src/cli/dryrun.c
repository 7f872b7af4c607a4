/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dryrun.c - a plan in words.  Times are those of slices and rounds; how long a fixed number of
 * repetitions takes is known only to the storage, unless --rate says when they start. */
#include "base/compat.h"

#include "cli/ready.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/help.h"
#include "report/columns/columns.h"
#include "run/slice_length.h"
#include "run/team.h"

static void print_targets(FILE *stream, const struct settings *settings,
                          struct target *const *targets)
{
    char size[UNITS_TEXT], place[COLUMNS_VALUE_TEXT];

    for (unsigned i = 0; i < settings->target_count; i++) {
        const struct target *target = targets[i];
        error_printable(target->place, place, sizeof(place));
        units_format_bytes((double)target->total_bytes, size);
        if (settings->replace)
            fprintf(stream, "target %s: an existing run of this name is removed first\n", place);
        if (target->ours && target->total_bytes == 0 && !settings->reuse) {
            fprintf(stream, "target %s%s %s, %s\n", place, text_colon(place), target->description,
                    settings->keep ? "kept" : "removed at the end");
            continue;
        }
        if (!target_can(target, TARGET_SHAPED) &&
            target->ours) { /* some sets are filled, others by the rows themselves */
            fprintf(stream, "target %s%s %s, at most %s stored at a time, %s\n", place,
                    text_colon(place), target->description, size,
                    settings->keep ? "kept" : "removed at the end");
            continue;
        }
        fprintf(stream, "target %s%s %s, %s%s\n", place, text_colon(place), target->description,
                size,
                target_can(target, TARGET_VIRTUAL)       ? " of nothing"
                : settings->existing && target->writable ? " to be removed"
                : settings->reuse                        ? " to be overwritten"
                : target->ours     ? (settings->keep ? " to be written and kept"
                                                     : " to be written, removed at the end")
                : target->writable ? " of existing data to be OVERWRITTEN"
                                   : " of existing data, only read");
    }
}

static void print_team(FILE *stream, const struct settings *settings)
{
    if (settings->ranks < 2)
        return;
    fprintf(stream, "team: %" PRIu32 " ranks on %" PRIu32 " host%s, %s\n", settings->ranks,
            settings->hosts, settings->hosts == 1 ? "" : "s",
            settings->share == TEAM_SHARE_ALL ? "all use what one of them makes"
                                              : "each with what follows, told for rank 0");
}

static void print_files(FILE *stream, const struct settings *settings)
{
    char text[1024];

    for (unsigned f = 0; f < settings->file_count; f++) {
        const struct option_file *file = &settings->files[f];
        fprintf(stream, "options of %s", error_printable(file->name, text, sizeof(text)));
        if (file->about[0])
            fprintf(stream, ": %s", error_printable(file->about, text, sizeof(text)));
        fputc('\n', stream);
    }
    if (settings->unused)
        fprintf(stream, "left out, no target here takes it: %s\n", settings->unused);
}

static void print_cells(FILE *stream, const struct settings *settings, const struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        char size[UNITS_TEXT], label[COLUMNS_VALUE_TEXT], place[COLUMNS_PLACE_TEXT];
        fprintf(stream, "row %u: %s %s %s threads=%" PRIu32 " depth=%" PRIu32 " size=%s target=%s",
                i + 1, test_names[cell_test(cell)], cell->engine->name,
                cache_names[cell->work.cache], cell->threads, cell->work.depth,
                units_format_size(cell->work.size_bytes, size),
                error_printable(cell->work.target->label, label, sizeof(label)));
        if (cell->work.access != ACCESS_RANDOM)
            fprintf(stream, " access=%s", access_names[cell->work.access]);
        if (cell->created)
            fprintf(stream, " of what test create makes");
        if (cell->mixed)
            fprintf(stream, " mix=%" PRIu32, cell->read_percent);
        if (cell->places)
            fprintf(stream, " operations=%" PRIu64, cell->places);
        if (cell->work.io_bytes != cell->work.size_bytes)
            fprintf(stream, " moves=%s", units_format_size(cell->work.io_bytes, size));
        if (columns_place(settings, cell, ", ", place)[0] != '\0')
            fprintf(stream, " (%s)", place);
        if (cell->skip)
            fprintf(stream, " skipped:%s", cell->skip);
        fputc('\n', stream);
    }
}

/* --rate stretches slices: each slot of each thread does some operations in one. */
static double slice_seconds(const struct settings *settings, const struct cell *cell)
{
    const double slice_s = (double)slice_wanted_ns(cell) / 1e9;
    double least_s = 0;

    if (settings->rate)
        least_s = (double)SLICE_CYCLES_MIN / (double)settings->rate;
    return least_s > slice_s ? least_s : slice_s;
}

#define BETWEEN    1.1 /* what lies between slices takes a tenth of their time, or more */
#define SHORTEST_S 1.  /* what is foretold of steady rows is no more exact */

static char *span_text(double seconds, char span[UNITS_TEXT])
{
    const double most = (double)(UINT64_MAX / NS_PER_S); /* the longest that can be told */
    const double told = seconds < most ? seconds : most;
    const double whole = told < 1 ? told : (double)(uint64_t)(told + 0.5);

    return units_format_span((uint64_t)(whole * 1e9), span);
}

static void print_span(FILE *stream, const char *before, double seconds, const char *after)
{
    char span[UNITS_TEXT];

    fprintf(stream, "%s%s%s", before, span_text(seconds, span), after);
}

static void print_rows_time(FILE *stream, double row_s, unsigned rows, const char *after)
{
    print_span(stream, "time: ", row_s, " per row, ");
    print_span(stream, "", row_s * rows, after);
}

/* Rows are looked at first after the fewest rounds; how many more they need is up to the
 * storage. */
static void print_adaptive_time(FILE *stream, double least_s, double most_s)
{
    least_s = fmax(least_s, SHORTEST_S);
    most_s = ceil(most_s);
    if (least_s < most_s) {
        print_span(stream, "time: ", least_s, " if all rows are steady, ");
        print_span(stream, "at most ", most_s, ", plus the time to prepare the files\n");
    } else {
        print_span(stream, "time: ", most_s, ", plus the time to prepare the files\n");
    }
}

struct forecast { /* of rows by what ends them */
    unsigned counted, timed, adaptive;
    unsigned created;          /* that end with what test create has made by then */
    uint64_t operations, each; /* of counted rows; each: of one of them, 0: they differ */
    uint64_t time_ns, row_ns;  /* of timed rows, likewise */
    double least_s;            /* of adaptive rows */
};

static void add_row(struct forecast *forecast, const struct settings *settings,
                    const struct cell *cell)
{
    const struct cell_stop *stop = &cell->stop;

    if (stop->cycles) {
        forecast->each = !forecast->counted || forecast->each == stop->cycles ? stop->cycles : 0;
        forecast->operations = number_plus(forecast->operations, stop->cycles);
        forecast->counted++;
    } else if (stop->time_ns) {
        forecast->row_ns =
            !forecast->timed || forecast->row_ns == stop->time_ns ? stop->time_ns : 0;
        forecast->time_ns = number_plus(forecast->time_ns, stop->time_ns);
        forecast->timed++;
    } else if (cell->created) {
        forecast->created++;
    } else {
        forecast->least_s +=
            slice_seconds(settings, cell) * BETWEEN * (double)(settings->rounds_min + 1);
        forecast->adaptive++;
    }
}

static void print_counted(FILE *stream, const struct settings *settings,
                          const struct forecast *forecast)
{
    if (forecast->each)
        fprintf(stream, "operations: %" PRIu64 " per row, %" PRIu64 " in all\n", forecast->each,
                forecast->operations);
    else
        fprintf(stream, "operations: %" PRIu64 " in all\n", forecast->operations);
    if (settings->rate && forecast->each)
        print_rows_time(stream, (double)forecast->each / (double)settings->rate, forecast->counted,
                        " in all, if the storage keeps up with the rate\n");
}

static struct forecast make_forecast(const struct settings *settings, const struct plan *plan)
{
    struct forecast forecast = {0};

    for (unsigned i = 0; i < plan->cell_count; i++)
        if (!plan->cells[i].skip && !cell_follows(&plan->cells[i]))
            add_row(&forecast, settings, &plan->cells[i]);
    return forecast;
}

static void print_time(FILE *stream, const struct settings *settings, const struct plan *plan)
{
    const struct forecast forecast = make_forecast(settings, plan);

    if (forecast.counted)
        print_counted(stream, settings, &forecast);
    if (forecast.timed && forecast.row_ns)
        print_rows_time(stream, (double)forecast.row_ns / 1e9, forecast.timed,
                        " in all, plus the time to prepare the files\n");
    else if (forecast.timed)
        print_span(stream, "time: ", (double)forecast.time_ns / 1e9,
                   " in all, plus the time to prepare the files\n");
    if (forecast.adaptive || (!forecast.counted && !forecast.timed && !forecast.created))
        print_adaptive_time(stream, forecast.least_s,
                            (double)SWEEP_ROW_TIME_NS / 1e9 *
                                (forecast.counted || forecast.timed || forecast.created
                                     ? forecast.adaptive
                                     : plan->cell_count));
    if (forecast.created)
        fprintf(stream, "rows that use what test create makes: %u, of unknown duration\n",
                forecast.created);
    if (settings->max_time_ns)
        print_span(
            stream, "time: at most ", (double)settings->max_time_ns / 1e9,
            " in all (--max-time): on slow storage files get smaller and rows are cut short\n");
}

enum status dryrun_print(FILE *stream, const struct ready *ready, const struct plan *plan,
                         struct error *err)
{
    const struct settings *settings = ready->settings;

    print_files(stream, settings);
    print_team(stream, settings);
    print_targets(stream, settings, ready->targets);
    fprintf(stream, "rows: %u in %u part%s\n", plan->cell_count, plan->part_count,
            plan->part_count == 1 ? "" : "s");
    print_time(stream, settings, plan);
    print_cells(stream, settings, plan);
    return help_flush(stream, err) < 0 ? err->status : STATUS_OK;
}

/* --- before a run: one sentence --- */

#define SENTENCE_TEXT 1024

static void add_work(const struct settings *settings, const struct plan *plan, char *text)
{
    uint64_t least = UINT64_MAX, most = 0;
    char size[UNITS_TEXT], step[COLUMNS_STEP_TEXT];

    for (unsigned i = 0; i < settings->tests.count; i++)
        text_add(text, SENTENCE_TEXT, i ? "," : "", "%s",
                 columns_step(&settings->tests.step[i], step));
    for (unsigned i = 0; i < plan->cell_count; i++) {
        least = plan->cells[i].work.size_bytes < least ? plan->cells[i].work.size_bytes : least;
        most = plan->cells[i].work.size_bytes > most ? plan->cells[i].work.size_bytes : most;
    }
    if (plan->cell_count)
        text_add(text, SENTENCE_TEXT, "", " of %s", units_format_size(least, size));
    if (most > least)
        text_add(text, SENTENCE_TEXT, "", " to %s", units_format_size(most, size));
}

/* What becomes of the data of a target. */
static void add_target(const struct settings *settings, const struct target *target, char *text)
{
    char bytes[UNITS_TEXT], label[COLUMNS_VALUE_TEXT];
    const char *end = settings->keep ? "kept" : "removed at the end";

    error_printable(target->label, label, sizeof(label));
    units_format_bytes((double)target->total_bytes, bytes);
    if (target_can(target, TARGET_VIRTUAL))
        text_add(text, SENTENCE_TEXT, "; ", "%s", label);
    else if (settings->existing || settings->reuse || !target->ours)
        text_add(text, SENTENCE_TEXT, "; ", "%s%s %s of existing data, %s", label,
                 text_colon(label), bytes, target->writable ? "OVERWRITTEN" : "only read");
    else if (target->total_bytes == 0)
        text_add(text, SENTENCE_TEXT, "; ", "%s%s what it makes is %s", label, text_colon(label),
                 end);
    else
        text_add(text, SENTENCE_TEXT, "; ", "%s%s %s%s of test %s, %s", label, text_colon(label),
                 target_can(target, TARGET_SHAPED) ? "" : "at most ", bytes,
                 target_can(target, TARGET_FILES) ? "files" : "objects", end);
}

/* Counted rows take what the storage needs for them. */
static void add_time(const struct settings *settings, struct target *const *targets,
                     const struct plan *plan, char *text)
{
    const struct forecast forecast = make_forecast(settings, plan);
    const double timed_s = (double)forecast.time_ns / 1e9;
    const double least_s = fmax(timed_s + forecast.least_s, forecast.adaptive ? SHORTEST_S : 0);
    const double rows_s = timed_s + (double)SWEEP_ROW_TIME_NS / 1e9 * forecast.adaptive;
    const double most_s = forecast.adaptive ? ceil(rows_s) : rows_s;
    char least[UNITS_TEXT], most[UNITS_TEXT];

    if (settings->max_time_ns) {
        text_add(text, SENTENCE_TEXT, "; ", "takes at most %s",
                 span_text((double)settings->max_time_ns / 1e9, most));
    } else if (!forecast.counted && !forecast.created && most_s > 0) {
        span_text(most_s, most);
        if (least_s < most_s)
            text_add(text, SENTENCE_TEXT, "; ", "rows take %s to %s", span_text(least_s, least),
                     most);
        else
            text_add(text, SENTENCE_TEXT, "; ", "rows take %s", most);
        for (unsigned i = 0; i < settings->target_count; i++)
            if (targets[i]->ours && targets[i]->total_bytes > 0 && !settings->reuse) {
                text_add(text, SENTENCE_TEXT, ", ", "after the files are prepared");
                break;
            }
    }
}

void dryrun_announce(const struct settings *settings, struct target *const *targets,
                     const struct plan *plan)
{
    char text[SENTENCE_TEXT] = "";

    add_work(settings, plan, text);
    for (unsigned i = 0; i < settings->target_count; i++)
        add_target(settings, targets[i], text);
    add_time(settings, targets, plan, text);
    log_named("plan", "%s", text);
    if (settings->engine_for_depth)
        log_text("# engine %s: it runs several operations at a time, as --depth asks",
                 settings->engines[0]->name);
}
