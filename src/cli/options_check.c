/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options_check.c - refuses conflicting options, after the whole command line was read. */
#include "base/compat.h"

#include "cli/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/outputs.h"
#include "cli/said.h"
#include "cli/targets.h"
#include "cli/words.h"
#include "report/columns/columns.h"
#include "run/payload.h"
#include "run/plan.h"
#include "run/team.h"

/* Called early, because a dry run creates no output that would refuse them. */
static int check_columns(const char *list, struct error *err)
{
    unsigned count, *columns = columns_select(list, false, &count, err);

    if (!columns) {
        words_hint_column(err);
        return -1;
    }
    free(columns);
    return 0;
}

static bool any_fills(const struct settings *run)
{
    for (; run; run = run->next)
        if (settings_fills(run))
            return true;
    return false;
}

static bool fills_late(const struct settings *run)
{
    const struct step *step;

    for (unsigned i = 1; (step = settings_step(run, i)); i++)
        if (step->test == TEST_FILL)
            return true;
    return false;
}

struct clash {
    bool given;
    const char *text, *advice;
};

/* Reports only the first clash. */
static int refuse_first(const struct clash *clashes, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (clashes[i].given)
            return error_refuse(err, STATUS_USAGE, clashes[i].text, NULL, "%s", clashes[i].advice);
    return 0;
}

/* Finds a target given twice: its rows could not be distinguished. */
static const char *find_same_target(const struct settings *settings)
{
    for (unsigned i = 0; i < settings->target_count; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(settings->targets[i], settings->targets[k]) == 0)
                return settings->targets[i];
    return NULL;
}

/* Finds a test that changes data; with a run name, tests that use up objects may remove those of
 * that run. */
static const char *find_changing_test(const struct settings *settings)
{
    for (unsigned i = 0; i < settings->tests.count; i++) {
        const enum io_test test = settings->tests.step[i].test;
        if (test_changes(test) && !(test_consumes(test) && settings->run_name))
            return test_names[test];
    }
    return NULL;
}

/* Finds a test that ranks cannot run on shared files: what one rank creates or removes would
 * disturb another. */
static const char *find_unshared_test(const struct settings *settings)
{
    for (unsigned i = 0; i < settings->tests.count; i++) {
        const enum io_test test = settings->tests.step[i].test;
        if (test_makes_names(test) || test == TEST_FILL)
            return test_names[test];
    }
    return NULL;
}

static bool has_several_series(const struct settings *settings)
{
    return settings->threads.count > 1 || settings->depths.count > 1 ||
           settings->caches.count > 1 || settings->accesses.count > 1 ||
           settings->mixes.count > 0 || settings->engine_count > 1 || settings->target_count > 1;
}

/* Whether O_DIRECT bypasses the page cache in all rows. */
static bool all_bypass(const struct settings *run)
{
    for (; run; run = run->next)
        if (run->caches.count != 1 || run->caches.index[0] != CACHE_DIRECT)
            return false;
    return true;
}

static bool has_access(const struct settings *run)
{
    for (; run; run = run->next)
        if (run->accesses_given)
            return true;
    return false;
}

/* Refuses options that no row of the run uses. */
static int refuse_idle(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;
    const bool payload = settings->payload != PAYLOAD_RANDOM, filling = any_fills(settings);
    const bool appends = settings_have_test(settings, TEST_APPEND);
    const bool unordered = has_access(settings) && !settings_any_test(settings, test_ordered);
    const struct clash idle[] = {
        {settings->fill_step_bytes && !filling, "--fill-step is for test fill",
         "add --tests fill, or give --interval TIME"},
        {settings->verify && !settings_any_test(settings, test_moves_data),
         "--verify is for tests that move data", "add read or write to --tests, or leave it out"},
        {settings->keep_open && !settings_any_test(settings, test_in_place),
         "--keep-open is for tests that read or write within files",
         "add read or write to --tests, or leave it out"},
        {settings->readahead_given && !settings_have_test(settings, TEST_READ),
         "--readahead is for test read", "add read to --tests, or leave it out"},
        {settings->readahead_given && all_bypass(settings),
         "--readahead does nothing when O_DIRECT bypasses the page cache",
         "add another mode to --cache, or leave it out"},
        {unordered && !filling, "--access is for tests that access files or objects in some order",
         "add read, write or stat to --tests, or leave it out"},
        {unordered && filling, "test fill always writes each block once, in order",
         "leave out --access"},
        {settings->call_given && !appends && !settings->call_bytes,
         "--call-size 0 writes random lengths in test append",
         "add append to --tests, or give a size"},
        {settings->call_given && !appends && !settings_can_divide(settings),
         "--call-size is for files, and for test append of stores that can append",
         "add append to --tests, or leave it out"},
        {payload && !settings_any_test(settings, test_writes), "--payload is for tests that write",
         "add write to --tests"},
    };

    return refuse_first(idle, COUNT_OF(idle), err);
}

const char *options_ending(const char *name)
{
    const char *folder = name ? strrchr(name, '/') : NULL;
    const char *end = name ? strrchr(folder ? folder : name, '.') : NULL;

    return end && isalpha((unsigned char)end[1]) ? end : "";
}

/* Refuses a file name whose extension means a format that a run does not write. */
static int refuse_ending(const struct request *request, struct error *err)
{
    const char *ending = options_ending(request->output), *meant;

    if (!*ending || request->format_given || strcmp(ending, ".csv") == 0 ||
        strcmp(ending, ".json") == 0)
        return 0;
    meant = words_foreign("ending", ending + 1, strlen(ending + 1));
    return error_refuse(
        err, STATUS_USAGE,
        meant ? "a run does not print this format:" : "no format has this ending:", ending, "%s",
        meant ? meant : "name the file .csv or .json, or add --format");
}

/* Refuses options of a part that contradict each other. */
static int refuse_clashes(const struct request *request, const struct settings *settings,
                          struct error *err)
{
    const struct settings *run = &request->settings;
    const bool existing = settings->existing, payload = settings->payload != PAYLOAD_RANDOM;
    const bool told = request->series || request->format == FORMAT_JSON;
    const bool classic = request->format == FORMAT_CLASSIC;
    const char *changing = existing ? find_changing_test(settings) : NULL;
    const char *unshared = settings->share == TEAM_SHARE_ALL ? find_unshared_test(settings) : NULL;
    const char *same = find_same_target(settings);
    const struct clash clashes[] = {
        {fills_late(run), "test fill has to begin with nothing written",
         "name it once, and first in --tests"},
        {settings_fills(settings) && settings->align_bytes,
         "test fill writes every block of the file, with or without --align", "leave out --align"},
        {settings_fills(settings) && settings->tests.step[0].stops,
         "test fill ends when the file is full",
         "set --file-size (-l), and no stop after its name"},
        {existing && settings->mixes.count, "--read-existing (-r) only reads, but --mix writes",
         "leave out --mix"},
        {existing && (request->tree_given || request->keep_given || settings->replace),
         "--read-existing (-r) creates no files",
         "leave out --levels, --width, --keep and --replace"},
        {existing && (settings->overwrite || settings->destroy_data),
         "--read-existing (-r) only reads", "leave out --overwrite and --destroy-data"},
        {settings->reuse && request->run_name_given, "--reuse and --run-name both name a run",
         "use only one"},
        {settings->reuse && existing, "--reuse writes, but --read-existing (-r) only reads",
         "use -r --run-name to read the run"},
        {settings->reuse && !settings_any_test(run, test_writes), "--reuse is for tests that write",
         "add write to --tests, or read the run with -r --run-name"},
        {settings->reuse && (settings->single_file || request->tree_given || request->length_given),
         "--reuse takes the files of the run as they are",
         "leave out --single-file, --levels, --width and --file-size"},
        {settings->replace && settings->reuse,
         "--reuse needs the run that --replace would remove first", "use only one"},
        {settings->replace && !request->run_name_given, "--replace is for a run that has a name",
         "add --run-name"},
        {settings->single_file && request->tree_given, "--single-file (-s) has no levels or width",
         "leave them out"},
        {settings->sizes.count && settings->scan_given,
         "--sizes replaces --min-size, --max-size and --factor", "use one or the other"},
        {request->columns && request->format == FORMAT_CLASSIC,
         "--columns is for csv, json and table", "add --format csv"},
        {request->series && strcmp(request->series, "-") == 0, "--series needs a file",
         "name a file: standard output carries the results"},
        {settings->interval_ns && request->quiet && !told,
         "--quiet leaves --interval nowhere to write", "add --series FILE"},
        {request->decimal != '.' && request->decimal != ',', "--decimal is neither . nor ,",
         "for spreadsheets with a decimal comma use --decimal ,"},
        {request->separator == request->decimal, "--separator and --decimal are the same character",
         "for spreadsheets with a decimal comma use --separator ';' --decimal ,"},
        {strchr("\"0123456789.-+_", request->separator) ||
             isalpha((unsigned char)request->separator),
         "--separator would be read as part of a number or name", "use , ; | tab or another mark"},
        {request->quiet && request->verbose, "--quiet and --verbose conflict", "use only one"},
        {settings->share == TEAM_SHARE_SHIFT && settings->mixes.count,
         "--share shift and --mix conflict",
         "operations that are mixed go to the same files: use --share none or all"},
        {settings->rate && settings->verify, "--rate and --verify conflict",
         "verifying takes time that the schedule does not allow for; use only one"},
        {payload && settings->verify, "--payload and --verify conflict",
         "verification needs different data in every block; use only one"},
        {classic && settings_fills(settings),
         "the classic format does not show how much of a file is filled", "use --format csv"},
        {classic && run->next, "the classic format holds only one series",
         "use an option file of one line, or --format csv"},
        {classic && has_several_series(run), "the classic format holds only one series",
         "use one target, engine, cache mode, depth and number of threads, or --format csv"},
    };

    if (changing)
        return error_refuse(err, STATUS_USAGE,
                            "--read-existing (-r) only reads; it cannot run test", changing,
                            "leave it out of --tests");
    if (unshared)
        return error_refuse(err, STATUS_USAGE, "--share all is not for test", unshared,
                            "each rank needs its own files for it; leave out one of them");
    if (same)
        return error_refuse(err, STATUS_USAGE, "the same target twice:", same,
                            "results tell targets apart by name; name each once");
    return refuse_first(clashes, COUNT_OF(clashes), err);
}

static unsigned count_steps(const struct settings *run)
{
    unsigned count = 0;

    while (settings_step(run, count))
        count++;
    return count;
}

/* A delete without a stop removes all objects of a kept run, or of test create; later steps, and
 * reading a kept run after a delete with a stop, would fail in every operation. created: only steps
 * over objects of test create. */
static int refuse_used_up(const struct settings *settings, bool created, struct error *err)
{
    const bool bounded = settings->repetitions || settings->cell_time_ns || settings->max_time_ns;
    const unsigned passes = created ? 1 : !settings->existing ? 0 : settings->loops > 1 ? 2 : 1;
    const struct step *last = NULL, *some = NULL;

    for (unsigned i = 0, count = count_steps(settings); i < passes * count; i++) {
        const struct step *step = settings_step(settings, i % count);
        const char *name = test_names[step->test];
        if (created && step->test == TEST_CREATE)
            last = NULL;
        if (created && !step->created)
            continue;
        if (last && (created || step->test != TEST_STAT))
            return error_refuse(err, STATUS_TARGET, "no data are left for test", name,
                                created ? "test %s before it uses up what is created; put another "
                                          "create in between"
                                        : "test %s before it uses them up; give that a stop, as in "
                                          "delete:n=100, or leave out what follows",
                                test_names[last->test]);
        if (some && !created && step->test == TEST_READ)
            return error_refuse(
                err, STATUS_TARGET, "data are missing for test", name,
                "test %s before it removes some of them; read the rest with a separate command",
                test_names[some->test]);
        if (test_consumes(step->test))
            *(step->stops || bounded ? &some : &last) = step;
    }
    if (last && !created && settings->repeats > 1)
        return error_refuse(err, STATUS_TARGET, "no data are left to repeat test",
                            test_names[last->test], "leave out --repeat");
    return 0;
}

/* A user who names a results file wants to see its contents. Measuring such a file requires -r or
 * --overwrite. */
static int refuse_results(const struct settings *settings, struct error *err)
{
    for (unsigned i = 0; i < settings->target_count; i++) {
        const char *target = settings->targets[i];
        if (!settings->existing && !settings->overwrite && !settings->dry_run &&
            storage_driver_for(target)->capabilities & TARGET_FILES && outfile_is_results(target))
            return error_refuse(err, STATUS_USAGE, "this file holds results of iosweep:", target,
                                "did you mean iosweep plot, fit, compare or report; to measure the "
                                "file itself: -r");
    }
    return 0;
}

int options_check(const struct request *request, const struct said *said, struct error *err)
{
    const struct settings *settings = &request->settings;

    if (refuse_used_up(settings, false, err) < 0 || refuse_used_up(settings, true, err) < 0 ||
        said_check(said, settings, err) < 0 || targets_check_options(settings, err) < 0 ||
        refuse_ending(request, err) < 0)
        return -1;
    for (const struct settings *part = settings; part; part = part->next)
        if (refuse_clashes(request, part, err) < 0)
            return -1;
    if (refuse_idle(request, err) < 0 || refuse_results(settings, err) < 0 ||
        (request->columns && check_columns(request->columns, err) < 0))
        return -1;
    return 0;
}
