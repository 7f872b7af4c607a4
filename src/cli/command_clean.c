/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_clean.c - `iosweep clean`: removes what runs left in their targets (storage/life/clean.c
 * decides which), and says how much it was. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/targets.h"
#include "run/stop.h"
#include "storage/storage.h"

struct clean_options {
    struct command_reach reach; /* first */
    const char *run_name;
    bool all, force, dry_run;
};

#define FIELD(member) offsetof(struct clean_options, member)

/* clang-format off */
static const struct option_row options[] = {
    {.name = "run-name", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(run_name),
     .help = "only this run, or those of its team of ranks", .group = "Runs"},
    {.name = "all", .type = OPTION_FLAG, .offset = FIELD(all),
     .help = "all runs, if there are several", .group = "Runs"},
    {.name = "force", .type = OPTION_FLAG, .offset = FIELD(force),
     .help = "also live runs, and files that are too short", .group = "Runs"},
    {.name = "dry-run", .type = OPTION_FLAG, .offset = FIELD(dry_run),
     .help = "list the runs, remove nothing", .group = "Runs"},
    {.name = NULL},
};
/* clang-format on */

static void tell_cleaned(const struct clean_options *block, const char *target,
                         const struct clean_outcome *outcome, uint64_t elapsed_ns)
{
    char name[1024], bytes[UNITS_TEXT], elapsed[UNITS_TEXT], runs[32] = "";
    const char *noun = storage_driver_for(target)->noun;

    error_printable(target, name, sizeof(name));
    if (outcome->runs == 0 && outcome->objects == 0) {
        if (outcome->left == 0)
            log_info("# %s%s nothing to remove", name, text_colon(name));
        return;
    }
    units_format_bytes((double)outcome->bytes, bytes);
    if (outcome->runs > 0) /* else something of a run that could not be removed as a whole */
        snprintf(runs, sizeof(runs), " of %u run%s", outcome->runs, outcome->runs == 1 ? "" : "s");
    if (block->dry_run)
        log_info("# %s: %" PRIu64 " %s%s, %s%s would be removed%s", name, outcome->objects, noun,
                 outcome->objects == 1 ? "" : "s", bytes, runs,
                 /* several runs are listed, but would not go without a word more */
                 outcome->runs + outcome->alive > 1 && !block->all && !block->run_name
                     ? " with --all"
                     : "");
    else
        log_info("# %s: %" PRIu64 " %s%s, %s%s removed in %s", name, outcome->objects, noun,
                 outcome->objects == 1 ? "" : "s", bytes, runs,
                 units_format_time((double)elapsed_ns, elapsed));
}

static const void *options_of(const struct clean_options *block, const char *target)
{
    for (int d = 0; storage_driver_table[d]; d++)
        if (storage_driver_table[d] == storage_driver_for(target))
            return block->reach.options[d];
    return NULL;
}

static void clean_target(const struct clean_options *block, const char *target, struct error *err)
{
    const struct clean_request request = {.target = target,
                                          .run_name = block->run_name,
                                          .team = true,
                                          .all = block->all,
                                          .force = block->force,
                                          .dry_run = block->dry_run,
                                          .list = block->dry_run ? stdout : NULL,
                                          .options = options_of(block, target),
                                          .stop = &stop_flag};
    const uint64_t begin_ns = clock_now(&clock_monotonic);
    struct error own = ERROR_INIT;
    struct clean_outcome outcome;
    char text[1024];
    const int code = target_clean(&request, &outcome, &own);

    if (code == 0 || outcome.objects > 0 || outcome.runs > 0)
        tell_cleaned(block, target, &outcome, clock_now(&clock_monotonic) - begin_ns);
    if (code < 0 && error_is_set(err))
        log_error("%s", error_format(&own, text, sizeof(text)));
    else if (code < 0)
        *err = own;
}

static int check_targets_given(const struct clean_options *block, const char *const *targets,
                               unsigned count, struct error *err)
{
    char forms[TARGETS_FORMS];

    for (unsigned i = 0; i < count; i++)
        if (!targets[i][0])
            return error_refuse(err, STATUS_USAGE, "empty target", NULL, "name a directory%s",
                                targets_forms(true, forms));
    if (block->all && block->run_name)
        return error_refuse(err, STATUS_USAGE, "--all and --run-name conflict", NULL,
                            "use only one");
    return targets_check_given(&block->reach.given, targets, count, err);
}

static enum status clean_targets(const void *arg, const char *const *arguments, unsigned count,
                                 struct error *err)
{
    const struct clean_options *block = arg;

    stop_install();
    stop_may_leave();
    if (check_targets_given(block, arguments, count, err) < 0)
        return err->status;
    for (unsigned i = 0; i < count && !flag_read(&stop_flag); i++)
        clean_target(block, arguments[i], err);
    if (flag_read(&stop_flag)) {
        if (!error_is_set(err) || err->errnum == EINTR) {
            *err = ERROR_INIT;
            error_set(err, (enum status)stop_status(), 0,
                      "interrupted; run it again to remove what is left", NULL);
        }
        err->status = (enum status)stop_status();
        return err->status;
    }
    if (block->dry_run)
        (void)help_flush(stdout, err);
    return error_is_set(err) ? err->status : STATUS_OK;
}

const struct command command_clean = {
    .name = "clean",
    .arguments = "TARGET...",
    .summary = "remove what runs have left behind",
    .details = "Removes test files and objects that a run has left in a target, after a crash or\n"
               "because of --keep.  What no run made is left alone.  If TARGET holds several\n"
               "runs, they are only listed, unless one is named or --all is given; a run that is\n"
               "alive is left alone, too.\n",
    .options = options,
    .block_bytes = sizeof(struct clean_options),
    .needs = "the target of the run",
    .arguments_min = 1,
    .run = clean_targets,
};
