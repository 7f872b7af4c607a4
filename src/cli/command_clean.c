/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_clean.c - `iosweep clean`: removes what runs left in their targets (storage/life/clean.c
 * decides which), and reports how much it was. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/color.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/words.h"
#include "cli/said.h"
#include "cli/targets.h"
#include "run/stop.h"
#include "storage/storage.h"

extern const struct command command_clean;

struct clean_options {
    struct settings settings; /* only its targets and driver options are used */
    const char *run_name;
    bool all, force, dry_run, quiet, verbose;
    unsigned color; /* enum color_when */
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
    {.name = "color", .argument = "WHEN", .type = OPTION_CHOICE, .offset = FIELD(color),
     .choices = color_words, .fallback = "auto",
     .help = "colour: auto (on a terminal), always, never", .group = "Information"},
    {.name = "quiet", .type = OPTION_FLAG, .offset = FIELD(quiet),
     .help = "only errors on standard error", .group = "Information"},
    {.name = "verbose", .type = OPTION_FLAG, .offset = FIELD(verbose),
     .help = "report more on standard error", .group = "Information"},
    {.name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help",
     .group = "Information"},
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
    if (outcome->runs > 0) /* otherwise parts of a run that could not be removed completely */
        snprintf(runs, sizeof(runs), " of %u run%s", outcome->runs, outcome->runs == 1 ? "" : "s");
    if (block->dry_run)
        log_info("# %s: %" PRIu64 " %s%s, %s%s would be removed%s", name, outcome->objects, noun,
                 outcome->objects == 1 ? "" : "s", bytes, runs,
                 /* several runs are listed, but removing them needs one more option */
                 outcome->runs + outcome->alive > 1 && !block->all && !block->run_name
                     ? " with --all"
                     : "");
    else
        log_info("# %s: %" PRIu64 " %s%s, %s%s removed in %s", name, outcome->objects, noun,
                 outcome->objects == 1 ? "" : "s", bytes, runs,
                 units_format_time((double)elapsed_ns, elapsed));
}

static void clean_target(const struct clean_options *block, const char *target, struct error *err)
{
    const struct clean_request request = {
        .target = target,
        .run_name = block->run_name,
        .team = true,
        .all = block->all,
        .force = block->force,
        .dry_run = block->dry_run,
        .list = block->dry_run ? stdout : NULL,
        .options = settings_of_driver(&block->settings, storage_driver_for(target)),
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

static int refuse_none(struct error *err)
{
    struct stat st;

    error_refuse(err, STATUS_USAGE, "clean needs the target of the run", NULL,
                 "iosweep clean TARGET...%s",
                 stat("clean", &st) == 0 && S_ISDIR(st.st_mode)
                     ? ", or iosweep ./clean to measure the directory of that name"
                     : "");
    return -1;
}

static int check_targets(const struct clean_options *block, const struct said *said,
                         struct error *err)
{
    const struct settings *settings = &block->settings;

    if (!settings->target_count)
        return refuse_none(err);
    for (unsigned i = 0; i < settings->target_count; i++)
        if (!settings->targets[i][0])
            return error_refuse(err, STATUS_USAGE, "empty target", NULL,
                                "iosweep help targets shows what can be one");
    if (block->all && block->run_name)
        return error_refuse(err, STATUS_USAGE, "--all and --run-name conflict", NULL,
                            "use only one");
    return said_check(said, 0, settings, err);
}

static enum status clean_targets(const struct clean_options *block, struct error *err)
{
    const struct settings *settings = &block->settings;

    stop_install();
    stop_may_leave();
    for (unsigned i = 0; i < settings->target_count && !flag_read(&stop_flag); i++)
        clean_target(block, settings->targets[i], err);
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
        (void)help_flush(err);
    return error_is_set(err) ? err->status : STATUS_OK;
}

static int take_options(int argc, char **argv, struct clean_options *block, struct said *said,
                        struct error *err)
{
    struct parser parser = {.help = "iosweep clean --help lists all options"};
    static const struct options_table own = {.rows = options};
    int result;

    option_defaults(options, block);
    options_make_blocks(&block->settings);
    parser_add(&parser, &own);
    for (const struct options_table *table = options_tables(); table->rows; table++)
        if (table->reach)
            parser_add(&parser, table);
    result = parser_take(&parser, argc - 1, argv + 1, said, err);
    for (unsigned i = 0; result == 0 && !said->ended && i < said->count; i++) {
        const struct said_option *option = &said->option[i];
        result =
            options_apply(option->table, option->row, option->word, block, &block->settings, err);
        if (result < 0)
            words_hint_value(option->row, err);
    }
    block->settings.targets = said->operand;
    block->settings.target_count = said->operand_count;
    parser_free(&parser);
    return result;
}

static enum status run_clean(int argc, char **argv, struct error *err)
{
    struct clean_options block = {.all = false};
    struct said said = {.count = 0};

    if (take_options(argc, argv, &block, &said, err) == 0 && said.ended) {
        help_print_command(&command_clean);
        (void)help_flush(err);
    } else if (!error_is_set(err)) {
        color_choose((enum color_when)block.color);
        log_set_color(color_on(STDERR_FILENO));
        log_set_level(block.quiet ? LOG_QUIET : block.verbose ? LOG_VERBOSE : LOG_NORMAL);
        if (check_targets(&block, &said, err) == 0)
            (void)clean_targets(&block, err);
    }
    options_free_blocks(&block.settings);
    said_free(&said);
    return err->status;
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
    .run = run_clean,
};
