/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dryrun.c - describes a plan. The time of a fixed number of repetitions depends on the storage,
 * unless --rate sets when they start. */
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
#include "run/team.h"

#define SENTENCE_TEXT 1024

/* Describes what happens to the data of a target. */
static void add_data(const struct settings *settings, const struct target *target, char *text)
{
    const char *end = settings->keep ? "kept" : "removed at the end";
    char bytes[UNITS_TEXT];

    units_format_bytes((double)target->total_bytes, bytes);
    if (target_can(target, TARGET_VIRTUAL))
        text_add(text, SENTENCE_TEXT, "", "%s of nothing", bytes);
    else if (settings->existing || settings->reuse || !target->ours)
        text_add(text, SENTENCE_TEXT, "", "%s of existing data, %s", bytes,
                 !target->writable    ? "only read"
                 : settings->existing ? "to be removed"
                 : settings->reuse    ? "to be overwritten"
                                      : "OVERWRITTEN");
    else if (target->total_bytes == 0)
        text_add(text, SENTENCE_TEXT, "", "what it makes is %s", end);
    else /* some sets are filled, others by the rows themselves */
        text_add(text, SENTENCE_TEXT, "", "%s%s of test %s, %s",
                 target_can(target, TARGET_SHAPED) ? "" : "at most ", bytes,
                 target_can(target, TARGET_FILES) ? "files" : "objects", end);
}

/* --- duration --- */

static char *span_text(double seconds, char span[UNITS_TEXT])
{
    const double most = (double)(UINT64_MAX / NS_PER_S); /* the longest time that can be printed */
    const double told = seconds < most ? seconds : most;
    const double whole = told < 1 ? told : (double)(uint64_t)(told + 0.5);

    return units_format_span((uint64_t)(whole * 1e9), span);
}

struct plan_sums { /* of rows, by what ends them */
    unsigned counted, adaptive;
    unsigned created;          /* that end when the objects of test create are used up */
    uint64_t operations, each; /* of rows with a count; each: of each row, 0: they differ */
    double timed_s;            /* of rows with a time, or with a count at a rate */
};

static struct plan_sums sum_plan(const struct settings *settings, const struct plan *plan)
{
    struct plan_sums sums = {0};

    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        const struct cell_stop *stop = &cell->stop;

        if (cell->skip || cell_follows(cell))
            continue;
        if (stop->cycles) {
            sums.each = !sums.counted || sums.each == stop->cycles ? stop->cycles : 0;
            sums.operations = number_plus(sums.operations, stop->cycles);
            sums.counted++;
            if (settings->rate)
                sums.timed_s += (double)stop->cycles / (double)settings->rate;
        } else if (stop->time_ns) {
            sums.timed_s += (double)stop->time_ns / 1e9;
        } else if (cell->created) {
            sums.created++;
        } else {
            sums.adaptive++;
        }
    }
    return sums;
}

/* How many rounds an adaptive row needs depends on the storage; its longest time is known. */
static void add_time(const struct settings *settings, struct target *const *targets,
                     const struct plan_sums *sums, char *text)
{
    const double adaptive_s = ceil((double)SWEEP_ROW_TIME_NS / 1e9 * sums->adaptive);
    /* the duration of some depends on the storage */
    const bool unknown = sums->created || (sums->counted && !settings->rate);
    char span[UNITS_TEXT];

    if (settings->max_time_ns) {
        text_add(text, SENTENCE_TEXT, "; ", "takes at most %s",
                 span_text((double)settings->max_time_ns / 1e9, span));
        return;
    }
    if (unknown && sums->timed_s > 0)
        text_add(text, SENTENCE_TEXT, "; ", "rows take %s or more", span_text(sums->timed_s, span));
    else if (!unknown && sums->timed_s + adaptive_s > 0)
        text_add(text, SENTENCE_TEXT, "; ", "rows take %s%s", sums->adaptive ? "at most " : "",
                 span_text(sums->timed_s + adaptive_s, span));
    else
        return;
    if (settings->rate && sums->counted)
        text_add(text, SENTENCE_TEXT, "", " if the storage keeps up with --rate");
    for (unsigned i = 0; i < settings->target_count; i++)
        if (targets[i]->ours && targets[i]->total_bytes > 0 && !settings->reuse) {
            text_add(text, SENTENCE_TEXT, ", ", "after the files are prepared");
            break;
        }
}

/* --- --dry-run --- */

static void print_target(const struct settings *settings, const struct target *target)
{
    char place[COLUMNS_VALUE_TEXT], text[SENTENCE_TEXT] = "";

    error_printable(target->place, place, sizeof(place));
    if (settings->replace)
        printf("target %s: an existing run of this name is removed first\n", place);
    add_data(settings, target, text);
    printf("target %s%s %s, %s\n", place, text_colon(place), target->description, text);
}

static void print_team(const struct settings *settings)
{
    if (settings->ranks < 2)
        return;
    printf("team: %" PRIu32 " ranks on %" PRIu32 " host%s, %s\n", settings->ranks, settings->hosts,
           settings->hosts == 1 ? "" : "s",
           settings->share == TEAM_SHARE_ALL ? "all use what one of them makes"
                                             : "each with what follows, shown for rank 0");
}

static void print_files(const struct settings *settings)
{
    char text[1024];

    for (unsigned f = 0; f < settings->file_count; f++) {
        const struct option_file *file = &settings->files[f];
        printf("options of %s", error_printable(file->name, text, sizeof(text)));
        if (file->about[0])
            printf(": %s", error_printable(file->about, text, sizeof(text)));
        putchar('\n');
    }
    if (settings->unused)
        printf("left out, no target here takes it: %s\n", settings->unused);
}

static void print_cells(const struct settings *settings, const struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        char size[UNITS_TEXT], label[COLUMNS_VALUE_TEXT], place[COLUMNS_PLACE_TEXT];
        printf("row %u: %s %s %s threads=%" PRIu32 " depth=%" PRIu32 " size=%s target=%s", i + 1,
               test_names[cell_test(cell)], cell->engine->name, cache_names[cell->work.cache],
               cell->threads, cell->work.depth, units_format_size(cell->work.size_bytes, size),
               error_printable(cell->work.target->label, label, sizeof(label)));
        if (cell->work.access != ACCESS_RANDOM)
            printf(" access=%s", access_names[cell->work.access]);
        if (cell->created)
            printf(" of what test create makes");
        if (cell->mixed)
            printf(" mix=%" PRIu32, cell->read_percent);
        if (cell->places)
            printf(" operations=%" PRIu64, cell->places);
        if (cell->work.io_bytes != cell->work.size_bytes)
            printf(" moves=%s", units_format_size(cell->work.io_bytes, size));
        if (columns_place(settings, cell, false, ", ", place)[0] != '\0')
            printf(" (%s)", place);
        if (cell->skip)
            printf(" skipped:%s", cell->skip);
        putchar('\n');
    }
}

static void print_forecast(const struct ready *ready, const struct plan *plan)
{
    const struct plan_sums sums = sum_plan(ready->settings, plan);
    char text[SENTENCE_TEXT] = "";

    if (sums.each)
        printf("operations: %" PRIu64 " per row, %" PRIu64 " in all\n", sums.each, sums.operations);
    else if (sums.counted)
        printf("operations: %" PRIu64 " in all\n", sums.operations);
    if (sums.created)
        printf("rows that use what test create makes: %u, of unknown duration\n", sums.created);
    add_time(ready->settings, ready->targets, &sums, text);
    if (text[0])
        printf("time: %s\n", text);
}

enum status dryrun_print(const struct ready *ready, const struct plan *plan, struct error *err)
{
    const struct settings *settings = ready->settings;

    print_files(settings);
    print_team(settings);
    for (unsigned i = 0; i < settings->target_count; i++)
        print_target(settings, ready->targets[i]);
    printf("rows: %u in %u part%s\n", plan->cell_count, plan->part_count,
           plan->part_count == 1 ? "" : "s");
    print_forecast(ready, plan);
    print_cells(settings, plan);
    return help_flush(err) < 0 ? err->status : STATUS_OK;
}

/* --- before a run: one sentence --- */

static void add_work(const struct settings *settings, const struct plan *plan, char *text)
{
    uint64_t least = UINT64_MAX, most = 0;
    char size[UNITS_TEXT], word[COLUMNS_STEP_TEXT];
    const struct step *step;
    unsigned place = 0;

    while ((step = columns_next_step(settings, plan->cells, plan->cell_count, &place)))
        text_add(text, SENTENCE_TEXT, ",", "%s", columns_step(step, word));
    for (unsigned i = 0; i < plan->cell_count; i++) {
        least = number_least(plan->cells[i].work.size_bytes, least);
        most = number_most(plan->cells[i].work.size_bytes, most);
    }
    if (plan->cell_count)
        text_add(text, SENTENCE_TEXT, "", " of %s", units_format_size(least, size));
    if (most > least)
        text_add(text, SENTENCE_TEXT, "", " to %s", units_format_size(most, size));
}

void dryrun_announce(const struct settings *settings, struct target *const *targets,
                     const struct plan *plan)
{
    const struct plan_sums sums = sum_plan(settings, plan);
    char text[SENTENCE_TEXT] = "", label[COLUMNS_VALUE_TEXT];

    add_work(settings, plan, text);
    for (unsigned i = 0; i < settings->target_count; i++) {
        error_printable(targets[i]->label, label, sizeof(label));
        text_add(text, SENTENCE_TEXT, "; ", "%s", label);
        if (target_can(targets[i], TARGET_VIRTUAL))
            continue;
        text_add(text, SENTENCE_TEXT, "", "%s ", text_colon(label));
        add_data(settings, targets[i], text);
    }
    add_time(settings, targets, &sums, text);
    log_named("plan", "%s", text);
    if (settings->engine_for_depth)
        log_text("# engine %s: it runs several operations at a time, as --depth asks",
                 settings->engines[0]->name);
}
