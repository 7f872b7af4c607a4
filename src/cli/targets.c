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
        most = number_most(list->value[i], most);
    return most;
}

static void request_step(struct target_request *request, const struct settings *settings,
                         const struct step *step)
{
    struct target_rows *rows = &request->rows[step->test];
    const uint64_t times = settings->loops * settings->repeats; /* 10000 each at most */
    uint64_t operations = step->stops ? step->repetitions : settings->repetitions;
    const bool per_thread = step->stops ? step->per_thread : settings->per_thread;

    if (step->created) { /* no objects are created for it */
        request->created |= 1u << step->test;
        return;
    }
    operations = per_thread ? number_times(operations, request->threads)
                            /* the maximum of a rank */
                            : number_share(operations, 0, settings->ranks);
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
        .uneven = (settings->call_bytes | settings->align_bytes) % TARGET_TEAR_BYTES != 0,
        .plan = settings->dry_run,
        .ranks = settings->users,
        .fragment_bytes = settings_append_bytes(settings),
        .fragment_given = settings->call_given,
        .seed = settings->seed + target,
        .run_name = settings->run_name,
        .named = settings->run_name != NULL,
        .reuse = settings->reuse,
        .stop = &stop_flag,
    };
    const struct step *step;

    for (const struct settings *part = settings; part; part = part->next) {
        const uint32_t threads = (uint32_t)most_of(&part->threads);
        const uint32_t in_flight = threads * (uint32_t)most_of(&part->depths);
        request.threads = threads > request.threads ? threads : request.threads;
        request.in_flight = in_flight > request.in_flight ? in_flight : request.in_flight;
        request.in_order = request.in_order || settings_fills(part);
        for (unsigned i = 0; i < part->accesses.count; i++)
            request.in_order = request.in_order || part->accesses.index[i] != ACCESS_RANDOM;
    }
    for (unsigned i = 0; (step = settings_step(settings, i)); i++)
        request_step(&request, settings, step);
    targets_join(settings, target, &request);
    return request;
}

/* --- combinations --- */

/* Each driver checks once, at its first target. */
int targets_check_options(const struct settings *settings, struct error *err)
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

/* --- kinds of targets --- */

bool targets_is_file(const char *target)
{
    struct stat st;

    return storage_driver_for(target)->capabilities & TARGET_FILES && stat(target, &st) == 0 &&
           !S_ISDIR(st.st_mode);
}

/* An option that permits writing must apply to some target: otherwise it would silently permit
 * nothing. */
static int check_permissions(const struct settings *settings, struct error *err)
{
    unsigned files = 0, devices = 0;
    struct stat st;

    for (unsigned i = 0; i < settings->target_count; i++) {
        if (stat(settings->targets[i], &st) < 0)
            return 0; /* opening it will report the reason */
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

/* A target that is an existing file has no runs. */
static int check_runs(const struct settings *settings, struct error *err)
{
    const char *without = NULL;
    unsigned count = 0;

    for (unsigned i = 0; i < settings->target_count; i++)
        if (!storage_keeps_runs(storage_driver_for(settings->targets[i])) ||
            targets_is_file(settings->targets[i])) {
            without = settings->targets[i];
            count++;
        }
    if (settings->run_name && without)
        return error_refuse(err, STATUS_USAGE, "no run can be created or found in", without,
                            "%s is for directories and object stores",
                            settings->reuse ? "--reuse" : "--run-name");
    if (settings->keep && count == settings->target_count)
        return error_refuse(err, STATUS_USAGE, "--keep cannot keep what is in", without,
                            "it is for directories and object stores: leave out --keep");
    return 0;
}

int targets_check(const struct settings *settings, struct error *err)
{
    return check_permissions(settings, err) < 0 ? -1 : check_runs(settings, err);
}
