/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* targets.c - see targets.h. */
#include "base/compat.h"

#include "cli/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "run/plan.h"
#include "run/stop.h"

static uint64_t most_of(const struct units_list *list)
{
    uint64_t most = 1;

    for (size_t i = 0; i < list->count; i++)
        most = list->value[i] > most ? list->value[i] : most;
    return most;
}

static void request_step(struct target_request *request, const struct settings *settings,
                         const struct step *step)
{
    struct target_rows *rows = &request->rows[step->test];
    const uint64_t times = settings->loops * settings->repeats; /* 10000 each at most */
    uint64_t operations = step->stops ? step->repetitions : settings->repetitions;
    const bool per_thread = step->stops ? step->per_thread : settings->per_thread;

    if (step->created) { /* nothing is made for it */
        request->created |= 1u << step->test;
        return;
    }
    operations = per_thread ? number_times(operations, most_of(&settings->threads))
                            : number_share(operations, 0, settings->ranks); /* the most of any */
    request->tests |= 1u << step->test;
    rows->open += operations ? 0 : times;
    rows->operations = number_plus(rows->operations, number_times(operations, times));
}

struct target_request targets_request(const struct settings *settings, unsigned target)
{
    struct target_request request = {
        .target = settings->targets[target],
        .single_file = settings->single_file,
        .levels = settings->levels,
        .width = settings->width,
        .file_bytes = settings->file_bytes,
        .existing = settings->existing,
        .overwrite = settings->overwrite,
        .destroy_data = settings->destroy_data,
        .verify = settings->verify,
        .keep = settings->keep,
        .options = settings_of_driver(settings, storage_driver_for(settings->targets[target])),
        .align_bytes = settings->align_bytes,
        .in_order = settings_fills(settings),
        .uneven = (settings->call_bytes | settings->align_bytes) % TARGET_TEAR_BYTES != 0,
        .threads = (uint32_t)most_of(&settings->threads),
        .in_flight = (uint32_t)(most_of(&settings->threads) * most_of(&settings->depths)),
        .plan = settings->dry_run,
        .ranks = settings->users,
        .fragment_bytes = settings_append_bytes(settings),
        .seed = settings->seed + target,
        .run_name = settings->run_name,
        .named = settings->run_name != NULL,
        .reuse = settings->reuse,
        .stop = &stop_flag,
    };

    for (unsigned i = 0; i < settings->accesses.count; i++)
        request.in_order = request.in_order || settings->accesses.index[i] != ACCESS_RANDOM;
    for (unsigned i = 0; i < settings->tests.count; i++)
        request_step(&request, settings, &settings->tests.step[i]);
    targets_join(settings, target, &request);
    return request;
}

/* --- how they are written --- */

static bool has_form(const struct storage_driver *driver, bool with_runs)
{
    return driver->scheme[0] && (storage_keeps_runs(driver) || !with_runs);
}

const char *targets_forms(bool with_runs, char text[TARGETS_FORMS])
{
    unsigned left = 0;
    size_t used = 0;

    text[0] = '\0';
    for (int d = 0; storage_driver_table[d]; d++)
        left += has_form(storage_driver_table[d], with_runs);
    for (int d = 0; storage_driver_table[d] && used < TARGETS_FORMS; d++)
        if (has_form(storage_driver_table[d], with_runs))
            used += (size_t)snprintf(text + used, TARGETS_FORMS - used, "%s%s",
                                     --left ? ", " : " or ", storage_driver_table[d]->form);
    return text;
}

const char *const *targets_nowhere(void)
{
    const struct storage_driver *const *d = storage_driver_table;

    while (!((*d)->capabilities & TARGET_VIRTUAL))
        d++;
    return &(*d)->scheme;
}

/* --- what goes together --- */

/* Whether an option that needs something of its target is in use. */
static bool is_given(const struct option_row *row, const struct request *request)
{
    const void *field = (const char *)request + row->offset;

    if (row->given_offset)
        return *(const bool *)((const char *)request + row->given_offset);
    switch (row->type) {
    case OPTION_FLAG:
        return *(const bool *)field;
    case OPTION_CHOICE:
        return strcmp(row->choices[*(const unsigned *)field], row->fallback) != 0;
    case OPTION_COUNT:
    case OPTION_SIZE:
    case OPTION_DURATION: /* 0: not given */
        return !row->fallback && *(const uint64_t *)field;
    default:
        return false;
    }
}

/* An option, or those that are given as one, which would do nothing. */
static int refuse_idle_option(const struct option_row *idle, const struct settings *settings,
                              struct error *err)
{
    const struct storage_driver *driver = storage_driver_for(settings->targets[0]);
    const char *length =
        idle->offset == offsetof(struct settings, file_bytes) ? target_length_option(driver) : NULL;
    char text[96], names[96] = "";

    for (const struct option_row *row = options_table; row->name; row++) {
        const char letter[] = {row->letter, '\0'};
        if (row == idle || (idle->given_offset && row->given_offset == idle->given_offset))
            text_add(names, sizeof(names), " and ", "--%s%s%s%s", row->name, letter[0] ? " (-" : "",
                     letter, letter[0] ? ")" : "");
    }
    snprintf(text, sizeof(text), "this option is for files, not for %ss:", driver->kind);
    error_set(err, STATUS_USAGE, 0, text, names);
    if (length && settings_have_test(settings, TEST_FILL))
        return error_advise(err, "with %ss, test fill writes as many as --objects says",
                            driver->noun);
    if (length)
        return error_advise(err, "%s sets the size of %ss", length, driver->noun);
    return error_advise(err, "leave it out");
}

static int check_idle(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;
    unsigned can = 0;

    for (unsigned i = 0; i < settings->target_count; i++)
        can |= storage_driver_for(settings->targets[i])->capabilities;
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->needs & ~can && is_given(row, request))
            return refuse_idle_option(row, settings, err);
    return 0;
}

/* Each driver is asked once, by its first target. */
static int ask_drivers(const struct settings *settings, struct error *err)
{
    for (unsigned first = 0; first < settings->target_count; first++) {
        const struct storage_driver *driver = storage_driver_for(settings->targets[first]);
        const struct target_request request = targets_request(settings, first);
        unsigned before = 0, count = 0;
        bool alone = true;
        for (unsigned i = 0; i < settings->target_count; i++) {
            const struct storage_driver *other = storage_driver_for(settings->targets[i]);
            before += other == driver && i < first;
            count += other == driver;
            alone =
                alone && (other == driver || (driver->family && other->family == driver->family));
        }
        if (driver->check && !before && driver->check(&request, count, alone, err) < 0)
            return -1;
    }
    return 0;
}

int targets_check_options(const struct request *request, struct error *err)
{
    return check_idle(request, err) < 0 ? -1 : ask_drivers(&request->settings, err);
}

/* --- what the targets are --- */

/* A word that allows writing must fit some target: the wrong one would silently allow nothing. */
static int check_permissions(const struct settings *settings, struct error *err)
{
    unsigned files = 0, devices = 0;
    struct stat st;

    for (unsigned i = 0; i < settings->target_count; i++) {
        if (stat(settings->targets[i], &st) < 0)
            return 0; /* opening it will say why */
        if (settings->existing && settings->single_file && S_ISDIR(st.st_mode))
            return error_refuse(err, STATUS_USAGE,
                                "--single-file (-s) with --read-existing (-r) reads one file:",
                                settings->targets[i], "name that file, or leave out -s");
        files += S_ISREG(st.st_mode);
        devices += S_ISBLK(st.st_mode);
    }
    if (settings->overwrite && !files)
        return error_refuse(err, STATUS_USAGE, "--overwrite is for an existing file, not for",
                            settings->targets[0],
                            devices ? "a block device needs --destroy-data"
                                    : "leave it out: iosweep makes its own test files");
    if (settings->destroy_data && !devices)
        return error_refuse(err, STATUS_USAGE, "--destroy-data is for a block device, not for",
                            settings->targets[0],
                            files ? "a file needs --overwrite"
                                  : "leave it out: iosweep makes its own test files");
    return 0;
}

/* What exists as one file has no runs. */
static int check_run_name(const struct settings *settings, struct error *err)
{
    struct stat st;

    for (unsigned i = 0; settings->run_name && i < settings->target_count; i++) {
        const char *target = settings->targets[i];
        const struct storage_driver *driver = storage_driver_for(target);
        if (storage_keeps_runs(driver) && (!(driver->capabilities & TARGET_FILES) ||
                                           stat(target, &st) < 0 || S_ISDIR(st.st_mode)))
            continue;
        return error_refuse(err, STATUS_USAGE, "no run can be created or found in", target,
                            "%s is for directories and object stores",
                            settings->reuse ? "--reuse" : "--run-name");
    }
    return 0;
}

int targets_check(const struct settings *settings, struct error *err)
{
    return check_permissions(settings, err) < 0 ? -1 : check_run_name(settings, err);
}
