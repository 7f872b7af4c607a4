/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* header.c - prints what is needed to interpret a result: machine, clock, targets and the relevant
 * settings, as a dozen short lines on stderr, and processor usage at the end. The JSON document
 * contains the same facts. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/facts/facts.h"
#include "report/formats/print.h"
#include "run/stop.h"

#define LIST_TEXT 512 /* of one setting */
#define LINE_TEXT (8 * LIST_TEXT)

static void print_clock(const struct run_info *info, const struct hostinfo *host)
{
    char cost[UNITS_TEXT], step[UNITS_TEXT], loop[UNITS_TEXT];
    log_text(
        "# clock: %s, one reading costs %s, resolution %s; overhead of iosweep: %s per operation",
        host->clock_source[0] != '\0' ? host->clock_source : "monotonic",
        units_format_time(info->clock.cost_ns, cost),
        units_format_time((double)info->clock.step_ns, step),
        units_format_time(info->loop_ns, loop));
    if (info->reference_ns > 0)
        log_text("# reference: open, read 4 KiB and close of a file in memory take %s",
                 units_format_time(info->reference_ns, loop));
}

/* Maximum number of names: a list of 1000 hosts is too long to read. */
#define HOSTS_SHOWN 16

static void print_team(const struct run_info *info, const struct facts *facts)
{
    const struct team *team = info->team;
    facts_difference *list = mem_calloc(FACTS_DIFFERENCES, sizeof(*list));
    const unsigned count = facts_compare_hosts(facts, list);
    char shown[4 * FACTS_DIFFERENCE_TEXT];
    char line[FACTS_TEXT] = "", name[4 * TEAM_HOST_BYTES];

    for (unsigned h = 0; h < facts->host_count && h < HOSTS_SHOWN; h++)
        text_add(line, sizeof(line), ", ", "%s",
                 error_printable(facts->hosts[h].name, name, sizeof(name)));
    if (facts->host_count > HOSTS_SHOWN)
        text_add(line, sizeof(line), " ", "and %u more", facts->host_count - HOSTS_SHOWN);
    log_text("# team: %" PRIu32 " ranks on %" PRIu32 " host%s: %s", team->size, team->host_count,
             team->host_count == 1 ? "" : "s", line);
    for (unsigned i = 0; i < count; i++)
        log_text("#   hosts differ in %s", error_printable(list[i], shown, sizeof(shown)));
    free(list);
}

static void print_target(const struct target *target)
{
    char place[1024];
    error_printable(target->place ? target->place : "", place, sizeof(place));
    log_text("# target: %s, %s%s%s", place, target->description ? target->description : "",
             target->notes[0] != '\0' ? ", " : "", target->notes);
    if (target->direct_align_bytes > 0)
        log_text("#   O_DIRECT needs multiples of %" PRIu32 " B", target->direct_align_bytes);
}

struct header {
    struct print_state state;
    const struct option_row *settings;
    const struct run_info *info;
    struct facts *facts, own;
    bool brief;
};

/* ---- settings, from the rows of their options ---- */

static void add_setting(void *arg, const struct option_row *row, const struct value *value)
{
    const enum option_type type = row->type;
    char *text = arg, number[PRINT_NUMBER_TEXT];

    if (value->kind == VALUE_TEXT)
        text_add(text, LIST_TEXT, ",", "%s", value->text);
    else if (value->kind == VALUE_REAL)
        text_add(text, LIST_TEXT, ",", "%.3g %%", value->real * 100);
    else if (value->count > 0 && type == OPTION_SIZE)
        text_add(text, LIST_TEXT, ",", "%s", units_format_size(value->count, number));
    else if (value->count > 0 && type == OPTION_DURATION)
        text_add(text, LIST_TEXT, ",", "%s", units_format_span(value->count, number));
    else
        text_add(text, LIST_TEXT, type == OPTION_RANGE ? " to " : ",", "%" PRIu64, value->count);
}

/* Prints all settings that results depend on, by option name; omits those that are off or 0. */
static void print_settings(const struct header *header)
{
    const struct settings *settings = header->info->settings;
    const struct cell *cells[SETTINGS_ENGINES_MAX];
    const unsigned engines = columns_engines(header->info, cells);
    char line[LINE_TEXT] = "", value[LIST_TEXT], word[COLUMNS_STEP_TEXT];
    const struct step *step;
    unsigned place = 0;

    while (
        (step = columns_next_step(settings, header->info->cells, header->info->cell_count, &place)))
        text_add(line, LINE_TEXT, ",", "%s%s", line[0] ? "" : "tests: ", columns_step(step, word));
    for (unsigned i = 0; i < engines; i++)
        text_add(line, LINE_TEXT, i ? "," : ", ", "%s%s", i ? "" : "engine ",
                 cells[i]->engine->name);
    for (const struct option_row *row = header->settings; row->name; row++) {
        if (!print_has_setting(header->info, row) ||
            row->type == OPTION_SIZE_LIST ||                      /* in the line of rows */
            ((settings->repetitions || settings->cell_time_ns) && /* which override these */
             (row->offset == offsetof(struct settings, precision) ||
              row->offset == offsetof(struct settings, rounds_min))))
            continue;
        value[0] = '\0';
        print_setting(header->info, row, settings, add_setting, value);
        if (value[0] && (strcmp(value, "0") != 0 || row->type > OPTION_DURATION)) /* 0 in a list */
            text_add(line, LINE_TEXT, ", ", "%s%s%s", row->name,
                     row->type == OPTION_FLAG ? "" : " ", row->type == OPTION_FLAG ? "" : value);
    }
    if (settings->per_thread)
        text_add(line, LINE_TEXT, ", ", "repetitions of each thread");
    log_text("# %s", line);
}

static void print_rows(const struct run_info *info)
{
    char line[LINE_TEXT] = "", size[UNITS_TEXT];
    uint64_t least = info->cell_count > 0 ? UINT64_MAX : 0, most = 0;

    for (unsigned i = 0; i < info->cell_count; i++) {
        const uint64_t size_bytes = info->cells[i].work.size_bytes;
        least = size_bytes < least ? size_bytes : least;
        most = size_bytes > most ? size_bytes : most;
    }
    text_add(line, sizeof(line), "", "work: %u row%s of %s", info->cell_count,
             info->cell_count == 1 ? "" : "s", units_format_size(least, size));
    if (most > least)
        text_add(line, sizeof(line), " to ", "%s", units_format_size(most, size));
    log_text("# %s, seed %" PRIu64, line, info->settings->seed);
}

static void print_files(const struct settings *settings)
{
    char text[FACTS_TEXT];

    for (unsigned f = 0; f < settings->file_count; f++) {
        const struct option_file *file = &settings->files[f];
        log_text("# options of %s", error_printable(file->name, text, sizeof(text)));
        if (file->about[0] != '\0')
            log_text("#   %s", error_printable(file->about, text, sizeof(text)));
        for (unsigned i = 0; i < file->count; i++)
            log_text("#   line %u: %s", file->line[i].number,
                     error_printable(file->line[i].text, text, sizeof(text)));
    }
    if (settings->unused)
        log_text("#   left out, no target here takes it: %s", settings->unused);
}

/* ---- the sink ---- */

static int header_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct header *header = arg;
    const char **labels = mem_calloc(info->settings->target_count + 1, sizeof(*labels));

    (void)err;
    header->info = info;
    facts_ensure(header->facts, info->targets, info->settings->target_count);
    for (unsigned i = 0; i < info->settings->target_count; i++)
        labels[i] = info->targets[i]->label;
    facts_print(header->facts, labels, header->brief);
    free(labels);
    if (info->team)
        print_team(info, header->facts);
    if (header->brief)
        return 0;
    print_clock(info, &header->facts->host);
    for (unsigned i = 0; i < info->settings->target_count; i++)
        print_target(info->targets[i]);
    print_files(info->settings);
    print_settings(header);
    print_rows(info);
    return 0;
}

/* Prints processor usage while rows were measured. */
static void print_processors(const struct run_use *use)
{
    char line[FACTS_TEXT] = "";

    if (!use || use->shares.count == 0)
        return;
    text_add(line, sizeof(line), "", "processors: iosweep used %.0f %%, other programs %.0f %%",
             use->shares.own * 100, use->shares.others * 100);
    if (use->shares.kernel >= 0)
        text_add(line, sizeof(line), ", ", "kernel threads and interrupts %.0f %%",
                 use->shares.kernel * 100);
    if (use->shares.steal >= 0.005)
        text_add(line, sizeof(line), ", ", "the host (steal) %.0f %%", use->shares.steal * 100);
    log_text("# %s", line);
}

static int header_end(void *arg, struct error *err)
{
    const struct header *header = arg;

    (void)err;
    if (!header->info)
        return 0;
    if (stop_continued() > 0)
        log_text("# continued by SIGCONT: the row that was measured while the run was stopped "
                 "includes that time");
    if (!header->brief)
        print_processors(header->info->use);
    return 0;
}

static void header_release(void *state)
{
    struct header *header = state;

    facts_free(&header->own);
    free(header);
}

void format_make_header(const struct option_row *settings, struct facts *facts, bool brief,
                        struct sink *sink)
{
    struct header *header = mem_calloc(1, sizeof(*header));

    header->state.release = header_release;
    header->settings = settings;
    header->brief = brief;
    header->facts = facts ? facts : &header->own;
    *sink = (struct sink){.begin = header_begin, .end = header_end, .arg = header};
}
